package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"drawhouse/check/rngreport"
	"drawhouse/rulebook/rules"
)

// rngCmd groups the commands about the generator device.
type rngCmd struct {
	Report rngReportCmd `cmd:"" help:"Draw many keno games and judge them by statistics."`
}

// rngReportCmd draws games and judges them.
type rngReportCmd struct {
	Draws int64  `default:"10000000" placeholder:"N" help:"How many draws, 20 of 80; ${default} if absent."`
	JSON  bool   `name:"json" help:"Write JSON."`
	Plot  string `placeholder:"FILE.svg" help:"Draw numbers, sums and overlaps into a file."`
}

// errUnsound says that a test failed. The report says which.
var errUnsound = errors.New("the numbers do not look like chance")

// Run implements the command. A report with a failure is written whole, and the
// command ends with a refusal.
func (c *rngReportCmd) Run(out *bytes.Buffer) error {
	if c.Draws < rngreport.MinDraws || c.Draws > rngreport.MaxDraws {
		return misused("--draws", fmt.Errorf("%d: the tests are good for %d to %d draws", c.Draws,
			int64(rngreport.MinDraws), int64(rngreport.MaxDraws)))
	}
	report, err := c.report()
	if err != nil {
		return err
	}
	if c.Plot != "" {
		picture, err := report.PlotSVG()
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.Plot, picture, 0o644); err != nil {
			return misused("--plot", err)
		}
	}
	if err := c.render(out, report); err != nil {
		return err
	}
	if failed := report.Failed(); len(failed) > 0 {
		var names []string
		for _, test := range failed {
			names = append(names, test.Name)
		}
		return fmt.Errorf("%w: %s", errUnsound, strings.Join(names, ", "))
	}
	return nil
}

// report draws and tests.
func (c *rngReportCmd) report() (*rngreport.Report, error) {
	book, err := rules.Book("vic-keno-2015") // Every keno rulebook draws 20 of 80.
	if err != nil {
		return nil, err
	}
	drawing, err := newDrawing(book)
	if err != nil {
		return nil, err
	}
	bar := labBar("draws", c.Draws, nil)
	defer endBar(bar)
	tally := new(rngreport.Tally)
	for i := range c.Draws {
		numbers, err := drawing.next()
		if err != nil {
			return nil, err
		}
		tally.Add((*rngreport.Game)(numbers))
		if (i+1)%labStep == 0 {
			advance(bar, labStep)
		}
	}
	return tally.Report()
}

func (c *rngReportCmd) render(out *bytes.Buffer, report *rngreport.Report) error {
	if !c.JSON {
		out.Write(report.AppendText(nil))
		return nil
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}
