package main

import (
	"bytes"
	"fmt"
	"runtime/debug"
)

// versionCmd says which build this is.
type versionCmd struct{}

// Run implements the command.
func (*versionCmd) Run(out *bytes.Buffer) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return fmt.Errorf("this binary was built without build information")
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	fmt.Fprintf(out, "drawhouse %s %s %s/%s\n", info.Main.Version, info.GoVersion, settings["GOOS"], settings["GOARCH"])
	if revision := settings["vcs.revision"]; revision != "" {
		modified := ""
		if settings["vcs.modified"] == "true" {
			modified = ", with changes that are not committed"
		}
		fmt.Fprintf(out, "commit %s of %s%s\n", revision, settings["vcs.time"], modified)
	}
	return nil
}
