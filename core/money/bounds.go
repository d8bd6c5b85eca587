package money

import "fmt"

// The bounds of amounts. They are far above what any operator handles, and so far below
// the range of an [Amount] that no sum behind a door comes near its ends: a million acts
// of the largest amount, or a hundred thousand of the largest balances, add up within
// it. What is added without end is checked all the same, see [Amount.Add].
const (
	// MaxAmount is the largest amount that one act of a person or a terminal carries:
	// a billion dollars.
	MaxAmount Amount = 1_000_000_000 * Dollar
	// MaxBalance is the largest balance of an account, either way, that an act of a
	// person or a terminal leaves: a hundred billion dollars.
	MaxBalance = 100 * MaxAmount
	// MaxTotal is the largest amount in a record that follows from games alone, such as
	// all prizes of one game. Such a record cannot be refused like an act, so there is
	// room between what acts can leave and what records can say.
	MaxTotal = 10 * MaxBalance
)

// CheckWithin returns an error unless a is from -most to most.
func CheckWithin(a, most Amount) error {
	if a > most || a < -most {
		return fmt.Errorf("%v is beyond the bound of %v", a, most)
	}
	return nil
}
