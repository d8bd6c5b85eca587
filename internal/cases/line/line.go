// Package line runs the lines of case files that stand alone. Package cases plays their scenarios.
//
// rulebook/rules/ID/cases/CLAUSE.txt shows what a clause does, one operation a line:
//
//	[below|at|above] VERB ARGUMENTS -> EXPECTED
//
// Lines that begin with # are remarks. The verbs:
//
//	quote CHANNEL METHOD [runner] [pool] [venue:ID] REQUEST -> CENTS WAYS [jackpot] [to_go] | [plain]
//	quote ...       -> refused CODE CLAUSE     (- for no clause)
//	parse REQUEST   -> ok, or refused CODE PATH
//	ways REQUEST    -> the ways of all bets in the first game, numbers or rows joined by hyphens
//	first REQUEST   -> open, designated, or refused CODE CLAUSE
//	settle SCHEDULE NUMBERS ; TICKET ; ... -> PRIZE ...     (see settleCase)
//	explain SCHEDULE NUMBERS ; TICKET ; ... -> how the first ticket came by its prize
//	select, generate, cage: the draw devices             (see drawCase)
//	device NAME -> chosen, or refused CODE CLAUSE: what draws the games
//	notice CHANNEL N -> the Nth line of the notice at such a terminal
//	serial TEXT             (see ticketSerialCase)
//	number TEXT             (see gameNumberCase)
//	jackpot VERB ...        (see jackpotCase)
//	bingo VERB ...          (see bingoCase)
//
// A quote is the cost over all games and the ways in one game; what follows, if
// anything does, is what else the price says. A request may leave out its
// version and rulebook. Picks take the lowest numbers.
package line

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/games/keno"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// A Bench is what the lines of one rulebook are run against.
type Bench struct {
	id      string
	book    *rulebook.Book
	desk    *keno.Desk
	setting keno.Setting
}

// NewBench returns what lines are run against under a book.
func NewBench(book *rulebook.Book) (*Bench, error) {
	desk, err := keno.NewDesk(book)
	if err != nil && !errors.Is(err, keno.ErrNotKeno) {
		return nil, err
	}
	return &Bench{id: book.ID(), book: book, desk: desk, setting: keno.Setting{
		Open:       keno.GameRef{Day: book.From(), Game: 1},
		Designated: keno.GameRef{Day: book.From(), Game: 5},
		Entropy:    lowest{},
	}}, nil
}

// lowest is a source of zeros: every pick takes the lowest numbers.
type lowest struct{}

func (lowest) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Run runs one line and returns why it is not as it says.
func (h *Bench) Run(line cases.Line) error {
	if line.Want == "" {
		return errors.New("the line expects nothing")
	}
	got, err := h.operate(line.Operation, len(strings.Fields(line.Want)) > 2)
	if err != nil {
		return err
	}
	if got != line.Want {
		return fmt.Errorf("got %s", got)
	}
	return nil
}

// operate runs what a line asks for.
func (h *Bench) operate(operation string, flags bool) (string, error) {
	if plays, ok := strings.CutPrefix(operation, "settle "); ok {
		return settleCase(h.book, plays, false)
	}
	if plays, ok := strings.CutPrefix(operation, "explain "); ok {
		return settleCase(h.book, plays, true)
	}
	if got, ok, err := drawCase(operation); ok {
		return got, err
	}
	if name, ok := strings.CutPrefix(operation, "device "); ok {
		return deviceCase(h.book, record.Device(name))
	}
	if text, ok := strings.CutPrefix(operation, "notice "); ok {
		return noticeCase(h.book, text)
	}
	if text, ok := strings.CutPrefix(operation, "serial "); ok {
		return ticketSerialCase(text), nil
	}
	if text, ok := strings.CutPrefix(operation, "number "); ok {
		return gameNumberCase(h.book, text), nil
	}
	if move, ok := strings.CutPrefix(operation, "jackpot "); ok {
		return jackpotCase(h.book, move)
	}
	if play, ok := strings.CutPrefix(operation, "bingo "); ok {
		return bingoCase(h.book, play)
	}
	head, form, ok := strings.Cut(operation, " {")
	if !ok {
		return "", errors.New("the line has no request")
	}
	return h.do(strings.Fields(head), cases.Complete(h.id, "{"+form), flags)
}

// deviceCase has a house choose what draws its games before its first Keno Day.
func deviceCase(book *rulebook.Book, device record.Device) (string, error) {
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(),
		Begin: cases.Noon(book.From()), Seed: "device"})
	if err != nil {
		return "", err
	}
	err = core.Engine.ChooseDevice(record.Of(cases.Noon(book.From())), record.DeviceChosen{Series: 1, Device: device})
	if refused, ok := errors.AsType[*refusal.Refusal](err); ok {
		return fmt.Sprintf("refused %s %s", refused.Code, cmp.Or(refused.Clause, "-")), nil
	}
	return "chosen", err
}

// noticeCase returns a line of the notice at a kind of terminal.
func noticeCase(book *rulebook.Book, text string) (string, error) {
	var channel string
	var n int
	if _, err := fmt.Sscanf(text, "%s %d", &channel, &n); err != nil {
		return "", fmt.Errorf("%q should be CHANNEL N: %w", text, err)
	}
	all := keno.Notices(book, rulebook.Channel(channel))
	if n < 1 || n > len(all) {
		return "nothing", nil
	}
	return all[n-1].String(), nil
}

// do runs one verb. With flags a quote says all that the price says.
func (h *Bench) do(words []string, form []byte, flags bool) (string, error) {
	req, err := keno.ParseRequest(form)
	switch verb := words[0]; {
	case verb == "parse" && err != nil:
		return refused(err, func(r *keno.Refusal) string { return r.Path })
	case verb == "parse":
		return "ok", nil
	case err != nil:
		return "", err
	case verb == "quote":
		return h.quote(words[1:], req, flags)
	case verb == "ways":
		return h.ways(req)
	case verb == "first":
		return h.first(req)
	}
	return "", fmt.Errorf("no such verb: %s", words[0])
}

// refused returns how a case writes a refusal. Another error fails the case.
func refused(err error, second func(*keno.Refusal) string) (string, error) {
	var r *keno.Refusal
	if !errors.As(err, &r) {
		return "", err
	}
	word := second(r)
	if word == "" {
		word = "-"
	}
	return fmt.Sprintf("refused %s %s", r.Code, word), nil
}

func clauseOf(r *keno.Refusal) string { return r.Clause }

func (h *Bench) quote(words []string, req keno.Request, flags bool) (string, error) {
	if len(words) < 2 {
		return "", errors.New("a quote needs a channel and a method")
	}
	env := keno.Envelope{Channel: rulebook.Channel(words[0]), Method: rulebook.Method(words[1])}
	for _, word := range words[2:] {
		venue, isVenue := strings.CutPrefix(word, "venue:")
		switch {
		case word == "runner":
			env.Runner = true
		case word == "pool":
			env.PoolGame = true
		case isVenue:
			env.Venue = venue
		default:
			return "", fmt.Errorf("no such word: %s", word)
		}
	}
	price, err := h.desk.QuoteRequest(req, h.setting, env)
	if err != nil {
		return refused(err, clauseOf)
	}
	got := fmt.Sprintf("%d %d", price.Cost.Cents(), price.Ways)
	if !flags {
		return got, nil
	}
	before := got
	if price.Jackpot {
		got += " jackpot"
	}
	if price.ToGo {
		got += " to_go"
	}
	if got == before {
		got += " plain"
	}
	return got, nil
}

func (h *Bench) ways(req keno.Request) (string, error) {
	ticket, err := h.desk.Resolve(req, h.setting)
	if err != nil {
		return refused(err, clauseOf)
	}
	var list []string
	for i := range ticket.Bets {
		for way := range h.desk.Ways(&ticket.Bets[i], 0) {
			list = append(list, wayText(way))
		}
	}
	return strings.Join(list, " "), nil
}

func wayText(way keno.Way) string {
	switch {
	case way.Spots.IsValid():
		return strings.ReplaceAll(way.Spots.String(), " ", "-")
	case way.Call.IsValid():
		return way.Call.String()
	}
	var b bytes.Buffer
	for i, row := range way.Rows {
		if row == 0 {
			break
		}
		if i > 0 {
			b.WriteByte('-')
		}
		fmt.Fprint(&b, row)
	}
	return b.String()
}

func (h *Bench) first(req keno.Request) (string, error) {
	ticket, err := h.desk.Resolve(req, h.setting)
	switch {
	case err != nil:
		return refused(err, clauseOf)
	case ticket.First == h.setting.Open:
		return "open", nil
	case ticket.First == h.setting.Designated:
		return "designated", nil
	}
	return ticket.First.String(), nil
}
