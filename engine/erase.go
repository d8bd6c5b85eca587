package engine

import (
	"drawhouse/counter"
	"drawhouse/record"
)

// EraseHolder records that the register forgets who held a card.
func (e *Engine) EraseHolder(now record.Time, b record.HolderErased) error {
	erased, err := counter.EraseHolder(e.state, b)
	return e.write(now, erased, nil, err)
}

// ErasePayee records that the register forgets a payee.
func (e *Engine) ErasePayee(now record.Time, b record.PayeeErased) error {
	erased, err := counter.ErasePayee(e.state, b)
	return e.write(now, erased, nil, err)
}
