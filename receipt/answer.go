package receipt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/journal"
)

// An Answer is what the house answered to a sale, a payment or a cancellation, as far
// as paper needs it. One of the three is there.
type Answer struct {
	Sale         *Sale // without counter, rulebook, claim code and site
	Payment      *Paid
	Cancellation *Cancelled
}

// answerJSON has the fields of all three answers. A field that only one of them has
// tells which it is.
type answerJSON struct {
	Serial     string          `json:"serial"`
	Time       time.Time       `json:"time"`
	CostCents  *money.Amount   `json:"cost_cents"`
	FirstGame  firstGameJSON   `json:"first_game"`
	LastGame   lastGameJSON    `json:"last_game"`
	Ticket     json.RawMessage `json:"ticket"`
	Place      string          `json:"place"`
	LeafHash   string          `json:"leaf_hash"`
	Checkpoint string          `json:"checkpoint"`

	PaidCents *money.Amount `json:"paid_cents"`
	Parts     []struct {
		Ordinal uint32       `json:"ordinal"`
		Cents   money.Amount `json:"cents"`
	} `json:"parts"`
	Bonus *struct {
		Cents money.Amount `json:"cents"`
	} `json:"bonus"`

	RefundCents  *money.Amount `json:"refund_cents"`
	CarriedCents money.Amount  `json:"carried_cents"`
}

type firstGameJSON struct {
	Ordinal uint32 `json:"ordinal"`
}

type lastGameJSON struct {
	Day  string `json:"day"`
	Game *int   `json:"game"`
}

// ParseAnswer reads the answer of the house. It does not check the signature of the
// checkpoint: paper repeats what the house said.
func ParseAnswer(data []byte) (Answer, error) {
	var j answerJSON
	if err := json.Unmarshal(bytes.TrimSpace(data), &j); err != nil {
		return Answer{}, fmt.Errorf("receipt: the answer is not JSON: %w", err)
	}
	switch {
	case j.Serial == "":
		return Answer{}, fmt.Errorf(
			"receipt: the answer has no serial; it is not that of a sale, a payment or a cancellation")
	case j.PaidCents != nil:
		return Answer{Payment: j.payment()}, nil
	case j.RefundCents != nil:
		return Answer{Cancellation: &Cancelled{Serial: j.Serial, Time: j.Time, Refund: *j.RefundCents,
			Carried: j.CarriedCents}}, nil
	case j.CostCents != nil && j.Ticket != nil:
		sale, err := j.sale()
		return Answer{Sale: sale}, err
	}
	return Answer{}, fmt.Errorf(
		"receipt: the answer has neither cost_cents with a ticket nor paid_cents nor refund_cents; it is not that of a sale, a payment or a cancellation")
}

func (j *answerJSON) payment() *Paid {
	p := &Paid{Serial: j.Serial, Time: j.Time, Amount: *j.PaidCents}
	for _, part := range j.Parts {
		game := fmt.Sprintf("no. %d of the series", part.Ordinal)
		if part.Ordinal == 0 {
			game = "withheld before"
		}
		p.Parts = append(p.Parts, PaidPart{Game: game, Amount: part.Cents})
	}
	if j.Bonus != nil {
		p.Bonus = &j.Bonus.Cents
	}
	return p
}

// sale returns the facts of a sale. Its Keno Day is that of its first game, which
// was on sale at the time.
func (j *answerJSON) sale() (*Sale, error) {
	s := &Sale{Cost: *j.CostCents, Time: j.Time}
	var err error
	if s.Ticket, err = keno.ParseTicket(j.Ticket); err != nil {
		return nil, fmt.Errorf("receipt: the ticket of the answer: %w", err)
	}
	s.Day, s.Ordinal = s.Ticket.First.Day, j.FirstGame.Ordinal
	if s.Serial, err = serial.ParseCode(j.Serial); err != nil {
		return nil, fmt.Errorf("receipt: the serial of the answer: %w", err)
	}
	if j.LastGame.Day != "" && j.LastGame.Game != nil {
		last, err := day.Parse(j.LastGame.Day)
		if err != nil {
			return nil, fmt.Errorf("receipt: the last game of the answer: %w", err)
		}
		s.Last = keno.GameRef{Day: last, Game: *j.LastGame.Game}
	}
	if s.Proof.Place, err = j.Place, checkPlace(j.Place); err != nil {
		return nil, err
	}
	if j.LeafHash == "" || j.Checkpoint == "" {
		return s, nil
	}
	if s.Proof.Leaf, err = tlog.ParseHash(j.LeafHash); err != nil {
		return nil, fmt.Errorf("receipt: the leaf_hash of the answer: %w", err)
	}
	s.Proof.Checkpoint, err = checkpointOf(j.Checkpoint)
	return s, err
}

// checkPlace refuses what is not the place of a record, VOLUME:NUMBER, or nothing.
func checkPlace(text string) error {
	volume, number, ok := strings.Cut(text, ":")
	v, err1 := strconv.ParseUint(volume, 10, 16)
	n, err2 := strconv.ParseUint(number, 10, 48)
	if text != "" && (!ok || err1 != nil || err2 != nil || fmt.Sprintf("%d:%d", v, n) != text) {
		return fmt.Errorf("receipt: the place of the answer, %q, is not VOLUME:NUMBER", text[:min(len(text), 40)])
	}
	return nil
}

// checkpointOf reads the checkpoint of a signed note.
func checkpointOf(note string) (journal.Checkpoint, error) {
	body, _, ok := strings.Cut(note, "\n\n")
	if !ok {
		return journal.Checkpoint{}, fmt.Errorf("receipt: the checkpoint of the answer is no signed note")
	}
	at, err := journal.ParseCheckpoint(body + "\n")
	if err != nil {
		return journal.Checkpoint{}, fmt.Errorf("receipt: the checkpoint of the answer: %w", err)
	}
	return at, nil
}
