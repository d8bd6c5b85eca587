package house

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
)

// Ticket is a ticket with what has become of it.
type Ticket struct {
	Place  record.Place
	Time   record.Time
	Sale   *record.TicketSold
	Ticket keno.Ticket
	Leaf   journal.Hash
	Games  []TicketGame // from the first on; those that have not opened are missing
	// Cancelled says that the ticket was given back.
	Cancelled bool
	// Stop is why nothing is paid on it, if so.
	Stop state.Stop
	// Withheld is what the ends of sessions have not handed out, because payment on the
	// ticket was stopped meanwhile. It is owed still.
	Withheld money.Amount
	// Forfeited is what of its prizes was taken from somebody who may not have them.
	Forfeited money.Amount
	// Claimed says that a claim form keeps it from being paid at a venue: one is open, or it
	// was paid as lost.
	Claimed bool
	// Anonymous says that the winner is not to be named in public.
	Anonymous bool
	taken     map[uint32]money.Amount // forfeited, by game
	left      state.Cancelled         // what is left of it then
	wins      []counter.Win
}

// TicketGame is one game of a ticket.
type TicketGame struct {
	Game
	Prize   money.Amount
	Carried money.Amount  // that was won and is staked in the next game
	Refund  money.Amount  // stakes that go back because the game is void
	Lines   []settle.Line // how the prize came about
	Paid    money.Amount
	Taken   money.Amount // forfeited
	// Late says that the time in which venues pay its prize is over, and Waits that it has
	// not come.
	Late, Waits bool
}

// Owed returns what of the game was not paid, and how much of that a venue pays now as far
// as time is concerned. What was paid too much before a result was corrected is kept, and
// takes nothing from other games.
func (g *TicketGame) Owed() (all, now money.Amount) {
	if all = max(0, g.Prize+g.Refund-g.Paid-g.Taken); g.Waits {
		return all, 0
	}
	if g.Late {
		return all, min(all, g.Refund) // A stake that goes back has no end.
	}
	return all, all
}

// Ticket finds a ticket by its place and says what it has won and what was paid.
// It reads only what is durable.
func (h *House) Ticket(ctx context.Context, place record.Place) (Ticket, error) {
	sold, data, err := h.soldAt(ctx, place)
	if err != nil {
		return Ticket{}, err
	}
	r, err := record.Decode(data)
	if err != nil {
		return Ticket{}, err
	}
	ticket, err := keno.DecodeTicket(sold.Ticket)
	if err != nil {
		return Ticket{}, err
	}
	t := Ticket{Place: place, Time: r.Time, Sale: sold, Ticket: ticket, Leaf: journal.LeafHash(data)}
	held, _ := h.copies.Load().held.get(place)
	t.Stop, t.Withheld, t.Claimed = held.Stop, held.Withheld, held.Under+held.Lost != 0
	t.Anonymous = held.Anonymous
	paid := map[uint32]money.Amount{}
	for _, p := range held.Claimed {
		paid[p.Ordinal] += p.Cents
	}
	if err := h.addPaid(ctx, &t, paid); err != nil {
		return Ticket{}, err
	}
	play := settle.PlayOf(h.line(sold.Series).deskFor(sold.Ordinal), place, sold.Ordinal, &ticket)
	last := play.Last
	if t.Cancelled {
		last = t.left.Shorten(&play)
	}
	return t, h.addGames(ctx, &t, play, last, paid)
}

// deskFor returns the desk that sold a ticket from a game on: that of the game's rulebook, and
// of the newest game's for one that was sold ahead of its first game.
func (l *Line) deskFor(ordinal uint32) *keno.Desk {
	if g, ok := l.history.byOrdinal(l.id, ordinal); ok {
		return l.viewed().Desk(g.Rulebook)
	}
	return l.seen().sale.desk
}

// soldAt reads the sale of a ticket, and the record that holds it.
func (h *House) soldAt(ctx context.Context, place record.Place) (*record.TicketSold, []byte, error) {
	data, err := h.recordAt(ctx, place)
	if err != nil {
		return nil, nil, err
	}
	r, err := record.Decode(data)
	if err != nil {
		return nil, nil, err
	}
	sold, ok := r.Body.(*record.TicketSold)
	if !ok {
		return nil, nil, unknownTicket()
	}
	return sold, data, nil
}

// recordAt reads the record that is to be of a ticket, or says why there is none.
func (h *House) recordAt(ctx context.Context, place record.Place) ([]byte, error) {
	data, err := h.config.Store.Record(ctx, place)
	if !errors.Is(err, store.ErrNotFound) {
		return data, err
	}
	if at, lost := h.history.lost(place); lost {
		return nil, lostTicket(at)
	}
	return nil, unknownTicket()
}

func unknownTicket() error {
	return &refusal.Refusal{Code: counter.TicketUnknown, Path: "serial", Sentence: "There is no such ticket."}
}

// addPaid reads what became of a ticket after its sale: what was paid at counters, which it
// adds by game, and whether it was cancelled.
func (h *House) addPaid(ctx context.Context, t *Ticket, paid map[uint32]money.Amount) error {
	places, err := h.config.Store.About(ctx, t.Place)
	if err != nil {
		return err
	}
	for _, p := range places {
		data, err := h.config.Store.Record(ctx, p)
		if err != nil {
			return err
		}
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		switch b := r.Body.(type) {
		case *record.TicketPaid:
			for _, part := range b.Parts {
				paid[part.Ordinal] += part.Cents
			}
		case *record.PrizeForfeited:
			t.Forfeited += b.Amount()
			if t.taken == nil {
				t.taken = map[uint32]money.Amount{}
			}
			for _, part := range b.Parts {
				t.taken[part.Ordinal] += part.Cents
			}
		case *record.TicketCancelled:
			t.Cancelled, t.left = true, state.LeftBy(b)
		}
	}
	return nil
}

// addGames adds the games of a ticket that have opened, with the prizes as the
// winners files have them.
func (h *House) addGames(ctx context.Context, t *Ticket, play settle.Play, last uint32,
	paid map[uint32]money.Amount) error {
	var settled []settle.Game
	for ordinal := play.First; ordinal <= last; ordinal++ {
		g, ok := h.history.byOrdinal(t.Sale.Series, ordinal)
		if !ok {
			break
		}
		game := TicketGame{Game: g, Paid: paid[ordinal], Taken: t.taken[ordinal]}
		if g.IsVoid() && g.Void.Deferred {
			// The game that is on sale has it before it closes, also of a ticket whose later games were
			// cancelled: that takes nothing from a game that had closed.
			game.PlayedWith = max(g.PlayedWith, ordinal+1)
		}
		last = max(last, game.PlayedWith)
		if g.IsSettled() || g.IsVoid() {
			again, err := h.settlement(g)
			if err != nil {
				return err
			}
			settled = append(settled, again)
			if err := h.addPrize(ctx, t, &game, play, settled); err != nil {
				return err
			}
		}
		t.Games = append(t.Games, game)
	}
	return nil
}

// addPrize adds what a ticket won in the last of some games.
func (h *House) addPrize(ctx context.Context, t *Ticket, g *TicketGame, play settle.Play, games []settle.Game) error {
	win := counter.Win{Ordinal: g.Ordinal}
	for revision := g.base(); revision <= g.Revision(); revision++ {
		file, err := h.winners.get(ctx, h.config.Store, game.WinnersName(t.Sale.Series, g.Ordinal, revision))
		if err != nil {
			return err
		}
		cents, _ := file.Lookup(t.Place)
		win.Cents += cents
		win.Files = append(win.Files, file.Hash())
	}
	g.Prize = win.Cents
	if err := h.timeOf(t.Sale.Series, g); err != nil {
		return err
	}
	t.wins = append(t.wins, win)
	if g.IsVoid() && !g.Void.Deferred {
		for _, ordinal := range append([]uint32{g.Ordinal}, g.Closed.Deferred...) {
			g.Refund += play.StakesIn(ordinal)
		}
		g.Refund += play.Unwon(games)
	}
	if g.Prize == 0 && g.Settled.CarriedWays == 0 && g.Void.CarriedWays == 0 {
		return nil
	}
	needs := play.Needs(games)
	prize, err := settle.PrizeIn(play, needs)
	if err != nil {
		return err
	}
	g.Carried = prize.Carried
	if g.Prize > 0 || g.Carried > 0 {
		g.Lines, err = settle.ExplainIn(play, needs)
	}
	return err
}

// timeOf says whether venues pay a game by the last Keno Day that has begun.
func (h *House) timeOf(series uint8, game *TicketGame) error {
	book, ok := h.viewed().Book(game.Rulebook)
	newest := h.history.newest(series, 0, 1)
	if !ok || len(newest) == 0 {
		return fmt.Errorf("house: the rulebook of game %v was not adopted", game.Ref)
	}
	today := newest[0].Ref.Day
	last, err := counter.LastPaid(book, game.WonOn())
	game.Late = today > last
	game.Waits = game.Delayed && book.Games().Delayed.PaidNextDay && today <= game.Ref.Day
	return err
}

// settlement returns a settled game in the form in which prizes are found in it
// again.
func (h *House) settlement(g Game) (settle.Game, error) {
	seen := h.viewed()
	book, ok := seen.Book(g.Rulebook)
	terms := seen.Terms(g.Rulebook, g.Schedule)
	if !ok || terms == nil {
		return settle.Game{}, fmt.Errorf("house: the rulebook of game %v was not adopted", g.Ref)
	}
	promotions := seen.line(g.Ref.Series).promotions
	return g.Settlement(book, terms, func(number uint32) (*record.PromotionBegun, bool) {
		if number == 0 || int(number) > len(promotions) {
			return nil, false
		}
		return &promotions[number-1].PromotionBegun, true
	}), nil
}

// winnersCache keeps the winners files that were read last: many holders look up
// the same few games.
type winnersCache struct {
	mu    sync.Mutex // guards files
	files map[string]*settle.WinnersFile
}

// cachedWinners bounds the cache.
const cachedWinners = 64

func (c *winnersCache) get(ctx context.Context, stored store.Reader, name string) (*settle.WinnersFile, error) {
	c.mu.Lock()
	file, ok := c.files[name]
	c.mu.Unlock()
	if ok {
		return file, nil
	}
	data, err := stored.Object(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("house: %s: %w", name, err)
	}
	if file, err = settle.DecodeWinners(data); err != nil {
		return nil, fmt.Errorf("house: %s: %w", name, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for old := range c.files {
		if len(c.files) < cachedWinners {
			break
		}
		delete(c.files, old)
	}
	if c.files == nil {
		c.files = map[string]*settle.WinnersFile{}
	}
	c.files[name] = file
	return file, nil
}

// Game returns a game by its Keno Day and number.
func (h *House) Game(ref record.Game) (Game, bool) { return h.history.byRef(ref) }

// GameAt returns a game by its place in the series.
func (l *Line) GameAt(ordinal uint32) (Game, bool) { return l.history.byOrdinal(l.id, ordinal) }

// Games returns the last n games, newest first.
func (l *Line) Games(n int) []Game { return l.history.newest(l.id, 0, n) }

// GamesBefore returns the last n games before an ordinal, newest first; 0 is behind all of them.
func (l *Line) GamesBefore(ordinal uint32, n int) []Game { return l.history.newest(l.id, ordinal, n) }

// GamesOf returns the games of a Keno Day, in their order.
func (l *Line) GamesOf(d day.Day) []Game { return l.history.onDay(l.id, d) }

// Days returns the last n Keno Days with games, newest first.
func (l *Line) Days(n int) []day.Day { return l.history.days(l.id, day.None, n) }

// DaysBefore returns the last n Keno Days with games before a day, newest first.
func (l *Line) DaysBefore(d day.Day, n int) []day.Day { return l.history.days(l.id, d, n) }

// Checkpoint returns the newest signed checkpoint.
func (h *House) Checkpoint(context.Context) ([]byte, error) {
	return h.past.signed(), nil
}

// Serial returns the serial of a ticket, of a sheet of it or of a paper, in the form of its series.
func (h *House) Serial(place record.Place) (serial.Code, error) {
	series := uint8(FirstSeries)
	if seen := h.viewed(); seen.twoForms() {
		var err error
		if series, err = h.seriesAt(place); err != nil {
			return serial.Code{}, err
		}
	}
	return h.SerialIn(series, place)
}

// SerialIn returns the serial of a ticket, or of a paper, of a series.
//
//rule:tas-keno-2023 3.2
func (h *House) SerialIn(series uint8, place record.Place) (serial.Code, error) {
	ring, err := h.keyring()
	if err != nil {
		return serial.Code{}, err
	}
	return ring.Code(serial.Place{Volume: place.Volume, Seq: place.Seq}, h.viewed().line(series).successor)
}

// seriesAt returns the series of what stands at a place: a ticket, a sheet of it or a paper. Of a place at which
// nothing of a series stands it is the first.
func (h *House) seriesAt(place record.Place) (uint8, error) {
	ctx := context.Background() // One record is read, also for an answer that nobody waits for.
	place, err := h.Resolve(ctx, place)
	if err != nil {
		return 0, err
	}
	data, err := h.config.Store.Record(ctx, place)
	if errors.Is(err, store.ErrNotFound) {
		return FirstSeries, nil
	}
	if err != nil {
		return 0, err
	}
	r, err := record.Decode(data)
	if err != nil {
		return 0, err
	}
	switch b := r.Body.(type) {
	case *record.TicketSold:
		return b.Series, nil
	case *record.InstrumentIssued:
		return b.Series, nil
	}
	return FirstSeries, nil
}

// keyring returns the keys of serials, which a follower need not have.
func (h *House) keyring() (*serial.Keyring, error) {
	if ring := h.serials.Load(); ring != nil {
		return ring, nil
	}
	return nil, fmt.Errorf("house: there are no serial keys here: %w", ErrFollows)
}

// SerialUnreadable refuses a text that is not a serial, and says why.
const SerialUnreadable refusal.Code = "serial_unreadable"

// Find returns the place that a serial names. A serial in the form of another series than that of the ticket is
// refused: the code on a ticket tells in which games it takes part.
//
//rule:tas-keno-2023 3.2
func (h *House) Find(text string) (record.Place, error) {
	if err := h.refuseOther(text); err != nil {
		return record.Place{}, err
	}
	ring, err := h.keyring()
	if err != nil {
		return record.Place{}, err
	}
	place, err := ring.Read(text)
	if errors.Is(err, serial.ErrVolume) || errors.Is(err, serial.ErrForged) {
		// It is well written and was not made here. More is not told: it would say
		// what a guessed serial comes to under the house's keys.
		return record.Place{}, unknownTicket()
	}
	if err != nil {
		sentence := fmt.Sprintf("A serial has %s, or %s.", formWords[rulebook.SerialDigits],
			formWords[rulebook.SerialSuccessor])
		if errors.Is(err, serial.ErrCheck) {
			sentence = "The serial is misread: its check digit does not fit."
		}
		return record.Place{}, &refusal.Refusal{Code: SerialUnreadable, Path: "serial", Sentence: sentence}
	}
	found := record.Place{Volume: place.Volume, Seq: place.Seq}
	return found, h.checkForm(found, serial.OfSuccessor(text))
}

// checkForm refuses a serial that has not the form of the series of its ticket. Where the house has one form alone, a
// serial of that form needs no look at the ticket.
//
//rule:tas-keno-2023 3.2
func (h *House) checkForm(place record.Place, successor bool) error {
	seen := h.viewed()
	if !seen.twoForms() && successor == seen.line(FirstSeries).successor {
		return nil
	}
	series, err := h.seriesAt(place)
	if err != nil {
		return err
	}
	line := seen.line(series)
	if line.successor == successor {
		return nil
	}
	form := line.sale.book.SerialForm()
	return &refusal.Refusal{Code: SerialUnreadable, Path: "serial", Clause: form.Quoted(), Sentence: fmt.Sprintf(
		"The code is of the form of another system. A ticket of %s has %s.", line.name, formWords[form.Form])}
}

// formWords say what a serial of each form is.
var formWords = map[string]string{
	rulebook.SerialDigits: "16 digits", rulebook.SerialSuccessor: "27 characters that begin with TO",
}
