package bench

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
	"strconv"
	"time"

	keyed "drawhouse/edge/terminal"
)

// answerMax is how long a controller waits for an answer.
const answerMax = 30 * time.Second

// apiTerminal makes sales and signs them.
type apiTerminal struct {
	id      uint32
	number  uint64
	session *keyed.Session
	tickets []string
	random  *rand.ChaCha8
}

// path returns the path of the terminal's last sale.
func (t *apiTerminal) path() string {
	return "/v1/terminals/" + strconv.FormatUint(uint64(t.id), 10) + "/requests/" + strconv.FormatUint(t.number,
		10) + "/sale"
}

// appendSale appends the body of the next sale. Terminals begin at different tickets.
func (t *apiTerminal) appendSale(b []byte) []byte {
	t.number++
	ticket := t.tickets[(uint64(t.id)*7919+t.number)%uint64(len(t.tickets))]
	// The hash of a claim code is as good as random.
	var claim [32]byte
	_, _ = t.random.Read(claim[:])
	b = append(b, `{"method":"form","claim_hash":"`...)
	b = hex.AppendEncode(b, claim[:])
	b = append(append(b, `","ticket":`...), ticket...)
	return append(b, '}')
}

// apiController sells through the API on a connection of its own, with one request in
// flight that has a sale of each terminal with a customer. With a single terminal it
// is that terminal, and sends its sales as they are.
//
// It writes and reads HTTP on the connection itself: the client of the standard
// library hands every request to other goroutines, and the processor time that costs
// would be taken from the house on the same machine.
type apiController struct {
	address   string
	conn      net.Conn
	answers   *bufio.Reader
	terminals []*apiTerminal
	at        int // the terminal that has the next customer
	body      []byte
	request   []byte
	answer    bytes.Buffer
}

// dialControllers connects terminals 1 to n, so many to each controller.
func dialControllers(address string, n, each int, tickets []string) ([]*apiController, error) {
	var all []*apiController
	for id := uint32(1); id <= uint32(n); id++ {
		if int(id-1)%each == 0 {
			conn, err := net.Dial("tcp", address)
			if err != nil {
				hangUp(all)
				return nil, fmt.Errorf("terminal %d: %w", id, err)
			}
			all = append(all, &apiController{address: address, conn: conn, answers: bufio.NewReaderSize(conn, 64<<10)})
		}
		session, err := keyed.NewClient("http://"+address, id, keyed.DemoKey(id),
			http.DefaultClient).Hello(context.Background())
		if err != nil {
			hangUp(all)
			return nil, err
		}
		c := all[len(all)-1]
		c.terminals = append(c.terminals, &apiTerminal{
			id: id, session: session, tickets: tickets,
			random: rand.NewChaCha8([32]byte{byte(id), byte(id >> 8), byte(id >> 16)}),
		})
	}
	return all, nil
}

func hangUp(all []*apiController) {
	for _, c := range all {
		_ = c.conn.Close() // Everything was answered.
	}
}

// most implements seller.
func (c *apiController) most() int { return len(c.terminals) }

// sell implements seller.
func (c *apiController) sell(_ context.Context, n int) ([]string, error) {
	if len(c.terminals) == 1 {
		c.writeOne(c.terminals[0])
	} else {
		c.writeMany(n)
	}
	if err := c.conn.SetDeadline(time.Now().Add(answerMax)); err != nil {
		return nil, err
	}
	if _, err := c.conn.Write(c.request); err != nil {
		return nil, fmt.Errorf("terminal %d: %w", c.terminals[0].id, err)
	}
	status, err := c.read()
	if err != nil {
		return nil, fmt.Errorf("terminal %d: %w", c.terminals[0].id, err)
	}
	if len(c.terminals) > 1 && status == http.StatusOK {
		return c.refusedOf(n)
	}
	if status == http.StatusOK && bytes.Contains(c.answer.Bytes(), []byte(`"serial":"`)) {
		return nil, nil
	}
	return c.refused(status, n)
}

// writeOne makes the request of a terminal that sells by itself.
func (c *apiController) writeOne(t *apiTerminal) {
	c.body = t.appendSale(c.body[:0])
	signature := t.session.Sign(http.MethodPut, t.path(), c.body)
	c.request = fmt.Appendf(c.request[:0],
		"PUT %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%s: %s\r\nContent-Length: %d\r\n\r\n",
		t.path(), c.address, keyed.Header, signature, len(c.body))
	c.request = append(c.request, c.body...)
}

// writeMany makes a request with a sale of each of the next n terminals.
func (c *apiController) writeMany(n int) {
	b := append(c.body[:0], `{"sales":[`...)
	for i := range n {
		t := c.terminals[c.at]
		c.at = (c.at + 1) % len(c.terminals)
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(append(b, `{"terminal":`...), uint64(t.id), 10)
		b = append(b, `,"sale":`...)
		begin := len(b)
		b = t.appendSale(b)
		signature := t.session.Sign(http.MethodPut, t.path(), b[begin:])
		b = strconv.AppendUint(append(b, `,"number":`...), t.number, 10)
		b = append(append(append(b, `,"signature":"`...), signature...), `"}`...)
	}
	c.body = append(b, "]}"...)
	c.request = fmt.Appendf(c.request[:0],
		"POST /v1/sales HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		c.address, len(c.body))
	c.request = append(c.request, c.body...)
}

// read reads an answer and returns its status.
func (c *apiController) read() (int, error) {
	response, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return 0, err
	}
	c.answer.Reset()
	if _, err := io.Copy(&c.answer, response.Body); err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// errorCode is as much of an error as is counted.
type errorCode struct{ Code string }

// refusedOf returns the codes of the sales of n that were refused.
func (c *apiController) refusedOf(n int) ([]string, error) {
	// As a rule all are sold, and then the answers need not be taken apart.
	if bytes.Count(c.answer.Bytes(), []byte(`{"status":200,"sale":{"serial":"`)) == n {
		return nil, nil
	}
	var all struct {
		Answers []struct {
			Status int
			Error  errorCode
		}
	}
	if err := json.Unmarshal(c.answer.Bytes(), &all); err != nil {
		return nil, fmt.Errorf("the answers to %d sales: %w", n, err)
	}
	if len(all.Answers) != n {
		return nil, fmt.Errorf("%d sales have %d answers", n, len(all.Answers))
	}
	var refused []string
	for _, a := range all.Answers {
		switch {
		case a.Error.Code != "":
			refused = append(refused, a.Error.Code)
		case a.Status != http.StatusOK:
			return nil, errors.New("a sale is neither sold nor refused")
		}
	}
	return refused, nil
}

// refused returns the code with which n sales were refused together.
func (c *apiController) refused(status, n int) ([]string, error) {
	var answer struct{ Error errorCode }
	if err := json.Unmarshal(c.answer.Bytes(), &answer); err != nil || answer.Error.Code == "" {
		return nil, fmt.Errorf("terminal %d: status %d, %s", c.terminals[0].id, status, c.answer.Bytes())
	}
	refused := make([]string, n)
	for i := range refused {
		refused[i] = answer.Error.Code
	}
	return refused, nil
}
