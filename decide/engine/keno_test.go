package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// foresee returns the numbers that the next games of a rig will draw. The numbers
// of a rig come from its seed and from nothing that is sold, so a test can sell
// tickets that win.
func foresee(t testing.TB, seed, id string, games int) [][]int {
	t.Helper()
	r := newRigUnder(t, seed, id)
	r.openDay("2026-11-15")
	var all [][]int
	for range games {
		all = append(all, r.play().Numbers.Numbers())
	}
	return all
}

// bet writes a bet on the first numbers of a draw.
func bet(name string, numbers []int, stake int) string {
	return fmt.Sprintf(`{"bet":%q,"spots":[%s],"stake_cents":%d}`, name,
		strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]"), stake)
}

// check holds the books against the state, and the state against a replay.
func (r *rig) check() {
	r.t.Helper()
	r.take()
	current, _ := r.engine.State().Series(series)
	balances := r.engine.State().Balances()
	for _, pool := range current.Pools() {
		unit := ledger.Pool(series, pool.Spots)
		for account, want := range map[ledger.Account]money.Amount{
			ledger.JackpotPrimary: pool.Primary.Cents(), ledger.JackpotSecondary: pool.Secondary.Cents(),
			ledger.JackpotWaiting: pool.Waiting.Cents(), ledger.JackpotAside: pool.Aside.Cents(),
		} {
			if got := -balances.OfUnit(account, unit); got != want {
				r.t.Errorf("%v of %d spots is %v in the books and %v in the pool", account, pool.Spots, got, want)
			}
		}
	}
	if sum := balances.Trial(); sum != 0 {
		r.t.Errorf("the trial balance is %v", sum)
	}
	again := New(r.house)
	for i, data := range r.records {
		if err := again.Replay(data); err != nil {
			r.t.Fatalf("record %d: %v", i, err)
		}
	}
	if again.State().Hash() != r.engine.State().Hash() {
		r.t.Error("the replayed state is another")
	}
}

func TestJackpots(t *testing.T) {
	for _, c := range []struct {
		rulebook, bet string
		spots         int
		unit          int          // two losers stake four of it, and winners one and three
		won           money.Amount // what the jackpot comes to with twelve units staked
		substitutes   bool
		next          money.Amount // what the next pool begins with
	}{
		{"vic-keno-2015", "classic", 7, 10_00, 12_00, false, 0},
		{"tas-keno-2023", "standard", 8, 10_00, 12_00, false, 0},
		{"casino-keno-div2", "standard", 6, 1_00, 1500_36, true, 1500_00},
	} {
		t.Run(c.rulebook, func(t *testing.T) {
			drawn := foresee(t, "jackpots", c.rulebook, 2)
			r := newRigUnder(t, "jackpots", c.rulebook)
			r.openDay("2026-11-15")
			loser := append([]int{}, drawn[0][:c.spots-1]...)
			for n := 1; len(loser) < c.spots; n++ {
				if !contains(drawn[0], n) {
					loser = append(loser, n)
				}
			}
			r.sell(1, 1, bet(c.bet, loser, 4*c.unit))
			r.sell(1, 1, bet(c.bet, loser, 4*c.unit))
			_, small := r.sell(1, 1, bet(c.bet, drawn[0][:c.spots], c.unit))
			_, large := r.sell(3, 1, bet(c.bet, drawn[0][1:c.spots+1], 3*c.unit))
			g := r.play()
			r.check()

			settled := g.Settled
			if len(settled.Awards) != 1 || settled.Awards[0].AmountCents != c.won ||
				settled.Awards[0].StakesCents != money.Amount(4*c.unit) {
				t.Fatalf("awards %+v; the pool has %v", settled.Awards, c.won)
			}
			if len(settled.JackpotWins) != 2 || settled.JackpotCents != c.won {
				t.Errorf("jackpot wins %+v, %v", settled.JackpotWins, settled.JackpotCents)
			}
			current, _ := r.engine.State().Series(series)
			if pool, _ := current.Pool(uint8(c.spots)); pool.Primary.Cents() != c.next || pool.Won {
				t.Errorf("the next pool is %+v", pool)
			}
			for i, answer := range []Answer{small, large} {
				win := settled.JackpotWins[i]
				share := c.won * win.StakeCents / money.Amount(4*c.unit)
				if (win.ScheduleCents == 0) != c.substitutes {
					t.Errorf("beside the jackpot the schedule gives %v", win.ScheduleCents)
				}
				paid, err := r.pay(r.claim(3, answer.Place))
				if win.ScheduleCents+share > 10_000_00 && err != nil {
					wantRefusal(t, err, counter.OverCashLimit)
					continue
				}
				must(t, err)
				rec, err := record.Decode(paid.Data)
				must(t, err)
				if got := rec.Body.(*record.TicketPaid).Amount(); got != win.ScheduleCents+share {
					t.Errorf("stake %v is paid %v, want %v and %v", win.StakeCents, got, win.ScheduleCents, share)
				}
			}
			r.check()
		})
	}
}

// without returns the first n numbers that are not in a list.
func without(list []int, n int) []int {
	var others []int
	for number := 1; len(others) < n; number++ {
		if !contains(list, number) {
			others = append(others, number)
		}
	}
	return others
}

func contains(list []int, n int) bool {
	for _, m := range list {
		if m == n {
			return true
		}
	}
	return false
}

// callOf returns what heads or tails came to.
func callOf(numbers []int) string {
	heads := 0
	for _, n := range numbers {
		if n <= 40 {
			heads++
		}
	}
	switch {
	case heads > 10:
		return "heads"
	case heads < 10:
		return "tails"
	}
	return "evens"
}

// TestRuns lets a prize run over three games, and takes another out on the way.
func TestRuns(t *testing.T) {
	drawn := foresee(t, "runs", "vic-keno-2015", 3)
	r := newRig(t, "runs")
	r.openDay("2026-11-15")
	var calls []string
	factor := money.Amount(1)
	for _, numbers := range drawn {
		call := callOf(numbers)
		calls = append(calls, fmt.Sprintf("%q", call))
		factor *= map[string]money.Amount{"heads": 2, "tails": 2, "evens": 4}[call]
	}
	run := fmt.Sprintf(`{"bet":"heads_or_tails","calls":[%s],"run":true,"stake_cents":300}`, strings.Join(calls, ","))
	_, stays := r.sell(1, 3, run)
	_, leaves := r.sell(1, 3, run)
	first := r.play()
	r.check()
	if first.Settled.Winners != 0 || first.Settled.CarriedWays != 2 || first.Settled.CarriedCents == 0 {
		t.Fatalf("the first game settles %+v", first.Settled)
	}
	carried := first.Settled.CarriedCents / 2
	cancelled, err := r.back(r.cancel(1, leaves.Place))
	must(t, err)
	r.check()
	rec, err := record.Decode(cancelled.Data)
	must(t, err)
	if b := rec.Body.(*record.TicketCancelled); b.RefundCents != 0 || b.CarriedCents != carried {
		t.Errorf("a run that has won %v is cancelled for %v and %v", carried, b.RefundCents, b.CarriedCents)
	}
	if second := r.play(); second.Closed.CarriedCents != carried || second.Closed.StakesCents != carried {
		t.Errorf("the second game has %+v", second.Closed)
	}
	r.play()
	r.check()
	paid, err := r.pay(r.claim(1, stays.Place))
	must(t, err)
	if rec, err = record.Decode(paid.Data); err != nil || rec.Body.(*record.TicketPaid).Amount() != 300*factor {
		t.Errorf("$3.00 run over %v come to %v, want %v", calls, rec.Body.(*record.TicketPaid).Amount(), 300*factor)
	}
	_, err = r.pay(r.claim(1, leaves.Place))
	wantRefusal(t, err, counter.NoPrize)
	r.check()
	if unplayed := r.engine.State().Balances().Of(ledger.Unplayed); unplayed != 0 {
		t.Errorf("%v is unplayed after the last game", unplayed)
	}
}

// cancel prepares the cancellation of a ticket.
func (r *rig) cancel(terminal uint32, place record.Place) counter.Cancellation {
	r.t.Helper()
	r.take()
	rec, err := record.Decode(r.records[place.Seq])
	must(r.t, err)
	sold := rec.Body.(*record.TicketSold)
	code := codeOf(sold.Request)
	if sheet, ok := r.engine.State().Sheet(place); ok {
		code = codeOf(sheet.Request)
	}
	return counter.Cancellation{Request: r.request(terminal, "cancel "+place.String()), Place: place, Sold: sold,
		Code: code}
}

func TestCancel(t *testing.T) {
	r := newRig(t, "cancel")
	r.openDay("2026-11-15")
	// Bonus covers the first two of four games.
	_, ticket := r.sell(1, 4, `{"bet":"classic","spots":[1,2,3],"stake_cents":200,"with":{"multiplier":{"games":2}}}`)
	_, other := r.sell(1, 1, oneSpot)
	r.play()

	_, err := r.back(r.cancel(3, ticket.Place))
	wantRefusal(t, err, counter.OtherVenue)
	wrong := r.cancel(1, ticket.Place)
	wrong.Code[3]++
	_, err = r.back(wrong)
	wantRefusal(t, err, counter.ClaimCodeOther)
	_, err = r.back(r.cancel(1, other.Place))
	wantRefusal(t, err, counter.NothingLeft)

	command := r.cancel(1, ticket.Place)
	answer, err := r.back(command)
	must(t, err)
	rec, err := record.Decode(answer.Data)
	must(t, err)
	if b := rec.Body.(*record.TicketCancelled); b.Kept != 1 || b.RefundCents != 3*200+200 || b.CarriedCents != 0 {
		t.Errorf("three games left, one with the multiplier, are cancelled as %+v", b)
	}
	again, err := r.back(command)
	must(t, err)
	if !again.Repeated || again.Place != answer.Place {
		t.Errorf("the same request is answered by %+v", again)
	}
	_, err = r.back(r.cancel(1, ticket.Place))
	wantRefusal(t, err, counter.NothingLeft)
	r.check()
	if g := r.play(); g.Closed.Plays != 0 || g.Closed.StakesCents != 0 {
		t.Errorf("a cancelled ticket is in the next game: %+v", g.Closed)
	}
	if unplayed := r.engine.State().Balances().Of(ledger.Unplayed); unplayed != 0 {
		t.Errorf("%v is unplayed", unplayed)
	}
	r.check()
}

// TestCancelLater tries the Keno Day after.
func TestCancelLater(t *testing.T) {
	r := newRig(t, "cancel later")
	r.openDay("2026-11-15")
	_, ticket := r.sell(1, 9, oneSpot)
	must(t, r.engine.CloseGame(r.tick(), series))
	r.drawAndSettle(1)
	must(t, r.engine.CloseDay(r.tick(), series))
	r.now += dayMillis
	r.openDay("2026-11-16")
	_, err := r.back(r.cancel(1, ticket.Place))
	wantRefusal(t, err, counter.OtherDay)
}

// TestLongTicketsCannotBeCancelled tries a ticket of 201 games at its 200th and
// 201st, and one of 200 games, to which the bound does not apply.
func TestLongTicketsCannotBeCancelled(t *testing.T) {
	r := newRig(t, "long")
	r.openDay("2026-11-15")
	_, long := r.sell(1, 300, oneSpot)
	_, also := r.sell(1, 300, oneSpot)
	_, short := r.sell(1, 200, oneSpot)
	for range 199 {
		r.play()
	}
	_, err := r.back(r.cancel(1, short.Place))
	must(t, err)
	r.play()
	_, err = r.back(r.cancel(1, long.Place))
	must(t, err)
	r.play()
	_, err = r.back(r.cancel(1, also.Place))
	wantRefusal(t, err, counter.TooFarPlayed)
	r.check()
}

// TestOutcomesAreBounded fills heads of a game to the bound over all tickets.
func TestOutcomesAreBounded(t *testing.T) {
	r := newRigUnder(t, "bounded", "tas-keno-2023")
	r.openDay("2026-11-15")
	heads := `{"bet":"heads_or_tails","calls":["heads"],"stake_cents":%d}`
	var last Answer
	for range 999 {
		_, last = r.sell(1, 2, fmt.Sprintf(heads, 500_00))
	}
	_, _ = r.sell(1, 2, fmt.Sprintf(heads, 499_00))
	try := func(stake, games int) error {
		offer, err := r.offer(1, games, fmt.Sprintf(heads, stake))
		must(t, err)
		_, err = r.engine.Sell(r.tick(), counter.Sale{Request: r.request(1, "try"), Series: series, Quote: offer})
		return err
	}
	wantRefusal(t, try(2_00, 1), keno.OutcomeFull)
	must(t, try(1_00, 1))                          // Heads of game 1 is full,
	wantRefusal(t, try(1_00, 1), keno.OutcomeFull) // to the dollar.
	wantRefusal(t, try(1_00, 3), keno.OutcomeFull)
	_, err := r.back(r.cancel(1, last.Place))
	must(t, err)
	must(t, try(500_00, 2))
	wantRefusal(t, try(1_00, 1), keno.OutcomeFull)
	r.play()
	must(t, try(1_00, 1)) // Game 2 had room for one dollar more,
	wantRefusal(t, try(1_00, 1), keno.OutcomeFull)
	r.check()
}

func TestTermsChange(t *testing.T) {
	r := newRig(t, "terms")
	r.openDay("2026-11-15")
	change := func(from uint32, schedule string) record.TermsChanged {
		return record.TermsChanged{Series: series, From: from, Rulebook: record.Hash(r.desk.Book().Hash()),
			Schedule: schedule, Approval: "decision 7"}
	}
	for name, c := range map[string]struct {
		change func(*record.TermsChanged)
		want   refusal.Code
	}{
		"game that has opened": {func(c *record.TermsChanged) { c.From = 1 }, game.GameNotAhead},
		"no such schedule":     {func(c *record.TermsChanged) { c.Schedule = "schedule-9" }, game.ScheduleUnknown},
		"no such rulebook":     {func(c *record.TermsChanged) { c.Rulebook[0]++ }, game.RulebookUnknown},
		"no approval":          {func(c *record.TermsChanged) { c.Approval = "" }, game.ApprovalMissing},
	} {
		t.Run(name, func(t *testing.T) {
			bad := change(2, "schedule-2")
			c.change(&bad)
			wantRefusal(t, r.engine.ChangeTerms(r.tick(), bad), c.want)
		})
	}
	// A rulebook of another currency or by another clock was adopted, and the series cannot go on under it.
	for _, other := range []struct {
		now, then, clause string
		want              refusal.Code
	}{
		{"AUD", "NZD", "2(a).prize-fund", game.CurrencyOther},
		{"Australia/Melbourne", "America/Los_Angeles", "18(c)", game.ZoneOther},
	} {
		book, err := rulebook.FromCanonical([]byte(strings.Replace(string(r.desk.Book().Canonical()), other.now, other.then,
			1)))
		must(t, err)
		must(t, r.engine.AdoptRulebook(r.tick(), book))
		bad := change(2, "schedule-2")
		bad.Rulebook = record.Hash(book.Hash())
		err = r.engine.ChangeTerms(r.tick(), bad)
		wantRefusal(t, err, other.want)
		if no, ok := errors.AsType[*refusal.Refusal](err); !ok || no.Path != "rulebook" || no.Clause != other.clause {
			t.Errorf("%s: %+v", other.then, no)
		}
	}
	must(t, r.engine.ChangeTerms(r.tick(), change(2, "schedule-2")))
	// Ten spots win something else under the second schedule.
	_, ticket := r.sell(1, 2,
		`{"bet":"classic","spots":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20],"stake_cents":100}`)
	first, second := r.play(), r.play()
	if first.Schedule != "schedule-1" || second.Schedule != "schedule-2" {
		t.Errorf("the games are played under %s and %s", first.Schedule, second.Schedule)
	}
	r.check()
	if _, err := r.pay(r.claim(1, ticket.Place)); err != nil {
		wantRefusal(t, err, counter.NoPrize)
	}
}

func TestDelayedStart(t *testing.T) {
	r := newRig(t, "delayed")
	r.openDay("2026-11-15")
	err := r.engine.Designate(r.tick(), series, 1)
	wantRefusal(t, err, game.GameNotAhead)
	must(t, r.engine.Designate(r.tick(), series, 3))
	wantRefusal(t, r.engine.Designate(r.tick(), series, 3), game.GameNotAhead)

	offer, err := r.offer(1, 2, oneSpot)
	must(t, err)
	offer.AnyFirst, offer.Delayed = false, true
	request := r.request(1, "delayed")
	answer, err := r.engine.Sell(r.tick(), counter.Sale{Request: request, Series: series, Quote: offer,
		Claim: record.Hash(codeOf(request).Hash(1, request.Number))})
	must(t, err)
	rec, err := record.Decode(answer.Data)
	must(t, err)
	if got := rec.Body.(*record.TicketSold).Ordinal; got != 3 {
		t.Errorf("a ticket for the next designated game is for game %d", got)
	}
	r.take()
	plays := []uint64{0, 0, 1, 1, 0}
	for i, want := range plays {
		if g := r.play(); g.Closed.Plays != want {
			t.Errorf("game %d has %d plays, want %d", i+1, g.Closed.Plays, want)
		}
	}
	r.check()
	must(t, r.engine.Designate(r.tick(), series, 9))
	must(t, r.engine.CloseGame(r.tick(), series))
	r.drawAndSettle(6)
	wantRefusal(t, r.engine.CloseDay(r.tick(), series), game.GamesUnsettled)
}

// TestPooledJackpot shares the growth of a jackpot with another jurisdiction, whose
// report comes after the next game has closed.
func TestPooledJackpot(t *testing.T) {
	drawn := foresee(t, "pooled", "vic-keno-2015", 2)
	r := newRig(t, "pooled")
	must(t, r.engine.NameParticipants(r.tick(),
		record.ParticipantsNamed{Series: series, From: 1, Names: []string{"nsw", "qld"}}))
	r.openDay("2026-11-15")
	_, ours := r.sell(1, 1, bet("classic", drawn[0][:7], 100))
	first := r.play()
	if len(first.Settled.Awards) != 0 || first.Settled.JackpotCents != 0 || len(first.Settled.JackpotWins) != 1 {
		t.Fatalf("before anybody has reported: %+v", first.Settled)
	}
	schedule := first.Settled.JackpotWins[0].ScheduleCents
	paid, err := r.pay(r.claim(1, ours.Place))
	must(t, err)
	if rec, _ := record.Decode(paid.Data); rec.Body.(*record.TicketPaid).Amount() != schedule {
		t.Errorf("the schedule's part is %v", schedule)
	}
	r.sell(1, 1, bet("classic", drawn[0][:7], 5_000)) // In game 2, where it does not win.
	r.play()
	r.check()

	wantRefusal(t, r.engine.ShareJackpots(r.tick(), series, 1), game.ReportsWait)
	wantRefusal(t, r.engine.ShareJackpots(r.tick(), series, 2), game.EarlierWaits)
	wantRefusal(t, r.engine.Report(r.tick(), series, 1, 7, jackpot.Report{Jurisdiction: "act"}), jackpot.NotParticipant)
	for _, spots := range []uint8{7, 8, 9, 10} {
		for _, name := range []string{"nsw", "qld"} {
			report := jackpot.Report{Jurisdiction: name, Growth: 1_000_00}
			if spots == 7 && name == "qld" {
				report.Stakes = 3_00 // They have a winner too, of three dollars to our one.
			}
			must(t, r.engine.Report(r.tick(), series, 1, spots, report))
		}
	}
	wantRefusal(t, r.engine.Report(r.tick(), series, 1, 7, jackpot.Report{Jurisdiction: "nsw"}), jackpot.ReportedTwice)
	must(t, r.engine.ShareJackpots(r.tick(), series, 1))
	r.check()
	current, _ := r.engine.State().Series(series)
	again, _ := current.Game(1)
	// Our pool had 10 cents of game 1 and theirs $2,000: $500.02 of it are ours, and
	// what our one pool paid in beyond that is theirs.
	share := money.Amount(2_000_10 / 4)
	if again.Settled.Revision != 2 || again.Settled.JackpotCents != share {
		t.Errorf("shared as %+v", again.Settled)
	}
	if pool, _ := current.Pool(7); pool.Primary.Cents() != 5_00 {
		t.Errorf("the pool has %v; game 2 has put $5.00 into it", pool.Primary)
	}
	paid, err = r.pay(r.claim(1, ours.Place))
	must(t, err)
	rec, err := record.Decode(paid.Data)
	must(t, err)
	if got := rec.Body.(*record.TicketPaid).Amount(); got != share-share%10 {
		t.Errorf("the share of %v is paid as %v", share, got)
	}
	_, err = r.pay(r.claim(1, ours.Place))
	wantRefusal(t, err, counter.AlreadyPaid)
	r.check()
}

func TestPoolMoves(t *testing.T) {
	r := newRigUnder(t, "moves", "tas-keno-2023")
	r.openDay("2026-11-15")
	must(t, r.engine.MovePool(r.tick(), series, 9, rulebook.MoveLend, 60_000_00, "decision 1"))
	r.check()
	wantRefusal(t, r.engine.MovePool(r.tick(), series, 9, rulebook.MoveReallocate, 1, "decision 2"), jackpot.AmountAbove)
	wantRefusal(t, r.engine.MovePool(r.tick(), series, 9, rulebook.MoveLend, 1, ""), jackpot.ApprovalMissing)
	wantRefusal(t, r.engine.MovePool(r.tick(), series, 5, rulebook.MoveLend, 1, "decision 3"), game.NoJackpot)
	wantRefusal(t, r.engine.MovePool(r.tick(), series, 9, "lose", 1, "decision 4"), game.MoveUnknown)
	must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
	r.take()
	wantRefusal(t, r.engine.MovePool(r.tick(), series, 9, rulebook.MoveLend, 1, "decision 5"), game.GameNotReady)
	r.drawAndSettle(1)
	r.play()
	r.sell(1, 1, bet("standard", []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, 100_00))
	g := r.play() // While a seed is owed, a tenth goes to the pool and a tenth back.
	var nine record.Contribution
	for _, c := range g.Closed.Contributions {
		if c.Spots == 9 {
			nine = c
		}
	}
	if nine.StakesCents != 100_00 || nine.Primary != 10_00*10_000 || nine.Repaid != 10_00*10_000 || nine.Secondary != 0 {
		t.Errorf("$100.00 contribute %+v", nine)
	}
	r.check()
	if g.Phase != state.PhaseSettled {
		t.Errorf("the game is %v", g.Phase)
	}
}

// TestPromotion offers a prize beyond the schedules and shares it in the earliest
// draw with ways that meet its conditions.
func TestPromotion(t *testing.T) {
	drawn := foresee(t, "promotion", "vic-keno-2015", 4)
	r := newRig(t, "promotion")
	r.openDay("2026-11-15")
	cup := record.PromotionBegun{Series: series, Name: "Cup day", From: 2, AmountCents: 100_00, Approval: "decision 9",
		Bet: "classic", Spots: 3, Matched: 3, LeastCents: 2_00}
	wantRefusal(t, r.engine.BeginPromotion(r.tick(), cup), game.FundTooSmall)
	r.sell(1, 1, bet("classic", without(drawn[0], 6), 2_000_00)) // Fills the fund.
	r.play()
	cup.From = 2
	wantRefusal(t, r.engine.BeginPromotion(r.tick(), cup), game.GameNotAhead)
	cup.From = 3
	for name, c := range map[string]struct {
		change func(*record.PromotionBegun)
		want   refusal.Code
	}{
		"approval": {func(p *record.PromotionBegun) { p.Approval = "" }, game.ApprovalMissing},
		"bet":      {func(p *record.PromotionBegun) { p.Bet = "heads_or_tails" }, game.ConditionInvalid},
		"size":     {func(p *record.PromotionBegun) { p.Spots = 11 }, game.ConditionInvalid},
		"matched":  {func(p *record.PromotionBegun) { p.Matched = 4 }, game.ConditionInvalid},
		"item":     {func(p *record.PromotionBegun) { p.Bet, p.Item = "", "anything" }, game.NoPromotions},
	} {
		t.Run(name, func(t *testing.T) {
			bad := cup
			c.change(&bad)
			wantRefusal(t, r.engine.BeginPromotion(r.tick(), bad), c.want)
		})
	}
	must(t, r.engine.BeginPromotion(r.tick(), cup))
	r.check()
	// Game 2 does not count, and in game 3 only the stakes of $2 and more do.
	r.sell(1, 1, bet("classic", drawn[1][:3], 5_00))
	r.play()
	r.sell(1, 1, bet("classic", drawn[2][:3], 1_00))
	_, small := r.sell(1, 1, bet("classic", drawn[2][1:4], 2_00))
	_, large := r.sell(3, 1, bet("classic", drawn[2][2:5], 5_00))
	g := r.play()
	r.check()
	if want := (record.PromotionWon{Number: 1, AmountCents: 100_00, StakesCents: 7_00, Ways: 2, PaidCents: 28_50 +
		71_40}); len(g.Settled.Promotions) != 1 || g.Settled.Promotions[0] != want {
		t.Fatalf("won as %+v, want %+v", g.Settled.Promotions, want)
	}
	for place, want := range map[record.Place]money.Amount{small.Place: 2*44_00 + 28_50, large.Place: 5*44_00 + 71_40} {
		paid, err := r.pay(r.claim(3, place))
		must(t, err)
		rec, err := record.Decode(paid.Data)
		must(t, err)
		if got := rec.Body.(*record.TicketPaid).Amount(); got != want {
			t.Errorf("paid %v, want %v", got, want)
		}
	}
	r.sell(1, 1, bet("classic", drawn[3][:3], 5_00))
	if g := r.play(); len(g.Settled.Promotions) != 0 {
		t.Errorf("won again: %+v", g.Settled.Promotions)
	}
	wantRefusal(t, r.engine.ChangePromotion(r.tick(),
		record.PromotionChanged{Series: series, Number: 1, Ended: true, Approval: "decision 10"}), game.PromotionUnknown)
	if left := r.engine.State().Balances().Of(ledger.Promotions); left != 0 {
		t.Errorf("%v is still set aside", left)
	}
	r.check()
}

// TestBonusPool fills the pool from the stakes that count, offers a prize from it,
// pauses that, and ends it.
func TestBonusPool(t *testing.T) {
	r := newRigUnder(t, "bonus pool", "tas-keno-2023")
	r.openDay("2026-11-15")
	balance := func(a ledger.Account) money.Amount { return -r.engine.State().Balances().Of(a) }
	r.sell(1, 1, bet("standard", []int{1, 2, 3}, 1_234_00))
	r.sell(1, 1, `{"bet":"heads_or_tails","calls":["heads"],"stake_cents":50000}`) // does not count
	r.play()
	if got := balance(ledger.BonusPool); got != 9_87 { // 0.80% of $1,234.00 is $9.872.
		t.Errorf("the pool has %v", got)
	}
	r.sell(1, 1, bet("standard", []int{1, 2, 3}, 1_00))
	r.play()
	if got := balance(ledger.BonusPool); got != 9_88 { // And $0.008 more make $9.88.
		t.Errorf("the pool has %v", got)
	}
	r.sell(1, 1, `{"bet":"standard","spots":[1,2,3],"stake_cents":10000,"with":{"multiplier":{},"lucky_last":{}}}`)
	r.play()
	if got := balance(ledger.BonusPool); got != 11_48 { // Keno Xtra feeds it as well, and Lucky Last does not.
		t.Errorf("the pool has %v", got)
	}
	offer := record.PromotionBegun{Series: series, Name: "Bonus draw", From: 5, AmountCents: 11_49, Approval: "decision 1",
		Bet: "standard", Spots: 1, Matched: 1}
	wantRefusal(t, r.engine.BeginPromotion(r.tick(), offer), game.PoolTooSmall)
	offer.AmountCents = 11_00
	must(t, r.engine.BeginPromotion(r.tick(), offer))
	if got := balance(ledger.BonusPool); got != 48 {
		t.Errorf("the pool has %v", got)
	}
	change := func(paused, ended bool) error {
		return r.engine.ChangePromotion(r.tick(),
			record.PromotionChanged{Series: series, Number: 1, Paused: paused, Ended: ended, Approval: "decision 2"})
	}
	wantRefusal(t, change(true, true), game.ChangeUnclear)
	must(t, change(true, false))
	r.play()
	for spot := 1; spot <= 80; spot += 4 {
		r.sell(1, 2, bet("standard", []int{spot}, 1_00))
	}
	if g := r.play(); len(g.Settled.Promotions) != 0 {
		t.Errorf("a paused promotion is won: %+v", g.Settled.Promotions)
	}
	must(t, change(false, false))
	if g := r.play(); len(g.Settled.Promotions) != 1 || g.Settled.Promotions[0].Ways == 0 {
		t.Errorf("nobody won: %+v", g.Settled.Promotions)
	}
	r.check()
	offer.From, offer.AmountCents, offer.Matched = 8, 50, 0
	must(t, r.engine.BeginPromotion(r.tick(), offer))
	before := balance(ledger.BonusPool)
	must(t, r.engine.ChangePromotion(r.tick(),
		record.PromotionChanged{Series: series, Number: 2, Ended: true, Approval: "decision 3"}))
	if got := balance(ledger.BonusPool); got != before+50 {
		t.Errorf("ending gives back %v", got-before)
	}
	r.check()
}

// TestSetBetBonus lets prizes fall on ready tickets that have won and are presented
// on the day of their last game.
func TestSetBetBonus(t *testing.T) {
	r := newRigUnder(t, "set bet", "tas-keno-2023")
	r.openDay("2026-11-15")
	item, _ := r.desk.Book().Item("set-bet-2")
	r.sell(1, 1, bet("standard", []int{1, 2, 3}, 1_999_00))
	r.play()
	bonus := record.PromotionBegun{
		Series: series, Name: "Lucky key", From: 3, AmountCents: 3_00, Approval: "decision 1", Item: item.ID, Den: 2,
		Prizes: []record.BonusPrize{{Cents: 1_00, Num: 1, Count: 3}},
	}
	unknown := bonus
	unknown.Item = "nothing"
	wantRefusal(t, r.engine.BeginPromotion(r.tick(), unknown), game.ItemUnknown)
	unknown.Item = "set-bet-1"
	wantRefusal(t, r.engine.BeginPromotion(r.tick(), unknown), game.BetOutside)
	must(t, r.engine.BeginPromotion(r.tick(), bonus))
	r.play()
	var tickets []Answer
	for range 200 {
		_, answer := r.sell(1, item.Games, fmt.Sprintf(`{"item":%q}`, item.ID))
		tickets = append(tickets, answer)
	}
	for range item.Games {
		r.play()
	}
	given, took := 0, 0
	for _, answer := range tickets {
		claim := r.claim(1, answer.Place)
		claim.Entropy = make([]byte, counter.BonusBytes)
		_, err := r.random.Read(claim.Entropy)
		must(t, err)
		size := r.engine.Size()
		if _, err := r.pay(claim); err != nil {
			wantRefusal(t, err, counter.NoPrize)
			r.numbers[1]--
			continue
		}
		r.take()
		if r.engine.Size() != size+2 {
			t.Fatalf("a winning ready ticket leaves %d records", r.engine.Size()-size)
		}
		rec, err := record.Decode(r.records[len(r.records)-1])
		must(t, err)
		took++
		if rec.Body.(*record.BonusAllocated).Cents > 0 {
			given++
		}
	}
	if took < 10 || given != 3 {
		t.Errorf("%d winning tickets took %d of 3 prizes", took, given)
	}
	r.check()
	if left := r.engine.State().Balances().Of(ledger.Promotions); left != 0 {
		t.Errorf("%v is still set aside", left)
	}
}

func TestFallsOn(t *testing.T) {
	p := &record.PromotionBegun{Den: 10, Prizes: []record.BonusPrize{{Cents: 500, Num: 1, Count: 1},
		{Cents: 100, Num: 2, Count: 9}}}
	word := func(words ...uint64) []byte {
		var b []byte
		for _, w := range words {
			b = binary.BigEndian.AppendUint64(b, w)
		}
		return b
	}
	for _, c := range []struct {
		bytes []byte
		left  []uint32
		want  int
	}{
		{word(0), []uint32{1, 9}, 0},
		{word(10), []uint32{1, 9}, 0},
		{word(10), []uint32{0, 9}, -1},
		{word(1), []uint32{0, 9}, 1},
		{word(12), []uint32{0, 9}, 1},
		{word(3), []uint32{1, 9}, -1},
		{word(9), []uint32{1, 9}, -1},
		// 2^64 is 6 modulo 10: the last six numbers are passed over.
		{word(1<<64-7, 0), []uint32{1, 9}, -1},
		{word(1<<64-6, 10), []uint32{1, 9}, 0},
		{word(1<<64-1, 11), []uint32{1, 9}, 1},
	} {
		if got, err := counter.BonusPrize(p, c.left, c.bytes); err != nil || got != c.want {
			t.Errorf("%x with %v left: %d, %v; want %d", c.bytes, c.left, got, err, c.want)
		}
	}
	for _, b := range [][]byte{nil, {1, 2, 3}, word(1<<64 - 1)} {
		if got, err := counter.BonusPrize(p, []uint32{1, 9}, b); !errors.Is(err, counter.ErrEntropy) {
			t.Errorf("%x gives %d, %v", b, got, err)
		}
	}
}

// TestMoneySetAside gives money from the secondary to the winners of the jackpot,
// who are paid it on top of what they had.
func TestMoneySetAside(t *testing.T) {
	drawn := foresee(t, "aside", "tas-keno-2023", 4)
	r := newRigUnder(t, "aside", "tas-keno-2023")
	r.openDay("2026-11-15")
	for range 200 { // Lifts the primary above $50,000, from where on the secondary gets its part.
		r.sell(1, 1, bet("standard", without(drawn[0], 9), 1_999_00))
	}
	r.play()
	r.play()
	r.sell(1, 1, bet("standard", without(drawn[2], 9), 1_999_00))
	r.play()
	current, _ := r.engine.State().Series(series)
	if pool, _ := current.Pool(9); pool.Secondary.Cents() != 99_95 {
		t.Fatalf("5%% of $1,999.00 make the secondary %v", pool.Secondary)
	}
	must(t, r.engine.MovePool(r.tick(), series, 9, rulebook.MoveSetAside, 60_00, "decision 1"))
	_, small := r.sell(1, 1, bet("standard", drawn[3][:9], 1_00))
	r.sell(1, 1, bet("standard", drawn[3][1:10], 2_00))
	r.play()
	r.check()
	wantRefusal(t, r.engine.GiveAside(r.tick(), series, 3, 9, 60_00, "decision 2"), jackpot.NoWinner)
	wantRefusal(t, r.engine.GiveAside(r.tick(), series, 4, 9, 60_01, "decision 2"), jackpot.AmountAbove)
	wantRefusal(t, r.engine.GiveAside(r.tick(), series, 4, 9, 60_00, ""), jackpot.ApprovalMissing)
	before := r.claim(1, small.Place).Wins[0].Cents
	r.numbers[1]--
	must(t, r.engine.GiveAside(r.tick(), series, 4, 9, 60_00, "decision 2"))
	r.check()
	if after := r.claim(1, small.Place).Wins[0].Cents; after != before+20_00 {
		t.Errorf("a third of $60.00 lifts the prize from %v to %v", before, after)
	}
	if pool, _ := current.Pool(9); pool.Aside != 0 {
		t.Errorf("%v is still set aside", pool.Aside)
	}
}

// successor is the series of the successor in tests of the move to it.
const successor = 2

// succeeded begins a series of the successor.
func (r *rig) succeeded() command.BeginSeries {
	r.t.Helper()
	base := r.desk.Book()
	text, _ := rulebook.SuccessorOf(base)
	book, err := rulebook.LoadOn("successor.yaml", []byte(text),
		func(rulebook.Hash) (*rulebook.Book, bool) { return base, true })
	must(r.t, err)
	must(r.t, r.engine.AdoptRulebook(r.tick(), book))
	begin := command.BeginSeries{Name: "successor", Rulebook: book.Hash().String(), Schedule: book.Schedules()[0].ID(),
		Interval: 180, Reference: "decision 9"}
	must(r.t, r.engine.BeginSeries(r.tick(), begin))
	return begin
}

// ended has the series end with its open Keno Day.
func (r *rig) ended() {
	r.t.Helper()
	current, _ := r.engine.State().Series(series)
	_, err := r.engine.Do(r.tick(), command.EndSeries{LastDay: current.Day.String(), Games: 480,
		Reference: "decision 8"}, command.Env{Series: series})
	must(r.t, err)
	must(r.t, r.engine.CloseGame(r.tick(), series))
	r.take()
	r.drawAndSettle(current.Newest().Ordinal)
	must(r.t, r.engine.CloseDay(r.tick(), series))
	r.take()
}

// TestMigration closes the jackpots of one system and brings the players' money to
// its successor in lots.
func TestMigration(t *testing.T) {
	drawn := foresee(t, "migration", "tas-keno-2023", 1)
	r := newRigUnder(t, "migration", "tas-keno-2023")
	r.openDay("2026-11-15")
	must(t, r.engine.MovePool(r.tick(), series, 7, rulebook.MoveLend, 1_000_00, "decision 1"))
	for spots := 7; spots <= 9; spots++ {
		for range 500 {
			r.sell(1, 1, bet("standard", without(drawn[0], spots), 1_999_00))
		}
	}
	r.play()
	r.check()
	wantRefusal(t, r.engine.BeginSeries(r.tick(), r.succeeded()), game.SeriesKnown)
	wantRefusal(t, r.engine.MigratePools(r.tick(), series, successor, "decision 2"), game.SeriesGoesOn)
	r.ended()
	wantRefusal(t, r.engine.MigratePools(r.tick(), series, successor, ""), game.ApprovalMissing)
	wantRefusal(t, r.engine.MigratePools(r.tick(), series, series, "decision 2"), jackpot.SameSystem)
	wantRefusal(t, r.engine.MigratePools(r.tick(), successor, series, "decision 2"), jackpot.SameSystem)
	must(t, r.engine.MigratePools(r.tick(), series, successor, "decision 2"))
	r.check()
	wantRefusal(t, r.engine.MigratePools(r.tick(), series, successor, "decision 2"), game.PoolEmpty)
	next, _ := r.engine.State().Series(successor)
	pool, _ := next.Pool(9)
	// 7 spots (the seed was owed when the game closed, not when it opened), 8 and 9 spots: 10%, 10% and 15% of $999,500.
	if pool.Primary.Cents() != 250_000_00 || pool.Waiting.Cents() != 349_825_00-250_000_00 {
		t.Errorf("the successor has %v, and %v waits", pool.Primary, pool.Waiting)
	}
	old, _ := r.engine.State().Series(series)
	for _, p := range old.Pools() {
		if p.Primary != 0 || p.Secondary != 0 {
			t.Errorf("the closed pool has %+v", p)
		}
	}
}

// TestBonusMigration brings the bonus prize pool of one system to its successor, when its
// bonus games are over.
func TestBonusMigration(t *testing.T) {
	r := newRigUnder(t, "bonus migration", "tas-keno-2023")
	r.openDay("2026-11-15")
	r.sell(1, 1, bet("standard", []int{1, 2, 3}, 1_999_00))
	r.play()
	r.succeeded()
	wantRefusal(t, r.engine.MigrateBonus(r.tick(), series, successor, ""), game.ApprovalMissing)
	wantRefusal(t, r.engine.MigrateBonus(r.tick(), series, series, "decision 2"), jackpot.SameSystem)
	wantRefusal(t, r.engine.MigrateBonus(r.tick(), successor, series, "decision 2"), jackpot.SameSystem)
	wantRefusal(t, r.engine.MigrateBonus(r.tick(), series, successor, "decision 2"), game.SeriesGoesOn)
	wantRefusal(t, r.engine.MigrateBonus(r.tick(), series, 9, "decision 2"), game.SeriesUnknown)
	must(t, r.engine.BeginPromotion(r.tick(),
		record.PromotionBegun{Series: series, Name: "bonus", From: 3, AmountCents: 9_00, Approval: "decision 3",
			Bet: "standard", Spots: 3, Matched: 3}))
	r.ended()
	wantRefusal(t, r.engine.MigrateBonus(r.tick(), series, successor, "decision 2"), game.OfferedStill)
	must(t, r.engine.ChangePromotion(r.tick(),
		record.PromotionChanged{Series: series, Number: 1, Ended: true, Approval: "decision 4"}))

	old, _ := r.engine.State().Series(series)
	next, _ := r.engine.State().Series(successor)
	had := old.BonusPool()
	if had.Cents() != 15_99 { // 0.80% of $1,999.00 is $15.992.
		t.Fatalf("the pool holds %v", had)
	}
	must(t, r.engine.MigrateBonus(r.tick(), series, successor, "decision 5"))
	if old.BonusPool() != 0 || next.BonusPool() != had || -r.engine.State().Balances().Of(ledger.BonusPool) != 15_99 {
		t.Errorf("%v is left and %v there", old.BonusPool(), next.BonusPool())
	}
	r.check()
	wantRefusal(t, r.engine.MigrateBonus(r.tick(), series, successor, "decision 6"), game.PoolEmpty)
}

// begin starts the draw of a sealed game and records some of its numbers.
func (r *rig) begin(ordinal uint32, numbers int) {
	r.t.Helper()
	current, _ := r.engine.State().Series(series)
	g, _ := current.Game(ordinal)
	verifier, err := journal.ParseVerifier(r.engine.State().Volume().HouseKey)
	must(r.t, err)
	seal, err := journal.OpenSeal(g.Seal, verifier)
	must(r.t, err)
	drawing, err := r.device.Start(draw.KenoPlan(game.SealName(current, g.Ref), uint32(g.Draw)), seal, g.Numbers, nil)
	must(r.t, err)
	for k := range numbers {
		pick, err := drawing.Next(k + 1)
		must(r.t, err)
		must(r.t, r.engine.DrawNumber(r.tick(), series, ordinal, pick.Number, pick.Bytes))
	}
	r.take()
}

var broken = game.Void{Reason: "a ball broke", Clause: "11.4(a)", Approval: 1}

// TestVoidDraw draws a game a second time. The numbers of the first draw stay in the
// journal and count for nothing.
func TestVoidDraw(t *testing.T) {
	r := newRigUnder(t, "void draw", "casino-keno-div2")
	r.openDay("2026-11-15")
	r.sell(1, 1, `{"bet":"standard","spots":[1,2,3],"stake_cents":100}`)
	wantRefusal(t, r.engine.VoidDraw(r.tick(), series, 1, broken), game.GameNotReady)
	must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
	r.begin(1, 7)
	wantRefusal(t, r.engine.VoidDraw(r.tick(), series, 1, game.Void{Approval: 1}), game.ReasonMissing)
	wantRefusal(t, r.engine.VoidDraw(r.tick(), series, 1, game.Void{Reason: "a ball broke"}), staff.ApprovalNotGiven)
	must(t, r.engine.VoidDraw(r.tick(), series, 1, broken))
	r.check()
	g := r.drawAndSettle(1)
	if g.Settled.Draw != 2 || g.Numbers.Len() != 20 {
		t.Errorf("settled draw %d with %d numbers", g.Settled.Draw, g.Numbers.Len())
	}
	wantRefusal(t, r.engine.VoidDraw(r.tick(), series, 1, broken), game.GameNotReady)
	r.check()
}

// TestVoidGameIsPlayedAlong lets the plays of a game without a result be played with
// the next one, beside what their tickets have in that anyway.
func TestVoidGameIsPlayedAlong(t *testing.T) {
	r := newRigUnder(t, "void game", "casino-keno-div2")
	r.openDay("2026-11-15")
	all := make([]Answer, 0, 80)
	for spot := 1; spot <= 80; spot++ {
		games := 1 + spot%2 // Every other ticket is in the next game too.
		_, answer := r.sell(1, games, fmt.Sprintf(`{"bet":"standard","spots":[%d],"stake_cents":100}`, spot))
		all = append(all, answer)
	}
	must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
	r.begin(1, 3)
	fund := r.engine.State().Balances().Of(ledger.PrizeFund)
	must(t, r.engine.VoidGame(r.tick(), series, 1, game.Void{Reason: "no power", Clause: "11.6", Approval: 2}))
	if after := r.engine.State().Balances().Of(ledger.PrizeFund); after != fund {
		t.Errorf("the prize fund moved from %v to %v; nothing is contributed twice or given back", fund, after)
	}
	r.check()
	_, err := r.pay(r.claim(1, all[0].Place))
	wantRefusal(t, err, counter.NoPrize)
	g := r.play()
	r.check()
	if g.Closed.Plays != 40 || g.Closed.DeferredPlays != 80 || g.Settled.WinningWays == 0 {
		t.Fatalf("game 2 has %+v", g.Closed)
	}
	for i, answer := range all {
		spot, plays := i+1, money.Amount(1+(i+1)%2)
		claim := r.claimThrough(1, answer.Place, 2)
		paid, err := r.pay(claim)
		if !g.Numbers.Set().Has(spot) {
			wantRefusal(t, err, counter.NoPrize)
			r.numbers[1]--
			continue
		}
		must(t, err)
		r.take()
		rec, err := record.Decode(paid.Data)
		must(t, err)
		b := rec.Body.(*record.TicketPaid)
		if b.RefundCents != 0 || len(b.Parts) != 1 || b.Parts[0].Ordinal != 2 || b.Amount()%plays != 0 || b.Amount() == 0 {
			t.Errorf("spot %d with %d plays is paid %+v", spot, plays, b)
		}
	}
	r.check()
}

// TestVoidGameIsRefunded gives the stakes of the last game of a day back, and the
// contributions out of the jackpots.
func TestVoidGameIsRefunded(t *testing.T) {
	r := newRigUnder(t, "void last", "casino-keno-div2")
	r.openDay("2026-11-15")
	_, ticket := r.sell(1, 2, `{"bet":"standard","spots":[1,2,3,4,5,6],"stake_cents":300}`)
	current, _ := r.engine.State().Series(series)
	before, _ := current.Pool(6)
	must(t, r.engine.CloseGame(r.tick(), series))
	if grown, _ := current.Pool(6); grown.Primary <= before.Primary {
		t.Fatalf("the jackpot did not grow: %+v", grown)
	}
	must(t, r.engine.VoidGame(r.tick(), series, 1, game.Void{Reason: "no power", Clause: "11.6", Approval: 3}))
	r.check()
	if after, _ := current.Pool(6); after != before {
		t.Errorf("the jackpot is %+v, and was %+v", after, before)
	}
	balances := r.engine.State().Balances()
	if balances.Of(ledger.PrizeFund) != 0 || balances.Of(ledger.Retained) != 0 || balances.Of(ledger.Refunds) != -300 {
		t.Errorf("the books have %+v", balances.Lines())
	}
	paid, err := r.pay(r.claim(1, ticket.Place))
	must(t, err)
	rec, err := record.Decode(paid.Data)
	must(t, err)
	if b := rec.Body.(*record.TicketPaid); b.RefundCents != 300 || b.Amount() != 300 {
		t.Errorf("paid %+v", b)
	}
	r.take()
	_, err = r.pay(r.claim(1, ticket.Place))
	wantRefusal(t, err, counter.AlreadyPaid)
	must(t, r.engine.CloseDay(r.tick(), series))
	r.check()
}

func TestPauseAndClosure(t *testing.T) {
	r := newRigUnder(t, "pause", "casino-keno-div2")
	r.openDay("2026-11-15")
	wantRefusal(t, r.engine.Resume(r.tick(), series, 1), game.NotPaused)
	must(t, r.engine.Pause(r.tick(), series, "device", 1))
	wantRefusal(t, r.engine.Pause(r.tick(), series, "device", 1), game.IsPaused)
	wantRefusal(t, r.engine.TurnGame(r.tick(), series, r.now+180_000), game.IsPaused)
	offer, err := r.offer(1, 1, `{"bet":"standard","spots":[1],"stake_cents":100}`)
	must(t, err)
	_, err = r.engine.Sell(r.tick(), counter.Sale{Request: r.request(1, "paused"), Series: series, Quote: offer})
	wantRefusal(t, err, counter.SalePaused)
	must(t, r.engine.Resume(r.tick(), series, 1))
	r.play()

	// A pause that comes between the seal and a number holds the number back.
	must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
	r.take()
	must(t, r.engine.Pause(r.tick(), series, "device", 1))
	current, _ := r.engine.State().Series(series)
	sealed := current.Newest().Ordinal - 1
	wantRefusal(t, r.engine.DrawNumber(r.tick(), series, sealed, 1, nil), game.IsPaused)
	must(t, r.engine.Resume(r.tick(), series, 1))
	r.drawAndSettle(sealed)
	const minutes = 60_000
	now := r.tick()
	for after, want := range map[record.Time]bool{20*minutes - 1: false, 20 * minutes: true, 20*minutes + 1: true} {
		_, err := game.AnnounceClosure(r.engine.State(), series, now+after, now, 1)
		if (err == nil) != want {
			t.Errorf("closing %d ms from now: %v", after, err)
		}
	}
	r.check()
}

// TestClosureWithoutNotice: under a rulebook that asks for no notice, trading ends at once or later, and a time in the
// past is refused with the first time that can be named. Under one that asks for a notice the refusal has that time
// too.
func TestClosureWithoutNotice(t *testing.T) {
	for _, c := range []struct {
		book  string
		least record.Time
		says  string
	}{
		{"vic-keno-2015", 0, "cannot end in the past: name a time from "},
		{"casino-keno-div2", 20 * 60_000, "must be told 20 minutes before"},
	} {
		r := newRigUnder(t, "closure", c.book)
		r.openDay("2026-11-15")
		now := r.tick()
		first := now + c.least
		for at, want := range map[record.Time]bool{0: false, first - 1: false, first: true, first + 1: true} {
			_, err := game.AnnounceClosure(r.engine.State(), series, at, now, 1)
			if want {
				must(t, err)
				continue
			}
			wantRefusal(t, err, game.NoticeTooShort)
			refused, _ := errors.AsType[*refusal.Refusal](err)
			told := first.Time().UTC().Add(time.Second - 1).Format(time.RFC3339)
			if refused.Path != "at" || !strings.Contains(refused.Sentence, c.says) || !strings.Contains(refused.Sentence, told) {
				t.Errorf("%s: an end at %d is refused with %q, and the first is %s", c.book, at, refused.Sentence, told)
			}
		}
	}
}

// TestPromotionOfItsOwnPool offers more than the bonus prize pool of a series holds, where that of another one has the
// rest.
func TestPromotionOfItsOwnPool(t *testing.T) {
	r := newRigUnder(t, "own pool", "tas-keno-2023")
	r.openDay("2026-11-15")
	r.sell(1, 1, bet("standard", []int{1, 2, 3}, 1_250_00))
	r.play()
	r.succeeded()
	offer := record.PromotionBegun{Series: successor, Name: "bonus", From: 3, AmountCents: 9_00, Approval: "decision 3",
		Bet: "standard", Spots: 3, Matched: 3}
	wantRefusal(t, r.engine.BeginPromotion(r.tick(), offer), game.PoolTooSmall)
	must(t, r.engine.TakeInPools(r.tick(), record.PoolsTakenIn{Series: successor, System: "old", BonusCents: 9_00,
		Approval: "decision 4"}))
	must(t, r.engine.BeginPromotion(r.tick(), offer))
	offer.Series, offer.AmountCents = series, 10_01
	wantRefusal(t, r.engine.BeginPromotion(r.tick(), offer), game.PoolTooSmall)
	r.check()
}
