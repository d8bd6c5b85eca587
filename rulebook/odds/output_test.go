package odds

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/core/money"
)

var rewrite = flag.Bool("rewrite", false, "write the goldens anew; understand every difference before you commit it")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run the test with -rewrite and look at the difference. Got:\n%s", path, got)
	}
}

// TestReadableOutput shows everything that people read about one schedule, one size
// with a jackpot, one call with a run, and a liability.
func TestReadableOutput(t *testing.T) {
	book := loadBook(t, "vic-keno-2015")
	r := mustOf(t, book, Options{Schedule: "1"})
	out := r.AppendTable(nil)
	ten := find(t, r, "schedule-1", "classic", 10, "")
	out = ten.AppendTiers(append(out, '\n'))
	out = find(t, r, "schedule-1", "heads_or_tails", 0, Evens).AppendTiers(append(out, '\n'))
	tail, err := Liability(book, ten, Sold{Tickets: 1000, Stake: 10 * money.Dollar, Multiplied: true})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "vic-schedule-1.txt", tail.AppendText(append(out, '\n')))
}

func TestReadableJackpotSpans(t *testing.T) {
	r := mustOf(t, loadBook(t, "tas-keno-2023"), Options{Bet: "standard", Pick: "9"})
	golden(t, "tas-standard-9.txt", r.Bets[0].AppendTiers(r.AppendTable(nil)))
}

// TestJSONKeys holds the names that programs rely on.
func TestJSONKeys(t *testing.T) {
	r := mustOf(t, loadBook(t, "tas-keno-2023"), Options{})
	text, err := r.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Rulebook string `json:"rulebook"`
		Bets     []map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Rulebook != "tas-keno-2023" || len(doc.Bets) != len(r.Bets) {
		t.Fatalf("rulebook %q with %d bets", doc.Rulebook, len(doc.Bets))
	}
	for i, b := range doc.Bets {
		for _, key := range []string{"bet", "schedule", "rtp", "rtp_decimal", "tiers", "hit_frequency", "variance"} {
			if len(b[key]) == 0 {
				t.Errorf("bet %d has no %s", i, key)
			}
		}
		picks := 0
		for _, key := range []string{"spots", "pick", "type"} {
			if len(b[key]) > 0 {
				picks++
			}
		}
		if picks != 1 {
			t.Errorf("bet %d has %d of spots, pick and type, want one", i, picks)
		}
	}
	first := string(text[bytes.Index(text, []byte(`"tiers"`)):])
	for _, want := range []string{`"matched": 1`, `"probability": "1/4"`, `"prize_cents": 300`} {
		if !strings.Contains(first, want) {
			t.Errorf("the first tiers lack %s", want)
		}
	}
	again, _ := r.AppendJSON(nil)
	if !bytes.Equal(text, again) {
		t.Error("two encodings of one report differ")
	}
	if got, want := string(doc.Bets[0]["rtp"])+string(doc.Bets[0]["rtp_decimal"]), `"3/4""0.7500000000"`; got != want {
		t.Errorf("rtp %s, want %s", got, want)
	}
}

// TestReportsAreDeterministic: the same book gives the same bytes, whatever the
// order of maps.
func TestReportsAreDeterministic(t *testing.T) {
	opts := Options{Spots: ball.MustParse(ball.Keno, "3 17 42 56 80")}
	for _, id := range kenoBooks {
		one, _ := mustOf(t, loadBook(t, id), opts).AppendJSON(nil)
		two, _ := mustOf(t, loadBook(t, id), opts).AppendJSON(nil)
		if !bytes.Equal(one, two) {
			t.Errorf("%s: two reports differ", id)
		}
	}
}

func TestRatioForms(t *testing.T) {
	for _, c := range []struct {
		r                     *big.Rat
		text, percent, chance string
	}{
		{ratio(3, 4), "3/4", "75.0000", "1 in 1.33"},
		{ratio(1, 1), "1/1", "100.0000", "1 in 1.00"},
		{ratio(0, 1), "0/1", "0.0000", "never"},
		{ratio(1, 8_911_711), "1/8911711", "0.0000", "1 in 8,911,711.00"},
		{ratio(1, 1_000_000_000), "1/1000000000", "0.0000", "1 in 1,000,000,000"},
		{ratio(1, 2_000_000), "1/2000000", "0.0001", "1 in 2,000,000.00"}, // a half rounds up
	} {
		r := Ratio{c.r}
		text, err := r.MarshalText()
		if err != nil || string(text) != c.text || r.Percent() != c.percent || r.OneIn() != c.chance {
			t.Errorf("%v: %s, %s%%, %s; want %s, %s%%, %s", c.r, text, r.Percent(), r.OneIn(), c.text, c.percent, c.chance)
		}
	}
}

func TestGridDropsEmptyColumns(t *testing.T) {
	g := newGrid("a", "nothing", "n")
	g.add("left", "", "1")
	g.add("é", "", "100")
	g.left(0)
	g.dropEmpty()
	want := "  a       n\n  left    1\n  é     100\n"
	if got := string(g.appendTo(nil)); got != want {
		t.Errorf("grid is\n%s, want\n%s", got, want)
	}
}

// TestPlots: every picture is well-formed, stays within its frame and has a bar and
// a label for every count.
func TestPlots(t *testing.T) {
	bars := regexp.MustCompile(`<rect class="\w+" x="(\d+)" y="\d+" width="([\d.]+)"`)
	for _, id := range kenoBooks {
		r := mustOf(t, loadBook(t, id), Options{})
		for i := range r.Bets {
			b := &r.Bets[i]
			svg := b.PlotSVG()
			wellFormed(t, svg)
			found := bars.FindAllSubmatch(svg, -1)
			if len(found) != 2*len(b.Tiers) {
				t.Errorf("%s: %d bars for %d counts", b.label(), len(found), len(b.Tiers))
			}
			for _, m := range found {
				var left int
				var width float64
				if _, err := fmt.Sscan(string(m[1])+" "+string(m[2]), &left, &width); err != nil {
					t.Fatal(err)
				}
				if width < 0 || width > panelWidth || left+panelWidth > plotWidth {
					t.Errorf("%s: a bar from %d is %v wide", b.label(), left, width)
				}
			}
		}
	}
}

func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("the picture is not XML: %v", err)
		}
	}
}

func TestPlotEscapesNames(t *testing.T) {
	b := newBet(money.Dollar, []Tier{{Probability: Ratio{ratio(1, 2)}},
		{Matched: 1, Probability: Ratio{ratio(1, 2)}, PrizeCents: 100}})
	b.Name, b.Pick = `Heads & <Tails>`, Heads
	svg := b.PlotSVG()
	wellFormed(t, svg)
	if !bytes.Contains(svg, []byte("Heads &amp; &lt;Tails&gt;")) {
		t.Error("the name is not in the picture")
	}
}

// TestAxis checks the marks for bars of every size: the last mark is not before the
// longest bar, and the axis is not much longer.
func TestAxis(t *testing.T) {
	for _, longest := range []*big.Rat{ratio(1, 1), ratio(999, 1000), ratio(1, 7), ratio(3, 100), ratio(1, 99999),
		ratio(5, 1)} {
		step, ticks := axis([]bar{{value: longest}, {value: new(big.Rat)}})
		end := new(big.Rat).Mul(step, ratio(ticks, 1))
		before := new(big.Rat).Sub(end, step)
		if end.Cmp(longest) < 0 || before.Cmp(longest) >= 0 || ticks < 2 || ticks > 6 {
			t.Errorf("a bar of %v has %d steps of %v", longest, ticks, step)
		}
		if digit := strings.Trim(step.FloatString(12), "0."); digit != "1" && digit != "2" && digit != "5" {
			t.Errorf("a bar of %v has steps of %v", longest, step.FloatString(12))
		}
	}
	if step, ticks := axis([]bar{{value: new(big.Rat)}}); step.Sign() <= 0 || ticks < 1 {
		t.Error("a bet that never pays has no axis")
	}
}
