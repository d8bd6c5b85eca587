package evaluate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

func book(tb testing.TB, id string) *rulebook.Book {
	tb.Helper()
	b, err := rules.Book(id)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// file evaluates lines and returns the results.
func file(tb testing.TB, b *rulebook.Book, opts Options, lines ...string) (games []string, err error) {
	tb.Helper()
	opts.File = "game.jsonl"
	run, err := New(b, opts)
	if err != nil {
		tb.Fatal(err)
	}
	for _, l := range lines {
		if game := run.Line([]byte(l)); game != nil {
			games = append(games, string(game.AppendJSON(nil)))
		}
	}
	return games, run.End()
}

// sold is a line with a ticket of vic-keno-2015 for the open game.
func sold(id, bets string) string { return ticketLine("vic-keno-2015", id, `"first":"open"`, bets) }

func ticketLine(rulebook, id, particulars, bets string) string {
	return fmt.Sprintf(`{"ticket":{"v":1,"rulebook":%q,%s,"bets":[%s]},"id":%q,"channel":"writer"}`, rulebook, particulars,
		bets, id)
}

func spots(numbers string, cents int) string {
	return fmt.Sprintf(`{"bet":"classic","spots":[%s],"stake_cents":%d}`, numbers, cents)
}

func drawn(game int) string { return fmt.Sprintf(`{"draw":{"game":%d,"numbers":%s}}`, game, twenty) }

// TestFaults: every fault of a file is reported, each once, at its line.
func TestFaults(t *testing.T) {
	good := sold("a", spots("1", 100))
	named := func(id string, game int) string {
		return ticketLine("vic-keno-2015", id, fmt.Sprintf(`"first":{"day":"2026-11-15","game":%d}`, game), spots("1", 100))
	}
	onAndOn := ticketLine("vic-keno-2015", "m", `"first":"open","games":5`, spots("1", 100))
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"none", []string{good, drawn(1)}, nil},
		{"blank lines", []string{"", good, " \t\r", drawn(1), ""}, nil},
		{"nothing", nil, []string{"1 draw_missing "}},
		{"no draw", []string{drawn(1), good, sold("b", spots("1", 100))}, []string{"2 draw_missing "}},
		{"a broken draw is one fault", []string{good, `{"draw":{"game":1,"numbers":[81]}}`, sold("a", spots("1", 100)),
			drawn(2)},
			[]string{"2 field_value draw.numbers[0]"}},
		{"several", []string{sold("a", spots("1", 150)), "x", good, good, drawn(1), sold("b", spots("81", 100))},
			[]string{"1 stake_step ticket.bets[0].stake_cents", "2 form_syntax ", "4 id_repeated id",
				"6 field_value ticket.bets[0].spots[0]", "6 draw_missing "}},
		{"id of a ticket that plays on", []string{onAndOn, drawn(1), sold("m", spots("1", 100)), drawn(2)},
			[]string{"3 id_repeated id"}},
		{"id of a ticket that is over", []string{good, drawn(1), good, drawn(2)}, nil},

		{"game as named", []string{named("a", 1), sold("open", spots("1", 100)), named("b", 1), drawn(1)}, nil},
		{"game other than named", []string{good, named("b", 2), drawn(1)}, []string{"3 game_other draw.game"}},
		{"two games named", []string{named("a", 1), named("b", 2), drawn(1)}, []string{"2 game_other ticket.first"}},
		{"a game is missing", []string{onAndOn, drawn(1), drawn(3)}, []string{"3 game_order draw.game"}},
		{"the same game", []string{onAndOn, drawn(1), drawn(1)}, []string{"3 game_order draw.game"}},
		{"a new day", []string{onAndOn, drawn(7), drawn(0)}, nil},
		{"nobody plays on", []string{good, drawn(1), drawn(3)}, nil},
		{"game number", []string{good, drawn(1000)}, []string{"2 game_number draw.game"}},
		{"too few numbers", []string{good, `{"draw":{"game":1,"numbers":[1,2,3]}}`}, []string{"2 field_value draw.numbers"}},
		{"rulebook", []string{ticketLine("tas-keno-2023", "a", `"games":1`, spots("1", 100)), drawn(1)},
			[]string{"1 rulebook_other ticket.rulebook"}},
		{"before its time", []string{ticketLine("vic-keno-2015", "a", `"first":{"day":"2014-11-15","game":1}`,
			spots("1", 100)), drawn(1)},
			[]string{"1 rulebook_not_in_force ticket.first"}},
		{"channel", []string{strings.Replace(good, "writer", "phone", 1), drawn(1)},
			[]string{"1 channel_not_allowed channel"}},
		{"method", []string{strings.Replace(good, `"writer"`, `"sst","method":"form"`, 1), drawn(1)},
			[]string{"1 method_not_allowed method"}},
		{"limit of the channel", []string{strings.Replace(sold("a", spots("1", 100100)), `"writer"`, `"sst"`, 1), drawn(1)},
			[]string{"1 ticket_total_above_maximum ticket"}},
		{"limit of another channel", []string{sold("a", spots("1", 100100)), drawn(1)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			games, err := file(t, book(t, "vic-keno-2015"), Options{}, c.lines...)
			checkFaults(t, err, c.want)
			if err == nil && len(games) == 0 {
				t.Error("nothing was settled")
			}
		})
	}
}

func checkFaults(t *testing.T, err error, want []string) {
	t.Helper()
	var faults Faults
	if err != nil && !errors.As(err, &faults) {
		t.Fatal(err)
	}
	var got []string
	for _, f := range faults {
		got = append(got, fmt.Sprintf("%d %s %s", f.Line, f.Code, f.Path))
	}
	if !slices.Equal(got, want) {
		t.Errorf("faults %q, want %q: %v", got, want, err)
	}
}

// TestNotSettled: what is sold and cannot be settled here is refused with the field
// that says so.
func TestNotSettled(t *testing.T) {
	for _, c := range []struct{ rulebook, bets, want string }{
		{"vic-keno-2015", spots("1,2,3,4,5,6,7", 100), "1 pool_missing ticket.bets[0].spots"},
		{"vic-keno-2015", spots("1,2,3,4,5,6,7,8,9,10", 100), "1 pool_missing ticket.bets[0].spots"},
		{"vic-keno-2015", `{"bet":"classic","groups":[[1,2,3,4],[11,12,13],[40]],"play":"all","stake_cents":100}`,
			"1 pool_missing ticket.bets[0].groups"},
		{"tas-keno-2023", `{"bet":"standard","spots":[1,2,3,4,5,6,7],"stake_cents":100}`,
			"1 pool_missing ticket.bets[0].spots"},
		{"vic-keno-2015", `{"bet":"classic","spots":{"pick":4},"stake_cents":100}`, "1 not_resolved ticket.bets[0].spots"},
		{"vic-keno-2015", `{"item":"superplay-1","stake_cents":100}`, "1 not_resolved ticket.bets[0].item"},
	} {
		lines := []string{ticketLine(c.rulebook, "a", `"games":1`, c.bets), drawn(1)}
		_, err := file(t, book(t, c.rulebook), Options{}, lines...)
		checkFaults(t, err, []string{c.want})
	}
	// Special bets of the jackpot's sizes are outside it, and are settled.
	lines := []string{ticketLine("tas-keno-2023", "a", `"games":1`,
		`{"bet":"special","spots":[1,2,3,4,5,6,7],"stake_cents":100}`), drawn(1)}
	_, err := file(t, book(t, "tas-keno-2023"), Options{}, lines...)
	checkFaults(t, err, nil)
	_, err = file(t, book(t, "vic-keno-2015"), Options{}, ticketLine("vic-keno-2015", "a", `"replay":"123"`, ""), drawn(1))
	checkFaults(t, err, []string{"1 not_resolved ticket.replay"})
}

// TestFaultsAreBounded: the reading ends at so many faults, and says so.
func TestFaultsAreBounded(t *testing.T) {
	run, err := New(book(t, "vic-keno-2015"), Options{File: "game.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for ; !run.Full(); lines++ {
		run.Line([]byte("x"))
	}
	if lines != MaxFaults {
		t.Errorf("full after %d lines", lines)
	}
	text := run.End().Error()
	if !strings.HasPrefix(text, "game.jsonl:1: Byte 1 of the line is 'x' where an object should stand.\ngame.jsonl:2: ") ||
		!strings.HasSuffix(text, "there may be more") || strings.Count(text, "\n") != MaxFaults {
		t.Error(text)
	}
}

// TestNothingAfterAFault: a game after a fault is not settled, so that nothing
// is paid from half a file.
func TestNothingAfterAFault(t *testing.T) {
	good := sold("a", spots("1", 100))
	games, err := file(t, book(t, "vic-keno-2015"), Options{}, good, drawn(1), "x", good, drawn(2))
	if err == nil || len(games) != 1 {
		t.Errorf("settled %d games, %v", len(games), err)
	}
}

func TestFindSchedule(t *testing.T) {
	vic := book(t, "vic-keno-2015")
	for name, want := range map[string]string{"": "schedule-1", "1": "schedule-1", "3": "schedule-3",
		"schedule-2": "schedule-2"} {
		run, err := New(vic, Options{Schedule: name})
		if err != nil || run.schedule.ID() != want {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"0", "4", "schedule", "-1"} {
		_, err := New(vic, Options{Schedule: name})
		var unknown *UnknownSchedule
		if !errors.As(err, &unknown) || !strings.HasSuffix(err.Error(), "it has schedule-1, schedule-2, schedule-3") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := New(book(t, "nsw-bingo-2019"), Options{}); err == nil {
		t.Error("bingo was accepted")
	}
}
