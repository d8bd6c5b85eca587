package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"drawhouse/check/witness"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

const (
	// maxAnswer bounds what is read of an answer. A longer one is refused and not cut.
	maxAnswer = 64 << 10
	// maxCommitments bounds the answer with all commitments of a custodian: more than a
	// thousand of them.
	maxCommitments = 1 << 20
)

// The errors of a client, each wrapped with what the witness said.
var (
	// ErrUnreachable: the witness did not answer in time.
	ErrUnreachable = errors.New("the witness does not answer")
	// ErrAhead: the witness has cosigned a longer log than the house has. The
	// house has lost records, or it is not the only one of its name.
	ErrAhead = errors.New("the witness has seen a longer log")
	// ErrRefused: the witness does not sign.
	ErrRefused = errors.New("the witness refuses")
	// ErrOther: the witness has cosigned another history of the log. It wraps ErrRefused.
	ErrOther = fmt.Errorf("%w: it has cosigned another history of the log", ErrRefused)
	// ErrUnknownLog: the witness does not watch the log. It wraps ErrRefused.
	ErrUnknownLog = fmt.Errorf("%w: it does not watch the log", ErrRefused)
	// ErrDisagrees: the witness does not take in what the log says, and has said why. It wraps ErrRefused.
	ErrDisagrees = fmt.Errorf("%w: it does not agree to what the log says", ErrRefused)
	// ErrAnswer: what came back is no signature of this witness.
	ErrAnswer = errors.New("no signature of the witness came back")
)

// A Client asks one witness. Any number of goroutines may use it.
type Client struct {
	URL     string // the submission prefix, without a slash at its end
	Witness *witness.Verifier
	HTTP    *http.Client // nil is http.DefaultClient; deadlines are of contexts
}

// A Prover proves that a log of newSize records begins with oldSize.
type Prover func(oldSize, newSize uint64) (journal.TreeProof, error)

// Cosign has a checkpoint, signed by its log, cosigned. The first request is from
// size guess; a witness that stands elsewhere says so and is asked once more.
func (c *Client) Cosign(ctx context.Context, signed []byte, guess uint64, prove Prover) (witness.Cosignature, error) {
	text, _, _ := strings.Cut(string(signed), "\n\n")
	checkpoint, err := journal.ParseCheckpoint(text + "\n")
	if err != nil {
		return witness.Cosignature{}, err
	}
	old := min(guess, checkpoint.Size)
	for range 2 {
		proof, err := prove(old, checkpoint.Size)
		if err != nil {
			return witness.Cosignature{}, err
		}
		answer, err := c.post(ctx, "/add-checkpoint",
			witness.Request{Old: old, Proof: proof, Checkpoint: signed}.Marshal())
		stands := new(standsAt)
		switch {
		case err == nil:
			return c.read(signed, answer)
		case !errors.As(err, &stands):
			return witness.Cosignature{}, meaning(err)
		case stands.size > checkpoint.Size:
			return witness.Cosignature{}, fmt.Errorf("wire: %s has cosigned %d records, and %s has %d: %w",
				c.Witness.Name(), stands.size, checkpoint.Origin, checkpoint.Size, ErrAhead)
		}
		old = stands.size
	}
	return witness.Cosignature{}, fmt.Errorf("wire: %s says that it stands at %d and will not go on from there: %w",
		c.Witness.Name(), old, ErrRefused)
}

// meaning says what a refusal to cosign means. Witnesses answer 422 where the log is not the one that they have
// cosigned; those of before answer 409 without a size if there are two roots for one size.
func meaning(err error) error {
	said := new(statusError)
	if !errors.As(err, &said) {
		return err
	}
	switch said.status {
	case http.StatusUnprocessableEntity, http.StatusConflict:
		return fmt.Errorf("%w: %w", ErrOther, err)
	case http.StatusNotFound:
		return fmt.Errorf("%w: %w", ErrUnknownLog, err)
	case http.StatusPreconditionFailed:
		return fmt.Errorf("%w: %w", ErrDisagrees, err)
	}
	return err
}

// Introduce tells a witness of ours how the public log of a house begins, so that the witness watches the log: by the
// first entry of a log that follows another, and by the note in it otherwise. Another witness does not know the
// question.
func (c *Client) Introduce(ctx context.Context, begun []byte) error {
	_, err := c.post(ctx, "/add-log", begun)
	return meaning(err)
}

// read looks for the witness's signature in its answer.
func (c *Client) read(signed, answer []byte) (witness.Cosignature, error) {
	found, err := witness.Cosignatures(slices.Concat(signed, answer), c.Witness)
	if err != nil || len(found) == 0 {
		return witness.Cosignature{}, fmt.Errorf("wire: %s: %w", c.Witness.Name(), errors.Join(ErrAnswer, err))
	}
	return found[len(found)-1], nil
}

// Link asks the witness, as custodian, for the link of a game with a cosigned checkpoint of the public log, and holds
// the link against the custodian's commitment.
func (c *Client) Link(ctx context.Context, commitment draw.Commitment, r witness.LinkRequest) (draw.Link, error) {
	return c.linkOf(ctx, "/ask-link", r.Marshal(), commitment, r.Game)
}

// linkOf asks for the link of a game and checks it.
func (c *Client) linkOf(ctx context.Context, path string, request []byte, commitment draw.Commitment,
	game journal.Game) (draw.Link, error) {
	answer, err := c.post(ctx, path, request)
	if err != nil {
		return draw.Link{}, err
	}
	link, err := draw.ParseLink(string(answer))
	if err != nil {
		return draw.Link{}, fmt.Errorf("wire: %s: %w", c.Witness.Name(), errors.Join(ErrAnswer, err))
	}
	if link.Game != game {
		return draw.Link{}, fmt.Errorf("wire: %s gave the link of %v: %w", c.Witness.Name(), link.Game, draw.ErrLink)
	}
	return link, commitment.CheckLink(link)
}

// ReleaseEvidence asks a custodian of before the public log, with the evidence that it asks for.
func (c *Client) ReleaseEvidence(ctx context.Context, commitment draw.Commitment,
	e witness.Evidence) (draw.Link, error) {
	request, err := json.Marshal(e)
	if err != nil {
		return draw.Link{}, err
	}
	return c.linkOf(ctx, "/release-link", request, commitment, e.Game)
}

// ReleaseChain asks a custodian of before for the link of a chain, under a cosigned seal.
func (c *Client) ReleaseChain(ctx context.Context, commitment draw.Commitment, revision uint32,
	seal journal.Seal) (draw.Link, error) {
	answer, err := c.post(ctx, "/release-link", witness.MarshalRelease(revision, seal.Signed()))
	if err != nil {
		return draw.Link{}, err
	}
	link, err := witness.ParseLink(string(answer))
	if err != nil {
		return draw.Link{}, fmt.Errorf("wire: %s: %w", c.Witness.Name(), errors.Join(ErrAnswer, err))
	}
	if link.Game != seal.Body().Game || link.Revision != revision {
		return draw.Link{}, fmt.Errorf("wire: %s gave the link of %v, revision %d: %w", c.Witness.Name(), link.Game,
			link.Revision, draw.ErrLink)
	}
	return link, commitment.CheckLink(link)
}

// Commitments asks the witness, as custodian, for the signed commitments to its links.
func (c *Client) Commitments(ctx context.Context) ([][]byte, error) {
	answer, err := c.ask(ctx, http.MethodGet, "/commitments", nil, maxCommitments)
	if err != nil {
		return nil, err
	}
	var said struct {
		Commitments []string `json:"commitments"`
	}
	if err := json.Unmarshal(answer, &said); err != nil {
		return nil, fmt.Errorf("wire: %s: %w", c.Witness.Name(), errors.Join(ErrAnswer, err))
	}
	notes := make([][]byte, len(said.Commitments))
	for i, text := range said.Commitments {
		notes[i] = []byte(text)
	}
	return notes, nil
}

// statusError is an answer other than yes.
type statusError struct {
	status int
	text   string
}

func (s *statusError) Error() string { return s.text }

// standsAt is a refusal that tells the size of the witness's last checkpoint.
type standsAt struct{ size uint64 }

func (s *standsAt) Error() string { return fmt.Sprintf("the witness stands at size %d", s.size) }

func (c *Client) post(ctx context.Context, path string, request []byte) ([]byte, error) {
	return c.ask(ctx, http.MethodPost, path, request, maxAnswer)
}

// ask asks and reads the answer of a witness that agrees.
func (c *Client) ask(ctx context.Context, method, path string, request []byte, most int64) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.URL+path, bytes.NewReader(request))
	if err != nil {
		return nil, fmt.Errorf("wire: %s: %w", c.Witness.Name(), err)
	}
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("wire: %s: %w: %w", c.Witness.Name(), ErrUnreachable, err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	if err != nil {
		return nil, fmt.Errorf("wire: %s: %w: %w", c.Witness.Name(), ErrUnreachable, err)
	}
	if int64(len(answer)) > most {
		return nil, fmt.Errorf("wire: %s: the answer has more than %d bytes: %w", c.Witness.Name(), most, ErrAnswer)
	}
	said := strings.TrimSpace(string(answer))
	kind, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	if response.StatusCode == http.StatusConflict && kind == sizeType {
		if size, err := strconv.ParseUint(said, 10, 63); err == nil {
			return nil, &standsAt{size}
		}
	}
	if response.StatusCode == http.StatusPreconditionFailed && response.Header.Get("Content-Type") == differenceType {
		d := new(witness.Difference)
		if err := json.Unmarshal(answer, d); err == nil {
			return nil, fmt.Errorf("wire: %s: %w: %w", c.Witness.Name(), ErrRefused, d)
		}
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("wire: %s: %w: %w", c.Witness.Name(), ErrRefused,
			&statusError{response.StatusCode, fmt.Sprintf("%s: %.600s", response.Status, said)})
	}
	return answer, nil
}
