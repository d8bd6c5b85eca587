package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "8c4da73866ec7d68948b566a51fe543daa782f5a1c368476baafd71b60b3a141",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"tas-keno-2023":    "8c2e7a27e03d332b47d615995898338bf1867b297510a26d5b42afe2e18f46f2",
	"vic-keno-2015":    "6f80c5d9b4c23bcdbd5c45739f36321e6662432c47bfe0b3eed6aca759dccb09",
}
