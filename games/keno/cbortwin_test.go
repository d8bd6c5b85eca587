package keno

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
)

// This is the encoding of tickets by a general encoder, told by tags what they look
// like: the slow and readable twin of what cbor.go writes out.

type ticketForm struct {
	_        struct{} `cbor:",toarray"`
	Version  int
	Rulebook string
	First    gameForm
	Games    int
	Bets     []betForm
}

type gameForm struct {
	_    struct{} `cbor:",toarray"`
	Day  day.Day
	Game int
}

type betForm struct {
	Bet        string    `cbor:"1,keyasint"`
	Stake      int64     `cbor:"2,keyasint"`
	Spots      []byte    `cbor:"3,keyasint,omitempty"`
	Groups     [][]byte  `cbor:"4,keyasint,omitempty"`
	PlayAll    bool      `cbor:"5,keyasint,omitempty"`
	PlaySpots  []byte    `cbor:"6,keyasint,omitempty"`
	PlayGroups []byte    `cbor:"7,keyasint,omitempty"`
	PlayMarks  [][]byte  `cbor:"8,keyasint,omitempty"`
	Calls      []byte    `cbor:"9,keyasint,omitempty"`
	Run        bool      `cbor:"10,keyasint,omitempty"`
	Type       string    `cbor:"11,keyasint,omitempty"`
	Places     [][]byte  `cbor:"12,keyasint,omitempty"`
	Multiplier *sideForm `cbor:"13,keyasint,omitempty"`
	LuckyLast  *sideForm `cbor:"14,keyasint,omitempty"`
	Picked     Picked    `cbor:"15,keyasint,omitempty"`
	Item       *itemForm `cbor:"16,keyasint,omitempty"`
}

type sideForm struct {
	_     struct{} `cbor:",toarray"`
	Stake int64
	Games int
}

type itemForm struct {
	_       struct{} `cbor:",toarray"`
	ID      string
	Edition int
}

var (
	encMode = mustMode(cbor.CoreDetEncOptions().EncMode())
	decMode = mustMode(cbor.DecOptions{
		DupMapKey:         cbor.DupMapKeyEnforcedAPF,
		IndefLength:       cbor.IndefLengthForbidden,
		TagsMd:            cbor.TagsForbidden,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
		MaxArrayElements:  MaxMarks,
		MaxMapPairs:       32,
		MaxNestedLevels:   8,
	}.DecMode())
)

func mustMode[T any](mode T, err error) T {
	if err != nil {
		panic(err)
	}
	return mode
}

// appendCBORTwin is the twin of AppendCBOR.
func appendCBORTwin(t *Ticket, buf []byte) ([]byte, error) {
	form := ticketForm{Version: Version, Rulebook: t.Rulebook, First: gameForm{Day: t.First.Day, Game: t.First.Game},
		Games: t.Games, Bets: make([]betForm, len(t.Bets))}
	for i := range t.Bets {
		form.Bets[i] = formOf(&t.Bets[i], t.Games)
	}
	data, err := encMode.Marshal(&form)
	if err != nil {
		return buf, fmt.Errorf("keno: encode ticket: %w", err)
	}
	return append(buf, data...), nil
}

// decodeTicketTwin is the twin of DecodeTicket.
func decodeTicketTwin(data []byte) (Ticket, error) {
	var form ticketForm
	if err := decMode.Unmarshal(data, &form); err != nil {
		return Ticket{}, fmt.Errorf("%w: %w", ErrForm, err)
	}
	t, err := form.ticket()
	if err != nil {
		return Ticket{}, err
	}
	again, err := appendCBORTwin(&t, nil)
	if err != nil || !bytes.Equal(again, data) {
		return Ticket{}, fmt.Errorf("%w: encoded again they differ", ErrForm)
	}
	return t, nil
}

func formOf(b *Bet, games int) betForm {
	f := betForm{Bet: b.Bet, Stake: b.Stake.Cents(), Spots: bytesOfTwin(b.Spots), Groups: bytesOfEachTwin(b.Groups),
		Run: b.Run, Type: b.Type, Places: bytesOfEachTwin(b.Places), Picked: b.Picked,
		Multiplier: sideFormOf(b.With.Multiplier.normal(b, games)), LuckyLast: sideFormOf(b.With.LuckyLast.normal(b, games))}
	switch b.Play.Kind {
	case PlayAll:
		f.PlayAll = true
	case PlaySpots:
		f.PlaySpots = bytesOfTwin(b.Play.Types)
	case PlayGroups:
		f.PlayGroups = bytesOfTwin(b.Play.Types)
	case PlayMarks:
		for _, m := range b.Play.Marks {
			f.PlayMarks = append(f.PlayMarks, bytesOfTwin(m.groups()))
		}
	}
	for _, c := range b.Calls {
		f.Calls = append(f.Calls, byte(c))
	}
	if b.Item.IsValid() {
		f.Item = &itemForm{ID: b.Item.ID, Edition: b.Item.Edition}
	}
	return f
}

func sideFormOf(s Side) *sideForm {
	if !s.On {
		return nil
	}
	return &sideForm{Stake: s.Stake.Cents(), Games: s.Games}
}

func bytesOfTwin(s ball.Set) []byte {
	if !s.IsValid() {
		return nil
	}
	b := make([]byte, 0, s.Len())
	for n := range s.All() {
		b = append(b, byte(n))
	}
	return b
}

func bytesOfEachTwin(sets []ball.Set) [][]byte {
	if sets == nil {
		return nil
	}
	each := make([][]byte, len(sets))
	for i, s := range sets {
		each[i] = bytesOfTwin(s)
	}
	return each
}

func (f *ticketForm) ticket() (Ticket, error) {
	t := Ticket{Rulebook: f.Rulebook, First: GameRef{f.First.Day, f.First.Game}, Games: f.Games,
		Bets: make([]Bet, len(f.Bets))}
	switch {
	case f.Version != Version:
		return Ticket{}, fmt.Errorf("keno: form %d of a ticket; this build reads form %d", f.Version, Version)
	case !isID(f.Rulebook), !t.First.IsValid(), f.Games < 1, f.Games > MaxGames, len(f.Bets) < 1, len(f.Bets) > MaxBets:
		return Ticket{}, fmt.Errorf("%w: rulebook, first game, games or bets", ErrForm)
	}
	for i := range f.Bets {
		b, err := f.Bets[i].bet(f.Games)
		if err != nil {
			return Ticket{}, fmt.Errorf("%w: bets[%d]: %w", ErrForm, i, err)
		}
		t.Bets[i] = b
	}
	return t, nil
}

// bet returns the bet of f, held to what the JSON form is held to.
func (f *betForm) bet(games int) (Bet, error) {
	b := BetRequest{Bet: Bet{Bet: f.Bet, Run: f.Run, Type: f.Type, Stake: money.Amount(f.Stake), Picked: f.Picked}}
	if f.Bet != "" && !isID(f.Bet) || f.Type != "" && !isID(f.Type) || !isStake(f.Stake) || f.Picked > PickedMystery {
		return Bet{}, errors.New("bet, type, stake or picked")
	}
	var err error
	if b.Spots, err = setOfTwin(f.Spots); err != nil {
		return Bet{}, fmt.Errorf("spots: %w", err)
	}
	if b.Groups, err = setsOfTwin(f.Groups, MaxGroups); err != nil {
		return Bet{}, fmt.Errorf("groups: %w", err)
	}
	if b.Places, err = setsOfTwin(f.Places, MaxPlaces); err != nil {
		return Bet{}, fmt.Errorf("places: %w", err)
	}
	if b.Play, err = f.play(); err != nil {
		return Bet{}, fmt.Errorf("play: %w", err)
	}
	if b.Calls, err = f.calls(); err != nil {
		return Bet{}, err
	}
	if err := f.extras(&b.Bet, games); err != nil {
		return Bet{}, err
	}
	if r := checkBet(&b, true); r != nil {
		return Bet{}, r
	}
	return b.Bet, nil
}

// play returns the play of f, of whose four fields at most one is set.
func (f *betForm) play() (p Play, err error) {
	kinds := 0
	if f.PlayAll {
		kinds, p.Kind = kinds+1, PlayAll
	}
	if f.PlaySpots != nil {
		kinds, p.Kind = kinds+1, PlaySpots
		p.Types, err = setOfTwin(f.PlaySpots)
	}
	if f.PlayGroups != nil && err == nil {
		kinds, p.Kind = kinds+1, PlayGroups
		p.Types, err = setOfTwin(f.PlayGroups)
		if err == nil && p.Types.Max() > MaxGroups {
			err = errors.New("too many groups")
		}
	}
	if f.PlayMarks != nil && err == nil {
		kinds, p.Kind = kinds+1, PlayMarks
		p.Marks, err = marksOfTwin(f.PlayMarks)
	}
	if kinds > 1 {
		err = errors.New("ways named twice")
	}
	return p, err
}

func marksOfTwin(each [][]byte) ([]Mark, error) {
	sets, err := setsOfTwin(each, MaxMarks)
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

func (f *betForm) calls() ([]Call, error) {
	if f.Calls == nil {
		return nil, nil
	}
	calls := make([]Call, len(f.Calls))
	for i, c := range f.Calls {
		calls[i] = Call(c)
	}
	if len(calls) == 0 || len(calls) > MaxCalls || slices.ContainsFunc(calls, func(c Call) bool { return !c.IsValid() }) {
		return nil, errors.New("calls")
	}
	return calls, nil
}

// extras sets the features and the item of b.
func (f *betForm) extras(b *Bet, games int) error {
	b.With = Features{Multiplier: f.Multiplier.side(), LuckyLast: f.LuckyLast.side()}
	for _, s := range []Side{b.With.Multiplier, b.With.LuckyLast} {
		if s.On && (s.Stake != 0 && !isStake(s.Stake.Cents()) || s.Games < 0 || s.Games > MaxGames ||
			s.normal(b, games) != s) {
			return errors.New("with")
		}
	}
	if f.Item != nil {
		b.Item = ItemRef{f.Item.ID, f.Item.Edition}
		if !isID(f.Item.ID) || f.Item.Edition < 1 || f.Item.Edition > maxEdition || len(b.Item.String()) > MaxText {
			return errors.New("item")
		}
	}
	return nil
}

func (f *sideForm) side() Side {
	if f == nil {
		return Side{}
	}
	return Side{On: true, Stake: money.Amount(f.Stake), Games: f.Games}
}

// setOf returns the set of numbers, or the zero set of no bytes. Numbers twice or
// out of order are found when the bytes are compared.
func setOfTwin(b []byte) (ball.Set, error) {
	if b == nil {
		return ball.Set{}, nil
	}
	if len(b) == 0 {
		return ball.Set{}, errors.New("no numbers")
	}
	s := ball.Empty(ball.Keno)
	for _, n := range b {
		if !ball.Keno.Has(int(n)) {
			return ball.Set{}, fmt.Errorf("the number %d", n)
		}
		s = s.With(int(n))
	}
	return s, nil
}

func setsOfTwin(each [][]byte, most int) ([]ball.Set, error) {
	if each == nil {
		return nil, nil
	}
	if len(each) == 0 || len(each) > most {
		return nil, errors.New("no sets, or too many")
	}
	sets := make([]ball.Set, len(each))
	for i, b := range each {
		s, err := setOfTwin(b)
		if err != nil || !s.IsValid() {
			return nil, errors.New("no numbers, or out of range")
		}
		sets[i] = s
	}
	return sets, nil
}
