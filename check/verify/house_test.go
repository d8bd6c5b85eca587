package verify_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/books"
	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/staff"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// A house writes a small journal by hand: no decision of the real house is in
// it, and every price, prize and posting of the story below was worked out on
// paper. A lying house changes a record before it is written, and signs what it
// wrote as if nothing had happened.
type house struct {
	t      testing.TB
	signer journal.Signer
	device journal.Signer
	about  verify.House

	tree    *journal.Tree
	data    [][]byte
	objects map[string][]byte
	now     record.Time

	// The rulebook under which it trades, its hash and schedule, and how games fill
	// the jackpots.
	rulebook string
	book     record.Hash
	schedule string
	rates    []record.PoolRate
	listed   string // the venue's id in catalogues

	places map[string]uint64
	in     map[string]uint16 // volumes of records, where they are not the first
	lies   lies

	approvals uint32 // how often two persons agreed
	unasked   bool   // nobody is asked for the next record
	ahead     bool   // the next void game is agreed on already
	shift     int    // by which the requests of terminal 70 are higher than the story says

	// begun is how the volume began, and past the records of those before it.
	begun *record.VolumeBegun
	past  map[uint16][][]byte

	// logged says that there is a public log, which the house's own program makes: log, or nil once a lie has ended it.
	// ended is the tree of the volume before, while the next one begins.
	logged bool
	log    *public.Fold
	ended  public.Journal
}

// lies are what a house does wrong, by the label of a record.
type lies struct {
	change map[string]func(*record.Record) // before it is written
	raw    map[string]func([]byte) []byte  // to the bytes that are written
	note   map[string]func(*house) []byte  // what is signed in a seal or statement
	skip   map[string]bool                 // do not write it
	before map[string]func(*house)         // do something else first
	object map[string]func([]byte) []byte  // to an object, by its name
	level  uint8                           // of the journal, where the story depends on it
}

const (
	houseName = "keno.example/vic"
	origin    = houseName + "/v1"
	series    = 1
	zone      = 11 * 3600
)

var (
	today = day.MustParse("2026-11-15")
	// opening is 2026-11-15 06:00 in Melbourne.
	opening = record.Time(1_794_682_800_000)
)

func key(t testing.TB, name string, seed byte) (journal.Signer, string) {
	t.Helper()
	skey, vkey, err := journal.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 32)), name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := journal.ParseSigner(skey)
	if err != nil {
		t.Fatal(err)
	}
	return signer, vkey
}

func newHouse(t testing.TB, l lies) *house {
	t.Helper()
	h := &house{t: t, tree: journal.NewTree(), objects: map[string][]byte{}, now: opening, places: map[string]uint64{},
		in: map[string]uint16{}, past: map[uint16][][]byte{}, lies: l, rulebook: "vic-keno-2015", schedule: "schedule-1",
		log: public.NewFold()}
	h.about = verify.House{Format: verify.FormatVersion, House: houseName, Volume: 1}
	h.signer, h.about.HouseKey = key(t, origin, 1)
	h.device, h.about.DeviceKey = key(t, "device", 2)
	return h
}

// add writes a record under a label.
func (h *house) add(label string, body record.Body, moves ...ledger.Posting) {
	h.t.Helper()
	if do := h.lies.before[label]; do != nil {
		delete(h.lies.before, label)
		do(h)
	}
	if h.lies.skip[label] {
		return
	}
	h.now += 1000
	r := record.Record{Time: h.now, Postings: ledger.Merge(moves...), Body: body}
	if sign := h.lies.note[label]; sign != nil {
		switch b := body.(type) {
		case *record.GameSealed:
			b.Seal = sign(h)
		case *record.GameDrawn:
			b.Note = sign(h)
		case *record.LogBegun:
			b.Note = sign(h)
		}
	}
	if lie := h.lies.change[label]; lie != nil {
		lie(&r)
	}
	if !h.unasked && h.approve(r.Body) {
		h.now += 1000
		r.Time = h.now
	}
	data, err := record.Encode(r)
	if err != nil {
		h.t.Fatalf("%s: %v", label, err)
	}
	if lie := h.lies.raw[label]; lie != nil {
		data = lie(data)
	}
	h.publish(r)
	h.places[label], _ = h.tree.Append(data)
	h.in[label] = h.about.Volume
	h.data = append(h.data, data)
}

func (h *house) store(name string, data []byte) {
	if lie := h.lies.object[name]; lie != nil {
		data = lie(bytes.Clone(data))
	}
	h.objects[name] = data
}

func (h *house) checkpoint() journal.Checkpoint {
	return journal.Checkpoint{Origin: journal.VolumeOrigin(houseName, h.about.Volume), Size: h.tree.Size(),
		Root: h.tree.Root()}
}

// found writes the records that a house begins with.
func (h *house) found() {
	book, err := rules.Book(h.rulebook)
	if err != nil {
		h.t.Fatal(err)
	}
	hash := record.Hash(book.Hash())
	h.book = hash
	h.begun = &record.VolumeBegun{House: houseName, Volume: 1, Level: 1, Reason: record.ReasonFound, Build: "test",
		HouseKey: h.about.HouseKey, DeviceKey: h.about.DeviceKey}
	h.add("volume", h.begun)
	h.add("rulebook", &record.RulebookAdopted{ID: book.ID(), Hash: hash, Book: book.Canonical()})
	h.add("series", &record.SeriesBegun{Series: series, Name: "vic-keno", Rulebook: hash, Schedule: h.schedule})
	kind := "casino"
	if h.rulebook == "vic-keno-2015" {
		kind = "club"
	}
	h.add("venue", &record.VenueAdded{Venue: 7, Kind: kind, Name: "Harbour Club", Listed: h.listed})
	h.add("terminal", &record.TerminalAdded{Terminal: 70, Venue: 7, Channel: "writer"})
	h.add("terminal 2", &record.TerminalAdded{Terminal: 71, Venue: 7, Channel: "sst"})
	h.crew(book)
	h.foundLog()
	h.add("day", &record.DayOpened{Series: series, Day: today, OffsetSeconds: zone})
}

// crew puts those on duty without whom the rulebook is not played.
func (h *house) crew(book *rulebook.Book) {
	venues := []record.VenueAdded{{Venue: 7}}
	terminals := []record.TerminalAdded{{Terminal: 70, Venue: 7, Channel: "writer"},
		{Terminal: 71, Venue: 7, Channel: "sst"}}
	for i, body := range staff.Crew(book, venues, terminals, staff.Unnamed) {
		h.add(fmt.Sprintf("crew %d", i+1), body)
	}
}

func gameName(ordinal uint32) record.Game {
	return record.Game{Series: series, Day: today, Number: uint16(ordinal - 1)}
}

func (h *house) open(ordinal uint32) {
	h.add(fmt.Sprintf("open %d", ordinal), &record.GameOpened{Game: gameName(ordinal), Ordinal: ordinal, Closes: h.now +
		180_000, Rulebook: h.book, Schedule: h.schedule, Rates: h.rates})
}

// ticketBytes returns the tree of a ticket, written as its layout says.
func ticketBytes(t testing.TB, rulebook string, first uint32, games int, bets ...map[int]any) []byte {
	t.Helper()
	mode, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		t.Fatal(err)
	}
	data, err := mode.Marshal([]any{1, rulebook, []any{int(today), int(first - 1)}, games, bets})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sell sells a ticket at terminal 70 for cash. Request and session follow the
// number of the sale.
func (h *house) sell(label string, number int, first uint32, games int, ways uint32, cost money.Amount,
	bets ...map[int]any) {
	h.t.Helper()
	h.add(label, &record.TicketSold{
		Request: record.Request{Terminal: 70, Number: uint64(number + h.shift)}, Session: uint32(number + h.shift),
		Method: "form",
		Series: series, Ordinal: first, Ticket: ticketBytes(h.t, h.rulebook, first, games, bets...), CostCents: cost,
		Ways: ways, Claim: claimOf(label), Tenders: []record.Tender{{Kind: record.TenderCash, Cents: cost}},
	}, ledger.Debit(ledger.Cash, 7, cost), ledger.Credit(ledger.Unplayed, 0, cost))
}

// openingOf and claimOf are the two hashes of a ticket's claim code, here its
// label.
func openingOf(label string) record.Hash { return sha256.Sum256([]byte(label)) }

func claimOf(label string) record.Hash {
	opening := openingOf(label)
	return sha256.Sum256(opening[:])
}

// totals are what a game comes to before its draw.
type totals struct {
	plays, ways                uint64
	stakes, fund               money.Amount
	multiplier, lucky, carried money.Amount // of the stakes
	tickets                    []string     // labels
	bonus                      record.Exact // for the bonus prize pool
	contributions              []record.Contribution
	moves                      []ledger.Posting // what the contributions move
	// along is what of void games is played along: their ordinals and totals.
	along *totals
	games []uint32
}

func (h *house) closeAndSeal(ordinal uint32, sum totals) {
	h.t.Helper()
	closed := &record.GameClosed{Game: gameName(ordinal), Plays: sum.plays, Ways: sum.ways, StakesCents: sum.stakes,
		MultiplierCents: sum.multiplier, LuckyLastCents: sum.lucky, CarriedCents: sum.carried,
		Contributions: sum.contributions, BonusPool: sum.bonus}
	if along := sum.along; along != nil {
		closed.Deferred, closed.DeferredPlays, closed.DeferredWays, closed.DeferredStakesCents = along.games, along.plays,
			along.ways, along.stakes
	}
	h.add(fmt.Sprintf("close %d", ordinal), closed,
		append([]ledger.Posting{ledger.Debit(ledger.Unplayed, 0, sum.stakes), ledger.Credit(ledger.PrizeFund, 0, sum.fund),
			ledger.Credit(ledger.Retained, 0, sum.stakes-sum.fund)}, sum.moves...)...)
	h.add(fmt.Sprintf("seal %d", ordinal), &record.GameSealed{Game: gameName(ordinal),
		Seal: h.seal(ordinal, sum, h.signer)})
}

// seal signs the seal of a game as the log stands.
func (h *house) seal(ordinal uint32, sum totals, signer journal.Signer) []byte {
	h.t.Helper()
	var open []journal.Span
	for volume := uint16(1); volume <= h.about.Volume; volume++ {
		if span, ok := h.bitmap(ordinal, volume, sum.tickets); ok {
			open = append(open, span)
		}
	}
	plays, stakes := sum.plays, sum.stakes
	if along := sum.along; along != nil {
		plays, stakes = plays+along.plays, stakes+along.stakes
	}
	seal, err := journal.SignSeal(journal.SealBody{
		Checkpoint: h.checkpoint(),
		Game:       journal.Game{Series: "vic-keno", Day: today.String(), Number: ordinal - 1},
		Plays:      plays, StakesCents: stakes.Cents(), Open: open,
	}, signer)
	if err != nil {
		h.t.Fatal(err)
	}
	return seal
}

// bitmap stores the bitmap of the tickets of a volume and returns its span, if there is
// such a ticket.
func (h *house) bitmap(ordinal uint32, volume uint16, tickets []string) (journal.Span, bool) {
	h.t.Helper()
	mine := slices.DeleteFunc(slices.Clone(tickets), func(label string) bool { return h.in[label] != volume })
	if len(mine) == 0 {
		return journal.Span{}, false
	}
	size := h.tree.Size()
	if volume != h.about.Volume {
		size = uint64(len(h.past[volume]))
	}
	first := h.places[mine[0]]
	builder, err := journal.NewBitmapBuilder(first, size-first)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, label := range mine {
		if err := builder.Set(h.places[label]); err != nil {
			h.t.Fatal(err)
		}
	}
	bitmap := builder.Build()
	h.store(fmt.Sprintf("bitmap/%d/%d/%d", series, ordinal, volume), bitmap.Bytes())
	return bitmap.Span(volume), true
}

// draw draws the numbers in their order. The second one costs a byte that is
// rejected.
func (h *house) draw(ordinal uint32, numbers []int) {
	h.t.Helper()
	var remaining []int
	for n := 1; n <= 80; n++ {
		remaining = append(remaining, n)
	}
	for i, n := range numbers {
		index := slices.Index(remaining, n)
		read := []byte{byte(index)}
		if i == 1 {
			read = []byte{255, byte(index)}
		}
		remaining = slices.Delete(remaining, index, index+1)
		h.add(fmt.Sprintf("number %d of %d", i+1, ordinal),
			&record.NumberDrawn{Game: gameName(ordinal), Draw: 1, Number: uint8(n), Bytes: read})
	}
	h.add(fmt.Sprintf("drawn %d", ordinal),
		&record.GameDrawn{Game: gameName(ordinal), Draw: 1, Note: h.result(ordinal, numbers, h.device)})
}

// result signs the device's statement as testdata of package draw shows it.
func (h *house) result(ordinal uint32, numbers []int, signer journal.Signer) []byte {
	h.t.Helper()
	text := fmt.Sprintf("drawhouse/draw/v1\ndevice rng\nseries vic-keno\nday %v\ngame %d\nrevision 1\nseal %v\nof 80\nnumbers %s\n",
		today, ordinal-1, h.sealHash(ordinal), spaced(numbers))
	note, err := journal.SignNote(text, signer)
	if err != nil {
		h.t.Fatal(err)
	}
	return note
}

// sealHash returns the hash of the body of the seal that stands in the journal.
func (h *house) sealHash(ordinal uint32) journal.Hash {
	h.t.Helper()
	r, err := record.Decode(h.data[h.places[fmt.Sprintf("seal %d", ordinal)]])
	if err != nil {
		h.t.Fatal(err)
	}
	verifier, err := journal.ParseVerifier(h.about.HouseKey)
	if err != nil {
		h.t.Fatal(err)
	}
	sealed, ok := r.Body.(*record.GameSealed)
	if !ok {
		return journal.Hash{} // A lie about the seal comes first anyway.
	}
	seal, err := journal.OpenSeal(sealed.Seal, verifier)
	if err != nil {
		return journal.Hash{}
	}
	return seal.Body().Hash()
}

func spaced(numbers []int) string {
	s := fmt.Sprint(numbers)
	return s[1 : len(s)-1]
}

// settle settles a game. The winners file and what it says are the story's, and so
// is what moves beside the prizes of the fund.
func (h *house) settle(ordinal uint32, settled record.GameSettled, won []prize, moves ...ledger.Posting) {
	h.t.Helper()
	settled.Game, settled.Revision, settled.Draw = gameName(ordinal), 1, 1
	name := fmt.Sprintf("winners/%d/%d/1", series, ordinal)
	h.store(name, h.winnersFile(ordinal, settled, won))
	settled.WinnersHash = sha256.Sum256(h.objects[name])
	h.add(fmt.Sprintf("settle %d", ordinal), &settled, append(moves,
		ledger.Debit(ledger.PrizeFund, 0, settled.PrizesCents+settled.BreakageCents),
		ledger.Credit(ledger.Prizes, 0, settled.PrizesCents), ledger.Credit(ledger.Breakage, 0, settled.BreakageCents))...)
}

// resettle settles a game again, with what is owed in addition and what moves.
func (h *house) resettle(ordinal uint32, settled record.GameSettled, won []prize, moves ...ledger.Posting) {
	h.t.Helper()
	settled.Game, settled.Draw = gameName(ordinal), 1
	whole := settled.PrizesCents
	settled.PrizesCents = 0
	for _, p := range won {
		settled.PrizesCents += p.cents
	}
	name := fmt.Sprintf("winners/%d/%d/%d", series, ordinal, settled.Revision)
	h.store(name, h.winnersFile(ordinal, settled, won))
	settled.PrizesCents, settled.WinnersHash = whole, sha256.Sum256(h.objects[name])
	h.add(fmt.Sprintf("settle %d again", ordinal), &settled, moves...)
}

// place returns where a record stands.
func (h *house) place(label string) record.Place {
	return record.Place{Volume: h.in[label], Seq: h.places[label]}
}

// moneyOf is an amount of cents.
func moneyOf(n int64) money.Amount { return money.Amount(n) }

// closeDay ends the day with its book, which the house's own program adds up.
func (h *house) closeDay(label string, games uint32) {
	h.t.Helper()
	fold := books.NewFold()
	for volume := uint16(1); volume <= h.about.Volume; volume++ {
		data := h.past[volume]
		if volume == h.about.Volume {
			data = h.data
		}
		for seq, encoded := range data {
			// A record that lies so that it cannot be read is found before the day ends.
			if r, err := record.Decode(encoded); err == nil {
				_ = fold.Add(record.Place{Volume: volume, Seq: uint64(seq)}, r)
			}
		}
	}
	closed := &record.DayClosed{Series: series, Day: today, Games: games}
	data, err := fold.Peek(series, closed).Encode()
	if err != nil {
		h.t.Fatal(err)
	}
	name := fmt.Sprintf("books/%d/%v", series, today)
	h.store(name, data)
	closed.Books = sha256.Sum256(h.objects[name])
	h.add(label, closed)
}

// pay pays a ticket's prize in one game, in cash.
func (h *house) pay(label string, number int, ticket string, ordinal uint32, cents money.Amount) {
	h.t.Helper()
	h.add(label, &record.TicketPaid{
		Request: record.Request{Terminal: 70, Number: uint64(number + h.shift)}, Session: uint32(number + h.shift),
		Ticket: h.place(ticket), Opening: openingOf(ticket), Series: series,
		Parts:   []record.PaidPart{{Ordinal: ordinal, Cents: cents}},
		Tenders: []record.Tender{{Kind: record.TenderCash, Cents: -cents}},
	}, ledger.Debit(ledger.Prizes, 0, cents), ledger.Credit(ledger.Cash, 7, cents))
}

// signed returns the newest checkpoint.
func (h *house) signed() []byte {
	h.t.Helper()
	signed, err := journal.SignCheckpoint(h.checkpoint(), h.signer)
	if err != nil {
		h.t.Fatal(err)
	}
	return signed
}

func burned(terminal uint32, number uint64) record.Body {
	return &record.RequestBurned{Terminal: terminal, Number: number}
}

// files exports the journal.
func (h *house) files() files {
	h.t.Helper()
	out := files{}
	if err := export.Write(context.Background(), out, h.about, h.signed(), h); err != nil {
		h.t.Fatal(err)
	}
	return out
}

// Records and Object make the house an export.Reader.
func (h *house) Records(_ context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	data := h.data
	if past, ok := h.past[volume]; ok {
		data = past
	}
	for seq := from; seq < to; seq++ {
		if err := fn(seq, data[seq]); err != nil {
			return err
		}
	}
	return nil
}

func (h *house) Object(_ context.Context, name string) ([]byte, error) {
	return h.objects[name], nil // A lying house has an empty one where it has none.
}

// files is an export in memory.
type files = export.Memory
