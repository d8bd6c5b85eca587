package witness

import (
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
