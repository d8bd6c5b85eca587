package main

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// configCmd groups what is done with the configuration.
type configCmd struct {
	Show configShowCmd `cmd:"" help:"Print every setting of serve with its value and where that came from. Secrets are hidden."`
}

// configShowCmd shows what serve would run with. It takes the flags of serve.
type configShowCmd struct{ serveFlags }

// Help says what goes before what.
func (*configShowCmd) Help() string {
	return `A setting is taken from the command line, or else from the environment (DRAWHOUSE_ and
the name in capitals, such as DRAWHOUSE_TLS_CERT), or else from the configuration file
(--config, DRAWHOUSE_CONFIG), or else it has its default. A secret setting can be read
from a file that the environment names: DRAWHOUSE_DATABASE_FILE.`
}

// Run implements the command.
func (*configShowCmd) Run(c *kong.Context, s *settings, out *bytes.Buffer) error {
	rows := new(bytes.Buffer)
	fmt.Fprintln(rows, "SETTING\tVALUE\tFROM")
	for _, flag := range c.Selected().Flags {
		if flag.Tag.Has(settingTag) {
			fmt.Fprintf(rows, "%s\t%s\t%s\n", flag.Name, shown(flag), s.origin(c, flag))
		}
	}
	if err := writeColumns(out, rows); err != nil {
		return err
	}
	for _, name := range s.unknownVariables(c.Model) {
		fmt.Fprintf(out, "\n%s is set in the environment and is no setting\n", name)
	}
	return nil
}

// origin says where the value of a setting came from.
func (s *settings) origin(c *kong.Context, flag *kong.Flag) string {
	for _, p := range c.Path {
		if p.Flag == flag && !p.Resolved {
			return "command line"
		}
	}
	if origin := s.origins[flag.Name]; origin != "" {
		return origin
	}
	return "default"
}

// shown returns the value of a setting as a person may see it.
func shown(flag *kong.Flag) string {
	switch {
	case flag.Target.IsZero() && flag.Default == "":
		return "-"
	case flag.Tag.Get(settingTag) == secretSetting:
		return "(hidden)"
	case flag.Target.Kind() == reflect.Slice:
		parts := make([]string, flag.Target.Len())
		for i := range parts {
			parts[i] = fmt.Sprint(flag.Target.Index(i).Interface())
		}
		return strings.Join(parts, " ")
	}
	return fmt.Sprint(flag.Target.Interface())
}
