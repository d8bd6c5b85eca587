package record

// HolderErased says that the register forgets who held a player card, which is closed. The
// journal keeps the hash of what is gone.
type HolderErased struct {
	_    struct{} `cbor:",toarray"`
	Card uint32   `is:"card"`
	By   uint32   // 0 for the house itself, once the time of keeping is over
}

func (*HolderErased) check() error { return nil }

// PayeeErased says that the register forgets a payee, who is named by the hash that the
// settlement of a session has of a cheque or transfer. What the hash was made of is gone, and
// its salt with it.
type PayeeErased struct {
	_     struct{} `cbor:",toarray"`
	Payee Hash     `is:"payee"` // hash by which the payee was named
	By    uint32   // 0 for the house itself, once the time of keeping is over
}

func (*PayeeErased) check() error { return nil }
