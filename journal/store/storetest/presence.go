package storetest

import (
	"errors"
	"testing"

	"drawhouse/journal/store"
)

// openShared opens a store that is to be followed.
func openShared(t *testing.T, d Driver, location string) store.Shared {
	t.Helper()
	st, ok := open(t, d, location).(store.Shared)
	if !ok {
		t.Fatal("the store cannot be shared")
	}
	return st
}

// testPresence lets writers announce themselves, and one that was taken over from
// learn it by that.
func testPresence(t *testing.T, d Driver) {
	location := d.Locate(t)
	first, second := openShared(t, d, location), openShared(t, d, location)
	if p, err := second.Present(t.Context()); err != nil || p != (store.Presence{}) {
		t.Errorf("nobody has announced anything, and there is %+v, %v", p, err)
	}
	if err := first.Announce(t.Context(), store.Presence{Epoch: 1}); !errors.Is(err, store.ErrFenced) {
		t.Errorf("a journal that nobody took over: %v, want ErrFenced", err)
	}
	old := takeOver(t, first)
	for beat := uint64(1); beat < 4; beat++ {
		want := store.Presence{Epoch: 1, Beat: beat, Address: "http://one.example"}
		if err := first.Announce(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		if p, err := second.Present(t.Context()); err != nil || p != want {
			t.Errorf("announced %+v, found %+v, %v", want, p, err)
		}
	}
	appendSome(t, first, old, 3)

	successor := takeOver(t, second)
	want := store.Presence{Epoch: 2, Beat: 1}
	if err := second.Announce(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	for _, epoch := range []uint64{1, 3} {
		if err := first.Announce(t.Context(), store.Presence{Epoch: epoch, Beat: 9}); !errors.Is(err, store.ErrFenced) {
			t.Errorf("the writer of epoch %d announced itself in epoch 2: %v, want ErrFenced", epoch, err)
		}
	}
	if p, err := first.Present(t.Context()); err != nil || p != want {
		t.Errorf("found %+v, %v; want %+v", p, err, want)
	}
	appendSome(t, second, successor, 1)
	checkAll(t, first)
}

// testSuccession lets several followers who miss the same writer take over at once.
// One of them does, and the others change nothing.
func testSuccession(t *testing.T, d Driver) {
	location := d.Locate(t)
	writer := openShared(t, d, location)
	j := takeOver(t, writer)
	appendSome(t, writer, j, 5)
	const followers = 6
	outcomes := make(chan error, followers)
	for range followers {
		st := openShared(t, d, location)
		go func() {
			head, err := st.TakeOverFrom(t.Context(), 1)
			if err == nil && (head.Epoch != 2 || head.Size != 5) {
				err = errors.New("the successor was given another head")
			}
			outcomes <- err
		}()
	}
	succeeded := 0
	for range followers {
		switch err := <-outcomes; {
		case err == nil:
			succeeded++
		case !errors.Is(err, store.ErrFenced):
			t.Errorf("taking over from a writer that is gone: %v, want ErrFenced", err)
		}
	}
	if head, err := writer.Head(t.Context()); err != nil || head.Epoch != 2 || succeeded != 1 {
		t.Errorf("%d of %d took over, head %+v, %v; want one, in epoch 2", succeeded, followers, head, err)
	}
	if err := writer.Append(t.Context(), j.Batch(j.Some(1))); !errors.Is(err, store.ErrFenced) {
		t.Errorf("the writer appended after its successor took over: %v, want ErrFenced", err)
	}
	// Who was refused may try again, and write.
	if _, err := writer.TakeOverFrom(t.Context(), 1); !errors.Is(err, store.ErrFenced) {
		t.Errorf("taking over from an epoch that is over: %v, want ErrFenced", err)
	}
	head, err := writer.TakeOverFrom(t.Context(), 2)
	if err != nil || head.Epoch != 3 {
		t.Fatalf("taking over from the successor: %+v, %v", head, err)
	}
	again, err := Resume(t.Context(), head, writer)
	if err != nil {
		t.Fatal(err)
	}
	appendSome(t, writer, again, 2)
	checkAll(t, writer)
}
