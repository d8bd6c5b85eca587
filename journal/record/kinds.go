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
	KindVenueLicensed        Kind = 200
	KindPoolsTakenIn         Kind = 201
	KindSeriesLimited        Kind = 202
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
	KindBuildNamed           Kind = 193
	KindResultConfirmed      Kind = 58
	KindOperatorAdded        Kind = 30
	KindVenueOperated        Kind = 31
	KindHoursSet             Kind = 32
	KindVenueRenamed         Kind = 228
	KindRequestKeyed         Kind = 229
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
	KindSaleRefused        Kind = 195

	// Kinds of disputes between runners and players.
	KindRunnerDisputed       Kind = 198
	KindRunnerDisputeDecided Kind = 199
	KindVenueLimitSet        Kind = 115
	KindVenueListed          Kind = 194
	KindBankMoved            Kind = 116
	KindBankCounted          Kind = 117
	KindHolidaysNamed        Kind = 118
	KindChequePromised       Kind = 119
	KindChequeHanded         Kind = 161

	// Kinds of what draws the games: the device, the chains of custodians, and what people do at a ball machine.
	KindDeviceChosen   Kind = 120
	KindChainCommitted Kind = 121
	KindLinkReleased   Kind = 122
	KindCageStarted    Kind = 123
	KindBallKeyed      Kind = 124
	KindCageAttended   Kind = 125
	KindLinksCommitted Kind = 127
	KindLinkGiven      Kind = 128
	KindBeaconChosen   Kind = 226
	KindRoundGiven     Kind = 227

	// Kinds of the register of drawing devices, and of inspections.
	KindDeviceRegistered Kind = 190
	KindDeviceInspected  Kind = 191
	KindDrawInspected    Kind = 192

	// Kinds of prizes that nobody fetched, and of claims on a form.
	KindTicketsTakenIn Kind = 204
	KindTicketsLapsed  Kind = 205
	KindPrizesSwept    Kind = 140
	KindClaimLodged    Kind = 141
	KindClaimNoted     Kind = 142
	KindClaimSigned    Kind = 143
	KindClaimDecided   Kind = 144
	KindClaimPaid      Kind = 145

	// Kinds of the public log.
	KindLogBegun     Kind = 220
	KindLogWitnessed Kind = 221

	// Kinds of the money of the State.
	KindTaxStated          Kind = 215
	KindRemittanceMade     Kind = 216
	KindRemittanceReversed Kind = 225
	// Kinds of the money of venues: agreements, statements, cash, remittances and direct debits.
	KindVenueAgreed          Kind = 206
	KindVenueStated          Kind = 207
	KindCashCarried          Kind = 208
	KindRemittanceReceived   Kind = 209
	KindCreditorNamed        Kind = 210
	KindDebitsOrdered        Kind = 211
	KindDebitAnswered        Kind = 212
	KindDebitsWithdrawn      Kind = 222
	KindVenuePaid            Kind = 223
	KindVenuePaymentReversed Kind = 224

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
	// papers is the field, if there is one, with the ticket or paper that a record is about and
	// that an earlier record issued, or with a list of them.
	papers []int
	// till says that cash which a record moves is in the bank of the terminal where it came about.
	till bool
	// public says that everybody may read records of the kind. All others are for inspectors.
	public bool
	// story says that a record is part of the story of every ticket of its game.
	story bool
	// event says that a controller wants to look at it: it stands in the book of the day.
	event bool
	// follows says that a record follows from games, days or the record before it, and not
	// from a command that can be refused.
	follows bool
}

// of begins the row of a kind, whose bodies have a type.
func of[B any, P interface {
	*B
	Body
}](kind Kind) row {
	body := reflect.TypeFor[B]()
	return row{kind: kind, name: words(body.Name()), version: 1, empty: func() Body { return P(new(B)) }, body: body}
}

// about says in which field a kind names the tickets or papers that its records are about.
func (r row) about(name string) row {
	field, ok := r.body.FieldByName(name)
	if !ok || field.Type != placeType && field.Type != placesType {
		panic(fmt.Sprintf("record: %s.%s is no place", r.body.Name(), name))
	}
	r.papers = field.Index
	return r
}

var placeType, placesType = reflect.TypeFor[Place](), reflect.TypeFor[[]Place]()

// The marks of a row.
func (r row) atTill() row    { r.till = true; return r }
func (r row) forPublic() row { r.public = true; return r }
func (r row) inStories() row { r.story = true; return r }
func (r row) unusual() row   { r.event = true; return r }
func (r row) following() row { r.follows = true; return r }

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
	of[VolumeBegun](KindVolumeBegun).following().unusual(),
	of[RulebookAdopted](KindRulebookAdopted).unusual(),
	of[SeriesBegun](KindSeriesBegun),
	of[VenueAdded](KindVenueAdded),
	of[TerminalAdded](KindTerminalAdded),
	of[DayOpened](KindDayOpened).forPublic(),
	of[DayClosed](KindDayClosed).following().forPublic(),
	of[GameOpened](KindGameOpened).following().forPublic(),
	of[TicketSold](KindTicketSold).atTill(),
	of[GameClosed](KindGameClosed).following().forPublic().inStories(),
	of[GameSealed](KindGameSealed).following().forPublic().inStories(),
	of[NumberDrawn](KindNumberDrawn).forPublic(),
	of[GameDrawn](KindGameDrawn).forPublic().inStories(),
	of[GameSettled](KindGameSettled).following().forPublic().inStories().unusual(),
	of[TicketPaid](KindTicketPaid).about("Ticket").atTill(),
	of[RequestBurned](KindRequestBurned).unusual(),
	of[PrizesCarried](KindPrizesCarried).following(),
	of[TicketCancelled](KindTicketCancelled).about("Ticket").atTill().unusual(),
	of[PoolOpened](KindPoolOpened).forPublic(),
	of[PoolMoved](KindPoolMoved).forPublic().unusual(),
	of[ParticipantsNamed](KindParticipantsNamed).unusual(),
	of[JurisdictionReported](KindJurisdictionReported),
	of[TermsChanged](KindTermsChanged).unusual(),
	of[GameDesignated](KindGameDesignated),
	of[VenueLicensed](KindVenueLicensed).unusual(),
	of[PoolsTakenIn](KindPoolsTakenIn).forPublic().unusual(),
	of[SeriesLimited](KindSeriesLimited).forPublic().unusual(),
	of[PromotionBegun](KindPromotionBegun).unusual(),
	of[PromotionChanged](KindPromotionChanged).unusual(),
	of[BonusAllocated](KindBonusAllocated).following().about("Ticket").atTill(),
	of[BonusMoved](KindBonusMoved),
	of[DrawVoided](KindDrawVoided).following().forPublic().inStories().unusual(),
	of[GameVoided](KindGameVoided).following().forPublic().inStories().unusual(),
	of[PlayPaused](KindPlayPaused).forPublic().unusual(),
	of[PlayResumed](KindPlayResumed).forPublic().unusual(),
	of[ClosureAnnounced](KindClosureAnnounced).forPublic().unusual(),
	of[GameWitnessed](KindGameWitnessed).forPublic().inStories(),
	of[JournalWitnessed](KindJournalWitnessed),
	of[WitnessesNamed](KindWitnessesNamed).unusual(),
	of[LogBegun](KindLogBegun).unusual(),
	of[LogWitnessed](KindLogWitnessed),
	of[LevelRaised](KindLevelRaised).following(),
	of[BuildNamed](KindBuildNamed).following().unusual(),
	of[ResultConfirmed](KindResultConfirmed).inStories().unusual(),
	of[OperatorAdded](KindOperatorAdded),
	of[VenueOperated](KindVenueOperated),
	of[HoursSet](KindHoursSet).unusual(),
	of[VenueRenamed](KindVenueRenamed).unusual(),
	of[AreaAdded](KindAreaAdded),
	of[TerminalPlaced](KindTerminalPlaced),
	of[DisplayReported](KindDisplayReported).unusual(),
	of[TerminalKeyed](KindTerminalKeyed).unusual(),
	of[TerminalRevoked](KindTerminalRevoked).unusual(),
	of[PersonAdded](KindPersonAdded),
	of[PersonErased](KindPersonErased),
	of[RoleGranted](KindRoleGranted).unusual(),
	of[RoleWithdrawn](KindRoleWithdrawn).unusual(),
	of[PasswordSet](KindPasswordSet),
	of[LockSet](KindLockSet).unusual(),
	of[ShiftBegun](KindShiftBegun),
	of[ShiftEnding](KindShiftEnding),
	of[ShiftEnded](KindShiftEnded),
	of[ApprovalRequested](KindApprovalRequested),
	of[ApprovalDecided](KindApprovalDecided),
	of[RequestKeyed](KindRequestKeyed).following(),
	of[ApprovalUsed](KindApprovalUsed).unusual(),
	of[PersonInvited](KindPersonInvited),
	of[PersonRecovered](KindPersonRecovered),

	of[SessionEnded](KindSessionEnded).atTill().unusual(),
	of[InstrumentIssued](KindInstrumentIssued).atTill(),
	of[InstrumentsExpired](KindInstrumentsExpired).following(),
	of[PaperReissued](KindPaperReissued).following().about("Of").unusual(),
	of[PaperUndelivered](KindPaperUndelivered).about("Paper"),
	of[CardRegistered](KindCardRegistered),
	of[CardStatusSet](KindCardStatusSet),
	of[CardNotified](KindCardNotified),
	of[PaymentFrozen](KindPaymentFrozen).about("Places").unusual(),
	of[PaymentReleased](KindPaymentReleased).about("Places").unusual(),
	of[TicketDisqualified](KindTicketDisqualified).about("Ticket").unusual(),
	of[TicketReinstated](KindTicketReinstated).about("Ticket").unusual(),
	of[TicketInvalidated](KindTicketInvalidated).about("Ticket").unusual(),
	of[PrizeForfeited](KindPrizeForfeited).about("Ticket").unusual(),
	of[SaleRefused](KindSaleRefused).unusual(),
	of[RunnerDisputed](KindRunnerDisputed).unusual(),
	of[RunnerDisputeDecided](KindRunnerDisputeDecided).unusual(),
	of[AnonymitySet](KindAnonymitySet).about("Ticket"),
	of[VenueLimitSet](KindVenueLimitSet).unusual(),
	of[VenueListed](KindVenueListed).unusual(),
	of[BankMoved](KindBankMoved).atTill(),
	of[BankCounted](KindBankCounted).atTill().unusual(),
	of[HolidaysNamed](KindHolidaysNamed).unusual(),
	of[ChequePromised](KindChequePromised).following(),
	of[ChequeHanded](KindChequeHanded),

	of[DeviceChosen](KindDeviceChosen).unusual(),
	of[DeviceRegistered](KindDeviceRegistered).unusual(),
	of[DeviceInspected](KindDeviceInspected).unusual(),
	of[DrawInspected](KindDrawInspected).unusual(),
	of[ChainCommitted](KindChainCommitted),
	of[LinkReleased](KindLinkReleased),
	of[CageStarted](KindCageStarted),
	of[BallKeyed](KindBallKeyed),
	of[CageAttended](KindCageAttended),
	of[LinksCommitted](KindLinksCommitted),
	of[LinkGiven](KindLinkGiven),
	of[BeaconChosen](KindBeaconChosen).unusual(),
	of[RoundGiven](KindRoundGiven),

	of[PrizesSwept](KindPrizesSwept).following().unusual(),
	of[TicketsTakenIn](KindTicketsTakenIn).unusual(),
	of[TicketsLapsed](KindTicketsLapsed).following().unusual(),
	of[TaxStated](KindTaxStated).following().unusual(),
	of[RemittanceMade](KindRemittanceMade).unusual(),
	of[RemittanceReversed](KindRemittanceReversed).unusual(),
	of[ClaimLodged](KindClaimLodged),
	of[ClaimNoted](KindClaimNoted),
	of[ClaimSigned](KindClaimSigned),
	of[ClaimDecided](KindClaimDecided).unusual(),
	of[ClaimPaid](KindClaimPaid).unusual(),

	of[VenueAgreed](KindVenueAgreed).unusual(),
	of[VenueStated](KindVenueStated).following(),
	of[CashCarried](KindCashCarried).unusual(),
	of[RemittanceReceived](KindRemittanceReceived),
	of[CreditorNamed](KindCreditorNamed).unusual(),
	of[DebitsOrdered](KindDebitsOrdered).unusual(),
	of[DebitAnswered](KindDebitAnswered).unusual(),
	of[DebitsWithdrawn](KindDebitsWithdrawn).unusual(),
	of[VenuePaid](KindVenuePaid).unusual(),
	of[VenuePaymentReversed](KindVenuePaymentReversed).unusual(),

	of[NoticeShown](KindNoticeShown).forPublic(),
	of[ResultCorrected](KindResultCorrected).following().forPublic().inStories().unusual(),
	of[HolderErased](KindHolderErased),
	of[PayeeErased](KindPayeeErased),

	of[HallOpened](KindHallOpened),
	of[TableAdded](KindTableAdded),
	of[MemberSet](KindMemberSet),
	of[SessionSet](KindSessionSet).forPublic(),
	of[PlayerEntered](KindPlayerEntered),
	of[IssueClosed](KindIssueClosed).following().forPublic(),
	of[BingoAnnounced](KindBingoAnnounced).forPublic(),
	of[BingoSealed](KindBingoSealed).forPublic(),
	of[NumberCalled](KindNumberCalled).forPublic(),
	of[BingoDrawn](KindBingoDrawn).forPublic(),
	of[CallCorrected](KindCallCorrected).forPublic().unusual(),
	of[ClaimOpened](KindClaimOpened).forPublic(),
	of[ClaimChecked](KindClaimChecked).forPublic(),
	of[BingoSettled](KindBingoSettled).following().forPublic(),
	of[BingoVoided](KindBingoVoided).following().forPublic().unusual(),
	of[FeesRefunded](KindFeesRefunded).following(),
	of[RefundPaid](KindRefundPaid),
	of[BingoPaid](KindBingoPaid),
	of[DeviceFailed](KindDeviceFailed).forPublic(),
	of[DeviceReplaced](KindDeviceReplaced).forPublic(),
	of[DeviceReturned](KindDeviceReturned),
	of[PlayerBarred](KindPlayerBarred).unusual(),
	of[SessionClosing](KindSessionClosing).forPublic(),
	of[SessionClosed](KindSessionClosed).following().forPublic(),
	of[DisputeRaised](KindDisputeRaised).unusual(),
	of[DisputeMoved](KindDisputeMoved).unusual(),
	of[IncidentNoted](KindIncidentNoted).unusual(),
	of[OfferNotified](KindOfferNotified),
	of[OfferStarted](KindOfferStarted),
	of[OfferEntered](KindOfferEntered),
	of[OfferSealed](KindOfferSealed),
	of[OfferDrawn](KindOfferDrawn),
	of[OfferTold](KindOfferTold),
	of[OfferClaimed](KindOfferClaimed),
	of[OfferStopped](KindOfferStopped),
	of[BingoWitnessed](KindBingoWitnessed).forPublic(),
	of[DisputeAwarded](KindDisputeAwarded).following().unusual(),
	of[DisputePaid](KindDisputePaid).unusual(),
	of[SessionChanged](KindSessionChanged).forPublic().unusual(),
	of[SessionCancelled](KindSessionCancelled).forPublic().unusual(),
	of[EntryUndone](KindEntryUndone).unusual(),
	of[OutcomeInvalidated](KindOutcomeInvalidated).unusual(),
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

// Public reports whether everybody may read records of the kind, as events. All others are for
// inspectors.
func (k Kind) Public() bool { return rowOf[k] != nil && rowOf[k].public }

// InStories reports whether records of the kind are part of the story of every ticket of the
// game that they are about.
func (k Kind) InStories() bool { return rowOf[k] != nil && rowOf[k].story }

// Unusual reports whether a controller wants to look at records of the kind: they are events in
// the book of the day.
func (k Kind) Unusual() bool { return rowOf[k] != nil && rowOf[k].event }

// Follows reports whether records of a kind follow from games, days or the record before
// them, and not from a command that can be refused. A balance may go on beyond
// [money.MaxBalance] by them.
func (k Kind) Follows() bool { return rowOf[k] != nil && rowOf[k].follows }

// kindOf returns the kind of a body. A sale is not looked up: there are more of them than of
// everything else.
func kindOf(b Body) Kind {
	if _, sale := b.(*TicketSold); sale {
		return KindTicketSold
	}
	return kinds[reflect.TypeOf(b)]
}
