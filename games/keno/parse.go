package keno

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
)

// ParseRequest reads a request from strict JSON. An error is a *[Refusal] with
// the path of the field.
func ParseRequest(data []byte) (Request, error) {
	p := parser{cursor: cursor{data: data}}
	var req Request
	if r := p.request(&req); r != nil {
		return Request{}, r
	}
	return req, nil
}

// ParseTicket reads a ticket from strict JSON. An error is a *[Refusal] with the
// path of the field.
func ParseTicket(data []byte) (Ticket, error) {
	p := parser{cursor: cursor{data: data}, resolved: true}
	var req Request
	if r := p.request(&req); r != nil {
		return Ticket{}, r
	}
	t := Ticket{Rulebook: req.Rulebook, First: req.First.Game, Games: max(req.Games, 1),
		Bets: make([]Bet, len(req.Bets))}
	for i := range req.Bets {
		t.Bets[i] = req.Bets[i].Bet
	}
	t.normalise()
	return t, nil
}

// parser reads the one grammar of requests and tickets. A ticket is a request
// that has everything resolved and leaves nothing to be picked or looked up.
type parser struct {
	cursor
	resolved bool
	room     [1]BetRequest // for the bets, of which most forms have one
}

// The names of the fields, in canonical order. Those of a bet follow from betTable.
var (
	formFields = []string{"v", "rulebook", "first", "games", "replay", "bets"}
	gameFields = []string{"day", "game"}
	pickFields = []string{"pick"}
	sideFields = []string{"stake_cents", "games"}
)

func (p *parser) request(req *Request) *Refusal {
	if len(p.data) > MaxBytes {
		return refuse(FormTooLong, "", "", "The form has %d bytes; at most %d are read.", len(p.data), MaxBytes)
	}
	version := int64(0)
	r := p.object(formFields, func(i int) (r *Refusal) {
		var n int64
		switch formFields[i] {
		case "v":
			version, r = p.number(1, 1_000_000)
			if r == nil && version != Version {
				r = refuse(VersionUnknown, "", "", "This is form %d; only form %d is read.", version, Version)
			}
		case "rulebook":
			req.Rulebook, r = p.id()
		case "first":
			req.First, r = p.first()
		case "games":
			n, r = p.number(1, MaxGames)
			req.Games = int(n)
		case "replay":
			if p.resolved {
				return refuse(FieldUnknown, "", "", "Only a request replays a ticket.")
			}
			req.Replay, r = p.id()
		case "bets":
			req.Bets, r = p.bets()
		}
		return r
	})
	if r != nil {
		return r
	}
	if r := p.end(); r != nil {
		return r
	}
	return p.complete(req, version)
}

// complete refuses a form that leaves something out.
func (p *parser) complete(req *Request, version int64) *Refusal {
	switch {
	case version == 0:
		return refuse(FieldMissing, "", "v", "The form must say its version, %d.", Version)
	case req.Rulebook == "":
		return refuse(FieldMissing, "", "rulebook", "The form must name its rulebook.")
	case p.resolved && req.First.Kind != FirstNamed:
		return refuse(FieldMissing, "", "first", "A ticket must name its first game.")
	case len(req.Bets) == 0 && req.Replay == "":
		return refuse(FieldMissing, "", "bets", "The form has no bet.")
	}
	for i := range req.Bets {
		if req.Bets[i].Replay != 0 && req.Replay == "" {
			return refuse(FieldConflict, "", "bets"+index(i)+".replay", "Only a replay has bets of an old ticket.")
		}
	}
	return nil
}

// first reads "open", "delayed" or a game.
func (p *parser) first() (First, *Refusal) {
	if p.peek() == '{' {
		game, r := p.game()
		return First{FirstNamed, game}, r
	}
	text, r := p.text()
	if r != nil {
		return First{}, r
	}
	switch {
	case p.resolved:
	case string(text) == "open":
		return First{Kind: FirstOpen}, nil
	case string(text) == "delayed":
		return First{Kind: FirstDelayed}, nil
	}
	if p.resolved {
		return First{}, refuse(FieldValue, "", "", "A ticket must name its first game by day and number.")
	}
	return First{}, refuse(FieldValue, "", "", `The first game must be "open", "delayed" or a day and a number.`)
}

func (p *parser) game() (GameRef, *Refusal) {
	game := GameRef{Game: -1}
	r := p.object(gameFields, func(i int) *Refusal {
		if gameFields[i] == "game" {
			n, r := p.number(0, MaxGame)
			game.Game = int(n)
			return r
		}
		text, r := p.text()
		if r != nil {
			return r
		}
		d, err := day.Parse(string(text))
		if err != nil {
			return refuse(FieldValue, "", "", "The day must be written as 2026-11-15.")
		}
		game.Day = d
		return nil
	})
	switch {
	case r != nil:
		return GameRef{}, r
	case !game.Day.IsValid():
		return GameRef{}, refuse(FieldMissing, "", "day", "A game is named by its day and number.")
	case game.Game < 0:
		return GameRef{}, refuse(FieldMissing, "", "game", "A game is named by its day and number.")
	}
	return game, nil
}

func (p *parser) bets() ([]BetRequest, *Refusal) {
	bets := p.room[:0]
	r := p.array(MaxBets, func(int) *Refusal {
		bets = append(bets, BetRequest{})
		return p.bet(&bets[len(bets)-1])
	})
	return bets, r
}

func (p *parser) bet(b *BetRequest) *Refusal {
	if r := p.object(betFields, func(i int) *Refusal { return p.parseBet(b, i) }); r != nil {
		return r
	}
	if r := checkBet(b, p.resolved); r != nil {
		return r
	}
	if b.Replay == 0 {
		// Only a change of an old bet differs when it says no instead of nothing.
		b.says = 0
	}
	return nil
}

// set reads distinct numbers in any order, at least one.
//
//rule:vic-keno-2015 2(a).spot
//rule:tas-keno-2023 1.69
func (p *parser) set(most int64) (ball.Set, *Refusal) {
	s := ball.Empty(ball.Keno)
	r := p.array(int(most), func(int) *Refusal {
		n, r := p.number(1, most)
		switch {
		case r != nil:
			return r
		case s.Has(int(n)):
			return refuse(FieldValue, "", "", "The number %d stands here twice.", n)
		}
		s = s.With(int(n))
		return nil
	})
	switch {
	case r != nil:
		return ball.Set{}, r
	case s.Len() == 0:
		return ball.Set{}, refuse(FieldValue, "", "", "The list is empty.")
	}
	return s, nil
}

// sets reads a list of lists of numbers.
func (p *parser) sets(most int) ([]ball.Set, *Refusal) {
	var sets []ball.Set
	r := p.array(most, func(int) *Refusal {
		s, r := p.set(int64(ball.Keno))
		sets = append(sets, s)
		return r
	})
	if r == nil && len(sets) == 0 {
		r = refuse(FieldValue, "", "", "The list is empty.")
	}
	return sets, r
}

// pick reads {"pick":8} or {"pick":"mystery"}.
func (p *parser) pick(before Pick, of Shape, most int64) (Pick, *Refusal) {
	if p.resolved {
		return Pick{}, refuse(FieldValue, "", "", "A ticket states its numbers.")
	}
	if before.Of != ShapeNone {
		return Pick{}, refuse(FieldConflict, "", "", "A bet has one pick only.")
	}
	pick := Pick{Of: of}
	r := p.object(pickFields, func(int) *Refusal {
		if p.peek() != '"' {
			n, r := p.number(1, most)
			pick.How, pick.Count = PickedQuick, int(n)
			return r
		}
		text, r := p.text()
		switch {
		case r != nil:
			return r
		case string(text) != "mystery" || of == ShapeCalls:
			return refuse(FieldValue, "", "", "There is no such pick here.")
		}
		pick.How = PickedMystery
		return nil
	})
	if r == nil && pick.How == PickedNot {
		r = refuse(FieldMissing, "", "pick", "The pick says neither how many nor that it is a mystery.")
	}
	return pick, r
}

func (p *parser) play() (Play, *Refusal) {
	if p.peek() != '{' {
		text, r := p.text()
		if r == nil && string(text) != "all" {
			r = refuse(FieldValue, "", "", `The play must be "all" or name its ways.`)
		}
		return Play{Kind: PlayAll}, r
	}
	var play Play
	r := p.object(playFields, func(i int) (r *Refusal) {
		if play.Kind != PlayNone {
			return refuse(FieldConflict, "", "", "The play names its ways in one way only.")
		}
		play, r = playKinds[i+1].parse(p)
		return r
	})
	if r == nil && play.Kind == PlayNone {
		r = refuse(FieldMissing, "", "", "The play names no ways.")
	}
	return play, r
}

// marks reads distinct ways, each a list of groups counted from 1.
func (p *parser) marks() ([]Mark, *Refusal) {
	var marks []Mark
	r := p.array(MaxMarks, func(int) *Refusal {
		groups, r := p.set(MaxGroups)
		if r != nil {
			return r
		}
		lo, _ := groups.Bits()
		marks = append(marks, Mark(lo>>1))
		return nil
	})
	if r != nil {
		return nil, r
	}
	if len(marks) == 0 {
		return nil, refuse(FieldValue, "", "", "The list is empty.")
	}
	if i := firstRepeat(marks); i >= 0 {
		return nil, refuse(FieldValue, "", index(i), "The way is marked twice.")
	}
	slices.SortFunc(marks, Mark.Compare)
	return marks, nil
}

// firstRepeat returns the place of the first mark that stands before, or -1.
func firstRepeat(marks []Mark) int {
	seen := make(map[Mark]bool, len(marks))
	for i, m := range marks {
		if seen[m] {
			return i
		}
		seen[m] = true
	}
	return -1
}

// calls reads calls.
func (p *parser) calls() (calls []Call, r *Refusal) {
	r = p.array(MaxCalls, func(int) *Refusal {
		text, r := p.text()
		if r != nil {
			return r
		}
		for c := Heads; c <= Evens; c++ {
			if string(text) == callNames[c] {
				calls = append(calls, c)
				return nil
			}
		}
		return refuse(FieldValue, "", "", "The call must be heads, tails or evens.")
	})
	if r == nil && len(calls) == 0 {
		r = refuse(FieldValue, "", "", "The list is empty.")
	}
	return calls, r
}

func (p *parser) stake() (money.Amount, *Refusal) {
	n, r := p.number(1, MaxStake.Cents())
	return money.Amount(n), r
}

func (p *parser) side() (Side, *Refusal) {
	s := Side{On: true}
	r := p.object(sideFields, func(i int) (r *Refusal) {
		switch sideFields[i] {
		case "stake_cents":
			s.Stake, r = p.stake()
		case "games":
			var n int64
			n, r = p.number(1, MaxGames)
			s.Games = int(n)
		}
		return r
	})
	return s, r
}

func (p *parser) picked() (Picked, *Refusal) {
	text, r := p.text()
	if r != nil {
		return PickedNot, r
	}
	for how := PickedQuick; how <= PickedMystery; how++ {
		if string(text) == pickedNames[how] {
			return how, nil
		}
	}
	return PickedNot, refuse(FieldValue, "", "", "There is no such pick.")
}

// item reads superplay-7 or superplay-7@3; a ticket names the edition.
func (p *parser) item() (ItemRef, *Refusal) {
	text, r := p.text()
	if r != nil {
		return ItemRef{}, r
	}
	ref, err := parseItem(text)
	switch {
	case err != nil:
		return ItemRef{}, refuse(FieldValue, "", "", "A ready ticket is named as superplay-7 or superplay-7@3.")
	case p.resolved && ref.Edition == 0:
		return ItemRef{}, refuse(FieldValue, "", "",
			"A ticket names the edition of its ready ticket, as superplay-7@3.")
	}
	return ref, nil
}

var errItem = errors.New("keno: not a ready ticket")

func parseItem(text []byte) (ItemRef, error) {
	id, edition, numbered := bytes.Cut(text, []byte("@"))
	ref := ItemRef{ID: string(id)}
	for _, b := range id {
		if !isIDByte(b) {
			return ItemRef{}, errItem
		}
	}
	if numbered {
		n, err := strconv.ParseUint(string(edition), 10, 32)
		if err != nil || n < 1 || n > maxEdition || edition[0] == '0' || edition[0] == '+' {
			return ItemRef{}, errItem
		}
		ref.Edition = int(n)
	}
	if ref.ID == "" {
		return ItemRef{}, errItem
	}
	return ref, nil
}
