package entries

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"

	"drawhouse/books"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/decide/game"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

func opened(t testing.TB, h *house) *Journal {
	t.Helper()
	j, err := Open(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// entriesOf returns the entries of a choice.
func entriesOf(t testing.TB, j *Journal, c Choice) ([]*Entry, Summary) {
	t.Helper()
	var list []*Entry
	sum, err := j.Each(t.Context(), c, func(e *Entry) error {
		list = append(list, e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, sum
}

func numbersOf(list []*Entry) (numbers []string) {
	for _, e := range list {
		numbers = append(numbers, e.Number)
	}
	return numbers
}

// moved returns what entries did to each balance, and checks that each entry balances.
func moved(t testing.TB, list []*Entry) map[balance]money.Amount {
	t.Helper()
	sums := map[balance]money.Amount{}
	for _, e := range list {
		var over money.Amount
		for _, l := range e.Lines {
			if l.Debit < 0 || l.Credit < 0 || (l.Debit == 0) == (l.Credit == 0) {
				t.Errorf("%s has the line %+v", e.Number, l)
			}
			over += l.Debit - l.Credit
			sums[balance{l.Account, l.Unit}] += l.Debit - l.Credit
		}
		if over != 0 {
			t.Errorf("%s debits %v more than it credits", e.Number, over)
		}
	}
	return sums
}

// closing returns what the books of some days have at their end.
func closing(b *books.Book) map[balance]money.Amount {
	sums := map[balance]money.Amount{}
	for _, l := range b.Merged() {
		sums[balance{l.Account, l.Unit}] += l.Closing()
	}
	return sums
}

func sameSums(t testing.TB, what string, got, want map[balance]money.Amount) {
	t.Helper()
	for b, cents := range want {
		if got[b] != cents {
			t.Errorf("%s: %v %s comes to %v, want %v", what, b.account, b.account.UnitName(b.unit), got[b], cents)
		}
	}
	for b, cents := range got {
		if want[b] != cents {
			t.Errorf("%s: %v %s comes to %v, want %v", what, b.account, b.account.UnitName(b.unit), cents, want[b])
		}
	}
}

// TestEveryDayOnce: every day of the house is in one entry, in the order in which they were closed, under a number of
// its own, and all entries together come to the balances of the last book. Months and years are sums of their days.
func TestEveryDayOnce(t *testing.T) {
	h := longHouse(t)
	j := opened(t, h)
	if j.House != "house.example/keno" || j.Currency != "AUD" {
		t.Errorf("the house is %q, with amounts in %q", j.House, j.Currency)
	}
	days, sum := entriesOf(t, j, Choice{})
	if got := numbersOf(days); !slices.Equal(got, numbers) || len(h.books) != len(numbers) {
		t.Fatalf("the entries are %q, want %q", got, numbers)
	}
	if want := (Summary{Entries: 7, First: numbers[0], Last: numbers[6], Empty: []string{"1/2026-10-31"}}); sum.Entries !=
		want.Entries || sum.First != want.First || sum.Last != want.Last || !slices.Equal(sum.Empty, want.Empty) ||
		sum.Unfinished != "" || sum.Brought {
		t.Errorf("%+v, want %+v", sum, want)
	}
	sameSums(t, "all days", moved(t, days), closing(h.books[6]))
	for i, e := range days {
		data, err := h.books[i].Encode()
		if err != nil || e.Book != sha256.Sum256(data) || e.Days != 1 || e.Closed != h.books[i].End {
			t.Errorf("%s has the book %x up to %v, %d days, %v", e.Number, e.Book, e.Closed, e.Days, err)
		}
		want := closing(h.books[i])
		if i > 0 {
			for b, cents := range closing(h.books[i-1]) {
				want[b] -= cents
			}
		}
		sameSums(t, e.Number, moved(t, days[i:i+1]), want)
	}
	if late := days[5]; late.Date != day.MustParse("2026-11-02") || late.Text != "Keno Day 2026-10-31" {
		t.Errorf("the day that series 2 closed late is booked on %v as %q", late.Date, late.Text)
	}

	months, sum := entriesOf(t, j, Choice{By: ByMonth})
	if got := numbersOf(months); !slices.Equal(got, []string{"2026-10", "2026-11"}) || sum.Unfinished != "2027-01" {
		t.Fatalf("the months are %q, and %q is not over", got, sum.Unfinished)
	}
	years, sum := entriesOf(t, j, Choice{By: ByYear})
	if got := numbersOf(years); !slices.Equal(got, []string{"2026"}) || sum.Unfinished != "2027" {
		t.Fatalf("the years are %q, and %q is not over", got, sum.Unfinished)
	}
	for _, c := range []struct {
		whole *Entry
		days  []*Entry
	}{{months[0], days[:3]}, {months[1], days[3:6]}, {years[0], days[:6]}} {
		sameSums(t, c.whole.Number, moved(t, []*Entry{c.whole}), moved(t, c.days))
		var hashes []byte
		for _, e := range c.days {
			hashes = append(hashes, e.Book[:]...)
		}
		last := c.days[len(c.days)-1]
		if c.whole.Book != sha256.Sum256(hashes) || c.whole.Days != len(c.days) || c.whole.Date != last.Date ||
			c.whole.Closed != last.Closed {
			t.Errorf("%s: %+v", c.whole.Number, c.whole)
		}
	}
}

// TestNothingTwice takes the entries in by pieces: after each number, of a day or a month, the entries go on without a
// gap and without one that was there before, and a piece that is made again is equal to the byte.
func TestNothingTwice(t *testing.T) {
	h := longHouse(t)
	j := opened(t, h)
	for i, number := range numbers {
		rest, sum := entriesOf(t, j, Choice{After: number})
		if got := numbersOf(rest); !slices.Equal(got, numbers[i+1:]) && len(got)+len(numbers[i+1:]) > 0 || sum.Brought {
			t.Errorf("after %s come %q", number, got)
		}
	}
	for _, c := range []struct {
		after string
		by    Period
		want  []string
	}{
		{"2026-10", ByDay, numbers[3:]}, {"2026-10", ByMonth, []string{"2026-11"}}, {"2026", ByDay, numbers[6:]},
		{"2026-11", ByMonth, nil}, {"2026-11", ByYear, nil}, {"1/2026-10-31", ByMonth, []string{"2026-11"}},
		{"2/2026-10-31", ByMonth, nil}, {"2026", ByMonth, nil}, {"2/2027-01-01", ByMonth, nil},
	} {
		rest, _ := entriesOf(t, j, Choice{After: c.after, By: c.by})
		if got := numbersOf(rest); !slices.Equal(got, c.want) {
			t.Errorf("after %s by %s come %q, want %q", c.after, c.by, got, c.want)
		}
	}
	for _, c := range []Choice{
		{After: "1/2026-10-28"}, {After: "2/2026-10-30"}, {After: "2/2027-01-02"}, {After: "2027-01"}, {After: "2027"},
		{After: "yesterday"}, {After: "1/2026-10-29", By: ByMonth}, {After: "1/2026-11-02", By: ByMonth},
		{After: "2026-10", By: ByYear}, {After: "1/2026-10-29", Opening: true},
		{After: "1/2026-10-29", From: day.MustParse("2026-10-30")},
	} {
		if _, err := j.Each(t.Context(), c, func(*Entry) error { return nil }); !errors.Is(err, ErrAfter) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	// The house trades on, and what was made of its days before stays.
	var before, again bytes.Buffer
	c := Choice{To: day.MustParse("2026-11-30")}
	for _, format := range Formats() {
		before.Reset()
		again.Reset()
		if _, err := opened(t, longHouse(t)).Write(t.Context(), &before, c, format); err != nil {
			t.Fatal(err)
		}
		if _, err := opened(t, h).Write(t.Context(), &again, c, format); err != nil {
			t.Fatal(err)
		}
		if before.Len() == 0 || !bytes.Equal(before.Bytes(), again.Bytes()) {
			t.Errorf("%s is another file when it is made again:\n%s\n%s", format, before.String(), again.String())
		}
		if format == Plain {
			h.shut(2, day.MustParse("2027-01-02"))
		}
	}
	again.Reset()
	_, err := opened(t, h).Write(t.Context(), &again, c, Plain)
	if err != nil || !bytes.Equal(before.Bytes(), again.Bytes()) {
		t.Errorf("another day changes what was made before: %v", err)
	}
	if rest, _ := entriesOf(t, opened(t, h), Choice{After: numbers[6]}); len(rest) != 1 || rest[0].Number != "2/2027-01-02" {
		t.Errorf("after the newest entry come %q", numbersOf(rest))
	}
}

// TestFromAndTo takes whole days, months and years, and opening balances where they are asked for.
func TestFromAndTo(t *testing.T) {
	h := longHouse(t)
	j := opened(t, h)
	for _, c := range []struct {
		from, to string
		by       Period
		want     []string
	}{
		{"2026-10-29", "2026-10-29", ByDay, numbers[:1]}, {"2026-10-30", "2026-11-01", ByDay, numbers[1:4]},
		{"2026-11-02", "2026-11-02", ByDay, numbers[4:6]}, {"2026-11-03", "2026-12-31", ByDay, nil},
		{"2027-01-01", "2027-01-02", ByDay, numbers[6:]},
		{"2026-10-15", "2026-10-15", ByMonth, []string{"2026-10"}}, {"2026-11-30", "2026-12-31", ByMonth, []string{"2026-11"}},
		{"2026-12-01", "2026-12-31", ByMonth, nil}, {"2027-01-01", "2027-01-31", ByMonth, nil},
		{"2026-01-01", "2026-01-01", ByYear, []string{"2026"}},
	} {
		choice := Choice{From: day.MustParse(c.from), To: day.MustParse(c.to), By: c.by}
		list, sum := entriesOf(t, j, choice)
		if got := numbersOf(list); !slices.Equal(got, c.want) {
			t.Errorf("%s to %s by %s: %q, want %q", c.from, c.to, c.by, got, c.want)
		}
		begins := len(list) == 0 || slices.Contains([]string{numbers[0], "2026-10", "2026"}, list[0].Number)
		if sum.Brought == begins {
			t.Errorf("%s to %s by %s: balances were there before: %v", c.from, c.to, c.by, sum.Brought)
		}
		choice.Opening = true
		with, sum := entriesOf(t, j, choice)
		if sum.Brought || len(list) > 0 && sum.First != list[0].Number {
			t.Errorf("with opening balances: %+v", sum)
		}
		if begins {
			if len(with) != len(list) {
				t.Errorf("%s to %s by %s: there are opening balances", c.from, c.to, c.by)
			}
			continue
		}
		if len(with) != len(list)+1 || with[0].Number != list[0].Number+"/opening" {
			t.Errorf("%s to %s by %s with opening balances: %q", c.from, c.to, c.by, numbersOf(with))
		}
		last := slices.IndexFunc(h.books, func(b *books.Book) bool { return b.End == list[len(list)-1].Closed })
		sameSums(t, c.from+" with opening balances", moved(t, with), closing(h.books[last]))
	}
	if _, err := j.Each(t.Context(), Choice{By: "week"}, nil); err == nil {
		t.Error("there are weeks")
	}
	stop := errors.New("stop")
	if _, err := j.Each(t.Context(), Choice{}, func(*Entry) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of the writer: %v", err)
	}
}

// TestYoungHouse has no entries, and no numbers to go on after.
func TestYoungHouse(t *testing.T) {
	h := newHouse(t, record.LevelSeries)
	h.open(1, day.MustParse("2026-11-15"))
	h.trade(1)
	j := opened(t, h)
	for _, by := range Periods() {
		if list, sum := entriesOf(t, j, Choice{By: by}); len(list) > 0 || sum.Entries > 0 || sum.Unfinished != "" {
			t.Errorf("by %s: %q, %+v", by, numbersOf(list), sum)
		}
	}
	if _, err := j.Each(t.Context(), Choice{After: "1/2026-11-15"}, nil); !errors.Is(err, ErrAfter) {
		t.Errorf("after a day that is open: %v", err)
	}
}

// TestDamagedBooks: no entry is made of books that are not those of the journal.
func TestDamagedBooks(t *testing.T) {
	newest := game.BookName(2, day.MustParse("2027-01-01"))
	edit := func(h *house, number int, change func(*books.Book)) {
		b := *h.books[number]
		b.Accounts = slices.Clone(b.Accounts)
		change(&b)
		data, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		h.name(b.End, books.Hash(data)) // as a house would that lies
		h.objects[game.BookName(b.Series, b.Day)] = data
	}
	for name, c := range map[string]struct {
		damage func(*house)
		says   string
	}{
		"a book is gone": {func(h *house) { delete(h.objects, newest) }, "not stored"},
		"a byte is another one": {func(h *house) { h.objects[newest] = append(slices.Clone(h.objects[newest]), 0) },
			"not the one that record"},
		"another book in its place": {func(h *house) {
			h.objects[newest] = h.objects[game.BookName(1, day.MustParse("2026-11-01"))]
		}, "not the one that record"},
		"an account that does not go on": {func(h *house) {
			edit(h, 4, func(b *books.Book) { b.Accounts[0].Opening++ })
		}, "too much"},
		"an account that begins with money": {func(h *house) {
			edit(h, 0, func(b *books.Book) { b.Accounts[0].Opening++ })
		}, "too much"},
		"a day that is left out": {func(h *house) {
			edit(h, 4, func(b *books.Book) { b.House = h.books[2].End })
		}, "too much"},
		"a day that begins at its own end": {func(h *house) {
			edit(h, 3, func(b *books.Book) { b.House = b.End })
		}, "begins at"},
		"a day that begins behind its end": {func(h *house) {
			edit(h, 3, func(b *books.Book) { b.House = h.books[5].End })
		}, "begins at"},
		"a day that begins nowhere": {func(h *house) {
			edit(h, 3, func(b *books.Book) { b.House.Seq-- })
		}, "is no close of a day"},
		"a day of another series before it": {func(h *house) {
			for seq, data := range h.volumes[2] {
				r, err := record.Decode(data)
				if closed, ok := r.Body.(*record.DayClosed); err == nil && ok && closed.Series == 2 {
					edit(h, 3, func(b *books.Book) { b.House = record.Place{Volume: 3, Seq: uint64(seq)} })
					return
				}
			}
			t.Fatal("series 2 closes no day")
		}, "closed no day of the house"},
		"a book of another time": {func(h *house) {
			b := *h.books[3]
			end := b.End
			b.End.Seq++
			data, err := b.Encode()
			if err != nil {
				t.Fatal(err)
			}
			h.name(end, books.Hash(data))
			h.objects[game.BookName(1, b.Day)] = data
		}, "is that of series 1, 2026-11-01, up to"},
	} {
		h := longHouse(t)
		c.damage(h)
		if _, err := Open(t.Context(), h); err == nil || !strings.Contains(err.Error(), c.says) ||
			!errors.Is(err, ErrBroken) && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	h := longHouse(t)
	edit(h, 6, func(b *books.Book) {
		b.Accounts[0].Flows = slices.Clone(b.Accounts[0].Flows)
		b.Accounts[0].Flows[0].Debits++
	})
	if _, err := opened(t, h).Each(t.Context(), Choice{}, func(*Entry) error { return nil }); !errors.Is(err, ErrBroken) {
		t.Errorf("records of a kind that do not balance: %v", err)
	}
	edit(h, 6, func(b *books.Book) { b.Accounts[0].Flows = []books.Flow{{Kind: 9, Debits: -1, Credits: -1}} })
	if _, err := opened(t, h).Each(t.Context(), Choice{}, func(*Entry) error { return nil }); err == nil ||
		!strings.Contains(err.Error(), "the wrong way") {
		t.Errorf("a debit below nothing: %v", err)
	}
}
