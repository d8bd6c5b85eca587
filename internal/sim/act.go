package sim

import "math/rand/v2"

// act lets one act happen.
func (w *world) act(act Act) error {
	r := rand.New(rand.NewPCG(act.Seed, 3))
	w.figures["act: "+act.Kind.String()]++
	switch act.Kind {
	case Sell:
		return w.sell(r)
	case Pay:
		return w.pay(r)
	case Cancel:
		return w.cancel(r)
	case Look:
		return w.look(r)
	case Crowd:
		return w.crowd(r)
	case Operate:
		return w.operate(r)
	case Void:
		return w.void(r)
	case Pause:
		return w.pause(r)
	case Report:
		return w.report(r)
	}
	return w.fail(act.Kind, r)
}
