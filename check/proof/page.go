package proof

import (
	"fmt"
	"html/template"
	"io"

	"drawhouse/core/money"
)

// WritePage writes a story that was checked as a page for people, which needs nothing
// from elsewhere.
func WritePage(w io.Writer, s *Story, r *Report) error {
	if err := page.Execute(w, struct {
		*Story
		*Report
	}{s, r}); err != nil {
		return fmt.Errorf("proof: the page of a story: %w", err)
	}
	return nil
}

var page = template.Must(template.New("story").Funcs(template.FuncMap{
	"money": func(cents int64) string { return money.Amount(cents).String() },
}).Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Ticket {{.Serial}}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ccc; vertical-align: top }
td.sum { text-align: right; white-space: nowrap } code { font-size: .85em; overflow-wrap: anywhere }
</style>
<h1>Ticket {{.Serial}} of {{.House}}</h1>
<p>Record {{.Place}}. Told {{.Made.Format "2 January 2006, 15:04:05 MST"}}, signed by the house, and checked.</p>
<h2>Games</h2>
<table>
<tr><th>Game<th>How the prize came about<th>Won<th>Given back<th>Paid
{{range .Games}}<tr><td>{{.Day}} / {{.Number}}<td>{{range .Lines}}Way {{.Way}}: {{.Text}} <small>({{.Clause}})</small><br>{{end}}<td class="sum">{{money .PrizeCents}}<td class="sum">{{money .RefundCents}}<td class="sum">{{money .PaidCents}}
{{end}}</table>
<h2>Shown</h2>
<ul>{{range .Proved}}<li>{{.}}{{end}}</ul>
<h2>Not shown</h2>
<ul>{{range .NotProved}}<li>{{.}}{{end}}</ul>
<h2>Records</h2>
<table>
<tr><th>Record<th>What it is
{{range .Entries}}<tr><td>{{.Place}}<td>{{.Text}}
{{end}}</table>
</html>
`))
