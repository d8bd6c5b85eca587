package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "ad1e2f7b041561ca5c28d466e7d241bbec0da547435fdc90ecd01f7e9dfb028b",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"tas-keno-2023":    "1a38a83e4ed38cabc1d8a677e8aa0845dc732eb1136d29ee47931881abf4ec22",
	"vic-keno-2015":    "609fbe0d978435941fb2ecdf521704fe3e3698dff692bb8da328255638a8ff6c",
}
