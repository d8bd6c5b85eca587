package api

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/house"
	"drawhouse/house/live"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// readings registers what anybody may ask.
func (s *server) readings() {
	get(s, route{
		name: "list-rulebooks", path: "/v1/rulebooks", says: "The rulebooks of the house", tag: "rules",
	}, s.listRulebooks)
	get(s, route{
		name: "get-rulebook", path: "/v1/rulebooks/{id}",
		says: "A rulebook with every value and its clause",
		tag:  "rules", refuses: "rulebook_unknown",
	}, s.getRulebook)
	get(s, route{
		name: "list-clauses", path: "/v1/rulebooks/{id}/clauses",
		says: "The clauses of a rulebook, in plain words",
		tag:  "rules", refuses: "rulebook_unknown",
	}, s.listClauses)
	get(s, route{
		line: true, name: "list-games", path: "/v1/games", says: "The last games, newest first", tag: "games",
		query: []*huma.Param{
			counted(afterName, 0, most32, "Ordinal of the last of the games that were seen; the newest follow if absent."),
			counted(limitName, usualGames, mostGames, "How many games."),
		},
	}, s.listGames)
	get(s, route{
		line: true, name: "get-game", path: "/v1/games/{day}/{number}",
		says: "A game with its seal and its draw",
		tag:  "games", refuses: "game_unknown",
	}, s.getGame)
	get(s, route{
		name: "get-ticket", path: "/v1/tickets/{serial}",
		says: "A ticket and what has become of it",
		tag:  "tickets", refuses: "other_system serial_unreadable ticket_lost ticket_unknown",
	}, s.getTicket)
	get(s, route{
		name: "prove-ticket", path: "/v1/tickets/{serial}/proof",
		says:    "Proof that a ticket was sealed before a game was drawn",
		query:   []*huma.Param{needed("game", huma.TypeString, "The game, as day and number: 2026-11-15/417.")},
		tag:     "tickets",
		refuses: "game_unknown not_in_game not_sealed other_system serial_unreadable ticket_lost ticket_unknown",
	}, s.proveTicket)
}

// Rulebook is a rulebook in short.
type Rulebook struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Edition int    `json:"edition"`
	Hash    string `json:"hash" doc:"SHA-256 of the canonical form, which is in the journal."`
	From    string `json:"from" doc:"First day on which it is in force."`
	To      string `json:"to,omitempty" doc:"Last day on which it is in force, if there is one."`
	Bingo   bool   `json:"bingo,omitempty" doc:"Bingo rooms play by it, and no keno."`
	// Own and Reference are of a rulebook that was adopted.
	Own       bool   `json:"operators,omitempty" doc:"It is the operator's own, from a file whose text is in the journal, and none of the program."`
	Reference string `json:"reference,omitempty" doc:"Of the decision outside the house that allows the operator's own rulebook."`
}

// viewAdopted shows an adopted rulebook.
func (s *server) viewAdopted(b *rulebook.Book) Rulebook {
	view := viewRulebook(b)
	view.Reference, view.Own = s.house.Filed(b.Hash())
	return view
}

func viewRulebook(b *rulebook.Book) Rulebook {
	view := Rulebook{ID: b.ID(), Title: b.Title(), Edition: b.Edition(), Hash: b.Hash().String(),
		From: b.From().String()}
	if b.To().IsValid() {
		view.To = b.To().String()
	}
	_, view.Bingo = b.Bingo()
	return view
}

// Rulebooks are the rulebooks of a house.
type Rulebooks struct {
	Rulebooks []Rulebook `json:"rulebooks"`
}

func (s *server) listRulebooks(*http.Request) (*Rulebooks, error) {
	view := &Rulebooks{[]Rulebook{}}
	for _, book := range s.booksNow() {
		view.Rulebooks = append(view.Rulebooks, s.viewAdopted(book))
	}
	return view, nil
}

// booksNow returns the rulebooks by which the series are played now, each once, in the order of the series.
func (s *server) booksNow() (all []*rulebook.Book) {
	for _, id := range s.house.SeriesIDs() {
		if line, err := s.house.Line(id); err == nil && !slices.Contains(all, line.Book()) {
			all = append(all, line.Book())
		}
	}
	return all
}

// WholeRulebook is a rulebook with all its values.
type WholeRulebook struct {
	Rulebook
	// The values have a schema of their own, that of the rulebook's file.
	Book any `json:"book" doc:"Every value with its clause, as in the rulebook's file."`
}

func (s *server) getRulebook(r *http.Request) (*WholeRulebook, error) {
	id := r.PathValue("id")
	var names []string
	for _, book := range s.booksNow() {
		if book.ID() == id {
			return &WholeRulebook{s.viewAdopted(book), book.File()}, nil
		}
		names = append(names, book.ID())
	}
	return nil, &refusal.Refusal{Code: RulebookUnknown, Path: "id",
		Sentence: fmt.Sprintf("The house has no rulebook %q; it has %s.", printable(id), strings.Join(names, ", "))}
}

// Clauses are the clauses of a rulebook.
type Clauses struct {
	Source  string   `json:"source" doc:"The official document."`
	Clauses []Clause `json:"clauses" doc:"In the order of the document."`
}

// Clause is one clause, in our own words.
type Clause struct {
	ID   string `json:"id"`
	Says string `json:"says"`
}

func (s *server) listClauses(r *http.Request) (*Clauses, error) {
	id := r.PathValue("id")
	known, _ := s.clauses.Load(id)
	if view, ok := known.(*Clauses); ok {
		return view, nil
	}
	if book, err := s.ownBook(r.Context(), id); err != nil || book != nil {
		return citedIn(book), err
	}
	index, err := rules.Clauses(id)
	if err != nil {
		return nil, &refusal.Refusal{Code: RulebookUnknown, Path: "id",
			Sentence: fmt.Sprintf("The program has no rulebook %q.", printable(id))}
	}
	view := &Clauses{Source: index.Source, Clauses: []Clause{}}
	for _, c := range index.Clauses {
		view.Clauses = append(view.Clauses, Clause{ID: c.ID, Says: c.Says})
	}
	s.clauses.Store(id, view)
	return view, nil
}

// ownBook returns the newest edition of an adopted rulebook of the operator, or nil.
func (s *server) ownBook(ctx context.Context, id string) (*rulebook.Book, error) {
	if slices.Contains(rules.IDs(), id) {
		return nil, nil
	}
	now, err := s.house.First().Course(ctx)
	if err != nil {
		return nil, err
	}
	for _, book := range slices.Backward(now.Books) { // They are in the order of their editions.
		if book.ID() == id {
			return book, nil
		}
	}
	return nil, nil
}

// citedIn returns the clauses of a rulebook of the operator: those that its values name, each with
// these values in place of its words, which the operator's document has.
func citedIn(book *rulebook.Book) *Clauses {
	if book == nil {
		return nil
	}
	view := &Clauses{Source: book.Title(), Clauses: []Clause{}}
	for _, c := range book.Clauses() {
		view.Clauses = append(view.Clauses, Clause{ID: c.Clause, Says: "It sets " + strings.Join(c.Values, ", ") + "."})
	}
	return view
}

// How many games are listed.
const usualGames, mostGames = 20, 200

// Games are games, newest first.
type Games struct {
	Games []Game `json:"games"`
	Page
}

func (s *server) listGames(r *http.Request) (*Games, error) {
	after, limit, err := pageAsked(r, usualGames, mostGames)
	if err != nil {
		return nil, err
	}
	view := Games{Games: []Game{}}
	var page []house.Game
	page, view.Page = cut(lineOf(r).GamesBefore(after, limit+1), limit)
	for _, g := range page {
		view.Games = append(view.Games, s.viewGame(g))
	}
	return &view, nil
}

// WholeGame is a game with what was signed for it.
type WholeGame struct {
	Game
	Seal      *Seal       `json:"seal,omitempty"`
	DrawNote  string      `json:"draw_note,omitempty" doc:"The device's signed statement of the numbers."`
	HouseKey  string      `json:"house_key,omitempty" doc:"The house's public key of the volume in which the game was sealed. It need not be that of today."`
	DeviceKey string      `json:"device_key,omitempty" doc:"The device's public key of the volume in which the game was drawn."`
	Settled   *Settlement `json:"settled,omitempty"`
	SettledAt time.Time   `json:"settled_at,omitzero"`
}

// Seal is the seal of a game.
type Seal struct {
	Fingerprint string `json:"fingerprint" doc:"First digits of the seal's hash, for people to compare."`
	Note        string `json:"note" doc:"The seal, a signed note."`
}

// Settlement is what a game came to, to the cent.
type Settlement struct {
	Revision        uint8  `json:"revision"`
	Ways            uint64 `json:"ways"`
	WinningWays     uint64 `json:"winning_ways"`
	BreakageCents   int64  `json:"breakage_cents" doc:"What rounding kept back."`
	MajorsCents     int64  `json:"majors_cents" doc:"Major prizes before pro-rating."`
	MajorsPaidCents int64  `json:"majors_paid_cents" doc:"Major prizes after it."`
	WinnersHash     string `json:"winners_hash" doc:"SHA-256 of the winners file, in hexadecimal."`
}

func (s *server) getGame(r *http.Request) (*WholeGame, error) {
	ctx := r.Context()
	g, err := s.gameAt(r)
	if err != nil {
		return nil, err
	}
	view := WholeGame{Game: s.viewGame(g)}
	if view.HouseKey, view.DeviceKey, err = s.house.SignedBy(g); err != nil {
		return nil, err
	}
	if g.Sealed() {
		seal, err := s.house.Seal(ctx, g)
		if err != nil {
			return nil, err
		}
		view.Seal = &Seal{Fingerprint: seal.Body().Fingerprint(), Note: string(seal.Signed())}
	}
	if g.DrawnPlace.Volume != 0 {
		note, err := s.house.DrawNote(ctx, g)
		if err != nil {
			return nil, err
		}
		view.DrawNote = string(note)
	}
	if g.IsSettled() {
		view.SettledAt = s.time(g.SettledAt)
		view.Settled = &Settlement{
			Revision: g.Settled.Revision, Ways: g.Settled.Ways, WinningWays: g.Settled.WinningWays,
			BreakageCents: g.Settled.BreakageCents.Cents(), MajorsCents: g.Settled.MajorsCents.Cents(),
			MajorsPaidCents: g.Settled.MajorsPaidCents.Cents(), WinnersHash: fmt.Sprintf("%x", g.Settled.WinnersHash),
		}
	}
	return &view, nil
}

// gameAt finds the game of an address.
func (s *server) gameAt(r *http.Request) (house.Game, error) {
	return findGame(lineOf(r), r.PathValue("day"), r.PathValue("number"))
}

// findGame finds a game by its day and number as they are written.
func findGame(line *house.Line, d, number string) (house.Game, error) {
	numbering := line.Book().Games().Numbering
	if numbering.OfSuccessor(number) && !numbering.Names(number) {
		return house.Game{}, &refusal.Refusal{Code: GameUnknown, Clause: numbering.Successor.Quoted(), Path: "game",
			Sentence: fmt.Sprintf("Game %s is one of the system that comes after this.", number)}
	}
	date, err1 := day.Parse(d)
	n, err2 := strconv.ParseUint(number, 10, 16)
	if err := errors.Join(err1, err2); err != nil {
		return house.Game{}, &refusal.Refusal{Code: ParameterValue, Path: "game",
			Sentence: "A game is named by its Keno Day and its number, such as 2026-11-15/417."}
	}
	if number != strconv.FormatUint(n, 10) && !numbering.Names(number) {
		return house.Game{}, &refusal.Refusal{Code: GameUnknown, Clause: numbering.Quoted(), Path: "game",
			Sentence: fmt.Sprintf("No game has the number %s: write it as tickets have it.", number)}
	}
	g, ok := line.Game(record.Game{Series: line.ID(), Day: date, Number: uint16(n)})
	if !ok {
		return house.Game{}, &refusal.Refusal{Code: GameUnknown, Path: "game",
			Sentence: fmt.Sprintf("There is no game %d of %v.", n, date)}
	}
	return g, nil
}

// Ticket is a ticket and what has become of it. It does not say who has it.
type Ticket struct {
	Serial      string       `json:"serial"`
	Place       live.ID      `json:"place"`
	Series      uint8        `json:"series" doc:"Of its games."`
	Time        time.Time    `json:"time" doc:"When it was sold."`
	CostCents   int64        `json:"cost_cents"`
	Ticket      Form         `json:"ticket"`
	FirstGame   GameName     `json:"first_game"`
	LastGame    LastGame     `json:"last_game"`
	Games       []TicketGame `json:"games" doc:"Its games, from the first on; those that have not opened are not listed."`
	ToCome      int          `json:"games_to_come" doc:"Its games that have not opened yet."`
	WonCents    int64        `json:"won_cents" doc:"What it has won so far."`
	PaidCents   int64        `json:"paid_cents" doc:"What of that was paid."`
	UnpaidCents int64        `json:"unpaid_cents" doc:"What of that can be fetched at a venue now."`
	Cancelled   bool         `json:"cancelled,omitempty" doc:"It was given back; the games listed are those that it still played."`
	Stopped     *PaymentStop `json:"stopped,omitempty" doc:"Why nothing is paid on it; absent where nothing stops it."`
	Anonymous   bool         `json:"anonymous,omitempty" doc:"The winner is not to be named in public. Absent where the winner has not asked for that, or has taken it back."`
	LeafHash    string       `json:"leaf_hash" doc:"Hash of the ticket's record in the journal, in base64."`

	WithheldCents  int64 `json:"withheld_cents,omitempty" doc:"What was paid or given back in customer sessions and not handed out at their end, because payment on it was stopped meanwhile. It is part of unpaid_cents, or of held_cents while payment is stopped."`
	HeldCents      int64 `json:"held_cents,omitempty" doc:"What is owed and not paid now: payment is stopped, a claim form is open or has paid the ticket as lost, or prizes of a delayed start game wait for the next Keno Day."`
	LateCents      int64 `json:"late_cents,omitempty" doc:"What nobody fetched in the time in which venues pay. Where the rulebook has a way to it, it is claimed on a form; list-unclaimed says where it is."`
	ForfeitedCents int64 `json:"forfeited_cents,omitempty" doc:"What was taken from somebody who may not have it."`
}

// PaymentStop is why nothing is paid on a ticket. The reason itself is for those who decided.
type PaymentStop struct {
	Frozen       bool   `json:"frozen,omitempty" doc:"Payment is frozen until somebody releases it."`
	Disqualified bool   `json:"disqualified,omitempty" doc:"No claim on it is admitted."`
	Invalid      bool   `json:"invalid,omitempty" doc:"A change of the rules has ended it in games that had not closed."`
	Clause       string `json:"clause,omitempty"`
}

// TicketGame is one game of a ticket.
type TicketGame struct {
	Game
	PrizeCents   int64  `json:"prize_cents"`
	CarriedCents int64  `json:"carried_cents,omitempty" doc:"What it won and staked in the next game."`
	RefundCents  int64  `json:"refund_cents,omitempty" doc:"Stakes that go back because the game is void."`
	PlayedWith   uint32 `json:"played_with,omitempty" doc:"Of a void game: ordinal of the later game with which its plays are played along. That game is listed, too."`
	PaidCents    int64  `json:"paid_cents"`
	Lines        []Line `json:"lines,omitempty" doc:"How the prize came about."`
}

// Line is one step on the way to a prize.
type Line struct {
	Way         int    `json:"way" doc:"Which way of the ticket, counted from 1."`
	Text        string `json:"text"`
	Clause      string `json:"clause" doc:"Clauses of the rulebook, separated by spaces."`
	AmountCents int64  `json:"amount_cents" doc:"After this step."`
}

func (s *server) getTicket(r *http.Request) (*Ticket, error) {
	ctx := r.Context()
	place, err := s.house.Find(r.PathValue("serial"))
	if err != nil {
		return nil, err
	}
	// A sheet that was printed again has a serial of its own.
	if place, err = s.house.Resolve(ctx, place); err != nil {
		return nil, err
	}
	return s.ticketAt(ctx, place)
}

// ticketAt shows the ticket at a place.
func (s *server) ticketAt(ctx context.Context, place record.Place) (*Ticket, error) {
	t, err := s.house.Ticket(ctx, place)
	if err != nil {
		return nil, err
	}
	number, err := s.house.SerialIn(t.Sale.Series, place)
	if err != nil {
		return nil, err
	}
	first := GameName{Day: t.Ticket.First.Day.String(), Game: uint16(t.Ticket.First.Game), Ordinal: t.Sale.Ordinal}
	view := &Ticket{
		Serial: number.String(), Place: live.ID(place), Series: t.Sale.Series, Time: s.time(t.Time),
		CostCents: t.Sale.CostCents.Cents(),
		Ticket:    Form(t.Ticket.AppendJSON(nil)),
		FirstGame: first, LastGame: lastOf(first, t.Ticket.Games),
		Games: []TicketGame{}, ToCome: t.Ticket.Games, LeafHash: t.Leaf.String(),
	}
	view.ForfeitedCents, view.Anonymous = t.Forfeited.Cents(), t.Anonymous
	if stop := t.Stop; stop != (state.Stop{}) {
		view.Stopped = &PaymentStop{Frozen: stop.Frozen, Disqualified: stop.Disqualified, Invalid: stop.Invalid,
			Clause: stop.Clause}
	}
	for _, g := range t.Games {
		view.add(s.viewTicketGame(g))
		switch all, now := g.Owed(); {
		case g.Waits:
			view.HeldCents += all.Cents()
		default:
			view.UnpaidCents, view.LateCents = view.UnpaidCents+now.Cents(), view.LateCents+(all-now).Cents()
		}
		if g.Ordinal < t.Sale.Ordinal+uint32(t.Ticket.Games) { // Others it plays for a void one.
			view.ToCome--
		}
	}
	if t.Cancelled {
		view.Cancelled, view.ToCome = true, 0
	}
	view.WithheldCents = t.Withheld.Cents()
	view.UnpaidCents += view.WithheldCents
	if t.Stop.Frozen || t.Stop.Disqualified || t.Claimed {
		view.HeldCents, view.UnpaidCents = view.HeldCents+view.UnpaidCents, 0
	}
	return view, nil
}

// add adds a game and its money.
func (t *Ticket) add(g TicketGame) {
	t.Games = append(t.Games, g)
	t.WonCents += g.PrizeCents + g.RefundCents
	t.PaidCents += g.PaidCents
}

func (s *server) viewTicketGame(g house.TicketGame) TicketGame {
	view := TicketGame{Game: s.viewGame(g.Game), PrizeCents: g.Prize.Cents(), CarriedCents: g.Carried.Cents(),
		RefundCents: g.Refund.Cents(), PaidCents: g.Paid.Cents(), PlayedWith: g.PlayedWith}
	for _, line := range g.Lines {
		view.Lines = append(view.Lines,
			Line{Way: line.Way + 1, Text: s.house.First().Book().Money().In(line.Text), Clause: line.Clause,
				AmountCents: line.Amount.Cents()})
	}
	return view
}

// Proof shows anybody who has the house's public key that a ticket was in the journal
// and in the game when the game was sealed.
type Proof struct {
	Record    string   `json:"record" doc:"The ticket's record, in base64."`
	LeafHash  string   `json:"leaf_hash" doc:"Its hash, in base64."`
	Seq       uint64   `json:"seq" doc:"Its sequence number in the volume."`
	Inclusion []string `json:"inclusion" doc:"Path from the record to the root of the seal's checkpoint (RFC 6962), or of the end of the ticket's volume if volumes follow, in base64."`
	Seal      string   `json:"seal" doc:"The seal, a signed note, with the checkpoint."`
	Bit       BitProof `json:"bit"`
	// Volumes are missing where the ticket and the seal are in one volume.
	Volumes []VolumeProof `json:"volumes,omitempty" doc:"The volumes that began between the ticket and the seal, in their order."`
	// LogProof is missing while nothing proves it, and Unlogged says why.
	LogProof string `json:"log_proof,omitempty" doc:"Proof that the seal is in the public log, in the form of C2SP tlog-proof, with the entry as its extra data."`
	Unlogged string `json:"unlogged,omitempty" doc:"Why there is no log_proof."`
}

// VolumeProof shows where a volume ended: the first record of the next one says so.
type VolumeProof struct {
	Record    string   `json:"record" doc:"The record that begins the volume, in base64. It names the end of the volume before and the keys, and carries a note that both house keys signed."`
	Inclusion []string `json:"inclusion" doc:"Path from the record, the first of its volume, to the root of that volume's end, or of the seal's checkpoint for the last one, in base64."`
}

// BitProof shows that the ticket's bit is set in the bitmap under the seal.
type BitProof struct {
	Chunk string   `json:"chunk" doc:"The chunk of the bitmap with the ticket's bit, in base64."`
	Index uint64   `json:"index" doc:"Which chunk it is."`
	Path  []string `json:"path" doc:"Path from the chunk to the bitmap's root, in base64."`
}

func (s *server) proveTicket(r *http.Request) (*Proof, error) {
	place, err := s.house.Find(r.PathValue("serial"))
	if err != nil {
		return nil, err
	}
	line, err := s.house.LineOf(r.Context(), place)
	if err != nil {
		return nil, err
	}
	d, number, _ := strings.Cut(r.URL.Query().Get("game"), "/")
	g, err := findGame(line, d, number)
	if err != nil {
		return nil, err
	}
	proof, err := s.house.Proof(r.Context(), place, g.Ref)
	if err != nil {
		return nil, err
	}
	answer := &Proof{
		Record: base64.StdEncoding.EncodeToString(proof.Record), LeafHash: proof.Proof.Leaf.String(),
		Seq:       proof.Proof.Seq,
		Inclusion: hashes(proof.Proof.Record), Seal: string(proof.Seal),
		Bit: BitProof{
			Chunk: base64.StdEncoding.EncodeToString(proof.Proof.Bit.Chunk), Index: proof.Proof.Bit.Index,
			Path: hashes(proof.Proof.Bit.Path),
		},
	}
	for i, v := range proof.Proof.Volumes {
		answer.Volumes = append(answer.Volumes,
			VolumeProof{Record: base64.StdEncoding.EncodeToString(proof.Volumes[i]), Inclusion: hashes(v.Record)})
	}
	if answer.Unlogged = proof.Unlogged; proof.Logged != nil {
		answer.LogProof = string(proof.Logged.Marshal())
	}
	return answer, nil
}

func hashes(path journal.RecordProof) []string {
	texts := make([]string, len(path))
	for i, h := range path {
		texts[i] = h.String()
	}
	return texts
}
