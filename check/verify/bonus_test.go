package verify_test

import (
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// TestBonusFits has a ticket on which a large bonus may fall, and which an honest house pays in a session
// of a writer's terminal, paid at a terminal for self-service, and in cash by itself.
func TestBonusFits(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", `
house
limit venue 1 600
sell 130 x A at T1 standard 41-43 @ 1,250.00
play 2-21
promote-item set-bet-2 1 prizes of 990.01 1 in 1 from game 3 -> offered
play 1-20
sell B at T1 by item {"bets":[{"item":"set-bet-2"}]} -> $10.00
play @B/4 rest from 22
play @B/0 rest from 10
play @B/0 rest from 20
play @B/0 rest from 30
play @B/0 rest from 40
next T1
pay B at T1 -> $10.00
settle T1 payee checked -> cash -$600.00, site_cheque -$400.01
`)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	paid, bonus := story.find(record.KindTicketPaid, 1), story.find(record.KindBonusAllocated, 1)
	for name, lie := range map[string]struct {
		change func(*record.TicketPaid, *record.BonusAllocated)
		to     ledger.Account
		unit   uint32
		want   string
	}{
		"at a terminal for self-service": {func(p *record.TicketPaid, b *record.BonusAllocated) {
			p.Request, p.Session, b.Terminal = record.Request{Terminal: 2, Number: 1}, 1, 2
		}, ledger.Customer, 2, "a bonus of up to $990.01"},
		"in cash": {func(p *record.TicketPaid, b *record.BonusAllocated) {
			p.Tenders = []record.Tender{{Kind: record.TenderCash, Cents: -1_000}}
			b.Tenders = []record.Tender{{Kind: record.TenderCash, Cents: -b.Cents}}
		}, ledger.Cash, 1, "its session pays $1,000.01 in cash, and the venue's limit is $600.00"},
	} {
		p, err := record.Decode(story.Records[paid])
		require(t, err)
		b, err := record.Decode(story.Records[bonus])
		require(t, err)
		lie.change(p.Body.(*record.TicketPaid), b.Body.(*record.BonusAllocated))
		var told [][]byte
		for _, r := range []record.Record{p, b} {
			for i := range r.Postings {
				if r.Postings[i].Account == ledger.Customer {
					r.Postings[i].Account, r.Postings[i].Unit = lie.to, lie.unit
				}
			}
			r.Postings = ledger.Merge(r.Postings...)
			data, err := record.Encode(r)
			require(t, err)
			told = append(told, data)
		}
		if f := story.verified(paid, told...); f == nil || !strings.Contains(f.Reason, lie.want) {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// TestBonusOfNoWin has a bonus fall on a ticket that gave back the stake of a void game and has won nothing
// (tas-keno-2023 5.11).
func TestBonusOfNoWin(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", `
house
limit venue 1 20000
sell A at T1 standard 41-43 @ 1,250.00
play 41-60
promote-item set-bet-2 1 prizes of 4.00 1 in 1 from game 3 -> offered
play 1-20
sell B at T1 by item {"bets":[{"item":"set-bet-2"}]} -> $10.00
play @B/0 rest from 10
play @B/0 rest from 20
play @B/0 rest from 30
close
void game 6
open
play @B/0 rest from 40
pay B at T1 -> $2.00
`)
	paid := story.find(record.KindTicketPaid, 1)
	if f := story.verified(paid + 1); f != nil {
		t.Fatal(f)
	}
	r, err := record.Decode(story.Records[paid])
	require(t, err)
	ticket := r.Body.(*record.TicketPaid)
	r.Body = &record.BonusAllocated{Series: 1, Number: 1, Ticket: ticket.Ticket, Terminal: ticket.Request.Terminal,
		Cents: 400,
		Bytes: make([]byte, 64), Tenders: []record.Tender{{Kind: record.TenderCash, Cents: -400}}}
	r.Postings = ledger.Merge(ledger.Debit(ledger.Promotions, 1, 400), ledger.Credit(ledger.Cash, 1, 400))
	data, err := record.Encode(r)
	require(t, err)
	if f := story.verified(paid+1, data); f == nil || !strings.Contains(f.Reason, "has won nothing") {
		t.Errorf("a bonus on a ticket that has won nothing: %v", f)
	}
}

// TestBonusOnce has a second promotion fall on a ticket that is paid again because its session withheld the money: a
// ticket has one chance (tas-keno-2023 5.11).
func TestBonusOnce(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", `
house
limit venue 1 20000
sell A at T1 standard 41-43 @ 1,250.00
play 41-60
promote-item set-bet-2 1 prizes of 4.00 1 in 1 from game 3 -> offered
promote-item set-bet-2 1 prizes of 3.00 1 in 1 from game 3 -> offered
play 1-20
sell B at T1 by item {"bets":[{"item":"set-bet-2"}]} -> $10.00
play @B rest
play 4 games
next T1
pay B at T1
freeze B
settle T1
release B
pay B at T1
`)
	paid := story.find(record.KindTicketPaid, 2)
	if f := story.verified(paid + 1); f != nil {
		t.Fatal(f)
	}
	r, err := record.Decode(story.Records[paid])
	require(t, err)
	ticket := r.Body.(*record.TicketPaid)
	r.Body = &record.BonusAllocated{Series: 1, Number: 2, Ticket: ticket.Ticket, Terminal: ticket.Request.Terminal,
		Cents: 300,
		Bytes: make([]byte, 64), Tenders: []record.Tender{{Kind: record.TenderCash, Cents: -300}}}
	r.Postings = ledger.Merge(ledger.Debit(ledger.Promotions, 2, 300), ledger.Credit(ledger.Cash, 1, 300))
	data, err := record.Encode(r)
	require(t, err)
	if f := story.verified(paid+1, data); f == nil || !strings.Contains(f.Reason, "had its chance in promotion 1") {
		t.Errorf("a second bonus on a ticket: %v", f)
	}
}
