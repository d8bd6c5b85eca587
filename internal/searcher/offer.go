package searcher

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// offers are the kinds of acts with how often each is tried.
var offers = []struct {
	weight int
	make   func(*World, *rand.Rand) string
}{
	{18, (*World).offerSale}, {8, (*World).offerNext}, {16, (*World).offerSettle}, {12, (*World).offerCancel},
	{14, (*World).offerPay},
	{7, (*World).offerPlay}, {5, (*World).offerIssue}, {4, (*World).offerCard}, {2, (*World).offerVoid},
	{3, (*World).offerStop},
	{3, (*World).offerSheet}, {4, (*World).offerClaim}, {1, (*World).offerLimit}, {1, (*World).offerDay},
	{1, (*World).offerForfeit}, {1, (*World).offerShut}, {1, (*World).offerPromotion},
	{3, (*World).offerMachine},
}

var weights = func() (sum int) {
	for _, o := range offers {
		sum += o.weight
	}
	return sum
}()

// offer returns a line to try next.
func (w *World) offer(r *rand.Rand) string {
	if w.play.Room() != nil {
		return w.offerRoom(r)
	}
	if line := w.aheadOf(r); line != "" {
		return line
	}
	for {
		n := r.IntN(weights)
		for _, o := range offers {
			if n -= o.weight; n < 0 {
				if line := o.make(w, r); line != "" {
					return line
				}
				break
			}
		}
	}
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// recent picks one of a list, the last ones more often.
func recent(r *rand.Rand, list []string) string {
	if r.IntN(3) > 0 && len(list) > 3 {
		list = list[len(list)-3:]
	}
	return pick(r, list)
}

// till picks a terminal: mostly the writer's of the first venue.
func (w *World) till(r *rand.Rand) uint32 { return pick(r, w.plan.tills) }

func (w *World) offerSale(r *rand.Rand) string {
	b := pick(r, w.plan.bets)
	line := fmt.Sprintf("sell A%d at T%d %s%s", len(w.tickets)+1, w.till(r), b.text, pick(r, b.stakes))
	if n := pick(r, b.games); n > 1 {
		line += fmt.Sprintf(" for %d games", n)
	}
	return line
}

func (w *World) offerNext(r *rand.Rand) string { return fmt.Sprintf("next T%d", w.till(r)) }

func (w *World) offerCancel(r *rand.Rand) string {
	if len(w.tickets) == 0 {
		return ""
	}
	return fmt.Sprintf("cancel %s at T%d", recent(r, w.tickets), w.till(r))
}

func (w *World) offerPay(r *rand.Rand) string {
	if len(w.tickets) == 0 {
		return ""
	}
	verb := "pay"
	if w.plan.keeps && r.IntN(8) == 0 {
		verb = "bare"
	}
	return fmt.Sprintf("%s %s at T%d", verb, pick(r, w.tickets), w.till(r))
}

// numbers are those of a draw in which 1 to 5 are drawn, or not. No two draws are alike.
func numbers(r *rand.Rand, wins bool) string {
	list := []string{"6-10"}
	if wins {
		list = []string{"1-5"}
	}
	for i, n := range r.Perm(35) {
		if i < 15 {
			list = append(list, fmt.Sprint(31+n))
		}
	}
	return strings.Join(list, " ")
}

func (w *World) offerPlay(r *rand.Rand) string {
	if w.played != "" && r.IntN(20) == 0 {
		return w.played // A result that was there before is none.
	}
	return "play " + numbers(r, r.IntN(5) > 0)
}

// cents picks an amount: one at the edge of a limit, what is owed, or a part of it.
func (w *World) cents(r *rand.Rand, owed money.Amount) money.Amount {
	var a money.Amount
	switch r.IntN(4) {
	case 0:
		a = pick(r, w.plan.edges)
	case 1:
		a = owed / 2
	case 2:
		a = money.Amount(1 + r.IntN(20_00))
	default:
		a = owed
	}
	return max(1, a+money.Amount(r.IntN(3)-1))
}

func write(a money.Amount) string {
	sign := ""
	if a < 0 {
		sign, a = "-", -a
	}
	return fmt.Sprintf("%s%d.%02d", sign, a/100, a%100)
}

// offerSettle ends a session, in one of the many ways.
func (w *World) offerSettle(r *rand.Rand) string {
	t := w.till(r)
	line := fmt.Sprintf("settle T%d", t)
	owed := w.owed(t)
	due := max(owed, -owed)
	if len(w.papers) > 0 && r.IntN(3) == 0 {
		line += " with " + recent(r, w.papers)
		if r.IntN(3) == 0 {
			line += " " + recent(r, w.papers)
		}
		if r.IntN(6) == 0 {
			line += " given back"
		}
	}
	if w.cards > 0 && r.IntN(4) == 0 {
		a := w.cents(r, due)
		if r.IntN(2) == 0 {
			a = -a
		}
		line += fmt.Sprintf(" card %d %s", 1+r.IntN(w.cards), write(a))
	}
	if r.IntN(12) == 0 {
		line += " chips " + write(w.cents(r, due))
	}
	if r.IntN(2) == 0 && len(w.plan.means) > 0 {
		line += " pay " + pick(r, w.plan.means)
		if r.IntN(2) == 0 {
			line += " " + write(w.cents(r, due)) + ", " + pick(r, w.plan.means)
		}
	}
	if r.IntN(2) == 0 {
		line += " payee"
		if r.IntN(8) == 0 {
			line += " without account"
		}
		line += " checked"
	}
	if r.IntN(20) == 0 {
		line += " unpaid"
		if r.IntN(2) == 0 {
			line += " but " + write(w.cents(r, due))
		}
	}
	return line + w.newPapers()
}

func (w *World) offerIssue(r *rand.Rand) string {
	if len(w.plan.papers) == 0 {
		return ""
	}
	line := fmt.Sprintf("issue P%d at T%d %s %s", w.nextPaper(), w.till(r), pick(r, w.plan.papers),
		write(pick(r, []money.Amount{5_00, 20_00, 20_00, 100_00, 1_000_00, 10_000_00, 15_000_00})))
	if r.IntN(4) == 0 {
		line += fmt.Sprintf(" for %d days", pick(r, []int{1, 10, 30, 31, 366}))
	}
	line += w.forType(r)
	if r.IntN(4) == 0 {
		line += " by the operator"
	}
	return line
}

// forType names a type of game for a voucher, where vouchers have one.
func (w *World) forType(r *rand.Rand) string {
	if len(w.plan.types) == 0 || r.IntN(2) == 0 {
		return ""
	}
	return " for " + pick(r, w.plan.types)
}

// offerMachine has a ball machine draw, or corrects a result that was entered there.
func (w *World) offerMachine(r *rand.Rand) string {
	if !w.plan.machine {
		return ""
	}
	s, _ := w.play.Engine.State().Series(1)
	if device, _ := s.Device(); device != record.DeviceCage {
		return "machine"
	}
	newest := s.Newest()
	if newest == nil || newest.Ordinal < 2 {
		return ""
	}
	return fmt.Sprintf("restate game %d to %s", newest.Ordinal-1-uint32(r.IntN(2)), numbers(r, r.IntN(2) == 0))
}

func (w *World) offerCard(r *rand.Rand) string {
	switch {
	case !w.plan.card:
		return ""
	case w.cards == 0 || w.cards < 2 && r.IntN(8) == 0:
		return "card born 1990-05-05"
	}
	a := pick(r, []money.Amount{10_00, 3_334_00, 50_00, 9_999_00})
	if r.IntN(3) == 0 {
		a = -a
	}
	return fmt.Sprintf("settle T%d card %d %s", w.till(r), 1+r.IntN(w.cards), write(-a))
}

// offerVoid closes, begins, voids and opens games.
func (w *World) offerVoid(r *rand.Rand) string {
	s, _ := w.play.Engine.State().Series(1)
	waits := s.Unsettled()
	if len(waits) == 0 {
		if newest := s.Newest(); newest == nil || newest.Phase != state.PhaseOpen {
			return "open"
		}
		return "close"
	}
	g := waits[0]
	switch r.IntN(5) {
	case 0:
		return "open"
	case 1:
		return fmt.Sprintf("begin game %d with 1 2 %d", g.Ordinal, 11+r.IntN(20))
	case 2:
		return fmt.Sprintf("void game %d with no further game", g.Ordinal)
	case 3:
		return "draw " + numbers(r, true)
	}
	return fmt.Sprintf("void game %d", g.Ordinal)
}

func (w *World) thing(r *rand.Rand) string {
	if len(w.papers) > 0 && r.IntN(3) == 0 {
		return recent(r, w.papers)
	}
	if len(w.tickets) == 0 {
		return ""
	}
	return recent(r, w.tickets)
}

func (w *World) offerStop(r *rand.Rand) string {
	name := w.thing(r)
	switch {
	case name == "":
		return ""
	case w.frozen[name] && r.IntN(2) == 0:
		return "release " + name
	case w.out[name] && r.IntN(2) == 0:
		return "reinstate " + name
	case r.IntN(4) == 0 && name[0] == 'A':
		return "disqualify " + name + " by " + pick(r,
			[]string{"operative", "operative inspector", "supervisor", "inspector supervisor"})
	}
	return "freeze " + name
}

func (w *World) offerSheet(r *rand.Rand) string {
	if len(w.tickets) == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s at T%d", pick(r, []string{"reprint", "undelivered", "undelivered", "replace", "undo"}),
		recent(r, w.tickets), w.till(r))
}

// offerClaim takes a claim one step further, or lodges one.
func (w *World) offerClaim(r *rand.Rand) string {
	if w.claims == 0 || r.IntN(3) == 0 {
		name := w.thing(r)
		if name == "" {
			return ""
		}
		line := "claim " + name + " " + pick(r, w.plan.reasons)
		if r.IntN(2) == 0 {
			line += " with the original"
		}
		if r.IntN(6) == 0 {
			line += " by another"
		}
		return line
	}
	n := 1 + r.IntN(w.claims)
	switch r.IntN(4) {
	case 0:
		return fmt.Sprintf("sign %d as %s", n, pick(r, w.plan.parties))
	case 1:
		return fmt.Sprintf("decide %d %s", n, pick(r, []string{"allowed", "allowed", "refused"}))
	}
	line := fmt.Sprintf("settle-claim %d by %s", n,
		pick(r, []string{"cheque", "cheque", "cash", "transfer", "site_cheque"}))
	if strings.HasSuffix(line, "cash") {
		line += " at venue 1"
	}
	return line
}

func (w *World) offerLimit(r *rand.Rand) string {
	return fmt.Sprintf("limit venue %d %s", 1+r.IntN(2), pick(r, []string{"300.00", "500.00", "1000.00", "5000.00"}))
}

func (w *World) offerDay(r *rand.Rand) string {
	s, _ := w.play.Engine.State().Series(1)
	if r.IntN(3) == 0 {
		return "end " + numbers(r, true)
	}
	to, err := s.Day.AddDays(pick(r, w.plan.days))
	if err != nil {
		return ""
	}
	if r.IntN(8) == 0 {
		return "ahead " + to.String()
	}
	return "day " + to.String()
}

// offerPromotion offers a prize on top of what the schedule gives, or changes such an offer.
func (w *World) offerPromotion(r *rand.Rand) string {
	if !w.plan.promotes {
		return ""
	}
	if r.IntN(3) == 0 {
		return "promotion 1 " + pick(r, []string{"paused", "on", "ended"})
	}
	s, _ := w.play.Engine.State().Series(1)
	newest := s.Newest()
	if newest == nil {
		return ""
	}
	bet, _, _ := strings.Cut(w.plan.bets[0].text, " ")
	return fmt.Sprintf("promote %s %s for %s from game %d", bet, pick(r, []string{"1 of 1", "3 of 3", "0 of 1"}),
		pick(r, []string{"9.00", "300.00", "9999.00"}), int(newest.Ordinal)+2+r.IntN(2))
}

// offerShut shuts a terminal out, has its session unwound, or gives it another key.
func (w *World) offerShut(r *rand.Rand) string {
	t := w.till(r)
	if !w.play.Engine.State().ShutOut(t) {
		if !w.open(t) {
			return ""
		}
		return fmt.Sprintf("terminal %d shut", t)
	}
	if w.open(t) && r.IntN(3) > 0 {
		owed := max(0, w.unwinds(t))
		return fmt.Sprintf("terminal %d unwound %s", t,
			write(pick(r, []money.Amount{owed, owed, 0, owed / 2, owed + 1})))
	}
	return fmt.Sprintf("terminal %d keyed", t)
}

// unwinds returns what the customer owes at a terminal if nothing that tickets brought pays for it.
func (w *World) unwinds(t uint32) money.Amount {
	owed := w.owed(t)
	for _, held := range w.play.Engine.State().Withholding(t) {
		owed += held.Cents
	}
	return owed
}

func (w *World) offerForfeit(r *rand.Rand) string {
	if len(w.tickets) == 0 {
		return ""
	}
	if r.IntN(2) == 0 {
		return "invalidate " + recent(r, w.tickets)
	}
	return fmt.Sprintf("forfeit %s at T%d", recent(r, w.tickets), w.till(r))
}
