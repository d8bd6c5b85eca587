package page

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
)

// style is the look of the page. Its policy allows this style and nothing else in the world.
const style = `
:root { color-scheme: light dark; --ground: #f6f5f1; --panel: #fff; --ink: #17191d; --quiet: #5b616b; --line: #d5d4ce; --good: #0b6b3a; --bad: #a4161a; }
@media (prefers-color-scheme: dark) { :root { --ground: #10141b; --panel: #1a2029; --ink: #eef1f5; --quiet: #a3acb9; --line: #343d4a; --good: #6fd6a0; --bad: #ff9a94; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
.verdict { padding: 1rem 1.2rem; background: var(--panel); border: 1px solid var(--line); border-left: .5rem solid var(--quiet); border-radius: .4rem; font-size: 1.15rem; font-weight: 600; margin: 0 0 .8rem; }
.good { border-left-color: var(--good); }
.bad { border-left-color: var(--bad); }
.bad strong { color: var(--bad); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.2rem; margin: 1rem 0; }
dt, .quiet { color: var(--quiet); }
dd { margin: 0; }
table { border-collapse: collapse; width: 100%; background: var(--panel); }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
td:first-child { font-variant-numeric: tabular-nums; }
code { font: .85em/1.4 ui-monospace, monospace; }
a { color: inherit; }
@media (max-width: 40rem) {
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: .5rem; }
  thead { display: none; }
  tr { display: block; border-bottom: 1px solid var(--line); padding: .4rem 0; }
  td { display: block; border: 0; padding: .1rem .6rem; }
}
`

// guard is what the page may load.
var guard = func() string {
	hash := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// shown is the page. It asks for itself anew every half minute, and has no script.
var shown = template.Must(template.New("watch").Funcs(template.FuncMap{
	"style": func() template.CSS { return style },
}).Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="30">
<title>{{if .Found}}FOUND: {{.Found}} · {{end}}The public log of {{.Log}}</title>
<style>{{style}}</style>
</head>
<body><main>
<h1>The public log at {{.Log}}</h1>
{{if .Found}}<p class="verdict bad"><strong>This is not the log of an honest house.</strong> Found: {{.Found}}.</p>
{{else if .Looked}}<p class="verdict good">Nothing was found that an honest house does not write, in {{.Entries}} entries.</p>
{{else}}<p class="verdict">The log was not read yet.</p>{{end}}
{{if .Trouble}}<p class="verdict bad">The log cannot be read now: {{.Trouble}}</p>{{end}}
<dl>
<dt>Read last</dt><dd>{{or .Looked "never"}}</dd>
<dt>Followed since</dt><dd>{{.Started}}</dd>
<dt>Key that is trusted</dt><dd><code>{{.Key}}</code></dd>
<dt>Witnesses</dt><dd>{{if .Asked}}{{range $i, $w := .Asked}}{{if $i}}, {{end}}{{$w}}{{end}}; by the policy of who follows the log{{else}}none was asked for: whether everybody finds the same log, this page does not say{{end}}</dd>
</dl>
{{if .Findings}}<h2>What was found</h2>
<table><thead><tr><th>Entry</th><th>Finding</th><th>What the log shows</th><th>Seen</th></tr></thead><tbody>
{{range .Findings}}<tr><td>{{.Entry}}</td><td><strong>{{.Code}}</strong></td><td>{{.Says}}</td><td>{{.Seen}}</td></tr>
{{end}}</tbody></table>{{end}}
<h2>Checkpoints</h2>
{{if .Checkpoints}}<table><thead><tr><th>Entries</th><th>Root</th><th>Cosigned by</th><th>Seen</th></tr></thead><tbody>
{{range .Checkpoints}}<tr><td>{{.Size}}</td><td><code>{{.Root}}</code></td><td>{{range $i, $w := .By}}{{if $i}}, {{end}}{{$w}}{{else}}nobody who was asked for{{end}}</td><td>{{.Seen}}</td></tr>
{{end}}</tbody></table>{{else}}<p class="quiet">None that held.</p>{{end}}
<h2>Entries</h2>
<p class="quiet">{{range $kind, $n := .Kinds}}{{$kind}}: {{$n}} · {{end}}the newest below</p>
<table><thead><tr><th>Entry</th><th>Time</th><th>What it says</th></tr></thead><tbody>
{{range .Newest}}<tr><td>{{.Index}}</td><td>{{.Time}}</td><td>{{.Words}}</td></tr>
{{end}}</tbody></table>
<p class="quiet">Your browser checks nothing on this page: it is the word of the person who runs this program. To see for yourself, run <code>drawhouse watch</code> on the log, or check one seal at the house's own page of it. No page of this kind sees whether the tickets under a seal are those that were sold, nor whether prizes are right: that is for the inspector and for witnesses that replay the journal.</p>
<p class="quiet">What this program checks stands in the house's document for the inspector. The same as <a href="/state.json">JSON</a> and as <a href="/metrics">metrics</a>.</p>
</main></body>
</html>
`))
