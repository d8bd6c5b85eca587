//nolint:misspell // The names of the spreadsheet library are American.
package report

import (
	"fmt"

	"github.com/xuri/excelize/v2"
)

// The measures of a chart in a spreadsheet.
const (
	chartWide, chartTall = 1080, 630 // pixels; its foot is within a line of cells, or print cuts its frame
	mostLabels           = 14        // rows that are named below it
)

// patterns are those of lines, by column, so that they are told apart without colours.
var patterns = []excelize.LineDashType{excelize.LineDashSolid, excelize.LineDashDash, excelize.LineDashSashDot,
	excelize.LineDashSysDot, excelize.LineDashLgDash}

// chart draws what the table draws on a sheet of its own: beside the rows it would scroll
// away with them, and make the page twice as wide that they are printed on.
func (b *workbook) chart() error {
	c, rows := b.table.Chart, len(b.table.Rows)
	if c == nil || rows < 2 {
		return nil
	}
	if c.Bars {
		rows = min(rows, mostBars)
	}
	chart := &excelize.Chart{
		Type: excelize.Line, Title: b.chartTitle(rows),
		Legend:    excelize.ChartLegend{Position: "top", Font: &excelize.Font{Color: inkHex, Size: typeSize}},
		Dimension: excelize.ChartDimension{Width: chartWide, Height: chartTall},
		XAxis:     excelize.ChartAxis{Font: chartFont(), TickLabelPosition: excelize.ChartTickLabelLow},
		YAxis: excelize.ChartAxis{Font: chartFont(), MajorGridLines: true,
			NumFmt: excelize.ChartNumFmt{CustomNumFmt: b.chartFormat(rows)}},
	}
	if c.Bars {
		chart.Type = excelize.Col
	} else if rows > mostLabels { // Some programs leave names out by the step, others only where slanted ones would touch.
		chart.XAxis.TickLabelSkip = (rows + mostLabels - 1) / mostLabels
		chart.XAxis.Alignment.TextRotation = -45
	}
	for n, column := range c.Columns {
		fill := excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{hex(colours[n%len(colours)])}}
		series := excelize.ChartSeries{
			Name: reference(column, 1, 1), Categories: reference(c.Label, 2, rows+1),
			Values: reference(column, 2, rows+1), Fill: fill,
		}
		if !c.Bars {
			series.Line = excelize.LineOptions{Width: 2, Fill: fill, Dash: patterns[n%len(patterns)]}
			series.Marker = excelize.ChartMarker{Symbol: "none"}
		}
		chart.Series = append(chart.Series, series)
	}
	if _, err := b.NewSheet(chartSheet); err != nil {
		return err
	}
	if err := b.AddChart(chartSheet, "A1", chart); err != nil {
		return err
	}
	return b.paginate(chartSheet)
}

// chartTitle says what the chart is of, and how many rows have no bars.
func (b *workbook) chartTitle(rows int) excelize.ChartTitle {
	title := b.table.Title
	if all := len(b.table.Rows); rows < all {
		title = fmt.Sprintf("%s: the first %s of %s", title, countText(int64(rows)), countText(int64(all)))
	}
	font := &excelize.Font{Bold: true, Size: 14, Color: inkHex, Family: typeface}
	return excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: title, Font: font}}}
}

// chartFormat writes amounts along the axis without cents, unless all are small.
func (b *workbook) chartFormat(rows int) string {
	const small = 10_00 // cents, of which a fifth is no whole number of dollars
	for _, row := range b.table.Rows[:rows] {
		for _, column := range b.table.Chart.Columns {
			if n := row[column].Number; n >= small || n <= -small {
				return b.table.Money.Cells("#,##0")
			}
		}
	}
	return b.table.Money.Cells("#,##0.00")
}

// chartFont is that of what stands along an axis: the library's own is hardly seen.
func chartFont() excelize.Font { return excelize.Font{Color: inkHex, Size: 10, Family: typeface} }

// reference names cells of a column.
func reference(column, first, last int) string {
	letters, _ := excelize.ColumnNumberToName(column + 1)
	if first == last {
		return fmt.Sprintf("%s!$%s$%d", rowSheet, letters, first)
	}
	return fmt.Sprintf("%s!$%s$%d:$%s$%d", rowSheet, letters, first, letters, last)
}
