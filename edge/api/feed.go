package api

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/core/refusal"
	"drawhouse/house/live"
)

// feed registers what screens follow.
func (s *server) feed() {
	s.serve(route{
		name: "get-board", path: "/v1/board", says: "What the public may see now", tag: "live", who: everybody,
		out: live.Board{}, tells: "The board.",
	}, s.board)
	s.serve(route{
		name: "follow-events", path: "/v1/events", says: "Follow what happens", tag: "live", who: everybody,
		about: describeEvents(), refuses: "too_many_streams",
		query: afterEvent(), gives: texts(eventStream), tells: "Server-sent events, without end.",
	}, s.events)
	s.serve(route{
		name: "get-checkpoint", path: "/v1/checkpoint", says: "The newest signed checkpoint of the journal",
		tag: "journal", who: everybody, gives: texts("text/plain"), tells: "A signed note.",
	}, s.checkpoint)
	s.serve(route{
		name: "get-health", path: "/healthz", says: "Whether the house is well", tag: "operation", who: everybody,
		out: Health{}, tells: "It is.",
	}, s.health)
	s.serve(route{
		name: "get-readiness", path: "/readyz", says: "Whether requests may be sent here", tag: "operation",
		about: "503 while the house starts, stops, follows another one or lacks something that it needs. " +
			"What that is, its operator can see.",
		who: everybody, refuses: "not_ready", out: Health{}, tells: "They may.",
	}, s.readiness)
}

// afterEvent describes how a client says which event it has seen last.
func afterEvent() []*huma.Param {
	return []*huma.Param{
		optional("after", huma.TypeString, "Id of the last event that was seen, such as the board's."),
		{
			Name: "Last-Event-ID", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
			Description: "The same, as browsers send it; it goes before the query.",
		},
	}
}

// describeEvents names the events and the schemas of what they say.
func describeEvents() string {
	schema := func(body any) string { return schemaName(reflect.TypeOf(body), "") }
	bodies := live.Bodies()
	var b strings.Builder
	b.WriteString("The data of an event is JSON, of these schemas:")
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		fmt.Fprintf(&b, " %s %s,", name, schema(bodies[name]))
	}
	fmt.Fprintf(&b, " %s %s and %s %s.", live.TickName, schema(live.Tick{}), live.ResetName, schema(live.Reset{}))
	b.WriteString(" A tick is a sign of life with the server's time, and a reset asks the client to take the board anew; neither is an event of the house.")
	return b.String()
}

func (s *server) board(w http.ResponseWriter, _ *http.Request) error {
	data, err := s.house.Hub().AppendBoard(nil)
	if err != nil {
		return err
	}
	w.Header()["Content-Type"] = jsonType
	_, _ = w.Write(data) // An error means that the client is gone.
	return nil
}

// events streams everything.
func (s *server) events(w http.ResponseWriter, r *http.Request) error {
	return s.follow(r, func(after live.ID) error { return s.house.Hub().Stream(w, r, after) })
}

// follow streams from where the client was. One that names no event is told what
// happens from now on.
func (s *server) follow(r *http.Request, stream func(after live.ID) error) error {
	hub := s.house.Hub()
	after := hub.Newest()
	name, field := r.Header.Get("Last-Event-ID"), "Last-Event-ID"
	if name == "" {
		name, field = r.URL.Query().Get("after"), "after"
	}
	if name != "" {
		id, err := live.ParseID(name)
		if err != nil {
			return &refusal.Refusal{Code: ParameterValue, Path: field,
				Sentence: "The id of an event is written such as 1:20417."}
		}
		after = id
	}
	if err := hub.Err(); err != nil {
		return err
	}
	end, err := s.streams.begin(r)
	if err != nil {
		return err
	}
	defer end()
	if err := stream(after); err != nil {
		// The answer has begun, so that all there is to do is to end it; the
		// client comes back with its last id.
		_ = s.internal(r.Context(), err)
	}
	return nil
}

func (s *server) checkpoint(w http.ResponseWriter, r *http.Request) error {
	note, err := s.house.Checkpoint(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(note) // An error means that the client is gone.
	return nil
}

// Health says that all is well; a house that is not well answers with an error.
type Health struct {
	Status string `json:"status" enum:"ok"`
	Role   string `json:"role" enum:"writer,follower,resting" doc:"Whether commands are taken here. A house that is resting cannot write its journal now, and tries again by itself."`
	// Following is there for a follower.
	Following *Following `json:"following,omitempty" doc:"Of a follower: how far it is behind."`
}

func (s *server) health(w http.ResponseWriter, r *http.Request) error {
	select {
	case <-s.house.Done():
		return &refusal.Refusal{Code: Stopped, Sentence: "The house has stopped."}
	default:
	}
	if err := s.house.Hub().Err(); err != nil {
		return err
	}
	following := s.following()
	if err := following.check(); err != nil {
		return err
	}
	health := Health{Status: "ok", Role: "writer", Following: following}
	switch at, follows := s.standing(); {
	case follows:
		health.Role = "follower"
	case at.Resting != nil:
		health.Role = "resting"
	}
	s.writeJSON(w, r, http.StatusOK, health)
	return nil
}

// readiness says no more than that: what is missing is the operator's to know. A house that
// follows is well and yet takes no commands: by this a balancer finds the one that writes.
func (s *server) readiness(w http.ResponseWriter, r *http.Request) error {
	at, follows := s.standing()
	if follows {
		return &refusal.Refusal{Code: NotReady, Sentence: "The house follows another one, which takes the commands."}
	}
	if at.Resting != nil {
		return &refusal.Refusal{Code: NotReady, Sentence: restsSentence}
	}
	if s.ready != nil {
		if err := s.ready(r.Context()); err != nil {
			s.log.WarnContext(r.Context(), "not ready", "error", err)
			return &refusal.Refusal{Code: NotReady, Sentence: "The house is not ready."}
		}
	}
	return s.health(w, r)
}
