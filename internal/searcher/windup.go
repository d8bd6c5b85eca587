package searcher

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/internal/honest"
	"drawhouse/journal/record"
)

// WindUp brings the house to an end as an operator and its players would who want nothing
// but their money: sessions end, stops are lifted, claims are decided and paid, games are
// played, tickets and receipts are paid, and cards are emptied. What the honest book still
// has for somebody then is money that nobody can fetch.
func (w *World) WindUp() {
	if w.play.Room() != nil {
		w.windUpRoom()
		return
	}
	w.unwindAll()
	w.endAll()
	for _, name := range append(append([]string{}, w.tickets...), w.papers...) {
		if w.stopped(name) {
			late := ""
			if debt, ok := w.play.Engine.State().Debt(w.place(name)); ok {
				late = " paid " + write(debt.Cents) // A player who wants the money pays for the ticket first.
			}
			_, _ = w.Do("release " + name + late)
			_, _ = w.Do("reinstate " + name)
		}
	}
	for n := 1; n <= w.cards; n++ {
		if card, ok := w.play.Engine.State().Card(uint32(n)); ok {
			_ = w.play.Release([]record.Place{card.Place}, "paid after all", 0)
		}
	}
	w.payClaims()
	w.deliver()
	w.playOut()
	for _, name := range w.tickets {
		w.fetch(name)
	}
	w.payClaims() // of what came too late for a venue
	for _, name := range append([]string{}, w.papers...) {
		w.fetchPaper(name)
	}
	for n := 1; n <= w.cards; n++ {
		if card, ok := w.play.Engine.State().Card(uint32(n)); ok && card.Cents > 0 {
			w.any("", fmt.Sprintf("settle T1 card %d %s", n, write(card.Cents)),
				fmt.Sprintf("settle T3 card %d %s", n, write(card.Cents)))
		}
	}
	w.strand([]honest.Way{
		{From: honest.HeldVoucher, To: honest.Stake},
		{From: honest.HeldStopped}, // What stays frozen is found below; a disqualified entry wins nothing.
	})
	for _, name := range append(append([]string{}, w.tickets...), w.papers...) {
		if stop, ok := w.play.Engine.State().Stopped(w.place(name)); ok && stop.Frozen {
			w.tell.found = append(w.tell.found, Finding{honest.StrandedMoney, "", name + " stays frozen" + w.why()})
		}
	}
}

// mostTills is how many terminals a house has at most.
const mostTills = 4

// unwindAll has every session ended at a terminal that was shut out, and gives it another key.
func (w *World) unwindAll() {
	for t := uint32(1); t <= mostTills; t++ {
		if !w.play.Engine.State().ShutOut(t) {
			continue
		}
		if w.open(t) {
			if taken, err := w.Do(fmt.Sprintf("terminal %d unwound %s", t, write(max(0, w.unwinds(t))))); !taken {
				w.tell.found = append(w.tell.found,
					Finding{honest.StuckSession, "",
						fmt.Sprintf("the session at T%d, which is shut out, with %v is not unwound: %v", t, w.owed(t),
							err)})
			}
		}
		_, _ = w.Do(fmt.Sprintf("terminal %d keyed", t))
	}
}

func (w *World) strand(ways []honest.Way) {
	for _, b := range w.tell.book.Stranded(ways) {
		w.tell.found = append(w.tell.found, Finding{b.Goal, b.Clause, b.What + w.why()})
	}
}

// why says what the house last refused.
func (w *World) why() string {
	if len(w.refused) == 0 {
		return ""
	}
	return "; it refused " + strings.Join(w.refused[max(0, len(w.refused)-3):], "; ")
}

func (w *World) stopped(name string) bool {
	p := w.place(name)
	stop, ok := w.play.Engine.State().Stopped(p)
	return ok && stop.Stops()
}

// any tries lines until the house takes one.
func (w *World) any(before string, lines ...string) bool {
	if before != "" {
		_, _ = w.Do(before)
	}
	for _, line := range lines {
		if taken, _ := w.Do(line); taken {
			return true
		}
	}
	return false
}

// ends are the ways to end a session.
var ends = []string{"", " payee checked", " pay cheque payee", " pay central_voucher payee checked", " pay sst_receipt",
	" pay change_receipt", " pay transfer payee", " unpaid"}

func (w *World) end(t uint32) bool {
	var lines []string
	for _, e := range ends {
		lines = append(lines, fmt.Sprintf("settle T%d%s%s", t, e, w.newPapers()))
	}
	if sold := w.soldPapers(t); len(sold) > 0 { // What the session has sold is handed back.
		lines = append(lines, fmt.Sprintf("settle T%d with %s given back payee checked%s", t, strings.Join(sold, " "),
			w.newPapers()))
	}
	return w.any("", lines...)
}

// soldPapers returns the names of papers that the session at a terminal has sold.
func (w *World) soldPapers(t uint32) (names []string) {
	terminal, _ := w.play.Engine.State().Terminal(t)
	if terminal.Open == nil {
		return nil
	}
	for _, name := range w.papers {
		if _, ok := w.play.Engine.State().Paper(w.place(name)); !ok {
			continue
		}
		if slices.ContainsFunc(terminal.Open.Issued, func(in state.InSession) bool { return in.Place == w.place(name) }) {
			names = append(names, name)
		}
	}
	return names
}

// endAll ends every session, in whatever order they can end. One that cannot end is a finding.
func (w *World) endAll() {
	for w.endSome() { // One that has ended may have left room for another.
	}
	for t := uint32(1); t <= mostTills; t++ {
		if !w.open(t) {
			continue
		}
		// Two that wait for one another end when one of them is unwound.
		_, err := w.Do(fmt.Sprintf("settle T%d payee checked", t))
		if no, ok := errors.AsType[*refusal.Refusal](err); ok && no.Code == counter.SessionOpen {
			_, _ = w.Do(fmt.Sprintf("terminal %d shut", t))
			w.unwindAll()
			for w.endSome() {
			}
			continue
		}
		w.tell.found = append(w.tell.found,
			Finding{honest.StuckSession, "", fmt.Sprintf("the session at T%d with %v does not end: %v", t, w.owed(t), err)})
	}
}

// endSome ends every session that can end, and reports whether one of them has while others are open.
func (w *World) endSome() (again bool) {
	var ended, left bool
	for t := uint32(1); t <= mostTills; t++ {
		switch {
		case !w.open(t):
		case w.endOne(t):
			ended = true
		default:
			left = true
		}
	}
	return ended && left
}

// endOne ends a session, and reports whether it has ended. A paper of the session that the operator has stopped is
// released, and handed back.
func (w *World) endOne(t uint32) bool {
	if w.end(t) || !w.open(t) {
		return true
	}
	for _, name := range w.soldPapers(t) {
		_, _ = w.Do("release " + name)
	}
	return w.end(t)
}

// playOut plays until no ticket waits for a game.
func (w *World) playOut() {
	_, _ = w.Do("resume")
	last := uint32(0)
	for _, name := range w.tickets {
		if t := w.tell.tickets[w.place(name)]; t != nil {
			last = max(last, t.first+uint32(t.games))
		}
	}
	for range 12 {
		s, _ := w.play.Engine.State().Series(1)
		switch waits := s.Unsettled(); {
		case len(waits) > 0:
			if taken, _ := w.Do("draw 6-10 31-45"); !taken {
				if taken, _ := w.Do("draw"); !taken {
					_, _ = w.Do(fmt.Sprintf("void game %d", waits[0].Ordinal))
				}
			}
			continue
		case !s.DayOpen:
			return
		}
		newest := s.Newest()
		if newest == nil || newest.Ordinal >= last {
			return
		}
		if taken, _ := w.Do("play 1 games"); !taken {
			_, _ = w.Do("open")
		}
	}
}

// fetch has the holder of a ticket ask for everything that it still brings.
func (w *World) fetch(name string) {
	for range 3 {
		if w.any("next T1", "pay "+name+" at T1", "cancel "+name+" at T1") {
			w.end(1)
			continue
		}
		_, _ = w.Do("settle T1")
		if w.any("next T3", "pay "+name+" at T3", "cancel "+name+" at T3") {
			w.end(3)
			continue
		}
		_, _ = w.Do("settle T3")
		w.any("", "claim "+name+" unreadable with the original", "claim "+name+" expired with the original")
		return
	}
}

// deliver has two persons print the tickets again that were not handed over.
func (w *World) deliver() {
	for _, name := range w.tickets {
		if w.play.Engine.State().Undelivered(w.place(name)) {
			_, _ = w.Do("replace " + name + " at T1")
		}
	}
}

// fetchPaper has the holder of a receipt ask for its money.
func (w *World) fetchPaper(name string) {
	p, ok := w.play.Engine.State().Paper(w.place(name))
	if !ok || strings.HasSuffix(p.ID, "voucher") && p.ID != "central_voucher" {
		return
	}
	n := len(w.papers)
	var lines []string
	for _, t := range []int{1, 3} {
		// A central site voucher is paid by cheque to the payee whom it names.
		for _, e := range []string{"", " payee", " payee checked", " pay cheque payee", " another payee checked"} {
			lines = append(lines, fmt.Sprintf("settle T%d with %s%s%s", t, name, e, w.newPapers()))
		}
	}
	lines = append(lines, "claim "+name+" expired with the original")
	w.any("", lines...)
	w.payClaims()
	for _, more := range w.papers[n:] {
		w.fetchPaper(more)
	}
}

// payClaims has every claim signed, decided and paid.
func (w *World) payClaims() {
	for n := 1; n <= w.claims; n++ {
		form, ok := w.play.Engine.State().ClaimForm(uint32(n))
		if !ok || !form.IsOpen() {
			continue
		}
		for _, party := range w.plan.parties {
			_, _ = w.Do(fmt.Sprintf("sign %d as %s", n, party))
		}
		_, _ = w.Do(fmt.Sprintf("decide %d allowed", n))
		w.any("", fmt.Sprintf("settle-claim %d by cheque", n), fmt.Sprintf("settle-claim %d by cash at venue 1", n),
			fmt.Sprintf("decide %d refused", n))
	}
}
