package keno

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/item"
	"drawhouse/core/money"
)

// The journal keeps a ticket as the tree of its JSON in deterministic CBOR (RFC
// 8949, section 4.2.1). A ticket is the array
//
//	[1, rulebook, [day, game], games, bets]
//
// where day counts the days from 0001-01-01 as 1. A bet is a map; fields that
// the JSON leaves out are left out:
//
//	1 bet              text
//	2 stake            cents
//	3 spots            bytes, one a number
//	4 groups           array of such bytes
//	5 play "all"       true
//	6 play by spots    bytes, one a total
//	7 play by groups   bytes, one a number of groups
//	8 play by ways     array of bytes, one a group counted from 1
//	9 calls            bytes: 1 heads, 2 tails, 3 evens
//	10 run             true
//	11 type            text
//	12 places          array of bytes, one a row
//	13 multiplier      [stake cents or 0 for the bet's, games or 0 for all]
//	14 lucky last      the same
//	15 picked          1 quick, 2 mystery
//	16 item            [id, edition]
//
// Numbers are never reused and the goldens of this package stay readable. betTable writes
// and reads the fields. TestCBORTwin and FuzzDecodeTicket compare both with a general encoder.

// ErrForm reports bytes that are not the canonical form of a ticket.
var ErrForm = errors.New("keno: bytes are not the canonical form of a ticket")

// The lengths of the arrays.
const (
	ticketItems = 5
	gameItems   = 2
	sideItems   = 2
	itemItems   = 2
)

// The keys of a bet's map.
const (
	keyBet = iota + 1
	keyStake
	keySpots
	keyGroups
	keyPlayAll
	keyPlaySpots
	keyPlayGroups
	keyPlayMarks
	keyCalls
	keyRun
	keyType
	keyPlaces
	keyMultiplier
	keyLuckyLast
	keyPicked
	keyItem
)

// AppendCBOR appends the canonical CBOR of t to buf. [DecodeTicket] reads it back.
func (t *Ticket) AppendCBOR(buf []byte) ([]byte, error) { return t.appendCBOR(buf, nil) }

// appendCBOR appends t, of whose bets only fields of these keys may have a value.
func (t *Ticket) appendCBOR(buf []byte, keys keySets) ([]byte, error) {
	if t.First.Day < 0 || t.First.Game < 0 || t.Games < 0 {
		return buf, errors.New("keno: encode ticket: its first game or its games are below zero")
	}
	buf = item.AppendHead(buf, item.Array, ticketItems)
	buf = item.AppendHead(buf, item.Uint, Version)
	buf = item.AppendText(buf, t.Rulebook)
	buf = item.AppendHead(buf, item.Array, gameItems)
	buf = item.AppendHead(buf, item.Uint, uint64(t.First.Day))
	buf = item.AppendHead(buf, item.Uint, uint64(t.First.Game))
	buf = item.AppendHead(buf, item.Uint, uint64(t.Games))
	buf = item.AppendHead(buf, item.Array, uint64(len(t.Bets)))
	for i := range t.Bets {
		buf = appendBet(buf, &t.Bets[i], t.Games, keys.of(i))
	}
	return buf, nil
}

// appendBet appends the map of a bet. How many fields it has is known at its end: there
// are fewer than 24, so that the head is one byte.
func appendBet(buf []byte, b *Bet, games int, keys keySet) []byte {
	head, fields := len(buf), uint64(0)
	buf = append(buf, 0)
	for ; keys != 0; keys &= keys - 1 {
		before := len(buf)
		if buf = betKeys[bits.TrailingZeros32(uint32(keys))].append(buf, b, games); len(buf) > before {
			fields++
		}
	}
	item.AppendHead(buf[:head], item.Map, fields)
	return buf
}

// appendKey appends the key of a field.
func appendKey(buf []byte, key uint64) []byte { return item.AppendHead(buf, item.Uint, key) }

func appendSets(buf []byte, sets []ball.Set) []byte {
	buf = item.AppendHead(buf, item.Array, uint64(len(sets)))
	for _, s := range sets {
		buf = appendSet(buf, s)
	}
	return buf
}

func appendMarks(buf []byte, marks []Mark) []byte {
	buf = item.AppendHead(buf, item.Array, uint64(len(marks)))
	for _, mark := range marks {
		buf = appendSet(buf, mark.groups())
	}
	return buf
}

func appendCalls(buf []byte, calls []Call) []byte {
	buf = item.AppendHead(buf, item.Bytes, uint64(len(calls)))
	for _, c := range calls {
		buf = append(buf, byte(c))
	}
	return buf
}

func appendSide(buf []byte, s Side) []byte {
	buf = item.AppendHead(buf, item.Array, sideItems)
	return item.AppendInt(item.AppendInt(buf, s.Stake.Cents()), int64(s.Games))
}

// appendSet appends the numbers of a set as bytes.
func appendSet(buf []byte, s ball.Set) []byte {
	buf = item.AppendHead(buf, item.Bytes, uint64(s.Len()))
	for n := range s.All() {
		buf = append(buf, byte(n))
	}
	return buf
}

// DecodeTicket reads the canonical CBOR of a ticket. It encodes again what it
// read and refuses bytes that differ, so that a ticket has one form and one hash.
func DecodeTicket(data []byte) (Ticket, error) {
	r := reading{Reader: item.Reader{Rest: data}}
	t, err := readTicket(&r)
	if err != nil {
		return Ticket{}, err
	}
	// What was not read has no value, so that nothing is to be written of any other key.
	var room [256]byte
	again, err := t.appendCBOR(room[:0], r.keys)
	if err != nil || !bytes.Equal(again, data) {
		return Ticket{}, fmt.Errorf("%w: encoded again they differ", ErrForm)
	}
	return t, nil
}

// reading is a ticket that is being read.
type reading struct {
	item.Reader
	room [1]Bet // for the bets, of which most tickets have one
	keys keySets
	one  [1]keySet // for the keys
}

// keySet are keys of a bet, each a bit.
type keySet uint32

const allKeys keySet = 1<<(keyItem+1) - 1<<keyBet

// keptKeys are those that are written also where a bet has no value.
var keptKeys = func() (keys keySet) {
	for _, k := range betKeys[keyBet:] {
		if len(k.append(nil, new(Bet), 1)) > 0 {
			keys |= 1 << k.key
		}
	}
	return keys
}()

// keySets are the keys of each bet; nil are all keys.
type keySets []keySet

func (s keySets) of(bet int) keySet {
	if s == nil {
		return allKeys
	}
	return s[bet] | keptKeys
}

// readTicket reads a ticket.
func readTicket(r *reading) (Ticket, error) {
	r.Array(ticketItems)
	if version := r.Uint(maxVersion); !r.Bad && version != Version {
		return Ticket{}, fmt.Errorf("keno: form %d of a ticket; this build reads form %d", version, Version)
	}
	t := Ticket{Rulebook: r.Text()}
	r.Array(gameItems)
	t.First = GameRef{day.Day(r.Uint(maxDay)), int(r.Uint(maxGame))}
	t.Games = int(r.Uint(MaxGames))
	bets := r.Head(item.Array, MaxBets)
	if r.Bad || !isID(t.Rulebook) || !t.First.IsValid() || t.Games < 1 || bets < 1 {
		return Ticket{}, fmt.Errorf("%w: rulebook, first game, games or bets", ErrForm)
	}
	if t.Bets, r.keys = r.room[:], r.one[:]; bets > 1 {
		t.Bets, r.keys = make([]Bet, bets), make(keySets, bets)
	}
	for i := range t.Bets {
		var err error
		if r.keys[i], err = readBet(&r.Reader, &t.Bets[i], t.Games); err != nil {
			return Ticket{}, fmt.Errorf("%w: bets[%d]: %w", ErrForm, i, err)
		}
	}
	if len(r.Rest) > 0 {
		return Ticket{}, fmt.Errorf("%w: something follows it", ErrForm)
	}
	r.Rest = nil // The ticket may be kept for long, and the bytes need not be.
	return t, nil
}

// The greatest numbers that are read. What is too great for its meaning is found
// afterwards.
const (
	maxVersion = 1 << 30
	maxDay     = 1<<31 - 1
	maxGame    = 1<<31 - 1
)

// readBet reads a bet, held to what the JSON form is held to, and returns the keys that it read.
func readBet(r *item.Reader, to *Bet, games int) (keys keySet, err error) {
	for fields, last := r.Head(item.Map, keyItem), uint64(0); fields > 0 && !r.Bad; fields-- {
		key := r.Uint(keyItem)
		if key <= last {
			return 0, errors.New("fields that are no fields, or are out of order")
		}
		last, keys = key, keys|1<<key
		if err := betKeys[key].read(r, to); err != nil {
			return 0, err
		}
	}
	b := BetRequest{Bet: *to}
	if r.Bad || b.Bet.Bet != "" && !isID(b.Bet.Bet) || b.Type != "" && !isID(b.Type) || !isStake(b.Stake.Cents()) ||
		b.Picked > PickedMystery {
		return 0, errors.New("bet, type, stake or picked")
	}
	if err := checkExtras(&b.Bet, games); err != nil {
		return 0, err
	}
	if refused := checkBet(&b, true); refused != nil {
		return 0, refused
	}
	return keys, nil
}

func readMarks(r *item.Reader) ([]Mark, error) {
	sets, err := readSets(r, MaxMarks)
	if err != nil {
		return nil, err
	}
	marks := make([]Mark, len(sets))
	for i, s := range sets {
		if s.Max() > MaxGroups {
			return nil, errors.New("a way joins too many groups")
		}
		lo, _ := s.Bits()
		marks[i] = Mark(lo >> 1)
		if i > 0 && marks[i-1].Compare(marks[i]) >= 0 {
			return nil, errors.New("ways out of order")
		}
	}
	return marks, nil
}

func readCalls(r *item.Reader) ([]Call, error) {
	content := r.String(item.Bytes)
	calls := make([]Call, len(content))
	for i, c := range content {
		calls[i] = Call(c)
	}
	if len(calls) == 0 || len(calls) > MaxCalls || slices.ContainsFunc(calls, func(c Call) bool { return !c.IsValid() }) {
		return nil, errors.New("calls")
	}
	return calls, nil
}

// readSide reads a feature. One that is not written as it should be is found by
// checkExtras, or when the bytes are compared.
func readSide(r *item.Reader) Side {
	r.Array(sideItems)
	return Side{On: true, Stake: money.Amount(r.Int()), Games: int(r.Uint(MaxGames))}
}

// checkExtras holds the features and the item of a bet to their bounds.
func checkExtras(b *Bet, games int) error {
	for _, s := range []Side{b.With.Multiplier, b.With.LuckyLast} {
		if s.On && (s.Stake != 0 && !isStake(s.Stake.Cents()) || s.normal(b, games) != s) {
			return errors.New("with")
		}
	}
	if b.Item != (ItemRef{}) && (!isID(b.Item.ID) || b.Item.Edition < 1 || len(b.Item.String()) > MaxText) {
		return errors.New("item")
	}
	return nil
}

// readSet reads a set of numbers. Numbers twice or out of order are found when the
// bytes are compared.
func readSet(r *item.Reader) (ball.Set, error) {
	content := r.String(item.Bytes)
	if len(content) == 0 {
		return ball.Set{}, errors.New("no numbers")
	}
	s := ball.Empty(ball.Keno)
	for _, n := range content {
		if !ball.Keno.Has(int(n)) {
			return ball.Set{}, fmt.Errorf("the number %d", n)
		}
		s = s.With(int(n))
	}
	return s, nil
}

func readSets(r *item.Reader, most uint64) ([]ball.Set, error) {
	n := r.Head(item.Array, most)
	if r.Bad || n == 0 {
		return nil, errors.New("no sets, or too many")
	}
	sets := make([]ball.Set, n)
	for i := range sets {
		var err error
		if sets[i], err = readSet(r); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// isID reports whether the JSON form would read text as an id.
func isID(text string) bool {
	for i := range len(text) {
		if !isIDByte(text[i]) {
			return false
		}
	}
	return text != "" && len(text) <= MaxText
}

func isStake(cents int64) bool { return cents >= 1 && cents <= MaxStake.Cents() }
