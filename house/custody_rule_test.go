package house

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"drawhouse/check/witness"
	"drawhouse/check/witness/replay"
	"drawhouse/check/witness/wire"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

// releaseChain answers as custodians of before did: with the link of a chain for the seal
// and the revision that the request names.
func (c *custodian) releaseChain(t testing.TB, w http.ResponseWriter, r *http.Request) {
	request, err := io.ReadAll(r.Body)
	head, seal, ok := strings.Cut(string(request), "\n\n")
	text, _, _ := strings.Cut(seal, "\n\n")
	revision, err1 := strconv.ParseUint(strings.TrimPrefix(head, "revision "), 10, 32)
	body, err2 := journal.ParseSeal(text + "\n")
	if err := errors.Join(err, err1, err2); err != nil || !ok {
		t.Errorf("%q: %v", request, err)
		return
	}
	link, err := c.chain.Link(body.Game, uint32(revision))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	_, _ = io.WriteString(w, witness.MarshalLink(link))
}

// releaseEvidence answers as custodians of before the public log did.
func (c *custodian) releaseEvidence(t testing.TB, w http.ResponseWriter, r *http.Request) {
	var e witness.Evidence
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		t.Error(err)
		return
	}
	checkpoint, err1 := journal.UnverifiedCheckpoint([]byte(e.Checkpoint))
	signed, err2 := witness.Cosignatures([]byte(e.Checkpoint), c.cosigner.Verifier)
	if err := errors.Join(err1, err2); err != nil || len(signed) != 1 {
		t.Errorf("evidence under a checkpoint with %d cosignatures: %v", len(signed), err)
	}
	seals := 0
	for _, shown := range e.Records {
		decoded, err := record.Decode(shown.Data)
		if err == nil {
			err = journal.CheckRecord(shown.Proof, checkpoint.Size, checkpoint.Root, shown.Seq, journal.LeafHash(shown.Data))
		}
		if err != nil {
			t.Errorf("record %d: %v", shown.Seq, err)
		}
		if sealed, ok := decoded.Body.(*record.GameSealed); ok && uint32(sealed.Game.Number) == e.Game.Number {
			seals++
		}
	}
	link, err := c.links[e.Game.Day].Link(e.Game)
	if err != nil || seals != 1 {
		t.Errorf("evidence for %v with %d seals: %v", e.Game, seals, err)
		return
	}
	_, _ = io.WriteString(w, link.Marshal())
}

// TestDayBeforeLog draws a day of a house that has no public log yet. Its custodians are of before the log and ask for
// records of the journal.
func TestDayBeforeLog(t *testing.T) {
	b, _ := custodyBenchOf(t, func(b *bench) { b.unlogged = true }, func(_ *bench, _ string, custodians [2]*custodian) {
		for _, c := range custodians {
			c.before = true
		}
	})
	b.minutes(12, 2)
	if report := b.verify(); !report.OK() || report.Settled < 2 || report.Links < 2*report.Settled {
		t.Errorf("%+v, %d games settled by %d links", report.Failure, report.Settled, report.Links)
	}
}

// bindChain makes the chain of a day and returns the signed commitment.
func (c *custodian) bindChain(t testing.TB, b *bench, day string) []byte {
	t.Helper()
	seed, err := draw.NewSeed(b.random)
	must(t, err)
	c.chain, err = draw.NewChain(draw.ChainName{Custodian: c.name, Series: "vic-keno", Day: day, Games: 1000}, seed)
	must(t, err)
	commitment, _, err := draw.Commit(b.random, c.chain.Name(), seed)
	must(t, err)
	note, err := journal.SignNote(commitment.Marshal(), c.commits)
	must(t, err)
	return note
}

// asBefore writes the journal of a bench anew as a build of the first level would have
// written it, with commitments to chains at its end.
func (b *bench) asBefore(commitments ...record.Body) {
	t := b.t
	t.Helper()
	head, err := b.store.Head(t.Context())
	must(t, err)
	var records [][]byte
	var last record.Time
	must(t, b.store.Records(t.Context(), 1, 0, head.Size, func(_ uint64, data []byte) error {
		r, err := record.Decode(bytes.Clone(data))
		if err != nil {
			return err
		}
		if begun, ok := r.Body.(*record.VolumeBegun); ok {
			begun.Level = record.LevelFirst
		}
		last = r.Time
		encoded, err := record.Encode(r)
		records = append(records, encoded)
		return err
	}))
	for _, body := range commitments {
		encoded, err := record.Encode(record.Record{Time: last, Body: body})
		must(t, err)
		records = append(records, encoded)
	}
	b.close()
	must(t, b.store.Close())
	dir := t.TempDir()
	must(t, os.CopyFS(filepath.Join(dir, "keys"), os.DirFS(filepath.Join(b.dir, "keys"))))
	must(t, filepath.WalkDir(filepath.Join(dir, "keys"), func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return errors.Join(err, os.Chmod(name, 0o700))
		}
		return os.Chmod(name, 0o600)
	}))
	b.dir = dir
	st, err := sqlite.Open(t.Context(), dir, store.FirstLane)
	must(t, err)
	epoch, err := st.TakeOver(t.Context())
	must(t, err)
	tree := journal.NewTree()
	batch := store.Batch{Epoch: epoch.Epoch, Volume: 1}
	for _, data := range records {
		tree.Append(data)
		batch.Entries = append(batch.Entries, store.Entry{Data: data})
	}
	batch.Root = tree.Root()
	batch.Checkpoint, err = journal.SignCheckpoint(journal.Checkpoint{Origin: journal.VolumeOrigin("bench.example", 1),
		Size: tree.Size(), Root: tree.Root()}, b.house.config.Keys.House)
	must(t, err)
	must(t, st.Append(t.Context(), batch))
	must(t, st.Close())
}

// TestDayOfChains opens a house on a journal of before, whose custodians have committed to
// chains for today. The house raises the level and draws the day by their links; the journal
// verifies, and for another day it takes no chain.
func TestDayOfChains(t *testing.T) {
	notes := map[string][]byte{}
	unlogged := func(b *bench) { b.unlogged = true } // Houses of then had no public log.
	b, custodians := custodyBenchOf(t, unlogged, func(b *bench, _ string, custodians [2]*custodian) {
		for _, c := range custodians {
			clear(c.links) // It shows no commitment to single links.
			notes[c.name] = c.bindChain(t, b, "2026-11-15")
		}
	})
	var before []record.Body
	for _, c := range custodians {
		d, err := day.Parse("2026-11-15")
		must(t, err)
		before = append(before, &record.ChainCommitted{Series: FirstSeries, Day: d, Custodian: c.name, Note: notes[c.name]})
	}
	b.asBefore(before...)
	b.open()
	b.minutes(12, 2)
	if len(bodies[*record.LevelRaised](b)) != 1 {
		t.Fatal("the level was not raised")
	}
	report := b.verify()
	links := len(bodies[*record.LinkReleased](b))
	if !report.OK() || report.Settled < 2 || links < 2*int(report.Settled) || report.FindingCount != 0 {
		t.Fatalf("%+v, %d games settled by %d links, findings %v", report.Failure, report.Settled, links, report.Findings)
	}
	var refused *refusal.Refusal
	other := newCustodian(t, b, custodians[0].name)
	other.commits = custodians[0].commits
	if err := b.house.First().CommitChain(t.Context(), other.bindChain(t, b, "2026-11-16")); !errors.As(err, &refused) ||
		refused.Code != game.ChainOther {
		t.Errorf("a chain for another day: %v", err)
	}
}

// TestReplayingCustodian has a custodian that reads and grades the journal give links. The
// same gate stands before them: nothing leaves for a game that the journal does not seal, nor
// twice; and for a journal that does not grade as it says it signs nothing, so that nobody
// gets a link.
func TestReplayingCustodian(t *testing.T) {
	seen := &tampered{}
	ofHouse := func(b *bench) { b.onStore = func(st store.Store) { seen.Reader = st } }
	b, custodians := custodyBenchOf(t, ofHouse, func(_ *bench, key string, custodians [2]*custodian) {
		kept, err := sqlite.Open(t.Context(), t.TempDir(), store.FirstLane)
		must(t, err)
		t.Cleanup(func() { _ = kept.Close() })
		follower, err := replay.Open(t.Context(), replay.Config{Source: seen, Store: kept, HouseKeys: []string{key}})
		must(t, err)
		custodians[0].agree = func(ctx context.Context, c journal.Checkpoint) error { return follower.Agree(ctx, c) }
	})
	b.minutes(8, 2)
	report := b.verify()
	if !report.OK() || report.Settled < 1 || report.Links < 2*report.Settled {
		t.Fatalf("%+v, %d games settled by %d links", report.Failure, report.Settled, report.Links)
	}
	games := b.house.First().Games(20)
	i := slices.IndexFunc(games, func(g Game) bool { return g.IsSettled() })
	note, err := b.house.LogCheckpoint()
	must(t, err)
	asked := witness.LinkRequest{Game: journal.Game{Series: "vic-keno", Day: "2026-11-15",
		Number: uint32(games[i].Ref.Number)}, Checkpoint: note}
	client := custodians[0].member.Client
	commitment := openCommitment(t, custodians[0].notes["2026-11-15"])
	if _, err := client.Link(t.Context(), commitment, asked); err != nil {
		t.Errorf("the same again: %v", err)
	}
	ahead := asked
	ahead.Game.Number += 20
	if _, err := client.Link(t.Context(), commitment, ahead); !errors.Is(err, wire.ErrRefused) ||
		!strings.Contains(err.Error(), "403") {
		t.Errorf("the link of a game to come: %v", err)
	}
	if names := custodians[0].gate.Games(time.Now().Unix()); len(names) != int(report.Settled) &&
		len(names) != int(report.Settled)+1 {
		t.Errorf("the gate opened for %d games, and %d are settled", len(names), report.Settled)
	}

	// From here on the custodian reads another sale than the house has.
	seen.set(func(_ record.Place, data []byte) []byte {
		r, err := record.Decode(data)
		if sold, ok := r.Body.(*record.TicketSold); ok && err == nil {
			sold.Ordinal++
			data, _ = record.Encode(r)
		}
		return data
	}, false)
	given := len(bodies[*record.LinkGiven](b))
	for range 3 {
		b.sell(1, 3)
	}
	tries := 0
	b.run(func(time.Time) error {
		if tries++; tries > 60 {
			return errEnough
		}
		return nil
	})
	if after := bodies[*record.LinkGiven](b); len(after) > given {
		t.Errorf("%d links were given for a journal that the custodian does not agree with", len(after)-given)
	}
}

// TestVoidAfterAllLinks ends a game by the clause of a rulebook that demands it after its
// links are known: only once all of them are in the journal. The custodians go on with the
// next game.
//
//rule:casino-keno-div2 11.6
func TestVoidAfterAllLinks(t *testing.T) {
	b, custodians := custodyBenchOf(t, func(b *bench) { b.rules, b.venue = "casino-keno-div2", "casino" },
		func(*bench, string, [2]*custodian) {})
	persons := b.appoint()
	custodians[1].away.Store(true)
	var waiting Game
	waits := 0
	b.run(func(time.Time) error {
		for _, g := range b.house.First().Games(3) {
			if g.Sealed() && !g.IsSettled() && custodians[1].asked.Load() > 0 {
				if waiting = g; len(bodies[*record.LinkGiven](b)) == 1 {
					waits++
				}
			}
		}
		if waits == 3 {
			return errEnough
		}
		return nil
	})
	ends := command.VoidGame{Ordinal: waiting.Ordinal, Reason: "the power failed", Clause: "11.6"}
	var stands *refusal.Refusal
	if err := b.decide(persons, ends); !errors.As(err, &stands) || stands.Code != game.ResultStands ||
		!strings.Contains(stands.Sentence, custodians[1].name) {
		t.Errorf("a void with one link public: %v", err)
	}
	custodians[1].away.Store(false)
	b.run(func(time.Time) error {
		if g, _ := b.house.Game(waiting.Ref); g.Numbers.Len() == 7 {
			return errEnough
		}
		return nil
	})
	unnamed := ends
	unnamed.Clause = ""
	if err := b.decide(persons, unnamed); err == nil {
		t.Error("a void after links without a clause")
	}
	must(t, b.decide(persons, ends))
	b.run(func(time.Time) error {
		for _, g := range b.house.First().Games(3) {
			if g.Ordinal > waiting.Ordinal && g.IsSettled() {
				return errEnough
			}
		}
		return nil
	})
	if report := b.verify(); !report.OK() || report.Links < 4 {
		t.Errorf("%+v, %d links", report.Failure, report.Links)
	}
	// Without the clause it would be a lie.
	whole := b.export()
	records := readRecords(t, whole)
	at := find(t, records, record.KindGameVoided)
	content := command.Content(FirstSeries, unnamed)
	for i := range records {
		records[i] = altered(t, records[i], func(body record.Body) {
			switch body := body.(type) {
			case *record.ApprovalRequested:
				body.Content, body.Says = content, string(command.Say(unnamed))
			case *record.ApprovalDecided:
				body.Content = content
			case *record.GameVoided:
				body.Clause = ""
			}
		})
	}
	writeRecords(t, whole, records)
	b.resign(whole, records)
	checkNamed(t, verifyDir(t, whole), at, "after its custodians cosigned the seal")
}

// altered returns a record with another body.
func altered(t testing.TB, data []byte, change func(record.Body)) []byte {
	t.Helper()
	r, err := record.Decode(bytes.Clone(data))
	must(t, err)
	change(r.Body)
	data, err = record.Encode(r)
	must(t, err)
	return data
}

// TestInsertedLiesAboutLinks has a house that holds all its keys write records into its
// journal that no honest house has, or in another order, and demands that the second opinion
// names the first that is wrong.
func TestInsertedLiesAboutLinks(t *testing.T) {
	b, _ := custodyBench(t)
	persons := b.appoint()
	b.minutes(8, 2)
	whole := b.export()
	if report := verifyDir(t, whole); !report.OK() || report.Settled < 2 {
		t.Fatalf("the whole journal fails: %+v, %d games", report.Failure, report.Settled)
	}
	records := readRecords(t, whole)
	// nth returns the place of a record of a kind, counted from 0.
	nth := func(kind record.Kind, n int) int {
		from := 0
		for ; n > 0; n-- {
			from += find(t, records[from:], kind) + 1
		}
		return from + find(t, records[from:], kind)
	}
	sealed, cosigned, link := nth(record.KindGameSealed, 0), nth(record.KindGameWitnessed, 0), nth(record.KindLinkGiven, 0)
	logged := sealed
	for i := sealed; i < link; i++ { // The last that is before the link.
		if kind, _ := record.KindOf(records[i]); kind == record.KindLogWitnessed {
			logged = i
		}
	}
	second, next := nth(record.KindLinkGiven, 1), nth(record.KindLinkGiven, 2)
	number := nth(record.KindNumberDrawn, 0)
	first := decoded[*record.LinkGiven](t, records[link])
	void := command.VoidGame{Ordinal: 1, Reason: "another try", Clause: "18(d)"}
	content, at := command.Content(FirstSeries, void), timeOf(t, records[second])
	insert := func(place int, bodies ...record.Body) [][]byte {
		changed := slices.Clone(records)
		for i, body := range bodies {
			data, err := record.Encode(record.Record{Time: timeOf(t, records[place-1]), Body: body})
			must(t, err)
			changed = slices.Insert(changed, place+i, data)
		}
		return changed
	}
	swapped := func(a, b int) [][]byte {
		changed := slices.Clone(records)
		changed[a], changed[b] = changed[b], changed[a]
		return changed
	}
	other := decoded[*record.GameSealed](t, records[sealed])
	body, err := journal.OpenSeal(other.Seal, mustVerifier(t, b.house.config.Keys.HouseVerifier))
	must(t, err)
	resealed := body.Body()
	resealed.Plays++
	other.Seal, err = journal.SignSeal(resealed, b.house.config.Keys.House)
	must(t, err)
	later := decoded[*record.LinkGiven](t, records[next])
	voids := []record.Body{
		&record.ApprovalRequested{Approval: 1, Action: command.ActionOf(void), Content: content,
			Roles: []record.Role{record.RoleSupervisor, record.RoleInspector}, Expires: at + 600_000, By: persons.ann,
			Says: string(command.Say(void))},
		&record.ApprovalDecided{Approval: 1, Content: content, Granted: true, By: persons.carol},
		&record.ApprovalUsed{Approval: 1, By: persons.ann},
		&record.GameVoided{Game: first.Game, Draw: 1, Reason: void.Reason, Clause: void.Clause, Approval: 1},
	}
	for name, l := range map[string]struct {
		records [][]byte
		at      int
		reason  string
	}{
		"the seal twice": {insert(sealed+1, decoded[*record.GameSealed](t, records[sealed])), sealed + 1,
			"must be closed"},
		"two seals of a game":                {insert(sealed+1, other), sealed + 1, "must be closed"},
		"two seals after the links":          {insert(second+1, other), second + 1, "must be closed"},
		"a void after links":                 {insert(second+1, voids...), second + 4, "after its custodians cosigned the seal"},
		"a link before the seal is cosigned": {swapped(min(logged, cosigned), link), min(logged, cosigned), "has not cosigned"},
		"a link before the log is cosigned": {slices.Delete(slices.Clone(records), logged, logged+1), link - 1,
			"not all custodians have cosigned the public log with its seal"},
		"a void after the log is cosigned": {insert(link, voids...), link + 3, "after its custodians cosigned the seal"},
		"a link twice":                     {insert(link+1, first), link + 1, "a second link"},
		"the link of a game to come":       {insert(second+1, later), second + 1, "must be sealed"},
		"the value of another game": {insert(link,
			&record.LinkGiven{Game: first.Game, Custodian: later.Custodian, Link: later.Link, Path: later.Path}), link,
			"does not lead to the root"},
		"a number before the last link": {slices.Insert(slices.Delete(slices.Clone(records), number, number+1), second,
			records[number]), second, "has not given its link"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "damaged")
			must(t, os.CopyFS(dir, os.DirFS(whole)))
			writeRecords(t, dir, l.records)
			b.resign(dir, l.records)
			checkNamed(t, verifyDir(t, dir), l.at, l.reason)
		})
	}
}

// decoded returns the body of a record.
func decoded[T record.Body](t testing.TB, data []byte) T {
	t.Helper()
	r, err := record.Decode(bytes.Clone(data))
	must(t, err)
	return r.Body.(T)
}

func timeOf(t testing.TB, data []byte) record.Time {
	t.Helper()
	r, err := record.Decode(bytes.Clone(data))
	must(t, err)
	return r.Time
}

func mustVerifier(t testing.TB, key string) journal.Verifier {
	t.Helper()
	v, err := journal.ParseVerifier(key)
	must(t, err)
	return v
}

func openCommitment(t testing.TB, note []byte) draw.Commitment {
	t.Helper()
	text, _, _ := strings.Cut(string(note), "\n\n")
	c, err := draw.ParseCommitment(text + "\n")
	must(t, err)
	return c
}
