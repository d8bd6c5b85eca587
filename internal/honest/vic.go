package honest

import "drawhouse/core/money"

// Victoria returns the Keno Rules of Victoria, 1 March 2015.
func Victoria() Rules {
	cash := "21(d)(i)"
	return Rules{
		Name: "Victoria keno 2015",
		Acts: map[Kind]string{
			Venue: "21(d)(i)", Open: "2 Customer Session", End: "2 Customer Session", Sell: "9, 11",
			Cancel: "17", Close: "18(b)", Draw: "18(c)", RunOn: "2 Let it Run", Win: "20(a)",
			Pay: "21", Issue: "12(a), 13, 14(b)", Redeem: "14(a), 23(d)",
			Lodge: "23(a)", Decide: "23(b)", PayClaim: "21(e)", Stop: "26(a)", Release: "26(c)",
			Undelivered: "9(e)", DayEnd: "2 Keno Day", Expire: "12(d), 13, 14(c), 22(b)",
		},
		Topics: map[Topic]string{
			onCredit: "11(b)", onVouchers: "12(c), 13, 17(e)", onRefund: "17(d)", onOnce: "25(c)",
			onStop: "26(a)", onClaim: "23(a)", onTicket: "20(b)", onDelivery: "25(a)",
			onRest: "17(d), 2 Change Receipt", onLife: "12(c), 13", onSchedule: "20(a)",
			onPaper: "12(a), 14(b)", onForfeited: "12(d), 13, 14(c), 22(b)",
		},
		Tender: map[Desk]Forms{
			Writer: {Cash: "11(a)(i)", Gift: "11(a)(ii)", Prepaid: "11(a)(ii)", Receipt: "11(a)(iii)",
				Winning: "11(a)(iv)", Card: "11(a)(v)"},
			SelfService: {Cash: "11(a)(i)", Gift: "11(a)(ii)", Prepaid: "11(a)(ii)", Receipt: "11(a)(iii)",
				Winning: "11(a)(iv)", Card: "11(a)(v)"},
		},
		PrizeOut: map[Desk]Forms{
			Writer:      {Cash: cash, Receipt: cash, Cheque: cash, Transfer: cash, Card: "21(j)"},
			SelfService: {Receipt: cash, Card: "21(j)"},
			HeadOffice:  {Cheque: "21(d)(iii)", Transfer: "21(d)(iii)", Card: "21(j)"},
		},
		ClaimOut:        Forms{Cheque: "21(e)"},
		CashMost:        Limit{10_000 * money.Dollar, "21(d)(i)"},
		VenueCash:       "21(d)(i)",
		CashForms:       Forms{Cash: cash, Receipt: cash},
		CardPrize:       "21(j)",
		ChequePayee:     "21(b)",
		TransferPayee:   "21(d)(i)",
		TransferAccount: "21(d)(i)",
		OneGame:         Forms{Gift: "2(a), 11(a)(ii)", Prepaid: "2(a), 11(a)(ii)"},
		HeadOfficeForm:  "21(d)(ii)(C)",
		MachineOut:      Forms{Receipt: "2 Self Service Terminal", Card: "21(j)"},
		MachineWhere:    "2 Self Service Terminal",
		EntryMost: map[Desk]Limit{
			Writer:      {9_999 * money.Dollar, "11(c)"},
			SelfService: {1_000 * money.Dollar, "11(c)"},
		},
		GameLeast: Limit{money.Dollar, "11(c), 11(g)"},
		GameStep:  Limit{money.Dollar, "11(c), 11(g)"},
		Tiers: []Tier{
			{4, 50, "11(d)(i)"},
			{20, 20, "11(d)(ii)"},
			{50, 10, "11(d)(iii)"},
		},
		TierStep:        Limit{10, "11(e)"},
		CancelDay:       "17(a)(ii)",
		CancelVenue:     "17(a)(i)",
		CancelClosed:    "17(b)",
		CancelDrawn:     "17(b), 17(c)",
		CancelLong:      200,
		CancelLongWhere: "17(c)",
		VoucherBack:     "17(e)",
		PrizeLife:       Span{Months: 6, Clause: "21(d)(i), 22(b)"},
		PaperLife: map[Form]Span{
			Gift:    {Months: 12, Clause: "12(c)"},
			Prepaid: {Days: 30, Clause: "13"},
			Receipt: {Months: 12, Clause: "14(a)"},
		},
		GiftReturn:   "23(d)",
		RedeemInFull: "14(a)",
		LostNever:    Forms{Receipt: "23(c)", Gift: "23(c)"},
		PrizeStep:    Limit{10, "21(i)"},
		LostClaims:   Forms{Winning: "23(a)"},
		UnreadClaims: Forms{Winning: "23(a)", Receipt: "23(a)", Gift: "23(a)"},
	}
}
