package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "8c4da73866ec7d68948b566a51fe543daa782f5a1c368476baafd71b60b3a141",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"tas-keno-2023":    "c6fac99cd94cbc63fb40190fe5024e1ecf2fe6a5d0c4d327441696299dfac176",
	"vic-keno-2015":    "2f7664656f98017529f91b6a2e6efeff12f2fc5882e5e42353eb5b5fff8d90f1",
}
