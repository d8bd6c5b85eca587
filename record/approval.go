package record

import (
	"errors"
	"fmt"
)

// ApprovalRequested asks for the consent of another person to something exact.
type ApprovalRequested struct {
	_        struct{} `cbor:",toarray"`
	Approval uint32
	Action   string // what would be done, such as erase_person
	Content  Hash   // of what would be done, to the last detail
	Roles    []Role // of which the one who consents must have one
	Expires  Time
	By       uint32
	// Says is what would be done, for people and for the house that does it then, where
	// the content is the hash of it; empty where the content is of something private.
	Says string
}

// MostSaid bounds what a request says, in bytes.
const MostSaid = 16 << 10

func (a *ApprovalRequested) check() error {
	if a.Approval == 0 || a.Action == "" || a.Content == (Hash{}) || len(a.Roles) == 0 || a.Expires <= 0 || a.By == 0 {
		return errors.New("a request for an approval needs a number, an action, its content, roles, an end and a person")
	}
	if len(a.Says) > MostSaid {
		return fmt.Errorf("a request of %d bytes", len(a.Says))
	}
	return nil
}

// ApprovalDecided is what another person says to a request. Content is what that
// person has seen. Who asked does not consent, and withdraws the request by refusing it, as
// long as it is not used.
type ApprovalDecided struct {
	_        struct{} `cbor:",toarray"`
	Approval uint32
	Content  Hash
	Granted  bool
	By       uint32
}

func (a *ApprovalDecided) check() error {
	if a.Approval == 0 || a.Content == (Hash{}) || a.By == 0 {
		return fmt.Errorf("approval %d decided by person %d", a.Approval, a.By)
	}
	return nil
}

// ApprovalUsed says that the records after it, up to the next of another person or
// request, are what was approved. An approval is used once.
type ApprovalUsed struct {
	_        struct{} `cbor:",toarray"`
	Approval uint32
	By       uint32
}

func (a *ApprovalUsed) check() error {
	if a.Approval == 0 || a.By == 0 {
		return fmt.Errorf("approval %d used by person %d", a.Approval, a.By)
	}
	return nil
}
