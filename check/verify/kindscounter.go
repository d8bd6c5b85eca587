package verify

import (
	"encoding/base64"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// counterKinds are the kinds of what is done at a counter: sales, payments, papers and the cash in a bank.
func counterKinds() []rower {
	return []rower{
		paying(CheckRequests, (*checker).ticketSold).
			atCounter(func(b *record.TicketSold) (uint32, bool) { return b.Request.Terminal, false }).
			tallied(func(_ *checker, b *record.TicketSold) (uint8, dayTally) {
				return b.Series, dayTally{Sales: 1, Sold: b.CostCents}
			}),
		plain(CheckRequests, (*checker).requestBurned),
		plain(CheckPeople, (*checker).runnerDisputed).
			byAt(staffRoles, func(_ *checker, b *record.RunnerDisputed) uint32 { return b.Venue }),
		plain(CheckPeople, (*checker).runnerDecided).
			byAt([]record.Role{record.RoleSenior}, func(_ *checker, b *record.RunnerDisputeDecided) uint32 { return b.Venue }),
		plain(CheckRequests, (*checker).saleRefused).
			byAt(staffRoles, func(c *checker, b *record.SaleRefused) uint32 { return c.venueAt(b.Terminal) }),
		paying(CheckPayments, (*checker).ticketPaid).
			inSeries(func(b *record.TicketPaid) uint8 { return b.Series }).
			agreedAs("pay_by_hand", func(_ *checker, b *record.TicketPaid, a *approval) bool {
				return a.says.Terminal == b.Request.Terminal && a.says.Ticket == b.Ticket.String() &&
					a.says.PaidBy == b.PaidBy &&
					len(b.Parts) == 1 && a.says.Ordinal == b.Parts[0].Ordinal &&
					money.Amount(a.says.Cents) == b.Parts[0].Cents
			}).
			asking(func(_ *checker, b *record.TicketPaid, _ *approval) bool { return b.PaidBy != 0 }).
			exits((*checker).exitPaid).
			atCounter(func(b *record.TicketPaid) (uint32, bool) { return b.Request.Terminal, false }).
			paysAt(func(b *record.TicketPaid) (uint32, bool) { return b.Request.Terminal, true }).
			handing(func(_ *checker, b *record.TicketPaid) (uint32, []string) {
				return b.Request.Terminal, cashOut(b.Tenders)
			}).
			tallied((*checker).tallyPaid),
		paying(CheckPayments, (*checker).ticketCancelled).
			exits((*checker).exitCancelled).
			atCounter(func(b *record.TicketCancelled) (uint32, bool) { return b.Request.Terminal, false }).
			paysAt(func(b *record.TicketCancelled) (uint32, bool) { return b.Request.Terminal, true }).
			handing(func(_ *checker, b *record.TicketCancelled) (uint32, []string) {
				return b.Request.Terminal, cashOut(b.Tenders)
			}).
			tallied(func(_ *checker, b *record.TicketCancelled) (uint8, dayTally) {
				return b.Series, dayTally{Cancelled: 1, GivenBack: b.RefundCents + b.CarriedCents}
			}),
		paying(CheckPayments, (*checker).sessionEnded).
			agreedAs("unwind_session", func(_ *checker, b *record.SessionEnded, a *approval) bool {
				return a.says.Terminal == b.Request.Terminal && money.Amount(a.says.Cents) == cashOf(b)
			}).
			asking(func(c *checker, b *record.SessionEnded, _ *approval) bool {
				return c.people.shutOut(b.Request.Terminal)
			}).
			exits((*checker).exitSession).
			atCounter(func(b *record.SessionEnded) (uint32, bool) { return b.Request.Terminal, true }).
			paysAt(paysAtEnd).
			handing((*checker).handedAtEnd).
			tallied(tallyEnded),
		paying(CheckPayments, (*checker).paperIssued).
			inSeries(func(b *record.InstrumentIssued) uint8 { return b.Series }).
			agreedAs("give_paper", func(c *checker, b *record.InstrumentIssued, a *approval) bool {
				return a.says.Terminal == b.Request.Terminal && a.says.Kind == b.ID &&
					money.Amount(a.says.Cents) == b.Cents &&
					c.livesAsAgreed(b, a.says.Days, a.says.GameType)
			}).
			asking(func(_ *checker, b *record.InstrumentIssued, _ *approval) bool {
				return b.Reason == record.IssuedByOperator
			}).
			exits(func(c *checker, b *record.InstrumentIssued) error { return c.exitOf(b.For, b.Request.Terminal) }).
			atCounter(func(b *record.InstrumentIssued) (uint32, bool) { return b.Request.Terminal, !issuedAlone(b) }).
			paysAt(func(b *record.InstrumentIssued) (uint32, bool) { return b.Request.Terminal, true }).
			handing(func(_ *checker, b *record.InstrumentIssued) (uint32, []string) {
				return b.Request.Terminal, []string{b.ID}
			}).
			tallied(tallyIssued),
		paying(CheckPayments, (*checker).papersExpired),
		paying(CheckPayments, (*checker).prizesSwept),
		paying(CheckHouse, (*checker).ticketsTakenIn).by(centralRoles).
			inSeries(func(b *record.TicketsTakenIn) uint8 { return b.Series }).
			agreedAs("take_in_tickets", func(_ *checker, b *record.TicketsTakenIn, a *approval) bool {
				return a.says.Text == string(b.Text) && a.says.Key == base64.StdEncoding.EncodeToString(b.Key[:]) &&
					a.says.Reference == b.Reference && a.by == b.By
			}),
		paying(CheckPayments, (*checker).ticketsLapsed),
		paying(CheckLedger, (*checker).taxStated),
		paying(CheckPayments, (*checker).remittanceMade).by(centralRoles).
			inSeries(func(b *record.RemittanceMade) uint8 { return b.Series }).
			agreedAs("make_remittance", agreedRemittance),
		paying(CheckPayments, (*checker).remittanceReversed).by(centralRoles).
			inSeries(func(b *record.RemittanceReversed) uint8 { return b.Series }).
			agreedAs("reverse_remittance", agreedReversal),
		paying(CheckPayments, (*checker).prizeForfeited).
			exits((*checker).exitForfeited).
			atCounter(func(b *record.PrizeForfeited) (uint32, bool) { return b.Request.Terminal, false }).
			paysAt(func(b *record.PrizeForfeited) (uint32, bool) { return b.Request.Terminal, true }),
		paying(CheckHouse, (*checker).bankMoved).
			byWhom(func(_ *checker, id uint32, b *record.BankMoved) []record.Role { return mayBank(id == b.With) }).
			at(func(c *checker, b *record.BankMoved) uint32 { return c.venueAt(b.Terminal) }).
			ofTwo(func(c *checker, b *record.BankMoved) error { return c.pair(b.By, b.With) }).
			agreedAs("move_bank", func(_ *checker, b *record.BankMoved, a *approval) bool {
				return a.says.Terminal == b.Terminal && a.says.Move == string(b.Move) &&
					money.Amount(a.says.Cents) == b.Cents && signedBy(a, b.By, b.With)
			}).ifUsed().guarded().
			shifting((*checker).shiftMoved),
		paying(CheckHouse, (*checker).bankCounted).
			byWhom(func(_ *checker, id uint32, b *record.BankCounted) []record.Role { return mayBank(id == b.With) }).
			at(func(c *checker, b *record.BankCounted) uint32 { return c.venueAt(b.Terminal) }).
			ofTwo(func(c *checker, b *record.BankCounted) error { return c.pair(b.By, b.With) }).
			agreedAs("count_bank", func(_ *checker, b *record.BankCounted, a *approval) bool {
				return a.says.Terminal == b.Terminal && money.Amount(a.says.Cents) == b.CountedCents &&
					signedBy(a, b.By, b.With)
			}).ifUsed().guarded().
			shifting((*checker).shiftCounted),
	}
}

// stopKinds are the kinds of cards, sheets, cheques, and stops of payment.
func stopKinds() []rower {
	return []rower{
		plain(CheckHouse, (*checker).paperReissued).
			byAt(venueRoles, func(c *checker, b *record.PaperReissued) uint32 { return c.venueAt(b.Request.Terminal) }).
			// It comes with a payment.
			alone(func(b *record.PaperReissued) bool { return b.Reason == record.ReissueContinuation }).
			atCounter(func(b *record.PaperReissued) (uint32, bool) { return b.Request.Terminal, false }),
		plain(CheckHouse, (*checker).paperUndelivered),
		plain(CheckHouse, (*checker).cardRegistered).by(seniorRole),
		plain(CheckHouse, (*checker).cardStatusSet).by(seniorRole),
		plain(CheckHouse, (*checker).cardNotified).by(centralRoles),
		plain(CheckHouse, (*checker).holderErased).by(administrators).
			alone(func(*record.HolderErased) bool { return true }), // By the time of keeping.
		plain(CheckHouse, (*checker).payeeErased).by(administrators).
			alone(func(*record.PayeeErased) bool { return true }), // As above.
		plain(CheckHouse, (*checker).paymentFrozen).by(overseerRoles).alone(takesNobody), // Payment stops.
		paying(CheckHouse, (*checker).paymentReleased).by(centralRoles).
			agreedAs("release_payment", func(_ *checker, b *record.PaymentReleased, a *approval) bool {
				return a.says.Reason == b.Reason && b.By == a.by && money.Amount(a.says.Cents) == b.PaidCents &&
					slices.EqualFunc(a.says.Places, b.Places,
						func(text string, place record.Place) bool { return text == place.String() })
			}),
		plain(CheckHouse, (*checker).ticketDisqualified).by(overseerRoles).ofTwo((*checker).disqualifiedByTwo).
			agreedAs("disqualify", func(_ *checker, b *record.TicketDisqualified, a *approval) bool {
				return a.says.Ticket == b.Ticket.String() && a.says.Reason == b.Reason
			}),
		plain(CheckHouse, (*checker).ticketReinstated).by(centralRoles).
			agreedAs("reinstate", func(_ *checker, b *record.TicketReinstated, a *approval) bool {
				return a.says.Ticket == b.Ticket.String() && a.says.Reason == b.Reason && b.By == a.by
			}),
		plain(CheckHouse, (*checker).ticketInvalidated).by(centralRoles).
			agreedAs("invalidate", func(_ *checker, b *record.TicketInvalidated, a *approval) bool {
				return a.says.Ticket == b.Ticket.String() && a.says.Reason == b.Reason && b.By == a.by
			}),
		plain(CheckHouse, (*checker).anonymitySet).by(centralRoles),
		plain(CheckHouse, (*checker).limitSet).by(centralRoles),
		plain(CheckHouse, (*checker).holidaysNamed).by(centralRoles).naming((*checker).holidayNamed),
		plain(CheckPayments, (*checker).chequePromised).exits((*checker).exitPromised),
		plain(CheckPayments, (*checker).chequeHanded).
			byAt(staffRoles,
				func(c *checker, b *record.ChequeHanded) uint32 { return c.tills.cheques.due[flat(b.Cheque)].venue }).
			exits(func(c *checker, b *record.ChequeHanded) error {
				return c.exitBank(c.tills.cheques.due[flat(b.Cheque)].tickets)
			}),
	}
}

// claimKinds are the kinds of claims on a form.
func claimKinds() []rower {
	return []rower{
		plain(CheckPayments, (*checker).claimLodged).by(staffRoles).exits((*checker).exitParts),
		plain(CheckPayments, (*checker).claimNoted).by(overseerRoles).
			alone(func(b *record.ClaimNoted) bool { return b.Note == record.NoteErased }), // By the time of keeping.
		plain(CheckPayments, (*checker).claimSigned).by(overseerRoles).ofTwo((*checker).signedByTwo),
		plain(CheckPayments, (*checker).claimDecided).by(centralRoles).ofTwo((*checker).claimDecidedByTwo).
			exits(func(c *checker, b *record.ClaimDecided) error {
				if b.Outcome == record.ClaimAllowed {
					return c.exitClaim(b.Claim)
				}
				return nil
			}),
		paying(CheckPayments, (*checker).claimPaid).by(centralRoles).ofTwo((*checker).claimPaidByTwo).
			atVenue(func(_ *checker, b *record.ClaimPaid) uint32 { return b.Venue }).
			exits(func(c *checker, b *record.ClaimPaid) error { return c.exitClaim(b.Claim) }),
	}
}

// issuedAlone reports whether a paper is issued by a request of its own, and not with the end of a session.
func issuedAlone(b *record.InstrumentIssued) bool {
	return b.Reason == record.IssuedForMoney || b.Reason == record.IssuedByOperator
}

// paysAtEnd reports whether money leaves by the end of a session. What it withholds stays in the house.
func paysAtEnd(b *record.SessionEnded) (terminal uint32, leaves bool) {
	for i := range b.Tenders {
		leaves = leaves || b.Tenders[i].Cents < 0 && b.Tenders[i].Kind != record.TenderWithheld
	}
	return b.Request.Terminal, leaves
}
