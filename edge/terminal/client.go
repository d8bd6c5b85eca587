package terminal

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client sends requests of one terminal to a house, one at a time.
type Client struct {
	house    string
	terminal uint32
	key      ed25519.PrivateKey
	http     *http.Client
	session  *Session
}

// NewClient returns the client of a terminal for a house such as
// http://127.0.0.1:8080. It says hello with its first request.
func NewClient(house string, terminal uint32, key ed25519.PrivateKey, client *http.Client) *Client {
	return &Client{house: strings.TrimSuffix(house, "/"), terminal: terminal, key: key, http: client}
}

// maxAnswer bounds the answer of a house.
const maxAnswer = 8 << 20

// Do sends a request and returns the answer. A session that the house has forgotten,
// because it was started again or the session has run out, is begun anew, once.
func (c *Client) Do(ctx context.Context, method, uri string, body []byte) (status int, answer []byte, err error) {
	for range 2 {
		if c.session == nil {
			if c.session, err = c.Hello(ctx); err != nil {
				return 0, nil, err
			}
		}
		status, answer, err = c.send(ctx, method, uri, body, c.session.Sign(method, uri, body))
		if err != nil || status != http.StatusUnauthorized {
			return status, answer, err
		}
		c.session = nil
	}
	return status, answer, nil
}

// Hello begins a session.
func (c *Client) Hello(ctx context.Context) (*Session, error) {
	h, secret, err := Begin(c.key, c.terminal, time.Now(), rand.Reader)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	status, answer, err := c.send(ctx, http.MethodPost, fmt.Sprintf("/v1/terminals/%d/hello", c.terminal), body, "")
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, fmt.Errorf("terminal: the house does not take terminal %d: %s", c.terminal, answer)
	}
	var w Welcome
	if err := json.Unmarshal(answer, &w); err != nil {
		return nil, fmt.Errorf("terminal: the answer of the house: %w", err)
	}
	return Finish(secret, c.terminal, h, w)
}

func (c *Client) send(ctx context.Context, method, uri string, body []byte, header string) (int, []byte, error) {
	if _, err := url.ParseRequestURI(uri); err != nil || !strings.HasPrefix(uri, "/") {
		return 0, nil, fmt.Errorf("terminal: %q is not the path of a request", uri)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.house+uri, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if header != "" {
		request.Header.Set(Header, header)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return 0, nil, err
	}
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	return response.StatusCode, answer, errors.Join(err, response.Body.Close())
}
