package bench

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/books"
	"drawhouse/cmd/drawhouse/console"
	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/game"
	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// What the trade of a measured house is like. A day has so many games that each of some
// venues has a few sales in it.
const (
	tradeVenues    = 200
	tradeTerminals = 2 * tradeVenues
	tradeGames     = 300
	tradeBatch     = 10_000 // records that are committed together: the writing is not measured
)

// trade writes the days of a house into a store, record by record, with the books that
// belong to them: what a house would write, without the decisions, which are not what is
// measured.
type trade struct {
	st     store.Store
	random *rand.Rand
	fold   *books.Fold
	tree   *journal.Tree
	batch  store.Batch
	epoch  uint64
	now    record.Time
	day    day.Day
	asked  [tradeTerminals + 1]uint64
	games  uint32
	visits uint64
	perDay uint64 // records
	begun  bool   // the house has its venues and terminals

	folding   time.Duration // spent on the books
	peeks     []float64     // milliseconds that the book of each day took just before its close
	bookBytes int           // of the last day's book
	days      []day.Day
}

func newTrade(ctx context.Context, st store.Store, perDay uint64) (*trade, error) {
	head, err := st.TakeOver(ctx)
	return &trade{
		st: st, random: rand.New(rand.NewPCG(2026, 11)), fold: books.NewFold(), tree: journal.NewTree(),
		epoch: head.Epoch,
		now:   1_767_225_600_000, day: day.MustParse("2026-01-01"), perDay: perDay,
	}, err
}

// upTo trades whole days until the journal has so many records.
func (t *trade) upTo(ctx context.Context, records uint64, line statusLine) error {
	if !t.begun {
		if err := t.begin(ctx); err != nil {
			return err
		}
	}
	for t.tree.Size() < records {
		line.show("writing records: %s of %s", console.Counted(t.tree.Size()), console.Counted(records))
		if err := t.trade(ctx, min(t.perDay, records-t.tree.Size())); err != nil {
			return err
		}
	}
	return t.commit(ctx)
}

func (t *trade) begin(ctx context.Context) error {
	t.begun = true
	bodies := []record.Body{&record.VolumeBegun{House: demo.House, Volume: 1, Level: 1, Reason: record.ReasonFound,
		HouseKey: "none", DeviceKey: "none"}}
	for venue := uint32(1); venue <= tradeVenues; venue++ {
		bodies = append(bodies, &record.VenueAdded{Venue: venue, Kind: "hotel", Name: "Venue"})
	}
	for terminal := uint32(1); terminal <= tradeTerminals; terminal++ {
		bodies = append(bodies, &record.TerminalAdded{Terminal: terminal, Venue: venueOfTrade(terminal),
			Channel: "writer"})
	}
	for _, body := range bodies {
		if err := t.write(ctx, body); err != nil {
			return err
		}
	}
	return nil
}

func venueOfTrade(terminal uint32) uint32 { return 1 + (terminal-1)%tradeVenues }

// trade writes a day of about so many records.
func (t *trade) trade(ctx context.Context, records uint64) error {
	end := t.tree.Size() + records
	if err := t.write(ctx, &record.DayOpened{Series: house.FirstSeries, Day: t.day}); err != nil {
		return err
	}
	each := max(1, records/tradeGames)
	for number := uint16(0); t.tree.Size() < end-1; number++ {
		if err := t.game(ctx, record.Game{Series: house.FirstSeries, Day: t.day, Number: number},
			min(each, end-1-t.tree.Size())); err != nil {
			return err
		}
	}
	closed := &record.DayClosed{Series: house.FirstSeries, Day: t.day}
	begin := time.Now()
	now := t.fold.Peek(house.FirstSeries, closed)
	t.peeks = append(t.peeks, milliseconds(time.Since(begin)))
	book, err := now.Encode()
	if err != nil {
		return err
	}
	t.fold.End(house.FirstSeries)
	t.folding += time.Since(begin)
	closed.Books, t.bookBytes = books.Hash(book), len(book)
	t.batch.Objects = append(t.batch.Objects, store.Object{Name: game.BookName(house.FirstSeries, t.day), Data: book})
	t.days = append(t.days, t.day)
	t.day++
	return t.write(ctx, closed)
}

// game writes a game with its visits: of twenty customers seventeen buy a ticket, two are
// paid and one buys a voucher.
func (t *trade) game(ctx context.Context, game record.Game, records uint64) error {
	t.games++
	if err := t.write(ctx, &record.GameOpened{Game: game, Ordinal: t.games, Closes: t.now + 180_000,
		Rulebook: record.Hash{1}, Schedule: "schedule-1"}); err != nil {
		return err
	}
	var stakes money.Amount
	for range max(3, records) - 3 {
		terminal := 1 + uint32(t.random.IntN(tradeTerminals))
		t.asked[terminal]++
		request := record.Request{Terminal: terminal, Number: t.asked[terminal]}
		body, postings := t.visit(request, venueOfTrade(terminal))
		if sold, ok := body.(*record.TicketSold); ok {
			stakes += sold.CostCents
		}
		if err := t.write(ctx, body, postings...); err != nil {
			return err
		}
	}
	fund := (stakes*75 + 99) / 100
	if err := t.write(ctx, &record.GameClosed{Game: game, Plays: records, Ways: records, StakesCents: stakes},
		ledger.Debit(ledger.Unplayed, 0, stakes), ledger.Credit(ledger.PrizeFund, 0,
			fund), ledger.Credit(ledger.Retained, 0, stakes-fund)); err != nil {
		return err
	}
	prizes := stakes * 3 / 5
	return t.write(ctx, &record.GameSettled{Game: game, Revision: 1, Draw: 1, Plays: records, Ways: records,
		StakesCents: stakes, Winners: records / 4, PrizesCents: prizes},
		ledger.Debit(ledger.PrizeFund, 0, prizes), ledger.Credit(ledger.Prizes, 0, prizes))
}

// someTicket stands for the bets of a ticket, as many bytes as those of a common one.
var someTicket = cbor.RawMessage(append([]byte{0x58, 38}, make([]byte, 38)...))

// visit returns what a customer does.
func (t *trade) visit(r record.Request, venue uint32) (record.Body, []ledger.Posting) {
	t.visits++
	cents := money.Amount(100 * (1 + t.random.IntN(20)))
	switch t.visits % 20 {
	case 7, 14:
		return &record.TicketPaid{Request: r, Session: uint32(r.Number), Ticket: record.Place{Volume: 1, Seq: 1},
				Series: house.FirstSeries, Parts: []record.PaidPart{{Ordinal: t.games, Cents: cents}},
				Tenders: []record.Tender{{Kind: record.TenderCash, Cents: -cents}}},
			[]ledger.Posting{ledger.Debit(ledger.Prizes, 0, cents), ledger.Credit(ledger.Cash, venue, cents)}
	case 19:
		return &record.InstrumentIssued{Request: r, Session: uint32(r.Number), Series: house.FirstSeries, ID: "gift_voucher",
				Cents: cents, Day: t.day, LastDay: t.day + 30, Kept: t.day + 90, Reason: record.IssuedForMoney,
				Claim: record.Hash{1}, Tenders: []record.Tender{{Kind: record.TenderCash, Cents: cents}}},
			[]ledger.Posting{ledger.Debit(ledger.Cash, venue, cents), ledger.Credit(ledger.Instruments, 2, cents)}
	}
	return &record.TicketSold{Request: r, Session: uint32(r.Number), Method: "form", Series: house.FirstSeries,
			Ordinal: t.games, Ticket: someTicket, Ways: 1, CostCents: cents,
			Claim: record.Hash{1}, Tenders: []record.Tender{{Kind: record.TenderCash, Cents: cents}}},
		[]ledger.Posting{ledger.Debit(ledger.Cash, venue, cents), ledger.Credit(ledger.Unplayed, 0, cents)}
}

// write adds a record to the books and to the batch.
func (t *trade) write(ctx context.Context, body record.Body, postings ...ledger.Posting) error {
	t.now += 50
	r := record.Record{Time: t.now, Postings: ledger.Merge(postings...), Body: body}
	data, err := record.Encode(r)
	if err != nil {
		return err
	}
	begin := time.Now()
	err = t.fold.Add(record.Place{Volume: 1, Seq: t.tree.Size()}, r)
	t.folding += time.Since(begin)
	if err != nil {
		return err
	}
	if len(t.batch.Entries) == 0 {
		t.batch.From = t.tree.Size()
	}
	t.tree.Append(data)
	t.batch.Entries = append(t.batch.Entries, store.Entry{Data: data})
	if len(t.batch.Entries) < tradeBatch {
		return nil
	}
	return t.commit(ctx)
}

// commit stores what has been written, with the books that belong to it.
func (t *trade) commit(ctx context.Context) error {
	if len(t.batch.Entries) == 0 {
		return nil
	}
	t.batch.Epoch, t.batch.Volume, t.batch.Root, t.batch.Tiles = t.epoch, 1, t.tree.Root(), t.tree.TakeTiles()
	err := t.st.Append(ctx, t.batch)
	t.batch = store.Batch{}
	return err
}
