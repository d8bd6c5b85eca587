package public

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/games/beacon"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// chainBeacon is a beacon that is part of draws from a day on, or none from that day on.
type chainBeacon struct {
	from  string
	chain beacon.Chain
}

// chainRound is what a chain keeps of a game of whose draw a round is part.
type chainRound struct {
	beacon   beacon.Chain
	round    uint64 // 0 without a beacon
	sealedAt uint64 // number of the entry with the seal
	// musts are the names of those without whom the game is not drawn, and cosigners of all who cosign. inTime says that
	// they have cosigned the log with the seal before anybody could know the round, and signature is that of the round
	// once it is there.
	musts     []string
	cosigners []string
	inTime    bool
	signature []byte
}

// namesOf returns the names of verifier keys.
func namesOf(keys []string) (names []string) {
	for _, key := range keys {
		name, _, _ := strings.Cut(key, "+")
		names = append(names, name)
	}
	return names
}

// chooseBeacon takes in which beacon is part of draws from a day on.
func (s *chainSeries) chooseBeacon(e *Entry) *Finding {
	b := chainBeacon{from: e.Text("from")}
	if b.from <= s.newest {
		return found(RoundLate, "a beacon is chosen for %s, of which games have opened", b.from)
	}
	var err error
	if b.chain, _, err = BeaconOf(e); err != nil {
		return found(RoundWrong, "%v", err)
	}
	s.beacons = append(slices.DeleteFunc(s.beacons, func(known chainBeacon) bool { return known.from >= b.from }), b)
	return nil
}

// BeaconOf returns the beacon that an entry of the kind [Beacon] chooses, and whether it chooses one.
func BeaconOf(e *Entry) (chain beacon.Chain, exists bool, err error) {
	keys := e.Texts("key")
	if len(keys) == 0 {
		return beacon.Chain{}, false, nil
	}
	chain = beacon.Chain{Hash: e.Hashes("chain")[0], Genesis: int64(e.Uint("genesis")), //nolint:gosec // Read: at most 63 bits.
		Period: uint32(min(e.Uint("period"), beacon.LongestPeriod+1))} //nolint:gosec // Bounded.
	if key := e.Digits("key"); len(keys) > 1 || len(key) != beacon.KeyBytes || copy(chain.Key[:], key) == 0 {
		return chain, true, fmt.Errorf("the key of a beacon has not %d bytes", beacon.KeyBytes)
	}
	return chain, true, chain.Check()
}

// beaconOn returns the beacon that is part of draws on a day, and forgets those before it.
func (s *chainSeries) beaconOn(day string) beacon.Chain {
	for len(s.beacons) > 1 && s.beacons[1].from <= day {
		s.beacons = s.beacons[1:]
	}
	if len(s.beacons) == 0 || s.beacons[0].from > day {
		return beacon.Chain{}
	}
	return s.beacons[0].chain
}

// opens holds the round that a game states as it opens against the one that follows from its close.
func (g *chainGame) opens(s *chainSeries, name journal.Game, e *Entry) *Finding {
	chain, want := s.beaconOn(name.Day), uint64(0)
	if s.device == witnessedDevice && chain.Exists() {
		round, err := chain.RoundFor(int64(e.Uint("closes"))) //nolint:gosec // Read: at most 63 bits.
		if err != nil {
			return found(RoundWrong, "%v: %v", name, err)
		}
		want = round
	}
	stated, due := e.Texts("round"), []string{}
	if want > 0 {
		due = append(due, fmt.Sprint(want))
	}
	if !slices.Equal(stated, due) {
		return found(RoundWrong, "%v opens with %s, and by its close it has %s", name, roundWords(stated), roundWords(due))
	}
	if want == 0 {
		return nil
	}
	g.beacon, g.round = chain, want
	if at := chain.At(want); int64(e.Millis) >= at { //nolint:gosec // Read: at most 63 bits.
		return found(RoundLate, "%v opens when its round %d is known", name, want)
	}
	return nil
}

// roundWords names the rounds that a game states.
func roundWords(rounds []string) string {
	if len(rounds) == 0 {
		return "no round"
	}
	return "round " + strings.Join(rounds, " and round ")
}

// witnessedDevice is the device of whose draws links and rounds are part.
const witnessedDevice = "witnessed"

// deadline returns the last second in which the seal of a game may be cosigned.
func (g *chainRound) deadline() int64 { return (g.beacon.At(g.round) - beacon.Margin) / 1000 }

// late says why a checkpoint does not show that the seal of a game was cosigned in time, or "": everybody without whom
// the game is not drawn has cosigned by then or, where there is nobody of those, everybody who has cosigned.
func (g *chainRound) late(checkpoint []byte) string {
	names, found := g.musts, false
	if len(names) == 0 {
		names = g.cosigners
	}
	for _, name := range names {
		at, ok := journal.CosignedAt(checkpoint, name)
		switch {
		case ok && at > g.deadline():
			return fmt.Sprintf("%s cosigned at %d", name, at)
		case !ok && len(g.musts) > 0:
			return name + " has not cosigned"
		}
		found = found || ok
	}
	if !found {
		return "nobody has cosigned"
	}
	return ""
}

// showsInTime reports whether a checkpoint of so many entries shows that the seal of a game with a round was cosigned
// in time, by everybody without whom the game is not drawn and by enough of those whom the reader asks for.
func (g *chainGame) showsInTime(entries uint64, checkpoint []byte, enough func(checkpoint []byte) bool) bool {
	return g.round > 0 && g.seal != nil && g.sealedAt < entries && g.late(checkpoint) == "" &&
		enough(journal.CosignedBy(checkpoint, g.deadline()))
}

// ShowsInTime reports whether a checkpoint, whose cosignatures the reader has verified, shows that a game of a round
// was sealed in time.
func (c *Chain) ShowsInTime(name journal.Game, entries uint64, checkpoint []byte,
	enough func(checkpoint []byte) bool) bool {
	s := c.series[name.Series]
	return s != nil && s.games[name] != nil && s.games[name].showsInTime(entries, checkpoint, enough)
}

// Cosigned takes in a checkpoint of so many entries, whose cosignatures the reader has verified. Enough reports whether
// a part of its cosignatures is enough for the reader. A game whose seal was cosigned by those, before anybody could
// know its round, can no longer be declared void.
func (c *Chain) Cosigned(entries uint64, checkpoint []byte, enough func(checkpoint []byte) bool) {
	for _, s := range c.series {
		for _, g := range s.games {
			g.inTime = g.inTime || g.showsInTime(entries, checkpoint, enough)
		}
	}
}

// Deadline returns the last second since 1970 UTC in which the seal of a game may be cosigned; it reports false for a
// game without a round.
func (c *Chain) Deadline(name journal.Game) (seconds int64, ok bool) {
	s := c.series[name.Series]
	if s == nil || s.games[name] == nil || s.games[name].round == 0 {
		return 0, false
	}
	return s.games[name].deadline(), true
}

// takeRound takes in the round of a game, which proves itself, with the checkpoint that was cosigned before it.
func (c *Chain) takeRound(g *chainGame, name journal.Game, e *Entry) *Finding {
	number, signature, note := e.Uint("round"), e.Digits("signature"), e.Note("checkpoint")
	switch {
	case g.round == 0 || number != g.round:
		return found(RoundWrong, "round %d is given for %v, which has round %d", number, name, g.round)
	case g.seal == nil:
		return found(OutOfOrder, "the round of %v comes before its seal", name)
	case g.signature != nil:
		return found(OutOfOrder, "the round of %v is given twice", name)
	}
	if err := g.beacon.CheckRound(number, signature); err != nil {
		return found(RoundWrong, "the round of %v: %v", name, err)
	}
	verifier, err := journal.ParseVerifier(c.body.Key)
	if err != nil {
		return found(RoundLate, "%v", err)
	}
	at, _, err := journal.OpenCheckpoint(note, verifier)
	switch {
	case err != nil:
		return found(RoundLate, "%v is drawn by a checkpoint that does not show its seal: %v", name, err)
	case at.Origin != c.body.Origin || at.Size <= g.sealedAt || at.Size >= c.size:
		return found(RoundLate, "%v is drawn by a checkpoint that does not show its seal, which is entry %d of %s: %v", name,
			g.sealedAt, c.body.Origin, at)
	}
	if why := g.late(note); why != "" {
		return found(RoundLate, "the seal of %v was not cosigned by %d, and then its round could be known: %s", name,
			g.deadline(), why)
	}
	g.inTime, g.signature = true, signature
	return nil
}

// part returns the round that is part of the draw, and whether it is missing.
func (g *chainRound) part() (round draw.Round, missing bool) {
	if g.round == 0 {
		return draw.Round{}, false
	}
	return draw.Round{Beacon: g.beacon.Name(), Number: g.round, Signature: g.signature}, g.signature == nil
}

// endWithout takes in that a game with a round ends without a result: its seal was not cosigned in time, or its round
// does not exist after days.
func (g *chainGame) endWithout(name journal.Game, e *Entry) *Finding {
	gone := int64(e.Millis) >= g.beacon.At(g.round)+beacon.Patience //nolint:gosec // Read: at most 63 bits.
	switch {
	case len(g.results) > 0 || g.signature != nil:
		return found(VoidInTime, "%v is void, and its round is known", name)
	case g.inTime && !gone:
		return found(VoidInTime, "%v is void, and its seal was cosigned before its round", name)
	case len(g.links) > 0 && !gone:
		return found(VoidLate, "%v is void, and %d links of it are known", name, len(g.links))
	}
	g.void = true
	return nil
}
