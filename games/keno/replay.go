package keno

import "drawhouse/core/figure"

// replay returns req with the bets of the old ticket in the place of those that
// refer to it. A replay is an entry of its own: it takes over the particulars
// and whatever is not changed, but not how they once came about, so that its
// bets are neither picked nor items.
//
//rule:vic-keno-2015 2(a).replay
func (r *resolver) replay(req Request) (Request, *Refusal) {
	if req.Replay == "" {
		return req, nil
	}
	old := r.in.Old
	switch {
	case old == nil:
		return Request{}, refuse(ReplayUnknown, "", "replay", "There is no ticket %s to replay.", req.Replay)
	case old.Rulebook != req.Rulebook:
		return Request{}, refuse(ReplayUnknown, "", "replay", "Ticket %s was sold under %s.", req.Replay, old.Rulebook)
	}
	if req.Games == 0 {
		req.Games = old.Games
	}
	if len(req.Bets) == 0 {
		req.Bets = make([]BetRequest, len(old.Bets))
		for i := range old.Bets {
			req.Bets[i] = again(&old.Bets[i])
		}
		return req, nil
	}
	bets := make([]BetRequest, len(req.Bets))
	for i := range req.Bets {
		bet, refused := req.Bets[i].changing(old)
		if refused != nil {
			return Request{}, refused.Below("bets" + index(i))
		}
		bets[i] = bet
	}
	req.Bets = bets
	return req, nil
}

// again returns the request for an old bet.
func again(old *Bet) BetRequest {
	b := BetRequest{Bet: *old}
	b.Picked, b.Item = PickedNot, ItemRef{}
	return b
}

// changing returns the bet that b asks for: itself, or the old bet that it names
// with its own fields in the place of the old ones.
func (b BetRequest) changing(old *Ticket) (BetRequest, *Refusal) {
	switch {
	case b.Replay == 0:
		return b, nil
	case b.Replay > len(old.Bets):
		return BetRequest{}, refuse(ReplayUnknown, "", "replay",
			"The old ticket has %s, not %d.", figure.Count(len(old.Bets), "bet"), b.Replay)
	}
	changed := again(&old.Bets[b.Replay-1])
	if b.Bet.Bet != "" {
		changed.Bet.Bet = b.Bet.Bet
	}
	if b.Stake != 0 {
		changed.Stake = b.Stake
	}
	if b.With.Any() || b.says&saidWith != 0 {
		changed.With = b.With
	}
	if b.Run || b.says&saidRun != 0 {
		changed.Run = b.Run
	}
	if b.Type != "" {
		changed.Type = b.Type
	}
	changed.reshape(&b)
	return changed, checkBet(&changed, false)
}

// reshape gives b the numbers, calls or rows of change, if it has any, and its
// play.
func (b *BetRequest) reshape(change *BetRequest) {
	if shape := change.wants(); shape != ShapeNone {
		if shape != ShapeGroups {
			b.Play = Play{}
		}
		b.Spots, b.Groups, b.Calls, b.Places = change.Spots, change.Groups, change.Calls, change.Places
		b.Pick = change.Pick
	}
	if change.Play.Kind != PlayNone {
		b.Play = change.Play
	}
}
