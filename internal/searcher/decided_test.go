package searcher

import (
	"strings"
	"testing"
)

// decided are sequences at which a search has stopped, with what was decided since. Other acts at
// random might not come there again.
var decided = map[string]string{
	"a card takes what may be cash or prize, before a limit falls": `vic-keno-2015
		house machines 2026-11-15
		sell A5 at T1 classic 1 @ 1000.00
		play 1-5 46 32 53 51 55 44 58 57 43 34 56 54 37 48 60
		next T1
		pay A5 at T1
		sell A6 at T1 classic 1 @ 1500.00
		settle T1 payee checked = P2 P3 P4 P5
		next T2
		cancel A6 at T2
		play 1-5 44 56 48 39 65 36 51 54 47 53 34 46 40 49 33
		play 1-5 44 56 48 39 65 36 51 54 47 53 34 46 40 49 33
		sell A11 at T2 heads_or_tails heads @ 20.00 for 2 games
		terminal 2 shut
		terminal 2 unwound 0.00
		card born 1990-05-05
		next T1
		pay A6 at T1
		settle T1 card 1 -10.00 = P2 P3 P4 P5
		limit venue 1 500.00`,
	"a prize is claimed within the time of its correction": `casino-keno-div2
		house 2026-11-15
		machine
		play 1-5 63 43 36 33 44 34 60 48 52 64 41 55 58 40 59
		play 1-5 58 48 57 41 37 53 45 59 46 40 38 49 34 32 47
		sell A2 at T1 standard 1 @ 66.00 for 2 games
		play 6-10 60 42 50 48 33 53 35 43 31 54 40 41 49 64 62
		day 2027-11-15
		restate game 4 to 1-5 59 58 60 39 48 31 63 46 44 41 45 51 36 64 38
		day 2028-11-15`,
	"two vouchers of two days, each back for its own entry": `vic-keno-2015
		house machines 2026-11-15
		next T1
		play 1-5 35 60 51 57 48 43 39 42 65 37 62 33 49 41 46
		sell A2 at T1 heads_or_tails heads heads heads run @ 2500.00 for 3 games
		issue P2 at T1 gift_voucher 20.00
		day 2026-11-16
		sell A4 at T1 classic 1 @ 20.00
		settle T1 with P2 = P3 P4 P5 P6
		issue P3 at T1 gift_voucher 20.00 by the operator
		next T2
		sell A5 at T2 classic 1 @ 20.00
		settle T2 with P3 = P4 P5 P6 P7
		close
		void game 3`,
	"a voucher comes back that a draw seems to have played": `vic-keno-2015
		house machines 2026-11-15
		sell A3 at T3 classic 1-3 @ 228.00 for 2 games
		play 1-5 37 65 60 52 35 54 46 56 43 36 47 38 31 33 57
		issue P2 at T1 prepaid_voucher 20.00 by the operator
		next T1
		sell A5 at T1 classic 1 @ 100.00
		settle T1 with P2 = P3 P4 P5 P6
		next T1
		cancel A5 at T1
		sell A6 at T1 heads_or_tails heads heads heads run @ 3.00 for 3 games
		pay A3 at T1
		sell A11 at T2 heads_or_tails heads @ 20.00 for 2 games
		play 41-60
		settle T1 payee checked`,
	"a central site voucher that names another payee": `tas-keno-2023
		house machines other=central_site 2026-11-15
		next T4
		sell A7 at T1 standard 1 @ 333.00
		cancel A7 at T4
		settle T4 = P2 P3 P4 P5
		sell A10 at T1 standard 1 @ 1999.00
		play 1-5 48 62 32 51 54 42 37 57 34 65 38 41 33 46 47
		next T1
		pay A10 at T1
		settle T1 with P2 another payee checked = P3 P4 P5 P6`,
	"stakes of one visit that come back in three": `tas-keno-2023
		house machines other=casino 2026-11-15
		play 6-10 40 61 62 58 63 34 38 59 45 35 55 64 39 47 48
		sell A6 at T1 standard 1 @ 250.00
		play 1-5 31 57 54 48 44 41 32 38 43 53 50 47 36 37 61
		next T1
		pay A6 at T1
		sell A7 at T1 standard 1 2 30 @ 2.00
		next T2
		limit venue 1 300.00
		sell A9 at T1 standard 1 @ 333.00
		settle T1 payee checked = P1 P2 P3 P4
		next T1
		cancel A9 at T1
		cancel A7 at T2
		sell A10 at T3 standard 1 @ 251.00
		play 1-5 53 47 40 35 44 54 36 62 31 55 61 37 50 49 56
		next T3
		pay A10 at T3
		sell A11 at T3 standard 1 @ 374.00
		sell A12 at T3 standard 1 @ 379.00
		close
		settle T3 pay cash 999.99, central_voucher payee checked = P1 P2 P3 P4
		void game 4
		pay A11 at T2
		pay A12 at T3`,
	"a voucher that a visit buys, and the stake of a void game in the same pot": `vic-keno-2015
		house machines 2026-11-15
		next T1
		sell A2 at T4 classic 1 @ 1.00 for 5 games
		close
		void game 1
		cancel A2 at T1
		issue P1 at T1 gift_voucher 100.00 for 31 days
		pay A2 at T3`,
	"two tickets become one total, and a part of one lies at a self-service terminal": `vic-keno-2015
		house machines 2026-11-15
		sell A at T1 classic 1 @ 2000.00 for 2 games
		sell B at T1 classic 1 @ 2000.00 for 2 games
		play 1-20
		next T1
		pay A at T1
		sell C at T1 classic 80 @ 5000.00
		settle T1
		next T1
		pay B at T1
		sell D at T1 classic 80 @ 20.00
		settle T1
		next T2
		cancel C at T2
		play 1-19 21
		next T1
		pay A at T1
		pay B at T1
		sell E at T1 classic 80 @ 6010.00
		settle T1 pay cheque payee
		settle T2
		settle T1 pay cheque payee`,
	"a ticket that nobody has, cancelled while its first game is drawn": `vic-keno-2015
		house machines 2026-11-15
		sell A1 at T1 heads_or_tails heads heads heads run @ 2500.00 for 3 games
		undelivered A1 at T1
		close
		cancel A1 at T2
		draw 1-5 42 49 33 35 41 57 31 61 39 53 44 45 43 56 62`,
	"a writer's cash and what lies at a self-service terminal": `vic-keno-2015
		house 2026-11-15
		limit venue 1 500.00
		sell A1 at T3 classic 1 @ 3333.00
		play 1-20
		next T3
		pay A1 at T3
		sell A2 at T3 classic 1 @ 300.00
		sell A3 at T3 classic 1 @ 9699.00
		settle T3
		close
		void game 2
		next T2
		pay A2 at T2
		next T3
		pay A3 at T3
		settle T3 payee checked`,
	"a session takes back what it has sold, after its time": `vic-keno-2015
		house 2026-11-15
		sell A2 at T1 classic 1-3 @ 227.00
		play 1-5 42 34 41 33 45 44 50 43 54 53 39 46 62 48 36
		next T1
		pay A2 at T1
		issue P1 at T1 change_receipt 900.00
		day 2027-11-16
		limit venue 1 500.00`,
	"prizes of one session are one total": `vic-keno-2015
		house 2026-11-15
		sell A1 at T3 classic 1-3 @ 228.00 for 2 games
		sell A2 at T2 classic 1-3 @ 1.00 for 2 games
		next T1
		play 1-5 62 65 49 58 54 47 35 38 45 56 31 36 42 43 59
		pay A2 at T1
		sell A5 at T1 classic 1 @ 333.00
		limit venue 1 300.00
		pay A1 at T1
		settle T1 payee checked = P4 P5
		close
		void game 2
		limit venue 1 500.00`,
	"a staked prize at a terminal that has no paper for it": `vic-keno-2015
		house 2026-11-15
		sell A2 at T1 classic 1 @ 9999.00
		play 1-5 31 44 45 56 32 52 59 46 64 49 54 43 48 65 34
		next T1
		pay A2 at T1
		sell A3 at T1 classic 1 @ 20.00
		settle T1 payee checked = P1 P2
		close
		void game 2
		next T2
		pay A3 at T2`,
	"a limit that falls below what is due there": `vic-keno-2015
		house 2026-11-15
		sell A1 at T1 classic 1 @ 1000.00
		play 1-5 52 40 35 58 50 55 63 42 46 36 32 34 45 59 53
		next T1
		pay A1 at T1
		sell A3 at T1 classic 1 @ 20.00
		settle T1 payee checked = P1 P2
		close
		void game 2
		next T2
		pay A3 at T2
		limit venue 1 300.00`,
	"a visit that owes, and the stake of another": `vic-keno-2015
		house 2026-11-15
		next T2
		sell A5 at T2 classic 1 @ 333.00
		play 1-5 32 63 55 57 40 42 34 47 51 52 49 65 39 61 54
		next T1
		sell A7 at T1 classic 1 @ 1.00
		sell A8 at T1 classic 1 @ 1.00
		settle T1 payee checked = P3 P4
		cancel A8 at T2
		cancel A7 at T1`,
	"a run that is given back while it is drawn, and stopped": `vic-keno-2015
		house 2026-11-15
		next T1
		sell A2 at T2 heads_or_tails heads heads heads run @ 3.00 for 3 games
		close
		cancel A2 at T1
		freeze A2`,
	"receipts that are redeemed one by one": `tas-keno-2023
		house other=central_site 2026-11-15
		limit venue 1 500.00
		sell A7 at T2 standard 1 @ 250.00
		play 1-5 32 40 43 36 61 45 49 53 42 60 55 35 48 52 62
		next T2
		pay A7 at T2
		issue P1 at T2 sst_receipt 20.00`,
	"a session's ticket, cancelled in a draw that becomes void": `tas-keno-2023
		house other=casino 2026-11-15
		next T1
		sell A7 at T1 standard 1-3 @ 6.00 for 2 games
		close
		begin game 1 with 1 2 27
		cancel A7 at T1
		void game 1
		pay A7 at T3
		pay A7 at T2`,
	"withheld money on a form": `tas-keno-2023
		house other=casino 2026-11-15
		sell A2 at T2 standard 1-3 @ 6.00 for 2 games
		play 1-5 39 34 60 46 44 40 52 65 35 36 53 61 31 37 62
		next T1
		pay A2 at T1
		freeze A2
		settle T1 = P1 P2 P3 P4
		release A2
		claim A2 lost with the original`,
	"withheld money of somebody under age": `tas-keno-2023
		house other=casino 2026-11-15
		sell A1 at T2 standard 1 2 30 @ 2.00
		play 1-5 39 38 36 59 37 49 45 64 65 53 54 50 44 41 58
		next T2
		pay A1 at T2
		freeze A1
		settle T2 = P1 P2 P3 P4
		release A1
		forfeit A1 at T1`,
	"a refund and a prize of one ticket, each in a pay of its own": `tas-keno-2023
		house other=central_site 2026-11-15
		limit venue 1 300.00
		sell A8 at T1 standard 1 @ 100.00 for 2 games
		play 1-5 38 53 58 51 48 49 44 52 63 40 57 60 39 36 42
		cancel A8 at T1
		pay A8 at T1`,
	"a cheque for a major prize that was withheld": `casino-keno-div2
		house 2026-11-15
		sell A1 at T1 standard 1-3 @ 5.00
		play 1-5 46 36 65 32 58 47 34 62 50 37 45 33 56 38 40
		next T1
		pay A1 at T1
		terminal 1 shut
		terminal 1 unwound 0.00
		terminal 1 keyed
		next T1
		pay A1 at T1
		settle T1 pay cash 2.46, cheque payee checked = P1 P2 P3`,
	"cash and a prize that were withheld together": `vic-keno-2015
		house 2026-11-15
		next T1
		sell A1 at T2 classic 1-3 @ 227.00 for 2 games
		play 1-5 51 42 61 57 54 53 47 65 50 34 59 49 52 45 39
		cancel A1 at T1
		freeze A1
		sell A2 at T1 classic 1-3 @ 228.00
		play 1-5 50 58 56 54 36 53 45 61 44 64 60 37 34 40 31
		pay A2 at T1`,
	"a wager that was carried, and its ticket cancelled": `casino-keno-div2
		house 2026-11-15
		sell A1 at T1 standard 1-3 @ 5.00 for 5 games
		close
		open
		void game 1
		cancel A1 at T1`,
	"a wager that was carried twice": `casino-keno-div2
		house 2026-11-15
		sell A1 at T1 standard 1-3 @ 5.00
		sell A2 at T1 standard 1-3 @ 5.00 for 2 games
		close
		open
		void game 1
		cancel A2 at T1
		close
		open
		void game 2`,
	"a prize that its own stake took, withheld and forfeited": `tas-keno-2023
		house other=casino 2026-11-15
		next T2
		sell A1 at T2 standard 1 2 30 @ 2.00
		play 1-5 49 44 55 61 46 37 38 48 58 65 45 60 40 32 57
		pay A1 at T2
		freeze A1
		settle T2 = P2 P3 P4 P5
		release A1
		forfeit A1 at T3`,
	"a ticket is claimed as too late of which only what is in time is left": `casino-keno-div2
		house 2026-11-15
		sell A1 at T3 standard 1 @ 1.00 for 5 games
		play 1-5 49 44 55 61 46 37 38 48 58 65 45 60 40 32 57
		day 2027-11-16
		play 1-5 49 44 55 61 46 37 38 48 58 65 45 60 40 32 58
		claim A1 expired with the original`,
	"withheld money on a form, and more of it in an open session": `casino-keno-div2
		house 2026-11-15
		sell A1 at T1 standard 1 @ 67.00 for 2 games
		play 1-5 49 31 50 53 56 52 41 62 37 32 45 63 44 34 65
		next T3
		cancel A1 at T3
		next T1
		pay A1 at T1
		terminal 1 shut
		terminal 1 unwound 0.00
		claim A1 unreadable with the original
		freeze A1`,
	"a result is corrected when nobody can claim a prize of it any more": `casino-keno-div2
		house 2026-11-15
		machine
		play 1-5 61 53 39 37 65 49 48 58 54 34 32 63 44 51 42
		sell A1 at T1 standard 1-3 @ 1.00 for 2 games
		play 6-10 32 54 58 51 34 59 63 55 45 60 53 41 62 44 37
		day 2027-11-15
		day 2027-11-16
		restate game 2 to 1-5 38 35 63 62 44 34 64 39 65 42 60 31 47 59 32
		restate game 3 to 1-5 38 35 63 62 44 34 64 39 65 42 60 31 47 59 33`,
	"two cheques for more than the major prizes": `casino-keno-div2
		house 2026-11-15
		sell A3 at T1 standard 1 @ 66.00
		sell A9 at T1 standard 1-3 @ 100.00 for 5 games
		play 1-5 39 46 51 35 32 55 65 31 61 48 60 41 36 54 53
		next T1
		pay A9 at T1
		pay A3 at T1
		settle T1 pay cheque 1000.01, cheque payee checked = P1 P2 P3 P4`,
	"two prizes of one visit and a cheque for what is over": `vic-keno-2015
		house 2026-11-15
		play 1-5 38 46 33 39 55 35 53 40 56 47 31 59 49 62 45
		sell A2 at T1 classic 1 @ 3334.00
		play 1-5 40 48 58 54 41 61 36 57 44 46 31 47 34 32 50
		next T1
		pay A2 at T1
		play 1-5 59 53 52 51 35 65 32 48 43 54 64 49 33 47 56
		sell A3 at T1 classic 1 @ 1000.00
		play 1-5 64 59 57 41 51 45 38 43 55 36 42 65 52 53 33
		pay A3 at T1
		freeze A2
		sell A5 at T1 classic 1-3 @ 228.00
		close
		void game 5`,
	"a cheque, a prize without room and one whose room this venue bounds": `vic-keno-2015
		house 2026-11-15
		sell A1 at T3 classic 1 @ 9999.00
		play 1-5 56 51 37 64 38 32 62 41 58 47 61 57 63 60 53
		next T3
		pay A1 at T3
		sell A2 at T3 classic 1 @ 1000.00
		sell A3 at T3 classic 1 @ 1000.00
		settle T3 payee checked = P1 P2
		next T3
		cancel A2 at T3
		play 1-5 44 60 31 49 34 52 55 45 47 63 50 51 46 40 41
		sell A4 at T3 classic 1 @ 1.00
		close
		void game 3
		pay A3 at T3
		limit venue 2 500.00`,
	"an old voucher comes back through withheld money, and a new one has paid for less": `vic-keno-2015
		house 2026-11-15
		issue P1 at T3 prepaid_voucher 20.00 by the operator
		next T3
		sell A1 at T3 classic 1 @ 100.00
		settle T3 with P1 = P2 P3
		next T3
		cancel A1 at T3
		sell A2 at T3 classic 1 @ 5.00
		disqualify A1 by supervisor
		day 2027-11-17
		issue P2 at T1 prepaid_voucher 5.00 by the operator
		settle T3 with P2 = P3 P4`,
	"a visit hands its own receipt back and leaves the rest unpaid": `vic-keno-2015
		house 2026-11-15
		next T1
		issue P1 at T1 change_receipt 50.00
		sell A1 at T1 classic 1-3 @ 227.00 for 2 games
		settle T1 with P1 payee checked unpaid = P2 P3`,
	"two vouchers, and the larger one comes back": `vic-keno-2015
		house 2026-11-15
		next T2
		sell A2 at T2 classic 1-3 @ 228.00 for 2 games
		play 1-5 61 44 63 36 32 49 46 58 42 52 53 51 48 40 55
		issue P1 at T1 gift_voucher 100.00
		close
		void game 2
		next T1
		open
		play 1-5 31 55 54 34 53 32 46 52 51 49 44 35 40 61 56
		settle T2 with P1 pay player_card payee checked = P2 P3 P4 P5
		issue P2 at T1 gift_voucher 20.00 by the operator
		sell A9 at T1 classic 1 @ 20.00
		settle T1 with P2 = P3 P4`,
	"three tickets of one session that were withheld, and cash with them": `vic-keno-2015
		house 2026-11-15
		limit venue 1 300.00
		sell A4 at T1 classic 1 @ 1000.00
		sell A14 at T2 classic 1 @ 333.00
		sell A15 at T2 classic 1-3 @ 227.00 for 2 games
		play 1-5 44 60 55 46 56 64 38 53 59 39 32 54 33 48 51
		next T1
		pay A15 at T1
		pay A4 at T1
		cancel A15 at T1
		pay A14 at T1
		terminal 1 shut`,
	"a session is cancelled, and an electronic card is out": `nsw-bingo-2019
		hall
		session fee 10.00
		enter M1 books 101 device 9
		bar player 1 fee-void
		refund player 1
		cancel
		return 9`,
	"a fee that has won cannot be void": `nsw-bingo-2019
		hall
		session fee 10.00 games 2
		enter M1 books 101
		issue 101-101
		announce
		complete 101/1 bingo
		claim 101/1 bingo
		bar player 1 fee-void
		refund player 1`,
	"a casino's cheque for a voucher": `tas-keno-2023
		house other=casino 2026-11-15
		sell A6 at T1 standard 1-5 @ 9.00
		play 1-5 44 51 38 62 50 41 61 49 37 59 63 33 65 55 35
		next T1
		pay A6 at T1
		settle T1 pay central_voucher payee checked = P3 P4
		settle T3 with P3 pay site_cheque 3.61, site_cheque payee checked = P4 P5 P6 P7`,
	// The end of a session issues two receipts beside the voucher that goes back. A searcher that
	// named two papers lost the third.
	"three papers at the end of a session": `vic-keno-2015
		house 2026-11-15
		issue P1 at T3 gift_voucher 20.00 by the operator
		next T3
		sell A1 at T3 classic 1 @ 100.00
		settle T3 with P1
		next T3
		cancel A1 at T3
		issue P2 at T3 change_receipt 5.00
		settle T3 with P2 pay change_receipt`,
	// What a session sold and takes back has not left, where cash counts against limits too.
	"a receipt that its session takes back": `tas-keno-2023
		house kind=casino 2026-11-15
		next T2
		issue P1 at T2 sst_receipt 5.00
		settle T2 with P1 given back`,
}

// TestDecided: a search does not stop there again.
func TestDecided(t *testing.T) {
	for name, text := range decided {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var lines []string
			for line := range strings.Lines(text) {
				lines = append(lines, strings.TrimSpace(line))
			}
			w, err := Begin(lines[0], nil, "decided", lines[1])
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range lines[2:] {
				_, _ = w.Do(line)
			}
			w.WindUp()
			w.Verify()
			for _, f := range w.Found() {
				if !isKnown(lines[0], f) {
					t.Errorf("%v", f)
				}
			}
			// Most of it is still what the house takes.
			if len(w.Lines) < len(lines)-3 {
				t.Errorf("the house took %q", w.Lines)
			}
		})
	}
}
