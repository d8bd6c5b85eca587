package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "41d6beeabefddcf73d37a345ec90ae97f66f55745a12c2abe069c6fe26959fe0",
	"gr-kino-bonus":    "bd8524cd5b789db4666b39ee7ae5d9bd5d84ce5d954dbd0ae209ed68e42caf9a",
	"mi-club-keno":     "dbecb79afc92466ca96aeb2ed4922386cef307678568216579f261fd22fb43a7",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"sc-bingo-1996":    "4addd8ab656596b1064b786950ae0f0d068423cf96a1f60329fa2a33c3727df9",
	"tas-keno-2023":    "ed09d1ad945af008032f5d73163b9e05a7390801b6a5ac898fa626e061a0f625",
	"vic-keno-2015":    "6969dc1e8b5e32c7e92f4b7e78413019d1d7be0ae93f4f5e693a0122e7505903",
}
