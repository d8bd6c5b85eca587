package command

import (
	"encoding/hex"
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/games/beacon"
	"drawhouse/journal/record"
)

func init() {
	register[ChooseBeacon](act("operator", "choose_beacon", "choose-beacon", "/v1/operator/beacons",
		"Ask for a public beacon to be part of the witnessed draws from a Keno Day on, or no longer",
		"beacon_known beacon_wrong day_is_past device_not_allowed"))
}

// ChooseBeacon says of which beacon a round is part of witnessed draws.
type ChooseBeacon struct {
	From    string `json:"from_day" of:"day" doc:"First Keno Day on which it is part of draws. It has not opened."`
	Chain   string `json:"chain,omitempty" doc:"Hash of the chain, 64 hexadecimal digits; absent for no beacon from that day on."`
	Key     string `json:"key,omitempty" doc:"Public key of the chain on G2, 192 hexadecimal digits."`
	Genesis int64  `json:"genesis_seconds,omitempty" doc:"Time of round 1, in seconds since 1970 UTC."`
	Period  uint32 `json:"period_seconds,omitempty" doc:"Time between two rounds, in seconds."`
}

// without reports whether draws are to go without a beacon.
func (c ChooseBeacon) without() bool { return c == ChooseBeacon{From: c.From} }

// Words implements Act.
func (c ChooseBeacon) Words() string {
	if c.without() {
		return fmt.Sprintf("Draw without a beacon from Keno Day %s on.", c.From)
	}
	return fmt.Sprintf("Make a round of the beacon %s part of every witnessed draw from Keno Day %s on: key %s, round 1 at %d seconds since 1970, a round every %d seconds.", c.Chain, c.From, c.Key, c.Genesis, c.Period)
}

// Decide implements Command.
func (c ChooseBeacon) Decide(s *state.State, e *Env) (Decision, error) {
	from, err := day.Parse(c.From)
	if err != nil {
		return Decision{}, &refusal.Refusal{Code: game.BeaconWrong, Path: "from_day",
			Sentence: "A Keno Day is a date such as 2026-11-15."}
	}
	chosen := record.BeaconChosen{Series: e.Series, From: from, Period: c.Period}
	if c.without() {
		return plain(game.ChooseBeacon(s, chosen, e.Now))
	}
	chain, err := hex.DecodeString(c.Chain)
	if err != nil || len(chain) != len(chosen.Chain) {
		return Decision{}, &refusal.Refusal{Code: game.BeaconWrong, Path: "chain",
			Sentence: "A chain is named by its hash, 64 hexadecimal digits."}
	}
	chosen.Chain = record.Hash(chain)
	if chosen.Key, err = hex.DecodeString(c.Key); err != nil || len(chosen.Key) != beacon.KeyBytes {
		return Decision{}, &refusal.Refusal{Code: game.BeaconWrong, Path: "key",
			Sentence: fmt.Sprintf("The key of a chain has %d hexadecimal digits.", 2*beacon.KeyBytes)}
	}
	if c.Genesis < 1 || c.Genesis > int64(record.MaxTime)/1000 {
		return Decision{}, &refusal.Refusal{Code: game.BeaconWrong, Path: "genesis_seconds",
			Sentence: "Round 1 has a time in seconds since 1970."}
	}
	chosen.Genesis = record.Time(c.Genesis * 1000)
	return plain(game.ChooseBeacon(s, chosen, e.Now))
}
