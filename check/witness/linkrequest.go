package witness

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"drawhouse/journal"
)

// linkRequestForm is the first line of a request for a link.
const linkRequestForm = "drawhouse/ask-link/v1"

// A LinkRequest asks a custodian for the link of a game. The checkpoint is one of the public log, with its
// cosignatures, above the seal of the game.
type LinkRequest struct {
	Game       journal.Game
	Checkpoint []byte // signed note
}

// Marshal returns the request as it is sent: which game, an empty line, and the checkpoint.
func (r LinkRequest) Marshal() []byte {
	head := journal.NewBody(linkRequestForm).Text("series", r.Game.Series).Text("day", r.Game.Day).
		Uint("game", uint64(r.Game.Number)).String()
	return append([]byte(head+"\n"), r.Checkpoint...)
}

// ParseLinkRequest reads a request for a link. It does not look into the checkpoint.
func ParseLinkRequest(data []byte) (LinkRequest, error) {
	head, checkpoint, ok := strings.Cut(string(data), "\n\n")
	if !ok || len(data) > MaxRequest {
		return LinkRequest{}, fmt.Errorf(
			"witness: a request for a link is the game, an empty line and a checkpoint, in at most %d bytes", MaxRequest)
	}
	b := journal.ReadBody(head+"\n", linkRequestForm)
	r := LinkRequest{Checkpoint: []byte(checkpoint)}
	r.Game.Series = b.Text("series")
	r.Game.Day = b.Text("day")
	r.Game.Number = uint32(b.Uint("game", math.MaxUint32))
	if err := b.Close(); err != nil {
		return LinkRequest{}, fmt.Errorf("witness: %w", err)
	}
	return r, r.Game.Check()
}

// toldForm is how the origin of what a custodian signs begins that was told of a quorum. No log has such an origin.
const toldForm = "drawhouse/told/v1"

// told returns what a custodian cosigns that has written down that a quorum exists above the seal of a game: the
// checkpoint of which it was told, under an origin that names the game too, so that it counts as a cosignature of no
// log.
func told(game journal.Game, checkpoint []byte) (text string, err error) {
	c, err := journal.UnverifiedCheckpoint(checkpoint)
	if err != nil {
		return "", fmt.Errorf("witness: %w", err)
	}
	origin := fmt.Sprintf("%s %s %s %s %d", toldForm, c.Origin, game.Series, game.Day, game.Number)
	return fmt.Sprintf("%s\n%d\n%v\n", origin, c.Size, c.Root), checkOrigin(origin)
}

// CosignTold signs that the custodian was told, as a request asks, of a quorum above the seal of a game and has written
// that down.
func (c *Cosigner) CosignTold(r LinkRequest, seconds int64) ([]byte, error) {
	text, err := told(r.Game, r.Checkpoint)
	if err != nil {
		return nil, err
	}
	return c.CosignText(text, seconds)
}

// CheckTold checks the answer of a custodian that was told of a quorum: without its signature whoever answers for it
// could keep it from knowing.
func (v *Verifier) CheckTold(r LinkRequest, answer []byte) error {
	text, err := told(r.Game, r.Checkpoint)
	if err != nil {
		return err
	}
	found, err := Cosignatures(append([]byte(text+"\n"), answer...), v)
	if err == nil && len(found) == 0 {
		err = errors.New("the answer has no signature of it")
	}
	if err != nil {
		return fmt.Errorf("witness: %s has not signed that it knows of the quorum above %v: %w", v.name, r.Game, err)
	}
	return nil
}
