package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"drawhouse/books"
	"drawhouse/books/report"
	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/decide/game"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// booksCmd measures how long it takes to know a balance, beside adding up the
// records, while a journal grows.
type booksCmd struct {
	Records   int    `default:"1000000" placeholder:"N" help:"Records that the journal grows to, from 10,000 on by tenfold (${default})."`
	PerDay    int    `name:"per-day" default:"100000" placeholder:"N" help:"Records of a trading day (${default})."`
	Questions int    `default:"200" placeholder:"N" help:"Questions of each kind; median and 99th of a hundred count (${default})."`
	Dir       string `placeholder:"DIR" help:"Directory on the disk to measure; the system's for temporary files if not given."`
	Database  string `placeholder:"URL" help:"PostgreSQL database to measure. A schema is made in it and removed again."`
	JSON      bool   `name:"json" help:"Write the report as JSON."`
}

// booksReport is what a measurement of the books came to.
type booksReport struct {
	Machine   machine     `json:"machine"`
	PerDay    int         `json:"records_per_day"`
	Venues    int         `json:"venues"`
	Questions int         `json:"questions"`
	Sizes     []booksSize `json:"sizes"`
}

// booksSize is what was measured at one size of the journal.
type booksSize struct {
	Records   uint64        `json:"records"`
	Days      int           `json:"days"`
	BookBytes int           `json:"book_bytes"`
	FoldNanos float64       `json:"fold_ns_per_record"`
	Answers   []booksAnswer `json:"answers"`
	Naive     float64       `json:"naive_seconds"`
	Times     float64       `json:"times_naive"` // adding up over the slowest median
}

// booksAnswer is how long one kind of question takes.
type booksAnswer struct {
	Question string  `json:"question"`
	Median   float64 `json:"median_ms"`
	P99      float64 `json:"p99_ms"`
}

// Run implements the command.
func (c *booksCmd) Run(out *bytes.Buffer) error {
	if err := errors.Join(checkCount("--records", c.Records, 100_000_000),
		checkCount("--per-day", c.PerDay, 100_000_000), checkCount("--questions", c.Questions, 100_000)); err != nil {
		return err
	}
	_, err := measured(out, c.Dir, c.Database, c.JSON, c.measure)
	return err
}

// smallest is the size at which the first questions are asked.
const smallest = 10_000

func (c *booksCmd) measure(ctx context.Context, place *site) (_ *booksReport, err error) {
	line := newStatusLine(os.Stderr)
	defer line.clear()
	storage, err := place.storage(ctx, "books")
	if err != nil {
		return nil, err
	}
	st, err := storage.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	t, err := newTrade(ctx, st, uint64(c.PerDay))
	if err != nil {
		return nil, err
	}
	found := &booksReport{Machine: thisMachine(), PerDay: c.PerDay, Venues: tradeVenues, Questions: c.Questions}
	for size := min(smallest, c.Records); ; size = min(10*size, c.Records) {
		if err := t.upTo(ctx, uint64(size), line); err != nil {
			return nil, err
		}
		line.show("asking at %s records", console.Counted(size))
		at, err := c.ask(ctx, st, t)
		if err != nil {
			return nil, err
		}
		found.Sizes = append(found.Sizes, at)
		if size == c.Records {
			return found, nil
		}
	}
}

// question is something that an operator wants to know of a day, answered from its book.
type question struct {
	name string
	ask  func(ctx context.Context, st store.Reader, t *trade, random *rand.Rand) error
}

// questions are what is asked of closed days. The last one reads as many books as a month has.
var questions = []question{
	{"venue, day", func(ctx context.Context, st store.Reader, t *trade, random *rand.Rand) error {
		b, err := randomBook(ctx, st, t, random)
		if err == nil && b.Unit(ledger.Cash, 1+uint32(random.IntN(tradeVenues))).Account == 0 {
			err = errors.New("a venue has no balance")
		}
		return err
	}},
	{"game", func(ctx context.Context, st store.Reader, t *trade, random *rand.Rand) error {
		b, err := randomBook(ctx, st, t, random)
		if err == nil && b.Games[random.IntN(len(b.Games))].Revisions != 1 {
			err = errors.New("a game was not settled")
		}
		return err
	}},
	{"instrument", func(ctx context.Context, st store.Reader, t *trade, random *rand.Rand) error {
		b, err := randomBook(ctx, st, t, random)
		if err == nil && b.Account(ledger.Instruments).Account == 0 {
			err = errors.New("no paper was issued")
		}
		return err
	}},
	{"venues, 31 days", func(ctx context.Context, st store.Reader, t *trade, _ *rand.Rand) error {
		var days []*books.Book
		for _, d := range t.days[max(0, len(t.days)-31):] {
			b, err := bookOn(ctx, st, d)
			if err != nil {
				return err
			}
			days = append(days, b)
		}
		_, err := report.Make(report.Venues, days, report.Choice{})
		return err
	}},
}

func randomBook(ctx context.Context, st store.Reader, t *trade, random *rand.Rand) (*books.Book, error) {
	return bookOn(ctx, st, t.days[random.IntN(len(t.days))])
}

func bookOn(ctx context.Context, st store.Reader, d day.Day) (*books.Book, error) {
	data, err := st.Object(ctx, game.BookName(house.FirstSeries, d))
	if err != nil {
		return nil, err
	}
	return books.Decode(data)
}

// ask asks everything at one size, and then does without the books once.
func (c *booksCmd) ask(ctx context.Context, st store.Reader, t *trade) (booksSize, error) {
	at := booksSize{Records: t.tree.Size(), Days: len(t.days), BookBytes: t.bookBytes,
		FoldNanos: float64(t.folding.Nanoseconds()) / float64(t.tree.Size())}
	random := rand.New(rand.NewPCG(7, t.tree.Size()))
	slowest := 0.0
	for _, q := range questions {
		took := make([]float64, c.Questions)
		for i := range took {
			begin := time.Now()
			if err := q.ask(ctx, st, t, random); err != nil {
				return at, fmt.Errorf("%s: %w", q.name, err)
			}
			took[i] = milliseconds(time.Since(begin))
		}
		answer := answered(q.name, took)
		at.Answers, slowest = append(at.Answers, answer), max(slowest, answer.Median)
	}
	at.Answers = append(at.Answers, answered("the open day", t.peeks))
	begin := time.Now()
	if err := addUp(ctx, st, t); err != nil {
		return at, err
	}
	at.Naive = time.Since(begin).Seconds()
	at.Times = at.Naive * 1000 / max(slowest, 0.001)
	return at, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// answered sums up how long answers took.
func answered(name string, took []float64) booksAnswer {
	sorted := slices.Sorted(slices.Values(took))
	return booksAnswer{Question: name, Median: median(sorted), P99: sorted[(len(sorted)-1)*99/100]}
}

// addUp is what is done without books: every record is read for one venue's cash on one
// day, which must be what the book says.
func addUp(ctx context.Context, st store.Reader, t *trade) error {
	const venue = 1
	on := t.days[len(t.days)-1]
	book, err := bookOn(ctx, st, on)
	if err != nil {
		return err
	}
	moved, first := int64(0), book.First
	head, err := st.Head(ctx)
	if err != nil {
		return err
	}
	err = st.Records(ctx, head.Volume, 0, head.Size, func(seq uint64, data []byte) error {
		place := record.Place{Volume: head.Volume, Seq: seq}
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		for _, p := range r.Postings {
			if p.Account == ledger.Cash && p.Unit == venue && !place.Before(first) && place.Before(book.End) {
				moved += p.Cents.Cents()
			}
		}
		return nil
	})
	if want := book.Unit(ledger.Cash, venue); err == nil && moved != (want.Debits-want.Credits).Cents() {
		err = fmt.Errorf("the records move %d cents at venue %d on %v, and the book says %v", moved, venue, on,
			want.Debits-want.Credits)
	}
	return err
}

// writeText writes the report for people.
func (r *booksReport) writeText(w *bytes.Buffer) {
	fmt.Fprintf(w, "%d venues, %s records a day, %d questions of each kind, %v\n", r.Venues, console.Counted(r.PerDay),
		r.Questions, r.Machine)
	for _, at := range r.Sizes {
		fmt.Fprintf(w, "\n%s records, %d days, a book of %.0f KiB, %.0f ns a record to keep it\n",
			console.Counted(at.Records), at.Days, float64(at.BookBytes)/1024, at.FoldNanos)
		for _, a := range at.Answers {
			fmt.Fprintf(w, "  %-16s %8.2f ms, 99th %8.2f ms\n", a.Question, a.Median, a.P99)
		}
		fmt.Fprintf(w, "  %-16s %8.0f ms, %.0f times the slowest of these\n", "every record", at.Naive*1000, at.Times)
	}
}
