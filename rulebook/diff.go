package rulebook

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Change is one value in which two rulebooks differ.
type Change struct {
	Path     string // keno.bets[classic].sizes: items of lists go by their names
	Old, New string // as people print it; empty where the book has no such value
	Clause   string // where the value comes from, by the newer book if it has it
}

// DiffWritten is [Diff] with the amounts of each book as that book writes them, for people.
func DiffWritten(a, b *Book) []Change {
	changes := Diff(a, b)
	old, fresh := a.Money(), b.Money()
	for i := range changes {
		changes[i].Old, changes[i].New = old.In(changes[i].Old), fresh.In(changes[i].New)
	}
	return changes
}

// Diff returns the values in which two books differ, in the order of the schema.
// It is empty if and only if the books have the same hash.
func Diff(a, b *Book) []Change { return diffFiles(&a.file, &b.file) }

func diffFiles(a, b *File) []Change {
	before, after := flatten(a), flatten(b)
	return append(diffLeaves(before, after), diffOrder(before, after)...)
}

// leaf is one value of a book.
type leaf struct {
	path, value, clause string
	example             bool // of its block
}

// flat is a book as a list of values.
type flat struct {
	leaves []leaf
	places map[string]int // of a path among the leaves
	lists  []namedList

	example bool // of the block whose values are being listed
}

// namedList is the order of a list's items, by their names.
type namedList struct {
	path, clause string
	names        []string
}

// diffLeaves merges two lists of values, so that a value which only one book has
// stands where that book has it.
func diffLeaves(a, b *flat) []Change {
	var changes []Change
	j := 0
	addedBelow := func(end int) {
		for ; j < end; j++ {
			if now := b.leaves[j]; !a.has(now.path) {
				changes = append(changes, Change{Path: now.path, New: now.value, Clause: now.clause})
			}
		}
	}
	for _, old := range a.leaves {
		k, ok := b.places[old.path]
		if !ok {
			changes = append(changes, Change{Path: old.path, Old: old.value, Clause: old.clause})
			continue
		}
		addedBelow(k)
		if now := b.leaves[k]; now.value != old.value {
			changes = append(changes, Change{Path: old.path, Old: old.value, New: now.value, Clause: now.clause})
		}
	}
	addedBelow(len(b.leaves))
	return changes
}

func (f *flat) has(path string) bool {
	_, ok := f.places[path]
	return ok
}

// diffOrder reports lists whose common items stand in another order: limits, for
// one, are checked in the order of the file.
func diffOrder(a, b *flat) []Change {
	var changes []Change
	for _, old := range a.lists {
		i := slices.IndexFunc(b.lists, func(l namedList) bool { return l.path == old.path })
		if i < 0 {
			continue
		}
		now := b.lists[i]
		was, is := common(old.names, now.names), common(now.names, old.names)
		if !slices.Equal(was, is) {
			changes = append(changes, Change{Path: old.path, Old: strings.Join(was, ", "), New: strings.Join(is, ", "),
				Clause: now.clause})
		}
	}
	return changes
}

// common returns the names that are among the others too.
func common(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !slices.Contains(others, n) })
}

// flatten lists every value of a resolved file.
func flatten(file *File) *flat {
	f := &flat{places: map[string]int{}}
	f.addStruct(reflect.ValueOf(file).Elem(), "", "")
	return f
}

func (f *flat) addStruct(v reflect.Value, path, clause string) {
	own := map[string]string{} // the clauses of single values, by name and by the name of the clause
	defer func(example bool) { f.example = example }(f.example)
	if holdsCites(v.Type()) {
		cite, _ := reflect.TypeAssert[Cite](v.FieldByName("Cite"))
		clause, f.example = cite.Clause, cite.Example
		eachClauseField(v, func(name string, _, text reflect.Value, _ string) {
			own[name], own[name+clauseSuffix] = text.String(), text.String()
		})
	}
	for _, field := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(field.index)
		if field.required || !value.IsZero() {
			f.add(value, join(path, field.name), cmp.Or(own[field.name], clause))
		}
	}
}

func (f *flat) add(v reflect.Value, path, clause string) {
	switch v.Kind() {
	case reflect.Pointer:
		f.add(v.Elem(), path, clause)
	case reflect.Struct:
		if isWord(v.Type()) {
			f.addLeaf(path, fmt.Sprint(v.Interface()), clause)
			return
		}
		f.addStruct(v, path, clause)
	case reflect.Map:
		f.addMap(v, path, clause)
	case reflect.Slice:
		f.addSlice(v, path, clause)
	default:
		f.addLeaf(path, fmt.Sprint(v.Interface()), clause)
	}
}

func (f *flat) addLeaf(path, value, clause string) {
	f.places[path] = len(f.leaves)
	f.leaves = append(f.leaves, leaf{path, value, clause, f.example})
}

func (f *flat) addMap(v reflect.Value, path, clause string) {
	for _, key := range sortedValues(v.MapKeys()) {
		f.add(v.MapIndex(key), join(path, fmt.Sprint(key.Interface())), clause)
	}
}

// sortedValues sorts the keys of a map, which are numbers or words.
func sortedValues(keys []reflect.Value) []reflect.Value {
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		if a.CanInt() {
			return cmp.Compare(a.Int(), b.Int())
		}
		return cmp.Compare(a.String(), b.String())
	})
	return keys
}

// addSlice adds a list of words or numbers as one value, and a list of blocks
// item by item.
func (f *flat) addSlice(v reflect.Value, path, clause string) {
	if v.Type().Elem().Kind() != reflect.Struct {
		f.addLeaf(path, listText(v), clause)
		return
	}
	list := namedList{path: path, clause: clause}
	for i := range v.Len() {
		name := itemName(v.Index(i), list.names)
		list.names = append(list.names, name)
		f.add(v.Index(i), path+"["+name+"]", clause)
	}
	f.lists = append(f.lists, list)
}

// itemName returns the name of an item among those before it. Two items can have the same name where the validator
// allows it.
func itemName(v reflect.Value, before []string) string {
	name := nameOf(v)
	for n := 2; slices.Contains(before, name); n++ {
		name = nameOf(v) + " " + strconv.Itoa(n)
	}
	return name
}

// listText prints a list of words or numbers, or a list of such lists.
func listText(v reflect.Value) string {
	separator := ", "
	texts := make([]string, v.Len())
	for i := range texts {
		switch x := v.Index(i); {
		case x.Kind() == reflect.Slice:
			separator = "; "
			texts[i] = listText(x)
		case strings.ContainsAny(fmt.Sprint(x.Interface()), ",;\""):
			texts[i] = strconv.Quote(x.String())
		default:
			texts[i] = fmt.Sprint(x.Interface())
		}
	}
	return strings.Join(texts, separator)
}

// nameOf returns what tells an item of a list from the others, so that a book with
// one more item does not differ in all that follow it.
func nameOf(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case BetFile:
		return x.ID
	case StatusFile:
		return x.Clause
	case RaceType:
		return x.ID
	case FeatureFile:
		return string(x.ID)
	case ItemFile:
		return fmt.Sprintf("%s edition %d", x.ID, x.Edition)
	case TableFile:
		return x.ID
	case ScheduleFile:
		return x.ID
	case Instrument:
		return x.ID
	case Origin:
		return x.ID
	case HandsOut:
		return string(x.Channel)
	case Leave:
		return x.As
	case PatternFile:
		return x.ID
	case Square:
		return fmt.Sprintf("line %d column %d", x.Line, x.Column)
	case ClauseFor:
		return x.Clause
	case PayoutMethod:
		return words(x.ID, string(x.Channel))
	case AskedGames:
		if x.Ways {
			return words(string(x.Method), "ways", x.Pick)
		}
		return words(string(x.Method), x.Pick)
	case EntryWay:
		return words(string(x.Channel), string(x.Method))
	case Limit:
		return x.conditions()
	case PoolFile:
		return strconv.Itoa(x.Spots)
	case Contribution:
		return bandName(x.From)
	case SeedStep:
		return bandName(x.From)
	case Prorating:
		return words(x.Bets...)
	case Tender:
		return words(listText(reflect.ValueOf(x.Venues)), string(x.Channel))
	case Signature:
		return x.Role
	case Unclaimed:
		return x.Then
	case SerialForm:
		return x.Form
	case JackpotMove:
		return x.Move
	case Party:
		return words(x.Acts...)
	}
	panic("rulebook: the schema has a list whose items have no name: " + v.Type().String())
}

// conditions returns when a limit holds, in words.
func (l Limit) conditions() string {
	parts := []string{string(l.Measure), string(l.Part), strings.Join(l.Bets, " ")}
	for _, channel := range l.Channels {
		parts = append(parts, string(channel))
	}
	if l.Ways != (Range{}) {
		parts = append(parts, "ways "+l.Ways.String())
	}
	if l.Jackpot != nil {
		parts = append(parts, "jackpot "+strconv.FormatBool(*l.Jackpot))
	}
	if l.Pool != nil {
		parts = append(parts, "pool "+strconv.FormatBool(*l.Pool))
	}
	return words(append(parts, l.Outcomes...)...)
}

func bandName(from *Dollars) string {
	if from == nil {
		return "from nothing"
	}
	return "from " + from.String()
}

// words joins the words that are there.
func words(all ...string) string {
	present := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return w == "" })
	if len(present) == 0 {
		return "all"
	}
	return strings.Join(present, " ")
}
