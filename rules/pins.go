package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "ba951334cbc291db43f6fc57121f9d3f0010b44424bd85281a10efddae249c9c",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"tas-keno-2023":    "9e65e6de70d89c512994dc582df0c98bd5e1615e6d347effc6da5664ace7b33b",
	"vic-keno-2015":    "dece517e0bbf82ebce56eb5862140c76045bf9a667aaa52bfdad7363f7b28f90",
}
