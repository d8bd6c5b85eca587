package hall

import (
	"slices"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/core/ledger"
	"drawhouse/decide/state"
	"drawhouse/games/bingo"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Establish opens a bingo room at a venue, by a rulebook that is adopted or comes with it.
// Its name tells its seals from those of other games, so that no series of games may have
// it.
//
//rule:nsw-bingo-2019 4.6 6.1 6.4 7.3
func Establish(s *state.State, b record.HallOpened, with *rulebook.Book) (*record.HallOpened, []ledger.Posting, error) {
	if _, ok := s.Hall(b.Hall); ok {
		return nil, nil, refuse(HallExists, "", "hall", "There is a hall %d.", b.Hall)
	}
	if _, ok := s.Venue(b.Venue); !ok {
		return nil, nil, refuse(HallUnknown, "", "venue", "There is no venue %d.", b.Venue)
	}
	book, ok := s.Book(b.Rulebook)
	if !ok && with != nil && record.Hash(with.Hash()) == b.Rulebook {
		book, ok = with, true
	}
	var rules *rulebook.Bingo
	if ok {
		rules, ok = book.Bingo()
	}
	if !ok {
		return nil, nil, refuse(RulebookOther, "", "rulebook", "The rulebook is not adopted, or not one of bingo.")
	}
	if err := (journal.Game{Series: b.Name + promotionSuffix, Day: "2026-01-01"}).Check(); err != nil {
		return nil, nil, refuse(HallExists, "", "name", "%q cannot be the name of a hall: %v.", b.Name, err)
	}
	for id := range 256 {
		if series, ok := s.Series(uint8(id)); ok && clash(series.Name, b.Name) {
			return nil, nil, refuse(HallExists, "", "name", "Other games are called %q.", b.Name)
		}
	}
	for _, h := range All(s) {
		if clash(h.Opened.Name, b.Name) {
			return nil, nil, refuse(HallExists, "", "name", "Other games are called %q.", b.Name)
		}
	}
	if err := record.CheckLevels(b.Levels); err != nil {
		return nil, nil, refuse(LevelsWrong, "6.1", "levels", "These are no levels of a jackpot: %v.", err)
	}
	var postings []ledger.Posting
	for i, level := range b.Levels {
		if level.Within > 0 && int(level.Within) < rules.Calls().Least {
			return nil, nil, refuse(LevelsWrong, "4.6", "levels",
				"Nobody can win %s: it is won within %d numbers, and no bingo comes before the %dth.", level.Name,
				level.Within, rules.Calls().Least)
		}
		if int(level.Within) >= int(rules.Universe()) {
			return nil, nil, refuse(LevelsWrong, "7.3", "levels",
				"Nobody can win %s: %s is won within %d numbers, which every bingo is, and a card gets the highest level alone.",
				b.Levels[i+1].Name, level.Name, level.Within)
		}
		postings = append(postings, ledger.Debit(ledger.Operator, 0, level.SeedCents),
			ledger.Credit(ledger.HallJackpot, ledger.Pool(b.Hall, uint8(i+1)), level.SeedCents))
	}
	return &b, ledger.Merge(postings...), nil
}

// clash reports whether seals of two names could be taken for each other.
func clash(a, b string) bool {
	for _, x := range []string{a, a + jackpotSuffix, a + promotionSuffix} {
		for _, y := range []string{b, b + jackpotSuffix, b + promotionSuffix} {
			if x == y {
				return true
			}
		}
	}
	return false
}

// AddTable brings a series of cards into a hall. Its table is in the kit, and is of one room
// of the house: another one would issue the same books once more.
//
//rule:nsw-bingo-2019 2.3.3 4.2 7.7
func AddTable(s *state.State, kit *Kit, id uint8, hash record.Hash, by record.By) (*record.TableAdded, error) {
	r, err := roomOf(s, id)
	if err != nil {
		return nil, err
	}
	table, ok := kit.table(hash)
	if !ok {
		return nil, refuse(TableUnknown, "2.3.3", "table", "The master table was not read.")
	}
	series := table.Series()
	if _, ok := r.Table(series.ID); ok {
		return nil, refuse(TableExists, "2.3.3", "series", "There is a series %s.", series.ID)
	}
	for other, h := range All(s) {
		if slices.ContainsFunc(h.Tables, func(t state.HallTable) bool { return t.Added.Hash == hash }) {
			return nil, refuse(TableExists, "7.7", "table", "Room %d has this table, and its books.", other)
		}
	}
	if !slices.Contains(r.rules.Card().Pages, series.Up) {
		return nil, refuse(TableUnknown, "4.2", "up", "No page of %d boxes is played.", series.Up)
	}
	added := &record.TableAdded{
		Hall: id, Series: series.ID, Hash: hash, Up: uint8(series.Up),
		FirstBook: uint32(series.FirstBook), Books: uint32(table.Books()), By: by,
	}
	for _, colour := range series.Colours {
		added.Colours = append(added.Colours, colour.Name)
	}
	return added, nil
}

// SetMember takes a number of the loyalty programme in, or out.
//
//rule:nsw-bingo-2019 3.1
func SetMember(s *state.State, m record.MemberSet) (*record.MemberSet, error) {
	if _, err := roomOf(s, m.Hall); err != nil {
		return nil, err
	}
	if m.Member == "" {
		return nil, refuse(NotAMember, "3.1", "member", "A member has a number of the loyalty programme.")
	}
	return &m, nil
}

// SetSession announces a session: its fee, its games, their colours and prizes. The
// number of games is displayed from then on.
//
//rule:nsw-bingo-2019 order 4.1 4.2 5.1 5.2 5.3 6.1 6.5.1
func SetSession(s *state.State, b record.SessionSet) (*record.SessionSet, error) {
	r, err := roomOf(s, b.Hall)
	if err != nil {
		return nil, err
	}
	b.Session = uint32(len(r.Sessions) + 1)
	return r.planSession(b)
}

// planSession checks the plan of a session and gives its games their colours.
func (r room) planSession(b record.SessionSet) (*record.SessionSet, error) {
	switch {
	case b.FeeCents <= 0:
		return nil, refuse(SessionPlan, "3.3", "fee_cents", "A session has an entry fee.")
	case b.BooksMax == 0 || len(b.Series) == 0:
		return nil, refuse(SessionPlan, "4.2", "series",
			"A session names its series of cards, and how many books the fee is for.")
	case !onDay(b.Day, b.Begins):
		return nil, refuse(SessionPlan, "6.3.6", "day",
			"The session begins on another date than %v, wherever the room is.", b.Day)
	case !r.book.InForce(b.Day):
		return nil, refuse(SessionPlan, r.book.EffectiveClause(), "day", "%s is not in force on %v; it is from %v on.",
			r.book.Title(), b.Day, r.book.From())
	case len(b.Games) == 0 || len(b.Games) > record.MostBingoGames:
		return nil, refuse(SessionPlan, "4.1", "games", "A session has 1 to %d games.", record.MostBingoGames)
	}
	games := slices.Clone(b.Games)
	for i := range games {
		if err := r.checkPlan(&games[i], i, b.Series); err != nil {
			return nil, err
		}
	}
	b.Games = games
	return &b, nil
}

// onDay reports whether a moment is on a day by the clocks of some place. Which place it is
// only the house's settings say; no clock is further than 14 hours from that of Greenwich.
//
//rule:nsw-bingo-2019 6.3.6 6.3.7
func onDay(d day.Day, at record.Time) bool {
	const furthest = 14 * time.Hour
	date := func(t time.Time) day.Day {
		found, err := day.Of(t.Year(), int(t.Month()), t.Day())
		if err != nil {
			return day.None
		}
		return found
	}
	begins := at.Time().UTC()
	return date(begins.Add(-furthest)) <= d && d <= date(begins.Add(furthest))
}

// checkPlan checks the plan of a game and gives it the colour of its cards.
func (r room) checkPlan(g *record.BingoPlan, i int, series []string) error {
	for k, id := range series {
		table, ok := r.Table(id)
		switch {
		case !ok || slices.Contains(series[:k], id):
			return refuse(TableUnknown, "2.3.3", "series", "There is no series %s, or it is named twice.", id)
		case i >= len(table.Added.Colours):
			return refuse(SessionPlan, "4.1", "games",
				"Series %s has cards for %s.", id, figure.Count(len(table.Added.Colours), "game"))
		case g.Colour == "":
			g.Colour = table.Added.Colours[i]
		case g.Colour != table.Added.Colours[i]:
			return refuse(SessionPlan, "2.3.2", "games",
				"Game %d is %s, and the cards of series %s are %s.", i+1, g.Colour, id, table.Added.Colours[i])
		}
	}
	if len(g.Prizes) == 0 || g.Prizes[0].Pattern != record.PatternBingo {
		return refuse(SessionPlan, "4.4", "games", "Game %d has no prize for bingo, which is the first.", i+1)
	}
	for k, p := range g.Prizes {
		twice := slices.ContainsFunc(g.Prizes[:k], func(e record.PatternPrize) bool { return e.Pattern == p.Pattern })
		switch {
		case k > 0 && !r.offers(p.Pattern):
			return refuse(PrizeUnknown, "5.3", "games", "Game %d: there is no minor game %q.", i+1, p.Pattern)
		case twice:
			return refuse(SessionPlan, "5.2", "games", "Game %d has two prizes for %q.", i+1, p.Pattern)
		case p.Cents <= 0:
			return refuse(SessionPlan, "5.5", "games", "Game %d has no prize for %q.", i+1, p.Pattern)
		}
	}
	return r.checkJackpot(g, i)
}

// checkJackpot checks how a game plays for the jackpot.
func (r room) checkJackpot(g *record.BingoPlan, i int) error {
	if int(g.JackpotNumbers) > r.rules.Jackpot().NumbersMax {
		return refuse(SessionPlan, "6.5.1", "games",
			"Game %d draws %d jackpot numbers; at most %d are drawn.", i+1, g.JackpotNumbers,
			r.rules.Jackpot().NumbersMax)
	}
	if g.JackpotNumbers > 0 && g.JackpotShare == 0 {
		g.JackpotShare = uint16(whole)
	}
	if int64(g.JackpotShare) > whole || g.JackpotNumbers == 0 && g.JackpotShare > 0 {
		return refuse(SessionPlan, "6.3.2", "games",
			"Game %d pays out %d hundredths of a percent of the jackpot with %d numbers.", i+1, g.JackpotShare,
			g.JackpotNumbers)
	}
	return nil
}

// offers reports whether a pattern is one of the minor games.
func (r room) offers(pattern string) bool {
	_, ok := r.rules.Pattern(pattern)
	return ok && pattern != record.PatternBingo
}

// printed returns the serial of a card as it is printed.
func printed(series string, book uint32, card uint8) string {
	return bingo.Serial{Series: series, Book: int(book), Game: int(card)}.String()
}
