package draw

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

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

// A Commitment is what a custodian signs before the day. From then on there is one link
// for each draw, and who holds a share can be held to that share.
//
// A commitment to links that stand each for themselves (Singly) has in Tip the RFC 6962
// root over the text of each link, and in Shares the roots over the shares of each holder.
// A commitment to a chain, as custodians made it before, has the tip of the chain, and the
// hashes of the shares of its seed.
type Commitment struct {
	Singly bool
	Chain  ChainName
	Tip    journal.Hash
	Shares [escrowHolders]journal.Hash
}

func (c Commitment) String() string {
	if c.Singly {
		return fmt.Sprintf("links of %s for %s %s", c.Chain.Custodian, c.Chain.Series, c.Chain.Day)
	}
	return c.Chain.String()
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
	form, tip := chainForm, "tip"
	if c.Singly {
		form, tip = linksForm, "root"
	}
	b := c.Chain.lines(form).Hash(tip, c.Tip)
	for i, hash := range c.Shares {
		b.Hash("share"+strconv.Itoa(i+1), hash)
	}
	return b.String()
}

// ParseCommitment reads the text of a commitment.
func ParseCommitment(text string) (Commitment, error) {
	c := Commitment{Singly: strings.HasPrefix(text, linksForm+"\n")}
	form, tip := chainForm, "tip"
	if c.Singly {
		form, tip = linksForm, "root"
	}
	b := journal.ReadBody(text, form)
	c.Chain = readChain(b)
	c.Tip = b.Hash(tip)
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
		return Commitment{}, fmt.Errorf("draw: the commitment to the %v is not in canonical form", c)
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
		return Commitment{}, fmt.Errorf("draw: %s signed a commitment to the %v", custodian.Name(), c)
	}
	return c, nil
}

// Covers reports why the chain has no link for a game, if it has none.
func (c Commitment) Covers(game journal.Game) error {
	_, err := c.Chain.place(game, 1)
	return err
}

// CheckLink verifies a link: its path must lead to the root, or, of a chain, hashed as
// often as its place says, the link must give the tip.
func (c Commitment) CheckLink(link Link) error {
	if c.Singly {
		return c.checkSingly(link)
	}
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
		if share.Holder < 1 || share.Holder > escrowHolders ||
			sha256.Sum256([]byte(share.Marshal())) != c.Shares[share.Holder-1] {
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
