package record

import (
	"fmt"
)

// ApprovalRequested asks for the consent of another person to something exact.
type ApprovalRequested struct {
	_        struct{} `cbor:",toarray"`
	Approval uint32   `is:"approval"`
	Action   string   `is:"action"` // what would be done, such as erase_person
	Content  Hash     `is:"hash"`   // hash of what would be done, to the last detail
	Roles    []Role   `is:"roles"`  // the roles of which the person who consents must have one
	Expires  Time     `is:"end"`    // when the request ends if nobody has used it
	By       uint32   `is:"person"`
	// Says is what would be done, for people and for the house that does it then, where
	// the content is the hash of it; empty where the content is of something private.
	Says string `most:"said"`
}

// The actions of requests that say more than others: the whole text of a file of a rulebook or of the open tickets of
// another system, and what a bank answers about many direct debits.
const (
	ActionFile    = "adopt_rulebook_file"
	ActionTickets = "take_in_tickets"
	ActionAnswer  = "take_in_answer"
)

// SaysFile reports whether a request for an action says the whole text of a file.
func SaysFile(action string) bool { return action == ActionFile || action == ActionTickets }

// mostSaid is the most that a request says, in bytes. The record of the request has room for it.
const mostSaid = 1_000_000

// MostSaid bounds what a request for an action says, in bytes.
func MostSaid(action string) int {
	const most, mostOfBook = 16 << 10, saysText
	switch action {
	case ActionFile:
		return mostOfBook
	case ActionTickets, ActionAnswer:
		return mostSaid
	}
	return most
}

func (a *ApprovalRequested) check() error {
	if len(a.Says) > MostSaid(a.Action) {
		return fmt.Errorf("a request of %d bytes", len(a.Says))
	}
	return nil
}

// ApprovalDecided is what another person says to a request. Content is what that
// person has seen. Who asked does not consent, and withdraws the request by refusing it, as
// long as it is not used.
type ApprovalDecided struct {
	_        struct{} `cbor:",toarray"`
	Approval uint32   `is:"approval"`
	Content  Hash     `is:"hash"` // hash of what the person has seen
	Granted  bool     // whether the person consents
	By       uint32   `is:"person"`
}

func (*ApprovalDecided) check() error { return nil }

// ApprovalUsed says that the records after it, up to the next of another person or
// request, are what was approved. An approval is used once.
type ApprovalUsed struct {
	_        struct{} `cbor:",toarray"`
	Approval uint32   `is:"approval"`
	By       uint32   `is:"person"`
}

func (*ApprovalUsed) check() error { return nil }
