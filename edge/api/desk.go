package api

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/books"
	"drawhouse/core/refusal"
	"drawhouse/games/jackpot"
	"drawhouse/rulebook"
	"drawhouse/rulebook/odds"
	"drawhouse/rulebook/rules"
)

// SalesNow is what has been sold and paid on the Keno Day that is open, or was last.
type SalesNow struct {
	Day       string          `json:"day,omitempty"`
	DayOpen   bool            `json:"day_open"`
	Total     SalesTally      `json:"total"`
	Venues    []VenueSales    `json:"venues" doc:"Those at which something was done on the day."`
	Terminals []TerminalSales `json:"terminals" doc:"Those at which something was done on the day."`
	Minutes   []MinuteSales   `json:"minutes" doc:"The last sixty, ascending, with those in which nothing was done."`
}

// SalesTally is what was done somewhere.
type SalesTally struct {
	Sales          uint64 `json:"sales"`
	SoldCents      int64  `json:"sold_cents"`
	Payments       uint64 `json:"payments"`
	PaidCents      int64  `json:"paid_cents"`
	Cancelled      uint64 `json:"cancelled"`
	GivenBackCents int64  `json:"given_back_cents"`
}

// VenueSales is what was done at a venue.
type VenueSales struct {
	Venue uint32 `json:"venue"`
	SalesTally
}

// TerminalSales is what was done at a terminal.
type TerminalSales struct {
	Terminal uint32 `json:"terminal"`
	Venue    uint32 `json:"venue"`
	SalesTally
}

// MinuteSales is what was done within a minute.
type MinuteSales struct {
	Start time.Time `json:"start"`
	SalesTally
}

// JackpotHistory is what the jackpots came to, step by step.
type JackpotHistory struct {
	Step   string         `json:"step" enum:"game,day" doc:"Whether a point is a game, or the last game of a day."`
	Points []JackpotPoint `json:"points" doc:"Ascending."`
}

// JackpotPoint is what the jackpots came to after a game.
type JackpotPoint struct {
	Day     string      `json:"day"`
	Game    uint16      `json:"game"`
	Ordinal uint32      `json:"ordinal"`
	Pools   []PoolPoint `json:"pools"`
}

// PoolPoint is what one jackpot came to.
type PoolPoint struct {
	Spots        uint8 `json:"spots"`
	PrimaryCents int64 `json:"primary_cents"`
	WonCents     int64 `json:"won_cents,omitempty" doc:"In the game, or on the day."`
}

// RulesKnown are the rulebooks of a house.
type RulesKnown struct {
	InForce string        `json:"in_force" doc:"Hash of the rulebook of the newest game."`
	Adopted []Rulebook    `json:"adopted"`
	Ahead   []ChangeAhead `json:"ahead" doc:"Terms that are announced, in the order of their games."`
	Carried []Rulebook    `json:"carried" doc:"Those that this program has and the house could adopt."`
}

// RuleDifferences are the values in which two rulebooks differ.
type RuleDifferences struct {
	From    Rulebook         `json:"from"`
	To      Rulebook         `json:"to"`
	Changes []RuleDifference `json:"changes"`
	Effects []string         `json:"effects" doc:"What the second does to returns, top prizes and the bounds of prizes, in words."`
}

// RuleDifference is one value in which two rulebooks differ.
type RuleDifference struct {
	Path   string `json:"path"`
	Says   string `json:"says" doc:"The change in words."`
	Old    string `json:"old,omitempty" doc:"Absent where the first has no such value."`
	New    string `json:"new,omitempty" doc:"Absent where the second has no such value."`
	Clause string `json:"clause,omitempty"`
}

// deskRoutes registers what the person who runs the games looks at.
func (s *server) deskRoutes() {
	s.serve(route{
		line: true, name: "get-sales", path: "/v1/operator/sales", says: "What is being sold, by venue and by minute",
		tag: "operator", who: offices,
		query:    []*huma.Param{optional("venue", huma.TypeInteger, "Whose minutes; all venues' if absent.")},
		out:      SalesNow{},
		internal: "It is a chart of the office; the metrics and the report venues have the figures.",
	}, s.getSales)
	s.serve(route{
		line: true, name: "list-jackpots", path: "/v1/operator/jackpots",
		says: "What the jackpots came to, game by game or day by day", tag: "operator", who: offices,
		internal: "It is a chart of the office; the report jackpots has the figures.",
		query: []*huma.Param{
			optional("days", huma.TypeInteger,
				"Of how many days, 1 to 400; 1 if absent. Up to 2 days are shown game by game."),
		},
		out: JackpotHistory{},
	}, s.listJackpots)
	s.serve(route{
		line: true, name: "list-rules", path: "/v1/operator/rulebooks",
		says: "The rulebooks in force, adopted, announced and at hand", tag: "operator", who: offices,
		out: RulesKnown{},
	}, s.listRules)
	s.serve(route{
		line: true, name: "compare-rules", path: "/v1/operator/rulebooks/differences",
		says: "The values in which two rulebooks differ", tag: "operator", who: offices, refuses: "rulebook_unknown",
		internal: "It is a table of the office; drawhouse rulebook diff has the same.",
		query: []*huma.Param{
			needed("from", huma.TypeString, "Id of one rulebook."),
			needed("to", huma.TypeString, "Id of the other rulebook."),
		},
		out: RuleDifferences{},
	}, s.compareRules)
}

// within reads an optional number of a query.
func within(r *http.Request, name string, unless, least, most int) (int, error) {
	given := r.URL.Query().Get(name)
	if given == "" {
		return unless, nil
	}
	n, err := strconv.Atoi(given)
	if err != nil || n < least || n > most {
		return 0, &refusal.Refusal{Code: ParameterValue, Path: name,
			Sentence: fmt.Sprintf("The value must be a whole number from %d to %d.", least, most)}
	}
	return n, nil
}

func viewTally(t books.Tally) SalesTally {
	return SalesTally{Sales: t.Sales, SoldCents: t.Sold.Cents(), Payments: t.Payments, PaidCents: t.Paid.Cents(),
		Cancelled: t.Cancelled, GivenBackCents: t.GivenBack.Cents()}
}

func (s *server) getSales(w http.ResponseWriter, r *http.Request) error {
	const mostVenues = 1<<31 - 1
	venue, err := within(r, "venue", 0, 1, mostVenues)
	if err != nil {
		return err
	}
	line := lineOf(r)
	now, err := line.Sales(r.Context(), uint32(venue))
	if err != nil {
		return err
	}
	book := now.Book.Alone()
	view := SalesNow{DayOpen: now.DayOpen, Total: viewTally(book.Total()), Venues: []VenueSales{},
		Terminals: []TerminalSales{}}
	if now.Day.IsValid() {
		view.Day = now.Day.String()
	}
	for _, v := range book.Venues {
		view.Venues = append(view.Venues, VenueSales{v.Venue, viewTally(v.Tally)})
	}
	for _, t := range book.Terminals {
		view.Terminals = append(view.Terminals, TerminalSales{t.Terminal, t.Venue, viewTally(t.Tally)})
	}
	for _, m := range now.Minutes {
		view.Minutes = append(view.Minutes, MinuteSales{s.time(m.Start), viewTally(m.Tally)})
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// byGame is of how many days jackpots are shown game by game; with more, only their
// last games are.
const byGame = 2

func (s *server) listJackpots(w http.ResponseWriter, r *http.Request) error {
	days, err := within(r, "days", 1, 1, mostDays)
	if err != nil {
		return err
	}
	line := lineOf(r)
	all, err := line.DayBooks(r.Context(), days)
	if err != nil {
		return err
	}
	view := JackpotHistory{Step: "game", Points: []JackpotPoint{}}
	if days > byGame {
		view.Step = "day"
	}
	for _, book := range all {
		points := jackpotPoints(book)
		if view.Step == "day" && len(points) > 0 {
			points = []JackpotPoint{wholeDay(points)}
		}
		view.Points = append(view.Points, points...)
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// jackpotPoints returns what the jackpots came to after each game of a day that was
// settled.
func jackpotPoints(book *books.Book) (points []JackpotPoint) {
	for _, g := range book.Games {
		if len(g.Pools) == 0 {
			continue
		}
		point := JackpotPoint{Day: book.Day.String(), Game: g.Number, Ordinal: g.Ordinal}
		for _, p := range g.Pools {
			point.Pools = append(point.Pools,
				PoolPoint{Spots: p.Spots, PrimaryCents: jackpot.Exact(p.Primary).Cents().Cents(),
					WonCents: p.Won.Cents()})
		}
		points = append(points, point)
	}
	return points
}

// wholeDay returns the last point of a day, with what was won on all of it.
func wholeDay(points []JackpotPoint) JackpotPoint {
	last := points[len(points)-1]
	won := map[uint8]int64{}
	for _, point := range points {
		for _, p := range point.Pools {
			won[p.Spots] += p.WonCents
		}
	}
	for i := range last.Pools {
		last.Pools[i].WonCents = won[last.Pools[i].Spots]
	}
	return last
}

func (s *server) listRules(w http.ResponseWriter, r *http.Request) error {
	line, now, err := courseOf(r)
	if err != nil {
		return err
	}
	view := RulesKnown{InForce: line.Book().Hash().String(), Adopted: []Rulebook{}, Ahead: aheadOf(now),
		Carried: []Rulebook{}}
	for _, b := range now.Books {
		view.Adopted = append(view.Adopted, s.viewAdopted(b))
	}
	for _, id := range rules.IDs() {
		book, err := rules.Book(id)
		if err != nil {
			return err
		}
		view.Carried = append(view.Carried, viewRulebook(book))
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) compareRules(w http.ResponseWriter, r *http.Request) error {
	_, now, err := courseOf(r)
	if err != nil {
		return err
	}
	from, err := bookOf(now.Books, r, "from")
	if err != nil {
		return err
	}
	to, err := bookOf(now.Books, r, "to")
	if err != nil {
		return err
	}
	view := RuleDifferences{From: s.viewAdopted(from), To: s.viewAdopted(to), Changes: []RuleDifference{},
		Effects: []string{}}
	effects, err := odds.Effect(from, to)
	if err != nil {
		return err
	}
	view.Effects = append(view.Effects, effects...)
	for _, c := range rulebook.Diff(from, to) {
		view.Changes = append(view.Changes,
			RuleDifference{Path: c.Path, Says: c.Words(), Old: c.Old, New: c.New, Clause: c.Clause})
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// bookOf finds a rulebook by its hash, among those that were adopted and those of the
// program.
func bookOf(adopted []*rulebook.Book, r *http.Request, name string) (*rulebook.Book, error) {
	wanted := r.URL.Query().Get(name)
	for _, b := range adopted {
		if b.Hash().String() == wanted {
			return b, nil
		}
	}
	for _, id := range rules.IDs() {
		if b, err := rules.Book(id); err == nil && b.Hash().String() == wanted {
			return b, nil
		}
	}
	return nil, &refusal.Refusal{Code: RulebookUnknown, Path: name,
		Sentence: "Neither the house nor the program has a rulebook of that hash."}
}
