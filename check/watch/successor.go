package watch

import (
	"context"
	"fmt"
	"path/filepath"

	"drawhouse/check/policy"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// succeeded reports whether a checkpoint is of the log that follows the one which was read.
func (w *Watcher) succeeded(origin string) bool {
	next, _ := w.next()
	return w.last.Size > 0 && origin == next
}

// next returns origin and number of the log that may follow.
func (w *Watcher) next() (origin string, number uint16) {
	house, number, _ := journal.ParseLogOrigin(w.chain.Body().Origin) // It was read, or there is none.
	return journal.LogOrigin(house, number+1), number + 1
}

// follow goes on with the log that follows the one which was read. It must be signed by the key of the house that the
// log before it named last, and must name the end of that.
func (w *Watcher) follow(ctx context.Context) (Look, error) {
	next, err := New(w.source, w.chain.HouseKey(), w.policy, w.nextMirror(), w.tell)
	if err != nil {
		return Look{}, err
	}
	next.first, next.linksKeys, next.order.past = w.first, w.linksKeys, w.order.passed()
	next.resuming = w.resuming
	if err := next.recall(); err != nil {
		return Look{}, err
	}
	look, err := next.Look(ctx)
	if err != nil {
		return look, err
	}
	body := next.chain.Body()
	var left []*public.Finding
	if before := body.Before; before != nil && before.Size <= uint64(len(w.roots)) {
		left = w.order.ends(body.Origin) // Of a log that was not shown to its end nobody here knows what it left.
	}
	if found := w.given(body); found != nil {
		left = append([]*public.Finding{found}, left...)
	}
	look.Findings = append(left, look.Findings...)
	if body.Before != nil && body.Before.Origin == w.last.Origin {
		next.earlier, next.earlierKey = *body.Before, w.chain.Body().Key
	}
	*w = *next
	return look, nil
}

// given finds what a log gives up of the one before it, which was read.
func (w *Watcher) given(body journal.LogBody) *public.Finding {
	found := func(code public.Code, says string, args ...any) *public.Finding {
		return &public.Finding{Code: code, Says: fmt.Sprintf(says, args...)}
	}
	before, named := body.Before, w.chain.Named()
	switch {
	case before == nil || before.Origin != w.last.Origin:
		return nil // It does not hold, or is no successor: its own chain says so.
	case before.Size > uint64(len(w.roots)):
		// The rest was not shown here before the log ended.
	case before.Size > 0 && before.Root != w.roots[before.Size-1]:
		return found(LogForked, "%s follows %s with %d entries and the root %v, and these have the root %v", body.Origin,
			before.Origin, before.Size, before.Root, w.roots[before.Size-1])
	case before.Size < w.last.Size:
		return found(LogLost, "%s follows %s with %d entries, and %d were signed: it gives up what the last %d say", body.Origin,
			before.Origin, before.Size, w.last.Size, w.last.Size-before.Size)
	}
	if now := body.Journal; now.Origin == named.Origin && (now.Size < named.Size || now.Size == named.Size &&
		now.Root != named.Root) {
		return found(public.JournalForked, "%s begins with %d records of %s, and %s named %d", body.Origin, now.Size, now.Origin,
			before.Origin, named.Size)
	}
	return nil
}

// nextMirror returns the folder of the log that may follow: the first log that was followed has the mirror itself, and
// each later one a folder in it.
func (w *Watcher) nextMirror() Mirror {
	if w.first == "" {
		return ""
	}
	_, number := w.next()
	return Mirror(filepath.Join(string(w.first), fmt.Sprintf("log%d", number)))
}

// gone asks a witness how far it has cosigned the log before this one, and finds what that gave up. A witness that
// serves nothing of it proves nothing.
func (w *Watcher) gone(ctx context.Context, of policy.Witness) *public.Finding {
	key, err := journal.ParseVerifier(w.earlierKey)
	if err != nil {
		return nil // It was not read here.
	}
	note, err := Open(of.URL).Read(ctx, folderOf(w.earlier.Origin)+CheckpointPath)
	if err != nil {
		return nil // That it does not answer is told where it is asked for this log.
	}
	seen, signers, err := journal.OpenCheckpoint(note, key, of.Key)
	if err != nil || len(signers) < 2 || seen.Origin != w.earlier.Origin || seen.Size <= w.earlier.Size {
		return nil
	}
	return w.finding(LogLost, "%s follows %s with %d entries, and %s has cosigned %d of it: it gives up what the last %d say",
		w.last.Origin, seen.Origin, w.earlier.Size, of.Key.Name(), seen.Size, seen.Size-w.earlier.Size)
}
