package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "610adc38f4c2a229cf94f5e2c3e1e4b54351d26e083fc118741ddfa31c621892",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"tas-keno-2023":    "1a38a83e4ed38cabc1d8a677e8aa0845dc732eb1136d29ee47931881abf4ec22",
	"vic-keno-2015":    "609fbe0d978435941fb2ecdf521704fe3e3698dff692bb8da328255638a8ff6c",
}
