//nolint:misspell // The names of the plotting library are American.
package bench

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"os"
	"runtime/debug"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"drawhouse"
	"drawhouse/cmd/drawhouse/console"
)

// buildVersion names the commit that the program was built of, or its version where that is not known.
func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return drawhouse.Version
}

// writeMarkdown writes the tables for people.
func (r *allReport) writeMarkdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "Measured on %s by `drawhouse bench all`, build %s: %v, at a load of %s.", r.When, r.Build,
		r.Machine, r.Load)
	if r.Server != "" {
		fmt.Fprintf(b, " %s.", r.Server)
	}
	b.WriteString("\n\n| target | wanted | measured | beside it | reached |\n|---|---|---|---|---|\n")
	for _, t := range r.Targets {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", t.Name, t.Wanted, t.Measured, t.Yardstick,
			map[bool]string{true: "yes", false: "**no**"}[t.Reached])
	}
	writeWaitsTable(b, r.Waits)
	b.WriteString("\n| open tickets | sold a second, through the lane | seal | settlement | close to payable | one commit | opening | reading | verify |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, p := range r.Growth {
		fmt.Fprintf(b,
			"| %s | %s | %.1f ms | %.1f ms | %.0f ms | %.2f ms | %.2f s | %.2f s | %.2f s, %s a second and core |\n",
			console.Counted(p.Tickets), console.Counted(int64(float64(p.Tickets)/p.SellSeconds)),
			1000*p.SealSeconds, 1000*p.SettleSeconds, 1000*p.PayableSeconds, 1000*p.CommitSeconds, p.OpenSeconds, p.ReadSeconds,
			p.VerifySeconds, console.Counted(int64(float64(p.Tickets)/p.VerifyCPU)))
	}
}

// The marks between which the tables stand in a document.
const (
	allBegin = "<!-- begin: written by drawhouse bench all -->"
	allEnd   = "<!-- end: written by drawhouse bench all -->"
)

// splitPage returns what stands before and after the tables of a document, with the marks.
func splitPage(name string) (before, after string, err error) {
	page, err := os.ReadFile(name)
	if err != nil {
		return "", "", console.Misused("--page", err)
	}
	before, rest, ok := strings.Cut(string(page), allBegin)
	_, after, ok2 := strings.Cut(rest, allEnd)
	if !ok || !ok2 {
		return "", "", console.Misused("--page", fmt.Errorf("%s lacks the lines %q and %q", name, allBegin, allEnd))
	}
	return before + allBegin, allEnd + after, nil
}

// writeInto replaces what stands between the marks of a document.
func (r *allReport) writeInto(name string) error {
	before, after, err := splitPage(name)
	if err != nil {
		return err
	}
	var tables bytes.Buffer
	r.writeMarkdown(&tables)
	return os.WriteFile(name, []byte(before+"\n"+tables.String()+after), 0o644) //nolint:gosec // A document is for everybody.
}

// curves are what grows, in the order of the legend.
var curves = []struct {
	name   string
	value  func(*growthPoint) float64
	colour color.RGBA
}{
	{"selling all of them", func(p *growthPoint) float64 { return p.SellSeconds },
		color.RGBA{R: 0x1f, G: 0x5f, B: 0xa8, A: 0xff}},
	{"opening a house on them", func(p *growthPoint) float64 { return p.OpenSeconds },
		color.RGBA{R: 0x2a, G: 0x8a, B: 0x3a, A: 0xff}},
	{"verifying them", func(p *growthPoint) float64 { return p.VerifySeconds },
		color.RGBA{R: 0x8a, G: 0x2a, B: 0x8a, A: 0xff}},
	{"close to payable", func(p *growthPoint) float64 { return p.PayableSeconds },
		color.RGBA{R: 0xd0, G: 0x50, B: 0x10, A: 0xff}},
	{"settlement", func(p *growthPoint) float64 { return p.SettleSeconds },
		color.RGBA{R: 0xa0, G: 0x90, B: 0x10, A: 0xff}},
	{"seal", func(p *growthPoint) float64 { return p.SealSeconds }, color.RGBA{R: 0x60, G: 0x60, B: 0x60, A: 0xff}},
}

// decades are ticks of a count at the powers of ten, written out.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(least, most float64) (ticks []plot.Tick) {
	for n := 1; float64(n) <= most; n *= 10 {
		if float64(n) >= least {
			ticks = append(ticks, plot.Tick{Value: float64(n), Label: console.Counted(n)})
		}
	}
	return ticks
}

// writePlot draws how cost grows, both axes by powers of ten: what grows with the number of
// tickets and no faster is a straight line that rises by one for one.
func (r *allReport) writePlot(name string) error {
	p := plot.New()
	p.Title.Text = "How cost grows with the number of open tickets"
	p.X.Label.Text, p.Y.Label.Text = "open tickets", "seconds"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = decades{}, plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, vg.Millimeter
	p.Add(plotter.NewGrid())
	for _, c := range curves {
		points := make(plotter.XYs, len(r.Growth))
		for i, g := range r.Growth {
			points[i].X, points[i].Y = float64(g.Tickets), max(c.value(g), 1e-6)
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return fmt.Errorf("the plot: %w", err)
		}
		line.Color, dots.Color, dots.Shape = c.colour, c.colour, draw.CircleGlyph{}
		p.Add(line, dots)
		p.Legend.Add(c.name, line, dots)
	}
	canvas := vgsvg.New(24*vg.Centimeter, 15*vg.Centimeter)
	p.Draw(draw.New(canvas))
	file, err := os.Create(name)
	if err != nil {
		return console.Misused("--plot", err)
	}
	_, err = canvas.WriteTo(file)
	return errors.Join(err, file.Close())
}
