package draw

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"drawhouse/journal"
)

// The first lines of the texts about links that stand each for itself.
const (
	linksForm       = "drawhouse/links/v1"        // a commitment
	linksSecretForm = "drawhouse/links-secret/v1" // what the custodian keeps
	linkForm        = "drawhouse/link/v2"         // one link
	sharesForm      = "drawhouse/shares/v1"       // what a holder keeps
	shareForm       = "drawhouse/share/v2"        // the share of one link
)

// maxPath is how many hashes lead from a leaf to the root of a tree of maxChainGames.
const maxPath = 14

// A Path leads from a leaf to the root of an RFC 6962 tree: hashes of 32 bytes, one
// behind the other. It is a string so that a link can be compared.
type Path string

// PathOf returns the path of hashes.
func PathOf(hashes []journal.Hash) Path {
	var b strings.Builder
	for _, h := range hashes {
		b.Write(h[:])
	}
	return Path(b.String())
}

// Hashes returns the hashes of the path.
func (p Path) Hashes() []journal.Hash {
	hashes := make([]journal.Hash, len(p)/journal.HashBytes)
	for i := range hashes {
		copy(hashes[i][:], p[i*journal.HashBytes:])
	}
	return hashes
}

func (p Path) write(b *journal.BodyWriter, key string) {
	for _, h := range p.Hashes() {
		b.Hash(key, h)
	}
}

func readPath(b *journal.BodyReader, key string) Path {
	var hashes []journal.Hash
	for b.More(key) && len(hashes) <= maxPath {
		hashes = append(hashes, b.Hash(key))
	}
	return PathOf(hashes)
}

// A forest is the tree over one text a game, in the order of games.
type forest struct {
	name ChainName
	tree *journal.Tree
}

func plant(name ChainName, leaf func(game journal.Game, i int) string) forest {
	f := forest{name, journal.NewTree()}
	for i := range int(name.Games) {
		f.tree.Append([]byte(leaf(name.game(i), i)))
	}
	return f
}

func plantLeaves(name ChainName, leaves []journal.Hash) forest {
	f := forest{name, journal.NewTree()}
	for _, leaf := range leaves {
		f.tree.AppendLeaf(leaf)
	}
	return f
}

// path returns the path of the leaf of a game.
func (f forest) path(i uint32) (Path, error) {
	proof, err := journal.ProveRecord(uint64(i), f.tree.Size(), journal.NewReader(f.tree, nil))
	return PathOf(proof), err
}

// game returns the game at an index.
func (n ChainName) game(i int) journal.Game {
	return journal.Game{Series: n.Series, Day: n.Day, Number: n.First + uint32(i)}
}

// index returns which of the games of the name a game is.
func (n ChainName) index(game journal.Game) (uint32, error) {
	place, err := n.place(game, 1)
	return place / drawsOfGame, err
}

// Links are a custodian's secret for a day: one value a game, each random and
// independent of every other, so that one that is known tells nothing of another.
type Links struct {
	forest
	values []journal.Hash
}

// NewLinks draws the links of a day.
func NewLinks(entropy io.Reader, name ChainName) (*Links, error) {
	if err := name.Check(); err != nil {
		return nil, err
	}
	values := make([]journal.Hash, name.Games)
	for i := range values {
		if _, err := io.ReadFull(entropy, values[i][:]); err != nil {
			return nil, fmt.Errorf("draw: reading entropy: %w", err)
		}
	}
	return linksOf(name, values), nil
}

func linksOf(name ChainName, values []journal.Hash) *Links {
	return &Links{values: values, forest: plant(name, func(game journal.Game, i int) string {
		return Link{Custodian: name.Custodian, Game: game, Value: values[i]}.leaf()
	})}
}

// Name returns whose links they are and for which games.
func (l *Links) Name() ChainName { return l.name }

// Root returns the root that the custodian commits to.
func (l *Links) Root() journal.Hash { return l.tree.Root() }

// Link returns the link of a game with its path. A custodian gives it away through the
// gate of package witness only.
func (l *Links) Link(game journal.Game) (Link, error) {
	i, err := l.name.index(game)
	if err != nil {
		return Link{}, err
	}
	path, err := l.path(i)
	return Link{Custodian: l.name.Custodian, Game: game, Revision: 1, Value: l.values[i], Path: path}, err
}

// leaves returns the hash of each leaf. It tells nothing of a link.
func (l *Links) leaves() []journal.Hash {
	hashes := make([]journal.Hash, len(l.values))
	for i, value := range l.values {
		hashes[i] = journal.LeafHash([]byte(Link{Custodian: l.name.Custodian, Game: l.name.game(i),
			Value: value}.leaf()))
	}
	return hashes
}

// Marshal returns the secret's text.
func (l *Links) Marshal() string {
	b := l.name.lines(linksSecretForm)
	for _, value := range l.values {
		b.Hash("link", value)
	}
	return b.String()
}

// ParseLinks reads the text of a secret.
func ParseLinks(text string) (*Links, error) {
	b := journal.ReadBody(text, linksSecretForm)
	name := readChain(b)
	var values []journal.Hash
	for b.More("link") && len(values) < maxChainGames {
		values = append(values, b.Hash("link"))
	}
	if err := checkValues(b, name, len(values)); err != nil {
		return nil, err
	}
	return linksOf(name, values), nil
}

func checkValues(b *journal.BodyReader, name ChainName, values int) error {
	if err := b.Close(); err != nil {
		return fmt.Errorf("draw: %w", err)
	}
	if err := name.Check(); err != nil {
		return err
	}
	if values != int(name.Games) {
		return fmt.Errorf("draw: the text has %d values for %d games", values, name.Games)
	}
	return nil
}

// Commit deals the shares of every link and returns what the custodian signs, and what
// each of the three holders keeps. Entropy makes a share tell nothing of its link.
func (l *Links) Commit(entropy io.Reader) (Commitment, [escrowHolders]*Shares, error) {
	var holders [escrowHolders]*Shares
	var dealt [escrowHolders][]journal.Hash
	for _, value := range l.values {
		parts, err := splitSecret(entropy, value)
		if err != nil {
			return Commitment{}, holders, err
		}
		for i, part := range parts {
			dealt[i] = append(dealt[i], part)
		}
	}
	c := Commitment{Singly: true, Chain: l.name, Tip: l.Root()}
	for i := range holders {
		holders[i] = sharesOf(l.name, i+1, dealt[i], l.leaves())
		c.Shares[i] = holders[i].tree.Root()
	}
	return c, holders, nil
}

// leaf returns the text of a link that the root is over.
func (l Link) leaf() string {
	return l.body().String()
}

func (l Link) body() *journal.BodyWriter {
	return gameLines(linkForm, l.Custodian, l.Game).Hash("link", l.Value)
}

// Marshal returns the text of a link that stands for itself, with its path.
func (l Link) Marshal() string {
	b := l.body()
	l.Path.write(b, "path")
	return b.String()
}

// ParseLink reads the text of a link. Whether the link is the one committed to is for the
// commitment to say.
func ParseLink(text string) (Link, error) {
	b := journal.ReadBody(text, linkForm)
	l := Link{Revision: 1}
	l.Custodian, l.Game = readGame(b)
	l.Value = b.Hash("link")
	l.Path = readPath(b, "path")
	if err := b.Close(); err != nil {
		return Link{}, fmt.Errorf("draw: %w", err)
	}
	if err := l.Game.Check(); err != nil {
		return Link{}, err
	}
	if l.Marshal() != text {
		return Link{}, errors.New("draw: the link is not in canonical form")
	}
	return l, nil
}

func gameLines(form, custodian string, game journal.Game) *journal.BodyWriter {
	return journal.NewBody(form).
		Text("custodian", custodian).
		Text("series", game.Series).
		Text("day", game.Day).
		Uint("game", uint64(game.Number))
}

func readGame(b *journal.BodyReader) (custodian string, game journal.Game) {
	custodian = b.Text("custodian")
	game.Series = b.Text("series")
	game.Day = b.Text("day")
	game.Number = uint32(b.Uint("game", math.MaxUint32))
	return custodian, game
}

// checkSingly verifies a link of a commitment to links that stand each for themselves.
func (c Commitment) checkSingly(link Link) error {
	i, err := c.Chain.index(link.Game)
	if err != nil {
		return err
	}
	if link.Revision != 1 {
		return fmt.Errorf("draw: %v: a game has one link and none for revision %d: %w", link.Game, link.Revision,
			ErrLink)
	}
	if link.Custodian != c.Chain.Custodian {
		return fmt.Errorf("draw: the link of %s is not one of the %v: %w", link.Custodian, c, ErrLink)
	}
	if err := journal.CheckRecord(link.Path.Hashes(), uint64(c.Chain.Games), c.Tip, uint64(i),
		journal.LeafHash([]byte(link.leaf()))); err != nil {
		return fmt.Errorf("draw: the link of %s for %v does not lead to the root committed to: %w", link.Custodian,
			link.Game, ErrLink)
	}
	return nil
}

// Shares are what one holder keeps: a share of every link of a day, and the leaves of the
// tree of links, from which the path of a link that is rebuilt is made.
type Shares struct {
	forest
	holder int
	values []journal.Hash
	leaves []journal.Hash
	links  forest
}

func sharesOf(name ChainName, holder int, values, leaves []journal.Hash) *Shares {
	s := &Shares{holder: holder, values: values, leaves: leaves, links: plantLeaves(name, leaves)}
	s.forest = plant(name, func(game journal.Game, i int) string {
		return LinkShare{Custodian: name.Custodian, Game: game, Holder: holder, Value: values[i]}.body().String()
	})
	return s
}

// Name returns of whose links they are shares, and for which games.
func (s *Shares) Name() ChainName { return s.name }

// Holder returns which of the three holders keeps them.
func (s *Shares) Holder() int { return s.holder }

// Fit reports whether the shares are those that a commitment names for their holder.
func (s *Shares) Fit(c Commitment) bool {
	return c.Singly && c.Chain == s.name && c.Shares[s.holder-1] == s.tree.Root() && c.Tip == s.links.tree.Root()
}

// Marshal returns the text of the shares.
func (s *Shares) Marshal() string {
	b := s.name.lines(sharesForm).Uint("holder", uint64(s.holder))
	for i, value := range s.values {
		b.Hash("share", value).Hash("leaf", s.leaves[i])
	}
	return b.String()
}

// ParseShares reads what a holder keeps.
func ParseShares(text string) (*Shares, error) {
	b := journal.ReadBody(text, sharesForm)
	name := readChain(b)
	holder := int(b.Uint("holder", escrowHolders))
	var values, leaves []journal.Hash
	for b.More("share") && len(values) < maxChainGames {
		values, leaves = append(values, b.Hash("share")), append(leaves, b.Hash("leaf"))
	}
	if err := checkValues(b, name, len(values)); err != nil {
		return nil, err
	}
	if holder == 0 {
		return nil, errors.New("draw: holders count from 1")
	}
	return sharesOf(name, holder, values, leaves), nil
}

// Share returns the share of one link. It tells nothing of another.
func (s *Shares) Share(game journal.Game) (LinkShare, error) {
	i, err := s.name.index(game)
	if err != nil {
		return LinkShare{}, err
	}
	path, err1 := s.path(i)
	link, err2 := s.links.path(i)
	return LinkShare{Custodian: s.name.Custodian, Game: game, Holder: s.holder, Value: s.values[i], Path: path,
		LinkPath: link}, errors.Join(err1, err2)
}

// A LinkShare is one of three parts of one link. Any two rebuild the link.
type LinkShare struct {
	Custodian string
	Game      journal.Game
	Holder    int // 1 to 3
	Value     journal.Hash
	Path      Path // to the root of the holder's shares
	LinkPath  Path // of the link itself, to the root of links
}

func (s LinkShare) body() *journal.BodyWriter {
	return gameLines(shareForm, s.Custodian, s.Game).Uint("holder", uint64(s.Holder)).Hash("share", s.Value)
}

// Marshal returns the share's text, with its path.
func (s LinkShare) Marshal() string {
	b := s.body()
	s.Path.write(b, "path")
	s.LinkPath.write(b, "linkpath")
	return b.String()
}

// ParseLinkShare reads the text of a share.
func ParseLinkShare(text string) (LinkShare, error) {
	b := journal.ReadBody(text, shareForm)
	var s LinkShare
	s.Custodian, s.Game = readGame(b)
	s.Holder = int(b.Uint("holder", escrowHolders))
	s.Value = b.Hash("share")
	s.Path = readPath(b, "path")
	s.LinkPath = readPath(b, "linkpath")
	if err := b.Close(); err != nil {
		return LinkShare{}, fmt.Errorf("draw: %w", err)
	}
	if err := s.Game.Check(); err != nil {
		return LinkShare{}, err
	}
	if s.Holder == 0 || s.Marshal() != text {
		return LinkShare{}, fmt.Errorf("draw: the share for %v is not in canonical form", s.Game)
	}
	return s, nil
}

// RebuildLink returns a link from two shares of it, when its custodian withholds it. It
// tells a holder who brings another share (ErrShare) from a custodian who dealt wrong ones
// (ErrDealer).
func (c Commitment) RebuildLink(game journal.Game, a, b LinkShare) (Link, error) {
	i, err := c.Chain.index(game)
	if err != nil {
		return Link{}, err
	}
	for _, share := range []LinkShare{a, b} {
		leaf := journal.LeafHash([]byte(share.body().String()))
		if !c.Singly || share.Custodian != c.Chain.Custodian || share.Game != game || share.Holder < 1 ||
			share.Holder > escrowHolders ||
			journal.CheckRecord(share.Path.Hashes(), uint64(c.Chain.Games), c.Shares[share.Holder-1], uint64(i),
				leaf) != nil {
			return Link{}, fmt.Errorf("draw: %v: share %d of %v: %w", c, share.Holder, share.Game, ErrShare)
		}
	}
	value, err := joinShares(a.Holder, a.Value, b.Holder, b.Value)
	if err != nil {
		return Link{}, err
	}
	link := Link{Custodian: c.Chain.Custodian, Game: game, Revision: 1, Value: value}
	for _, path := range []Path{a.LinkPath, b.LinkPath} {
		if link.Path = path; c.CheckLink(link) == nil {
			return link, nil
		}
	}
	return Link{}, fmt.Errorf("draw: %v: shares %d and %d: %w", c, a.Holder, b.Holder, ErrDealer)
}
