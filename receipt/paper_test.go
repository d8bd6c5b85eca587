package receipt

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/internal/escpostest"
	"drawhouse/journal"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

var (
	rewrite = flag.Bool("rewrite", false,
		"write what the goldens should say; understand the difference before you commit it")
	pictures = flag.String("pictures", "", "folder to write pictures of the paper into")
)

// saleOf returns the facts of a sale with a ticket in its form.
func saleOf(t *testing.T, form string, cost money.Amount) Sale {
	t.Helper()
	ticket, err := keno.ParseTicket([]byte(form))
	if err != nil {
		t.Fatal(err)
	}
	book, err := rules.Book(ticket.Rulebook)
	if err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation(book.Zone())
	if err != nil {
		t.Fatal(err)
	}
	number, err := serial.ParseCode("1234567890123450")
	if err != nil {
		t.Fatal(err)
	}
	code, err := serial.ParseClaimCode("7ZQ0-M4KC-1XWD-E8TB")
	if err != nil {
		t.Fatal(err)
	}
	leaf := journal.LeafHash([]byte("a record"))
	return Sale{
		Counter: Counter{Heading: "Corner Keno", Venue: "Corner Hotel, Ballarat", Terminal: 2, Writer: "14"},
		Book:    book, Ticket: ticket, Cost: cost, Day: day.MustParse("2026-11-15"),
		Time:   time.Date(2026, 11, 15, 3, 2, 59, 0, time.UTC).In(zone),
		Serial: number, Claim: &code,
		Proof: Proof{Site: "https://keno.example", Place: "1:9000", Leaf: leaf,
			Checkpoint: journal.Checkpoint{Origin: "keno.example/v1", Size: 9001, Root: journal.LeafHash([]byte("a root"))}},
	}
}

// successorOf returns the edition of a book for the successor system.
func successorOf(base *rulebook.Book) (*rulebook.Book, error) {
	text, _ := rulebook.SuccessorOf(base)
	return rulebook.LoadOn("successor", []byte(text), func(rulebook.Hash) (*rulebook.Book, bool) { return base, true })
}

// slips returns one of every paper, by name.
func slips(t *testing.T) map[string]*Slip {
	t.Helper()
	all := map[string]*Slip{}
	put := func(name string) func(*Slip, error) {
		return func(s *Slip, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all[name] = s
		}
	}
	classic := saleOf(t, `{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":417},"games":10,"bets":[
		{"bet":"classic","spots":[3,17,42,56,61,70,79,80],"stake_cents":100,"with":{"multiplier":{"games":3}},"picked":"quick"}]}`, 1300)
	put("classic")(Ticket(classic))
	classic.Duplicate, classic.Promotional, classic.Claim, classic.Help = true, true, nil, "Help: 000"
	put("duplicate")(Ticket(classic))
	put("ways")(Ticket(saleOf(t, `{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":990},"games":20,"bets":[
		{"bet":"classic","groups":[[1,2],[11,12,13],[40],[50,51]],"play":{"spots":[3,5]},"stake_cents":100},
		{"bet":"heads_or_tails","calls":["evens"],"stake_cents":200}]}`, 20*(6*100+200))))
	put("run")(Ticket(saleOf(t, `{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":7},"games":3,"bets":[
		{"bet":"heads_or_tails","calls":["heads","heads","tails"],"run":true,"stake_cents":200,"with":{"multiplier":{}}}]}`, 400)))
	put("racing")(Ticket(saleOf(t, `{"v":1,"rulebook":"tas-keno-2023","first":{"day":"2026-11-15","game":998},"games":4,"bets":[
		{"bet":"racing","type":"trifecta","places":[[3],[2,4,6],[2,4,6]],"stake_cents":50}]}`, 1200)))
	successor := saleOf(t, `{"v":1,"rulebook":"tas-keno-2023","first":{"day":"2026-11-15","game":998},"games":5,"bets":[
		{"bet":"standard","spots":[7,11,19,23],"stake_cents":100,"with":{"lucky_last":{"stake_cents":200},"multiplier":{"games":2}}}]}`, 5*300+2*100)
	ring, err := serial.NewKeyring(serial.Key{1}, map[uint16]serial.Key{1: {2}})
	if err == nil {
		successor.Serial, err = ring.Code(serial.Place{Volume: 1, Seq: 5003}, true)
	}
	if err == nil {
		successor.Book, err = successorOf(successor.Book)
	}
	if err != nil {
		t.Fatal(err)
	}
	put("successor")(Ticket(successor))
	put("marks")(Ticket(saleOf(t, `{"v":1,"rulebook":"casino-keno-div2","first":{"day":"2026-11-15","game":12},"bets":[
		{"bet":"standard","groups":[[1,2],[11,12,13],[40]],"play":{"ways":[[1,2],[1,3]]},"stake_cents":100}]}`, 200)))
	otherSlips(t, classic, put)
	return all
}

func otherSlips(t *testing.T, from Sale, put func(string) func(*Slip, error)) {
	t.Helper()
	bonus := money.Amount(500)
	put("payment")(Payment(Paid{Counter: from.Counter, Serial: from.Serial.String(), Time: from.Time, Amount: 1300,
		Bonus: &bonus,
		Parts: []PaidPart{{"417", 800}, {"419", 500}}}))
	put("cancellation")(Cancellation(Cancelled{Counter: from.Counter, Serial: from.Serial.String(), Time: from.Time,
		Refund: 700, Carried: 400}))
	put("session")(Session(CustomerSession{Counter: from.Counter, Number: 31, Time: from.Time, Transactions: []Transaction{
		{"Prize", from.Serial.String(), -1300}, {"Ticket", "6000000000000005", 1000},
		{"Change receipt", "7000000000000008", 200}}}))
	put("change")(Voucher(Issued{Counter: from.Counter, Book: from.Book, Instrument: "change_receipt",
		Serial: "7000000000000008", Amount: 200, Time: from.Time, Expires: day.MustParse("2027-11-15")}))
	put("voucher")(Voucher(Issued{Counter: from.Counter, Book: from.Book, Instrument: "gift_voucher",
		GameType: "heads_or_tails", Serial: "7000000000000008", Amount: 200, Time: from.Time,
		Expires: day.MustParse("2027-11-15")}))
	put("results")(Results(Inquired{Counter: from.Counter, Book: from.Book, Time: from.Time, Results: []Result{
		{Day: from.Day, Game: 417, Numbers: []int{80, 3, 17, 42, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 60, 61, 62, 1},
			Multiplier: 2},
		{Day: from.Day, Game: 418}}}))
	put("cheque")(Cheque(ChequeOrder{Counter: from.Counter, Book: from.Book, Payee: "Zoë Šimůnek",
		Serial: from.Serial.String(), Amount: 1_234_056_07, Date: from.Day, Time: from.Time}))
}

// TestGoldenText compares every paper, on both rolls, with what it should say.
func TestGoldenText(t *testing.T) {
	for name, s := range slips(t) {
		for _, paper := range []Paper{Roll58, Roll80} {
			got, err := s.Text(paper)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", fmt.Sprintf("%s-%d.txt", name, paper.millimetres))
			if *rewrite {
				if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(path, []byte(got), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || got != string(want) {
				t.Errorf("%s differs (%v); it is now\n%s", path, err, got)
			}
			for _, row := range strings.Split(got, "\n") {
				if width(row) > paper.Columns() {
					t.Errorf("%s: the row %q is too wide", path, row)
				}
			}
		}
	}
}

// textRows returns the rows of letters of a slip.
func textRows(t *testing.T, s *Slip, paper Paper) (rows []string) {
	t.Helper()
	all, err := s.set(paper)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if r.text != "" {
			rows = append(rows, r.text)
		}
	}
	return rows
}

// symbolTexts returns what the symbols of a slip say.
func symbolTexts(s *Slip) (texts []string) {
	for _, l := range s.lines {
		if text := l.bars + l.qr; text != "" {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	return texts
}

// TestPrinterPrintsRows sends every paper to a printer and compares the rows.
func TestPrinterPrintsRows(t *testing.T) {
	for name, s := range slips(t) {
		for _, paper := range []Paper{Roll58, Roll80} {
			printed := printOn(t, s, paper)
			if want := textRows(t, s, paper); !slices.Equal(printed.Rows, want) || printed.Cuts != 1 || printed.Page != 2 {
				t.Errorf("%s: printed\n%q\nwant\n%q\n%d cuts, page %d", name, printed.Rows, want, printed.Cuts, printed.Page)
			}
			if *pictures != "" {
				if err := printed.WritePNG(filepath.Join(*pictures,
					fmt.Sprintf("%s-%d.png", name, paper.millimetres))); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func printOn(t *testing.T, s *Slip, paper Paper) *escpostest.Printed {
	t.Helper()
	data, err := s.ESCPOS(paper)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := escpostest.Print(data, paper.millimetres, paper.dots)
	if err != nil {
		t.Fatal(err)
	}
	return printed
}

// tool returns the path of a program, or skips the test and says what was not tried.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("NO INDEPENDENT PROGRAM HAS READ THE PAPER: %s is not installed: %v", name, err)
	}
	return path
}

// read has zbarimg read all symbols of a picture.
func read(t *testing.T, file string) []string {
	t.Helper()
	out, err := exec.Command(tool(t, "zbarimg"), "--quiet", "--raw", "-Sdisable", "-Scode128.enable", "-Sqrcode.enable",
		file).Output()
	if err != nil {
		t.Errorf("zbarimg %s: %v", file, err)
	}
	texts := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(texts)
	return texts
}

// TestReaderReadsPaper has an independent program read the symbols of receipts and of a
// voucher: off the paper of a thermal printer and off the rendered PDF, dot for dot at
// the resolution of the head.
func TestReaderReadsPaper(t *testing.T) {
	renderer := tool(t, "pdftoppm")
	count := 0
	all := slips(t)
	for _, name := range []string{"classic", "ways", "successor", "change"} {
		s := all[name]
		want := symbolTexts(s)
		for _, paper := range []Paper{Roll58, Roll80} {
			count += len(want)
			base := filepath.Join(t.TempDir(), name)
			if err := printOn(t, s, paper).WritePNG(base + ".png"); err != nil {
				t.Fatal(err)
			}
			if got := read(t, base+".png"); !slices.Equal(got, want) {
				t.Errorf("%s on %d mm: read %q off the printer's paper, want %q", name, paper.millimetres, got, want)
			}
			writePDF(t, s, paper, base+".pdf")
			if out, err := exec.Command(renderer, "-r", "203", "-png", "-singlefile", base+".pdf", base+
				"-pdf").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if got := read(t, base+"-pdf.png"); !slices.Equal(got, want) {
				t.Errorf("%s on %d mm: read %q off the PDF, want %q", name, paper.millimetres, got, want)
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d symbols were read", count)
	}
}

func writePDF(t *testing.T, s *Slip, paper Paper, path string) {
	t.Helper()
	var b bytes.Buffer
	if err := s.PDF(&b, paper, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestDocumentHasRows has an independent program read the text of the PDFs.
func TestDocumentHasRows(t *testing.T) {
	reader := tool(t, "pdftotext")
	for name, s := range slips(t) {
		path := filepath.Join(t.TempDir(), name+".pdf")
		writePDF(t, s, Roll80, path)
		out, err := exec.Command(reader, "-enc", "UTF-8", "-layout", path, "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(strings.Fields(string(out)), " ")
		for _, row := range textRows(t, s, Roll80) {
			if want := strings.Join(strings.Fields(row), " "); !strings.Contains(got, want) {
				t.Errorf("%s: the document does not say %q but %s", name, want, got)
			}
		}
	}
}

// TestPictureHasRows reads the SVG as XML: it is well formed, has every row, and
// refers to nothing outside.
func TestPictureHasRows(t *testing.T) {
	for name, s := range slips(t) {
		text, err := s.SVG(Roll58)
		if err != nil {
			t.Fatal(err)
		}
		decoder := xml.NewDecoder(strings.NewReader(text))
		var rows []string
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if start, ok := token.(xml.StartElement); ok && start.Name.Local == "text" {
				var row string
				if err := decoder.DecodeElement(&row, &start); err != nil {
					t.Fatal(err)
				}
				rows = append(rows, strings.ReplaceAll(row, hardSpace, " "))
			}
		}
		if want := textRows(t, s, Roll58); !slices.Equal(rows, want) {
			t.Errorf("%s: the picture has %q, want %q", name, rows, want)
		}
		for _, outside := range []string{"href", "url(", "<script", "<style", "style="} {
			if strings.Contains(text, outside) {
				t.Errorf("%s: the picture has %s", name, outside)
			}
		}
	}
}
