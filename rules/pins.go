package rules

// Pin returns the hash that a built-in rulebook must have.
func Pin(id string) (hash string, ok bool) {
	hash, ok = pins[id]
	return hash, ok
}

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "f542d87fa4fb3d61650ee56bff8cb1f6386c794afd4cffbd69a5fc7467ced968",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"tas-keno-2023":    "6e07d5b703e5752652c9dcb480ef139df0450785ba2bbd1e4440d8fb6c9b0e31",
	"vic-keno-2015":    "e79693c82c4cb6a95aff610f14a61d1c85b757ebf197b613e43b673b5dcc15b4",
}
