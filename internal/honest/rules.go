package honest

import "drawhouse/core/money"

// Limit is an amount of the text with its clause. Without a clause there is no limit.
type Limit struct {
	Amount money.Amount
	Clause string
}

func (l Limit) set() bool { return l.Clause != "" }

// Span is a time of the text with its clause. Without a clause there is no end.
type Span struct {
	Months, Days int
	Clause       string
}

func (s Span) set() bool { return s.Clause != "" }

// last returns the last day on which something from the given day still holds.
func (s Span) last(from Date) Date { return from.AddMonths(s.Months).AddDays(s.Days) }

// Forms are the forms of money that a clause names, each with that clause.
type Forms map[Form]string

// Tier is the least stake of each way when an entry has at least so many.
type Tier struct {
	Ways   int
	Each   money.Amount
	Clause string
}

// Rules is one rulebook as data. Every value stands beside its clause. What is not here,
// the text does not say, and the book does not hold it against the house.
type Rules struct {
	Name string

	// Acts are the acts that the text speaks of. On all others it is silent.
	Acts map[Kind]string
	// Topics are the clauses behind the goals.
	Topics map[Topic]string

	// Tender is what buys an entry at a desk. A desk that is not listed is not a place to
	// sell at.
	Tender map[Desk]Forms
	// PrizeOut is how prizes leave at a desk, ClaimOut how claims do.
	PrizeOut map[Desk]Forms
	ClaimOut Forms
	// CentralOut is how a central site voucher is paid at a desk.
	CentralOut map[Desk]Forms
	// JackpotOut is how a bingo jackpot is paid.
	JackpotOut Forms
	// PromotionOut is how a promotional prize above PromotionFrom is paid.
	PromotionOut Forms

	// CashMost bounds the cash for one settlement or one ticket. A venue may have a lower
	// limit of its own when VenueCash names the clause. CashForms count as cash.
	CashMost  Limit
	VenueCash string
	CashForms Forms
	// EachPay is the clause that bounds each settlement by itself. Without it a prize that was
	// staked and comes back counts with the visit in which it was paid.
	EachPay string
	// RefundsCount is the clause that puts refunds under the limit too.
	RefundsCount string
	// CentralFrom is the payment from which a central site voucher is due.
	CentralFrom Limit
	// TerminalMost is the most that a self-service terminal pays for one ticket.
	TerminalMost Limit
	// MachineOut is all that a self-service terminal gives beside entries, and MachineWhere the clause that says so.
	MachineOut   Forms
	MachineWhere string
	// VenueLeast is the least that the limit of a venue may be.
	VenueLeast Limit
	// Bonus is the clause by which a bonus falls on set bets.
	Bonus string
	// ChequeFrom is the least prize of one way that may be paid by cheque.
	ChequeFrom Limit
	// SiteChequeAbove is the payment above which a site cheque voucher may be used.
	SiteChequeAbove Limit
	// PromotionFrom is the promotional prize above which there is a scrutineer and a choice.
	PromotionFrom Limit
	// CardPrize is the clause that lets a prize go to the card that bought the ticket.
	CardPrize string
	// Papers and persons that a payment needs, as clauses; empty is not needed.
	ChequePayee, TransferPayee, TransferAccount, SiteChequePayee, CentralPayee, SiteChequeCheck, HeadOfficeForm,
	Verified string

	// The bounds of an entry.
	EntryMost  map[Desk]Limit
	GameLeast  Limit
	GameStep   Limit
	Tiers      []Tier
	TierStep   Limit
	WaysLeast  Limit // of all ways of one game together
	WaysNoMost string
	BetMost    map[Bet]map[Desk]Limit // per game
	GamesMost  int
	GamesWhere string
	StakeRange string // the clause that leaves bounds to the operator
	OneFee     string // the clause that makes the fee equal for everybody

	// The bounds of a cancellation, as clauses.
	CancelDay, CancelVenue, CancelClosed, CancelDrawn string
	// CancelLong ends the cancellation of entries with more games than this, once the
	// next game is drawn.
	CancelLong      int
	CancelLongWhere string
	// OneGame are the vouchers that are for a particular type of game.
	OneGame Forms
	// VoucherBack is the clause that sends a voucher back as a voucher.
	VoucherBack string
	// VoidCarries is the clause by which void games are carried while the day has games.
	VoidCarries string

	// How long things last.
	PrizeLife Span
	// PrizeLate is how long a prize can still be claimed with a form.
	PrizeLate Span
	PaperLife map[Form]Span
	// PaperLate is the clause that pays a receipt later, with a form.
	PaperLate string

	// GiftReturn is the clause that turns a gift voucher back on its day, at its venue.
	GiftReturn string
	// RedeemInFull is the clause by which a receipt is redeemed for all it holds.
	RedeemInFull string
	// LostNever are the papers whose loss is the holder's.
	LostNever Forms
	// PrizeStep is the step to which prizes are rounded down.
	PrizeStep Limit
	// LostClaims are the papers that can be claimed when lost, UnreadClaims those that can
	// be claimed when no terminal reads them. Winning stands for tickets.
	LostClaims, UnreadClaims Forms
	// ClaimOperative and ClaimInspector are the persons behind a claim.
	ClaimOperative string
	ClaimInspector Limit // above this

	// Bingo: the share of the fee that the jackpot does not get, in hundredths, and the
	// notice before a session is closed, in minutes.
	AdminShare  int
	AdminWhere  string
	CloseNotice int
	NoticeWhere string
}

// Topic is a question that every rulebook answers in its own clause.
type Topic string

// The topics.
const (
	onCredit    Topic = "no credit"
	onVouchers  Topic = "vouchers buy entries only"
	onRefund    Topic = "a refund is what was paid"
	onOnce      Topic = "paid once"
	onStop      Topic = "stopped"
	onClaim     Topic = "claimed"
	onTicket    Topic = "a ticket must exist"
	onDelivery  Topic = "a ticket must be delivered"
	onRest      Topic = "all of it is the player's"
	onLife      Topic = "a voucher keeps its first day"
	onSchedule  Topic = "a prize is what the schedule says"
	onPaper     Topic = "a paper is worth its face"
	onForfeited Topic = "forfeited"
)
