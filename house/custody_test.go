package house

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/check/verify"
	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

// custodian is a witness in a process of its own who holds links.
type custodian struct {
	name     string
	signer   journal.Signer // of cosignatures
	cosigner *witness.Cosigner
	commits  journal.Signer // of commitments
	linksKey string
	member   wire.Member
	links    map[string]*draw.Links     // by day
	shares   map[string][3]*draw.Shares // by day
	notes    map[string][]byte          // the commitments
	away     atomic.Bool                // it gives out no link
	asked    atomic.Int32               // how often it was asked for one

	chain  *draw.Chain                                           // of a custodian of before, who has no other links
	before bool                                                  // of one of before the public log, who asks for records
	agree  func(ctx context.Context, c journal.Checkpoint) error // of one who replays the journal
	gate   *witness.Gate
	server *wire.Server
}

// newCustodian makes a custodian with links for some days.
func newCustodian(t testing.TB, b *bench, name string, days ...string) *custodian {
	t.Helper()
	private, public, err := journal.GenerateKey(b.random, name)
	must(t, err)
	signer, err := journal.ParseSigner(private)
	must(t, err)
	cosigner, err := witness.NewCosigner(signer, public)
	must(t, err)
	private, linksKey, err := journal.GenerateKey(b.random, name)
	must(t, err)
	commits, err := journal.ParseSigner(private)
	must(t, err)
	c := &custodian{name: name, signer: signer, cosigner: cosigner, commits: commits, linksKey: linksKey,
		links: map[string]*draw.Links{}, shares: map[string][3]*draw.Shares{}, notes: map[string][]byte{}}
	for _, day := range days {
		c.commit(t, b, day)
	}
	return c
}

// startCustodians starts custodians of a house, who know each other.
func startCustodians(t testing.TB, b *bench, houseKey string, custodians ...*custodian) {
	t.Helper()
	log, err := journal.ParseVerifier(houseKey)
	must(t, err)
	var all []witness.Custodian
	for _, c := range custodians {
		all = append(all, witness.Custodian{Verifier: c.cosigner.Verifier, LinksKey: c.linksKey})
	}
	for _, c := range custodians {
		custody, err := witness.NewCustody(witness.GateConfig{House: []string{houseKey}, Custodians: all, Own: c.name,
			Beacons: b.beacons})
		must(t, err)
		config := wire.ServerConfig{Cosigner: c.cosigner, Watch: witness.NewWatch(log), Custody: custody,
			State: filepath.Join(t.TempDir(), "witness"), Now: b.stamps, Agree: c.agree, Source: servedLog{b}}
		c.gate = custody.Gate
		for day, links := range c.links {
			must(t, custody.Hold(links))
			config.Commitments = append(config.Commitments, c.notes[day])
		}
		server, err := wire.NewServer(config)
		must(t, err)
		c.server = server
		t.Cleanup(func() { _ = server.Close() })
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/release-link" || r.URL.Path == "/ask-link" {
				c.asked.Add(1)
				if c.away.Load() {
					http.Error(w, "away", http.StatusServiceUnavailable)
					return
				}
				switch {
				case c.chain != nil:
					c.releaseChain(t, w, r)
					return
				case c.before:
					c.releaseEvidence(t, w, r)
					return
				}
			}
			server.ServeHTTP(w, r)
		}))
		t.Cleanup(front.Close)
		c.member = wire.Member{Client: &wire.Client{URL: front.URL, Witness: c.cosigner.Verifier}, Policy: wire.Required,
			Custodian: true, LinksKey: c.linksKey}
	}
}

// servedLog is the public log of the house on a bench, as it is served.
type servedLog struct{ b *bench }

func (s servedLog) Read(ctx context.Context, path string) ([]byte, error) {
	h := s.b.serving.Load()
	if h == nil {
		return nil, ErrNoLog
	}
	if path == "checkpoint" {
		return h.LogCheckpoint()
	}
	part, err := public.ParsePath(path)
	if err != nil {
		return nil, err
	}
	return h.LogPart(ctx, part)
}

// again commits to other links for a day.
func (c *custodian) again(t testing.TB, b *bench, day string) []byte {
	other := &custodian{name: c.name, commits: c.commits, links: map[string]*draw.Links{},
		shares: map[string][3]*draw.Shares{}, notes: map[string][]byte{}}
	other.commit(t, b, day)
	return other.notes[day]
}

// commit makes the links of a day and deals their shares.
func (c *custodian) commit(t testing.TB, b *bench, day string) {
	t.Helper()
	name := draw.ChainName{Custodian: c.name, Series: "vic-keno", Day: day, Games: 1000}
	links, err := draw.NewLinks(b.random, name)
	must(t, err)
	commitment, shares, err := links.Commit(b.random)
	must(t, err)
	note, err := journal.SignNote(commitment.Marshal(), c.commits)
	must(t, err)
	c.links[day], c.shares[day], c.notes[day] = links, shares, note
}

// rebuild returns the link of a game from the shares of two holders.
func (c *custodian) rebuild(t testing.TB, g journal.Game) draw.Link {
	t.Helper()
	text, _, _ := strings.Cut(string(c.notes[g.Day]), "\n\n")
	commitment, err := draw.ParseCommitment(text + "\n")
	must(t, err)
	first, err := c.shares[g.Day][2].Share(g)
	must(t, err)
	second, err := c.shares[g.Day][0].Share(g)
	must(t, err)
	link, err := commitment.RebuildLink(g, first, second)
	must(t, err)
	return link
}

// custodyBench is a house that draws by the links of two custodians, who are bound for
// today.
func custodyBench(t testing.TB) (*bench, [2]*custodian) {
	t.Helper()
	return custodyBenchOf(t, func(*bench) {}, func(*bench, string, [2]*custodian) {})
}

// custodyBenchOf is custodyBench with a say in what house and custodians are, before each
// of them is there. The key is that of the house.
func custodyBenchOf(t testing.TB, ofHouse func(*bench),
	ofCustodians func(b *bench, key string, custodians [2]*custodian)) (*bench, [2]*custodian) {
	t.Helper()
	b := closedBench(t)
	ofHouse(b)
	b.open() // It makes the key by which custodians know the house.
	key := b.house.config.Keys.HouseVerifier
	must(t, b.house.Close(t.Context()))
	must(t, b.store.Close())
	custodians := [2]*custodian{
		newCustodian(t, b, "inspector.example", "2026-11-15"),
		newCustodian(t, b, "operator.example", "2026-11-15"),
	}
	ofCustodians(b, key, custodians)
	startCustodians(t, b, key, custodians[:]...)
	b.draws, b.said = record.DeviceWitnessed, new(heard)
	b.witnesses = Witnesses{Timeout: 10 * time.Second, Members: []wire.Member{custodians[1].member, custodians[0].member}}
	b.open()
	return b, custodians
}

// bodies returns the records of a kind.
func bodies[T record.Body](b *bench) (found []T) {
	b.t.Helper()
	head, err := b.store.Head(b.t.Context())
	must(b.t, err)
	must(b.t, b.store.Records(b.t.Context(), 1, 0, head.Size, func(_ uint64, data []byte) error {
		r, err := record.Decode(data)
		if body, ok := r.Body.(T); ok {
			found = append(found, body)
		}
		return err
	}))
	return found
}

// TestDrawsByLinks plays an hour by the links of two custodians, with a restart in the
// middle of a draw, and has the second opinion work out every number from seal and links.
func TestDrawsByLinks(t *testing.T) {
	t.Parallel()
	b, custodians := custodyBench(t)
	restarted := false
	b.run(func(until time.Time) error {
		if until.Sub(start) > time.Hour {
			return errEnough
		}
		b.sell(1, 3)
		if g := b.house.First().Games(2); !restarted && len(g) == 2 && g[1].Numbers.Len() == 7 {
			restarted = true
			return errEnough
		}
		return nil
	})
	if !restarted {
		t.Fatal("no draw was found in its middle")
	}
	must(t, b.house.Close(t.Context()))
	must(t, b.store.Close())
	b.open()
	b.run(func(until time.Time) error {
		if until.Sub(start) > time.Hour {
			return errEnough
		}
		return nil
	})
	report := b.verify()
	if !report.OK() || report.Chains < 2 || report.Settled < 10 || report.Links < 2*report.Settled {
		t.Fatalf("%+v, %d games settled with %d links of %d chains", report.Failure, report.Settled, report.Links,
			report.Chains)
	}
	for _, c := range custodians {
		if got := uint64(c.asked.Load()); got != report.Links/2 {
			t.Errorf("%s was asked %d times for %d links", c.name, got, report.Links/2)
		}
	}
	t.Logf("%d games by %d links", report.Settled, report.Links)
}

// TestWithheldLinkInAHouse has a custodian withhold its links: the game waits, a link from
// escrow draws it, and the numbers are those that the custodian's own link would have given.
func TestWithheldLinkInAHouse(t *testing.T) {
	b, custodians := custodyBench(t)
	withheld := custodians[0]
	withheld.away.Store(true)
	waits := 0
	b.run(func(until time.Time) error {
		b.sell(1, 3)
		if withheld.asked.Load() == 0 {
			return nil
		}
		if waits++; waits == 5 {
			return errEnough
		}
		return nil
	})
	waiting := b.house.First().Games(2)[1]
	if waiting.Numbers.Len() > 0 {
		t.Fatalf("%v was drawn without a link", waiting.Numbers)
	}
	if told, asked := strings.Count(b.said.String(), "has not given its link"), withheld.asked.Load(); told != 1 ||
		asked < 2 {
		t.Errorf("it was asked %d times, and the log has %d lines of it: %s", asked, told, b.said)
	}
	// All custodians have cosigned, so nobody may end the game without its result.
	var stands *refusal.Refusal
	err := b.house.do(t.Context(), func(m machine) error {
		agreed := command.As(FirstSeries, 1)
		agreed.Approval = 1
		return command.Outcome(m.Do(b.house.now(),
			command.VoidGame{Ordinal: waiting.Ordinal, Reason: "another try", Clause: "18(d)"}, agreed))
	})
	if !errors.As(err, &stands) || stands.Code != game.ResultStands {
		t.Errorf("a void after the custodians cosigned: %v", err)
	}
	name := journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: uint32(waiting.Ref.Number)}
	good := withheld.rebuild(t, name)
	for what, c := range map[string]struct {
		change func(*draw.Link)
		want   refusal.Code
	}{
		"a link that does not fit": {func(l *draw.Link) { l.Value[0]++ }, game.LinkOther},
		"of another game":          {func(l *draw.Link) { l.Game.Number++ }, game.GameNotReady},
		"of another draw":          {func(l *draw.Link) { l.Revision = 2 }, game.LinkOther},
		"of a stranger":            {func(l *draw.Link) { l.Custodian = "stranger.example" }, game.CustodianUnknown},
	} {
		link := good
		c.change(&link)
		var refused *refusal.Refusal
		if err := b.house.BringLink(t.Context(), link, 1); !errors.As(err, &refused) || refused.Code != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
	}
	must(t, b.house.BringLink(t.Context(), good, 1))
	b.run(func(time.Time) error {
		if g, _ := b.house.Game(waiting.Ref); g.IsSettled() {
			return errEnough
		}
		return nil
	})
	// What the custodian itself gives, now that it is asked again, is the same.
	withheld.away.Store(false)
	drawn, _ := b.house.Game(waiting.Ref)
	seal, err := b.house.Seal(t.Context(), drawn)
	must(t, err)
	picks, err := draw.WitnessedNumbers(draw.KenoPlan(name, 1), seal.Body().Hash(),
		[]draw.Link{good, custodians[1].rebuild(t, name)}, draw.Round{})
	must(t, err)
	for i, pick := range picks {
		if drawn.Numbers.At(i) != pick.Number {
			t.Fatalf("number %d is %d, and the links give %d", i+1, drawn.Numbers.At(i), pick.Number)
		}
	}
	brought := bodies[*record.LinkGiven](b)
	if !slices.ContainsFunc(brought, func(l *record.LinkGiven) bool { return l.By == 1 && l.Custodian == withheld.name }) {
		t.Error("the journal does not say who brought the link")
	}
	if report := b.verify(); !report.OK() {
		t.Errorf("the second opinion differs: %+v", report.Failure)
	}
}

// TestDayWaitsForItsChains opens no Keno Day for which a custodian is not bound, and takes
// no commitment once it is open.
func TestDayWaitsForItsChains(t *testing.T) {
	b, _ := custodyBench(t)
	b.clock.now = start.AddDate(0, 0, 1)
	waits := 0
	b.run(func(time.Time) error {
		if waits++; waits == 3 {
			return errEnough
		}
		return nil
	})
	if len(bodies[*record.DayOpened](b)) > 0 {
		t.Fatal("a day opened without chains")
	}
	b, custodians := custodyBench(t)
	b.run(func(time.Time) error { return errEnough })
	chains := len(bodies[*record.LinksCommitted](b))
	var refused *refusal.Refusal
	for what, c := range map[string]struct {
		note []byte
		want refusal.Code
	}{
		"a second one":               {custodians[0].again(t, b, "2026-11-15"), game.ChainOther},
		"that is late":               {custodians[0].again(t, b, "2026-11-14"), game.ChainTooLate},
		"by its key of cosignatures": {custodians[0].cosigns(t, b, "2026-11-20"), game.CustodianUnknown},
		"by a stranger":              {newCustodian(t, b, "stranger.example", "2026-11-20").notes["2026-11-20"], game.CustodianUnknown},
		"of nobody":                  {[]byte("nothing"), game.CustodianUnknown},
	} {
		if err := b.house.First().CommitChain(t.Context(), c.note); !errors.As(err, &refused) || refused.Code != c.want {
			t.Errorf("a commitment %s: %v", what, err)
		}
	}
	must(t, b.house.First().CommitChain(t.Context(), custodians[0].notes["2026-11-15"])) // The same again changes nothing.
	if got := len(bodies[*record.LinksCommitted](b)); got != chains {
		t.Errorf("%d commitments", got-chains)
	}
}

// lie is a record that somebody who has the house's key writes otherwise.
type lie struct {
	kind   record.Kind
	change func(record.Body)
	reason string // a part of what is said against it
}

// found writes each lie into an export, signs the journal anew as a dishonest house would,
// and demands that the second opinion names the record.
func found(t *testing.T, b *bench, lies map[string]lie) {
	whole := b.export()
	if report := verifyDir(t, whole); !report.OK() {
		t.Fatalf("the whole journal fails: %+v", report.Failure)
	}
	records := readRecords(t, whole)
	for name, l := range lies {
		t.Run(name, func(t *testing.T) {
			change := func(r *record.Record) { l.change(r.Body) }
			b.plant(t, whole, records, find(t, records, l.kind), change, l.reason)
		})
	}
}

// plant writes a lie into a copy of a whole export, in place of one record, and demands that the second opinion names
// the record and the reason.
func (b *bench) plant(t *testing.T, whole string, records [][]byte, at int, change func(*record.Record),
	reason string) {
	t.Helper()
	changed := slices.Clone(records)
	r, err := record.Decode(changed[at])
	must(t, err)
	change(&r)
	changed[at], err = record.Encode(r)
	must(t, err)
	dir := filepath.Join(t.TempDir(), "damaged")
	must(t, os.CopyFS(dir, os.DirFS(whole)))
	writeRecords(t, dir, changed)
	b.resign(dir, changed)
	checkNamed(t, verifyDir(t, dir), at, reason)
}

func checkNamed(t *testing.T, report *verify.Report, at int, reason string) {
	t.Helper()
	switch {
	case report.OK():
		t.Fatal("the second opinion holds it for whole")
	case !names(report.Failure, at) || !strings.Contains(report.Failure.Reason, reason):
		t.Errorf("record %d was changed (%s); the report says %+v", at, reason, report.Failure)
	}
}

// TestLiesAboutLinks has a house that holds all its keys write otherwise about custodians.
func TestLiesAboutLinks(t *testing.T) {
	b, custodians := custodyBench(t)
	b.run(func(until time.Time) error {
		if until.Sub(start) > 10*time.Minute {
			return errEnough
		}
		b.sell(1, 3)
		return nil
	})
	found(t, b, map[string]lie{
		"link that does not fit": {record.KindLinkGiven, func(b record.Body) { b.(*record.LinkGiven).Link[7]++ },
			"does not lead to the root"},
		"link of another custodian": {record.KindLinkGiven,
			func(b record.Body) { b.(*record.LinkGiven).Custodian = custodians[1].name }, "does not lead to the root"},
		"link of a stranger": {record.KindLinkGiven,
			func(b record.Body) { b.(*record.LinkGiven).Custodian = "stranger" }, "is no custodian"},
		"path that leads elsewhere": {record.KindLinkGiven, func(b record.Body) { b.(*record.LinkGiven).Path[3][0]++ },
			"does not lead to the root"},
		"path that is too short": {record.KindLinkGiven,
			func(b record.Body) { p := b.(*record.LinkGiven); p.Path = p.Path[1:] }, "does not lead to the root"},
		"link brought by nobody": {record.KindLinkGiven, func(b record.Body) { b.(*record.LinkGiven).By = 99 },
			"was not added"},
		"commitment of another day": {record.KindLinksCommitted, func(b record.Body) { b.(*record.LinksCommitted).Day++ },
			"it is of"},
		"commitment that is not signed": {record.KindLinksCommitted,
			func(b record.Body) { b.(*record.LinksCommitted).Note[40]++ }, "does not hold"},
		"number that the links do not give": {record.KindNumberDrawn, func(b record.Body) {
			n := b.(*record.NumberDrawn)
			n.Number, n.Bytes = n.Number%80+1, []byte{n.Number % 80}
		}, "seal and links give"},
		"device that the rules do not know": {record.KindDeviceChosen, func(b record.Body) {
			d := b.(*record.DeviceChosen)
			d.Device, d.Custodians = record.DeviceCage, nil
		}, "the rulebook knows"},
	})
}

// TestDeviceIsTheRulebooks refuses a device that the rulebook does not know.
func TestDeviceIsTheRulebooks(t *testing.T) {
	b := newBench(t)
	b.house.config.Draws = record.DeviceCage
	var refused *refusal.Refusal
	if err := b.house.First().chooseDevice(t.Context()); !errors.As(err, &refused) ||
		refused.Code != game.DeviceNotAllowed || refused.Clause == "" {
		t.Errorf("a cage under %s: %v", b.rules, err)
	}
	b.house.config.Draws = record.DeviceWitnessed
	if err := b.house.First().chooseDevice(t.Context()); !errors.As(err, &refused) ||
		refused.Code != game.CustodiansTooFew {
		t.Errorf("draws by links without custodians: %v", err)
	}
}

// cosigns commits to links for a day with the key of cosignatures.
func (c *custodian) cosigns(t testing.TB, b *bench, day string) []byte {
	other := &custodian{name: c.name, commits: c.signer}
	return other.again(t, b, day)
}

// TestCustodianKeysInAHouse has no custodian chosen whose key of commitments signs something else as well. Verify finds
// one in the journal of a house that does not ask.
func TestCustodianKeysInAHouse(t *testing.T) {
	b, custodians := custodyBench(t)
	keys, ofNotes := b.house.keys(), custodians[1].vkey(t)
	renamed := func(vkey string) string {
		_, rest, _ := strings.Cut(vkey, "+")
		_, encoded, _ := strings.Cut(rest, "+")
		data, err := base64.StdEncoding.DecodeString(encoded)
		must(t, err)
		key, err := journal.VerifierKey(custodians[1].name, data[1:])
		must(t, err)
		return key
	}
	for name, vkey := range map[string]string{
		"its own cosignatures":       ofNotes,
		"cosignatures of the other":  renamed(custodians[0].vkey(t)),
		"the other's of commitments": renamed(custodians[0].linksKey),
		"the house's":                renamed(keys.HouseVerifier),
		"the device's":               renamed(keys.DeviceVerifier),
		"the log's":                  renamed(b.logKey()),
	} {
		chosen := record.DeviceChosen{Series: 1, Device: record.DeviceWitnessed, Custodians: []record.Custodian{
			{Name: custodians[0].name, Key: custodians[0].linksKey}, {Name: custodians[1].name, Key: vkey}}}
		err := b.house.do(t.Context(), func(m machine) error { return m.ChooseDevice(b.house.now(), chosen) })
		if refused := new(refusal.Refusal); !errors.As(err, &refused) || refused.Code != game.CustodianUnknown {
			t.Errorf("the key of commitments is %s: %v", name, err)
		}
	}
	named := record.WitnessesNamed{Witnesses: []record.Witness{{Name: "third.example",
		Key: witnessWith(t, custodians[0].commits, custodians[0].linksKey).String()}}}
	err := b.house.do(t.Context(), func(m machine) error { return m.NameWitnesses(b.house.now(), named) })
	if refused := new(refusal.Refusal); !errors.As(err, &refused) || refused.Code != game.CustodianUnknown {
		t.Errorf("a witness with a custodian's key of commitments: %v", err)
	}
	if report := b.verify(); !report.OK() || report.FindingCount != 0 {
		t.Errorf("%v, %v", report.Failure, report.Findings)
	}
}

func witnessWith(t testing.TB, signer journal.Signer, vkey string) *witness.Verifier {
	t.Helper()
	c, err := witness.NewCosigner(signer, vkey)
	must(t, err)
	return c.Verifier
}

// TestLostLinksKey has a custodian lose its key of commitments. What it commits to with another one is refused until
// the operator names it with that, from a day that has not opened.
func TestLostLinksKey(t *testing.T) {
	b, custodians := custodyBench(t)
	c := custodians[0]
	b.minutes(8, 1)
	private, linksKey, err := journal.GenerateKey(b.random, c.name)
	must(t, err)
	c.commits, err = journal.ParseSigner(private)
	must(t, err)
	c.linksKey = linksKey
	for _, custodian := range custodians {
		custodian.commit(t, b, "2026-11-16")
	}
	err = b.house.First().CommitChain(t.Context(), c.notes["2026-11-16"])
	if refused := new(refusal.Refusal); !errors.As(err, &refused) || refused.Code != game.CustodianUnknown {
		t.Errorf("a commitment by a key that nobody named: %v", err)
	}
	b.close()
	for i, m := range b.witnesses.Members {
		if m.Witness.Name() == c.name {
			b.witnesses.Members[i].LinksKey = linksKey
		}
	}
	b.open()
	chosen := func() int {
		return len(slices.DeleteFunc(bodies[*record.DeviceChosen](b), func(d *record.DeviceChosen) bool {
			return !slices.ContainsFunc(d.Custodians,
				func(named record.Custodian) bool { return named.Key == linksKey })
		}))
	}
	if n := chosen(); n != 0 {
		t.Errorf("the custodian is chosen %d times with a new key on a day that is open", n)
	}
	if report := b.verify(); !report.OK() || report.FindingCount != 0 {
		t.Errorf("%v, %v", report.Failure, report.Findings)
	}
}
