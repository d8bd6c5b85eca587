package engine

import (
	"fmt"
	"strings"
	"testing"

	"drawhouse/game"
	"drawhouse/jackpot"
	"drawhouse/keno"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/payout"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/sale"
	"drawhouse/state"
)

// foresee returns the numbers that the next games of a rig will draw. The numbers
// of a rig come from its seed and from nothing that is sold, so a test can sell
// tickets that win.
func foresee(t testing.TB, seed, rulebook string, games int) [][]int {
	t.Helper()
	r := newRigUnder(t, seed, rulebook)
	r.openDay("2026-11-15")
	var all [][]int
	for range games {
		all = append(all, r.play().Numbers.Numbers())
	}
	return all
}

// bet writes a bet on the first numbers of a draw.
func bet(name string, numbers []int, stake int) string {
	return fmt.Sprintf(`{"bet":%q,"spots":[%s],"stake_cents":%d}`, name, strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]"), stake)
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
			if len(settled.Awards) != 1 || settled.Awards[0].AmountCents != c.won || settled.Awards[0].StakesCents != money.Amount(4*c.unit) {
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
				paid, err := r.engine.Pay(r.tick(), r.claim(3, answer.Place))
				if win.ScheduleCents+share > 10_000_00 && err != nil {
					wantRefusal(t, err, payout.OverCashLimit)
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
	cancelled, err := r.engine.Cancel(r.tick(), r.cancel(1, leaves.Place))
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
	paid, err := r.engine.Pay(r.tick(), r.claim(1, stays.Place))
	must(t, err)
	if rec, err = record.Decode(paid.Data); err != nil || rec.Body.(*record.TicketPaid).Amount() != 300*factor {
		t.Errorf("$3.00 run over %v come to %v, want %v", calls, rec.Body.(*record.TicketPaid).Amount(), 300*factor)
	}
	_, err = r.engine.Pay(r.tick(), r.claim(1, leaves.Place))
	wantRefusal(t, err, payout.NoPrize)
	r.check()
	if unplayed := r.engine.State().Balances().Of(ledger.Unplayed); unplayed != 0 {
		t.Errorf("%v is unplayed after the last game", unplayed)
	}
}

// cancel prepares the cancellation of a ticket.
func (r *rig) cancel(terminal uint32, place record.Place) sale.Cancellation {
	r.t.Helper()
	r.take()
	rec, err := record.Decode(r.records[place.Seq])
	must(r.t, err)
	sold := rec.Body.(*record.TicketSold)
	return sale.Cancellation{Request: r.request(terminal, "cancel "+place.String()), Place: place, Sold: sold, Code: codeOf(sold.Request)}
}

func TestCancel(t *testing.T) {
	r := newRig(t, "cancel")
	r.openDay("2026-11-15")
	// Bonus covers the first two of four games.
	_, ticket := r.sell(1, 4, `{"bet":"classic","spots":[1,2,3],"stake_cents":200,"with":{"multiplier":{"games":2}}}`)
	_, other := r.sell(1, 1, oneSpot)
	r.play()

	_, err := r.engine.Cancel(r.tick(), r.cancel(3, ticket.Place))
	wantRefusal(t, err, sale.OtherVenue)
	wrong := r.cancel(1, ticket.Place)
	wrong.Code[3]++
	_, err = r.engine.Cancel(r.tick(), wrong)
	wantRefusal(t, err, sale.ClaimCodeOther)
	_, err = r.engine.Cancel(r.tick(), r.cancel(1, other.Place))
	wantRefusal(t, err, sale.NothingLeft)

	command := r.cancel(1, ticket.Place)
	answer, err := r.engine.Cancel(r.tick(), command)
	must(t, err)
	rec, err := record.Decode(answer.Data)
	must(t, err)
	if b := rec.Body.(*record.TicketCancelled); b.Kept != 1 || b.RefundCents != 3*200+200 || b.CarriedCents != 0 {
		t.Errorf("three games left, one with the multiplier, are cancelled as %+v", b)
	}
	again, err := r.engine.Cancel(r.tick(), command)
	must(t, err)
	if !again.Repeated || again.Place != answer.Place {
		t.Errorf("the same request is answered by %+v", again)
	}
	_, err = r.engine.Cancel(r.tick(), r.cancel(1, ticket.Place))
	wantRefusal(t, err, sale.NothingLeft)
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
	r.openDay("2026-11-16")
	_, err := r.engine.Cancel(r.tick(), r.cancel(1, ticket.Place))
	wantRefusal(t, err, sale.OtherDay)
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
	_, err := r.engine.Cancel(r.tick(), r.cancel(1, short.Place))
	must(t, err)
	r.play()
	_, err = r.engine.Cancel(r.tick(), r.cancel(1, long.Place))
	must(t, err)
	r.play()
	_, err = r.engine.Cancel(r.tick(), r.cancel(1, also.Place))
	wantRefusal(t, err, sale.TooFar)
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
		_, err = r.engine.Sell(r.tick(), sale.Command{Request: r.request(1, "try"), Series: series, Offer: offer})
		return err
	}
	wantRefusal(t, try(2_00, 1), keno.OutcomeFull)
	must(t, try(1_00, 1))                          // Heads of game 1 is full,
	wantRefusal(t, try(1_00, 1), keno.OutcomeFull) // to the dollar.
	wantRefusal(t, try(1_00, 3), keno.OutcomeFull)
	_, err := r.engine.Cancel(r.tick(), r.cancel(1, last.Place))
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
		return record.TermsChanged{Series: series, From: from, Rulebook: record.Hash(r.desk.Book().Hash()), Schedule: schedule, Approval: "decision 7"}
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
	must(t, r.engine.ChangeTerms(r.tick(), change(2, "schedule-2")))
	// Ten spots win something else under the second schedule.
	_, ticket := r.sell(1, 2, `{"bet":"classic","spots":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20],"stake_cents":100}`)
	first, second := r.play(), r.play()
	if first.Schedule != "schedule-1" || second.Schedule != "schedule-2" {
		t.Errorf("the games are played under %s and %s", first.Schedule, second.Schedule)
	}
	r.check()
	if _, err := r.engine.Pay(r.tick(), r.claim(1, ticket.Place)); err != nil {
		wantRefusal(t, err, payout.NoPrize)
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
	answer, err := r.engine.Sell(r.tick(), sale.Command{Request: request, Series: series, Offer: offer, Claim: record.Hash(codeOf(request).Hash(1, request.Number))})
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
	must(t, r.engine.NameParticipants(r.tick(), record.ParticipantsNamed{Series: series, From: 1, Names: []string{"nsw", "qld"}}))
	r.openDay("2026-11-15")
	_, ours := r.sell(1, 1, bet("classic", drawn[0][:7], 100))
	first := r.play()
	if len(first.Settled.Awards) != 0 || first.Settled.JackpotCents != 0 || len(first.Settled.JackpotWins) != 1 {
		t.Fatalf("before anybody has reported: %+v", first.Settled)
	}
	schedule := first.Settled.JackpotWins[0].ScheduleCents
	paid, err := r.engine.Pay(r.tick(), r.claim(1, ours.Place))
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
	paid, err = r.engine.Pay(r.tick(), r.claim(1, ours.Place))
	must(t, err)
	rec, err := record.Decode(paid.Data)
	must(t, err)
	if got := rec.Body.(*record.TicketPaid).Amount(); got != share-share%10 {
		t.Errorf("the share of %v is paid as %v", share, got)
	}
	_, err = r.engine.Pay(r.tick(), r.claim(1, ours.Place))
	wantRefusal(t, err, payout.AlreadyPaid)
	r.check()
}

func TestPoolMoves(t *testing.T) {
	r := newRigUnder(t, "moves", "tas-keno-2023")
	r.openDay("2026-11-15")
	must(t, r.engine.MovePool(r.tick(), series, 9, game.MoveLend, 60_000_00, "decision 1"))
	r.check()
	wantRefusal(t, r.engine.MovePool(r.tick(), series, 9, game.MoveReallocate, 1, "decision 2"), jackpot.AmountAbove)
	wantRefusal(t, r.engine.MovePool(r.tick(), series, 9, game.MoveLend, 1, ""), jackpot.ApprovalMissing)
	wantRefusal(t, r.engine.MovePool(r.tick(), series, 5, game.MoveLend, 1, "decision 3"), game.NoJackpot)
	wantRefusal(t, r.engine.MovePool(r.tick(), series, 9, "lose", 1, "decision 4"), game.MoveUnknown)
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
