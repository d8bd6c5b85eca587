package api

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"drawhouse/edge/terminal"
	"drawhouse/journal/record"
)

// guest is a house with people of every role, who ask over a real connection: what a server adds to an answer, and
// leaves out of it, counts here.
type guest struct {
	*rig
	at      string
	headers map[record.Role]string
}

func newGuest(t *testing.T) *guest {
	t.Helper()
	g := &guest{rig: newRig(t), headers: map[record.Role]string{}}
	g.openDay()
	// The inspector is of the founding, before there is an administrator.
	g.headers[record.RoleInspector] = g.signOn(g.member(record.RoleInspector))
	for _, role := range record.Roles() {
		if role != record.RoleInspector {
			g.headers[role] = g.signOn(g.member(role))
		}
	}
	server := httptest.NewServer(g.handler)
	t.Cleanup(server.Close)
	g.at = server.URL
	return g
}

// routes returns the registry.
func (g *guest) routes() []route {
	asked, _ := g.handler.(*Server)
	return asked.server.routes
}

// addressOf returns an address of a route that could be one.
func addressOf(path string) string {
	path = fill(path)
	return inPath.ReplaceAllLiteralString(path, "1")
}

// ask sends a request to a route as somebody who may use it.
func (g *guest) ask(rt *route, method, uri, body string, header ...string) reply {
	g.t.Helper()
	request, err := http.NewRequest(method, g.at+uri, strings.NewReader(body))
	must(g.t, err)
	switch {
	case rt.who.Everybody:
	case rt.who.Terminals:
		request.Header.Set(terminal.Header, g.session(1).Sign(method, uri, []byte(body)))
	default:
		role := record.RoleSupervisor
		if len(rt.who.Roles) > 0 {
			role = rt.who.Roles[0]
		}
		request.Header.Set("Authorization", g.headers[role])
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	// Nothing is unpacked on the way: what is packed is looked at.
	answer, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(request)
	must(g.t, err)
	defer func() { must(g.t, answer.Body.Close()) }()
	data, err := io.ReadAll(answer.Body)
	must(g.t, err)
	return reply{answer.StatusCode, answer.Header, data}
}

// covers reports whether an address is one of those of a route.
func covers(route, address string) bool {
	a, b := strings.Split(route, "/"), strings.Split(address, "/")
	return len(a) == len(b) && !slices.ContainsFunc(a, func(part string) bool {
		other := b[0]
		b = b[1:]
		return part != other && !strings.HasPrefix(part, "{")
	})
}

var anybody = &route{who: everybody}

// TestMethods: an address refuses a method that it does not have and says which it has, as OPTIONS does; HEAD is
// answered as GET is, without the body.
func TestMethods(t *testing.T) {
	g := newGuest(t)
	has := map[string][]string{"/openapi.json": {"GET", "HEAD", "OPTIONS"}, "/docs": {"GET", "HEAD", "OPTIONS"}}
	for _, rt := range g.routes() {
		path := addressOf(rt.path)
		has[path] = []string{http.MethodOptions}
		for _, other := range g.routes() {
			if !covers(other.path, path) {
				continue
			}
			has[path] = append(has[path], other.method)
			if other.method == http.MethodGet {
				has[path] = append(has[path], http.MethodHead)
			}
		}
	}
	for path, methods := range has {
		slices.Sort(methods)
		methods = slices.Compact(methods)
		allow := strings.Join(methods, ", ")
		if a := g.ask(anybody, http.MethodOptions, path, ""); a.status != 204 || a.header.Get("Allow") != allow || len(a.body) != 0 {
			t.Errorf("OPTIONS %s: %d, %q; want %q", path, a.status, a.header.Get("Allow"), allow)
		}
		for _, method := range append(slices.Clone(askedMethods), "PATCH") {
			if slices.Contains(methods, method) {
				continue
			}
			a := g.ask(anybody, method, path, "")
			wantFault(t, a, 405, "method_other", "")
			if a.header.Get("Allow") != allow {
				t.Errorf("%s %s: %q; want %q", method, path, a.header.Get("Allow"), allow)
			}
		}
	}
	wantFault(t, g.ask(anybody, http.MethodOptions, "/v1/nothing", ""), 404, "no_such_path", "")
	var said struct {
		Refusals map[string]Explained `json:"x-refusals"`
	}
	g.send(http.MethodGet, "/openapi.json", "").into(t, &said)
	if said.Refusals["method_other"].Status != 405 || said.Refusals["no_such_path"].Status != 404 {
		t.Errorf("the description says %v of addresses", said.Refusals)
	}
	for _, rt := range g.routes() {
		if rt.method != http.MethodGet {
			continue
		}
		uri := addressOf(rt.path)
		head := g.ask(&rt, http.MethodHead, uri, "")
		if len(head.body) != 0 {
			t.Errorf("HEAD %s has a body", uri)
		}
		if rt.isStream() {
			if kind := head.header.Get("Content-Type"); head.status != 200 || !strings.HasPrefix(kind, eventStream) {
				t.Errorf("HEAD %s: %d %s", uri, head.status, kind)
			}
			continue
		}
		whole := g.ask(&rt, http.MethodGet, uri, "")
		for _, name := range []string{"Content-Type", "Etag", "Cache-Control", "Allow"} {
			if head.status != whole.status || head.header.Get(name) != whole.header.Get(name) {
				t.Errorf("%s: HEAD %d %q, GET %d %q", uri, head.status, head.header.Get(name), whole.status, whole.header.Get(name))
			}
		}
	}
}

// TestOtherOrigins: pages of other origins may read what everybody may read, and nothing else.
func TestOtherOrigins(t *testing.T) {
	g := newGuest(t)
	opens := 0
	for _, rt := range g.routes() {
		if rt.isStream() {
			rt.method = http.MethodHead
		}
		uri, want := addressOf(rt.path), ""
		if rt.who.Everybody && rt.method != http.MethodPost && rt.method != http.MethodPut {
			want = "*"
			opens++
		}
		answer := g.ask(&rt, rt.method, uri, "", "Origin", "https://elsewhere.example")
		if got := answer.header.Get("Access-Control-Allow-Origin"); got != want || answer.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s %s may be read from %q; want %q", rt.method, uri, got, want)
		}
		others := []string{}
		for _, other := range g.routes() {
			if other.isOpen() && addressOf(other.path) == uri {
				others = append(others, "GET, HEAD")
			}
		}
		flight := g.ask(anybody, http.MethodOptions, uri, "", "Origin", "https://elsewhere.example",
			"Access-Control-Request-Method", rt.method, "Access-Control-Request-Headers", "authorization, drawhouse-csrf")
		if got := flight.header.Get("Access-Control-Allow-Methods"); got != strings.Join(slices.Compact(others), "") {
			t.Errorf("a preflight of %s %s may use %q", rt.method, uri, got)
		}
		if allowed := strings.ToLower(flight.header.Get("Access-Control-Allow-Headers")); strings.Contains(allowed, "authorization") ||
			strings.Contains(allowed, "drawhouse") || strings.Contains(allowed, "*") {
			t.Errorf("a preflight of %s %s may send %q", rt.method, uri, allowed)
		}
	}
	if opens < 20 {
		t.Errorf("%d operations may be read by pages of other origins", opens)
	}
}

// TestUnknownParameters: a parameter that a route does not know is refused, by its name.
func TestUnknownParameters(t *testing.T) {
	g := newGuest(t)
	for _, rt := range g.routes() {
		uri := addressOf(rt.path)
		answer := g.ask(&rt, rt.method, uri+"?nobody=1", "")
		wantFault(t, answer, 400, "parameter_unknown", "nobody")
		for _, name := range rt.parameters() {
			if !strings.Contains(string(answer.body), name) {
				t.Errorf("%s does not name %s", answer.body, name)
			}
			if rt.isStream() {
				continue
			}
			twice := g.ask(&rt, rt.method, uri+"?"+url.Values{name: {"1", "2"}}.Encode(), "")
			wantFault(t, twice, 400, "parameter_value", name)
		}
	}
	wantFault(t, g.ask(anybody, http.MethodGet, "/openapi.json?x=1", ""), 400, "parameter_unknown", "x")
	wantFault(t, g.ask(anybody, http.MethodGet, "/v1/games?limit=%zz", ""), 400, "parameter_value", "")
}

// TestMediaTypes: a body that is said to be of another type than the route takes is refused; one of which nothing is
// said is read.
func TestMediaTypes(t *testing.T) {
	g := newGuest(t)
	looked := 0
	for _, rt := range g.routes() {
		if len(rt.media()) == 0 {
			continue
		}
		looked++
		uri := addressOf(rt.path)
		for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", rt.media()[0] + "; charset=utf-16", "nonsense"} {
			wantFault(t, g.ask(&rt, rt.method, uri, "{}", "Content-Type", kind), 415, "media_type_other", "Content-Type")
		}
		wantFault(t, g.ask(&rt, rt.method, uri, "{}", "Content-Encoding", "gzip"), 415, "media_type_other", "Content-Encoding")
	}
	if looked < 50 {
		t.Errorf("%d operations take a body", looked)
	}
	sign := &route{who: everybody}
	for _, kind := range []string{"", "application/json", "application/json; charset=UTF-8", "Application/JSON;charset=utf-8"} {
		header := []string{"Content-Type", kind}
		if kind == "" {
			header = nil
		}
		wantFault(t, g.ask(sign, http.MethodPost, "/v1/session", "{}", header...), 400, "field_missing", "person")
	}
}

// TestWhatIsKept: nobody on the way keeps an answer that needs a sign-on or is signed, or is of what somebody holds;
// and who has an answer already is told so.
func TestWhatIsKept(t *testing.T) {
	g := newGuest(t)
	sold, _ := g.sell(oneSpot)
	g.play()
	one := &route{who: roles(record.RoleSupervisor)}
	first := g.ask(one, http.MethodGet, "/v1/venues", "", "Accept-Encoding", "gzip")
	again := g.ask(one, http.MethodGet, "/v1/venues", "", "If-None-Match", first.header.Get("Etag"))
	if first.status != 200 || again.status != 304 {
		t.Errorf("a list of the office: %d, and %d to who has it", first.status, again.status)
	}
	tagged, answered, pages := 0, 0, map[string]bool{"/openapi.json": true, "/docs": true}
	questions := slices.Clone(g.routes()) // Before anything is done that ends a session.
	slices.SortStableFunc(questions, func(a, b route) int { return orderOf(&a) - orderOf(&b) })
	for _, rt := range questions {
		uri := strings.ReplaceAll(addressOf(strings.ReplaceAll(rt.path, "{serial}", "SERIAL")), "SERIAL", sold.Serial)
		if rt.isStream() {
			continue
		}
		if rt.isOpen() && !rt.isHeld() {
			pages[uri] = true
			continue
		}
		answer := g.ask(&rt, rt.method, uri, "")
		if rt.method == http.MethodGet && answer.status == 200 {
			answered++
		}
		if kept := answer.header.Get("Cache-Control"); kept != "no-store" {
			t.Errorf("%s %s: %d may be kept: %q", rt.method, uri, answer.status, kept)
		}
		if answer.header.Get("Content-Encoding") != "" {
			t.Errorf("%s %s is packed", rt.method, uri)
		}
	}
	for uri := range pages {
		answer := g.ask(anybody, http.MethodGet, uri, "")
		kept := answer.header.Get("Cache-Control")
		if answer.status != 200 {
			if kept != "no-store" {
				t.Errorf("%s: %d may be kept: %q", uri, answer.status, kept)
			}
			continue
		}
		if kept != "no-cache" && !strings.HasPrefix(kept, "public, max-age=") {
			t.Errorf("%s: %q", uri, kept)
		}
		if volatile[uri] {
			continue
		}
		tagged++
		for _, takes := range []string{"", "gzip"} {
			first := g.ask(anybody, http.MethodGet, uri, "", "Accept-Encoding", takes)
			again := g.ask(anybody, http.MethodGet, uri, "", "Accept-Encoding", takes, "If-None-Match", first.header.Get("Etag"))
			if again.status != http.StatusNotModified || len(again.body) != 0 || again.header.Get("Etag") != first.header.Get("Etag") {
				t.Errorf("%s asked for by %q again: %d with %d bytes, tag %s and %s", uri, takes, again.status, len(again.body),
					first.header.Get("Etag"), again.header.Get("Etag"))
			}
		}
	}
	if tagged < 10 || answered < 20 {
		t.Errorf("%d answers have a tag, and %d questions of persons and terminals were answered", tagged, answered)
	}
}

// orderOf is where a route stands among those that are asked.
func orderOf(rt *route) int { return slices.Index([]string{"GET", "PUT", "POST", "DELETE"}, rt.method) }

// volatile are answers that change while they are asked for: what of them is the same is not for a tag to say.
var volatile = map[string]bool{"/v1/board": true}

// TestPacked: an answer that everybody may read is packed for who takes it so, and is the same behind it.
func TestPacked(t *testing.T) {
	g := newGuest(t)
	tags := map[string]bool{}
	for _, uri := range []string{"/v1/rulebooks/vic-keno-2015", "/openapi.json", "/docs", "/v1/catalogue"} {
		plain := g.ask(anybody, http.MethodGet, uri, "")
		for range 2 { // The second time it was packed before.
			short := g.ask(anybody, http.MethodGet, uri, "", "Accept-Encoding", "br, gzip")
			if short.header.Get("Content-Encoding") != "gzip" || len(short.body) >= len(plain.body) ||
				short.header.Get("Vary") != "Accept-Encoding" || plain.header.Get("Vary") != "Accept-Encoding" {
				t.Fatalf("%s: %d of %d bytes, %v", uri, len(short.body), len(plain.body), short.header)
			}
			r, err := gzip.NewReader(bytes.NewReader(short.body))
			must(t, err)
			data, err := io.ReadAll(r)
			must(t, err)
			if !bytes.Equal(data, plain.body) {
				t.Errorf("%s is another answer when it is packed", uri)
			}
			tags[short.header.Get("Etag")] = true
		}
		tags[plain.header.Get("Etag")] = true
	}
	if len(tags) != 8 {
		t.Errorf("the forms of four answers have the tags %v", slices.Collect(maps.Keys(tags)))
	}
	if short := g.ask(anybody, http.MethodGet, "/v1/holidays?x=1", "", "Accept-Encoding", "gzip"); short.header.Get("Content-Encoding") != "" {
		t.Errorf("a refusal is packed: %v", short.header)
	}
}

// TestLongAnswers: an answer that is longer than what is put together is sent whole, without a tag.
func TestLongAnswers(t *testing.T) {
	part := bytes.Repeat([]byte("long "), 200_000)
	serve := newShape(true)
	for _, parts := range []int{1, 3, 6} {
		w := httptest.NewRecorder()
		a := serve.begin(w, httptest.NewRequest(http.MethodGet, "/", nil))
		for range parts {
			_, err := a.Write(part)
			must(t, err)
		}
		a.end()
		long := parts*len(part) > mostShaped
		if w.Body.Len() != parts*len(part) || (w.Header().Get("Etag") == "") != long {
			t.Errorf("%d bytes of %d, tag %q", w.Body.Len(), parts*len(part), w.Header().Get("Etag"))
		}
	}
	if fmt.Sprint(serve.last.Load()) != "<nil>" {
		t.Error("it was packed for nobody")
	}
}
