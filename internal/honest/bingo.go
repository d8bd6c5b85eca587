package honest

import "drawhouse/core/money"

// Bingo returns the Rules of Bingo in the casino of New South Wales, 7 June 2019.
func Bingo() Rules {
	return Rules{
		Name: "Bingo NSW 2019",
		Acts: map[Kind]string{
			Fee: "3.3", Announce: "4.4, 5.5", Draw: "4.5", Win: "4.7, 5.4", Pay: "7.4", Void: "8.4.2, 9.4",
			Abandon: "8.4.3", Invalidate: "9.4, 9.5", Refund: "8.4.3, 9.5", CloseEarly: "9.8",
			VoidFee: "9.3.1", Forfeit: "8.1, 9.5", Promotion: "10", Seed: "6.4",
		},
		Topics: map[Topic]string{
			onCredit: "3.3", onRefund: "8.4.3, 9.5", onOnce: "7.7", onStop: "9.3.1", onTicket: "4.3, 7.1.2",
			onRest: "8.4.3", onSchedule: "4.4, 7.2", onForfeited: "8.1, 9.5", onVouchers: "7.5, 10.3",
		},
		PrizeOut: map[Desk]Forms{
			Writer: {Cash: "7.5", CasinoDollars: "7.5", SlotDollars: "7.5"},
		},
		JackpotOut:    Forms{Cash: "7.6", Cheque: "7.6"},
		PromotionOut:  Forms{Cash: "10.4", Cheque: "10.4", Transfer: "10.4"},
		PromotionFrom: Limit{10_000 * money.Dollar, "10.2, 10.4"},
		Verified:      "7.1, 7.4",
		OneFee:        "3.3",
		AdminShare:    20,
		AdminWhere:    "3.3.1",
		CloseNotice:   20,
		NoticeWhere:   "9.8",
	}
}
