package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// entryForm is the first line of an entry.
const entryForm = "drawhouse/device-log/v1"

// The events of a draw.
const (
	eventNumber = "number" // a number was drawn
	eventResult = "result" // the result was signed, and no number follows
)

// noBytes stands for the bytes of an event that has none.
const noBytes = "-"

// An entry is one event of a draw as the device signs it.
type entry struct {
	name     drawName
	universe ball.Universe
	seal     journal.Hash
	event    string
	place    int // of the number, or how many numbers the result has
	pick     draw.Pick
	previous journal.Hash // of the note of the entry before
}

// A drawName tells draws apart.
type drawName struct {
	game     journal.Game
	revision uint32
}

func (n drawName) String() string { return fmt.Sprintf("%v, revision %d", n.game, n.revision) }

// marshal returns the entry's text.
func (e entry) marshal() string {
	bytes := noBytes
	if len(e.pick.Bytes) > 0 {
		bytes = hex.EncodeToString(e.pick.Bytes)
	}
	return journal.NewBody(entryForm).
		Text("series", e.name.game.Series).
		Text("day", e.name.game.Day).
		Uint("game", uint64(e.name.game.Number)).
		Uint("revision", uint64(e.name.revision)).
		Uint("of", uint64(e.universe)).
		Hash("seal", e.seal).
		Text("event", e.event).
		Uint("place", uint64(e.place)).
		Uint("number", uint64(e.pick.Number)).
		Text("bytes", bytes).
		Hash("previous", e.previous).
		String()
}

// parseEntry reads the text of an entry.
func parseEntry(text string) (entry, error) {
	b := journal.ReadBody(text, entryForm)
	var e entry
	e.name.game.Series = b.Text("series")
	e.name.game.Day = b.Text("day")
	e.name.game.Number = uint32(b.Uint("game", math.MaxUint32))
	e.name.revision = uint32(b.Uint("revision", math.MaxUint32))
	e.universe = ball.Universe(b.Uint("of", math.MaxUint8))
	e.seal = b.Hash("seal")
	e.event = b.Text("event")
	e.place = int(b.Uint("place", math.MaxUint8))
	e.pick.Number = int(b.Uint("number", math.MaxUint8))
	bytes := b.Text("bytes")
	e.previous = b.Hash("previous")
	if err := b.Close(); err != nil {
		return entry{}, fmt.Errorf("remote: %w", err)
	}
	if bytes != noBytes {
		var err error
		if e.pick.Bytes, err = hex.DecodeString(bytes); err != nil {
			return entry{}, fmt.Errorf("remote: %v: the bytes are not hexadecimal: %w", e.name, err)
		}
	}
	if e.marshal() != text {
		return entry{}, fmt.Errorf("remote: %v: the entry is not in canonical form", e.name)
	}
	return e, nil
}

// line is a line of the logbook: an entry, or the fingerprint of a start.
type line struct {
	Note    string `json:"note,omitempty"`
	Started string `json:"started,omitempty"`
}

// A past is what a logbook tells: the draws, the last entry, and the starts.
type past struct {
	device journal.Verifier
	draws  map[drawName]*progress
	last   journal.Hash
	starts []draw.Fingerprint
}

// progress is how far a draw has come.
type progress struct {
	universe ball.Universe
	seal     journal.Hash
	picks    []draw.Pick
	signed   bool
}

func newPast(device journal.Verifier) *past {
	return &past{device: device, draws: make(map[drawName]*progress), last: journal.EmptyRoot()}
}

// restore takes up a line of the logbook. Only what the device signed itself, in its
// order and without a gap, is taken.
func (p *past) restore(text []byte) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	if l.Started != "" {
		var f draw.Fingerprint
		if n, err := hex.Decode(f[:], []byte(l.Started)); err != nil || n != len(f) {
			return errors.New("remote: not the fingerprint of a start")
		}
		p.starts = append(p.starts, f)
		return nil
	}
	signed, _, err := journal.OpenNote([]byte(l.Note), p.device)
	if err != nil {
		return fmt.Errorf("remote: the device did not sign this: %w", err)
	}
	e, err := parseEntry(signed)
	if err != nil {
		return err
	}
	if e.previous != p.last {
		return fmt.Errorf("remote: %v: the entry does not follow the one before it: entries were removed, added or moved",
			e.name)
	}
	return p.add(e, []byte(l.Note))
}

// add takes an entry that the device has signed.
func (p *past) add(e entry, note []byte) error {
	d := p.draws[e.name]
	if d == nil {
		d = &progress{universe: e.universe, seal: e.seal}
	}
	switch {
	case d.seal != e.seal || d.universe != e.universe:
		return fmt.Errorf("remote: %v was begun under another seal or of other numbers", e.name)
	case d.signed:
		return fmt.Errorf("remote: %v: the result is signed, and nothing follows it", e.name)
	case e.event == eventNumber && e.place == len(d.picks)+1:
		d.picks = append(d.picks, e.pick)
	case e.event == eventResult && e.place == len(d.picks):
		d.signed = true
	default:
		return fmt.Errorf("remote: %v: %s %d does not follow %d numbers", e.name, e.event, e.place, len(d.picks))
	}
	if _, err := d.drawn(); err != nil {
		return fmt.Errorf("remote: %v: %w", e.name, err)
	}
	p.draws[e.name] = d
	p.last = sha256.Sum256(note)
	return nil
}

// drawn returns the numbers of a draw.
func (d *progress) drawn() (ball.Sequence, error) {
	numbers := make([]int, len(d.picks))
	for i, pick := range d.picks {
		numbers[i] = pick.Number
	}
	return ball.NewSequence(d.universe, numbers...)
}
