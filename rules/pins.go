package rules

// pins holds the hash of each rulebook that is built in. Journals name the books
// by which they decided by these hashes, so a pin changes only when a change of
// its book is meant; TestPins says how.
var pins = map[string]string{
	"casino-keno-div2": "ba951334cbc291db43f6fc57121f9d3f0010b44424bd85281a10efddae249c9c",
	"nsw-bingo-2019":   "5a59b296d796a2413fa04e15825fc13496be658d5882c3551c509b22ed85fa86",
	"tas-keno-2023":    "9192b01c458c49f00b5d69dcdf4c8f7ad937316cd51f0740c82277108ba3883e",
	"vic-keno-2015":    "899bf701b1697895fa168efb01d26a2b214a91dc5ae47d1dffbbe248001058ad",
}
