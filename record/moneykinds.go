package record

// The kinds of records about customer sessions, papers that stand for money, cheques, and
// stops of payment.
const (
	KindSessionEnded       Kind = 100
	KindInstrumentIssued   Kind = 101
	KindInstrumentsExpired Kind = 102
	KindPaperReissued      Kind = 103
	KindPaperUndelivered   Kind = 104
	KindCardRegistered     Kind = 105
	KindCardStatusSet      Kind = 106
	KindCardNotified       Kind = 107
	KindPaymentFrozen      Kind = 108
	KindPaymentReleased    Kind = 109
	KindTicketDisqualified Kind = 110
	KindTicketReinstated   Kind = 111
	KindTicketInvalidated  Kind = 112
	KindPrizeForfeited     Kind = 113
	KindAnonymitySet       Kind = 114
	KindVenueLimitSet      Kind = 115
	KindBankMoved          Kind = 116
	KindBankCounted        Kind = 117
	KindHolidaysNamed      Kind = 118
	KindChequePromised     Kind = 119
	KindChequeHanded       Kind = 161
)

// moneyShapes are the shapes of these kinds.
var moneyShapes = map[Kind]shape{
	KindSessionEnded:       {"session ended", 1, func() Body { return new(SessionEnded) }},
	KindInstrumentIssued:   {"instrument issued", 1, func() Body { return new(InstrumentIssued) }},
	KindInstrumentsExpired: {"instruments expired", 1, func() Body { return new(InstrumentsExpired) }},
	KindPaperReissued:      {"paper reissued", 1, func() Body { return new(PaperReissued) }},
	KindPaperUndelivered:   {"paper undelivered", 1, func() Body { return new(PaperUndelivered) }},
	KindCardRegistered:     {"card registered", 1, func() Body { return new(CardRegistered) }},
	KindCardStatusSet:      {"card status set", 1, func() Body { return new(CardStatusSet) }},
	KindCardNotified:       {"card notified", 1, func() Body { return new(CardNotified) }},
	KindPaymentFrozen:      {"payment frozen", 1, func() Body { return new(PaymentFrozen) }},
	KindPaymentReleased:    {"payment released", 1, func() Body { return new(PaymentReleased) }},
	KindTicketDisqualified: {"ticket disqualified", 1, func() Body { return new(TicketDisqualified) }},
	KindTicketReinstated:   {"ticket reinstated", 1, func() Body { return new(TicketReinstated) }},
	KindTicketInvalidated:  {"ticket invalidated", 1, func() Body { return new(TicketInvalidated) }},
	KindPrizeForfeited:     {"prize forfeited", 1, func() Body { return new(PrizeForfeited) }},
	KindAnonymitySet:       {"anonymity set", 1, func() Body { return new(AnonymitySet) }},
	KindVenueLimitSet:      {"venue limit set", 1, func() Body { return new(VenueLimitSet) }},
	KindBankMoved:          {"bank moved", 1, func() Body { return new(BankMoved) }},
	KindBankCounted:        {"bank counted", 1, func() Body { return new(BankCounted) }},
	KindHolidaysNamed:      {"holidays named", 1, func() Body { return new(HolidaysNamed) }},
	KindChequePromised:     {"cheque promised", 1, func() Body { return new(ChequePromised) }},
	KindChequeHanded:       {"cheque handed", 1, func() Body { return new(ChequeHanded) }},
}

func (*SessionEnded) kind() Kind       { return KindSessionEnded }
func (*InstrumentIssued) kind() Kind   { return KindInstrumentIssued }
func (*InstrumentsExpired) kind() Kind { return KindInstrumentsExpired }
func (*PaperReissued) kind() Kind      { return KindPaperReissued }
func (*PaperUndelivered) kind() Kind   { return KindPaperUndelivered }
func (*CardRegistered) kind() Kind     { return KindCardRegistered }
func (*CardStatusSet) kind() Kind      { return KindCardStatusSet }
func (*CardNotified) kind() Kind       { return KindCardNotified }
func (*PaymentFrozen) kind() Kind      { return KindPaymentFrozen }
func (*PaymentReleased) kind() Kind    { return KindPaymentReleased }
func (*TicketDisqualified) kind() Kind { return KindTicketDisqualified }
func (*TicketReinstated) kind() Kind   { return KindTicketReinstated }
func (*TicketInvalidated) kind() Kind  { return KindTicketInvalidated }
func (*PrizeForfeited) kind() Kind     { return KindPrizeForfeited }
func (*AnonymitySet) kind() Kind       { return KindAnonymitySet }
func (*VenueLimitSet) kind() Kind      { return KindVenueLimitSet }
func (*BankMoved) kind() Kind          { return KindBankMoved }
func (*BankCounted) kind() Kind        { return KindBankCounted }
func (*HolidaysNamed) kind() Kind      { return KindHolidaysNamed }
func (*ChequePromised) kind() Kind     { return KindChequePromised }
func (*ChequeHanded) kind() Kind       { return KindChequeHanded }
