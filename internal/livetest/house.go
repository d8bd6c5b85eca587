// Package livetest makes the records of a small house, one step at a time, for
// tests of what the public sees.
//
// The records are what a real house would write as far as the public can tell:
// real seals signed by a real key, real rulebooks, tickets in between. They are
// not the work of the engine, so a fault there cannot hide one here. The tests of
// packages live, web and api use it.
package livetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// House writes records. Its methods fail the test on any fault.
type House struct {
	rulebook record.Hash
	t        testing.TB
	signer   journal.Signer
	tree     *journal.Tree
	mu       sync.Mutex // guards records, which may be read while the house goes on
	records  [][]byte
	now      time.Time
	requests uint64

	day     day.Day
	number  uint16
	ordinal uint32
	open    record.Game
	closed  record.Game
	stakes  money.Amount
	plays   uint64
	draw    uint8
	notices int // that were shown

	// Commit is told every record as soon as it is written, as a lane tells its
	// followers. It may be nil.
	Commit func(from record.Place, records [][]byte) error
}

// Marks that stand in the records of tickets and must never reach the public.
const (
	SecretMethod = "secret-method"
	SecretCost   = money.Amount(987_654_321)
)

// New returns a house that has begun its journal, with one series and no day,
// at a moment in November 2026.
func New(t testing.TB) *House {
	t.Helper()
	skey, vkey, err := journal.GenerateKey(bytes.NewReader(make([]byte, 32)), "test.example/keno/v1")
	check(t, err)
	signer, err := journal.ParseSigner(skey)
	check(t, err)
	book, err := rules.Book("vic-keno-2015")
	check(t, err)
	h := &House{t: t, signer: signer, tree: journal.NewTree(), now: time.UnixMilli(1_794_700_800_000)}
	hash := record.Hash(book.Hash())
	h.write(&record.VolumeBegun{House: "test.example/keno", Volume: 1, Level: 1, Reason: record.ReasonFound,
		Build: "test", HouseKey: vkey, DeviceKey: vkey})
	h.rulebook = hash
	h.write(&record.RulebookAdopted{ID: book.ID(), Hash: hash, Book: book.Canonical()})
	h.write(&record.SeriesBegun{Series: 1, Name: "vic-keno", Rulebook: hash, Schedule: "schedule-1"})
	h.write(&record.VenueAdded{Venue: 1, Kind: "hotel", Name: "Corner Hotel"})
	h.write(&record.TerminalAdded{Terminal: 1, Venue: 1, Channel: "writer"})
	return h
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// SetNow sets the time of the records to come.
func (h *House) SetNow(now time.Time) { h.now = now }

// Now returns the time of the newest record.
func (h *House) Now() time.Time { return h.now }

// Len returns the number of records.
func (h *House) Len() int { return len(h.records) }

// Records returns the records from the first on.
func (h *House) Records() [][]byte { return h.records[:len(h.records):len(h.records)] }

// Record returns a record as a store does.
func (h *House) Record(_ context.Context, place record.Place) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if place.Volume != 1 || place.Seq >= uint64(len(h.records)) {
		return nil, fmt.Errorf("no record at %v", place)
	}
	return bytes.Clone(h.records[place.Seq]), nil
}

func (h *House) write(body record.Body, postings ...ledger.Posting) {
	h.t.Helper()
	data, err := record.Encode(record.Record{Time: record.Of(h.now), Postings: postings, Body: body})
	check(h.t, err)
	h.tree.Append(data)
	place := record.Place{Volume: 1, Seq: uint64(len(h.records))}
	h.mu.Lock()
	h.records = append(h.records, data)
	h.mu.Unlock()
	if h.Commit != nil {
		check(h.t, h.Commit(place, [][]byte{data}))
	}
}

// OpenDay begins a Keno Day, eleven hours before UTC.
func (h *House) OpenDay(d string) {
	h.day, h.number = day.MustParse(d), 0
	h.write(&record.DayOpened{Series: 1, Day: h.day, OffsetSeconds: 39_600})
}

// CloseDay ends the Keno Day.
func (h *House) CloseDay() {
	h.write(&record.DayClosed{Series: 1, Day: h.day, Games: uint32(h.number) + 1})
}

// Open puts the next game on sale for a time.
func (h *House) Open(sale time.Duration) {
	h.number, h.ordinal = h.number+1, h.ordinal+1
	h.open = record.Game{Series: 1, Day: h.day, Number: h.number}
	h.stakes, h.plays = 0, 0
	h.write(&record.GameOpened{Game: h.open, Ordinal: h.ordinal, Closes: record.Of(h.now.Add(sale)),
		Rulebook: h.rulebook, Schedule: "schedule-1"})
}

// SkipTo lets the next game to open have a number.
func (h *House) SkipTo(number uint16) { h.number = number - 1 }

// Sell sells tickets for the open game.
func (h *House) Sell(count int) {
	for range count {
		h.requests++
		h.plays++
		h.stakes += 100
		h.write(&record.TicketSold{
			Request: record.Request{Terminal: 1, Number: h.requests}, Session: uint32(h.requests), Method: SecretMethod,
			Series: 1, Ordinal: h.ordinal, Ways: 1, Ticket: []byte{0x83, 1, 2, 3}, CostCents: SecretCost,
			Tenders: []record.Tender{{Kind: record.TenderCash, Cents: SecretCost}},
		}, ledger.Debit(ledger.Cash, 1, SecretCost), ledger.Credit(ledger.Unplayed, 0, SecretCost))
	}
}

// Close closes and seals the open game and returns the seal's fingerprint.
func (h *House) Close() string {
	h.closed, h.draw = h.open, 1
	h.write(&record.GameClosed{Game: h.closed, Plays: h.plays, Ways: h.plays, StakesCents: h.stakes})
	body := journal.SealBody{
		Checkpoint: journal.Checkpoint{Origin: "test.example/keno/v1", Size: h.tree.Size(), Root: h.tree.Root()},
		Game:       journal.Game{Series: "vic-keno", Day: h.closed.Day.String(), Number: uint32(h.closed.Number)},
		Plays:      h.plays, StakesCents: h.stakes.Cents(),
	}
	if h.plays > 0 {
		body.Open = []journal.Span{{Volume: 1, First: 0, Length: 1}}
	}
	note, err := journal.SignSeal(body, h.signer)
	check(h.t, err)
	h.write(&record.GameSealed{Game: h.closed, Seal: note})
	return body.Fingerprint()
}

// Draw draws numbers of the closed game.
func (h *House) Draw(numbers ...int) {
	for _, n := range numbers {
		h.write(&record.NumberDrawn{Game: h.closed, Draw: h.draw, Number: uint8(n), Bytes: []byte{byte(n)}})
	}
}

// Redraw lets the numbers to come be those of a further draw of the closed game,
// the one before it being void.
func (h *House) Redraw() { h.draw++ }

// Settle ends the draw of the closed game and settles it.
func (h *House) Settle(winners uint64, prizes money.Amount) {
	h.write(&record.GameDrawn{Game: h.closed, Draw: h.draw, Note: []byte("note")})
	h.write(&record.GameSettled{
		Game: h.closed, Revision: 1, Draw: h.draw, Plays: max(h.plays, winners), Ways: max(h.plays, winners),
		StakesCents: h.stakes,
		Winners:     winners, WinningWays: winners, PrizesCents: prizes, WinnersHash: sha256.Sum256(nil),
	})
}

// OpenPool begins a jackpot.
func (h *House) OpenPool(spots uint8, cents money.Amount) {
	h.write(&record.PoolOpened{Series: 1, Pool: record.Pool{Spots: spots, Primary: record.Exact(cents) * 10_000}})
}

// Witness has the seal of the closed game cosigned.
func (h *House) Witness(name string) {
	h.write(&record.GameWitnessed{Game: h.closed, Seal: []byte("cosigned"), By: []string{name}})
}

// VoidDraw lets the numbers so far not count.
func (h *House) VoidDraw() {
	h.write(&record.DrawVoided{Game: h.closed, Draw: h.draw, Reason: "a ball broke", Clause: "11.4(a)", Approval: 1})
	h.draw++
}

// VoidGame ends the closed game without a result.
func (h *House) VoidGame() {
	h.write(&record.GameVoided{Game: h.closed, Draw: h.draw, Reason: "no power", Clause: "11.6", Approval: 1,
		Deferred: true})
}

// Pause stops play for a moment and announces that it will end early.
func (h *House) Pause() {
	h.write(&record.PlayPaused{Series: 1, Reason: "device", By: 1})
	h.write(&record.PlayResumed{Series: 1, By: 1})
	h.write(&record.SeriesLimited{Series: 1, LastDay: day.MustParse("2027-03-31"), Games: 480, Approval: "decision 9"})
	h.write(&record.ClosureAnnounced{Series: 1, At: record.Of(h.now.Add(time.Hour)), By: 1})
	h.notices++
	h.write(&record.NoticeShown{Series: 1, Text: fmt.Sprintf("Notice %d", h.notices), By: 1})
}

// Resettle settles the closed game once more, with one jackpot shared.
func (h *House) Resettle(winners uint64, prizes money.Amount) {
	h.write(&record.GameSettled{
		Game: h.closed, Revision: 2, Draw: h.draw, Plays: max(h.plays, winners), Ways: max(h.plays, winners),
		StakesCents: h.stakes,
		Winners:     winners, WinningWays: winners, PrizesCents: prizes, WinnersHash: sha256.Sum256(nil),
		Awards:       []record.Award{{Spots: 7, Part: record.PartPool, AmountCents: prizes, StakesCents: 100}},
		JackpotWins:  []record.JackpotWin{{Ticket: record.Place{Volume: 1, Seq: 7}, Spots: 7, StakeCents: 100}},
		JackpotCents: prizes,
	})
}

// Correct corrects the result of the closed game and settles it anew.
func (h *House) Correct(revision uint8, numbers ...uint8) {
	h.write(&record.ResultCorrected{Game: h.closed, Revision: revision, Numbers: numbers, Reason: "a ball was misread",
		Clause: "11.1", Approval: 1})
	h.write(&record.GameSettled{
		Game: h.closed, Revision: revision, Draw: h.draw, Plays: h.plays, Ways: h.plays, StakesCents: h.stakes,
		WinnersHash: sha256.Sum256(nil),
	})
}

// Pay pays the first ticket.
func (h *House) Pay() {
	h.requests++
	h.write(&record.TicketPaid{
		Request: record.Request{Terminal: 1, Number: h.requests}, Session: uint32(h.requests), Series: 1,
		Ticket:  record.Place{Volume: 1, Seq: 7},
		Parts:   []record.PaidPart{{Ordinal: 1, Cents: SecretCost}},
		Tenders: []record.Tender{{Kind: record.TenderCash, Cents: -SecretCost}},
	}, ledger.Debit(ledger.Prizes, 0, SecretCost), ledger.Credit(ledger.Cash, 1, SecretCost))
}

// Numbers returns twenty numbers that differ from game to game.
func (h *House) Numbers() []int {
	numbers := make([]int, 20)
	for i := range numbers {
		// 31 has no factor in common with 80, so that no number repeats.
		numbers[i] = (i*31+int(h.ordinal)*17)%80 + 1
	}
	return numbers
}

// Play opens, sells, closes, draws and settles a whole game.
func (h *House) Play(tickets int) {
	h.Open(3 * time.Minute)
	h.Sell(tickets)
	h.Close()
	h.Draw(h.Numbers()...)
	h.Settle(uint64(tickets)/2, money.Amount(tickets)*50)
}
