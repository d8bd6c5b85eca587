package evaluate

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/figure"
	"drawhouse/core/refusal"
	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Run reads the lines of one file and settles its games. It belongs to one
// goroutine.
type Run struct {
	file     string
	book     *rulebook.Book
	desk     *keno.Desk
	schedule *rulebook.Schedule
	terms    *settle.Terms
	games    rulebook.Games
	methods  map[rulebook.Channel]rulebook.Method // where a line does not say
	explain  bool

	lines  int
	faults Faults

	pools pools
	// promotions are on offer in the next game.
	promotions []settle.Offer

	open    *settle.Open
	drawn   uint32 // ordinal of the last game drawn; the games of a file are counted from 1
	game    int    // its number
	sold    uint64 // tickets so far
	tickets []ticket
	ids     map[string]int // of the tickets that play, by the line they stand on
	// forgotten is the last game whose finished tickets are gone from tickets.
	forgotten uint32

	// outcome is of the last game drawn, until its tickets are forgotten; nil if it
	// was not settled.
	outcome *settle.Outcome
	// history is the games drawn since the first of a ticket that plays; only where
	// prizes are explained.
	history []settle.Game

	// Used again from line to line and from game to game.
	ways   []settle.Way
	prizes []settle.Prize

	// The tickets that no draw has followed yet: how many, the line of the first
	// and, if any of them names its game, which one and on which line.
	waiting waiting
}

type waiting struct {
	count, line int
	named       keno.GameRef
	namedLine   int
}

// ticket is a ticket that plays. Its place among all is its sequence number.
type ticket struct {
	seq         uint64
	id          string
	first, last uint32
	ways        int          // that are in the game, or in the next
	runs        int          // of those, whose prizes run
	play        []settle.Way // only where prizes are explained
}

// place returns the place by which settlement knows a ticket. A file is a volume
// of its own.
func place(seq uint64) record.Place { return record.Place{Volume: 1, Seq: seq} }

// Options say how a file is evaluated.
type Options struct {
	File     string // the name of the file in faults
	Schedule string // id of a schedule, or its number counted from 1; empty for the one that the rulebook makes current
	Explain  bool   // the games explain their prizes
}

// UnknownSchedule reports a schedule that the rulebook does not have, or that none
// was named where the rulebook does not settle which is current.
type UnknownSchedule struct {
	Rulebook, Name string
	Known          []string
}

// Error lists what could have been asked for.
func (u *UnknownSchedule) Error() string {
	if u.Name == "" {
		return fmt.Sprintf("%s does not say which schedule is current; name one of %s", u.Rulebook,
			strings.Join(u.Known, ", "))
	}
	return fmt.Sprintf("%s has no schedule %q; it has %s", u.Rulebook, u.Name, strings.Join(u.Known, ", "))
}

// New returns a run over the lines of a file. An unknown schedule is an
// *[UnknownSchedule].
func New(book *rulebook.Book, opts Options) (*Run, error) {
	desk, err := keno.NewDesk(book)
	if err != nil {
		return nil, fmt.Errorf("evaluate: %s: %w", book.ID(), err)
	}
	schedule, err := findSchedule(book, opts.Schedule)
	if err != nil {
		return nil, err
	}
	terms, err := settle.NewTerms(book, schedule.ID())
	if err != nil {
		return nil, fmt.Errorf("evaluate: %w", err)
	}
	r := &Run{
		file: opts.File, book: book, desk: desk, schedule: schedule, terms: terms, games: book.Games(),
		explain: opts.Explain,
		methods: map[rulebook.Channel]rulebook.Method{}, open: settle.NewOpen(0), ids: map[string]int{},
		pools: pools{terms: terms.Jackpots(), given: map[uint8]int{}, elsewhere: map[uint8]jackpot.Elsewhere{}},
	}
	for _, way := range book.EntryWays() {
		if _, ok := r.methods[way.Channel]; !ok {
			r.methods[way.Channel] = way.Method
		}
	}
	return r, nil
}

// findSchedule returns the schedule of that id or number. Without a name it is the
// one that the rulebook makes current, if there is only one such.
func findSchedule(book *rulebook.Book, name string) (*rulebook.Schedule, error) {
	all := book.Schedules()
	if s, ok := book.Schedule(name); ok {
		return s, nil
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(all) {
		return all[n-1], nil
	}
	unknown := &UnknownSchedule{Rulebook: book.ID(), Name: name}
	var current []*rulebook.Schedule
	for _, s := range all {
		unknown.Known = append(unknown.Known, s.ID())
		if s.CurrentFrom().IsValid() {
			current = append(current, s)
		}
	}
	if name == "" && len(current) == 1 {
		return current[0], nil
	}
	return nil, unknown
}

// Line takes the next line. It returns the game that the line settled, or nil: if
// the line is no draw, or if there has been a fault. The bytes may be used again
// after the call, the game is good until the next one.
func (r *Run) Line(data []byte) *Game {
	r.lines++
	if isBlank(data) {
		return nil
	}
	r.forget()
	l, refused := parseLine(data)
	var game *Game
	switch {
	case refused != nil && l.has&hasDraw != 0:
		r.advance(unknown)
	case refused != nil:
	case l.has&hasDraw != 0:
		game, refused = r.draw(l.draw)
	case l.has&hasPool != 0:
		refused = r.pool(&l.pool)
	case l.has&hasPromotion != 0:
		refused = r.promotion(l.promotion)
	default:
		refused = r.ticket(&l)
	}
	if refused != nil {
		r.fault(r.lines, refused)
		return nil
	}
	return game
}

// isBlank reports whether a line has nothing but white space.
func isBlank(data []byte) bool {
	s := scanner{data: data}
	return s.peek() == 0 && s.at == len(data)
}

func (r *Run) fault(line int, refused *refusal.Refusal) {
	r.faults = append(r.faults, &Fault{File: r.file, Line: line, Refusal: *refused})
}

// Full reports whether there are so many faults that the reading should end.
func (r *Run) Full() bool { return len(r.faults) >= MaxFaults }

// End says that there are no more lines. The error is [Faults] with all faults of
// the file; a file that leaves tickets without a draw has one.
func (r *Run) End() error {
	switch w := &r.waiting; {
	case r.Full():
	case w.count > 0:
		r.fault(w.line, refuse(DrawMissing, "", "",
			"No draw follows; from this line on %s in no game.", isOrAre(w.count, "ticket")))
	case r.drawn == 0 && len(r.faults) == 0:
		r.fault(max(r.lines, 1), refuse(DrawMissing, "", "", "The file ends without a draw."))
	}
	if len(r.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(r.faults, func(a, b *Fault) int { return cmp.Compare(a.Line, b.Line) })
	return r.faults
}

// ticket takes a ticket into the next game.
func (r *Run) ticket(l *line) *refusal.Refusal {
	// The ticket is on the way to its draw also if something is wrong with it.
	if r.waiting.count++; r.waiting.count == 1 {
		r.waiting.line = r.lines
	}
	t, refused := r.readTicket(l)
	if refused != nil {
		return refused.Below("ticket")
	}
	price, refused := r.quote(&t, l)
	if refused != nil {
		return refused
	}
	if !l.open {
		if refused := r.named(t.First); refused != nil {
			return refused
		}
	}
	if before, ok := r.ids[string(l.id)]; ok {
		return refuse(IDRepeated, "", "id", "The ticket of line %d has this id and still plays.", before)
	}
	if price.Jackpot {
		if refused := r.checkPools(&t, &price); refused != nil {
			return refused
		}
	}
	return r.add(string(l.id), &t, price.Ways)
}

// named refuses a ticket that names another game than those before it.
func (r *Run) named(game keno.GameRef) *refusal.Refusal {
	switch w := &r.waiting; {
	case !w.named.IsValid():
		w.named, w.namedLine = game, r.lines
	case w.named != game:
		return refuse(GameOther, "", "ticket.first",
			"The ticket is for %v, that of line %d for %v, and no draw stands between them.", game, w.namedLine,
			w.named)
	}
	return nil
}

// add opens a ticket's plays. The ticket was checked, so that what is refused
// here is only more than settlement holds.
func (r *Run) add(id string, t *keno.Ticket, ways int) *refusal.Refusal {
	r.ways = settle.AppendWays(r.ways[:0], r.desk, t)
	entry := ticket{seq: r.sold + 1, id: id, first: r.drawn + 1, last: r.drawn + uint32(t.Games), ways: ways}
	for i := range r.ways {
		if r.ways[i].Run {
			entry.runs++
		}
	}
	if r.explain {
		entry.play = slices.Clone(r.ways)
	}
	play := settle.Play{Ticket: place(entry.seq), First: entry.first, Last: entry.last, Ways: r.ways}
	if err := r.open.Add(play); err != nil {
		return refuse(GameTooLarge, "", "ticket", "The ticket cannot be settled: %v.", err)
	}
	r.sold++
	r.ids[id] = r.lines
	r.tickets = append(r.tickets, entry)
	return nil
}

// draw closes the next game and, if there was no fault, settles it.
func (r *Run) draw(d draw) (*Game, *refusal.Refusal) {
	refused := r.checkDraw(d).Below("draw")
	r.advance(d.game)
	if refused != nil || len(r.faults) > 0 {
		return nil, refused
	}
	if err := r.settle(d); err != nil {
		return nil, refuse(GameTooLarge, "", "draw", "The game cannot be settled: %v.", err)
	}
	return r.result(d), nil
}

// settle settles the game that was closed last.
func (r *Run) settle(d draw) error {
	pots, err := r.pools.contribute(r.open.JackpotStakes(r.drawn, r.pools.terms))
	if err != nil {
		return err
	}
	if r.outcome, err = settle.Pass(r.open, r.drawn, d.numbers, r.terms, pots); err != nil {
		return err
	}
	if err := r.grant(d); err != nil {
		return err
	}
	if r.explain {
		game := settle.Game{
			Ordinal: r.drawn, Numbers: d.numbers, Terms: r.terms, Reductions: r.outcome.Reductions,
			Offers: r.outcome.Offers,
		}
		for _, won := range r.outcome.Won {
			game.Awards = append(game.Awards, won.Awards...)
		}
		r.history = append(r.history, game)
	}
	return r.pools.next(r.outcome.Won)
}

// unknown is the number of a game whose draw could not be read.
const unknown = -1

// advance closes the next game, which has a number.
func (r *Run) advance(game int) {
	r.drawn, r.game, r.waiting = r.drawn+1, game, waiting{}
	clear(r.pools.given)
	if _, err := r.open.Close(r.drawn); err != nil {
		panic(fmt.Sprintf("evaluate: the games of a file are counted: %v", err))
	}
}

// checkDraw refuses a draw that is not that of the next game.
func (r *Run) checkDraw(d draw) *refusal.Refusal {
	n := &r.games.Numbering
	_, draw := r.book.Numbers()
	switch w := &r.waiting; {
	case d.game < n.First || d.game > n.Last:
		return refuse(GameNumber, n.Clause, "game", "Games are numbered %d to %d.", n.First, n.Last)
	case d.numbers.Len() != draw:
		return refuse(keno.FieldValue, r.book.File().Keno.Numbers.Clause, "numbers",
			"%s drawn; a game draws %d.", figure.Count(d.numbers.Len(), "number"), draw)
	case w.named.IsValid() && w.named.Game != d.game:
		return refuse(GameOther, "", "game", "The ticket of line %d is for %v.", w.namedLine, w.named)
	case r.game != unknown && r.playsOn() > 0 && !follows(n, r.game, d.game):
		return refuse(GameOrder, n.Clause, "game",
			"Tickets play on from game %d (%d of them), and game %d is not the next.", r.game, r.playsOn(), d.game)
	}
	return nil
}

// follows reports whether a game can be the next after another: it has the next
// number, or the first where numbers begin anew.
func follows(n *rulebook.Numbering, before, game int) bool {
	return game == before+1 || game == n.First && (before == n.Last || n.Restarts == rulebook.RestartsDaily)
}

// playsOn returns how many tickets of games already drawn are in the next one.
func (r *Run) playsOn() int {
	n := 0
	for i := range r.tickets {
		if r.tickets[i].first <= r.drawn {
			n++
		}
	}
	return n
}

// forget drops the tickets whose last game is drawn, and carries prizes that run
// into the next. It waits for the next line, because the game that was settled last
// is made of them.
func (r *Run) forget() {
	if r.forgotten == r.drawn {
		return
	}
	r.forgotten = r.drawn
	if err := r.carry(); err != nil {
		panic(fmt.Sprintf("evaluate: a game that was closed is dropped: %v", err))
	}
	r.outcome = nil
	first := r.drawn + 1
	r.tickets = slices.DeleteFunc(r.tickets, func(t ticket) bool {
		over := t.last <= r.drawn || t.ways == 0
		if over {
			delete(r.ids, t.id)
		} else {
			first = min(first, t.first)
		}
		return over
	})
	r.history = slices.DeleteFunc(r.history, func(g settle.Game) bool { return g.Ordinal < first })
}

// carry moves the open plays on to the next game. After a fault nothing is settled
// any more, and what runs is as good as over.
func (r *Run) carry() error {
	var carries iter.Seq[settle.Carry] = func(func(settle.Carry) bool) {}
	if r.outcome != nil {
		carries = r.outcome.Carries()
		r.endRuns()
	}
	if err := r.open.Carry(r.drawn, carries); err != nil {
		return err
	}
	return r.open.Drop(r.drawn)
}

// endRuns takes the ways whose runs are over from their tickets.
func (r *Run) endRuns() {
	alive := map[uint64]int{}
	for c := range r.outcome.Carries() {
		alive[c.Ticket.Seq]++
	}
	for i := range r.tickets {
		t := &r.tickets[i]
		if t.runs > 0 {
			t.ways -= t.runs - alive[t.seq]
			t.runs = alive[t.seq]
		}
	}
}
