package house

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// forms are bets in every form that a house can sell, in the ticket form.
var forms = []string{
	`{"bet":"classic","spots":[1,2,3],"stake_cents":100},{"bet":"classic","spots":[1,2,3],"stake_cents":200}`,
	`{"bet":"classic","spots":{"pick":4},"stake_cents":100},{"bet":"classic","spots":{"pick":5},"stake_cents":100}`,
	`{"bet":"classic","groups":[[1,2],[3,4],[5,6]],"play":"all","stake_cents":100}`,
	`{"bet":"classic","groups":[[1],[2],[3],[4],[5],[6],[7],[8],[9],[10]],"play":{"spots":[3,4]},"stake_cents":10}`,
	`{"item":"superplay-1","stake_cents":100}`,
	`{"bet":"heads_or_tails","calls":["heads","evens"],"stake_cents":100}`,
	`{"bet":"classic","spots":[1,2,3],"stake_cents":100,"with":{"multiplier":{"games":1}}}`,
}

// TestWhatIsSoldIsVerified sells every form of ticket by every way of entering
// it. What the house accepts the second opinion must accept: one sale on which
// they differ would spoil the whole volume for the inspector.
func TestWhatIsSoldIsVerified(t *testing.T) {
	b := newBench(t)
	sold, refused := 0, 0
	b.run(func(until time.Time) error {
		switch {
		case until.Sub(start) > 7*time.Minute:
			return errEnough
		case sold > 0:
			return nil
		}
		for _, method := range []rulebook.Method{"form", "verbal", "replay", "item"} {
			for _, bets := range forms {
				err := b.sellForm(method, bets)
				var no *refusal.Refusal
				if errors.As(err, &no) {
					refused++
					continue
				}
				must(t, err)
				sold++
			}
		}
		return nil
	})
	if sold < 12 || refused == 0 {
		t.Errorf("%d forms were sold and %d refused", sold, refused)
	}
	if report := b.verify(); !report.OK() {
		t.Errorf("the second opinion differs: %v", report.Failure)
	}
}

func (b *bench) sellForm(method rulebook.Method, bets string) error {
	b.t.Helper()
	request, err := keno.ParseRequest(fmt.Appendf(nil,
		`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":2,"bets":[%s]}`, bets))
	must(b.t, err)
	code, err := serial.NewClaimCode(b.random)
	must(b.t, err)
	b.number++
	_, err = b.house.Sell(b.t.Context(), record.Request{Terminal: 1, Number: b.number},
		Order{Terminal: 1, Method: method, Ticket: request}, code.Hash(1, b.number), 0)
	return err
}
