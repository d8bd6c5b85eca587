package witness

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"drawhouse/journal"
)

const (
	// maxProof is how many hashes a consistency proof has at most.
	maxProof = 63

	// MaxRequest bounds the bytes of a request: the longest proof, and a note of 16
	// signatures of kinds that are 5,000 bytes long.
	MaxRequest = 128 << 10
)

// A Request asks a witness to cosign a checkpoint.
type Request struct {
	Old        uint64 // size of the checkpoint that the witness cosigned last
	Proof      journal.TreeProof
	Checkpoint []byte // signed note
}

// Marshal returns the request in the form of C2SP tlog-witness.
func (r Request) Marshal() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "old %d\n", r.Old)
	for _, h := range r.Proof {
		fmt.Fprintf(&b, "%v\n", h)
	}
	b.WriteByte('\n')
	b.Write(r.Checkpoint)
	return b.Bytes()
}

// ParseRequest reads a request. It does not look into the checkpoint.
func ParseRequest(data []byte) (Request, error) {
	head, checkpoint, ok := strings.Cut(string(data), "\n\n")
	if !ok || len(data) > MaxRequest {
		return Request{}, fmt.Errorf(
			"witness: a request is old size, proof, an empty line and a checkpoint, in at most %d bytes", MaxRequest)
	}
	lines := strings.Split(head, "\n")
	size, ok := strings.CutPrefix(lines[0], "old ")
	old, err := strconv.ParseUint(size, 10, 63)
	if !ok || err != nil || strconv.FormatUint(old, 10) != size {
		return Request{}, fmt.Errorf("witness: the first line is %q, want old and a size", lines[0])
	}
	r := Request{Old: old, Checkpoint: []byte(checkpoint)}
	if len(lines)-1 > maxProof {
		return Request{}, fmt.Errorf("witness: a proof of %d hashes, at most %d are needed", len(lines)-1, maxProof)
	}
	for i, line := range lines[1:] {
		h, err := tlog.ParseHash(line)
		if err != nil || h.String() != line {
			return Request{}, fmt.Errorf("witness: line %d of the proof, %q, is not a hash in base64", i+1, line)
		}
		r.Proof = append(r.Proof, h)
	}
	return r, nil
}
