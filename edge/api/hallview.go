package api

import (
	"context"
	"encoding/hex"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/games/bingo"
	"drawhouse/house/live"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// viewRecord shows a record by the names of its fields. The form of every record is
// in package record; written out here it could only come to differ.
func viewRecord(body record.Body, zone *time.Location) HallRecord {
	value := reflect.ValueOf(body)
	if body == nil || value.IsNil() {
		return HallRecord{Kind: "nothing", Record: map[string]any{}}
	}
	fields, _ := viewValue(value.Elem(), zone).(map[string]any)
	return HallRecord{Kind: record.Record{Body: body}.Kind().String(), Record: fields}
}

// viewValue shows a value of a record.
func viewValue(v reflect.Value, zone *time.Location) any {
	switch x := v.Interface().(type) {
	case record.Time:
		return x.Time().In(zone)
	case day.Day:
		return x.String()
	case record.Rank:
		return x.String()
	case record.Hash:
		return hex.EncodeToString(x[:])
	case []byte:
		return hex.EncodeToString(x)
	}
	switch v.Kind() {
	case reflect.Struct:
		fields := map[string]any{}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				fields[snake(f.Name)] = viewValue(v.Field(i), zone)
			}
		}
		return fields
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = viewValue(v.Index(i), zone)
		}
		return list
	}
	return v.Interface()
}

// snake writes FeeCents as fee_cents.
func snake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// ShownPrize is a prize of the game in play.
type ShownPrize struct {
	Pattern string `json:"pattern"`
	Name    string `json:"name"`
	Cents   int64  `json:"cents"`
	Won     bool   `json:"won"`
	PatternPicture
}

// PatternPicture is a pattern as it is shown: which of the places of a box complete it.
type PatternPicture struct {
	Places []int  `json:"places,omitempty" doc:"Places of a box that complete the pattern, from 0, line after line."`
	Exact  bool   `json:"exact,omitempty" doc:"No others would do."`
	Says   string `json:"says,omitempty" doc:"The same in words."`
}

// pictureOf returns the picture of a pattern of a room.
func pictureOf(kit *hall.Kit, id string) (view PatternPicture) {
	i, ok := kit.Patterns().Index(id)
	if !ok {
		return view
	}
	pattern := kit.Patterns().At(i)
	example := pattern.Example()
	for place := range kit.Form().Lines() * kit.Form().PerLine() {
		if example>>place&1 == 1 {
			view.Places = append(view.Places, place)
		}
	}
	view.Exact, view.Says = pattern.Exact(), pattern.Sentence()
	return view
}

// ShownLevel is a level of the jackpot.
type ShownLevel struct {
	Name   string `json:"name"`
	Within uint8  `json:"within,omitempty"`
	Cents  int64  `json:"cents"`
	Pays   int64  `json:"pays_cents" doc:"What can still be won of it in the game in play."`
}

// HallDisplay is what the screens of a bingo room show.
type HallDisplay struct {
	ID             live.ID      `json:"id" doc:"The display holds every event of the room up to this id; follow the events after it."`
	Session        uint32       `json:"session"`
	Phase          string       `json:"phase"`
	Day            string       `json:"day"`
	Begins         time.Time    `json:"begins"`
	FeeCents       int64        `json:"fee_cents"`
	Games          int          `json:"games"`
	Players        int          `json:"players"`
	Halted         bool         `json:"halted,omitempty" doc:"An electronic card is being replaced."`
	Closes         *time.Time   `json:"closes,omitempty" doc:"By the sign."`
	Game           uint8        `json:"game"`
	GamePhase      string       `json:"game_phase"`
	Colour         string       `json:"colour" doc:"Of the paper, by name."`
	Shade          string       `json:"shade,omitempty" doc:"The same as #rrggbb."`
	Prizes         []ShownPrize `json:"prizes"`
	Calls          []int        `json:"calls" doc:"The numbers that count, the last one last."`
	Wrong          []int        `json:"wrong" doc:"Numbers that were announced by mistake and do not count."`
	ClaimsOpen     int          `json:"claims_open"`
	Jackpot        []ShownLevel `json:"jackpot"`
	JackpotGames   []int        `json:"jackpot_games"`
	JackpotNumbers []int        `json:"jackpot_numbers"`
	JackpotWrong   []int        `json:"jackpot_wrong" doc:"Numbers that were announced by mistake for jackpot numbers and do not qualify."`
	JackpotToDraw  uint8        `json:"jackpot_to_draw"`
}

func viewDisplay(d *hall.Display, kit *hall.Kit, zone *time.Location) *HallDisplay {
	v := &HallDisplay{
		Session: d.Session, Phase: d.Phase.String(), Day: d.Day.String(), Begins: d.Begins.Time().In(zone),
		FeeCents: d.Fee.Cents(), Games: d.Games,
		Players: d.Players, Halted: d.Halted, Game: d.Game, GamePhase: d.GamePhase.String(), Prizes: []ShownPrize{},
		Calls: ints(d.Calls), Wrong: ints(d.Wrong), ClaimsOpen: d.Claims, JackpotGames: ints(d.JackpotGames),
		JackpotNumbers: ints(d.JackpotNumbers), JackpotWrong: ints(d.JackpotWrong), JackpotToDraw: d.JackpotToDraw,
	}
	if d.Closes != 0 {
		closes := d.Closes.Time().In(zone)
		v.Closes = &closes
	}
	v.Colour, v.Shade = colourOf(d.Colour)
	for _, p := range d.Prizes {
		v.Prizes = append(v.Prizes, ShownPrize{p.Pattern, p.Name, p.Cents.Cents(), p.Won, pictureOf(kit, p.Of)})
	}
	for _, l := range d.Jackpot {
		v.Jackpot = append(v.Jackpot, ShownLevel{l.Name, l.Within, l.Cents.Cents(), l.Pays.Cents()})
	}
	return v
}

// colourOf returns the name and the shade of a colour that the journal has.
func colourOf(text string) (name, shade string) {
	colour, err := bingo.ParseColour(text)
	if err != nil {
		return text, "" // A name alone is shown as it is.
	}
	return colour.Name, colour.RGB()
}

func ints(numbers []uint8) []int {
	list := make([]int, len(numbers))
	for i, n := range numbers {
		list[i] = int(n)
	}
	return list
}

// standsAt returns the place of the last record that a view holds.
func standsAt(s *state.View) live.ID {
	next := s.Next()
	return live.ID{Volume: next.Volume, Seq: next.Seq - 1}
}

// HallClaim is a claim of a game as everybody in the room may know it: for what, on which
// call, and what came of it. Whose it is stands in HallCardClaim.
type HallClaim struct {
	Claim        uint16 `json:"claim"`
	Pattern      string `json:"pattern"`
	Called       uint8  `json:"called" doc:"So many numbers were called when it was made."`
	Decided      bool   `json:"decided"`
	Accepted     bool   `json:"accepted"`
	Code         string `json:"code,omitempty"`
	Clause       string `json:"clause,omitempty"`
	Number       uint8  `json:"number,omitempty" doc:"That completed the box."`
	Settled      bool   `json:"settled" doc:"What it won is known."`
	Cents        int64  `json:"cents"`
	JackpotCents int64  `json:"jackpot_cents"`
	Paid         bool   `json:"paid"`
	Withdrawn    bool   `json:"withdrawn,omitempty" doc:"Fraud took from it what it won."`
}

// HallCardClaim is a claim with the card that was held up and the player who holds it,
// for those who check and pay it.
type HallCardClaim struct {
	HallClaim
	Serial string `json:"serial" doc:"Of the card."`
	Book   uint32 `json:"book"`
	Series string `json:"series"`
	Box    uint8  `json:"box"`
	Player uint32 `json:"player,omitempty"`
}

// HallCardClaims are the claims of a game.
type HallCardClaims struct {
	Claims []HallCardClaim `json:"claims"`
}

// HallGame is a game of bingo.
type HallGame struct {
	Game    uint8        `json:"game"`
	Phase   string       `json:"phase"`
	Colour  string       `json:"colour,omitempty"`
	Shade   string       `json:"shade,omitempty"`
	Prizes  []ShownPrize `json:"prizes" doc:"As they were announced."`
	Calls   []int        `json:"calls"`
	Wrong   []int        `json:"wrong" doc:"Numbers that were announced by mistake and do not count."`
	Claims  []HallClaim  `json:"claims"`
	Seal    string       `json:"seal,omitempty" doc:"Fingerprint of the seal of the draw under way, or of the last."`
	Reason  string       `json:"reason,omitempty" doc:"Why the game is void."`
	Invalid string       `json:"invalid,omitempty" doc:"Why the outcome was invalidated after the game: fraud, found late."`
}

func viewGame(session *state.Session, g *state.BingoGame, kit *hall.Kit) *HallGame {
	v := &HallGame{
		Game: g.Number, Phase: g.Phase.String(), Calls: ints(g.Calls), Wrong: ints(g.Mistaken()), Claims: []HallClaim{},
		Prizes: []ShownPrize{}, Reason: g.Void.Reason, Invalid: g.Invalid(),
	}
	v.Colour, v.Shade = colourOf(session.Set.Games[g.Number-1].Colour)
	if seal, err := journal.FingerprintOf(g.Seal); err == nil {
		v.Seal = seal
	}
	for _, p := range g.Announced.Prizes {
		v.Prizes = append(v.Prizes, ShownPrize{p.Pattern, prizeName(kit, g, p.Pattern), p.Cents.Cents(),
			g.IsWon(p.Pattern), pictureOf(kit, g.Announced.Of(p.Pattern))})
	}
	for i := range g.Claims {
		v.Claims = append(v.Claims, viewClaim(&g.Claims[i]))
	}
	return v
}

func viewClaim(c *state.Claim) HallClaim {
	return HallClaim{
		Claim: c.Opened.Claim, Pattern: c.Opened.Pattern, Called: c.Opened.Called,
		Decided: c.Decided, Accepted: c.Accepted(), Code: c.Checked.Code, Clause: c.Checked.Clause,
		Number:  c.Checked.Number,
		Settled: c.Settled, Cents: c.Share.Cents.Cents(), JackpotCents: c.Share.JackpotCents.Cents(), Paid: c.Paid,
		Withdrawn: c.Withdrawn(),
	}
}

func viewCardClaim(c *state.Claim) HallCardClaim {
	o := &c.Opened
	return HallCardClaim{
		HallClaim: viewClaim(c), Book: o.Book, Series: o.Series, Box: o.Box, Player: c.Checked.Player,
		Serial: bingo.Serial{Series: o.Series, Book: int(o.Book), Game: int(o.Card)}.String(),
	}
}

// prizeName returns the name of a prize of a game as it is announced: that of its pattern.
func prizeName(kit *hall.Kit, g *state.BingoGame, prize string) string {
	id := g.Announced.Of(prize)
	if i, ok := kit.Patterns().Index(id); ok {
		return kit.Patterns().At(i).Name
	}
	return id
}

// ShownScorecard is what an electronic card shows.
type ShownScorecard struct {
	Cards    []ShownCard    `json:"cards"`
	Marked   []int          `json:"marked"`
	Patterns []ShownPattern `json:"patterns"`
}

// ShownCard is a card on it: boxes of lines of cells, 0 where no number stands.
type ShownCard struct {
	Serial string    `json:"serial"`
	Boxes  [][][]int `json:"boxes"`
	ToGo   [][]int   `json:"to_go" doc:"How many numbers each box lacks for each of the patterns, in their order."`
}

// ShownPattern is how near the card is to a prize by what is marked on it.
type ShownPattern struct {
	Pattern string `json:"pattern"`
	ToGo    int    `json:"to_go"`
	Waits   []int  `json:"waits" doc:"Numbers any one of which completes a box; empty unless one is lacking."`
	Missed  bool   `json:"missed,omitempty" doc:"A box was complete before the last number: the prize is past."`
}

func viewScorecard(card *hall.Scorecard, near []hall.ShownPattern) *ShownScorecard {
	v := &ShownScorecard{Marked: card.Marked.Numbers(), Cards: []ShownCard{}, Patterns: []ShownPattern{}}
	for _, c := range card.Cards {
		shown := ShownCard{Serial: c.Serial}
		for _, box := range c.Boxes {
			var lacks []int
			for _, p := range near {
				lacks = append(lacks, card.Lacks(box, p.Pattern))
			}
			shown.Boxes, shown.ToGo = append(shown.Boxes, linesOf(box)), append(shown.ToGo, lacks)
		}
		v.Cards = append(v.Cards, shown)
	}
	for _, p := range near {
		v.Patterns = append(v.Patterns, ShownPattern{p.Pattern, p.ToGo, p.Waits.Numbers(), card.Missed(p.Pattern)})
	}
	return v
}

// Checklist is everything for which the notice of a promotion is refused.
type Checklist struct {
	Good   bool    `json:"good"`
	Faults []Fault `json:"faults"`
}

// readings registers what is read of bingo rooms, and the upload of master tables.
func (r roomServer) readings(room, session, game string) {
	r.get(route{
		path: session, name: "get-bingo-display", says: "What the screens show", who: everybody,
		refuses: "hall_unknown", out: HallDisplay{},
	}, func(ctx context.Context, at place, _ *http.Request) (any, error) {
		var view *HallDisplay
		err := r.rooms.ReadHall(ctx, at.hall, func(s *state.View, kit *hall.Kit) error {
			display, err := hall.Show(s, at.of())
			if err == nil {
				room, _ := s.Hall(at.hall)
				view = viewDisplay(&display, kit, r.zoneOf(s, room))
				view.ID = standsAt(s)
			}
			return err
		})
		return view, err
	})
	r.get(route{
		path: game, name: "get-bingo-game", says: "A game with its claims", who: everybody, refuses: "game_unknown",
		out: HallGame{},
	}, func(ctx context.Context, at place, _ *http.Request) (any, error) {
		var view *HallGame
		err := r.inGame(ctx, at, func(played *state.Session, g *state.BingoGame,
			kit *hall.Kit) {
			view = viewGame(played, g, kit)
		})
		return view, err
	})
	r.get(route{
		path: game + "/claims", name: "list-bingo-claims", says: "The claims of a game with their cards and players",
		who: command.Floor, refuses: "game_unknown no_writer venue_other", out: HallCardClaims{},
	}, func(ctx context.Context, at place, req *http.Request) (any, error) {
		view := HallCardClaims{Claims: []HallCardClaim{}}
		if _, err := r.byOf(req, at.hall); err != nil {
			return nil, err
		}
		err := r.inGame(ctx, at, func(_ *state.Session, g *state.BingoGame, _ *hall.Kit) {
			for i := range g.Claims {
				view.Claims = append(view.Claims, viewCardClaim(&g.Claims[i]))
			}
		})
		return view, err
	})
	r.get(route{
		path: game + "/scorecard", name: "get-bingo-scorecard", says: "What an electronic card shows", who: command.Floor,
		refuses: "hall_unknown venue_other", out: ShownScorecard{},
		query: append(marks(), needed("player", huma.TypeInteger, "Who holds the card.")),
	}, func(ctx context.Context, at place, req *http.Request) (any, error) {
		player, marked, err := scorecardQuery(req)
		if err != nil {
			return nil, err
		}
		card, near, err := r.rooms.Scorecard(ctx, at.played(), player, marked, req.URL.Query().Get("auto") == "true")
		if err != nil {
			return nil, err
		}
		return viewScorecard(card, near), nil
	})
	r.serve(route{
		name: "check-promotion", method: http.MethodPost, path: room + "/promotions/checklist",
		says: "Say what the terms of a promotion lack", tag: "bingo", who: command.Floor,
		refuses: "hall_unknown venue_other", in: command.NotifyPromotion{}, out: Checklist{}, tells: "What is lacking.",
	}, r.checklist)
	table := routeOf(command.RowOf[command.AddTable](), nil, HallRecord{})
	table.takes = map[string]*huma.MediaType{
		"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
	}
	r.serve(table, r.addTable)
}

// inGame reads a game that must be there.
func (r roomServer) inGame(ctx context.Context, at place,
	read func(*state.Session, *state.BingoGame, *hall.Kit)) error {
	return r.rooms.ReadHall(ctx, at.hall, func(s *state.View, kit *hall.Kit) error {
		if h, ok := s.Hall(at.hall); ok {
			if played, found := h.Session(at.session); found {
				if g, found := played.Game(at.game); found {
					read(played, g, kit)
					return nil
				}
			}
		}
		return &refusal.Refusal{Code: hall.GameUnknown, Path: "game", Sentence: "There is no such game."}
	})
}

// reading answers a question about a room, a session or a game.
type reading func(ctx context.Context, at place, req *http.Request) (any, error)

// get registers a question about a room. One that is not for everybody is for the venue of the room.
func (r roomServer) get(rt route, read reading) {
	rt.tag, rt.tells = "bingo", rt.says+"."
	r.serve(rt, func(w http.ResponseWriter, req *http.Request) error {
		at, err := placeOf(req)
		if err == nil && !rt.who.Everybody {
			err = r.within(req, at.hall)
		}
		if err != nil {
			return err
		}
		view, err := read(req.Context(), at, req)
		if err != nil {
			return err
		}
		r.writeJSON(w, req, http.StatusOK, view)
		return nil
	})
}

// badQuery refuses a value of a question.
func badQuery(name string) error {
	return &refusal.Refusal{Code: ParameterValue, Path: name,
		Sentence: "The value is not a number, or not numbers with commas between them."}
}

// scorecardQuery reads ?player=1&marked=3,17.
func scorecardQuery(req *http.Request) (player uint32, marked []int, err error) {
	n, err := strconv.ParseUint(req.URL.Query().Get("player"), 10, 32)
	if err != nil {
		return 0, nil, badQuery("player")
	}
	marked, err = markedQuery(req)
	return uint32(n), marked, err
}

// markedQuery reads ?marked=3,17.
func markedQuery(req *http.Request) (marked []int, err error) {
	for word := range strings.SplitSeq(req.URL.Query().Get("marked"), ",") {
		if word == "" {
			continue
		}
		number, err := strconv.Atoi(word)
		if err != nil {
			return nil, badQuery("marked")
		}
		marked = append(marked, number)
	}
	return marked, nil
}

func (r roomServer) checklist(w http.ResponseWriter, req *http.Request) error {
	at, err := placeOf(req)
	if err == nil {
		err = r.within(req, at.hall)
	}
	if err != nil {
		return err
	}
	var body command.NotifyPromotion
	if err := readStrict(w, req, &body); err != nil {
		return err
	}
	notice := body.Notice()
	notice.Offer.Hall = at.hall
	var faults []*refusal.Refusal
	err = r.rooms.ReadHall(req.Context(), at.hall, func(s *state.View, _ *hall.Kit) (err error) {
		faults, err = hall.Checklist(s, &notice)
		return err
	})
	if err != nil {
		return err
	}
	view := Checklist{Good: len(faults) == 0, Faults: []Fault{}}
	for _, f := range faults {
		view.Faults = append(view.Faults, Fault{Code: f.Code, Sentence: f.Sentence, Field: f.Path, Clause: f.Clause})
	}
	r.writeJSON(w, req, http.StatusOK, view)
	return nil
}

// maxTable bounds the file of a master table: some millions of boxes.
const maxTable = 64 << 20

func (r roomServer) addTable(w http.ResponseWriter, req *http.Request) error {
	at, err := placeOf(req)
	if err != nil {
		return err
	}
	by, err := r.byOf(req, at.hall)
	if err != nil {
		return err
	}
	file, err := readBytes(w, req, maxTable)
	if err != nil {
		return err
	}
	added, err := r.rooms.AddTable(req.Context(), at.hall, file, by)
	if err != nil {
		return err
	}
	r.writeJSON(w, req, http.StatusOK, viewRecord(added, r.zone))
	return nil
}
