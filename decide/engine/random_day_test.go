package engine_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

var seedFlag = flag.Uint64("seed", 1, "seed of the random days; 0 takes the time, which is printed")

// series is the one series of a house.
const series = 1

// TestRandomDays plays random days under each keno rulebook, as it is and with caps
// so low that they bite, until everything has happened that the rules allow: every
// bet with every feature, in every situation of the jackpots, with and without
// pro-rating, in tickets of one game and of many, cancelled, replayed, running on,
// under changing schedules. After every game the money is counted to the cent, from
// the ledger and from the tickets, and every prize is computed again; at the end the
// second opinion grades the whole journal, and an engine goes on from a snapshot at a
// random place.
//
//	go test ./decide/engine -run TestRandomDays -v -seed N
func TestRandomDays(t *testing.T) {
	seed := *seedFlag
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", seed)
	for _, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			cover := newCoverage(id)
			houses := []*randomDays{newRandomDays(t, id, false, seed, cover), newRandomDays(t, id, true, seed, cover)}
			houses[0].askDesk()
			for day := 0; day < 3 || day < 60 && len(cover.missing()) > 0; day++ {
				for _, d := range houses {
					d.playDay()
				}
			}
			for _, d := range houses {
				d.payAll()
				d.verify()
				d.must(d.core.CheckSnapshot(1 + d.random.IntN(len(d.core.Records))))
				t.Logf("%d games, %d tickets, %d cancelled, %d payments", d.ordinal(), len(d.tickets), d.cancelled, d.paid)
			}
			cover.report(t)
		})
	}
}

// randomDays is a house and those who play in it.
type randomDays struct {
	t      *testing.T
	id     string
	book   *rulebook.Book
	desk   *keno.Desk
	core   *cases.Core
	random *rand.Rand
	cover  *coverage

	date    day.Day
	draws   map[uint32][]int
	settled map[uint32]settle.Game
	tickets []*bought
	running []*bought      // those of them that may play in games to come
	seeded  map[uint8]bool // pools of which something was owed at the last draw

	cancelled, paid int
}

// bought is a ticket in somebody's hand.
type bought struct {
	cases.Ticket
	kind     string
	play     settle.Play
	terminal uint32
	day      day.Day
	last     uint32       // the last game that it plays
	paid     money.Amount // so far
}

func newRandomDays(t *testing.T, id string, capped bool, seed uint64, cover *coverage) *randomDays {
	t.Helper()
	d := &randomDays{
		t: t, id: id, book: loadBook(t, id, capped), cover: cover, date: day.MustParse("2026-11-15"),
		random: rand.New(rand.NewPCG(seed, uint64(len(id)))),
		draws:  map[uint32][]int{}, settled: map[uint32]settle.Game{}, seeded: map[uint8]bool{},
	}
	var err error
	d.desk, err = keno.NewDesk(d.book)
	d.must(err)
	d.core, err = cases.NewCore(cases.Founding{
		Book: d.book, Schedule: d.book.Schedules()[0].ID(), Begin: cases.Noon(d.date), Seed: fmt.Sprint(id, capped, seed),
	})
	d.must(err)
	return d
}

// lowCaps are the caps as the books have them, and what they are made for a house in
// which they bite. That of races is to be approved, and here it was.
var lowCaps = map[string][2]string{
	"vic-keno-2015":    {"cap: 3000000", "cap: 20000"},
	"tas-keno-2023":    {"cap: 300000", "cap: 30000"},
	"casino-keno-div2": {"cap: 1000000", "cap: 5000"},
}

// raceCap is where that of races belongs.
var raceCap = regexp.MustCompile(`(?m)^( +)bets: \[racing\]\n +major_from: `)

// loadBook reads a rulebook from its file, with low caps if they are wanted.
func loadBook(t *testing.T, id string, capped bool) *rulebook.Book {
	t.Helper()
	path := filepath.Join("..", "..", "rulebook", "rules", id, "book.yaml")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if capped {
		if !strings.Contains(text, lowCaps[id][0]) {
			t.Fatalf("%s does not say %q", path, lowCaps[id][0])
		}
		text = strings.Replace(text, lowCaps[id][0], lowCaps[id][1], 1)
		text = raceCap.ReplaceAllString(text, "${1}cap: 9000\n$0")
	}
	book, err := rulebook.Load(path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func (d *randomDays) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// refusedAs reports whether an error is one of some refusals; another one ends the
// test.
func (d *randomDays) refusedAs(err error, codes ...refusal.Code) bool {
	d.t.Helper()
	var r *refusal.Refusal
	if err == nil {
		return false
	}
	if !errors.As(err, &r) || !slices.Contains(codes, r.Code) {
		d.t.Fatalf("%v", err)
	}
	return true
}

func (d *randomDays) one(n int) bool { return d.random.IntN(n) == 0 }

func (d *randomDays) series() *state.Series {
	s, _ := d.core.Engine.State().Series(series)
	return s
}

// ordinal returns the newest game's.
func (d *randomDays) ordinal() uint32 {
	if newest := d.series().Newest(); newest != nil {
		return newest.Ordinal
	}
	return 0
}

// drawOf returns what a game will draw, in its order.
func (d *randomDays) drawOf(ordinal uint32) []int {
	if d.draws[ordinal] == nil {
		for _, n := range d.random.Perm(80)[:20] {
			d.draws[ordinal] = append(d.draws[ordinal], n+1)
		}
	}
	return d.draws[ordinal]
}

// askDesk finds out which features the desk takes on which bets, and by which clause
// it refuses the others.
func (d *randomDays) askDesk() {
	d.t.Helper()
	setting := keno.Setting{Open: keno.GameRef{Day: d.date, Game: 1}, Entropy: d.core.Script}
	for _, k := range kinds[d.id] {
		for _, feature := range featureValues {
			why := ""
			for range 60 {
				p := player{random: d.random, feature: featureWords(feature)}
				games := max(k.games, 1)
				request, err := keno.ParseRequest(d.form(&k, &p, "open", games, nil))
				d.must(err)
				_, err = d.desk.QuoteRequest(request, setting, keno.Envelope{Channel: rulebook.ChannelWriter, Method: k.method})
				var r *refusal.Refusal
				if err == nil {
					why = ""
					break
				}
				if !errors.As(err, &r) {
					d.t.Fatal(err)
				}
				why = fmt.Sprintf("%s (%s %s)", r.Sentence, d.id, r.Clause)
			}
			d.cover.sellable[pair{byBet, byFeature, k.name, feature}] = why
		}
	}
}

// featureWords returns the features of a value.
func featureWords(value string) string {
	switch value {
	case "none":
		return ""
	case "both":
		return "multiplier lucky_last"
	}
	return value
}

// form writes a ticket of a kind. Ready tickets have their own number of games.
func (d *randomDays) form(k *kind, p *player, first string, games int, lucky []int) []byte {
	bets := []string{k.bet(p, lucky, games)}
	if k.method == rulebook.MethodForm && k.games == 0 && d.one(5) {
		bets = append(bets, k.bet(p, lucky, games))
	}
	if k.name == "set bet" {
		games = 0
	}
	return ticketForm(d.id, first, games, bets)
}

// sell sells a ticket to somebody, or finds that the rules do not allow it.
func (d *randomDays) sell(k *kind) {
	d.t.Helper()
	p := player{random: d.random, heavy: d.one(3)}
	feature := featureValues[d.random.IntN(len(featureValues))]
	if d.cover.sellable[pair{byBet, byFeature, k.name, feature}] == "" {
		p.feature = featureWords(feature)
	}
	games := k.games
	if games == 0 {
		games = 1
		if d.one(3) {
			games = 1 + d.random.IntN(5)
		}
	}
	first, ordinal := "open", d.ordinal()
	if next, ok := d.series().Designated(); ok && d.one(4) {
		first, ordinal = "delayed", next.Ordinal
	}
	var lucky []int
	if d.one(2) {
		lucky = d.drawOf(ordinal)
	}
	terminal := uint32(1 + 2*d.random.IntN(2))
	t := d.order(k.name, cases.Order{Terminal: terminal, Method: k.method, Form: d.form(k, &p, first, games, lucky)})
	if t != nil && (d.one(4) || slices.Contains(pickedKinds, k.name) && d.one(2)) {
		d.sellTwin(t, first)
	}
}

// order sells an order, if it can be sold.
func (d *randomDays) order(name string, o cases.Order) *bought {
	d.t.Helper()
	ticket, err := d.core.Sell(o)
	var r *refusal.Refusal
	if errors.As(err, &r) {
		return nil
	}
	d.must(err)
	play, _, err := d.core.Play(ticket.Place)
	d.must(err)
	t := &bought{Ticket: ticket, kind: name, play: play, terminal: o.Terminal, day: d.date, last: play.Last}
	if g, ok := d.series().Game(ticket.Ordinal); ok {
		t.day = g.Ref.Day
	}
	d.tickets, d.running = append(d.tickets, t), append(d.running, t)
	return t
}

// sellTwin sells somebody else a bet on the same numbers as a ticket has, so that
// they win together.
func (d *randomDays) sellTwin(t *bought, first string) {
	d.t.Helper()
	way := &t.play.Ways[d.random.IntN(len(t.play.Ways))]
	if !way.Spots.IsValid() {
		return
	}
	p := player{random: d.random, heavy: d.one(3)}
	bet := p.write(map[string]any{"bet": way.Bet, "spots": way.Spots.Numbers(), "stake_cents": p.stake()}, 1)
	d.order(kinds[d.id][slices.IndexFunc(kinds[d.id],
		func(k kind) bool { return strings.ReplaceAll(k.name, " ", "_") == way.Bet })].name,
		cases.Order{Terminal: 3, Method: rulebook.MethodForm, Form: ticketForm(d.id, first, 1, []string{bet})})
}

// replay plays an old ticket again.
func (d *randomDays) replay() {
	d.t.Helper()
	if len(d.tickets) == 0 {
		return
	}
	old := d.tickets[d.random.IntN(len(d.tickets))]
	d.order(old.kind, cases.Order{
		Terminal: 1, Method: rulebook.MethodReplay,
		Form: fmt.Appendf(nil, `{"v":1,"rulebook":%q,"replay":%q}`, d.id, old.Serial),
	})
}

// playDay opens a Keno Day, plays some games, and ends it.
func (d *randomDays) playDay() {
	d.t.Helper()
	d.core.SetClock(cases.Noon(d.date))
	d.must(d.core.OpenDay(d.date))
	d.must(d.core.OpenGame())
	for games := 12; ; games-- {
		d.operate()
		d.trade()
		before := d.count()
		_, ahead := d.series().Designated()
		last := games <= 1 && !ahead
		if last {
			d.must(d.core.CloseGame())
		} else {
			d.must(d.core.TurnGame())
		}
		ordinal := d.series().Unsettled()[0].Ordinal
		d.checkClose(ordinal, before)
		d.must(d.core.Draw(ordinal, d.aim(ordinal)))
		d.checkSettled(ordinal, before)
		d.running = slices.DeleteFunc(d.running, func(t *bought) bool { return t.last <= ordinal })
		d.share(false)
		if last {
			break
		}
	}
	d.share(true)
	d.must(d.core.CloseDay())
	next, err := d.date.AddDays(1)
	d.must(err)
	d.date = next
}

// trade sells, cancels and pays for a while.
func (d *randomDays) trade() {
	d.t.Helper()
	all := kinds[d.id]
	for range 25 {
		d.sell(&all[d.random.IntN(len(all))])
		if d.one(15) {
			d.replay()
		}
		if d.one(8) {
			d.cancel()
		}
		if len(d.tickets) > 0 && d.one(4) {
			d.pay(d.tickets[d.random.IntN(len(d.tickets))])
		}
	}
}

// aim returns the numbers of a game: those that lucky players knew, or those that
// the terminal has picked for somebody, and others.
func (d *randomDays) aim(ordinal uint32) []int {
	numbers := d.drawOf(ordinal)
	if !d.one(2) {
		return numbers
	}
	target := d.target(ordinal)
	if target == nil {
		return numbers
	}
	var chosen []int
	for _, w := range target.play.Ways {
		for _, n := range w.Spots.Numbers() {
			if !slices.Contains(chosen, n) {
				chosen = append(chosen, n)
			}
		}
	}
	for _, n := range numbers {
		if len(chosen) < len(numbers) && !slices.Contains(chosen, n) {
			chosen = append(chosen, n)
		}
	}
	d.random.Shuffle(len(chosen), func(i, k int) { chosen[i], chosen[k] = chosen[k], chosen[i] })
	d.draws[ordinal] = chosen[:len(numbers)]
	return d.draws[ordinal]
}

// pickedKinds are those whose numbers the terminal picks or the catalogue has.
var pickedKinds = []string{"kwikipik", "kwikpik", "superplay", "mystery", "set bet", "quickkeno", "mystery quickkeno"}

// target returns a ticket whose numbers nobody could know and that is to win, of each
// kind as likely, and rather one that plays for a jackpot.
func (d *randomDays) target(ordinal uint32) *bought {
	byKind := map[string][]*bought{}
	jackpots := d.jackpots()
	for _, t := range d.running {
		if !t.isIn(ordinal) || !slices.Contains(pickedKinds, t.kind) {
			continue
		}
		w := &t.play.Ways[0]
		if jackpots.Enters(w.Bet, w.Spots.Len()) || d.one(8) {
			byKind[t.kind] = append(byKind[t.kind], t)
		}
	}
	if len(byKind) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(byKind))
	list := byKind[names[d.random.IntN(len(names))]]
	return list[d.random.IntN(len(list))]
}

// jackpots returns the terms of the jackpots.
func (d *randomDays) jackpots() *jackpot.Terms {
	d.t.Helper()
	terms, err := jackpot.NewTerms(d.book, d.book.Schedules()[0].ID())
	d.must(err)
	return terms
}

// operate does what an operator may: announce another schedule or a game of delayed
// start, name who shares the jackpots, lend a seed.
func (d *randomDays) operate() {
	d.t.Helper()
	next := d.ordinal() + 1
	schedules := d.book.Schedules()
	switch d.random.IntN(6) {
	case 0:
		d.refusedAs(d.core.ChangeTerms(record.TermsChanged{
			Series: series, From: next + uint32(d.random.IntN(3)), Rulebook: record.Hash(d.book.Hash()),
			Schedule: schedules[d.random.IntN(len(schedules))].ID(), Approval: "decision",
		}), game.GameNotAhead)
	case 1:
		d.refusedAs(d.core.Designate(next+uint32(d.random.IntN(3))), game.GameNotAhead, game.NoDelayedStart)
	case 2:
		names := [][]string{nil, {"nsw"}, {"nsw", "qld"}}[d.random.IntN(3)]
		d.refusedAs(d.core.NameParticipants(record.ParticipantsNamed{Series: series, From: next, Names: names}),
			jackpot.NotPooled)
	case 3:
		pools := d.series().Pools()
		pool := pools[d.random.IntN(len(pools))]
		d.refusedAs(d.core.MovePool(pool.Spots, rulebook.MoveLend, money.Amount(1+d.random.IntN(20_000_00)), "decision"),
			game.MoveUnknown)
	}
}

// share lets others report what waits for them, sooner or later, and shares it.
func (d *randomDays) share(all bool) {
	d.t.Helper()
	for len(d.series().Pending()) > 0 && (all || d.one(2)) {
		pending := d.series().Pending()[0]
		ordinal := pending.Ordinal
		g, _ := d.series().Game(ordinal)
		before := d.count()
		for _, pool := range slices.Clone(pending.Pools) {
			for _, name := range g.Participants {
				report := jackpot.Report{Jurisdiction: name, Growth: money.Amount(d.random.IntN(5_000_00))}
				if d.one(6) {
					report.Stakes = money.Amount(100 * (1 + d.random.IntN(20)))
				}
				d.must(d.core.Report(ordinal, pool.Spots, report))
			}
		}
		if waits := d.series().Pending(); len(waits) > 0 && waits[0].Ordinal == ordinal {
			d.must(d.core.ShareJackpots(ordinal))
			d.checkShared(ordinal, before)
		}
	}
}

// cancel gives a ticket back, which must bring what its games to come have cost.
func (d *randomDays) cancel() {
	d.t.Helper()
	if len(d.tickets) == 0 {
		return
	}
	t := d.tickets[len(d.tickets)-1-d.random.IntN(min(len(d.tickets), 60))]
	kept := max(d.series().Open.Closed(), t.play.First-1)
	refund, carried, err := d.core.Cancel(t.terminal, t.Ticket)
	wantRefund, wantCarried := d.costAfter(t, kept)
	codes := []refusal.Code{counter.NothingLeft, counter.OtherDay}
	if wantCarried > 10_000_00 {
		codes = append(codes, counter.OverCashLimit)
	}
	if d.refusedAs(err, codes...) {
		return
	}
	d.cancelled++
	if refund != wantRefund || carried != wantCarried {
		d.t.Errorf("ticket %v of games %d to %d, cancelled after %d, brings %v and %v, want %v and %v", t.Place, t.play.First,
			t.last, kept, refund, carried, wantRefund, wantCarried)
	}
	t.last = kept
}

// pay presents a ticket, which must bring what it has won and was not paid.
func (d *randomDays) pay(t *bought) {
	d.t.Helper()
	var due, held money.Amount
	for ordinal := t.play.First; ordinal <= t.last; ordinal++ {
		g, ok := d.series().Game(ordinal)
		if !ok || g.Phase != state.PhaseSettled {
			break
		}
		prize := d.prizeIn(&t.play, ordinal).Payable
		if g.Delayed && d.book.Games().Delayed.PaidNextDay && d.series().Day <= g.Ref.Day {
			held += prize
			continue
		}
		due += prize
	}
	due -= t.paid
	got, err := d.core.Pay(3, t.Ticket)
	codes := []refusal.Code{counter.OverCashLimit}
	if due == 0 {
		codes = []refusal.Code{counter.NoPrize, counter.NotDrawn, counter.AlreadyPaid, counter.TicketCancelled}
	}
	if held > 0 {
		codes = append(codes, counter.HeldBack)
	}
	if d.refusedAs(err, codes...) {
		return
	}
	d.paid++
	if got != due {
		d.t.Errorf("ticket %v is paid %v, want %v", t.Place, got, due)
	}
	t.paid += got
}

// payAll pays everybody, and holds what is still owed against the ledger.
func (d *randomDays) payAll() {
	d.t.Helper()
	d.core.SetClock(cases.Noon(d.date))
	d.must(d.core.OpenDay(d.date)) // Some prizes wait for the day after.
	for _, t := range d.tickets {
		d.pay(t)
	}
	d.checkEnd()
}

// prizeIn computes a prize anew.
func (d *randomDays) prizeIn(p *settle.Play, ordinal uint32) settle.Prize {
	d.t.Helper()
	var games []settle.Game
	for o := p.First; o <= ordinal; o++ {
		games = append(games, d.settled[o])
	}
	prize, err := settle.PrizeIn(*p, p.Needs(games))
	d.must(err)
	return prize
}

// winners reads the winners files of a game.
func (d *randomDays) winners(ordinal uint32) map[record.Place]money.Amount {
	d.t.Helper()
	d.must(d.core.Take())
	all := map[record.Place]money.Amount{}
	for revision := uint8(1); ; revision++ {
		data, ok := d.core.Objects[game.WinnersName(series, ordinal, revision)]
		if !ok {
			return all
		}
		file, err := settle.DecodeWinners(data)
		d.must(err)
		for place, cents := range file.All() {
			all[place] += cents
		}
	}
}
