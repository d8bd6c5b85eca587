package house

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// A snapshot is derived from the journal and never the truth. It is a file that this house
// has signed: what it knew behind a record, with the root of the journal there. A house
// that opens takes it up and replays what came after. Whatever is not as it should be is a
// reason to replay the whole journal and none to stop. What a snapshot saves is what it no
// longer finds: a record before it that was changed in the store is found when it is read,
// or by verify, and not by opening.
//
// A snapshot belongs to a form and not to a program, so that a newer program opens at once: the
// types in memory, what the state keeps of records (state.HashForm), and what all of it is for
// known journals (memoryVersion). A program that adds the same records up to something else has
// another form.

// snapshotNote is the form of the note that a snapshot begins with.
const snapshotNote = "drawhouse/snapshot/v2"

// snapshotMagic begins the file, before the length of the note, the note and the memory.
const snapshotMagic = "drawhouse snapshot\n"

// maxSnapshotNote bounds the note, which is a few hundred bytes.
const maxSnapshotNote = 1 << 16

var errSnapshot = errors.New("house: not a snapshot of this journal")

// picture is what the note of a snapshot says.
type picture struct {
	form    memoryIs
	results uint64 // that the board keeps
	at      journal.Checkpoint
	state   journal.Hash // of the state
	memory  journal.Hash // of the bytes that follow
}

func (p *picture) text() string {
	return journal.NewBody(snapshotNote).Hash("layout", p.form.layout).Uint("state-form", p.form.state).
		Uint("memory-form", p.form.version).Uint("results", p.results).Text("origin", p.at.Origin).Uint("size", p.at.Size).Hash("root", p.at.Root).
		Hash("state", p.state).Hash("memory", p.memory).String()
}

func parsePicture(text string) (picture, error) {
	r := journal.ReadBody(text, snapshotNote)
	p := picture{form: memoryIs{layout: r.Hash("layout"), state: r.Uint("state-form", math.MaxInt32),
		version: r.Uint("memory-form", math.MaxInt32)}, results: r.Uint("results", math.MaxInt32)}
	p.at = journal.Checkpoint{Origin: r.Text("origin"), Size: r.Uint("size", journal.MaxSize), Root: r.Hash("root")}
	p.state, p.memory = r.Hash("state"), r.Hash("memory")
	return p, r.Close()
}

// writeSnapshot keeps what the house knows behind the last record of an engine, which
// nobody changes meanwhile.
func (h *House) writeSnapshot(e *engine.Engine) error {
	m, next := memory{e, h.history, h.past, h.hub}, e.State().Next()
	if err := m.check(next); err != nil {
		return err
	}
	if h.keys().House == nil {
		return command.ErrNoKey
	}
	written, err := memoryForm().Append(nil, &m)
	if err != nil {
		return err
	}
	p := picture{
		form: formOfMemory(), results: uint64(h.config.Results),
		at: journal.Checkpoint{Origin: journal.VolumeOrigin(e.State().Volume().House, next.Volume), Size: next.Seq,
			Root: e.Root()},
		state: journal.Hash(e.State().Hash()), memory: sha256.Sum256(written),
	}
	note, err := journal.SignNote(p.text(), h.keys().House)
	if err != nil {
		return err
	}
	head := binary.BigEndian.AppendUint32([]byte(snapshotMagic), uint32(len(note)))
	if err := replaceFile(h.config.Snapshots.File, head, note, written); err != nil {
		return fmt.Errorf("house: keeping a snapshot: %w", err)
	}
	return nil
}

// check reports parts of a memory that have not come to the same place.
func (m *memory) check(next record.Place) error {
	switch {
	case m.Hub.Err() != nil:
		return m.Hub.Err()
	case next.Seq == 0 || m.Engine.Size() != next.Seq:
		return fmt.Errorf("house: the engine has %d records, the state is at %v", m.Engine.Size(), next)
	case m.Past.next() != next || m.Hub.Next() != next:
		return fmt.Errorf("house: the engine is at %v, proofs are at %v and the feed at %v", next, m.Past.next(),
			m.Hub.Next())
	}
	return nil
}

// replaceFile puts a file in the place of another, whole or not at all: who is killed
// meanwhile leaves the old one.
func replaceFile(name string, parts ...[]byte) error {
	unfinished := name + ".new"
	f, err := os.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err == nil {
			_, err = f.Write(part)
		}
	}
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(unfinished))
	}
	return errors.Join(os.Rename(unfinished, name), syncDirectory(filepath.Dir(name)))
}

// recall takes up the snapshot, if there is one that can be used.
func (h *House) recall(ctx context.Context, stored store.Reader) (*engine.Engine, bool) {
	if h.config.Snapshots.File == "" {
		return nil, false
	}
	m, err := h.readSnapshot(ctx, stored)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	if err != nil {
		h.config.Log.Warn("the snapshot is not used, and the whole journal is replayed", "file",
			h.config.Snapshots.File, "error", err)
		return nil, false
	}
	h.remember(m)
	return m.Engine, true
}

// readSnapshot reads the snapshot and holds it against the journal.
func (h *House) readSnapshot(ctx context.Context, stored store.Reader) (memory, error) {
	data, err := os.ReadFile(h.config.Snapshots.File)
	if err != nil {
		return memory{}, err
	}
	p, written, err := h.openSnapshot(data)
	if err != nil {
		return memory{}, err
	}
	_, number, err := journal.ParseOrigin(p.at.Origin)
	if err != nil {
		return memory{}, err
	}
	next := record.Place{Volume: number, Seq: p.at.Size}
	if place, before := h.held.before(next); before {
		return memory{}, fmt.Errorf("%w: a checkpoint that was kept elsewhere is at %v, before %v", errSnapshot, place,
			next)
	}
	m := h.newMemory()
	if err := memoryForm().Read(written, &m); err != nil {
		return memory{}, err
	}
	if err := m.check(next); err != nil {
		return memory{}, err
	}
	if root := m.Engine.Root(); root != p.at.Root {
		return memory{}, fmt.Errorf("%w: its tree has root %v, and root %v was signed", errSnapshot, root, p.at.Root)
	}
	if hash := journal.Hash(m.Engine.State().Hash()); hash != p.state {
		return memory{}, fmt.Errorf("%w: its state has hash %v, and %v was signed", errSnapshot, hash, p.state)
	}
	if err := h.held.check(m.Engine); err != nil {
		return memory{}, err
	}
	return m, errors.Join(m.checkJournal(ctx, stored, next), m.Hub.Renew(ctx))
}

// openSnapshot verifies a snapshot and returns what its note says and the memory.
func (h *House) openSnapshot(data []byte) (picture, []byte, error) {
	rest, ok := bytes.CutPrefix(data, []byte(snapshotMagic))
	if !ok || len(rest) < 4 {
		return picture{}, nil, fmt.Errorf("%w: it begins otherwise", errSnapshot)
	}
	length, rest := uint64(binary.BigEndian.Uint32(rest)), rest[4:]
	if length > maxSnapshotNote || length > uint64(len(rest)) {
		return picture{}, nil, fmt.Errorf("%w: a note of %d bytes", errSnapshot, length)
	}
	key, err := journal.ParseVerifier(h.keys().HouseVerifier)
	if err != nil {
		return picture{}, nil, err
	}
	text, _, err := journal.OpenNote(rest[:length], key)
	if err != nil {
		return picture{}, nil, err
	}
	p, err := parsePicture(text)
	if err != nil {
		return picture{}, nil, err
	}
	written := rest[length:]
	switch {
	case p.form != formOfMemory():
		return picture{}, nil, fmt.Errorf("%w: it was written by a program that keeps something else", errSnapshot)
	case p.results != uint64(h.config.Results):
		return picture{}, nil, fmt.Errorf("%w: the board had %d results", errSnapshot, p.results)
	case p.memory != sha256.Sum256(written):
		return picture{}, nil, fmt.Errorf("%w: the file is damaged", errSnapshot)
	}
	return p, written, nil
}

// checkJournal holds the trees of a memory against the store: every volume before must end
// as it says, and the tiles of the last must come to the root that it has.
func (m *memory) checkJournal(ctx context.Context, stored store.Reader, next record.Place) error {
	volumes, err := stored.Volumes(ctx)
	if err != nil {
		return err
	}
	for _, v := range volumes {
		if v.Volume > next.Volume {
			break
		}
		tree, err := m.Past.tree(v.Volume)
		if err != nil {
			return err
		}
		root := v.Root
		if v.Volume == next.Volume {
			if root, err = storedRoot(ctx, stored, next); err != nil {
				return err
			}
		} else if tree.Size() != v.Size {
			return fmt.Errorf("%w: volume %d has %d records, and %d in the snapshot", errSnapshot, v.Volume, v.Size,
				tree.Size())
		}
		if tree.Root() != root {
			return fmt.Errorf("%w: volume %d has root %v, and %v in the snapshot", errSnapshot, v.Volume, root,
				tree.Root())
		}
	}
	return nil
}

// storedRoot returns the root of the records before a place, from the stored tiles and the
// records behind the last of them.
func storedRoot(ctx context.Context, stored store.Reader, next record.Place) (journal.Hash, error) {
	var tail []journal.Hash
	from := next.Seq - next.Seq%journal.TileWidth
	err := stored.Records(ctx, next.Volume, from, next.Seq, func(_ uint64, data []byte) error {
		tail = append(tail, journal.LeafHash(data))
		return nil
	})
	if err != nil {
		return journal.Hash{}, err
	}
	tree, err := journal.Restore(next.Seq, store.Tiles(ctx, stored, next.Volume), tail)
	if err != nil {
		return journal.Hash{}, err
	}
	return tree.Root(), nil
}
