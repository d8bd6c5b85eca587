package kept

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/books"
	"drawhouse/books/facts"
	"drawhouse/books/report"
	"drawhouse/check/verify"
	"drawhouse/core/day"
	"drawhouse/core/serial"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

var rewrite = flag.Bool("rewrite", false, "write what this build answers")

const answersFile = "testdata/answers.txt"

// statesOf is the name of the hashes of states, before the form of the hash.
const statesOf = "states of form "

// TestKeptAnswers holds what is told of the kept journals against what the earlier build told:
// the hash of the state after every record, balances, every report, every table of facts, and
// every ticket.
func TestKeptAnswers(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, j := range all {
		told := answers{t: t, journal: j, all: map[string][]byte{}}
		told.balances()
		told.reports()
		told.tables()
		told.tickets()
		for name, text := range told.all {
			got[j.Name+" "+name] = short(text)
		}
		if dir := os.Getenv("DRAWHOUSE_KEPT_ANSWERS"); dir != "" {
			for name, text := range told.all {
				file := dir + "/" + j.Name + " " + strings.ReplaceAll(name, "/", "-")
				if err := os.WriteFile(file, text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if *rewrite { // Look at the difference: each changed line is told otherwise than before.
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(got)) {
			fmt.Fprintf(&b, "%s %s\n", got[name], name)
		}
		if err := os.WriteFile(answersFile, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(answersFile)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		hash, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		want[name] = hash
		if _, form, ok := strings.Cut(name, statesOf); ok && form != fmt.Sprint(state.HashForm) {
			t.Fatalf("%s are kept, and this build hashes states in form %d: write them anew with -rewrite, and look whether "+
				"they are all that changes", name, state.HashForm)
		}
		if got[name] != hash {
			t.Errorf("%s is not what it was", name)
		}
	}
	if len(want) == 0 {
		t.Error("no answers were kept")
	}
}

// answers collects what is told of a journal.
type answers struct {
	t       *testing.T
	journal *Journal
	all     map[string][]byte
}

func (a *answers) must(err error) {
	a.t.Helper()
	if err != nil {
		a.t.Fatalf("%s: %v", a.journal.Name, err)
	}
}

// balances tells the balances, and the hash of the state after every record. Old games are packed.
func (a *answers) balances() {
	e := engine.New(a.journal.Key)
	e.State().KeepFresh(1)
	var b, states bytes.Buffer
	for _, r := range a.journal.Records {
		a.must(e.Replay(r.Data))
		hash := e.State().Hash()
		if anew := e.State().HashAnew(); anew != hash {
			a.t.Errorf("%s: after %v the state has the hash %x, and anew %x", a.journal.Name, r.Place, hash, anew)
		}
		fmt.Fprintf(&states, "%v %x\n", r.Place, hash)
	}
	a.all[fmt.Sprint(statesOf, state.HashForm)] = states.Bytes()
	for _, line := range e.State().Balances().Lines() {
		fmt.Fprintln(&b, line.Account, line.Unit, line.Cents)
	}
	a.all["balances"] = b.Bytes()
}

// reports makes every report of all days of the journal, the last of which may be open.
func (a *answers) reports() {
	fold := books.NewFold()
	var days []*books.Book
	today := day.None
	for _, stored := range a.journal.Records {
		r, err := record.Decode(stored.Data)
		a.must(err)
		switch b := r.Body.(type) {
		case *record.DayOpened:
			if b.Series == house.FirstSeries {
				today = b.Day
			}
		case *record.DayClosed:
			book := fold.Close(b.Series, b)
			if b.Series == house.FirstSeries {
				days, today = append(days, book), day.None
			}
		}
		a.must(fold.Add(stored.Place, r))
	}
	if today != day.None {
		days = append(days, fold.Peek(house.FirstSeries, &record.DayClosed{Series: house.FirstSeries, Day: today}))
	}
	if len(days) == 0 {
		return // A journal of bingo rooms alone.
	}
	var choice report.Choice
	if a.journal.Version() != "" { // Of the others the answers were kept without what is read of records.
		choice.Read = a.journal.record
	}
	for _, about := range report.All() {
		table, err := report.Make(about.Name, days, choice)
		a.must(err)
		for _, format := range []report.Format{report.Plain, report.CSV} {
			var b bytes.Buffer
			a.must(table.Write(&b, format))
			a.all[fmt.Sprintf("report %s.%s", about.Name, format)] = b.Bytes()
		}
	}
}

// Create implements facts.Sink.
func (a *answers) Create(name string) (io.WriteCloser, error) {
	return &written{answers: a, name: "export " + name}, nil
}

type written struct {
	bytes.Buffer
	answers *answers
	name    string
}

// Close implements io.Closer. A table is kept column by column: later builds add columns.
func (w *written) Close() error {
	if !strings.HasSuffix(w.name, ".csv") {
		return nil // It describes the columns.
	}
	rows, err := csv.NewReader(&w.Buffer).ReadAll()
	if err != nil {
		return err
	}
	if len(rows) == 1 {
		return nil // A table without rows says nothing of the journal.
	}
	for at, column := range rows[0] {
		var b bytes.Buffer
		for _, row := range rows {
			fmt.Fprintf(&b, "%q\n", row[at])
		}
		w.answers.all[w.name+" "+column] = b.Bytes()
	}
	return nil
}

// besides is what is beside the records of a journal.
type besides struct {
	journal *Journal
	engine  *engine.Engine
}

// Winners implements facts.Source.
func (b besides) Winners(series uint8, ordinal uint32, revision uint8) ([]byte, error) {
	name := game.WinnersName(series, ordinal, revision)
	data, ok := b.journal.Export[verify.ObjectsFolder+name]
	if !ok {
		return nil, fmt.Errorf("there is no %s", name)
	}
	return data, nil
}

// Desk implements facts.Source.
func (b besides) Desk(series uint8, ordinal uint32) (*keno.Desk, error) {
	return facts.DeskOf(b.engine.State(), series, ordinal)
}

// Back implements facts.Source.
func (b besides) Back(series uint8, ordinal uint32) ([]settle.Back, error) {
	return facts.BackOf(b.engine.State(), series, ordinal)
}

// tables writes the facts as tables.
func (a *answers) tables() {
	e := engine.New(a.journal.Key)
	w, err := facts.NewWriter(a, besides{a.journal, e}, facts.CSV)
	a.must(err)
	for _, stored := range a.journal.Records {
		r, err := record.Decode(stored.Data)
		a.must(err)
		a.must(e.Replay(stored.Data))
		a.must(w.Add(stored.Place, r))
	}
	_, _, err = w.Close("kept.example")
	a.must(err)
}

// tickets opens a house on the journal and asks for every ticket of keno.
func (a *answers) tickets() {
	ctx := context.Background()
	st, err := sqlite.Open(ctx, a.t.TempDir(), 1)
	a.must(err)
	defer func() { a.must(st.Close()) }()
	volume := a.fill(ctx, st)
	random := rand.NewChaCha8([32]byte{1})
	h, err := house.Open(ctx, house.Config{
		Store: st, Device: absent{}, Clock: standing(a.newest()), Entropy: random,
		Keys: house.Keys{
			House: a.journal.Key, HouseVerifier: volume.HouseKey, DeviceVerifier: volume.DeviceKey,
			Serials: &serial.Keyring{}, SerialKey: volume.SerialKey,
		},
	})
	if err != nil {
		a.t.Logf("%s: no house opens: %v", a.journal.Name, err)
		return
	}
	defer func() { a.must(h.Close(ctx)) }()
	var b bytes.Buffer
	for _, stored := range a.journal.Records {
		r, err := record.Decode(stored.Data)
		a.must(err)
		if _, ok := r.Body.(*record.TicketSold); !ok {
			continue
		}
		ticket, err := h.Ticket(ctx, stored.Place)
		if err != nil {
			fmt.Fprintln(&b, stored.Place, err)
			continue
		}
		fmt.Fprintln(&b, ticket.Place, ticket.Time, ticket.Sale.CostCents, ticket.Cancelled, ticket.Stop, ticket.Withheld,
			ticket.Forfeited, ticket.Leaf)
		for _, g := range ticket.Games {
			fmt.Fprintln(&b, g.Ref, g.Numbers, g.Prize, g.Carried, g.Refund, g.Paid, g.Lines)
		}
	}
	a.all["tickets"] = b.Bytes()
}

// fill stores the journal, and returns how its last volume began.
func (a *answers) fill(ctx context.Context, st store.Store) record.VolumeBegun {
	head, err := st.TakeOver(ctx)
	a.must(err)
	var begun record.VolumeBegun
	records := a.journal.Records
	for len(records) > 0 {
		volume := records[0].Place.Volume
		tree, batch := journal.NewTree(), store.Batch{Epoch: head.Epoch, Volume: volume}
		for len(records) > 0 && records[0].Place.Volume == volume {
			r, err := record.Decode(records[0].Data)
			a.must(err)
			if b, ok := r.Body.(*record.VolumeBegun); ok {
				begun = *b
			}
			subject, _ := r.Subject()
			tree.Append(records[0].Data)
			batch.Entries = append(batch.Entries, store.Entry{Data: records[0].Data, About: subject})
			records = records[1:]
		}
		batch.Root, batch.Tiles = tree.Root(), tree.TakeTiles()
		if len(records) == 0 {
			batch.Checkpoint = a.journal.Export["checkpoint"]
			for name, data := range a.journal.Export {
				if object, ok := strings.CutPrefix(name, "objects/"); ok {
					batch.Objects = append(batch.Objects, store.Object{Name: object, Data: data})
				}
			}
		}
		a.must(st.Append(ctx, batch))
	}
	return begun
}

// newest is the time of the newest record.
func (a *answers) newest() time.Time {
	last, err := record.Decode(a.journal.Records[len(a.journal.Records)-1].Data)
	a.must(err)
	return last.Time.Time()
}

// standing is a clock that stands.
type standing time.Time

func (c standing) Now() time.Time { return time.Time(c) }

func (c standing) WaitUntil(ctx context.Context, _ time.Time) error {
	<-ctx.Done()
	return ctx.Err()
}

// absent is a device that draws nothing.
type absent struct{ house.Device }

// short is the beginning of a text's hash, which is enough to see that the text has changed.
func short(text []byte) string {
	hash := sha256.Sum256(text)
	return fmt.Sprintf("%x", hash[:8])
}
