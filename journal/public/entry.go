package public

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"drawhouse/core/day"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// form is the first line of every entry.
const form = "drawhouse/log/v1"

// MaxEntry is the greatest length of an entry in bytes: the bundles of C2SP tlog-tiles have two bytes for the length.
const MaxEntry = 65_535

// Kind is the kind of an entry.
type Kind string

// The kinds of entries.
const (
	Begun     Kind = "log-begun"        // the log begins, or goes on for one that was lost
	Volume    Kind = "volume-begun"     // a volume of the journal begins
	Series    Kind = "series-begun"     // a series of games begins
	Terms     Kind = "terms"            // rulebook and schedule from a game on
	Device    Kind = "device"           // what draws from now on, and whose links
	Beacon    Kind = "beacon"           // a beacon is part of draws from a day on, or none is
	Witnesses Kind = "witnesses"        // who cosigns
	Links     Kind = "links-committed"  // a custodian commits to the links of a day
	Opened    Kind = "game-opened"      // tickets are sold for a game
	Sealed    Kind = "game-sealed"      // what was sold, before the first number
	Link      Kind = "link"             // a custodian has given the link of a game
	Round     Kind = "round"            // the round of the beacon for a game
	Result    Kind = "result"           // the numbers, as the device signed them
	Settled   Kind = "settled"          // what the game came to
	DrawVoid  Kind = "draw-void"        // a draw does not count
	GameVoid  Kind = "game-void"        // the game has no result
	Corrected Kind = "result-corrected" // other numbers count
	DayClosed Kind = "day-closed"       // a Keno Day is over
)

// value is what a line holds.
type value int

const (
	word     value = iota // letters, digits and -._/+:, 1 to 200 of them
	number                // a whole number from 0
	date                  // such as 2026-11-15
	hash                  // base64
	signed                // a note, base64
	key                   // a note verifier key
	tree                  // ORIGIN SIZE ROOT of a checkpoint
	sequence              // numbers with blanks between
	digits                // bytes in small hexadecimal digits
	yesNo                 // yes or no
	drawnBy               // what draws a game
)

// devices are the words of what draws a game.
var devices = []string{string(record.DeviceGenerator), string(record.DeviceWitnessed), deviceCage}

// String says in which form a value is written.
func (v value) String() string {
	return [...]string{"1 to 200 letters, digits or signs of ASCII, no blank", "a whole number below 2^63", "a date such as 2026-11-15", "a hash in base64",
		"a note in base64", "a verifier key", "origin, size and root", "whole numbers with blanks between",
		"bytes in small hexadecimal digits", "`yes` or `no`", "`rng`, `witnessed` or `cage`"}[v]
}

// line is a line that entries of a kind have.
type line struct {
	key    string
	value  value
	repeat bool // any number of times, also never
}

var (
	one  = func(key string, v value) line { return line{key: key, value: v} }
	many = func(key string, v value) line { return line{key: key, value: v, repeat: true} }
	game = []line{one("series", word), one("day", date), one("game", number)}
)

// journalNamed are the lines by which an entry names a checkpoint of the journal: the checkpoint, the size of the one
// that was named before in the same volume, and the proof that the volume only grew.
var journalNamed = []line{one("journal", tree), one("from", number), many("proof", hash)}

// kinds says which lines entries of a kind have, in their order, behind the lines that every entry has.
var kinds = func() map[Kind][]line {
	all := maps.Clone(houseKinds)
	maps.Copy(all, hallKinds)
	return all
}()

// houseKinds are the kinds of entries about the house, its series and their games.
var houseKinds = map[Kind][]line{
	Begun: append([]line{one("note", signed)}, journalNamed...),
	Volume: append([]line{one("volume", number), one("reason", word), one("house-key", key),
		one("device-key", key), many("abandoned", tree)}, journalNamed...),
	Series:    {one("series", word), one("rulebook", hash), one("schedule", word)},
	Terms:     {one("series", word), one("first", number), one("rulebook", hash), one("schedule", word)},
	Device:    {one("series", word), one("device", drawnBy), many("custodian", key)},
	Witnesses: {many("required", key), many("log", key), many("optional", key)},
	Beacon: {one("series", word), one("from", date), one("chain", hash), many("key", digits), one("genesis", number),
		one("period", number)},
	Links: {one("series", word), one("day", date), one("custodian", word), one("note", signed)},
	Opened: append(append([]line{}, game...), one("id", number), one("closes", number), one("rulebook", hash),
		one("schedule", word), many("round", number)),
	Sealed: append(append([]line{}, game...), append([]line{one("note", signed)}, journalNamed...)...),
	Link:   append(append([]line{}, game...), one("custodian", word), one("link", hash), many("path", hash)),
	Round: append(append([]line{}, game...), one("round", number), one("signature", digits),
		one("checkpoint", signed)),
	Result: append(append([]line{}, game...), one("draw", number), one("note", signed)),
	Settled: append(append([]line{}, game...), one("revision", number), one("draw", number), one("plays", number),
		one("along-plays", number), one("ways", number), one("stakes-cents", number), one("winners", number), one("prizes-cents", number),
		one("carried-cents", number)),
	DrawVoid: append(append([]line{}, game...), one("draw", number), one("clause", word)),
	GameVoid: append(append([]line{}, game...), one("draw", number), one("clause", word), one("deferred", yesNo),
		one("refund-cents", number)),
	Corrected: append(append([]line{}, game...), one("revision", number), one("clause", word), one("numbers", sequence)),
	DayClosed: append([]line{one("series", word), one("day", date), one("games", number)}, journalNamed...),
}

// common are the lines of every entry: its kind, the time of the record in milliseconds since 1970 UTC, and the
// record's volume and sequence number.
var common = []line{one("kind", word), one("time", number), one("record", word)}

// An Entry is an entry of the log.
type Entry struct {
	Kind   Kind
	Millis uint64 // of the record, since 1970 UTC
	Volume uint16 // of the record
	Seq    uint64 // of the record in its volume
	// lines are the lines of the kind, in order. An entry of a kind that is not known has none.
	lines []pair
	known bool
}

type pair struct{ key, value string }

// Known reports whether the kind is one that this program knows.
func (e *Entry) Known() bool { return e.known }

// add adds a line.
func (e *Entry) add(key, value string) *Entry {
	e.lines = append(e.lines, pair{key, value})
	return e
}

func (e *Entry) addUint(key string, n uint64) *Entry { return e.add(key, strconv.FormatUint(n, 10)) }

func (e *Entry) addNote(key string, note []byte) *Entry {
	return e.add(key, base64.StdEncoding.EncodeToString(note))
}

func (e *Entry) addTree(key string, c journal.Checkpoint) *Entry {
	return e.add(key, fmt.Sprintf("%s %d %v", c.Origin, c.Size, c.Root))
}

// Text returns the first value of a key, or "".
func (e *Entry) Text(key string) string {
	for _, l := range e.lines {
		if l.key == key {
			return l.value
		}
	}
	return ""
}

// Texts returns every value of a key.
func (e *Entry) Texts(key string) (values []string) {
	for _, l := range e.lines {
		if l.key == key {
			values = append(values, l.value)
		}
	}
	return values
}

// Uint returns a number. The entry was read or made, so that it is one.
func (e *Entry) Uint(key string) uint64 {
	n, _ := strconv.ParseUint(e.Text(key), 10, 64)
	return n
}

// Note returns the bytes of a signed note.
func (e *Entry) Note(key string) []byte {
	data, _ := base64.StdEncoding.DecodeString(e.Text(key))
	return data
}

// Digits returns the bytes that hexadecimal digits say.
func (e *Entry) Digits(key string) []byte {
	data, _ := hex.DecodeString(e.Text(key))
	return data
}

// Hashes returns the hashes of a key.
func (e *Entry) Hashes(key string) (list []journal.Hash) {
	for _, text := range e.Texts(key) {
		h, _ := tlog.ParseHash(text)
		list = append(list, h)
	}
	return list
}

// Trees returns the checkpoints of a key.
func (e *Entry) Trees(key string) (list []journal.Checkpoint) {
	for _, text := range e.Texts(key) {
		c, _ := parseTree(text)
		list = append(list, c)
	}
	return list
}

// Game returns the game that the entry is about.
func (e *Entry) Game() journal.Game {
	return journal.Game{Series: e.Text("series"), Day: e.Text("day"), Number: uint32(e.Uint("game"))} //nolint:gosec // Read.
}

// Marshal returns the bytes of the entry, of which the log has the hash.
func (e *Entry) Marshal() ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	w := journal.NewBody(form).Text("kind", string(e.Kind)).Uint("time", e.Millis).
		Text("record", fmt.Sprintf("%d:%d", e.Volume, e.Seq))
	for _, l := range e.lines {
		w.Text(l.key, l.value)
	}
	text := w.String()
	if len(text) > MaxEntry {
		return nil, fmt.Errorf("public: an entry of %d bytes, %d are the most", len(text), MaxEntry)
	}
	return []byte(text), nil
}

// Parse reads an entry. An entry of a kind that is not known is read as far as the lines that every entry has.
func Parse(data []byte) (*Entry, error) {
	if len(data) > MaxEntry {
		return nil, fmt.Errorf("public: an entry of %d bytes, %d are the most", len(data), MaxEntry)
	}
	text := string(data)
	head, rest, ok := strings.Cut(text, "\n")
	if !ok || head != form || !strings.HasSuffix(text, "\n") {
		return nil, fmt.Errorf("public: an entry begins with %q and ends with a line; this one begins with %q", form,
			head[:min(len(head), 40)])
	}
	var e Entry
	for i, l := range strings.Split(strings.TrimSuffix(rest, "\n"), "\n") {
		k, v, ok := strings.Cut(l, " ")
		if !ok {
			return nil, fmt.Errorf("public: line %d, %q, is not a key, a blank and a value", i+2, l[:min(len(l), 40)])
		}
		e.add(k, v)
	}
	if err := e.takeCommon(); err != nil {
		return nil, err
	}
	if _, e.known = kinds[e.Kind]; !e.known {
		e.lines = nil
		return &e, nil
	}
	if err := e.check(); err != nil {
		return nil, err
	}
	return &e, nil
}

// takeCommon takes the lines that every entry has.
func (e *Entry) takeCommon() error {
	if len(e.lines) < len(common) {
		return fmt.Errorf("public: an entry of %d lines has no kind, time and record", len(e.lines))
	}
	for i, l := range common {
		if e.lines[i].key != l.key {
			return fmt.Errorf("public: line %d is %q, want %q", i+2, e.lines[i].key, l.key)
		}
		if err := l.value.check(e.lines[i].value); err != nil {
			return fmt.Errorf("public: %s: %w", l.key, err)
		}
	}
	e.Kind, e.Millis = Kind(e.lines[0].value), e.Uint("time")
	volume, seq, ok := strings.Cut(e.lines[2].value, ":")
	v, err := strconv.ParseUint(volume, 10, 16)
	s, err2 := strconv.ParseUint(seq, 10, 63)
	if !ok || err != nil || err2 != nil || fmt.Sprintf("%d:%d", v, s) != e.lines[2].value {
		return fmt.Errorf("public: record: %q is not VOLUME:NUMBER", e.lines[2].value)
	}
	e.Volume, e.Seq, e.lines = uint16(v), s, e.lines[len(common):]
	return nil
}

// check holds the lines against those of the kind.
func (e *Entry) check() error {
	want, ok := kinds[e.Kind]
	if !ok {
		return fmt.Errorf("public: no entry has the kind %q", e.Kind)
	}
	i := 0
	for _, l := range want {
		n := 0
		for ; i < len(e.lines) && e.lines[i].key == l.key && (l.repeat || n == 0); i++ {
			if err := l.value.check(e.lines[i].value); err != nil {
				return fmt.Errorf("public: %s of %s: %w", l.key, e.Kind, err)
			}
			n++
		}
		if n == 0 && !l.repeat {
			return fmt.Errorf("public: %s has no line %q where it belongs", e.Kind, l.key)
		}
	}
	if i < len(e.lines) {
		return fmt.Errorf("public: %s has a line %q that does not belong there", e.Kind, e.lines[i].key)
	}
	return nil
}

// maxWord is the greatest length of a word: two names and what stands between them.
const maxWord = 200

// check reports what is wrong with a value. Each value has one spelling.
func (v value) check(text string) error {
	ok := false
	switch v {
	case word:
		ok = isWord(text)
	case number:
		n, err := strconv.ParseUint(text, 10, 64)
		ok = err == nil && n <= math.MaxInt64 && strconv.FormatUint(n, 10) == text
	case date:
		d, err := day.Parse(text)
		ok = err == nil && d.String() == text
	case hash:
		h, err := tlog.ParseHash(text)
		ok = err == nil && h.String() == text
	case signed:
		data, err := base64.StdEncoding.Strict().DecodeString(text)
		ok = err == nil && len(data) > 0
	case key:
		_, err := journal.ParseVerifier(text)
		ok = err == nil || isCosigner(text)
	case tree:
		_, err := parseTree(text)
		ok = err == nil
	case sequence:
		ok = isSequence(text)
	case digits:
		data, err := hex.DecodeString(text)
		ok = err == nil && len(data) > 0 && hex.EncodeToString(data) == text
	case yesNo:
		ok = text == yes(true) || text == yes(false)
	case drawnBy:
		ok = slices.Contains(devices, text)
	}
	if !ok {
		return fmt.Errorf("%q is not %s", text[:min(len(text), 60)], v)
	}
	return nil
}

func isWord(text string) bool {
	for _, c := range []byte(text) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return text != "" && len(text) <= maxWord
}

func isSequence(text string) bool {
	for part := range strings.SplitSeq(text, " ") {
		if n, err := strconv.ParseUint(part, 10, 8); err != nil || strconv.FormatUint(n, 10) != part {
			return false
		}
	}
	return true
}

// isCosigner reports whether a text has the form of a verifier key of another kind than that of notes, such as a
// witness's: a name, eight digits and base64.
func isCosigner(text string) bool {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 || !isWord(parts[0]) || len(parts[1]) != 8 {
		return false
	}
	_, err := base64.StdEncoding.Strict().DecodeString(parts[2])
	return err == nil
}

// parseTree reads a checkpoint on one line.
func parseTree(text string) (journal.Checkpoint, error) {
	f := strings.Split(text, " ")
	if len(f) != 3 {
		return journal.Checkpoint{}, fmt.Errorf("public: %d parts, want origin, size and root", len(f))
	}
	size, err := strconv.ParseUint(f[1], 10, 63)
	if err != nil || strconv.FormatUint(size, 10) != f[1] {
		return journal.Checkpoint{}, fmt.Errorf("public: size %q", f[1])
	}
	root, err := tlog.ParseHash(f[2])
	if err != nil || root.String() != f[2] {
		return journal.Checkpoint{}, fmt.Errorf("public: root %q", f[2])
	}
	c := journal.Checkpoint{Origin: f[0], Size: size, Root: root}
	return c, c.Check()
}
