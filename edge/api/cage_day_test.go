package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/house"
)

// begins sets the ball machine going for the game that waits.
func (r *casino) begins() {
	r.t.Helper()
	r.act(r.asAnn, `{"act":"counted","balls":80}`)
	r.rig.as(r.asAnn, http.MethodPost, "/v1/cage/start", fmt.Sprintf(`{"recorders":[%d,%d]}`, r.ann, r.bob)).into(r.t,
		&CageStep{})
}

// asked has the second person consent to an act at the machine, after a look at what the
// request says, and returns the act with the approval.
func (r *casino) asked(act, says string) string {
	r.t.Helper()
	asked := r.act(r.asAnn, act)
	var all Approvals
	r.rig.as(r.as, http.MethodGet, "/v1/approvals", "").into(r.t, &all)
	at := slices.IndexFunc(all.Approvals, func(a Approval) bool { return a.Number == asked.Approval })
	if at < 0 || !strings.Contains(all.Approvals[at].Does, says) {
		r.t.Fatalf("request %d for %s shows %+v, want %q", asked.Approval, act, all.Approvals, says)
	}
	r.rig.as(r.as, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", asked.Approval),
		decision(asked.Content, true)).into(r.t, &Approval{})
	return strings.TrimSuffix(act, "}") + fmt.Sprintf(`,"approval":%d}`, asked.Approval)
}

func (r *casino) drawn() []int {
	r.t.Helper()
	var at CageView
	r.rig.as(r.as, http.MethodGet, "/v1/cage", "").into(r.t, &at)
	return at.Drawn
}

// TestTwoBallsFallBack has two decisions on two balls wait at the same time. The first one
// moves the second ball to another place, and each strikes the ball that it names; so does a
// ball that was misread.
//
//rule:casino-keno-div2 11.4(d)
func TestTwoBallsFallBack(t *testing.T) {
	r := newCasino(t)
	must(t, r.house.First().TurnGame(t.Context(), r.clock.Now().Add(time.Minute)))
	r.begins()
	r.key(1, 2, 3, 4, 5, 6, 7, 8)
	third := r.asked(`{"act":"fell_back","number":3,"reason":"no recording"}`, "ball 3, reason")
	fourth := r.asked(`{"act":"fell_back","number":4,"reason":"no recording"}`, "ball 4, reason")
	misread := r.asked(`{"act":"reread","recorded":6,"number":9,"reason":"a nine upside down"}`,
		"recorded as 6, ball 9, reason")
	if step := r.act(r.asAnn, third); step.Outcome != "struck" || !strings.Contains(step.Sentence, "Ball 3 ") {
		t.Errorf("%+v", step)
	}
	if step := r.act(r.asAnn, fourth); step.Outcome != "struck" || !strings.Contains(step.Sentence, "Ball 4 ") {
		t.Errorf("%+v", step)
	}
	if step := r.act(r.asAnn, misread); step.Outcome != "corrected" {
		t.Errorf("%+v", step)
	}
	if got := r.drawn(); !slices.Equal(got, []int{1, 2, 5, 9, 7, 8}) {
		t.Errorf("drawn %v", got)
	}
	// What cannot be is not asked for.
	wantFault(t, r.rig.as(r.asAnn, http.MethodPost, "/v1/cage/acts", `{"act":"not_accepted","reason":"no link"}`),
		http.StatusConflict, "out_of_turn", "")
}

// TestDayEndsWithoutMachine has the ball machine out of order for the rest of a Keno Day: two
// persons say that no further game of it is possible, the stakes of the game and of the one on
// sale go back, nothing more is sold, and the day is closed.
//
//rule:casino-keno-div2 11.6
func TestDayEndsWithoutMachine(t *testing.T) {
	r := newCasino(t)
	ticket := `{"v":1,"rulebook":"casino-keno-div2","first":"open","bets":[{"bet":"standard","spots":[1,2,3],"stake_cents":100}]}`
	sold, code := r.sell(ticket)
	must(t, r.house.First().TurnGame(t.Context(), r.clock.Now().Add(time.Minute)))
	next, nextCode := r.sell(ticket)
	r.begins()
	r.key(1, 2, 3)
	no := r.asked(`{"act":"no_further","reason":"the axle broke"}`, "no_further at")
	if step := r.act(r.asAnn, no); step.Outcome != "voided" || step.Clause != "11.6" {
		t.Fatalf("%+v", step)
	}
	r.number++
	body, _ := r.saleBody(1, r.number, ticket)
	wantFault(t, r.send(http.MethodPut, salePath(1, r.number), strings.Replace(body, "verbal", "form", 1)),
		http.StatusConflict, "day_is_over", "ticket.game")
	if answer, _, _ := r.pay(sold.Serial, code); answer.status != http.StatusOK ||
		!strings.Contains(string(answer.body), `"paid_cents":100`) {
		t.Errorf("the stake of the void game: %d %s", answer.status, answer.body)
	}
	view, err := r.house.First().View(t.Context())
	must(t, err)
	if view.NumbersLeft || view.GoesOn {
		t.Errorf("the timetable would go on: %+v", view)
	}
	must(t, r.house.First().CloseGame(t.Context()))
	if err := r.house.First().DrawNumber(t.Context(), 2); err == nil {
		t.Error("a further game is drawn")
	}
	// The two have agreed to the end of the game on sale as well: nobody agrees to it again.
	o := officeOf(r.rig)
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/games/void",
		`{"ordinal":2,"reason":"again","clause":"11.6"}`), http.StatusConflict, "game_not_ready", "game")
	if answer, _, _ := r.pay(next.Serial, nextCode); answer.status != http.StatusOK {
		t.Errorf("the stake of the game on sale: %d %s", answer.status, answer.body)
	}
	must(t, r.house.First().CloseDay(t.Context()))
	r.verifies()
}

// TestCarriedWagerIsShown: anybody who holds a ticket of a void game sees with which game it is
// played along, from the void on, and the count of games to come never falls below none.
//
//rule:casino-keno-div2 11.6
func TestCarriedWagerIsShown(t *testing.T) {
	r := newCasino(t)
	sold, _ := r.sell(`{"v":1,"rulebook":"casino-keno-div2","first":"open","bets":[{"bet":"standard","spots":[1,2,3],"stake_cents":100}]}`)
	must(t, r.house.First().TurnGame(t.Context(), r.clock.Now().Add(time.Minute)))
	r.begins()
	r.key(1, 2, 3)
	if step := r.act(r.asAnn, r.asked(`{"act":"abandoned","reason":"no power"}`,
		"abandoned at")); step.Outcome != "voided" {
		t.Fatalf("%+v", step)
	}
	look := func(when, phase string) {
		t.Helper()
		var seen Ticket
		r.send(http.MethodGet, "/v1/tickets/"+sold.Serial, "").into(t, &seen)
		if len(seen.Games) != 2 || seen.Games[0].PlayedWith != 2 || seen.Games[1].Ordinal != 2 ||
			string(seen.Games[1].Phase) != phase || seen.ToCome != 0 || seen.UnpaidCents != 0 {
			t.Errorf("%s: %+v, %d to come, %d unpaid", when, seen.Games, seen.ToCome, seen.UnpaidCents)
		}
	}
	look("on sale", "open")
	must(t, r.house.First().TurnGame(t.Context(), r.clock.Now().Add(time.Minute)))
	look("closed", "sealed")
}

// TestCarriedWagerOfACancelledTicketIsShown: anybody who cancels the games to come still holds the
// wager of the void game, and sees with which game it is played.
//
//rule:casino-keno-div2 6.1 11.6
func TestCarriedWagerOfACancelledTicketIsShown(t *testing.T) {
	r := newCasino(t)
	sold, code := r.sell(`{"v":1,"rulebook":"casino-keno-div2","first":"open","games":4,"bets":[{"bet":"standard","spots":[1,2,3],"stake_cents":100}]}`)
	must(t, r.house.First().TurnGame(t.Context(), r.clock.Now().Add(time.Minute)))
	r.begins()
	r.key(1, 2, 3)
	r.act(r.asAnn, r.asked(`{"act":"abandoned","reason":"no power"}`, "abandoned at"))
	look := func(when string, games, toCome int) {
		t.Helper()
		var seen Ticket
		r.send(http.MethodGet, "/v1/tickets/"+sold.Serial, "").into(t, &seen)
		if len(seen.Games) != games || seen.Games[0].PlayedWith != 2 || seen.Games[1].Ordinal != 2 || seen.ToCome != toCome {
			t.Errorf("%s: %+v, %d to come", when, seen.Games, seen.ToCome)
		}
	}
	look("before", 2, 2)
	var back Cancellation
	if r.cancel(1, sold.Serial, code.String()).into(t, &back); back.RefundCents != 300 {
		t.Errorf("three games of four go back, and %d cents did", back.RefundCents)
	}
	look("cancelled", 2, 0)
	must(t, r.house.First().TurnGame(t.Context(), r.clock.Now().Add(time.Minute)))
	look("closed", 2, 0)
}

// TestUnpaidIsNeverBelowNothing: what was paid too much before a correction takes nothing from
// what another game of the ticket has won.
func TestUnpaidIsNeverBelowNothing(t *testing.T) {
	corrected := house.TicketGame{Paid: 500}
	if all, now := corrected.Owed(); all != 0 || now != 0 {
		t.Errorf("%v unpaid, %v now", all, now)
	}
	other := house.TicketGame{Prize: 300}
	if all, now := other.Owed(); all != 300 || now != 300 {
		t.Errorf("%v unpaid, %v now", all, now)
	}
}
