package record

// The kinds of records about prizes that nobody fetched and about claims on a form.
const (
	KindPrizesSwept  Kind = 140
	KindClaimLodged  Kind = 141
	KindClaimNoted   Kind = 142
	KindClaimSigned  Kind = 143
	KindClaimDecided Kind = 144
	KindClaimPaid    Kind = 145
)

// claimShapes are the shapes of these kinds.
var claimShapes = map[Kind]shape{
	KindPrizesSwept:  {"prizes swept", 1, func() Body { return new(PrizesSwept) }},
	KindClaimLodged:  {"claim lodged", 1, func() Body { return new(ClaimLodged) }},
	KindClaimNoted:   {"claim noted", 1, func() Body { return new(ClaimNoted) }},
	KindClaimSigned:  {"claim signed", 1, func() Body { return new(ClaimSigned) }},
	KindClaimDecided: {"claim decided", 1, func() Body { return new(ClaimDecided) }},
	KindClaimPaid:    {"claim paid", 1, func() Body { return new(ClaimPaid) }},
}

func (*PrizesSwept) kind() Kind  { return KindPrizesSwept }
func (*ClaimLodged) kind() Kind  { return KindClaimLodged }
func (*ClaimNoted) kind() Kind   { return KindClaimNoted }
func (*ClaimSigned) kind() Kind  { return KindClaimSigned }
func (*ClaimDecided) kind() Kind { return KindClaimDecided }
func (*ClaimPaid) kind() Kind    { return KindClaimPaid }
