package watch

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"drawhouse/check/policy"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// The codes of findings beside those of package public.
const (
	Unsigned   public.Code = "unsigned"    // a checkpoint that the key of the log has not signed
	LogForked  public.Code = "log-forked"  // a checkpoint that does not go on from the one before
	LogShorter public.Code = "log-shorter" // a checkpoint of fewer entries than before
	RootWrong  public.Code = "root-wrong"  // entries that do not come to the root that was signed
	QuorumLow  public.Code = "quorum-low"  // a checkpoint that too few witnesses have cosigned
	LogSplit   public.Code = "log-split"   // a witness has cosigned other entries than the reader was shown
	LogLost    public.Code = "log-lost"    // a log that gives up entries of the log before it
	KeyOther   public.Code = "key-other"   // a custodian whose key the reader does not know
	VoidKnown  public.Code = "void-known"  // a game declared void although everybody can work out its result
	LogBehind  public.Code = "log-behind"  // witnesses have cosigned entries that the house does not show
)

// A Watcher follows one log. It belongs to one goroutine.
type Watcher struct {
	source Source
	policy *policy.Policy // nil asks for no witness
	mirror Mirror         // "" writes nothing
	first  Mirror         // of the first log that was followed
	chain  *public.Chain
	tree   *journal.Tree
	roots  []journal.Hash     // of the log with one entry, with two, and so on
	last   journal.Checkpoint // the newest checkpoint that held
	// open are the entries behind the last full bundle.
	open  [][]byte
	tell  func(uint64, *public.Entry)
	order *order
	heard map[heardOf]*heard
	// resuming says that a mirror is read, which shows what the house has shown at an earlier look.
	resuming bool
	// changed says that there is more to keep of what was heard.
	changed bool
	// ahead is how often each witness was ahead of what the house shows while that had aheadOf entries.
	ahead   map[string]int
	aheadOf uint64
	// refusals are what custodians were heard to refuse.
	refusals map[string]string
	// earlier is the end that this log names of the one before it, and earlierKey the key of that; "" if it was not read.
	earlier    journal.Checkpoint
	earlierKey string
	// linksKeys are the keys of custodians that the reader knows.
	linksKeys []string
}

// New returns a watcher of a log. Known is the verifier key that the reader has from elsewhere: of the log, or of the
// house when the log began. The policy is the reader's; nil asks for no witness. Tell, which may be nil, is told of
// each entry that was read.
func New(source Source, known string, by *policy.Policy, mirror Mirror,
	tell func(uint64, *public.Entry)) (*Watcher, error) {
	if _, err := journal.ParseVerifier(known); err != nil {
		return nil, fmt.Errorf("watch: the key: %w", err)
	}
	if tell == nil {
		tell = func(uint64, *public.Entry) {}
	}
	return &Watcher{source: source, policy: by, mirror: mirror, first: mirror, chain: public.NewChain(known),
		tree: journal.NewTree(), tell: tell, order: newOrder(), heard: map[heardOf]*heard{}}, nil
}

// A Look is what came of looking at a log once.
type Look struct {
	Checkpoint journal.Checkpoint
	By         []string // the witnesses of the policy that have cosigned
	Read       uint64   // entries that were read now
	Findings   []*public.Finding
}

// Look reads what the log has got since the last look. An error means that the log could not be read, which may pass;
// what cannot be in the log of an honest house is a finding. An error that wraps [policy.ErrWeak] does not pass: the
// policy asks for less than all custodians that the log names, and more than half of the other witnesses.
func (w *Watcher) Look(ctx context.Context) (Look, error) {
	note, err := w.source.Read(ctx, CheckpointPath)
	if err != nil {
		return Look{}, err
	}
	stated, err := journal.UnverifiedCheckpoint(note)
	if err != nil {
		return w.finds(Unsigned, "%v", err), nil
	}
	if w.succeeded(stated.Origin) {
		return w.follow(ctx)
	}
	if stated.Size < w.last.Size {
		look := w.finds(LogShorter, "the log had %d entries and has %d", w.last.Size, stated.Size)
		if stated.Size > 0 && stated.Root != w.roots[stated.Size-1] && w.signed(note) != nil {
			look.Findings[0] = w.contradicted(note, w.finding(LogForked, "%d entries had the root %v, and have %v", stated.Size,
				w.roots[stated.Size-1], stated.Root))
		}
		return look, nil
	}
	look := Look{Checkpoint: stated}
	if err := w.read(ctx, stated.Size, &look); err != nil {
		return look, err
	}
	if w.policy != nil {
		if err := w.policy.Enough(w.chain.Custodians()); err != nil {
			return look, err
		}
	}
	if found := w.judge(note, stated, &look); found != nil {
		if found.Code == RootWrong || found.Code == LogForked {
			found = w.contradicted(note, found)
		}
		look.Findings = append(look.Findings, found)
		return look, nil
	}
	w.last = stated
	if w.policy != nil {
		w.hear(heardOf{stated, true}, note, look.By...)
		if !w.resuming {
			look.Findings = append(look.Findings, w.behind(stated)...)
		}
	}
	return look, errors.Join(w.keep(note), w.keepHeard())
}

func (w *Watcher) finds(code public.Code, says string, args ...any) Look {
	return Look{Checkpoint: w.last, Findings: []*public.Finding{w.finding(code, says, args...)}}
}

func (w *Watcher) finding(code public.Code, says string, args ...any) *public.Finding {
	return &public.Finding{Entry: w.tree.Size(), Code: code, Says: fmt.Sprintf(says, args...)}
}

// judge holds a checkpoint against the entries, the key of the log and the policy.
func (w *Watcher) judge(note []byte, stated journal.Checkpoint, look *Look) *public.Finding {
	body := w.chain.Body()
	if body.Key == "" {
		return w.finding(Unsigned, "the log has not begun, so that its key is not known")
	}
	verifier, err := journal.ParseVerifier(body.Key)
	if err != nil {
		return w.finding(Unsigned, "%v", err)
	}
	if _, _, err := journal.OpenCheckpoint(note, verifier); err != nil {
		return w.finding(Unsigned, "%v", err)
	}
	switch {
	case stated.Origin != body.Origin:
		return w.finding(LogForked, "the checkpoint is of %s, and the log is %s", stated.Origin, body.Origin)
	case stated.Size == w.last.Size && stated.Root != w.last.Root && w.last.Size > 0:
		return w.finding(LogForked, "%d entries had the root %v, and have %v", stated.Size, w.last.Root, stated.Root)
	case w.tree.Size() != stated.Size || w.tree.Root() != stated.Root:
		return w.finding(RootWrong, "%d entries come to the root %v, and %v was signed", w.tree.Size(), w.tree.Root(),
			stated.Root)
	}
	if w.policy == nil {
		return nil
	}
	if !w.policy.Accepts(body.Key) {
		return w.finding(Unsigned, "the policy has no log of the key %s", body.Key)
	}
	verdict := w.policy.Of(note)
	look.By = verdict.By
	if verdict.Lacks != "" {
		return w.finding(QuorumLow, "%s with %d entries: %s", stated.Origin, stated.Size, verdict.Lacks)
	}
	return nil
}

// enough reports whether the cosignatures of a checkpoint meet the policy.
func (w *Watcher) enough(checkpoint []byte) bool { return w.policy.Of(checkpoint).Lacks == "" }

// judgeRound holds the checkpoint by which a game with a round is drawn against the entries that were read, and against
// the policy: it asks for cosignatures of a time when nobody could know the round.
func (w *Watcher) judgeRound(e *public.Entry) *public.Finding {
	note := e.Note("checkpoint")
	shown, err := journal.UnverifiedCheckpoint(note)
	if err != nil {
		return w.finding(LogForked, "%v is drawn by no checkpoint: %v", e.Game(), err)
	}
	if shown.Size == 0 || shown.Size > uint64(len(w.roots)) || shown.Root != w.roots[shown.Size-1] {
		return w.finding(LogForked, "%v is drawn by a checkpoint of other entries: %v", e.Game(), shown)
	}
	deadline, ok := w.chain.Deadline(e.Game())
	if w.policy == nil || !ok {
		return nil
	}
	if verdict := w.policy.Of(journal.CosignedBy(note, deadline)); verdict.Lacks != "" {
		return w.finding(public.RoundLate, "the seal of %v was not cosigned by %d, and then its round could be known: %s",
			e.Game(), deadline, verdict.Lacks)
	}
	return nil
}

// read reads the entries up to a size.
func (w *Watcher) read(ctx context.Context, size uint64, look *Look) error {
	for w.tree.Size() < size {
		index := w.tree.Size() / public.BundleWidth
		have := int(w.tree.Size() % public.BundleWidth)
		width := int(min(size-index*public.BundleWidth, public.BundleWidth))
		entries, err := w.bundle(ctx, index, width)
		if err != nil {
			return err
		}
		for _, data := range entries[have:width] {
			w.take(data, look)
		}
		if width == public.BundleWidth {
			if err := w.keepFull(index); err != nil {
				return err
			}
		}
	}
	return nil
}

// bundle reads a bundle, which may be full by now.
func (w *Watcher) bundle(ctx context.Context, index uint64, width int) ([][]byte, error) {
	part := public.Part{Entries: true, Index: index, Width: width % public.BundleWidth}
	data, err := w.source.Read(ctx, part.Path())
	if errors.Is(err, ErrNone) && part.Width > 0 {
		part.Width = 0
		data, err = w.source.Read(ctx, part.Path())
	}
	if err != nil {
		return nil, err
	}
	entries, err := public.SplitBundle(data)
	if err == nil && len(entries) < width {
		err = fmt.Errorf("watch: %s has %d entries, and %d are needed", part.Path(), len(entries), width)
	}
	return entries, err
}

// take reads an entry.
func (w *Watcher) take(data []byte, look *Look) {
	at := w.tree.Size()
	e, err := w.chain.Take(data)
	if found := new(public.Finding); errors.As(err, &found) {
		look.Findings = append(look.Findings, found)
	} else if found := w.hold(e); found != nil {
		look.Findings = append(look.Findings, found)
	}
	if e != nil {
		if passed := w.order.take(e, at, w.chain); passed != nil && err == nil {
			look.Findings = append(look.Findings, passed)
		}
		w.tell(at, e)
	}
	w.tree.Append(data)
	w.roots = append(w.roots, w.tree.Root())
	w.open = append(w.open, data)
	look.Read++
	w.weighAll(journal.Checkpoint{Origin: w.chain.Body().Origin, Size: w.tree.Size(), Root: w.tree.Root()})
}

// hold holds an entry against what the reader knows or asks for.
func (w *Watcher) hold(e *public.Entry) *public.Finding {
	switch {
	case e.Kind == public.Round && e.Known():
		return w.judgeRound(e)
	case e.Kind == public.Device && e.Known():
		return w.judgeDevice(e)
	}
	return nil
}

// keepFull writes a full bundle and the full tiles to the mirror.
func (w *Watcher) keepFull(index uint64) error {
	entries := w.open
	w.open = nil
	tiles := w.tree.TakeTiles()
	if w.mirror == "" {
		return nil
	}
	if err := w.mirror.write(public.BundlePath(index, 0), public.Bundle(entries)); err != nil {
		return err
	}
	for _, t := range tiles {
		if err := w.mirror.write(public.TilePath(t.Level, t.Index, 0), t.Data); err != nil {
			return err
		}
	}
	return nil
}

// keep writes what is not full yet to the mirror, and the checkpoint last.
func (w *Watcher) keep(note []byte) error {
	if w.mirror == "" {
		return nil
	}
	size := w.tree.Size()
	if width := int(size % public.BundleWidth); width > 0 {
		if err := w.mirror.write(public.BundlePath(size/public.BundleWidth, width), public.Bundle(w.open)); err != nil {
			return err
		}
	}
	for level, hashes := uint8(0), size; hashes > 0; level, hashes = level+1, hashes/public.BundleWidth {
		width := int(hashes % public.BundleWidth)
		if width == 0 {
			continue
		}
		row, err := w.tree.Row(level, width)
		if err != nil {
			return err
		}
		if err := w.mirror.write(public.TilePath(level, hashes/public.BundleWidth, width), row); err != nil {
			return err
		}
	}
	return w.mirror.write(CheckpointPath, note)
}

// Resume reads the mirror of an earlier run, so that the log must go on from there.
func (w *Watcher) Resume(ctx context.Context) (Look, error) {
	w.resuming = true
	defer func() { w.resuming = false }()
	look, err := w.resume(ctx)
	forks := w.fork()
	for err == nil && len(look.Findings) == 0 && look.Checkpoint.Size > 0 {
		next := w.nextMirror()
		if _, err := next.Read(ctx, CheckpointPath); errors.Is(err, ErrNone) {
			break
		}
		source := w.source
		w.source = next
		after, failed := w.follow(ctx)
		w.source, err = source, failed
		after.Read += look.Read
		look = after
		forks = append(forks, w.fork()...)
	}
	look.Findings = append(forks, look.Findings...)
	return look, err
}

// resume reads the mirror of one log.
func (w *Watcher) resume(ctx context.Context) (Look, error) {
	if w.mirror == "" {
		return Look{}, nil
	}
	note, err := w.mirror.Read(ctx, CheckpointPath)
	if errors.Is(err, ErrNone) {
		return Look{}, nil
	}
	if err != nil {
		return Look{}, err
	}
	if _, _, ok := strings.Cut(string(note), "\n\n"); !ok {
		return Look{}, fmt.Errorf("watch: the checkpoint in %s is not signed", string(w.mirror))
	}
	if err := w.recall(); err != nil {
		return Look{}, err
	}
	source := w.source
	w.source = w.mirror
	defer func() { w.source = source }()
	return w.Look(ctx)
}
