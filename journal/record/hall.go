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
	Person uint32
	Rank   Rank
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
	_         struct{} `cbor:",toarray"`
	Name      string
	Within    uint8
	Share     uint16       // of what fees bring, in hundredths of a percent
	SeedCents money.Amount `most:"amount"` // with which the operator opens it
}

// wholeShare is all of something, in hundredths of a percent.
const wholeShare = 100_00

// HallOpened is a bingo room with its jackpot. Its postings are the seeds of the
// levels, which are ranked from the highest on.
type HallOpened struct {
	_        struct{} `cbor:",toarray"`
	Hall     uint8    `is:"hall"`
	Name     string   `is:"name"` // as in seals
	Venue    uint32   `is:"venue"`
	Rulebook Hash
	Levels   []JackpotLevel
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
	Series    string   `is:"series" most:"200"` // of cards
	Hash      Hash     `is:"hash"`
	Up        uint8    `is:"up"` // boxes to a page
	FirstBook uint32   `is:"first book"`
	Books     uint32   `is:"books"`
	Colours   []string `is:"colours"` // one for each game
	By        By
}

func (*TableAdded) check() error { return nil }

// MemberSet says that a number of the loyalty programme is that of a member, or is
// not any more. Whose number it is only the programme knows.
type MemberSet struct {
	_      struct{} `cbor:",toarray"`
	Hall   uint8
	Member string
	Ended  bool
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
	_       struct{} `cbor:",toarray"`
	Pattern string
	Cents   money.Amount `most:"amount"`
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
	_      struct{} `cbor:",toarray"`
	Colour string
	Prizes []PatternPrize
	// JackpotNumbers is how many numbers are drawn for the jackpot; 0 in a game without
	// it. JackpotShare is the part of the jackpot that the game pays out, in hundredths
	// of a percent.
	JackpotNumbers uint8
	JackpotShare   uint16
}

// PatternBingo is the pattern with which a game is won: the full house, unless the game was
// announced with another.
const PatternBingo = "bingo"

// SessionSet announces a session. Fee and games are displayed from then on.
type SessionSet struct {
	_        struct{} `cbor:",toarray"`
	Hall     uint8    `is:"hall"`
	Session  uint32   `is:"session"` // counts the sessions of the hall from 1
	Day      day.Day
	Begins   Time         `is:"time"`
	FeeCents money.Amount `is:"fee" most:"fee"`               // for a player
	BooksMax uint16       `is:"books max"`                    // that a player gets for it
	Series   []string     `is:"series" most:"256" each:"200"` // of cards that are played
	Games    []BingoPlan
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
	_           struct{} `cbor:",toarray"`
	Series      string   `most:"200"`
	First, Last uint32
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
	Session  uint32
	Player   uint32 // counts the players of the session from 1
	Member   string
	Books    []BookRange
	Device   uint32       // electronic card; 0 for paper
	FeeCents money.Amount `most:"fee"`
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
	_      struct{} `cbor:",toarray"`
	Books  BookRange
	Struck []uint32 // ascending
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
	_             struct{}      `cbor:",toarray"`
	Hall          uint8         `is:"hall"`
	Session       uint32        `is:"session"`
	Ranges        []IssuedRange `is:"ranges"`
	Players       uint32        `is:"players"`
	FeesCents     money.Amount  `is:"fees cents"`
	Contributions []Exact       // to the levels of the jackpot, in their order
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
