package keno

import (
	"errors"
	"strconv"

	"drawhouse/core/ball"
	"drawhouse/core/item"
	"drawhouse/core/money"
)

// Each field of a bet has one row in betTable. From it follow how JSON is parsed and written and
// how CBOR is read and appended.

// betField is a field of a bet.
type betField struct {
	name  string // in JSON
	of    owner
	parse func(*parser, *BetRequest) *Refusal
	write func(*writer, *BetRequest) // the whole field, or nothing where there is none
	keys  []keyed
}

// keyed reads the value of a key in CBOR, and appends key and value, or nothing where there is
// none, for a ticket of so many games.
type keyed struct {
	key    uint64
	read   func(*item.Reader, *Bet) error
	append func(buf []byte, b *Bet, games int) []byte
}

// owner says which forms have a field.
type owner uint8

const (
	ofBoth owner = iota
	ofTickets
	ofRequests
)

// codec parses and writes values of one type.
type codec[V any] struct {
	has    func(V) bool // whether there is a value to write
	inCBOR bool         // CBOR has the value also where there is none
	parse  func(*parser) (V, *Refusal)
	write  func(*writer, V)
	read   func(*item.Reader) (V, error)
	append func([]byte, V) []byte
}

// betTable are the fields, in the order of the canonical JSON.
var betTable = []betField{
	{name: "replay", of: ofRequests, parse: func(p *parser, b *BetRequest) *Refusal {
		n, r := p.number(1, MaxBets)
		b.Replay = int(n)
		return r
	}, write: func(w *writer, b *BetRequest) {
		if b.Replay != 0 {
			w.number("replay", int64(b.Replay))
		}
	}},
	field("bet", keyBet, func(b *Bet) *string { return &b.Bet }, ids.always()),
	picks(field("spots", keySpots, func(b *Bet) *ball.Set { return &b.Spots }, spots), ShapeSpots, int64(ball.Keno)),
	field("groups", keyGroups, func(b *Bet) *[]ball.Set { return &b.Groups }, setsOf(MaxGroups)),
	{name: "play", parse: func(p *parser, b *BetRequest) (r *Refusal) {
		b.Play, r = p.play()
		return r
	}, write: func(w *writer, b *BetRequest) { w.play(b.Play) }, keys: playKeys()},
	picks(field("calls", keyCalls, func(b *Bet) *[]Call { return &b.Calls }, calls), ShapeCalls, MaxCalls),
	saysAlso(field("run", keyRun, func(b *Bet) *bool { return &b.Run }, flags), saidRun),
	field("type", keyType, func(b *Bet) *string { return &b.Type }, ids),
	picks(field("places", keyPlaces, func(b *Bet) *[]ball.Set { return &b.Places }, setsOf(MaxPlaces)), ShapeRace,
		int64(ball.Keno)),
	field("stake_cents", keyStake, func(b *Bet) *money.Amount { return &b.Stake }, stakes.always()),
	saysAlso(withField(), saidWith),
	only(ofTickets, field("picked", keyPicked, func(b *Bet) *Picked { return &b.Picked }, pickings)),
	field("item", keyItem, func(b *Bet) *ItemRef { return &b.Item }, items),
	{name: "random", of: ofRequests, parse: func(p *parser, b *BetRequest) (r *Refusal) {
		b.Random, r = p.bool()
		return r
	}, write: func(w *writer, b *BetRequest) {
		if b.Random {
			w.name("random")
			*w = append(*w, "true"...)
		}
	}},
}

// betFields are the names of the fields, and betKeys the keys in their order.
var betFields, betKeys = func() (names []string, keys [keyItem + 1]keyed) {
	for _, f := range betTable {
		names = append(names, f.name)
		for _, k := range f.keys {
			keys[k.key] = k
		}
	}
	return names, keys
}()

// field is the row of a field that has one key and one value.
func field[V any](name string, key uint64, of func(*Bet) *V, c codec[V]) betField {
	return betField{
		name: name,
		parse: func(p *parser, b *BetRequest) (r *Refusal) {
			*of(&b.Bet), r = c.parse(p)
			return r
		},
		write: func(w *writer, b *BetRequest) {
			if v := *of(&b.Bet); c.has(v) {
				w.name(name)
				c.write(w, v)
			}
		},
		keys: []keyed{{key, func(r *item.Reader, b *Bet) (err error) {
			*of(b), err = c.read(r)
			return err
		}, func(buf []byte, b *Bet, _ int) []byte {
			if v := *of(b); c.inCBOR || c.has(v) {
				return c.append(appendKey(buf, key), v)
			}
			return buf
		}}},
	}
}

// picks lets a request have the value picked, at most so many.
func picks(f betField, shape Shape, most int64) betField {
	parse, write := f.parse, f.write
	f.parse = func(p *parser, b *BetRequest) (r *Refusal) {
		if p.peek() != '{' {
			return parse(p, b)
		}
		b.Pick, r = p.pick(b.Pick, shape, most)
		return r
	}
	f.write = func(w *writer, b *BetRequest) {
		write(w, b)
		if b.Pick.Of == shape {
			w.pick(f.name, b.Pick)
		}
	}
	return f
}

// saysAlso lets a change of an old bet say the field although it says nothing.
func saysAlso(f betField, says said) betField {
	parse, write := f.parse, f.write
	f.parse = func(p *parser, b *BetRequest) *Refusal {
		b.says |= says
		return parse(p, b)
	}
	f.write = func(w *writer, b *BetRequest) {
		before := len(*w)
		if write(w, b); len(*w) == before && b.Replay != 0 && b.says&says != 0 {
			w.name(f.name)
			*w = append(*w, map[said]string{saidRun: "false", saidWith: "{}"}[says]...)
		}
	}
	return f
}

// always has CBOR say a value also where there is none.
func (c codec[V]) always() codec[V] {
	c.inCBOR = true
	return c
}

// only says which forms have a field.
func only(of owner, f betField) betField {
	f.of = of
	return f
}

// The codecs of the values.
var (
	ids = codec[string]{
		has:    func(id string) bool { return id != "" },
		parse:  func(p *parser) (string, *Refusal) { return p.id() },
		write:  func(w *writer, id string) { *w = strconv.AppendQuote(*w, id) },
		read:   func(r *item.Reader) (string, error) { return r.Text(), nil },
		append: item.AppendText,
	}
	flags = codec[bool]{
		has:    func(on bool) bool { return on },
		parse:  func(p *parser) (bool, *Refusal) { return p.bool() },
		write:  func(w *writer, on bool) { *w = strconv.AppendBool(*w, on) },
		read:   func(r *item.Reader) (bool, error) { return r.Bool(), nil },
		append: item.AppendBool,
	}
	stakes = codec[money.Amount]{
		has:    func(a money.Amount) bool { return a != 0 },
		parse:  (*parser).stake,
		write:  func(w *writer, a money.Amount) { *w = strconv.AppendInt(*w, a.Cents(), 10) },
		read:   func(r *item.Reader) (money.Amount, error) { return money.Amount(r.Int()), nil },
		append: func(buf []byte, a money.Amount) []byte { return item.AppendInt(buf, a.Cents()) },
	}
	spots = codec[ball.Set]{
		has:    func(s ball.Set) bool { return s.IsValid() && s.Len() > 0 },
		parse:  func(p *parser) (ball.Set, *Refusal) { return p.set(int64(ball.Keno)) },
		write:  (*writer).set,
		read:   readSet,
		append: appendSet,
	}
	calls = codec[[]Call]{
		has:    func(c []Call) bool { return len(c) > 0 },
		parse:  (*parser).calls,
		write:  (*writer).calls,
		read:   readCalls,
		append: appendCalls,
	}
	pickings = codec[Picked]{
		has:    func(p Picked) bool { return p != PickedNot },
		parse:  (*parser).picked,
		write:  func(w *writer, p Picked) { *w = strconv.AppendQuote(*w, p.String()) },
		read:   func(r *item.Reader) (Picked, error) { return Picked(r.Uint(uint64(PickedMystery))), nil },
		append: func(buf []byte, p Picked) []byte { return item.AppendHead(buf, item.Uint, uint64(p)) },
	}
	items = codec[ItemRef]{
		has:   ItemRef.IsValid,
		parse: (*parser).item,
		write: func(w *writer, ref ItemRef) { *w = strconv.AppendQuote(*w, ref.String()) },
		read: func(r *item.Reader) (ItemRef, error) {
			r.Array(itemItems)
			return ItemRef{r.Text(), int(r.Uint(maxEdition))}, nil
		},
		append: func(buf []byte, ref ItemRef) []byte {
			buf = item.AppendText(item.AppendHead(buf, item.Array, itemItems), ref.ID)
			return item.AppendInt(buf, int64(ref.Edition))
		},
	}
)

func setsOf(most int) codec[[]ball.Set] {
	return codec[[]ball.Set]{
		has:    func(sets []ball.Set) bool { return len(sets) > 0 },
		parse:  func(p *parser) ([]ball.Set, *Refusal) { return p.sets(most) },
		write:  (*writer).sets,
		read:   func(r *item.Reader) ([]ball.Set, error) { return readSets(r, uint64(most)) },
		append: appendSets,
	}
}

// playKind is one way of naming the ways of a bet by groups.
type playKind struct {
	kind PlayKind
	name string // in JSON; PlayAll has none
	key  uint64
	most int64 // of the numbers named; 0 where ways are named one by one
}

var playKinds = []playKind{
	{PlayAll, "", keyPlayAll, 0},
	{PlaySpots, "spots", keyPlaySpots, int64(ball.Keno)},
	{PlayGroups, "groups", keyPlayGroups, MaxGroups},
	{PlayMarks, "ways", keyPlayMarks, 0},
}

// playFields are the names of the ways, in JSON.
var playFields = []string{playKinds[1].name, playKinds[2].name, playKinds[3].name}

// playKeys are the keys of a play.
func playKeys() (keys []keyed) {
	for _, k := range playKinds {
		keys = append(keys, keyed{k.key, func(r *item.Reader, b *Bet) (err error) {
			if b.Play.Kind != PlayNone {
				return errors.New("play: ways named twice")
			}
			b.Play, err = k.read(r)
			return err
		}, func(buf []byte, b *Bet, _ int) []byte { return k.append(buf, &b.Play) }})
	}
	return keys
}

func (k *playKind) read(r *item.Reader) (p Play, err error) {
	p.Kind = k.kind
	switch k.kind {
	case PlayAll:
		r.Bool() // False is found when the bytes are compared.
	case PlayMarks:
		p.Marks, err = readMarks(r)
	default:
		if p.Types, err = readSet(r); err == nil && int64(p.Types.Max()) > k.most {
			err = errors.New("too many groups")
		}
	}
	return p, err
}

// append appends key and value of a play, if it is of the kind.
func (k *playKind) append(buf []byte, p *Play) []byte {
	switch {
	case p.Kind != k.kind:
	case k.kind == PlayAll:
		return item.AppendBool(appendKey(buf, k.key), true)
	case k.kind == PlayMarks && len(p.Marks) > 0:
		return appendMarks(appendKey(buf, k.key), p.Marks)
	case k.kind != PlayMarks && spots.has(p.Types):
		return appendSet(appendKey(buf, k.key), p.Types)
	}
	return buf
}

func (k *playKind) parse(p *parser) (play Play, r *Refusal) {
	play.Kind = k.kind
	if k.kind == PlayMarks {
		play.Marks, r = p.marks()
	} else {
		play.Types, r = p.set(k.most)
	}
	return play, r
}

// sideKinds are the features of a bet.
var sideKinds = []struct {
	name string
	key  uint64
	of   func(*Features) *Side
}{
	{"multiplier", keyMultiplier, func(f *Features) *Side { return &f.Multiplier }},
	{"lucky_last", keyLuckyLast, func(f *Features) *Side { return &f.LuckyLast }},
}

// withField is the row of the features.
func withField() betField {
	f := betField{name: "with"}
	names := make([]string, len(sideKinds))
	for i, kind := range sideKinds {
		names[i] = kind.name
		f.keys = append(f.keys, keyed{kind.key, func(r *item.Reader, b *Bet) error {
			*kind.of(&b.With) = readSide(r)
			return nil
		}, func(buf []byte, b *Bet, games int) []byte {
			if s := kind.of(&b.With); s.On {
				return appendSide(appendKey(buf, kind.key), s.normal(b, games))
			}
			return buf
		}})
	}
	f.parse = func(p *parser, b *BetRequest) *Refusal {
		return p.object(names, func(i int) (r *Refusal) {
			*sideKinds[i].of(&b.With), r = p.side()
			return r
		})
	}
	f.write = func(w *writer, b *BetRequest) {
		if !b.With.Any() {
			return
		}
		w.name("with")
		*w = append(*w, '{')
		for _, kind := range sideKinds {
			w.side(kind.name, *kind.of(&b.With))
		}
		*w = append(*w, '}')
	}
	return f
}

// parseBet reads the field of a bet.
func (p *parser) parseBet(b *BetRequest, i int) *Refusal {
	f := &betTable[i]
	switch {
	case f.of == ofTickets && !p.resolved:
		return refuse(FieldUnknown, "", "", "Only a ticket has this field.")
	case f.of == ofRequests && p.resolved:
		return refuse(FieldUnknown, "", "", "Only a request has this field.")
	}
	return f.parse(p, b)
}
