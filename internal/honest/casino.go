package honest

import "drawhouse/core/money"

// Casino returns the casino rules, Division II: Keno.
func Casino() Rules {
	return Rules{
		Name: "Casino keno, Division II",
		Acts: map[Kind]string{
			Venue: "4.2", Sell: "3.1, 4.1", Cancel: "6.1", Close: "7.3", Draw: "7.1", Void: "11.2 to 11.6",
			Refund: "11.6", Carry: "11.6", Win: "8.1", Pay: "8.3", Lodge: "8.12", Decide: "8.12",
			PayClaim: "8.11, 8.12", DayEnd: "6.2", Expire: "9.2",
		},
		Topics: map[Topic]string{
			onCredit: "3.6, 3.9, 4.1", onRefund: "6.1, 11.6", onOnce: "8.1, 8.5", onClaim: "8.12",
			onTicket: "3.1, 8.4", onDelivery: "3.1", onRest: "6.1", onSchedule: "8.1, 8.3",
			onForfeited: "9.2", onVouchers: "4.1",
		},
		Tender: map[Desk]Forms{
			Writer: {Cash: "4.1", Chips: "4.1", Winning: "4.1"},
		},
		PrizeOut: map[Desk]Forms{
			Writer:      {Cash: "8.11", Cheque: "8.11"},
			SelfService: {}, // 8.3(a): through a writer terminal only
			HeadOffice:  {},
		},
		ClaimOut:   Forms{Cash: "8.11", Cheque: "8.11"},
		MachineOut: Forms{}, MachineWhere: "8.3(a)",
		ChequeFrom: Limit{200 * money.Dollar, "1.0 Major Prize, 8.11"},
		GamesMost:  1_000, GamesWhere: "3.8(c)",
		StakeRange:   "4.2",
		CancelDay:    "6.2",
		CancelClosed: "4.4, 6.1",
		CancelDrawn:  "4.4, 6.1",
		VoidCarries:  "11.6",
		PrizeLife:    Span{Months: 12, Clause: "9.2"},
		LostClaims:   Forms{Winning: "8.12"},
		UnreadClaims: Forms{Winning: "8.12"},
	}
}
