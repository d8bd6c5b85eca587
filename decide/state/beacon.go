package state

import (
	"slices"

	"drawhouse/core/day"
	"drawhouse/games/beacon"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// Beacons returns which beacons were chosen that are part of draws now or will be, ascending by their first days. The
// caller must not change them.
func (s *Series) Beacons() []record.BeaconChosen { return s.devices.beacons }

// BeaconOn returns the beacon that is part of witnessed draws on a Keno Day; none where there is none.
func (s *Series) BeaconOn(d day.Day) (of beacon.Chain) {
	for i := range s.devices.beacons {
		if b := &s.devices.beacons[i]; b.From <= d {
			of = ChainOf(b)
		}
	}
	return of
}

// ChainOf returns the chain of a record that chose a beacon; none of one that ended it.
func ChainOf(b *record.BeaconChosen) (c beacon.Chain) {
	c = beacon.Chain{Hash: b.Chain, Genesis: int64(b.Genesis) / 1000, Period: b.Period}
	copy(c.Key[:], b.Key)
	return c
}

// Beacon returns the chain of which a round is part of the draw of the game; none where no beacon is. A Keno Day does
// not change its beacon, and all games of a day are over before the next day opens.
func (s *Series) Beacon(g *Game) beacon.Chain {
	if g.Round == 0 {
		return beacon.Chain{}
	}
	return s.BeaconOn(g.Ref.Day)
}

// chooseBeacon takes in which beacon is part of draws from a day to come. What stands already may be said again, where
// a public log begins.
func (s *State) chooseBeacon(b *record.BeaconChosen) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("a beacon for series %d", b.Series)
	}
	same := func(known record.BeaconChosen) bool { return known.From == b.From && ChainOf(&known) == ChainOf(b) }
	if slices.ContainsFunc(series.devices.beacons, same) {
		return nil
	}
	if b.From <= series.Day {
		return cannot("a beacon for Keno Day %v, which has opened", b.From)
	}
	series.devices.beacons = slices.DeleteFunc(slices.Clone(series.devices.beacons),
		func(known record.BeaconChosen) bool { return known.From > series.Day })
	series.devices.beacons = append(series.devices.beacons, *b)
	return nil
}

// dropBeacons forgets beacons that are part of no draw any more.
func (s *Series) dropBeacons() {
	for len(s.devices.beacons) > 1 && s.devices.beacons[1].From <= s.Day {
		s.devices.beacons = slices.Clone(s.devices.beacons[1:])
	}
}

// giveRound takes the round of a game. That the signature holds is for the decision.
func (s *State) giveRound(b *record.RoundGiven) error {
	_, game, err := s.gameIn(b.Game, PhaseSealed)
	if err != nil {
		return err
	}
	if game.Round == 0 || b.Round != game.Round || !game.Quorate || len(game.Signature) > 0 {
		return cannot("round %d for game %v, whose draw has round %d", b.Round, b.Game, game.Round)
	}
	game.Signature = b.Signature
	return nil
}

// inTime reports whether a cosigned checkpoint of the public log shows that a game with a round was sealed in time:
// everybody without whom nothing is drawn has cosigned its seal before anybody could know the round. Where nobody is
// required, that holds for everybody who has cosigned.
func (s *State) inTime(series *Series, g *Game, note []byte, by []string) bool {
	deadline := (series.Beacon(g).At(g.Round) - beacon.Margin) / 1000
	names := s.musts(g)
	if len(names) == 0 {
		names = by
	}
	for _, name := range names {
		at, ok := journal.CosignedAt(note, name)
		if !ok || at > deadline || !slices.Contains(by, name) {
			return false
		}
	}
	return len(names) > 0
}

// musts returns the names of those without whom a game of keno is not drawn: its custodians, and the witnesses that the
// house requires, for all or for the public log.
func (s *State) musts(g *Game) (names []string) {
	for _, c := range g.Custodians {
		names = append(names, c.Name)
	}
	for _, w := range s.witnesses {
		if (w.Required || slices.Contains(s.logs, w.Name)) && !slices.Contains(names, w.Name) {
			names = append(names, w.Name)
		}
	}
	return names
}
