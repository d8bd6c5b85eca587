package journal

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// A Checkpoint states the size and root of a log. Origin is the name of the
// log; the house gives every volume its own, see [VolumeOrigin].
type Checkpoint struct {
	Origin string
	Size   uint64
	Root   Hash
}

// VolumeOrigin returns the origin of a volume of the house's journal, such as
// keno.example/vic/v3.
func VolumeOrigin(house string, volume uint16) string {
	return house + "/v" + strconv.Itoa(int(volume))
}

// ParseOrigin splits an origin made by VolumeOrigin.
func ParseOrigin(origin string) (house string, volume uint16, err error) {
	if err := checkName("origin", origin); err != nil {
		return "", 0, err
	}
	i := strings.LastIndex(origin, "/v")
	if i <= 0 {
		return "", 0, fmt.Errorf("journal: origin %q does not end with a volume such as /v3", origin)
	}
	n, err := parseUint("volume of the origin", origin[i+2:], 1<<16-1)
	if err != nil {
		return "", 0, err
	}
	return origin[:i], uint16(n), nil
}

// String names the checkpoint for people.
func (c Checkpoint) String() string {
	return fmt.Sprintf("%s of size %d with root %v", c.Origin, c.Size, c.Root)
}

// Check reports what is wrong with the checkpoint, if anything.
func (c Checkpoint) Check() error {
	if err := checkName("origin", c.Origin); err != nil {
		return err
	}
	if c.Size > MaxSize {
		return fmt.Errorf("journal: checkpoint size %d is more than any log can have", c.Size)
	}
	if c.Size == 0 && c.Root != EmptyRoot() {
		return fmt.Errorf("journal: checkpoint of an empty log with root %v", c.Root)
	}
	return nil
}

// Marshal returns the body of the checkpoint's note as C2SP tlog-checkpoint
// lays it down: origin, size and base64 root, each on a line.
func (c Checkpoint) Marshal() string {
	return fmt.Sprintf("%s\n%d\n%v\n", c.Origin, c.Size, c.Root)
}

// ParseCheckpoint reads the body of a checkpoint's note. It is stricter than
// C2SP: extension lines, which the specification allows but advises against,
// are refused, because nothing of ours writes them and no monitor can audit
// them.
func ParseCheckpoint(body string) (Checkpoint, error) {
	lines := strings.Split(body, "\n")
	if len(lines) != 4 || lines[3] != "" {
		return Checkpoint{}, fmt.Errorf("journal: a checkpoint has three lines, each ended by a newline")
	}
	size, err := parseUint("checkpoint size", lines[1], MaxSize)
	if err != nil {
		return Checkpoint{}, err
	}
	root, err := parseHash("checkpoint root", lines[2])
	if err != nil {
		return Checkpoint{}, err
	}
	c := Checkpoint{Origin: lines[0], Size: size, Root: root}
	if err := c.Check(); err != nil {
		return Checkpoint{}, err
	}
	if c.Marshal() != body {
		return Checkpoint{}, fmt.Errorf("journal: the checkpoint is not in canonical form")
	}
	return c, nil
}

// SignCheckpoint returns the checkpoint as a signed note. The first signer
// should be the log's own key, and its name the origin.
func SignCheckpoint(c Checkpoint, signers ...Signer) ([]byte, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	return SignNote(c.Marshal(), signers...)
}

// OpenCheckpoint verifies a signed checkpoint and returns it with the names of
// those who verifiably signed it. The log's own key must be among them.
func OpenCheckpoint(msg []byte, log Verifier, cosigners ...Verifier) (Checkpoint, []string, error) {
	text, signers, err := OpenNote(msg, log, cosigners...)
	if err != nil {
		return Checkpoint{}, nil, fmt.Errorf("checkpoint: %w", err)
	}
	c, err := ParseCheckpoint(text)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	return c, signers, nil
}

// UnverifiedCheckpoint returns what a signed checkpoint states, for anybody who has yet
// to find out which key must have signed it.
func UnverifiedCheckpoint(msg []byte) (Checkpoint, error) {
	text, _, ok := strings.Cut(string(msg), "\n\n")
	if !ok {
		return Checkpoint{}, errors.New("journal: the checkpoint is not signed")
	}
	return ParseCheckpoint(text + "\n")
}

// parseUint reads a decimal number without sign or leading zeros.
func parseUint(what, s string, limit uint64) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != s {
		return 0, fmt.Errorf("journal: %s %q is not a plain decimal number", what, s)
	}
	if n > limit {
		return 0, fmt.Errorf("journal: %s %d is more than %d", what, n, limit)
	}
	return n, nil
}

// parseHash reads a hash in standard base64 and refuses its other spellings.
func parseHash(what, s string) (Hash, error) {
	h, err := tlog.ParseHash(s)
	if err != nil || h.String() != s {
		return Hash{}, fmt.Errorf("journal: %s %q is not a hash in base64", what, s)
	}
	return h, nil
}
