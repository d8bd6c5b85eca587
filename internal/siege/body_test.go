package siege

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"drawhouse/internal/outside"
)

// extremes are values that somebody sends who means no good.
var extremes = []any{
	0, -1, math.MaxInt32, math.MaxUint32, math.MaxInt64, math.MinInt64, 9.9e300, "", "\x00", "\u202e",
	strings.Repeat("9", 400), strings.Repeat("ab", 3000),
	"0000-00-00", "9999-12-31", "2099-01-01T00:00:00Z", "-1", "../..", "%00", nil, true, []any{}, map[string]any{},
	[]any{[]any{[]any{}}},
}

// make makes a value for a schema: a likely one, or one of extremes where wild says so.
func (w *world) make(name string, s *schema, wild bool, depth int) any {
	s = w.resolve(s)
	if wild && w.chance(4) {
		return pick(w, extremes)
	}
	if value := w.known(name); value != nil {
		return value
	}
	switch {
	case len(s.Enum) > 0:
		return pick(w, s.Enum)
	case s.is("object"), len(s.Properties) > 0:
		if depth > 4 {
			return outside.M{}
		}
		if name == "ticket" {
			return w.ticket()
		}
		made := outside.M{}
		for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
			property := s.Properties[field]
			if slices.Contains(s.Required, field) || w.chance(3) {
				made[field] = w.make(field, &property, wild, depth+1)
			}
		}
		return made
	case s.is("array"):
		made := []any{}
		for range w.below(3) {
			made = append(made, w.make(strings.TrimSuffix(name, "s"), s.Items, wild, depth+1))
		}
		return made
	case s.is("integer"), s.is("number"):
		return pick(w, []int{1, 2, 3, 5, 100, 500, 1000})
	case s.is("boolean"):
		return w.chance(2)
	case s.Format == "date-time":
		return time.Now().Add(time.Duration(w.below(48)) * time.Hour)
	}
	return fmt.Sprintf("text %d", w.below(1000))
}

// known returns a value that the house knows by the name of a field, or nil.
func (w *world) known(name string) any {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch name {
	case "serial":
		if len(w.sold) > 0 {
			return w.sold[w.random.IntN(len(w.sold))].Serial
		}
	case "person":
		return 9000 + w.random.IntN(9) // Nobody: those who are somebody have recipes.
	case "id":
		return "vic-keno-2015"
	case "rulebook":
		return w.rulebook
	case "report":
		return "days"
	case "bank", "dispute", "player":
		return 1
	case "day", "from_day", "to":
		return w.day
	case "ordinal", "game":
		return max(1, w.game-w.random.IntN(4))
	case "terminal", "venue", "hall", "session":
		return 1
	case "member":
		return fmt.Sprint(100 + w.random.IntN(6))
	case "claim_hash":
		return strings.Repeat("ab", 32)
	case "approval":
		return 1 + w.random.IntN(len(w.approvals)+1)
	case "claim", "card":
		return 1 + w.random.IntN(3)
	case "volume":
		return 1
	case "number":
		return fmt.Sprintf("%04d", 1+w.random.IntN(3))
	case "format":
		return "csv"
	case "code":
		return "AAAA-AAAA-AAAA-AAAA"
	case "reason", "reference", "text", "subject":
		return "for a reason"
	}
	return nil
}

// longest is how many games a ticket has at most.
const longest = 3

// ticket is a bet of some kind.
func (w *world) ticket() outside.M {
	if w.chance(2) {
		return outside.M{"v": 1, "rulebook": "vic-keno-2015", "first": "open", "games": 1 + w.below(longest),
			"bets": []outside.M{{"bet": "heads_or_tails", "calls": []string{pick(w, []string{"heads", "tails", "evens"})},
				"stake_cents": 100 * (1 + w.below(10))}}}
	}
	spots := []int{}
	for n := 1 + w.below(60); len(spots) < 1+w.below(6); n += 1 + w.below(4) {
		spots = append(spots, n)
	}
	return outside.Ticket(100*(1+w.below(5)), spots...)
}
