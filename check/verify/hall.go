package verify

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The checks of bingo rooms: everything about their sessions, and about promotional
// prizes.
const (
	CheckHall   Check = "bingo"
	CheckOffers Check = "promotional prizes"
)

// halls are the bingo rooms of a house. Its zero value has none.
type halls struct {
	books map[record.Hash]*rulebook.Book
	rooms map[uint8]*hallRoom
	// root is that of the records before a seal of a room.
	root hash
}

// hasDenied reports whether a promotional prize was denied to a person whom the rules have kept.
func (h *halls) hasDenied(who record.Hash) bool {
	for _, room := range h.rooms {
		if slices.Contains(room.denied, who) {
			return true
		}
	}
	return false
}

// exactPart is how many parts of a cent the levels of a jackpot count.
const exactPart = 10_000

// allShares is all of something in hundredths of a percent.
const allShares = 100_00

type hallRoom struct {
	opened   *record.HallOpened
	rules    *rulebook.BingoFile
	from, to day.Day // on which the rules are in force, the last one if they have one
	levels   []int64 // in parts of a cent
	tables   map[string]*hallTable
	members  map[string]bool
	sessions []*hallSession
	rolled   []record.PatternPrize
	disputes []*hallDispute
	// decidedBy is who decided disputes, by number.
	decidedBy map[uint32]uint32
	offers    []*hallOffer
	// denied are who is kept because a promotional prize was denied to them.
	denied []record.Hash
}

type hallDispute struct {
	about         *record.DisputeRaised
	step          record.DisputeStep
	awarded, paid money.Amount
	by            uint32 // who awarded it
	reviewed      bool   // a review was asked for, which there is once
}

type hallTable struct {
	*masterTable
	hash   record.Hash
	issued map[uint32]bool
}

type hallSession struct {
	set     *record.SessionSet
	players []*hallPlayer
	devices map[uint32]bool // out
	failed  uint32
	ranges  []record.IssuedRange // nil before the issue is closed
	brought []int64              // by level, still in the jackpot
	games   []*hallGame
	sign    record.Time
	over    bool
	back    bool // all fees are
	broken  bool // it was broken off, and all fees go back
}

type hallPlayer struct {
	*record.PlayerEntered
	seq             uint64
	holds           uint32 // electronic card
	barred, feeVoid bool
	due             money.Amount
	// returned is what of the fee went or goes back, and forfeited what of it never does.
	returned, forfeited money.Amount
}

// adopted takes up a rulebook of bingo.
func (h *halls) adopted(hash record.Hash, book *rulebook.Book) bool {
	if _, ok := book.Bingo(); !ok {
		return false
	}
	if h.books == nil {
		h.books, h.rooms = map[record.Hash]*rulebook.Book{}, map[uint8]*hallRoom{}
	}
	h.books[hash] = book
	return true
}

// before remembers the root that a seal is about to state, if the record is one of a
// room.
func (h *halls) before(data []byte, tree *merkle) {
	if kind, ok := record.KindOf(data); ok && (kind == record.KindBingoSealed || kind == record.KindOfferSealed) {
		h.root = tree.root()
	}
}

func hallFault(format string, args ...any) error { return fault(CheckHall, format, args...) }

func (c *checker) inRoom(id uint8, check func(*hallRoom) error) error {
	r := c.halls.rooms[id]
	if r == nil {
		return hallFault("there is no hall %d", id)
	}
	return check(r)
}

func (c *checker) hallOpened(b *record.HallOpened) (postings, error) {
	book := c.halls.books[b.Rulebook]
	if _, ok := c.venues[b.Venue]; !ok || book == nil || c.halls.rooms[b.Hall] != nil {
		return nil, hallFault("hall %d is there already, or its venue or its rulebook is not", b.Hall)
	}
	rules := book.File().Bingo
	if err := (journal.Game{Series: b.Name, Day: "2026-01-01"}).Check(); err != nil {
		return nil, hallFault("no seal can carry the name %q", b.Name)
	}
	room := &hallRoom{opened: b, rules: rules, from: book.From(), to: book.To(), tables: map[string]*hallTable{},
		members: map[string]bool{}}
	var want postings
	for i, level := range b.Levels {
		if level.Within > 0 && int(level.Within) < rules.Calls.Least {
			if err := c.guard(hallFault("level %d must be won within %d numbers, before any bingo can come (4.6)", i+1,
				level.Within)); err != nil {
				return nil, err
			}
		}
		if int(level.Within) >= rules.Numbers.Of {
			if err := c.guard(hallFault("level %d is won by every bingo, so that no card can have a level below it (7.3)", i+
				1)); err != nil {
				return nil, err
			}
		}
		room.levels = append(room.levels, int64(level.SeedCents)*exactPart)
		want = append(want, ledger.Debit(ledger.Operator, 0, level.SeedCents),
			ledger.Credit(ledger.HallJackpot, room.unit(i), level.SeedCents))
	}
	c.halls.rooms[b.Hall] = room
	c.report.Rooms++
	return want, nil
}

func (r *hallRoom) unit(level int) uint32 { return uint32(r.opened.Hall)<<8 | uint32(level+1) }

// TableFile returns the name of a master table in an export.
func TableFile(hall uint8, series string) string {
	return fmt.Sprintf(ObjectsFolder+"table/%d/%s", hall, series)
}

// PlayersFile returns the name of the bitmap of the players in a game of bingo.
func PlayersFile(g record.BingoGame, draw record.BingoDraw, volume uint16) string {
	return fmt.Sprintf(ObjectsFolder+"players/%d/%d/%d/%d/%d", g.Hall, g.Session, g.Game, draw, volume)
}

// EntriesFile returns the name of the bitmap of the entries in the draw of a
// promotional prize.
func EntriesFile(o record.Offer, prize uint8, volume uint16) string {
	return fmt.Sprintf(ObjectsFolder+"entries/%d/%d/%d/%d", o.Hall, o.Offer, prize, volume)
}

// maxTableFile bounds the file of a master table.
const maxTableFile = 1 << 30

func (c *checker) tableAdded(r *hallRoom, b *record.TableAdded) error {
	file, err := readWhole(c.src, TableFile(b.Hall, b.Series), maxTableFile)
	if err != nil {
		return fault(CheckExport, "%v", err)
	}
	if sha256.Sum256(file) != b.Hash {
		return hallFault("the master table of series %s is not the one that the record names", b.Series)
	}
	t, err := readTable(file, r.rules)
	if err != nil {
		return hallFault("the master table of series %s: %v", b.Series, err)
	}
	if t.series != b.Series || t.up != int(b.Up) || t.first != b.FirstBook || t.books != b.Books ||
		!slices.Equal(t.colours, b.Colours) || r.tables[b.Series] != nil {
		return hallFault("the master table of series %s is of other cards than the record says, or is there already",
			b.Series)
	}
	for id, other := range c.halls.rooms {
		for _, there := range other.tables {
			if there.hash == b.Hash {
				if err := c.guard(hallFault("the master table of series %s is that of room %d, which has its books",
					b.Series, id)); err != nil {
					return err
				}
			}
		}
	}
	r.tables[b.Series] = &hallTable{t, b.Hash, map[uint32]bool{}}
	return nil
}

// wonWith returns the pattern of a prize of a game: that with which the game is won was
// announced with it.
func (r *hallRoom) wonWith(g *hallGame, prize string) *rulebook.PatternFile {
	if g.announced != nil && g.announced.Wins != "" && prize == record.PatternBingo {
		return r.pattern(g.announced.Wins)
	}
	return r.pattern(prize)
}

// pattern returns a pattern of the rulebook; bingo is one of them.
func (r *hallRoom) pattern(id string) *rulebook.PatternFile {
	if id == record.PatternBingo {
		return &rulebook.PatternFile{ID: id}
	}
	for i := range r.rules.Patterns {
		if r.rules.Patterns[i].ID == id {
			return &r.rules.Patterns[i]
		}
	}
	return nil
}

// sessionSet checks the plan of a session (nsw-bingo-2019 4.1, 5.2, 5.3, 6.5.1).
func (c *checker) sessionSet(r *hallRoom, b *record.SessionSet) error {
	if int(b.Session) != len(r.sessions)+1 {
		return hallFault("session %d comes after %d", b.Session, len(r.sessions))
	}
	games, err := c.planned(r, b)
	r.sessions = append(r.sessions,
		&hallSession{set: b, games: games, devices: map[uint32]bool{}, brought: make([]int64, len(r.levels))})
	return err
}

// planned checks the games of a plan and returns them. The day of a session is the date of
// its beginning on some clock, of which none is further than 14 hours from UTC
// (nsw-bingo-2019 6.3.6).
func (c *checker) planned(r *hallRoom, b *record.SessionSet) (games []*hallGame, err error) {
	const hour = 3600
	if b.Day < localDate(b.Begins, -14*hour) || b.Day > localDate(b.Begins, 14*hour) {
		if err := c.guard(hallFault("session %d is of %v, and begins at %v", b.Session, b.Day,
			b.Begins.Time().UTC())); err != nil {
			return nil, err
		}
	}
	if b.Day < r.from || r.to != day.None && b.Day > r.to {
		if err := c.guard(hallFault("session %d is of %v, and the rules are in force from %v to %v", b.Session, b.Day,
			r.from, r.to)); err != nil {
			return nil, err
		}
	}
	for i, plan := range b.Games {
		for _, series := range b.Series {
			t := r.tables[series]
			if t == nil || i >= len(t.colours) || t.colours[i] != plan.Colour {
				return nil, hallFault("game %d is %s, and series %s has no such cards for it", i+1, plan.Colour, series)
			}
		}
		for _, p := range plan.Prizes {
			if r.pattern(p.Pattern) == nil {
				return nil, hallFault("game %d has a prize for %s, which the rulebook does not know", i+1, p.Pattern)
			}
		}
		if int(plan.JackpotNumbers) > r.rules.Jackpot.NumbersMax {
			return nil, hallFault("game %d draws %d jackpot numbers", i+1, plan.JackpotNumbers)
		}
		games = append(games, &hallGame{number: uint8(i + 1), plan: &b.Games[i]})
	}
	return games, nil
}

// disputeRaised and disputeMoved check that disputes go their way: a supervisor
// decides, a casino supervisor reviews when asked to (nsw-bingo-2019 9.10, 9.11).
func (r *hallRoom) disputeRaised(b *record.DisputeRaised) error {
	if int(b.Dispute) != len(r.disputes)+1 || int(b.Session) > len(r.sessions) || int(b.Offer) > len(r.offers) {
		return hallFault("dispute %d comes after %d, or is about what is not there", b.Dispute, len(r.disputes))
	}
	r.disputes = append(r.disputes, &hallDispute{about: b})
	return nil
}

func (r *hallRoom) disputeMoved(b *record.DisputeMoved) error {
	if int(b.Dispute) > len(r.disputes) {
		return hallFault("there is no dispute %d", b.Dispute)
	}
	type step struct{ from, to record.DisputeStep }
	least, ok := map[step]record.Rank{
		{0, record.StepDecided}:                   record.RankSupervisor,
		{record.StepDecided, record.StepReview}:   record.RankDealer,
		{record.StepReview, record.StepReviewed}:  record.RankCasino,
		{record.StepDecided, record.StepAdvised}:  record.RankDealer,
		{record.StepReviewed, record.StepAdvised}: record.RankDealer,
		{record.StepAdvised, record.StepReview}:   record.RankDealer,
	}[step{r.disputes[b.Dispute-1].step, b.Step}]
	d := r.disputes[b.Dispute-1]
	if !ok || b.By.Rank < least || b.Step == record.StepReview && d.reviewed {
		return hallFault("dispute %d goes from step %d to %d by a %v", b.Dispute, d.step, b.Step, b.By.Rank)
	}
	d.step, d.reviewed = b.Step, d.reviewed || b.Step == record.StepReview
	if b.Step == record.StepDecided {
		if r.decidedBy == nil {
			r.decidedBy = map[uint32]uint32{}
		}
		r.decidedBy[b.Dispute] = b.By.Person
	}
	return nil
}

// venueOf returns the venue of a room, or 0 if there is no such room.
func (h *halls) venueOf(room uint8) uint32 {
	if r := h.rooms[room]; r != nil {
		return r.opened.Venue
	}
	return 0
}

// deciderOf returns who decided a dispute of a room, and whether there is such a room.
func (h *halls) deciderOf(room uint8, dispute uint32) (person uint32, known bool) {
	r := h.rooms[room]
	if r == nil {
		return 0, false
	}
	return r.decidedBy[dispute], true
}
