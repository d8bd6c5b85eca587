package wire

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/witness"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// watched is a house with two custodians and a witness outside, without whose cosignature no link leaves.
type watched struct {
	*stage
	w *office
}

func newWatched(t *testing.T) *watched {
	t.Helper()
	s := &watched{newStage(t), newOffice(t, "outside.example")}
	for _, o := range s.offices {
		o.policy = func(note []byte) string {
			if by, err := witness.Cosignatures(note, s.w.cosigner().Verifier); err != nil || len(by) == 0 {
				return "outside.example has not cosigned"
			}
			return ""
		}
		o.restart()
	}
	return s
}

// introduce has the house introduce a log to the witness outside.
func (s *watched) introduce(l *publicLog) error {
	s.t.Helper()
	first, err := public.Parse(l.entries[0])
	if err != nil {
		s.t.Fatal(err)
	}
	begun := l.entries[0]
	if l.origin == testLog {
		begun = first.Note("note")
	}
	return s.w.client().Introduce(s.t.Context(), begun)
}

// everybody returns the newest checkpoint, cosigned by all.
func (s *watched) everybody() []byte {
	s.t.Helper()
	note, err := s.cosign(append(slices.Clone(s.offices), s.w)...)
	if err != nil {
		s.t.Fatal(err)
	}
	return note
}

// collude returns a checkpoint that some custodian cosigns without asking its rule.
func (s *watched) collude(o *office, note []byte) []byte {
	s.t.Helper()
	line, err := o.cosigner().Cosign(s.log.checkpoint(), cosignsAt.Unix())
	if err != nil {
		s.t.Fatal(err)
	}
	return append(note, line...)
}

// lostBook plays the house with custodian B against A, whose book is an old one: a game was sealed and cosigned by
// all behind what that book has, and A gave its link. It returns the end that A knows, and the game.
func (s *watched) lostBook() (short journal.Checkpoint, drawn *played) {
	s.t.Helper()
	if err := s.introduce(s.log); err != nil {
		s.t.Fatal(err)
	}
	s.everybody()
	a := s.offices[0]
	short = s.log.checkpoint()
	a.stop()
	old := a.copyBook()
	a.start()
	drawn = s.seal()
	if _, err := s.ask(a, drawn, s.everybody()); err != nil {
		s.t.Fatal(err)
	}
	a.stop()
	a.state = old
	a.start()
	return short, drawn
}

// again begins a log behind an end, seals the game of another one there, and returns it.
func (s *watched) again(end journal.Checkpoint, game *played) *played {
	s.t.Helper()
	s.succeed(&end)
	s.today, s.played = testDay, nil
	for _, o := range s.offices {
		s.log.add(o.committed())
	}
	twice := s.seal()
	if twice.name != game.name {
		s.t.Fatalf("%v is sealed and not %v", twice.name, game.name)
	}
	return twice
}

// TestAttackRestoredBookAndSuccessor begins a log behind the end that the old book of a custodian has, and seals there
// a game whose link that custodian has given. It follows, because its own book agrees, and its link would be known
// before the seal. The witness outside has cosigned more: it refuses the log when the house introduces it, when its
// people give it the key of the log, when it is introduced by another beginning than the custodian is shown, and when
// the log names a past that nobody has cosigned. So no quorum comes about, and the custodian gives no link.
func TestAttackRestoredBookAndSuccessor(t *testing.T) {
	s := newWatched(t)
	short, drawn := s.lostBook()
	a, b, whole := s.offices[0], s.offices[1], s.log
	honest := &stage{t: t, today: testDay, log: s.same(), offices: s.offices}
	honest.seal()
	honest.succeed(nil)
	twice := s.again(short, drawn)
	note, err := s.cosign(a)
	if err != nil {
		t.Fatalf("the custodian with the old book: %v", err)
	}
	note = s.collude(b, note)
	asks := func() {
		t.Helper()
		_, err := s.ask(a, twice, note)
		refused(t, err, "403", "outside.example has not cosigned")
	}
	asks()
	byHand := func() {
		t.Helper()
		_, err := s.cosign(s.w)
		refused(t, err, "404", "its key does not say where it begins")
		err = s.introduce(s.log)
		refused(t, err, "422", "log2 follows keno.example/log with 4 entries, and 6 of keno.example/log were cosigned here")
		refused(t, err, "422", "--give-up keno.example/log@6")
		if !errors.Is(err, ErrOther) {
			t.Errorf("%v is not the answer of a witness that knows another log", err)
		}
	}
	_, err = s.cosign(s.w)
	refused(t, err, "404", "no log keno.example/log2 is watched here")
	_, _, key := testKey(t, testLog+"2")
	s.w.knows = []journal.Verifier{key}
	s.w.restart()
	byHand()
	s.w.restart()
	byHand()

	// The beginning that the witness takes is the only one that it cosigns.
	if err := s.introduce(honest.log); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err = s.cosign(s.w)
		refused(t, err, "422", "")
		refused(t, s.introduce(s.log), "422", "another first entry already")
		s.w.restart()
	}
	asks()
	whole.say(public.DayClosed, "series "+testGame.Series)
	_, err = s.w.client().Cosign(t.Context(), whole.signed(), 0, whole.prove)
	refused(t, err, "422", "ended with 6 entries, where another log follows it")
}

// TestAttackPastThatNobodyCosigned feeds the old book of a custodian entries that nobody has cosigned, so that it and
// the log that follows agree upon an end behind what the witness outside has cosigned. The witness does not take it.
func TestAttackPastThatNobodyCosigned(t *testing.T) {
	s := newWatched(t)
	short, drawn := s.lostBook()
	other := s.same()
	for range 4 {
		other.say("kind-of-later")
	}
	if end := other.checkpoint(); end.Size <= short.Size+2 {
		t.Fatalf("the other past has %d entries", end.Size)
	}
	s.again(other.checkpoint(), drawn)
	refused(t, s.introduce(s.log), "422", "have the rest cosigned first")
	if _, err := s.w.client().Cosign(t.Context(), other.signed(), 0, other.prove); !errors.Is(err, ErrOther) {
		t.Errorf("the other past is cosigned: %v", err)
	}
	refused(t, s.introduce(s.log), "422", "have the rest cosigned first")
}

// TestSuccessorBehindAllThatWasCosigned loses the disk of an honest house: it begins a log behind the copies of its
// custodians. A witness that has cosigned less takes the rest from a custodian first, and the game is drawn. Nothing of
// that asks its people.
func TestSuccessorBehindAllThatWasCosigned(t *testing.T) {
	s := newWatched(t)
	if err := s.introduce(s.log); err != nil {
		t.Fatal(err)
	}
	s.everybody()
	left := s.seal()
	s.quorum() // The witness was away.
	end := s.log.checkpoint()
	s.succeed(nil)
	s.letGo(left)
	refused(t, s.introduce(s.log), "422", "have the rest cosigned first")
	signed, prove, err := s.offices[0].client().Ended(t.Context(), end)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.w.client().Cosign(t.Context(), signed, 0, prove); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.offices[0].client().Ended(t.Context(), s.log.checkpoint()); !errors.Is(err, ErrAnswer) {
		t.Errorf("an end that was not cosigned: %v", err)
	}
	for range 2 {
		if err := s.introduce(s.log); err != nil {
			t.Fatal(err)
		}
		s.w.restart()
		s.links(s.seal(), s.everybody())
		for _, link := range s.played[len(s.played)-1].given {
			s.give(s.played[len(s.played)-1], link)
		}
		s.result(s.played[len(s.played)-1], s.numbers(s.played[len(s.played)-1]))
	}
}

// TestGiveUp has the people of a witness give up exactly what it has cosigned of a log, of which nobody has the last
// entries any more. It then takes a log that goes on from fewer, and goes on with it after a start without the flag;
// the flag means nothing more.
func TestGiveUp(t *testing.T) {
	s := newWatched(t)
	short, _ := s.lostBook()
	s.succeed(&short)
	refused(t, s.introduce(s.log), "422", "6 of keno.example/log were cosigned here")
	for _, size := range []uint64{short.Size, 7} {
		if err := s.w.server.GiveUp(testLog, size); err == nil || !strings.Contains(err.Error(), "6 entries of keno.example/log were cosigned here") {
			t.Errorf("%d entries are given up: %v", size, err)
		}
	}
	if err := s.w.server.GiveUp(testLog, 6); err != nil {
		t.Fatal(err)
	}
	if err := s.introduce(s.log); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.cosign(s.w); err != nil {
			t.Fatal(err)
		}
		s.w.restart()
		s.seal()
	}
	if err := s.w.server.GiveUp(testLog, 6); err != nil {
		t.Errorf("the flag is still there: %v", err)
	}
	begins := journal.Checkpoint{Origin: testLog + "2", Size: 1, Root: journal.LeafHash(s.log.entries[0])}
	third := *s.log
	third.origin, third.entries = testLog+"3", nil
	s.log = &third
	s.log.begin(&begins)
	refused(t, s.introduce(s.log), "422", "of keno.example/log2 were cosigned here")
}

// nowhere is a server that has nothing of a log.
type nowhere struct{}

func (nowhere) Read(context.Context, string) ([]byte, error) { return nil, fs.ErrNotExist }

// TestCustodianAsksWitnesses has the custodian with the old book ask the witnesses of its policy how far they have
// cosigned the log, before it follows the next one. One that says the little that the house wants does not speak for
// one that is away, or whose server does not know the log. It follows if all have answered and none has cosigned more,
// or if its people give up exactly what it names.
func TestCustodianAsksWitnesses(t *testing.T) {
	s := newWatched(t)
	short, _ := s.lostBook()
	a, liar := s.offices[0], newOffice(t, "liar.example")
	honest := LogWitness{Witness: s.w.cosigner().Verifier,
		Log: func(hash string) LogSource { return copyOf{s.w, hash} }}
	lie := says(s.shortened(short, liar))
	lies := LogWitness{Witness: liar.cosigner().Verifier, Log: func(string) LogSource { return lie }}
	a.asks = []LogWitness{lies, honest}
	a.restart()
	s.succeed(&short)
	_, err := s.cosign(a)
	refused(t, err, "412", "goes on from 4 entries of keno.example/log, and outside.example has 6 of them")
	refused(t, err, "412", "--give-up keno.example/log@6")
	s.w.http.Close()
	a.asks[1].Log = func(string) LogSource { return nowhere{} }
	for range 2 {
		_, err = s.cosign(a)
		refused(t, err, "503", "these do not answer: outside.example:")
		refused(t, err, "503", "--give-up keno.example/log@4")
		a.restart()
	}
	s.w.restart()
	a.asks[1].Log = honest.Log
	a.restart()
	for _, size := range []uint64{short.Size, 5, 7} {
		if err := a.server.GiveUp(testLog, size); err != nil {
			t.Fatal(err)
		}
		_, err = s.cosign(a)
		refused(t, err, "412", fmt.Sprintf("%d entries of keno.example/log are given up, and what is known", size))
		refused(t, err, "412", "--give-up keno.example/log@6")
	}
	if err := a.server.GiveUp(testLog, 6); err != nil {
		t.Fatal(err)
	}
	if _, err := s.cosign(a); err != nil {
		t.Error(err)
	}
}

// says is a witness that always says the same.
type says []byte

func (s says) Read(context.Context, string) ([]byte, error) { return s, nil }

// shortened returns a checkpoint of fewer entries, signed by the log and cosigned by somebody.
func (s *watched) shortened(c journal.Checkpoint, by *office) []byte {
	s.t.Helper()
	signer, _, _ := testKey(s.t, testLog)
	note, err := journal.SignCheckpoint(c, signer)
	if err != nil {
		s.t.Fatal(err)
	}
	line, err := by.cosigner().Cosign(c, cosignsAt.Unix())
	if err != nil {
		s.t.Fatal(err)
	}
	return append(note, line...)
}

// TestCustodianFollowsWhenAllAnswer has all witnesses of the policy answer, and none has cosigned more: nobody is asked
// for leave. Where one is gone for good the people of the custodian give up behind its own end.
func TestCustodianFollowsWhenAllAnswer(t *testing.T) {
	s := newWatched(t)
	if err := s.introduce(s.log); err != nil {
		t.Fatal(err)
	}
	s.everybody()
	s.succeed(nil)
	honest := func(hash string) LogSource { return copyOf{s.w, hash} }
	gone := func(string) LogSource { return nowhere{} }
	for i, log := range []func(string) LogSource{honest, gone} {
		o := s.offices[i]
		o.asks = []LogWitness{{Witness: s.w.cosigner().Verifier, Log: log}}
		o.restart()
		if i > 0 {
			_, err := s.cosign(o)
			refused(t, err, "503", "--give-up keno.example/log@4")
			if err := o.server.GiveUp(testLog, 4); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.cosign(o); err != nil {
			t.Errorf("%s: %v", o.name, err)
		}
	}
}
