package monitor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"drawhouse/core/serial"
	"drawhouse/decide/counter"
	"drawhouse/edge/terminal"
)

// A Canary tries, from outside and again and again, whether a terminal could sell. It
// goes the whole way of a ticket but for the ticket: it asks for a price; it asks for a
// sale that expects another price, so that the house decides everything and refuses
// with cost_other; it has the number of that request burned, which is a durable record
// without money; and it finds the signed checkpoint to have grown by it.
//
// It also looks up tickets that are known to have won, as anybody can, and expects to
// be told so: a house that tells every winner otherwise answers well and is not well.
//
// It never sells. An entry is a player's who has paid for it; one of the operator's own
// would play if the house stopped before its cancellation, and would stand in the
// books and among the writer's cancellations that are reported.
type Canary struct {
	House    string // where the public reaches the house
	Client   *http.Client
	Terminal *terminal.Client
	Number   uint32 // of the terminal
	Method   string
	Ticket   json.RawMessage
	Winners  []Winner
	Log      *slog.Logger

	last uint64 // number of the last request
	size uint64 // of the journal at the last checkpoint
	log  string // whose it was

	mu      sync.Mutex // guards outcome
	outcome Outcome
}

// Winner is a ticket of which it is known what it has won.
type Winner struct {
	Serial string
	Cents  int64
}

// ParseWinner reads a winner written as SERIAL=CENTS.
func ParseWinner(text string) (Winner, error) {
	number, amount, ok := strings.Cut(text, "=")
	cents, err := strconv.ParseInt(amount, 10, 64)
	if !ok || number == "" || err != nil || cents <= 0 {
		return Winner{}, fmt.Errorf("%q is not SERIAL=CENTS with the cents that the ticket won", text)
	}
	if _, err := serial.ParseCode(number); err != nil {
		return Winner{}, err
	}
	return Winner{number, cents}, nil
}

// Outcome is what became of a try.
type Outcome struct {
	At   time.Time // zero before the first
	Took time.Duration
	// Refused is the code with which the house refused a sale by its rules, such as
	// while no game is on sale. That is an answer: the house is well.
	Refused string
	Err     error // why the house could not sell
}

// canaryPatience is how long a try may take. A customer would have left by then.
const canaryPatience = 10 * time.Second

// Run tries at an interval until the context ends.
func (c *Canary) Run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		o := c.Try(ctx)
		if o.Err != nil && ctx.Err() == nil {
			c.Log.Error("the canary could not sell", "error", o.Err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Last returns what became of the last try.
func (c *Canary) Last() Outcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.outcome
}

// Try tries once. One goroutine tries at a time.
func (c *Canary) Try(ctx context.Context) Outcome {
	ctx, cancel := context.WithTimeout(ctx, canaryPatience)
	defer cancel()
	begun := time.Now()
	err := c.try(ctx)
	o := Outcome{At: begun, Took: time.Since(begun), Err: err}
	if refused := refusedError(""); errors.As(err, &refused) {
		o.Refused, o.Err = string(refused), nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.outcome = o
	return o
}

// refusedError is the code of an answer of the rules.
type refusedError string

func (r refusedError) Error() string { return string(r) }

func (c *Canary) try(ctx context.Context) error {
	if err := c.winners(ctx); err != nil {
		return err
	}
	cost, refused := c.quote(ctx)
	if refused != nil && !errors.As(refused, new(refusedError)) {
		return refused
	}
	// Numbers rise over restarts, too, and no faster than the house allows.
	c.last = max(c.last+1, uint64(time.Now().Unix()))
	if refused == nil {
		refused = c.sell(ctx, cost+1)
		if refused != nil && !errors.As(refused, new(refusedError)) {
			return refused
		}
	}
	if err := errors.Join(c.burn(ctx), c.checkpoint(ctx)); err != nil {
		return err
	}
	return refused
}

// winners looks up the tickets that have won.
func (c *Canary) winners(ctx context.Context) error {
	for _, w := range c.Winners {
		answer, err := c.read(ctx, "/v1/tickets/"+w.Serial)
		if err != nil {
			return err
		}
		var ticket struct {
			Won *int64 `json:"won_cents"`
		}
		if err := json.Unmarshal(answer, &ticket); err != nil || ticket.Won == nil {
			return fmt.Errorf("ticket %s is answered without what it won: %.200s", w.Serial, answer)
		}
		if *ticket.Won != w.Cents {
			return fmt.Errorf("ticket %s has won %d cents, and the house says %d", w.Serial, w.Cents, *ticket.Won)
		}
	}
	return nil
}

// quote asks what the ticket costs.
func (c *Canary) quote(ctx context.Context) (cents int64, err error) {
	body := map[string]any{"terminal": c.Number, "method": c.Method, "ticket": c.Ticket}
	var price struct {
		Cost int64 `json:"cost_cents"`
	}
	err = c.ask(ctx, http.MethodPost, "/v1/quote", body, &price)
	if err == nil && price.Cost <= 0 {
		err = fmt.Errorf("the canary's ticket costs %d cents", price.Cost)
	}
	return price.Cost, err
}

// sell asks for a sale that must be refused for its price, and for nothing else.
func (c *Canary) sell(ctx context.Context, expect int64) error {
	body := map[string]any{"method": c.Method, "ticket": c.Ticket, "expect_cents": expect,
		"claim_hash": strings.Repeat("0", 64)}
	var sold struct{ Serial string }
	switch err := c.ask(ctx, http.MethodPut, c.request("sale"), body, &sold); {
	case errors.Is(err, refusedError(counter.CostOther)):
		return nil
	case err == nil:
		return fmt.Errorf("the house sold ticket %s for another price than it was told to expect", sold.Serial)
	default:
		return err
	}
}

// burn has the number of the request burned: a durable record.
func (c *Canary) burn(ctx context.Context) error {
	var abandoned struct{ Outcome string }
	if err := c.ask(ctx, http.MethodPost, c.request("abandon"), nil, &abandoned); err != nil {
		return err
	}
	if abandoned.Outcome != "burned" {
		return fmt.Errorf("the canary's request was %s and not burned", abandoned.Outcome)
	}
	return nil
}

func (c *Canary) request(what string) string {
	return fmt.Sprintf("/v1/terminals/%d/requests/%d/%s", c.Number, c.last, what)
}

// ask sends a request of the terminal. A refusal by the rules is a refusedError.
func (c *Canary) ask(ctx context.Context, method, path string, body, answer any) error {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return err
		}
	}
	status, reply, err := c.Terminal.Do(ctx, method, path, data)
	if err != nil {
		return err
	}
	if status == http.StatusOK {
		return json.Unmarshal(reply, answer)
	}
	var failed struct {
		Error struct{ Code, Sentence string }
	}
	if err := json.Unmarshal(reply, &failed); err != nil || failed.Error.Code == "" {
		return fmt.Errorf("%s is answered %d: %.200s", path, status, reply)
	}
	if status == http.StatusConflict || status == http.StatusUnprocessableEntity {
		return refusedError(failed.Error.Code)
	}
	return fmt.Errorf("%s is answered %d, %s: %s", path, status, failed.Error.Code, failed.Error.Sentence)
}

// read asks for something as anybody can.
func (c *Canary) read(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.House+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := c.Client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s is answered %d: %.200s", path, response.StatusCode, answer)
	}
	return answer, err
}

// checkpoint reads the newest checkpoint, and holds it against the last.
func (c *Canary) checkpoint(ctx context.Context) error {
	note, err := c.read(ctx, "/v1/checkpoint")
	if err != nil {
		return err
	}
	lines := strings.SplitN(string(note), "\n", 3)
	if len(lines) < 3 {
		return fmt.Errorf("the checkpoint is answered: %.200s", note)
	}
	size, err := strconv.ParseUint(lines[1], 10, 64)
	if err != nil {
		return fmt.Errorf("the size of the checkpoint: %w", err)
	}
	if lines[0] == c.log && size <= c.size {
		return fmt.Errorf("the journal had %d records and has %d, with one more of the canary's", c.size, size)
	}
	c.log, c.size = lines[0], size
	return nil
}
