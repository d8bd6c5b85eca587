package api

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"drawhouse/core/refusal"
)

// The manners of HTTP are the same for every operation and follow from its route. No handler has code for them:
//
//   - a method that an address does not have is refused with those that it has, which OPTIONS tells, too, and HEAD is
//     answered wherever GET is ([server.otherwise]);
//   - a parameter that the route does not name is refused, and so is a body of another type than the route takes
//     ([server.mannered]);
//   - pages of any origin may read what everybody may read ([server.handle]);
//   - an answer has a tag of its content, and what everybody may read is packed for who asks for that ([answered]).
//
// TestMethods, TestOtherOrigins, TestUnknownParameters, TestMediaTypes and TestWhatIsKept ask every route.

// The codes of a request that no operation takes as it is.
const (
	// MethodOther: the address does not take the method. The header Allow has those that it takes.
	MethodOther refusal.Code = "method_other"
	// ParameterUnknown: the query has a parameter that the operation does not know.
	ParameterUnknown refusal.Code = "parameter_unknown"
	// MediaTypeOther: the body is of another type than the operation takes, or packed.
	MediaTypeOther refusal.Code = "media_type_other"
)

// handler serves a request, or says why not.
type handler func(w http.ResponseWriter, r *http.Request) error

// isOpen reports whether a route is for everybody and changes nothing: any page may ask for its answer.
func (rt *route) isOpen() bool { return rt.who.Everybody && rt.method == http.MethodGet }

// isStream reports whether the answer of a route has no end.
func (rt *route) isStream() bool {
	_, endless := rt.gives[eventStream]
	return endless
}

// isHeld reports whether the address of a route names what somebody holds, such as a ticket. Its answer is for who has
// the ticket, although no sign-on is asked for, and is kept by nobody on the way.
func (rt *route) isHeld() bool {
	return slices.ContainsFunc(elementsOf(rt.path), func(name string) bool { return heldElements[name] })
}

// heldElements are the elements of addresses that name what somebody holds.
var heldElements = map[string]bool{"serial": true, "cheque": true, "card": true, "device": true, "player": true}

// eventStream is the type of server-sent events.
const eventStream = "text/event-stream"

// handle puts what serves a route at its address.
func (s *server) handle(rt *route, f handler) {
	open, stream, pattern := rt.isOpen(), rt.isStream(), rt.method+" "+rt.path
	var shape *shape
	if rt.method == http.MethodGet && !stream && (open || rt.gives == nil) {
		shape = newShape(open)
	}
	kept := noCache
	if rt.isHeld() {
		kept = noStore
	}
	s.open[pattern] = open
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if open {
			opened(w.Header())
			w.Header()["Cache-Control"] = kept
		}
		if stream && r.Method == http.MethodHead {
			w.Header().Set("Content-Type", eventStream+"; charset=utf-8")
			return // What would follow has no end.
		}
		if shape == nil {
			if err := f(w, r); err != nil {
				s.writeError(w, r, err)
			}
			return
		}
		a := shape.begin(w, r)
		if err := f(a, r); err != nil {
			s.writeError(a, r, err)
		}
		a.end()
	})
}

// document serves what is no operation: a description of the interface.
func (s *server) document(path string, f handler) {
	rt := &route{method: http.MethodGet, path: path, who: everybody}
	s.handle(rt, mannered(rt, f))
}

// opened lets pages of any origin read an answer.
func opened(h http.Header) {
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Access-Control-Expose-Headers"] = exposed
	h["Cross-Origin-Resource-Policy"] = anyOriginToo
}

// The values of those headers, and how long a browser may rely on the answer to a preflight: a version may close what
// was open. They are shared by all answers, and nobody changes them.
var (
	anyOrigin     = []string{"*"}
	anyOriginToo  = []string{"cross-origin"}
	exposed       = []string{"ETag, Retry-After, " + RequestID}
	openedMethods = []string{"GET, HEAD"}
	openedHeaders = []string{"If-None-Match, Last-Event-ID"}
	openedFor     = []string{"600"}
	noCache       = []string{"no-cache"}
)

// mannered refuses a request that the route does not take as it is. Who asks is known by then: a request that is wrong
// counts for its sender.
func mannered(rt *route, f handler) handler {
	known, takes, unkeyed := rt.parameters(), rt.media(), rt.method == http.MethodPost && rt.again == nil
	return func(w http.ResponseWriter, r *http.Request) error {
		if !utf8.ValidString(r.URL.Path) {
			return &refusal.Refusal{Code: ParameterValue, Sentence: notUnicode}
		}
		if r.URL.RawQuery != "" {
			if err := checkQuery(r.URL.RawQuery, known); err != nil {
				return err
			}
		}
		if unkeyed {
			if err := withoutKey(r); err != nil {
				return err
			}
		}
		if len(takes) > 0 && r.ContentLength != 0 {
			if err := checkMedia(r.Header, takes); err != nil {
				return err
			}
		}
		return f(w, r)
	}
}

// parameters returns the parameters that a route knows in a query, ascending.
func (rt *route) parameters() (names []string) {
	for _, p := range rt.query {
		if p.In == "query" {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

// media returns the types of body that a route takes, ascending; none where it takes no body.
func (rt *route) media() (types []string) {
	if rt.in != nil {
		return []string{jsonMedia}
	}
	for name := range rt.takes {
		types = append(types, name)
	}
	slices.Sort(types)
	return types
}

// checkQuery refuses a query with a parameter that is unknown, or that stands there twice: no program can mean what
// the house would not read.
func checkQuery(raw string, known []string) error {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return &refusal.Refusal{Code: ParameterValue,
			Sentence: "The query cannot be read. Write it as name=value&name=value, with percent signs for what is not plain."}
	}
	for name, values := range query {
		if !slices.Contains(known, name) {
			sentence := "The operation knows no parameter of a query."
			if len(known) > 0 {
				sentence = fmt.Sprintf("The operation knows no such parameter. It knows: %s.", strings.Join(known, ", "))
			}
			return &refusal.Refusal{Code: ParameterUnknown, Path: printable(name), Sentence: sentence}
		}
		if !utf8.ValidString(values[0]) {
			return &refusal.Refusal{Code: ParameterValue, Path: name, Sentence: notUnicode}
		}
		if len(values) > 1 {
			return &refusal.Refusal{Code: ParameterValue, Path: name, Sentence: "The parameter is there twice."}
		}
	}
	return nil
}

// checkMedia refuses a body that is said to be of another type than those that are taken. One of which nothing is said
// is read as what it should be.
func checkMedia(h http.Header, takes []string) error {
	if packed := h.Get("Content-Encoding"); packed != "" && !strings.EqualFold(packed, "identity") {
		return &refusal.Refusal{Code: MediaTypeOther, Path: "Content-Encoding",
			Sentence: "The body is packed. Send it as it is."}
	}
	said := h.Get("Content-Type")
	if said == "" || slices.Contains(takes, said) {
		return nil
	}
	kind, parameters, err := mime.ParseMediaType(said)
	if charset, ok := parameters["charset"]; err == nil && slices.Contains(takes, kind) &&
		(!ok || strings.EqualFold(charset, "utf-8")) {
		return nil
	}
	return &refusal.Refusal{Code: MediaTypeOther, Path: "Content-Type", Sentence: fmt.Sprintf(
		"The body is said to be %s. The operation takes %s.", printable(said), strings.Join(takes, " or "))}
}

// otherwise answers what no operation takes: there is nothing at the address, or not by this method.
func (s *server) otherwise(w http.ResponseWriter, r *http.Request) {
	allowed, open := s.methods(r)
	if len(allowed) == 0 {
		s.writeError(w, r, &refusal.Refusal{Code: NoSuchPath, Sentence: "There is nothing at this address."})
		return
	}
	h := w.Header()
	h.Set("Allow", strings.Join(allowed, ", "))
	if r.Method != http.MethodOptions {
		s.writeError(w, r, &refusal.Refusal{Code: MethodOther, Sentence: fmt.Sprintf(
			"The address does not take %s. It takes %s.", printable(r.Method), strings.Join(allowed, ", "))})
		return
	}
	if open {
		opened(h)
		h["Access-Control-Allow-Methods"] = openedMethods
		h["Access-Control-Allow-Headers"] = openedHeaders
		h["Access-Control-Max-Age"] = openedFor
	}
	w.WriteHeader(http.StatusNoContent)
}

// methods returns the methods that an address takes, ascending, and whether pages of any origin may read it. They are
// had from where requests are routed, so that they cannot be others than those that are served.
func (s *server) methods(r *http.Request) (allowed []string, open bool) {
	probe := r.WithContext(r.Context())
	for _, method := range askedMethods {
		probe.Method = method
		for _, mux := range []*http.ServeMux{s.mux, s.pages} {
			_, pattern := mux.Handler(probe)
			if !strings.HasPrefix(pattern, method+" ") {
				continue
			}
			allowed = append(allowed, method)
			if method == http.MethodGet {
				allowed = append(allowed, http.MethodHead)
			}
			open = open || s.open[pattern]
			break
		}
	}
	if len(allowed) > 0 {
		allowed = append(allowed, http.MethodOptions)
		slices.Sort(allowed)
	}
	return allowed, open
}

// askedMethods are the methods that operations have.
var askedMethods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete}

// Beside returns a handler of the interface with pages at addresses of their own, which are had by GET alone.
func (s *Server) Beside(pages http.Handler, addresses []string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", s)
	for _, address := range addresses {
		mux.Handle(http.MethodGet+" "+address, s.Contained(Secured(pages, s.server.secure)))
		s.server.pages.Handle(http.MethodGet+" "+address, pages)
	}
	return mux
}
