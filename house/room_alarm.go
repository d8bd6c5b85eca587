package house

import (
	"context"
	"errors"
	"fmt"

	"drawhouse/core/contain"
	"drawhouse/core/refusal"
	"drawhouse/house/timetable"
	"drawhouse/journal/record"
)

// The keys of the alarms of a bingo room.
const (
	roomDraws = "draws" // its device does not draw
	roomCards = "cards" // a master table cannot be read
)

// inRoom has the device do something in a bingo room. What fails or panics there raises an
// alarm of the room, and everything else goes on: other rooms, the games of keno, sales. The
// alarm ends when the room draws again, or when persons have ended what could not be drawn.
func (h *House) inRoom(ctx context.Context, room uint8, what string,
	do func() (record.Body, error)) (body record.Body, err error) {
	if err := h.rooms.drawing.take(ctx); err != nil {
		return nil, err
	}
	defer h.rooms.drawing.give()
	err = h.safely(string(RoomPart(room)), func() (err error) {
		body, err = do()
		return err
	})
	switch {
	case err == nil:
		h.Clear(RoomPart(room), roomDraws)
	case errors.As(err, new(*refusal.Refusal)), ctx.Err() != nil, passes(err):
		// It is answered, nobody waits for it, or the house stands still for everybody.
	default:
		if errors.Is(err, contain.ErrPanicked) {
			h.rooms.draws = nil // Nobody knows where that draw stands: it is taken up behind what is recorded.
		}
		h.raiseRoom(room, what, err)
	}
	return body, err
}

// raiseRoom raises the alarm that the device does not draw in a room.
func (h *House) raiseRoom(room uint8, what string, err error) {
	sentence := fmt.Sprintf("Room %d cannot %s: %s", room, what, reason(err))
	remedy := "Do what the reason asks for, and ask for the same again: what was drawn stands. "
	switch {
	case panickedItself(err), errors.Is(err, contain.ErrPanicked):
		remedy = "The program has a defect: keep the log, which has the stack. Ask for the same again. "
	case errors.Is(err, timetable.ErrNotYet):
		remedy = "Start the device or the witness that the reason names, or restore the connection to it, and ask for the same again: what was drawn stands. "
	}
	h.Raise(RoomPart(room), roomDraws, sentence,
		remedy+"If it goes on failing, end the game without a result (RUNBOOK, A bingo room stands still). Everything else goes on.")
}

// roomEnded ends the alarm of a room in which persons have ended what could not be drawn.
func (h *House) roomEnded(room uint8, body record.Body) {
	switch body.(type) {
	case *record.BingoVoided, *record.SessionClosed:
		h.Clear(RoomPart(room), roomDraws)
	}
}

// loaded tells whether the master tables of a room could be read.
func (h *House) loaded(ctx context.Context, room uint8, err error) {
	switch {
	case err == nil:
		h.Clear(RoomPart(room), roomCards)
	case ctx.Err() == nil:
		h.Raise(RoomPart(room), roomCards, fmt.Sprintf("The cards of room %d cannot be checked: %s", room, reason(err)),
			"Restore the master table from a backup of the journal, or add the room's tables again. Everything else goes on.")
	}
}
