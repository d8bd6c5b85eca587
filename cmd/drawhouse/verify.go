package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/schollz/progressbar/v3"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/check/witness"
	"drawhouse/cmd/drawhouse/console"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// verifyCmd groups what anybody can check. Without a word between it takes the
// directory of an export, as it always did.
type verifyCmd struct {
	Export verifyExportCmd `cmd:"" default:"withargs" help:"Check an exported journal: every cent and every ball."`
	Ticket verifyTicketCmd `cmd:"" help:"Say in words what the proof of a ticket shows and what it does not."`
	Story  verifyStoryCmd  `cmd:"" help:"Check the whole story of a ticket, as drawhouse story wrote it, and tell it."`
}

// verifyExportCmd gives the second opinion on an exported journal.
type verifyExportCmd struct {
	Dir string `arg:"" help:"Directory of the export."`
	// HouseKeys are several where a key was lost, and its successor is known by itself.
	HouseKeys []string `name:"house-key" sep:"none" placeholder:"VKEY" help:"The house's verifier key as you know it from elsewhere. May be given several times."`
	DeviceKey string   `name:"device-key" placeholder:"VKEY" help:"The draw device's verifier key as you know it from elsewhere."`
	// The witnesses are those that the house says it asks.
	Witnesses    []string `name:"witness-key" sep:"none" placeholder:"VKEY" help:"Key of a witness as you know it from elsewhere: every game must have been cosigned by it before its draw. May be given several times."`
	Cosignatures int      `name:"cosignatures" placeholder:"N" help:"How many of the witnesses must have cosigned each game; all of them unless given."`
	LinksKeys    []string `name:"links-key" sep:"none" placeholder:"VKEY" help:"Key by which a custodian commits to links, as you know it from elsewhere; without any those that the journal names. May be given several times, also with keys of before."`
	Policy       string   `type:"existingfile" placeholder:"FILE" help:"Whose cosignatures under the public log you ask for before a draw, in the form of C2SP tlog-policy."`
	// Earlier are files, because a checkpoint is a note of several lines.
	Earlier []string `name:"checkpoint" type:"existingfile" sep:"none" placeholder:"FILE" help:"A checkpoint of this journal that you kept; the journal must begin with what it states. May be given several times."`
	JSON    bool     `name:"json" help:"Write the report as JSON."`
}

// errDoesNotHold is the status of an export in which something is wrong; the
// report says what.
var errDoesNotHold = errors.New("the export does not hold")

// Run implements the command.
func (c *verifyExportCmd) Run(out *bytes.Buffer) error {
	// A key that was copied wrongly is no sign against the house.
	for _, key := range c.HouseKeys {
		if err := checkKey("--house-key", key); err != nil {
			return err
		}
	}
	if err := checkKey("--device-key", c.DeviceKey); err != nil {
		return err
	}
	for _, key := range c.Witnesses {
		if _, err := witness.ParseVerifier(key); err != nil {
			return misused("--witness-key", err)
		}
	}
	for _, key := range c.LinksKeys {
		if err := checkKey("--links-key", key); err != nil {
			return err
		}
	}
	if c.Cosignatures < 0 || c.Cosignatures > len(c.Witnesses) {
		return misused("--cosignatures",
			fmt.Errorf("%d of %d witnesses that were given", c.Cosignatures, len(c.Witnesses)))
	}
	dir, err := export.OpenDir(c.Dir)
	if err != nil {
		return misused("DIR", err)
	}
	defer func() { _ = dir.Close() }()
	opts := verify.Options{DeviceKey: c.DeviceKey, Witnesses: c.Witnesses, Cosignatures: c.Cosignatures,
		LinksKeys: c.LinksKeys, HasClause: rules.Has}
	if c.Policy != "" {
		asks, err := readPolicy(c.Policy)
		if err != nil {
			return err
		}
		opts.Policy = func(checkpoint []byte) string { return asks.Of(checkpoint).Lacks }
	}
	if len(c.HouseKeys) > 0 {
		opts.HouseKey, opts.OtherKeys = c.HouseKeys[0], c.HouseKeys[1:]
	}
	for _, name := range c.Earlier {
		signed, err := os.ReadFile(name)
		if err != nil {
			return misused("--checkpoint", err)
		}
		opts.Checkpoints = append(opts.Checkpoints, signed)
	}
	if opts.Rulebooks, err = carried(); err != nil {
		return err
	}
	progress, done := progressOn(os.Stderr)
	opts.Progress = progress
	report := verify.Run(dir, opts)
	done()
	if err := c.render(out, report); err != nil {
		return err
	}
	if !report.OK() {
		return errDoesNotHold
	}
	return nil
}

// checkKey reports a key that was copied wrongly. None is good.
func checkKey(flag, key string) error {
	if _, err := journal.ParseVerifier(key); key != "" && err != nil {
		return misused(flag, fmt.Errorf("this is not a whole verifier key, NAME+ID+KEY: %w", err))
	}
	return nil
}

// carried returns the hashes of the rulebooks that this program carries, which
// are those that an inspector with this program knows.
func carried() ([]record.Hash, error) {
	var hashes []record.Hash
	for _, id := range rules.IDs() {
		book, err := rules.Book(id)
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, record.Hash(book.Hash()))
	}
	return hashes, nil
}

func (c *verifyExportCmd) render(out *bytes.Buffer, report *verify.Report) error {
	if !c.JSON {
		return report.WriteText(out)
	}
	return console.WriteJSON(out, report)
}

// progressOn shows a bar on a terminal and nothing elsewhere. The bar appears
// with the first news, so that a short journal is verified without one.
func progressOn(terminal *os.File) (progress func(done, total uint64), finish func()) {
	info, err := terminal.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	progress = func(done, total uint64) {
		if bar == nil {
			if done == total {
				return
			}
			bar = progressbar.NewOptions64(int64(total), progressbar.OptionSetWriter(terminal),
				progressbar.OptionSetDescription(
					"records"), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
		}
		// A bar that cannot be drawn is no reason to stop.
		_ = bar.Set64(int64(done))
	}
	return progress, func() {
		if bar != nil {
			_ = bar.Clear()
		}
	}
}
