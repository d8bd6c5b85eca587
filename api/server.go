package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"time"
	_ "time/tzdata" // The house's zone must not depend on the machine.

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"drawhouse/live"
	"drawhouse/refusal"
)

// Options say how the interface works. The zero value is good.
type Options struct {
	// Version is that of the program, for the description.
	Version string
	// Log is told of internal errors; nil tells nobody.
	Log *slog.Logger
}

type server struct {
	house House
	zone  *time.Location
	log   *slog.Logger
	mux   *http.ServeMux
	api   huma.API
}

// New returns the interface of a house: everything below /v1/, /healthz and
// /openapi.json.
func New(h House, options Options) (http.Handler, error) {
	zone, err := time.LoadLocation(h.Book().Zone())
	if err != nil {
		return nil, fmt.Errorf("api: the zone of rulebook %s: %w", h.Book().ID(), err)
	}
	s := &server{house: h, zone: zone, log: options.Log, mux: http.NewServeMux()}
	if s.log == nil {
		s.log = discard
	}
	s.api = humago.New(s.mux, describe(options.Version))
	s.readings()
	s.commands()
	if rooms, ok := h.(Rooms); ok {
		s.hallRoutes(rooms)
	}
	s.feed()
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.writeError(w, r, &refusal.Refusal{Code: NoSuchPath, Sentence: fmt.Sprintf("There is nothing for %s here.", r.Method)})
	})
	return s.recovering(s.sameOrigin(s.mux)), nil
}

// describe returns the description that the operations are added to. Nothing is
// loaded from elsewhere and no answer is changed on its way.
func describe(version string) huma.Config {
	config := huma.DefaultConfig("drawhouse", version)
	config.Info.Description = "The central system for draw games. Amounts are whole cents; times are RFC 3339 with an offset."
	config.DocsPath, config.SchemasPath, config.CreateHooks = "", "", nil
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	return config
}

// schemaName tells the types of the feed from those of the interface that have
// the same name.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.PkgPath() == reflect.TypeFor[live.Board]().PkgPath() {
		return "Live" + name
	}
	return name
}

// sameOrigin refuses what a page of another origin makes a browser send. Who is
// no browser is not concerned.
func (s *server) sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.writeError(w, r, &refusal.Refusal{Code: OriginOther, Sentence: "The request came from a page of another origin."})
	}))
	return protection.Handler(next)
}

// handle registers an operation that huma does not serve itself, in the same
// description.
func (s *server) handle(op huma.Operation, f func(w http.ResponseWriter, r *http.Request) error) {
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	op.Responses["default"] = s.answers("The request is refused, or the house is at fault.", Error{})
	s.api.OpenAPI().AddOperation(&op)
	s.mux.HandleFunc(op.Method+" "+op.Path, func(w http.ResponseWriter, r *http.Request) {
		if err := f(w, r); err != nil {
			s.writeError(w, r, err)
		}
	})
}

// answers describes an answer of a type.
func (s *server) answers(description string, body any) *huma.Response {
	return &huma.Response{Description: description, Content: s.jsonOf(body)}
}

func (s *server) jsonOf(body any) map[string]*huma.MediaType {
	t := reflect.TypeOf(body)
	schema := s.api.OpenAPI().Components.Schemas.Schema(t, true, t.Name())
	return map[string]*huma.MediaType{"application/json": {Schema: schema}}
}
