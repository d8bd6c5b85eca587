package record

import (
	"fmt"
	"maps"
	"slices"
)

// Kind is the number of a kind of record. Numbers stay what they are for ever.
type Kind uint8

// The kinds. What happens often has a number below 24, which takes one byte.
const (
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
	// From 60 on, and 196 and 197, are those of bingo rooms, see hallShapes, and from 100 on
	// those of sessions and papers, see moneyShapes; from 120 on those of devices, see
	// deviceShapes; from 130 on notices, see noticeShapes; from 140 on those of claims, see claimShapes; from 150 on those of
	// customers who are forgotten, see erasureShapes; from 170 on those of corrections, see correctionShapes.
)

// shape is what the encoder knows of a kind: its name for people, the version
// of its body that is written, and how to make an empty body to decode into.
type shape struct {
	name    string
	version uint8
	empty   func() Body
}

// houseShapes are the shapes of the kinds above.
var houseShapes = map[Kind]shape{
	KindVolumeBegun:          {"volume begun", 1, func() Body { return new(VolumeBegun) }},
	KindRulebookAdopted:      {"rulebook adopted", 1, func() Body { return new(RulebookAdopted) }},
	KindSeriesBegun:          {"series begun", 1, func() Body { return new(SeriesBegun) }},
	KindVenueAdded:           {"venue added", 1, func() Body { return new(VenueAdded) }},
	KindTerminalAdded:        {"terminal added", 1, func() Body { return new(TerminalAdded) }},
	KindDayOpened:            {"day opened", 1, func() Body { return new(DayOpened) }},
	KindDayClosed:            {"day closed", 1, func() Body { return new(DayClosed) }},
	KindGameOpened:           {"game opened", 1, func() Body { return new(GameOpened) }},
	KindTicketSold:           {"ticket sold", 1, func() Body { return new(TicketSold) }},
	KindGameClosed:           {"game closed", 1, func() Body { return new(GameClosed) }},
	KindGameSealed:           {"game sealed", 1, func() Body { return new(GameSealed) }},
	KindNumberDrawn:          {"number drawn", 1, func() Body { return new(NumberDrawn) }},
	KindGameDrawn:            {"game drawn", 1, func() Body { return new(GameDrawn) }},
	KindGameSettled:          {"game settled", 1, func() Body { return new(GameSettled) }},
	KindTicketPaid:           {"ticket paid", 1, func() Body { return new(TicketPaid) }},
	KindRequestBurned:        {"request burned", 1, func() Body { return new(RequestBurned) }},
	KindPrizesCarried:        {"prizes carried", 1, func() Body { return new(PrizesCarried) }},
	KindTicketCancelled:      {"ticket cancelled", 1, func() Body { return new(TicketCancelled) }},
	KindPoolOpened:           {"pool opened", 1, func() Body { return new(PoolOpened) }},
	KindPoolMoved:            {"pool moved", 1, func() Body { return new(PoolMoved) }},
	KindParticipantsNamed:    {"participants named", 1, func() Body { return new(ParticipantsNamed) }},
	KindJurisdictionReported: {"jurisdiction reported", 1, func() Body { return new(JurisdictionReported) }},
	KindTermsChanged:         {"terms changed", 1, func() Body { return new(TermsChanged) }},
	KindGameDesignated:       {"game designated", 1, func() Body { return new(GameDesignated) }},
	KindPromotionBegun:       {"promotion begun", 1, func() Body { return new(PromotionBegun) }},
	KindPromotionChanged:     {"promotion changed", 1, func() Body { return new(PromotionChanged) }},
	KindBonusAllocated:       {"bonus allocated", 1, func() Body { return new(BonusAllocated) }},
	KindBonusMoved:           {"bonus moved", 1, func() Body { return new(BonusMoved) }},
	KindDrawVoided:           {"draw voided", 1, func() Body { return new(DrawVoided) }},
	KindGameVoided:           {"game voided", 1, func() Body { return new(GameVoided) }},
	KindPlayPaused:           {"play paused", 1, func() Body { return new(PlayPaused) }},
	KindPlayResumed:          {"play resumed", 1, func() Body { return new(PlayResumed) }},
	KindClosureAnnounced:     {"closure announced", 1, func() Body { return new(ClosureAnnounced) }},
	KindGameWitnessed:        {"game witnessed", 1, func() Body { return new(GameWitnessed) }},
	KindJournalWitnessed:     {"journal witnessed", 1, func() Body { return new(JournalWitnessed) }},
	KindWitnessesNamed:       {"witnesses named", 1, func() Body { return new(WitnessesNamed) }},
	KindLevelRaised:          {"level raised", 1, func() Body { return new(LevelRaised) }},
	KindResultConfirmed:      {"result confirmed", 1, func() Body { return new(ResultConfirmed) }},
	KindOperatorAdded:        {"operator added", 1, func() Body { return new(OperatorAdded) }},
	KindVenueOperated:        {"venue operated", 1, func() Body { return new(VenueOperated) }},
	KindHoursSet:             {"hours set", 1, func() Body { return new(HoursSet) }},
	KindAreaAdded:            {"area added", 1, func() Body { return new(AreaAdded) }},
	KindTerminalPlaced:       {"terminal placed", 1, func() Body { return new(TerminalPlaced) }},
	KindDisplayReported:      {"display reported", 1, func() Body { return new(DisplayReported) }},
	KindTerminalKeyed:        {"terminal keyed", 1, func() Body { return new(TerminalKeyed) }},
	KindTerminalRevoked:      {"terminal revoked", 1, func() Body { return new(TerminalRevoked) }},
	KindPersonAdded:          {"person added", 1, func() Body { return new(PersonAdded) }},
	KindPersonErased:         {"person erased", 1, func() Body { return new(PersonErased) }},
	KindRoleGranted:          {"role granted", 1, func() Body { return new(RoleGranted) }},
	KindRoleWithdrawn:        {"role withdrawn", 1, func() Body { return new(RoleWithdrawn) }},
	KindPasswordSet:          {"password set", 1, func() Body { return new(PasswordSet) }},
	KindLockSet:              {"lock set", 1, func() Body { return new(LockSet) }},
	KindShiftBegun:           {"shift begun", 1, func() Body { return new(ShiftBegun) }},
	KindShiftEnding:          {"shift ending", 1, func() Body { return new(ShiftEnding) }},
	KindShiftEnded:           {"shift ended", 1, func() Body { return new(ShiftEnded) }},
	KindApprovalRequested:    {"approval requested", 1, func() Body { return new(ApprovalRequested) }},
	KindApprovalDecided:      {"approval decided", 1, func() Body { return new(ApprovalDecided) }},
	KindApprovalUsed:         {"approval used", 1, func() Body { return new(ApprovalUsed) }},
	KindPersonInvited:        {"person invited", 1, func() Body { return new(PersonInvited) }},
	KindPersonRecovered:      {"person recovered", 1, func() Body { return new(PersonRecovered) }},
}

// shapes are those of all kinds.
var shapes = joined(houseShapes, hallShapes, moneyShapes, deviceShapes, noticeShapes, claimShapes, erasureShapes, correctionShapes)

func joined(parts ...map[Kind]shape) map[Kind]shape {
	all := map[Kind]shape{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

// Kinds returns all kinds of records, ascending.
func Kinds() []Kind { return slices.Sorted(maps.Keys(shapes)) }

// Empty returns an empty body of a kind, or nil where there is no such kind.
func Empty(kind Kind) Body {
	if s, ok := shapes[kind]; ok {
		return s.empty()
	}
	return nil
}

// String returns the kind's name.
func (k Kind) String() string {
	if s, ok := shapes[k]; ok {
		return s.name
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

func (*VolumeBegun) kind() Kind          { return KindVolumeBegun }
func (*RulebookAdopted) kind() Kind      { return KindRulebookAdopted }
func (*SeriesBegun) kind() Kind          { return KindSeriesBegun }
func (*VenueAdded) kind() Kind           { return KindVenueAdded }
func (*TerminalAdded) kind() Kind        { return KindTerminalAdded }
func (*DayOpened) kind() Kind            { return KindDayOpened }
func (*DayClosed) kind() Kind            { return KindDayClosed }
func (*GameOpened) kind() Kind           { return KindGameOpened }
func (*TicketSold) kind() Kind           { return KindTicketSold }
func (*GameClosed) kind() Kind           { return KindGameClosed }
func (*GameSealed) kind() Kind           { return KindGameSealed }
func (*NumberDrawn) kind() Kind          { return KindNumberDrawn }
func (*GameDrawn) kind() Kind            { return KindGameDrawn }
func (*GameSettled) kind() Kind          { return KindGameSettled }
func (*TicketPaid) kind() Kind           { return KindTicketPaid }
func (*RequestBurned) kind() Kind        { return KindRequestBurned }
func (*PrizesCarried) kind() Kind        { return KindPrizesCarried }
func (*TicketCancelled) kind() Kind      { return KindTicketCancelled }
func (*PoolOpened) kind() Kind           { return KindPoolOpened }
func (*PoolMoved) kind() Kind            { return KindPoolMoved }
func (*ParticipantsNamed) kind() Kind    { return KindParticipantsNamed }
func (*JurisdictionReported) kind() Kind { return KindJurisdictionReported }
func (*TermsChanged) kind() Kind         { return KindTermsChanged }
func (*GameDesignated) kind() Kind       { return KindGameDesignated }
func (*PromotionBegun) kind() Kind       { return KindPromotionBegun }
func (*PromotionChanged) kind() Kind     { return KindPromotionChanged }
func (*BonusAllocated) kind() Kind       { return KindBonusAllocated }
func (*BonusMoved) kind() Kind           { return KindBonusMoved }
func (*OperatorAdded) kind() Kind        { return KindOperatorAdded }
func (*VenueOperated) kind() Kind        { return KindVenueOperated }
func (*HoursSet) kind() Kind             { return KindHoursSet }
func (*AreaAdded) kind() Kind            { return KindAreaAdded }
func (*TerminalPlaced) kind() Kind       { return KindTerminalPlaced }
func (*DisplayReported) kind() Kind      { return KindDisplayReported }
func (*TerminalKeyed) kind() Kind        { return KindTerminalKeyed }
func (*TerminalRevoked) kind() Kind      { return KindTerminalRevoked }
func (*PersonAdded) kind() Kind          { return KindPersonAdded }
func (*PersonErased) kind() Kind         { return KindPersonErased }
func (*RoleGranted) kind() Kind          { return KindRoleGranted }
func (*RoleWithdrawn) kind() Kind        { return KindRoleWithdrawn }
func (*PasswordSet) kind() Kind          { return KindPasswordSet }
func (*LockSet) kind() Kind              { return KindLockSet }
func (*ShiftBegun) kind() Kind           { return KindShiftBegun }
func (*ShiftEnding) kind() Kind          { return KindShiftEnding }
func (*ShiftEnded) kind() Kind           { return KindShiftEnded }
func (*ApprovalRequested) kind() Kind    { return KindApprovalRequested }
func (*ApprovalDecided) kind() Kind      { return KindApprovalDecided }
func (*ApprovalUsed) kind() Kind         { return KindApprovalUsed }
func (*PersonInvited) kind() Kind        { return KindPersonInvited }
func (*PersonRecovered) kind() Kind      { return KindPersonRecovered }
func (*DrawVoided) kind() Kind           { return KindDrawVoided }
func (*GameVoided) kind() Kind           { return KindGameVoided }
func (*PlayPaused) kind() Kind           { return KindPlayPaused }
func (*PlayResumed) kind() Kind          { return KindPlayResumed }
func (*ClosureAnnounced) kind() Kind     { return KindClosureAnnounced }
func (*GameWitnessed) kind() Kind        { return KindGameWitnessed }
func (*JournalWitnessed) kind() Kind     { return KindJournalWitnessed }
func (*WitnessesNamed) kind() Kind       { return KindWitnessesNamed }
func (*LevelRaised) kind() Kind          { return KindLevelRaised }
func (*ResultConfirmed) kind() Kind      { return KindResultConfirmed }
