package keno

import (
	"strconv"

	"drawhouse/ball"
)

// normalise gives t the one form in which it is compared and encoded: what a
// default says already is not said again.
func (t *Ticket) normalise() {
	for i := range t.Bets {
		b := &t.Bets[i]
		b.With.Multiplier = b.With.Multiplier.normal(b, t.Games)
		b.With.LuckyLast = b.With.LuckyLast.normal(b, t.Games)
	}
}

// normal returns s without what its bet and ticket say already.
func (s Side) normal(b *Bet, games int) Side {
	if !s.On {
		return Side{}
	}
	if s.Stake == b.Stake {
		s.Stake = 0
	}
	if s.Games == games {
		s.Games = 0
	}
	return s
}

// AppendJSON appends the canonical JSON of t to buf: fields in a fixed order,
// spots and rows ascending, groups, calls and bets in their order, defaults
// left out. [ParseTicket] reads it back.
func (t *Ticket) AppendJSON(buf []byte) []byte {
	w := writer(buf)
	w.head(t.Rulebook)
	w.name("first")
	w.game(t.First)
	if t.Games != 1 {
		w.number("games", int64(t.Games))
	}
	w.name("bets")
	w = append(w, '[')
	for i := range t.Bets {
		b := BetRequest{Bet: t.Bets[i]}
		b.With.Multiplier = b.With.Multiplier.normal(&t.Bets[i], t.Games)
		b.With.LuckyLast = b.With.LuckyLast.normal(&t.Bets[i], t.Games)
		w.bet(&b, i)
	}
	return append(w, "]}"...)
}

// AppendJSON appends the canonical JSON of r to buf. [ParseRequest] reads it back.
func (r *Request) AppendJSON(buf []byte) []byte {
	w := writer(buf)
	w.head(r.Rulebook)
	switch r.First.Kind {
	case FirstDelayed:
		w.text("first", "delayed")
	case FirstNamed:
		w.name("first")
		w.game(r.First.Game)
	}
	if r.Games != 0 {
		w.number("games", int64(r.Games))
	}
	if r.Replay != "" {
		w.text("replay", r.Replay)
	}
	if len(r.Bets) > 0 {
		w.name("bets")
		w = append(w, '[')
		for i := range r.Bets {
			w.bet(&r.Bets[i], i)
		}
		w = append(w, ']')
	}
	return append(w, '}')
}

// writer appends JSON. The ids that it writes are of plain characters, so that
// none needs an escape; an id from elsewhere is refused by whoever reads it.
type writer []byte

// name begins a field. The first field of an object follows its brace.
func (w *writer) name(name string) {
	if (*w)[len(*w)-1] != '{' {
		*w = append(*w, ',')
	}
	*w = append(*w, '"')
	*w = append(*w, name...)
	*w = append(*w, '"', ':')
}

func (w *writer) head(rulebook string) {
	*w = append(*w, '{')
	w.number("v", Version)
	w.text("rulebook", rulebook)
}

func (w *writer) text(name, value string) {
	w.name(name)
	*w = strconv.AppendQuote(*w, value)
}

func (w *writer) number(name string, value int64) {
	w.name(name)
	*w = strconv.AppendInt(*w, value, 10)
}

func (w *writer) game(g GameRef) {
	*w = append(*w, '{')
	w.text("day", g.Day.String())
	w.number("game", int64(g.Game))
	*w = append(*w, '}')
}

func (w *writer) bet(b *BetRequest, i int) {
	if i > 0 {
		*w = append(*w, ',')
	}
	*w = append(*w, '{')
	if b.Replay != 0 {
		w.number("replay", int64(b.Replay))
	}
	if b.Bet.Bet != "" {
		w.text("bet", b.Bet.Bet)
	}
	w.numbers(b)
	w.calls(b)
	w.race(b)
	if b.Stake != 0 {
		w.number("stake_cents", b.Stake.Cents())
	}
	w.features(b)
	if b.Picked != PickedNot {
		w.text("picked", b.Picked.String())
	}
	if b.Item.IsValid() {
		w.text("item", b.Item.String())
	}
	if b.Random {
		w.name("random")
		*w = append(*w, "true"...)
	}
	*w = append(*w, '}')
}

func (w *writer) numbers(b *BetRequest) {
	if b.Spots.IsValid() {
		w.name("spots")
		w.set(b.Spots)
	}
	if b.Pick.Of == ShapeSpots {
		w.pick("spots", b.Pick)
	}
	if b.Groups != nil {
		w.name("groups")
		w.sets(b.Groups)
	}
	switch b.Play.Kind {
	case PlayAll:
		w.text("play", "all")
	case PlaySpots:
		w.play("spots", b.Play)
	case PlayGroups:
		w.play("groups", b.Play)
	case PlayMarks:
		w.play("ways", b.Play)
	}
}

func (w *writer) play(how string, p Play) {
	w.name("play")
	*w = append(*w, '{')
	w.name(how)
	if p.Kind != PlayMarks {
		w.set(p.Types)
	} else {
		sets := make([]ball.Set, len(p.Marks))
		for i, m := range p.Marks {
			sets[i] = m.groups()
		}
		w.sets(sets)
	}
	*w = append(*w, '}')
}

func (w *writer) calls(b *BetRequest) {
	if b.Calls != nil {
		w.name("calls")
		*w = append(*w, '[')
		for i, c := range b.Calls {
			if i > 0 {
				*w = append(*w, ',')
			}
			*w = strconv.AppendQuote(*w, c.String())
		}
		*w = append(*w, ']')
	}
	if b.Pick.Of == ShapeCalls {
		w.pick("calls", b.Pick)
	}
	if b.Run || b.Replay != 0 && b.says&saidRun != 0 {
		w.name("run")
		*w = strconv.AppendBool(*w, b.Run)
	}
}

func (w *writer) race(b *BetRequest) {
	if b.Type != "" {
		w.text("type", b.Type)
	}
	if b.Places != nil {
		w.name("places")
		w.sets(b.Places)
	}
	if b.Pick.Of == ShapeRace {
		w.pick("places", b.Pick)
	}
}

func (w *writer) pick(field string, p Pick) {
	w.name(field)
	*w = append(*w, '{')
	if p.How == PickedMystery {
		w.text("pick", "mystery")
	} else {
		w.number("pick", int64(p.Count))
	}
	*w = append(*w, '}')
}

func (w *writer) features(b *BetRequest) {
	if !b.With.Any() && (b.Replay == 0 || b.says&saidWith == 0) {
		return
	}
	w.name("with")
	*w = append(*w, '{')
	w.side("multiplier", b.With.Multiplier)
	w.side("lucky_last", b.With.LuckyLast)
	*w = append(*w, '}')
}

func (w *writer) side(name string, s Side) {
	if !s.On {
		return
	}
	w.name(name)
	*w = append(*w, '{')
	if s.Stake != 0 {
		w.number("stake_cents", s.Stake.Cents())
	}
	if s.Games != 0 {
		w.number("games", int64(s.Games))
	}
	*w = append(*w, '}')
}

func (w *writer) sets(sets []ball.Set) {
	*w = append(*w, '[')
	for i, s := range sets {
		if i > 0 {
			*w = append(*w, ',')
		}
		w.set(s)
	}
	*w = append(*w, ']')
}

func (w *writer) set(s ball.Set) {
	*w = append(*w, '[')
	first := true
	for n := range s.All() {
		if !first {
			*w = append(*w, ',')
		}
		*w = strconv.AppendInt(*w, int64(n), 10)
		first = false
	}
	*w = append(*w, ']')
}
