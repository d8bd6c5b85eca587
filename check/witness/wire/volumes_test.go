package wire

import (
	"slices"
	"testing"

	"drawhouse/check/witness"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// turn begins a further volume, which follows the one before as it is. Lost are checkpoints
// that it names as abandoned.
func (s *stage) turn(number uint16, reason record.VolumeReason, lost ...journal.Checkpoint) record.Place {
	s.t.Helper()
	signer, vkey, _ := testKey(s.t, testHouse)
	sign := func(c journal.Checkpoint) []byte {
		note, err := journal.SignCheckpoint(c, signer)
		if err != nil {
			s.t.Fatal(err)
		}
		return note
	}
	begun := &record.VolumeBegun{
		House: testHouse, Volume: number, Level: record.Level, HouseKey: vkey, DeviceKey: vkey, Reason: reason,
		Previous: sign(s.ledger.checkpoint()), State: make([]byte, journal.HashBytes), Handover: []byte("handover"),
	}
	for _, c := range lost {
		begun.Abandoned = append(begun.Abandoned, sign(c))
	}
	s.ledger.volume = number
	s.ledger.trees[number] = journal.NewTree()
	return s.ledger.add(begun)
}

// end has the end of the volume cosigned.
func (s *stage) end() { s.cosigned(s.offices...) }

// TestLinksFollowVolumes draws a game in one volume and the next in another. The end of the
// first must be cosigned before.
func TestLinksFollowVolumes(t *testing.T) {
	for _, ends := range []bool{true, false} {
		s := newStage(t)
		s.draw(s.seal())
		if ends {
			s.end()
		}
		begun := s.turn(2, record.ReasonYear)
		p := s.seal()
		e := s.evidence(p)
		e.Records = append(e.Records, s.ledger.show(nil, begun)...)
		_, err := s.ask(s.offices[0], e)
		if ends && err != nil {
			t.Error(err)
		}
		if !ends {
			refused(t, err, "403", "have its end cosigned first")
		}
	}
}

// TestAttackShadowVolume leaves a volume out, or does not show what a volume continues.
func TestAttackShadowVolume(t *testing.T) {
	s := newStage(t)
	s.draw(s.seal())
	s.end()
	begun := s.turn(3, record.ReasonYear)
	p := s.seal()
	e := s.evidence(p)
	_, err := s.ask(s.offices[0], e)
	refused(t, err, "403", "does not follow from the checkpoint")
	e.Records = s.ledger.show(nil, p.opened, p.sealed, p.cosign)
	_, err = s.ask(s.offices[0], e)
	refused(t, err, "403", "is not shown to continue volume 1")
	e = s.evidence(p)
	e.Records = append(e.Records, s.ledger.show(nil, begun)...)
	_, err = s.ask(s.offices[0], e)
	refused(t, err, "403", "volume 2 between them is not named")
}

// TestAttackHiddenVolume has a volume cosigned and begins the next behind the one before
// it, as if nobody had seen more than nothing of the hidden one. A number of which nobody has
// seen anything may be named that way.
func TestAttackHiddenVolume(t *testing.T) {
	for _, seen := range []bool{true, false} {
		s := newStage(t)
		s.draw(s.seal())
		s.end()
		kept := s.ledger.fork()
		if seen {
			s.turn(2, record.ReasonYear)
			s.end()
		}
		s.ledger = kept
		begun := s.turn(3, record.ReasonRestore,
			journal.Checkpoint{Origin: journal.VolumeOrigin(testHouse, 2), Root: journal.EmptyRoot()})
		p := s.seal()
		e := s.evidence(p)
		e.Records = append(e.Records, s.ledger.show(nil, begun)...)
		_, err := s.ask(s.offices[0], e)
		if seen {
			refused(t, err, "403", "abandons 0 records of volume 2, and 1 were cosigned here")
		} else if err != nil {
			t.Error(err)
		}
	}
}

// TestOneBookIsEnough has the operator learn the links of a game from both custodians, one
// of which then loses its book. The operator restores the journal from before the seal, and
// seals the game anew with a result that fits the new seal and the links. Neither custodian
// gives a further link: one has its book, and the other finds links that its book does not
// know of.
func TestOneBookIsEnough(t *testing.T) {
	s := newStage(t)
	s.draw(s.seal())
	copied := s.ledger.fork()
	p := s.seal()
	e := s.evidence(p)
	for _, o := range s.offices {
		link, err := s.ask(o, e)
		if err != nil {
			t.Fatal(err)
		}
		p.given = append(p.given, link)
	}
	cosigned := s.ledger.checkpoint()
	s.offices[0].stop()
	s.offices[0].state += ".lost"
	s.offices[0].start()

	s.ledger, s.played = copied, slices.Delete(s.played, 1, 2)
	begun := s.turn(2, record.ReasonRestore, cosigned)
	again := s.seal()
	if again.name != p.name || again.body.Hash() == p.body.Hash() {
		t.Fatalf("the game is not sealed anew: %+v", again.body)
	}
	again.given = p.given
	for _, link := range p.given {
		s.give(again, link)
	}
	s.result(again, s.numbers(again))
	next := s.seal()
	e = s.evidence(next)
	e.Records = append(e.Records, s.ledger.show(nil, begun)...)
	_, err := s.ask(s.offices[1], e)
	refused(t, err, "428", "is of another seal")
	_, err = s.ask(s.offices[0], e)
	refused(t, err, "409", "the book is lost or old")
}

// TestAttackRestore restores a journal from before a seal under which a link was given
// out, and seals the game anew. The custodian gives no second link, and does not stop: the
// journal says what it has lost.
func TestAttackRestore(t *testing.T) {
	for _, named := range []bool{true, false} {
		s := newStage(t)
		s.draw(s.seal())
		copied := s.ledger.fork()
		p := s.seal()
		if _, err := s.ask(s.offices[0], s.evidence(p)); err != nil {
			t.Fatal(err)
		}
		cosigned := s.ledger.checkpoint()
		s.ledger, s.played = copied, slices.Delete(s.played, 1, 2)
		var lost []journal.Checkpoint
		if named {
			lost = append(lost, cosigned)
		}
		begun := s.turn(2, record.ReasonRestore, lost...)
		again := s.seal()
		e := s.evidence(again)
		e.Records = append(e.Records, s.ledger.show(nil, begun)...)
		_, err := s.ask(s.offices[0], e)
		if named {
			refused(t, err, "409", "which the journal has abandoned since")
		} else {
			refused(t, err, "403", "are not named as abandoned")
		}
		if stopped := s.offices[0].server.config.Custody.Gate.Stopped(); stopped != nil {
			t.Errorf("the custodian has stopped: %s", stopped.Why)
		}
	}
}

// TestAttackTwoVolumes goes on in two volumes at once: a copy of the house begins a volume
// and has links given out there, then the house itself goes on in the volume before.
func TestAttackTwoVolumes(t *testing.T) {
	s := newStage(t)
	s.draw(s.seal())
	s.end()
	public := s.ledger.fork()
	begun := s.turn(2, record.ReasonYear)
	p := s.seal()
	e := s.evidence(p)
	e.Records = append(e.Records, s.ledger.show(nil, begun)...)
	if _, err := s.ask(s.offices[0], e); err != nil {
		t.Fatal(err)
	}
	s.ledger, s.played = public, s.played[:1]
	signer, _, _ := testKey(t, testHouse)
	for restarted := range 2 {
		s.ledger.add(&record.NoticeShown{Series: 1, Text: "Welcome.", By: 1})
		signed, err := journal.SignCheckpoint(s.ledger.checkpoint(), signer)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.offices[0].client().Cosign(t.Context(), signed, 0, s.ledger.proveTree)
		refused(t, err, "422", "has ended, and a link was given out in a later volume")
		// The other custodian has given no link, and would sign what the first does not.
		if _, err := s.offices[1].client().Cosign(t.Context(), signed, 0, s.ledger.proveTree); err != nil {
			t.Error(err)
		}
		if restarted == 0 {
			s.offices[0].restart()
		}
	}
}

// TestAttackGrowsMeanwhile has the volume before cosigned further while the evidence for a
// link in the next volume is checked.
func TestAttackGrowsMeanwhile(t *testing.T) {
	s := newStage(t)
	s.draw(s.seal())
	s.end()
	public := s.ledger.fork()
	begun := s.turn(2, record.ReasonYear)
	p := s.seal()
	e := s.evidence(p)
	e.Records = append(e.Records, s.ledger.show(nil, begun)...)
	custody := s.offices[0].server.config.Custody
	latest, grown := s.offices[0].server.Latest, false
	custody.Follow(func(origin string) (witness.Signed, bool) {
		found, ok := latest(origin)
		if origin == journal.VolumeOrigin(testHouse, 1) && !grown {
			grown = true
			s.ledger = public
			s.ledger.add(&record.NoticeShown{Series: 1, Text: "Welcome.", By: 1})
			s.cosigned(s.offices[0])
		}
		return found, ok
	})
	_, err := s.ask(s.offices[0], e)
	refused(t, err, "403", "was cosigned here with")
	if custody.Gate.Ended(journal.VolumeOrigin(testHouse, 1)) {
		t.Error("no link was given out, and volume 1 has ended")
	}
}

// TestAttackSkipsGames seals a game whose number leaves others out.
func TestAttackSkipsGames(t *testing.T) {
	for _, number := range []uint16{417, 419, 425, 418} {
		s := newStage(t)
		s.draw(s.seal()) // Game 417.
		p := s.sealNumber(number)
		_, err := s.ask(s.offices[0], s.evidence(p))
		switch number {
		case 418:
			if err != nil {
				t.Error(err)
			}
		case 417:
			if err == nil {
				t.Error("a second seal of the game got a link")
			}
		default:
			refused(t, err, "428", "numbers were left out")
		}
	}
}
