package rulebook

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
)

func TestBookIdentity(t *testing.T) {
	book := load(t, "testdata/sound.yaml")
	if book.ID() != "small-keno" || book.Title() != "Small Keno" || book.Edition() != 1 || book.Kind() != KindKeno ||
		book.Currency() != "AUD" || book.Zone() != "Australia/Melbourne" || book.EffectiveClause() != "1" || !book.Keno() {
		t.Errorf("the book is %s, %s, %d, %s, %s, %s, %s, %v", book.ID(), book.Title(), book.Edition(), book.Kind(),
			book.Currency(), book.Zone(), book.EffectiveClause(), book.Keno())
	}
	for d, want := range map[string]bool{"2019-12-31": false, "2020-01-01": true, "2029-12-31": true,
		"2030-01-01": false} {
		if got := book.InForce(day.MustParse(d)); got != want {
			t.Errorf("in force on %s: %v", d, got)
		}
	}
	if book.InForce(day.None) {
		t.Error("in force on no day")
	}
	forever := load(t, "testdata/bingo.yaml")
	if forever.To() != day.None || !forever.InForce(day.MustParse("9999-12-31")) || forever.Keno() {
		t.Error("a book without a last day ends")
	}
}

func TestClausesAreInherited(t *testing.T) {
	book := load(t, "testdata/sound.yaml")
	bet, _ := book.Bet("plain")
	ways, _ := bet.Ways()
	race, _ := book.Bet("race")
	win, _ := race.race.Type("win")
	pools, _ := book.Jackpots()
	cancel := book.Cancellation()
	absent, err := Load("absent", []byte(with(readFile(t, "testdata/sound.yaml"),
		"    delayed_start: {allowed: true, paid_next_day: true}\n", "")))
	if err != nil || absent.File().Keno.Games.Delayed != (DelayedStart{}) {
		t.Fatalf("a delayed start is not left out: %v", err)
	}
	for name, pair := range map[string][2]string{
		"block in a block":     {book.Games().Multi.Clause, "3"},
		"block in an item":     {ways.Clause, "6(a)"},
		"item in a block":      {win.Clause, "6(c)"},
		"item deeper":          {pools.Pools[1].Contributions[0].Clause, "13"},
		"item with its own":    {book.Limits()[3].Clause, "9(d)"},
		"field with its own":   {cancel.LastGameClause, "18(a)"},
		"field without":        {cancel.VenueClause, "18"},
		"field that is absent": {cancel.DayClause, ""},
		"refused delay":        {absent.Games().Delayed.Clause, "3"},
		"block that is absent": {load(t, "testdata/bingo.yaml").Games().Clause, ""},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s has the clause %q, want %q", name, pair[0], pair[1])
		}
	}
}

func TestBets(t *testing.T) {
	book := load(t, "testdata/sound.yaml")
	if got := book.BetIDs(); !slices.Equal(got, []string{"plain", "halves", "race"}) {
		t.Errorf("bets %v", got)
	}
	for i, bet := range book.Bets() {
		same, ok := book.Bet(bet.ID())
		if !ok || same != bet || bet.Index() != i {
			t.Errorf("bet %d is not found by its id", i)
		}
	}
	plain, _ := book.Bet("plain")
	if plain.Name() != "Plain" || plain.Form() != FormNumbers || plain.Sizes() != ball.MustOf(ball.Keno, 1, 2, 3, 4) ||
		!plain.Jackpot() {
		t.Errorf("plain is %s, %s, %v, %v", plain.Name(), plain.Form(), plain.Sizes(), plain.Jackpot())
	}
	if picks, ok := plain.Picks(); !ok || picks.Mystery != "Mystery" {
		t.Errorf("picks %v, %v", picks, ok)
	}
	halves, _ := book.Bet("halves")
	if calls, ok := halves.Calls(); !ok || calls.Majority != 2 || halves.Sizes().IsValid() {
		t.Errorf("calls %v, %v", calls, ok)
	}
	if _, ok := halves.Race(); ok {
		t.Error("halves has a race")
	}
	if _, ok := book.Bet("nothing"); ok {
		t.Error("an unknown bet is found")
	}
	bet, _ := book.Bet("race")
	race, ok := bet.Race()
	if !ok || race.Rows() != 8 || race.RowNumbers() != 10 || len(race.Types()) != 3 || race.DeadHeatThird() ||
		race.Clause() != "6(c)" {
		t.Errorf("race %+v, %v", race, ok)
	}
	if _, ok := race.Type("show"); ok {
		t.Error("an unknown race type is found")
	}
}

func TestFeatures(t *testing.T) {
	book := load(t, "testdata/sound.yaml")
	bonus, ok := book.Feature(FeatureMultiplier)
	if !ok || bonus.Name() != "Bonus" || !bonus.Allows("plain") || bonus.Allows("race") || !bonus.RunOnly("halves") ||
		bonus.RunOnly("plain") ||
		!bonus.EqualStake() || !bonus.Ways() || bonus.FirstGames() {
		t.Errorf("multiplier %+v, %v", bonus, ok)
	}
	if _, bound := bonus.Sizes(); bound {
		t.Error("the multiplier binds sizes")
	}
	last, ok := book.Feature(FeatureLuckyLast)
	if sizes, bound := last.Sizes(); !ok || !bound || sizes.String() != "1 2" {
		t.Errorf("lucky last is for %v", sizes)
	}
	if _, ok := load(t, "testdata/bingo.yaml").Feature(FeatureMultiplier); ok {
		t.Error("bingo has a multiplier")
	}
}

func TestEntryAndItems(t *testing.T) {
	book := load(t, "testdata/sound.yaml")
	way, ok := book.Entry(ChannelWriter, MethodVerbal)
	if !ok || way.Clause != "4(b)" || *way.Ways {
		t.Errorf("verbal entry %+v, %v", way, ok)
	}
	if _, ok := book.Entry(ChannelSST, MethodForm); ok {
		t.Error("a form is taken by a terminal")
	}
	if it, ok := book.Item("set-1"); !ok || it.Name != "Set 1" {
		t.Errorf("item %+v, %v", it, ok)
	}
	if _, ok := book.Item("set-9"); ok {
		t.Error("an unknown item is found")
	}
	text := with(readFile(t, "testdata/sound.yaml"), "id: set-2\n      edition: 1", "id: set-1\n      edition: 7")
	book, err := Load("editions", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if it, _ := book.Item("set-1"); it.Edition != 7 {
		t.Errorf("the latest edition is %d", it.Edition)
	}
	if in, ok := book.Instrument("receipt"); !ok || in.Life.Months != 12 {
		t.Errorf("instrument %+v, %v", in, ok)
	}
}

func TestSchedules(t *testing.T) {
	book := load(t, "testdata/sound.yaml")
	first, ok := book.Schedule("first")
	if !ok || first.Clause() != "12(a)" || first.Fill(3) != 100000 || first.Fill(2) != 0 || first.Fill(-1) != 0 ||
		first.Fill(81) != 0 {
		t.Fatalf("schedule %+v, %v", first, ok)
	}
	plain, _ := first.Catch("plain")
	for _, c := range []struct {
		spots, matched int
		want           money.Amount
	}{{1, 1, 2000}, {2, 1, 500}, {4, 0, 100}, {4, 3, 90000}, {4, 4, 0}, {1, 0, 0}, {0, 0, 0}, {5, 1, 0}, {-1, 0, 0},
		{2, -1, 0}, {80, 3, 0}, {1, 5, 0}} {
		if got := plain.Prize(c.spots, c.matched); got != c.want {
			t.Errorf("%d of %d pays %v, want %v", c.matched, c.spots, got, c.want)
		}
	}
	if plain.ID() != "plain-1" || plain.Clause() != "10(a)" || plain.Per() != 100 || plain.Spots().String() != "1 2 3 4" {
		t.Errorf("table %s, %s, %v, %v", plain.ID(), plain.Clause(), plain.Per(), plain.Spots())
	}
	halves, _ := first.Outcome("halves")
	if prize, ok := halves.Prize(CallEvens); !ok || prize != 400 || len(halves.Outcomes()) != 3 {
		t.Errorf("evens pays %v, %v", prize, ok)
	}
	last, _ := first.Size(string(FeatureLuckyLast))
	if prize, ok := last.Prize(2); !ok || prize != 850 {
		t.Errorf("the last number pays %v, %v", prize, ok)
	}
	if _, ok := last.Prize(3); ok {
		t.Error("the last number pays with 3 spots")
	}
	if _, ok := first.Size(UseBonusJackpot); !ok {
		t.Error("there is no table of the bonus jackpot")
	}
	if _, ok := first.WayCap(); ok {
		t.Error("there is a cap")
	}
}

// TestPrizeAgreesWithFile compares every lookup in the flat table with the file.
func TestPrizeAgreesWithFile(t *testing.T) {
	book := load(t, "testdata/sound.yaml")
	schedule, _ := book.Schedule("first")
	table, _ := schedule.Catch("plain")
	rows := book.File().Keno.Tables[0].Catch
	for spots := -2; spots <= 90; spots++ {
		for matched := -2; matched <= 90; matched++ {
			if got, want := table.Prize(spots, matched), rows[spots][matched].Amount(); got != want {
				t.Errorf("%d of %d pays %v, want %v", matched, spots, got, want)
			}
		}
	}
}

func TestMultiplierTable(t *testing.T) {
	book := load(t, "testdata/sound.yaml")
	if least, most := book.MultiplierBounds(); least != 6 || most != 237 {
		t.Errorf("sums %d to %d", least, most)
	}
	for sum, want := range map[int]int{-1: 0, 5: 0, 6: 3, 7: 5, 40: 1, 237: 5, 238: 0} {
		if got := book.Multiplier(sum); got != want {
			t.Errorf("the factor of %d is %d, want %d", sum, got, want)
		}
	}
	if book.MultiplierClause() != "11" {
		t.Errorf("clause %q", book.MultiplierClause())
	}
	bingo := load(t, "testdata/bingo.yaml")
	if least, most := bingo.MultiplierBounds(); least != 0 || most != 0 || bingo.Multiplier(0) != 0 {
		t.Error("bingo has a multiplier")
	}
	// Twenty numbers of eighty, the game that is played.
	if least, most := (Numbers{Of: 80, Draw: 20}).sums(); least != 210 || most != 1410 {
		t.Errorf("20 of 80 have sums %d to %d", least, most)
	}
}

func TestPatterns(t *testing.T) {
	book := load(t, "testdata/bingo.yaml")
	bingo, ok := book.Bingo()
	if !ok || bingo.Card().PerLine != 5 {
		t.Fatalf("bingo %+v, %v", bingo, ok)
	}
	if p, ok := bingo.Pattern("corners"); !ok || !slices.Equal(p.Cells.Top, []int{1, 5}) || len(book.Patterns()) != 3 {
		t.Errorf("corners %+v, %v", p, ok)
	}
	if _, ok := bingo.Pattern("edges"); ok {
		t.Error("an unknown pattern is found")
	}
	if keno := load(t, "testdata/sound.yaml"); keno.Patterns() != nil {
		t.Error("keno has patterns")
	}
}

// TestBookIsImmutable changes whatever any getter returns, and finds the book as
// it was.
func TestBookIsImmutable(t *testing.T) {
	for _, file := range []string{"testdata/sound.yaml", "testdata/bingo.yaml"} {
		book := load(t, file)
		before := snapshot(book)
		if len(before) < 40 {
			t.Fatalf("only %d getters were called", len(before))
		}
		visit(reflect.ValueOf(book), "book", func(_ string, result reflect.Value) { spoil(result) })
		after := snapshot(book)
		for path, was := range before {
			if after[path] != was {
				t.Errorf("%s gives away the book's own: it was\n%s\nand is\n%s", path, was, after[path])
			}
		}
		if Hash(sha256.Sum256(canonical(&book.file))) != book.Hash() {
			t.Errorf("%s has another content now", file)
		}
	}
}

// compiled are the types whose values a book hands out as they are, because their
// fields are private.
var compiled = []reflect.Type{
	reflect.TypeFor[*Book](), reflect.TypeFor[*Bingo](), reflect.TypeFor[*Bet](), reflect.TypeFor[*Race](),
	reflect.TypeFor[*Feature](),
	reflect.TypeFor[*Schedule](), reflect.TypeFor[*CatchTable](), reflect.TypeFor[*OutcomeTable](),
	reflect.TypeFor[*SizeTable](),
}

// visit calls every getter of a compiled value, and of the compiled values that
// these return, with the arguments of getters taken from the sound book.
func visit(v reflect.Value, path string, see func(path string, result reflect.Value)) {
	for i := range v.NumMethod() {
		method := v.Type().Method(i)
		if method.Type.NumOut() == 0 {
			continue // It gives nothing away.
		}
		if len(arguments(method.Type)) == 0 {
			panic("no arguments are known for " + method.Name)
		}
		for _, args := range arguments(method.Type) {
			results := v.Method(i).Call(args)
			for r, result := range results {
				sub := fmt.Sprintf("%s.%s(%v)#%d", path, method.Name, args, r)
				if slices.Contains(compiled, result.Type()) {
					if !result.IsNil() {
						visit(result, sub, see)
					}
					continue
				}
				if result.Kind() == reflect.Slice && slices.Contains(compiled, result.Type().Elem()) {
					for k := range result.Len() {
						visit(result.Index(k), fmt.Sprintf("%s[%d]", sub, k), see)
					}
				}
				see(sub, result)
			}
		}
	}
}

// arguments returns the arguments to call a getter with: every combination of some
// values of the right types.
func arguments(method reflect.Type) [][]reflect.Value {
	all := [][]reflect.Value{{}}
	for i := 1; i < method.NumIn(); i++ {
		var longer [][]reflect.Value
		for _, x := range []any{"plain", "race", "win", "halves", "first", "set-1", "receipt", "corners", "lucky_last",
			FeatureMultiplier, ChannelWriter, MethodVerbal, VenueHotel, 2, day.MustParse("2025-01-01")} {
			if reflect.TypeOf(x) != method.In(i) {
				continue
			}
			for _, args := range all {
				longer = append(longer, append(slices.Clone(args), reflect.ValueOf(x)))
			}
		}
		all = longer
	}
	return all
}

// snapshot prints what every getter returns.
func snapshot(book *Book) map[string]string {
	texts := map[string]string{}
	visit(reflect.ValueOf(book), "book", func(path string, result reflect.Value) {
		text, err := json.Marshal(result.Interface())
		if err != nil {
			text = []byte(err.Error())
		}
		texts[path] = fmt.Sprintf("%v %s", result.Kind(), text)
		if s, ok := result.Interface().(fmt.Stringer); ok {
			texts[path] += s.String()
		}
	})
	return texts
}

// spoil overwrites everything that can be reached from a value.
func spoil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !slices.Contains(compiled, v.Type()) {
			spoil(v.Elem())
			v.Elem().SetZero()
		}
	case reflect.Slice:
		for i := range v.Len() {
			spoil(v.Index(i))
			v.Index(i).SetZero()
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			spoil(v.MapIndex(key))
			v.SetMapIndex(key, reflect.Value{})
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				spoil(v.Field(i))
			}
		}
	}
}

// TestPrizeDoesNotAllocate keeps the lookup of settlement's inner loop cheap.
func TestPrizeDoesNotAllocate(t *testing.T) {
	schedule, _ := load(t, "testdata/sound.yaml").Schedule("first")
	table, _ := schedule.Catch("plain")
	if n := testing.AllocsPerRun(100, func() { table.Prize(3, 2) }); n != 0 {
		t.Errorf("a lookup allocates %v times", n)
	}
}
