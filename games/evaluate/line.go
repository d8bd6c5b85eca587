package evaluate

import (
	"math/bits"
	"strconv"

	"drawhouse/core/ball"
	"drawhouse/core/refusal"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/rulebook"
)

// MaxLine bounds the bytes of a line: a ticket, and room for what stands around it.
const MaxLine = keno.MaxBytes + 1<<10

// field is a field of a line, as a bit.
type field uint8

// The fields of a line.
const (
	hasTicket field = 1 << iota
	hasID
	hasChannel
	hasMethod
	hasDraw
	hasPool
	hasPromotion
)

// lineFields are the names of the fields, in the order of their bits.
var lineFields = [...]string{"ticket", "id", "channel", "method", "draw", "pool", "promotion"}

// line is one line as it was read. Its bytes are those of the text it came from.
type line struct {
	has     field
	ticket  []byte // in JSON, not yet parsed
	open    bool   // the ticket does not name its first game
	id      []byte
	channel rulebook.Channel
	method  rulebook.Method
	draw    draw
	pool    poolLine

	promotion settle.Offer
}

// draw is the result of a game.
type draw struct {
	game    int
	numbers ball.Sequence
}

// parseLine reads a line. It finds the ticket in it and leaves the reading of
// that to package keno. Of a line that is refused it returns what was read.
func parseLine(data []byte) (line, *refusal.Refusal) {
	if len(data) > MaxLine {
		return line{}, refuse(LineTooLong, "", "", "The line has more than %d bytes.", MaxLine)
	}
	s := scanner{data: data}
	var l line
	if r := s.object(lineFields[:], func(i int) *refusal.Refusal { return s.field(&l, field(1)<<i) }); r != nil {
		return l, r
	}
	if s.peek() != 0 || s.at < len(s.data) {
		return l, s.syntax("the end of the line")
	}
	return l, l.check()
}

// field reads the value of one field.
func (s *scanner) field(l *line, f field) (r *refusal.Refusal) {
	l.has |= f
	var text []byte
	switch f {
	case hasTicket:
		l.ticket, l.open, r = s.ticket()
	case hasID:
		l.id, r = s.text()
	case hasChannel:
		text, r = s.text()
		l.channel = rulebook.Channel(text)
	case hasMethod:
		text, r = s.text()
		l.method = rulebook.Method(text)
	case hasDraw:
		l.draw, r = s.draw()
	case hasPool:
		l.pool, r = s.pool()
	case hasPromotion:
		l.promotion, r = s.promotion()
	}
	return r
}

// check refuses a line whose fields do not make one thing.
func (l *line) check() *refusal.Refusal {
	const ofTickets = hasID | hasChannel | hasMethod
	switch kind := l.has & (hasTicket | hasDraw | hasPool | hasPromotion); {
	case bits.OnesCount8(uint8(kind)) != 1:
		return refuse(LineKind, "", "", "A line has a ticket, a draw, a pool or a promotion, and only one of them.")
	case kind != hasTicket && l.has&ofTickets != 0:
		first := bits.TrailingZeros8(uint8(l.has & ofTickets))
		return refuse(keno.FieldConflict, "", lineFields[first], "Only a ticket has this field.")
	case kind == hasTicket && l.has&hasID == 0:
		return refuse(keno.FieldMissing, "", "id", "The ticket needs an id, by which the results name it.")
	case kind == hasTicket && l.has&hasChannel == 0:
		return refuse(keno.FieldMissing, "", "channel",
			"The line does not say where the ticket was sold, such as writer.")
	}
	return nil
}

// The fields of a draw.
var drawFields = []string{"game", "numbers"}

// draw reads a draw. How many numbers a game draws is the rulebook's to say.
func (s *scanner) draw() (draw, *refusal.Refusal) {
	d := draw{game: -1}
	r := s.object(drawFields, func(i int) (r *refusal.Refusal) {
		if drawFields[i] == "game" {
			d.game, r = s.number(0, keno.MaxGame)
			return r
		}
		d.numbers, r = s.sequence()
		return r
	})
	switch {
	case r != nil:
		return draw{}, r
	case d.game < 0:
		return draw{}, refuse(keno.FieldMissing, "", "game", "The draw does not say of which game it is.")
	case !d.numbers.IsValid():
		return draw{}, refuse(keno.FieldMissing, "", "numbers", "The draw has no numbers.")
	}
	return d, nil
}

// sequence reads different numbers in their order.
func (s *scanner) sequence() (ball.Sequence, *refusal.Refusal) {
	q, err := ball.NewSequence(ball.Keno)
	if err != nil || !s.take('[') {
		return ball.Sequence{}, s.kind("a list")
	}
	if s.take(']') {
		return q, nil
	}
	for i := 0; ; i++ {
		n, r := s.number(1, int(ball.Keno))
		if r != nil {
			return ball.Sequence{}, r.Below(element(i))
		}
		if q, err = q.Append(n); err != nil {
			return ball.Sequence{}, refuse(keno.FieldValue, "", element(i), "The number %d stands here twice.", n)
		}
		if s.take(']') {
			return q, nil
		}
		if !s.take(',') {
			return ball.Sequence{}, s.syntax("a comma or a closing bracket")
		}
	}
}

// element returns the path of an element.
func element(i int) string { return "[" + strconv.Itoa(i) + "]" }
