package witness

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"drawhouse/journal"
)

// A Code says why a witness refuses.
type Code int

// The codes of refusals, each with a status in C2SP tlog-witness.
const (
	Malformed    Code = iota + 1 // the request cannot be read, or its old size is above its new one
	UnknownLog                   // no log of that origin is watched
	NotSigned                    // no key that is trusted for the log signed the checkpoint
	OtherSize                    // the old size is not that of the last checkpoint cosigned
	Inconsistent                 // the proof does not show that the log grew
	Forked                       // two roots for one size: the house has two journals
	Unread                       // the records under the checkpoint could not be read
	Disagrees                    // they were graded, and something in them does not hold
)

// A Refusal is why a witness does not cosign.
type Refusal struct {
	Code Code
	Size uint64 // of the last checkpoint cosigned, for OtherSize
	Err  error
}

func (r *Refusal) Error() string { return r.Err.Error() }

// Unwrap returns the particulars.
func (r *Refusal) Unwrap() error { return r.Err }

func refuse(code Code, format string, args ...any) error {
	return &Refusal{Code: code, Err: fmt.Errorf("witness: "+format, args...)}
}

// A Watch is what a witness knows of the logs that it watches: their keys, and the
// last checkpoint of each. It is not safe for concurrent use.
type Watch struct {
	houses []journal.Verifier
	// logs are the keys that are trusted for one origin each.
	logs   map[string][]journal.Verifier
	latest map[string]Signed
	// begun are public logs that follow another one, with one entry each, by their origins: how the house introduced
	// them. ended are the logs before them, with as many entries as these name.
	begun, ended map[string]journal.Checkpoint
	// copied are the logs of which the caller reads each entry before it asks for a judgement.
	copied map[string]bool
	// givenUp is how many entries of a log people give up that were cosigned.
	givenUp map[string]uint64
}

// Signed is a checkpoint as the log signed it.
type Signed struct {
	Checkpoint journal.Checkpoint
	Text       string // what was signed: the checkpoint, with the extension lines of the log
	Note       []byte // the text with the signatures of the log, and of nobody else
}

// NewWatch begins to watch logs, known by their keys. A key is trusted for the origin
// of its own name and, as a house's, for the volumes below it.
func NewWatch(logs ...journal.Verifier) *Watch {
	return &Watch{houses: logs, logs: make(map[string][]journal.Verifier), latest: make(map[string]Signed),
		begun: make(map[string]journal.Checkpoint), ended: make(map[string]journal.Checkpoint),
		copied: make(map[string]bool), givenUp: make(map[string]uint64)}
}

// Trust watches a log whose origin is not the name of its key, such as the checksum
// database of Go. The key is trusted for that origin alone.
func (w *Watch) Trust(origin string, key journal.Verifier) error {
	if err := checkOrigin(origin); err != nil {
		return err
	}
	w.logs[origin] = append(w.logs[origin], key)
	return nil
}

// TrustHouse trusts a further key of a house that is watched.
func (w *Watch) TrustHouse(key journal.Verifier) {
	if slices.ContainsFunc(w.houses, func(known journal.Verifier) bool { return known.Name() == key.Name() }) &&
		!slices.ContainsFunc(w.houses, func(known journal.Verifier) bool {
			return known.Name() == key.Name() && known.KeyHash() == key.KeyHash()
		}) {
		w.houses = append(w.houses, key)
	}
}

// keys returns the keys that are trusted for an origin, each once.
func (w *Watch) keys(origin string) (keys []journal.Verifier) {
	type id struct {
		name string
		hash uint32
	}
	taken := map[id]bool{}
	take := func(key journal.Verifier) {
		if this := (id{key.Name(), key.KeyHash()}); !taken[this] {
			taken[this] = true
			keys = append(keys, key)
		}
	}
	for _, key := range w.houses {
		if owns(key.Name(), origin) {
			take(key)
		}
	}
	for _, key := range w.logs[origin] {
		take(key)
	}
	return keys
}

// Judge decides on a request and changes nothing. The error is a [Refusal]. What
// it returns is to be made durable, given to Keep, and only then cosigned.
func (w *Watch) Judge(request []byte) (Signed, error) {
	r, err := ParseRequest(request)
	if err != nil {
		return Signed{}, &Refusal{Code: Malformed, Err: err}
	}
	s, err := w.open(r.Checkpoint)
	if err != nil {
		return Signed{}, err
	}
	c := s.Checkpoint
	if r.Old > c.Size {
		return Signed{}, refuse(Malformed, "the old size %d is more than the size %d of the checkpoint", r.Old, c.Size)
	}
	if err := w.goesOn(c); err != nil {
		return Signed{}, err
	}
	last := w.stands(c.Origin)
	switch {
	case r.Old != last.Size:
		return Signed{}, &Refusal{Code: OtherSize, Size: last.Size,
			Err: fmt.Errorf("witness: the proof of %s is from size %d, and the checkpoint cosigned last has size %d",
				c.Origin, r.Old, last.Size)}
	case c.Size == last.Size && c.Root != last.Root && c.Size > 0:
		return Signed{}, &Refusal{Code: Forked, Size: last.Size,
			Err: fmt.Errorf("witness: %s has two journals of %d records: one with root %v, which was cosigned, and one with %v",
				c.Origin, c.Size, last.Root, c.Root)}
	}
	if err := journal.CheckTree(r.Proof, last.Size, last.Root, c.Size, c.Root); err != nil {
		return Signed{}, &Refusal{Code: Inconsistent, Err: fmt.Errorf("witness: %s: %w", c.Origin, err)}
	}
	return s, nil
}

// open finds the log of a checkpoint and verifies its signature.
func (w *Watch) open(msg []byte) (Signed, error) {
	text, _, _ := strings.Cut(string(msg), "\n\n")
	text += "\n"
	c, err := ParseCheckpoint(text)
	if err != nil {
		return Signed{}, &Refusal{Code: Malformed, Err: err}
	}
	keys := w.keys(c.Origin)
	if len(keys) == 0 {
		return Signed{}, refuse(UnknownLog, "no log %s is watched here", c.Origin)
	}
	// A note is wrong as a whole if a key that is trusted did not make the signature that bears its name.
	n, err := note.Open(msg, note.VerifierList(keys...))
	if err == nil && n.Text != text {
		err = errors.New("an empty line stands in what is signed")
	}
	signed := Signed{Checkpoint: c, Text: text, Note: []byte(text + "\n")}
	for i := 0; err == nil && i < len(n.Sigs); i++ {
		// One spelling of a signature, see journal.OpenNote.
		_, err = base64.StdEncoding.Strict().DecodeString(n.Sigs[i].Base64)
		signed.Note = fmt.Appendf(signed.Note, "— %s %s\n", n.Sigs[i].Name, n.Sigs[i].Base64)
	}
	if err != nil {
		return Signed{}, &Refusal{Code: NotSigned,
			Err: fmt.Errorf("witness: no key of %s signed the checkpoint: %w", c.Origin, err)}
	}
	return signed, nil
}

// owns reports whether the key of a name signs for an origin.
func owns(name, origin string) bool {
	house, _, err := journal.ParseOrigin(origin)
	return origin == name || err == nil && house == name
}

// Keep takes a checkpoint as the last of its log.
func (w *Watch) Keep(s Signed) { w.latest[s.Checkpoint.Origin] = s }

// Restore takes a checkpoint that was kept before, from a durable record, and
// verifies it again: a record that somebody else wrote is an error, and so is one
// that goes back.
func (w *Watch) Restore(msg []byte) (Signed, error) {
	s, err := w.open(msg)
	if err != nil {
		return Signed{}, err
	}
	if last := w.latest[s.Checkpoint.Origin].Checkpoint; s.Checkpoint.Size < last.Size {
		return Signed{}, fmt.Errorf("witness: %s: a checkpoint of %d records is recorded after one of %d",
			s.Checkpoint.Origin, s.Checkpoint.Size, last.Size)
	}
	w.Keep(s)
	return s, nil
}

// Latest returns the last checkpoint of a log.
func (w *Watch) Latest(origin string) (Signed, bool) {
	s, ok := w.latest[origin]
	return s, ok
}

// IsLatest reports whether a checkpoint is the last that was kept, so that there is
// nothing new to make durable.
func (w *Watch) IsLatest(c journal.Checkpoint) bool {
	s, ok := w.latest[c.Origin]
	return ok && s.Checkpoint == c
}
