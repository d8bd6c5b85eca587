package record

import "errors"

// HolderErased says that the register forgets who held a player card, which is closed. The
// journal keeps the hash of what is gone.
type HolderErased struct {
	_    struct{} `cbor:",toarray"`
	Card uint32
	By   uint32
}

func (h *HolderErased) check() error {
	if h.Card == 0 || h.By == 0 {
		return errors.New("an erasure needs a card and a person")
	}
	return nil
}

// PayeeErased says that the register forgets a payee, who is named by the hash that the
// settlement of a session has of a cheque or transfer. What the hash was made of is gone, and
// its salt with it.
type PayeeErased struct {
	_     struct{} `cbor:",toarray"`
	Payee Hash
	By    uint32
}

func (p *PayeeErased) check() error {
	if p.Payee == (Hash{}) || p.By == 0 {
		return errors.New("an erasure needs a payee and a person")
	}
	return nil
}
