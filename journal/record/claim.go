package record

import (
	"errors"
	"fmt"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/money"
)

// ClaimReason is why somebody claims by a form.
type ClaimReason string

// The reasons.
const (
	ClaimLost       ClaimReason = "lost"       // the ticket or paper is not there any more
	ClaimUnreadable ClaimReason = "unreadable" // it cannot be read
	ClaimExpired    ClaimReason = "expired"    // venues do not pay it any more
	ClaimRetired    ClaimReason = "retired"    // it is of a system that venues cannot ask any more
	ClaimByMail     ClaimReason = "mail"       // it was sent in by registered mail
	ClaimEstate     ClaimReason = "estate"     // the winner has died or cannot act in law
	ClaimDisputed   ClaimReason = "disputed"   // it is said to differ from the central record
)

// ClaimReasons returns all reasons.
func ClaimReasons() []ClaimReason {
	return []ClaimReason{ClaimLost, ClaimUnreadable, ClaimExpired, ClaimRetired, ClaimByMail, ClaimEstate,
		ClaimDisputed}
}

// ClaimPart is one prize, refund or paper of a claim, as the central record has it.
type ClaimPart struct {
	_ struct{} `cbor:",toarray"`
	// The ticket or paper. Of a ticket of another system it is the record that has taken the ticket in.
	Of Place
	// The game, by its number in the series; 0 for a paper, and for what was withheld of a ticket. Of a ticket of
	// another system it is the ticket's place in its file, from 1 on.
	Ordinal uint32
	Cents   money.Amount `most:"amount"` // what is claimed
	// Where the money is, as the rulebook names it; empty where it is still owed as on the day of the game, refund for
	// a stake of a void game, withheld for what the end of a session did not hand out, and other_system for what is
	// owed on a ticket of another system. It stays there until the claim is decided.
	At string
}

// ClaimReturned says of a part of a claim that it is a stake which goes back.
const ClaimReturned = "refund"

// ClaimWithheld says of a part of a claim that the end of a session has withheld it.
const ClaimWithheld = "withheld"

// ClaimOther says of a part of a claim that it is a ticket of another system.
const ClaimOther = "other_system"

// IsOther reports whether the part is a ticket of another system, and names no game.
func (p *ClaimPart) IsOther() bool { return p.At == ClaimOther }

// IsPaper reports whether the part is a paper.
func (p *ClaimPart) IsPaper() bool { return p.Ordinal == 0 && p.At != ClaimWithheld }

// ClaimLodged is a claim form that has come in. Who claims stands outside the journal;
// Claimant is the hash of that, with a random salt.
type ClaimLodged struct {
	_        struct{}    `cbor:",toarray"`
	Claim    uint32      `is:"claim"` // number of the claim; claims are numbered from 1
	Series   uint8       `is:"series"`
	Reason   ClaimReason // why the claim is made on a form
	Received day.Day     `is:"day"` // day on which the form came in
	Original bool        // whether the ticket or paper came with the form
	Claimant Hash        `is:"claimant"` // hash of the register's entry of the claimant, with a random salt
	Parts    []ClaimPart `is:"parts"`    // what is claimed, by ticket or paper, and game
	By       uint32
	// Details commits to what the form says of a claimant who is the payee of a paper, and whom
	// the register has with less: the form may name an account.
	Details []byte `later:"true" most:"64"`
}

// Form returns the entry of the register that has what the form says of the claimant.
func (c *ClaimLodged) Form() Hash {
	if len(c.Details) == 0 {
		return c.Claimant
	}
	return Hash(c.Details)
}

// Names reports whether an entry of the register is that of the claimant.
func (c *ClaimLodged) Names(entry Hash) bool { return entry == c.Claimant || entry == c.Form() }

func (c *ClaimLodged) check() error {
	if n := len(c.Details); n != 0 && n != len(Hash{}) {
		return fmt.Errorf("what a form says of a claimant is %d bytes", n)
	}
	if !slices.Contains(ClaimReasons(), c.Reason) {
		return fmt.Errorf("there is no reason %q", c.Reason)
	}
	_, err := c.sum()
	return err
}

func (c *ClaimLodged) sum() (sum money.Amount, err error) {
	for i, p := range c.Parts {
		if p.Of.Volume == 0 || p.Cents <= 0 {
			return 0, fmt.Errorf("part %d claims %v of %v", i+1, p.Cents, p.Of)
		}
		if slices.ContainsFunc(c.Parts[:i], func(q ClaimPart) bool {
			return q.Of == p.Of && q.Ordinal == p.Ordinal && (q.At == ClaimReturned) == (p.At == ClaimReturned)
		}) {
			return 0, fmt.Errorf("part %d is claimed twice", i+1)
		}
		if sum, err = sum.Add(p.Cents); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// Amount returns what is claimed in all.
func (c *ClaimLodged) Amount() money.Amount {
	sum, _ := c.sum()
	return sum
}

// ClaimNote is what a paper of a claim is.
type ClaimNote string

// The papers of a claim.
const (
	NoteEvidence       ClaimNote = "evidence"       // something that supports it
	NoteRepresentative ClaimNote = "representative" // shows who acts for a winner who cannot
	NoteReceived       ClaimNote = "received"       // a letter that came
	NoteSent           ClaimNote = "sent"           // a letter that went out
	NoteDispute        ClaimNote = "dispute"        // the claimant does not accept the decision
	NoteCopied         ClaimNote = "copied"         // the inspector has copies of all of it
	NoteErased         ClaimNote = "erased"         // the register has forgotten who claimed
)

// ClaimNotes returns all of them.
func ClaimNotes() []ClaimNote {
	return []ClaimNote{NoteEvidence, NoteRepresentative, NoteReceived, NoteSent, NoteDispute, NoteCopied, NoteErased}
}

// ClaimNoted puts a paper to a claim. What it says stands outside the journal, which
// has its hash; copies and an erasure are no papers, and have the claimant's.
type ClaimNoted struct {
	_       struct{} `cbor:",toarray"`
	Claim   uint32
	Note    ClaimNote // what the paper is
	Content Hash      // hash of the paper; of copies and of an erasure that of the claimant
	By      uint32    // 0 for an erasure by the house itself, once the time of keeping is over
}

func (c *ClaimNoted) check() error {
	if c.Claim == 0 || !slices.Contains(ClaimNotes(), c.Note) || c.Content == (Hash{}) ||
		c.By == 0 && c.Note != NoteErased {
		return errors.New("a paper of a claim needs the claim, what it is, a hash and a person, and an erasure all but the person")
	}
	return nil
}

// ClaimSigned says what somebody thinks of a claim whom the rulebook asks.
type ClaimSigned struct {
	_         struct{} `cbor:",toarray"`
	Claim     uint32
	Party     string // whom the rulebook asks, as it names the party
	Person    uint32 // number of the person who signed
	Satisfied bool   // whether the person is satisfied that the claim is good
	Reason    string // why the person is not satisfied
}

func (c *ClaimSigned) check() error {
	if c.Claim == 0 || c.Party == "" || c.Person == 0 || !c.Satisfied && c.Reason == "" || len(c.Reason) > MostReason {
		return errors.New("a signature needs a claim, a party and a person, and a short reason where the person is not satisfied")
	}
	return nil
}

// ClaimOutcome is what was decided about a claim.
type ClaimOutcome string

// The outcomes.
const (
	ClaimAllowed  ClaimOutcome = "allowed"
	ClaimRefused  ClaimOutcome = "refused"
	ClaimReferred ClaimOutcome = "referred" // it is for the Treasurer to pay
)

// ClaimDecided decides a claim.
type ClaimDecided struct {
	_       struct{} `cbor:",toarray"`
	Claim   uint32
	Outcome ClaimOutcome // what was decided
	Reason  string
	Clause  string
	By      uint32
}

func (c *ClaimDecided) check() error {
	if c.Claim == 0 || c.Reason == "" || len(c.Reason) > MostReason || c.By == 0 {
		return errors.New("a decision needs a claim, a short reason and a person")
	}
	switch c.Outcome {
	case ClaimAllowed, ClaimRefused, ClaimReferred:
		return nil
	}
	return fmt.Errorf("there is no outcome %q", c.Outcome)
}

// ClaimPaid pays a claim that was allowed, whole.
type ClaimPaid struct {
	_         struct{} `cbor:",toarray"`
	Claim     uint32
	Means     string       // how it was paid, as the rulebook names it
	Cents     money.Amount `most:"amount"` // what was paid: the whole claim
	Reference string       // reference of the cheque or transfer
	Venue     uint32       // the venue out of whose safe it is paid in cash; none otherwise
	By        uint32
	// Account says that the claimant has named an account for a transfer. The account stands in
	// the register, and never here.
	Account bool `later:"true"`
}

func (c *ClaimPaid) check() error {
	if c.Claim == 0 || c.Means == "" || c.Cents <= 0 || c.Reference == "" || len(c.Reference) > MostReason ||
		c.By == 0 {
		return errors.New("a payment needs a claim, means, an amount, a short reference and a person")
	}
	return nil
}
