package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/policy"
	"drawhouse/check/witness"
	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/games/beacon"
	"drawhouse/games/draw"
	"drawhouse/internal/beacontest"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

var (
	testDay, _  = day.Parse(testGame.Day)
	laterDay, _ = day.Parse("2026-11-16")
)

// publicLog is the public log of a house that may lie: it follows from real records, and from what is said beside them.
type publicLog struct {
	t       testing.TB
	records *journal.Tree
	fold    *public.Fold
	entries [][]byte
	note    string      // the newest checkpoint with cosignatures; "" shows none
	from    record.Time // of the records, which are a millisecond apart
	origin  string
}

const (
	testLog    = testHouse + "/log"
	testDevice = "device.example"
)

func newPublicLog(t testing.TB) *publicLog {
	t.Helper()
	l := &publicLog{t: t, records: journal.NewTree(), fold: public.NewFold(), origin: testLog}
	_, houseKey, _ := testKey(t, testHouse)
	_, deviceKey, _ := testKey(t, testDevice)
	l.add(&record.VolumeBegun{House: testHouse, Volume: 1, Level: record.Level, HouseKey: houseKey, DeviceKey: deviceKey,
		Reason: record.ReasonFound})
	l.add(&record.SeriesBegun{Series: 1, Name: testGame.Series, Schedule: "s"})
	l.begin(nil)
	return l
}

// begin begins the log, behind another end of the one before than it has if that is not nil.
func (l *publicLog) begin(ended *journal.Checkpoint) {
	l.t.Helper()
	house, _, _ := testKey(l.t, testHouse)
	signer, key, _ := testKey(l.t, l.origin)
	body := l.fold.Beginning(l.standing())
	body.Origin, body.Key = l.origin, key
	if ended != nil {
		body.Before = ended
	}
	note, err := journal.SignLog(body, signer, house)
	if err != nil {
		l.t.Fatal(err)
	}
	l.add(&record.LogBegun{Note: note})
}

func (l *publicLog) standing() public.Journal {
	return public.Journal{Origin: journal.VolumeOrigin(testHouse, 1), Tree: l.records}
}

// add adds a record to the journal, and what follows from it to the log.
func (l *publicLog) add(body record.Body) {
	l.t.Helper()
	r := record.Record{Time: l.from + record.Time(l.records.Size()+1), Body: body}
	data, err := record.Encode(r)
	if err != nil {
		l.t.Fatal(err)
	}
	at := public.Journal{Origin: journal.VolumeOrigin(testHouse, 1), Tree: l.records}
	if l.records.Size() == 0 {
		at.Origin = ""
	}
	next, err := l.fold.Make(record.Place{Volume: 1, Seq: l.records.Size()}, r, at)
	if err != nil {
		l.t.Fatal(err)
	}
	if next.Names() {
		l.records.Mark()
	}
	l.records.Append(data)
	before := l.fold.View().Size
	if _, begins := body.(*record.LogBegun); begins {
		before = 0
	}
	full := l.fold.Put(next)
	if view := l.fold.View(); view.Size > before {
		last := view.Entries
		if len(last) == 0 { // It has filled the bundle.
			if last, err = public.SplitBundle(full[0].Data); err != nil {
				l.t.Fatal(err)
			}
		}
		l.entries = append(l.entries, last[len(last)-1])
	}
}

// say adds an entry that follows from no record.
func (l *publicLog) say(kind public.Kind, lines ...string) {
	text := fmt.Sprintf("drawhouse/log/v1\nkind %s\ntime %d\nrecord 1:%d\n", kind, 1_000_000+len(l.entries),
		1_000_000+len(l.entries))
	l.entries = append(l.entries, []byte(text+strings.Join(lines, "\n")+"\n"))
}

func (l *publicLog) tree() *journal.Tree {
	tree := journal.NewTree()
	for _, e := range l.entries {
		tree.Append(e)
	}
	return tree
}

func (l *publicLog) checkpoint() journal.Checkpoint {
	tree := l.tree()
	return journal.Checkpoint{Origin: l.origin, Size: tree.Size(), Root: tree.Root()}
}

// signed returns the newest checkpoint.
func (l *publicLog) signed() []byte {
	l.t.Helper()
	signer, _, _ := testKey(l.t, l.origin)
	signed, err := journal.SignCheckpoint(l.checkpoint(), signer)
	if err != nil {
		l.t.Fatal(err)
	}
	return signed
}

func (l *publicLog) prove(oldSize, newSize uint64) (journal.TreeProof, error) {
	return journal.ProveTree(oldSize, newSize, journal.NewReader(l.tree(), nil))
}

var errNothing = errors.New("the log does not have this")

// Read implements LogSource.
func (l *publicLog) Read(_ context.Context, path string) ([]byte, error) {
	if path == checkpointPath {
		if l.note == "" {
			return nil, errNothing
		}
		return []byte(l.note), nil
	}
	part, err := public.ParsePath(path)
	from := part.Index * public.BundleWidth
	width := uint64(part.Width)
	if width == 0 {
		width = public.BundleWidth
	}
	if err != nil || from+width > uint64(len(l.entries)) {
		return nil, errNothing
	}
	entries := l.entries[from : from+width]
	if part.Entries {
		return public.Bundle(entries), nil
	}
	var hashes []byte
	for _, e := range entries {
		leaf := journal.LeafHash(e)
		hashes = append(hashes, leaf[:]...)
	}
	return hashes, nil
}

// stage is a house with two custodians.
type stage struct {
	t       testing.TB
	log     *publicLog
	offices []*office
	played  []*played
	today   day.Day     // of the next game
	closes  record.Time // of the next game; 0 is at once
	round   uint64      // of the next game, if a beacon is part of its draw
}

// played is a game as the log has it.
type played struct {
	name  journal.Game
	ref   record.Game
	body  journal.SealBody
	note  []byte
	given []draw.Link
}

func newStage(t testing.TB) *stage {
	t.Helper()
	s := &stage{t: t, log: newPublicLog(t), today: testDay}
	names := []string{"inspector.example", "operator.example"}
	chosen := &record.DeviceChosen{Series: 1, Device: record.DeviceWitnessed}
	for _, name := range names {
		_, vkey, _ := linksKey(t, name)
		chosen.Custodians = append(chosen.Custodians, record.Custodian{Name: name, Key: vkey})
	}
	s.log.add(chosen)
	for _, name := range names {
		o := newCustodian(t, name, s.log, names...)
		s.offices = append(s.offices, o)
		s.log.add(o.committed())
	}
	return s
}

func (o *office) commitment() (draw.Commitment, [3]*draw.Shares) {
	o.t.Helper()
	return o.commitmentOn(testDay)
}

// on returns the links of a day.
func (o *office) on(d day.Day) *draw.Links {
	if d == laterDay {
		return o.later
	}
	return o.links
}

func (o *office) commitmentOn(d day.Day) (draw.Commitment, [3]*draw.Shares) {
	o.t.Helper()
	c, shares, err := o.on(d).Commit(entropy("shares of " + o.name))
	if err != nil {
		o.t.Fatal(err)
	}
	return c, shares
}

// committed returns the record of the commitment.
func (o *office) committed() *record.LinksCommitted { return o.committedOn(testDay) }

func (o *office) committedOn(d day.Day) *record.LinksCommitted {
	o.t.Helper()
	commitment, _ := o.commitmentOn(d)
	signer, _, _ := linksKey(o.t, o.name)
	note, err := journal.SignNote(commitment.Marshal(), signer)
	if err != nil {
		o.t.Fatal(err)
	}
	return &record.LinksCommitted{Series: 1, Day: d, Custodian: o.name, Note: note}
}

// show shows a log to custodians.
func (s *stage) show(l *publicLog, offices ...*office) {
	for _, o := range offices {
		o.source.log = l
	}
}

// seal opens and seals the next game.
func (s *stage) seal() *played {
	s.t.Helper()
	p := &played{name: testGame, ref: record.Game{Series: 1, Day: s.today, Number: uint16(417 + len(s.played))}}
	p.name.Number, p.name.Day = uint32(p.ref.Number), s.today.String()
	s.log.add(&record.GameOpened{Game: p.ref, Ordinal: uint32(7 + len(s.played)), Closes: max(s.closes, 1), Schedule: "s",
		Round: s.round})
	s.played = append(s.played, p)
	s.reseal(p)
	return p
}

// reseal seals a game over the journal as it is, a second time if it must be.
func (s *stage) reseal(p *played) {
	s.t.Helper()
	signer, _, _ := testKey(s.t, testHouse)
	p.body = journal.SealBody{Game: p.name, Checkpoint: journal.Checkpoint{Origin: journal.VolumeOrigin(testHouse, 1),
		Size: s.log.records.Size(), Root: s.log.records.Root()}}
	var err error
	if p.note, err = journal.SignSeal(p.body, signer); err != nil {
		s.t.Fatal(err)
	}
	s.log.add(&record.GameSealed{Game: p.ref, Seal: p.note})
}

// cosign has the log cosigned by some offices, and returns its checkpoint.
func (s *stage) cosign(offices ...*office) ([]byte, error) {
	s.t.Helper()
	note := s.log.signed()
	var errs []error
	for _, o := range offices {
		found, err := o.client().Cosign(s.t.Context(), s.log.signed(), 0, s.log.prove)
		if err == nil {
			note = append(note, found.Line...)
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return note, err
	}
	return note, nil
}

// chooses has rounds of a beacon be part of the draws, which the people of the custodians accept.
func (s *stage) chooses(relay *beacontest.Beacon) {
	s.t.Helper()
	chosen := relay.Chosen(1)
	chosen.From = testDay
	s.log.add(&chosen)
	for _, o := range s.offices {
		o.beacons = []beacon.Chain{relay.Chain}
		o.restart()
	}
}

// quorum returns the newest checkpoint of the log, cosigned by every custodian.
func (s *stage) quorum() []byte {
	s.t.Helper()
	note, err := s.cosign(s.offices...)
	if err != nil {
		s.t.Fatal(err)
	}
	return note
}

// ask asks an office for a link.
func (s *stage) ask(o *office, p *played, note []byte) (draw.Link, error) {
	c, _ := o.commitmentOn(p.ref.Day)
	return o.client().Link(s.t.Context(), c, witness.LinkRequest{Game: p.name, Checkpoint: note})
}

// links has both links given.
func (s *stage) links(p *played, note []byte) {
	s.t.Helper()
	for _, o := range s.offices {
		link, err := s.ask(o, p, note)
		if err != nil {
			s.t.Fatal(err)
		}
		p.given = append(p.given, link)
	}
}

// draw has both links given, and links and result are in the log.
func (s *stage) draw(p *played) {
	s.t.Helper()
	s.links(p, s.quorum())
	for _, link := range p.given {
		s.give(p, link)
	}
	s.result(p, s.numbers(p))
}

func (s *stage) give(p *played, link draw.Link) {
	given := &record.LinkGiven{Game: p.ref, Custodian: link.Custodian, Link: record.Hash(link.Value)}
	for _, h := range link.Path.Hashes() {
		given.Path = append(given.Path, record.Hash(h))
	}
	s.log.add(given)
}

// numbers works out the right result.
func (s *stage) numbers(p *played) []int {
	s.t.Helper()
	picks, err := draw.WitnessedNumbers(draw.KenoPlan(p.name, 1), p.body.Hash(), p.given, draw.Round{})
	if err != nil {
		s.t.Fatal(err)
	}
	var numbers []int
	for _, pick := range picks {
		numbers = append(numbers, pick.Number)
	}
	return numbers
}

func (s *stage) result(p *played, numbers []int) {
	s.t.Helper()
	sequence, err := ball.NewSequence(ball.Keno, numbers...)
	if err != nil {
		s.t.Fatal(err)
	}
	device, _, _ := testKey(s.t, testDevice)
	note, err := journal.SignNote(draw.Result{Device: "witnessed", Game: p.name, Revision: 1, Seal: p.body.Hash(),
		Numbers: sequence}.Marshal(), device)
	if err != nil {
		s.t.Fatal(err)
	}
	s.log.add(&record.GameDrawn{Game: p.ref, Draw: 1, Note: note})
}

// voids writes that a game is void.
func (s *stage) voids(p *played) {
	s.log.add(&record.GameVoided{Game: p.ref, Draw: 1, Reason: "no power", Approval: 1})
}

func (o *office) stopped() *witness.Stopped { return o.server.config.Custody.Gate.Stopped() }

// refused demands that a question is refused, with a status and a part of what is said.
func refused(t *testing.T, err error, status, says string) {
	t.Helper()
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), status) || !strings.Contains(err.Error(), says) {
		t.Errorf("%v, want %s %q", err, status, says)
	}
}

// TestLinksInOrder draws three games end to end. A custodian that is restarted gives the same link again under the same
// seal, and publishes it.
func TestLinksInOrder(t *testing.T) {
	s := newStage(t)
	for range 3 {
		p := s.seal()
		s.draw(p)
		s.offices[0].restart()
		if again, err := s.ask(s.offices[0], p, s.quorum()); err != nil || again != p.given[0] {
			t.Errorf("the same again: %+v: %v", again, err)
		}
	}
	if s.offices[0].stopped() != nil {
		t.Error("an honest custodian has stopped")
	}
	_, _, published := s.offices[0].get("/published")
	for _, p := range s.played {
		if !strings.Contains(published, strings.ReplaceAll(p.given[0].Marshal(), "\n", "\\n")) {
			t.Errorf("the link of %v is not published", p.name)
		}
	}
}

// TestWrittenBeforeAnswered finds in the book what was given out: the entries, the quorum, and the game.
func TestWrittenBeforeAnswered(t *testing.T) {
	s := newStage(t)
	p := s.seal()
	note := s.quorum()
	o := s.offices[0]
	o.server.book.Close() // From here on nothing can be made durable.
	if _, err := s.ask(o, p, note); err == nil || !strings.Contains(err.Error(), "500") {
		t.Errorf("a link that is not in the book: %v", err)
	}
	o.restart()
	if _, err := s.ask(o, p, note); err != nil {
		t.Error(err)
	}
	o.server.book.Close()
	s.log.add(&record.GameOpened{Game: record.Game{Series: 1, Day: testDay, Number: 499}, Ordinal: 99, Closes: 1,
		Schedule: "s"})
	if note, err := s.cosign(o); err == nil {
		t.Errorf("entries are cosigned that are not in the book: %s", note)
	}
}

// TestAttackNoSeal asks for the link of a game that the log has not sealed, also with the requests of before.
func TestAttackNoSeal(t *testing.T) {
	s := newStage(t)
	p := s.seal()
	note := s.quorum()
	other := *p
	other.name.Number = 499
	_, err := s.ask(s.offices[0], &other, note)
	refused(t, err, "403", "no seal of the game")
	other.name.Day = "2026-11-17"
	_, err = s.ask(s.offices[0], &other, note)
	refused(t, err, "404", "no links for this day")
	for _, path := range []string{"/release-link", "/ask-link"} {
		want := map[string]int{"/release-link": 404, "/ask-link": 400}[path]
		if status, _, said := s.offices[0].post(path, witness.MarshalRelease(3, p.note)); status != want {
			t.Errorf("%s: %d %s", path, status, said)
		}
	}
}

// TestAttackTooFewCosignatures asks before every custodian has cosigned, below and at the quorum.
func TestAttackTooFewCosignatures(t *testing.T) {
	s := newStage(t)
	before := s.quorum()
	p := s.seal()
	_, err := s.ask(s.offices[0], p, before)
	refused(t, err, "403", "no seal of the game")
	one, err := s.cosign(s.offices[0])
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.ask(s.offices[0], p, one)
	refused(t, err, "403", "operator.example has not cosigned")
	_, err = s.ask(s.offices[0], p, before)
	refused(t, err, "403", "too early")
	if _, err := s.ask(s.offices[0], p, s.quorum()); err != nil {
		t.Error(err)
	}
}

// TestAttackForeignCosignatures asks with a checkpoint that strangers or the house itself have cosigned.
func TestAttackForeignCosignatures(t *testing.T) {
	s := newStage(t)
	p := s.seal()
	note, err := s.cosign(s.offices[0])
	if err != nil {
		t.Fatal(err)
	}
	signer, vkey, _ := testKey(t, testHouse)
	forger, err := witness.NewCosigner(signer, vkey)
	if err != nil {
		t.Fatal(err)
	}
	line, err := forger.Cosign(s.log.checkpoint(), 1_794_711_600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.ask(s.offices[0], p, append(note, line...))
	refused(t, err, "403", "operator.example has not cosigned")
	unsigned := bytes.Replace(note, []byte("— "+testLog), []byte("— "+testHouse), 1)
	_, err = s.ask(s.offices[0], p, unsigned)
	refused(t, err, "403", "the checkpoint")
}

// TestQuorumOfWitnesses asks under a policy of custodians and three witnesses, of which two must cosign: below, at and
// above.
func TestQuorumOfWitnesses(t *testing.T) {
	s := newStage(t)
	o, others, text := s.offices[0], []string{"w1.example", "w2.example", "w3.example"}, ""
	for _, name := range append(slices.Clone(others), o.peers...) {
		text += fmt.Sprintf("witness %s %v\n", name, verifierOf(t, name))
	}
	text += "group custodians all " + strings.Join(o.peers, " ") + "\ngroup others 2 " + strings.Join(others, " ") +
		"\ngroup both all custodians others\nquorum both\n"
	parsed, err := policy.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o.policy = func(note []byte) string { return parsed.Of(note).Lacks }
	o.restart()
	p := s.seal()
	note := s.quorum()
	for i, name := range others {
		_, err := s.ask(o, p, note)
		if i < 2 {
			refused(t, err, "403", fmt.Sprintf("of others %d of 3 count, and 2 must", i))
		} else if err != nil {
			t.Error(err)
		}
		signer, vkey, _ := testKey(t, name)
		other, err := witness.NewCosigner(signer, vkey)
		if err != nil {
			t.Fatal(err)
		}
		line, err := other.Cosign(s.log.checkpoint(), 1_794_711_600)
		if err != nil {
			t.Fatal(err)
		}
		note = append(note, line...)
	}
}

// TestAttackLinksInAdvance asks for the link of the next game before the one before has its result.
func TestAttackLinksInAdvance(t *testing.T) {
	s := newStage(t)
	first := s.seal()
	s.links(first, s.quorum())
	second := s.seal()
	_, err := s.ask(s.offices[0], second, s.quorum())
	refused(t, err, "428", "has no result")
	s.give(first, first.given[0])
	third := s.seal()
	_, err = s.ask(s.offices[1], third, s.quorum())
	refused(t, err, "428", "has no result")
}

// TestAttackWrongResult has the log tell a result that seal and links do not give. The custodian cosigns no such log
// and stops for good.
func TestAttackWrongResult(t *testing.T) {
	s := newStage(t)
	first := s.seal()
	s.links(first, s.quorum())
	for _, link := range first.given {
		s.give(first, link)
	}
	wrong := s.numbers(first)
	wrong[0], wrong[1] = wrong[1], wrong[0]
	s.result(first, wrong)
	_, err := s.cosign(s.offices[0])
	refused(t, err, "412", "result-wrong")
	for range 2 {
		if stopped := s.offices[0].stopped(); stopped == nil || !strings.Contains(stopped.Why, "result-wrong") {
			t.Fatalf("%+v", stopped)
		}
		s.offices[0].restart()
	}
	_, err = s.ask(s.offices[0], first, s.log.signed())
	refused(t, err, "409", "stops for good")
}

// TestAttackOtherDevice names another device while a game is sealed, and signs a result of its own.
func TestAttackOtherDevice(t *testing.T) {
	s := newStage(t)
	first := s.seal()
	s.links(first, s.quorum())
	s.log.add(&record.DeviceChosen{Series: 1, Device: record.DeviceGenerator})
	wrong := s.numbers(first)
	slices.Reverse(wrong)
	s.result(first, wrong)
	_, err := s.cosign(s.offices[0])
	refused(t, err, "412", "no link of inspector.example")
}

// TestAttackOtherCustodians has the house name other custodians than people know, or keys of its own in place of
// theirs: links by such keys the house knows. A custodian that was given other keys does not cosign such a log, also
// once it is started again, and has none of it in its copy. One that is started with the keys of the log goes on.
func TestAttackOtherCustodians(t *testing.T) {
	key := func(name, of string) record.Custodian {
		_, vkey, _ := makeKey(t, name, strings.Repeat("links of "+of, 32))
		return record.Custodian{Name: name, Key: vkey}
	}
	const one, other, own = "inspector.example", "operator.example", "own.example"
	for name, custodians := range map[string][]record.Custodian{
		"another beside":     {key(one, one), key(own, own)},
		"one more":           {key(one, one), key(other, other), key(own, own)},
		"one fewer":          {key(one, one), key(other, other)},
		"its key swapped":    {key(one, "the house"), key(other, other)},
		"the other's key":    {key(one, one), key(other, "the house")},
		"both keys":          {key(one, "the house"), key(other, "the house too")},
		"keys of each other": {key(one, other), key(other, one)},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.draw(s.seal())
			o := s.offices[0]
			if name == "one fewer" {
				o.peers = []string{one, other, "third.example"}
				o.restart()
			}
			before, _ := o.server.config.Custody.Gate.Copied()
			s.log.add(&record.DeviceChosen{Series: 1, Device: record.DeviceWitnessed, Custodians: custodians})
			s.seal()
			for range 2 {
				_, err := s.cosign(o)
				refused(t, err, "412", "the log names other custodians than this one was given")
				o.restart()
			}
			if after, _ := o.server.config.Custody.Gate.Copied(); after != before {
				t.Errorf("the copy goes to %v, and went to %v", after, before)
			}
			if name != "another beside" {
				return
			}
			o.peers = []string{one, own}
			o.restart()
			if _, err := s.cosign(o); err != nil {
				t.Errorf("with the keys that the log names: %v", err)
			}
		})
	}
}

// TestCustodianWhoLeaves has the house go on with custodians of whom one that was is none: that one cosigns.
func TestCustodianWhoLeaves(t *testing.T) {
	s := newStage(t)
	s.draw(s.seal())
	next := &record.DeviceChosen{Series: 1, Device: record.DeviceWitnessed}
	for _, name := range []string{"next.example", s.offices[1].name} {
		_, vkey, _ := linksKey(t, name)
		next.Custodians = append(next.Custodians, record.Custodian{Name: name, Key: vkey})
	}
	s.log.add(next)
	if _, err := s.cosign(s.offices[0]); err != nil {
		t.Error(err)
	}
	_, err := s.cosign(s.offices[1])
	refused(t, err, "412", "the log names other custodians than this one was given")
}

// TestAttackKeyOfTwoKinds has the house name a witness that cosigns with the key by which a custodian commits to links.
func TestAttackKeyOfTwoKinds(t *testing.T) {
	s := newStage(t)
	signer, vkey, _ := linksKey(t, s.offices[1].name)
	c, err := witness.NewCosigner(signer, vkey)
	if err != nil {
		t.Fatal(err)
	}
	s.draw(s.seal())
	s.log.add(&record.WitnessesNamed{Witnesses: []record.Witness{{Name: c.Name(), Key: c.String()}}})
	p := s.seal()
	_, err = s.ask(s.offices[0], p, s.quorum())
	refused(t, err, "403", "one key signs commitments, logs or cosignatures")
}

// TestAttackLateCommitment seals a game before the other custodian has committed to its links.
func TestAttackLateCommitment(t *testing.T) {
	s := newStage(t)
	s.log = newPublicLog(t)
	chosen := &record.DeviceChosen{Series: 1, Device: record.DeviceWitnessed}
	for _, o := range s.offices {
		_, vkey, _ := linksKey(t, o.name)
		chosen.Custodians = append(chosen.Custodians, record.Custodian{Name: o.name, Key: vkey})
	}
	s.log.add(chosen)
	s.log.add(s.offices[0].committed())
	p := s.seal()
	s.log.add(s.offices[1].committed())
	s.show(s.log, s.offices...)
	_, err := s.ask(s.offices[0], p, s.quorum())
	refused(t, err, "403", "operator.example had committed to no links when the game was sealed")
}

// TestAttackOtherCommitment has the house write a commitment that the custodian made for other links.
func TestAttackOtherCommitment(t *testing.T) {
	s := newStage(t)
	o := s.offices[0]
	p := s.seal()
	note := s.quorum()
	var err error
	if o.links, err = draw.NewLinks(entropy("other links"), o.links.Name()); err != nil {
		t.Fatal(err)
	}
	o.restart()
	if _, err := s.ask(o, p, note); err == nil {
		t.Error("a link was given that the log has no commitment to")
	}
	if games := o.server.config.Custody.Gate.Games(1 << 40); len(games) > 0 {
		t.Errorf("the gate opened for %v", games)
	}
}

// TestAttackVoidAfterLinks declares a game void whose link was given out, with no link in the log and with one of two.
// The custodian has been told a lie, and stops for good, also after a restart in between.
func TestAttackVoidAfterLinks(t *testing.T) {
	for _, logged := range []int{0, 1} {
		for _, restarted := range []bool{false, true} {
			s := newStage(t)
			a := s.offices[0]
			first := s.seal()
			s.links(first, s.quorum())
			for _, link := range first.given[:logged] {
				s.give(first, link)
			}
			if restarted {
				a.restart()
			}
			s.voids(first)
			says := []string{"is void, and its link was given out here", "is void, and 1 of 2 links of it are known"}[logged]
			for range 2 {
				_, err := s.cosign(a)
				refused(t, err, "412", says)
				if stopped := a.stopped(); stopped == nil || !strings.Contains(stopped.Why, says) {
					t.Errorf("stopped: %+v", stopped)
				}
				a.restart()
			}
		}
	}
}

// TestAttackVoidBehindToldQuorum has a holder tell a custodian of a quorum, and the house declare the game void and put
// all links behind the void. An honest house may not have heard of the quorum, so the custodian does not stop, cosigns
// and counts the void. It gives no link of a later game, also after a restart, whatever the log shows, until its people
// let the game go by name. One that was told of no quorum goes on by itself, since everybody can work out the result.
func TestAttackVoidBehindToldQuorum(t *testing.T) {
	for _, told := range []bool{true, false} {
		s := newStage(t)
		a, b := s.offices[0], s.offices[1]
		p := s.seal()
		note := s.quorum()
		if told {
			if err := a.client().TellQuorum(t.Context(), witness.LinkRequest{Game: p.name, Checkpoint: note}); err != nil {
				t.Fatal(err)
			}
			a.restart()
		}
		s.voids(p)
		s.quorum()
		for _, o := range s.offices {
			s.give(p, o.rebuilt(p))
		}
		next := s.seal()
		for range 2 {
			_, err := s.ask(a, next, s.quorum())
			if told {
				refused(t, err, "428", "was declared void behind a quorum above its seal")
				refused(t, err, "428", "it goes on when the people of this custodian start it once with --let-go vic-keno/2026-11-15/417")
			} else if err != nil {
				t.Error(err)
			}
			a.restart()
		}
		if _, _, published := a.get("/published"); !strings.Contains(published, `"knownVoids":1`) || a.stopped() != nil {
			t.Errorf("told %v: links behind a void do not count, or it has stopped: %s", told, published)
		}
		if !told {
			continue
		}
		if err := a.server.LetGo(p.name); err != nil {
			t.Fatal(err)
		}
		a.restart()
		for _, o := range []*office{a, b} {
			if _, err := s.ask(o, next, s.quorum()); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestVoidWithAllLinks ends a game by the rules after all its links are in the log.
func TestVoidWithAllLinks(t *testing.T) {
	s := newStage(t)
	first := s.seal()
	s.links(first, s.quorum())
	for _, link := range first.given {
		s.give(first, link)
	}
	s.voids(first)
	s.draw(s.seal())
	s.offices[0].restart()
	if _, _, published := s.offices[0].get("/published"); !strings.Contains(published, `"knownVoids":1`) {
		t.Errorf("the void is not counted: %s", published)
	}
}

// TestVoidBeforeQuorum goes on after a game that was declared void before anybody had cosigned its seal.
func TestVoidBeforeQuorum(t *testing.T) {
	s := newStage(t)
	s.draw(s.seal())
	s.voids(s.seal())
	s.draw(s.seal())
}

// TestAttackHiddenQuorum has the house gather the cosignatures of all custodians above a seal, have the link of one of
// them rebuilt by holders, who pass the release rule, and declare the game void because the result does not suit: that
// custodian was asked for no link and shown no quorum. It has cosigned the seal itself, so it gives no link of a later
// game, also after a restart. It goes on when its people let the game go, and then publishes its link of it; what they
// said is no leave for another game.
func TestAttackHiddenQuorum(t *testing.T) {
	s := newStage(t)
	a := s.offices[0]
	s.draw(s.seal())
	seen := s.seal()
	s.quorum() // The house shows it to holders, and not to this custodian.
	s.voids(seen)
	next := s.seal()
	for range 2 {
		_, err := s.ask(a, next, s.quorum())
		refused(t, err, "428", "was declared void after its links could be known")
		refused(t, err, "428", "--let-go vic-keno/2026-11-15/418")
		_, err = s.ask(a, seen, s.quorum())
		refused(t, err, "403", "the log has declared it void")
		a.restart()
	}
	for range 2 { // Said again it is the same.
		for _, o := range s.offices {
			if err := o.server.LetGo(seen.name); err != nil {
				t.Fatal(err)
			}
		}
		a.restart()
	}
	if !a.publishes(seen) {
		t.Error("the link of the game that was let go is not published")
	}
	s.draw(next)
	again := s.seal()
	s.quorum()
	s.voids(again)
	_, err := s.ask(a, s.seal(), s.quorum())
	refused(t, err, "428", fmt.Sprintf("%v was sealed before it", again.name))
	if a.publishes(again) || a.stopped() != nil {
		t.Errorf("it publishes the link of another game, or has stopped: %+v", a.stopped())
	}
}

// TestLateSeal gives no link of a game whose seal was cosigned when its round could be known. That game is void, the
// next one is drawn, and a house that declares that one void as well has told a lie.
func TestLateSeal(t *testing.T) {
	s := newStage(t)
	first := cosignsAt.Unix() + 1 // The seal is cosigned a second before round 1, and four before round 2.
	relay := beacontest.New(first, 3)
	s.chooses(relay)
	s.closes, s.round = record.Time(relay.At(1)-beacon.Delay), 1
	late := s.seal()
	_, err := s.ask(s.offices[0], late, s.quorum())
	refused(t, err, "403", fmt.Sprintf("was not cosigned by %d", first-2))
	s.voids(late)
	s.closes, s.round = record.Time(relay.At(2)-beacon.Delay), 2
	timely := s.seal()
	s.links(timely, s.quorum())
	s.voids(timely)
	if _, err := s.cosign(s.offices[0]); err == nil || s.offices[0].stopped() == nil ||
		!strings.Contains(s.offices[0].stopped().Why, string(public.VoidInTime)) {
		t.Errorf("a void of a game that was cosigned in time: %v, %+v", err, s.offices[0].stopped())
	}
}

// TestTimelyCheckpointComesLast shows custodians a checkpoint of two seals first, which came too late for the game of
// the first of them, and then the older checkpoint that came in time: the game is drawn, and a restart knows that.
func TestTimelyCheckpointComesLast(t *testing.T) {
	s := newStage(t)
	relay := beacontest.New(cosignsAt.Unix()+10, 30)
	s.chooses(relay)
	s.closes, s.round = record.Time(relay.At(1)-beacon.Delay), 1
	first := s.seal()
	timely := s.quorum()
	for _, o := range s.offices {
		o.late.Store(9)
	}
	s.closes, s.round = record.Time(relay.At(2)-beacon.Delay), 2
	second := s.seal()
	late := s.quorum()
	for _, o := range s.offices {
		_, err := s.ask(o, second, late)
		refused(t, err, "428", "was sealed before it, and has no result")
		_, err = s.ask(o, first, late)
		refused(t, err, "403", "was not cosigned by")
		if _, err = s.ask(o, first, timely); err != nil {
			t.Fatal(err)
		}
		o.restart()
		if _, err = s.ask(o, first, late); err != nil {
			t.Errorf("behind a restart: %v", err)
		}
	}
}

// TestAttackDrawVoid has a second draw of a game.
func TestAttackDrawVoid(t *testing.T) {
	s := newStage(t)
	first := s.seal()
	s.links(first, s.quorum())
	s.log.add(&record.DrawVoided{Game: first.ref, Draw: 1, Reason: "again", Approval: 1})
	for _, link := range first.given {
		s.give(first, link)
	}
	sequence, err := ball.NewSequence(ball.Keno, s.numbers(first)...)
	if err != nil {
		t.Fatal(err)
	}
	device, _, _ := testKey(t, testDevice)
	note, err := journal.SignNote(draw.Result{Device: "witnessed", Game: first.name, Revision: 2, Seal: first.body.Hash(),
		Numbers: sequence}.Marshal(), device)
	if err != nil {
		t.Fatal(err)
	}
	s.log.add(&record.GameDrawn{Game: first.ref, Draw: 2, Note: note})
	_, err = s.cosign(s.offices[0])
	refused(t, err, "412", "there is one draw")
}

// TestAttackDayLeavesGame ends the day of a game whose link was given out, without its result.
func TestAttackDayLeavesGame(t *testing.T) {
	s := newStage(t)
	s.links(s.seal(), s.quorum())
	s.log.add(&record.DayClosed{Series: 1, Day: testDay, Games: 1})
	_, err := s.cosign(s.offices[0])
	refused(t, err, "412", "undrawn")
}

// TestAttackTwoSeals has a house seal one game twice. The custodian stops for good, over a restart, and publishes both
// seals, and no link of the game.
func TestAttackTwoSeals(t *testing.T) {
	s := newStage(t)
	p := s.seal()
	if _, err := s.ask(s.offices[0], p, s.quorum()); err != nil {
		t.Fatal(err)
	}
	first := p.note
	s.log.add(&record.GameOpened{Game: record.Game{Series: 1, Day: testDay, Number: 499}, Ordinal: 99, Closes: 1,
		Schedule: "s"})
	s.reseal(p)
	for range 2 {
		_, err := s.cosign(s.offices[0])
		refused(t, err, "412", "two seals")
		s.offices[0].restart()
	}
	stopped := s.offices[0].stopped()
	if stopped == nil || !slices.Contains(stopped.Notes, string(first)) ||
		!slices.Contains(stopped.Notes, string(p.note)) {
		t.Errorf("%+v", stopped)
	}
	if _, _, said := s.offices[0].get("/published"); strings.Contains(said, "drawhouse/link/v2") ||
		!strings.Contains(said, "two seals") {
		t.Errorf("a link of the game is published, or no word of the fork: %s", said)
	}
}

// TestAttackSealForOne shows a seal to one custodian alone, and another one to the other. Neither of the two histories
// gets the cosignatures of both.
func TestAttackSealForOne(t *testing.T) {
	s := newStage(t)
	s.quorum()
	other := &stage{t: t, today: testDay, log: s.twin(), offices: s.offices}
	p := s.seal()
	q := other.seal()
	if p.name != q.name || p.body.Hash() == q.body.Hash() {
		t.Fatal("no two seals of one game")
	}
	s.show(other.log, s.offices[1])
	ours, err := s.cosign(s.offices[0])
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := other.cosign(s.offices[1])
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.ask(s.offices[0], p, ours)
	refused(t, err, "403", "operator.example has not cosigned")
	_, err = s.ask(s.offices[1], q, theirs)
	refused(t, err, "403", "inspector.example has not cosigned")

	// Whoever brings the two notes together stops a custodian, which publishes them.
	_, err = s.ask(s.offices[0], p, theirs)
	refused(t, err, "409", "two histories")
	_, err = s.cosign(s.offices[1])
	refused(t, err, "422", "two journals")
	for _, o := range s.offices {
		o.restart()
		_, _, said := o.get("/published")
		for _, note := range [][]byte{ours, theirs} {
			text, _, _ := strings.Cut(string(note), "\n\n")
			if !strings.Contains(said, strings.ReplaceAll(text, "\n", "\\n")) {
				t.Errorf("%s does not publish %q: %s", o.name, text, said)
			}
		}
	}
}

// twin returns a log with the same entries that goes another way.
func (s *stage) twin() *publicLog {
	twin := s.same()
	if twin.checkpoint() != s.log.checkpoint() {
		s.t.Fatal("the twin is another log from the beginning")
	}
	twin.add(&record.NoticeShown{Series: 1, Text: "Welcome.", By: 1}) // It has no entry, and is under the next seal.
	return twin
}

// same returns a log with the entries before the first game.
func (s *stage) same() *publicLog {
	twin := newPublicLog(s.t)
	chosen := &record.DeviceChosen{Series: 1, Device: record.DeviceWitnessed}
	for _, o := range s.offices {
		_, vkey, _ := linksKey(s.t, o.name)
		chosen.Custodians = append(chosen.Custodians, record.Custodian{Name: o.name, Key: vkey})
	}
	twin.add(chosen)
	for _, o := range s.offices {
		twin.add(o.committed())
	}
	return twin
}

// TestAttackDisjointQuorums shows a fork to each of two halves of the witnesses. Every custodian is in every quorum, so
// that the halves have no quorum each.
func TestAttackDisjointQuorums(t *testing.T) {
	s := newStage(t)
	s.quorum()
	other := &stage{t: t, today: testDay, log: s.twin(), offices: s.offices}
	p := s.seal()
	other.seal()
	ours := s.quorum()
	if _, err := s.ask(s.offices[0], p, ours); err != nil {
		t.Fatal(err)
	}
	s.show(other.log, s.offices...)
	theirs := other.log.signed()
	for _, name := range []string{"w1.example", "w2.example", "w3.example"} {
		signer, vkey, _ := testKey(t, name)
		w, err := witness.NewCosigner(signer, vkey)
		if err != nil {
			t.Fatal(err)
		}
		line, err := w.Cosign(other.log.checkpoint(), 1_794_711_600)
		if err != nil {
			t.Fatal(err)
		}
		theirs = append(theirs, line...)
	}
	_, err := s.ask(s.offices[1], p, theirs)
	refused(t, err, "409", "two histories")
}

// TestAttackLostState takes the custodian's book away, or gives it an old one. It finds its own signature under more
// entries than it has, and gives out nothing until it has them. What it may have given out before counts as given out.
func TestAttackLostState(t *testing.T) {
	for _, shows := range []bool{true, false} {
		s := newStage(t)
		s.draw(s.seal())
		o := s.offices[0]
		o.stop()
		old := o.copyBook()
		o.start()
		second := s.seal()
		note := s.quorum()
		if _, err := s.ask(o, second, note); err != nil {
			t.Fatal(err)
		}
		o.stop()
		o.state = old
		o.start()
		_, err := s.ask(o, second, note)
		refused(t, err, "403", "the book is lost or old")
		if shows {
			s.log.note = string(note)
		}
		s.voids(second) // It forgot that it gave the link.
		third := s.seal()
		_, err = s.ask(o, third, s.quorum())
		refused(t, err, "428", "void after its links could be known")
		o.restart()
		_, err = s.ask(o, third, s.quorum())
		refused(t, err, "428", "void after its links could be known")
		_, err = s.ask(o, second, s.quorum())
		refused(t, err, "403", "it comes from two holders of shares")
	}
}

// TestAttackShorterLog shows a custodian that lost its book a shorter log than it has cosigned.
func TestAttackShorterLog(t *testing.T) {
	s := newStage(t)
	s.quorum()
	short := s.twin()
	s.seal()
	note := s.quorum()
	o := s.offices[0]
	o.stop()
	o.state += ".lost"
	o.start()
	short.note = string(note)
	s.show(short, o)
	other := &stage{t: t, today: testDay, log: short, offices: s.offices}
	_, err := other.cosign(o)
	refused(t, err, "503", "were cosigned here before the book was lost")
	s.show(s.log, o)
	if _, err := s.cosign(o); err != nil {
		t.Errorf("with all its entries: %v", err)
	}
}

// TestSourceThatLies has the custodian read entries that are not those that were signed. It cosigns nothing, and goes
// on when it reads the right ones.
func TestSourceThatLies(t *testing.T) {
	s := newStage(t)
	s.quorum()
	lying := s.twin()
	s.seal()
	lying.say(public.Opened, "series "+testGame.Series, "day "+testGame.Day, "game 3", "id 3", "closes 1",
		"rulebook "+journal.LeafHash(nil).String(), "schedule s")
	lying.say(public.Opened, "series "+testGame.Series, "day "+testGame.Day, "game 4", "id 4", "closes 1",
		"rulebook "+journal.LeafHash(nil).String(), "schedule s")
	s.show(lying, s.offices[0])
	_, err := s.cosign(s.offices[0])
	refused(t, err, "503", "do not come to the root")
	s.show(s.log, s.offices[0])
	if _, err := s.cosign(s.offices[0]); err != nil {
		t.Error(err)
	}
	if s.offices[0].stopped() != nil {
		t.Error("a source that lies stops the custodian")
	}
}

// TestLongLog brings a custodian to a log of many tiles at once, and over a restart in its middle.
func TestLongLog(t *testing.T) {
	s := newStage(t)
	for n := range 700 {
		s.log.say(public.Opened, "series "+testGame.Series, "day "+testGame.Day, fmt.Sprintf("game %d", 1000+n),
			fmt.Sprintf("id %d", n), "closes 1", "rulebook "+journal.LeafHash(nil).String(), "schedule s")
		if n == 300 {
			s.quorum()
			s.offices[0].restart()
		}
	}
	s.quorum()
	s.offices[0].restart()
	if copied, _ := s.offices[0].server.config.Custody.Gate.Copied(); copied != s.log.checkpoint() {
		t.Errorf("the copy is %v, and the log %v", copied, s.log.checkpoint())
	}
	s.quorum()
}

// TestManyCommitments reads an answer of more than 64 KiB whole, and refuses one beyond its
// bound.
func TestManyCommitments(t *testing.T) {
	o := newOffice(t, "inspector.example")
	for size, want := range map[int]bool{200 << 10: true, 2 << 20: false} {
		o.server.config.Commitments = [][]byte{[]byte("first\n"), []byte(strings.Repeat("x", size)), []byte("last\n")}
		notes, err := o.client().Commitments(t.Context())
		if got := err == nil && len(notes) == 3 && string(notes[2]) == "last\n"; got != want {
			t.Errorf("%d bytes: %d notes: %v", size, len(notes), err)
		}
	}
}
