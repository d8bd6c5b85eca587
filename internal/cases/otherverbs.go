package cases

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"drawhouse/core/handover"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/edge/api"
	"drawhouse/rulebook"
)

// This file has the verbs of other systems: succeed, which begins the successor of the one that plays, and take-in and
// present for the tickets of systems outside. A form claims such a ticket by its code.

func init() {
	verbs["take-in"], verbs["present"], verbs["succeed"] = (*run).takeIn, (*run).present, (*run).succeed
}

// succeed has two persons adopt the edition of the rulebook for the successor system and begin its series, beside the
// one in which the scenario goes on.
func (r *run) succeed(string) (string, error) {
	house, ok := r.house.(office)
	if !ok {
		return "", errors.New("two persons begin no series here")
	}
	text, _ := rulebook.SuccessorOf(r.book)
	adopt, book, err := command.ReadFile(command.RulebookFile{Text: command.FileText(text), Reference: approval},
		func(rulebook.Hash) (*rulebook.Book, bool) { return r.book, true })
	if err != nil {
		return "", err
	}
	if err := approved(house, adopt); err != nil {
		return "", err
	}
	r.adopted = book.Hash().String()
	return "begun", approved(house, command.BeginSeries{Name: "successor", Rulebook: r.adopted,
		Schedule: book.Schedules()[0].ID(), Interval: uint32(untilClose.Seconds()), Reference: approval})
}

// otherKey is the key of the operator of another system.
var otherKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

// TicketsFile returns a signed file of another system: its tickets are rows of code, cents, kind and last
// day. Its key stands beside it, in base64.
func TicketsFile(system, rulebook, currency, asOf string, rows ...string) (text, key string, err error) {
	said := fmt.Sprintf("drawhouse open tickets 1\nsystem: %s\nrulebook: %s\ncurrency: %s\nas of: %s\n"+
		"code,cents,kind,until\n%s\n", system, rulebook, currency, asOf, strings.Join(rows, "\n"))
	signed, err := handover.Sign([]byte(said), otherKey)
	public, _ := otherKey.Public().(ed25519.PublicKey)
	return string(signed), handover.FormatKey(public), err
}

var (
	takeInPattern = regexp.MustCompile(`^(\w+) as of (\S+)(?: by rulebook (\S+))?( altered)?( without approval)?: (.+)$`)
	handedPattern = regexp.MustCompile(`^(\w+) ([\d,.]+) (prize|refund)(?: until (\S+))?$`)
)

// takeIn has two persons take in open tickets of another system and says how many, and what is owed on them.
func (r *run) takeIn(text string) (string, error) {
	words, err := phrase(takeInPattern, text,
		"SYSTEM as of DATE [by rulebook ID] [altered] [without approval]: CODE AMOUNT prize|refund [until DATE]; ...")
	if err != nil {
		return "", err
	}
	var rows []string
	for row := range strings.SplitSeq(words[5], "; ") {
		fields, err := phrase(handedPattern, row, "CODE AMOUNT prize|refund [until DATE]")
		if err != nil {
			return "", err
		}
		cents, err := money.Parse(fields[1])
		if err != nil {
			return "", err
		}
		rows = append(rows, fmt.Sprintf("%s,%d,%s,%s", fields[0], cents.Cents(), fields[2], fields[3]))
	}
	by := words[2]
	if by == "" {
		by = r.book.ID()
	}
	file := command.TicketsFile{Reference: approval}
	signed, key, err := TicketsFile(words[0], by, r.book.Currency(), words[1], rows...)
	if err != nil {
		return "", err
	}
	if words[3] != "" { // What is owed on the first ticket grows.
		signed = strings.Replace(signed, ",", ",9", 4)
	}
	file.Text, file.Key = command.FileText(signed), key
	if words[4] != "" {
		file.Reference = ""
	}
	act, _, err := command.ReadTickets(file)
	if err != nil {
		return "", err
	}
	house, ok := r.house.(office)
	if !ok {
		return "", errors.New("two persons take nothing in here")
	}
	return fmt.Sprintf("%d tickets for %v", act.Tickets, money.Amount(act.Cents)), approved(house, act)
}

// presenter is a house at whose counters somebody shows a code.
type presenter interface {
	presents(terminal uint32, code string) error
}

var presentPattern = regexp.MustCompile(`^(\w+) at T(\d+)$`)

// present shows a code at a terminal, which asks what it is, pays it and cancels it.
func (r *run) present(text string) (string, error) {
	words, err := phrase(presentPattern, text, "CODE at TERMINAL")
	if err != nil {
		return "", err
	}
	house, ok := r.house.(presenter)
	if !ok {
		return "", errors.New("nobody shows a code here")
	}
	return "known", house.presents(uint32(number(words[1])), words[0])
}

// presents implements presenter.
func (c *Core) presents(_ uint32, code string) error {
	s := c.Engine.State()
	ticket, ok := s.OtherTicket(code)
	if !ok {
		return &refusal.Refusal{Code: counter.TicketUnknown, Path: "serial", Sentence: "There is no such ticket."}
	}
	of, _ := s.Series(ticket.Series)
	return counter.RefuseOther(of.Book, ticket, s.Stands(ticket), of.Today(s.Now()))
}

// presents implements presenter. Every way of asking has the same answer.
func (s *Served) presents(terminal uint32, code string) error {
	first := s.send(http.MethodGet, fmt.Sprintf("/v1/terminals/%d/presented/%s", terminal, code), nil, &api.Presented{})
	none := serial.ClaimCode{}.String()
	for way, err := range map[string]error{
		"a question about the ticket": s.send(http.MethodGet, "/v1/tickets/"+code, nil, &api.Ticket{}),
		"a payment": s.send(http.MethodPut, s.requestPath(terminal, "payment"),
			api.PaymentRequest{Serial: code, ClaimCode: none}, &api.Payment{}),
		"a cancellation": s.send(http.MethodPut, s.requestPath(terminal, "cancellation"),
			api.CancellationRequest{Serial: code, ClaimCode: none}, &api.Cancellation{}),
	} {
		if codeOf(err) != codeOf(first) {
			return fmt.Errorf("cases: %s is answered %w, and a look at the ticket %w", way, err, first)
		}
	}
	return first
}

// codeOf returns the code of a refusal, or nothing.
func codeOf(err error) refusal.Code {
	if refused, ok := errors.AsType[*refusal.Refusal](err); ok {
		return refused.Code
	}
	return ""
}
