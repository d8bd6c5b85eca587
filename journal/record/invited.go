package record

import "errors"

// PersonInvited says that a person may set a password, once and within a day. A person who
// holds the invitation could be the person, so who made it is one hand with the person for
// a day.
type PersonInvited struct {
	_      struct{} `cbor:",toarray"`
	Person uint32
	By     uint32
}

func (p *PersonInvited) check() error {
	if p.Person == 0 || p.By == 0 || p.Person == p.By {
		return errors.New("an invitation needs a person and another who made it")
	}
	return nil
}

// PersonRecovered says that an administrator has another password and is not locked any
// more, by an act on the machine of the house, where nobody has signed on. It is the way
// back into a house whose administrators are all kept out.
type PersonRecovered struct {
	_      struct{} `cbor:",toarray"`
	Person uint32
	Secret Hash // hash of the entry of the new password in the register
	Reason string
}

func (p *PersonRecovered) check() error {
	if p.Person == 0 || p.Secret == (Hash{}) || p.Reason == "" || len(p.Reason) > MostReason {
		return errors.New("a recovery needs a person, the hash of the entry of a password and a short reason")
	}
	return nil
}
