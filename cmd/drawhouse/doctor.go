package main

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/alecthomas/kong"

	"drawhouse/edge/monitor"
)

// doctorCmd examines a house, from outside.
type doctorCmd struct {
	serveFlags
	House string `env:"DRAWHOUSE_HOUSE" placeholder:"URL" help:"Also ask the house that runs there."`
	Quick bool   `help:"Do not read the whole journal."`
}

// Help says what the lines mean.
func (*doctorCmd) Help() string {
	return `It takes the settings of serve, writes no record, and may run beside the house.
Each line is OK, WARN or FAIL, with what to do about it. FAIL means that the house does
not start, or that something can be lost or forged; then the status is 1.`
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
	level level
	about string
	text  string // what is, and what to do about it
}

// examination gathers findings.
type examination struct {
	*doctorCmd
	now      time.Time
	findings []finding
}

func (x *examination) ok(about, format string, args ...any) {
	x.findings = append(x.findings, finding{levelOK, about, fmt.Sprintf(format, args...)})
}

func (x *examination) warn(about, format string, args ...any) {
	x.findings = append(x.findings, finding{levelWarn, about, fmt.Sprintf(format, args...)})
}

func (x *examination) fail(about, format string, args ...any) {
	x.findings = append(x.findings, finding{levelFail, about, fmt.Sprintf(format, args...)})
}

// errUnwell is the status of a house with a FAIL.
var errUnwell = errors.New("the house is not in order; see the lines with FAIL")

// Run implements the command.
func (c *doctorCmd) Run(k *kong.Context, s *settings, out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	x := &examination{doctorCmd: c, now: time.Now()}
	x.configuration(k, s)
	x.files()
	x.disk()
	x.certificate(ctx)
	x.database(ctx)
	x.journal(ctx)
	x.backups()
	x.witnessing(ctx)
	x.running(ctx)
	rows := new(bytes.Buffer)
	failed := false
	for _, f := range x.findings {
		fmt.Fprintf(rows, "%s\t%s\t%s\n", f.level, f.about, f.text)
		failed = failed || f.level == levelFail
	}
	if err := writeColumns(out, rows); err != nil {
		return err
	}
	if failed {
		return errUnwell
	}
	return ctx.Err()
}

// configuration looks at settings that nobody reads.
func (x *examination) configuration(k *kong.Context, s *settings) {
	unknown := s.unknownVariables(k.Model)
	for _, name := range unknown {
		x.warn("configuration", "%s is set in the environment and is no setting; drawhouse config show lists them",
			name)
	}
	if _, err := x.witnessMembers(); err != nil {
		x.fail("configuration", "%v", err)
		return
	}
	if len(unknown) == 0 {
		from := "flags and environment alone"
		if s.file != nil {
			from = s.file.Name
		}
		x.ok("configuration", "%s", from)
	}
}

// disk looks at the room that is left.
func (x *examination) disk() {
	if err := monitor.CheckDisk(x.Data, x.DiskReserve<<20); err != nil {
		x.fail("disk", "%v; a full disk stops the house. Make room, or move the data directory", err)
		return
	}
	x.ok("disk", "more than %d MiB are free at %s", x.DiskReserve, x.Data)
}
