package cases

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"drawhouse/core/ball"
	"drawhouse/core/ledger"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/bingo"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// Room is a house in memory with a bingo room, hall 1. Its methods are what people do
// there; session and game are those in play.
type Room struct {
	*Core
	Book   *rulebook.Book // of bingo
	Kit    *hall.Kit
	Tables map[string]*bingo.Table

	Session uint32
	Game    uint8
	drawing *draw.Draw
	drawn   journal.Game // whose drawing that is
}

// The people of a room.
var (
	Dealer     = record.By{Person: 11, Rank: record.RankDealer}
	Supervisor = record.By{Person: 12, Rank: record.RankSupervisor}
	Casino     = record.By{Person: 13, Rank: record.RankCasino}
)

// roomCrew returns the people of a room, who come beside the crew of its house.
func roomCrew() (all []record.Body) {
	for _, by := range []record.By{Dealer, Supervisor, Casino} {
		all = append(all,
			&record.PersonAdded{Person: by.Person, Details: staff.Unnamed(by.Person, record.RoleOperative)},
			&record.RoleGranted{Person: by.Person, Role: record.RoleOperative})
	}
	return all
}

// hallID is the number of the one hall of a room.
const hallID = 1

// electronicCards returns the electronic cards of a room, which are terminals of its venue
// with the numbers from 7 to 36.
func electronicCards() (all []record.TerminalAdded) {
	const first, last = 7, 36
	for card := uint32(first); card <= last; card++ {
		all = append(all, record.TerminalAdded{Terminal: card, Venue: 1, Channel: string(staff.ChannelDisplay)})
	}
	return all
}

// RoomBook is the rulebook of bingo rooms that name no other.
const RoomBook = "nsw-bingo-2019"

// NewRoom founds a house that sells keno and opens a bingo room in its first venue.
func NewRoom(seed string, begin time.Time, levels ...command.Level) (*Room, error) {
	return NewRoomBy(RoomBook, seed, begin, levels...)
}

// NewRoomBy is NewRoom with the rulebook of the room.
func NewRoomBy(id, seed string, begin time.Time, levels ...command.Level) (*Room, error) {
	book, err := rules.Book(id)
	if err != nil {
		return nil, err
	}
	return newRoom(book, sharedKit, seed, begin, levels)
}

// newRoom founds a house with a room that plays by a book, for which kit makes the kit.
func newRoom(book *rulebook.Book, kit func(*rulebook.Book) (*hall.Kit, error), seed string, begin time.Time,
	levels []command.Level) (*Room, error) {
	keno, err := rules.Book("vic-keno-2015")
	if err != nil {
		return nil, err
	}
	core, err := NewCore(Founding{Book: keno, Schedule: keno.Schedules()[0].ID(), Begin: begin, Seed: seed,
		Cards: electronicCards()})
	if err != nil {
		return nil, err
	}
	r := &Room{Core: core, Book: book, Tables: map[string]*bingo.Table{}}
	if r.Kit, err = kit(book); err != nil {
		return nil, err
	}
	if err := core.Engine.AdoptRulebook(core.tick(), book); err != nil {
		return nil, err
	}
	if len(levels) == 0 {
		levels = []command.Level{{Name: "jackpot", Share: 10000, SeedCents: 1000_00}}
	}
	return r, r.Do(command.OpenHall{InRoom: room, Name: "bingo", Venue: 1, Rulebook: book.Hash().String(),
		Levels: levels}, Supervisor)
}

// Do does a command in the room.
func (r *Room) Do(c command.Command, by record.By) error {
	tell(c)
	_, err := r.Engine.Do(r.tick(), c, command.Env{By: by, Kit: r.Kit})
	return err
}

// Done does a command in the room and returns the record that says what was done.
func Done[B record.Body](r *Room, c command.Command, by record.By) (B, error) {
	tell(c)
	body, err := r.Engine.Do(r.tick(), c, command.Env{By: by, Kit: r.Kit})
	got, _ := body.(B)
	return got, err
}

// room is the one room of the house.
var room = command.InRoom{Hall: hallID}

// session and game name what is in play.
func (r *Room) session() command.InSession { return command.During(r.Ref()) }
func (r *Room) game() command.InGame       { return command.At(r.Playing()) }

// sharedKit is one kit for all rooms of a rulebook: tables are told apart by their hashes,
// and the patterns take a while to compile.
func sharedKit(book *rulebook.Book) (*hall.Kit, error) {
	kit, _ := kits.LoadOrStore(book.ID(), sync.OnceValues(func() (*hall.Kit, error) { return hall.NewKit(book) }))
	make, _ := kit.(func() (*hall.Kit, error))
	return make()
}

var kits sync.Map

// Of returns the numbers that are called in the room.
func (r *Room) Of() ball.Universe { return r.Kit.Form().Universe() }

// AddCards makes a series of cards and brings its master table into the hall.
func (r *Room) AddCards(id string, up, first, books, games int) error {
	form := r.Kit.Form()
	colours, err := bingo.Palette(games)
	if err != nil {
		return err
	}
	table, err := form.MakeTable(bingo.Series{ID: id, Up: up, FirstBook: first, Colours: colours}, books, r.Script)
	if err != nil {
		return err
	}
	file, err := table.MarshalBinary()
	if err != nil {
		return err
	}
	if _, err := r.Kit.Load(file); err != nil {
		return err
	}
	r.Tables[id] = table
	return r.Do(command.AddTable{InRoom: room, File: file}, Supervisor)
}

// Join makes somebody a member of the loyalty programme.
func (r *Room) Join(member string) error {
	return r.Do(command.SetMember{InRoom: room, Member: member}, Dealer)
}

// Hall returns the hall as it stands.
func (r *Room) Hall() *state.Hall {
	h, _ := r.Engine.State().Hall(hallID)
	return h
}

// Ref names the session in play, and Playing the game.
func (r *Room) Ref() record.HallSession {
	return record.HallSession{Hall: hallID, Session: r.Session}
}

// Playing names the game in play.
func (r *Room) Playing() record.BingoGame {
	return record.BingoGame{Hall: hallID, Session: r.Session, Game: r.Game}
}

// Standing returns the game in play as it stands.
func (r *Room) Standing() *state.BingoGame {
	session, ok := r.Hall().Session(r.Session)
	if !ok {
		return nil
	}
	game, _ := session.Game(r.Game)
	return game
}

// Set announces a session of a series of cards, and makes it the one in play.
func (r *Room) Set(fee record.SessionSet) (*record.SessionSet, error) {
	fee.Begins = record.Of(r.now)
	set, err := Done[*record.SessionSet](r, command.SetSession{InRoom: room, SessionPlan: command.PlanOf(fee)},
		Supervisor)
	if err == nil {
		r.Session, r.Game = set.Session, 1
	}
	return set, err
}

// Enter takes a player in with books of a series.
func (r *Room) Enter(member, series string, first, last, device uint32) (*record.PlayerEntered, error) {
	session, _ := r.Hall().Session(r.Session)
	return Done[*record.PlayerEntered](r, command.EnterSession{
		InSession: r.session(), Member: member, Device: device, FeeCents: session.Set.FeeCents.Cents(),
		Books: []command.Books{{Series: series, First: first, Last: last}},
	}, Dealer)
}

// Issue enters the first and the last book of a series.
func (r *Room) Issue(series string, first, last uint32, struck ...uint32) (*record.IssueClosed, error) {
	issued := command.IssuedBooks{Books: command.Books{Series: series, First: first, Last: last}, Struck: struck}
	return Done[*record.IssueClosed](r,
		command.CloseIssue{InSession: r.session(), Ranges: []command.IssuedBooks{issued}}, Dealer)
}

// Announce announces and seals the game in play, which is won with the full card.
func (r *Room) Announce() (*record.BingoAnnounced, error) { return r.AnnounceWith("") }

// AnnounceWith announces and seals the game in play, and says with which pattern it is won.
func (r *Room) AnnounceWith(wins string) (*record.BingoAnnounced, error) {
	return Done[*record.BingoAnnounced](r, command.AnnounceBingo{InGame: r.game(), Wins: wins}, Dealer)
}

// DrawJackpot draws the jackpot numbers of the game in play: these, or those of
// chance.
func (r *Room) DrawJackpot(numbers ...int) error {
	if err := r.Do(command.SealJackpot{InGame: r.game()}, Dealer); err != nil {
		return err
	}
	session, _ := r.Hall().Session(r.Session)
	for i := range int(session.Set.Games[r.Game-1].JackpotNumbers) {
		number := 0
		if i < len(numbers) {
			number = numbers[i]
		}
		if _, err := r.Call(number); err != nil {
			return err
		}
	}
	_, err := r.Finish()
	return err
}

// Call draws the next number of the game in play: this one, or 0 for that of chance.
func (r *Room) Call(number int) (int, error) {
	if err := hall.MayCall(r.Engine.State(), r.Playing()); err != nil {
		return 0, err
	}
	_, drawn, _ := hall.UnderWay(r.Standing())
	drawing, err := r.startDraw()
	if err != nil {
		return 0, err
	}
	if number != 0 {
		remaining := ball.Full(r.Of()).Minus(hall.Drawn(r.Of(), drawn).Set())
		if err := r.Script.OrderOf(remaining, []int{number}); err != nil {
			return 0, err
		}
	}
	pick, err := drawing.Next(len(drawn) + 1)
	if err != nil {
		return 0, err
	}
	return pick.Number, r.Do(command.CallBingo{InGame: r.game(), Number: pick.Number, Bytes: pick.Bytes}, record.By{})
}

// startDraw starts the device on the draw under way, or takes it up.
func (r *Room) startDraw() (*draw.Draw, error) {
	session, _ := r.Hall().Session(r.Session)
	game := r.Standing()
	which, drawn, ok := hall.UnderWay(game)
	if !ok {
		return nil, fmt.Errorf("cases: game %d is %v", r.Game, game.Phase)
	}
	plan := hall.Plan(r.Of(), r.Hall(), session, game, which)
	if r.drawing != nil && r.drawn == plan.Game {
		return r.drawing, nil
	}
	seal, err := journal.OpenSeal(game.Seal, r.verifier)
	if err != nil {
		return nil, err
	}
	if r.drawing, err = r.device.Start(plan, seal, hall.Drawn(r.Of(), drawn), nil); err != nil {
		return nil, err
	}
	r.drawn = plan.Game
	return r.drawing, nil
}

// Finish ends the draw under way. That of the calls ends the game.
func (r *Room) Finish() (*record.BingoSettled, error) {
	if err := hall.MayEnd(r.Engine.State(), r.Playing()); err != nil {
		return nil, err
	}
	drawing, err := r.startDraw()
	if err != nil {
		return nil, err
	}
	note, err := drawing.Sign()
	if err != nil {
		return nil, err
	}
	return Done[*record.BingoSettled](r, command.FinishBingo{InGame: r.game(), Note: note}, record.By{})
}

// Serial returns the serial of a card of the game in play.
func (r *Room) Serial(series string, book uint32) bingo.Serial {
	return bingo.Serial{Series: series, Book: int(book), Game: int(r.Game)}
}

// Box returns a box of a card of the game in play.
func (r *Room) Box(series string, book uint32, box int) (bingo.Box, error) {
	boxes, err := r.Tables[series].Card(r.Serial(series, book))
	if err != nil {
		return bingo.Box{}, err
	}
	return boxes[box-1], nil
}

// Complete calls numbers until a box lacks so many for a pattern, and nothing else:
// those of the pattern that were not called, in the order of reading.
func (r *Room) Complete(series string, book uint32, box int, pattern string, less int) error {
	game := r.Standing()
	if game == nil {
		return errors.New("cases: no game is played")
	}
	i, ok := r.Kit.Patterns().Index(game.Announced.Of(pattern))
	if !ok {
		return fmt.Errorf("cases: no pattern %s", pattern)
	}
	b, err := r.Box(series, book, box)
	if err != nil {
		return err
	}
	for {
		mask := b.Mask(hall.Drawn(r.Of(), r.Standing().Drawn).Set())
		lacks := r.Kit.Patterns().ToGo(i, mask)
		if lacks <= less {
			return nil
		}
		place := 0
		for r.Kit.Patterns().ToGo(i, mask|1<<place) >= lacks {
			place++
		}
		if _, err := r.Call(b.Number(place)); err != nil {
			return err
		}
	}
}

// Claim calls for a box of a card of the game in play.
func (r *Room) Claim(series string, book uint32, box uint8, pattern string) (*record.ClaimOpened, error) {
	return Done[*record.ClaimOpened](r,
		command.OpenClaim{InGame: r.game(), Pattern: pattern, Serial: r.Serial(series, book).String(), Box: box},
		Dealer)
}

// Check has a supervisor check a claim, with the card in hand and marked.
func (r *Room) Check(claim uint16) (*record.ClaimChecked, error) {
	return Done[*record.ClaimChecked](r,
		command.CheckClaim{OfClaim: command.OfClaim{InGame: r.game(), Claim: claim}, CardInHand: true, Marked: true},
		Supervisor)
}

// Win claims and checks at once.
func (r *Room) Win(series string, book uint32, box uint8, pattern string) (*record.ClaimChecked, error) {
	opened, err := r.Claim(series, book, box, pattern)
	if err != nil {
		return nil, err
	}
	return r.Check(opened.Claim)
}

// Tick lets a second pass and returns the time.
func (r *Room) Tick() record.Time { return r.tick() }

// Wait lets some time pass.
func (r *Room) Wait(d time.Duration) { r.now = r.now.Add(d) }

// CheckHall holds the books of a room against what its state says: the levels of the
// jackpot, what is owed to winners, and what goes back to players.
func CheckHall(s *state.State) error {
	if sum := s.Balances().Trial(); sum != 0 {
		return fmt.Errorf("the trial balance is %v", sum)
	}
	h, ok := s.Hall(hallID)
	if !ok {
		return nil
	}
	for level := range h.Pools {
		if got := -s.Balances().OfUnit(ledger.HallJackpot, h.Unit(level+1)); got != h.PoolCents(level+1) {
			return fmt.Errorf("level %d is %v in the books and %v in the jackpot", level+1, got, h.PoolCents(level+1))
		}
	}
	var prizes, refunds, fees int64
	for i := range h.Disputes {
		prizes += h.Disputes[i].Unpaid().Cents()
	}
	for _, session := range h.Sessions {
		for i := range session.Players {
			p := &session.Players[i]
			refunds += p.DueCents.Cents()
			if session.Phase == state.SessionEntering && !p.FeeVoid && !session.Refunded {
				fees += p.Entered.FeeCents.Cents()
			}
		}
		for i := range session.Games {
			for k := range session.Games[i].Claims {
				prizes += session.Games[i].Claims[k].Unpaid().Cents()
			}
		}
	}
	for account, want := range map[ledger.Account]int64{ledger.HallPrizes: prizes, ledger.HallRefunds: refunds,
		ledger.EntryFees: fees} {
		if got := -s.Balances().Of(account).Cents(); got != want {
			return fmt.Errorf("%v is %d cents in the books and %d in the sessions", account, got, want)
		}
	}
	return nil
}
