package house

import (
	"encoding/hex"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/beacon"
	"drawhouse/internal/beacontest"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

// beaconAct is the act by which two persons make a beacon part of draws.
func beaconAct(b *beacontest.Beacon, from day.Day) command.ChooseBeacon {
	return command.ChooseBeacon{From: from.String(), Chain: b.Name(), Key: hex.EncodeToString(b.Key[:]),
		Genesis: b.Genesis, Period: b.Period}
}

// startRelay starts a beacon with a round each three seconds, and returns the address of its relay.
func startRelay(t *testing.T) (relay *beacontest.Beacon, url string) {
	t.Helper()
	relay = beacontest.New(start.Add(-24*time.Hour).Unix(), 3)
	front := httptest.NewServer(relay)
	t.Cleanup(front.Close)
	return relay, front.URL
}

// beaconBench opens a house whose games a beacon draws alone, with a witness of others and a relay.
func beaconBench(t *testing.T) (b *bench, persons two, w *logWitness, relay *beacontest.Beacon) {
	t.Helper()
	relay, url := startRelay(t)
	b = newBench(t)
	b.byClock = true
	persons = b.appoint()
	today := day.MustParse("2026-11-15")
	var refused *refusal.Refusal
	for what, act := range map[string]command.ChooseBeacon{
		"a key of another length": {From: today.String(), Chain: relay.Name(), Key: "00", Genesis: 1, Period: 3},
		"a key that is none": {From: today.String(), Chain: relay.Name(), Key: hex.EncodeToString(make([]byte, 96)),
			Genesis: relay.Genesis, Period: 3},
		"round 1 ahead": {From: today.String(), Chain: relay.Name(), Key: hex.EncodeToString(relay.Key[:]),
			Genesis: start.Add(time.Hour).Unix(), Period: 3},
		"seldom": {From: today.String(), Chain: relay.Name(), Key: hex.EncodeToString(relay.Key[:]), Genesis: relay.Genesis,
			Period: beacon.LongestPeriod + 1},
	} {
		if err := b.decide(persons, act); !errors.As(err, &refused) || refused.Code != game.BeaconWrong {
			t.Errorf("a beacon with %s: %v", what, err)
		}
	}
	must(t, b.decide(persons, beaconAct(relay, today)))
	if err := b.decide(persons, beaconAct(relay, today)); !errors.As(err, &refused) || refused.Code != game.BeaconKnown {
		t.Errorf("the same beacon again: %v", err)
	}
	w = newLogWitness(t, b, "others.example", b.logKey())
	b.draws, b.relays = record.DeviceWitnessed, []string{"http://127.0.0.1:1", url}
	b.witnessedBy(w.member(wire.LogOnly))
	return b, persons, w, relay
}

// cosigned waits until the public log is cosigned as far as it must be.
func (b *bench) cosigned(t *testing.T) {
	t.Helper()
	if shown := b.house.public.shown.Load(); b.house.public.waiters.want(shown.Number, shown.due) {
		b.house.public.wake()
	}
	eventually(t, "the log is cosigned", func() bool {
		shown := b.house.public.shown.Load()
		return shown.witnessed >= shown.due
	})
}

// TestBeaconDraws plays games that a beacon draws alone. The witness is away for the third: the game is void. No relay
// has the round of the fourth: the game waits, and somebody brings the round. The round of the fifth never exists:
// after three days an inspector finds that, and two persons end the game. The second opinion agrees with all of it,
// asks for cosignatures in time, and names each lie.
func TestBeaconDraws(t *testing.T) {
	t.Parallel()
	b, persons, w, relay := beaconBench(t)
	added := staff.AddPerson{By: persons.admin, Details: record.Hash{9}}
	made, err := b.house.Do(t.Context(), command.Change{Command: added}, record.By{})
	must(t, err)
	inspector := record.By{Person: staff.NumberOf(made)}
	must(t, b.decide(two{ann: persons.admin, carol: persons.carol}, command.AppointInspector{Person: inspector.Person}))
	first := b.house.First()
	sold, over, brought, ended := uint32(0), uint32(0), false, false
	b.run(func(until time.Time) error {
		newest := first.Games(1)
		if len(newest) == 0 {
			return nil
		}
		if g := newest[0]; g.Phase == state.PhaseOpen && sold < g.Ordinal {
			sold = g.Ordinal
			b.sell(1, 3)
		}
		for _, g := range first.Games(3) {
			if g.Phase.IsOver() {
				over = max(over, g.Ordinal)
			}
		}
		w.away.Store(over == 2)
		relay.Away.Store(over == 3 || over == 4)
		if g, ok := first.waiting(3); ok && g.Numbers.Len() > 0 {
			t.Error("game 3 is drawn without its witness")
		}
		if !w.away.Load() {
			b.cosigned(t)
		}
		if g, ok := first.waiting(4); ok && until.Sub(g.SealedAt.Time()) > 30*time.Second {
			b.bringsRound(relay, g.Round)
			brought = true
		}
		if g, ok := first.waiting(5); ok && until.Sub(g.SealedAt.Time()) > 30*time.Second {
			b.endsWithout(persons, inspector, g)
			ended = true
		}
		if ended {
			return errEnough
		}
		return nil
	})
	if !brought || relay.Asked.Load() == 0 {
		t.Errorf("the round was brought: %v; the relay was asked %d times", brought, relay.Asked.Load())
	}
	var phases []state.Phase
	games := first.Games(10)
	slices.Reverse(games)
	for _, g := range games {
		phases = append(phases, g.Phase)
	}
	if want := []state.Phase{state.PhaseSettled, state.PhaseSettled, state.PhaseVoid, state.PhaseSettled,
		state.PhaseVoid}; len(phases) < 5 || !slices.Equal(phases[:5], want) {
		t.Errorf("the games came to %v", phases)
	}
	b.checkBeaconLog()
	b.checkBeaconPolicy(t, w)
	found(t, b, beaconLies(relay))
	b.liesAboutTime(t, relay)
}

// TestBeaconBesideLinks draws games by the links of two custodians and the rounds of a beacon. One custodian gives its
// link for the second game minutes after its round: only the checkpoint that was cosigned in time lets the link leave,
// and by then there are newer ones. A witness of the public log cosigns the seal of the third game too late, as both
// custodians do not: the game is void for everybody, and the fourth is drawn.
func TestBeaconBesideLinks(t *testing.T) {
	t.Parallel()
	relay, url := startRelay(t)
	b, custodians := custodyBenchOf(t, func(b *bench) {
		b.byClock, b.relays, b.beacons = true, []string{url}, []beacon.Chain{relay.Chain}
	},
		func(*bench, string, [2]*custodian) {})
	persons := b.appoint()
	must(t, b.decide(persons, beaconAct(relay, day.MustParse("2026-11-15"))))
	w := newLogWitness(t, b, "others.example", b.logKey())
	b.witnessedBy(append(b.witnesses.Members, w.member(wire.LogOnly))...)
	slow, first, held := custodians[0], b.house.First(), false
	b.run(func(until time.Time) error {
		b.sell(1, 3)
		if third, ok := first.waiting(3); ok && third.Numbers.Len() == 0 {
			w.away.Store(until.Sub(third.SealedAt.Time()) < 9*time.Second)
		}
		if !w.away.Load() {
			b.cosigned(t)
		}
		over := uint32(0)
		for _, g := range first.Games(3) {
			if g.Phase.IsOver() {
				over = max(over, g.Ordinal)
			}
		}
		if g, ok := first.waiting(2); ok && !held && until.Sub(g.SealedAt.Time()) > 2*time.Minute {
			held = true
			slow.commit(t, b, "2026-11-16")
			must(t, first.CommitChain(t.Context(), slow.notes["2026-11-16"]))
			b.cosigned(t)
		}
		slow.away.Store(over >= 1 && !held)
		w.away.Store(over == 2)
		if over >= 4 {
			return errEnough
		}
		return nil
	})
	if g, _ := first.GameAt(3); g.Phase != state.PhaseVoid {
		t.Errorf("the third game came to %v", g.Phase)
	}
	if !held {
		t.Error("the second game did not wait for its link")
	}
	report := b.verify()
	if !report.OK() || report.Settled != 3 || report.Rounds != 3 || report.Links != 6 {
		t.Errorf("%d games, %d rounds, %d links: %+v", report.Settled, report.Rounds, report.Links, report.Failure)
	}
	b.checkBeaconPolicy(t, w)
	b.keep("links")
	whole := b.export()
	records := readRecords(t, whole)
	b.plant(t, whole, records, find(t, records, record.KindLinkGiven), func(r *record.Record) {
		r.Body.(*record.LinkGiven).Link[0]++
	}, "")
}

// liesAboutTime draws game 3, whose seal was cosigned too late, and ends game 1, whose seal was cosigned in time.
func (b *bench) liesAboutTime(t *testing.T, relay *beacontest.Beacon) {
	whole := b.export()
	records := readRecords(t, whole)
	given, voided := find(t, records, record.KindRoundGiven), find(t, records, record.KindGameVoided)
	timely, err := record.Decode(records[given])
	must(t, err)
	late, err := record.Decode(records[voided])
	must(t, err)
	first, third := *timely.Body.(*record.RoundGiven), *late.Body.(*record.GameVoided)
	round := roundOf(t, records, third.Game)
	b.plant(t, whole, records, voided, func(r *record.Record) {
		r.Body = &record.RoundGiven{Game: third.Game, Round: round, Signature: relay.Sign(round),
			Checkpoint: first.Checkpoint}
	}, "whose seal was not cosigned before it could be known")
	third.Game = first.Game
	b.plant(t, whole, records, given, func(r *record.Record) { r.Body = &third }, "nobody has approved it")
}

// roundOf returns the round that a game stated as it opened.
func roundOf(t *testing.T, records [][]byte, of record.Game) uint64 {
	t.Helper()
	for _, data := range records {
		if kind, ok := record.KindOf(data); !ok || kind != record.KindGameOpened {
			continue
		}
		r, err := record.Decode(data)
		must(t, err)
		if opened := r.Body.(*record.GameOpened); opened.Game == of {
			return opened.Round
		}
	}
	t.Fatalf("game %v has not opened", of)
	return 0
}

// waiting returns a game that is sealed and waits to be drawn.
func (l *Line) waiting(ordinal uint32) (Game, bool) {
	games := l.Games(3)
	i := slices.IndexFunc(games, func(g Game) bool { return g.Ordinal == ordinal && g.Phase == state.PhaseSealed })
	if i < 0 {
		return Game{}, false
	}
	return games[i], true
}

// bringsRound brings the round for which a game waits, and what is no such round.
func (b *bench) bringsRound(relay *beacontest.Beacon, round uint64) {
	b.t.Helper()
	line, good := b.house.First(), relay.Sign(round)
	var refused *refusal.Refusal
	for what, bring := range map[string]struct {
		round     uint64
		signature []byte
	}{
		"another round":            {round + 1, relay.Sign(round + 1)},
		"another round's":          {round, relay.Sign(round + 1)},
		"the longer form":          {round, beacontest.Long(good)},
		"a round that no game has": {0, good},
	} {
		if err := line.BringRound(b.t.Context(), bring.round, bring.signature); !errors.As(err, &refused) ||
			refused.Code != game.RoundOther {
			b.t.Errorf("%s: %v", what, err)
		}
	}
	must(b.t, line.BringRound(b.t.Context(), round, good))
}

// endsWithout ends a game whose round does not exist: too early nobody may.
func (b *bench) endsWithout(persons two, inspector record.By, g Game) {
	b.t.Helper()
	var refused *refusal.Refusal
	finds := command.InspectDraw{Ordinal: g.Ordinal, Finding: "the beacon has stopped"}
	void := command.VoidGame{Ordinal: g.Ordinal, Reason: "the beacon has stopped", Clause: "18(a)(i)(A)"}
	if _, err := b.house.Do(b.t.Context(), finds, inspector); !errors.As(err, &refused) ||
		refused.Code != game.RoundAwaited {
		b.t.Errorf("a round found missing before its time: %v", err)
	}
	if err := b.decide(persons, void); !errors.As(err, &refused) || refused.Code != game.ResultStands {
		b.t.Errorf("a void while the round is awaited: %v", err)
	}
	b.clock.set(g.SealedAt.Time().Add(73 * time.Hour))
	if err := b.decide(persons, void); !errors.As(err, &refused) || refused.Code != game.ResultStands {
		b.t.Errorf("a void without the inspector: %v", err)
	}
	_, err := b.house.Do(b.t.Context(), finds, inspector)
	must(b.t, err)
	must(b.t, b.decide(persons, void))
}

// checkBeaconLog reads the public log as a stranger does.
func (b *bench) checkBeaconLog() {
	b.t.Helper()
	chain := public.NewChain(b.house.config.Keys.HouseVerifier)
	rounds := 0
	for _, e := range b.logEntries() {
		data, err := e.Marshal()
		must(b.t, err)
		if _, err := chain.Take(data); err != nil {
			b.t.Error(err)
		}
		if e.Kind == public.Round {
			rounds++
		}
	}
	if rounds != 3 {
		b.t.Errorf("the log has %d rounds", rounds)
	}
}

// checkBeaconPolicy has the second opinion ask for cosignatures that were made in time.
func (b *bench) checkBeaconPolicy(t *testing.T, w *logWitness) {
	t.Helper()
	dir, err := export.OpenDir(b.export())
	must(t, err)
	defer func() { must(t, dir.Close()) }()
	report := verify.Run(dir, verify.Options{Policy: func(checkpoint []byte) string {
		if by, err := witness.Cosignatures(checkpoint, w.verifier); err != nil || len(by) == 0 {
			return "others.example has not cosigned"
		}
		return ""
	}})
	if !report.OK() || report.Rounds != 3 {
		t.Errorf("%d rounds: %+v", report.Rounds, report.Failure)
	}
	report = verify.Run(dir, verify.Options{Policy: func([]byte) string { return "w2.example has not cosigned" }})
	if report.OK() || !strings.Contains(report.Failure.Reason, "before its round could be known") {
		t.Errorf("a policy that asks for another witness: %+v", report.Failure)
	}
}

// beaconLies are what a house could write otherwise about its beacon.
func beaconLies(relay *beacontest.Beacon) map[string]lie {
	return map[string]lie{
		"another round stated": {record.KindGameOpened, func(b record.Body) { b.(*record.GameOpened).Round++ },
			"is the first six seconds behind its close"},
		"no round stated": {record.KindGameOpened, func(b record.Body) { b.(*record.GameOpened).Round = 0 },
			"is the first six seconds behind its close"},
		"another round": {record.KindRoundGiven, func(b record.Body) {
			r := b.(*record.RoundGiven)
			r.Round++
			r.Signature = relay.Sign(r.Round)
		}, "and its round is"},
		"a signature of another round": {record.KindRoundGiven, func(b record.Body) {
			r := b.(*record.RoundGiven)
			r.Signature = relay.Sign(r.Round + 1)
		}, "is not the signature of round"},
		"another checkpoint": {record.KindRoundGiven, func(b record.Body) {
			r := b.(*record.RoundGiven)
			r.Checkpoint = append(slices.Clone(r.Checkpoint), '\n')
		}, "is not the one that shows"},
		"a beacon from another day on": {record.KindBeaconChosen, func(b record.Body) { b.(*record.BeaconChosen).From++ },
			"two persons agreed on"},
		"a number that the round does not give": {record.KindNumberDrawn, func(b record.Body) {
			n := b.(*record.NumberDrawn)
			n.Number, n.Bytes = n.Number%80+1, []byte{n.Number % 80}
		}, "seal and links give"},
	}
}
