package verify

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/cloudflare/circl/sign/bls"

	"drawhouse/core/day"
	"drawhouse/journal/record"
)

// The rule of draws with a public beacon, in milliseconds: how long after the close of a game its round is at the
// earliest, how long before its round the seal is cosigned at the latest, and how long a game waits for its round.
const (
	roundDelay    = 6_000
	roundMargin   = 2_000
	roundPatience = 259_200_000
	// roundBytes is the length of the one form of a signature, and keyBytes that of a key.
	roundBytes = 48
	keyBytes   = 96
)

// beaconForm is the first line of what numbers are made of where a round is part of the draw.
const beaconForm = "drawhouse/witnessed/v2"

// A rounds is what a game has of a beacon; the zero value is a game without one.
type rounds struct {
	chosen    *record.BeaconChosen
	number    uint64
	at        int64  // time of the round in milliseconds
	signature []byte // once it is there
	// inTime is the first checkpoint of the public log that shows the seal cosigned in time, and meets says that one was
	// so by the policy of the inspector. gone says that an inspector found that there is no round.
	inTime []byte
	meets  bool
	gone   bool
}

// beaconOn returns the beacon that is part of the draws of a day, or nil.
func (s *series) beaconOn(d day.Day) (of *record.BeaconChosen) {
	for _, b := range s.beacons {
		if b.From <= d {
			of = b
		}
	}
	if of == nil || len(of.Key) == 0 {
		return nil
	}
	return of
}

// beaconChosen takes in which beacon is part of draws from a day on that has not opened.
func (c *checker) beaconChosen(b *record.BeaconChosen) error {
	if c.public.repeated() {
		return nil
	}
	s := c.series[b.Series]
	switch {
	case s == nil:
		return fault(CheckDraw, "a beacon is chosen for series %d, which has not begun", b.Series)
	case b.From <= s.day:
		return fault(CheckDraw, "a beacon is chosen for day %v, which has opened", b.From)
	}
	if len(b.Key) > 0 {
		if err := s.checkDevice(record.DeviceWitnessed); err != nil {
			return err
		}
		if _, err := keyOf(b); err != nil {
			return fault(CheckDraw, "the key of the beacon: %v", err)
		}
		if b.Genesis > c.now {
			return fault(CheckDraw, "a beacon is chosen of which round 1 lies ahead")
		}
	}
	kept := s.beacons[:0:0]
	for i, known := range s.beacons {
		if known.From <= s.day && (i+1 == len(s.beacons) || s.beacons[i+1].From > s.day) {
			kept = append(kept, known) // It is part of draws now.
		}
	}
	s.beacons = append(kept, b)
	return nil
}

func keyOf(b *record.BeaconChosen) (*bls.PublicKey[bls.KeyG2SigG1], error) {
	key := new(bls.PublicKey[bls.KeyG2SigG1])
	if len(b.Key) != keyBytes || b.Key[0]&0x80 == 0 {
		return nil, fmt.Errorf("it has %d bytes, or is not compressed", len(b.Key))
	}
	if err := key.UnmarshalBinary(b.Key); err != nil {
		return nil, err
	}
	if !key.Validate() {
		return nil, fmt.Errorf("it is no point of the group")
	}
	return key, nil
}

// opensRound checks the round that a game states as it opens: the first whose time is six seconds or more behind the
// close that is meant, and still ahead. A game without a beacon states none.
func (c *checker) opensRound(s *series, g *game, b *record.GameOpened) error {
	chosen := s.beaconOn(b.Game.Day)
	if g.device.kind != record.DeviceWitnessed || chosen == nil {
		if b.Round != 0 {
			return fault(CheckDraw, "it opens with round %d, and no beacon is part of its draw", b.Round)
		}
		if g.device.kind == record.DeviceWitnessed && len(g.device.custodians) == 0 {
			return fault(CheckDraw, "game %v opens, and neither custodians nor a beacon draw it", g.name)
		}
		return nil
	}
	genesis, period := int64(chosen.Genesis), int64(chosen.Period)*1000
	number, at := uint64(1), genesis
	if due := int64(b.Closes) + roundDelay; due > genesis {
		steps := (due - genesis) / period
		if (due-genesis)%period > 0 {
			steps++
		}
		number, at = uint64(steps)+1, genesis+steps*period
	}
	if b.Round != number {
		return fault(CheckDraw, "it opens with round %d, and round %d is the first six seconds behind its close", b.Round, number)
	}
	if int64(c.now) >= at {
		return fault(CheckDraw, "it opens when its round %d can be known", number)
	}
	if !c.public.begun() || c.witnessing.said() == nil {
		return fault(CheckDraw, "it opens with a round, and nobody cosigns a public log, so that its draw could never be valid")
	}
	g.round = rounds{chosen: chosen, number: number, at: at}
	return nil
}

// stampsOf returns the times of the cosignatures in a note, in seconds, by the names in their lines.
func stampsOf(note []byte) map[string]uint64 {
	stamps := map[string]uint64{}
	_, lines, _ := strings.Cut(string(note), "\n\n")
	for _, l := range strings.Split(lines, "\n") {
		words := strings.Split(l, " ")
		if len(words) != 3 {
			continue
		}
		if data, err := base64.StdEncoding.DecodeString(words[2]); err == nil && len(data) == 4+timeBytes+64 {
			stamps[words[1]] = max(stamps[words[1]], binary.BigEndian.Uint64(data[4:]))
		}
	}
	return stamps
}

// without returns a note without the cosignatures that are later than a time in seconds.
func without(note []byte, later uint64) []byte {
	body, lines, _ := strings.Cut(string(note), "\n\n")
	stamps, kept := stampsOf(note), body+"\n\n"
	for _, l := range strings.SplitAfter(lines, "\n") {
		words := strings.Split(l, " ")
		if at, ok := uint64(0), false; len(words) == 3 {
			if at, ok = stamps[words[1]]; ok && at > later {
				continue
			}
		}
		kept += l
	}
	return []byte(kept)
}

// deadline returns the last second in which the seal of a game may be cosigned.
func (r *rounds) deadline() uint64 { return uint64(r.at-roundMargin) / 1000 }

// showsInTime says why a cosigned checkpoint does not show that a game was sealed in time, or "": all its custodians
// and all witnesses that must cosign the log have cosigned by then or, where there are none of those, all who have
// cosigned.
func (c *checker) showsInTime(g *game, note []byte, by []string) string {
	names := c.witnessing.musts()
	for _, who := range g.device.custodians {
		names = append(names, who.name)
	}
	if len(names) == 0 {
		names = by
	}
	stamps := stampsOf(note)
	for _, name := range names {
		at, ok := stamps[name]
		switch {
		case !ok || !slices.Contains(by, name):
			return name + " has not cosigned"
		case at > g.round.deadline():
			return fmt.Sprintf("%s cosigned at %d", name, at)
		}
	}
	if len(names) == 0 {
		return "nobody has cosigned"
	}
	return ""
}

// cosignedInTime takes in a checkpoint of the public log for a sealed game with a round.
func (c *checker) cosignedInTime(g *game, note []byte, by []string) {
	if c.opts.Policy != nil && c.opts.Policy(without(note, g.round.deadline())) == "" {
		g.round.meets = true
	}
	if g.round.inTime == nil && c.showsInTime(g, note, by) == "" {
		g.round.inTime, g.quorate = slices.Clone(note), true
	}
}

// roundGiven checks the round of a game: that of its opening, signed by the beacon in the one form, with the checkpoint
// that shows the seal cosigned before.
func (c *checker) roundGiven(b *record.RoundGiven) error {
	_, g, err := c.at(CheckDraw, b.Game, stageSealed)
	if err != nil {
		return err
	}
	r := &g.round
	switch {
	case r.number == 0 || b.Round != r.number:
		return fault(CheckDraw, "round %d is given for game %v, and its round is %d", b.Round, g.name, r.number)
	case r.signature != nil:
		return fault(CheckDraw, "round %d is given twice for game %v", b.Round, g.name)
	case len(b.Signature) != roundBytes:
		return fault(CheckDraw, "the signature of round %d has %d bytes, and its one form has %d", b.Round, len(b.Signature),
			roundBytes)
	case r.inTime == nil:
		return fault(CheckDraw, "round %d is given for game %v, whose seal was not cosigned before it could be known", b.Round,
			g.name)
	case string(b.Checkpoint) != string(r.inTime):
		return fault(CheckDraw, "the checkpoint beside round %d is not the one that shows game %v sealed in time", b.Round,
			g.name)
	}
	key, err := keyOf(r.chosen)
	if err != nil {
		return fault(CheckDraw, "the key of the beacon: %v", err)
	}
	message := sha256.Sum256(binary.BigEndian.AppendUint64(nil, b.Round))
	if !bls.Verify(key, message[:], b.Signature) {
		return fault(CheckDraw, "what is given for game %v is not the signature of round %d", g.name, b.Round)
	}
	r.signature = b.Signature
	c.report.Rounds++
	return nil
}

// beaconLines returns what the round adds to the text that numbers are made of.
func (r *rounds) beaconLines() (form, lines string, err error) {
	if r.number == 0 {
		return numbersForm, "", nil
	}
	if r.signature == nil {
		return "", "", fmt.Errorf("round %d of the beacon is not given", r.number)
	}
	return beaconForm, fmt.Sprintf("beacon %s\nround %d\nsignature %s\n", hex.EncodeToString(r.chosen.Chain[:]), r.number,
		hex.EncodeToString(r.signature)), nil
}

// endsLate reports whether a void follows from a seal that was not cosigned before its round could be known. Nobody
// agrees to that: it was decided before.
func (c *checker) endsLate(b *record.GameVoided) bool {
	s := c.series[b.Game.Series]
	if s == nil || s.byName[b.Game] == nil {
		return false
	}
	g := s.byName[b.Game]
	return b.Approval == 0 && b.Clause == "" && g.round.number > 0 && g.round.inTime == nil && int64(c.now) >= g.round.at
}

// noRound takes in that an inspector found that the round of a game does not exist, days after its time.
func (c *checker) noRound(g *game, b *record.DrawInspected) error {
	if b.Agrees || b.Revision != 0 || g.round.signature != nil || int64(c.now) < g.round.at+roundPatience {
		return fault(CheckDraw, "game %v is said to have no round, and the game still waits for it", g.name)
	}
	if strings.TrimSpace(b.Finding) == "" {
		return fault(CheckDraw, "game %v is said to have no round, and nothing is said of what was found", g.name)
	}
	g.round.gone = true
	return nil
}

// writeBeacon writes the entry of a beacon.
func (c *checker) writeBeacon(e *entryText, b *record.BeaconChosen) {
	c.writeSeries(e, b.Series)
	e.line("from", b.From)
	e.hash("chain", b.Chain)
	if len(b.Key) > 0 {
		e.line("key", hex.EncodeToString(b.Key))
	}
	e.line("genesis", int64(b.Genesis)/1000)
	e.line("period", b.Period)
}

// writeRound writes the entry of a round.
func (c *checker) writeRound(e *entryText, b *record.RoundGiven) {
	c.writeGame(e, b.Game)
	e.line("round", b.Round)
	e.line("signature", hex.EncodeToString(b.Signature))
	e.note("checkpoint", b.Checkpoint)
}

// sameBeacon reports whether two persons agreed on a beacon.
func sameBeacon(_ *checker, b *record.BeaconChosen, a *approval) bool {
	if a.says.FromDay != b.From.String() {
		return false
	}
	if len(b.Key) == 0 {
		return a.says.Chain == "" && a.says.Key == ""
	}
	return a.says.Chain == hex.EncodeToString(b.Chain[:]) && a.says.Key == hex.EncodeToString(b.Key) &&
		a.says.Genesis == int64(b.Genesis)/1000 && a.says.Period == b.Period
}
