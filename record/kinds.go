package record

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Kind is the number of a kind of record. Numbers stay what they are for ever.
type Kind uint8

// The kinds. What happens often has a number below 24, which takes one byte. A new kind takes
// a number that is free, whatever its group, and a row in the list below.
const (
	// Kinds of the house, its rules and its games.
	KindVolumeBegun          Kind = 1
	KindRulebookAdopted      Kind = 2
	KindSeriesBegun          Kind = 3
	KindVenueAdded           Kind = 4
	KindTerminalAdded        Kind = 5
	KindDayOpened            Kind = 6
	KindDayClosed            Kind = 7
	KindGameOpened           Kind = 8
	KindTicketSold           Kind = 9
	KindGameClosed           Kind = 10
	KindGameSealed           Kind = 11
	KindNumberDrawn          Kind = 12
	KindGameDrawn            Kind = 13
	KindGameSettled          Kind = 14
	KindTicketPaid           Kind = 15
	KindRequestBurned        Kind = 16
	KindPrizesCarried        Kind = 17
	KindTicketCancelled      Kind = 18
	KindPoolOpened           Kind = 24
	KindPoolMoved            Kind = 25
	KindParticipantsNamed    Kind = 26
	KindJurisdictionReported Kind = 27
	KindTermsChanged         Kind = 28
	KindGameDesignated       Kind = 29
	KindPromotionBegun       Kind = 50
	KindPromotionChanged     Kind = 51
	KindBonusAllocated       Kind = 19
	KindBonusMoved           Kind = 160
	KindDrawVoided           Kind = 20
	KindGameVoided           Kind = 21
	KindPlayPaused           Kind = 52
	KindPlayResumed          Kind = 53
	KindClosureAnnounced     Kind = 54
	KindGameWitnessed        Kind = 22
	KindJournalWitnessed     Kind = 56
	KindWitnessesNamed       Kind = 55
	KindLevelRaised          Kind = 57
	KindResultConfirmed      Kind = 58
	KindOperatorAdded        Kind = 30
	KindVenueOperated        Kind = 31
	KindHoursSet             Kind = 32
	KindAreaAdded            Kind = 33
	KindTerminalPlaced       Kind = 34
	KindDisplayReported      Kind = 35
	KindTerminalKeyed        Kind = 36
	KindTerminalRevoked      Kind = 37
	KindPersonAdded          Kind = 38
	KindPersonErased         Kind = 39
	KindRoleGranted          Kind = 40
	KindRoleWithdrawn        Kind = 41
	KindPasswordSet          Kind = 42
	KindLockSet              Kind = 43
	KindShiftBegun           Kind = 44
	KindShiftEnding          Kind = 45
	KindShiftEnded           Kind = 46
	KindApprovalRequested    Kind = 47
	KindApprovalDecided      Kind = 48
	KindApprovalUsed         Kind = 49
	KindPersonInvited        Kind = 180
	KindPersonRecovered      Kind = 181

	// Kinds of customer sessions, papers that stand for money, cheques, and stops of payment.
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

	// Kinds of what draws the games: the device, the chains of custodians, and what people do at a ball machine.
	KindDeviceChosen   Kind = 120
	KindChainCommitted Kind = 121
	KindLinkReleased   Kind = 122
	KindCageStarted    Kind = 123
	KindBallKeyed      Kind = 124
	KindCageAttended   Kind = 125
	KindLinksCommitted Kind = 127
	KindLinkGiven      Kind = 128

	// Kinds of prizes that nobody fetched, and of claims on a form.
	KindPrizesSwept  Kind = 140
	KindClaimLodged  Kind = 141
	KindClaimNoted   Kind = 142
	KindClaimSigned  Kind = 143
	KindClaimDecided Kind = 144
	KindClaimPaid    Kind = 145

	// Kinds of notices, of corrections of results, and of customers whom the register has forgotten.
	KindNoticeShown     Kind = 130
	KindResultCorrected Kind = 170
	KindHolderErased    Kind = 150
	KindPayeeErased     Kind = 151

	// Kinds of bingo rooms.
	KindHallOpened         Kind = 60
	KindTableAdded         Kind = 61
	KindMemberSet          Kind = 62
	KindSessionSet         Kind = 63
	KindPlayerEntered      Kind = 64
	KindIssueClosed        Kind = 65
	KindBingoAnnounced     Kind = 66
	KindBingoSealed        Kind = 67
	KindNumberCalled       Kind = 68
	KindBingoDrawn         Kind = 69
	KindCallCorrected      Kind = 70
	KindClaimOpened        Kind = 71
	KindClaimChecked       Kind = 72
	KindBingoSettled       Kind = 73
	KindBingoVoided        Kind = 74
	KindFeesRefunded       Kind = 75
	KindRefundPaid         Kind = 76
	KindBingoPaid          Kind = 77
	KindDeviceFailed       Kind = 78
	KindDeviceReplaced     Kind = 79
	KindDeviceReturned     Kind = 80
	KindPlayerBarred       Kind = 81
	KindSessionClosing     Kind = 82
	KindSessionClosed      Kind = 83
	KindDisputeRaised      Kind = 84
	KindDisputeMoved       Kind = 85
	KindIncidentNoted      Kind = 86
	KindOfferNotified      Kind = 87
	KindOfferStarted       Kind = 88
	KindOfferEntered       Kind = 89
	KindOfferSealed        Kind = 90
	KindOfferDrawn         Kind = 91
	KindOfferTold          Kind = 92
	KindOfferClaimed       Kind = 93
	KindOfferStopped       Kind = 94
	KindBingoWitnessed     Kind = 95
	KindDisputeAwarded     Kind = 196
	KindDisputePaid        Kind = 197
	KindSessionChanged     Kind = 96
	KindSessionCancelled   Kind = 97
	KindEntryUndone        Kind = 98
	KindOutcomeInvalidated Kind = 99
)

// row is all that the journal knows of a kind.
type row struct {
	kind Kind
	name string // for people: the name of the type, in words
	// version is that of the body, as it is written.
	version uint8
	empty   func() Body
	body    reflect.Type
	// paper, if set, returns the ticket or paper that a record is about and that an earlier
	// record issued.
	paper func(Body) Place
	// terminal, if set, returns the terminal at which a record came about: cash that the
	// record moves is in the bank of that terminal.
	terminal func(Body) uint32
}

// of begins the row of a kind, whose bodies have a type.
func of[B any, P interface {
	*B
	Body
}](kind Kind) row {
	body := reflect.TypeFor[B]()
	return row{kind: kind, name: words(body.Name()), version: 1, empty: func() Body { return P(new(B)) }, body: body}
}

// about says which ticket or paper records of a kind are about.
func about[P Body](r row, paper func(P) Place) row {
	r.paper = func(b Body) Place { return paper(b.(P)) } //nolint:errcheck // A row is asked about bodies of its type.
	return r
}

// at says at which terminal records of a kind come about.
func at[P Body](r row, terminal func(P) uint32) row {
	r.terminal = func(b Body) uint32 { return terminal(b.(P)) } //nolint:errcheck // As above.
	return r
}

// words parts a name of a type into lower-case words.
func words(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// rows is the list of all kinds, one row each.
var rows = []row{
	of[VolumeBegun](KindVolumeBegun),
	of[RulebookAdopted](KindRulebookAdopted),
	of[SeriesBegun](KindSeriesBegun),
	of[VenueAdded](KindVenueAdded),
	of[TerminalAdded](KindTerminalAdded),
	of[DayOpened](KindDayOpened),
	of[DayClosed](KindDayClosed),
	of[GameOpened](KindGameOpened),
	at(of[TicketSold](KindTicketSold), func(b *TicketSold) uint32 { return b.Request.Terminal }),
	of[GameClosed](KindGameClosed),
	of[GameSealed](KindGameSealed),
	of[NumberDrawn](KindNumberDrawn),
	of[GameDrawn](KindGameDrawn),
	of[GameSettled](KindGameSettled),
	at(about(of[TicketPaid](KindTicketPaid), func(b *TicketPaid) Place { return b.Ticket }), func(b *TicketPaid) uint32 { return b.Request.Terminal }),
	of[RequestBurned](KindRequestBurned),
	of[PrizesCarried](KindPrizesCarried),
	at(about(of[TicketCancelled](KindTicketCancelled), func(b *TicketCancelled) Place { return b.Ticket }), func(b *TicketCancelled) uint32 { return b.Request.Terminal }),
	of[PoolOpened](KindPoolOpened),
	of[PoolMoved](KindPoolMoved),
	of[ParticipantsNamed](KindParticipantsNamed),
	of[JurisdictionReported](KindJurisdictionReported),
	of[TermsChanged](KindTermsChanged),
	of[GameDesignated](KindGameDesignated),
	of[PromotionBegun](KindPromotionBegun),
	of[PromotionChanged](KindPromotionChanged),
	at(about(of[BonusAllocated](KindBonusAllocated), func(b *BonusAllocated) Place { return b.Ticket }), func(b *BonusAllocated) uint32 { return b.Terminal }),
	of[BonusMoved](KindBonusMoved),
	of[DrawVoided](KindDrawVoided),
	of[GameVoided](KindGameVoided),
	of[PlayPaused](KindPlayPaused),
	of[PlayResumed](KindPlayResumed),
	of[ClosureAnnounced](KindClosureAnnounced),
	of[GameWitnessed](KindGameWitnessed),
	of[JournalWitnessed](KindJournalWitnessed),
	of[WitnessesNamed](KindWitnessesNamed),
	of[LevelRaised](KindLevelRaised),
	of[ResultConfirmed](KindResultConfirmed),
	of[OperatorAdded](KindOperatorAdded),
	of[VenueOperated](KindVenueOperated),
	of[HoursSet](KindHoursSet),
	of[AreaAdded](KindAreaAdded),
	of[TerminalPlaced](KindTerminalPlaced),
	of[DisplayReported](KindDisplayReported),
	of[TerminalKeyed](KindTerminalKeyed),
	of[TerminalRevoked](KindTerminalRevoked),
	of[PersonAdded](KindPersonAdded),
	of[PersonErased](KindPersonErased),
	of[RoleGranted](KindRoleGranted),
	of[RoleWithdrawn](KindRoleWithdrawn),
	of[PasswordSet](KindPasswordSet),
	of[LockSet](KindLockSet),
	of[ShiftBegun](KindShiftBegun),
	of[ShiftEnding](KindShiftEnding),
	of[ShiftEnded](KindShiftEnded),
	of[ApprovalRequested](KindApprovalRequested),
	of[ApprovalDecided](KindApprovalDecided),
	of[ApprovalUsed](KindApprovalUsed),
	of[PersonInvited](KindPersonInvited),
	of[PersonRecovered](KindPersonRecovered),

	at(of[SessionEnded](KindSessionEnded), func(b *SessionEnded) uint32 { return b.Request.Terminal }),
	at(of[InstrumentIssued](KindInstrumentIssued), func(b *InstrumentIssued) uint32 { return b.Request.Terminal }),
	of[InstrumentsExpired](KindInstrumentsExpired),
	about(of[PaperReissued](KindPaperReissued), func(b *PaperReissued) Place { return b.Of }),
	about(of[PaperUndelivered](KindPaperUndelivered), func(b *PaperUndelivered) Place { return b.Paper }),
	of[CardRegistered](KindCardRegistered),
	of[CardStatusSet](KindCardStatusSet),
	of[CardNotified](KindCardNotified),
	of[PaymentFrozen](KindPaymentFrozen),
	of[PaymentReleased](KindPaymentReleased),
	about(of[TicketDisqualified](KindTicketDisqualified), func(b *TicketDisqualified) Place { return b.Ticket }),
	about(of[TicketReinstated](KindTicketReinstated), func(b *TicketReinstated) Place { return b.Ticket }),
	about(of[TicketInvalidated](KindTicketInvalidated), func(b *TicketInvalidated) Place { return b.Ticket }),
	about(of[PrizeForfeited](KindPrizeForfeited), func(b *PrizeForfeited) Place { return b.Ticket }),
	about(of[AnonymitySet](KindAnonymitySet), func(b *AnonymitySet) Place { return b.Ticket }),
	of[VenueLimitSet](KindVenueLimitSet),
	at(of[BankMoved](KindBankMoved), func(b *BankMoved) uint32 { return b.Terminal }),
	at(of[BankCounted](KindBankCounted), func(b *BankCounted) uint32 { return b.Terminal }),
	of[HolidaysNamed](KindHolidaysNamed),
	of[ChequePromised](KindChequePromised),
	of[ChequeHanded](KindChequeHanded),

	of[DeviceChosen](KindDeviceChosen),
	of[ChainCommitted](KindChainCommitted),
	of[LinkReleased](KindLinkReleased),
	of[CageStarted](KindCageStarted),
	of[BallKeyed](KindBallKeyed),
	of[CageAttended](KindCageAttended),
	of[LinksCommitted](KindLinksCommitted),
	of[LinkGiven](KindLinkGiven),

	of[PrizesSwept](KindPrizesSwept),
	of[ClaimLodged](KindClaimLodged),
	of[ClaimNoted](KindClaimNoted),
	of[ClaimSigned](KindClaimSigned),
	of[ClaimDecided](KindClaimDecided),
	of[ClaimPaid](KindClaimPaid),

	of[NoticeShown](KindNoticeShown),
	of[ResultCorrected](KindResultCorrected),
	of[HolderErased](KindHolderErased),
	of[PayeeErased](KindPayeeErased),

	of[HallOpened](KindHallOpened),
	of[TableAdded](KindTableAdded),
	of[MemberSet](KindMemberSet),
	of[SessionSet](KindSessionSet),
	of[PlayerEntered](KindPlayerEntered),
	of[IssueClosed](KindIssueClosed),
	of[BingoAnnounced](KindBingoAnnounced),
	of[BingoSealed](KindBingoSealed),
	of[NumberCalled](KindNumberCalled),
	of[BingoDrawn](KindBingoDrawn),
	of[CallCorrected](KindCallCorrected),
	of[ClaimOpened](KindClaimOpened),
	of[ClaimChecked](KindClaimChecked),
	of[BingoSettled](KindBingoSettled),
	of[BingoVoided](KindBingoVoided),
	of[FeesRefunded](KindFeesRefunded),
	of[RefundPaid](KindRefundPaid),
	of[BingoPaid](KindBingoPaid),
	of[DeviceFailed](KindDeviceFailed),
	of[DeviceReplaced](KindDeviceReplaced),
	of[DeviceReturned](KindDeviceReturned),
	of[PlayerBarred](KindPlayerBarred),
	of[SessionClosing](KindSessionClosing),
	of[SessionClosed](KindSessionClosed),
	of[DisputeRaised](KindDisputeRaised),
	of[DisputeMoved](KindDisputeMoved),
	of[IncidentNoted](KindIncidentNoted),
	of[OfferNotified](KindOfferNotified),
	of[OfferStarted](KindOfferStarted),
	of[OfferEntered](KindOfferEntered),
	of[OfferSealed](KindOfferSealed),
	of[OfferDrawn](KindOfferDrawn),
	of[OfferTold](KindOfferTold),
	of[OfferClaimed](KindOfferClaimed),
	of[OfferStopped](KindOfferStopped),
	of[BingoWitnessed](KindBingoWitnessed),
	of[DisputeAwarded](KindDisputeAwarded),
	of[DisputePaid](KindDisputePaid),
	of[SessionChanged](KindSessionChanged),
	of[SessionCancelled](KindSessionCancelled),
	of[EntryUndone](KindEntryUndone),
	of[OutcomeInvalidated](KindOutcomeInvalidated),
}

// rowOf finds rows by the numbers of their kinds, and kinds finds kinds by their types.
var rowOf, kinds = arranged(rows)

func arranged(rows []row) (*[256]*row, map[reflect.Type]Kind) {
	byKind, byType := new([256]*row), make(map[reflect.Type]Kind, len(rows))
	for i := range rows {
		r := &rows[i]
		if _, twice := byType[reflect.PointerTo(r.body)]; twice || byKind[r.kind] != nil {
			panic(fmt.Sprintf("record: kind %d or %s has two rows", r.kind, r.body.Name()))
		}
		byKind[r.kind], byType[reflect.PointerTo(r.body)] = r, r.kind
	}
	return byKind, byType
}

// Kinds returns all kinds of records, ascending.
func Kinds() []Kind {
	all := make([]Kind, len(rows))
	for i := range rows {
		all[i] = rows[i].kind
	}
	slices.Sort(all)
	return all
}

// Version returns the version in which bodies of a kind are written, or 0 where there is no
// such kind.
func Version(kind Kind) uint8 {
	if r := rowOf[kind]; r != nil {
		return r.version
	}
	return 0
}

// Empty returns an empty body of a kind, or nil where there is no such kind.
func Empty(kind Kind) Body {
	if r := rowOf[kind]; r != nil {
		return r.empty()
	}
	return nil
}

// String returns the kind's name.
func (k Kind) String() string {
	if r := rowOf[k]; r != nil {
		return r.name
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// kindOf returns the kind of a body. A sale is not looked up: there are more of them than of
// everything else.
func kindOf(b Body) Kind {
	if _, sale := b.(*TicketSold); sale {
		return KindTicketSold
	}
	return kinds[reflect.TypeOf(b)]
}

// Subject returns the ticket or paper that the record is about, where it is about
// one that an earlier record issued.
func (r Record) Subject() (Place, bool) {
	if row := rowOf[r.Kind()]; row != nil && row.paper != nil {
		return row.paper(r.Body), true
	}
	return Place{}, false
}

// Terminal returns the terminal at which the record came about, where it did at one:
// cash that it moves is in that terminal's bank.
func (r Record) Terminal() (uint32, bool) {
	if row := rowOf[r.Kind()]; row != nil && row.terminal != nil {
		return row.terminal(r.Body), true
	}
	return 0, false
}
