package main

import (
	"io"
	"log/slog"
)

// logFlags say what a process that goes on running tells of itself, on the error
// output.
type logFlags struct {
	LogFormat string     `name:"log-format" setting:"" enum:"text,json" default:"text" help:"text or json (${default})."`
	LogLevel  slog.Level `name:"log-level" setting:"" default:"info" placeholder:"LEVEL" help:"debug, info, warn or error; debug tells of every request (${default})."`
}

// logger returns the log.
func (f logFlags) logger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: f.LogLevel}
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
