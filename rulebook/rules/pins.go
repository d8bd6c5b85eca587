package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "f8507218abeed21deee4f8718c30572c7d18e7f216422e83a5c5989a99d7d27a",
	"gr-kino-bonus":    "bd8524cd5b789db4666b39ee7ae5d9bd5d84ce5d954dbd0ae209ed68e42caf9a",
	"mi-club-keno":     "dbecb79afc92466ca96aeb2ed4922386cef307678568216579f261fd22fb43a7",
	"nsw-bingo-2019":   "00d286f5bad70763ed1e4510f64c3fa507d27c24e4d5e9bf6fae77019fc8c78a",
	"sc-bingo-1996":    "ee59b3f25d1a18c6b487e1670886349fa39021449b70aec6386c872c593b5653",
	"tas-keno-2023":    "1da1807e957d94ce269a85d196c1480f0f9e96022c821e5d409e4f15f463ab5a",
	"vic-keno-2015":    "e9e10b50cf29666461773151d3a685eba620c6d3d06cafc01f8f8ff8c60eb075",
}
