package proof

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// A Proof is the proof of a ticket in a game.
type Proof struct {
	Record []byte
	Leaf   journal.Hash
	Seal   []byte // signed note
	Play   journal.PlayProof
	// Volumes are the records that begin the volumes between the ticket and the seal,
	// in their order; Play has the paths to them.
	Volumes []*record.VolumeBegun
	// Logged is the proof that the seal is in the public log, in the form of C2SP tlog-proof. It is nil if there is
	// none, and Unlogged says why.
	Logged   []byte
	Unlogged string
}

// proofJSON is a proof as the API gives it.
type proofJSON struct {
	Record    string       `json:"record"`
	LeafHash  string       `json:"leaf_hash"`
	Seq       *uint64      `json:"seq"`
	Inclusion []string     `json:"inclusion"`
	Seal      string       `json:"seal"`
	Bit       *bitJSON     `json:"bit"`
	Volumes   []volumeJSON `json:"volumes,omitempty"`
	LogProof  string       `json:"log_proof,omitempty"`
	Unlogged  string       `json:"unlogged,omitempty"`
}

type volumeJSON struct {
	Record    string   `json:"record"`
	Inclusion []string `json:"inclusion"`
}

type bitJSON struct {
	Chunk string   `json:"chunk"`
	Index uint64   `json:"index"`
	Path  []string `json:"path"`
}

// Parse reads a proof.
func Parse(data []byte) (Proof, error) {
	var j proofJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return Proof{}, fmt.Errorf("proof: not JSON: %w", err)
	}
	if j.Seq == nil || j.Bit == nil || j.Record == "" || j.Seal == "" {
		return Proof{}, fmt.Errorf("proof: record, seq, seal or bit is missing")
	}
	r := reader{}
	p := Proof{Record: r.bytes("record", j.Record), Leaf: r.hash("leaf_hash", j.LeafHash), Seal: []byte(j.Seal),
		Unlogged: "it has no log_proof"}
	if j.Unlogged != "" {
		p.Unlogged = "the house says: " + j.Unlogged
	}
	if j.LogProof != "" {
		p.Logged = []byte(j.LogProof)
	}
	p.Play = journal.PlayProof{
		Seq: *j.Seq, Leaf: journal.LeafHash(p.Record), Record: r.hashes("inclusion", j.Inclusion),
		Bit: journal.BitProof{Chunk: r.bytes("bit.chunk", j.Bit.Chunk), Index: j.Bit.Index,
			Path: r.hashes("bit.path", j.Bit.Path)},
	}
	for i, v := range j.Volumes {
		begun, proof, err := r.volume(fmt.Sprintf("volumes[%d]", i), v.Record, v.Inclusion)
		if err != nil {
			return Proof{}, err
		}
		p.Volumes, p.Play.Volumes = append(p.Volumes, begun), append(p.Play.Volumes, proof)
	}
	return p, r.err
}

// volume reads the beginning of a volume, and from it the end of the one before.
func (r *reader) volume(field, text string, path []string) (*record.VolumeBegun, journal.VolumeProof, error) {
	data := r.bytes(field+".record", text)
	hashes := r.hashes(field+".inclusion", path)
	if r.err != nil {
		return nil, journal.VolumeProof{}, r.err
	}
	decoded, err := record.Decode(data)
	if err != nil {
		return nil, journal.VolumeProof{}, fmt.Errorf("proof: %s: %w", field, err)
	}
	begun, ok := decoded.Body.(*record.VolumeBegun)
	if !ok {
		return nil, journal.VolumeProof{}, fmt.Errorf("proof: %s is a record of %v", field, decoded.Kind())
	}
	previous, err := journal.UnverifiedCheckpoint(begun.Previous)
	if err != nil {
		return nil, journal.VolumeProof{}, fmt.Errorf("proof: %s: %w", field, err)
	}
	return begun, journal.VolumeProof{Previous: previous, Leaf: journal.LeafHash(data), Record: hashes}, nil
}

// A reader reads base64 and keeps the first error.
type reader struct{ err error }

func (r *reader) bytes(field, text string) []byte {
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("proof: %s is not base64: %w", field, err)
	}
	return data
}

func (r *reader) hash(field, text string) journal.Hash {
	h, err := tlog.ParseHash(text)
	if (err != nil || h.String() != text) && r.err == nil {
		r.err = fmt.Errorf("proof: %s is not a hash in base64", field)
	}
	return h
}

func (r *reader) hashes(field string, texts []string) journal.RecordProof {
	hashes := make(journal.RecordProof, len(texts))
	for i, text := range texts {
		hashes[i] = r.hash(fmt.Sprintf("%s[%d]", field, i), text)
	}
	return hashes
}

// A Receipt is what the terminal was told when it sold the ticket, as far as it
// helps here.
type Receipt struct {
	Serial     string `json:"serial"`
	Place      string `json:"place"`
	LeafHash   string `json:"leaf_hash"`
	Checkpoint string `json:"checkpoint"`
}

// parseReceipt reads the answer to a sale.
func parseReceipt(data []byte) (Receipt, error) {
	var r Receipt
	if err := json.Unmarshal(data, &r); err != nil {
		return Receipt{}, fmt.Errorf("proof: receipt: not JSON: %w", err)
	}
	if r.Serial == "" || r.LeafHash == "" || r.Checkpoint == "" {
		return Receipt{}, fmt.Errorf("proof: receipt: serial, leaf_hash or checkpoint is missing")
	}
	return r, nil
}
