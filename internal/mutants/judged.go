package mutants

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Judgement says why mutants may survive.
type Judgement struct {
	Where *regexp.Regexp // matches RULEBOOK PATH of a value, or PACKAGE.FUNCTION
	Why   string
}

// judged are the values that no case of their clause can see changed, or need not, each with the reason. The first
// judgement that matches holds. A judgement of which nothing survives goes.
var judged = []Judgement{}

// judgedFunctions are the functions without which no case of their clause fails, each with the reason.
var judgedFunctions = []Judgement{}

// Outcome is what became of a mutant.
type Outcome int

// The outcomes.
const (
	Refused   Outcome = iota // by the check of a rulebook, or the compiler
	Killed                   // by a case of its clause
	Retyped                  // by the comparison with the second transcription of the tables
	Elsewhere                // by a case of another clause of the rulebook
	Example                  // by nothing, and the rules leave the value to a decision
	Survived
	outcomes
)

// Result is a mutant and what became of it.
type Result struct {
	Group   string // the rulebook, or the package
	What    string // the path, or the function
	Change  string // what was done to it
	Clauses []string
	Outcome Outcome
	By      string // the case, for a mutant that is killed
}

func (r Result) where() string { return r.Group + " " + r.What }

// Verdict is what a whole run comes to.
type Verdict struct {
	Unjudged []Result    // survivors without a reason
	Unused   []Judgement // reasons for nothing
	Page     string      // of the results, for people
}

// JudgeValues counts and judges the results of all values.
func JudgeValues(results []Result) Verdict {
	return judge(results, judged, []string{"rulebook", "changed", "refused by the check", "killed by a case of its clause",
		"by the second transcription", "by a case of another clause", "survived as an example", "survived"})
}

// JudgeFunctions counts and judges the results of all functions.
func JudgeFunctions(results []Result) Verdict {
	return judge(results, judgedFunctions, []string{"package", "functions", "do not compile", "killed by a case of their clause",
		"", "", "", "survived"})
}

// Excused reports whether a judgement says why a value may survive.
func Excused(r Result) bool { return find(judged, r) >= 0 }

func find(list []Judgement, r Result) int {
	return slices.IndexFunc(list, func(j Judgement) bool { return j.Where.MatchString(r.where()) })
}

func judge(results []Result, list []Judgement, heads []string) (v Verdict) {
	counts := map[string]*[outcomes]int{}
	var groups []string
	excused := make([]map[string][]string, len(list)) // by group
	for _, r := range results {
		if counts[r.Group] == nil {
			counts[r.Group] = new([outcomes]int)
			groups = append(groups, r.Group)
		}
		counts[r.Group][r.Outcome]++
		if r.Outcome != Survived {
			continue
		}
		i := find(list, r)
		if i < 0 {
			v.Unjudged = append(v.Unjudged, r)
			continue
		}
		if excused[i] == nil {
			excused[i] = map[string][]string{}
		}
		if text := "`" + r.What + "`"; !slices.Contains(excused[i][r.Group], text) {
			excused[i][r.Group] = append(excused[i][r.Group], text)
		}
	}
	slices.Sort(groups)
	var b strings.Builder
	row := func(cells []string) {
		for i, cell := range cells {
			if heads[i] != "" {
				fmt.Fprintf(&b, "| %s ", cell)
			}
		}
		b.WriteString("|\n")
	}
	row(heads)
	lines := make([]string, len(heads))
	for i := range lines {
		lines[i] = "---:"
	}
	lines[0] = "---"
	row(lines)
	var sum [outcomes]int
	for _, g := range groups {
		row(countCells(g, counts[g]))
		for i, n := range counts[g] {
			sum[i] += n
		}
	}
	row(countCells("all", &sum))
	b.WriteString("\n| survived | why that is as it should be |\n|---|---|\n")
	for i, j := range list {
		if excused[i] == nil {
			v.Unused = append(v.Unused, j)
			continue
		}
		var parts []string
		for _, g := range groups {
			if paths := excused[i][g]; len(paths) > 0 {
				parts = append(parts, g+": "+strings.Join(paths, ", "))
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", strings.ReplaceAll(strings.Join(parts, "; "), "|", "\\|"), j.Why)
	}
	v.Page = b.String()
	return v
}

func countCells(name string, counts *[outcomes]int) []string {
	all := 0
	for _, n := range counts {
		all += n
	}
	cells := []string{name, fmt.Sprint(all)}
	for _, n := range counts {
		cells = append(cells, fmt.Sprint(n))
	}
	return cells
}

// PutSection puts a text under a heading of a page, in the place of what is there.
func PutSection(page, heading, text string) (string, error) {
	before, rest, ok := strings.Cut(page, "## "+heading+"\n")
	if !ok {
		return "", fmt.Errorf("mutants: the page has no heading %q", heading)
	}
	after := ""
	if i := strings.Index(rest, "\n## "); i >= 0 {
		after = rest[i:]
	}
	return before + "## " + heading + "\n\n" + strings.TrimSpace(text) + "\n" + after, nil
}
