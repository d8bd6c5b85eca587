package public

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"drawhouse/journal"
)

// proofForm is the first line of a proof: C2SP tlog-proof.
const proofForm = "c2sp.org/tlog-proof@v1"

// ProofSuffix is how the name of a file with a proof ends.
const ProofSuffix = ".tlog-proof"

// maxProofPath is the greatest number of hashes in the path of any log.
const maxProofPath = 63

// A Proof shows that an entry is in a log that witnesses have seen, without asking anybody: it is a file in the form
// of C2SP tlog-proof. Its extra data is the entry itself, so that the file is whole. The form says that nobody may
// trust extra data unseen; an entry proves itself by its hash.
type Proof struct {
	Entry []byte // as the log has it; nil if the file has no extra data
	Index uint64 // of the entry in the log, from 0
	Path  journal.RecordProof
	// Checkpoint is a signed note with its cosignatures.
	Checkpoint []byte
}

// Marshal returns the text of the file.
func (p *Proof) Marshal() []byte {
	var b strings.Builder
	b.WriteString(proofForm + "\n")
	if p.Entry != nil {
		b.WriteString("extra " + base64.StdEncoding.EncodeToString(p.Entry) + "\n")
	}
	b.WriteString("index " + strconv.FormatUint(p.Index, 10) + "\n")
	for _, h := range p.Path {
		b.WriteString(h.String() + "\n")
	}
	b.WriteString("\n")
	b.Write(p.Checkpoint)
	return []byte(b.String())
}

// ParseProof reads a file. It reads the form only; [Proof.Check] tells what it shows.
func ParseProof(data []byte) (*Proof, error) {
	fail := func(format string, args ...any) (*Proof, error) {
		return nil, fmt.Errorf("public: not a proof: %w", fmt.Errorf(format, args...))
	}
	head, note, ok := strings.Cut(string(data), "\n\n")
	if !ok || note == "" {
		return fail("no empty line with a checkpoint behind it")
	}
	lines := strings.Split(head, "\n")
	if lines[0] != proofForm {
		return fail("the first line is not %q", proofForm)
	}
	p, lines := &Proof{Checkpoint: []byte(note)}, lines[1:]
	if len(lines) > 0 && strings.HasPrefix(lines[0], "extra ") {
		entry, err := base64.StdEncoding.Strict().DecodeString(strings.TrimPrefix(lines[0], "extra "))
		if err != nil || len(entry) > MaxEntry {
			return fail("the extra data is not an entry in base64")
		}
		p.Entry, lines = entry, lines[1:]
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return fail("the line %q is missing", "index")
	}
	index := strings.TrimPrefix(lines[0], "index ")
	n, err := strconv.ParseUint(index, 10, 63)
	if err != nil || strconv.FormatUint(n, 10) != index {
		return fail("the index %q is not a whole number", index[:min(len(index), 40)])
	}
	p.Index, lines = n, lines[1:]
	if len(lines) > maxProofPath {
		return fail("a path of %d hashes", len(lines))
	}
	for _, line := range lines {
		h, err := tlog.ParseHash(line)
		if err != nil || h.String() != line {
			return fail("%q is not a hash in base64", line[:min(len(line), 60)])
		}
		p.Path = append(p.Path, h)
	}
	return p, nil
}

// Check returns the checkpoint of the proof and the entry, if the log's key has signed the checkpoint and the entry
// is in the log below it. Whose cosignatures the checkpoint has is for the caller.
func (p *Proof) Check(log journal.Verifier) (journal.Checkpoint, *Entry, error) {
	at, _, err := journal.OpenCheckpoint(p.Checkpoint, log)
	if err != nil {
		return at, nil, err
	}
	if err := journal.CheckRecord(p.Path, at.Size, at.Root, p.Index, journal.LeafHash(p.Entry)); err != nil {
		return at, nil, err
	}
	e, err := Parse(p.Entry)
	return at, e, err
}
