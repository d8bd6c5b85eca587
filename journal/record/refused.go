package record

import "fmt"

// SaleCause is why a person at a counter refused a sale.
type SaleCause string

// The causes.
const (
	CauseUnderAge    SaleCause = "under_age"   // the customer is below the age of the rulebook, or showed no proof of age
	CauseIntoxicated SaleCause = "intoxicated" // the customer appears to be
	CauseExcluded    SaleCause = "excluded"    // the customer is on a list of excluded people
	CauseAbsent      SaleCause = "not_present" // the player is not on the premises
	CauseOther       SaleCause = "other"       // another one, for which the rules let a sale be refused
)

// SaleCauses returns all causes.
func SaleCauses() []SaleCause {
	return []SaleCause{CauseUnderAge, CauseIntoxicated, CauseExcluded, CauseAbsent, CauseOther}
}

// SaleRefused says that a person refused to sell at a terminal, and why. It has nothing of the customer.
type SaleRefused struct {
	_        struct{}  `cbor:",toarray"`
	Terminal uint32    `is:"terminal"`
	Cause    SaleCause // why the sale was refused
	By       uint32    `is:"person"`
}

func (s *SaleRefused) check() error {
	for _, cause := range SaleCauses() {
		if s.Cause == cause {
			return nil
		}
	}
	return fmt.Errorf("there is no cause %q", s.Cause)
}
