package person

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"drawhouse/core/day"
	"drawhouse/journal/record"
)

// Term is how long personal details are kept from the day on which nothing needs them any more.
// The zero value is for ever.
type Term struct {
	count  int
	months bool // or days
}

// errTerm says what a term is.
var errTerm = errors.New("years, months or days such as 7y, 18m or 400d, or ever")

// forEver is the term of what is never erased by the time.
const forEver = "ever"

// mostTerm bounds the number of a term.
const mostTerm = 1200

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *Term) UnmarshalText(text []byte) error {
	if string(text) == forEver {
		*t = Term{}
		return nil
	}
	if len(text) < 2 {
		return errTerm
	}
	n, err := strconv.Atoi(string(text[:len(text)-1]))
	if err != nil || n < 1 || n > mostTerm || strconv.Itoa(n) != string(text[:len(text)-1]) {
		return errTerm
	}
	switch text[len(text)-1] {
	case 'y':
		if n > mostTerm/12 {
			return errTerm
		}
		*t = Term{12 * n, true}
	case 'm':
		*t = Term{n, true}
	case 'd':
		*t = Term{n, false}
	default:
		return errTerm
	}
	return nil
}

// String writes the term as UnmarshalText reads it.
func (t Term) String() string {
	switch {
	case t.count == 0:
		return forEver
	case !t.months:
		return fmt.Sprintf("%dd", t.count)
	case t.count%12 == 0:
		return fmt.Sprintf("%dy", t.count/12)
	}
	return fmt.Sprintf("%dm", t.count)
}

// Past reports whether details that nothing needs since a day are past their term today: they are
// kept on the last day of the term, too.
func (t Term) Past(over, today day.Day) bool {
	if t.count == 0 {
		return false
	}
	last, err := over.AddDays(t.count)
	if t.months {
		last, err = over.AddMonths(t.count)
	}
	return err == nil && today > last
}

// Kept is an entry of the register, without what it says.
type Kept struct {
	Hash record.Hash
	// Customer says that it is of a customer: a claimant, a payee or the holder of a card.
	Customer bool
	// Over is the day on which nobody needed it any more; none while it is needed, or nobody has looked.
	Over day.Day
}

// Kept returns all entries by hash, without what they say.
func (r *Register) Kept(ctx context.Context) (all []Kept, err error) {
	err = r.each(ctx, func(e exported) error {
		k := Kept{Customer: e.Kind == "customer"}
		if len(e.Hash) != hex.EncodedLen(len(k.Hash)) {
			return nil // Nothing can name it, and check says so.
		}
		if _, err := hex.Decode(k.Hash[:], []byte(e.Hash)); err != nil {
			return nil //nolint:nilerr // As above.
		}
		if over, err := day.Parse(e.Over); err == nil {
			k.Over = over
		}
		all = append(all, k)
		return nil
	})
	return all, err
}

// SetOver notes for entries since which day nobody needs them; [day.None] for those that are needed.
func (r *Register) SetOver(ctx context.Context, over day.Day, hashes ...record.Hash) error {
	text := ""
	if over != day.None {
		text = over.String()
	}
	err := r.inTx(ctx, r.stay, func(tx *sql.Tx) error {
		for _, hash := range hashes {
			if _, err := tx.ExecContext(ctx, r.query(`UPDATE person_entry SET over = $1 WHERE hash = $2`), text,
				key(hash)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}
