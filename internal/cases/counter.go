package cases

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"drawhouse/rulebook"
)

// This file has the verbs of the counter: what terminals and players do.

var sellPattern = regexp.MustCompile(
	`^(?:(\d+) x )?(\w+) at T(\d+)(?: by (\w+))?( runner)? (.+?)(?: for (\d+) games)?$`)

// replayPattern finds the ticket that a form plays again, by its name.
var replayPattern = regexp.MustCompile(`"replay":"(\w+)"`)

// sell sells a ticket, or many alike, of which the last has the name. It returns
// what one costs.
func (r *run) sell(text string) (string, error) {
	words, err := phrase(sellPattern, text, "[COUNT x] NAME at TERMINAL [by METHOD] [runner] TICKET [for N games]")
	if err != nil {
		return "", err
	}
	count, name, terminal := max(number(words[0]), 1), words[1], uint32(number(words[2]))
	o := Order{Terminal: terminal, Method: methodOf(terminal), Runner: words[4] != ""}
	if words[3] != "" {
		o.Method = rulebook.Method(words[3])
	}
	ticket, err := r.named(r.replayed(words[5]))
	if err != nil {
		return "", err
	}
	if o.Form, err = form(r.rulebook, ticket, number(words[6])); err != nil {
		return "", err
	}
	for range count {
		t, err := r.house.Sell(o)
		if err != nil {
			return "", err
		}
		r.tickets[name] = t
	}
	return r.tickets[name].Cost.String(), nil
}

// methodOf returns how tickets are usually entered at a terminal.
func methodOf(terminal uint32) rulebook.Method {
	for _, t := range terminals(&Founding{Machines: true}) {
		if t.Terminal == terminal && t.Channel == string(rulebook.ChannelSST) {
			return rulebook.MethodScreen
		}
	}
	return rulebook.MethodForm
}

// replayed puts the serial of a ticket in the place of its name.
func (r *run) replayed(form string) string {
	return replayPattern.ReplaceAllStringFunc(form, func(found string) string {
		name := replayPattern.FindStringSubmatch(found)[1]
		if t, ok := r.tickets[name]; ok {
			return fmt.Sprintf(`"replay":%q`, t.Serial)
		}
		return found
	})
}

var ticketPattern = regexp.MustCompile(`^(\w+) at T(\d+)( with another code| with its first code)?$`)

// ticket reads which ticket is brought where. With another code it is somebody
// who has only seen the serial.
func (r *run) ticket(text string) (Ticket, uint32, error) {
	words, err := phrase(ticketPattern, text, "NAME at TERMINAL")
	if err != nil {
		return Ticket{}, 0, err
	}
	t, ok := r.tickets[words[0]]
	if !ok {
		return Ticket{}, 0, fmt.Errorf("no ticket %s was sold", words[0])
	}
	switch words[2] {
	case " with another code":
		t.Code[0]++
		t.Guessed = true
	case " with its first code":
		t.First = true
	}
	return t, uint32(number(words[1])), nil
}

func (r *run) cancel(text string) (string, error) {
	t, terminal, err := r.ticket(text)
	if err != nil {
		return "", err
	}
	refund, carried, err := r.house.Cancel(terminal, t)
	return fmt.Sprintf("refund %v carried %v", refund, carried), err
}

func (r *run) pay(text string) (string, error) {
	t, terminal, err := r.ticket(text)
	if err != nil {
		return "", err
	}
	paid, err := r.house.Pay(terminal, t)
	return paid.String(), err
}

// won returns what a ticket won, game by game; what is carried stands in brackets.
func (r *run) won(name string) (string, error) {
	t, ok := r.tickets[name]
	if !ok {
		return "", fmt.Errorf("no ticket %s was sold", name)
	}
	all, err := r.house.Won(t)
	if err != nil {
		return "", err
	}
	prizes := make([]string, len(all))
	for i, won := range all {
		prizes[i] = won.text()
	}
	if len(all) == 0 {
		return "nothing yet", nil
	}
	return strings.Join(prizes, " "), nil
}

func (w Won) text() string {
	if w.Carried > 0 {
		return "(" + w.Carried.String() + ")"
	}
	return w.Payable.String()
}

var explainPattern = regexp.MustCompile(`^(\w+) game (\d+)$`)

// explain returns how a ticket came by its prize in a game.
func (r *run) explain(text string) (string, error) {
	words, err := phrase(explainPattern, text, "NAME game N")
	if err != nil {
		return "", err
	}
	all, err := r.house.Won(r.tickets[words[0]])
	if err != nil {
		return "", err
	}
	for _, won := range all {
		if won.Ordinal == uint32(number(words[1])) {
			return strings.Join(won.Lines, "; "), nil
		}
	}
	return "", errors.New("the ticket has no such game that is settled")
}

// first returns the first game of a ticket.
func (r *run) first(name string) (string, error) {
	t, ok := r.tickets[name]
	if !ok {
		return "", fmt.Errorf("no ticket %s was sold", name)
	}
	return fmt.Sprintf("game %d", t.Ordinal), nil
}
