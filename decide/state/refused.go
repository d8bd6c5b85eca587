package state

import "drawhouse/journal/record"

// refuseSale keeps nothing: the refusal stands in the journal and in the book of the day.
func (s *State) refuseSale(b *record.SaleRefused) error {
	if _, ok := s.terminals[b.Terminal]; !ok {
		return cannot("a sale is refused at terminal %d, which does not exist", b.Terminal)
	}
	return nil
}
