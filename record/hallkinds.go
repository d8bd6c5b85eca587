package record

// The kinds of records of bingo rooms.
const (
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
	KindDisputeAwarded     Kind = 196 // 60 to 99 are taken
	KindDisputePaid        Kind = 197
	KindSessionChanged     Kind = 96
	KindSessionCancelled   Kind = 97
	KindEntryUndone        Kind = 98
	KindOutcomeInvalidated Kind = 99
)

// hallShapes are the shapes of these kinds.
var hallShapes = map[Kind]shape{
	KindHallOpened:         {"hall opened", 1, func() Body { return new(HallOpened) }},
	KindTableAdded:         {"table added", 1, func() Body { return new(TableAdded) }},
	KindMemberSet:          {"member set", 1, func() Body { return new(MemberSet) }},
	KindSessionSet:         {"session set", 1, func() Body { return new(SessionSet) }},
	KindPlayerEntered:      {"player entered", 1, func() Body { return new(PlayerEntered) }},
	KindIssueClosed:        {"issue closed", 1, func() Body { return new(IssueClosed) }},
	KindBingoAnnounced:     {"bingo announced", 1, func() Body { return new(BingoAnnounced) }},
	KindBingoSealed:        {"bingo sealed", 1, func() Body { return new(BingoSealed) }},
	KindNumberCalled:       {"number called", 1, func() Body { return new(NumberCalled) }},
	KindBingoDrawn:         {"bingo drawn", 1, func() Body { return new(BingoDrawn) }},
	KindCallCorrected:      {"call corrected", 1, func() Body { return new(CallCorrected) }},
	KindClaimOpened:        {"claim opened", 1, func() Body { return new(ClaimOpened) }},
	KindClaimChecked:       {"claim checked", 1, func() Body { return new(ClaimChecked) }},
	KindBingoSettled:       {"bingo settled", 1, func() Body { return new(BingoSettled) }},
	KindBingoVoided:        {"bingo voided", 1, func() Body { return new(BingoVoided) }},
	KindFeesRefunded:       {"fees refunded", 1, func() Body { return new(FeesRefunded) }},
	KindRefundPaid:         {"refund paid", 1, func() Body { return new(RefundPaid) }},
	KindBingoPaid:          {"bingo paid", 1, func() Body { return new(BingoPaid) }},
	KindDeviceFailed:       {"device failed", 1, func() Body { return new(DeviceFailed) }},
	KindDeviceReplaced:     {"device replaced", 1, func() Body { return new(DeviceReplaced) }},
	KindDeviceReturned:     {"device returned", 1, func() Body { return new(DeviceReturned) }},
	KindPlayerBarred:       {"player barred", 1, func() Body { return new(PlayerBarred) }},
	KindSessionClosing:     {"session closing", 1, func() Body { return new(SessionClosing) }},
	KindSessionClosed:      {"session closed", 1, func() Body { return new(SessionClosed) }},
	KindDisputeRaised:      {"dispute raised", 1, func() Body { return new(DisputeRaised) }},
	KindDisputeMoved:       {"dispute moved", 1, func() Body { return new(DisputeMoved) }},
	KindIncidentNoted:      {"incident noted", 1, func() Body { return new(IncidentNoted) }},
	KindOfferNotified:      {"offer notified", 1, func() Body { return new(OfferNotified) }},
	KindOfferStarted:       {"offer started", 1, func() Body { return new(OfferStarted) }},
	KindOfferEntered:       {"offer entered", 1, func() Body { return new(OfferEntered) }},
	KindOfferSealed:        {"offer sealed", 1, func() Body { return new(OfferSealed) }},
	KindOfferDrawn:         {"offer drawn", 1, func() Body { return new(OfferDrawn) }},
	KindOfferTold:          {"offer told", 1, func() Body { return new(OfferTold) }},
	KindOfferClaimed:       {"offer claimed", 1, func() Body { return new(OfferClaimed) }},
	KindOfferStopped:       {"offer stopped", 1, func() Body { return new(OfferStopped) }},
	KindBingoWitnessed:     {"bingo witnessed", 1, func() Body { return new(BingoWitnessed) }},
	KindDisputeAwarded:     {"dispute awarded", 1, func() Body { return new(DisputeAwarded) }},
	KindDisputePaid:        {"dispute paid", 1, func() Body { return new(DisputePaid) }},
	KindSessionChanged:     {"session changed", 1, func() Body { return new(SessionChanged) }},
	KindSessionCancelled:   {"session cancelled", 1, func() Body { return new(SessionCancelled) }},
	KindEntryUndone:        {"entry undone", 1, func() Body { return new(EntryUndone) }},
	KindOutcomeInvalidated: {"outcome invalidated", 1, func() Body { return new(OutcomeInvalidated) }},
}

func (*HallOpened) kind() Kind         { return KindHallOpened }
func (*TableAdded) kind() Kind         { return KindTableAdded }
func (*MemberSet) kind() Kind          { return KindMemberSet }
func (*SessionSet) kind() Kind         { return KindSessionSet }
func (*PlayerEntered) kind() Kind      { return KindPlayerEntered }
func (*IssueClosed) kind() Kind        { return KindIssueClosed }
func (*BingoAnnounced) kind() Kind     { return KindBingoAnnounced }
func (*BingoSealed) kind() Kind        { return KindBingoSealed }
func (*NumberCalled) kind() Kind       { return KindNumberCalled }
func (*BingoDrawn) kind() Kind         { return KindBingoDrawn }
func (*CallCorrected) kind() Kind      { return KindCallCorrected }
func (*ClaimOpened) kind() Kind        { return KindClaimOpened }
func (*ClaimChecked) kind() Kind       { return KindClaimChecked }
func (*BingoSettled) kind() Kind       { return KindBingoSettled }
func (*BingoVoided) kind() Kind        { return KindBingoVoided }
func (*FeesRefunded) kind() Kind       { return KindFeesRefunded }
func (*RefundPaid) kind() Kind         { return KindRefundPaid }
func (*BingoPaid) kind() Kind          { return KindBingoPaid }
func (*DeviceFailed) kind() Kind       { return KindDeviceFailed }
func (*DeviceReplaced) kind() Kind     { return KindDeviceReplaced }
func (*DeviceReturned) kind() Kind     { return KindDeviceReturned }
func (*PlayerBarred) kind() Kind       { return KindPlayerBarred }
func (*SessionClosing) kind() Kind     { return KindSessionClosing }
func (*SessionClosed) kind() Kind      { return KindSessionClosed }
func (*DisputeRaised) kind() Kind      { return KindDisputeRaised }
func (*DisputeMoved) kind() Kind       { return KindDisputeMoved }
func (*IncidentNoted) kind() Kind      { return KindIncidentNoted }
func (*OfferNotified) kind() Kind      { return KindOfferNotified }
func (*OfferStarted) kind() Kind       { return KindOfferStarted }
func (*OfferEntered) kind() Kind       { return KindOfferEntered }
func (*OfferSealed) kind() Kind        { return KindOfferSealed }
func (*OfferDrawn) kind() Kind         { return KindOfferDrawn }
func (*OfferTold) kind() Kind          { return KindOfferTold }
func (*OfferClaimed) kind() Kind       { return KindOfferClaimed }
func (*OfferStopped) kind() Kind       { return KindOfferStopped }
func (*BingoWitnessed) kind() Kind     { return KindBingoWitnessed }
func (*DisputeAwarded) kind() Kind     { return KindDisputeAwarded }
func (*DisputePaid) kind() Kind        { return KindDisputePaid }
func (*SessionChanged) kind() Kind     { return KindSessionChanged }
func (*SessionCancelled) kind() Kind   { return KindSessionCancelled }
func (*EntryUndone) kind() Kind        { return KindEntryUndone }
func (*OutcomeInvalidated) kind() Kind { return KindOutcomeInvalidated }
