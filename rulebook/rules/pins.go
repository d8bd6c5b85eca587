package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "e90699b0647c27a896ae1dbebce67818033ac3a5256ce88d0b83ec5e928c7aad",
	"gr-kino-bonus":    "bd8524cd5b789db4666b39ee7ae5d9bd5d84ce5d954dbd0ae209ed68e42caf9a",
	"mi-club-keno":     "dbecb79afc92466ca96aeb2ed4922386cef307678568216579f261fd22fb43a7",
	"nsw-bingo-2019":   "00d286f5bad70763ed1e4510f64c3fa507d27c24e4d5e9bf6fae77019fc8c78a",
	"sc-bingo-1996":    "ee59b3f25d1a18c6b487e1670886349fa39021449b70aec6386c872c593b5653",
	"tas-keno-2023":    "e7e18d72f266fbab01f63fff910c9be118439c86fa74bcdabd198c80003f884d",
	"vic-keno-2015":    "ec904d1732ff4bbfdabfe4474412b5c26d09ab01b6946cb08fb263019eb44de0",
}
