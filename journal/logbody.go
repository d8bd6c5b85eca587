package journal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// logForm is the first line of the body that begins a public log.
const logForm = "drawhouse/public-log/v1"

// A LogBody states how the public log of a house begins. The house signs it with the key of the log and with the key of
// the volume, so that anybody who knows either key learns the other.
type LogBody struct {
	Origin string // of the log, such as keno.example/log
	Key    string // verifier of the log's checkpoints; its name is the origin
	// HouseKey and DeviceKey are the verifiers of the volume in which the log begins.
	HouseKey, DeviceKey string
	// Journal is where the journal stands, and Ended where each volume before it ended.
	Journal Checkpoint
	Ended   []Checkpoint
	// Before is the end of the log that this one follows; nil for the first log of a house.
	Before *Checkpoint
}

// LogOrigin returns the origin of a public log: the first of a house, or a later one that follows a log which was lost.
func LogOrigin(house string, number uint16) string {
	if number <= 1 {
		return house + "/log"
	}
	return house + "/log" + strconv.Itoa(int(number))
}

// ParseLogOrigin splits an origin that LogOrigin made.
func ParseLogOrigin(origin string) (house string, number uint16, err error) {
	if err := checkName("origin", origin); err != nil {
		return "", 0, err
	}
	i := strings.LastIndex(origin, "/log")
	if i <= 0 {
		return "", 0, fmt.Errorf("journal: origin %q is not that of a public log, such as HOUSE/log", origin)
	}
	n := uint64(1)
	if text := origin[i+len("/log"):]; text != "" {
		if n, err = parseUint("number of the log", text, 1<<16-1); err != nil {
			return "", 0, err
		}
	}
	if house, number = origin[:i], uint16(n); LogOrigin(house, number) != origin || number == 0 {
		return "", 0, fmt.Errorf("journal: origin %q is not that of a public log, such as HOUSE/log", origin)
	}
	return house, number, nil
}

// Check reports what is wrong with the body, if anything.
func (b LogBody) Check() error {
	house, number, err := ParseLogOrigin(b.Origin)
	if err != nil {
		return err
	}
	verifier, err := ParseVerifier(b.Key)
	if err != nil {
		return fmt.Errorf("journal: %s: %w", b.Origin, err)
	}
	if verifier.Name() != b.Origin {
		return fmt.Errorf("journal: the key of %s has the name %s", b.Origin, verifier.Name())
	}
	for _, vkey := range []string{b.HouseKey, b.DeviceKey} {
		if _, err := ParseVerifier(vkey); err != nil {
			return fmt.Errorf("journal: %s: %w", b.Origin, err)
		}
	}
	if err := b.checkJournal(house); err != nil {
		return err
	}
	switch {
	case b.Before == nil && number > 1:
		return fmt.Errorf("journal: %s follows a log and does not say where that ended", b.Origin)
	case b.Before != nil && (number == 1 || b.Before.Origin != LogOrigin(house, number-1)):
		return fmt.Errorf("journal: %s does not follow %s", b.Origin, b.Before.Origin)
	case b.Before != nil:
		return b.Before.Check()
	}
	return nil
}

// checkJournal checks where the journal stands and where its volumes ended: volumes of one house, ascending.
func (b LogBody) checkJournal(house string) error {
	last := -1
	for _, c := range append(slices.Clone(b.Ended), b.Journal) {
		name, volume, err := ParseOrigin(c.Origin)
		switch {
		case err != nil:
			return err
		case name != house:
			return fmt.Errorf("journal: %s begins with the journal %s", b.Origin, c.Origin)
		case int(volume) <= last:
			return fmt.Errorf("journal: %s names volume %d behind volume %d", b.Origin, volume, last)
		}
		if err := c.Check(); err != nil {
			return err
		}
		last = int(volume)
	}
	return nil
}

// Marshal returns the body's text.
func (b LogBody) Marshal() string {
	w := NewBody(logForm).Text("origin", b.Origin).Text("key", b.Key).Text("house-key", b.HouseKey).
		Text("device-key", b.DeviceKey)
	for _, c := range b.Ended {
		w.Text("ended", checkpointLine(c))
	}
	w.Text("journal", checkpointLine(b.Journal))
	if b.Before != nil {
		w.Text("before", checkpointLine(*b.Before))
	}
	return w.String()
}

// ParseLog reads the text of the body that begins a public log.
func ParseLog(text string) (LogBody, error) {
	r := ReadBody(text, logForm)
	b := LogBody{Origin: r.Text("origin"), Key: r.Text("key"), HouseKey: r.Text("house-key"),
		DeviceKey: r.Text("device-key")}
	for r.More("ended") {
		b.Ended = append(b.Ended, r.checkpoint("ended"))
	}
	b.Journal = r.checkpoint("journal")
	if r.More("before") {
		before := r.checkpoint("before")
		b.Before = &before
	}
	if err := r.Close(); err != nil {
		return LogBody{}, err
	}
	if err := b.Check(); err != nil {
		return LogBody{}, err
	}
	if b.Marshal() != text {
		return LogBody{}, fmt.Errorf("journal: the beginning of %s is not in canonical form", b.Origin)
	}
	return b, nil
}

// SignLog returns the beginning of a public log as a note that both keys sign.
func SignLog(b LogBody, log, house Signer) ([]byte, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	return SignNote(b.Marshal(), log, house)
}

// OpenLog verifies the beginning of a public log by the two keys that the beginning names, one of which the
// caller knows.
func OpenLog(msg []byte, known string) (LogBody, error) {
	text, _, ok := strings.Cut(string(msg), "\n\n")
	if !ok {
		return LogBody{}, fmt.Errorf("journal: the beginning of a public log is not signed")
	}
	b, err := ParseLog(text + "\n")
	if err != nil {
		return LogBody{}, err
	}
	if known != b.Key && known != b.HouseKey {
		return LogBody{}, fmt.Errorf("journal: the beginning of %s names the keys %s and %s, not %s", b.Origin, b.Key,
			b.HouseKey, known)
	}
	for _, vkey := range []string{b.Key, b.HouseKey} {
		if !signedBy(msg, vkey) {
			return LogBody{}, fmt.Errorf("journal: the beginning of %s is not signed by %s", b.Origin, vkey)
		}
	}
	return b, nil
}
