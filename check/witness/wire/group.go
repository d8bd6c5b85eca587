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
)

// A Member is a witness of a house.
type Member struct {
	*Client
	Policy Policy
	// Custodian says that it also holds chains, whose links make the numbers of
	// witnessed draws.
	Custodian bool
}

// A Group is the witnesses of a house. Any number of goroutines may use it.
type Group struct {
	Members []Member
	Timeout time.Duration // for all of them together
	// Sign signs a checkpoint with the house's key, and Prove returns what proves
	// that the journal of a volume, given by its origin, only grew.
	Sign  func(journal.Checkpoint) ([]byte, error)
	Prove func(ctx context.Context, origin string) Prover
	// CustodiansFirst says that the others are asked once a custodian has signed, if there is one: of a public log
	// custodians keep the entries, and others the size and root alone.
	CustodiansFirst bool

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

// CosignNote is Cosign for a checkpoint that the house signed before.
func (g *Group) CosignNote(ctx context.Context, checkpoint journal.Checkpoint, signed []byte) (Cosigned, error) {
	ctx, cancel := context.WithTimeout(ctx, g.Timeout)
	defer cancel()
	answers := make([]witness.Cosignature, len(g.Members))
	errs := make([]error, len(g.Members))
	isCustodian := func(m Member) bool { return m.Custodian }
	if !g.CustodiansFirst || !slices.ContainsFunc(g.Members, isCustodian) {
		g.ask(ctx, checkpoint, signed, func(Member) bool { return true }, answers, errs)
		return g.gather(signed, answers, errs)
	}
	g.ask(ctx, checkpoint, signed, isCustodian, answers, errs)
	kept := false
	for i, m := range g.Members {
		kept = kept || m.Custodian && errs[i] == nil
	}
	if kept {
		g.ask(ctx, checkpoint, signed, func(m Member) bool { return !m.Custodian }, answers, errs)
		return g.gather(signed, answers, errs)
	}
	for i, m := range g.Members {
		if !m.Custodian {
			errs[i] = fmt.Errorf("wire: %s is asked once a custodian has the entries: %w", m.Witness.Name(), ErrUnreachable)
		}
	}
	return g.gather(signed, answers, errs)
}

// ask asks some of the witnesses at once.
func (g *Group) ask(ctx context.Context, checkpoint journal.Checkpoint, signed []byte, whom func(Member) bool,
	answers []witness.Cosignature, errs []error) {
	var wg sync.WaitGroup
	for i, m := range g.Members {
		if !whom(m) {
			continue
		}
		wg.Add(1)
		contain.Go("asking witness "+m.Witness.Name(), func() (err error) {
			answers[i], err = m.Cosign(ctx, signed, g.guess(checkpoint.Origin, m.Witness.Name()),
				g.Prove(ctx, checkpoint.Origin))
			if err == nil {
				g.learn(checkpoint.Origin, m.Witness.Name(), checkpoint.Size)
			}
			return err
		}, func(err error) {
			errs[i] = err // One that panics has not cosigned.
			wg.Done()
		})
	}
	wg.Wait()
}

// gather puts together what the witnesses have answered.
func (g *Group) gather(signed []byte, answers []witness.Cosignature, errs []error) (Cosigned, error) {
	c := Cosigned{Checkpoint: signed}
	var required []error
	for i, m := range g.Members {
		if errs[i] != nil {
			c.Missing = append(c.Missing, Missing{m.Witness.Name(), m.Policy, errs[i]})
			if m.Policy != Expected {
				required = append(required, errs[i])
			}
			continue
		}
		c.By = append(c.By, answers[i])
		c.Checkpoint = slices.Concat(c.Checkpoint, answers[i].Line)
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
