package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// series is the one series of the rig's house.
const series = 1

// rig is a house on a bench: an engine with keys, a device and a clock, all made
// from one seed, and everything that the engine has handed over.
type rig struct {
	t      testing.TB
	engine *Engine
	device *draw.Device
	house  journal.Signer
	random *rand.ChaCha8
	desk   *keno.Desk
	now    record.Time

	batches []Pending
	records [][]byte
	objects map[string][]byte
	numbers map[uint32]uint64 // last request number of each terminal
}

func newRig(t testing.TB, seed string) *rig {
	t.Helper()
	return newRigUnder(t, seed, "vic-keno-2015")
}

// newRigUnder returns a rig under a rulebook.
func newRigUnder(t testing.TB, seed, id string) *rig {
	t.Helper()
	book, err := rules.Book(id)
	must(t, err)
	return newRigBy(t, seed, Founding{Book: book})
}

// newRigBy returns a rig that is founded with a rulebook, and its text and base where it is the operator's.
func newRigBy(t testing.TB, seed string, by Founding) *rig {
	t.Helper()
	book := by.Book
	r := &rig{
		t: t, random: rand.NewChaCha8(sha256.Sum256([]byte(seed))), now: 1_794_700_800_000,
		objects: map[string][]byte{}, numbers: map[uint32]uint64{},
	}
	var err error
	r.desk, err = keno.NewDesk(book)
	must(t, err)
	houseKey, houseVerifier, err := journal.GenerateKey(r.random, "rig.example")
	must(t, err)
	r.house, err = journal.ParseSigner(houseKey)
	must(t, err)
	deviceKey, deviceVerifier, err := journal.GenerateKey(r.random, "rig.example/device")
	must(t, err)
	r.device = r.newDevice(deviceKey, houseVerifier)
	r.engine = New(r.house)
	venues := []record.VenueAdded{{Venue: 1, Kind: venueKind(book), Name: "Corner Hotel"},
		{Venue: 2, Kind: venueKind(book), Name: "River Club"}}
	terminals := []record.TerminalAdded{{Terminal: 1, Venue: 1, Channel: "writer"},
		{Terminal: 2, Venue: 1, Channel: "sst"}, {Terminal: 3, Venue: 2, Channel: "writer"}}
	must(t, r.engine.Found(r.now, Founding{
		House: "rig.example", Build: "test", HouseKey: houseVerifier, DeviceKey: deviceVerifier,
		Book: book, Text: by.Text, Reference: by.Reference, Bases: by.Bases, Series: "vic-keno",
		Schedule: book.Schedules()[0].ID(),
		Venues:   venues, Terminals: terminals, People: staff.Crew(book, venues, terminals, staff.Unnamed),
	}))
	r.take()
	return r
}

// venueKind returns a kind of venue that the rulebook knows.
func venueKind(book *rulebook.Book) string {
	for _, tender := range book.Tenders() {
		if len(tender.Venues) > 0 {
			return string(tender.Venues[0])
		}
	}
	return "hotel"
}

func (r *rig) newDevice(key, house string) *draw.Device {
	r.t.Helper()
	signer, err := journal.ParseSigner(key)
	must(r.t, err)
	verifier, err := journal.ParseVerifier(house)
	must(r.t, err)
	source, err := draw.NewSource(r.random)
	must(r.t, err)
	device, err := draw.NewDevice(draw.Config{Signer: signer, House: verifier, Source: source})
	must(r.t, err)
	return device
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// take makes durable what is pending, as far as a test is concerned.
func (r *rig) take() {
	r.t.Helper()
	pending, ok, err := r.engine.Take()
	must(r.t, err)
	if !ok {
		return
	}
	r.batches = append(r.batches, pending)
	for _, entry := range pending.Entries {
		r.records = append(r.records, entry.Data)
	}
	for _, object := range pending.Objects {
		r.objects[object.Name] = object.Data
	}
}

// at returns the record at a place.
func (r *rig) at(place record.Place) []byte {
	r.t.Helper()
	for _, batch := range r.batches {
		if batch.Volume == place.Volume && place.Seq >= batch.From && place.Seq < batch.Size {
			return batch.Entries[place.Seq-batch.From].Data
		}
	}
	r.t.Fatalf("there is no record %v", place)
	return nil
}

// dayMillis is a day in the milliseconds of records.
const dayMillis = 24 * 60 * 60 * 1000

// tick lets time pass.
func (r *rig) tick() record.Time {
	r.now += 1000
	return r.now
}

func (r *rig) openDay(d string) {
	r.t.Helper()
	must(r.t, r.engine.OpenDay(r.tick(), series, day.MustParse(d), 39600))
	must(r.t, r.engine.OpenGame(r.tick(), series, r.now+180_000))
	r.take()
}

// request returns the next request of a terminal with a given body.
func (r *rig) request(terminal uint32, body string) record.Request {
	r.numbers[terminal]++
	hash := sha256.Sum256([]byte(body))
	return record.Request{Terminal: terminal, Number: r.numbers[terminal], Body: [16]byte(hash[:16])}
}

// codeOf is the claim code of a terminal's request; a real one is random.
func codeOf(request record.Request) serial.ClaimCode {
	var code serial.ClaimCode
	binary.BigEndian.PutUint32(code[:], request.Terminal)
	binary.BigEndian.PutUint32(code[6:], uint32(request.Number))
	return code
}

// offer prepares a sale of bets written as in the ticket form.
func (r *rig) offer(terminal uint32, games int, bets string) (counter.Quote, error) {
	r.t.Helper()
	text := strings.NewReplacer("GAMES", strconv.Itoa(games), "BETS", bets).Replace(
		`{"v":1,"rulebook":"` + r.desk.Book().ID() + `","first":"open","games":GAMES,"bets":[BETS]}`)
	request, err := keno.ParseRequest([]byte(text))
	must(r.t, err)
	env := keno.Envelope{Channel: rulebook.ChannelWriter, Method: rulebook.MethodForm}
	if known, _ := r.engine.State().Terminal(terminal); known.Channel == rulebook.ChannelSST {
		env = keno.Envelope{Channel: rulebook.ChannelSST, Method: rulebook.MethodScreen}
	}
	return counter.PrepareSale(r.desk, request, keno.Setting{Open: r.openGame(), Entropy: r.random}, env)
}

func (r *rig) openGame() keno.GameRef {
	current, _ := r.engine.State().Series(series)
	newest := current.Newest()
	if newest == nil {
		return keno.GameRef{Day: day.MustParse("2026-11-15")}
	}
	return keno.GameRef{Day: newest.Ref.Day, Game: int(newest.Ref.Number)}
}

// sell sells and expects to be answered.
func (r *rig) sell(terminal uint32, games int, bets string) (counter.Sale, Answer) {
	r.t.Helper()
	offer, err := r.offer(terminal, games, bets)
	must(r.t, err)
	request := r.request(terminal, bets)
	command := counter.Sale{
		Request: request, Series: series, Quote: offer,
		Claim: record.Hash(codeOf(request).Hash(request.Terminal, request.Number)),
	}
	answer, err := r.engine.Sell(r.tick(), command)
	must(r.t, err)
	return command, answer
}

// play closes the open game, opens the next, and draws and settles the closed one.
func (r *rig) play() *state.Game {
	r.t.Helper()
	must(r.t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
	r.take()
	current, _ := r.engine.State().Series(series)
	return r.drawAndSettle(current.Newest().Ordinal - 1)
}

// drawAndSettle draws what is left of a sealed game and settles it.
func (r *rig) drawAndSettle(ordinal uint32) *state.Game {
	r.t.Helper()
	current, _ := r.engine.State().Series(series)
	g, _ := current.Game(ordinal)
	volume, _ := r.engine.State().VolumeOf(g.SealPlace.Volume)
	verifier, err := journal.ParseVerifier(volume.HouseKey)
	must(r.t, err)
	seal, err := journal.OpenSeal(g.Seal, verifier)
	must(r.t, err)
	drawing, err := r.device.Start(draw.KenoPlan(game.SealName(current, g.Ref), uint32(g.Draw)), seal, g.Numbers, nil)
	must(r.t, err)
	for k := g.Numbers.Len() + 1; k <= 20; k++ {
		pick, err := drawing.Next(k)
		must(r.t, err)
		must(r.t, r.engine.DrawNumber(r.tick(), series, ordinal, pick.Number, pick.Bytes))
		r.take()
	}
	note, err := drawing.Sign()
	must(r.t, err)
	must(r.t, r.engine.FinishDraw(r.tick(), series, ordinal, note))
	must(r.t, r.engine.SettleGame(r.tick(), series, ordinal))
	r.take()
	g, _ = current.Game(ordinal)
	return g
}

// pay pays a ticket, and back gives one back.
func (r *rig) pay(c counter.Payment) (Answer, error) {
	return r.engine.Request(r.tick(), command.Pay{Payment: c}, command.Env{})
}

func (r *rig) back(c counter.Cancellation) (Answer, error) {
	return r.engine.Request(r.tick(), command.Cancel{Cancellation: c}, command.Env{})
}

// claim prepares the payment of a ticket at a terminal with facts from the
// records and winners files, as the edge of the house does.
func (r *rig) claim(terminal uint32, place record.Place) counter.Payment {
	r.t.Helper()
	return r.claimThrough(terminal, place, 0)
}

// claimThrough prepares a payment with the facts of games up to one at least.
func (r *rig) claimThrough(terminal uint32, place record.Place, last uint32) counter.Payment {
	r.t.Helper()
	rec, err := record.Decode(r.at(place))
	must(r.t, err)
	sold := rec.Body.(*record.TicketSold)
	command := counter.Payment{
		Request: r.request(terminal, "pay "+place.String()),
		Place:   place, Sold: sold, Code: codeOf(sold.Request),
	}
	if sheet, ok := r.engine.State().Sheet(place); ok {
		command.Code = codeOf(sheet.Request)
	}
	command.Continuation = record.Hash(codeOf(command.Request).Hash(command.Request.Terminal, command.Request.Number))
	ticket, err := keno.DecodeTicket(sold.Ticket)
	must(r.t, err)
	for ordinal := sold.Ordinal; ordinal < sold.Ordinal+uint32(ticket.Games) || ordinal <= last; ordinal++ {
		win := counter.Win{Ordinal: ordinal}
		for revision := uint8(1); ; revision++ {
			data, ok := r.objects[game.WinnersName(series, ordinal, revision)]
			if !ok {
				break
			}
			file, err := settle.DecodeWinners(data)
			must(r.t, err)
			cents, _ := file.Lookup(place)
			win.Cents += cents
			win.Files = append(win.Files, file.Hash())
		}
		if len(win.Files) > 0 {
			command.Wins = append(command.Wins, win)
		}
	}
	return command
}
