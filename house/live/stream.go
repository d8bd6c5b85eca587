package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// TickName and ResetName are the names of the two events of a stream that are
// not events of the house. They have no record.
const (
	// TickName is a sign of life that carries the server's time.
	TickName = "tick"
	// ResetName says that the events after the client's id cannot be told: the
	// client has to take the board anew. Its id is that of the newest event, and
	// the stream goes on behind it.
	ResetName = "reset"
)

// Tick is what a tick says.
type Tick struct {
	Now time.Time `json:"now" doc:"Time of the server."`
}

// Reset is what a reset says.
type Reset struct {
	ID ID `json:"id" doc:"The stream goes on behind this event."`
}

// Stream sends the events after an id to a client as server-sent events, first
// those that were and then those to come, until the client goes away, is too
// slow, or the hub is closed; none of these is an error. An error means that the
// house could not tell what it should have told. Err is returned before anything
// is sent.
func (h *Hub) Stream(w http.ResponseWriter, r *http.Request, after ID) error {
	return h.StreamAs(w, r, after, func(e Event) ([]Said, error) { return []Said{{frame: e.frame}}, nil })
}

// Said is what a stream says of an event.
type Said struct {
	Name string // of the event as server-sent events have it
	Data any    // is written as JSON

	frame []byte // if it is made already
}

// StreamAs is Stream of other words: say returns what is told of an event, which may be nothing. Ticks and resets stay.
func (h *Hub) StreamAs(w http.ResponseWriter, r *http.Request, after ID, say func(Event) ([]Said, error)) error {
	if err := h.Err(); err != nil {
		return err
	}
	h.streams.Add(1)
	defer h.streams.Add(-1)
	s := stream{hub: h, w: w, control: http.NewResponseController(w), at: after, say: say}
	header := w.Header()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // A proxy that buffers would hold numbers back.
	w.WriteHeader(http.StatusOK)
	if err := s.run(r.Context()); !errors.Is(err, errGone) && r.Context().Err() == nil {
		return err
	}
	return nil
}

// errGone means that the client takes nothing more.
var errGone = errors.New("live: the client is gone")

// stream is one client's way through the history.
type stream struct {
	hub     *Hub
	w       http.ResponseWriter
	control *http.ResponseController
	at      ID // of the last event that was sent
	say     func(Event) ([]Said, error)
}

func (s *stream) run(ctx context.Context) error {
	if err := s.tick(); err != nil {
		return err
	}
	ticker := time.NewTicker(s.hub.options.Tick)
	defer ticker.Stop()
	for {
		changed, err := s.tell(ctx)
		if err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ticker.C:
			if err := s.tick(); err != nil {
				return err
			}
		case <-ctx.Done():
			return errGone
		case <-s.hub.closed:
			return s.goodbye()
		}
	}
}

// tell sends every event there is and returns the channel that announces more.
func (s *stream) tell(ctx context.Context) (<-chan struct{}, error) {
	for {
		events, changed, err := s.hub.After(ctx, s.at)
		switch {
		case errors.Is(err, ErrForgotten), errors.Is(err, ErrAhead):
			if err := s.reset(); err != nil {
				return nil, err
			}
			continue
		case err != nil:
			return nil, err
		case len(events) == 0:
			return changed, nil
		}
		var frames [][]byte
		for _, e := range events {
			said, err := s.frames(e)
			if err != nil {
				return nil, err
			}
			frames = append(frames, said...)
		}
		if len(frames) > 0 {
			if err := s.send(frames...); err != nil {
				return nil, err
			}
		}
		s.at = events[len(events)-1].ID
	}
}

// frames returns what is sent of an event. Only the last part has the id: a client that has lost the others asks for
// all of them again.
func (s *stream) frames(e Event) (list [][]byte, err error) {
	said, err := s.say(e)
	for i, part := range said {
		if part.frame != nil {
			list = append(list, part.frame)
			continue
		}
		data, err := json.Marshal(part.Data)
		if err != nil {
			return nil, fmt.Errorf("live: event %v: %w", e.ID, err)
		}
		id := ""
		if i == len(said)-1 {
			id = fmt.Sprintf("id: %v\n", e.ID)
		}
		list = append(list, fmt.Appendf(nil, "%sevent: %s\ndata: %s\n\n", id, part.Name, data))
	}
	return list, err
}

func (s *stream) reset() error {
	s.at = s.hub.Newest()
	data, err := json.Marshal(Reset{ID: s.at})
	if err != nil {
		return err
	}
	return s.send(fmt.Appendf(nil, "id: %v\nevent: %s\ndata: %s\n\n", s.at, ResetName, data))
}

func (s *stream) tick() error {
	data, err := json.Marshal(Tick{Now: s.hub.options.Now()})
	if err != nil {
		return err
	}
	return s.send(fmt.Appendf(nil, "event: %s\ndata: %s\n\n", TickName, data))
}

// comeAgain is how soon a client whose house has stopped asks again, at the earliest
// and at the latest: a house that starts anew is not met by all screens at once.
const comeAgain, comeAgainSpread = time.Second, 4 * time.Second

// goodbye ends a stream in good order. The hint is one that EventSource understands.
func (s *stream) goodbye() error {
	again := comeAgain + rand.N(comeAgainSpread)
	if err := s.send(fmt.Appendf(nil, "retry: %d\n\n", again.Milliseconds())); err != nil {
		return err
	}
	return errGone
}

// send writes frames to a client that has so long to accept them.
func (s *stream) send(frames ...[]byte) error {
	err := s.control.SetWriteDeadline(time.Now().Add(s.hub.options.Patience))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return errGone
	}
	for _, frame := range frames {
		if _, err := s.w.Write(frame); err != nil {
			return errGone
		}
	}
	if err := s.control.Flush(); err != nil {
		return errGone
	}
	return nil
}
