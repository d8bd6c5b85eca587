package witness

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/tlog"

	"drawhouse/journal"
)

// ParseCheckpoint reads the text of a checkpoint of any log, as C2SP tlog-checkpoint has it: an origin, a size, a
// root, and extension lines, which it passes over. A checkpoint of a house has a narrower form, see
// [journal.ParseCheckpoint].
func ParseCheckpoint(text string) (journal.Checkpoint, error) {
	body, ok := strings.CutSuffix(text, "\n")
	lines := strings.Split(body, "\n")
	if !ok || len(lines) < 3 {
		return journal.Checkpoint{}, errors.New(
			"witness: a checkpoint is an origin, a size and a root, each on a line that ends with a newline")
	}
	for i, line := range lines {
		if line == "" || !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' }) {
			return journal.Checkpoint{}, fmt.Errorf("witness: line %d of the checkpoint is empty or no text", i+1)
		}
	}
	if err := checkOrigin(lines[0]); err != nil {
		return journal.Checkpoint{}, err
	}
	size, err := strconv.ParseUint(lines[1], 10, 64)
	if err != nil || strconv.FormatUint(size, 10) != lines[1] || size > journal.MaxSize {
		return journal.Checkpoint{}, fmt.Errorf("witness: the size %q of the checkpoint is not a plain decimal number",
			lines[1])
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil || root.String() != lines[2] {
		return journal.Checkpoint{}, fmt.Errorf("witness: the root %q of the checkpoint is not a hash in base64", lines[2])
	}
	return journal.Checkpoint{Origin: lines[0], Size: size, Root: root}, nil
}

// maxOrigin bounds the bytes of an origin; it is more than a house's own.
const maxOrigin = 255

// checkOrigin checks the name of a log. It may have spaces.
func checkOrigin(origin string) error {
	switch {
	case origin == "" || len(origin) > maxOrigin:
		return fmt.Errorf("witness: an origin has 1 to %d bytes, and this one has %d", maxOrigin, len(origin))
	case !utf8.ValidString(origin) || strings.ContainsFunc(origin, unicode.IsControl):
		return fmt.Errorf("witness: the origin %q has a control character or is no UTF-8", origin)
	}
	return nil
}
