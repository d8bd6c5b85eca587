package main

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completionCmd has a shell complete command lines. The scripts ask the program itself at each key, so that they are
// right for whichever version is installed.
type completionCmd struct {
	Bash  shellCmd `cmd:"" help:"Print the script for bash: eval \"$(drawhouse completion bash)\"."`
	Zsh   shellCmd `cmd:"" help:"Print the script for zsh: eval \"$(drawhouse completion zsh)\"."`
	Fish  shellCmd `cmd:"" help:"Print the script for fish: drawhouse completion fish | source."`
	Words wordsCmd `cmd:"" hidden:"" help:"Print what the last word of a line may become, one a line, with its help behind a tab."`
}

//go:embed completion
var shellScripts embed.FS

// shellCmd prints the script of a shell.
type shellCmd struct{}

// Run implements the command.
func (*shellCmd) Run(c *kong.Context, out *bytes.Buffer) error {
	script, err := shellScripts.ReadFile("completion/drawhouse." + c.Selected().Name)
	out.Write(script)
	return err
}

// wordsCmd says how a line may go on.
type wordsCmd struct {
	Words []string `arg:"" optional:"" help:"The words of the line behind the program's name, up to the one that is being typed, which may be empty."`
}

// What stands for names of files and folders among candidates: the shell knows them.
const (
	anyFile   = ":files"
	anyFolder = ":folders"
)

// Run implements the command.
func (w *wordsCmd) Run(c *kong.Context, out *bytes.Buffer) error {
	for _, candidate := range candidates(c.Model.Node, w.Words) {
		fmt.Fprintln(out, candidate)
	}
	return nil
}

// candidates returns what the last word of a line may become. Bash makes words of their own of the equals sign between
// a flag and its value.
func candidates(root *kong.Node, words []string) []string {
	if len(words) == 0 {
		return nil
	}
	var valued *kong.Flag // the flag whose value is next
	node, position := root, 0
	for _, word := range words[:len(words)-1] {
		switch {
		case word == "=":
		case valued != nil:
			valued = nil
		case strings.HasPrefix(word, "--"):
			if flag := flagOf(node, word[2:]); flag != nil && !flag.IsBool() {
				valued = flag
			}
		default:
			if child := childOf(node, word); child != nil && position == 0 {
				node = child
			} else {
				position++
			}
		}
	}
	last := words[len(words)-1]
	if last == "=" {
		last = ""
	}
	if valued != nil {
		return begin(values(valued.Value), last)
	}
	if name, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(name, "--") {
		if flag := flagOf(node, name[2:]); flag != nil {
			return assigned(name, begin(values(flag.Value), value))
		}
		return nil
	}
	if strings.HasPrefix(last, "-") {
		return begin(flagWords(node), last)
	}
	return begin(argumentWords(node, position), last)
}

// begin returns the candidates that begin with a word, and what stands for files and folders.
func begin(all []string, with string) (found []string) {
	for _, candidate := range all {
		if strings.HasPrefix(candidate, with) || candidate == anyFile || candidate == anyFolder {
			found = append(found, candidate)
		}
	}
	return found
}

// assigned puts the name of a flag before its values.
func assigned(name string, all []string) []string {
	for i, candidate := range all {
		if candidate != anyFile && candidate != anyFolder {
			all[i] = name + "=" + candidate
		}
	}
	return all
}

// flagsOf returns the flags that may stand behind a command: its own, those of the commands above it, and those of the
// command that stands for it without a name.
func flagsOf(node *kong.Node) (all []*kong.Flag) {
	for _, group := range node.AllFlags(true) {
		all = append(all, group...)
	}
	if node.DefaultCmd != nil {
		all = append(all, node.DefaultCmd.Flags...)
	}
	return all
}

func flagOf(node *kong.Node, name string) *kong.Flag {
	for _, flag := range flagsOf(node) {
		if flag.Name == name {
			return flag
		}
	}
	return nil
}

// childOf returns the command of a name below another one, or nil.
func childOf(node *kong.Node, name string) *kong.Node {
	i := slices.IndexFunc(node.Children, func(child *kong.Node) bool { return child.Name == name })
	if i < 0 {
		return nil
	}
	return node.Children[i]
}

// flagWords returns the flags of a command with their help.
func flagWords(node *kong.Node) (words []string) {
	for _, flag := range flagsOf(node) {
		words = append(words, "--"+flag.Name+"\t"+firstSentence(flag.Help))
	}
	return words
}

// argumentWords returns the commands below a command, or what may stand at a position behind it.
func argumentWords(node *kong.Node, position int) (words []string) {
	if position == 0 {
		for _, child := range node.Children {
			if !child.Hidden {
				words = append(words, child.Name+"\t"+firstSentence(child.Help))
			}
		}
	}
	if node.DefaultCmd != nil {
		node = node.DefaultCmd
	}
	for i, argument := range node.Positional {
		if i == position || i < position && i == len(node.Positional)-1 && argument.IsCumulative() {
			words = append(words, values(argument)...)
		}
	}
	return words
}

// values returns what a flag or argument may be, as far as its tags say so.
func values(value *kong.Value) []string {
	if value.Enum != "" {
		return value.EnumSlice()
	}
	named := value.Name
	if value.Flag != nil {
		named = value.Flag.PlaceHolder
	}
	switch {
	case value.Tag.Type == "existingdir" || named == "DIR":
		return []string{anyFolder}
	case value.Tag.Type != "" || strings.Contains(strings.ToUpper(named), "FILE"):
		return []string{anyFile}
	}
	return nil
}

// firstSentence returns the beginning of a help, for a list.
func firstSentence(help string) string {
	help = strings.Join(strings.Fields(help), " ")
	if sentence, _, ok := strings.Cut(help, ". "); ok {
		return sentence + "."
	}
	return help
}
