package main

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"drawhouse/house/config"
	"drawhouse/journal/pkcs11"
)

// settings gives flags their values where the command line does not: from the
// environment, or else from the configuration file. A flag is a setting if it has the
// tag setting; a secret one may also be read from a file that the environment names,
// and is never shown.
type settings struct {
	variables map[string]string // those of the environment that begin with the prefix

	file    *config.File      // nil without one
	origins map[string]string // by the name of a flag: where its value came from
}

const (
	settingTag     = "setting"
	secretSetting  = "secret"
	variablePrefix = "DRAWHOUSE_"
	fileSuffix     = "_FILE"
	configFlag     = "config"
)

// newSettings takes up the environment.
func newSettings(environ []string) *settings {
	s := &settings{variables: map[string]string{}, origins: map[string]string{}}
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		if strings.HasPrefix(name, variablePrefix) && value != "" {
			s.variables[name] = value
		}
	}
	return s
}

// variableOf returns the variable that stands for a flag.
func variableOf(flag string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Validate implements kong.Resolver.
func (*settings) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver: it returns the value of a setting that is not on
// the command line, or nil for its default.
func (s *settings) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if !flag.Tag.Has(settingTag) {
		return nil, nil
	}
	values, origin, err := s.find(flag)
	if err != nil || origin == "" {
		return nil, err
	}
	s.origins[flag.Name] = origin
	value := valueOf(flag, values)
	if err := tryValue(flag, value); err != nil {
		return nil, fmt.Errorf("%s: %w", origin, err)
	}
	return value, nil
}

// valueOf returns texts in the form in which the command line takes them.
func valueOf(flag *kong.Flag, texts []string) any {
	if !flag.IsSlice() {
		return texts[0]
	}
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

// find returns what a setting is given by, and where that stands.
func (s *settings) find(flag *kong.Flag) (values []string, origin string, err error) {
	name := variableOf(flag.Name)
	value, given := s.variables[name]
	path, inFile := s.variables[name+fileSuffix]
	switch isSecret := flag.Tag.Get(settingTag) == secretSetting; {
	case given && inFile && isSecret:
		return nil, "", fmt.Errorf("%s and %s are both set", name, name+fileSuffix)
	case given && flag.IsSlice():
		return strings.Fields(value), name, nil
	case given:
		return []string{value}, name, nil
	case inFile && isSecret:
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", name+fileSuffix, err)
		}
		return []string{strings.TrimRight(string(data), "\r\n")}, name + fileSuffix, nil
	}
	if s.file == nil {
		return nil, "", nil
	}
	setting, ok := s.file.Lookup(flag.Name)
	if !ok {
		return nil, "", nil
	}
	origin = fmt.Sprintf("%s:%d", s.file.Name, setting.Line)
	if setting.List && !flag.IsSlice() {
		return nil, "", fmt.Errorf("%s: a list where one value belongs", origin)
	}
	return setting.Values, origin, nil
}

// tryValue reads a value, so that a wrong one is told with where it stands and not
// only with its name.
func tryValue(flag *kong.Flag, value any) error {
	scan := kong.Scan().PushTyped(value, kong.FlagValueToken)
	err := flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan},
		reflect.New(flag.Target.Type()).Elem())
	if err == nil && flag.Enum != "" && !slices.Contains(strings.Split(flag.Enum, ","), fmt.Sprint(value)) {
		err = fmt.Errorf("must be one of %s and not %q", flag.Enum, value)
	}
	return err
}

// load reads the configuration file that the command line or the environment names.
func (s *settings) load(c *kong.Context) error {
	name := s.variables[variableOf(configFlag)]
	for _, flag := range c.Model.Flags {
		if given, _ := c.FlagValue(flag).(string); flag.Name == configFlag && given != "" {
			name = given
		}
	}
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("the configuration: %w", err)
	}
	if s.file, err = config.Parse(name, data); err != nil {
		return err
	}
	return s.file.Check(slices.Collect(maps.Keys(settingsOf(c.Model.Node))))
}

// settingsOf returns the settings of all commands, by name.
func settingsOf(node *kong.Node) map[string]*kong.Flag {
	all := map[string]*kong.Flag{}
	for _, flag := range node.Flags {
		if flag.Tag.Has(settingTag) {
			all[flag.Name] = flag
		}
	}
	for _, child := range node.Children {
		maps.Copy(all, settingsOf(child))
	}
	return all
}

// unknownVariables returns those of the environment that look like settings and are
// none. They are no error: another program's may be among them.
func (s *settings) unknownVariables(app *kong.Application) []string {
	known := map[string]bool{variableOf(configFlag): true, pkcs11.PINVariable: true, pkcs11.PINFileVariable: true}
	var visit func(node *kong.Node)
	visit = func(node *kong.Node) {
		for _, flag := range node.Flags {
			for _, name := range flag.Envs {
				known[name] = true
			}
		}
		for _, child := range node.Children {
			visit(child)
		}
	}
	visit(app.Node)
	for name, flag := range settingsOf(app.Node) {
		known[variableOf(name)] = true
		if flag.Tag.Get(settingTag) == secretSetting {
			known[variableOf(name)+fileSuffix] = true
		}
	}
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(s.variables)) {
		if !known[name] {
			unknown = append(unknown, name)
		}
	}
	return unknown
}
