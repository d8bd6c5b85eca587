package forms

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
	"drawhouse/rulebook/odds"
	"drawhouse/rulebook/rules"
)

var pages = flag.String("pages", "", "folder to write the documents into")

var kenoBooks = []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"}

func bookOf(t *testing.T, id string) *rulebook.Book {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// text returns what an independent program reads in a document.
func text(t *testing.T, name string, document []byte) string {
	t.Helper()
	reader, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skipf("NO INDEPENDENT PROGRAM HAS READ THE PAGES: pdftotext is not installed: %v", err)
	}
	folder := t.TempDir()
	if *pages != "" {
		folder = *pages
	}
	path := filepath.Join(folder, name+".pdf")
	if err := os.WriteFile(path, document, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(reader, "-enc", "UTF-8", "-layout", path, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// TestScheduleHasEveryPrize reads the pages back and finds every prize of every table
// beside its odds, and every clause.
func TestScheduleHasEveryPrize(t *testing.T) {
	for _, id := range kenoBooks {
		book := bookOf(t, id)
		for _, schedule := range book.Schedules() {
			var b bytes.Buffer
			if _, err := Schedule(&b, book, schedule.ID(), time.Unix(0, 0), "Help: 13 00 00."); err != nil {
				t.Fatal(err)
			}
			got := text(t, id+"-"+schedule.ID(), b.Bytes())
			report, err := odds.Of(book, odds.Options{Schedule: schedule.ID()})
			if err != nil {
				t.Fatal(err)
			}
			count := 0
			for _, bet := range report.Bets {
				for _, tier := range bet.Tiers {
					if tier.PrizeCents == 0 {
						continue
					}
					count++
					if want := fmt.Sprintf("%v %s", tier.PrizeCents, oneIn(tier.Probability)); !strings.Contains(got, want) {
						t.Errorf("%s %s: %s %d: the pages do not say %q", id, schedule.ID(), bet.Bet, bet.Spots, want)
					}
				}
				if !strings.Contains(got, cite(bet.Clause)) {
					t.Errorf("%s: the pages do not name %s", id, bet.Clause)
				}
			}
			if count < 50 {
				t.Errorf("%s %s: only %d prizes", id, schedule.ID(), count)
			}
		}
	}
}

// TestFormsAreRead finds the numbers and the bets on the forms.
func TestFormsAreRead(t *testing.T) {
	for _, id := range kenoBooks {
		book := bookOf(t, id)
		var b bytes.Buffer
		if _, err := Entry(&b, book, time.Unix(0, 0), "Help: 13 00 00."); err != nil {
			t.Fatal(err)
		}
		got := text(t, id+"-forms", b.Bytes())
		for _, bet := range book.Bets() {
			if !strings.Contains(got, bet.Name()) && len(book.Bets()) > 2 {
				t.Errorf("%s: the forms do not have %s", id, bet.Name())
			}
		}
		if box, said := strings.Contains(got, "Winner Takes All: special promotions box B (Rule 17.6(e)(i))"),
			strings.Contains(got, "box B"); box != (id == "tas-keno-2023") || said != box {
			t.Errorf("%s: the form has the box of Winner Takes All: %v", id, box)
		}
		for _, feature := range book.Features() {
			if !strings.Contains(got, feature.Name()) {
				t.Errorf("%s: the forms do not have %s", id, feature.Name())
			}
		}
		for n := 1; n <= 80; n++ {
			if !strings.Contains(got, " "+strconv.Itoa(n)+" ") {
				t.Errorf("%s: there is no %d", id, n)
			}
		}
	}
}

// TestBoxesAreSold quotes what the boxes say, and the cent below the least of them.
func TestBoxesAreSold(t *testing.T) {
	for _, id := range kenoBooks {
		book := bookOf(t, id)
		o, err := newOffer(book)
		if err != nil {
			t.Fatal(err)
		}
		for _, bet := range book.Bets() {
			stakes, clause := o.stakes(bet)
			if len(stakes) < 3 || clause == "" {
				t.Errorf("%s, %s: stakes %v by %q", id, bet.ID(), stakes, clause)
			}
			if games := o.games(bet); len(games) < 5 || games[0] != "1" {
				t.Errorf("%s, %s: games %v", id, bet.ID(), games)
			}
		}
	}
	vic, err := newOffer(bookOf(t, "vic-keno-2015"))
	if err != nil {
		t.Fatal(err)
	}
	classic, _ := vic.book.Bet("classic")
	stakes, clause := vic.stakes(classic)
	if stakes[0] != "$1.00" || clause != "11(c)" {
		t.Errorf("classic: %v by %s", stakes, clause)
	}
	if ways, _ := vic.wayStakes(classic); ways[0] != "$0.10" {
		t.Errorf("ways of classic: %v", ways)
	}
	tas, err := newOffer(bookOf(t, "tas-keno-2023"))
	if err != nil {
		t.Fatal(err)
	}
	racing, _ := tas.book.Bet("racing")
	if stakes, _ := tas.stakes(racing); stakes[0] != "$0.50" {
		t.Errorf("racing: %v", stakes)
	}
	bad := examples(classic)[0]
	bad.Stake = 50
	if refused, ok := errors.AsType[*keno.Refusal](vic.quote(bad, 1)); !ok || refused.Clause != "11(c)" {
		t.Errorf("half a dollar on one way: %v", refused)
	}
}

func TestOneIn(t *testing.T) {
	report, err := odds.Of(bookOf(t, "vic-keno-2015"), odds.Options{Schedule: "1", Bet: "classic", Pick: "20"})
	if err != nil {
		t.Fatal(err)
	}
	tiers := report.Bets[0].Tiers
	for matched, want := range map[int]string{20: "1 in 3.54 x 10^18", 15: "1 in 41,751,454", 0: "1 in 843.38"} {
		for _, tier := range tiers {
			if tier.Matched == matched && oneIn(tier.Probability) != want {
				t.Errorf("%d of 20: %s, want %s", matched, oneIn(tier.Probability), want)
			}
		}
	}
	if len(tiers) < 15 {
		t.Error("the tiers are not those of the table")
	}
}

func TestRefusedBooks(t *testing.T) {
	bingo := bookOf(t, "nsw-bingo-2019")
	var b bytes.Buffer
	_, schedule := Schedule(&b, bingo, "", time.Now(), "")
	_, entry := Entry(&b, bingo, time.Now(), "")
	if !errors.Is(schedule, ErrNotKeno) || !errors.Is(entry, ErrNotKeno) || b.Len() > 0 {
		t.Errorf("bingo: %v, %v", schedule, entry)
	}
	if _, err := Schedule(&b, bookOf(t, "vic-keno-2015"), "moon", time.Now(), ""); !errors.As(err, new(*odds.Unknown)) {
		t.Errorf("a schedule that is not there: %v", err)
	}
}

// TestSignsOfCurrencies: the font of the sheets has the sign of a currency, or the code stands for it; and what is
// written otherwise is said.
func TestSignsOfCurrencies(t *testing.T) {
	for _, c := range []struct{ code, symbol, want string }{
		{"EUR", "€", "1.234,50\xa0\x80"}, {"GEL", "₾", "1.234,50\xa0GEL"}, {"PLN", "zł", "1.234,50\xa0PLN"},
		{"CZK", "Kč", "1.234,50\xa0CZK"}, {"INR", "₹", "1.234,50\xa0INR"},
	} {
		draft := rulebook.Draft{Kind: rulebook.KindKeno, ID: "own-keno", Title: "ქ Keno", Currency: c.code,
			Zone: "Asia/Tbilisi", Age: 18, Games: 20, Months: 12, From: day.MustParse("2026-01-01"), Price: 100, Most: 1000_00,
			Prizes: rulebook.DraftPrizes(100)}
		text := strings.Replace(draft.Text(), "\nzone:",
			fmt.Sprintf("\nformat: {locale: ka-GE, symbol: %q, after: true, group: '.', decimal: ','}\nzone:", c.symbol), 1)
		book, err := rulebook.Load("own", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := newSheet(book, "x", time.Unix(0, 0)).latin("$1,234.50"); got != c.want {
			t.Errorf("%s is written %q, want %q", c.symbol, got, c.want)
		}
		var b bytes.Buffer
		if replaced, err := Entry(&b, book, time.Unix(0, 0), ""); err != nil || replaced != "ქ" {
			t.Errorf("%s: the forms replace %q, %v", c.symbol, replaced, err)
		}
	}
}
