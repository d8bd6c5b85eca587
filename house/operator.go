package house

import (
	"context"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/decide/state"
	"drawhouse/journal/lane"
)

// The methods below are the operator's. What they decide lies between games, or
// ahead of them, so each runs before the sales that wait.

// Ask asks another person to consent to an act, and returns the number of the request.
func (l *Line) Ask(ctx context.Context, by uint32, act command.Act) (uint32, error) {
	before, err := l.lookBack(ctx, act)
	if err != nil {
		return 0, err
	}
	env := command.As(l.id, by)
	env.Before, env.Key = before, keyOf(ctx)
	number, err := lane.DoSoon(ctx, l.lane, func(m machine) (uint32, error) { return m.Ask(l.now(), env, act) })
	if err != nil || before == nil {
		return number, err
	}
	asked, _ := l.People().Approval(number)
	if err := l.foreseeBack(ctx, asked, before); err != nil {
		l.config.Log.Warn("what a correction would do is found when somebody looks", "request", number, "error", err)
	}
	return number, nil
}

// Foresee says what requests would do if they were done now; a correction, what it would have
// done when the journal was last read for it.
func (h *House) Foresee(ctx context.Context, requests []state.Approval) ([]engine.Prospect, error) {
	for _, asked := range requests {
		if err := h.foreseeAgain(ctx, asked); err != nil {
			return nil, err
		}
	}
	return lane.DoSoon(ctx, h.lane, func(m machine) ([]engine.Prospect, error) {
		all := make([]engine.Prospect, len(requests))
		for i, asked := range requests {
			if p, ok := h.foreseen.of(asked); ok {
				all[i] = p
				continue
			}
			var err error
			if all[i], err = m.Foresee(h.now(), command.Env{Series: h.seriesOf(asked.ApprovalRequested)},
				asked.ApprovalRequested); err != nil {
				return nil, err
			}
		}
		return all, nil
	})
}

// Operate does what a request says, once another person has consented. It stands
// between the numbers of a draw and never beside one: a draw that is declared void has
// no number after that.
func (h *House) Operate(ctx context.Context, by, approval uint32) (command.Act, error) {
	key, ctx := takeKey(ctx)
	asked, _ := h.People().Approval(approval)
	l := h.line(h.seriesOf(asked.ApprovalRequested))
	if d, offset, ok := h.dayApproved(by, approval); ok {
		if err := l.beforeDay(ctx, d, offset); err != nil {
			return nil, err
		}
	}
	before, err := h.lookBackFor(ctx, by, approval)
	if err != nil {
		return nil, err
	}
	if err := l.draws.take(ctx); err != nil {
		return nil, err
	}
	defer l.draws.give()
	env := command.As(l.id, by)
	env.Before, env.Key = before, key
	return lane.DoSoon(ctx, h.lane, func(m machine) (command.Act, error) { return m.Operate(h.now(), env, approval) })
}

// dayApproved returns the Keno Day that two persons agreed to open, before which other
// things have to be done.
func (h *House) dayApproved(by, approval uint32) (d day.Day, offset int32, ok bool) {
	asked, _ := h.People().Approval(approval)
	if !asked.Granted || asked.Used || asked.By != by || h.now() >= asked.Expires {
		return 0, 0, false
	}
	act, err := command.ReadAct(asked.Action, []byte(asked.Says))
	open, is := act.(command.OpenDay)
	if err != nil || !is {
		return 0, 0, false
	}
	d, err = day.Parse(open.Day)
	return d, open.OffsetSeconds, err == nil
}
