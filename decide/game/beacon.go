package game

import (
	"fmt"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/beacon"
	"drawhouse/games/draw"
	"drawhouse/journal/record"
)

// The codes about beacons.
const (
	BeaconWrong       refusal.Code = "beacon_wrong"       // no draw could follow it
	BeaconKnown       refusal.Code = "beacon_known"       // it is part of draws from that day on already
	BeaconUnwitnessed refusal.Code = "beacon_unwitnessed" // nobody cosigns, so that no draw could be valid
	RoundMissing      refusal.Code = "round_missing"      // the round of the game is not there
	RoundOther        refusal.Code = "round_does_not_fit" // it is no round for which a game waits, or not its signature
	RoundInTime       refusal.Code = "round_in_time"      // the seal was cosigned in time, or still can be
	RoundAwaited      refusal.Code = "round_awaited"      // the game waits for its round
)

// ChooseBeacon says of which beacon a round is part of the draws from a Keno Day on that has not opened.
func ChooseBeacon(s *state.State, c record.BeaconChosen, now record.Time) (*record.BeaconChosen, error) {
	series, err := seriesOf(s, c.Series)
	if err != nil {
		return nil, err
	}
	if c.From <= series.Day {
		return nil, &refusal.Refusal{Code: DayIsPast, Path: "from_day",
			Sentence: fmt.Sprintf("Keno Day %v has opened; a beacon is part of draws from a later day on.", series.Day)}
	}
	chain := state.ChainOf(&c)
	if chain == series.BeaconOn(c.From) {
		return nil, &refusal.Refusal{Code: BeaconKnown, Path: "chain",
			Sentence: fmt.Sprintf("This is what stands for Keno Day %v already.", c.From)}
	}
	if len(c.Key) == 0 {
		return &c, nil
	}
	if err := checkAllowed(series.Book, record.DeviceWitnessed); err != nil {
		return nil, err
	}
	if err := chain.Check(); err != nil {
		return nil, &refusal.Refusal{Code: BeaconWrong, Path: "chain", Sentence: fmt.Sprintf("No draw could follow it: %v.", err)}
	}
	if c.Genesis > now {
		return nil, &refusal.Refusal{Code: BeaconWrong, Path: "genesis_seconds",
			Sentence: "The beacon has not begun: round 1 lies ahead."}
	}
	return &c, nil
}

// checkBeacon refuses a game whose draw could never be valid: there is no public log, or nobody cosigns it.
func checkBeacon(s *state.State, series *state.Series, custodians []record.Custodian) error {
	if !series.BeaconOn(series.Day).Exists() {
		if len(custodians) == 0 {
			return &refusal.Refusal{Code: CustodiansTooFew, Path: "device",
				Sentence: fmt.Sprintf("No custodians draw, and no beacon is part of draws on %v.", series.Day)}
		}
		return nil
	}
	if origin, _ := s.PublicLog(); origin != "" && len(s.Witnesses()) > 0 {
		return nil
	}
	return &refusal.Refusal{Code: BeaconUnwitnessed, Path: "device",
		Sentence: "A draw with a beacon needs a public log and a witness who cosigns it: nobody else can show that the seal came first."}
}

// roundOf returns the round of a game that opens, or 0 if no beacon is part of its draw.
func roundOf(series *state.Series, closes record.Time) (uint64, error) {
	device, _ := series.Device()
	chain := series.BeaconOn(series.Day)
	if device != record.DeviceWitnessed || !chain.Exists() {
		return 0, nil
	}
	round, err := chain.RoundFor(int64(closes))
	if err != nil {
		return 0, &refusal.Refusal{Code: BeaconWrong, Path: "closes", Sentence: fmt.Sprintf("The game has no round: %v.", err)}
	}
	return round, nil
}

// Round takes the round of the beacon for the game that waits for it. Anybody may bring it: it proves itself. It
// returns nil if it was taken before.
func Round(s *state.State, series uint8, number uint64, signature []byte) (*record.RoundGiven, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, err
	}
	for _, g := range current.Unsettled() {
		if g.Round != number || g.Phase != state.PhaseSealed {
			continue
		}
		if err := current.Beacon(g).CheckRound(number, signature); err != nil {
			return nil, &refusal.Refusal{Code: RoundOther, Path: "signature", Sentence: fmt.Sprintf("It is not the round: %v.", err)}
		}
		if !g.Quorate {
			return nil, &refusal.Refusal{Code: NotWitnessed, Path: "round",
				Sentence: fmt.Sprintf("The journal does not show yet that the seal of game %d was cosigned in time.", g.Ref.Number)}
		}
		if len(g.Signature) > 0 {
			return nil, nil
		}
		return &record.RoundGiven{Game: g.Ref, Round: number, Signature: signature, Checkpoint: g.InTime}, nil
	}
	return nil, &refusal.Refusal{Code: RoundOther, Path: "round",
		Sentence: fmt.Sprintf("No game of the series waits for round %d.", number)}
}

// lateReason is what a game is declared void for whose seal was not cosigned in time.
const lateReason = "The seal was not cosigned before the round of the beacon could be known."

// VoidLate ends a game whose seal was not cosigned in time. That follows from the cosignatures, was decided before
// anybody could know the round, and takes nobody's consent.
func VoidLate(s *state.State, series uint8, ordinal uint32, now record.Time) (Voided, error) {
	current, g, err := underDraw(s, series, ordinal)
	if err != nil {
		return Voided{}, err
	}
	if !IsLate(current, g, now) {
		return Voided{}, &refusal.Refusal{Code: RoundInTime, Path: "game",
			Sentence: fmt.Sprintf("The seal of game %d was cosigned in time, or still can be.", g.Ref.Number)}
	}
	return endGame(s, current, g, Void{Reason: lateReason})
}

// IsLate reports whether a sealed game can never be drawn, because the time of its round has come and its seal was not
// cosigned in time. Cosignatures that were made in time have had a while to arrive.
func IsLate(series *state.Series, g *state.Game, now record.Time) bool {
	return g.Round > 0 && !g.Quorate && g.Phase == state.PhaseSealed && int64(now) >= series.Beacon(g).At(g.Round)
}

// roundGone reports whether a game has waited for its round as long as it must.
func roundGone(series *state.Series, g *state.Game, now record.Time) bool {
	return g.Round > 0 && len(g.Signature) == 0 && int64(now) >= series.Beacon(g).At(g.Round)+beacon.Patience
}

// findNoRound records that an inspector found that the round of a game does not exist. Only then may two persons end
// the game.
func findNoRound(series *state.Series, g *state.Game, i record.DrawInspected, now record.Time) (*record.DrawInspected,
	error) {
	if i.Agrees || g.Round == 0 || !roundGone(series, g, now) {
		return nil, &refusal.Refusal{Code: RoundAwaited, Path: "game",
			Sentence: fmt.Sprintf("Game %d waits. A round of a beacon is found missing once it is three days late, by a draw that does not agree.",
				g.Ref.Number)}
	}
	i.Game, i.Revision = g.Ref, 0
	return &i, checkFinding(i.Finding)
}

// Part returns what a beacon gives to the draw of a game: nothing if none is part of it.
func Part(series *state.Series, g *state.Game) (round draw.Round, missing bool) {
	if g.Round == 0 {
		return draw.Round{}, false
	}
	return draw.Round{Beacon: series.Beacon(g).Name(), Number: g.Round, Signature: g.Signature}, len(g.Signature) == 0
}
