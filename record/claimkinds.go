package record

// The kinds of records about prizes that nobody fetched and about claims on a form.
const (
	KindPrizesSwept Kind = 140
)

// claimShapes are the shapes of these kinds.
var claimShapes = map[Kind]shape{
	KindPrizesSwept: {"prizes swept", 1, func() Body { return new(PrizesSwept) }},
}

func (*PrizesSwept) kind() Kind { return KindPrizesSwept }
