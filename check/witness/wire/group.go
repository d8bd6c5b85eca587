package wire

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"drawhouse/check/witness"
	"drawhouse/core/contain"
	"drawhouse/journal"
)

// A Policy says what happens without a witness's signature.
type Policy string

// The policies.
const (
	Required Policy = "required" // the game is not drawn
	Expected Policy = "expected" // the draw goes on, and the signature may follow
	// LogOnly is a witness of the public log alone, such as those who watch the logs of many: it knows one origin, and
	// no volume of a journal. Without its signature above the seal in the log the game is not drawn.
	LogOnly Policy = "log"
)

// A Member is a witness of a house.
type Member struct {
	*Client
	Policy Policy
	// Custodian says that it also holds links, which make the numbers of witnessed draws, and LinksKey is the verifier
	// key of its commitments to them; "" for others.
	Custodian bool
	LinksKey  string
}

// A Group is the witnesses of a house. Any number of goroutines may use it.
type Group struct {
	Members []Member
	Timeout time.Duration // for all of them together
	// Hurry goes on with all who must sign and more than half of the others, and waits for no slower one.
	Hurry bool
	// FollowersFirst says that the others are asked once a follower has signed, if there is one: of a public log
	// custodians keep the entries, and a required witness of ours may replay the journal; others have size and root alone.
	FollowersFirst bool
	// Sign signs a checkpoint with the house's key, and Prove returns what proves
	// that the journal of a volume, given by its origin, only grew.
	Sign  func(journal.Checkpoint) ([]byte, error)
	Prove func(ctx context.Context, origin string) Prover

	mu    sync.Mutex
	stood map[string]map[string]uint64 // by origin and witness: the size cosigned last, to ask once and not twice
}

// Cosigned is a checkpoint, or a seal, with the signatures of witnesses under it.
type Cosigned struct {
	Seal       []byte // the note of the seal, with the cosignatures; nil for a checkpoint alone
	Checkpoint []byte // the note of its checkpoint, with the same cosignatures
	By         []witness.Cosignature
	Missing    []Missing
}

// Names returns who has signed, ascending.
func (c *Cosigned) Names() []string {
	names := make([]string, len(c.By))
	for i, by := range c.By {
		names[i] = by.Name
	}
	slices.Sort(names)
	return names
}

// Missing is a witness that did not sign, and why.
type Missing struct {
	Name   string
	Policy Policy
	Err    error
}

// CosignSeal asks all witnesses at once for a cosignature of the checkpoint in a
// seal. If one that is required does not sign in time, the error says which and
// why; what the others signed is returned all the same, and asking again asks for
// what is missing.
func (g *Group) CosignSeal(ctx context.Context, seal journal.Seal) (Cosigned, error) {
	c, err := g.Cosign(ctx, seal.Body().Checkpoint)
	c.Seal = seal.Signed()
	for _, by := range c.By {
		c.Seal = append(c.Seal, by.Line...)
	}
	if err != nil {
		return c, fmt.Errorf("wire: %v is not witnessed as required: %w", seal.Body().Game, err)
	}
	return c, nil
}

// Cosign is CosignSeal for a checkpoint alone.
func (g *Group) Cosign(ctx context.Context, checkpoint journal.Checkpoint) (Cosigned, error) {
	signed, err := g.Sign(checkpoint)
	if err != nil {
		return Cosigned{}, err
	}
	return g.CosignNote(ctx, checkpoint, signed)
}

// OfJournal returns those who cosign the volumes of the journal.
func OfJournal(members []Member) (of []Member) {
	for _, m := range members {
		if m.Policy != LogOnly {
			of = append(of, m)
		}
	}
	return of
}

// CosignNote is Cosign for a checkpoint that the house signed before.
func (g *Group) CosignNote(ctx context.Context, checkpoint journal.Checkpoint, signed []byte) (Cosigned, error) {
	return g.CosignMissing(ctx, checkpoint, Cosigned{Checkpoint: signed})
}

// answer is what one member has said.
type answer struct {
	member      int
	cosignature witness.Cosignature
	err         error
}

// CosignMissing is CosignNote where some have signed before: it asks the others alone.
func (g *Group) CosignMissing(ctx context.Context, checkpoint journal.Checkpoint, before Cosigned) (Cosigned, error) {
	if !g.FollowersFirst || !slices.ContainsFunc(g.Members, Member.follows) {
		return g.cosignBy(ctx, checkpoint, before, func(Member) bool { return true })
	}
	first, err := g.cosignBy(ctx, checkpoint, before, Member.follows)
	if !slices.ContainsFunc(g.Members, func(m Member) bool {
		return m.follows() && slices.Contains(first.Names(), m.Witness.Name())
	}) {
		return first, err // Nobody has the entries.
	}
	then, wrong := g.cosignBy(ctx, checkpoint, Cosigned{Checkpoint: first.Checkpoint, By: first.By},
		func(m Member) bool { return !m.follows() })
	then.Missing = slices.Concat(first.Missing, then.Missing)
	return then, errors.Join(err, wrong)
}

// follows reports whether a member may have more of a public log than its size and root.
func (m Member) follows() bool { return m.Custodian || m.Policy == Required }

// cosignBy asks some of the members, except those who have signed before.
func (g *Group) cosignBy(ctx context.Context, checkpoint journal.Checkpoint, before Cosigned,
	whom func(Member) bool) (Cosigned, error) {
	ctx, cancel := context.WithTimeout(ctx, g.Timeout)
	answers, had := make(chan answer, len(g.Members)), before.Names()
	asked := 0
	var wg sync.WaitGroup
	for i, m := range g.Members {
		if !whom(m) || slices.Contains(had, m.Witness.Name()) {
			continue
		}
		asked++
		wg.Add(1)
		said := answer{member: i}
		contain.Go("asking witness "+m.Witness.Name(), func() (err error) {
			said.cosignature, err = m.Cosign(ctx, before.Checkpoint, g.guess(checkpoint.Origin, m.Witness.Name()),
				g.Prove(ctx, checkpoint.Origin))
			if err == nil {
				g.learn(checkpoint.Origin, m.Witness.Name(), checkpoint.Size)
			}
			return err
		}, func(err error) {
			said.err = err // One that panics has not cosigned.
			answers <- said
			wg.Done()
		})
	}
	contain.Go("waiting for witnesses", func() error { wg.Wait(); return nil }, func(error) { cancel() })
	heard := make([]*answer, len(g.Members))
	for range asked {
		said := <-answers
		heard[said.member] = &said
		if g.Hurry && g.enough(heard, had) {
			break
		}
	}
	return g.gather(before, heard, had)
}

// enough reports whether nobody is left for whom the house waits: all who must sign have answered, and more than half
// of the others have signed.
func (g *Group) enough(heard []*answer, had []string) bool {
	others, signed := 0, 0
	for i, m := range g.Members {
		has := slices.Contains(had, m.Witness.Name())
		switch {
		case m.Policy != Expected && heard[i] == nil && !has:
			return false
		case m.Policy == Expected:
			others++
			if has || heard[i] != nil && heard[i].err == nil {
				signed++
			}
		}
	}
	return others == 0 || 2*signed > others
}

// gather puts the answers under the checkpoint, in the order of the members.
func (g *Group) gather(before Cosigned, heard []*answer, had []string) (Cosigned, error) {
	c := Cosigned{Checkpoint: before.Checkpoint, By: slices.Clone(before.By)}
	var required []error
	for i, m := range g.Members {
		said := heard[i]
		switch {
		case said == nil: // It has signed before, or it is slower than the others.
		case said.err != nil:
			c.Missing = append(c.Missing, Missing{m.Witness.Name(), m.Policy, said.err})
			if m.Policy != Expected {
				required = append(required, said.err)
			}
		case !slices.Contains(had, m.Witness.Name()):
			c.By = append(c.By, said.cosignature)
			c.Checkpoint = slices.Concat(c.Checkpoint, said.cosignature.Line)
		}
	}
	return c, errors.Join(required...)
}

func (g *Group) guess(origin, name string) uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stood[origin][name]
}

func (g *Group) learn(origin, name string, size uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stood == nil {
		g.stood = make(map[string]map[string]uint64)
	}
	if g.stood[origin] == nil {
		g.stood[origin] = make(map[string]uint64)
	}
	g.stood[origin][name] = size
}
