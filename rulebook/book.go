package rulebook

import (
	"cmp"
	"crypto/sha256"
	"reflect"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/digest"
	"drawhouse/core/money"
)

// Book is a compiled rulebook. It is immutable and safe for concurrent use:
// getters return copies. The zero value is not a book; [Load] makes one.
type Book struct {
	file      File     // resolved: every block has its clause
	keno      KenoFile // every value has its clause; the zero value for a bingo book
	canonical []byte
	hash      Hash
	warnings  Faults
	written   *report // where values are written; without places for a book that came from no file
	examples  []Undecided

	bingo     *Bingo // nil for keno
	bets      []*Bet
	betByID   map[string]*Bet
	features  []*Feature
	schedules []*Schedule
	factors   factorTable
	rounding  money.Rounding
}

// compile turns a file that has no faults into a book.
func compile(f *File, r *report, warnings Faults) *Book {
	b := &Book{file: *f, warnings: warnings, written: &report{file: r.file, places: r.places},
		canonical: canonical(f), betByID: map[string]*Bet{}}
	b.hash = sha256.Sum256(b.canonical)
	b.examples = undecided(f)
	if f.Bingo != nil {
		b.bingo = &Bingo{file: f.Bingo}
	}
	if f.Keno == nil {
		return b
	}
	b.keno = clone(*f.Keno)
	fillClauses(reflect.ValueOf(&b.keno))
	b.keno.fill()
	// What a book leaves out is refused by the clause of the block around it.
	g := &b.keno.Games
	g.Delayed.Clause = cmp.Or(g.Delayed.Clause, g.Clause)
	g.EarlyClosure.Clause = cmp.Or(g.EarlyClosure.Clause, g.Clause)
	b.bets = compileBets(b.keno.Bets)
	for _, bet := range b.bets {
		b.betByID[bet.ID()] = bet
	}
	for _, feature := range b.keno.Features {
		b.features = append(b.features, &Feature{file: feature})
	}
	b.factors = compileMultiplier(b.keno.Multiplier, b.keno.Numbers)
	b.schedules = compileSchedules(&b.keno)
	// Validation has refused a name that does not parse.
	b.rounding, _ = money.ParseRounding(b.keno.Rounding.Mode)
	return b
}

// ID returns the name that tickets and journals know the rulebook by.
func (b *Book) ID() string { return b.file.Rulebook }

// Title returns the rulebook's full name.
func (b *Book) Title() string { return b.file.Title }

// Edition returns the number that rises with every change of the file.
func (b *Book) Edition() int { return b.file.Edition }

// Kind returns the family of games.
func (b *Book) Kind() Kind { return b.file.Kind }

// Currency returns the ISO 4217 code of every amount.
func (b *Book) Currency() string { return b.file.Currency }

// plainCurrency is the one whose amounts are written as package money does where a rulebook has no format. Those of
// others have the code of the currency behind them.
const plainCurrency = "AUD"

// Money returns how amounts are written on paper and in sentences.
func (b *Book) Money() money.Style {
	if b == nil {
		return money.Style{}
	}
	return b.file.money()
}

func (file *File) money() money.Style {
	f := file.Format
	switch {
	case f == nil && file.Currency == plainCurrency:
		return money.Style{}
	case f == nil:
		return money.Style{Symbol: file.Currency, After: true, Group: ",", Decimal: "."}
	}
	group := f.Group
	if group == " " { // An amount stands in one line.
		group = "\u00a0"
	}
	return money.Style{Symbol: f.Symbol, After: f.After, Group: group, Decimal: f.Decimal,
		Code: file.Currency}
}

// Locale returns by which locale screens write amounts; empty is the screens' own.
func (b *Book) Locale() string {
	if b.file.Format == nil {
		return ""
	}
	return b.file.Format.Locale
}

// Zone returns the IANA time zone in which Keno Days are named.
func (b *Book) Zone() string { return b.file.Zone }

// From returns the first day on which the rulebook is in force.
func (b *Book) From() day.Day { return b.file.Effective.From.Day() }

// To returns the last day on which the rulebook is in force, or day.None.
func (b *Book) To() day.Day { return b.file.Effective.To.Day() }

// InForce reports whether the rulebook governs games of day d.
func (b *Book) InForce(d day.Day) bool {
	return d.IsValid() && d >= b.From() && (b.To() == day.None || d <= b.To())
}

// EffectiveClause returns the clause that puts the rulebook in force.
func (b *Book) EffectiveClause() string { return b.file.Effective.Clause }

// Hash returns the SHA-256 of [Book.Canonical].
func (b *Book) Hash() Hash { return b.hash }

// Digest writes the hash of the book, which is all that it holds.
func (b *Book) Digest(w *digest.Writer) { w.Bytes(b.hash[:]) }

// Canonical returns the book as deterministic CBOR, without comments.
func (b *Book) Canonical() []byte { return slices.Clone(b.canonical) }

// File returns the whole file. Every block has the nearest clause above it; a
// single value has a clause of its own only where it differs from its block's.
func (b *Book) File() File { return clone(b.file) }

// Warnings returns what is permitted but should be known, such as a jackpot that
// can pay less than the schedule.
func (b *Book) Warnings() Faults { return slices.Clone(b.warnings) }

// Keno reports whether the rulebook governs keno.
func (b *Book) Keno() bool { return b.file.Keno != nil }

// Patterns returns the minor games of a bingo rulebook in the order of the file.
func (b *Book) Patterns() []PatternFile {
	if b.file.Bingo == nil {
		return nil
	}
	return clone(b.file.Bingo.Patterns)
}
