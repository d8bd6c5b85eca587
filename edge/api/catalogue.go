package api

import (
	"net/http"

	"drawhouse/decide/counter"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
)

// Catalogue is what a counter offers, without prizes and limits: whether a ticket is
// sold, and why not, is for a quote to say.
type Catalogue struct {
	Rulebook    string           `json:"rulebook"`
	Title       string           `json:"title"`
	Currency    string           `json:"currency"`
	Locale      string           `json:"locale,omitempty" doc:"By which amounts are written, such as el-GR, where the rulebook says it."`
	Of          int              `json:"of" doc:"A game is played with the numbers from 1 to this; 0 where no keno is played."`
	Draw        int              `json:"draw" doc:"How many of them are drawn."`
	MaxGames    int              `json:"max_games" doc:"Consecutive games of one ticket."`
	GameDigits  int              `json:"game_digits,omitempty" doc:"Least width of game numbers, which have zeros in front; absent for none."`
	SerialForm  string           `json:"serial_form" doc:"Of its tickets: digits16, or to27 for 27 characters that begin with TO."`
	Entries     []CatalogueEntry `json:"entries" doc:"How particulars may be given, by kind of terminal."`
	Bets        []CatalogueBet   `json:"bets"`
	Features    []CatalogueSide  `json:"features,omitempty"`
	Items       []CatalogueItem  `json:"items,omitempty" doc:"Ready tickets."`
	Instruments []CataloguePaper `json:"instruments,omitempty" doc:"Papers that stand for money."`
	Means       []CatalogueMeans `json:"means,omitempty" doc:"How writers pay prizes."`
	MinimumAge  int              `json:"minimum_age,omitempty" doc:"Of players; absent where the rulebook leaves it to the law."`
	AgeClause   string           `json:"age_clause,omitempty" doc:"Absent where the rulebook leaves the age to the law."`
	Care        string           `json:"care,omitempty" doc:"Where players find help, as the operator says it."`
	Notice      []NoticeLine     `json:"notice,omitempty" doc:"What a notice at the terminals says of minimum, maximum and step."`
}

// NoticeLine is one line of the notice at a kind of terminal.
type NoticeLine struct {
	Channel   string `json:"channel"`
	Text      string `json:"text"`
	Clause    string `json:"clause"`
	MinCents  int64  `json:"min_cents,omitempty" doc:"Absent for none, as are the others."`
	MaxCents  int64  `json:"max_cents,omitempty"`
	StepCents int64  `json:"step_cents,omitempty"`
}

// CatalogueEntry is one way to give particulars.
type CatalogueEntry struct {
	Channel string      `json:"channel"`
	Method  EntryMethod `json:"method"`
	Runner  bool        `json:"runner,omitempty" doc:"A runner may bring such an entry."`
	Bets    []string    `json:"bets,omitempty" doc:"Those that may be entered so; absent for all."`
	Ways    bool        `json:"ways" doc:"Groups may be entered so."`
}

// CatalogueBet is a bet.
type CatalogueBet struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Form   string `json:"form" enum:"numbers,calls,race"`
	Clause string `json:"clause"`
	Sizes  []int  `json:"sizes,omitempty" doc:"How many numbers may be marked."`
	// What follows is there if the bet has it.
	Ways    *CatalogueWays  `json:"ways,omitempty"`
	Quick   string          `json:"quick,omitempty" doc:"Name of a pick of a chosen number of spots."`
	Mystery string          `json:"mystery,omitempty" doc:"Name of a pick whose number of spots is picked too."`
	Series  int             `json:"series,omitempty" doc:"Of calls: in how many games they may vary."`
	Run     bool            `json:"run,omitempty" doc:"Of calls: a prize may become the next stake."`
	Rows    int             `json:"rows,omitempty" doc:"Of a race."`
	Types   []CatalogueRace `json:"types,omitempty" doc:"Of a race."`
}

// CatalogueWays says how groups may be joined.
type CatalogueWays struct {
	Types  bool `json:"types,omitempty" doc:"By total spots."`
	Groups bool `json:"groups,omitempty" doc:"By number of groups."`
	Marks  bool `json:"marks,omitempty" doc:"One by one."`
	All    bool `json:"all,omitempty"`
	Max    int  `json:"max"`
}

// CatalogueRace is a way to bet on a race.
type CatalogueRace struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Places  int    `json:"places"`
	Ordered bool   `json:"ordered,omitempty"`
}

// CatalogueSide is something that hangs on a bet.
type CatalogueSide struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Bets       []string `json:"bets"`
	RunOnly    []string `json:"run_only,omitempty" doc:"Bets with which it goes only when the prize runs on."`
	EqualStake bool     `json:"equal_stake,omitempty" doc:"Its stake is the bet's."`
	FirstGames bool     `json:"first_games,omitempty" doc:"It may cover the first games alone."`
	Ways       bool     `json:"ways,omitempty" doc:"It goes with groups."`
}

// CatalogueItem is a ready ticket.
type CatalogueItem struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Bet      string   `json:"bet"`
	Groups   [][]int  `json:"groups,omitempty" doc:"Its numbers, group by group; absent where they are always picked."`
	Sizes    []int    `json:"sizes,omitempty" doc:"How many numbers are picked for each group; absent where it has numbers."`
	Types    []int    `json:"types,omitempty" doc:"How many numbers the ways have that are played; absent for one way of all groups."`
	Random   bool     `json:"random,omitempty" doc:"Its numbers may be picked instead."`
	Stake    int64    `json:"stake_cents,omitempty" doc:"Fixed."`
	Games    int      `json:"games,omitempty" doc:"Fixed."`
	Venue    string   `json:"venue,omitempty" doc:"A venue's own."`
	Channels []string `json:"channels,omitempty" doc:"Where it is sold; absent for everywhere."`
}

// CataloguePaper is a kind of paper that stands for money.
type CataloguePaper struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Sold bool   `json:"sold,omitempty" doc:"A counter sells it."`
	// Issued tells a paper from a card and from chips.
	Issued    bool     `json:"issued,omitempty" doc:"A terminal can issue it: it is a paper with a serial of its own."`
	GameTypes []string `json:"game_types,omitempty" doc:"Bets for one of which it is made out, the usual one first; absent for any."`
}

// CatalogueMeans is a way to pay prizes.
type CatalogueMeans struct {
	ID    string `json:"id"`
	Payee bool   `json:"payee,omitempty" doc:"It names a payee."`
}

func (s *server) catalogueRoutes() {
	get(s, route{
		name: "get-catalogue", path: "/v1/catalogue", says: "What counters offer", tag: "rules",
		line: true,
	}, s.getCatalogue)
}

func (s *server) getCatalogue(r *http.Request) (*Catalogue, error) {
	line := lineOf(r)
	offer := catalogueOf(line.Book())
	offer.Care = s.care
	return offer, nil
}

// catalogueOf reads the offer out of a rulebook.
func catalogueOf(book *rulebook.Book) *Catalogue {
	c := &Catalogue{Rulebook: book.ID(), Title: book.Title(), Currency: book.Currency(),
		Locale: book.Locale(), MaxGames: book.Games().Multi.Max,
		GameDigits: book.Games().Numbering.Digits, SerialForm: book.SerialForm().Form}
	c.Of, c.Draw = book.Numbers()
	for _, way := range book.EntryWays() {
		c.Entries = append(c.Entries, CatalogueEntry{Channel: string(way.Channel), Method: EntryMethod(way.Method),
			Runner: way.TakesRunner(), Bets: way.Bets, Ways: way.TakesWays()})
	}
	for _, bet := range book.Bets() {
		c.Bets = append(c.Bets, betOf(bet))
	}
	for _, f := range book.Features() {
		side := CatalogueSide{ID: string(f.ID()), Name: f.Name(), Bets: f.Bets(), EqualStake: f.EqualStake(),
			FirstGames: f.FirstGames(), Ways: f.Ways()}
		for _, bet := range f.Bets() {
			if f.RunOnly(bet) {
				side.RunOnly = append(side.RunOnly, bet)
			}
		}
		c.Features = append(c.Features, side)
	}
	for _, item := range book.Items() {
		one := CatalogueItem{ID: item.ID, Name: item.Name, Bet: item.Bet, Groups: item.Groups, Sizes: item.GroupSizes,
			Types: item.Types, Random: item.Random, Stake: item.StakeCents, Games: item.Games, Venue: item.Venue}
		for _, channel := range item.Channels {
			one.Channels = append(one.Channels, string(channel))
		}
		c.Items = append(c.Items, one)
	}
	for _, i := range book.Instruments() {
		c.Instruments = append(c.Instruments,
			CataloguePaper{ID: i.ID, Name: i.Name, Sold: i.Sold, Issued: counter.IsPaper(i.ID),
				GameTypes: i.GameTypes()})
	}
	for _, m := range book.Payout().Methods {
		if m.Channel == "" || m.Channel == rulebook.ChannelWriter {
			c.Means = append(c.Means, CatalogueMeans{ID: m.ID, Payee: m.Payee})
		}
	}
	if age := book.Eligibility(); age.MinimumAge > 0 {
		c.MinimumAge, c.AgeClause = age.MinimumAge, rulebook.Quoted(age.AgeClause())
	}
	for _, channel := range book.EntryKinds().Channels {
		for _, n := range keno.Notices(book, channel) {
			c.Notice = append(c.Notice, NoticeLine{
				Channel: string(channel), Text: n.String(), Clause: n.Clause, MinCents: n.Min.Cents(),
				MaxCents: n.Max.Cents(), StepCents: n.Step.Cents(),
			})
		}
	}
	return c
}

func betOf(bet *rulebook.Bet) CatalogueBet {
	one := CatalogueBet{ID: bet.ID(), Name: bet.Name(), Form: string(bet.Form()), Clause: bet.Clause()}
	if bet.Form() == rulebook.FormNumbers {
		one.Sizes = bet.Sizes().Numbers()
	}
	if ways, ok := bet.Ways(); ok {
		one.Ways = &CatalogueWays{Types: ways.ByTypes, Groups: ways.ByGroups, Marks: ways.ByMarks, All: ways.All,
			Max: ways.MaxWays}
	}
	if picks, ok := bet.Picks(); ok {
		one.Quick, one.Mystery = picks.Quick, picks.Mystery
	}
	if calls, ok := bet.Calls(); ok {
		one.Series, one.Run = calls.SeriesMax, calls.Run
	}
	if race, ok := bet.Race(); ok {
		one.Rows = race.Rows()
		for _, t := range race.Types() {
			one.Types = append(one.Types, CatalogueRace{ID: t.ID, Name: t.Name, Places: t.Places, Ordered: t.Ordered})
		}
	}
	return one
}
