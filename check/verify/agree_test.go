package verify_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/check/witness"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// A market is the house's own engine with players around it: days of games in which
// anything that the rulebook sells is sold, cancelled and paid, all from one seed.
// The numbers of a game are fixed before it opens, so that players can be lucky far
// more often than they would be.
type market struct {
	t      testing.TB
	engine *engine.Engine
	book   *rulebook.Book
	random *rand.Rand
	house  journal.Signer
	device journal.Signer
	log    journal.Signer     // of the public log
	shown  journal.Checkpoint // of the public log, as somebody sees it now and then
	about  verify.House
	now    record.Time

	records [][]byte
	objects map[string][]byte
	signed  []byte
	numbers map[uint32]uint64 // last request of each terminal
	draws   map[uint32][]int  // numbers of each game
	drawn   map[string]bool   // their sets
	tickets []record.Place
	did     map[string]int // what happened, for the coverage
	sold    int
	// reported is the last game of which others have told, sooner or later, game by
	// game.
	reported uint32

	// reprint is the same rulebook under another title, and so under another hash.
	reprint record.Hash
	// deferred are games without a result whose plays are played along with the next.
	deferred map[uint32]bool
	// past are the records of volumes that have ended; turns lets there be some.
	past  map[uint16][][]byte
	turns bool
	// cosigners are the witnesses, by the witness's own program; none before they are named.
	cosigners []*witness.Cosigner
	busy      bool // the operator is at work at every game
	// papers are those that customers have, and cards is how many were given out.
	papers []paperOf
	cards  uint32
	// stops lets somebody stop payment on tickets, at any time in a customer's session too.
	stops bool
}

// The two venues of a market, each with a writer and a terminal of the player's.
var marketTerminals = []record.TerminalAdded{
	{Terminal: 1, Venue: 1, Channel: "writer"}, {Terminal: 2, Venue: 1, Channel: "sst"},
	{Terminal: 3, Venue: 2, Channel: "writer"}, {Terminal: 4, Venue: 2, Channel: "sst"},
}

// marketInspector is the number of the inspector of a market.
const marketInspector = 900

func newMarket(t testing.TB, id string, seed uint64) *market {
	t.Helper()
	book, err := rules.Book(id)
	require(t, err)
	return newMarketBy(t, book, seed)
}

// newMarketBy returns a market that plays by a rulebook.
func newMarketBy(t testing.TB, book *rulebook.Book, seed uint64) *market {
	t.Helper()
	m := &market{t: t, book: book, random: rand.New(rand.NewPCG(seed, 1)), now: opening, objects: map[string][]byte{},
		numbers: map[uint32]uint64{}, draws: map[uint32][]int{}, drawn: map[string]bool{}, did: map[string]int{},
		deferred: map[uint32]bool{}, past: map[uint16][][]byte{}}
	m.about = verify.House{Format: verify.FormatVersion, House: houseName, Volume: 1}
	m.house, m.about.HouseKey = key(t, origin, 1)
	m.device, m.about.DeviceKey = key(t, "device", 2)
	m.engine = engine.New(m.house)
	kind := "club"
	for _, tender := range book.Tenders() {
		if len(tender.Venues) > 0 {
			kind = string(tender.Venues[0])
		}
	}
	venues := []record.VenueAdded{{Venue: 1, Kind: kind, Name: "Corner"}, {Venue: 2, Kind: kind, Name: "River"}}
	require(t, m.engine.Found(m.tick(), engine.Founding{
		House: houseName, Build: "test", HouseKey: m.about.HouseKey, DeviceKey: m.about.DeviceKey, Book: book, Series: "keno",
		Schedule: book.Schedules()[0].ID(),
		Venues:   venues, Terminals: slices.Clone(marketTerminals),
		People: append(staff.Crew(book, venues, marketTerminals, staff.Unnamed),
			&record.PersonAdded{Person: marketInspector, Details: staff.Unnamed(marketInspector, record.RoleInspector)},
			&record.RoleGranted{Person: marketInspector, Role: record.RoleInspector}),
	}))
	own, err := rulebook.FromCanonical([]byte(strings.Replace(string(book.Canonical()), book.Title(),
		strings.ToUpper(book.Title()), 1)))
	require(t, err)
	m.reprint = record.Hash(own.Hash())
	require(t, m.engine.AdoptRulebook(m.tick(), own))
	m.signOn(1)
	m.take()
	return m
}

// beginLog begins the public log of a number under a key of its own.
func (m *market) beginLog(number uint16, seed byte) {
	m.t.Helper()
	signer, verifier := key(m.t, journal.LogOrigin(houseName, number), seed)
	m.log = signer
	require(m.t, m.engine.BeginLog(m.tick(), engine.LogKey{Signer: signer, Verifier: verifier}, nil))
}

// cosignLog has the public log cosigned as it was shown last.
func (m *market) cosignLog() {
	m.t.Helper()
	witnessed, _ := m.engine.State().LogWitnessed()
	origin, _ := m.engine.State().PublicLog()
	if m.log == nil || len(m.cosigners) == 0 || m.shown.Origin != origin || m.shown.Size <= witnessed {
		return
	}
	note, err := journal.SignCheckpoint(m.shown, m.log)
	require(m.t, err)
	var by []string
	for _, c := range m.cosigners {
		line, err := c.Cosign(m.shown, int64(m.now/1000))
		require(m.t, err)
		note, by = append(note, line...), append(by, c.Name())
	}
	require(m.t, m.engine.WitnessLog(m.tick(), note, by))
	m.take()
}

// signOn has a writer sign on at a terminal of the first venue where nobody has.
func (m *market) signOn(terminal uint32) {
	m.t.Helper()
	if post, _ := m.engine.State().People().Post(terminal); post.Person != 0 {
		return
	}
	grant := state.Grant{Role: record.RoleWriter, Venue: 1}
	made, err := m.engine.Do(m.tick(), command.Change{Command: staff.AddPerson{Details: record.Hash{9},
		Grants: []state.Grant{grant}}}, command.Env{})
	require(m.t, err)
	_, err = m.engine.Do(m.tick(), command.Change{Command: staff.Begin{Person: staff.NumberOf(made), Terminal: terminal,
		Grant: grant}}, command.Env{})
	require(m.t, err)
}

func require(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (m *market) tick() record.Time {
	m.now += record.Time(m.random.IntN(2000))
	return m.now
}

// take keeps what the engine has decided.
func (m *market) take() {
	m.t.Helper()
	pending, ok, err := m.engine.Take()
	require(m.t, err)
	if !ok {
		return
	}
	for _, entry := range pending.Entries {
		m.records = append(m.records, entry.Data)
		kind, _ := record.KindOf(entry.Data)
		m.did["record: "+kind.String()]++
	}
	for _, object := range pending.Objects {
		m.objects[object.Name] = object.Data
	}
	m.signed = pending.Checkpoint
	if m.log != nil && len(m.records)%4 == 0 {
		m.shown = m.engine.Public().View().Checkpoint()
	}
}

// one reports true once in n times.
func (m *market) one(n int) bool { return m.random.IntN(n) == 0 }

// drawOf returns the numbers that a game will draw, in their order.
func (m *market) drawOf(ordinal uint32) []int {
	for m.draws[ordinal] == nil {
		numbers := m.random.Perm(80)[:20]
		if m.one(12) {
			// Two rows of ten, in any order.
			rows := m.random.Perm(8)
			for i, k := range m.random.Perm(20) {
				numbers[i] = rows[k/10]*10 + k%10
			}
		}
		for i := range numbers {
			numbers[i]++
		}
		// No two games of a house draw the same numbers.
		if set := fmt.Sprint(slices.Sorted(slices.Values(numbers))); !m.drawn[set] {
			m.drawn[set] = true
			m.draws[ordinal] = numbers
		}
	}
	return m.draws[ordinal]
}

// play draws and settles a sealed game.
func (m *market) play(ordinal uint32) {
	m.t.Helper()
	m.cosign(ordinal)
	if m.one(3) {
		m.void(ordinal)
		return
	}
	drawing := 1
	for ; m.one(15); drawing++ {
		m.number(ordinal, m.random.Perm(80)[:1+m.random.IntN(20)])
		m.refused("draw voided", m.approved(command.VoidDraw{Ordinal: ordinal, Draw: uint8(drawing), Reason: "a ball broke",
			Clause: m.clause()}))
	}
	m.turn()
	m.result(ordinal, drawing)
}

// result draws and settles a sealed game in its draw of that number.
func (m *market) result(ordinal uint32, drawing int) {
	m.t.Helper()
	current, _ := m.engine.State().Series(series)
	g, _ := current.Game(ordinal)
	numbers := m.drawOf(ordinal)
	m.number(ordinal, lessOne(numbers))
	m.turn()
	// The seal may be of the volume before, under another key.
	body, _, _ := strings.Cut(string(g.Seal), "\n\n")
	seal, err := journal.ParseSeal(body + "\n")
	require(m.t, err)
	text := fmt.Sprintf("drawhouse/draw/v1\ndevice rng\nseries keno\nday %v\ngame %d\nrevision %d\nseal %v\nof 80\nnumbers %s\n",
		g.Ref.Day, g.Ref.Number, drawing, seal.Hash(), spaced(numbers))
	note, err := journal.SignNote(text, m.device)
	require(m.t, err)
	require(m.t, m.engine.FinishDraw(m.tick(), series, ordinal, note))
	require(m.t, m.engine.SettleGame(m.tick(), series, ordinal))
	m.take()
	m.agree()
	g, _ = current.Game(ordinal)
	m.note(&g.Settled)
}

// number lets numbers fall, counted from 0.
func (m *market) number(ordinal uint32, numbers []int) {
	m.t.Helper()
	remaining := make([]int, 80)
	for i := range remaining {
		remaining[i] = i
	}
	for _, n := range numbers {
		index := slices.Index(remaining, n)
		read := []byte{byte(index)}
		if limit := 256 - 256%len(remaining); limit < 256 && m.one(9) {
			read = []byte{byte(limit), byte(index)}
		}
		require(m.t, m.engine.DrawNumber(m.tick(), series, ordinal, n+1, read))
		remaining = slices.Delete(remaining, index, index+1)
	}
}

// lessOne counts numbers from 0.
func lessOne(numbers []int) []int {
	less := slices.Clone(numbers)
	for i := range less {
		less[i]--
	}
	return less
}

// note counts what a settlement has seen.
func (m *market) note(s *record.GameSettled) {
	for what, seen := range map[string]bool{
		"pro-rated": len(s.Reductions) > 0, "carried": s.CarriedWays > 0, "jackpot": len(s.JackpotWins) == 1,
		"shared jackpot": len(s.JackpotWins) > 1, "kept by rounding": s.BreakageCents > 0,
		"promotion won": len(s.Promotions) > 0,
	} {
		if seen {
			m.did[what]++
		}
	}
	for _, a := range s.Awards {
		m.did["award "+strconv.Itoa(int(a.Part))]++
	}
}

func (m *market) request(terminal uint32) record.Request {
	m.numbers[terminal]++
	return record.Request{Terminal: terminal, Number: m.numbers[terminal], Body: [16]byte{byte(m.numbers[terminal])}}
}

func claimCode(request record.Request) serial.ClaimCode {
	var code serial.ClaimCode
	binary.BigEndian.PutUint32(code[:], request.Terminal)
	binary.BigEndian.PutUint32(code[6:], uint32(request.Number))
	return code
}

// refused fails the test on an error that is no refusal, and counts those that are.
func (m *market) refused(what string, err error) bool {
	m.t.Helper()
	if err == nil {
		m.did[what]++
		return false
	}
	var r *refusal.Refusal
	if !errors.As(err, &r) {
		m.t.Fatalf("%s: %v", what, err)
	}
	m.did["refused: "+what+", "+string(r.Code)]++
	return true
}

// sell lets a player ask for something. Much of it is refused.
func (m *market) sell() {
	m.t.Helper()
	current, _ := m.engine.State().Series(series)
	newest := current.Newest()
	terminal := uint32(1 + m.random.IntN(len(marketTerminals)))
	channel := rulebook.Channel(marketTerminals[terminal-1].Channel)
	if !slices.Contains(m.book.EntryKinds().Channels, channel) {
		terminal, channel = 1, rulebook.ChannelWriter
	}
	first, ordinal := "open", newest.Ordinal
	setting := keno.Setting{Open: keno.GameRef{Day: newest.Ref.Day, Game: int(newest.Ref.Number)},
		Entropy: entropy{m.random}}
	if next, ok := current.Designated(); ok && m.one(5) {
		first, ordinal = "delayed", next.Ordinal
		setting.Designated = keno.GameRef{Day: next.Game.Day, Game: int(next.Game.Number)}
	}
	games := 1
	if m.one(9) {
		games = 1 + m.random.IntN(5)
	}
	bets := []string{m.bet(games, ordinal)}
	for m.one(4) {
		bets = append(bets, m.bet(games, ordinal))
	}
	methods := []rulebook.Method{rulebook.MethodForm, rulebook.MethodForm, rulebook.MethodVerbal, rulebook.MethodItem}
	if channel == rulebook.ChannelSST {
		methods = []rulebook.Method{rulebook.MethodScreen, rulebook.MethodScreen, rulebook.MethodItem}
	}
	env := keno.Envelope{Channel: channel, Method: methods[m.random.IntN(len(methods))], Runner: m.one(6)}
	body := strings.Join(bets, ",")
	var old record.Place
	replay := ""
	if len(m.tickets) > 0 && m.one(20) {
		old = m.tickets[m.random.IntN(len(m.tickets))]
		before, err := keno.DecodeTicket(m.soldAt(old).Ticket)
		require(m.t, err)
		setting.Old, replay, body, games = &before, `"replay":"0000000000000000",`, "", before.Games
		env.Method = rulebook.MethodReplay
	}
	// A ticket is bound by the least stake of the bonus prize pool if any of its games
	// plays for it (tas-keno-2023 12.2(b)).
	for k := range uint32(games) {
		env.PoolGame = env.PoolGame || current.IsPoolGame(ordinal+k)
	}
	text := fmt.Sprintf(`{"v":1,"rulebook":%q,%s"first":%q,"games":%d,"bets":[%s]}`, m.book.ID(), replay, first, games,
		body)
	request, err := keno.ParseRequest([]byte(text))
	if err != nil {
		m.t.Fatalf("%s: %v", text, err)
	}
	offer, err := counter.PrepareSale(m.engine.State().DeskFor(current, ordinal), request, setting, env)
	if m.refused("offered", err) {
		return
	}
	offer.Replays = old
	asked := m.request(terminal)
	claim := claimCode(asked).Hash(asked.Terminal, asked.Number)
	answer, err := m.engine.Sell(m.tick(), counter.Sale{Request: asked, Series: series, Quote: offer,
		Claim: record.Hash(claim)})
	if m.refused("sold", err) {
		return
	}
	m.sold++
	m.tickets = append(m.tickets, answer.Place)
	m.take()
}

// entropy is randomness for picks.
type entropy struct{ random *rand.Rand }

func (e entropy) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e.random.Uint32())
	}
	return len(p), nil
}

func (m *market) soldAt(place record.Place) *record.TicketSold {
	m.t.Helper()
	r, err := record.Decode(m.volume(place.Volume)[place.Seq])
	require(m.t, err)
	return r.Body.(*record.TicketSold)
}

// claim presents a ticket at a terminal.
func (m *market) claim(place record.Place, terminal uint32) counter.Payment {
	m.t.Helper()
	sold := m.soldAt(place)
	command := counter.Payment{Request: m.request(terminal), Place: place, Sold: sold, Code: claimCode(sold.Request)}
	ticket, err := keno.DecodeTicket(sold.Ticket)
	require(m.t, err)
	for ordinal := sold.Ordinal; ordinal < sold.Ordinal+uint32(ticket.Games) || m.deferred[ordinal-1]; ordinal++ {
		win := counter.Win{Ordinal: ordinal}
		for revision := uint8(1); m.objects[game.WinnersName(series, ordinal, revision)] != nil; revision++ {
			file, err := settle.DecodeWinners(m.objects[game.WinnersName(series, ordinal, revision)])
			require(m.t, err)
			cents, _ := file.Lookup(place)
			win.Cents += cents
			win.Files = append(win.Files, file.Hash())
		}
		if len(win.Files) > 0 {
			command.Wins = append(command.Wins, win)
		}
	}
	command.Entropy = make([]byte, counter.BonusBytes)
	_, _ = entropy{m.random}.Read(command.Entropy)
	return command
}

// asks has a terminal ask for something.
func (m *market) asks(c command.Request) (engine.Answer, error) {
	return m.engine.Request(m.tick(), c, command.As(series, 0))
}

// pay has a ticket paid anywhere.
func (m *market) pay() {
	m.t.Helper()
	_, err := m.asks(command.Pay{Payment: m.claim(m.tickets[m.random.IntN(len(m.tickets))],
		uint32(1+m.random.IntN(len(marketTerminals))))})
	m.refused("paid", err)
	m.take()
}

// cancel gives a ticket back.
func (m *market) cancel() {
	m.t.Helper()
	place := m.tickets[len(m.tickets)-1-m.random.IntN(min(len(m.tickets), 40))]
	sold := m.soldAt(place)
	_, err := m.asks(command.Cancel{Cancellation: counter.Cancellation{Request: m.request(sold.Request.Terminal),
		Place: place, Sold: sold, Code: claimCode(sold.Request)}})
	m.refused("cancelled", err)
	m.take()
}

// trade lets players come to the open game.
func (m *market) trade() {
	m.t.Helper()
	for range 10 + m.random.IntN(60) {
		if m.one(40) {
			m.turn()
		}
		m.sell()
		if m.one(3) && len(m.tickets) > 0 {
			m.pay()
		}
		if m.one(12) && len(m.tickets) > 0 {
			m.cancel()
		}
		if m.one(15) {
			m.visit()
		}
	}
}

// fatten lets many lose much on nine spots, so that the prize fund has something to
// offer, and the primary of Tasmania comes to the amount from which a secondary grows.
func (m *market) fatten(ordinal uint32) {
	m.t.Helper()
	stake := map[string]int{"vic-keno-2015": 999900, "tas-keno-2023": 199900, "casino-keno-div2": 100000}[m.book.ID()]
	drawn := m.drawOf(ordinal)
	var spots []int
	for n := 1; len(spots) < 9; n++ {
		if !slices.Contains(drawn, n) {
			spots = append(spots, n)
		}
	}
	for range 170 + m.random.IntN(10) {
		m.ask(1, 1, fmt.Sprintf(`{"bet":%q,"spots":%s,"stake_cents":%d}`, m.book.Bets()[0].ID(), list(spots), stake))
	}
}

// ask asks for games of some bets at a writer's terminal.
func (m *market) ask(terminal uint32, games int, bets ...string) {
	m.t.Helper()
	current, _ := m.engine.State().Series(series)
	newest := current.Newest()
	request, err := keno.ParseRequest([]byte(fmt.Sprintf(`{"v":1,"rulebook":%q,"first":"open","games":%d,"bets":[%s]}`,
		m.book.ID(), games, strings.Join(bets, ","))))
	require(m.t, err)
	setting := keno.Setting{Open: keno.GameRef{Day: newest.Ref.Day, Game: int(newest.Ref.Number)},
		Entropy: entropy{m.random}}
	offer, err := counter.PrepareSale(m.engine.State().DeskFor(current, newest.Ordinal), request, setting,
		keno.Envelope{Channel: rulebook.ChannelWriter, Method: rulebook.MethodForm})
	require(m.t, err)
	asked := m.request(terminal)
	claim := claimCode(asked).Hash(asked.Terminal, asked.Number)
	_, err = m.engine.Sell(m.tick(), counter.Sale{Request: asked, Series: series, Quote: offer, Claim: record.Hash(claim)})
	require(m.t, err)
}

// designatedAhead reports whether a game after this one was announced for the day.
func (m *market) designatedAhead(ordinal uint32) bool {
	current, _ := m.engine.State().Series(series)
	last, ok := current.LastDesignated()
	return ok && last.Ordinal > ordinal
}

// days plays days of games until enough tickets are sold.
func (m *market) days(tickets int) {
	m.t.Helper()
	date := today
	for ordinal := uint32(1); m.sold < tickets; date++ {
		require(m.t, m.engine.OpenDay(m.tick(), series, date, zone))
		require(m.t, m.engine.OpenGame(m.tick(), series, m.now+180_000))
		for left := 3 + m.random.IntN(5); left > 0; ordinal++ {
			if ordinal == 1 || ordinal < 6 && m.one(2) {
				m.fatten(ordinal)
			}
			m.trade()
			if left--; left == 0 && !m.designatedAhead(ordinal) {
				require(m.t, m.engine.CloseGame(m.tick(), series))
				m.take()
				m.play(ordinal)
			} else if left = max(left, 1); m.one(2) {
				require(m.t, m.engine.TurnGame(m.tick(), series, m.now+180_000))
				m.take()
				m.play(ordinal)
			} else {
				require(m.t, m.engine.CloseGame(m.tick(), series))
				m.take()
				m.play(ordinal)
				for range 4 {
					m.operate(ordinal + 1)
				}
				if m.busy {
					for range 30 {
						m.operate(ordinal + 1)
					}
				}
				require(m.t, m.engine.OpenGame(m.tick(), series, m.now+180_000))
			}
			for ; m.reported < ordinal && m.one(2); m.reported++ {
				m.report(m.reported + 1)
			}
		}
		require(m.t, m.engine.CloseDay(m.tick(), series))
		m.take()
		m.cosignLog()
		if m.log != nil && date%3 == 0 {
			number, _ := m.engine.Public().Stands()
			m.beginLog(number+1, byte(100+number))
			m.take()
		}
		m.now += 12 * 3600 * 1000
		m.now = max(m.now, opening+record.Time(date+1-today)*24*3600*1000)
	}
}

// Records and Object make the market an export.Reader.
func (m *market) Records(_ context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	data := m.volume(volume)
	for seq := from; seq < to; seq++ {
		if err := fn(seq, data[seq]); err != nil {
			return err
		}
	}
	return nil
}

func (m *market) Object(_ context.Context, name string) ([]byte, error) { return m.objects[name], nil }

// runBothWays verifies an export with and without the quicker way for sales, which must
// not be told apart, and record by record as it grew.
func runBothWays(t testing.TB, src verify.Source, opts verify.Options) *verify.Report {
	t.Helper()
	report, slow := verify.Run(src, opts), verify.RunSlowly(src, opts)
	if diff := cmp.Diff(slow, report); diff != "" {
		t.Fatalf("the two ways differ (-slow +quick):\n%s", diff)
	}
	growsAlike(t, src, opts, report)
	return report
}

// verify grades all that happened a second time.
func (m *market) verify() *verify.Report {
	m.t.Helper()
	out := files{}
	require(m.t, export.Write(context.Background(), out, m.about, m.signed, m))
	return runBothWays(m.t, out, verify.Options{HasClause: rules.Has, HouseKey: m.about.HouseKey,
		DeviceKey: m.about.DeviceKey, Rulebooks: []record.Hash{record.Hash(m.book.Hash())}})
}

// TestAgreement lets the house run random days under each rulebook and grades every
// record of them. AGREE_TICKETS asks for more tickets than the few of every run, and
// AGREE_SEED for others.
func TestAgreement(t *testing.T) {
	tickets, seeds, seed := 500, 3, uint64(1)
	if text := os.Getenv("AGREE_TICKETS"); text != "" {
		n, err := strconv.Atoi(text)
		require(t, err)
		seeds = n / (3 * tickets)
	}
	if text := os.Getenv("AGREE_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		require(t, err)
		seed = n
	}
	for _, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			did := map[string]int{}
			for s := seed; s < seed+uint64(seeds); s++ {
				m := newMarket(t, id, s)
				m.beginLog(1, 3)
				m.turns = s%2 == 0
				if s%3 != 0 {
					m.nameWitnesses()
				}
				m.days(tickets)
				m.did["volumes"] += 1 + len(m.past)
				if report := m.verify(); !report.OK() {
					f := report.Failure
					r, _ := record.Decode(m.volume(f.Place.Volume)[f.Place.Seq])
					t.Fatalf("seed %d: %v\n%+v\n%+v", s, f, r.Body, r.Postings)
				}
				for what, n := range m.did {
					did[what] += n
				}
			}
			for _, what := range slices.Sorted(mapKeys(did)) {
				t.Logf("%-50s %8d", what, did[what])
			}
		})
	}
}
