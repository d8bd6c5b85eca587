package command

import (
	"context"
	"encoding/hex"
	"errors"

	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Sources are what commands are gathered from, beside the lane.
type Sources interface {
	// Outstanding returns where a ticket or a paper stands that somebody holds, by the serial of
	// any of its sheets. OfTicket does so for a ticket alone.
	Outstanding(ctx context.Context, serial string) (record.Place, error)
	OfTicket(ctx context.Context, serial string) (record.Place, error)
	// Won returns the ticket at a place with what the ticket has won.
	Won(ctx context.Context, ticket record.Place) (counter.Payment, error)
	// OfOther reports whether a code is that of a ticket of another system that was taken in.
	OfOther(code string) bool
	// Held returns the paper at a place, if a paper stands there and somebody holds it.
	Held(ctx context.Context, place record.Place) (state.Paper, bool, error)
	Card(ctx context.Context, number uint32) (state.Card, error)
	// Form returns a claim form. The caller does not change it.
	Form(ctx context.Context, claim uint32) (*state.ClaimForm, error)
	Book() *rulebook.Book
}

// A Gatherer is a command that names things as people do. Gather returns the command with these
// things as the journal has them, before the command is decided.
type Gatherer interface {
	Command
	Gather(ctx context.Context, from Sources) (Command, error)
}

// Register keeps who people are and what papers say. The journal has their hashes.
type Register interface {
	// Keep keeps somebody and returns the hash for the journal. Path says where the details stand
	// in the request. KeepPaper keeps what a paper says.
	Keep(ctx context.Context, c Customer, path string) (record.Hash, error)
	KeepPaper(ctx context.Context, text string) (record.Hash, error)
	// Known returns the person of a hash, if the register knows that person.
	Known(ctx context.Context, hash record.Hash) (Customer, bool, error)
}

// A Keeper is a command that says who somebody is, or that depends on it. Keep has the register
// keep it, and returns the command with the hashes for the journal, and those of what is new. If
// the command is refused then, the register forgets what is new. A house may have no register: r
// is nil then.
type Keeper interface {
	Command
	Keep(ctx context.Context, r Register, from Sources) (kept Command, fresh []record.Hash, err error)
}

// An Eraser is a command after which the register forgets somebody. The record comes first, so
// that nothing is gone without a record of who had it erased. After a failure in between the
// command is given again, and makes no second record.
type Eraser interface {
	Keeper
	Forgets() []record.Hash
}

// NoRegister is the code of a house that has no register of people.
const NoRegister refusal.Code = "no_register"

// WithoutRegister refuses what needs a register.
func WithoutRegister() error {
	return &refusal.Refusal{Code: NoRegister, Sentence: "This house has no register of people."}
}

// Customer is who a claimant, the payee of a cheque or the holder of a player card is.
// It stands in the register, and the journal has its hash with a random salt.
type Customer struct {
	Name    string `json:"name"`
	Address string `json:"address,omitempty" doc:"Address, in one text."`
	Phone   string `json:"phone,omitempty" doc:"Telephone number."`
	Email   string `json:"email,omitempty" doc:"Address for electronic mail."`
	Born    string `json:"born,omitempty" doc:"A date."`
	Account string `json:"account,omitempty" doc:"To which a transfer goes."`
	Letter  string `json:"letter,omitempty" doc:"Number of the registered letter that brought a ticket."`
}

// Texts are the parts of the details, by the names that interfaces and rulebooks have for them.
func (c *Customer) Texts() map[string]*string {
	return map[string]*string{
		"name": &c.Name, "address": &c.Address, "phone": &c.Phone, "email": &c.Email, "born": &c.Born,
		"account": &c.Account, "letter": &c.Letter,
	}
}

// Has reports whether a part of the details is there.
func (c *Customer) Has(part string) bool {
	value, ok := c.Texts()[part]
	return ok && *value != ""
}

// Payee is the hash by which the journal names the payee of a cheque or transfer. Its text is
// hexadecimal.
type Payee record.Hash

// errPayee says what the hash of a payee is.
var errPayee = errors.New("64 hexadecimal digits")

// UnmarshalText implements [encoding.TextUnmarshaler].
func (p *Payee) UnmarshalText(text []byte) error {
	// The length comes first: hex.Decode writes as many bytes as the text has.
	if len(text) != hex.EncodedLen(len(p)) {
		return errPayee
	}
	if _, err := hex.Decode(p[:], text); err != nil {
		return errPayee
	}
	return nil
}
