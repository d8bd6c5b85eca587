package engine

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

const oneSpot = `{"bet":"classic","spots":[7],"stake_cents":100}`

// TestLife walks one ticket through its whole life.
func TestLife(t *testing.T) {
	r := newRig(t, "life")
	r.openDay("2026-11-15")
	// Three of the eighty one-spot ways win a third of the time each; all of them
	// together always win something.
	var answers []Answer
	for spot := 1; spot <= 80; spot++ {
		_, answer := r.sell(1, 1, fmt.Sprintf(`{"bet":"classic","spots":[%d],"stake_cents":200}`, spot))
		answers = append(answers, answer)
	}
	g := r.play()
	if g.Phase != state.PhaseSettled || g.Settled.Winners != 20 || g.Settled.PrizesCents != 20*600 {
		t.Fatalf("20 of 80 one-spot tickets win $6.00 each; settled %+v", g.Settled)
	}
	paid := 0
	for spot, answer := range answers {
		pay, err := r.pay(r.claim(3, answer.Place))
		r.take()
		if g.Numbers.Set().Has(spot + 1) {
			must(t, err)
			rec, err := record.Decode(pay.Data)
			must(t, err)
			if got := rec.Body.(*record.TicketPaid).Amount(); got != 600 {
				t.Errorf("spot %d is paid %v", spot+1, got)
			}
			paid++
			continue
		}
		wantRefusal(t, err, counter.NoPrize)
		r.numbers[3]-- // A refused request leaves its number free.
	}
	if paid != 20 {
		t.Errorf("%d tickets were paid", paid)
	}
	balances := r.engine.State().Balances()
	for account, want := range map[ledger.Account]money.Amount{
		ledger.Cash:      80*200 - 20*600,
		ledger.Unplayed:  0,
		ledger.PrizeFund: -(80*200*75/100 - 20*600),
		ledger.Prizes:    0,
		ledger.Retained:  -80 * 200 * 25 / 100,
	} {
		if got := balances.Of(account); got != want {
			t.Errorf("%v is %v, want %v", account, got, want)
		}
	}
	// The winning tickets were sold at venue 1 and paid at venue 2.
	if got := balances.OfUnit(ledger.Cash, 2); got != -20*600 {
		t.Errorf("cash of venue 2 is %v", got)
	}
}

func wantRefusal(t testing.TB, err error, code refusal.Code) {
	t.Helper()
	var refused *refusal.Refusal
	if !errors.As(err, &refused) {
		t.Fatalf("%v is not a refusal; %s was due", err, code)
	}
	if refused.Code != code || refused.Sentence == "" {
		t.Fatalf("refused with %s (%s), want %s", refused.Code, refused.Sentence, code)
	}
}

func TestRequests(t *testing.T) {
	r := newRig(t, "requests")
	r.openDay("2026-11-15")
	command, first := r.sell(1, 1, oneSpot)
	size := r.engine.Size()

	again, err := r.engine.Sell(r.tick(), command)
	must(t, err)
	if !again.Repeated || again.Place != first.Place || r.engine.Size() != size {
		t.Errorf("the same request is answered by %+v and leaves %d records", again, r.engine.Size())
	}
	other := command
	other.Request.Body[0]++
	_, err = r.engine.Sell(r.tick(), other)
	wantRefusal(t, err, RequestBodyOther)

	_, _ = r.sell(1, 1, oneSpot)
	_, err = r.engine.Sell(r.tick(), command)
	wantRefusal(t, err, RequestSuperseded)
	_, err = r.engine.Abandon(r.tick(), 1, 1)
	wantRefusal(t, err, RequestSuperseded)

	decided, err := r.engine.Abandon(r.tick(), 1, 2)
	must(t, err)
	if !decided.Repeated {
		t.Error("a decided request was burned")
	}
	burned, err := r.engine.Abandon(r.tick(), 1, 5)
	must(t, err)
	if burned.Repeated {
		t.Error("an undecided request had an answer")
	}
	late := command
	late.Request.Number = 5
	_, err = r.engine.Sell(r.tick(), late)
	wantRefusal(t, err, RequestBurned)

	unknown := command
	unknown.Request.Terminal = 99
	_, err = r.engine.Sell(r.tick(), unknown)
	wantRefusal(t, err, TerminalUnknown)
	_, err = r.engine.Abandon(r.tick(), 99, 1)
	wantRefusal(t, err, TerminalUnknown)
}

func TestNoSaleAfterTheClose(t *testing.T) {
	r := newRig(t, "close")
	r.openDay("2026-11-15")
	offer, err := r.offer(1, 1, oneSpot)
	must(t, err)
	named := offer
	named.AnyFirst = false
	must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))

	_, err = r.engine.Sell(r.tick(), counter.Sale{Request: r.request(1, "late"), Series: series, Quote: named})
	wantRefusal(t, err, counter.GameClosed)
	answer, err := r.engine.Sell(r.tick(), counter.Sale{Request: r.request(1, "next"), Series: series, Quote: offer})
	must(t, err)
	rec, err := record.Decode(answer.Data)
	must(t, err)
	if got := rec.Body.(*record.TicketSold).Ordinal; got != 2 {
		t.Errorf("a ticket for the open game is for game %d", got)
	}
	r.take()
	g := r.drawAndSettle(1)
	if g.Settled.Plays != 0 {
		t.Errorf("game 1 settled %d plays that were sold after its close", g.Settled.Plays)
	}
}

func TestSaleRefusals(t *testing.T) {
	r := newRig(t, "refusals")
	offer, err := r.offer(1, 1, oneSpot)
	must(t, err)
	_, err = r.engine.Sell(r.tick(), counter.Sale{Request: r.request(1, "a"), Series: series, Quote: offer})
	wantRefusal(t, err, counter.NotOnSale)
	r.openDay("2026-11-15")
	offer, err = r.offer(1, 1, oneSpot)
	must(t, err)
	for name, c := range map[string]struct {
		change func(*counter.Sale)
		want   refusal.Code
	}{
		"series":  {func(c *counter.Sale) { c.Series = 9 }, counter.SeriesUnknown},
		"price":   {func(c *counter.Sale) { c.Expect = 99 }, counter.CostOther},
		"rules":   {func(c *counter.Sale) { c.Quote.Book[0]++ }, counter.PriceOther},
		"channel": {func(c *counter.Sale) { c.Request.Terminal = 2 }, counter.ChannelOther},
	} {
		command := counter.Sale{Request: r.request(1, name), Series: series, Quote: offer, Expect: 100}
		c.change(&command)
		_, err := r.engine.Sell(r.tick(), command)
		wantRefusal(t, err, c.want)
	}
}

func TestPayRefusals(t *testing.T) {
	r := newRig(t, "pay refusals")
	r.openDay("2026-11-15")
	_, ticket := r.sell(1, 2,
		`{"bet":"classic","groups":[[1],[2],[3],[4],[5],[6],[7],[8],[9],[10],[11],[12],[13],[14],[15],[16],[17],[18],[19],[20],[21],[22],[23],[24],[25],[26],[27],[28],[29],[30],[31],[32],[33],[34],[35],[36],[37],[38],[39],[40]],"play":{"spots":[1]},"stake_cents":100}`)
	r.take()
	_, err := r.pay(r.claim(1, ticket.Place))
	wantRefusal(t, err, counter.NotDrawn)

	before := r.claim(1, ticket.Place)
	r.play()
	_, err = r.pay(before)
	wantRefusal(t, err, counter.FactsMissing)

	wrong := r.claim(1, ticket.Place)
	wrong.Code[9]++
	_, err = r.pay(wrong)
	wantRefusal(t, err, counter.ClaimCodeOther)

	raised := r.claim(1, ticket.Place)
	raised.Wins[0].Cents++
	_, err = r.pay(raised)
	wantRefusal(t, err, counter.PrizeDisagrees)

	_, err = r.pay(r.claim(1, ticket.Place))
	must(t, err)
	r.take()
	_, err = r.pay(r.claim(1, ticket.Place))
	wantRefusal(t, err, counter.AlreadyPaid)

	// The second game is a prize of its own.
	r.play()
	second, err := r.pay(r.claim(1, ticket.Place))
	must(t, err)
	rec, err := record.Decode(second.Data)
	must(t, err)
	if parts := rec.Body.(*record.TicketPaid).Parts; len(parts) != 1 || parts[0].Ordinal != 2 {
		t.Errorf("the second payment has parts %v", parts)
	}
}

// TestReplay rebuilds the house from its records and finds the same state, root
// and next answers.
func TestReplay(t *testing.T) {
	r := newRig(t, "replay")
	r.openDay("2026-11-15")
	random := rand.New(r.random)
	for range 4 {
		for range 50 {
			r.sell(1+uint32(random.IntN(2))*2, 1+random.IntN(4), randomBet(random))
		}
		r.play()
	}
	r.take()
	again := New(r.house)
	for i, data := range r.records {
		if err := again.Replay(data); err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
	}
	if again.Root() != r.engine.Root() || again.Size() != r.engine.Size() {
		t.Errorf("replay ends at %d with root %v, the house at %d with %v", again.Size(), again.Root(), r.engine.Size(),
			r.engine.Root())
	}
	if again.State().Hash() != r.engine.State().Hash() {
		t.Error("the replayed state is another")
	}
	last := r.batches[len(r.batches)-1]
	verifier, err := journal.ParseVerifier(r.engine.State().Volume().HouseKey)
	must(t, err)
	checkpoint, _, err := journal.OpenCheckpoint(last.Checkpoint, verifier)
	must(t, err)
	if checkpoint.Root != again.Root() || checkpoint.Size != again.Size() {
		t.Errorf("the last checkpoint is %v at %d", checkpoint.Root, checkpoint.Size)
	}
}

// randomBet returns a bet on a size that this house sells, with a whole stake.
func randomBet(random *rand.Rand) string {
	sizes := []int{1, 2, 3, 4, 5, 6, 15, 20, 40}
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"bet":"classic","spots":[`)
	for i, n := range random.Perm(80)[:sizes[random.IntN(len(sizes))]] {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(&b, n+1)
	}
	fmt.Fprintf(&b, `],"stake_cents":%d}`, 100*(1+random.IntN(9)))
	return b.String()
}

func TestReplayRefusesWhatCannotFollow(t *testing.T) {
	r := newRig(t, "broken")
	r.openDay("2026-11-15")
	r.sell(1, 1, oneSpot)
	r.sell(3, 1, oneSpot)
	r.play()
	r.take()
	// The two sales are neighbours and answer different terminals, so exchanged
	// they still follow: only the root tells. Every other exchange of neighbours
	// with an effect on each other is refused, and so is every gap that matters.
	refused := 0
	for drop := range r.records {
		again := New(r.house)
		for i, data := range r.records {
			if i == drop {
				continue
			}
			if err := again.Replay(data); err != nil {
				if !errors.Is(err, state.ErrCannotFollow) {
					t.Errorf("without record %d: %v", drop, err)
				}
				refused++
				break
			}
		}
		if again.Root() == r.engine.Root() {
			t.Errorf("without record %d the root is the same", drop)
		}
	}
	if refused < len(r.records)/2 {
		t.Errorf("only %d of %d gaps are refused", refused, len(r.records))
	}
}

// TestSameBytes runs the same commands twice and compares every byte.
func TestSameBytes(t *testing.T) {
	run := func() *rig {
		r := newRig(t, "same")
		r.openDay("2026-11-15")
		random := rand.New(rand.NewPCG(1, 2))
		for range 3 {
			for range 30 {
				r.sell(1, 1+random.IntN(3), randomBet(random))
			}
			r.play()
		}
		return r
	}
	one, two := run(), run()
	if len(one.records) != len(two.records) {
		t.Fatalf("%d and %d records", len(one.records), len(two.records))
	}
	for i := range one.records {
		if !bytes.Equal(one.records[i], two.records[i]) {
			t.Fatalf("record %d differs", i)
		}
	}
	for name, data := range one.objects {
		if !bytes.Equal(data, two.objects[name]) {
			t.Errorf("object %s differs", name)
		}
	}
}

// TestDayEnds closes a day and opens the next: numbers begin anew, ordinals go on.
func TestDayEnds(t *testing.T) {
	r := newRig(t, "days")
	r.openDay("2026-11-15")
	_, ticket := r.sell(1, 3, oneSpot)
	r.play()
	must(t, r.engine.CloseGame(r.tick(), series))
	r.take()
	if err := r.engine.CloseDay(r.tick(), series); err == nil {
		t.Fatal("a day closed with a game that was not settled")
	}
	r.drawAndSettle(2)
	must(t, r.engine.CloseDay(r.tick(), series))
	if err := r.engine.OpenGame(r.tick(), series, r.now+1000); err == nil {
		t.Fatal("a game opened without a day")
	}
	r.now += dayMillis
	r.openDay("2026-11-16")
	g := r.play()
	if g.Ref.Number != 0 || g.Ordinal != 3 || g.Settled.Plays != 1 {
		t.Errorf("the first game of the next day is number %d, ordinal %d, with %d plays; the ticket %v runs into it",
			g.Ref.Number, g.Ordinal, g.Settled.Plays, ticket.Place)
	}
}

func BenchmarkSell(b *testing.B) {
	r := newRig(b, "bench")
	r.openDay("2026-11-15")
	offer, err := r.offer(1, 1, `{"bet":"classic","spots":[3,17,42,56,80],"stake_cents":100}`)
	must(b, err)
	b.ReportAllocs()
	for b.Loop() {
		command := counter.Sale{Request: r.request(1, "x"), Series: series, Quote: offer}
		if _, err := r.engine.Sell(r.now, command); err != nil {
			b.Fatal(err)
		}
		if len(r.engine.entries) == 500 {
			if _, _, err := r.engine.Take(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
