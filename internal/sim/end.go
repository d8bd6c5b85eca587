package sim

import (
	"math/rand/v2"
	"time"
)

// lateBy is longer than any rulebook lets a venue pay.
const lateBy = 900 * 24 * time.Hour

// end brings the simulation to its end: every answer is known, everybody claims, and
// the second opinion grades the whole journal.
func (w *world) end() error {
	if err := w.up(); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(w.plan.Seed, 5))
	for _, t := range w.terminals {
		if err := w.resolve(t, true); err != nil {
			return err
		}
	}
	if w.audit.paused {
		if err := w.resume(); err != nil {
			return err
		}
	}
	if w.plan.Late {
		// The house has stood still, and goes on from where its journal ends.
		w.clock.pass(lateBy)
		if err := w.until(w.clock.real().Add(36 * time.Hour)); err != nil {
			return err
		}
	}
	for _, p := range w.papers {
		t, err := w.free(r)
		if err != nil {
			return err
		}
		a := t.newAsk(Pay, p.place.String())
		a.paper, a.code, a.next = p, p.code, newCode(r)
		if err := w.ask(a); err != nil {
			return err
		}
	}
	for _, t := range w.terminals {
		if err := w.resolve(t, true); err != nil {
			return err
		}
	}
	if err := w.restart(); err != nil {
		return err
	}
	if err := w.checkCash(); err != nil {
		return err
	}
	return w.verify()
}
