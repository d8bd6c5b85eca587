package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "1f73a313caec457c17dc113ad27c08f3566d806f86219ff9c0e8c44fe87d7a9c",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"tas-keno-2023":    "e72afc5fc37ba25613dbcf6439754a744fee1b7c5cab4f0e538932fe7f633c2e",
	"vic-keno-2015":    "6f80c5d9b4c23bcdbd5c45739f36321e6662432c47bfe0b3eed6aca759dccb09",
}
