package searcher

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"drawhouse/internal/honest"
)

var books = []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2", "nsw-bingo-2019"}

// acts returns how many acts are tried under each rulebook.
func acts(t *testing.T) int {
	t.Helper()
	if text := os.Getenv("DRAWHOUSE_SEARCH"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 2500
}

// seed returns where the acts at random begin. Another seed gives others.
func seed(t *testing.T) uint64 {
	t.Helper()
	if text := os.Getenv("DRAWHOUSE_SEARCH_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 14
}

// TestSearch: at random, no sequence of acts brings money where no rule lets it go, and
// verify takes the journals.
func TestSearch(t *testing.T) {
	for _, id := range books {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			n := acts(t)
			h := Hunt{Rulebook: id, Seed: seed(t), Acts: n, Length: 60, Check: 8}
			seen := map[Finding]bool{}
			h.Ignore = func(f Finding) bool { return isKnown(id, f) || seen[f.kind()] }
			for total := 0; total < n; {
				h.Acts = min(n-total, 250_000) // A long search tells how far it is.
				hit, tried, err := h.Run()
				if err != nil {
					t.Fatal(err)
				}
				total += tried
				h.Seed++
				if hit != nil {
					seen[hit.kind()] = true
					t.Errorf("a hit:\n%v", hit)
				}
				t.Logf("%s: %d acts", id, total)
			}
		})
	}
}

// TestBreadth: nor does any short sequence of the most usual acts.
func TestBreadth(t *testing.T) {
	for _, id := range books {
		t.Run(id, func(t *testing.T) {
			h := Hunt{Rulebook: id, Acts: min(acts(t)/25, 20_000)}
			h.Ignore = func(f Finding) bool { return isKnown(id, f) }
			hit, tried, err := h.Breadth(6)
			if err != nil {
				t.Fatal(err)
			}
			if hit != nil {
				t.Errorf("a hit:\n%v", hit)
			}
			t.Logf("%s: %d sequences", id, tried)
		})
	}
}

// TestShrink: a hit is made as short as it can be, and reads as a scenario. The lines that the house took
// are not enough here: one that it refused has ended the visit of a customer who bought nothing.
func TestShrink(t *testing.T) {
	book := loosened(t, "vic-keno-2015", func(k map[string]any) {
		dropLeave(k, "gift_voucher", "cash")
		addLeave(k, "gift_voucher", "cash")
		dropLeave(k, "gift_voucher", "same")
	})
	h := Hunt{Rulebook: "vic-keno-2015", Book: book,
		Ignore: func(f Finding) bool { return f.Goal != honest.VoucherToCash }}
	w, err := Begin(h.Rulebook, book, "first", "house 2026-11-15")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"limit venue 2 300.00", "sell A1 at T1 classic 80 @ 5.00", "next T1", "pay A1 at T1", "settle T1",
		"card born 1990-05-05",
		"issue P1 at T1 gift_voucher 5.00 for classic", "next T3", "sell A2 at T3 classic 1 @ 1.00",
		"settle T1 with P1 payee checked", "close",
	} {
		_, _ = w.Do(line)
	}
	if !h.hit(w) {
		t.Fatalf("a voucher may become cash, and nothing was found: %v", w.refused)
	}
	if f, _ := h.again("first", w.Lines, *h.first(w)); f != nil {
		t.Errorf("the lines that the house took lead there alone: %v", w.Lines)
	}
	hit := h.shrink(*h.first(w), "first", w.Tried, w.Lines, w.Asked)
	want := []string{"house 2026-11-15", "issue P1 at T1 gift_voucher 5.00 for classic",
		"settle T1 with P1 payee checked = P2 P3 P4 P5"}
	if !slices.Equal(hit.Lines, want) {
		t.Errorf("the hit is\n%v", hit)
	}
	// What is printed leads there again, in another house.
	if f, _ := h.again("again", hit.Lines, hit.Finding); f == nil {
		t.Errorf("the lines of the hit lead nowhere:\n%v", hit)
	}
}

// TestPanicsDiffer: while a hit is made shorter, another panic is not taken for the one that was
// found.
func TestPanicsDiffer(t *testing.T) {
	caught := func(do func()) (f Finding) {
		defer func() { f = panicked("the house panics", recover()) }()
		do()
		return f
	}
	first, second := caught(func() { index(7) }), caught(func() { index(9) })
	if !first.alike(second) || !strings.Contains(first.What, "searcher.index") {
		t.Errorf("one panic is two: %v, and %v", first, second)
	}
	if other := caught(func() { other(7) }); first.alike(other) {
		t.Errorf("panics in two functions are one: %v", other)
	}
	if other := caught(func() { panic("no such ticket") }); first.alike(other) {
		t.Errorf("panics with two messages are one: %v", other)
	}
}

func index(i int) int { return []int{1, 2, 3}[i] }
func other(i int) int { return []int{1, 2, 3}[i] }
