package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "70632e8c8d48928204109347a203d1061ff829ddc1bb3118a442fd95df75ae2a",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"tas-keno-2023":    "3185f628cf44be2ef2428c059bc9198025bdc0df229579921aae41a2edab15c2",
	"vic-keno-2015":    "b0aaec736aa495d09d8f1bbf119b0a0c0f09b46b74942a26f84e259a2f7cec44",
}
