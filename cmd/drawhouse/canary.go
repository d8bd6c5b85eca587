package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"drawhouse/edge/monitor"
	keyed "drawhouse/edge/terminal"
)

// canaryFlags say how a house tries whether it could sell.
type canaryFlags struct {
	Canary         time.Duration `setting:"" placeholder:"INTERVAL" help:"Try at this interval, through the public address, whether a terminal could sell; nothing is sold."`
	CanaryTerminal uint32        `name:"canary-terminal" setting:"" placeholder:"N" help:"The terminal that tries: one that nobody else uses."`
	CanaryKey      string        `name:"canary-key" setting:"" type:"existingfile" placeholder:"FILE" help:"Its key. Without one it is that of a demonstration, which everybody knows."`
	CanaryURL      string        `name:"canary-url" setting:"" placeholder:"URL" help:"Where the public reaches the house; needed with TLS, where the name has to be the certificate's."`
	CanaryMethod   string        `name:"canary-method" setting:"" default:"verbal" placeholder:"METHOD" help:"How the particulars of its ticket are given (${default})."`
	CanaryTicket   string        `name:"canary-ticket" setting:"" placeholder:"JSON" help:"Its ticket; three spots for a dollar by the Victorian rules otherwise."`
	CanaryWinner   []string      `name:"canary-winner" setting:"" sep:"none" placeholder:"SERIAL=CENTS" help:"A ticket that is known to have won so much, which it expects to be told of. May be given several times."`
}

// canaryTicket is the ticket that a canary asks for unless it is told another.
const canaryTicket = `{"v":1,"rulebook":"vic-keno-2015","first":"open","games":1,"bets":[{"bet":"classic","spots":[1,2,3],"stake_cents":100}]}`

// canaryShortest is the shortest interval: every try is a record, and its number is the
// second in which it is made.
const canaryShortest = time.Second

// newCanary returns the canary, or nil if none is wanted. own is the house's own address.
func (f canaryFlags) newCanary(own string, secure bool, log *slog.Logger) (*monitor.Canary, error) {
	if f.Canary == 0 {
		return nil, nil
	}
	ticket := f.CanaryTicket
	if ticket == "" {
		ticket = canaryTicket
	}
	house := strings.TrimSuffix(f.CanaryURL, "/")
	switch {
	case f.Canary < canaryShortest:
		return nil, misused("--canary", fmt.Errorf("%v is less than %v", f.Canary, canaryShortest))
	case f.CanaryTerminal == 0:
		return nil, misused("--canary-terminal", errors.New("a canary needs a terminal of its own"))
	case house == "" && secure:
		return nil, misused("--canary-url",
			errors.New("with TLS a canary must know the name that the certificate is for"))
	case house == "":
		house = own
	}
	if !json.Valid([]byte(ticket)) {
		return nil, misused("--canary-ticket", errors.New("it is not JSON"))
	}
	var winners []monitor.Winner
	for _, text := range f.CanaryWinner {
		w, err := monitor.ParseWinner(text)
		if err != nil {
			return nil, misused("--canary-winner", err)
		}
		winners = append(winners, w)
	}
	key := keyed.DemoKey(f.CanaryTerminal)
	if f.CanaryKey != "" {
		var err error
		if key, err = readTerminalKey(f.CanaryKey); err != nil {
			return nil, misused("--canary-key", err)
		}
	}
	return &monitor.Canary{
		House: house, Client: http.DefaultClient,
		Terminal: keyed.NewClient(house, f.CanaryTerminal, key, http.DefaultClient),
		Number:   f.CanaryTerminal, Method: f.CanaryMethod, Ticket: json.RawMessage(ticket), Winners: winners, Log: log,
	}, nil
}
