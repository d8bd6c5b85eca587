package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "24b1164a8c2c84a1b71de181f2774cea389fa73ec54707c15bce1ada6e0a50d4",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"tas-keno-2023":    "0dd41c5bb6f332f5d365637ef8874fd87c91e1e8f11d2ac2cac66dbff6d0d7ef",
	"vic-keno-2015":    "ee12c48e694ae089a17a2010c56ac55ba5cc248baf1468a5c6f5258c2fe114e8",
}
