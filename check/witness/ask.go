package witness

import (
	"encoding/base64"
	"fmt"
	"strings"

	"drawhouse/journal"
)

// A witness that keeps the records of a house asks for them, and a house that has lost
// records asks its witness. Records are not for the public, so each such question
// carries a header by which the one asked knows who asks: a name, and a note that its
// key has signed over the house, the question and the time.

// AskHeader is the name of that header.
const AskHeader = "Drawhouse-Asks"

const (
	askForm = "drawhouse/ask/v1"
	// askWindow is by how many seconds the clocks of the two may differ.
	askWindow = 120
	// maxAsk bounds the header.
	maxAsk = 4096
)

// SignAsk returns the header of a question about a house. Target is path and query of
// the request, and seconds the time since 1970 UTC.
func SignAsk(signer journal.Signer, house, target string, seconds int64) (string, error) {
	text := journal.NewBody(askForm).Text("house", house).Text("target", target).Uint("time",
		uint64(max(seconds, 0))).String()
	msg, err := journal.SignNote(text, signer)
	if err != nil {
		return "", fmt.Errorf("witness: signing a question: %w", err)
	}
	return signer.Name() + " " + base64.StdEncoding.EncodeToString(msg), nil
}

// AskedBy returns the name that a header gives, which CheckAsk then holds against its
// key.
func AskedBy(header string) string {
	name, _, _ := strings.Cut(header, " ")
	return name
}

// CheckAsk checks that a question was signed by the key of the verifier, about this
// house and target, and not long ago.
func CheckAsk(header string, by journal.Verifier, house, target string, seconds int64) error {
	_, encoded, ok := strings.Cut(header, " ")
	msg, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if !ok || err != nil || len(header) > maxAsk {
		return fmt.Errorf("witness: a question is signed as NAME NOTE, in base64")
	}
	text, _, err := journal.OpenNote(msg, by)
	if err != nil {
		return fmt.Errorf("witness: the question: %w", err)
	}
	r := journal.ReadBody(text, askForm)
	toHouse, toTarget := r.Text("house"), r.Text("target")
	at := int64(r.Uint("time", 1<<62))
	if err := r.Close(); err != nil {
		return fmt.Errorf("witness: the question: %w", err)
	}
	switch {
	case toHouse != house || toTarget != target:
		return fmt.Errorf("witness: the question was signed for %s of %s", toTarget, toHouse)
	case at < seconds-askWindow || at > seconds+askWindow:
		return fmt.Errorf("witness: the question was signed at %d, and the time is %d; one of the clocks is wrong", at,
			seconds)
	}
	return nil
}
