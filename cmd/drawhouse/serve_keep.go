package main

import (
	"drawhouse/edge/api"
	"drawhouse/house"
	"drawhouse/house/person"
)

// keepFlags say how long personal details are kept from the day on which nobody needs them any more.
type keepFlags struct {
	KeepClaims person.Term `name:"keep-claims" setting:"" default:"7y" placeholder:"TERM" help:"How long claimants and the papers of their claims are kept after the claim: years, months or days such as 7y, 18m or 400d, or ever (${default})."`
	KeepPayees person.Term `name:"keep-payees" setting:"" default:"7y" placeholder:"TERM" help:"How long payees of cheques and transfers are kept after the last paper or cheque to them (${default})."`
	KeepCards  person.Term `name:"keep-cards" setting:"" default:"1y" placeholder:"TERM" help:"How long the holder of a player card is kept after the card was closed (${default})."`
	KeepStaff  person.Term `name:"keep-staff" setting:"" default:"7y" placeholder:"TERM" help:"How long people are kept who have left the house; two persons are then asked to erase them (${default})."`
}

// keeping returns the terms by class.
func (f keepFlags) keeping() api.Keeping {
	return api.Keeping{house.OfClaims: f.KeepClaims, house.OfPayees: f.KeepPayees, house.OfCards: f.KeepCards,
		house.OfStaff: f.KeepStaff}
}
