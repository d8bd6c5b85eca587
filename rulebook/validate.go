package rulebook

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"drawhouse/core/ball"
)

// checker looks for contradictions and holes in a file whose single values are
// sound. Its checks are methods, by subject in the files validate_*.go; each
// reports what it finds and goes on, so that one look finds everything. They must
// bear a file in which other values are missing.
type checker struct {
	*report
	file     *File
	keno     *KenoFile // the zero value for a bingo book
	warnings *report
}

// validate reports every fault of a resolved file and returns what deserves only
// a warning.
func validate(f *File, r *report) Faults {
	warnings := newReport(r.file)
	warnings.places = r.places
	c := &checker{report: r, file: f, keno: new(KenoFile), warnings: warnings}
	c.checkIdentity()
	if f.Keno != nil {
		filled := clone(*f.Keno)
		filled.fill()
		c.keno = &filled
		c.checkKeno()
	}
	if f.Bingo != nil {
		c.checkBingo(f.Bingo)
	}
	c.checkStatus()
	c.warnRetired(reflect.ValueOf(f).Elem(), "")
	return warnings.sorted()
}

// warnRetired warns of values on which nothing acts any more, in v at a path.
func (c *checker) warnRetired(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.warnRetired(v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.warnRetired(v.Index(i), item(path, i))
		}
	case reflect.Struct:
		if isWord(v.Type()) {
			return
		}
		for _, f := range fieldsOf(v.Type()) {
			value, at := v.FieldByIndex(f.index), join(path, f.name)
			switch {
			case f.retired == "":
				c.warnRetired(value, at)
			case !value.IsZero():
				c.warnings.add(at, "has no effect: %s; remove it", f.retired)
			}
		}
	}
}

func (c *checker) checkKeno() {
	c.checkNumbers(c.keno.Numbers)
	c.checkGames(c.keno.Games)
	c.checkEntry()
	c.checkBets()
	c.checkFeatures()
	c.checkCatalogue()
	c.checkLimits()
	c.checkTables()
	c.checkMultiplier()
	c.checkSchedules()
	c.checkJackpots()
	c.checkProrating()
	c.checkFunds()
	c.checkPayments()
	c.checkClaims()
	c.checkOperation()
}

// checkFormat checks that amounts can be written and read by it.
func (c *checker) checkFormat(f *Format) {
	language, country, ok := strings.Cut(f.Locale, "-")
	if !ok || len(language) != 2 || len(country) != 2 || language != strings.ToLower(language) ||
		strings.Trim(country, upperLetters) != "" {
		c.add("format.locale", "%q is not a locale such as el-GR", f.Locale)
	}
	if f.Symbol == "" || len(f.Symbol) > 8 || strings.ContainsAny(f.Symbol, "0123456789.,") {
		c.add("format.symbol", "%q is not a symbol such as €", f.Symbol)
	}
	const marks = ".,'’"
	if utf8.RuneCountInString(f.Group) != 1 || !strings.Contains(marks+groupSpaces, f.Group) {
		c.add(groupPath, "%q must be a point, a comma, a space or an apostrophe", f.Group)
	}
	if utf8.RuneCountInString(f.Decimal) != 1 || !strings.Contains(marks, f.Decimal) {
		c.add("format.decimal", "%q must be a point, a comma or an apostrophe", f.Decimal)
	}
	if f.Group == f.Decimal {
		c.add("format.decimal", "%q stands between thousands too", f.Decimal)
	}
}

// checkIdentity checks what every rulebook says about itself.
func (c *checker) checkIdentity() {
	f := c.file
	c.checkID("rulebook", f.Rulebook)
	if f.Edition < 1 {
		c.add("edition", "must be 1 or more")
	}
	if len(f.Currency) != 3 || strings.Trim(f.Currency, upperLetters) != "" {
		c.add("currency", "%q is not a code of three capital letters such as AUD", f.Currency)
	} else {
		c.checkCurrency(f.Currency)
	}
	if f.Format != nil {
		c.checkFormat(f.Format)
	}
	if area, city, ok := strings.Cut(f.Zone, "/"); !ok || area == "" || city == "" {
		c.add("zone", "%q is not a time zone such as Australia/Melbourne", f.Zone)
	}
	if to := f.Effective.To; to != 0 && to < f.Effective.From {
		c.add("effective.to", "%v is before the first day, %v", to, f.Effective.From)
	}
	c.checkKind("keno", f.Kind == KindKeno, f.Keno != nil)
	c.checkKind("bingo", f.Kind == KindBingo, f.Bingo != nil)
}

func (c *checker) checkKind(block string, wanted, present bool) {
	switch {
	case wanted && !present:
		c.add(block, "is missing in a rulebook of this kind")
	case present && !wanted:
		c.add(block, "does not belong in a rulebook of kind %s", c.file.Kind)
	}
}

// checkNumbers binds the draw to the numbers that the house can hold.
func (c *checker) checkNumbers(n Numbers) {
	if n.Of != int(ball.Keno) {
		c.add("keno.numbers.of", "is %d; keno draws from %d numbers", n.Of, ball.Keno)
	}
	if n.Draw < 1 || n.Draw >= n.Of {
		c.add("keno.numbers.draw", "is %d; it must be at least 1 and leave some of the %d numbers undrawn", n.Draw,
			n.Of)
	}
}

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// checkID checks a name that tickets, events and paths use.
func (c *checker) checkID(path, id string) {
	if id == "" || !strings.Contains(lowerLetters, id[:1]) || strings.Trim(id, lowerLetters+"0123456789_-") != "" {
		c.add(path, "%q is not an id: small letters, digits, - and _, beginning with a letter", id)
	}
}

// checkUnique reports the items of a list whose key an earlier item has too. The
// key of item i is what it must not share; field is where the fault is shown.
func (c *checker) checkUnique(list, field string, n int, key func(i int) string) {
	first := map[string]int{}
	for i := range n {
		k := key(i)
		if j, seen := first[k]; seen {
			c.add(join(item(list, i), field), "%s is the same as in %s", k, item(list, j))
			continue
		}
		first[k] = i
	}
}

// checkKnown reports the words of a list that are not among the known ones, and
// those that are written twice.
func (c *checker) checkKnown(path, what string, words, known []string) {
	for i, word := range words {
		switch {
		case !slices.Contains(known, word):
			c.add(item(path, i), "there is no %s %q; there are %s", what, word, listOf(known))
		case slices.Index(words, word) < i:
			c.add(item(path, i), "%q is written twice", word)
		}
	}
}

func listOf(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// item returns the path of one item of a list.
func item(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

func (k *KenoFile) betIDs() []string {
	ids := make([]string, len(k.Bets))
	for i := range k.Bets {
		ids[i] = k.Bets[i].ID
	}
	return ids
}

// bet returns the bet of that name, or nil.
func (k *KenoFile) bet(id string) *BetFile {
	for i := range k.Bets {
		if k.Bets[i].ID == id {
			return &k.Bets[i]
		}
	}
	return nil
}

// feature returns the feature of that name, or nil.
func (k *KenoFile) feature(id FeatureID) *FeatureFile {
	for i := range k.Features {
		if k.Features[i].ID == id {
			return &k.Features[i]
		}
	}
	return nil
}
