package house

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"drawhouse/books"
	"drawhouse/books/entries"
	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/journal/store/sqlite"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

const (
	movers     = "tas-keno-2023"
	hobart     = 11 * 60 * 60 // what clocks there add to UTC in summer, in seconds
	oldSeries  = FirstSeries
	newSeries  = 2
	moveVenues = 3

	moveInspector = 900
)

// mover is a house that moves to a successor system. Terminal n stands at venue n.
type mover struct {
	*bench
	two     two
	numbers map[uint32]uint64 // of requests, by terminal
	at      map[record.Place]uint32
	today   day.Day
}

// edition reads the text of an edition of the rulebook, of a number.
func edition(t testing.TB, text string, number int) (*rulebook.Book, []byte) {
	t.Helper()
	base, err := rules.Book(movers)
	must(t, err)
	was := fmt.Sprintf("\nedition: %d\n", base.Edition()+1)
	if !strings.Contains(text, was) {
		t.Fatalf("the edition does not say %q", was)
	}
	text = strings.Replace(text, was, fmt.Sprintf("\nedition: %d\n", number), 1)
	book, err := rulebook.LoadOn(movers, []byte(text), func(rulebook.Hash) (*rulebook.Book, bool) { return base, true })
	must(t, err)
	return book, []byte(text)
}

// newMover founds a house with three venues by an edition.
func newMover(t *testing.T, text string) *mover {
	t.Helper()
	m := &mover{bench: closedBench(t), numbers: map[uint32]uint64{}, at: map[record.Place]uint32{},
		today: day.MustParse("2026-11-15")}
	m.rules = movers
	book, file := edition(t, text, 2)
	base, err := rules.Book(movers)
	must(t, err)
	var venues []record.VenueAdded
	var terminals []record.TerminalAdded
	for n := uint32(1); n <= moveVenues; n++ {
		venues = append(venues, record.VenueAdded{Venue: n, Kind: string(rulebook.VenueLicensed),
			Name: fmt.Sprintf("Hotel %d", n)})
		terminals = append(terminals, record.TerminalAdded{Terminal: n, Venue: n, Channel: "writer"})
	}
	st, err := sqlite.Open(t.Context(), m.dir, 1)
	must(t, err)
	t.Cleanup(func() { _ = st.Close() })
	keys, err := KeysOf(t.Context(), st, filepath.Join(m.dir, "keys"), "bench.example", m.random)
	must(t, err)
	m.store = st
	m.house, err = Open(t.Context(), Config{Store: st, Keys: keys, Clock: m.clock, Entropy: m.random,
		NextSerials: m.nextSerials, FreshGames: 1, Founding: engine.Founding{
			House: "bench.example", Build: "test", HouseKey: keys.HouseVerifier, DeviceKey: keys.DeviceVerifier,
			SerialKey: keys.SerialKey, Book: book, Text: file, Reference: "letter 1", Bases: []engine.Basis{{Book: base}}, Series: "old-keno",
			Schedule: book.Schedules()[0].ID(), Venues: venues, Terminals: terminals,
			People: append(staff.Crew(book, venues, terminals, staff.Unnamed),
				&record.PersonAdded{Person: moveInspector, Details: staff.Unnamed(moveInspector, record.RoleInspector)},
				&record.RoleGranted{Person: moveInspector, Role: record.RoleInspector}),
		}})
	must(t, err)
	m.two = m.appoint()
	return m
}

// over reports whether the series has had its last Keno Day.
func (c Course) over() bool { return c.LastDay != day.None && !c.DayOpen && c.Day >= c.LastDay }

func (m *mover) line(id uint8) *Line { return must1(m.house.Line(id)) }

// agree has two persons do something in a series.
func (m *mover) agree(series uint8, act command.Act) error {
	return m.agreeWith(m.two.carol, series, act)
}

// agreeWith has the second of two persons be a certain one.
func (m *mover) agreeWith(second uint32, series uint8, act command.Act) error {
	m.t.Helper()
	line := m.line(series)
	number, err := line.Ask(m.t.Context(), m.two.ann, act)
	if err != nil {
		return err
	}
	_, err = m.house.Do(m.t.Context(), command.Change{Command: staff.Consent{By: second, Approval: number,
		Content: command.Content(series, act), Granted: true}}, record.By{})
	must(m.t, err)
	_, err = m.house.Operate(m.t.Context(), m.two.ann, number)
	return err
}

// refusesBy wants a refusal that quotes a clause.
func (m *mover) refusesBy(err error, code refusal.Code, clause string) {
	m.t.Helper()
	m.refuses(err, code)
	if refused, ok := err.(*refusal.Refusal); ok && refused.Clause != clause { //nolint:errorlint // It is not wrapped.
		m.t.Errorf("%s quotes %q, want %q", code, refused.Clause, clause)
	}
}

// begin begins the day and the first game of a series.
func (m *mover) begin(series uint8) {
	m.t.Helper()
	must(m.t, m.line(series).OpenDay(m.t.Context(), m.today, hobart))
	must(m.t, m.line(series).OpenGame(m.t.Context(), m.clock.Now().Add(time.Minute)))
}

// play closes the game on sale, opens another one unless it is the last, draws and settles.
func (m *mover) play(series uint8, last bool) {
	m.t.Helper()
	ctx, line := m.t.Context(), m.line(series)
	m.clock.set(m.clock.Now().Add(time.Minute))
	ordinal := must1(line.Course(ctx)).OnSale
	if last {
		must(m.t, line.CloseGame(ctx))
	} else {
		must(m.t, line.TurnGame(ctx, m.clock.Now().Add(time.Minute)))
	}
	for range config.Numbers {
		must(m.t, line.DrawNumber(ctx, ordinal))
	}
	must(m.t, line.FinishDraw(ctx, ordinal))
	must(m.t, line.SettleGame(ctx, ordinal))
}

// sale is the sale of a ticket of some games at a terminal.
func (m *mover) sale(terminal uint32, series uint8, games int, bet string) (Sale, serial.ClaimCode) {
	m.t.Helper()
	m.numbers[terminal]++
	request, err := keno.ParseRequest(fmt.Appendf(nil, `{"v":1,"rulebook":%q,"first":"open","games":%d,"bets":[%s]}`,
		movers,
		games, bet))
	must(m.t, err)
	code, err := serial.NewClaimCode(m.random)
	must(m.t, err)
	return Sale{Request: record.Request{Terminal: terminal, Number: m.numbers[terminal]},
		Order: Order{Series: series, Terminal: terminal, Method: rulebook.MethodVerbal, Ticket: request},
		Claim: code.Hash(terminal, m.numbers[terminal])}, code
}

// sell sells a ticket, or says why not.
func (m *mover) sell(terminal uint32, series uint8, games int) (Sold, error) {
	m.t.Helper()
	s, code := m.sale(terminal, series, games, `{"bet":"standard","spots":{"pick":1},"stake_cents":100}`)
	sold, err := m.house.Sell(m.t.Context(), s.Request, s.Order, s.Claim, 0)
	if err != nil {
		m.numbers[terminal]-- // It was not decided.
		return sold, err
	}
	m.sold, m.codes[sold.Place], m.at[sold.Place] = append(m.sold, sold), code, terminal
	return sold, nil
}

// fill has players put so many times $1,999 on nine spots in the game on sale.
func (m *mover) fill(terminal uint32, series uint8, tickets int) {
	m.t.Helper()
	var all []Sale
	for range tickets {
		s, _ := m.sale(terminal, series, 1, `{"bet":"standard","spots":[71,72,73,74,75,76,77,78,79],"stake_cents":199900}`)
		all = append(all, s)
	}
	for _, result := range m.house.SellAll(m.t.Context(), all) {
		must(m.t, result.Err)
	}
}

// fillSingles has players put $1 on each number in the game on sale.
func (m *mover) fillSingles(terminal uint32, series uint8) {
	m.t.Helper()
	var all []Sale
	of, _ := m.line(series).Book().Numbers()
	for n := range of {
		s, _ := m.sale(terminal, series, 1, fmt.Sprintf(`{"bet":"standard","spots":[%d],"stake_cents":100}`, n+1))
		all = append(all, s)
	}
	for _, result := range m.house.SellAll(m.t.Context(), all) {
		must(m.t, result.Err)
	}
}

// offers wants the promotion of the successor to rest or not.
func (m *mover) offers(rests bool) {
	m.t.Helper()
	now := must1(m.line(newSeries).Course(m.t.Context()))
	if len(now.Promotions) != 1 || now.Promotions[0].Resting() != rests {
		m.t.Errorf("the promotions of the successor are %+v", now.Promotions)
	}
	if playing := m.house.viewed().line(newSeries).isPoolGame(now.OnSale, now.OnSale+1); playing == rests {
		m.t.Errorf("the games on sale play for the bonus prize pool: %v", playing)
	}
}

// pays has a terminal pay a ticket that won.
func (m *mover) pays(terminal uint32, sold Sold) error {
	m.t.Helper()
	m.numbers[terminal]++
	_, err := m.house.Pay(m.t.Context(), record.Request{Terminal: terminal, Number: m.numbers[terminal]}, sold.Place,
		Holder{Code: m.codes[sold.Place]})
	if err != nil {
		m.numbers[terminal]--
	}
	return err
}

// coded wants a ticket to have a code of its series' form, by which it is found, and that the other form is refused.
func (m *mover) coded(sold Sold, successor bool, clause string) {
	m.t.Helper()
	code := must1(m.house.Serial(sold.Place))
	if length := len(code.String()); successor != (length == 27 && strings.HasPrefix(code.String(), "TO")) || !successor &&
		length != 16 {
		m.t.Errorf("a ticket of series %d has the code %v", sold.Sale.Series, code)
	}
	if found, err := m.house.Find(code.String()); err != nil || found != sold.Place {
		m.t.Errorf("%v names %v: %v", code, found, err)
	}
	other := must1(must1(m.house.keyring()).Code(serial.Place{Volume: sold.Place.Volume, Seq: sold.Place.Seq}, !successor))
	_, err := m.house.Find(other.String())
	m.refusesBy(err, SerialUnreadable, clause)
}

// TestTasmanianMove moves three venues one after the other from one system to its successor: the successor's games have
// numbers from 0000 to 9999 and its tickets codes of 27 characters, the jackpots follow in lots, the old games end with
// their last Keno Day, and then the bonus prize pool follows.
func TestTasmanianMove(t *testing.T) {
	t.Parallel()
	base := must1(rules.Book(movers))
	m := newMover(t, rulebook.EditionOf(base))
	text, ok := rulebook.SuccessorOf(base)
	if !ok {
		t.Fatal("the rulebook names no successor")
	}
	book, file := edition(t, text, 3)
	adopt, _, err := command.ReadFile(command.RulebookFile{Text: command.FileText(file), Reference: "letter 2"},
		func(rulebook.Hash) (*rulebook.Book, bool) { return base, true })
	must(t, err)
	must(t, m.agree(oldSeries, adopt))
	m.refusesBy(m.agree(oldSeries, command.ChangeTerms{From: 9, Rulebook: book.Hash().String(),
		Schedule:  book.Schedules()[0].ID(),
		Reference: "letter 3"}), game.SystemFixed, "3.2(a)")
	must(t, m.agree(oldSeries, command.BeginSeries{Name: "new-keno", Rulebook: book.Hash().String(),
		Schedule: book.Schedules()[0].ID(), Interval: 180, Reference: "letter 3"}))
	m.begin(oldSeries)
	m.begin(newSeries)
	if _, err := m.sell(1, newSeries, 1); err == nil {
		t.Fatal("a venue sells the successor's games before it has moved")
	}
	longest, err := m.sell(1, oldSeries, 5)
	must(t, err)
	m.fill(2, oldSeries, 850)

	// One venue after the other. A venue is of one system.
	m.refusesBy(m.agree(oldSeries, command.LicenseVenue{Venue: 1, Series: newSeries, Sells: true, Reference: "letter 4"}),
		counter.TwoSystems, "front.transition")
	must(t, m.agree(oldSeries, command.LicenseVenue{Venue: 1, Series: newSeries, Sells: true, Instead: oldSeries,
		Reference: "letter 4"}))
	m.refuses(m.agree(oldSeries, command.LicenseVenue{Venue: 1, Series: newSeries, Sells: true, Instead: oldSeries,
		Reference: "letter 4"}),
		counter.LicenceKnown)
	_, err = m.sell(1, oldSeries, 1)
	m.refuses(err, counter.Unlicensed)
	ours, err := m.sell(1, newSeries, 12)
	must(t, err)
	theirs, err := m.sell(2, oldSeries, 1)
	must(t, err)
	m.coded(ours, true, "3.2(b)")
	m.coded(theirs, false, "3.2(a)")
	numbering := m.line(newSeries).Book().Games().Numbering
	if first := numbering.Print(ours.Ticket.First.Game); first != "0000" {
		t.Errorf("the first game of the successor is %s", first)
	}
	m.fillSingles(1, newSeries)
	m.play(oldSeries, false)
	m.play(newSeries, false)
	must(t, m.agree(oldSeries, command.LicenseVenue{Venue: 2, Series: newSeries, Sells: true, Instead: oldSeries,
		Reference: "letter 5"}))
	_, err = m.sell(2, newSeries, 3)
	must(t, err)

	// The end of the old games.
	ends := func(last day.Day, games uint32, reference string) error {
		return m.agree(oldSeries, command.EndSeries{LastDay: last.String(), Games: games, Reference: reference})
	}
	m.refusesBy(ends(m.today, 480, ""), game.ApprovalMissing, "front.transition")
	m.refusesBy(ends(m.today, 0, "letter 6"), game.GamesMissing, "front.transition")
	m.refusesBy(ends(m.today-1, 480, "letter 6"), game.DayIsPast, "front.transition")
	m.refusesBy(ends(m.today, 4, "letter 6"), game.SoldBeyond, "front.transition")
	must(t, ends(m.today+1, 480, "letter 6"))
	must(t, ends(m.today, 6, "letter 7"))
	_, err = m.sell(3, oldSeries, 6)
	m.refusesBy(err, counter.BehindLast, "front.transition")
	for range 4 {
		_, err = m.sell(3, oldSeries, 5)
		must(t, err)
	}
	m.play(oldSeries, false)
	must(t, m.agree(oldSeries, command.LicenseVenue{Venue: 3, Series: newSeries, Sells: true, Instead: oldSeries,
		Reference: "letter 8"}))
	if board := m.house.Hub().Board(); board.Series[0].LastDay != m.today.String() || board.Series[1].GameDigits != 4 {
		t.Errorf("the board has %+v", board.Series)
	}

	// What a venue has sold it pays and gives back.
	m.numbers[1]++
	if back, err := m.house.Cancel(t.Context(), record.Request{Terminal: 1, Number: m.numbers[1]}, longest.Place,
		Holder{Code: m.codes[longest.Place]}); err != nil || back.Cancellation.RefundCents != 300 {
		t.Errorf("a ticket of the old games is given back: %+v, %v", back.Cancellation, err)
	}

	// The pools stay until the old games have ended, and the last day goes on until the last ticket has played.
	pools := command.MigratePools{From: oldSeries, Reference: "letter 9"}
	bonus := command.MigrateBonus{From: oldSeries, Reference: "letter 11"}
	m.refusesBy(m.agree(newSeries, pools), game.SeriesGoesOn, "7.7(a)")
	m.refusesBy(m.agree(newSeries, bonus), game.SeriesGoesOn, "17.4(c)")
	m.refusesBy(m.agree(oldSeries, command.MigratePools{From: newSeries, Reference: "letter 9"}), jackpot.SameSystem, "7.7(a)")
	m.refusesBy(m.agree(oldSeries, command.MigrateBonus{From: newSeries, Reference: "letter 9"}), jackpot.SameSystem,
		"17.4(c)")
	must(t, m.agreeWith(moveInspector, newSeries, command.BeginPromotion{Name: "Any one", Cents: 50, Bet: "standard", Spots: 1, Matched: 1,
		From: must1(m.line(newSeries).Course(t.Context())).Newest + 1, Reference: "letter 9"}))
	m.refusesBy(m.agree(oldSeries, command.TakeInPools{System: "old keno", JackpotCents: 1, Reference: "letter 9"}),
		game.NotSuccessor, "7.7(a)")
	m.refusesBy(m.agree(oldSeries, command.TakeInPools{System: "old keno", BonusCents: 1, Reference: "letter 9"}),
		game.NotSuccessor, "17.4(c)")
	for !must1(m.line(oldSeries).Course(t.Context())).over() {
		last := must1(m.line(oldSeries).Course(t.Context())).Newest == 6
		if !last {
			m.refuses(m.line(oldSeries).CloseDay(t.Context()), game.GamesUnsettled)
		}
		m.play(oldSeries, last)
		m.play(newSeries, false)
		if last {
			m.offers(true)
			must(t, m.line(oldSeries).CloseDay(t.Context()))
		}
	}
	// Games that opened in the transition play for no bonus prize, and the next one does (17.4(a)).
	for _, over := range []bool{false, true} {
		m.fillSingles(1, newSeries)
		m.play(newSeries, false)
		if now := must1(m.line(newSeries).Course(t.Context())); len(now.Promotions) == 0 != over {
			t.Errorf("the promotion is over: %v", !over)
		}
		if !over {
			m.offers(false)
		}
	}
	m.clock.set(m.clock.Now().Add(24 * time.Hour))
	m.refusesBy(m.line(oldSeries).OpenDay(t.Context(), m.today+1, hobart), game.SeriesOver, "front.transition")
	m.refusesBy(ends(m.today+2, 480, "letter 10"), game.SeriesOver, "front.transition")
	m.refusesBy(m.agree(oldSeries, command.LicenseVenue{Venue: 3, Series: oldSeries, Sells: true, Instead: newSeries,
		Reference: "letter 10"}), counter.SeriesOver, "front.transition")
	must(t, m.agree(newSeries, pools))
	pool := must1(m.line(newSeries).Course(t.Context())).Pools
	if got := pool[len(pool)-1]; got.Spots != 9 || got.Primary.Cents() != 250_000_00 || got.Waiting <= 0 {
		t.Errorf("the jackpot of the successor is %+v", got)
	}
	m.refusesBy(m.agree(newSeries, pools), game.PoolEmpty, "7.7(a)")
	must(t, m.agree(newSeries, bonus))
	if left := must1(m.line(oldSeries).Course(t.Context())).BonusPool; left != 0 {
		t.Errorf("%v is left for bonus prizes of the old games", left)
	}

	paid := map[uint8]int{}
	for _, sold := range m.sold {
		if err := m.pays(m.at[sold.Place], sold); err == nil {
			paid[sold.Sale.Series]++
		}
	}
	if paid[oldSeries] == 0 || paid[newSeries] == 0 {
		t.Errorf("tickets that were paid, by series: %v", paid)
	}
	m.closesTheHouse()
	if report := m.verify(); !report.OK() {
		t.Fatalf("the second opinion: %+v", report.Failure)
	}
	m.open()
	if again := must1(m.line(oldSeries).Course(t.Context())); !again.over() {
		t.Errorf("after a start the old games go on: %+v", again)
	}
	m.coded(ours, true, "3.2(b)")
}

// bookedSince: a report says what was booked since the last close if it goes up to that, and not if a later day is
// closed.
func (m *mover) bookedSince(all []*books.Book) {
	m.t.Helper()
	stored := must1(m.house.Journal())
	for _, name := range []report.Name{report.Accounts, report.Days} {
		days := report.Pick(name, all, 0)
		for n := range len(days) {
			since := must1(BookedSince(m.t.Context(), stored, name, 0, days[:n+1]))
			if last := n == len(days)-1; last != (since.Records > 0) {
				m.t.Errorf("%s of %d of %d days: %v", name, n+1, len(days), since)
			}
		}
	}
	if since := must1(BookedSince(m.t.Context(), stored, report.Days, oldSeries,
		report.Pick(report.Days, all, oldSeries))); since.Records < 2 {
		m.t.Errorf("the last day of series %d is followed by %v", oldSeries, since)
	}
}

// closesTheHouse ends the day of the successor's games: once the old games have had their last day, it closes the days
// of the house, whose accounts go on from one series to the other without a gap.
func (m *mover) closesTheHouse() {
	m.t.Helper()
	m.play(newSeries, true)
	must(m.t, m.line(newSeries).CloseDay(m.t.Context()))
	all, err := m.house.BooksBetween(m.t.Context(), m.today-1, m.today+1)
	must(m.t, err)
	m.bookedSince(all)
	all = report.Pick(report.Accounts, all, 0)
	if len(all) != 2 || all[0].Series != oldSeries || all[1].Series != newSeries {
		m.t.Fatalf("%d books close the house", len(all))
	}
	var before *books.Book
	for _, b := range all {
		if faults := append(b.Ties(), b.Follows(before)...); len(faults) > 0 {
			m.t.Errorf("the book of series %d: %q", b.Series, faults)
		}
		before = b
		alone := b.Alone()
		if sold := alone.Total().Sold; sold == 0 || sold >= b.Total().Sold && b.Series == oldSeries {
			m.t.Errorf("series %d sold %v of %v", b.Series, sold, b.Total().Sold)
		}
		var sum money.Amount
		for _, l := range alone.Accounts {
			if sum += l.Opening; l.Series != b.Series {
				m.t.Errorf("series %d alone has %+v", b.Series, l)
			}
		}
		if sum != 0 {
			m.t.Errorf("series %d alone opens with %v", b.Series, sum)
		}
	}
	m.takesIn(all)
	if all[1].First == all[1].House || len(all[1].Own.Accounts) == 0 {
		m.t.Errorf("the first day on which series %d closes the house has no lines of its own", newSeries)
	}
	if alarm, raised := m.alarmOn(PartBooks); raised {
		m.t.Errorf("an alarm: %+v", alarm)
	}
}

// takesIn makes the journal entries of the days of the house: one for each book that closes a day of the house, in
// their order, whose lines come to the balances of the last one.
func (m *mover) takesIn(all []*books.Book) {
	m.t.Helper()
	journal, err := entries.Open(m.t.Context(), m.house.config.Store)
	must(m.t, err)
	var numbers []string
	sums := map[ledger.Account]money.Amount{}
	_, err = journal.Each(m.t.Context(), entries.Choice{}, func(e *entries.Entry) error {
		numbers = append(numbers, e.Number)
		for _, l := range e.Lines {
			sums[l.Account] += l.Debit - l.Credit
		}
		return nil
	})
	must(m.t, err)
	for i, b := range all {
		if want := fmt.Sprintf("%d/%v", b.Series, b.Day); i >= len(numbers) || numbers[i] != want {
			m.t.Errorf("the entries are %q, and number %d is %s", numbers, i, want)
		}
	}
	last := all[len(all)-1]
	for _, a := range ledger.Accounts() {
		if is := last.Account(a); len(numbers) != len(all) || sums[a] != is.Closing() {
			m.t.Errorf("the entries %q come to %v of %v, want %v", numbers, sums[a], a, is.Closing())
		}
	}
}

// TestPoolsTakenIn founds a house for the successor and takes in what the pools of the system before it held, a lot of
// it at once. The money is paid in, so that the books balance.
func TestPoolsTakenIn(t *testing.T) {
	t.Parallel()
	base := must1(rules.Book(movers))
	for name, c := range map[string]struct {
		jackpots, bonus  int64
		primary, waiting money.Amount
	}{
		"below":           {249_999_99, 12_34, 249_999_99, 0},
		"at":              {250_000_00, 0, 250_000_00, 0},
		"above":           {250_000_05, 1, 250_000_00, 5},
		"no jackpots":     {0, 700_00, 0, 0},
		"several lots":    {612_345_67, 0, 250_000_00, 362_345_67},
		"the last of all": {1, 0, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, _ := rulebook.SuccessorOf(base)
			m := newMover(t, text)
			m.begin(oldSeries)
			act := command.TakeInPools{System: "old keno", JackpotCents: c.jackpots, BonusCents: c.bonus, Reference: "letter 2"}
			for code, change := range map[refusal.Code]func(*command.TakeInPools){
				game.ApprovalMissing: func(a *command.TakeInPools) { a.Reference = "" },
				game.SystemMissing:   func(a *command.TakeInPools) { a.System = "" },
				game.NothingTakenIn:  func(a *command.TakeInPools) { a.JackpotCents, a.BonusCents = 0, 0 },
			} {
				wrong := act
				change(&wrong)
				m.refuses(m.agree(oldSeries, wrong), code)
			}
			must(t, m.agree(oldSeries, act))
			now := must1(m.line(oldSeries).Course(t.Context()))
			nine := now.Pools[len(now.Pools)-1]
			if nine.Primary.Cents() != c.primary || nine.Waiting.Cents() != c.waiting || now.BonusPool != money.Amount(c.bonus) {
				t.Errorf("the jackpot has %v, %v waits, and %v is for bonus prizes", nine.Primary, nine.Waiting, now.BonusPool)
			}
			m.play(oldSeries, true)
			must(t, m.line(oldSeries).CloseDay(t.Context()))
			days, err := m.line(oldSeries).BooksBetween(t.Context(), m.today, m.today)
			must(t, err)
			if in := days[0].Account(ledger.Bank).Closing(); in != money.Amount(c.jackpots+c.bonus) {
				t.Errorf("%v was paid in", in)
			}
			if report := m.verify(); !report.OK() {
				t.Fatalf("the second opinion: %+v", report.Failure)
			}
			if _, err := json.Marshal(m.house.Hub().Board()); err != nil {
				t.Error(err)
			}
		})
	}
}
