package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// HeldCard is what an electronic card shows to anybody who holds it.
type HeldCard struct {
	Hall    uint8  `json:"hall"`
	Session uint32 `json:"session"`
	Game    uint8  `json:"game"`
	Player  uint32 `json:"player"`
	Halted  bool   `json:"halted,omitempty" doc:"This card has failed; another one takes its place."`
	ShownScorecard
}

// heldCardRoute registers what electronic cards ask. A card is a device of the venue that
// signs its questions and has nothing to call with: nobody is on shift at it.
func (r roomServer) heldCardRoute() {
	r.serve(route{
		name: "get-held-card", path: "/v1/terminals/{terminal}/scorecard",
		says: "What this electronic card shows to its holder", tag: "bingo", who: terminals,
		refuses: "device_unknown", query: marks(), out: HeldCard{},
	}, r.heldCard)
}

// marks describes what a question about an electronic card says of its marks.
func marks() []*huma.Param {
	return []*huma.Param{
		optional("auto", huma.TypeString, "true for a card that marks by itself."),
		optional("marked", huma.TypeString, "Numbers that its holder has pressed, with commas between them."),
	}
}

func (r roomServer) heldCard(w http.ResponseWriter, req *http.Request) error {
	device := callerOf(req).terminal
	post, _ := r.terminals.post(device)
	var ref record.BingoGame
	var player uint32
	var halted bool
	err := r.rooms.ReadHall(req.Context(), 0, func(s *state.View, _ *hall.Kit) (err error) {
		if ref, player, err = hall.HeldBy(s, post.Venue, device); err != nil {
			return err
		}
		h, _ := s.Hall(ref.Hall)
		session, _ := h.Session(ref.Session)
		halted = session.Halted == device
		return nil
	})
	if err != nil {
		return err
	}
	marked, err := markedQuery(req)
	if err != nil {
		return err
	}
	card, near, err := r.rooms.Scorecard(req.Context(), ref, player, marked, req.URL.Query().Get("auto") == "true")
	if err != nil {
		return err
	}
	view := HeldCard{Hall: ref.Hall, Session: ref.Session, Game: ref.Game, Player: player, Halted: halted,
		ShownScorecard: *viewScorecard(card, near)}
	r.writeJSON(w, req, http.StatusOK, view)
	return nil
}
