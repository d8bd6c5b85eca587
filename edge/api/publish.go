package api

import (
	_ "embed"
	"net/http"
	"reflect"
	"strconv"

	"drawhouse/core/day"
	"drawhouse/house"
	"drawhouse/house/live"
	"drawhouse/journal/record"
)

// Jackpots is what the jackpots of a series of games have grown to, for anybody who publishes it.
type Jackpots struct {
	Series   uint8     `json:"series" doc:"Number of the series of games."`
	Name     string    `json:"name" doc:"Of the series."`
	Currency string    `json:"currency" doc:"Of every amount, such as AUD."`
	Jackpots []Jackpot `json:"jackpots" doc:"Ascending by spots; none where the rulebook has no jackpots."`
}

// Jackpot is one of them.
type Jackpot struct {
	Spots int   `json:"spots" doc:"Of the bets that win it."`
	Cents int64 `json:"cents" doc:"What it has grown to."`
}

// PublishedResult is the result of a game with its series, as the stream of results says it.
type PublishedResult struct {
	Series uint8 `json:"series" doc:"Number of the series of games."`
	GameResult
}

// The names of the events of the stream of results.
const (
	resultName   = "result"
	jackpotsName = "jackpots"
)

// boardScript shows a board on the page of somebody else.
//
//go:embed board.js
var boardScript []byte

// publishRoutes registers what other pages and programs publish, beside the results of a day.
func (s *server) publishRoutes() {
	s.serve(route{
		line: true, name: "get-jackpots", path: "/v1/jackpots", says: "What the jackpots have grown to", tag: "games",
		who: everybody, out: Jackpots{},
	}, func(w http.ResponseWriter, r *http.Request) error { return writeKept(w, s.jackpotsOf(lineOf(r))) })
	s.serve(route{
		line: true, name: "get-jackpots-csv", path: "/v1/jackpots/csv", says: "What the jackpots have grown to, as a table",
		tag: "games", who: everybody, gives: texts("text/csv"), tells: "Series, spots, cents and currency.",
	}, s.getJackpotsCSV)
	s.serve(route{
		line: true, name: "follow-results", path: "/v1/results/events", says: "Follow the results and the jackpots of a series",
		about: "An event " + resultName + " is a " + schemaName(reflect.TypeFor[PublishedResult](), "") +
			" as JSON: a game was settled, settled again, corrected or has no result. An event " + jackpotsName + " is a " +
			schemaName(reflect.TypeFor[Jackpots](), "") + ". Ticks and resets are those of follow-events. The id of the board is a place to begin behind.",
		tag: "games", who: everybody, refuses: "too_many_streams", query: afterEvent(), gives: texts(eventStream),
		tells: "Server-sent events, without end.",
	}, s.followResults)
	s.document("/board.js", func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, err := w.Write(boardScript)
		return err
	})
}

// jackpotsOf returns what the jackpots of a series have grown to.
func (s *server) jackpotsOf(line *house.Line) Jackpots {
	view := Jackpots{Series: line.ID(), Name: line.Name(), Currency: line.Book().Currency(), Jackpots: []Jackpot{}}
	for _, series := range s.house.Hub().Board().Series {
		if series.Series != view.Series {
			continue
		}
		for _, p := range series.Jackpots {
			view.Jackpots = append(view.Jackpots, Jackpot{p.Spots, p.Cents})
		}
	}
	return view
}

func (s *server) getJackpotsCSV(w http.ResponseWriter, r *http.Request) error {
	view := s.jackpotsOf(lineOf(r))
	rows := [][]string{{"series", "spots", "cents", "currency"}}
	for _, j := range view.Jackpots {
		rows = append(rows, []string{strconv.Itoa(int(view.Series)), strconv.Itoa(j.Spots), strconv.FormatInt(j.Cents, 10),
			view.Currency})
	}
	return keepTable(w, rows)
}

func (s *server) followResults(w http.ResponseWriter, r *http.Request) error {
	line := lineOf(r)
	return s.follow(r, func(after live.ID) error {
		return s.house.Hub().StreamAs(w, r, after, func(e live.Event) ([]live.Said, error) { return s.published(line, e) })
	})
}

// published returns what the stream of results says of an event. A result is said as it is now: who takes up the stream
// again hears of each game what counts, and not what did for a while.
func (s *server) published(line *house.Line, e live.Event) (said []live.Said, err error) {
	var head live.Head
	var number uint16
	jackpots := true
	switch b := e.Body.(type) {
	case live.GameSettled:
		head, number = b.Head, b.Game
	case live.GameResettled:
		head, number = b.Head, b.Game
	case live.GameVoided:
		head, number = b.Head, b.Game
	case live.ResultCorrected:
		head, number, jackpots = b.Head, b.Game, false
	case live.GameClosed:
		head.Series = b.Series
	case live.JackpotsChanged:
		head.Series = b.Series
	default:
		return nil, nil
	}
	if head.Series != line.ID() {
		return nil, nil
	}
	if head.Day != "" {
		d, err := day.Parse(head.Day)
		if err != nil {
			return nil, err
		}
		if g, ok := line.Game(record.Game{Series: line.ID(), Day: d, Number: number}); ok {
			said = append(said, live.Said{Name: resultName, Data: PublishedResult{line.ID(), s.viewResult(g)}})
		}
	}
	if now := s.jackpotsOf(line); jackpots && len(now.Jackpots) > 0 {
		said = append(said, live.Said{Name: jackpotsName, Data: now})
	}
	return said, nil
}
