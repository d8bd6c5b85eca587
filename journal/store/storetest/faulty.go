package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"drawhouse/journal/store"
)

// ErrFault is what a Faulty store fails with; it is the error of a disk, of
// which a writer knows nothing more.
var ErrFault = errors.New("injected fault")

// Fault says when an append fails.
type Fault int

// The faults of an append. After both the writer does not know the outcome.
const (
	NoFault      Fault = iota
	BeforeCommit       // nothing is stored, and the append fails
	AfterCommit        // the batch is stored, and the append fails
)

// Faulty is a store whose appends fail as a plan says.
type Faulty struct {
	store.Store
	plan    func(store.Batch) Fault
	unknown atomic.Bool // an append failed, and nobody has taken over since
}

// NewFaulty returns a store that asks plan before each append. The plan may
// also wait, and is called by the appending goroutine.
func NewFaulty(st store.Store, plan func(store.Batch) Fault) *Faulty {
	return &Faulty{Store: st, plan: plan}
}

// TakeOver implements store.Store.
func (f *Faulty) TakeOver(ctx context.Context) (store.Head, error) {
	head, err := f.Store.TakeOver(ctx)
	if err == nil {
		f.unknown.Store(false)
	}
	return head, err
}

func (f *Faulty) shared() store.Shared {
	return f.Store.(store.Shared) //nolint:errcheck // It is asked of stores that are shared.
}

// TakeOverFrom implements store.Shared, on a store that does.
func (f *Faulty) TakeOverFrom(ctx context.Context, epoch uint64) (store.Head, error) {
	head, err := f.shared().TakeOverFrom(ctx, epoch)
	if err == nil {
		f.unknown.Store(false)
	}
	return head, err
}

// Announce implements store.Shared, on a store that does.
func (f *Faulty) Announce(ctx context.Context, p store.Presence) error {
	return f.shared().Announce(ctx, p)
}

// Present implements store.Shared, on a store that does.
func (f *Faulty) Present(ctx context.Context) (store.Presence, error) {
	return f.shared().Present(ctx)
}

// Append implements store.Store.
func (f *Faulty) Append(ctx context.Context, b store.Batch) error {
	if f.unknown.Load() {
		return fmt.Errorf("storetest: after a fault: %w", store.ErrFenced)
	}
	fault := f.plan(b)
	if fault == BeforeCommit {
		f.unknown.Store(true)
		return ErrFault
	}
	if err := f.Store.Append(ctx, b); err != nil {
		return err
	}
	if fault == AfterCommit {
		f.unknown.Store(true)
		return ErrFault
	}
	return nil
}
