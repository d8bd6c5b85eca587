package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	keyed "drawhouse/terminal"
)

// answerMax is how long a terminal waits for an answer.
const answerMax = 30 * time.Second

// apiTerminal sells through the API on a connection of its own, with one request
// in flight. It writes and reads HTTP on the connection itself: the client of the
// standard library hands every request to other goroutines, and the processor
// time that costs would be taken from the house on the same machine.
type apiTerminal struct {
	id      uint32
	number  uint64
	address string
	conn    net.Conn
	answers *bufio.Reader
	session *keyed.Session
	tickets []string
	random  *rand.ChaCha8
	body    []byte
	request []byte
	answer  bytes.Buffer
}

// dialTerminals connects terminals 1 to n.
func dialTerminals(address string, n int, tickets []string) ([]*apiTerminal, error) {
	terminals := make([]*apiTerminal, 0, n)
	for id := uint32(1); id <= uint32(n); id++ {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			hangUp(terminals)
			return nil, fmt.Errorf("terminal %d: %w", id, err)
		}
		session, err := keyed.NewClient("http://"+address, id, keyed.DemoKey(id), http.DefaultClient).Hello(context.Background())
		if err != nil {
			hangUp(terminals)
			return nil, errors.Join(err, conn.Close())
		}
		terminals = append(terminals, &apiTerminal{
			id: id, address: address, conn: conn, answers: bufio.NewReader(conn), session: session,
			tickets: tickets, random: rand.NewChaCha8([32]byte{byte(id), byte(id >> 8), byte(id >> 16)}),
		})
	}
	return terminals, nil
}

func hangUp(terminals []*apiTerminal) {
	for _, t := range terminals {
		_ = t.conn.Close() // Everything was answered.
	}
}

// sell implements seller.
func (t *apiTerminal) sell(context.Context) (string, error) {
	t.number++
	t.write()
	if err := t.conn.SetDeadline(time.Now().Add(answerMax)); err != nil {
		return "", err
	}
	if _, err := t.conn.Write(t.request); err != nil {
		return "", fmt.Errorf("terminal %d: %w", t.id, err)
	}
	status, err := t.read()
	if err != nil {
		return "", fmt.Errorf("terminal %d, request %d: %w", t.id, t.number, err)
	}
	if status == http.StatusOK && bytes.Contains(t.answer.Bytes(), []byte(`"serial":"`)) {
		return "", nil
	}
	var refused struct {
		Error struct{ Code string }
	}
	if err := json.Unmarshal(t.answer.Bytes(), &refused); err != nil || refused.Error.Code == "" {
		return "", fmt.Errorf("terminal %d, request %d: status %d, %s", t.id, t.number, status, t.answer.Bytes())
	}
	return refused.Error.Code, nil
}

// write makes the next request. Terminals begin at different tickets.
func (t *apiTerminal) write() {
	ticket := t.tickets[(uint64(t.id)*7919+t.number)%uint64(len(t.tickets))]
	// The hash of a claim code is as good as random.
	var claim [32]byte
	_, _ = t.random.Read(claim[:])
	t.body = append(t.body[:0], `{"method":"form","claim_hash":"`...)
	t.body = hex.AppendEncode(t.body, claim[:])
	t.body = append(t.body, `","ticket":`...)
	t.body = append(t.body, ticket...)
	t.body = append(t.body, '}')
	path := fmt.Sprintf("/v1/terminals/%d/requests/%d/sale", t.id, t.number)
	t.request = fmt.Appendf(t.request[:0], "PUT %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%s: %s\r\nContent-Length: %d\r\n\r\n",
		path, t.address, keyed.Header, t.session.Sign(http.MethodPut, path, t.body), len(t.body))
	t.request = append(t.request, t.body...)
}

// read reads an answer and returns its status.
func (t *apiTerminal) read() (int, error) {
	response, err := http.ReadResponse(t.answers, nil)
	if err != nil {
		return 0, err
	}
	t.answer.Reset()
	if _, err := io.Copy(&t.answer, response.Body); err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}
