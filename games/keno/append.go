package keno

import (
	"strconv"

	"drawhouse/core/ball"
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
// none needs an escape; an id from elsewhere is refused by its reader.
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
	for i := range betTable {
		betTable[i].write(w, b)
	}
	*w = append(*w, '}')
}

// play writes which ways of its groups a bet plays.
func (w *writer) play(p Play) {
	switch p.Kind {
	case PlayNone:
		return
	case PlayAll:
		w.text("play", "all")
		return
	}
	w.name("play")
	*w = append(*w, '{')
	w.name(playKinds[p.Kind-PlayAll].name)
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

func (w *writer) calls(calls []Call) {
	*w = append(*w, '[')
	for i, c := range calls {
		if i > 0 {
			*w = append(*w, ',')
		}
		*w = strconv.AppendQuote(*w, c.String())
	}
	*w = append(*w, ']')
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
