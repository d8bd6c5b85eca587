package command

// Customer is who a claimant, the payee of a cheque or the holder of a player card is.
// It stands in the register, and the journal has its hash with a random salt.
type Customer struct {
	Name    string `json:"name"`
	Address string `json:"address,omitempty"`
	Phone   string `json:"phone,omitempty"`
	Email   string `json:"email,omitempty"`
	Born    string `json:"born,omitempty" doc:"A date."`
	Account string `json:"account,omitempty" doc:"To which a transfer goes."`
	Letter  string `json:"letter,omitempty" doc:"Number of the registered letter that brought a ticket."`
}
