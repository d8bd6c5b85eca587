package main

import (
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"drawhouse/internal/promise"
)

var rewrite = flag.Bool("rewrite", false, "record what is promised; read the difference before you commit it")

// measures is the command that is for ourselves: what it measures changes with what there is to measure.
const measures = "bench"

// TestCommandsStay holds commands, flags, arguments, settings and variables of the environment against those that were
// promised.
func TestCommandsStay(t *testing.T) {
	t.Parallel()
	root := model()
	commands, settings := promise.Item{Name: "commands"}, promise.Item{Name: "settings"}
	var visit func(node *kong.Node, path string)
	visit = func(node *kong.Node, path string) {
		if node.Hidden || node.Parent == root && node.Name == measures {
			return
		}
		commands.Items = append(commands.Items, promisedCommand(node, path))
		for _, child := range node.Children {
			visit(child, path+" "+child.Name)
		}
	}
	visit(root, "drawhouse")
	for name, setting := range settingsOf(root) {
		item := promise.Item{Name: name, Kind: kindOfFlag(setting.Target.Type()),
			Items: []promise.Item{{Name: "environment " + variableOf(name)}}}
		if setting.Tag.Get(settingTag) == secretSetting {
			item.Items = append(item.Items, promise.Item{Name: "environment " + variableOf(name) + fileSuffix})
		}
		settings.Items = append(settings.Items, item)
	}
	statuses := promise.Item{Name: "exit statuses", Items: []promise.Item{{Name: "0", Kind: "done"},
		{Name: fmt.Sprint(statusRefused), Kind: "refused"}, {Name: fmt.Sprint(statusUsage), Kind: "misused"}}}
	promise.Hold(t, "../../internal/promise", "commands", []promise.Item{commands, settings, statuses}, *rewrite)
}

// promisedCommand returns what a command takes. An argument is known by its place.
func promisedCommand(node *kong.Node, path string) promise.Item {
	item := promise.Item{Name: path}
	if len(node.Children) > 0 {
		item.Kind = "with commands below it"
	}
	if node.DefaultCmd != nil {
		item.Items = append(item.Items, promise.Item{Name: "without a command below it", Kind: node.DefaultCmd.Name})
	}
	for _, alias := range node.Aliases {
		item.Items = append(item.Items, promise.Item{Name: "alias " + alias})
	}
	for i, argument := range node.Positional {
		item.Items = append(item.Items, promise.Item{Name: fmt.Sprintf("argument %d", i+1),
			Kind: kindOfFlag(argument.Target.Type()), Needed: argument.Required, Words: enumOf(argument)})
	}
	for _, f := range node.Flags {
		if f.Hidden {
			continue
		}
		one := promise.Item{Name: "--" + f.Name, Kind: kindOfFlag(f.Target.Type()), Needed: f.Required, Words: enumOf(f.Value)}
		if f.Short != 0 {
			one.Items = append(one.Items, promise.Item{Name: "-" + string(f.Short)})
		}
		for _, name := range f.Aliases {
			one.Items = append(one.Items, promise.Item{Name: "--" + name})
		}
		if f.Tag.Negatable != "" {
			one.Items = append(one.Items, promise.Item{Name: "negated"})
		}
		variables := f.Envs
		if node.Parent == nil && f.Name == configFlag {
			variables = append(variables, variableOf(configFlag))
		}
		for _, variable := range variables {
			one.Items = append(one.Items, promise.Item{Name: "environment " + variable})
		}
		item.Items = append(item.Items, one)
	}
	return item
}

// enumOf returns the words that a value may be. One that may be empty has the word "".
func enumOf(value *kong.Value) (words []string) {
	if value.Enum == "" {
		return nil
	}
	for _, word := range value.EnumSlice() {
		if word == "" {
			word = `""`
		}
		words = append(words, word)
	}
	return words
}

// kindOfFlag names what a flag takes.
func kindOfFlag(of reflect.Type) string {
	switch kind := of.Kind(); {
	case of == reflect.TypeFor[time.Duration]():
		return "duration"
	case kind == reflect.Pointer:
		return kindOfFlag(of.Elem())
	case kind == reflect.Bool:
		return "switch"
	case kind == reflect.Slice:
		return "list of " + kindOfFlag(of.Elem())
	case kind == reflect.Map:
		return "map of " + kindOfFlag(of.Elem())
	case of.Name() != strings.ToLower(of.Name()):
		return "text" // It reads itself.
	case kind >= reflect.Int && kind <= reflect.Float64:
		return "number"
	}
	return "text"
}
