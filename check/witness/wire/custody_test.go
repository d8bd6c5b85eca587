package wire

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/witness"
	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

var testDay, _ = day.Parse(testGame.Day)

// ledger is a journal of real records, of one volume or several, that may lie.
type ledger struct {
	t      testing.TB
	volume uint16
	trees  map[uint16]*journal.Tree
	all    map[uint16][][]byte
}

func newLedger(t testing.TB) *ledger {
	return &ledger{t: t, volume: 1, trees: map[uint16]*journal.Tree{1: journal.NewTree()}, all: map[uint16][][]byte{}}
}

func (l *ledger) tree() *journal.Tree { return l.trees[l.volume] }

// add appends a record and returns its place.
func (l *ledger) add(body record.Body) record.Place {
	l.t.Helper()
	data, err := record.Encode(record.Record{Time: record.Time(l.tree().Size() + 1), Body: body})
	if err != nil {
		l.t.Fatal(err)
	}
	seq, _ := l.tree().Append(data)
	l.all[l.volume] = append(l.all[l.volume], data)
	return record.Place{Volume: l.volume, Seq: seq}
}

func (l *ledger) checkpoint() journal.Checkpoint {
	return journal.Checkpoint{Origin: journal.VolumeOrigin(testHouse, l.volume), Size: l.tree().Size(),
		Root: l.tree().Root()}
}

// fork returns a ledger with the same beginning.
func (l *ledger) fork() *ledger {
	other := &ledger{t: l.t, volume: l.volume, trees: map[uint16]*journal.Tree{}, all: map[uint16][][]byte{}}
	for v, tree := range l.trees {
		other.trees[v], other.all[v] = tree.Clone(), slices.Clone(l.all[v])
	}
	return other
}

// show returns records with their proofs under the newest checkpoint.
func (l *ledger) show(sizes map[uint16]uint64, places ...record.Place) (shown []witness.ProvedRecord) {
	l.t.Helper()
	for _, p := range places {
		size, ok := sizes[p.Volume]
		if !ok {
			size = l.trees[p.Volume].Size()
		}
		proof, err := journal.ProveRecord(p.Seq, size, journal.NewReader(l.trees[p.Volume], nil))
		if err != nil {
			l.t.Fatal(err)
		}
		shown = append(shown, witness.ProvedRecord{Volume: p.Volume, Seq: p.Seq, Data: l.all[p.Volume][p.Seq], Proof: proof})
	}
	return shown
}

// stage is a house with two custodians.
type stage struct {
	t       testing.TB
	ledger  *ledger
	offices []*office
	days    []record.Place // what every game is shown with: commitments
	played  []*played
}

// played is a game as the journal has it.
type played struct {
	name    journal.Game
	ref     record.Game
	opened  record.Place
	sealed  record.Place
	cosign  record.Place
	links   []record.Place
	drawn   record.Place
	void    record.Place
	body    journal.SealBody
	note    []byte
	given   []draw.Link
	numbers []int
}

const firstOrdinal = 7

func newStage(t testing.TB) *stage {
	t.Helper()
	names := []string{"inspector.example", "operator.example"}
	s := &stage{t: t, ledger: newLedger(t)}
	for _, name := range names {
		s.offices = append(s.offices, newCustodian(t, name, names...))
	}
	// The game before the day, which is the end of every walk back.
	s.days = append(s.days, s.ledger.add(&record.GameOpened{Game: record.Game{Series: 1, Day: testDay - 1, Number: 416},
		Ordinal: firstOrdinal - 1, Closes: 1, Schedule: "s"}))
	for _, o := range s.offices {
		commitment, _ := o.commitment()
		signer, _, _ := testKey(t, o.name)
		note, err := journal.SignNote(commitment.Marshal(), signer)
		if err != nil {
			t.Fatal(err)
		}
		s.days = append(s.days, s.ledger.add(&record.LinksCommitted{Series: 1, Day: testDay, Custodian: o.name, Note: note}))
	}
	return s
}

func (o *office) commitment() (draw.Commitment, [3]*draw.Shares) {
	o.t.Helper()
	c, shares, err := o.links.Commit(entropy("shares of " + o.name))
	if err != nil {
		o.t.Fatal(err)
	}
	return c, shares
}

// seal opens and seals the next game. The seal is cosigned by all.
func (s *stage) seal() *played {
	s.t.Helper()
	return s.sealNumber(uint16(417 + len(s.played)))
}

// sealNumber is seal with a number of the house's choice.
func (s *stage) sealNumber(number uint16) *played {
	s.t.Helper()
	n := len(s.played)
	p := &played{name: testGame, ref: record.Game{Series: 1, Day: testDay, Number: number}}
	p.name.Number = uint32(p.ref.Number)
	p.opened = s.ledger.add(&record.GameOpened{Game: p.ref, Ordinal: uint32(firstOrdinal + n), Closes: 1, Schedule: "s"})
	s.played = append(s.played, p)
	s.reseal(p)
	return p
}

// reseal seals a game over the journal as it is, a second time if it must be.
func (s *stage) reseal(p *played) {
	s.t.Helper()
	signer, _, _ := testKey(s.t, testHouse)
	p.body = journal.SealBody{Checkpoint: s.ledger.checkpoint(), Game: p.name}
	var err error
	if p.note, err = journal.SignSeal(p.body, signer); err != nil {
		s.t.Fatal(err)
	}
	signed, err := journal.SignCheckpoint(p.body.Checkpoint, signer)
	if err != nil {
		s.t.Fatal(err)
	}
	cosigned := p.note
	var by []string
	for _, o := range s.offices {
		found, err := o.client().Cosign(s.t.Context(), signed, 0, s.ledger.proveTree)
		if err != nil {
			s.t.Fatal(err)
		}
		cosigned, by = slices.Concat(cosigned, found.Line), append(by, o.name)
	}
	p.sealed = s.ledger.add(&record.GameSealed{Game: p.ref, Seal: p.note})
	p.cosign = s.ledger.add(&record.GameWitnessed{Game: p.ref, Seal: cosigned, By: by})
}

func (l *ledger) proveTree(oldSize, newSize uint64) (journal.TreeProof, error) {
	return journal.ProveTree(oldSize, newSize, journal.NewReader(l.tree(), nil))
}

// cosigned returns the newest checkpoint with the cosignatures of some offices.
func (s *stage) cosigned(offices ...*office) string {
	s.t.Helper()
	signer, _, _ := testKey(s.t, testHouse)
	signed, err := journal.SignCheckpoint(s.ledger.checkpoint(), signer)
	if err != nil {
		s.t.Fatal(err)
	}
	note := slices.Clone(signed)
	for _, o := range offices {
		found, err := o.client().Cosign(s.t.Context(), signed, 0, s.ledger.proveTree)
		if err != nil {
			s.t.Fatal(err)
		}
		note = append(note, found.Line...)
	}
	return string(note)
}

// places returns what a custodian asks for about a game.
func (s *stage) places(p *played) []record.Place {
	places := append(slices.Clone(s.days), p.opened, p.sealed, p.cosign)
	for i := slices.Index(s.played, p) - 1; i >= 0; i-- {
		before := s.played[i]
		places = append(places, before.opened, before.sealed)
		places = append(places, before.links...)
		if before.void.Volume != 0 {
			places = append(places, before.void)
		} else if before.drawn.Volume != 0 {
			places = append(places, before.drawn)
		}
		if len(before.links) > 0 {
			break
		}
	}
	return places
}

// evidence returns honest evidence for a game.
func (s *stage) evidence(p *played) witness.Evidence {
	s.t.Helper()
	note := s.cosigned(s.offices...)
	return witness.Evidence{Game: p.name, Checkpoint: note, Records: s.ledger.show(nil, s.places(p)...)}
}

// ask asks an office for a link.
func (s *stage) ask(o *office, e witness.Evidence) (draw.Link, error) {
	c, _ := o.commitment()
	return o.client().Release(s.t.Context(), c, e)
}

// draw has both links given, and writes links and result into the journal.
func (s *stage) draw(p *played) {
	s.t.Helper()
	e := s.evidence(p)
	for _, o := range s.offices {
		link, err := s.ask(o, e)
		if err != nil {
			s.t.Fatal(err)
		}
		p.given = append(p.given, link)
		s.give(p, link)
	}
	s.result(p, s.numbers(p))
}

func (s *stage) give(p *played, link draw.Link) {
	given := &record.LinkGiven{Game: p.ref, Custodian: link.Custodian, Link: record.Hash(link.Value)}
	for _, h := range link.Path.Hashes() {
		given.Path = append(given.Path, record.Hash(h))
	}
	p.links = append(p.links, s.ledger.add(given))
}

// numbers works out the right result.
func (s *stage) numbers(p *played) []int {
	s.t.Helper()
	picks, err := draw.WitnessedNumbers(draw.KenoPlan(p.name, 1), p.body.Hash(), p.given)
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
	device, _, _ := testKey(s.t, "device.example")
	note, err := journal.SignNote(draw.Result{Device: "witnessed", Game: p.name, Revision: 1, Seal: p.body.Hash(),
		Numbers: sequence}.Marshal(), device)
	if err != nil {
		s.t.Fatal(err)
	}
	p.numbers, p.drawn = numbers, s.ledger.add(&record.GameDrawn{Game: p.ref, Draw: 1, Note: note})
}

// voids writes that a game is void.
func (s *stage) voids(p *played) {
	p.void = s.ledger.add(&record.GameVoided{Game: p.ref, Draw: 1, Reason: "no power", Approval: 1})
}

// refused demands that a question is refused, with a status and a part of what is said.
func refused(t *testing.T, err error, status, says string) {
	t.Helper()
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), status) || !strings.Contains(err.Error(), says) {
		t.Errorf("%v, want %s %q", err, status, says)
	}
}

// TestLinksInOrder draws three games end to end. A custodian that is restarted gives the
// same link again under the same seal.
func TestLinksInOrder(t *testing.T) {
	s := newStage(t)
	for range 3 {
		p := s.seal()
		s.draw(p)
		s.offices[0].restart()
		if again, err := s.ask(s.offices[0], s.evidence(p)); err != nil || again != p.given[0] {
			t.Errorf("the same again: %+v: %v", again, err)
		}
	}
	if s.offices[0].server.config.Custody.Gate.Stopped() != nil {
		t.Error("an honest custodian has stopped")
	}
	_, _, published := s.offices[0].get("/published")
	for _, p := range s.played {
		if !strings.Contains(published, strings.ReplaceAll(p.given[0].Marshal(), "\n", "\\n")) {
			t.Errorf("the link of %v is not published", p.name)
		}
	}
}

// TestAttackSealBodyUnderAnyCheckpoint asks with an ordinary cosigned checkpoint and a seal
// of a game that the journal does not have.
func TestAttackSealBodyUnderAnyCheckpoint(t *testing.T) {
	s := newStage(t)
	p := s.seal()
	e := s.evidence(p)
	e.Game.Number = 499
	_, err := s.ask(s.offices[0], e)
	refused(t, err, "403", "no seal of the game")

	// The record of a seal that is in no journal.
	ghost := s.ledger.fork()
	signer, _, _ := testKey(t, testHouse)
	body := journal.SealBody{Checkpoint: s.ledger.checkpoint(),
		Game: journal.Game{Series: "vic-keno", Day: testGame.Day, Number: 499}}
	note, err := journal.SignSeal(body, signer)
	if err != nil {
		t.Fatal(err)
	}
	at := ghost.add(&record.GameSealed{Game: record.Game{Series: 1, Day: testDay, Number: 499}, Seal: note})
	e = s.evidence(p)
	e.Game.Number = 499
	e.Records = append(e.Records, ghost.show(nil, at)...)
	_, err = s.ask(s.offices[0], e)
	refused(t, err, "403", "not proved")

	// The request of before.
	if status, _, said := s.offices[0].post("/release-link", witness.MarshalRelease(3, note)); status != 400 {
		t.Errorf("%d %s", status, said)
	}
}

// TestAttackTooFewCosignatures asks before every custodian has cosigned.
func TestAttackTooFewCosignatures(t *testing.T) {
	s := newStage(t)
	p := s.seal()
	e := s.evidence(p)
	e.Checkpoint = s.cosigned(s.offices[0])
	_, err := s.ask(s.offices[0], e)
	refused(t, err, "403", "operator.example has not cosigned")
	e = s.evidence(p)
	e.Records = slices.DeleteFunc(e.Records, func(r witness.ProvedRecord) bool { return r.Seq == p.cosign.Seq })
	_, err = s.ask(s.offices[0], e)
	refused(t, err, "403", "has cosigned the seal")
}

// TestAttackLinksInAdvance asks for the link of the next game before the one before has
// its result.
func TestAttackLinksInAdvance(t *testing.T) {
	s := newStage(t)
	first := s.seal()
	if _, err := s.ask(s.offices[0], s.evidence(first)); err != nil {
		t.Fatal(err)
	}
	second := s.seal()
	_, err := s.ask(s.offices[0], s.evidence(second))
	refused(t, err, "428", "link")
	// Not even with the game in between left out.
	third := s.seal()
	e := s.evidence(third)
	e.Records = s.ledger.show(nil, append(slices.Clone(s.days), third.opened, third.sealed, third.cosign)...)
	_, err = s.ask(s.offices[1], e)
	refused(t, err, "428", "is not shown")
}

// TestAttackWrongResult shows a result that seal and links do not give.
func TestAttackWrongResult(t *testing.T) {
	s := newStage(t)
	first := s.seal()
	e := s.evidence(first)
	for _, o := range s.offices {
		link, err := s.ask(o, e)
		if err != nil {
			t.Fatal(err)
		}
		first.given = append(first.given, link)
		s.give(first, link)
	}
	right := s.numbers(first)
	wrong := slices.Clone(right)
	wrong[0], wrong[1] = wrong[1], wrong[0]
	s.result(first, wrong)
	second := s.seal()
	_, err := s.ask(s.offices[0], s.evidence(second))
	refused(t, err, "428", "is wrong")
	s.result(first, right)
	if _, err := s.ask(s.offices[0], s.evidence(second)); err != nil {
		t.Errorf("with the right result: %v", err)
	}
}

// TestAttackVoidAfterLinks declares a game void whose link was given out.
func TestAttackVoidAfterLinks(t *testing.T) {
	s := newStage(t)
	first := s.seal()
	e := s.evidence(first)
	link, err := s.ask(s.offices[0], e)
	if err != nil {
		t.Fatal(err)
	}
	s.voids(first)
	second := s.seal()
	_, err = s.ask(s.offices[0], s.evidence(second))
	refused(t, err, "428", "was given out")
	// Where the rulebook demands the void, all links are public.
	s.give(first, link)
	other, err := s.offices[1].links.Link(first.name)
	if err != nil {
		t.Fatal(err)
	}
	s.give(first, other)
	if _, err := s.ask(s.offices[0], s.evidence(second)); err != nil {
		t.Errorf("with all links published: %v", err)
	}
}

// TestVoidBeforeLinks goes on after a game that was declared void before anybody knew a
// link of it.
func TestVoidBeforeLinks(t *testing.T) {
	s := newStage(t)
	s.draw(s.seal())
	s.voids(s.seal())
	s.draw(s.seal())
}

// TestAttackTwoSeals has a house seal one game twice in one journal. The custodian stops for
// good, over a restart, and keeps both seals.
func TestAttackTwoSeals(t *testing.T) {
	s := newStage(t)
	p := s.seal()
	if _, err := s.ask(s.offices[0], s.evidence(p)); err != nil {
		t.Fatal(err)
	}
	first := p.note
	s.reseal(p)
	e := s.evidence(p)
	_, err := s.ask(s.offices[0], e)
	refused(t, err, "409", "two seals")
	s.offices[0].restart()
	_, err = s.ask(s.offices[0], e)
	refused(t, err, "409", "stops for good")
	stopped := s.offices[0].server.config.Custody.Gate.Stopped()
	if stopped == nil || !slices.Contains(stopped.Notes, string(first)) ||
		!slices.Contains(stopped.Notes, string(p.note)) {
		t.Errorf("%+v", stopped)
	}
	if _, _, said := s.offices[0].get("/published"); strings.Contains(said, "drawhouse/link/v2") ||
		!strings.Contains(said, "two seals") {
		t.Errorf("a link of the game is published, or no word of the fork: %s", said)
	}
	// Both in one question, to a custodian that knew neither.
	e.Records = append(e.Records, s.ledger.show(nil, record.Place{Volume: 1, Seq: p.sealed.Seq - 2})...)
	_, err = s.ask(s.offices[1], e)
	refused(t, err, "409", "two seals")
}

// TestAttackLostState takes the custodian's book away, or gives it an old one.
func TestAttackLostState(t *testing.T) {
	s := newStage(t)
	s.draw(s.seal())
	o := s.offices[0]
	o.stop()
	kept := o.state
	o.state += ".empty"
	o.start()
	second := s.seal()
	e := s.evidence(second)
	_, err := s.ask(o, e)
	refused(t, err, "409", "the book is lost or old")
	o.stop()
	o.state = kept
	o.start()
	// The old book does not know what the key has signed since.
	_, err = s.ask(o, e)
	refused(t, err, "409", "the book is lost or old")
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
