package entries

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"drawhouse/core/ledger"
)

// Target is where a balance stands in the ledger of the firm.
type Target struct {
	Code   string
	Name   string
	Class  ledger.Class
	Centre string // cost centre; empty for none
	// Together says that the units of the account, such as venues, are in one line.
	Together bool
}

// Mapping says where the balances of the house stand in the ledger of the firm. A nil Mapping has the codes of package
// ledger.
type Mapping struct {
	targets map[subject]Target
	rules   int
	kept    []ledger.Account // accounts that keep the codes of package ledger
}

// subject is what a rule is about. Unit and series are 0 where it is about all of them.
type subject struct {
	account ledger.Account
	unit    uint32
	series  uint8
}

// Default returns where an account stands without a mapping.
func Default(a ledger.Account) Target {
	return Target{Code: a.Code(), Name: strings.ReplaceAll(a.String(), "_", " "), Class: a.Class()}
}

// Target returns where a balance stands: by the rule of its unit and series, else of its unit, else of its series, else
// of its account.
func (m *Mapping) Target(a ledger.Account, unit uint32, series uint8) Target {
	if m != nil {
		for _, s := range []subject{{a, unit, series}, {a, unit, 0}, {a, 0, series}, {a, 0, 0}} {
			if t, ok := m.targets[s]; ok {
				return t
			}
		}
	}
	return Default(a)
}

// Rules returns how many rules the mapping has.
func (m *Mapping) Rules() int {
	if m == nil {
		return 0
	}
	return m.rules
}

// Kept returns the accounts that have no rule of their own and keep the codes of package ledger.
func (m *Mapping) Kept() []ledger.Account {
	if m == nil {
		return ledger.Accounts()
	}
	return m.kept
}

// Field is a field of a rule in a mapping file.
type Field struct {
	Name string
	Says string
	set  func(*rule, string) error
}

// Fields returns the fields of a rule. The file has them in any order.
func Fields() []Field { return slices.Clone(fields) }

var fields = []Field{
	{"account", "the account of the house, such as `cash`; needed, and before `for`", func(r *rule, text string) (err error) {
		r.account, err = ledger.ParseAccount(text)
		return err
	}},
	{"for", "the one venue, pool, promotion or kind of paper, as the report `accounts` names it, such as `venue 7`, `series 1, 9 spots` or `gift_voucher`; all if absent", func(r *rule, text string) (err error) {
		r.unit, err = r.account.ParseUnit(text)
		return err
	}},
	{"series", "the one series of games, 1 to 255; all, and the house itself, if absent", func(r *rule, text string) error {
		n, err := strconv.ParseUint(text, 10, 8)
		if err != nil || n == 0 || strconv.FormatUint(n, 10) != text {
			return errors.New("a series is a number from 1 to 255")
		}
		r.series = uint8(n)
		return nil
	}},
	{"code", "the code of the firm's account; needed", func(r *rule, text string) error {
		r.Code = text
		return checkWord(text, mostCode, false)
	}},
	{"name", "its name; the words of the house's account if absent", func(r *rule, text string) error {
		r.Name = text
		return checkWord(text, mostName, true)
	}},
	{"class", "`asset`, `liability`, `equity`, `income` or `expense`; that of the house's account if absent", func(r *rule, text string) (err error) {
		r.Class, err = ledger.ParseClass(text)
		return err
	}},
	{"cost_centre", "the firm's cost centre; none if absent", func(r *rule, text string) error {
		r.Centre = text
		return checkWord(text, mostCode, false)
	}},
	{"together", "`true` puts all venues, pools or kinds of the account into one line", func(r *rule, text string) error {
		if text != "true" && text != "false" {
			return errors.New("together is true or false")
		}
		r.Together = text == "true"
		return nil
	}},
}

// The bounds of a file.
const (
	maxBytes  = 1 << 18
	maxTokens = 50_000
	maxDepth  = 4 // the file, its list, a rule, a field
	maxIndent = 40
	maxFaults = 20
	mostCode  = 32
	mostName  = 80
)

// marks may stand in codes, names and cost centres, beside letters and digits. Others mean something in the files that
// have them.
const marks = "-_.&/'()+"

// checkWord refuses a text that some program would not read as it is.
func checkWord(text string, most int, spaces bool) error {
	if n := utf8.RuneCountInString(text); n == 0 || n > most {
		return fmt.Errorf("it has %d characters, and may have 1 to %d", n, most)
	}
	before := ' '
	for i, r := range text {
		switch {
		case r == ' ' && spaces && before != ' ' && i+1 < len(text):
		case unicode.IsLetter(r), unicode.IsDigit(r):
		case i > 0 && strings.ContainsRune(marks, r):
		default:
			return fmt.Errorf("%q has %q where it must not be: use letters, digits%s, and behind the first one %s", text, r,
				map[bool]string{true: ", single spaces"}[spaces], marks)
		}
		before = r
	}
	return nil
}

// Fault is what is wrong with a line of a mapping file.
type Fault struct {
	File  string
	Line  int
	Field string // empty if it is the line itself
	Why   string
}

// Error names file and line as editors understand them.
func (f Fault) Error() string {
	if f.Field == "" {
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Why)
	}
	return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Field, f.Why)
}

// Faults are what is wrong with a mapping file, by line.
type Faults []Fault

// Error says all of them, a line each.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i := range f {
		lines[i] = f[i].Error()
	}
	return strings.Join(lines, "\n")
}

// rule is a rule of a file.
type rule struct {
	subject
	Target
	line  int
	lines map[string]int // of the fields that it has
}

// at returns the line of a field, or that of the rule if it has no such field.
func (r *rule) at(field string) int { return cmp.Or(r.lines[field], r.line) }

// reading is a file that is being read.
type reading struct {
	name   string
	faults Faults
	rules  []*rule
}

func (r *reading) fault(line int, field, format string, args ...any) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, Fault{File: r.name, Line: max(line, 1), Field: field, Why: fmt.Sprintf(format, args...)})
	}
}

// Parse reads a mapping file. Its name is for errors, which are Faults.
func Parse(name string, data []byte) (*Mapping, error) {
	r := &reading{name: name}
	if tree := r.tree(data); tree != nil {
		r.file(tree)
	}
	m := r.mapping()
	if len(r.faults) > 0 {
		slices.SortStableFunc(r.faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
		return nil, r.faults
	}
	return m, nil
}

// tree runs the YAML library. A panic in it is a fault of the file.
func (r *reading) tree(data []byte) (file *ast.File) {
	if len(data) > maxBytes {
		r.fault(1, "", "the file has %d bytes, and may have %d", len(data), maxBytes)
		return nil
	}
	if line, bad := unprintable(data); bad {
		r.fault(line, "", "there is a byte that is no printable text")
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			r.fault(1, "", "this is no YAML")
			file = nil
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if !r.checkTokens(tokens) {
		return nil
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		why, line := err.Error(), 1
		if bad := yaml.Error(nil); errors.As(err, &bad) {
			why = bad.GetMessage()
			if t := bad.GetToken(); t != nil && t.Position != nil {
				line = t.Position.Line
			}
		}
		why, _, _ = strings.Cut(why, "\n")
		r.fault(line, "", "this is no YAML: %s", why)
		return nil
	}
	return file
}

// unprintable returns the line of what an editor would not show.
func unprintable(data []byte) (line int, found bool) {
	line = 1
	for len(data) > 0 {
		c, size := utf8.DecodeRune(data)
		if c == '\n' {
			line++
		} else if c == utf8.RuneError && size <= 1 || c != '\r' && !unicode.IsPrint(c) {
			return line, true
		}
		data = data[size:]
	}
	return 0, false
}

// checkTokens refuses what makes one part of a file depend on another, and nesting, before the parser recurses into it.
func (r *reading) checkTokens(tokens token.Tokens) bool {
	depth, line, opened := 0, 0, 0
	for i, t := range tokens {
		at := t.Position
		if at.Line != line {
			line, opened = at.Line, 0
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType, token.TagType, token.DirectiveType,
			token.MappingKeyType:
			r.fault(at.Line, "", "anchors, aliases, tags and the like have no place in a mapping")
			return false
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType, token.MappingValueType:
			if depth <= 0 {
				opened++
			}
		}
		if depth > maxDepth || opened > maxDepth || at.Column > maxIndent && t.Type == token.SequenceEntryType ||
			i >= maxTokens {
			r.fault(at.Line, "", "the file is longer or deeper than a mapping can be")
			return false
		}
	}
	return true
}

func lineOf(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 1
}

// pairs returns the fields of a mapping of YAML.
func pairs(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// file reads the document: a list of rules under "accounts".
func (r *reading) file(tree *ast.File) {
	if len(tree.Docs) != 1 || tree.Docs[0].Body == nil {
		r.fault(1, "", "a mapping is one document, with the rules under accounts:")
		return
	}
	top, ok := pairs(tree.Docs[0].Body)
	if !ok {
		r.fault(lineOf(tree.Docs[0].Body), "", "a mapping has its rules under accounts:")
		return
	}
	for _, pair := range top {
		key, line := pair.Key.GetToken().Value, lineOf(pair.Key)
		if key != "accounts" {
			r.fault(line, key, "there is no such field; a mapping has accounts")
			continue
		}
		list, ok := pair.Value.(*ast.SequenceNode)
		if !ok || len(list.Values) == 0 {
			r.fault(line, key, "it is a list of rules, such as - {account: cash, code: 1010}")
			continue
		}
		for _, item := range list.Values {
			r.rule(item)
		}
	}
}

// rule reads a rule.
func (r *reading) rule(n ast.Node) {
	set, ok := pairs(n)
	if !ok {
		r.fault(lineOf(n), "", "a rule has fields, such as {account: cash, code: 1010}")
		return
	}
	is := &rule{line: lineOf(n), lines: map[string]int{}}
	if len(set) > 0 {
		is.line = lineOf(set[0].Key)
	}
	values := map[string]string{}
	for _, pair := range set {
		key, line := pair.Key.GetToken().Value, lineOf(pair.Key)
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == key }) {
			r.fault(line, key, "there is no such field; a rule has %s", fieldNames())
			continue
		}
		text, ok := scalar(pair.Value)
		if !ok {
			r.fault(line, key, "it takes one value")
			continue
		}
		if _, twice := is.lines[key]; twice {
			r.fault(line, key, "it stands twice in the rule")
			continue
		}
		is.lines[key], values[key] = line, text
	}
	before := len(r.faults)
	for _, needed := range []string{"account", "code"} {
		if _, ok := values[needed]; !ok {
			r.fault(is.line, needed, "a rule needs it")
		}
	}
	for _, f := range fields { // in their order: units are those of the account
		text, ok := values[f.Name]
		if !ok || f.Name == "for" && is.account == 0 {
			continue
		}
		if err := f.set(is, text); err != nil {
			r.fault(is.lines[f.Name], f.Name, "%s", strings.TrimPrefix(err.Error(), "ledger: "))
		}
	}
	if is.Together && (is.unit != 0 || is.account != 0 && !is.account.HasUnits()) {
		r.fault(is.at("together"), "together", "the rule is about one balance")
	}
	if len(r.faults) == before {
		r.rules = append(r.rules, is)
	}
}

func fieldNames() string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

// scalar returns a value as it is written: codes may begin with nothings.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// mapping puts the rules together, and holds those of one code against each other.
func (r *reading) mapping() *Mapping {
	m := &Mapping{targets: map[subject]Target{}, rules: len(r.rules)}
	lines := map[subject]int{}
	ruled := map[ledger.Account]bool{}
	for _, is := range r.rules {
		if earlier, twice := lines[is.subject]; twice {
			r.fault(is.line, "account", "the rule of line %d is about the same balance", earlier)
		}
		lines[is.subject] = is.line
		ruled[is.account] = ruled[is.account] || is.unit == 0 && is.series == 0
	}
	r.agree()
	for _, is := range r.rules {
		m.targets[is.subject] = is.Target
	}
	for _, a := range ledger.Accounts() {
		if !ruled[a] {
			m.kept = append(m.kept, a)
		}
	}
	for _, is := range r.rules {
		for _, a := range m.kept {
			if kept := Default(a); kept.Code == is.Code && (is.account != a || is.Name != kept.Name || is.Class != kept.Class) {
				r.fault(is.at("code"), "code", "%s is the code of %v, which has no rule for all of it", is.Code, a)
			}
		}
	}
	return m
}

// agree gives a name and a class to every rule, and refuses a code that has two names or two classes. A rule without a
// name has that of another rule of its code, or the words of its account.
func (r *reading) agree() {
	first := map[string]*rule{}
	for _, is := range r.rules {
		if is.Class == 0 {
			is.Class = is.account.Class()
		}
		if is.Name != "" && (first[is.Code] == nil || first[is.Code].Name == "") {
			first[is.Code] = is
		}
		if first[is.Code] == nil {
			first[is.Code] = is
		}
	}
	for _, is := range r.rules {
		of := first[is.Code]
		if is.Class != of.Class {
			r.fault(is.at("class"), "class", "the code %s is of class %v here, and on line %d of class %v", is.Code, is.Class,
				of.line, of.Class)
		}
		switch {
		case is.Name == "" && of.Name == "" && is.account != of.account:
			r.fault(is.line, "name", "the code %s has several accounts of the house, and needs a name", is.Code)
		case is.Name != "" && is.Name != of.Name:
			r.fault(is.at("name"), "name", "the code %s is called %q here, and on line %d %q", is.Code, is.Name, of.line,
				of.Name)
		}
	}
	for _, is := range r.rules {
		is.Name = cmp.Or(is.Name, first[is.Code].Name, Default(is.account).Name)
	}
}
