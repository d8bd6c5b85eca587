package books

import (
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Fund is what happened to the prize fund on a day, as amounts that players have.
type Fund struct {
	Stakes  money.Amount // of games that closed, less those that were declared void
	Share   money.Amount // the fund's part of them
	Pools   money.Amount // went on to jackpots and bonus prizes
	Won     money.Amount // went to winners, with what ran on
	Other   money.Amount // came in otherwise, such as papers that expired
	Opening money.Amount
	Closing money.Amount

	Paid   money.Amount // prizes that venues paid in cash, by chips and by cheques drawn on them
	Cheque money.Amount // prizes that the operator's own cheques and transfers paid
	// InPlace is prizes that became papers, and prizes that the end of a session has withheld: nobody has paid them yet.
	InPlace money.Amount
	// TopUp is what the operator brings to the fund's account: with what venues have paid,
	// by cash and by cheques drawn on them, it makes the fund's part of the stakes.
	TopUp money.Amount
}

// Fund returns what happened to the prize fund on the day.
//
//rule:vic-keno-2015 2(a).prize-fund
//rule:tas-keno-2023 1.50
func (b *Book) Fund() Fund {
	fund, retained := b.Account(ledger.PrizeFund), b.Account(ledger.Retained)
	f := Fund{Opening: -fund.Opening, Closing: -fund.Closing(), Stakes: b.flow(ledger.Unplayed, record.KindGameClosed)}
	for _, back := range []ledger.Account{ledger.Refunds, ledger.Prizes, ledger.Unplayed} {
		f.Stakes += b.flow(back, record.KindGameVoided)
	}
	kept := -retained.flow(record.KindGameClosed, record.KindGameVoided)
	f.Share = f.Stakes - kept
	f.Pools = f.Share + fund.flow(record.KindGameClosed, record.KindGameVoided)
	f.Won = fund.flow(record.KindGameSettled, record.KindPrizesCarried)
	f.Other = f.Closing - f.Opening - f.Share + f.Pools + f.Won
	f.Cheque = -b.flow(ledger.Bank, record.KindTicketPaid, record.KindSessionEnded)
	total := b.Total()
	f.InPlace = total.InPlace - b.flow(ledger.Withheld, record.KindSessionEnded, record.KindTicketPaid)
	f.Paid = b.flow(ledger.Prizes, record.KindTicketPaid) - f.Cheque - f.InPlace
	f.TopUp = f.Share - f.Paid
	return f
}

// flow returns what records of some kinds did to an account, as a debit.
func (b *Book) flow(a ledger.Account, kinds ...record.Kind) money.Amount {
	balance := b.Account(a)
	return balance.flow(kinds...)
}

func (b Balance) flow(kinds ...record.Kind) (sum money.Amount) {
	for _, f := range b.Flows {
		for _, kind := range kinds {
			if f.Kind == kind {
				sum += f.Net()
			}
		}
	}
	return sum
}
