package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"drawhouse/check/witness"
	"drawhouse/games/beacon"
	"drawhouse/internal/beacontest"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

// TestToldQuorum has a holder tell a custodian of a quorum that the house does not show it, above the seal of a game
// with a round. The house then says that the seal was late: the custodian, which was told before the share left,
// stops for good, also after a restart. What is no quorum it does not take.
func TestToldQuorum(t *testing.T) {
	for _, told := range []bool{true, false} {
		s := newStage(t)
		a := s.offices[0]
		relay := beacontest.New(cosignsAt.Unix()+10, 30)
		s.chooses(relay)
		s.closes, s.round = record.Time(relay.At(1)-beacon.Delay), 1
		p := s.seal()
		alone, err := s.cosign(a)
		if err != nil {
			t.Fatal(err)
		}
		refused(t, a.client().TellQuorum(t.Context(), witness.LinkRequest{Game: p.name, Checkpoint: alone}), "403", "operator.example has not cosigned")
		note := s.quorum()
		if told {
			if err := a.client().TellQuorum(t.Context(), witness.LinkRequest{Game: p.name, Checkpoint: note}); err != nil {
				t.Fatal(err)
			}
			a.restart()
		}
		s.voids(p)
		if _, err = s.cosign(a); told != (err != nil) || told != (a.stopped() != nil) {
			t.Errorf("told %v: %v, %+v", told, err, a.stopped())
		}
		if told && !strings.Contains(a.stopped().Why, string(public.VoidInTime)) {
			t.Errorf("stopped: %+v", a.stopped())
		}
	}
}

// TestToldQuorumIsSigned tells a server of a quorum that is not the custodian: it answers with nothing, with what the
// custodian signs of another game, or cosigns of the log. The holder takes none of these. Of a game that is void the
// custodian signs nothing.
func TestToldQuorumIsSigned(t *testing.T) {
	s := newStage(t)
	a := s.offices[0]
	s.draw(s.seal())
	p := s.seal()
	told := witness.LinkRequest{Game: p.name, Checkpoint: s.quorum()}
	if err := a.client().TellQuorum(t.Context(), told); err != nil {
		t.Fatal(err)
	}
	other := told
	other.Game = s.played[0].name
	_, _, ofOther := a.post("/tell-quorum", other.Marshal())
	_, _, ofAnother := s.offices[1].post("/tell-quorum", told.Marshal())
	cosigned, err := a.client().Cosign(t.Context(), s.log.signed(), 0, s.log.prove)
	if err != nil || ofOther == "" || ofAnother == "" {
		t.Fatalf("%v, %q, %q", err, ofOther, ofAnother)
	}
	for name, answer := range map[string]string{"nothing": "", "of another game": ofOther,
		"of another custodian": ofAnother, "a cosignature": string(cosigned.Line)} {
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, answer)
		}))
		client := &Client{URL: front.URL, Witness: a.cosigner().Verifier}
		if err := client.TellQuorum(t.Context(), told); !errors.Is(err, ErrAnswer) {
			t.Errorf("%s is taken for an answer of the custodian: %v", name, err)
		}
		front.Close()
	}
	void := s.seal()
	s.voids(void)
	refused(t, a.client().TellQuorum(t.Context(), witness.LinkRequest{Game: void.name, Checkpoint: s.quorum()}), "403",
		"has declared it void")
}

// TestAttackTimeAhead has the house write entries of days to come, by which it would say that a round is overdue. They
// are not cosigned, and nothing of them stays: the log that has its own time in their place is.
func TestAttackTimeAhead(t *testing.T) {
	s := newStage(t)
	a := s.offices[0]
	p := s.seal()
	s.quorum()
	whole := s.log.entries
	for _, ahead := range []int64{601, 400 * 86400} {
		s.log.entries = append(whole[:len(whole):len(whole)], fmt.Appendf(nil,
			"drawhouse/log/v1\nkind kind-of-later\ntime %d\nrecord 1:99\n", 1000*(cosignsAt.Unix()+ahead)))
		_, err := s.cosign(a)
		refused(t, err, "412", "seconds ahead of the clock here")
	}
	s.log.entries = append(whole[:len(whole):len(whole)], fmt.Appendf(nil,
		"drawhouse/log/v1\nkind kind-of-later\ntime %d\nrecord 1:99\n", 1000*(cosignsAt.Unix()+599)))
	if _, err := s.cosign(a); err != nil {
		t.Error(err)
	}
	if a.stopped() != nil {
		t.Errorf("stopped for a game %v: %+v", p.name, a.stopped())
	}
}

// TestAttackOwnBeacon has the house choose a beacon that the people of the custodians do not know. They do not cosign
// that, and say how it is accepted.
func TestAttackOwnBeacon(t *testing.T) {
	s := newStage(t)
	relay := beacontest.New(cosignsAt.Unix()+10, 30)
	chosen := relay.Chosen(1)
	chosen.From = testDay
	s.log.add(&chosen)
	for _, o := range s.offices {
		_, err := s.cosign(o)
		refused(t, err, "412", "for vic-keno the log has the beacon beac")
	}
	pinned := relay.Chain
	pinned.Genesis-- // The same key with other times: rounds would be known before.
	for _, accepts := range []beacon.Chain{pinned, relay.Chain} {
		s.offices[0].beacons = []beacon.Chain{accepts}
		s.offices[0].restart()
		if _, err := s.cosign(s.offices[0]); (err == nil) != (accepts == relay.Chain) {
			t.Errorf("%v: %v", accepts, err)
		}
	}
}

// TestRefusalIsTold finds an honest refusal in the log of the custodian, once for its cause, and where everybody reads
// what it publishes.
func TestRefusalIsTold(t *testing.T) {
	s := newStage(t)
	a := s.offices[0]
	var said bytes.Buffer
	a.server.config.Log = slog.New(slog.NewTextHandler(&said, nil))
	if _, ok := a.server.Refused(); ok {
		t.Error("something was refused")
	}
	s.seal()
	s.quorum()
	s.succeed(nil)
	for range 3 {
		_, err := s.cosign(a)
		refused(t, err, "412", "have not let that go")
	}
	if n := strings.Count(said.String(), "level=WARN msg=\"what the house has signed is refused\""); n != 1 {
		t.Errorf("%d lines: %s", n, &said)
	}
	if last, _ := a.server.Refused(); last.Times != 3 {
		t.Errorf("refused: %+v", last)
	}
	if _, _, published := a.get("/published"); !strings.Contains(published, `"refused":{"why":"witness: keno.example/log2 begins behind`) {
		t.Errorf("published: %s", published)
	}
}

// TestRoundThatNeverComes ends a game whose links were given and whose round does not exist. A house that says so
// before 72 hours have passed here is not believed. Afterwards the custodians cosign the void, publish their links,
// and go on once all links are in the log, or once their people let the game go.
func TestRoundThatNeverComes(t *testing.T) {
	for _, let := range []bool{false, true} {
		s := newStage(t)
		a := s.offices[0]
		relay := beacontest.New(cosignsAt.Unix()+10, 30)
		s.chooses(relay)
		s.closes, s.round = record.Time(relay.At(1)-beacon.Delay), 1
		p := s.seal()
		s.links(p, s.quorum())
		s.log.from = record.Time(relay.At(1) + beacon.Patience)
		s.voids(p)
		_, err := s.cosign(a)
		refused(t, err, "412", "game-void of record")
		if a.stopped() != nil {
			t.Fatalf("stopped: %+v", a.stopped())
		}
		for _, o := range s.offices {
			o.late.Store(beacon.Patience/1000 + 60)
		}
		s.round = beacon.Patience/1000/30 + 20
		s.closes = record.Time(relay.At(s.round) - beacon.Delay)
		next := s.seal()
		_, err = s.ask(a, next, s.quorum())
		refused(t, err, "428", "was declared void after its links could be known")
		if !a.publishes(p) || a.stopped() != nil {
			t.Errorf("it does not publish its link, or has stopped: %+v", a.stopped())
		}
		for i, o := range s.offices {
			if !let {
				s.give(p, p.given[i])
			} else if err := o.server.LetGo(p.name); err != nil {
				t.Fatal(err)
			}
		}
		s.links(next, s.quorum())
	}
}
