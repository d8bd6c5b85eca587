package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"drawhouse/check/witness"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/games/beacon"
	"drawhouse/games/draw"
	"drawhouse/games/draw/cage"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/journal/record"
)

// Draws is what people do for draws that are not made by a generator: they attend a
// ball machine, and bring what custodians sign or withhold.
type Draws interface {
	Cage(ctx context.Context) (house.Cage, error)
	StartCage(ctx context.Context, recorders [2]uint32, by uint32) (cage.Step, error)
	KeyBall(ctx context.Context, place, number int, by uint32) (cage.Step, error)
	AttendCage(ctx context.Context, act record.CageAttended) (cage.Step, error)
	RequestCage(ctx context.Context, act record.CageAttended) (*record.ApprovalRequested, []string, error)
	CommitChain(ctx context.Context, note []byte) error
	BringLink(ctx context.Context, link draw.Link, by uint32) error
	BringRound(ctx context.Context, round uint64, signature []byte) error
}

// CageView is how the ball machine stands. What only one recorder has keyed is nobody's
// to see.
type CageView struct {
	Phase     string     `json:"phase" doc:"idle, drawing, complete, accepted or void."`
	Waits     *CageGame  `json:"waits,omitempty" doc:"The sealed game that is to be drawn."`
	At        *CageGame  `json:"at,omitempty" doc:"The draw that the machine is at, or was at last."`
	Recorders []uint32   `json:"recorders,omitempty" doc:"The two persons who record the draw."`
	Drawn     []int      `json:"drawn" doc:"What both have keyed, in order."`
	Keyed     int        `json:"keyed" doc:"How many balls you have keyed."`
	ByHand    bool       `json:"by_hand" doc:"The machine has failed and is turned by hand to the end of the draw."`
	PaidHand  bool       `json:"paid_by_hand" doc:"The computer could not take the result, and its prizes are paid by hand."`
	Locks     []CageLock `json:"locks" doc:"What keeps the machine from drawing again."`
}

// CageGame names a draw of a game.
type CageGame struct {
	Day  string `json:"day"`
	Game uint32 `json:"game"`
	Draw uint32 `json:"draw" doc:"Draws of the game count from 1; those before were void."`
}

// CageLock is something that keeps the machine from drawing.
type CageLock struct {
	Code     refusal.Code `json:"code"`
	Clause   string       `json:"clause,omitempty"`
	Sentence string       `json:"sentence"`
}

// CageStart is the body with which the machine is set going.
type CageStart struct {
	Recorders []uint32 `json:"recorders" doc:"The two persons who record the balls."`
}

// CageBall is the body with which a recorder keys a ball.
type CageBall struct {
	Place  uint32 `json:"place" doc:"1 to 20."`
	Number uint32 `json:"number" doc:"1 to 80."`
}

// CageAct is the body of what people do or decide beside the balls.
type CageAct struct {
	Act      string `json:"act" doc:"counted, found, held_back, broke, replaced, failed, repaired, fell_back, reread, computer_failed, not_accepted, rectified, abandoned, no_further or accepted. With abandoned the plays go to the next game of the Keno Day; with no_further none is possible: stakes go back, and nothing more is sold or drawn until the day is closed."`
	Balls    uint32 `json:"balls,omitempty" doc:"Of counted and found."`
	Number   uint32 `json:"number,omitempty" doc:"Of held_back, broke, replaced, fell_back and reread: the ball. Of fell_back it is absent only if nobody has entered it."`
	Place    uint32 `json:"place,omitempty" doc:"Of a ball that fell back before it was entered: the next place. Places shift when a ball is struck, so a ball that was entered is named by its number."`
	Recorded uint32 `json:"recorded,omitempty" doc:"Of reread: the number that stands in the record and is not what the ball says."`
	Video    string `json:"video,omitempty" doc:"Of fell_back: the recording that shows the ball."`
	Reason   string `json:"reason,omitempty"`
	Approval uint32 `json:"approval,omitempty" doc:"Where two decide: the approval of the second person. Without it the request asks for one."`
}

// CageStep is what became of something at the machine.
type CageStep struct {
	Outcome  string `json:"outcome" doc:"begun, waits, drawn, differs, completed, struck, kept, corrected, voided, locked, unlocked, noted, stands; or asked, where a second person must consent first."`
	Clause   string `json:"clause,omitempty"`
	Sentence string `json:"sentence"`
	Approval uint32 `json:"approval,omitempty" doc:"Of asked: the request that another person decides."`
	Content  string `json:"content,omitempty" doc:"Of asked: the hash of what would be done."`
}

// LinkText is the body with which a link is brought that was rebuilt from escrow.
type LinkText struct {
	Link string `json:"link" doc:"What drawhouse witness rebuild wrote."`
}

// CommitmentText is the body with which a commitment is brought.
type CommitmentText struct {
	Commitment string `json:"commitment" doc:"What drawhouse witness links wrote beside the links, the file that ends in .commitment."`
}

// drawn answers a request about the draws of a series.
func (s *server) drawn(f func(Draws, http.ResponseWriter, *http.Request) error) func(http.ResponseWriter,
	*http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		line := lineOf(r)
		return f(line, w, r)
	}
}

// drawRoutes registers what people do for draws.
func (s *server) drawRoutes() {
	s.serve(route{
		line: true, name: "get-cage", path: "/v1/cage", says: "How the ball machine stands", tag: "draws", who: anyRole,
		out: CageView{},
	}, s.drawn(s.getCage))
	s.serve(route{
		alone: "two key every ball",
		line:  true, name: "start-cage", method: http.MethodPost, path: "/v1/cage/start",
		says: "Set the ball machine going for the game that waits", tag: "draws", who: recorders,
		refuses: "game_not_ready", in: CageStart{}, out: CageStep{},
	}, s.drawn(s.startCage))
	s.serve(route{
		alone: "two key every ball",
		line:  true, name: "key-ball", method: http.MethodPost, path: "/v1/cage/balls",
		says: "Key a ball, as one of the two who record", tag: "draws", who: recorders, refuses: "out_of_turn",
		in: CageBall{}, out: CageStep{},
	}, s.drawn(s.keyBall))
	s.serve(route{
		alone: "it uses an approval",
		line:  true, name: "attend-cage", method: http.MethodPost, path: "/v1/cage/acts",
		says: "Say what happened at the ball machine, or decide on it", tag: "draws", who: recorders,
		refuses: `approval approval_not_given approval_other approval_unknown device_not_allowed number_not_possible
			out_of_turn result_repeated`,
		in: CageAct{}, out: CageStep{},
	}, s.drawn(s.attendCage))
	s.serve(route{
		alone: "it fits its commitment, or is refused",
		line:  true, name: "bring-link", method: http.MethodPost, path: "/v1/links",
		says: "Bring a link that was rebuilt from escrow", tag: "draws", who: offices, in: LinkText{}, out: Done{},
	}, s.drawn(s.bringLink))
	s.serve(route{
		line: true, name: "bring-round", method: http.MethodPost, path: "/v1/rounds",
		says: "Bring the round of the public beacon for which a game waits", tag: "draws", who: everybody,
		refuses: "not_witnessed round_does_not_fit", in: RoundText{}, out: Done{},
	}, s.drawn(s.bringRound))
	s.serve(route{
		alone: "its custodian has signed it",
		line:  true, name: "bring-commitment", method: http.MethodPost, path: "/v1/commitments",
		says: "Bring a custodian's commitment for a Keno Day to come", tag: "draws", who: offices,
		refuses: "custodian_unknown", in: CommitmentText{}, out: Done{},
	}, s.drawn(s.bringCommitment))
}

func (s *server) getCage(d Draws, w http.ResponseWriter, r *http.Request) error {
	at, err := d.Cage(r.Context())
	if err != nil {
		return err
	}
	view := CageView{
		Phase: at.State.Phase().String(), Drawn: []int{}, Locks: []CageLock{}, ByHand: at.State.ByHand(),
		PaidHand: at.State.ManualPayment(),
		Keyed:    at.State.Keyed(strconv.FormatUint(uint64(callerOf(r).person.ID), 10)),
	}
	if at.State.Phase() != cage.Idle {
		game, revision := at.State.Game()
		view.At = &CageGame{game.Day, game.Number, revision}
		view.Drawn = append(view.Drawn, at.State.Drawn().Numbers()...)
		for _, name := range at.State.Recorders() {
			if id, err := strconv.ParseUint(name, 10, 32); err == nil {
				view.Recorders = append(view.Recorders, uint32(id))
			}
		}
	}
	if g := at.Waits; g.Ordinal > 0 {
		view.Waits = &CageGame{g.Ref.Day.String(), uint32(g.Ref.Number), uint32(g.Draw)}
	}
	for _, l := range at.State.Locks() {
		view.Locks = append(view.Locks, CageLock(l))
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) startCage(d Draws, w http.ResponseWriter, r *http.Request) error {
	var recorders [2]uint32
	if err := s.read(w, r, field{name: "recorders", required: true, read: pair(&recorders)}); err != nil {
		return err
	}
	step, err := d.StartCage(r.Context(), recorders, callerOf(r).person.ID)
	return s.answerStep(w, r, step, err)
}

// pair reads a list of two numbers from 1 on.
func pair(to *[2]uint32) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		var list []uint32
		if err := json.Unmarshal(value, &list); err != nil || len(list) != 2 || list[0] == 0 || list[1] == 0 {
			return errors.New("a list of two numbers from 1 on")
		}
		*to = [2]uint32(list)
		return nil
	}
}

func (s *server) keyBall(d Draws, w http.ResponseWriter, r *http.Request) error {
	var in CageBall
	if err := s.read(w, r, field{name: "place", required: true, read: whole(&in.Place, 1)},
		field{name: "number", required: true, read: whole(&in.Number, 1)}); err != nil {
		return err
	}
	step, err := d.KeyBall(r.Context(), int(in.Place), int(in.Number), callerOf(r).person.ID)
	return s.answerStep(w, r, step, err)
}

// answerStep answers what became of something at the machine.
func (s *server) answerStep(w http.ResponseWriter, r *http.Request, step cage.Step, err error) error {
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK,
		CageStep{Outcome: string(step.Outcome), Clause: step.Clause, Sentence: step.Sentence})
	return nil
}

func (s *server) attendCage(d Draws, w http.ResponseWriter, r *http.Request) error {
	act := record.CageAttended{By: callerOf(r).person.ID}
	var name string
	var recorded uint8
	err := s.read(w, r,
		field{name: "act", required: true, read: text(&name)}, field{name: "balls", read: byteOf(&act.Balls)},
		field{name: "number", read: byteOf(&act.Number)},
		field{name: "place", read: byteOf(&act.Place)}, field{name: "recorded", read: byteOf(&recorded)},
		field{name: "video", read: text(&act.Video)}, field{name: "reason", read: text(&act.Reason)},
		field{name: "approval", read: whole(&act.Approval, 1)})
	if err != nil {
		return err
	}
	if act.Act = record.CageAct(name); !act.Act.IsValid() {
		return &refusal.Refusal{Code: keno.FieldValue, Path: "act",
			Sentence: fmt.Sprintf("There is no act %q.", printable(name))}
	}
	if err := s.findBall(d, r, &act, recorded); err != nil {
		return err
	}
	if staff.CageTakesTwo(act.Act) && act.Approval == 0 {
		return s.askCage(d, w, r, act)
	}
	step, err := d.AttendCage(r.Context(), act)
	return s.answerStep(w, r, step, err)
}

// findBall finds the place at which a ball stands that an act names. The decision is on the
// ball: one that is at that place meanwhile is another one, and the act is refused.
func (s *server) findBall(d Draws, r *http.Request, act *record.CageAttended, recorded uint8) error {
	named := act.Number
	switch act.Act {
	case record.CageReread:
		named = recorded
		if named == 0 {
			return &refusal.Refusal{Code: cage.NotPossible, Path: "recorded", Clause: "11.1",
				Sentence: "Name the number that stands in the record, and the number of the ball."}
		}
	case record.CageFellBack:
		if named == 0 {
			return nil
		}
	default:
		return nil
	}
	at, err := d.Cage(r.Context())
	if err != nil {
		return err
	}
	place := 0
	if at.State.Phase() != cage.Idle {
		place = slices.Index(at.State.Drawn().Numbers(), int(named)) + 1
	}
	if place == 0 || act.Place != 0 && int(act.Place) != place {
		return &refusal.Refusal{Code: cage.NotPossible, Path: "number", Clause: "11.4(d)",
			Sentence: fmt.Sprintf("Ball %d is not recorded in this draw, or not at that place.", named)}
	}
	act.Place = uint8(place)
	return nil
}

// askCage asks a second person to consent to a decision at the machine.
func (s *server) askCage(d Draws, w http.ResponseWriter, r *http.Request, act record.CageAttended) error {
	if act.Reason == "" {
		return &refusal.Refusal{Code: cage.Approval, Path: "reason",
			Sentence: "This takes a reason, and the consent of a second person."}
	}
	asked, effects, err := d.RequestCage(r.Context(), act)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, CageStep{
		Outcome: "asked", Approval: asked.Approval, Content: fmt.Sprintf("%x", asked.Content),
		Sentence: fmt.Sprintf("A second person must consent to: %s. Then send the same with approval %d. What comes of it: %s", asked.Says, asked.Approval, strings.Join(effects, " ")),
	})
	return nil
}

// byteOf reads a small number.
func byteOf(to *uint8) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		n, err := strconv.ParseUint(string(value), 10, 8)
		if err != nil {
			return errors.New("a whole number from 0 to 255")
		}
		*to = uint8(n)
		return nil
	}
}

func (s *server) bringLink(d Draws, w http.ResponseWriter, r *http.Request) error {
	var in LinkText
	if err := s.read(w, r, field{name: "link", required: true, read: text(&in.Link)}); err != nil {
		return err
	}
	link, err := witness.ParseLink(in.Link)
	if err != nil {
		return &refusal.Refusal{Code: keno.FieldValue, Path: "link",
			Sentence: fmt.Sprintf("It is not a link: %v.", err)}
	}
	if err := d.BringLink(r.Context(), link, callerOf(r).person.ID); err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Done{Records: 1})
	return nil
}

// RoundText is a round of a public beacon.
type RoundText struct {
	Round     uint64 `json:"round" doc:"Number of the round, as the opening of the game states it."`
	Signature string `json:"signature" doc:"Of the round, 96 hexadecimal digits, as relays of the beacon give it."`
}

func (s *server) bringRound(d Draws, w http.ResponseWriter, r *http.Request) error {
	var in RoundText
	if err := s.read(w, r, field{name: "round", required: true, read: whole(&in.Round, 1)},
		field{name: "signature", required: true, read: text(&in.Signature)}); err != nil {
		return err
	}
	signature, err := beacon.ParseSignature(in.Signature)
	if err != nil {
		return &refusal.Refusal{Code: game.RoundOther, Path: "signature", Sentence: fmt.Sprintf("It is not the round: %v.", err)}
	}
	if err := d.BringRound(r.Context(), in.Round, signature); err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Done{Records: 1})
	return nil
}

func (s *server) bringCommitment(d Draws, w http.ResponseWriter, r *http.Request) error {
	var in CommitmentText
	if err := s.read(w, r, field{name: "commitment", required: true, read: text(&in.Commitment)}); err != nil {
		return err
	}
	if err := d.CommitChain(r.Context(), []byte(in.Commitment)); err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Done{Records: 1})
	return nil
}
