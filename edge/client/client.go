// Package client is the interface of a house for programs in Go: a method for every
// operation and a type for every body, written from the description of the interface by
// internal/clientgen.
//
// A Client speaks for the party that its Sender speaks for: a terminal that signs its requests
// (terminal.Client), a person who has signed on (AsPerson), or nobody in particular
// (Public). An answer of the house that is a refusal is a *Refusal with its code, field
// and clause. Live events have no end and are not here: see GET /v1/events.
//
// TestClient sells, closes, pays and runs the games of a house with it.
package client

//go:generate go test drawhouse -run TestClientDocIsCurrent -rewrite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Sender sends a request to a house and returns the answer. An error means that there is
// no answer. Whether it may be used by several goroutines is its own affair: a terminal
// has one request under way at a time.
type Sender interface {
	Do(ctx context.Context, method, uri string, body []byte) (status int, answer []byte, err error)
}

// Client asks a house through a sender.
type Client struct {
	sender Sender
	series uint8 // of the games that it is about; 0 for the first
}

// New returns a client that speaks through a sender, about the first series of games.
func New(sender Sender) *Client { return &Client{sender: sender} }

// InSeries returns a client that is about another series of games.
func (c *Client) InSeries(series uint8) *Client { return &Client{c.sender, series} }

// inSeries adds the series to an address.
func (c *Client) inSeries(uri string) string {
	if c.series == 0 {
		return uri
	}
	sign := "?"
	if strings.Contains(uri, "?") {
		sign = "&"
	}
	return fmt.Sprintf("%s%sseries=%d", uri, sign, c.series)
}

// Refusal is a house's refusal.
type Refusal struct {
	Status int
	Fault  Fault
}

// Error returns the sentence with its code and, where there is one, the clause.
func (r *Refusal) Error() string {
	if r.Fault.Clause != "" {
		return fmt.Sprintf("%s (%s, clause %s)", r.Fault.Sentence, r.Fault.Code, r.Fault.Clause)
	}
	return fmt.Sprintf("%s (%s)", r.Fault.Sentence, r.Fault.Code)
}

// call asks for an operation. Bytes are sent and returned as they are, and everything
// else as JSON.
func (c *Client) call(ctx context.Context, method, uri string, body, answer any) error {
	data, raw := body.([]byte)
	if !raw && body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return fmt.Errorf("client: %s %s: %w", method, uri, err)
		}
	}
	status, reply, err := c.sender.Do(ctx, method, uri, data)
	if err != nil {
		return fmt.Errorf("client: %s %s: %w", method, uri, err)
	}
	if status != http.StatusOK {
		return refused(method, uri, status, reply)
	}
	if bytes, raw := answer.(*[]byte); raw {
		*bytes = reply
		return nil
	}
	if err := json.Unmarshal(reply, answer); err != nil {
		return fmt.Errorf("client: the answer to %s %s: %w", method, uri, err)
	}
	return nil
}

// refused reads a refusal, or says what came in its place.
func refused(method, uri string, status int, reply []byte) error {
	var e Error
	if err := json.Unmarshal(reply, &e); err != nil || e.Error.Code == "" {
		const most = 200
		return fmt.Errorf("client: %s %s is answered with %d: %.*q", method, uri, status, most, reply)
	}
	return &Refusal{status, e.Error}
}

// Public sends requests of nobody in particular.
type Public struct {
	House string       // its address, such as https://keno.example
	HTTP  *http.Client // nil stands for http.DefaultClient
}

// Do implements Sender.
func (p Public) Do(ctx context.Context, method, uri string, body []byte) (int, []byte, error) {
	return p.send(ctx, method, uri, body, "")
}

// maxAnswer bounds an answer: that of records of the journal is the longest.
const maxAnswer = 64 << 20

func (p Public) send(ctx context.Context, method, uri string, body []byte, authorization string) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(p.House, "/")+uri, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	web := p.HTTP
	if web == nil {
		web = http.DefaultClient
	}
	response, err := web.Do(request)
	if err != nil {
		return 0, nil, err
	}
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	return response.StatusCode, answer, errors.Join(err, response.Body.Close())
}

// signedOn sends requests of a person who has signed on.
type signedOn struct {
	Public
	token string
}

// AsPerson signs a person on.
func AsPerson(ctx context.Context, house Public, person int64, password string) (*Client, error) {
	on, err := New(house).SignOn(ctx, SignOn{Person: person, Password: password, Bearer: true})
	if err != nil {
		return nil, err
	}
	return New(signedOn{house, on.Token}), nil
}

// Do implements Sender.
func (p signedOn) Do(ctx context.Context, method, uri string, body []byte) (int, []byte, error) {
	return p.send(ctx, method, uri, body, "Bearer "+p.token)
}
