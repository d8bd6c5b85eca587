package bets

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
)

// Source answers what is beside the records.
type Source interface {
	// BodyAt returns the body of the record at a place.
	BodyAt(place record.Place) (record.Body, error)
	// Winners returns the winners file of a settlement of a game.
	Winners(series uint8, ordinal uint32, revision uint8) ([]byte, error)
}

// Listener hears what records add. Its functions may be nil.
type Listener struct {
	// Adds hears what a record adds to a line on a trading day.
	Adds func(place record.Place, r record.Record, on *Day, line Line, adds Sums)
	// Enters hears what a record puts on a line into a game that has not closed, or takes out of it.
	Enters func(place record.Place, r record.Record, line Line, ordinal uint32, cents money.Amount)
}

// Day is what bets came to on a trading day of a series: from the close of one Keno Day to the close of the next.
type Day struct {
	Series uint8
	Day    day.Day // day.None until it opens
	Lines  map[Line]Sums
	Ahead  map[Line]money.Amount // owed for games ahead when the day began
}

// Fold adds the records of a journal up by bets. It belongs to one goroutine.
type Fold struct {
	state  *state.State
	source Source
	hears  Listener
	series map[uint8]*series
	opened map[record.Game]uint32 // of each game its number in its series
	over   []*Day
}

// series is what a Fold knows of a series of games.
type series struct {
	today   *Day
	ahead   map[Line]money.Amount            // owed for games ahead
	in      map[uint32]map[Line]money.Amount // the same by game
	closed  map[uint32]map[Line]money.Amount // stakes of games that closed and are not over
	running map[uint32]map[run]carried       // prizes that are stakes of a game
	carried []record.Carried                 // by the game that is not over yet
}

// run names a way of a ticket whose prize runs on.
type run struct {
	ticket record.Place
	nth    uint8
}

type carried struct {
	line  Line
	cents money.Amount
}

// New returns the bets of a journal without records.
func New(source Source, hears Listener) *Fold {
	return &Fold{state: state.New(), source: source, hears: hears, series: map[uint8]*series{},
		opened: map[record.Game]uint32{}}
}

// State returns the state to which the records have led, for reading.
func (f *Fold) State() *state.State { return f.state }

// errUnknown reports a record that names what no earlier record has told of.
var errUnknown = errors.New("bets: nothing is known of it")

func unknown(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errUnknown, fmt.Sprintf(format, args...))
}

func (f *Fold) of(id uint8) *series {
	s, ok := f.series[id]
	if !ok {
		s = &series{ahead: map[Line]money.Amount{}, in: map[uint32]map[Line]money.Amount{},
			closed: map[uint32]map[Line]money.Amount{}, running: map[uint32]map[run]carried{}}
		s.today = &Day{Series: id, Lines: map[Line]Sums{}, Ahead: map[Line]money.Amount{}}
		f.series[id] = s
	}
	return s
}

// Add adds the next record.
func (f *Fold) Add(place record.Place, r record.Record) error {
	was, err := f.before(r.Body)
	if err == nil {
		err = f.state.Apply(r)
	}
	if err == nil {
		err = f.count(place, r, was)
	}
	if err != nil {
		return fmt.Errorf("bets: record %v: %w", place, err)
	}
	return nil
}

func (f *Fold) count(place record.Place, r record.Record, was map[Line]money.Amount) error {
	switch b := r.Body.(type) {
	case *record.DayOpened:
		f.of(b.Series).today.Day = b.Day
	case *record.DayClosed:
		f.endDay(b.Series)
	case *record.GameOpened:
		f.opened[b.Game] = b.Ordinal
	case *record.TicketSold:
		return f.sell(place, r, b)
	case *record.TicketCancelled:
		return f.cancel(place, r, b)
	case *record.GameClosed:
		return f.close(place, r, b)
	case *record.PrizesCarried:
		s := f.of(b.Game.Series)
		s.carried = append(s.carried, b.List...)
	case *record.GameSettled:
		return f.settle(place, r, b, was)
	case *record.GameVoided:
		return f.void(place, r, b)
	}
	return nil
}

// endDay begins the next day of a series. The record that closes a Keno Day is of the next one.
func (f *Fold) endDay(id uint8) {
	s := f.of(id)
	f.over = append(f.over, s.today)
	s.today = &Day{Series: id, Lines: map[Line]Sums{}, Ahead: maps.Clone(s.ahead)}
}

// Days returns the trading days in the order in which they ended, and behind them those that have not, by series.
func (f *Fold) Days() []*Day {
	days := slices.Clone(f.over)
	for _, id := range slices.Sorted(maps.Keys(f.series)) {
		days = append(days, f.series[id].today)
	}
	return days
}

// add adds to a line.
func (f *Fold) add(place record.Place, r record.Record, line Line, adds Sums) {
	if adds == (Sums{}) {
		return
	}
	s := f.of(line.Series)
	sums := s.today.Lines[line]
	sums.Add(adds)
	s.today.Lines[line] = sums
	if s.ahead[line] += adds.Ahead(); s.ahead[line] == 0 {
		delete(s.ahead, line)
	}
	if f.hears.Adds != nil {
		f.hears.Adds(place, r, s.today, line, adds)
	}
}

// addAll adds what each of some lines has, in their order.
func (f *Fold) addAll(place record.Place, r record.Record, all map[Line]money.Amount, as func(money.Amount) Sums) {
	for _, line := range sorted(all) {
		f.add(place, r, line, as(all[line]))
	}
}

func sorted[V any](all map[Line]V) []Line { return slices.SortedFunc(maps.Keys(all), Line.Compare) }

// enter puts money on a line into a game that has not closed.
func (f *Fold) enter(place record.Place, r record.Record, line Line, ordinal uint32, cents money.Amount) {
	s := f.of(line.Series)
	if f.hears.Enters != nil {
		f.hears.Enters(place, r, line, ordinal, cents)
	}
	if s.in[ordinal] == nil {
		s.in[ordinal] = map[Line]money.Amount{}
	}
	if s.in[ordinal][line] += cents; s.in[ordinal][line] == 0 {
		delete(s.in[ordinal], line)
	}
}

func sumOf(all map[Line]money.Amount) (sum money.Amount) {
	for _, cents := range all {
		sum += cents
	}
	return sum
}

// ties returns an error if lines do not come to what a record states.
func ties(what string, is, due money.Amount) error {
	if is != due {
		return fmt.Errorf("%s come to %v by bets, and the record says %v", what, is, due)
	}
	return nil
}

func (f *Fold) sell(place record.Place, r record.Record, b *record.TicketSold) error {
	t, err := f.ticketOf(place, b)
	if err != nil {
		return err
	}
	var sum money.Amount
	for i := range t.bets {
		bet := &t.bets[i]
		sum += bet.sums.Sold
		for game, stake := range bet.stakes {
			if stake != 0 {
				f.enter(place, r, bet.line, b.Ordinal+uint32(game), stake)
			}
		}
		f.add(place, r, bet.line, bet.sums)
	}
	return ties("stakes of the ticket", sum, b.CostCents)
}

// saleAt reads a ticket that was sold before.
func (f *Fold) saleAt(place record.Place) (*ticket, error) {
	body, err := f.source.BodyAt(place)
	if err != nil {
		return nil, err
	}
	sold, ok := body.(*record.TicketSold)
	if !ok {
		return nil, unknown("ticket %v", place)
	}
	return f.ticketOf(place, sold)
}

// cancel takes the stakes of games that have not closed out of them, and what had run on into the next of them.
func (f *Fold) cancel(place record.Place, r record.Record, b *record.TicketCancelled) error {
	t, err := f.saleAt(b.Ticket)
	if err != nil {
		return err
	}
	s, back := f.of(b.Series), map[Line]money.Amount{}
	for i := range t.bets {
		bet := &t.bets[i]
		for game, stake := range bet.stakes {
			if ordinal := t.play.First + uint32(game); ordinal > b.Kept && stake != 0 {
				f.enter(place, r, bet.line, ordinal, -stake)
				back[bet.line] += stake
			}
		}
	}
	if next := b.Kept + 1; next > t.play.First {
		for name, c := range s.running[next] {
			if name.ticket == b.Ticket {
				f.enter(place, r, c.line, next, -c.cents)
				back[c.line] += c.cents
				delete(s.running[next], name)
			}
		}
	}
	f.addAll(place, r, back, func(cents money.Amount) Sums { return Sums{GivenBack: cents} })
	return ties("stakes that go back", sumOf(back), b.RefundCents+b.CarriedCents)
}

func (f *Fold) close(place record.Place, r record.Record, b *record.GameClosed) error {
	s := f.of(b.Game.Series)
	ordinal, err := f.ordinalOf(b.Game)
	if err != nil {
		return err
	}
	stakes := s.in[ordinal]
	delete(s.in, ordinal)
	s.closed[ordinal] = stakes
	f.addAll(place, r, stakes, func(cents money.Amount) Sums { return Sums{Closed: cents} })
	return ties("stakes of the game", sumOf(stakes), b.StakesCents)
}

// ordinalOf returns the number in its series of a game.
func (f *Fold) ordinalOf(ref record.Game) (uint32, error) {
	ordinal, ok := f.opened[ref]
	if !ok {
		return 0, unknown("game %v", ref)
	}
	return ordinal, nil
}

// runOn makes prizes stakes of the game behind another one, and returns them by line.
func (f *Fold) runOn(place record.Place, r record.Record, s *series, ordinal uint32) (map[Line]money.Amount, error) {
	all, next := map[Line]money.Amount{}, map[run]carried{}
	for _, c := range s.carried {
		t, err := f.saleAt(c.Ticket)
		if err != nil {
			return nil, err
		}
		line, err := t.lineOfRun(c.Run)
		if err != nil {
			return nil, err
		}
		all[line] += c.Cents
		next[run{c.Ticket, c.Run}] = carried{line, c.Cents}
		f.enter(place, r, line, ordinal+1, c.Cents)
	}
	s.carried = nil
	delete(s.running, ordinal)
	if len(next) > 0 {
		s.running[ordinal+1] = next
	}
	return all, nil
}

// lineOfRun returns the line of the way that runs, of those of a ticket counted from 0.
func (t *ticket) lineOfRun(nth uint8) (Line, error) {
	for i := range t.play.Ways {
		if !t.play.Ways[i].Run {
			continue
		}
		if nth == 0 {
			return t.bets[t.of[i]].line, nil
		}
		nth--
	}
	return Line{}, unknown("run %d of ticket %v", nth, t.play.Ticket)
}

func (f *Fold) settle(place record.Place, r record.Record, b *record.GameSettled, was map[Line]money.Amount) error {
	ordinal, err := f.ordinalOf(b.Game)
	if err != nil {
		return err
	}
	won, err := f.wonIn(b.Game.Series, ordinal)
	if err != nil {
		return err
	}
	if b.Revision > 1 {
		for line, cents := range was {
			won[line] -= cents
		}
		f.addAll(place, r, won, func(cents money.Amount) Sums { return Sums{Prizes: cents} })
		return nil
	}
	f.addAll(place, r, won, func(cents money.Amount) Sums { return Sums{Prizes: cents} })
	if err := ties("prizes of the game", sumOf(won), b.PrizesCents); err != nil {
		return err
	}
	s := f.of(b.Game.Series)
	ran, err := f.runOn(place, r, s, ordinal)
	if err != nil {
		return err
	}
	f.addAll(place, r, ran, func(cents money.Amount) Sums { return Sums{RunsOn: cents, Ran: cents} })
	f.end(s, ordinal)
	return ties("prizes that run on", sumOf(ran), b.CarriedCents)
}

// end forgets a game that is over, and those that were played along with it. It returns what was staked in them.
func (f *Fold) end(s *series, ordinal uint32) map[Line]money.Amount {
	all := map[Line]money.Amount{}
	for ended, stakes := range s.closed {
		if ended <= ordinal {
			for line, cents := range stakes {
				all[line] += cents
			}
			delete(s.closed, ended)
		}
	}
	return all
}

// void takes back what was staked in a game without a result, unless it is played along with the next one.
func (f *Fold) void(place record.Place, r record.Record, b *record.GameVoided) error {
	ordinal, err := f.ordinalOf(b.Game)
	if err != nil {
		return err
	}
	s := f.of(b.Game.Series)
	ran, err := f.runOn(place, r, s, ordinal)
	if err != nil {
		return err
	}
	f.addAll(place, r, ran, func(cents money.Amount) Sums { return Sums{Ran: cents} })
	if err := ties("prizes that run on", sumOf(ran), b.CarriedCents); err != nil || b.Deferred {
		return err
	}
	back := f.end(s, ordinal)
	f.addAll(place, r, back, func(cents money.Amount) Sums { return Sums{Void: cents} })
	return ties("stakes of the void game", sumOf(back), b.RefundCents+b.PrizesCents+b.CarriedCents)
}

// before returns what a game has come to before it is settled once more; nil for other records.
func (f *Fold) before(body record.Body) (map[Line]money.Amount, error) {
	b, ok := body.(*record.GameSettled)
	if !ok || b.Revision == 1 {
		return nil, nil
	}
	ordinal, err := f.ordinalOf(b.Game)
	if err != nil {
		return nil, err
	}
	return f.wonIn(b.Game.Series, ordinal)
}

// wonIn returns what tickets have won in a game and is payable, by its newest settlement.
func (f *Fold) wonIn(id uint8, ordinal uint32) (map[Line]money.Amount, error) {
	of, _ := f.state.Series(id)
	g, ok := of.Game(ordinal)
	if !ok {
		return nil, unknown("game %d of series %d", ordinal, id)
	}
	tickets := map[record.Place]money.Amount{}
	for revision := baseOf(g); revision <= g.Revision(); revision++ {
		data, err := f.source.Winners(id, ordinal, revision)
		if err != nil {
			return nil, err
		}
		file, err := settle.DecodeWinners(data)
		if err != nil {
			return nil, err
		}
		for place, cents := range file.All() {
			tickets[place] += cents
		}
	}
	won := map[Line]money.Amount{}
	for place, cents := range tickets {
		if err := f.split(won, of, g, place, cents); err != nil {
			return nil, err
		}
	}
	return won, nil
}

// baseOf returns the settlement that has the newest result whole; those behind it have what is owed in addition. The
// record of a corrected result stands before the settlement by it.
func baseOf(g *state.Game) uint8 {
	base := uint8(1)
	for _, c := range g.Corrections {
		if c.Revision <= g.Revision() {
			base = max(base, c.Revision)
		}
	}
	return base
}

// split adds what a ticket has won in a game to the lines of its ways.
func (f *Fold) split(won map[Line]money.Amount, of *state.Series, g *state.Game, place record.Place,
	cents money.Amount) error {
	t, err := f.saleAt(place)
	if err != nil {
		return err
	}
	if left, ok := f.state.Cancelled(place); ok {
		left.Shorten(&t.play)
	}
	games, err := f.gamesOf(of, g, t)
	if err != nil {
		return err
	}
	prizes, err := settle.PrizeOfEach(t.play, games)
	if err != nil {
		return err
	}
	left := cents
	for _, prize := range prizes {
		left -= prize
	}
	if left != 0 { // A settlement after a correction adds to what the ways have by the newest numbers.
		line := t.bets[0].line
		line.Bet, line.Spots, line.With = "", 0, ""
		won[line] += cents
		return nil
	}
	for i, prize := range prizes {
		won[t.bets[t.of[i]].line] += prize
	}
	return nil
}

// gamesOf returns what it takes to find the prizes of a ticket in a game.
func (f *Fold) gamesOf(of *state.Series, g *state.Game, t *ticket) ([]settle.Game, error) {
	first := g.Ordinal
	for i := range t.play.Ways {
		if t.play.Ways[i].Run {
			first = t.play.First
		}
	}
	var games []settle.Game
	for ordinal := first; ordinal <= g.Ordinal; ordinal++ {
		each, ok := of.Game(ordinal)
		if !ok {
			return nil, unknown("game %d of series %d", ordinal, t.series)
		}
		one, err := f.state.SettledIn(of, each)
		if err != nil {
			return nil, err
		}
		games = append(games, one)
	}
	return games, nil
}

// Ahead is what is owed for a game that has not closed, on one line.
type Ahead struct {
	Line    Line
	Ordinal uint32
	Game    record.Game // no game if it has not opened
	Cents   money.Amount
}

// Ahead returns what is owed for games that have not closed, by series, game and line.
func (f *Fold) Ahead() (list []Ahead) {
	for _, id := range slices.Sorted(maps.Keys(f.series)) {
		of, _ := f.state.Series(id)
		for _, ordinal := range slices.Sorted(maps.Keys(f.series[id].in)) {
			var ref record.Game
			if g, ok := of.Game(ordinal); ok {
				ref = g.Ref
			}
			in := f.series[id].in[ordinal]
			for _, line := range sorted(in) {
				list = append(list, Ahead{line, ordinal, ref, in[line]})
			}
		}
	}
	return list
}
