package mutants

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// Value is a rulebook in which one value is another.
type Value struct {
	Path    string   // of the value, as rulebook.Diff names it
	Was, Is string   // the value before and after, as people print it
	Clauses []string // that the value names
	Book    *rulebook.Book
	Example bool // the rules leave the value to a decision, and an edition replaces it
	// Refused is the first fault that the check of a rulebook finds. Such a book is not played, and its Path goes by
	// places in lists.
	Refused string
}

// String returns the change on one line.
func (v Value) String() string {
	return fmt.Sprintf("%s: %s is %s", v.Path, orNone(v.Was), orNone(v.Is))
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// LeftOut counts the values of a book that are not changed, by why.
type LeftOut struct {
	Texts    int // names and ids, which are only shown or point to something
	Retired  int // nothing acts on them
	Uncited  int // name no clause: title, currency, time zone
	Citation int // clauses and readings themselves
	Editions int // say what an edition may change
}

// EachValue changes every value of a book by its type and hands the books over, until yield says no. It leaves out
// changes that choose does not choose; nil chooses all.
func EachValue(book *rulebook.Book, choose func() bool, yield func(Value) bool) (LeftOut, error) {
	words, err := knownWords()
	if err != nil {
		return LeftOut{}, err
	}
	file := book.File()
	w := &walker{base: book, file: &file, words: words, choose: choose, yield: yield}
	again, err := w.compile()
	if err != nil {
		return LeftOut{}, fmt.Errorf("mutants: %s is no book when it is written anew: %w", book.ID(), err)
	}
	if again.Hash() != book.Hash() {
		return LeftOut{}, fmt.Errorf("mutants: %s is another book when it is written anew", book.ID())
	}
	w.block(reflect.ValueOf(w.file).Elem(), "")
	return w.left, nil
}

// walker goes through a file and changes one value at a time.
type walker struct {
	base   *rulebook.Book
	file   *rulebook.File
	words  map[string][]string // by type and key
	choose func() bool
	yield  func(Value) bool
	done   bool
	left   LeftOut
}

// place is where a value stands.
type place struct {
	path    string
	value   reflect.Value // settable
	store   func()        // brings a change of value into the file, where value is a copy; nil where it is not
	own     reflect.Value // the field with the clause of this value alone; may be invalid
	words   []string      // that the value may be, if they are known
	once    bool          // a cell of a table: one change is enough
	example bool
}

// block goes through the fields of a block.
func (w *walker) block(v reflect.Value, path string) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		value := v.Field(i)
		switch {
		case field.Anonymous || strings.HasSuffix(name, "_clause"):
			w.left.Citation++
			continue
		case value.IsZero():
			continue
		case field.Tag.Get("retired") != "":
			w.left.Retired++
			continue
		case value.Type() == reflect.TypeFor[[]rulebook.StatusFile]():
			w.left.Editions++
			continue
		}
		p := place{path: strings.TrimPrefix(path+"."+name, "."), value: value, own: clauseOf(v, name),
			words: w.words[v.Type().Name()+"."+name], example: isExample(v)}
		if options != "" && isBlock(value) {
			whole := p
			whole.example = isExample(reflect.Indirect(value))
			w.try(whole, reflect.Zero(value.Type()))
		}
		w.change(p)
	}
}

// isExample reports whether a block says that its values are examples.
func isExample(v reflect.Value) bool {
	if v.Kind() != reflect.Struct {
		return false
	}
	cite, _ := reflect.TypeAssert[rulebook.Cite](orZero(v.FieldByName("Cite")))
	return cite.Example
}

func orZero(v reflect.Value) reflect.Value {
	if !v.IsValid() {
		return reflect.ValueOf(rulebook.Cite{})
	}
	return v
}

// clauseOf returns the field beside a value that names its clause.
func clauseOf(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if key == name+"_clause" {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

// isBlock reports whether a value is a block of values, or points to one.
func isBlock(v reflect.Value) bool {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v.Kind() == reflect.Struct && !isWord(v.Type())
}

// isWord reports whether a struct is written as one word.
func isWord(t reflect.Type) bool {
	return t == reflect.TypeFor[rulebook.Sizes]() || t == reflect.TypeFor[rulebook.Range]()
}

// change changes a value that is there, by its type.
func (w *walker) change(p place) {
	v := p.value
	switch x := v.Interface().(type) {
	case rulebook.Sizes:
		for _, sizes := range otherSizes(x) {
			w.try(p, reflect.ValueOf(sizes))
		}
		return
	case rulebook.Range:
		for _, other := range otherRanges(x) {
			w.try(p, reflect.ValueOf(other))
		}
		return
	case rulebook.Date:
		w.number(p, 1)
		return
	case rulebook.Dollars:
		w.number(p, unit(int64(x)))
		return
	case rulebook.Percent:
		w.number(p, max(1, int64(x)/10))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		inner := p
		inner.value, inner.own = v.Elem(), reflect.Value{}
		w.change(inner)
	case reflect.Struct:
		w.block(v, p.path)
	case reflect.Slice:
		w.list(p)
	case reflect.Map:
		w.table(p)
	case reflect.Bool:
		w.try(p, reflect.ValueOf(!v.Bool()).Convert(v.Type()))
	case reflect.String:
		w.word(p)
	default:
		w.number(p, 1)
	}
}

// unit returns by how much an amount is changed: a dollar, or as many cents as it is written in.
func unit(cents int64) int64 {
	for _, u := range []int64{100, 10} {
		if cents%u == 0 {
			return u
		}
	}
	return 1
}

// number changes a number up and down, and doubles it if the check of a rulebook takes neither.
func (w *walker) number(p place, by int64) {
	n := p.value.Int()
	taken := false
	for _, other := range []int64{n + by, n - by} {
		if other >= 0 && !(taken && p.once) {
			taken = w.try(p, reflect.ValueOf(other).Convert(p.value.Type())) || taken
		}
	}
	if !taken && n > 0 {
		w.try(p, reflect.ValueOf(2*n).Convert(p.value.Type()))
	}
}

func otherSizes(s rulebook.Sizes) []rulebook.Sizes {
	numbers := s.Set().Numbers()
	least, most := numbers[0], numbers[len(numbers)-1]
	var others []rulebook.Sizes
	if len(numbers) > 1 {
		for _, n := range []int{most, least} {
			others = append(others, rulebook.Sizes(s.Set().Minus(ball.Empty(ball.Keno).With(n))))
		}
	}
	if ball.Keno.Has(most + 1) {
		others = append(others, rulebook.Sizes(s.Set().With(most+1)))
	}
	return others
}

func otherRanges(r rulebook.Range) []rulebook.Range {
	others := []rulebook.Range{{Least: r.Least + 1, Most: r.Most}}
	if r.Least > 1 {
		others = append(others, rulebook.Range{Least: r.Least - 1, Most: r.Most})
	}
	if r.Most > 0 {
		others = append(others, rulebook.Range{Least: r.Least, Most: r.Most + 1},
			rulebook.Range{Least: r.Least, Most: r.Most - 1})
	}
	return slices.DeleteFunc(others, func(o rulebook.Range) bool { return o.Most != 0 && o.Most < o.Least })
}

// word changes a text: a word of a closed list to another one, numbers in a text by one, and a square of a shape.
func (w *walker) word(p place) {
	text := p.value.String()
	set := func(other string) bool { return w.try(p, reflect.ValueOf(other).Convert(p.value.Type())) }
	switch at := strings.IndexByte(text, rulebook.ShapeNeeds); {
	case p.words != nil:
		i := slices.Index(p.words, text)
		for k := 1; k < len(p.words); k++ {
			if set(p.words[(i+k)%len(p.words)]) {
				return
			}
		}
	case strings.Trim(text, "0123456789 ") == "":
		numbers := strings.Fields(text)
		last, err := strconv.Atoi(numbers[len(numbers)-1])
		if err != nil {
			w.left.Texts++
			return
		}
		numbers[len(numbers)-1] = strconv.Itoa(last + 1)
		set(strings.Join(numbers, " "))
	case at >= 0 && strings.Trim(text, "#. ") == "":
		set(text[:at] + "." + text[at+1:])
	default:
		w.left.Texts++
	}
}

// list leaves out each entry of a list once, and changes each entry.
func (w *walker) list(p place) {
	v := p.value
	for i := range v.Len() {
		without := reflect.Zero(v.Type())
		if v.Len() > 1 {
			without = reflect.AppendSlice(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()-1), v.Slice(0, i)),
				v.Slice(i+1, v.Len()))
		}
		dropped := p
		dropped.example = p.example || isExample(v.Index(i))
		w.try(dropped, without)
		item := p
		item.path, item.value, item.own = fmt.Sprintf("%s[%d]", p.path, i), v.Index(i), reflect.Value{}
		if p.value.Type().Elem().Kind() != reflect.String ||
			strings.IndexByte(v.Index(i).String(), rulebook.ShapeNeeds) >= 0 {
			w.change(item)
		}
	}
}

// table changes each cell of a table.
func (w *walker) table(p place) {
	for _, key := range sortedKeys(p.value) {
		cell := reflect.New(p.value.Type().Elem()).Elem()
		cell.Set(p.value.MapIndex(key))
		inner := place{path: fmt.Sprintf("%s.%v", p.path, key), value: cell, once: true, example: p.example}
		inner.store = func() {
			p.value.SetMapIndex(key, cell)
			if p.store != nil {
				p.store()
			}
		}
		w.change(inner)
	}
}

func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		if a.CanInt() {
			return int(a.Int() - b.Int())
		}
		return strings.Compare(a.String(), b.String())
	})
	return keys
}

// try gives a value another one, hands over the book that comes of it and takes the change back. It reports whether the
// check of a rulebook takes the book.
func (w *walker) try(p place, other reflect.Value) bool {
	if w.done || w.choose != nil && !w.choose() {
		return true
	}
	was := reflect.New(p.value.Type()).Elem()
	was.Set(p.value)
	set := func(to reflect.Value) {
		p.value.Set(to)
		if p.store != nil {
			p.store()
		}
	}
	set(other)
	own := ""
	if p.own.IsValid() && p.value.IsZero() {
		own = p.own.String()
		p.own.SetString("")
	}
	book, err := w.compile()
	set(was)
	if own != "" {
		p.own.SetString(own)
	}
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		w.done = !w.yield(Value{Path: p.path, Example: p.example, Is: fmt.Sprint(other.Interface()), Refused: first})
		return false
	}
	v, ok := changed(w.base, book)
	if !ok {
		w.left.Uncited++
		return true
	}
	if !strings.Contains(v.Path, ".") { // Items with one name have changed places.
		v.Path = p.path
	}
	v.Example = p.example
	w.done = !w.yield(v)
	return true
}

// changed describes a book by how it differs from another. A book that differs in nothing with a clause is none.
func changed(from, to *rulebook.Book) (Value, bool) {
	changes := rulebook.Diff(from, to)
	if len(changes) == 0 {
		return Value{}, false
	}
	v := Value{Path: changes[0].Path, Was: changes[0].Old, Is: changes[0].New, Book: to}
	if len(changes) > 1 {
		v.Was, v.Is = "there", "left out"
	}
	renamed := "" // what an item is called now whose change gives it another name
	for _, c := range changes {
		switch {
		case len(changes) == 1:
		case c.Old == "" && renamed == "":
			renamed = c.Path
		case c.Old == "":
			renamed = common(renamed, c.Path)
		default:
			v.Path = common(v.Path, c.Path)
		}
		for clause := range strings.FieldsSeq(c.Clause) {
			if !slices.Contains(v.Clauses, clause) {
				v.Clauses = append(v.Clauses, clause)
			}
		}
	}
	if renamed != "" {
		v.Is = renamed
	}
	return v, len(v.Clauses) > 0
}

// common returns the block in which two values stand: all that their paths begin with, up to a name or an item.
func common(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) {
		return a
	}
	end := strings.LastIndexAny(a[:n], ".]")
	switch {
	case end < 0:
		return ""
	case a[end] == ']':
		return a[:end+1]
	}
	return a[:end]
}

// compile reads the file as a journal has it, with every check of a rulebook.
func (w *walker) compile() (*rulebook.Book, error) {
	data, err := canonical.Marshal(w.file)
	if err != nil {
		return nil, err
	}
	return rulebook.FromCanonical(data)
}

// canonical writes a file as a rulebook writes itself. EachValue makes sure of it.
var canonical = func() cbor.EncMode {
	options := cbor.CoreDetEncOptions()
	options.TextMarshaler = cbor.TextMarshalerTextString
	mode, err := options.EncMode()
	if err != nil {
		panic(err) // The options are constants.
	}
	return mode
}()

// knownWords returns the closed lists of words of the schema, by type and key.
func knownWords() (map[string][]string, error) {
	type property struct{ Enum []string }
	var schema struct {
		Defs map[string]struct {
			Properties map[string]json.RawMessage
		} `json:"$defs"`
	}
	if err := json.Unmarshal(rules.JSONSchema, &schema); err != nil {
		return nil, err
	}
	words := map[string][]string{}
	for name, def := range schema.Defs {
		for key, raw := range def.Properties {
			var p property
			if json.Unmarshal(raw, &p) != nil {
				continue // A property of another form has no words.
			}
			if p.Enum != nil {
				words[name+"."+key] = p.Enum
			}
		}
	}
	return words, nil
}
