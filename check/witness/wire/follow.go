package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"drawhouse/check/witness"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// A LogSource is where the public log of a house is read, by the paths of C2SP tlog-tiles.
type LogSource interface {
	Read(ctx context.Context, path string) ([]byte, error)
}

// checkpointPath is where a log has its newest checkpoint.
const checkpointPath = "checkpoint"

// mostTaken is how many bytes of entries are made durable at a time: a line of a logbook takes them in base64.
const mostTaken = 600_000

// A LogFollower is somebody who keeps a copy of a public log and serves it.
type LogFollower struct {
	Name string
	// Log returns where it serves the log of an origin, which is named by its hash as in C2SP tlog-witness.
	Log func(hash string) LogSource
}

// A Follower keeps the copy of the public log that a gate asks. It reads hashes first, and the entries once the hashes
// come to a checkpoint that the house signed: so a source that lies costs time and nothing else. Entries are durable
// before the gate has them, and the gate has them before anybody cosigns. Any number of goroutines may use it.
type Follower struct {
	Gate   *witness.Gate
	Source LogSource
	// Write makes durable what the gate takes in.
	Write func(witness.GateEntry) error
	// Now is the time here, against which the times of entries are held.
	Now func() time.Time
	// Others keep a copy, too.
	Others []LogFollower
	// Witnesses are those of [ServerConfig].
	Witnesses []LogWitness

	mu     sync.Mutex      // one catches up at a time
	looked bool            // for what was cosigned before the book was lost
	heard  map[string]bool // which of the others have said how far their copies go
	// givenUp is of how many entries of a log that were cosigned its people give up the last.
	givenUp map[string]uint64
}

// errBehind: a checkpoint of fewer entries than there are in the copy.
var errBehind = errors.New("the copy has more entries")

// CatchUp brings the copy to a checkpoint, of which the caller has verified that the house signed it.
func (f *Follower) CatchUp(ctx context.Context, c journal.Checkpoint) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.looked {
		// Without a checkpoint there nobody has cosigned anything.
		if note, err := f.Source.Read(ctx, checkpointPath); err == nil {
			if err := f.Gate.See(note, f.Write); err != nil {
				return err
			}
		}
		f.looked = true
	}
	copied, _ := f.Gate.Copied()
	succeeds := f.Gate.Succeeds(c.Origin)
	if !succeeds {
		copied.Origin = c.Origin
	}
	if err := f.askOthers(ctx, copied.Origin); err != nil {
		return err
	}
	if succeeds {
		if err := f.endBefore(ctx, c.Origin); err != nil {
			return err
		}
		leaves := f.Gate.Leaves(c.Origin, f.Write) // First, so that people can say all that they are asked at one start.
		if err := f.askWitnesses(ctx); err != nil {
			return err
		}
		if leaves != nil {
			return leaves
		}
	}
	return f.catchUp(ctx, c)
}

// errOtherEnd: a log follows another end of the one before than the copy has.
var errOtherEnd = errors.New("wire: the log follows another end of the one before than is known here")

// endBefore brings the copy to the end that the next log names, by what other followers have: the house shows the next
// log. The caller holds the lock.
func (f *Follower) endBefore(ctx context.Context, origin string) error {
	first, err := f.first(ctx)
	if err != nil {
		return err
	}
	body, err := f.Gate.Beginning(first)
	if err != nil {
		return fmt.Errorf("wire: what is shown is not the beginning of %s: %w", origin, err)
	}
	if body.Origin != origin {
		return fmt.Errorf("wire: what is shown is not the beginning of %s but of %s", origin, body.Origin)
	}
	ended := *body.Before
	if have, _ := f.Gate.Copied(); have.Size < ended.Size {
		err = f.catchUp(ctx, ended)
	}
	have, _ := f.Gate.Copied()
	if have.Size < ended.Size {
		err = errors.Join(err, errors.New("wire: if another custodian has the rest, start this one with --follower and where that answers"))
	}
	if have != ended {
		return errors.Join(fmt.Errorf("%w: %s names %v, and this is %v", errOtherEnd, origin, ended, have), err)
	}
	return nil
}

// first returns the first entry of the log that is shown.
func (f *Follower) first(ctx context.Context) ([]byte, error) {
	data, err := f.Source.Read(ctx, public.Part{Entries: true, Width: 1}.Path())
	if err != nil {
		return nil, err
	}
	entries, err := public.SplitBundle(data)
	if err == nil && len(entries) == 0 {
		err = errFew
	}
	if err != nil {
		return nil, fmt.Errorf("wire: the first entry of the log: %w", err)
	}
	return entries[0], nil
}

// catchUp brings the copy to a checkpoint by what its house shows, or by what another follower has. The caller holds
// the lock.
func (f *Follower) catchUp(ctx context.Context, c journal.Checkpoint) error {
	have := f.have(c.Origin)
	if have.Size > c.Size {
		return fmt.Errorf("wire: %s with %d entries: %w: %d", c.Origin, c.Size, errBehind, have.Size)
	}
	err := f.catchUpFrom(ctx, f.Source, c)
	for _, other := range f.Others {
		if err == nil || errors.Is(err, witness.ErrStop) || errors.Is(err, witness.ErrNotTaken) ||
			errors.Is(err, errNotDurable) {
			return err
		}
		if f.catchUpFrom(ctx, other.Log(originHash(c.Origin)), c) == nil {
			return nil
		}
	}
	return err
}

// have returns how far the copy of a log goes; nothing of a log that is to follow.
func (f *Follower) have(origin string) journal.Checkpoint {
	have, _ := f.Gate.Copied()
	if have.Origin != "" && have.Origin != origin {
		return journal.Checkpoint{Origin: origin}
	}
	return have
}

// catchUpFrom is catchUp by one source.
func (f *Follower) catchUpFrom(ctx context.Context, source LogSource, c journal.Checkpoint) error {
	have := f.have(c.Origin)
	leaves, err := leavesOf(ctx, source, have.Size, c.Size)
	if err != nil {
		return err
	}
	if !f.Gate.Holds(leaves, c) {
		return fmt.Errorf("wire: %s: the entries behind the first %d do not come to the root that was signed for %d",
			c.Origin, have.Size, c.Size)
	}
	return f.take(ctx, source, have.Size, c.Size, leaves)
}

// errUnheard: another follower has not said how far its copy goes.
var errUnheard = errors.New("wire: another follower of the log does not answer, and this custodian asks all of them after a start")

// AskOthers asks the others, each once after a start, how far their copies of the log go, and brings the copy there. If
// one of them has a signature of this custodian above its own copy, the book was brought back from a backup.
func (f *Follower) AskOthers(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	copied, _ := f.Gate.Copied()
	if copied.Origin == "" {
		return nil // There is nothing that could be given out.
	}
	return f.askOthers(ctx, copied.Origin)
}

// Copied asks a custodian how far its copy of a log goes; nil if it has none. The key is that of the log.
func (c *Client) Copied(ctx context.Context, origin string, key journal.Verifier) (*journal.Checkpoint, error) {
	var most *journal.Checkpoint
	for _, path := range []string{quorumPath, checkpointPath} {
		note, err := c.log(origin).Read(ctx, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		stated, _, err := journal.OpenCheckpoint(note, key)
		if err != nil {
			return nil, err
		}
		if stated.Origin == origin && (most == nil || stated.Size > most.Size) {
			most = &stated
		}
	}
	return most, nil
}

// Ended returns from the copy of a custodian what another witness needs that is to cosign a log up to its end: the
// checkpoint there, as the log signed it, and what proves that the log only grew.
func (c *Client) Ended(ctx context.Context, end journal.Checkpoint) (signed []byte, prove Prover, err error) {
	for _, path := range []string{quorumPath, checkpointPath} {
		note, err := c.log(end.Origin).Read(ctx, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if at, err := journal.UnverifiedCheckpoint(note); err == nil && at == end {
			signed = note
		}
	}
	if signed == nil {
		return nil, nil, fmt.Errorf("wire: %s serves no checkpoint of %d entries of %s: %w", c.Witness.Name(), end.Size,
			end.Origin, ErrAnswer)
	}
	leaves, err := leavesOf(ctx, c.log(end.Origin), 0, end.Size)
	if err != nil {
		return nil, nil, err
	}
	tree := journal.NewTree()
	for _, leaf := range leaves {
		tree.AppendLeaf(leaf)
	}
	if tree.Root() != end.Root {
		return nil, nil, fmt.Errorf("wire: %d entries do not come to the root that was signed: %w", end.Size, ErrAnswer)
	}
	return signed, func(oldSize, newSize uint64) (journal.TreeProof, error) {
		return journal.ProveTree(oldSize, newSize, journal.NewReader(tree, nil))
	}, nil
}

// Entries reads the entries behind a checkpoint, up to another one, from the copy of a custodian.
func (c *Client) Entries(ctx context.Context, known, to journal.Checkpoint) (entries [][]byte, err error) {
	leaves, err := leavesOf(ctx, c.log(to.Origin), 0, to.Size)
	if err != nil {
		return nil, err
	}
	tree := journal.NewTree()
	for i, leaf := range leaves {
		if uint64(i) == known.Size && tree.Root() != known.Root {
			return nil, fmt.Errorf("wire: the first %d entries are others than are known here: %w", known.Size, ErrAnswer)
		}
		tree.AppendLeaf(leaf)
	}
	if tree.Root() != to.Root {
		return nil, fmt.Errorf("wire: %d entries do not come to the root that was signed: %w", to.Size, ErrAnswer)
	}
	err = entriesOf(ctx, c.log(to.Origin), known.Size, to.Size, leaves[known.Size:], func(some [][]byte) error {
		entries = append(entries, some...)
		return nil
	})
	return entries, err
}

// log is where a custodian serves its copy of a log.
func (c *Client) log(origin string) LogSource { return served{c, "/" + originHash(origin) + "/"} }

// served is a copy that a custodian serves.
type served struct {
	by   *Client
	path string
}

// maxPart is the greatest length of a part: a bundle of entries of the greatest length.
const maxPart = public.BundleWidth * (public.MaxEntry + 2)

// Read implements LogSource.
func (s served) Read(ctx context.Context, path string) ([]byte, error) {
	data, err := s.by.ask(ctx, http.MethodGet, s.path+path, nil, maxPart)
	if said := new(statusError); errors.As(err, &said) && said.status == http.StatusNotFound {
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return data, err
}

// askPatience is how long another follower may take.
const askPatience = 5 * time.Second

// askOthers asks those who have not been heard. The caller holds the lock.
func (f *Follower) askOthers(ctx context.Context, origin string) error {
	for _, other := range f.Others {
		if f.heard[other.Name] {
			continue
		}
		if err := f.askOther(ctx, other.Log(originHash(origin)), origin); err != nil {
			return fmt.Errorf("%w: %s: %w", errUnheard, other.Name, err)
		}
		if f.heard == nil {
			f.heard = map[string]bool{}
		}
		f.heard[other.Name] = true
	}
	return nil
}

// askOther asks another follower.
func (f *Follower) askOther(ctx context.Context, source LogSource, origin string) error {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	vkey, err := f.Key(ctx)
	if err != nil {
		return err
	}
	key, err := journal.ParseVerifier(vkey)
	if err != nil {
		return err
	}
	for _, path := range []string{quorumPath, checkpointPath} {
		note, err := source.Read(ctx, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // It has cosigned nothing yet.
		}
		if err != nil {
			return err
		}
		c, _, err := journal.OpenCheckpoint(note, key)
		if err != nil {
			return fmt.Errorf("it shows no checkpoint of %s: %w", origin, err)
		}
		if c.Origin != origin {
			return fmt.Errorf("it shows a checkpoint of %s, and %s is asked for", c.Origin, origin)
		}
		if err := f.Gate.See(note, f.Write); err != nil {
			return err
		}
		if other := f.Gate.Differs(c); other != "" {
			return f.Gate.Forked(f.Write, fmt.Sprintf("%s has two histories of %d entries", origin, c.Size), other, string(note))
		}
		if have, _ := f.Gate.Copied(); c.Size <= have.Size {
			continue
		}
		if err := f.catchUpFrom(ctx, source, c); err != nil {
			return err
		}
	}
	return nil
}

// Newest brings the copy to the newest checkpoint that the log shows, which it returns. A holder of shares, who cosigns
// nothing, asks by it.
func (f *Follower) Newest(ctx context.Context) ([]byte, error) {
	note, err := f.Source.Read(ctx, checkpointPath)
	if err != nil {
		return nil, err
	}
	vkey, err := f.Key(ctx)
	if err != nil {
		return nil, err
	}
	key, err := journal.ParseVerifier(vkey)
	if err != nil {
		return nil, err
	}
	c, _, err := journal.OpenCheckpoint(note, key)
	if err != nil {
		return nil, err
	}
	if !f.Gate.Follows(c.Origin) {
		return nil, fmt.Errorf("wire: the checkpoint is of %s, which is not the log that is followed", c.Origin)
	}
	return note, f.CatchUp(ctx, c)
}

// errFew: a log shows fewer entries than it has signed.
var errFew = errors.New("there are fewer entries than were signed")

// leavesOf reads the hashes of entries.
func leavesOf(ctx context.Context, source LogSource, from, to uint64) (leaves []journal.Hash, err error) {
	for from < to {
		part, first, width := partOf(from, to)
		data, err := readPart(ctx, source, part)
		if err != nil {
			return nil, err
		}
		if len(data) < width*journal.HashBytes {
			return nil, fmt.Errorf("wire: %s has %d bytes, and %d are needed", part.Path(), len(data), width*journal.HashBytes)
		}
		for i := first; i < width; i++ {
			leaves = append(leaves, journal.Hash(data[i*journal.HashBytes:(i+1)*journal.HashBytes]))
		}
		from += uint64(width - first) //nolint:gosec // A tile is small.
	}
	return leaves, nil
}

// partOf returns the tile that has an entry, the place of the entry in it, and how much of the tile there is.
func partOf(from, to uint64) (part public.Part, first, width int) {
	part.Index = from / public.BundleWidth
	first = int(from % public.BundleWidth)
	width = int(min(to-part.Index*public.BundleWidth, public.BundleWidth))
	part.Width = width % public.BundleWidth
	return part, first, width
}

// readPart reads a part, which may be full by now.
func readPart(ctx context.Context, source LogSource, part public.Part) ([]byte, error) {
	data, err := source.Read(ctx, part.Path())
	if err != nil && part.Width > 0 && ctx.Err() == nil {
		part.Width = 0
		if whole, other := source.Read(ctx, part.Path()); other == nil {
			return whole, nil
		}
	}
	return data, err
}

// take reads entries that have the hashes, and gives them to the gate.
func (f *Follower) take(ctx context.Context, source LogSource, from, to uint64, leaves []journal.Hash) error {
	return entriesOf(ctx, source, from, to, leaves, func(entries [][]byte) error {
		for len(entries) > 0 {
			n := some(entries)
			if err := f.Gate.Take(entries[:n], f.Now().Unix(), f.Write); err != nil {
				return err
			}
			entries = entries[n:]
		}
		return nil
	})
}

// entriesOf reads entries that have the hashes.
func entriesOf(ctx context.Context, source LogSource, from, to uint64, leaves []journal.Hash,
	take func([][]byte) error) error {
	for from < to {
		part, first, width := partOf(from, to)
		part.Entries = true
		data, err := readPart(ctx, source, part)
		if err != nil {
			return err
		}
		entries, err := public.SplitBundle(data)
		if err == nil && len(entries) < width {
			err = errFew
		}
		if err != nil {
			return fmt.Errorf("wire: %s has %d entries, and %d are needed: %w", part.Path(), len(entries), width, err)
		}
		entries = entries[first:width]
		for i, entry := range entries {
			if journal.LeafHash(entry) != leaves[i] {
				return fmt.Errorf("wire: entry %d is not the one that was signed", from+uint64(i)) //nolint:gosec // Few.
			}
		}
		leaves, from = leaves[len(entries):], from+uint64(len(entries))
		if err := take(entries); err != nil {
			return err
		}
	}
	return nil
}

// some returns how many entries are made durable in one line.
func some(entries [][]byte) int {
	size := 0
	for i, entry := range entries {
		if size += len(entry); size > mostTaken && i > 0 {
			return i
		}
	}
	return len(entries)
}

// Key returns the key of the log, which the house has signed at its beginning.
func (f *Follower) Key(ctx context.Context) (vkey string, err error) {
	if _, key := f.Gate.Copied(); key != "" {
		return key, nil
	}
	return f.shownKey(ctx)
}

// shownKey returns the key of the log that is shown.
func (f *Follower) shownKey(ctx context.Context) (vkey string, err error) {
	first, err := f.first(ctx)
	if err != nil {
		return "", err
	}
	return f.Gate.LogKey(first)
}

// follow brings a custodian's copy to the checkpoint of a request to cosign, if that is of the house's public log. A
// request that is going to be refused is passed over. The error is a [witness.Refusal].
func (s *Server) follow(ctx context.Context, request []byte) error {
	if s.follower == nil {
		return nil
	}
	r, err := witness.ParseRequest(request)
	if err != nil {
		return nil //nolint:nilerr // It is refused for that.
	}
	c, err := journal.UnverifiedCheckpoint(r.Checkpoint)
	if err != nil || !s.follower.Gate.OfHouse(c.Origin) {
		return nil //nolint:nilerr // It is refused for that, or is of something else.
	}
	key, succeeds := "", s.follower.Gate.Succeeds(c.Origin)
	switch {
	case succeeds:
		key, err = s.follower.shownKey(ctx)
	case s.follower.Gate.Follows(c.Origin):
		key, err = s.follower.Key(ctx)
	default:
		return &witness.Refusal{Code: witness.UnknownLog, Err: fmt.Errorf(
			"wire: this custodian follows another log of the house than %s, and goes on with the one that follows it alone", c.Origin)}
	}
	if err != nil {
		return &witness.Refusal{Code: witness.Unread, Err: err}
	}
	s.mu.Lock()
	err = s.trust(key)
	if err == nil {
		_, err = s.config.Watch.Judge(request)
	}
	s.mu.Unlock()
	if err != nil {
		return nil //nolint:nilerr // It is refused for that when it is judged again, and a fork is recorded.
	}
	err = s.follower.CatchUp(ctx, c)
	s.mu.Lock()
	s.learnHouse()
	s.mu.Unlock()
	switch {
	case errors.Is(err, witness.ErrStop), errors.Is(err, errOtherEnd), errors.Is(err, errAhead),
		errors.Is(err, witness.ErrLeft), errors.Is(err, witness.ErrNotTaken):
		return &witness.Refusal{Code: witness.Disagrees, Err: err}
	case err != nil:
		return &witness.Refusal{Code: witness.Unread, Err: err}
	}
	return nil
}

// learnHouse trusts the key of the house in the newest volume that the copy names: the key of the log does not
// change with volumes and vouches for it, so that no game waits until somebody has told a custodian a new key. The
// caller holds the lock, or is alone.
func (s *Server) learnHouse() {
	key, err := journal.ParseVerifier(s.follower.Gate.House())
	if copied, _ := s.follower.Gate.Copied(); err == nil && s.follower.Gate.OfHouse(copied.Origin) {
		if house, _, err := journal.ParseLogOrigin(copied.Origin); err == nil && house == key.Name() {
			s.config.Watch.TrustHouse(key)
		}
	}
}

// trust watches the log that the custodian follows, whose key the house has signed at its beginning. The caller holds
// the lock, or is alone.
func (s *Server) trust(vkey string) error {
	if s.trusted == vkey {
		return nil
	}
	key, err := journal.ParseVerifier(vkey)
	if err == nil {
		err = s.config.Watch.Trust(key.Name(), key)
	}
	if err == nil {
		s.config.Watch.Copies(key.Name())
		s.trusted = vkey
	}
	return err
}

// copied refuses to cosign a checkpoint of the house's public log that the copy does not come to.
func (s *Server) copied(c journal.Checkpoint) error {
	if s.follower == nil || !s.follower.Gate.OfHouse(c.Origin) {
		return nil
	}
	if stopped := s.follower.Gate.Stopped(); stopped != nil {
		return &witness.Refusal{Code: witness.Disagrees, Err: errors.New(stopped.Why)}
	}
	if have, _ := s.follower.Gate.Copied(); have != c {
		return &witness.Refusal{Code: witness.Unread, Err: fmt.Errorf(
			"wire: the copy of %s has %d entries with root %v, and is to be cosigned with %d and %v", c.Origin, have.Size,
			have.Root, c.Size, c.Root)}
	}
	if size, missing := s.follower.Gate.Missing(); missing {
		return &witness.Refusal{Code: witness.Unread, Err: fmt.Errorf(
			"wire: %d entries of %s were cosigned here before the book was lost, and these are %d", size, c.Origin, c.Size)}
	}
	return nil
}

// forks stops the custodian for good if the log that it follows has two histories.
func (s *Server) forks(origin, why string, notes ...string) error {
	if s.follower == nil || !s.follower.Gate.Follows(origin) {
		return nil
	}
	if err := s.follower.Gate.Forked(s.writeGate, why, notes...); !errors.Is(err, witness.ErrStop) {
		return err
	}
	return nil
}

// writeGate makes durable what the gate takes in or decides.
func (s *Server) writeGate(e witness.GateEntry) error {
	line, err := json.Marshal(entry{Gate: &e})
	if err != nil {
		return err
	}
	at, err := s.book.AppendPlaced(line)
	if err != nil {
		return fmt.Errorf("%w: %w", errNotDurable, err)
	}
	s.index(at, e.Entries)
	return nil
}
