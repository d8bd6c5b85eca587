package cases

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Core is a house in memory: the engine, a device, and what they have handed over.
type Core struct {
	operator
	Engine *engine.Engine
	Script *Script

	device   *draw.Device
	source   *draw.Source
	house    journal.Signer
	signer   journal.Signer // of the device
	verifier journal.Verifier
	now      time.Time
	numbers  map[uint32]uint64 // last request of each terminal
	places   map[string]record.Place
	visits   visits
	of       uint8 // the series that acts are about

	// Records and Objects are what is durable as far as a case is concerned,
	// Checkpoint is signed over it, Keys are the public keys to check it with, and Secrets those to go on with it.
	Records    [][]byte
	Objects    map[string][]byte
	Checkpoint []byte
	Keys       struct{ House, Device string }
	Secrets    struct{ House, Device string }
	again      []decoded // the records that were read for a restart
}

// decoded is a record as a house reads it from its journal.
type decoded struct {
	record record.Record
	leaf   journal.Hash
}

// NewCore founds a house in memory.
func NewCore(f Founding) (*Core, error) {
	c := &Core{
		Script: NewScript(sha256.Sum256([]byte(f.Seed))), now: f.Begin,
		numbers: map[uint32]uint64{}, places: map[string]record.Place{}, visits: newVisits(),
		Objects: map[string][]byte{}, of: series,
	}
	c.operator = operator{c}
	houseKey, houseVerifier, err := journal.GenerateKey(c.Script, "case.example")
	if err != nil {
		return nil, err
	}
	deviceKey, deviceVerifier, err := journal.GenerateKey(c.Script, "case.example/device")
	if err != nil {
		return nil, err
	}
	c.Keys.House, c.Keys.Device = houseVerifier, deviceVerifier
	c.Secrets.House, c.Secrets.Device = houseKey, deviceKey
	signer, err := journal.ParseSigner(houseKey)
	if err != nil {
		return nil, err
	}
	if err := c.build(deviceKey, houseVerifier); err != nil {
		return nil, err
	}
	c.house = signer
	c.Engine = engine.New(signer)
	c.Engine.State().KeepFresh(1)
	err = c.Engine.Found(c.tick(), engine.Founding{
		House: "case.example", Build: "cases", HouseKey: houseVerifier, DeviceKey: deviceVerifier,
		Book: f.Book, Text: f.Text, Bases: engine.BasisOf(f.Base), Series: "keno", Schedule: f.Schedule, Venues: venues(&f),
		Terminals: append(terminals(&f), f.Cards...),
		People:    people(&f),
	})
	if err == nil && f.Balls {
		err = c.Machine()
	}
	return c, err
}

// build builds the device.
func (c *Core) build(key, house string) error {
	signer, err := journal.ParseSigner(key)
	if err != nil {
		return err
	}
	c.signer = signer
	if c.verifier, err = journal.ParseVerifier(house); err != nil {
		return err
	}
	if c.source, err = draw.NewSource(c.Script); err != nil {
		return err
	}
	return c.newDevice()
}

// newDevice has a device that has drawn nothing yet.
func (c *Core) newDevice() (err error) {
	c.device, err = draw.NewDevice(draw.Config{Signer: c.signer, House: c.verifier, Source: c.source})
	return err
}

// number records a number that the device has given. Of one that is refused the device knows nothing afterwards, as
// if it had not been asked, which is what a house does.
func (c *Core) number(ordinal uint32, pick draw.Pick) error {
	refused := c.Engine.DrawNumber(c.tick(), c.of, ordinal, pick.Number, pick.Bytes)
	if refused == nil {
		return nil
	}
	c.Script.Forget()
	return errors.Join(refused, c.newDevice())
}

// Of has what follows be about a series.
func (c *Core) Of(of uint8) { c.of = of }

// tick lets a second pass.
func (c *Core) tick() record.Time {
	c.now = c.now.Add(time.Second)
	return record.Of(c.now)
}

// Take makes durable what is pending. It is done when something must be read: to sign
// a checkpoint after each step would take most of the time of a case.
func (c *Core) Take() error {
	pending, ok, err := c.Engine.Take()
	if err != nil || !ok {
		return err
	}
	c.Checkpoint = pending.Checkpoint
	for _, entry := range pending.Entries {
		c.Records = append(c.Records, entry.Data)
	}
	for _, object := range pending.Objects {
		c.Objects[object.Name] = object.Data
	}
	return nil
}

// Restart has the house begin anew from its journal, as after a power cut: everything that is not in a record is
// gone. The state must be the same.
func (c *Core) Restart() error {
	if err := c.Take(); err != nil {
		return err
	}
	again := engine.New(c.house)
	if err := c.replay(again, 0, len(c.Records)); err != nil {
		return err
	}
	if got, want := c.Engine.State().Hash(), c.Engine.State().HashAnew(); got != want {
		return fmt.Errorf("cases: the state has hash %x, and gone through anew %x", got, want)
	}
	if got, want := again.State().Hash(), c.Engine.State().Hash(); got != want {
		return fmt.Errorf("cases: after a start from %d records the state has hash %x and not %x", len(c.Records), got,
			want)
	}
	c.Engine = again
	return nil
}

// SetClock implements House.
func (c *Core) SetClock(t time.Time) { c.now = t }

// State implements House.
func (c *Core) State() (*state.State, error) { return c.Engine.State(), nil }

func (c *Core) series() *state.Series {
	s, _ := c.Engine.State().Series(c.of)
	return s
}

// request returns the next request of a terminal.
func (c *Core) request(terminal uint32, body []byte) record.Request {
	c.numbers[terminal]++
	hash := sha256.Sum256(body)
	return record.Request{Terminal: terminal, Number: c.numbers[terminal], Body: [16]byte(hash[:16])}
}

// Prepare resolves and prices an order as the edge of a house does.
func (c *Core) Prepare(o Order) (counter.Quote, error) {
	request, err := keno.ParseRequest(o.Form)
	if err != nil {
		return counter.Quote{}, err
	}
	current := c.series()
	newest := current.Newest()
	if newest == nil {
		return counter.Quote{}, errors.New("cases: no game has opened")
	}
	setting := keno.Setting{Open: refOf(newest.Ref), Entropy: c.Script}
	if ahead, ok := current.Designated(); ok {
		setting.Designated = refOf(ahead.Game)
	}
	place, replays := c.places[request.Replay]
	if replays {
		sold, err := c.sold(place)
		if err != nil {
			return counter.Quote{}, err
		}
		old, err := keno.DecodeTicket(sold.Ticket)
		if err != nil {
			return counter.Quote{}, err
		}
		setting.Old = &old
	}
	terminal, _ := c.Engine.State().Terminal(o.Terminal)
	venue, _ := c.Engine.State().Venue(terminal.Venue)
	offer, err := counter.PrepareSale(current.Desk, request, setting,
		keno.Envelope{Channel: terminal.Channel, Method: o.Method, Runner: o.Runner, Venue: venue.Listed})
	offer.Replays = place
	return offer, err
}

func refOf(g record.Game) keno.GameRef { return keno.GameRef{Day: g.Day, Game: int(g.Number)} }

// Sell implements House. The serial is only a name here.
func (c *Core) Sell(o Order) (Ticket, error) {
	offer, err := c.Prepare(o)
	if err != nil {
		return Ticket{}, err
	}
	code, err := serial.NewClaimCode(c.Script)
	if err != nil {
		return Ticket{}, err
	}
	request := c.request(o.Terminal, o.Form)
	command := counter.Sale{Request: request, Series: c.of, Quote: offer,
		Claim: record.Hash(code.Hash(request.Terminal, request.Number)), InSession: c.visits.open[o.Terminal],
		Player: o.Player}
	answer, err := c.Engine.Sell(c.tick(), command)
	if err != nil {
		c.numbers[o.Terminal]-- // It was not decided.
		return Ticket{}, err
	}
	number, err := c.serialOf(answer.Place)
	if err != nil {
		return Ticket{}, err
	}
	t := Ticket{Place: answer.Place, Serial: number.String(), Code: code, Cost: offer.Price.Cost}
	if t.Ordinal, err = firstOf(answer.Data); err != nil {
		return Ticket{}, err
	}
	c.places[t.Serial] = t.Place
	return t, nil
}

// firstOf returns the first game of a ticket that was sold.
func firstOf(data []byte) (uint32, error) {
	sold, err := saleOf(data)
	if err != nil {
		return 0, err
	}
	return sold.Ordinal, nil
}

func saleOf(data []byte) (*record.TicketSold, error) {
	r, err := record.Decode(data)
	if err != nil {
		return nil, err
	}
	sold, ok := r.Body.(*record.TicketSold)
	if !ok {
		return nil, fmt.Errorf("cases: %v is no sale", r.Kind())
	}
	return sold, nil
}

// sold returns the sale at a place.
func (c *Core) sold(place record.Place) (*record.TicketSold, error) {
	if err := c.Take(); err != nil {
		return nil, err
	}
	return saleOf(c.Records[place.Seq])
}

// Cancel implements House.
func (c *Core) Cancel(terminal uint32, t Ticket) (refund, carried money.Amount, err error) {
	sold, err := c.sold(t.Place)
	if err != nil {
		return 0, 0, err
	}
	back := counter.Cancellation{Request: c.request(terminal, []byte("cancel "+t.Serial)), Place: t.Place, Sold: sold,
		Code: c.visits.code(t), InSession: c.visits.open[terminal]}
	return cancelled(c.asks(command.Cancel{Cancellation: back}))
}

// asks has a terminal ask for something.
func (c *Core) asks(what command.Request) (engine.Answer, error) {
	tell(what)
	return c.Engine.Request(c.tick(), what, command.As(c.of, 0))
}

// cancelled reads what a cancellation gives back from the answer to it.
func cancelled(answer engine.Answer, err error) (refund, carried money.Amount, _ error) {
	if err != nil {
		return 0, 0, err
	}
	r, err := record.Decode(answer.Data)
	if err != nil {
		return 0, 0, err
	}
	b, ok := r.Body.(*record.TicketCancelled)
	if !ok {
		return 0, 0, fmt.Errorf("cases: a cancellation is answered by %v", r.Kind())
	}
	return b.RefundCents, b.CarriedCents, nil
}

// Pay implements House.
func (c *Core) Pay(terminal uint32, t Ticket) (money.Amount, error) {
	sold, err := c.sold(t.Place)
	if err != nil {
		return 0, err
	}
	pay := counter.Payment{Request: c.request(terminal, []byte("pay "+t.Serial)), Place: t.Place, Sold: sold,
		Code: c.visits.code(t), InSession: c.visits.open[terminal]}
	if pay.Wins, err = c.wins(t.Place, sold); err != nil {
		return 0, err
	}
	next := nextCode(pay.Request)
	if !t.Bare {
		pay.Continuation = record.Hash(next.Hash(terminal, pay.Request.Number))
	}
	pay.Entropy = make([]byte, counter.BonusBytes)
	if _, err := c.Script.Read(pay.Entropy); err != nil {
		return 0, err
	}
	answer, err := c.asks(command.Pay{Payment: pay})
	if err != nil {
		return 0, err
	}
	if sheet, ok := c.Engine.State().Sheet(t.Place); ok && sheet.Request == pay.Request {
		c.visits.codes[t.Place] = next
	}
	r, err := record.Decode(answer.Data)
	if err != nil {
		return 0, err
	}
	paid, ok := r.Body.(*record.TicketPaid)
	if !ok {
		return 0, fmt.Errorf("cases: a payment is answered by %v", r.Kind())
	}
	return paid.Amount(), nil
}

// wins returns what the winners files say of a ticket.
func (c *Core) wins(place record.Place, sold *record.TicketSold) ([]counter.Win, error) {
	ticket, err := keno.DecodeTicket(sold.Ticket)
	if err != nil {
		return nil, err
	}
	var wins []counter.Win
	last := sold.Ordinal + uint32(ticket.Games) - 1
	for ordinal := sold.Ordinal; ordinal <= last; ordinal++ {
		from := uint8(1)
		if g, ok := c.series().Game(ordinal); ok {
			last, from = max(last, g.PlayedWith), g.Base()
		}
		win := counter.Win{Ordinal: ordinal}
		for revision := from; ; revision++ {
			data, ok := c.Objects[game.WinnersName(c.of, ordinal, revision)]
			if !ok {
				break
			}
			file, err := settle.DecodeWinners(data)
			if err != nil {
				return nil, err
			}
			cents, _ := file.Lookup(place)
			win.Cents += cents
			win.Files = append(win.Files, file.Hash())
		}
		if len(win.Files) > 0 {
			wins = append(wins, win)
		}
	}
	return wins, nil
}

// Play returns what a ticket plays, and the settled games of it.
func (c *Core) Play(place record.Place) (settle.Play, []settle.Game, error) {
	sold, err := c.sold(place)
	if err != nil {
		return settle.Play{}, nil, err
	}
	ticket, err := keno.DecodeTicket(sold.Ticket)
	if err != nil {
		return settle.Play{}, nil, err
	}
	st, current := c.Engine.State(), c.series()
	play := settle.PlayOf(st.DeskFor(current, sold.Ordinal), place, sold.Ordinal, &ticket)
	last := play.Last
	if cancelled, ok := st.Cancelled(place); ok {
		last = cancelled.Shorten(&play)
	}
	var games []settle.Game
	for ordinal := play.First; ordinal <= last; ordinal++ {
		g, ok := current.Game(ordinal)
		if !ok || !g.Phase.IsOver() {
			break
		}
		last = max(last, g.PlayedWith)
		settled, err := st.SettledIn(current, g)
		if err != nil {
			return play, nil, err
		}
		games = append(games, settled)
	}
	return play, games, nil
}

// Won implements House.
func (c *Core) Won(t Ticket) ([]Won, error) {
	play, games, err := c.Play(t.Place)
	if err != nil {
		return nil, err
	}
	sold, err := c.sold(t.Place)
	if err != nil {
		return nil, err
	}
	wins, err := c.wins(t.Place, sold)
	if err != nil {
		return nil, err
	}
	var all []Won
	for i := range games {
		needs := play.Needs(games[:i+1])
		prize, err := settle.PrizeIn(play, needs)
		if err != nil {
			return nil, err
		}
		if listed := wins[i].Cents; listed != prize.Payable {
			return nil, fmt.Errorf("cases: ticket %v is listed with %v in game %d and wins %v", t.Place, listed,
				games[i].Ordinal, prize.Payable)
		}
		won := Won{Ordinal: games[i].Ordinal, Payable: prize.Payable, Carried: prize.Carried}
		if prize.Payable > 0 || prize.Carried > 0 {
			lines, err := settle.ExplainIn(play, needs)
			if err != nil {
				return nil, err
			}
			for _, l := range lines {
				won.Lines = append(won.Lines, l.Text)
			}
		}
		all = append(all, won)
	}
	return all, nil
}

// OpenDay implements House.
func (c *Core) OpenDay(d day.Day) error {
	return c.Engine.OpenDay(c.tick(), c.of, d, offset)
}

// CloseDay implements House.
func (c *Core) CloseDay() error {
	return c.Engine.CloseDay(c.tick(), c.of)
}

func (c *Core) closes() record.Time { return record.Of(c.now.Add(untilClose)) }

// OpenGame implements House.
func (c *Core) OpenGame() error {
	return c.Engine.OpenGame(c.tick(), c.of, c.closes())
}

// CloseGame implements House.
func (c *Core) CloseGame() error {
	return c.Engine.CloseGame(c.tick(), c.of)
}

// TurnGame implements House.
func (c *Core) TurnGame() error {
	return c.Engine.TurnGame(c.tick(), c.of, c.closes())
}

// Draw implements House.
func (c *Core) Draw(ordinal uint32, numbers []int) error {
	current := c.series()
	g, ok := current.Game(ordinal)
	if !ok {
		return fmt.Errorf("cases: there is no game %d", ordinal)
	}
	seal, err := journal.OpenSeal(g.Seal, c.verifier)
	if err != nil {
		return err
	}
	drawing, err := c.begin(current, g, seal, numbers)
	if err != nil {
		return err
	}
	for k := g.Numbers.Len() + 1; k <= drawn; k++ {
		pick, err := drawing.Next(k)
		if err != nil {
			return err
		}
		if err := c.number(ordinal, pick); err != nil {
			return err
		}
	}
	note, err := drawing.Sign()
	if err != nil {
		return err
	}
	if err := c.Engine.FinishDraw(c.tick(), c.of, ordinal, note); err != nil {
		return err
	}
	return c.Engine.SettleGame(c.tick(), c.of, ordinal)
}

// begin begins the draw of a game, by what draws it.
func (c *Core) begin(current *state.Series, g *state.Game, seal journal.Seal, numbers []int) (*draw.Draw, error) {
	if g.Device == record.DeviceCage {
		return c.byMachine(g, seal, numbers)
	}
	if len(numbers) > 0 {
		if err := c.Script.OrderOf(left(g), numbers); err != nil {
			return nil, err
		}
	}
	return c.device.Start(draw.KenoPlan(game.SealName(current, g.Ref), uint32(g.Draw)), seal, g.Numbers,
		c.recent(g.Ordinal))
}

// left returns the numbers that a game can still draw.
func left(g *state.Game) ball.Set {
	all := ball.Full(ball.Keno)
	if g.Numbers.IsValid() {
		return all.Minus(g.Numbers.Set())
	}
	return all
}

// drawn is how many numbers a game draws.
const drawn = 20

// recent returns the results before a game.
func (c *Core) recent(ordinal uint32) []ball.Sequence {
	var results []ball.Sequence
	for o := ordinal - 1; o > 0; o-- {
		if g, ok := c.series().Game(o); ok && g.Phase >= state.PhaseDrawn {
			results = append(results, g.Numbers)
		}
	}
	return results
}

// AdoptRulebook brings a rulebook into the journal.
func (c *Core) AdoptRulebook(book *rulebook.Book) error {
	return c.Engine.AdoptRulebook(c.tick(), book)
}
