package main

import (
	"io"
	"log/slog"

	"drawhouse/cmd/drawhouse/console"
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

// fatal tells a log of JSON why the process ends, as a line like the others: anybody who reads
// the log by a program reads this as well. Otherwise the error is said as every command says
// its own.
func (f logFlags) fatal(w io.Writer, err error) error {
	if err == nil || f.LogFormat != "json" {
		return err
	}
	slog.New(slog.NewJSONHandler(w, nil)).Error("the process ends", "error", err.Error(), "usage", console.IsUsage(err))
	return &toldError{err}
}

// toldError is an error that the user was told already.
type toldError struct{ error }

// Unwrap returns the error.
func (e *toldError) Unwrap() error { return e.error }
