package record

import (
	"errors"
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/money"
)

// Rank is the standing of somebody who works in a bingo room. A higher rank may do
// what a lower may.
type Rank uint8

// The ranks.
const (
	RankDealer     Rank = 1 // runs the games
	RankSupervisor Rank = 2 // supervises gaming
	RankCasino     Rank = 3 // is a casino supervisor
)

var rankNames = [...]string{"nobody", "dealer", "supervisor", "casino supervisor"}

// String returns the rank's name.
func (r Rank) String() string {
	if int(r) < len(rankNames) {
		return rankNames[r]
	}
	return fmt.Sprintf("rank %d", uint8(r))
}

// By is who did something in a bingo room, and in which rank.
type By struct {
	_      struct{} `cbor:",toarray"`
	Person uint32   // number of the person who did it; none where the house did it by itself
	Rank   Rank     // rank in which the person acted
}

func (b By) check() error {
	if b.Person == 0 || b.Rank < RankDealer || b.Rank > RankCasino {
		return fmt.Errorf("it was done by person %d, %v", b.Person, b.Rank)
	}
	return nil
}

// JackpotLevel is a level of a hall's jackpot. A bingo on a jackpot number qualifies
// for the level if it came within so many numbers, or with 0 whenever it came.
type JackpotLevel struct {
	_    struct{} `cbor:",toarray"`
	Name string   // name of the level
	// Within how many numbers the level is won; 0 for the last level, which is won within any.
	Within uint8
	// Part of what fees bring to the jackpot that the level gets, in hundredths of a percent.
	Share     uint16
	SeedCents money.Amount `most:"amount"` // amount with which the operator opens the level
}

// wholeShare is all of something, in hundredths of a percent.
const wholeShare = 100_00

// HallOpened is a bingo room with its jackpot. Its postings are the seeds of the
// levels, which are ranked from the highest on.
type HallOpened struct {
	_        struct{} `cbor:",toarray"`
	Hall     uint8    `is:"hall"` // number of the bingo room
	Name     string   `is:"name"` // name of the room, as in seals
	Venue    uint32   `is:"venue"`
	Rulebook Hash
	Levels   []JackpotLevel // levels of the room's jackpot, the highest first
	By       By
}

func (h *HallOpened) check() error {
	return CheckLevels(h.Levels)
}

// CheckLevels reports what is wrong with the levels of a jackpot.
func CheckLevels(levels []JackpotLevel) error {
	if len(levels) == 0 || len(levels) > 255 {
		return fmt.Errorf("a jackpot has %d levels, and has 1 to 255", len(levels))
	}
	shares := 0
	for i, l := range levels {
		shares += int(l.Share)
		switch last := i == len(levels)-1; {
		case l.Name == "" || l.SeedCents < 0:
			return fmt.Errorf("level %d needs a name, and begins with an amount or nothing", i+1)
		case last && l.Within != 0:
			return fmt.Errorf("%s, the last level, is won within any numbers", l.Name)
		case !last && (l.Within == 0 || l.Within > 90 || i > 0 && l.Within <= levels[i-1].Within):
			return fmt.Errorf("%s is won within %d numbers, which must be 1 to 90 and more than in the level above",
				l.Name, l.Within)
		}
	}
	if shares != wholeShare {
		return fmt.Errorf("the levels share %d.%02d%% of what fees bring, and all of it must be shared", shares/100,
			shares%100)
	}
	return nil
}

// TableAdded brings the master table of a series of cards into a hall. The table is
// an object beside the journal that Hash pins.
type TableAdded struct {
	_         struct{} `cbor:",toarray"`
	Hall      uint8    `is:"hall"`
	Series    string   `is:"series" most:"200"` // name of the series of cards
	Hash      Hash     `is:"hash"`              // hash of the master table, an object beside the journal
	Up        uint8    `is:"up"`                // how many boxes a page has
	FirstBook uint32   `is:"first book"`        // number of the first book of the series
	Books     uint32   `is:"books"`             // how many books the series has
	Colours   []string `is:"colours"`           // colours of the pages, one for each game
	By        By
}

func (*TableAdded) check() error { return nil }

// MemberSet says that a number of the loyalty programme is that of a member, or is
// not any more. Whose number it is only the programme knows.
type MemberSet struct {
	_      struct{} `cbor:",toarray"`
	Hall   uint8
	Member string
	Ended  bool // whether the number is that of a member no more
	By     By
}

// mostMember is the longest number of a member, in bytes.
const mostMember = 32

func (m *MemberSet) check() error {
	if m.Hall == 0 || m.Member == "" || len(m.Member) > mostMember {
		return errors.New("a member needs a hall and a number of the loyalty programme")
	}
	return nil
}

// PatternPrize is a prize for a pattern; that of the full house is bingo.
type PatternPrize struct {
	_       struct{}     `cbor:",toarray"`
	Pattern string       // pattern of the prize; bingo is the full house
	Cents   money.Amount `most:"amount"` // amount of the prize
}

func checkPrizes(prizes []PatternPrize) error {
	for i, p := range prizes {
		if p.Pattern == "" || p.Cents <= 0 {
			return fmt.Errorf("prize %d is %v for %q", i+1, p.Cents, p.Pattern)
		}
		for _, earlier := range prizes[:i] {
			if earlier.Pattern == p.Pattern {
				return fmt.Errorf("there are two prizes for %q", p.Pattern)
			}
		}
	}
	return nil
}

// BingoPlan is what is planned for a game of a session. The first prize is that of
// bingo, and the others are of minor games.
type BingoPlan struct {
	_      struct{}       `cbor:",toarray"`
	Colour string         // colour of the game's cards
	Prizes []PatternPrize // prizes of the game; the first is that of bingo
	// How many numbers are drawn for the jackpot; 0 in a game without it.
	JackpotNumbers uint8
	JackpotShare   uint16 // part of the jackpot that the game pays out, in hundredths of a percent
}

// PatternBingo is the pattern with which a game is won: the full house, unless the game was
// announced with another.
const PatternBingo = "bingo"

// SessionSet announces a session. Fee and games are displayed from then on.
type SessionSet struct {
	_    struct{} `cbor:",toarray"`
	Hall uint8    `is:"hall"`
	// Number of the session; the sessions of a room are numbered from 1.
	Session  uint32       `is:"session"`
	Day      day.Day      // day of the session
	Begins   Time         `is:"time"`                         // when the session is meant to begin
	FeeCents money.Amount `is:"fee" most:"fee"`               // entry fee of a player
	BooksMax uint16       `is:"books max"`                    // how many books a player gets for the fee at most
	Series   []string     `is:"series" most:"256" each:"200"` // series of cards that are played
	Games    []BingoPlan  // games of the session, as they are planned
	By       By
}

// MostBingoGames is how many games a session can have.
const MostBingoGames = 99

func (s *SessionSet) check() error {
	if len(s.Games) == 0 || len(s.Games) > MostBingoGames {
		return fmt.Errorf("a session of %d games", len(s.Games))
	}
	for i, g := range s.Games {
		if g.Colour == "" || len(g.Prizes) == 0 || g.Prizes[0].Pattern != PatternBingo || g.JackpotShare > wholeShare ||
			(g.JackpotNumbers == 0) != (g.JackpotShare == 0) {
			return fmt.Errorf("game %d needs a colour and a prize for bingo, and a jackpot its numbers and its share",
				i+1)
		}
		if err := checkPrizes(g.Prizes); err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	return nil
}

// BookRange is books of a series of cards, both ends included.
type BookRange struct {
	_      struct{} `cbor:",toarray"`
	Series string   `most:"200"` // series of cards of the books
	First  uint32   // number of the first book
	Last   uint32   // number of the last book
}

func (b BookRange) check() error {
	if b.Series == "" || b.First == 0 || b.Last < b.First {
		return fmt.Errorf("books %d to %d of series %q", b.First, b.Last, b.Series)
	}
	return nil
}

// Books returns how many books there are.
func (b BookRange) Books() uint32 { return b.Last - b.First + 1 }

// Has reports whether a book is among them.
func (b BookRange) Has(series string, book uint32) bool {
	return b.Series == series && b.First <= book && book <= b.Last
}

// Meets reports whether there is a book in both.
func (b BookRange) Meets(o BookRange) bool {
	return b.Series == o.Series && b.First <= o.Last && o.First <= b.Last
}

// PlayerEntered is a member who has paid the entry fee of a session and was issued
// books, on paper or on an electronic card. Seals mark these records.
type PlayerEntered struct {
	_        struct{} `cbor:",toarray"`
	Hall     uint8
	Session  uint32 // number of the session in its room
	Player   uint32 // number of the player in the session, from 1
	Member   string
	Books    []BookRange  // books that the player was issued
	Device   uint32       // number of the electronic card; 0 for cards of paper
	FeeCents money.Amount `most:"fee"` // entry fee that the player paid
	By       By
}

func (p *PlayerEntered) check() error {
	if p.Hall == 0 || p.Session == 0 || p.Player == 0 || p.Member == "" || len(p.Member) > mostMember ||
		p.FeeCents <= 0 || len(p.Books) == 0 {
		return errors.New("a player needs a session, a number, a membership, a fee and books")
	}
	return nil
}

// IssuedRange is the books in play of a series: all from the first to the last but
// for those that nobody holds.
type IssuedRange struct {
	_      struct{}  `cbor:",toarray"`
	Books  BookRange // first and last book of the series that was issued
	Struck []uint32  // books in between that nobody holds, ascending
}

// Has reports whether a book is in play.
func (r *IssuedRange) Has(series string, book uint32) bool {
	if !r.Books.Has(series, book) {
		return false
	}
	for _, struck := range r.Struck {
		if struck == book {
			return false
		}
	}
	return true
}

// IssueClosed is the first and the last serial of all cards issued in a session. No
// player enters after it, and its postings give the fees to the operator and to the
// jackpot.
type IssueClosed struct {
	_         struct{}      `cbor:",toarray"`
	Hall      uint8         `is:"hall"`
	Session   uint32        `is:"session"`
	Ranges    []IssuedRange `is:"ranges"`     // books in play, by series of cards
	Players   uint32        `is:"players"`    // how many players entered
	FeesCents money.Amount  `is:"fees cents"` // entry fees of all players
	// What the fees bring to each level of the jackpot, in the order of the levels.
	Contributions []Exact
	By            By
}

func (i *IssueClosed) check() error {
	for _, r := range i.Ranges {
		for k, struck := range r.Struck {
			if !r.Books.Has(r.Books.Series, struck) || k > 0 && struck <= r.Struck[k-1] {
				return fmt.Errorf("book %d is struck out of %d to %d", struck, r.Books.First, r.Books.Last)
			}
		}
	}
	return checkExacts(i.Contributions)
}

func checkExacts(list []Exact) error {
	for i, e := range list {
		if e < 0 {
			return fmt.Errorf("level %d: %d parts of a cent", i+1, e)
		}
	}
	return nil
}
