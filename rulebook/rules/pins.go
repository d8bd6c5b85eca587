package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "41d6beeabefddcf73d37a345ec90ae97f66f55745a12c2abe069c6fe26959fe0",
	"gr-kino-bonus":    "bd8524cd5b789db4666b39ee7ae5d9bd5d84ce5d954dbd0ae209ed68e42caf9a",
	"mi-club-keno":     "dbecb79afc92466ca96aeb2ed4922386cef307678568216579f261fd22fb43a7",
	"nsw-bingo-2019":   "817f600f2d7859e11ad8801f6803afb3c4450660db2665d0cee3cf6fedb57a57",
	"sc-bingo-1996":    "ee59b3f25d1a18c6b487e1670886349fa39021449b70aec6386c872c593b5653",
	"tas-keno-2023":    "7a18ac7c3c412b06951301cd36ec2d465f06ceafa90daacd51edaf1d8c10b44f",
	"vic-keno-2015":    "c3fb1e0cf0f30012ff54df7534482f226666925b365742541817488f7821cee7",
}
