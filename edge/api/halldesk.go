package api

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/games/bingo"
	"drawhouse/journal/record"
	"drawhouse/receipt/cards"
)

// HallDesk is what the issue desk of a bingo room needs to know.
type HallDesk struct {
	Hall     uint8        `json:"hall"`
	Session  uint32       `json:"session" doc:"In play, or the last one; 0 in a room that had none."`
	Phase    string       `json:"phase" doc:"Of the session."`
	FeeCents int64        `json:"fee_cents"`
	BooksMax uint16       `json:"books_max" doc:"Books that a player gets for the fee."`
	Plays    []string     `json:"plays" doc:"Series of cards of the session."`
	Stock    []HallStock  `json:"stock" doc:"Series of cards of the room."`
	Players  []HallPlayer `json:"players"`
	Issued   []HallIssued `json:"issued" doc:"First and last book of each series that were issued."`
	Devices  []HallDevice `json:"devices" doc:"Electronic cards of the session, in the order of issue."`
	Prizes   []HallPrize  `json:"prizes" doc:"What was won and is not paid, in any session of the room, the oldest first."`
	Refunds  []HallRefund `json:"refunds" doc:"What goes back of fees and was not fetched, in any session of the room, the oldest first."`
	Awards   []HallAward  `json:"awards" doc:"What disputes awarded and was not paid."`
	Won      []HallPrize  `json:"won" doc:"What was found good in the session's games that are over, paid or not: fraud that is found late takes it."`
	// Plan is there while nobody has entered.
	Plan     *command.SessionPlan `json:"plan,omitempty" doc:"Of a session that nobody has entered, which can be changed and cancelled."`
	Zone     string               `json:"zone" doc:"Time zone of the room, in which its times are."`
	Patterns []HallPattern        `json:"patterns" doc:"Minor games that the rules know."`
	Media    HallMedia            `json:"media"`
}

// HallOwed counts what nobody has fetched in a room.
type HallOwed struct {
	Prizes  int   `json:"prizes"`
	Refunds int   `json:"refunds"`
	Awards  int   `json:"awards"`
	Cents   int64 `json:"cents" doc:"All of it."`
}

// HallStock is a series of cards.
type HallStock struct {
	Series string   `json:"series"`
	Up     uint8    `json:"up" doc:"Boxes to a page."`
	Games  []string `json:"games" doc:"Colours of its games."`
	First  uint32   `json:"first"`
	Last   uint32   `json:"last"`
	Next   uint32   `json:"next" doc:"First book behind all that were issued; above the last if there is none."`
}

// HallPlayer is a player of a session.
type HallPlayer struct {
	Player   uint32          `json:"player"`
	Member   string          `json:"member"`
	Books    []command.Books `json:"books"`
	Device   uint32          `json:"device,omitempty" doc:"Electronic card that the player has now."`
	Barred   bool            `json:"barred,omitempty"`
	Undone   bool            `json:"undone,omitempty" doc:"The entry was undone, and the fee handed back."`
	DueCents int64           `json:"due_cents" doc:"That goes back and was not fetched."`
}

// HallIssued are the books of a series that were issued.
type HallIssued struct {
	Books  command.Books `json:"books"`
	Struck []uint32      `json:"struck" doc:"Books between that nobody holds."`
}

// HallDevice is an electronic card that was issued.
type HallDevice struct {
	Device  uint32 `json:"device"`
	Player  uint32 `json:"player"`
	Back    bool   `json:"back" doc:"Returned, missing or replaced."`
	Missing bool   `json:"missing,omitempty"`
	Halted  bool   `json:"halted,omitempty" doc:"It has failed, and play stands still until it is replaced."`
}

// HallPrize is something won that is not paid.
type HallPrize struct {
	Session uint32 `json:"session"`
	Day     string `json:"day" doc:"Of the session."`
	Game    uint8  `json:"game"`
	Name    string `json:"name" doc:"Of the pattern."`
	HallCardClaim
	Waits string `json:"waits,omitempty" doc:"Witness that must agree to the result before it is paid."`
}

// HallRefund is something that goes back to a player.
type HallRefund struct {
	Session uint32 `json:"session"`
	Day     string `json:"day" doc:"Of the session."`
	Player  uint32 `json:"player"`
	Member  string `json:"member"`
	Cents   int64  `json:"cents"`
}

// HallAward is what a dispute awarded.
type HallAward struct {
	Dispute uint32 `json:"dispute"`
	Subject string `json:"subject"`
	Member  string `json:"member,omitempty"`
	Cents   int64  `json:"cents" doc:"That is not paid."`
	By      uint32 `json:"by" doc:"Person who awarded it, and who does not pay it."`
}

// HallPattern is a minor game.
type HallPattern struct {
	Pattern string `json:"pattern"`
	Name    string `json:"name"`
	PatternPicture
}

// HallMedia is what prizes are paid in.
type HallMedia struct {
	Prize   []string `json:"prize"`
	Jackpot []string `json:"jackpot"`
}

// HallCard is a card that somebody holds up.
type HallCard struct {
	Serial string        `json:"serial"`
	Book   uint32        `json:"book"`
	Card   uint8         `json:"card" doc:"Game that the card is for."`
	InPlay bool          `json:"in_play"`
	Player uint32        `json:"player,omitempty"`
	Barred bool          `json:"barred,omitempty"`
	Called []int         `json:"called"`
	Boxes  []HallCardBox `json:"boxes"`
}

// HallCardBox is a box of it, with how it stands for each prize of the game.
type HallCardBox struct {
	Lines    [][]int        `json:"lines" doc:"Three lines of nine cells, 0 for a blank."`
	Standing []HallStanding `json:"standing"`
}

// HallStanding is how a box stands for a prize.
type HallStanding struct {
	Pattern  string `json:"pattern"`
	Complete bool   `json:"complete"`
	Place    int    `json:"place,omitempty" doc:"The call that completed it, from 1."`
	Number   int    `json:"number,omitempty" doc:"And its number."`
	ToGo     int    `json:"to_go"`
}

// PrintedCards are the cards of a player on paper.
type PrintedCards struct {
	Sheets int    `json:"sheets"`
	PDF    []byte `json:"pdf" doc:"In base64."`
}

// deskReadings registers what the issue desk and the dealer terminal ask.
func (r roomServer) deskReadings(room, game, player string) {
	r.get(route{
		path: room + "/desk", name: "get-bingo-desk", says: "What the issue desk needs to know", who: command.Floor,
		refuses: "hall_unknown venue_other", out: HallDesk{},
	}, r.desk)
	r.get(route{
		path: room + "/owed", name: "get-bingo-owed", says: "How much nobody has fetched in a room, in any session",
		who: command.Who{Terminals: true, Roles: anyRole.Roles}, refuses: "hall_unknown venue_other",
		out: HallOwed{},
	}, r.owed)
	r.get(route{
		path: game + "/cards/{serial}", name: "get-bingo-card",
		says: "A card that somebody holds up, against the numbers called", who: command.Floor,
		refuses: "hall_unknown venue_other", out: HallCard{},
	}, r.card)
	r.get(route{
		path: player + "/cards", name: "get-bingo-print", says: "The cards of a player as sheets to print",
		who: command.Floor, refuses: "hall_unknown venue_other", out: PrintedCards{},
	}, r.printCards)
}

func (r roomServer) desk(ctx context.Context, at place, _ *http.Request) (any, error) {
	view := HallDesk{
		Hall: at.hall, Plays: []string{}, Stock: []HallStock{}, Players: []HallPlayer{}, Issued: []HallIssued{},
		Devices: []HallDevice{},
		Prizes:  []HallPrize{}, Refunds: []HallRefund{}, Awards: []HallAward{}, Won: []HallPrize{},
		Patterns: []HallPattern{},
	}
	err := r.inRoom(ctx, at.hall, func(s *state.View, h *state.Hall, kit *hall.Kit) error {
		zone := r.zoneOf(s, h)
		view.Zone = zone.String()
		for _, t := range hall.StockOf(h) {
			view.Stock = append(view.Stock, HallStock{t.Series, t.Up, t.Colours, t.First, t.Last, t.Next})
		}
		for i := 1; i < kit.Patterns().Len(); i++ {
			p := kit.Patterns().At(i)
			view.Patterns = append(view.Patterns, HallPattern{p.ID, p.Name, pictureOf(kit, p.ID)})
		}
		if book, ok := s.Book(h.Opened.Rulebook); ok {
			if b, ok := book.Bingo(); ok {
				view.Media = HallMedia{Prize: b.Prizes().Media, Jackpot: b.Jackpot().PaidBy}
			}
		}
		if session, ok := hall.InPlay(h); ok {
			view.show(session)
			view.showWon(session, kit)
			if session.Phase == state.SessionEntering && session.Paying() == 0 {
				view.Plan = planOf(&session.Set, zone)
			}
		}
		view.showAllOwed(s, h, kit)
		return nil
	})
	return view, err
}

// owed counts what the desk lists.
func (r roomServer) owed(ctx context.Context, at place, _ *http.Request) (any, error) {
	var view HallOwed
	err := r.inRoom(ctx, at.hall, func(s *state.View, h *state.Hall, kit *hall.Kit) error {
		var desk HallDesk
		desk.showAllOwed(s, h, kit)
		view = HallOwed{Prizes: len(desk.Prizes), Refunds: len(desk.Refunds), Awards: len(desk.Awards)}
		for i := range desk.Prizes {
			view.Cents += desk.Prizes[i].Cents + desk.Prizes[i].JackpotCents
		}
		for _, x := range desk.Refunds {
			view.Cents += x.Cents
		}
		for _, x := range desk.Awards {
			view.Cents += x.Cents
		}
		return nil
	})
	return view, err
}

// planOf shows the plan of a session as it is sent.
func planOf(set *record.SessionSet, zone *time.Location) *command.SessionPlan {
	plan := command.PlanOf(*set)
	plan.Begins = plan.Begins.In(zone)
	return &plan
}

// showWon adds what stands as won in the games of a session that are over.
func (v *HallDesk) showWon(session *state.Session, kit *hall.Kit) {
	for i := range session.Games {
		game := &session.Games[i]
		for k := range game.Claims {
			if claim := &game.Claims[k]; game.Phase == state.BingoOver && claim.Accepted() && !claim.Withdrawn() {
				v.Won = append(v.Won, HallPrize{Session: session.Set.Session, Day: session.Set.Day.String(),
					Game: game.Number, Name: prizeName(kit, game, claim.Opened.Pattern),
					HallCardClaim: viewCardClaim(claim)})
			}
		}
	}
}

// showAllOwed adds what the room owes, in any of its sessions and disputes.
func (v *HallDesk) showAllOwed(s *state.View, h *state.Hall, kit *hall.Kit) {
	for _, session := range h.Sessions {
		v.showOwed(s, session, kit)
	}
	for i := range h.Disputes {
		if d := &h.Disputes[i]; d.Unpaid() > 0 {
			_, by := d.Awarded()
			v.Awards = append(v.Awards, HallAward{d.Raised.Dispute, d.Raised.Subject, d.Raised.Member,
				d.Unpaid().Cents(), by})
		}
	}
}

// show adds what there is of a session.
func (v *HallDesk) show(session *state.Session) {
	v.Session, v.Phase, v.FeeCents, v.BooksMax = session.Set.Session, session.Phase.String(), session.Set.FeeCents.Cents(),
		session.Set.BooksMax
	v.Plays = session.Set.Series
	holds := map[uint32]uint32{}
	for _, d := range session.Devices {
		v.Devices = append(v.Devices, HallDevice{d.ID, d.Player, d.Back, d.Missing, session.Halted == d.ID && !d.Back})
		if !d.Back {
			holds[d.Player] = d.ID
		}
	}
	for i := range session.Players {
		p := &session.Players[i]
		player := HallPlayer{Player: p.Entered.Player, Member: p.Entered.Member, Device: holds[p.Entered.Player],
			Barred: p.Barred, Undone: p.Undone(), Books: []command.Books{}, DueCents: p.DueCents.Cents()}
		for _, b := range p.Entered.Books {
			player.Books = append(player.Books, command.Books{Series: b.Series, First: b.First, Last: b.Last})
		}
		v.Players = append(v.Players, player)
	}
	for _, issued := range hall.Issued(session) {
		v.Issued = append(v.Issued, HallIssued{command.Books{Series: issued.Books.Series, First: issued.Books.First,
			Last: issued.Books.Last}, append([]uint32{}, issued.Struck...)})
	}
}

// showOwed adds what a session owes: anybody who has a claim finds it at the desk, however many
// sessions were set since.
func (v *HallDesk) showOwed(s *state.View, session *state.Session, kit *hall.Kit) {
	day := session.Set.Day.String()
	for i := range session.Players {
		if p := &session.Players[i]; p.DueCents > 0 {
			v.Refunds = append(v.Refunds, HallRefund{session.Set.Session, day, p.Entered.Player, p.Entered.Member,
				p.DueCents.Cents()})
		}
	}
	for i := range session.Games {
		game := &session.Games[i]
		for k := range game.Claims {
			claim := &game.Claims[k]
			if claim.Unpaid() == 0 {
				continue
			}
			prize := HallPrize{Session: session.Set.Session, Day: day, Game: game.Number,
				Name: prizeName(kit, game, claim.Opened.Pattern), HallCardClaim: viewCardClaim(claim)}
			due := claim.Due() // Part of the share may have been paid before it became more.
			prize.Cents, prize.JackpotCents = due.Cents.Cents(), due.JackpotCents.Cents()
			if witness, waits := s.Unagreed(claim.SettledPlace); waits {
				prize.Waits = witness.Name
			}
			v.Prizes = append(v.Prizes, prize)
		}
	}
}

func (r roomServer) card(ctx context.Context, at place, req *http.Request) (any, error) {
	var view HallCard
	err := r.inRoom(ctx, at.hall, func(s *state.View, _ *state.Hall, kit *hall.Kit) error {
		card, err := hall.Look(s, kit, at.played(), req.PathValue("serial"))
		if err != nil {
			return err
		}
		view = HallCard{Serial: card.Serial, Book: card.Book, Card: card.Card, InPlay: card.InPlay, Player: card.Player,
			Barred: card.Barred, Called: card.Called.Numbers()}
		for _, b := range card.Boxes {
			box := HallCardBox{Lines: linesOf(b.Box)}
			for _, p := range b.Standing {
				box.Standing = append(box.Standing, HallStanding(p))
			}
			view.Boxes = append(view.Boxes, box)
		}
		return nil
	})
	return view, err
}

// linesOf returns the lines of a box, 0 where no number stands.
func linesOf(box bingo.Box) (lines [][]int) {
	for _, line := range box.Lines() {
		lines = append(lines, ints(line))
	}
	return lines
}

// printCards makes the sheets of a player's books. The cards were made with their
// series; nothing is drawn here.
func (r roomServer) printCards(ctx context.Context, at place, _ *http.Request) (any, error) {
	type books struct {
		table *bingo.Table
		record.BookRange
	}
	var list []books
	var created time.Time
	err := r.inRoom(ctx, at.hall, func(_ *state.View, h *state.Hall, kit *hall.Kit) error {
		session, ok := h.Session(at.session)
		if !ok {
			return &refusal.Refusal{Code: hall.SessionUnknown, Path: "session",
				Sentence: fmt.Sprintf("There is no session %d.", at.session)}
		}
		player, ok := session.Player(at.number)
		if !ok {
			return &refusal.Refusal{Code: hall.PlayerUnknown, Path: "player",
				Sentence: fmt.Sprintf("Session %d has no player %d.", at.session, at.number)}
		}
		created = session.Set.Begins.Time()
		for _, b := range player.Entered.Books {
			table, ok := kit.Table(h, b.Series)
			if !ok {
				return fmt.Errorf("api: the master table of series %s was not read", b.Series)
			}
			list = append(list, books{table, b})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	var parts []cards.Books
	for _, b := range list {
		parts = append(parts, cards.Books{Table: b.table, First: int(b.First), Last: int(b.Last)})
	}
	sheets, err := cards.WriteBooks(&out, cards.Papers()[0], created, parts...)
	return PrintedCards{Sheets: sheets, PDF: out.Bytes()}, err
}
