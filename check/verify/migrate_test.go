package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/core/ledger"
	"drawhouse/decide/command"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// adoptSuccessor has the house know the rules of the successor, and returns them.
func (m *market) adoptSuccessor() *rulebook.Book {
	m.t.Helper()
	text, _ := rulebook.SuccessorOf(m.book)
	base := func(rulebook.Hash) (*rulebook.Book, bool) { return m.book, true }
	book, err := rulebook.LoadOn("successor.yaml", []byte(text), base)
	require(m.t, err)
	adopt, _, err := command.ReadFile(command.RulebookFile{Text: command.FileText(text), Reference: "decision 7"}, base)
	require(m.t, err)
	require(m.t, m.approved(adopt))
	return book
}

// succeeded begins a series of the successor.
func (m *market) succeeded() {
	m.t.Helper()
	book := m.adoptSuccessor()
	require(m.t, m.approved(command.BeginSeries{Name: "successor", Rulebook: book.Hash().String(),
		Schedule: book.Schedules()[0].ID(), Interval: 180, Reference: "decision 5"}))
}

// ends plays the series to its end: its last day goes on until every ticket that was sold has played.
func (m *market) ends() {
	m.t.Helper()
	current, _ := m.engine.State().Series(series)
	last := current.Day + 1
	require(m.t, m.approved(command.EndSeries{LastDay: last.String(), Games: 480, Reference: "decision 6"}))
	require(m.t, m.engine.OpenDay(m.tick(), series, last, zone))
	for more := true; more; more = current.MustPlayOn() {
		require(m.t, m.engine.OpenGame(m.tick(), series, m.now+180_000))
		require(m.t, m.engine.CloseGame(m.tick(), series))
		m.take()
		m.play(current.Newest().Ordinal)
	}
	require(m.t, m.engine.CloseDay(m.tick(), series))
	m.take()
}

// closing plays some days of one system and brings what its players put into jackpots and
// bonus prizes to its successor, where seeded with money of the operator still in a pool.
func closing(t *testing.T, seeded bool) *market {
	t.Helper()
	const successor = 2
	m := newMarket(t, "tas-keno-2023", 5)
	m.days(200)
	m.ends()
	if seeded {
		require(t, m.approved(command.MovePool{Spots: 8, Move: rulebook.MoveLend, Cents: 12_345_00, Reference: "decision 1"}))
	}
	current, _ := m.engine.State().Series(series)
	for _, p := range current.Promotions() {
		if !p.Over {
			require(t, m.approved(command.ChangePromotion{Number: p.Number, Ended: true, Reference: "decision 2"}))
		}
	}
	m.succeeded()
	require(t, m.approvedIn(successor, command.MigratePools{From: series, Reference: "decision 3"}))
	if current.BonusPool() <= 0 {
		t.Fatal("there is no bonus prize pool to move")
	}
	require(t, m.approvedIn(successor, command.MigrateBonus{From: series, Reference: "decision 4"}))
	m.take()
	return m
}

// lastOf returns the last record of a market and its body.
func lastOf[B any](t *testing.T, m *market) (record.Record, *B) {
	t.Helper()
	r, err := record.Decode(m.records[len(m.records)-1])
	require(t, err)
	body, ok := any(r.Body).(*B)
	if !ok {
		t.Fatalf("the last record is %v", r.Kind())
	}
	return r, body
}

// toldInstead judges the journal with other postings and another body in its last record.
func (m *market) toldInstead(last record.Record, postings []ledger.Posting, body record.Body) *verify.Failure {
	m.t.Helper()
	data, err := record.Encode(record.Record{Time: last.Time, Postings: postings, Body: body})
	require(m.t, err)
	return m.upTo(len(m.records)-1, data).Failure
}

// TestClosingOfASystemAgrees has the second opinion follow the end of a system.
func TestClosingOfASystemAgrees(t *testing.T) {
	for _, seeded := range []bool{false, true} {
		if report := closing(t, seeded).verify(); !report.OK() {
			t.Errorf("seeded %v: %v", seeded, report.Failure)
		}
	}
}

// TestLyingAboutTheBonusPool changes the record that moves the pool.
func TestLyingAboutTheBonusPool(t *testing.T) {
	m := closing(t, false)
	r, moved := lastOf[record.BonusMoved](t, m)
	for name, lie := range map[string]struct {
		edit   func(*record.BonusMoved)
		reason string
	}{
		"less than the pool holds": {func(b *record.BonusMoved) { b.Amount-- }, "and the pool holds"},
		"out of another series":    {func(b *record.BonusMoved) { b.From = 7 }, "something else than this"},
		"into another series": {func(b *record.BonusMoved) { b.Series = 7 },
			"agreed on it for series 2, and it is of series 7"},
		"by another decision": {func(b *record.BonusMoved) { b.Approval = "decision 9" }, "something else than this"},
	} {
		told := *moved
		lie.edit(&told)
		if f := m.toldInstead(r, r.Postings, &told); f == nil || f.Check != verify.CheckPromotions ||
			!strings.Contains(f.Error(), lie.reason) {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// TestLyingAboutPoolsTakenIn changes the record that takes in the pools of a system outside.
func TestLyingAboutPoolsTakenIn(t *testing.T) {
	m := newMarket(t, "tas-keno-2023", 5)
	m.days(20)
	m.succeeded()
	require(t, m.approvedIn(2, command.TakeInPools{System: "old", JackpotCents: 300_000_01, BonusCents: 500,
		Reference: "decision 1"}))
	m.take()
	if report := m.verify(); !report.OK() {
		t.Fatal(report.Failure)
	}
	r, taken := lastOf[record.PoolsTakenIn](t, m)
	for name, lie := range map[string]struct {
		edit   func(*record.PoolsTakenIn)
		reason string
	}{
		"more for jackpots":     {func(b *record.PoolsTakenIn) { b.JackpotCents++ }, ""},
		"more for bonus prizes": {func(b *record.PoolsTakenIn) { b.BonusCents++ }, ""},
		"a larger lot": {func(b *record.PoolsTakenIn) { b.Pools[0].Primary += 10_000; b.Pools[0].Waiting -= 10_000 },
			"is right"},
		"another system":   {func(b *record.PoolsTakenIn) { b.System = "older" }, "something else than this"},
		"another decision": {func(b *record.PoolsTakenIn) { b.Approval = "decision 9" }, "something else than this"},
		"another series":   {func(b *record.PoolsTakenIn) { b.Series = 7 }, ""},
		"the old series":   {func(b *record.PoolsTakenIn) { b.Series = series }, ""},
	} {
		told := *taken
		told.Pools = append([]record.Pool{}, taken.Pools...)
		lie.edit(&told)
		if f := m.toldInstead(r, r.Postings, &told); f == nil || f.Check != verify.CheckJackpots ||
			!strings.Contains(f.Error(), lie.reason) {
			t.Errorf("%s: %v", name, f)
		}
	}
	for i := range r.Postings {
		wrong := append(r.Postings[:0:0], r.Postings...)
		wrong[i].Cents++
		wrong[(i+1)%len(wrong)].Cents--
		if f := m.toldInstead(r, wrong, taken); f == nil {
			t.Errorf("posting %d may be another", i)
		}
	}
}

// TestLyingAboutTheEnd changes the record that sets the last Keno Day of a series.
func TestLyingAboutTheEnd(t *testing.T) {
	m := newMarket(t, "tas-keno-2023", 5)
	m.days(20)
	current, _ := m.engine.State().Series(series)
	require(t, m.approved(command.EndSeries{LastDay: (current.Day + 9).String(), Games: 480, Reference: "decision 1"}))
	m.take()
	if report := m.verify(); !report.OK() {
		t.Fatal(report.Failure)
	}
	r, set := lastOf[record.SeriesLimited](t, m)
	for name, edit := range map[string]func(*record.SeriesLimited){
		"another day":        func(b *record.SeriesLimited) { b.LastDay++ },
		"a day that is past": func(b *record.SeriesLimited) { b.LastDay = current.Day - 1 },
		"more games":         func(b *record.SeriesLimited) { b.Games++ },
		"another decision":   func(b *record.SeriesLimited) { b.Approval = "decision 9" },
	} {
		told := *set
		edit(&told)
		if f := m.toldInstead(r, r.Postings, &told); f == nil || f.Check != verify.CheckGames {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// TestSoldAfterTheEnd has the last ticket of a day be sold after trading was announced to end.
func TestSoldAfterTheEnd(t *testing.T) {
	m := newMarket(t, "tas-keno-2023", 5)
	require(t, m.engine.OpenDay(m.tick(), series, today, zone))
	require(t, m.engine.OpenGame(m.tick(), series, m.now+180_000))
	at := m.now + 100_000
	require(t, m.approved(command.AnnounceClosure{At: at.Time().Format("2006-01-02T15:04:05.000Z07:00")}))
	for sold := m.sold; m.sold == sold; {
		m.sell()
	}
	m.take()
	r, sold := lastOf[record.TicketSold](t, m)
	for late, fails := range map[record.Time]bool{0: false, 1: true} {
		r.Time = at + late
		f := m.toldInstead(r, r.Postings, sold)
		if (f != nil) != fails || fails && !strings.Contains(f.Error(), "announced to end") {
			t.Errorf("%d ms after the end: %v", late, f)
		}
	}
}

// TestBonusPoolInTransition has a house play for the bonus prize pool in a game that opens while its system is being
// succeeded: the second opinion knows that it does not (tas-keno-2023 17.4(a)).
func TestBonusPoolInTransition(t *testing.T) {
	for _, obeys := range []bool{true, false} {
		m := newMarket(t, "tas-keno-2023", 5)
		m.days(20)
		current, _ := m.engine.State().Series(series)
		require(t, m.approved(command.BeginPromotion{Name: "Any one", Cents: 50, Bet: "standard", Spots: 1, Matched: 1,
			From: uint32(current.Games()) + 1, Reference: "decision 1"}))
		m.succeeded()
		offer := &current.Promotions()[len(current.Promotions())-1]
		if offer.On(uint32(current.Games())+1) || !offer.Resting() {
			t.Fatalf("the transition does not pause %+v", offer)
		}
		if !obeys {
			offer.Rests = nil
		}
		require(t, m.engine.OpenDay(m.tick(), series, current.Day+1, zone))
		require(t, m.engine.OpenGame(m.tick(), series, m.now+180_000))
		for n := range 80 {
			m.ask(1, 1, fmt.Sprintf(`{"bet":"standard","spots":[%d],"stake_cents":100}`, n+1))
		}
		require(t, m.engine.CloseGame(m.tick(), series))
		m.take()
		m.cosign(current.Newest().Ordinal)
		m.result(current.Newest().Ordinal, 1)
		if offer.Over == obeys {
			t.Fatalf("the promotion was won: %v", offer.Over)
		}
		report := m.verify()
		if report.OK() != obeys {
			t.Errorf("of a house that pauses the promotion, %v: %v", obeys, report.Failure)
		}
	}
}
