package honest

import "drawhouse/core/money"

// Tasmania returns the Rules for Keno of Tasmania, Variation 01/23.
func Tasmania() Rules {
	return Rules{
		Name: "Tasmania keno 2023",
		Acts: map[Kind]string{
			Venue: "13.7(a)", Open: "1.14", End: "1.19", Sell: "5.2, 12.1", Cancel: "8", Close: "9.4",
			Draw: "8.2", Win: "11.1", Pay: "13", Redeem: "1.59, 13.7(b)", Lodge: "15.1",
			Decide: "15.3", PayClaim: "13.9, 14.7", Stop: "1.25, 16.2, 20.1", Forfeit: "13.11",
			DayEnd: "8.4", Expire: "14.1, 14.2", Issue: "1.59, 1.76", Bonus: "5.11",
		},
		Topics: map[Topic]string{
			onCredit: "16.1", onVouchers: "1.76, 12.1", onRefund: "8.2, 8.3", onOnce: "19.2",
			onStop: "16.2, 20.1", onClaim: "15.1", onTicket: "3.1, 19.2", onDelivery: "3.1",
			onRest: "1.19", onSchedule: "11.1", onPaper: "1.59", onForfeited: "13.11, 14.1",
		},
		Tender: map[Desk]Forms{
			// Winnings of a visit are set off against its wagers at the end, 1.19.
			Writer: {Cash: "12.1(a)", OtherVoucher: "12.1(a)", Winning: "1.19"},
			CasinoWriter: {Cash: "12.1(b)", Winning: "12.1(b)", Receipt: "12.1(b)", Chips: "12.1(b)",
				OtherVoucher: "12.1(b)"},
			SelfService: {Cash: "12.1(b)", Winning: "12.1(b)", Receipt: "12.1(b)"},
		},
		PrizeOut: map[Desk]Forms{
			Writer:       {Cash: "13.1", Receipt: "13.1", CentralVoucher: "13.1", SiteCheque: "13.1"},
			CasinoWriter: {Cash: "13.1", Receipt: "13.1", CentralVoucher: "13.1", SiteCheque: "13.1"},
			SelfService:  {Receipt: "13.7(c)"},
			HeadOffice:   {},
		},
		ClaimOut: Forms{Cheque: "13.9, 14.7"},
		CentralOut: map[Desk]Forms{
			HeadOffice: {Cheque: "13.7(b)(i)"},
			// The cheque of a venue is the site cheque voucher of 1.66.
			CasinoWriter: {Cash: "13.7(b)(ii)", Cheque: "13.7(b)(ii)", SiteCheque: "1.66, 13.7(b)(ii)"},
		},
		VenueCash:       "13.7(a)",
		CashForms:       Forms{Cash: "13.7(a)"},
		RefundsCount:    "1.20, 13.7(a)",
		EachPay:         "1.20, 13.5, 13.7(a)",
		CentralFrom:     Limit{2_999 * money.Dollar, "13.7(b)"},
		TerminalMost:    Limit{1_000 * money.Dollar, "13.7(c)"},
		MachineOut:      Forms{Receipt: "1.58, 1.59, 13.7(c)"},
		MachineWhere:    "1.58",
		VenueLeast:      Limit{300 * money.Dollar, "13.5"},
		Bonus:           "5.11",
		SiteChequeAbove: Limit{300 * money.Dollar, "1.66"},
		ChequePayee:     "13.10",
		CentralPayee:    "13.2",
		SiteChequePayee: "13.10",
		SiteChequeCheck: "13.8(b)",
		EntryMost: map[Desk]Limit{
			Writer:       {1_999 * money.Dollar, "12.2(c)"},
			CasinoWriter: {1_999 * money.Dollar, "12.2(c)"},
			SelfService:  {250 * money.Dollar, "12.2(d)"},
		},
		GameLeast:  Limit{money.Dollar, "12.2(c), 12.2(d)"},
		GameStep:   Limit{money.Dollar, "12.2(c), 12.2(d)"},
		Tiers:      []Tier{{2, 10, "12.2(a)"}},
		WaysLeast:  Limit{5 * money.Dollar, "12.2(a)"},
		WaysNoMost: "12.2(c)",
		BetMost: map[Bet]map[Desk]Limit{HeadsOrTails: {
			Writer:       {500 * money.Dollar, "21.2(b)"},
			CasinoWriter: {500 * money.Dollar, "21.2(b)"},
			SelfService:  {250 * money.Dollar, "21.2(b)"},
		}},
		CancelDay:   "8.4",
		CancelVenue: "8.1",
		CancelDrawn: "8.2, 8.3",
		PrizeLife:   Span{Months: 12, Clause: "14.2"},
		PrizeLate:   Span{Months: 7 * 12, Clause: "14.3"},
		PaperLife: map[Form]Span{
			Receipt:        {Months: 12, Clause: "14.2"},
			OtherVoucher:   {Months: 12, Clause: "14.2"},
			CentralVoucher: {Months: 12, Clause: "14.2"},
		},
		PaperLate:      "14.2",
		LostClaims:     Forms{Winning: "15.1", Receipt: "15.1"},
		UnreadClaims:   Forms{Winning: "15.1", Receipt: "15.1"},
		ClaimOperative: "15.2",
		ClaimInspector: Limit{100 * money.Dollar, "14.4, 15.2"},
	}
}
