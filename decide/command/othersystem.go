package command

import (
	"crypto/sha256"
	"fmt"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

func init() {
	register[TakeInTickets](act("operator", record.ActionTickets, "take-in-tickets", "/v1/operator/tickets",
		"Ask for the open tickets of another system to be taken in from its signed file",
		"reason_missing tickets_faulty").said(TicketsFile{}))
}

// TicketsFile is the body with which open tickets of another system are to be taken in.
type TicketsFile struct {
	Text      FileText `json:"text" of:"tickets-file" doc:"The whole file, with its signature."`
	Key       string   `json:"key" doc:"Ed25519 public key of the operator of the other system, in base64."`
	Reference string   `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// TakeInTickets takes in the open tickets of another system, with the money that is owed on them.
type TakeInTickets struct {
	System    string   `json:"system" doc:"Name of the other system, as its file says."`
	Day       string   `json:"day" doc:"As of which the file holds."`
	Tickets   int      `json:"tickets" doc:"How many tickets the file has."`
	Cents     int64    `json:"cents" doc:"What is owed on all of them."`
	Key       string   `json:"key" doc:"Ed25519 public key of the operator of the other system, in base64."`
	Reference string   `json:"reference" doc:"Of the decision outside the house that allows it."`
	Text      FileText `json:"text" doc:"The whole file, with its signature."`
}

// ReadTickets returns the act that a file comes to, with the codes of its tickets, or what is wrong with the file.
func ReadTickets(f TicketsFile) (act TakeInTickets, codes []string, err error) {
	file, err := counter.ReadTickets([]byte(f.Text), f.Key)
	if err != nil {
		return TakeInTickets{}, nil, err
	}
	sum, err := file.Total()
	for i := range file.Tickets {
		codes = append(codes, file.Tickets[i].Code)
	}
	return TakeInTickets{System: file.System, Day: file.AsOf.String(), Tickets: len(file.Tickets), Cents: sum.Cents(),
		Key: f.Key, Reference: f.Reference, Text: f.Text}, codes, err
}

// Words implements Act.
func (c TakeInTickets) Words() string {
	return fmt.Sprintf("Take in %d open tickets of %s as of %s, on which %v is owed, by decision %q. "+
		"The money comes to the bank with them. The file is signed by the key %s, and has %d bytes and the SHA-256 %x.",
		c.Tickets, c.System, c.Day, money.Amount(c.Cents), c.Reference, c.Key, len(c.Text), sha256.Sum256([]byte(c.Text)))
}

// Decide implements Command.
func (c TakeInTickets) Decide(s *state.State, e *Env) (Decision, error) {
	said, _, err := ReadTickets(TicketsFile{Text: c.Text, Key: c.Key, Reference: c.Reference})
	if err == nil && said != c {
		err = &refusal.Refusal{Code: counter.TicketsFaulty, Path: "text",
			Sentence: fmt.Sprintf("The file has %d tickets of %s as of %s for %v, and the request says otherwise.", said.Tickets,
				said.System, said.Day, money.Amount(said.Cents))}
	}
	if err != nil {
		return Decision{}, err
	}
	return one(counter.TakeInTickets(s, counter.HandedOver{Now: e.Now, Series: e.Series, Text: []byte(c.Text), Key: c.Key,
		Reference: c.Reference, By: e.By.Person}))
}
