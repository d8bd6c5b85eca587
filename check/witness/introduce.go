package witness

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/journal"
)

// Introduced is a public log of a house, and its key.
type Introduced struct {
	Origin string
	Key    journal.Verifier
	known  bool
}

// Known reports whether the log was watched before.
func (i Introduced) Known() bool { return i.known }

// Introduce reads how the public log of a house began, which the key of the log and the key of the house have both
// signed, and changes nothing. So a witness that knows the house's key need not be told the log's. The first key of
// a log is the only one: a house that shows a second one has two logs of one name. A log that follows another must
// name an end of that which is not before what was cosigned here. The error is a [Refusal].
//
// The result is to be made durable, and then given to Meet.
func (w *Watch) Introduce(msg []byte) (Introduced, error) {
	text, _, _ := strings.Cut(string(msg), "\n\n")
	body, err := journal.ParseLog(text + "\n")
	if err != nil {
		return Introduced{}, &Refusal{Code: Malformed, Err: err}
	}
	house, _, err := journal.ParseLogOrigin(body.Origin)
	if err != nil {
		return Introduced{}, &Refusal{Code: Malformed, Err: err}
	}
	known := slices.ContainsFunc(w.houses, func(key journal.Verifier) bool { return key.Name() == house })
	if !known {
		return Introduced{}, refuse(UnknownLog, "no key of %s is known here", house)
	}
	if _, err := journal.OpenLog(msg, body.HouseKey); err != nil {
		return Introduced{}, &Refusal{Code: NotSigned, Err: err}
	}
	signed := slices.ContainsFunc(w.houses, func(key journal.Verifier) bool {
		_, _, err := journal.OpenNote(msg, key)
		return key.Name() == house && err == nil
	})
	if !signed {
		return Introduced{}, refuse(NotSigned,
			"the beginning of %s is signed by %s, which is no key of the house that is known here", body.Origin, body.HouseKey)
	}
	key, err := journal.ParseVerifier(body.Key)
	if err != nil {
		return Introduced{}, &Refusal{Code: Malformed, Err: err}
	}
	log := Introduced{Origin: body.Origin, Key: key}
	for _, other := range w.keys(body.Origin) {
		if other.Name() != key.Name() || other.KeyHash() != key.KeyHash() {
			return Introduced{}, refuse(Forked, "%s has another key already, and one log has one key", body.Origin)
		}
		log.known = true
	}
	return log, w.follows(body)
}

// follows refuses a log that gives up entries of the log before it which were cosigned here.
func (w *Watch) follows(body journal.LogBody) error {
	if body.Before == nil {
		return nil
	}
	last, ok := w.latest[body.Before.Origin]
	if !ok || last.Checkpoint.Size < body.Before.Size || last.Checkpoint == *body.Before {
		return nil
	}
	return &Refusal{Code: Forked, Size: last.Checkpoint.Size,
		Err: fmt.Errorf("witness: %s follows %s with %d entries, and %d were cosigned here", body.Origin,
			body.Before.Origin, body.Before.Size, last.Checkpoint.Size)}
}

// Meet begins to watch a log that was introduced.
func (w *Watch) Meet(log Introduced) {
	if !log.known {
		w.logs[log.Origin] = append(w.logs[log.Origin], log.Key)
	}
}
