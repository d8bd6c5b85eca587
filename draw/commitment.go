package draw

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"drawhouse/journal"
)

// escrowForm is the first line of a share.
const escrowForm = "drawhouse/escrow/v1"

// The errors of escrow.
var (
	// ErrShare: a share is not the one that the commitment names.
	ErrShare = errors.New("not the share that was committed to")
	// ErrDealer: shares that are those committed to do not give the chain that
	// was: the custodian who dealt them did so wrongly.
	ErrDealer = errors.New("the shares do not give the chain that was committed to")
)

// A Commitment is what a custodian signs before the day: the tip of a chain, and
// the hashes of the shares of its seed. From then on there is one link for each
// draw, and whoever holds a share can be held to it.
type Commitment struct {
	Chain  ChainName
	Tip    journal.Hash
	Shares [escrowHolders]journal.Hash // of the text of each share
}

// A Share is one of three parts of a chain's seed, kept by a holder outside the
// operator. Any two rebuild the chain.
type Share struct {
	Chain  ChainName
	Holder int // 1 to 3
	Value  journal.Hash
}

// Marshal returns the share's text.
func (s Share) Marshal() string {
	return journal.NewBody(escrowForm).
		Text("custodian", s.Chain.Custodian).
		Text("series", s.Chain.Series).
		Text("day", s.Chain.Day).
		Uint("first", uint64(s.Chain.First)).
		Uint("games", uint64(s.Chain.Games)).
		Uint("holder", uint64(s.Holder)).
		Hash("share", s.Value).
		String()
}

// readChain reads the lines of a chain's name.
func readChain(b *journal.BodyReader) (n ChainName) {
	n.Custodian = b.Text("custodian")
	n.Series = b.Text("series")
	n.Day = b.Text("day")
	n.First = uint32(b.Uint("first", math.MaxUint32))
	n.Games = uint32(b.Uint("games", maxChainGames))
	return n
}

// ParseShare reads the text of a share.
func ParseShare(text string) (Share, error) {
	b := journal.ReadBody(text, escrowForm)
	s := Share{Chain: readChain(b)}
	s.Holder = int(b.Uint("holder", escrowHolders))
	s.Value = b.Hash("share")
	if err := b.Close(); err != nil {
		return Share{}, fmt.Errorf("draw: %w", err)
	}
	if err := s.Chain.Check(); err != nil {
		return Share{}, err
	}
	if s.Holder == 0 || s.Marshal() != text {
		return Share{}, fmt.Errorf("draw: the share of the %v is not in canonical form", s.Chain)
	}
	return s, nil
}

// Commit deals the shares of a seed and returns what the custodian signs and the
// shares. Entropy makes one share tell nothing of the seed.
func Commit(entropy io.Reader, name ChainName, seed journal.Hash) (Commitment, [escrowHolders]Share, error) {
	var shares [escrowHolders]Share
	chain, err := NewChain(name, seed)
	if err != nil {
		return Commitment{}, shares, err
	}
	values, err := splitSecret(entropy, seed)
	if err != nil {
		return Commitment{}, shares, err
	}
	c := Commitment{Chain: name, Tip: chain.Tip()}
	for i, value := range values {
		shares[i] = Share{Chain: name, Holder: i + 1, Value: value}
		c.Shares[i] = sha256.Sum256([]byte(shares[i].Marshal()))
	}
	return c, shares, nil
}

// Marshal returns the commitment's text, which the custodian signs as a note.
func (c Commitment) Marshal() string {
	b := c.Chain.body().Hash("tip", c.Tip)
	for i, hash := range c.Shares {
		b.Hash("share"+strconv.Itoa(i+1), hash)
	}
	return b.String()
}

// ParseCommitment reads the text of a commitment.
func ParseCommitment(text string) (Commitment, error) {
	b := journal.ReadBody(text, chainForm)
	c := Commitment{Chain: readChain(b)}
	c.Tip = b.Hash("tip")
	for i := range c.Shares {
		c.Shares[i] = b.Hash("share" + strconv.Itoa(i+1))
	}
	if err := b.Close(); err != nil {
		return Commitment{}, fmt.Errorf("draw: %w", err)
	}
	if err := c.Chain.Check(); err != nil {
		return Commitment{}, err
	}
	if c.Marshal() != text {
		return Commitment{}, fmt.Errorf("draw: the commitment to the %v is not in canonical form", c.Chain)
	}
	return c, nil
}

// OpenCommitment verifies a signed commitment by the custodian's key.
func OpenCommitment(msg []byte, custodian journal.Verifier) (Commitment, error) {
	text, _, err := journal.OpenNote(msg, custodian)
	if err != nil {
		return Commitment{}, fmt.Errorf("draw: commitment: %w", err)
	}
	c, err := ParseCommitment(text)
	if err != nil {
		return Commitment{}, err
	}
	if c.Chain.Custodian != custodian.Name() {
		return Commitment{}, fmt.Errorf("draw: %s signed a commitment to the %v", custodian.Name(), c.Chain)
	}
	return c, nil
}

// Covers reports why the chain has no link for a game, if it has none.
func (c Commitment) Covers(game journal.Game) error {
	_, err := c.Chain.place(game, 1)
	return err
}

// CheckLink verifies a link: hashed as often as its place says, it must give the
// tip.
func (c Commitment) CheckLink(link Link) error {
	place, err := c.Chain.place(link.Game, link.Revision)
	if err != nil {
		return err
	}
	if link.Custodian != c.Chain.Custodian {
		return fmt.Errorf("draw: the link of %s is not of the %v: %w", link.Custodian, c.Chain, ErrLink)
	}
	id, value := c.Chain.id(), link.Value
	for ; place > 0; place-- {
		value = step(id, place-1, value)
	}
	if value != c.Tip {
		return fmt.Errorf("draw: the link of %s for %v, revision %d, does not lead to the tip of its chain: %w",
			link.Custodian, link.Game, link.Revision, ErrLink)
	}
	return nil
}

// Rebuild returns the chain from two shares, when its custodian withholds a link
// or has lost the chain. It tells a holder who brings another share (ErrShare)
// from a custodian who dealt wrong ones (ErrDealer).
func (c Commitment) Rebuild(a, b Share) (*Chain, error) {
	for _, share := range []Share{a, b} {
		if share.Holder < 1 || share.Holder > escrowHolders || sha256.Sum256([]byte(share.Marshal())) != c.Shares[share.Holder-1] {
			return nil, fmt.Errorf("draw: %v: share %d: %w", c.Chain, share.Holder, ErrShare)
		}
	}
	seed, err := joinShares(a.Holder, a.Value, b.Holder, b.Value)
	if err != nil {
		return nil, err
	}
	chain, err := NewChain(c.Chain, seed)
	if err != nil {
		return nil, err
	}
	if chain.Tip() != c.Tip {
		return nil, fmt.Errorf("draw: %v: shares %d and %d: %w", c.Chain, a.Holder, b.Holder, ErrDealer)
	}
	return chain, nil
}
