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
	"casino-keno-div2": "44f8427fccfd29cb1f41cfb59efa35cf84b44e6efafe5f8e7ac949691f5ef7ba",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"tas-keno-2023":    "046fa1e72ca8a503f22a66c1a7cd413b72f5d2bfaa089fa5664328edc0a53b11",
	"vic-keno-2015":    "8d0637b97a2b7f394d5945985c7eaf052c0ec59bb456e745b1bfe892d2616186",
}
