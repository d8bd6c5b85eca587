package report

import (
	"archive/zip"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestSpreadsheetPages writes every report as a workbook: a sheet each for the rows, the
// chart and what they are, on A4 pages, with the head of the rows on every one.
func TestSpreadsheetPages(t *testing.T) {
	days := someDays(t, 3)
	for _, name := range Names() {
		table := mustMake(t, name, days, Choice{})
		path := filepath.Join(t.TempDir(), string(name)+".xlsx")
		write(t, table, path, XLSX)
		book, err := excelize.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sheets := []string{rowSheet, chartSheet, aboutSheet}
		if table.Chart == nil {
			sheets = []string{rowSheet, aboutSheet}
		}
		if got := book.GetSheetList(); !slices.Equal(got, sheets) {
			t.Errorf("%s has the sheets %q, want %q", name, got, sheets)
		}
		for _, sheet := range sheets {
			if page, err := book.GetPageLayout(sheet); err != nil || *page.Size != 9 || *page.Orientation != "landscape" ||
				*page.FitToWidth != 1 {
				t.Errorf("%s, %s: the page is %+v, %v", name, sheet, page, err)
			}
		}
		if !slices.ContainsFunc(book.GetDefinedName(), func(d excelize.DefinedName) bool {
			return d.Name == "_xlnm.Print_Titles" && d.RefersTo == "Report!$1:$1"
		}) {
			t.Errorf("%s does not print its head on every page", name)
		}
		if err := book.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSpreadsheetCharts draws few rows and many, as lines and as bars, and has a chart draw
// all of them, or say how many it leaves out.
func TestSpreadsheetCharts(t *testing.T) {
	for _, test := range []struct {
		rows   int
		bars   bool
		cents  int64
		values string // the cells that are drawn
		title  string
		axis   string // of amounts
		slant  bool
	}{
		{1, false, 100_00, "", "", "", false},
		{2, false, 9_99, "Report!$B$2:$B$3", "Sales", `"$"#,##0.00;-"$"#,##0.00`, false},
		{14, false, 10_00, "Report!$B$2:$B$15", "Sales", `"$"#,##0;-"$"#,##0`, false},
		{15, false, -10_00, "Report!$B$2:$B$16", "Sales", `"$"#,##0;-"$"#,##0`, true},
		{16, true, 100_00, "Report!$B$2:$B$17", "Sales", `"$"#,##0;-"$"#,##0`, false},
		{1700, true, 100_00, "Report!$B$2:$B$17", "Sales: the first 16 of 1,700", `"$"#,##0;-"$"#,##0`, false},
	} {
		t.Run(fmt.Sprintf("%d rows, bars %t", test.rows, test.bars), func(t *testing.T) {
			table := &Table{Title: "Sales", Columns: []Column{colDay, colSold},
				Chart: &Chart{Bars: test.bars, Columns: []int{1}}}
			for range test.rows {
				table.Rows = append(table.Rows, []Cell{text("2026-11-15"), {Number: test.cents}})
			}
			path := filepath.Join(t.TempDir(), "sales.xlsx")
			write(t, table, path, XLSX)
			chart := part(t, path, "xl/charts/chart1.xml")
			if (chart != "") != (test.values != "") {
				t.Fatalf("the chart is %q", chart)
			}
			for _, want := range []string{test.values, test.title, test.axis} {
				if !strings.Contains(chart, ">"+want+"<") &&
					!strings.Contains(chart, `"`+strings.ReplaceAll(want, `"`, "&#34;")+`"`) && want != "" {
					t.Errorf("the chart has no %s:\n%s", want, chart)
				}
			}
			if got := strings.Contains(chart, `rot="-2700000"`); got != test.slant {
				t.Errorf("its names are slanted: %t", got)
			}
		})
	}
}

// part returns a part of a workbook; empty if it has none.
func part(t *testing.T, path, name string) string {
	t.Helper()
	files, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = files.Close() }()
	file, err := files.Open(name)
	if err != nil {
		return ""
	}
	data, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestTenThousandths writes parts of one, below nothing too.
func TestTenThousandths(t *testing.T) {
	for in, want := range map[int64]string{0: "0.0000", 7: "0.0007", 7511: "0.7511", 18059: "1.8059", -50: "-0.0050",
		-10_001: "-1.0001"} {
		if got := tenThousandths(in); got != want {
			t.Errorf("%d: %s, want %s", in, got, want)
		}
	}
}
