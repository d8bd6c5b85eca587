package watch_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/policy"
	"drawhouse/check/watch"
	"drawhouse/games/draw"
	"drawhouse/internal/beacontest"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// The beacon of these tests has round 1 at second 1. A game that closes at second 5 has round 5, at second 13, so that
// its seal is cosigned by second 11.
const (
	roundOfGame = 5
	inTime      = 11
	lateBy      = 12
)

var others = []string{"w1.example", "w2.example"}

// newBeaconAuthor returns an author whose log tells of a game that a beacon draws alone, and two witnesses who must
// cosign.
func newBeaconAuthor(t *testing.T) (*author, *beacontest.Beacon) {
	t.Helper()
	a, b := newAuthor(t), beacontest.New(1, 3)
	a.tellers = []func(*author){begins, cosigners, chooses2(b, day), opensWith(fmt.Sprint(roundOfGame)), seals(1),
		rounds(b, roundOfGame, inTime), drawnWith(b), settles(1), endsDay("2")}
	return a, b
}

// Places of what the log of a beacon tells.
const (
	atBeacon = 2
	atOpened = 3
	atSealed = 4
	atRound  = 5
	atDrawn  = 6
)

func cosigners(a *author) {
	var lines []string
	for _, name := range others {
		lines = append(lines, "required "+a.cosigner(name).String())
	}
	a.say(public.Witnesses, lines...)
}

func chooses2(b *beacontest.Beacon, from string) func(*author) {
	return func(a *author) {
		a.say(public.Device, "series "+series, "device witnessed")
		a.say(public.Beacon, "series "+series, "from "+from, "chain "+journal.Hash(b.Hash).String(),
			"key "+hex.EncodeToString(b.Key[:]), fmt.Sprintf("genesis %d", b.Genesis), fmt.Sprintf("period %d", b.Period))
	}
}

func opensWith(round string) func(*author) {
	return func(a *author) {
		lines := append(named(1), "id 1", "closes 5000", "rulebook "+journal.LeafHash(nil).String(), "schedule 1")
		if round != "" {
			lines = append(lines, "round "+round)
		}
		a.say(public.Opened, lines...)
	}
}

// cosignedAt returns the checkpoint of the log as it stands, cosigned at a time.
func (a *author) cosignedAt(seconds int64, by ...string) []byte {
	a.t.Helper()
	tree := journal.NewTree()
	for _, e := range a.entries {
		tree.Append(e)
	}
	c := journal.Checkpoint{Origin: origin, Size: tree.Size(), Root: tree.Root()}
	signed := a.sign(c)
	for _, name := range by {
		line, err := a.cosigner(name).Cosign(c, seconds)
		a.must(err)
		signed = append(signed, line...)
	}
	return signed
}

func rounds(b *beacontest.Beacon, round uint64, seconds int64) func(*author) {
	return func(a *author) { a.round(round, b.Sign(round), a.cosignedAt(seconds, others...)) }
}

// round adds the round of the game.
func (a *author) round(round uint64, signature, checkpoint []byte) {
	a.say(public.Round, append(named(1), fmt.Sprintf("round %d", round), "signature "+hex.EncodeToString(signature),
		"checkpoint "+base64.StdEncoding.EncodeToString(checkpoint))...)
}

func drawnWith(b *beacontest.Beacon) func(*author) {
	return func(a *author) { a.result(1, a.beaconNumbers(b, b.Sign(roundOfGame)), 1) }
}

// beaconNumbers returns the numbers that follow from the seal and a signature.
func (a *author) beaconNumbers(b *beacontest.Beacon, signature []byte) (numbers []int) {
	a.t.Helper()
	text, _, _ := strings.Cut(string(a.seals[1]), "\n\n")
	body, err := journal.ParseSeal(text + "\n")
	a.must(err)
	picks, err := draw.WitnessedNumbers(draw.KenoPlan(gameOf(1), 1), body.Hash(), nil,
		draw.Round{Beacon: b.Name(), Number: roundOfGame, Signature: signature})
	a.must(err)
	for _, pick := range picks {
		numbers = append(numbers, pick.Number)
	}
	return numbers
}

// bothPolicy asks for both witnesses.
func (a *author) bothPolicy() *policy.Policy {
	a.t.Helper()
	text := "log " + a.keys[origin].vkey + "\n"
	for _, name := range others {
		text += "witness " + name + " " + a.cosigner(name).String() + "\n"
	}
	p, err := policy.Parse([]byte(text + "group both all " + strings.Join(others, " ") + "\nquorum both\n"))
	a.must(err)
	return p
}

// TestWatchReadsABeacon finds nothing in an honest log whose games a beacon draws.
func TestWatchReadsABeacon(t *testing.T) {
	a, _ := newBeaconAuthor(t)
	a.told()
	if found := a.look(a.publish(len(a.entries), others...), a.bothPolicy()); found != nil {
		t.Errorf("found %v", found)
	}
	for _, entry := range a.entries {
		if e, err := public.Parse(entry); err != nil || strings.Contains(watch.Words(e), "does not know") ||
			strings.Contains(watch.Words(e), "entry of") {
			t.Errorf("%s: %v", watch.Words(e), err)
		}
	}
	// A game whose seal was cosigned too late is void.
	late, _ := newBeaconAuthor(t)
	late.tellers = slices.Replace(late.tellers, atRound, atDrawn+2, voids(1))
	if found := late.told().look(late.publish(len(late.entries), others...), late.bothPolicy()); found != nil {
		t.Errorf("of a game void because of its seal found %v", found)
	}
}

// TestWatchFindsLiesAboutRounds tells one lie about a beacon at a time.
func TestWatchFindsLiesAboutRounds(t *testing.T) {
	replace := func(at int, tell func(*author)) func(*author) { return func(a *author) { a.tellers[at] = tell } }
	insert := func(at int, tell func(*author)) func(*author) {
		return func(a *author) { a.tellers = slices.Insert(a.tellers, at, tell) }
	}
	b := beacontest.New(1, 3)
	good := b.Sign(roundOfGame)
	for name, lie := range map[string]struct {
		tell func(*author)
		want public.Code
	}{
		"no round named":       {replace(atOpened, opensWith("")), public.RoundWrong},
		"another round named":  {replace(atOpened, opensWith("6")), public.RoundWrong},
		"a round of no beacon": {replace(atBeacon, func(a *author) { a.say(public.Device, "series "+series, "device witnessed") }), public.RoundWrong},
		"a round named when it is known": {replace(atOpened, func(a *author) {
			a.records += 12_000 // Time passes until second 13.
			opensWith(fmt.Sprint(roundOfGame))(a)
		}), public.RoundLate},
		"a beacon chosen under a game": {insert(atSealed, chooses2(b, day)), public.RoundLate},
		"the longer form of a signature": {replace(atRound, func(a *author) {
			a.round(roundOfGame, beacontest.Long(good), a.cosignedAt(inTime, others...))
		}), public.RoundWrong},
		"a signature of another round": {replace(atRound, func(a *author) {
			a.round(roundOfGame, b.Sign(roundOfGame+1), a.cosignedAt(inTime, others...))
		}), public.RoundWrong},
		"another round":            {replace(atRound, rounds(b, roundOfGame+1, inTime)), public.RoundWrong},
		"a round twice":            {insert(atRound, rounds(b, roundOfGame, inTime)), public.OutOfOrder},
		"a round before its seal":  {insert(atSealed, rounds(b, roundOfGame, inTime)), public.OutOfOrder},
		"a seal cosigned too late": {replace(atRound, rounds(b, roundOfGame, lateBy)), public.RoundLate},
		"a seal that one has not cosigned": {replace(atRound, func(a *author) {
			a.round(roundOfGame, good, a.cosignedAt(inTime, others[0]))
		}), public.RoundLate},
		"a checkpoint below the seal": {func(a *author) {
			var below []byte
			a.tellers = slices.Insert(a.tellers, atSealed, func(a *author) { below = a.cosignedAt(inTime, others...) })
			a.tellers[atRound+1] = func(a *author) { a.round(roundOfGame, good, below) }
		}, public.RoundLate},
		"a time that the witness did not sign": {replace(atRound, func(a *author) {
			note := string(a.cosignedAt(lateBy, others...))
			i := strings.LastIndexByte(strings.TrimSuffix(note, "\n"), ' ') + 1
			line, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(note[i:], "\n"))
			a.must(err)
			line[11] = inTime
			other, err := a.cosigner(others[0]).Cosign(a.standing(), inTime)
			a.must(err)
			text, _, _ := strings.Cut(note, "— w1")
			a.round(roundOfGame, good, []byte(text+string(other)+"— "+others[1]+" "+
				base64.StdEncoding.EncodeToString(line)+"\n"))
		}), public.RoundLate},
		"a result without a round": {replace(atRound, func(*author) {}), public.ResultWrong},
		"a result of another signature": {replace(atDrawn, func(a *author) {
			a.result(1, a.beaconNumbers(b, b.Sign(roundOfGame+1)), 1)
		}), public.ResultWrong},
		"a game void when its round is known": {replace(atDrawn, voids(1)), public.VoidInTime},
	} {
		t.Run(name, func(t *testing.T) {
			a, _ := newBeaconAuthor(t)
			lie.tell(a)
			a.told()
			found := a.look(a.publish(len(a.entries), others...), a.bothPolicy())
			if len(found) == 0 || found[0] != lie.want {
				t.Errorf("found %v, want %s first", found, lie.want)
			}
		})
	}
}

// standing returns the log as it stands.
func (a *author) standing() journal.Checkpoint {
	tree := journal.NewTree()
	for _, e := range a.entries {
		tree.Append(e)
	}
	return journal.Checkpoint{Origin: origin, Size: tree.Size(), Root: tree.Root()}
}

// TestWatchFindsAVoidInTime has seen the seal cosigned in time, and then the house declares the game void. A seal that
// was cosigned too late allows that, and so do three days without a round.
func TestWatchFindsAVoidInTime(t *testing.T) {
	for name, c := range map[string]struct {
		seconds int64
		days    uint64 // that pass before the void
		want    []public.Code
	}{
		"in time":      {inTime, 0, []public.Code{public.VoidInTime}},
		"too late":     {lateBy, 0, nil},
		"after a day":  {inTime, 1, []public.Code{public.VoidInTime}},
		"after 3 days": {inTime, 4, nil},
	} {
		a, _ := newBeaconAuthor(t)
		a.tellers = a.tellers[:atRound]
		a.told()
		source := log{}
		w, err := watch.New(source, a.keys[house].vkey, a.bothPolicy(), "", nil)
		a.must(err)
		for path, data := range a.publish(len(a.entries)) {
			source[path] = data
		}
		source[watch.CheckpointPath] = a.cosignedAt(c.seconds, others...)
		look, err := w.Look(t.Context())
		a.must(err)
		if len(look.Findings) > 0 {
			t.Fatalf("%s: %v", name, look.Findings[0])
		}
		a.records += c.days * 86_400_000
		voids(1)(a)
		for path, data := range a.publish(len(a.entries), others...) {
			source[path] = data
		}
		look, err = w.Look(t.Context())
		a.must(err)
		var found []public.Code
		for _, f := range look.Findings {
			found = append(found, f.Code)
		}
		if !slices.Equal(found, c.want) {
			t.Errorf("%s: found %v, want %v", name, found, c.want)
		}
	}
}

// TestInspectorScriptReadsABeacon has docs/inspector.py verify a round with a pairing of its own, and refuse lies.
func TestInspectorScriptReadsABeacon(t *testing.T) {
	b := beacontest.New(1, 3)
	good := b.Sign(roundOfGame)
	for name, c := range map[string]struct {
		tell func(*author)
		want string // what it says; of an honest log "It holds."
	}{
		"an honest log": {func(*author) {}, "round      5 of game vic-keno 2026-11-15/1, signed by the beacon"},
		"a signature of another round": {func(a *author) {
			a.tellers[atRound] = func(a *author) { a.round(roundOfGame, b.Sign(roundOfGame+1), a.cosignedAt(inTime, others...)) }
		}, "round 5 is not signed by the beacon"},
		"the longer form of a signature": {func(a *author) {
			a.tellers[atRound] = func(a *author) { a.round(roundOfGame, beacontest.Long(good), a.cosignedAt(inTime, others...)) }
		}, "its one form has 48"},
		"a seal cosigned too late": {func(a *author) { a.tellers[atRound] = rounds(b, roundOfGame, lateBy) },
			"was not cosigned by w1.example, w2.example before its round could be known"},
		"another round named": {func(a *author) { a.tellers[atOpened] = opensWith("6") }, "and its round is 5"},
		"no round":            {func(a *author) { a.tellers[atRound] = func(*author) {} }, "has a result and no round"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, _ := newBeaconAuthor(t)
			c.tell(a)
			a.told()
			said, holds := a.inspector("log", a.folder(a.entries, len(a.entries), others...), a.keys[origin].vkey,
				"--witness", a.cosigner(others[0]).String(), "--witness", a.cosigner(others[1]).String())
			if !strings.Contains(said, c.want) || holds != (name == "an honest log") {
				t.Errorf("it says %s", said)
			}
		})
	}
}
