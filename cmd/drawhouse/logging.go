package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/contain"
)

// logFlags say what a process that goes on running tells of itself, on the error
// output.
type logFlags struct {
	LogFormat string     `name:"log-format" setting:"" enum:"text,json" default:"text" help:"text or json; with json everything that the process says is a line of JSON (${default})."`
	LogLevel  slog.Level `name:"log-level" setting:"" default:"info" placeholder:"LEVEL" help:"debug, info, warn or error; debug tells of every request. The signal USR1 changes between this level and debug while the process runs (${default})."`
}

// jsonFormat is the format of a log that programs read.
const jsonFormat = "json"

// logger returns the log of a process that runs until the context ends. Its level changes with levelSignals.
func (f logFlags) logger(ctx context.Context, w io.Writer) *slog.Logger {
	level := new(slog.LevelVar)
	level.Set(f.LogLevel)
	log := f.loggerAt(level, w)
	asked, stop := levelSignals()
	contain.Go("changing the level of the log", func() error {
		defer stop()
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-asked:
				f.switchLevel(level, log)
			}
		}
	}, func(error) {})
	return log
}

// switchLevel changes between the level that was given and debug.
func (f logFlags) switchLevel(level *slog.LevelVar, log *slog.Logger) {
	next := slog.LevelDebug
	if level.Level() == next {
		next = f.LogLevel
	}
	level.Set(next)
	log.LogAttrs(context.Background(), max(next, slog.LevelInfo), "the level of the log has changed",
		slog.String("level_now", next.String()))
}

// loggerAt returns a log of the format.
func (f logFlags) loggerAt(level slog.Leveler, w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: inSeconds}
	if f.LogFormat == jsonFormat {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// inSeconds names the unit of a duration and gives it as a number: JSON would have bare nanoseconds.
func inSeconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		return slog.Float64(a.Key+"_seconds", a.Value.Duration().Seconds())
	}
	return a
}

// fatal tells a log of JSON why the process ends, as a line like the others: anybody who reads
// the log by a program reads this as well. Otherwise the error is said as every command says
// its own.
func (f logFlags) fatal(w io.Writer, err error) error {
	if err == nil || f.LogFormat != jsonFormat {
		return err
	}
	f.loggerAt(slog.LevelError, w).Error("the process ends", "error", err.Error(), "usage", console.IsUsage(err))
	return &toldError{err}
}

// toldError is an error that the user was told already.
type toldError struct{ error }

// Unwrap returns the error.
func (e *toldError) Unwrap() error { return e.error }

// logsJSON reports whether a command line that could not be read asks for a log of JSON: then that is said in JSON,
// too.
func logsJSON(args []string, variables map[string]string) bool {
	for i, a := range args {
		if value, ok := strings.CutPrefix(a, "--log-format="); ok {
			return value == jsonFormat
		}
		if a == "--log-format" {
			return slices.Contains(args[i+1:min(i+2, len(args))], jsonFormat)
		}
	}
	return variables[variableOf("log-format")] == jsonFormat
}

// said returns where a process says at its start where it is and what to do first: as text for persons, or as a line of
// JSON each, so that the output can be read by a program, too.
func (f logFlags) said(w io.Writer) io.Writer {
	if f.LogFormat != jsonFormat {
		return w
	}
	s := &sayer{out: w}
	s.log = f.loggerAt(slog.LevelInfo, &s.lines)
	return s
}

// sayer makes a line of the log of each line of text. What is written at once is said at once: a program that starts
// another one reads all of it with the first line.
type sayer struct {
	out   io.Writer
	log   *slog.Logger
	mu    sync.Mutex   // guards what follows
	rest  []byte       // of a line that has not ended
	lines bytes.Buffer // of the log
}

// Write implements io.Writer.
func (s *sayer) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest = append(s.rest, text...)
	for {
		line, rest, ended := bytes.Cut(s.rest, []byte("\n"))
		if !ended {
			_, err := s.lines.WriteTo(s.out)
			return len(text), err
		}
		s.rest = rest
		s.log.Info(string(line))
	}
}
