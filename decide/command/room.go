package command

import (
	"crypto/sha256"
	"fmt"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// The addresses in a bingo room.
const (
	inRoom     = "/v1/hall/{hall}"
	inSession  = inRoom + "/sessions/{session}"
	inGame     = inSession + "/games/{game}"
	ofClaim    = inGame + "/claims/{claim}"
	ofPlayer   = inSession + "/players/{player}"
	ofDevice   = inSession + "/devices/{device}"
	ofOffer    = inRoom + "/promotions/{promotion}"
	ofPrize    = ofOffer + "/prizes/{prize}"
	ofDisputes = inRoom + "/disputes"
)

// InRoom is a bingo room.
type InRoom struct {
	Hall uint8 `json:"-" path:"hall"`
}

func (c InRoom) room() uint8 { return c.Hall }

// InSession is a session of a bingo room.
type InSession struct {
	InRoom
	Session uint32 `json:"-" path:"session"`
}

func (c InSession) ref() record.HallSession {
	return record.HallSession{Hall: c.Hall, Session: c.Session}
}

// InGame is a game of a session.
type InGame struct {
	InSession
	Game uint8 `json:"-" path:"game"`
}

// Ref names the game as the journal does.
func (c InGame) Ref() record.BingoGame {
	return record.BingoGame{Hall: c.Hall, Session: c.Session, Game: c.Game}
}

// At names a game of a bingo room.
func At(ref record.BingoGame) InGame {
	return InGame{InSession{InRoom{ref.Hall}, ref.Session}, ref.Game}
}

// During names a session of a bingo room.
func During(ref record.HallSession) InSession { return InSession{InRoom{ref.Hall}, ref.Session} }

// roomRow is the row of a command that is done on the floor of a bingo room.
func roomRow(name, path, says, refuses string) Row {
	return Row{Name: name, Path: path, Says: says, Tag: "bingo", Who: Floor, Refuses: refuses}
}

func init() {
	register[OpenHall](Row{
		Name: "open-hall", Path: inRoom, Says: "Open a bingo room", Tag: "bingo", Who: administrator,
		Refuses: "hall_exists levels_wrong name_wrong rulebook_other",
	}.
		alone("a room; what is done in it asks for ranks"))
	register[AddTable](Row{
		Name: "add-table", Path: inRoom + "/tables", Says: "Bring a master table of cards into a room", Tag: "bingo",
		Who: administrator, Procedure: true,
		Refuses: "table_exists table_unknown",
	}.
		alone("cards that were made elsewhere"))
	register[SetMember](roomRow("set-member", inRoom+"/members",
		"Take a number of the loyalty programme in, or out", "not_a_member"))
}

// Level is a level of the jackpot, highest first.
type Level struct {
	Name      string `json:"name"`
	Within    uint8  `json:"within,omitempty" doc:"So many numbers within which the bingo must come; 0, of the last level alone, for any."`
	Share     uint16 `json:"share" doc:"Part of what fees bring, in hundredths of a percent."`
	SeedCents int64  `json:"seed_cents,omitempty" doc:"What the level begins with."`
}

// OpenHall opens a bingo room. A rulebook of the program that is not adopted yet is adopted
// with the room, and is not if the room is refused.
type OpenHall struct {
	InRoom   `json:"-"`
	Name     string  `json:"name" doc:"As in seals: small letters, digits and hyphens."`
	Venue    uint32  `json:"venue"`
	Rulebook string  `json:"rulebook" doc:"Id of a rulebook of bingo that the program has, such as nsw-bingo-2019, which is adopted if it is not yet; or the hash of one that was adopted."`
	Levels   []Level `json:"levels" doc:"Levels of the jackpot, and what of each fee they get."`
}

// Decide implements Command.
func (c OpenHall) Decide(s *state.State, e *Env) (Decision, error) {
	book, hash, err := c.book()
	if err != nil {
		return Decision{}, err
	}
	wanted := record.HallOpened{Hall: c.Hall, Name: c.Name, Venue: c.Venue, Rulebook: hash, By: e.By}
	for _, l := range c.Levels {
		wanted.Levels = append(wanted.Levels,
			record.JackpotLevel{Name: l.Name, Within: l.Within, Share: l.Share, SeedCents: money.Amount(l.SeedCents)})
	}
	opened, postings, err := hall.Establish(s, wanted, book)
	if err != nil {
		return Decision{}, err
	}
	var d Decision
	if _, adopted := s.Book(hash); book != nil && !adopted {
		d.Facts = append(d.Facts, Fact{Body: &record.RulebookAdopted{ID: book.ID(), Hash: hash,
			Book: book.Canonical()}})
	}
	d.Facts = append(d.Facts, Fact{opened, postings})
	return d, nil
}

// book finds the rulebook that the command names: one of the program, or the hash of another.
func (c OpenHall) book() (*rulebook.Book, record.Hash, error) {
	if book, err := rules.Book(c.Rulebook); err == nil {
		return book, record.Hash(book.Hash()), nil
	}
	hash, err := rulebook.ParseHash(c.Rulebook)
	if err != nil {
		return nil, record.Hash{}, &refusal.Refusal{Code: keno.FieldValue, Path: "rulebook",
			Sentence: "The value must be the id of a rulebook, or 64 hexadecimal digits."}
	}
	return nil, record.Hash(hash), nil
}

// AddTable brings the master table of a series of cards into a room. The kit has read the file.
type AddTable struct {
	InRoom `json:"-"`
	File   []byte `json:"-"`
}

// Decide implements Command.
func (c AddTable) Decide(s *state.State, e *Env) (Decision, error) {
	added, err := hall.AddTable(s, e.Kit, c.Hall, sha256.Sum256(c.File), e.By)
	if err != nil {
		return Decision{}, err
	}
	return Decision{Facts: []Fact{{Body: added}},
		Objects: []Object{{hall.TableName(c.Hall, added.Series), c.File}}}, nil
}

// SetMember takes a number of the loyalty programme in, or out.
type SetMember struct {
	InRoom `json:"-"`
	Member string `json:"member" doc:"Number of the loyalty programme; no name."`
	Ended  bool   `json:"ended,omitempty" doc:"The number is good no more."`
}

// Decide implements Command.
func (c SetMember) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.SetMember(s, record.MemberSet{Hall: c.Hall, Member: c.Member, Ended: c.Ended, By: e.By}))
}

// BingoBitmapName returns the name of the object that holds the bitmap of a game's
// players in a volume.
func BingoBitmapName(ref record.BingoGame, draw record.BingoDraw, volume uint16) string {
	return fmt.Sprintf("players/%d/%d/%d/%d/%d", ref.Hall, ref.Session, ref.Game, draw, volume)
}
