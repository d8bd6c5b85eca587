//nolint:misspell // The names of the plotting library are American.
package rngreport

import (
	"bytes"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The colours of a plot: what was counted, and what chance alone gives.
var (
	countedColour  = color.RGBA{R: 0x1f, G: 0x5f, B: 0xa8, A: 0xff}
	expectedColour = color.RGBA{R: 0xd0, G: 0x50, B: 0x10, A: 0xff}
)

// PlotSVG returns a picture of the draws: how far each number is from its
// expected count, the sums, and the overlaps with the previous draw, beside what
// chance alone gives.
func (r *Report) PlotSVG() ([]byte, error) {
	numbers, err := r.plotNumbers()
	if err != nil {
		return nil, err
	}
	sums, err := plotBars("Sum of the 20 numbers", "draws", r.Sums)
	if err != nil {
		return nil, err
	}
	overlaps, err := plotBars("Numbers that the previous draw had too", "draws", r.Overlaps)
	if err != nil {
		return nil, err
	}
	canvas := vgsvg.New(24*vg.Centimeter, 27*vg.Centimeter)
	tiles := draw.Tiles{Rows: 3, Cols: 1, PadX: vg.Millimeter, PadY: 6 * vg.Millimeter,
		PadTop: 4 * vg.Millimeter, PadBottom: 4 * vg.Millimeter, PadLeft: 4 * vg.Millimeter, PadRight: 4 * vg.Millimeter}
	page := draw.New(canvas)
	for row, p := range []*plot.Plot{numbers, sums, overlaps} {
		p.Draw(tiles.At(page, 0, row))
	}
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("rngreport: plot: %w", err)
	}
	return out.Bytes(), nil
}

// wholeTicks are ticks of a count: their labels are whole numbers.
type wholeTicks struct{}

// Ticks implements plot.Ticker.
func (wholeTicks) Ticks(least, most float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(least, most)
	for i := range ticks {
		if ticks[i].Label != "" {
			ticks[i].Label = fmt.Sprintf("%.0f", ticks[i].Value)
		}
	}
	return ticks
}

// plotNumbers draws the deviation of each number's count in standard deviations.
// Two thirds of them lie within one.
func (r *Report) plotNumbers() (*plot.Plot, error) {
	const p = float64(take) / of
	sigma := math.Sqrt(float64(r.Draws) * p * (1 - p))
	values := make(plotter.Values, len(r.Numbers))
	for i, bar := range r.Numbers {
		values[i] = (float64(bar.Counted) - bar.Expected) / sigma
	}
	chart, err := plotter.NewBarChart(values, 6)
	if err != nil {
		return nil, fmt.Errorf("rngreport: plot: %w", err)
	}
	chart.XMin, chart.Color, chart.LineStyle.Width = 1, countedColour, 0
	out := plot.New()
	out.Title.Text = fmt.Sprintf("%d draws: counts of the numbers", r.Draws)
	out.X.Label.Text, out.Y.Label.Text = "number", "standard deviations"
	out.Add(plotter.NewGrid(), chart)
	out.X.Min, out.X.Max = 0, of+1
	out.Y.Min, out.Y.Max = min(out.Y.Min, -3), max(out.Y.Max, 3)
	return out, nil
}

// plotBars draws counts as points and what is expected of them as a line, where
// any draw is expected at all.
func plotBars(title, unit string, bars []Bar) (*plot.Plot, error) {
	var counted, expected plotter.XYs
	for _, bar := range bars {
		if bar.Expected >= 0.5 || bar.Counted > 0 {
			counted = append(counted, plotter.XY{X: float64(bar.At), Y: float64(bar.Counted)})
			expected = append(expected, plotter.XY{X: float64(bar.At), Y: bar.Expected})
		}
	}
	points, err := plotter.NewScatter(counted)
	if err != nil {
		return nil, fmt.Errorf("rngreport: plot: %w", err)
	}
	line, err := plotter.NewLine(expected)
	if err != nil {
		return nil, fmt.Errorf("rngreport: plot: %w", err)
	}
	points.GlyphStyle = draw.GlyphStyle{Color: countedColour, Radius: 1.2, Shape: draw.CircleGlyph{}}
	line.Color, line.Width = expectedColour, 1
	out := plot.New()
	out.Title.Text, out.Y.Label.Text = title, unit
	out.Y.Tick.Marker = wholeTicks{}
	out.Add(plotter.NewGrid(), line, points)
	out.Legend.Add("counted", points)
	out.Legend.Add("exact expectation", line)
	out.Legend.Top = true
	return out, nil
}
