package api

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"drawhouse/house/live"
)

// TestSaleJSON compares the answer as it is written out with what json.Marshal
// makes of it.
func TestSaleJSON(t *testing.T) {
	melbourne, err := time.LoadLocation("Australia/Melbourne")
	must(t, err)
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`[0-9]{16}`)
		s := &Sale{
			Serial: digits.Draw(t, "serial"), Place: live.ID{Volume: rapid.Uint16().Draw(t, "volume"),
				Seq: rapid.Uint64().Draw(t, "seq")},
			Time: time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t,
				"time")).In(rapid.SampledFrom([]*time.Location{melbourne, time.UTC}).Draw(t, "zone")),
			CostCents: rapid.Int64().Draw(t, "cost"),
			FirstGame: GameName{Day: "2026-11-15", Game: rapid.Uint16().Draw(t, "game"),
				Ordinal: rapid.Uint32().Draw(t, "first")},
			LastGame: LastGame{Ordinal: rapid.Uint32().Draw(t, "last")},
			Games:    rapid.Int().Draw(t, "games"), Session: rapid.Uint32().Draw(t, "session"),
			Ticket:     Form(`{"v":1,"bets":[{"spots":[1,2]}]}`),
			LeafHash:   rapid.StringMatching(`[A-Za-z0-9+/]{43}=`).Draw(t, "leaf"),
			Checkpoint: rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~\n\x{2014}]{0,40}`)).Draw(t, "checkpoint"),
		}
		if rapid.Bool().Draw(t, "one game") {
			s.LastGame = LastGame{Day: s.FirstGame.Day, Game: &s.FirstGame.Game, Ordinal: s.FirstGame.Ordinal}
		}
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.appendJSON(nil)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s, %v; want %s", got, err, want)
		}
	})
}

// TestAnswerIsAsDescribed: the answer of a whole house is the one that
// json.Marshal would give.
func TestAnswerIsAsDescribed(t *testing.T) {
	r := newRig(t)
	r.openDay()
	for number, form := range []string{oneSpot,
		`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":3,"bets":[{"bet":"classic","spots":{"pick":5},"stake_cents":100}]}`,
		`{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","groups":[[1],[2,3],[4,5,6]],"play":"all","stake_cents":50}]}`,
	} {
		body, _ := r.saleBody(1, uint64(number)+1, form)
		answer := r.send("PUT", salePath(1, uint64(number)+1),
			string(bytes.Replace([]byte(body), []byte("verbal"), []byte("form"), 1)))
		var sale Sale
		answer.into(t, &sale)
		sale.Time = sale.Time.In(time.FixedZone("", 39_600))
		if want, err := json.Marshal(&sale); err != nil || !bytes.Equal(answer.body, want) {
			t.Errorf("%s, %v; want %s", answer.body, err, want)
		}
	}
}
