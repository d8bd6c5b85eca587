package wire

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"testing"

	"drawhouse/games/draw"
	"drawhouse/journal/public"
)

// copyOf is the copy of a log at an office, which may be away.
type copyOf struct {
	of   *office
	hash string
}

// Read implements LogSource.
func (c copyOf) Read(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.of.http.URL+"/"+c.hash+"/"+path, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	switch answer.StatusCode {
	case http.StatusOK:
		return io.ReadAll(answer.Body)
	case http.StatusNotFound:
		return nil, fs.ErrNotExist
	}
	return nil, fmt.Errorf("it answers %s", answer.Status)
}

// follower is an office as others ask it.
func (o *office) follower() LogFollower {
	return LogFollower{Name: o.name, Log: func(hash string) LogSource { return copyOf{o, hash} }}
}

// restored goes back to an older book, and asks another office.
func (o *office) restored(book string, other *office) {
	o.stop()
	o.state, o.others = book, []LogFollower{other.follower()}
	o.start()
}

// rebuilt returns the link of a game from the shares of two holders.
func (o *office) rebuilt(p *played) draw.Link {
	o.t.Helper()
	commitment, shares := o.commitment()
	first, err := shares[0].Share(p.name)
	if err != nil {
		o.t.Fatal(err)
	}
	second, err := shares[2].Share(p.name)
	if err != nil {
		o.t.Fatal(err)
	}
	link, err := commitment.RebuildLink(p.name, first, second)
	if err != nil {
		o.t.Fatal(err)
	}
	return link
}

// TestRestoredCustodian brings a custodian back from a backup. It asks the other one before it signs or gives out
// anything, takes the entries that it lacks from there, and gives out no link of a game that is sealed in them. These
// come from holders of shares, and the game after them is drawn as before.
func TestRestoredCustodian(t *testing.T) {
	s := newStage(t)
	a, b := s.offices[0], s.offices[1]
	s.quorum()
	twin := s.twin()
	a.stop()
	old := a.copyBook()
	a.start()
	second := s.seal()
	s.links(second, s.quorum())

	b.stop()
	a.restored(old, b)
	_, err := s.cosign(a)
	refused(t, err, "503", "another follower of the log does not answer")
	_, err = s.ask(a, second, s.log.signed())
	refused(t, err, "503", "another follower of the log does not answer")
	b.start()
	// The house shows it another history, which its own book does not know to be one.
	s.show(twin, a)
	other := &stage{t: t, today: testDay, log: twin, offices: s.offices}
	other.seal()
	_, err = other.cosign(a)
	refused(t, err, "503", "")
	if copied, _ := a.server.config.Custody.Gate.Copied(); copied != s.log.checkpoint() {
		t.Errorf("its copy is %v, and that of the other %v", copied, s.log.checkpoint())
	}
	s.show(s.log, a)
	_, err = s.ask(a, second, s.quorum())
	refused(t, err, "403", "it comes from two holders of shares")
	if rebuilt := a.rebuilt(second); rebuilt != second.given[0] {
		t.Errorf("holders rebuild %v, and it gave %v", rebuilt, second.given[0])
	}
	for _, link := range second.given {
		s.give(second, link)
	}
	s.result(second, s.numbers(second))
	s.draw(s.seal())
	if a.stopped() != nil {
		t.Errorf("it has stopped: %+v", a.stopped())
	}
}

// TestCopyIsServed has a custodian whose house shows it no entries read them from the other one, byte for byte.
func TestCopyIsServed(t *testing.T) {
	s := newStage(t)
	a, b := s.offices[0], s.offices[1]
	a.others = []LogFollower{b.follower()}
	a.restart()
	for range 56 {
		s.draw(s.seal())
	}
	from := copyOf{b, originHash(testLog)}
	for _, part := range []public.Part{{Entries: true}, {Entries: true, Index: 1, Width: 20}, {}, {Index: 1, Width: 20}} {
		want, err := s.log.Read(t.Context(), part.Path())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := from.Read(t.Context(), part.Path()); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes and not %d: %v", part.Path(), len(got), len(want), err)
		}
	}
	for _, path := range []string{"tile/entries/009", "tile/1/000", "tile/nothing"} {
		if _, err := from.Read(t.Context(), path); err == nil {
			t.Errorf("%s is there", path)
		}
	}
	s.show(&publicLog{t: t}, a)
	s.seal()
	if _, err := s.cosign(b); err != nil {
		t.Fatal(err)
	}
	if _, err := s.cosign(a); err != nil {
		t.Errorf("with the entries of the other: %v", err)
	}
	b.restart() // What its book has it serves again.
	last := public.Part{Entries: true, Index: uint64(len(s.log.entries)) / public.BundleWidth,
		Width: len(s.log.entries) % public.BundleWidth}
	newest := s.log.entries[len(s.log.entries)-1]
	if data, err := from.Read(t.Context(), last.Path()); err != nil || !bytes.HasSuffix(data, newest) {
		t.Errorf("after a restart: %d bytes, %v", len(data), err)
	}
}
