package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// The errors of a client. Those of package draw come back as themselves.
var (
	// ErrUnreachable: the device did not answer. What was asked may have been
	// done, and asking again gives the same.
	ErrUnreachable = errors.New("the draw device does not answer")
	// ErrDevice: what the device said cannot be.
	ErrDevice = errors.New("the draw device gave what cannot be")
)

const (
	// askTimeout is how long the device may take for one answer.
	askTimeout = 10 * time.Second
	// retryEvery is how often a device that does not answer is asked.
	retryEvery = 100 * time.Millisecond
	// patience is how long a draw waits for a device that is being started anew.
	patience = 30 * time.Second
)

// SplitAddress returns network and address of a device: unix:PATH, or HOST:PORT
// with a host that is this machine. House and device sign what they say and do not
// encrypt it, so that only a path or the machine itself may be between them.
func SplitAddress(address string) (network, where string, err error) {
	if path, ok := strings.CutPrefix(address, "unix:"); ok && path != "" {
		return "unix", path, nil
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return "", "", fmt.Errorf("remote: %q is neither unix:PATH nor HOST:PORT: %w", address, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", "", fmt.Errorf("remote: %q is not on this machine", address)
	}
	return "tcp", address, nil
}

// A Client draws with a device in another process. Any number of goroutines may use
// it.
type Client struct {
	http  *http.Client
	house journal.Signer // signs the requests
	key   string
	// verifier is the device's, known since Dial.
	verifier journal.Verifier
	patience time.Duration
}

// Dial asks a device for its key, with requests signed by the key of the house. The house
// holds the device's key against its journal.
func Dial(ctx context.Context, address string, signer journal.Signer) (*Client, error) {
	network, where, err := SplitAddress(address)
	if err != nil {
		return nil, err
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, where)
	}
	c := &Client{patience: patience, house: signer,
		http: &http.Client{Timeout: askTimeout, Transport: &http.Transport{DialContext: dial}}}
	a, err := c.do(ctx, http.MethodGet, "/v1/device", nil)
	if err != nil {
		return nil, err
	}
	c.key = a.Key
	return c, nil
}

// Key returns the device's verifier key.
func (c *Client) Key() string { return c.key }

// Ping asks whether the device is there, is still the same one, and draws.
func (c *Client) Ping(ctx context.Context) error {
	a, err := c.do(ctx, http.MethodGet, "/v1/device", nil)
	if err == nil && a.Key != c.key {
		err = fmt.Errorf("remote: %w: its key is another one than at the start", ErrDevice)
	}
	return err
}

// do asks the device. An error that it told is returned with the answer.
func (c *Client) do(ctx context.Context, method, path string, request any) (answerJSON, error) {
	var data []byte
	if request != nil {
		var err error
		if data, err = json.Marshal(request); err != nil {
			return answerJSON{}, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://device"+path, bytes.NewReader(data))
	if err != nil {
		return answerJSON{}, err
	}
	nonce, err := signRequest(r, data, c.house, time.Now())
	if err != nil {
		return answerJSON{}, err
	}
	response, err := c.http.Do(r)
	if err != nil {
		return answerJSON{}, fmt.Errorf("remote: %w: %w", ErrUnreachable, err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxRequest))
	if err != nil {
		return answerJSON{}, fmt.Errorf("remote: %w: %w", ErrUnreachable, err)
	}
	return c.read(response, nonce, body)
}

// read reads an answer of the device. The first answer says by which key the device signs.
func (c *Client) read(response *http.Response, nonce string, body []byte) (answerJSON, error) {
	if response.StatusCode == http.StatusForbidden {
		return answerJSON{}, fmt.Errorf("remote: %w", ErrStranger)
	}
	var a answerJSON
	if err := json.Unmarshal(body, &a); err != nil {
		return answerJSON{}, fmt.Errorf("remote: %w: %w", ErrUnreachable, err)
	}
	if c.verifier == nil {
		verifier, err := journal.ParseVerifier(a.Key)
		if err != nil {
			return answerJSON{}, fmt.Errorf("remote: %w: %w", ErrDevice, err)
		}
		c.verifier = verifier
	}
	if err := checkAnswer(response, nonce, body, c.verifier); err != nil {
		return answerJSON{}, err
	}
	if a.Error == "" {
		return a, nil
	}
	if known := codes[a.Code]; known != nil {
		return a, fmt.Errorf("remote: the device says: %s: %w", strings.TrimSuffix(a.Error, ": "+known.Error()), known)
	}
	return a, fmt.Errorf("remote: the device says: %s", a.Error)
}

// post asks, with a deadline of its own, for draws have no context. A device that
// does not answer is asked again for a while: asking twice does nothing twice.
func (c *Client) post(path string, request any) (answerJSON, error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.patience)
	defer cancel()
	for {
		a, err := c.do(ctx, http.MethodPost, path, request)
		if !errors.Is(err, ErrUnreachable) {
			return a, err
		}
		select {
		case <-ctx.Done():
			return a, err
		case <-time.After(retryEvery):
		}
	}
}

// Start begins a draw, or takes up one, as [draw.Device.Start] does. Drawn are the
// numbers that are recorded, of which the device must have signed every one.
func (c *Client) Start(plan draw.Plan, seal journal.Seal, drawn ball.Sequence, recent []ball.Sequence) (*Draw, error) {
	if !drawn.IsValid() {
		var err error
		if drawn, err = ball.NewSequence(plan.Universe); err != nil {
			return nil, err
		}
	}
	r := &Draw{client: c, plan: plan, seal: seal, numbers: drawn.Numbers(), recent: recent}
	return r, r.start()
}

// A Draw is the draw of one game on the device.
type Draw struct {
	client  *Client
	plan    draw.Plan
	seal    journal.Seal
	numbers []int // those that the house has
	recent  []ball.Sequence
}

func (r *Draw) name() drawJSON {
	g := r.plan.Game
	return drawJSON{Series: g.Series, Day: g.Day, Game: g.Number, Revision: r.plan.Revision}
}

func (r *Draw) start() error {
	request := startJSON{
		drawJSON: r.name(), Of: uint8(r.plan.Universe), Least: r.plan.Least, Most: r.plan.Most,
		Seal: string(r.seal.Signed()), Drawn: r.numbers, Recent: [][]int{},
	}
	for _, q := range r.recent {
		if q.Universe() == r.plan.Universe {
			request.Recent = append(request.Recent, q.Numbers())
		}
	}
	_, err := r.client.post("/v1/start", request)
	return err
}

// again asks, and if the device was started anew meanwhile starts the draw there
// and asks once more.
func (r *Draw) again(path string, request any) (answerJSON, error) {
	a, err := r.client.post(path, request)
	if errors.Is(err, ErrNotStarted) {
		if err := r.start(); err != nil {
			return answerJSON{}, err
		}
		a, err = r.client.post(path, request)
	}
	return a, err
}

// Drawn returns the numbers that the house has, in order. The device may have drawn
// further before the house stopped; Next gives those numbers again.
func (r *Draw) Drawn() ball.Sequence {
	q, err := ball.NewSequence(r.plan.Universe, r.numbers...)
	if err != nil {
		panic(err) // Next lets no other numbers in.
	}
	return q
}

// Next draws the number at a place, which must be the one after the last. A number
// that came with an error is to be recorded all the same.
func (r *Draw) Next(place int) (draw.Pick, error) {
	if place != len(r.numbers)+1 {
		return draw.Pick{}, fmt.Errorf("remote: %v: number %d is asked for, the house has %d: %w", r.plan.Game, place,
			len(r.numbers), draw.ErrTurn)
	}
	a, err := r.again("/v1/next", nextJSON{r.name(), place})
	if a.Number == 0 {
		if err == nil {
			err = fmt.Errorf("remote: %v: %w: no number", r.plan.Game, ErrDevice)
		}
		return draw.Pick{}, err
	}
	remaining := ball.Full(r.plan.Universe).Minus(r.Drawn().Set())
	n, wrong := draw.NumberFromBytes(remaining, a.Bytes)
	if wrong != nil {
		return draw.Pick{}, fmt.Errorf("remote: %v: %w: number %d: %w", r.plan.Game, ErrDevice, a.Number, wrong)
	}
	if n != a.Number {
		return draw.Pick{}, fmt.Errorf("remote: %v: %w: the bytes %x give %d and not %d", r.plan.Game, ErrDevice,
			a.Bytes, n, a.Number)
	}
	r.numbers = append(r.numbers, a.Number)
	return draw.Pick{Number: a.Number, Bytes: a.Bytes}, err
}

// Sign ends the draw and returns the result that the device signed, which must be of
// the numbers that the house has, under its seal.
func (r *Draw) Sign() ([]byte, error) {
	a, err := r.again("/v1/sign", r.name())
	if err != nil {
		return nil, err
	}
	result, _, err := draw.OpenResult([]byte(a.Note), r.client.verifier)
	if err != nil {
		return nil, fmt.Errorf("remote: %w: %w", ErrDevice, err)
	}
	if result.Game != r.plan.Game || result.Revision != r.plan.Revision || result.Seal != r.seal.Body().Hash() ||
		!slices.Equal(result.Numbers.Numbers(), r.numbers) {
		return nil, fmt.Errorf("remote: %v: %w: a result of %v, revision %d, %v", r.plan.Game, ErrDevice, result.Game,
			result.Revision, result.Numbers)
	}
	return []byte(a.Note), nil
}
