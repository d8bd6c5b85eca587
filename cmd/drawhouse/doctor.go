package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/alecthomas/kong"
)

// doctorCmd examines a house, from outside.
type doctorCmd struct {
	serveFlags
	House string `env:"DRAWHOUSE_HOUSE" placeholder:"URL" help:"Also ask the house that runs there."`
	Quick bool   `help:"Do not read the whole journal, nor the newest backup."`
	JSON  bool   `name:"json" help:"Write the findings as JSON."`
}

// Help says what the lines mean.
func (*doctorCmd) Help() string {
	return `It takes the settings of serve, writes no record, changes nothing, and may run beside the
house. Each line is OK, WARN or FAIL: what is, why that matters, and what to do about it.
FAIL means that the house does not start, or that something can be lost or forged; then
the status is 1.`
}

// examinations are what the doctor looks at, in this order. A row more is an examination more.
var examinations = []struct {
	of      string // what its findings are about
	examine func(*examination, context.Context)
}{
	{"configuration", func(x *examination, _ context.Context) { x.configuration() }},
	{"addresses", func(x *examination, _ context.Context) { x.addresses() }},
	{"files", func(x *examination, _ context.Context) { x.files() }},
	{"disk", func(x *examination, _ context.Context) { x.disk() }},
	{"certificate", func(x *examination, _ context.Context) { x.certificate() }},
	{"authority", (*examination).authority},
	{"database", (*examination).database},
	{"journal", (*examination).journal},
	{"last checkpoint", (*examination).kept},
	{"clock", (*examination).clock},
	{"root", (*examination).root},
	{"keys", (*examination).keys},
	{"terminals", (*examination).terminals},
	{"personal keys", (*examination).personalKeys},
	{"people", (*examination).people},
	{"keeping", (*examination).keeping},
	{"backups", (*examination).backups},
	{"device", (*examination).device},
	{"witnesses", (*examination).witnessing},
	{"running", (*examination).running},
}

// level is how bad a finding is.
type level string

const (
	levelOK   level = "OK"
	levelWarn level = "WARN"
	levelFail level = "FAIL"
)

// finding is a line of the examination.
type finding struct {
	Level level  `json:"level"`
	About string `json:"about"`
	What  string `json:"what"`
	Why   string `json:"why,omitempty"`
	Do    string `json:"do,omitempty"`
}

// counsel is why a finding matters and what to do about it.
type counsel struct{ why, do string }

// examination gathers findings.
type examination struct {
	*doctorCmd
	model    *kong.Application
	settings *settings
	now      time.Time
	about    string // what is examined now
	findings []finding
	read     journalRead
}

func (x *examination) ok(format string, args ...any) {
	x.findings = append(x.findings, finding{Level: levelOK, About: x.about, What: fmt.Sprintf(format, args...)})
}

func (x *examination) warn(a counsel, format string, args ...any) {
	x.add(levelWarn, a, format, args...)
}

func (x *examination) fail(a counsel, format string, args ...any) {
	x.add(levelFail, a, format, args...)
}

func (x *examination) add(l level, a counsel, format string, args ...any) {
	x.findings = append(x.findings, finding{l, x.about, fmt.Sprintf(format, args...), a.why, a.do})
}

// errUnwell is the status of a house with a FAIL.
var errUnwell = errors.New("the house is not in order; see the lines with FAIL")

// Run implements the command.
func (c *doctorCmd) Run(k *kong.Context, s *settings, out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	x := &examination{doctorCmd: c, model: k.Model, settings: s, now: time.Now()}
	defer x.close()
	for _, e := range examinations {
		x.about = e.of
		e.examine(x, ctx)
	}
	if err := x.write(out); err != nil {
		return err
	}
	for _, f := range x.findings {
		if f.Level == levelFail {
			return errUnwell
		}
	}
	return ctx.Err()
}

// write writes the findings, as columns or as JSON.
func (x *examination) write(out *bytes.Buffer) error {
	if x.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(struct {
			Findings []finding `json:"findings"`
		}{x.findings})
	}
	rows := new(bytes.Buffer)
	for _, f := range x.findings {
		text := f.What
		for _, more := range []string{f.Why, f.Do} {
			if more != "" {
				text += ". " + more
			}
		}
		fmt.Fprintf(rows, "%s\t%s\t%s\n", f.Level, f.About, text)
	}
	return writeColumns(out, rows)
}
