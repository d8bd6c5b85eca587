package keno

import (
	"encoding/hex"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
)

// A ticket that changes its bytes changes its hash in every journal. Rewrite a
// golden only for a ticket that no journal can hold.
var rewrite = flag.Bool("rewrite", false, "rewrite the goldens; understand the difference first")

// refusalOf returns the refusal in err, which must be one.
func refusalOf(t testing.TB, err error) *Refusal {
	t.Helper()
	var r *Refusal
	if !errors.As(err, &r) {
		t.Fatalf("error %v is not a refusal", err)
	}
	return r
}

const head = `{"v":1,"rulebook":"vic-keno-2015","bets":[`

// request wraps bets to a request.
func request(bets string) string { return head + bets + "]}" }

func TestParseRequestRefuses(t *testing.T) {
	bet := `"bet":"classic","spots":[1,2],"stake_cents":100`
	for _, c := range []struct{ form, code, path string }{
		{``, "form_syntax", ""},
		{`[]`, "field_value", ""},
		{`{`, "form_syntax", ""},
		{`{"v":1`, "form_syntax", ""},
		{`{"v":1,}`, "form_syntax", ""},
		{`{"v" 1}`, "form_syntax", "v"},
		{`{"v":1}`, "field_missing", "rulebook"},
		{`{"rulebook":"x"}`, "field_missing", "v"},
		{`{"v":2,"rulebook":"x"}`, "version_unknown", "v"},
		{`{"v":1,"rulebook":"x"}`, "field_missing", "bets"},
		{`{"v":1,"rulebook":"x","bets":[]}`, "field_missing", "bets"},
		{`{"v":1,"rulebook":""}`, "field_value", "rulebook"},
		{`{"v":1,"rulebook":"x y"}`, "field_value", "rulebook"},
		{`{"v":1,"rulebook":"` + strings.Repeat("x", 65) + `"}`, "field_value", "rulebook"},
		{`{"v":1,"rulebook":"\u0078"}`, "form_syntax", "rulebook"},
		{`{"v":1,"V":1}`, "field_unknown", "V"},
		{`{"v":1,"":1}`, "field_unknown", `""`},
		{`{"v":1,"v":1}`, "field_repeated", "v"},
		{`{"v":1.0}`, "field_value", "v"},
		{`{"v":1e0}`, "field_value", "v"},
		{`{"v":-1}`, "field_value", "v"},
		{`{"v":01}`, "form_syntax", "v"},
		{`{"v":"1"}`, "field_value", "v"},
		{`{"v":null}`, "field_value", "v"},
		{`{"v":99999999999999999999999}`, "field_value", "v"},
		{request(`{`+bet+`}`) + ` x`, "form_syntax", ""},
		{request(`{`+bet+`}`) + `{}`, "form_syntax", ""},
		{request(`{`+bet+`}`) + "\x00", "form_syntax", ""},
		{request(`{`+bet+`}`) + strings.Repeat(" ", MaxBytes), "form_too_long", ""},
		{request(strings.Repeat(`{`+bet+`},`, 20) + `{` + bet + `}`), "field_value", "bets"},
		{request(`{` + bet + `,"Stake_cents":1}`), "field_unknown", "bets[0].Stake_cents"},
		{request(`{` + bet + `,"stake_cents":1}`), "field_repeated", "bets[0].stake_cents"},
		{request(`{` + bet + `},{` + bet + `,"with":{"multiplier":{"games":1.5}}}`), "field_value",
			"bets[1].with.multiplier.games"},
		{request(`{` + bet + `,"with":{"multiplier":{"games":0}}}`), "field_value", "bets[0].with.multiplier.games"},
		{request(`{` + bet + `,"with":{"bonus":{}}}`), "field_unknown", "bets[0].with.bonus"},
		{request(`{` + bet + `,"picked":"quick"}`), "field_unknown", "bets[0].picked"},
		{request(`{` + bet + `,"random":true}`), "field_conflict", "bets[0].random"},
		{request(`{` + bet + `,"replay":1}`), "field_conflict", "bets[0].replay"},
		{request(`{` + bet + `,"item":"superplay-1"}`), "field_conflict", "bets[0].item"},
		{request(`{` + bet + `,"calls":["heads"]}`), "field_conflict", "bets[0]"},
		{request(`{` + bet + `,"play":"all"}`), "field_conflict", "bets[0].play"},
		{request(`{` + bet + `,"run":true}`), "field_conflict", "bets[0].run"},
		{request(`{` + bet + `,"type":"win"}`), "field_conflict", "bets[0].type"},
		{request(`{"spots":[1],"stake_cents":100}`), "field_missing", "bets[0].bet"},
		{request(`{"bet":"classic","stake_cents":100}`), "field_missing", "bets[0]"},
		{request(`{"bet":"classic","spots":[1]}`), "field_missing", "bets[0].stake_cents"},
		{request(`{"bet":"classic","spots":[1],"stake_cents":0}`), "field_value", "bets[0].stake_cents"},
		{request(`{"bet":"classic","spots":[1],"stake_cents":1e2}`), "field_value", "bets[0].stake_cents"},
		{request(`{"bet":"classic","spots":[1],"stake_cents":100000000001}`), "field_value", "bets[0].stake_cents"},
		{request(`{"bet":"classic","spots":[],"stake_cents":100}`), "field_value", "bets[0].spots"},
		{request(`{"bet":"classic","spots":[0],"stake_cents":100}`), "field_value", "bets[0].spots[0]"},
		{request(`{"bet":"classic","spots":[1,81],"stake_cents":100}`), "field_value", "bets[0].spots[1]"},
		{request(`{"bet":"classic","spots":[7,8,7],"stake_cents":100}`), "field_value", "bets[0].spots[2]"},
		{request(`{"bet":"classic","spots":{"pick":0},"stake_cents":100}`), "field_value", "bets[0].spots.pick"},
		{request(`{"bet":"classic","spots":{"pick":"quick"},"stake_cents":100}`), "field_value", "bets[0].spots.pick"},
		{request(`{"bet":"classic","spots":{},"stake_cents":100}`), "field_missing", "bets[0].spots.pick"},
		{request(`{"bet":"classic","spots":{"pick":2},"calls":{"pick":2},"stake_cents":100}`), "field_conflict",
			"bets[0].calls"},
		{request(`{"bet":"ht","calls":{"pick":"mystery"},"stake_cents":100}`), "field_value", "bets[0].calls.pick"},
		{request(`{"bet":"ht","calls":["Heads"],"stake_cents":100}`), "field_value", "bets[0].calls[0]"},
		{request(`{"bet":"ht","calls":[],"stake_cents":100}`), "field_value", "bets[0].calls"},
		{request(`{"bet":"ht","calls":["heads"],"run":1,"stake_cents":100}`), "field_value", "bets[0].run"},
		{request(`{"bet":"ht","calls":["heads"],"run":truer,"stake_cents":100}`), "form_syntax", "bets[0]"},
		{request(`{"bet":"classic","groups":[[1],[2]],"stake_cents":100}`), "field_missing", "bets[0].play"},
		{request(`{"bet":"classic","groups":[],"play":"all","stake_cents":100}`), "field_value", "bets[0].groups"},
		{request(`{"bet":"classic","groups":[[1],[]],"play":"all","stake_cents":100}`), "field_value", "bets[0].groups[1]"},
		{request(`{"bet":"classic","groups":[[1],[2]],"play":"ALL","stake_cents":100}`), "field_value", "bets[0].play"},
		{request(`{"bet":"classic","groups":[[1],[2]],"play":{},"stake_cents":100}`), "field_missing", "bets[0].play"},
		{request(`{"bet":"classic","groups":[[1],[2]],"play":{"spots":[1],"groups":[1]},"stake_cents":100}`),
			"field_conflict", "bets[0].play.groups"},
		{request(`{"bet":"classic","groups":[[1],[2]],"play":{"groups":[41]},"stake_cents":100}`), "field_value",
			"bets[0].play.groups[0]"},
		{request(`{"bet":"classic","groups":[[1],[2]],"play":{"ways":[[1],[2],[1]]},"stake_cents":100}`), "field_value",
			"bets[0].play.ways[2]"},
		{request(`{"bet":"classic","groups":[[1],[2]],"play":{"ways":[[1],[3]]},"stake_cents":100}`), "field_value",
			"bets[0].play.ways"},
		{request(`{"bet":"classic","groups":[[1],[2]],"play":{"ways":[]},"stake_cents":100}`), "field_value",
			"bets[0].play.ways"},
		{request(`{"bet":"racing","places":[[1]],"stake_cents":100}`), "field_missing", "bets[0].type"},
		{request(`{"bet":"racing","type":"win","places":[[1],[1],[1],[1],[1],[1],[1],[1],[1]],"stake_cents":100}`),
			"field_value", "bets[0].places"},
		{request(`{"item":"superplay-1@0","stake_cents":100}`), "field_value", "bets[0].item"},
		{request(`{"item":"superplay-1@","stake_cents":100}`), "field_value", "bets[0].item"},
		{request(`{"item":"@1","stake_cents":100}`), "field_value", "bets[0].item"},
		{request(`{"item":"superplay-1","run":false,"stake_cents":100}`), "field_conflict", "bets[0].item"},
		{`{"v":1,"rulebook":"x","first":"later"}`, "field_value", "first"},
		{`{"v":1,"rulebook":"x","first":{"day":"2026-11-15"}}`, "field_missing", "first.game"},
		{`{"v":1,"rulebook":"x","first":{"game":1}}`, "field_missing", "first.day"},
		{`{"v":1,"rulebook":"x","first":{"game":1,"day":"2026-02-29"}}`, "field_value", "first.day"},
		{`{"v":1,"rulebook":"x","first":{"game":10000}}`, "field_value", "first.game"},
		{`{"v":1,"rulebook":"x","games":0}`, "field_value", "games"},
		{`{"v":1,"rulebook":"x","games":10000}`, "field_value", "games"},
		{`{"v":1,"rulebook":"x","replay":"1","bets":[{"replay":1,"item":"a"}]}`, "field_conflict", "bets[0].item"},
		{`{"v":1,"rulebook":"x","replay":"1","bets":[{"replay":21}]}`, "field_value", "bets[0].replay"},
	} {
		_, err := ParseRequest([]byte(c.form))
		if err == nil {
			t.Errorf("%.120s: accepted", c.form)
			continue
		}
		if r := refusalOf(t, err); string(r.Code) != c.code || r.Path != c.path || r.Clause != "" || r.Sentence == "" {
			t.Errorf("%.120s:\nrefused %s at %q (%v), want %s at %q", c.form, r.Code, r.Path, r, c.code, c.path)
		}
	}
}

func TestParseTicketRefuses(t *testing.T) {
	first := `"first":{"day":"2026-11-15","game":417},`
	for _, c := range []struct{ form, code, path string }{
		{`"bets":[{"bet":"a","spots":[1],"stake_cents":1}]`, "field_missing", "first"},
		{`"first":"open","bets":[{"bet":"a","spots":[1],"stake_cents":1}]`, "field_value", "first"},
		{first + `"replay":"1"`, "field_unknown", "replay"},
		{first + `"bets":[{"bet":"a","spots":{"pick":1},"stake_cents":1}]`, "field_value", "bets[0].spots"},
		{first + `"bets":[{"item":"a@1","stake_cents":1}]`, "field_missing", "bets[0].bet"},
		{first + `"bets":[{"bet":"a","spots":[1],"item":"a","stake_cents":1}]`, "field_value", "bets[0].item"},
		{first + `"bets":[{"bet":"a","spots":[1],"random":true,"stake_cents":1}]`, "field_unknown", "bets[0].random"},
		{first + `"bets":[{"bet":"a","spots":[1],"replay":1,"stake_cents":1}]`, "field_unknown", "bets[0].replay"},
		{first + `"bets":[{"bet":"a","spots":[1],"picked":"kwikipik","stake_cents":1}]`, "field_value", "bets[0].picked"},
		{first + `"bets":[{"bet":"a","groups":[[1],[2]],"play":"all","picked":"quick","stake_cents":1}]`, "field_conflict",
			"bets[0].picked"},
	} {
		_, err := ParseTicket([]byte(`{"v":1,"rulebook":"x",` + c.form + `}`))
		if err == nil {
			t.Errorf("%s: accepted", c.form)
			continue
		}
		if r := refusalOf(t, err); string(r.Code) != c.code || r.Path != c.path {
			t.Errorf("%s:\nrefused %s at %q (%v), want %s at %q", c.form, r.Code, r.Path, r, c.code, c.path)
		}
	}
}

// Requests as they come, and their canonical form.
var requestForms = []struct{ form, canonical string }{
	{
		`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":10,"bets":[
			{"bet":"classic","spots":[80,3,17,56,42],"stake_cents":100,"with":{"multiplier":{"games":3}}}]}`,
		`{"v":1,"rulebook":"vic-keno-2015","games":10,"bets":[{"bet":"classic","spots":[3,17,42,56,80],"stake_cents":100,"with":{"multiplier":{"games":3}}}]}`,
	}, {
		`{"bets":[{"stake_cents":50,"play":{"spots":[5,3]},"groups":[[2,1],[11,12,13],[40]],"bet":"classic"}],"rulebook":"vic-keno-2015","v":1}`,
		head + `{"bet":"classic","groups":[[1,2],[11,12,13],[40]],"play":{"spots":[3,5]},"stake_cents":50}]}`,
	}, {
		request(`{"bet":"standard","groups":[[2],[1]],"play":{"ways":[[2],[2,1],[1]]},"stake_cents":50,"with":{}}`),
		request(`{"bet":"standard","groups":[[2],[1]],"play":{"ways":[[1],[1,2],[2]]},"stake_cents":50}`),
	}, {
		request(`{"bet":"standard","groups":[[2],[1]],"play":{"groups":[2,1]},"stake_cents":50}`),
		request(`{"bet":"standard","groups":[[2],[1]],"play":{"groups":[1,2]},"stake_cents":50}`),
	}, {
		request(`{"bet":"heads_or_tails","calls":["heads","heads","tails"],"run":true,"stake_cents":200,"with":{"multiplier":{}}}`),
		request(`{"bet":"heads_or_tails","calls":["heads","heads","tails"],"run":true,"stake_cents":200,"with":{"multiplier":{}}}`),
	}, {
		request(`{"bet":"racing","type":"trifecta","places":[[1],[6,4,2],[2,4,6]],"stake_cents":100}`),
		request(`{"bet":"racing","type":"trifecta","places":[[1],[2,4,6],[2,4,6]],"stake_cents":100}`),
	}, {
		request(`{"bet":"classic","spots":{"pick":8},"stake_cents":100},{"bet":"racing","type":"trio","places":{"pick":"mystery"},"stake_cents":100},{"bet":"ht","calls":{"pick":1},"run":false,"stake_cents":1}`),
		request(`{"bet":"classic","spots":{"pick":8},"stake_cents":100},{"bet":"racing","type":"trio","places":{"pick":"mystery"},"stake_cents":100},{"bet":"ht","calls":{"pick":1},"stake_cents":1}`),
	}, {
		`{"v":1,"rulebook":"vic-keno-2015","first":"delayed","bets":[{"item":"superplay-7","stake_cents":20},{"item":"set-2@3","random":true}]}`,
		`{"v":1,"rulebook":"vic-keno-2015","first":"delayed","bets":[{"stake_cents":20,"item":"superplay-7"},{"item":"set-2@3","random":true}]}`,
	}, {
		`{"v":1,"rulebook":"vic-keno-2015","replay":"1234567890123456"}`,
		`{"v":1,"rulebook":"vic-keno-2015","replay":"1234567890123456"}`,
	}, {
		`{"v":1,"rulebook":"vic-keno-2015","first":{"game":0,"day":"2026-11-15"},"replay":"1","games":1,"bets":[{"replay":2,"with":{},"run":false},{"replay":1,"play":"all"},{"bet":"classic","spots":[1],"stake_cents":100}]}`,
		`{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":0},"games":1,"replay":"1","bets":[{"replay":2,"run":false,"with":{}},{"replay":1,"play":"all"},{"bet":"classic","spots":[1],"stake_cents":100}]}`,
	},
}

func TestRequestCanonicalJSON(t *testing.T) {
	for _, c := range requestForms {
		req, err := ParseRequest([]byte(c.form))
		if err != nil {
			t.Errorf("%s: %v", c.form, err)
			continue
		}
		if got := string(req.AppendJSON([]byte("x"))); got != "x"+c.canonical {
			t.Errorf("%s\ncanonical %s\nwant       %s", c.form, got[1:], c.canonical)
		}
		if again, err := ParseRequest([]byte(c.canonical)); err != nil || !reflect.DeepEqual(again, req) {
			t.Errorf("%s\nreads back as %+v, %v\nwant %+v", c.canonical, again, err, req)
		}
	}
}

// TestSayNothingOnPurpose: a request made in code can take a run or features off
// an old bet, as one in JSON can.
func TestSayNothingOnPurpose(t *testing.T) {
	bet := BetRequest{Replay: 1}
	bet.SayRun(false)
	bet.SayWith(Features{})
	req := Request{Rulebook: "vic-keno-2015", Replay: "1", Bets: []BetRequest{bet}}
	text := req.AppendJSON(nil)
	if want := `{"v":1,"rulebook":"vic-keno-2015","replay":"1","bets":[{"replay":1,"run":false,"with":{}}]}`; string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
	if again, err := ParseRequest(text); err != nil || !reflect.DeepEqual(again, req) {
		t.Errorf("reads back as %+v, %v", again, err)
	}
}

// TestTicketGoldens pins both encodings of one ticket of every shape.
func TestTicketGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/tickets/*.json")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d goldens, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ticket, err := ParseTicket(data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if got := string(ticket.AppendJSON(nil)); got != strings.TrimSuffix(string(data), "\n") {
			t.Errorf("%s: canonical JSON is\n%s", file, got)
		}
		encoded, err := ticket.AppendCBOR(nil)
		if err != nil {
			t.Fatal(err)
		}
		golden := strings.TrimSuffix(file, ".json") + ".cbor.hex"
		if *rewrite {
			if err := os.WriteFile(golden, []byte(hex.EncodeToString(encoded)+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || hex.EncodeToString(encoded)+"\n" != string(want) {
			t.Errorf("%s: CBOR %x, want %s%v", file, encoded, want, err)
		}
		if again, err := DecodeTicket(encoded); err != nil || !reflect.DeepEqual(again, ticket) {
			t.Errorf("%s: CBOR reads back as %+v, %v", file, again, err)
		}
	}
}

func TestTicketLeavesDefaultsOut(t *testing.T) {
	full := `{"v":1,"rulebook":"x","first":{"day":"2026-11-15","game":1},"games":1,"bets":[{"bet":"a","spots":[1],"stake_cents":5,"run":false,"with":{"multiplier":{"stake_cents":5,"games":1},"lucky_last":{"stake_cents":6}}}]}`
	short := `{"v":1,"rulebook":"x","first":{"day":"2026-11-15","game":1},"bets":[{"bet":"a","spots":[1],"stake_cents":5,"with":{"multiplier":{},"lucky_last":{"stake_cents":6}}}]}`
	a, errA := ParseTicket([]byte(full))
	b, errB := ParseTicket([]byte(short))
	if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
		t.Fatalf("%+v, %v\n%+v, %v", a, errA, b, errB)
	}
	// A ticket that was made in code, not read, encodes the same.
	made := a
	made.Bets = slices.Clone(a.Bets)
	made.Bets[0].With.Multiplier = Side{On: true, Stake: 5, Games: 1}
	if got := string(made.AppendJSON(nil)); got != short {
		t.Errorf("made in code: %s", got)
	}
	x, errX := made.AppendCBOR(nil)
	y, errY := a.AppendCBOR(nil)
	if errX != nil || errY != nil || string(x) != string(y) {
		t.Errorf("CBOR %x, %v; %x, %v", x, errX, y, errY)
	}
}

func TestDecodeTicketRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"empty":                     "",
		"version 2":                 "85026178821a000b4a5f010181a3016161020103410 1",
		"no bets":                   "85016178821a000b4a5f010180",
		"integer not the shortest":  "8501617882 1a000b4a5f 1801 01 81a301616102010341 01",
		"spots out of order":        "8501617882 1a000b4a5f 01 01 81a30161610201034202 01",
		"spot 81":                   "8501617882 1a000b4a5f 01 01 81a3016161020103 4151",
		"no spots":                  "8501617882 1a000b4a5f 01 01 81a3016161020103 40",
		"keys out of order":         "8501617882 1a000b4a5f 01 01 81a3020101616103 4101",
		"unknown key":               "8501617882 1a000b4a5f 01 01 81a401616102010341011863 01",
		"no shape":                  "8501617882 1a000b4a5f 01 01 81a2016161 0201",
		"side says the default":     "8501617882 1a000b4a5f 01 01 81a4016161020103 41010d820100",
		"a false that is left out":  "8501617882 1a000b4a5f 01 01 81a4016161020103 41010af4",
		"trailing byte":             "8501617882 1a000b4a5f 01 01 81a3016161020103 410100",
		"indefinite array":          "9f01617882 1a000b4a5f 01 01 81a3016161020103 4101ff",
		"stake of nothing":          "8501617882 1a000b4a5f 01 01 81a3016161020003 4101",
		"two ways to name the ways": "8501617882 1a000b4a5f 01 01 81a5016161020104814101 05f5064101",
	} {
		data, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := DecodeTicket(data); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
	good, err := hex.DecodeString("85016178821a000b4a5f010181a3016161020103" + "4101")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := DecodeTicket(good); err != nil {
		t.Errorf("the plain form that the others spoil: %v", err)
	}
}

func TestMarkCompare(t *testing.T) {
	ordered := []Mark{MarkOf(1), MarkOf(1, 2), MarkOf(1, 2, 3), MarkOf(1, 3), MarkOf(1, 40), MarkOf(2), MarkOf(2, 3),
		MarkOf(3), MarkOf(40)}
	for i, a := range ordered {
		for j, b := range ordered {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := a.Compare(b); got != want {
				t.Errorf("%v compared with %v is %d, want %d", a.groups(), b.groups(), got, want)
			}
		}
	}
}

// anySet draws a set of 1 to most numbers.
func anySet(most int) *rapid.Generator[ball.Set] {
	return rapid.Custom(func(t *rapid.T) ball.Set {
		return ball.MustOf(ball.Keno, rapid.SliceOfNDistinct(rapid.IntRange(1, most), 1, min(most, 12), rapid.ID).Draw(t,
			"numbers")...)
	})
}

func anyStake() *rapid.Generator[money.Amount] {
	return rapid.Map(rapid.Int64Range(1, 300), func(n int64) money.Amount { return money.Amount(n) })
}

// anyTicket draws tickets of every shape, sold by no rulebook in particular.
func anyTicket() *rapid.Generator[Ticket] {
	id := rapid.StringMatching(`[a-z][a-z0-9_.-]{0,15}`)
	side := rapid.Custom(func(t *rapid.T) Side {
		if !rapid.Bool().Draw(t, "on") {
			return Side{}
		}
		return Side{On: true, Stake: money.Amount(rapid.Int64Range(0, 300).Draw(t, "stake")),
			Games: rapid.IntRange(0, 12).Draw(t, "games")}
	})
	bet := rapid.Custom(func(t *rapid.T) Bet {
		b := Bet{Bet: id.Draw(t, "bet"), Stake: anyStake().Draw(t, "stake"),
			With: Features{Multiplier: side.Draw(t, "multiplier"), LuckyLast: side.Draw(t, "lucky last")}}
		switch rapid.IntRange(0, 3).Draw(t, "shape") {
		case 0:
			b.Spots = anySet(80).Draw(t, "spots")
			b.Picked = Picked(rapid.IntRange(0, 2).Draw(t, "picked"))
		case 1:
			b.Groups = rapid.SliceOfN(anySet(80), 1, 6).Draw(t, "groups")
			b.Play = anyPlay(len(b.Groups)).Draw(t, "play")
		case 2:
			b.Calls = rapid.SliceOfN(rapid.SampledFrom([]Call{Heads, Tails, Evens}), 1, 5).Draw(t, "calls")
			b.Run = rapid.Bool().Draw(t, "run")
		case 3:
			b.Type = id.Draw(t, "type")
			b.Places = rapid.SliceOfN(anySet(8), 1, 3).Draw(t, "places")
		}
		if rapid.Bool().Draw(t, "item") {
			b.Item = ItemRef{id.Draw(t, "id"), rapid.IntRange(1, 99).Draw(t, "edition")}
		}
		return b
	})
	return rapid.Custom(func(t *rapid.T) Ticket {
		return Ticket{Rulebook: id.Draw(t, "rulebook"),
			First: GameRef{day.Day(rapid.IntRange(1, 3_000_000).Draw(t, "day")), rapid.IntRange(0, 999).Draw(t, "game")},
			Games: rapid.IntRange(1, 12).Draw(t, "games"), Bets: rapid.SliceOfN(bet, 1, 3).Draw(t, "bets")}
	})
}

// anyPlay draws a play of n groups.
func anyPlay(n int) *rapid.Generator[Play] {
	return rapid.Custom(func(t *rapid.T) Play {
		switch kind := PlayKind(rapid.IntRange(1, 4).Draw(t, "kind")); kind {
		case PlaySpots:
			return Play{Kind: kind, Types: anySet(20).Draw(t, "types")}
		case PlayGroups:
			return Play{Kind: kind, Types: anySet(n).Draw(t, "types")}
		case PlayMarks:
			marks := rapid.SliceOfNDistinct(rapid.Uint64Range(1, 1<<n-1), 1, -1, rapid.ID).Draw(t, "marks")
			p := Play{Kind: kind}
			for _, m := range marks {
				p.Marks = append(p.Marks, Mark(m))
			}
			slices.SortFunc(p.Marks, Mark.Compare)
			return p
		default:
			return Play{Kind: PlayAll}
		}
	})
}

// TestTicketRoundTrips: both encodings give the ticket back, in its one form.
func TestTicketRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ticket := anyTicket().Draw(t, "ticket")
		text := ticket.AppendJSON(nil)
		encoded, err := ticket.AppendCBOR(nil)
		if err != nil {
			t.Fatal(err)
		}
		ticket.normalise()
		fromText, err := ParseTicket(text)
		if err != nil || !reflect.DeepEqual(fromText, ticket) {
			t.Fatalf("%s\nreads as %+v, %v\nwant %+v", text, fromText, err, ticket)
		}
		fromCBOR, err := DecodeTicket(encoded)
		if err != nil || !reflect.DeepEqual(fromCBOR, ticket) {
			t.Fatalf("%x\nreads as %+v, %v\nwant %+v", encoded, fromCBOR, err, ticket)
		}
	})
}

// FuzzParse: nothing panics, and what is accepted has one canonical form.
func FuzzParse(f *testing.F) {
	for _, c := range requestForms {
		f.Add([]byte(c.form))
	}
	files, err := filepath.Glob("testdata/tickets/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if req, err := ParseRequest(data); err == nil {
			text := req.AppendJSON(nil)
			again, err := ParseRequest(text)
			if err != nil || !reflect.DeepEqual(again, req) || string(again.AppendJSON(nil)) != string(text) {
				t.Fatalf("%q\nbecomes %s\nwhich reads as %+v, %v\nwant %+v", data, text, again, err, req)
			}
		} else if r := refusalOf(t, err); !slices.Contains(Codes(), r.Code) || r.Sentence == "" {
			t.Fatalf("%q: refusal %+v", data, r)
		}
		ticket, err := ParseTicket(data)
		if err != nil {
			return
		}
		if again, err := ParseTicket(ticket.AppendJSON(nil)); err != nil || !reflect.DeepEqual(again, ticket) {
			t.Fatalf("%q\nreads back as %+v, %v\nwant %+v", data, again, err, ticket)
		}
		encoded, err := ticket.AppendCBOR(nil)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := DecodeTicket(encoded); err != nil || !reflect.DeepEqual(again, ticket) {
			t.Fatalf("%q\nCBOR %x reads back as %+v, %v\nwant %+v", data, encoded, again, err, ticket)
		}
	})
}

// TestCBORTwin compares what is written out with the general encoder: for tickets, and
// for their bytes with one of them changed.
func TestCBORTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ticket := anyTicket().Draw(t, "ticket")
		data, err := ticket.AppendCBOR([]byte("before"))
		want, twinErr := appendCBORTwin(&ticket, []byte("before"))
		if err != nil || twinErr != nil || string(data) != string(want) {
			t.Fatalf("%x, %v; by the twin %x, %v", data, err, want, twinErr)
		}
		data = data[len("before"):]
		data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		read, err := DecodeTicket(data)
		twin, twinErr := decodeTicketTwin(data)
		if (err == nil) != (twinErr == nil) || !reflect.DeepEqual(read, twin) {
			t.Fatalf("%x reads as %+v, %v; by the twin %+v, %v", data, read, err, twin, twinErr)
		}
	})
}

// FuzzDecodeTicket: CBOR that is accepted is what would be written and what the twin
// accepts, and the JSON form accepts the same ticket.
func FuzzDecodeTicket(f *testing.F) {
	files, err := filepath.Glob("testdata/tickets/*.hex")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		data, err := hex.DecodeString(strings.TrimSpace(string(text)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ticket, err := DecodeTicket(data)
		if twin, twinErr := decodeTicketTwin(data); (err == nil) != (twinErr == nil) || !reflect.DeepEqual(ticket, twin) {
			t.Fatalf("%x reads as %+v, %v; by the twin %+v, %v", data, ticket, err, twin, twinErr)
		}
		if err != nil {
			return
		}
		if again, err := ticket.AppendCBOR(nil); err != nil || string(again) != string(data) {
			t.Fatalf("%x is written as %x, %v", data, again, err)
		}
		text := ticket.AppendJSON(nil)
		if again, err := ParseTicket(text); len(text) <= MaxBytes && (err != nil || !reflect.DeepEqual(again, ticket)) {
			t.Fatalf("%x\nas JSON reads as %+v, %v\nwant %+v", data, again, err, ticket)
		}
	})
}

var simple = []byte(`{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":417},"games":10,"bets":[{"bet":"classic","spots":[3,17,42,56,80],"stake_cents":100,"with":{"multiplier":{"games":3}}}]}`)

func BenchmarkParseRequest(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseRequest(simple); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseTicket(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseTicket(simple); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendCBOR(b *testing.B) {
	ticket, err := ParseTicket(simple)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		if buf, err = ticket.AppendCBOR(buf[:0]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeTicket(b *testing.B) {
	ticket, err := ParseTicket(simple)
	if err != nil {
		b.Fatal(err)
	}
	data, err := ticket.AppendCBOR(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeTicket(data); err != nil {
			b.Fatal(err)
		}
	}
}
