package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/edge/terminal"
	"drawhouse/journal/record"
)

// apiSchema is what the test reads of a apiSchema in the description.
type apiSchema struct {
	Ref        string                `json:"$ref"`
	Type       any                   `json:"type"` // a text, or a list with "null"
	Enum       []any                 `json:"enum"`
	Properties map[string]*apiSchema `json:"properties"`
	Required   []string              `json:"required"`
	Items      *apiSchema            `json:"items"`
	OneOf      []*apiSchema          `json:"oneOf"`
}

// apiSpec is what the test reads of the description.
type apiSpec struct {
	Paths      map[string]map[string]*apiOperation
	Components struct{ Schemas map[string]*apiSchema }
}

// apiOperation is an operation of the description.
type apiOperation struct {
	OperationID string
	Parameters  []struct{ Name, In string }
	RequestBody *struct {
		Content map[string]struct{ Schema *apiSchema }
	}
	method, path string
}

// resolve follows a reference.
func (d *apiSpec) resolve(s *apiSchema) *apiSchema {
	for s != nil && s.Ref != "" {
		s = d.Components.Schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]]
	}
	if s == nil {
		return &apiSchema{}
	}
	return s
}

// kind returns the type of a apiSchema's values.
func (s *apiSchema) kind() string {
	if list, ok := s.Type.([]any); ok && len(list) > 0 {
		return fmt.Sprint(list[0])
	}
	if s.Type == nil && s.Properties != nil {
		return "object"
	}
	return fmt.Sprint(s.Type)
}

// sample returns a value as a apiSchema asks for it.
func (d *apiSpec) sample(s *apiSchema, depth int) any {
	if s = d.resolve(s); len(s.OneOf) > 0 {
		s = d.resolve(s.OneOf[0])
	}
	if len(s.Enum) > 0 {
		return s.Enum[0]
	}
	switch s.kind() {
	case "integer", "number":
		return json.Number("1")
	case "boolean":
		return true
	case "array":
		if depth > 4 {
			return []any{}
		}
		return []any{d.sample(s.Items, depth+1)}
	case "object":
		all := map[string]any{}
		for name, p := range s.Properties {
			if depth < 5 {
				all[name] = d.sample(p, depth+1)
			}
		}
		return all
	}
	return "x"
}

// extremes are values that no field expects, whatever its type.
var extremes = func() []any {
	all := []any{nil, true, "", "x", "\x00", "a\u202eb\nc", strings.Repeat("9", 70_000), strings.Repeat("ab", 40), []any{},
		map[string]any{}, []any{[]any{}}, json.RawMessage(`"\ud800"`)}
	for _, number := range []string{
		"0", "-1", "255", "256", "65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296", "100000000000",
		"100000000001",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "1.5", "1e308",
	} {
		all = append(all, json.RawMessage(number))
	}
	return append(all, slices.Repeat([]any{1}, 70_000))
}()

// bodies calls do with the sample body, and with every field in it, however deep, replaced by
// every extreme.
func (d *apiSpec) bodies(s *apiSchema, do func(body string)) {
	whole := d.sample(s, 0)
	send := func() {
		if data, err := json.Marshal(whole); err == nil {
			do(string(data))
		}
	}
	send()
	var walk func(at any)
	walk = func(at any) {
		switch at := at.(type) {
		case map[string]any:
			for name, was := range at {
				tried := extremes
				if _, list := was.([]any); !list {
					tried = extremes[:len(extremes)-1] // The last is a long list.
				}
				for _, extreme := range tried {
					at[name] = extreme
					send()
				}
				delete(at, name)
				send()
				at[name] = was
				walk(was)
			}
		case []any:
			for i, was := range at {
				walk(was)
				if _, deep := was.(map[string]any); deep {
					continue
				}
				for _, extreme := range extremes[:len(extremes)-1] {
					at[i] = extreme
					send()
				}
				at[i] = was
			}
		}
	}
	walk(whole)
}

// extremeParameters are parameters of paths and queries that no client would send.
var extremeParameters = []string{
	"0", "-1", "1", "255", "256", "65536", "4294967295", "4294967296", "9223372036854775807", "18446744073709551616",
	"%00", "x%0ay",
	"9999-12-31", "0000-00-00", "1:1", "65535:18446744073709551615", strings.Repeat("ab", 32), strings.Repeat("ab", 33),
	strings.Repeat("9", 3000), "%F0%9F%8E%B1", "%ff",
}

// sender sends requests of every operation as somebody who may.
type sender struct {
	*office
	roles map[record.Role]string
	count int
}

// send sends a request to an operation, and fails if the house was at fault.
func (s *sender) extreme(id, method, path, body string) {
	s.count++
	request, err := http.NewRequest(method, path, strings.NewReader(body))
	if err != nil {
		return // No client can send it.
	}
	row := s.may(id)
	switch {
	case row.Terminals:
		request.Header.Set(terminal.Header, s.session(1).Sign(method, request.URL.RequestURI(), []byte(body)))
	case !row.Everybody:
		request.Header.Set("Authorization", s.header(row))
	}
	request.RemoteAddr, request.RequestURI = "127.0.0.1:1", request.URL.RequestURI()
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, request)
	if w.Code >= http.StatusInternalServerError {
		s.t.Errorf("%s: %s %.200s with %.300s: %d %s", id, method, path, body, w.Code, w.Body)
	}
	if w.Code == http.StatusUnauthorized && !row.Everybody && !row.Terminals {
		clear(s.roles) // Somebody was signed off, or locked.
	}
}

// header returns the credential of somebody who may.
func (s *sender) header(row command.Who) string {
	role := record.RoleAdministrator
	if !row.SignedOn && len(row.Roles) > 0 {
		role = row.Roles[0]
	}
	if role == record.RoleInspector {
		return s.inspector // Nobody appoints another one alone.
	}
	if s.roles[role] == "" {
		s.roles[role] = s.signOn(s.member(role))
	}
	return s.roles[role]
}

// inOrder returns the operations in the order in which they are sent: those of terminals first, because one of the
// others takes the key of a terminal away.
func (s *sender) inOrder(d apiSpec) (list []*apiOperation) {
	for path, methods := range d.Paths {
		for method, op := range methods {
			op.method, op.path = strings.ToUpper(method), path
			list = append(list, op)
		}
	}
	place := func(op *apiOperation) string {
		turn := "2"
		if s.may(op.OperationID).Terminals {
			turn = "1"
		}
		return turn + op.path + op.method
	}
	slices.SortFunc(list, func(a, b *apiOperation) int { return strings.Compare(place(a), place(b)) })
	return list
}

// TestExtremes sends every operation of the description what is at the ends of every type and
// beyond every bound, in every field and every parameter. Whatever it is, it is refused or
// done: the house is never at fault, goes on, and its journal verifies.
func TestExtremes(t *testing.T) {
	o := newOffice(t)
	var d apiSpec
	o.send(http.MethodGet, "/openapi.json", "").into(t, &d)
	s := &sender{office: o, roles: map[record.Role]string{}}
	for _, each := range s.inOrder(d) {
		if strings.HasPrefix(each.OperationID, "follow-") {
			continue // It has no end.
		}
		if each.RequestBody != nil {
			for _, content := range each.RequestBody.Content {
				d.bodies(content.Schema, func(body string) {
					s.extreme(each.OperationID, each.method, fill(each.path), body)
				})
			}
		}
		for _, p := range each.Parameters {
			for _, value := range extremeParameters {
				at := each.path
				if p.In == "path" {
					at = strings.Replace(at, "{"+p.Name+"}", value, 1)
				}
				if at = fill(at); p.In == "query" {
					at += "?" + p.Name + "=" + value
				}
				s.extreme(each.OperationID, each.method, at, "{}")
			}
		}
	}
	t.Logf("%d requests", s.count)
	if s.count < 5_000 {
		t.Errorf("%d requests are too few to have tried every field", s.count)
	}
	select {
	case <-o.house.Done():
		t.Fatalf("the house has ended: %s", o.log)
	default:
	}
	o.verifies()
}

// TestFaultsThatWere500 sends what the house once answered with an internal error.
func TestFaultsThatWere500(t *testing.T) {
	o := newOffice(t)
	long := strings.Repeat("ab", 33)
	wantFault(t, o.as(o.first, http.MethodGet, "/v1/payees/"+long, ""), 400, "parameter_value", "hash")
	wantFault(t, o.as(o.first, http.MethodGet, "/v1/payees/"+strings.Repeat("ab", 4000), ""), 400, "parameter_value",
		"hash")
	wantFault(t, o.atTerminal(1, http.MethodPut, "/v1/terminals/1/requests/1/session-end",
		fmt.Sprintf(`{"claims":[%q]}`, long)), 400, "parameter_value", "claims")
	limit := record.RoleSupervisor
	if roles := o.may("set-limit").Roles; !slices.Contains(roles, limit) {
		limit = roles[0]
	}
	who := o.signOn(o.member(limit))
	for _, cents := range []string{"0", "-1", "100000000001", "9223372036854775807"} {
		wantFault(t, o.as(who, http.MethodPut, "/v1/venues/1/limit", `{"cents":`+cents+`}`), 400, "field_value", "cents")
	}
	row := o.may("read-object")
	reader := o.inspector
	if !slices.Contains(row.Roles, record.RoleInspector) {
		reader = o.signOn(o.member(row.Roles[0]))
	}
	for _, name := range []string{"%00", "a%00b", strings.Repeat("x", 5000)} {
		wantFault(t, o.as(reader, http.MethodGet, "/v1/journal/object?name="+name, ""), 400, "parameter_value", "name")
	}
}

// TestStreamsAreBounded shows that one address, and all together, have so many streams of
// events and no more, that a stream which ends makes room, and that a flood of refusals is
// not a flood of the log.
func TestStreamsAreBounded(t *testing.T) {
	s, answering := newStreams(2, 3, false), &server{house: newRig(t).house}
	from := func(address string) *http.Request {
		r := httptest.NewRequest(http.MethodGet, "/v1/events", nil)
		r.RemoteAddr = address
		return r
	}
	var ends []func()
	begin := func(address string, status int) {
		t.Helper()
		end, err := s.begin(from(address))
		if end != nil {
			ends = append(ends, end)
		}
		got := http.StatusOK
		if err != nil {
			got = answering.form(t.Context(), err).status
		}
		if got != status {
			t.Errorf("a stream of %s: %d %v, want %d", address, got, err, status)
		}
	}
	begin("192.0.2.1:1", 200)
	begin("192.0.2.1:2", 200)
	begin("192.0.2.1:3", 429)
	begin("192.0.2.2:1", 200)
	begin("192.0.2.3:1", 503)
	ends[0]()
	begin("192.0.2.1:4", 200)
	begin("127.0.0.1:1", 503)
	for _, end := range ends[1:] {
		end()
	}
	if s.all != 0 || len(s.of) != 0 {
		t.Errorf("after the last stream %d and %v are counted", s.all, s.of)
	}
	s = newStreams(1, 3, true)
	begin("127.0.0.1:1", 200)
	begin("127.0.0.1:2", 429)
	r := newRig(t)
	handler, err := New(r.house, Options{StreamsInAll: 1, Now: r.clock.Now})
	must(t, err)
	observed := Observed(handler, logTo(r.log), nil)
	end, err := handler.server.streams.begin(from("192.0.2.9:1"))
	must(t, err)
	defer end()
	for range 100 {
		w := httptest.NewRecorder()
		if observed.ServeHTTP(w, from("192.0.2.1:1")); w.Code != http.StatusServiceUnavailable ||
			!strings.Contains(w.Body.String(), "too_many_streams") {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if lines := strings.Count(r.log.String(), "\n"); lines < 1 || lines > 20 {
		t.Errorf("100 refusals are %d lines of the log: %s", lines, r.log)
	}
}
