package proof

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// A Story is all that a journal has of one ticket, for an inspector: every record about
// it and about its games with the path to one signed checkpoint, the proof of the
// ticket in each seal, what the device drew, the winners files and how each prize came
// about. It can be checked without the house ([CheckStory]).
type Story struct {
	House  string    `json:"house"`
	Serial string    `json:"serial"`
	Place  string    `json:"place"`
	Made   time.Time `json:"made"`
	// Checkpoint is the newest one, a signed note. Volumes lead from the ticket's volume
	// to it, one for each that began since, in their order.
	Checkpoint string        `json:"checkpoint"`
	Volumes    []StoryVolume `json:"volumes,omitempty"`
	// Entries are the records, ascending: the one that begins the ticket's volume, the
	// sale, what became of its games, payments, stops and whatever else is about it.
	Entries []Entry `json:"entries"`
	Games   []Game  `json:"games"`
}

// A StoryVolume is a volume that began after the ticket's: its first record, and the
// path from that to the volume's end, or to the checkpoint for the newest.
type StoryVolume struct {
	Record    string   `json:"record"`
	Inclusion []string `json:"inclusion"`
}

// An Entry is a record with the path to the root of its volume's end, or of the
// checkpoint. Text says for people what it is.
type Entry struct {
	Place     string   `json:"place"`
	Text      string   `json:"text"`
	Record    string   `json:"record"`
	Inclusion []string `json:"inclusion"`
}

// A Game is one of the ticket's games.
type Game struct {
	Series  uint8  `json:"series"`
	Ordinal uint32 `json:"ordinal"`
	Day     string `json:"day"`
	Number  uint16 `json:"number"`
	// Proof is that of the ticket in the seal, as the API gives it; missing before the
	// game is sealed.
	Proof json.RawMessage `json:"proof,omitempty"`
	// Winners are the winners files in the order of revisions, in base64.
	Winners    []string `json:"winners,omitempty"`
	PrizeCents int64    `json:"prize_cents"`
	// CarriedCents was won and staked in the next game; RefundCents are stakes that go
	// back because the game is void.
	CarriedCents int64  `json:"carried_cents,omitempty"`
	RefundCents  int64  `json:"refund_cents,omitempty"`
	PaidCents    int64  `json:"paid_cents"`
	Lines        []Line `json:"lines,omitempty"`
}

// A Line is one step on the way to a prize, with its clauses.
type Line struct {
	Way         int    `json:"way"`
	Text        string `json:"text"`
	Clause      string `json:"clause"`
	AmountCents int64  `json:"amount_cents"`
	Last        bool   `json:"last,omitempty"`
}

// storyFile is the file: the story as bytes, and the note by which the house signs
// their hash.
type storyFile struct {
	Story  json.RawMessage `json:"story"`
	Signed string          `json:"signed"`
}

const storyForm = "drawhouse/story/v1"

// Sign returns the file of a story, signed by the house.
func (s *Story) Sign(house journal.Signer) ([]byte, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("proof: a story: %w", err)
	}
	text := journal.NewBody(storyForm).Text("house", s.House).Text("place", s.Place).Hash("sha256",
		sha256.Sum256(data)).String()
	signed, err := journal.SignNote(text, house)
	if err != nil {
		return nil, fmt.Errorf("proof: a story: %w", err)
	}
	file, err := json.Marshal(storyFile{data, string(signed)})
	if err != nil {
		return nil, fmt.Errorf("proof: a story: %w", err)
	}
	return append(file, '\n'), nil
}

// openStory reads the file of a story and verifies that one of some keys signed it.
func openStory(file []byte, known []journal.Verifier) (*Story, error) {
	var f storyFile
	if err := json.Unmarshal(file, &f); err != nil {
		return nil, fmt.Errorf("proof: not JSON: %w", err)
	}
	text, err := openByOne([]byte(f.Signed), known)
	if err != nil {
		return nil, err
	}
	r := journal.ReadBody(text, storyForm)
	house, place, sum := r.Text("house"), r.Text("place"), r.Hash("sha256")
	if err := r.Close(); err != nil {
		return nil, err
	}
	if sum != sha256.Sum256(f.Story) {
		return nil, fmt.Errorf("proof: the story is not the one that was signed")
	}
	s := new(Story)
	if err := json.Unmarshal(f.Story, s); err != nil {
		return nil, fmt.Errorf("proof: the story: %w", err)
	}
	if s.House != house || s.Place != place {
		return nil, fmt.Errorf("proof: the story is of %s of %s, and signed was %s of %s", s.Place, s.House, place,
			house)
	}
	return s, nil
}

// openByOne opens a note that one of some keys has signed.
func openByOne(msg []byte, keys []journal.Verifier) (string, error) {
	err := fmt.Errorf("proof: no key is known")
	for _, key := range keys {
		var text string
		if text, _, err = journal.OpenNote(msg, key); err == nil {
			return text, nil
		}
	}
	return "", err
}

// Encode writes the proof of a ticket in a seal in the form that Parse reads. Volumes
// are the records that begin the volumes to which the play's volumes are the paths.
func Encode(data, seal []byte, play journal.PlayProof, volumes [][]byte) ([]byte, error) {
	j := proofJSON{
		Record: encode(data), LeafHash: play.Leaf.String(), Seq: &play.Seq, Inclusion: Hashes(play.Record),
		Seal: string(seal),
		Bit:  &bitJSON{Chunk: encode(play.Bit.Chunk), Index: play.Bit.Index, Path: Hashes(play.Bit.Path)},
	}
	for i, v := range play.Volumes {
		j.Volumes = append(j.Volumes, volumeJSON{encode(volumes[i]), Hashes(v.Record)})
	}
	return json.Marshal(j)
}

func encode(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

// Hashes writes a path in base64.
func Hashes(path journal.RecordProof) []string {
	texts := make([]string, len(path))
	for i, h := range path {
		texts[i] = h.String()
	}
	return texts
}

// NewEntry returns the entry of a record.
func NewEntry(place record.Place, text string, data []byte, path journal.RecordProof) Entry {
	return Entry{Place: place.String(), Text: text, Record: encode(data), Inclusion: Hashes(path)}
}

// NewStoryVolume returns the beginning of a volume with its path.
func NewStoryVolume(data []byte, path journal.RecordProof) StoryVolume {
	return StoryVolume{Record: encode(data), Inclusion: Hashes(path)}
}

// WinnersFile writes a winners file as a story has it.
func WinnersFile(data []byte) string { return encode(data) }
