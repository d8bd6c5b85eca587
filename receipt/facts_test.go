package receipt

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/serial"
)

const casinoForm = `{"v":1,"rulebook":"casino-keno-div2","first":{"day":"2026-11-15","game":12},"bets":[{"bet":"standard","spots":[1,2,3],"stake_cents":100}]}`

// TestMissing leaves out one by one what the casino rules want on a ticket.
func TestMissing(t *testing.T) {
	if _, err := Ticket(saleOf(t, casinoForm, 100)); err != nil {
		t.Fatal(err)
	}
	for field, drop := range map[string]func(*Sale){
		"writer":   func(s *Sale) { s.Writer = "" },
		"terminal": func(s *Sale) { s.Terminal = 0 },
		"time":     func(s *Sale) { s.Time = time.Time{} },
		"keno_day": func(s *Sale) { s.Day = day.None },
		"serial":   func(s *Sale) { s.Serial = serial.Code{} },
		"total":    func(s *Sale) { s.Cost = 0 },
	} {
		s := saleOf(t, casinoForm, 100)
		drop(&s)
		_, err := Ticket(s)
		missing, ok := errors.AsType[*Missing](err)
		if !ok || missing.Field != field || missing.Clause != "3.13" {
			t.Errorf("without %s: %v", field, err)
		}
	}
	// Victoria does not ask for the writer.
	s := saleOf(t,
		`{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":12},"bets":[{"bet":"classic","spots":[1],"stake_cents":100}]}`, 100)
	s.Counter, s.Time = Counter{}, time.Time{}
	if _, err := Ticket(s); err != nil {
		t.Error(err)
	}
}

// TestRefusedFacts has facts that contradict each other.
func TestRefusedFacts(t *testing.T) {
	for want, change := range map[string]func(*Sale){
		"come to $1.00 and the record says $1.01": func(s *Sale) { s.Cost = 101 },
		"is by vic-keno-2015":                     func(s *Sale) { s.Ticket.Rulebook = "vic-keno-2015" },
		"serials of the form digits16, and this has one of the form to27": func(s *Sale) {
			ring, err := serial.NewKeyring(serial.Key{1}, map[uint16]serial.Key{1: {2}})
			if err != nil {
				t.Fatal(err)
			}
			if s.Serial, err = ring.Code(serial.Place{Volume: 1, Seq: 1}, true); err != nil {
				t.Fatal(err)
			}
		},
	} {
		s := saleOf(t, casinoForm, 100)
		change(&s)
		if _, err := Ticket(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	s := saleOf(t, casinoForm, 100)
	if _, err := Voucher(Issued{Book: s.Book, Instrument: "moon", Serial: "1", Amount: 1}); err == nil {
		t.Error("an instrument that the rulebook does not have is printed")
	}
	victorian := saleOf(t,
		`{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":12},"bets":[{"bet":"classic","spots":[1],"stake_cents":100}]}`, 100)
	if _, err := Voucher(Issued{Book: victorian.Book, Instrument: "player_card", GameType: "moon", Serial: "1",
		Amount: 1}); err == nil {
		t.Error("a voucher for a game that the rulebook does not have is printed")
	}
	if _, err := Cheque(ChequeOrder{Book: s.Book, Amount: 100}); err == nil {
		t.Error("a cheque to nobody is printed")
	}
	if _, err := PaperOf(60); err == nil {
		t.Error("a roll of 60 mm is known")
	}
}

// TestLastGame counts games on, over the end of the numbers.
func TestLastGame(t *testing.T) {
	for _, c := range []struct {
		book         string
		first, games int
		want         string
	}{
		{"vic-keno-2015", 417, 1, "417"}, {"vic-keno-2015", 417, 10, "426"},
		{"vic-keno-2015", 999, 1, "999"}, {"vic-keno-2015", 999, 2, "the 2nd in turn"},
		{"vic-keno-2015", 990, 111, "the 111th in turn"},
		{"tas-keno-2023", 998, 2, "999"}, {"tas-keno-2023", 998, 3, "0"}, {"tas-keno-2023", 0, 1000, "999"},
	} {
		s := saleOf(t, casinoForm, 100)
		s.Book = saleOf(t, strings.Replace(casinoForm, "casino-keno-div2", c.book, 1), 100).Book
		s.Ticket.First.Game = c.first
		if got, _ := s.lastGame(c.games); got != c.want {
			t.Errorf("%s: %d games from %d: %s, want %s", c.book, c.games, c.first, got, c.want)
		}
	}
}

func TestCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"Café Zürich £5 ¡Ñ!":    "Café Zürich £5 ¡Ñ!",
		"Šťastný’s “Łódź” — 5…": `Stastny's "Lódz" - 5...`,
		"e\u0301 日本\u00a0x":     "e ?? x",
	} {
		got, replaced := Spell(text, printable)
		want = strings.ReplaceAll(want, "Stastny", "Stastný")
		if got != want || (text != want) != (len(replaced) > 0) {
			t.Errorf("%q is written %q, want %q; replaced %q", text, got, want, string(replaced))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		written, _ := Spell(text, printable)
		for _, r := range written {
			if !printable(r) {
				t.Fatalf("%q is written with %q", text, r)
			}
		}
		if again, replaced := Spell(written, printable); again != written || replaced != nil {
			t.Fatalf("%q is written otherwise the second time: %q", written, again)
		}
		if len(onPage850(nil, written)) != width(written) || len(onLatin(written)) != width(written) {
			t.Fatalf("%q has not one byte a letter", written)
		}
	})
}

// TestWrap cuts texts and loses nothing but spaces.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zé ]{0,80}`).Draw(t, "text")
		columns := rapid.IntRange(1, 48).Draw(t, "columns")
		rows := wrap(text, columns)
		for _, r := range rows {
			if width(r) > columns || r == "" || strings.TrimSpace(r) != r {
				t.Fatalf("%q in %d columns has the row %q", text, columns, r)
			}
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if bare(strings.Join(rows, "")) != bare(text) {
			t.Fatalf("%q became %q", text, rows)
		}
	})
}

func TestScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var code serial.ClaimCode
		copy(code[:], rapid.SliceOfN(rapid.Byte(), len(code), len(code)).Draw(t, "code"))
		bars := claimBars(code)
		got, err := ParseScan(bars)
		if err != nil || got.Claim == nil || *got.Claim != code || len(bars) != claimDigits {
			t.Fatalf("%v has the bars %s, which scan as %+v, %v", code, bars, got, err)
		}
	})
	for text, want := range map[string]string{
		"1234567890123450\r\n": "1234567890123450", "1234 5678 9012 3450": "1234567890123450",
		"https://keno.example/t/1234567890123450#c1F6z.9.d": "1234567890123450",
		"TO9YCWQ347HY9KP2V00H4C3N9FZ":                       "TO9YCWQ347HY9KP2V00H4C3N9FZ",
	} {
		if got, err := ParseScan(text); err != nil || got.Serial != want || got.Claim != nil {
			t.Errorf("%q scans as %+v, %v", text, got, err)
		}
	}
	if got, err := ParseScan("7zq0 m4kc 1xwd e8tb"); err != nil || got.Claim == nil ||
		got.Claim.String() != "7ZQ0-M4KC-1XWD-E8TB" {
		t.Errorf("a claim code scans as %+v, %v", got, err)
	}
	for _, text := range []string{"", "1234567890123451", strings.Repeat("9", 26), strings.Repeat("1", 25),
		"https://elsewhere.example/"} {
		if got, err := ParseScan(text); err == nil {
			t.Errorf("%q scans as %+v", text, got)
		}
	}
}

func FuzzParseScan(f *testing.F) {
	f.Add("1234567890123450")
	f.Add("https://keno.example/t/1234567890123450#c1F6z.9.d")
	f.Add("00301900139271634189493067")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseScan(text)
		if err == nil && (got.Serial == "") == (got.Claim == nil) {
			t.Errorf("%q scans as %+v", text, got)
		}
	})
}

func TestSpell(t *testing.T) {
	for cents, want := range map[money.Amount]string{
		100: "One dollar only", 1: "Zero dollars and 01 cents", 110_00: "One hundred and ten dollars only",
		2_999_99:     "Two thousand nine hundred and ninety-nine dollars and 99 cents",
		10_001_00:    "Ten thousand and one dollars only",
		1_000_000_00: "One million dollars only", 30_215_40: "Thirty thousand two hundred and fifteen dollars and 40 cents",
	} {
		if got := spell(cents); got != want {
			t.Errorf("%v is %q, want %q", cents, got, want)
		}
	}
}

const saleAnswer = `{"serial":"1234567890123450","place":"1:20417","time":"2026-11-15T14:02:59.12+11:00","cost_cents":100,
	"first_game":{"day":"2026-11-15","game":417,"ordinal":5},"last_game":{"day":"2026-11-15","game":417,"ordinal":5},"games":1,"session":3,
	"ticket":{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":417},"bets":[{"bet":"classic","spots":[3],"stake_cents":100}]},
	"leaf_hash":"c1F6z+zp9+rysWL5BWS8/AAAAAAAAAAAAAAAAAAAAAA=","checkpoint":"keno.example/v1\n9001\nc1F6z+zp9+rysWL5BWS8/AAAAAAAAAAAAAAAAAAAAAA=\n\n- keno.example AAAA\n"}`

func TestParseAnswer(t *testing.T) {
	a, err := ParseAnswer([]byte(saleAnswer))
	if err != nil || a.Sale == nil || a.Sale.Last.Game != 417 || a.Sale.Proof.Checkpoint.Size != 9001 ||
		a.Sale.Proof.Place != "1:20417" || a.Sale.Day.String() != "2026-11-15" {
		t.Fatalf("%+v, %v", a.Sale, err)
	}
	a, err = ParseAnswer([]byte(`{"place":"1:2","time":"2026-11-15T14:02:59+11:00","serial":"1234567890123450","paid_cents":800,"parts":[{"ordinal":5,"cents":800}],"session":3,"bonus":{"promotion":1,"cents":0}}`))
	if err != nil || a.Payment == nil || a.Payment.Amount != 800 || len(a.Payment.Parts) != 1 || a.Payment.Bonus == nil {
		t.Errorf("%+v, %v", a.Payment, err)
	}
	a, err = ParseAnswer([]byte(`{"place":"1:2","time":"2026-11-15T14:02:59+11:00","serial":"1234567890123450","last_ordinal":4,"refund_cents":700,"carried_cents":0,"session":3}`))
	if err != nil || a.Cancellation == nil || a.Cancellation.Refund != 700 {
		t.Errorf("%+v, %v", a.Cancellation, err)
	}
	for _, damaged := range []string{"", "{}", `{"serial":"1"}`, `{"code":"closed","message":"Closed."}`,
		strings.Replace(saleAnswer, "3450", "3451", 1), strings.Replace(saleAnswer, "9001", "x", 1),
		strings.Replace(saleAnswer, `\n\n`, "", 1),
		strings.Replace(saleAnswer, "1:20417", "1:020417", 1), strings.Replace(saleAnswer, "1:20417", "20417", 1),
		strings.Replace(saleAnswer, "c1F6", "c", 1), strings.Replace(saleAnswer, `"spots"`, `"spats"`, 1),
		strings.Replace(saleAnswer, `"last_game":{"day":"2026-`, `"last_game":{"day":"`, 1)} {
		if _, err := ParseAnswer([]byte(damaged)); err == nil {
			t.Errorf("read: %s", damaged)
		}
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add([]byte(saleAnswer))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ParseAnswer(data)
		if err == nil && a == (Answer{}) {
			t.Errorf("%s is no answer and no error", data)
		}
		if err == nil && !json.Valid(data) {
			t.Errorf("%s is not JSON", data)
		}
	})
}

// TestManyParts has more games paid than a slip lists.
func TestManyParts(t *testing.T) {
	p := Paid{Serial: "1234567890123450", Amount: 100}
	for range 100 {
		p.Parts = append(p.Parts, PaidPart{"1", 1})
	}
	s, err := Payment(p)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Text(Roll58)
	if err != nil || !strings.Contains(text, "60 more games") || !strings.Contains(text, "$0.60") ||
		strings.Count(text, "\n") > 60 {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestSignOnPaper: a sign that paper does not have is written as the code of the currency, and a space between
// thousands as a plain one.
func TestSignOnPaper(t *testing.T) {
	for _, c := range []struct {
		style money.Style
		want  string
	}{
		{money.Style{Symbol: "₾", After: true, Group: ".", Decimal: ",", Code: "GEL"}, "1.234,50 GEL"},
		{money.Style{Symbol: "₹", Group: ",", Decimal: ".", Code: "INR"}, "INR 1,234.50"},
		{money.Style{Symbol: "zł", After: true, Group: "\u00a0", Decimal: ",", Code: "PLN"}, "1 234,50 PLN"},
		{money.Style{Symbol: "Kč", After: true, Group: "\u202f", Decimal: ",", Code: "CZK"}, "1 234,50 CZK"},
		{money.Style{Symbol: "£", Group: ",", Decimal: ".", Code: "GBP"}, "£1,234.50"},
	} {
		s := Slip{money: c.style}
		if got := s.plainly("$1,234.50"); got != c.want || s.Replaced() != "" {
			t.Errorf("%s is written %q, want %q; replaced %q", c.style.Symbol, got, c.want, s.Replaced())
		}
	}
}
