package wire

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"drawhouse/ball"
	"drawhouse/draw"
	"drawhouse/journal"
)

// commit returns the office's commitment and the shares of its seed.
func (o *office) commit() (draw.Commitment, [3]draw.Share) {
	o.t.Helper()
	c, shares, err := draw.Commit(bytes.NewReader(bytes.Repeat([]byte{7}, 32)), o.chain, o.seed())
	if err != nil {
		o.t.Fatal(err)
	}
	return c, shares
}

// A hall draws with a witnessed device: two witnesses, both custodians.
type hall struct {
	t       testing.TB
	house   *house
	offices []*office
	group   *Group
	device  *draw.Witnessed
}

func newHall(t testing.TB) *hall {
	t.Helper()
	l := &hall{t: t, house: newHouse(t, 5), offices: []*office{newOffice(t, "inspector.example"), newOffice(t, "operator.example")}}
	keys := draw.Keys{}
	keys.Signer, _, _ = testKey(t, "device.example")
	_, _, keys.House = testKey(t, testHouse)
	var members []Member
	var custodians []journal.Verifier
	for _, o := range l.offices {
		members = append(members, Member{Client: o.client(), Policy: Required})
		keys.Cosigners = append(keys.Cosigners, o.cosigner().OfSeals())
		keys.Required = append(keys.Required, o.name)
		_, _, v := testKey(t, o.name)
		custodians = append(custodians, v)
	}
	l.group = l.house.group(members...)
	device, err := draw.NewWitnessed(keys, custodians...)
	if err != nil {
		t.Fatal(err)
	}
	l.device = device
	for _, o := range l.offices {
		c, _ := o.commit()
		signer, _, _ := testKey(t, o.name)
		msg, err := journal.SignNote(c.Marshal(), signer)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := device.Commit(msg); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// cosigned seals a game and has it cosigned.
func (l *hall) cosigned(number uint32) journal.Seal {
	l.t.Helper()
	c, err := l.group.CosignSeal(l.t.Context(), l.house.seal(number))
	if err != nil {
		l.t.Fatal(err)
	}
	_, _, house := testKey(l.t, testHouse)
	seal, err := journal.OpenSeal(c.Seal, house, l.offices[0].cosigner().OfSeals(), l.offices[1].cosigner().OfSeals())
	if err != nil {
		l.t.Fatal(err)
	}
	return seal
}

// release fetches the link of an office.
func (l *hall) release(o *office, seal journal.Seal) (draw.Link, error) {
	c, _ := o.commit()
	return o.client().Release(l.t.Context(), c, 1, seal)
}

func (l *hall) draw(seal journal.Seal) ball.Sequence {
	l.t.Helper()
	drawing, err := l.device.Start(draw.KenoPlan(seal.Body().Game, 1), seal, ball.Sequence{}, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	for place := 1; place <= 20; place++ {
		if _, err := drawing.Next(place); err != nil {
			l.t.Fatal(err)
		}
	}
	return drawing.Drawn()
}

// TestWitnessedDraw plays a game end to end: seal, cosignatures, links, numbers.
func TestWitnessedDraw(t *testing.T) {
	l := newHall(t)
	seal := l.cosigned(417)
	if _, err := l.device.Start(draw.KenoPlan(testGame, 1), l.house.seal(417), ball.Sequence{}, nil); !errors.Is(err, draw.ErrSeal) {
		t.Errorf("the device began under a seal without cosignatures: %v", err)
	}
	for _, o := range l.offices {
		link, err := l.release(o, seal)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.device.Take(link); err != nil {
			t.Fatal(err)
		}
	}
	if drawn := l.draw(seal); drawn.Len() != 20 {
		t.Errorf("drawn %v", drawn)
	}
}

// TestLinkWithheld loses a custodian after the seal. Two shares rebuild the chain, and
// the numbers are those that the custodian's own link would have given.
func TestLinkWithheld(t *testing.T) {
	l := newHall(t)
	seal := l.cosigned(417)
	there, err := l.release(l.offices[1], seal)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.device.Take(there); err != nil {
		t.Fatal(err)
	}
	l.offices[0].http.Close()
	if _, err := l.release(l.offices[0], seal); !errors.Is(err, ErrUnreachable) {
		t.Fatalf("a custodian that is gone: %v", err)
	}
	commitment, shares := l.offices[0].commit()
	chain, err := commitment.Rebuild(shares[0], shares[2])
	if err != nil {
		t.Fatal(err)
	}
	rebuilt, err := chain.Link(testGame, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.device.Take(rebuilt); err != nil {
		t.Fatal(err)
	}
	drawn := l.draw(seal)

	honest := newHall(t)
	again := honest.cosigned(417)
	for _, o := range honest.offices {
		link, err := honest.release(o, again)
		if err != nil {
			t.Fatal(err)
		}
		if err := honest.device.Take(link); err != nil {
			t.Fatal(err)
		}
	}
	if want := honest.draw(again); drawn != want {
		t.Errorf("from escrow %v, from the custodian %v", drawn, want)
	}
}

// TestLinkThatDoesNotFit has a custodian who gives out something else.
func TestLinkThatDoesNotFit(t *testing.T) {
	l := newHall(t)
	seal := l.cosigned(417)
	o := l.offices[0]
	o.stop()
	honest := o.chain
	o.chain.Games++ // Another chain, to which nobody committed.
	o.start()
	o.chain = honest
	if link, err := l.release(o, seal); !errors.Is(err, draw.ErrLink) {
		t.Errorf("%+v was accepted: %v", link, err)
	}
}

// TestCustodianRemembers restarts a custodian: the link stays bound to the seal
// under which it left.
func TestCustodianRemembers(t *testing.T) {
	l := newHall(t)
	seal := l.cosigned(417)
	o := l.offices[0]
	first, err := l.release(o, seal)
	if err != nil {
		t.Fatal(err)
	}
	o.restart()
	l.group.Members[0] = Member{Client: o.client(), Policy: Required}
	if again, err := l.release(o, seal); err != nil || again != first {
		t.Errorf("the same again: %+v: %v", again, err)
	}
	l.house.sell(1, "after the seal")
	if _, err := l.release(o, l.cosigned(417)); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "409") || !strings.Contains(err.Error(), "another seal") {
		t.Errorf("a second seal of the game: %v", err)
	}
	if _, err := l.release(o, l.house.seal(418)); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "too early") {
		t.Errorf("before the cosignature: %v", err)
	}
	if _, err := l.release(o, l.cosigned(501)); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "404") {
		t.Errorf("a game that the chain is not for: %v", err)
	}
	if _, err := l.release(o, l.cosigned(418)); err != nil {
		t.Errorf("the next game: %v", err)
	}
}
