package record

import (
	"errors"
	"fmt"

	"drawhouse/core/money"
)

// OfferPrize is a promotional prize.
type OfferPrize struct {
	_ struct{} `cbor:",toarray"`
	// Kind of the prize: cash, casino_dollars, slot_dollars, goods, appliance, vehicle, travel or real_estate.
	Kind       string
	Name       string       // name of the prize
	ValueCents money.Amount `most:"amount"` // value of the prize
	Conditions string       // conditions under which the prize is given
	// Whether the winner may take the value in cash instead.
	Alternative bool
	// Things in the prize that a prize may not have.
	Contains          []string
	LiquorMillilitres uint32        // how much liquor the prize has, in millilitres
	Details           []OfferDetail // what the kind of the prize asks for, by name
}

// OfferDetail is a particular of a prize.
type OfferDetail struct {
	_    struct{} `cbor:",toarray"`
	Name string   // name of the detail
	Text string   // what the detail says
}

// OfferTerms are the terms of a promotion: particulars in words by the names that
// the rulebook has for them, the times that decide, and the prizes.
type OfferTerms struct {
	_           struct{}      `cbor:",toarray"`
	Name        string        // name of the promotion
	Particulars []OfferDetail `most:"256"` // particulars of the terms, by name
	// Where the terms can be had.
	Available string
	// Which material refers to the terms.
	Marketing string
	Starts    Time         // when the first entries are taken
	Closes    Time         // when entries are taken no longer
	Draws     Time         // when the prizes are drawn
	Present   bool         // whether a winner must be present
	Prizes    []OfferPrize // prizes of the promotion
}

// OfferLack is something that every promotion has and some terms lack.
type OfferLack string

// What terms lack.
const (
	LackName   OfferLack = "name"   // the promotion has no name
	LackStart  OfferLack = "starts" // it has no start
	LackClose  OfferLack = "closes" // its entries end before it starts
	LackDraw   OfferLack = "draws"  // it is drawn before its entries end
	LackPrizes OfferLack = "prizes" // it has no prize, or more than MostOfferPrizes
)

// Lacks returns what the terms lack of a name, a start, an end of entries and a draw in this order, and prizes.
func (t *OfferTerms) Lacks() (list []OfferLack) {
	for _, part := range []struct {
		lack OfferLack
		has  bool
	}{
		{LackName, t.Name != ""}, {LackStart, t.Starts > 0}, {LackClose, t.Starts < t.Closes},
		{LackDraw, t.Closes <= t.Draws}, {LackPrizes, len(t.Prizes) > 0 && len(t.Prizes) <= MostOfferPrizes},
	} {
		if !part.has {
			list = append(list, part.lack)
		}
	}
	return list
}

// Whole reports whether the terms lack nothing that every promotion has.
func (t *OfferTerms) Whole() bool { return len(t.Lacks()) == 0 }

func (t *OfferTerms) check() error {
	if !t.Whole() {
		return errors.New("a promotion needs a name, prizes, and a start, an end and a draw in this order")
	}
	for i, p := range t.Prizes {
		if p.Kind == "" || p.Name == "" || p.ValueCents <= 0 {
			return fmt.Errorf("prize %d is %q, %q of %v", i+1, p.Kind, p.Name, p.ValueCents)
		}
	}
	return nil
}

// MostOfferPrizes is how many prizes a promotion can have.
const MostOfferPrizes = 99

// Offer names a promotion of a hall, which counts them from 1.
type Offer struct {
	_     struct{} `cbor:",toarray"`
	Hall  uint8    `is:"hall"`
	Offer uint32   `is:"offer"` // number of the promotion in its room
}

// OfferNotified says that the Authority was given the terms of a promotion. A change
// is a notice of its own; once the promotion has started it needs an approval.
type OfferNotified struct {
	_        struct{} `cbor:",toarray"`
	Offer    Offer
	Version  uint16     `is:"version"` // version of the terms, from 1
	Terms    OfferTerms // the terms of the promotion
	Approval string     // reference of the decision of the Authority
	By       By
	// Confirms are the prohibited things, by the names that the rulebook has for them, of
	// which the person says that no prize has any. No program can see that in a name.
	Confirms []string `later:"true"`
}

func (*OfferNotified) check() error { return nil }

// OfferStarted opens a promotion for entries.
type OfferStarted struct {
	_     struct{} `cbor:",toarray"`
	Offer Offer
	By    By
}

func (*OfferStarted) check() error { return nil }

// OfferEntered is one entry in a promotion. Seals mark these records.
type OfferEntered struct {
	_      struct{} `cbor:",toarray"`
	Offer  Offer
	Entry  uint32 // number of the entry; the entries of a promotion are numbered from 1
	Member string
}

func (o *OfferEntered) check() error {
	if o.Entry == 0 || o.Member == "" || len(o.Member) > mostMember {
		return fmt.Errorf("entry %d of member %q", o.Entry, o.Member)
	}
	return nil
}

// OfferSealed publishes the seal of the draw of a prize: who is in it.
type OfferSealed struct {
	_     struct{} `cbor:",toarray"`
	Offer Offer
	Prize uint8  `is:"prize"` // number of the prize, from 1
	Seal  []byte `is:"seal"`
	// Name of the scrutineer who oversees the draw, where one is asked for.
	Scrutineer string
	By         By
}

func (*OfferSealed) check() error { return nil }

// OfferDrawn is a draw of the device for a prize: ordered numbers, the bytes that
// each was made from, and the signed note. The numbers make an index below the
// count of entries that are left, or none, and then there is a further draw.
type OfferDrawn struct {
	_       struct{} `cbor:",toarray"`
	Offer   Offer
	Prize   uint8    // number of the prize, from 1
	Draw    uint16   // number of the draw for the prize, from 1
	Numbers []uint8  // numbers that were drawn
	Bytes   [][]byte `each:"note"` // random bytes of each of the numbers
	Note    []byte
	Entry   uint32 // number of the entry that won; none where the prize is drawn again
}

func (o *OfferDrawn) check() error {
	if o.Prize == 0 || o.Draw == 0 || len(o.Numbers) == 0 || len(o.Bytes) != len(o.Numbers) || len(o.Note) == 0 {
		return errors.New("a draw needs a prize, a number, numbers with their bytes, and a note")
	}
	return nil
}

// OfferTold is an attempt to tell a winner.
type OfferTold struct {
	_       struct{} `cbor:",toarray"`
	Offer   Offer
	Prize   uint8  `is:"prize"`  // number of the prize, from 1
	Method  string `is:"method"` // how the winner was told
	Reached bool   // whether the winner was reached
	By      By
}

func (*OfferTold) check() error { return nil }

// OfferClaimed is what became of a claim to a prize. A denied one has the reason that
// the patron was told, and Details is the hash of name and address in a register
// outside the journal, where the rules ask for them.
type OfferClaimed struct {
	_       struct{} `cbor:",toarray"`
	Offer   Offer
	Prize   uint8 // number of the prize, from 1
	Member  string
	Granted bool // whether the winner gets the prize
	// Whether the winner takes the value in cash.
	Alternative bool
	Parts       []MediumPart // how a prize in money is paid, or one for which the cash was taken
	Reason      string       // why the prize is denied
	Details     []byte       // hash of what the register has of a person who was denied the prize
	By          By
}

func (o *OfferClaimed) check() error {
	if o.Prize == 0 || o.Member == "" || o.Granted != (o.Reason == "") || !o.Granted &&
		(len(o.Parts) > 0 || o.Alternative) {
		return fmt.Errorf("a claim to prize %d, granted %v, with the reason %q", o.Prize, o.Granted, o.Reason)
	}
	if len(o.Details) != 0 && len(o.Details) != len(Hash{}) {
		return fmt.Errorf("details of %d bytes", len(o.Details))
	}
	return checkParts(o.Parts)
}

// OfferAct is what is done about a promotion whose integrity is in doubt.
type OfferAct string

// The acts.
const (
	OfferPostponed OfferAct = "postponed"
	OfferCleared   OfferAct = "cleared"
	OfferCancelled OfferAct = "cancelled"
)

// OfferStopped postpones, clears or cancels a promotion. Told says how the
// inspectorate was notified.
type OfferStopped struct {
	_      struct{} `cbor:",toarray"`
	Offer  Offer
	Act    OfferAct // what was done
	Reason string
	Told   string // how the inspectorate was told
	By     By
}

func (o *OfferStopped) check() error {
	if o.Act != OfferPostponed && o.Act != OfferCleared && o.Act != OfferCancelled || o.Reason == "" {
		return fmt.Errorf("a promotion is %q for the reason %q", o.Act, o.Reason)
	}
	return nil
}
