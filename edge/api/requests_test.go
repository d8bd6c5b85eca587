package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/edge/terminal"
	"drawhouse/journal/record"
)

// sample writes a value of a schema, as small as it may be.
func (d *description) sample(schema map[string]any, deep int) string {
	if ref, ok := schema["$ref"].(string); ok {
		return d.sample(d.Components.Schemas[ref[strings.LastIndex(ref, "/")+1:]], deep)
	}
	if values, ok := schema["enum"].([]any); ok {
		text, _ := json.Marshal(values[0])
		return string(text)
	}
	if kinds, ok := schema["oneOf"].([]any); ok {
		first, _ := kinds[0].(map[string]any)
		return d.sample(first, deep)
	}
	kind, _ := schema["type"].(string)
	if several, ok := schema["type"].([]any); ok {
		kind, _ = several[0].(string)
	}
	switch {
	case kind == "string" && schema["format"] == "date-time":
		return `"2026-11-15T12:00:00+11:00"`
	case kind == "string":
		return `"x"`
	case kind == "integer":
		return "1"
	case kind == "boolean":
		return "true"
	case kind == "array" && deep > 0:
		items, _ := schema["items"].(map[string]any)
		return "[" + d.sample(items, deep-1) + "]"
	case kind == "array":
		return "[]"
	case kind != "object":
		return "{}"
	}
	properties, _ := schema["properties"].(map[string]any)
	var fields []string
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		value, _ := properties[name].(map[string]any)
		fields = append(fields, fmt.Sprintf("%q:%s", name, d.sample(value, deep-1)))
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// wishes are the operations that can be tried without end, with a body for each.
func (r *rig) wishes() []wish {
	r.t.Helper()
	d := r.description()
	var all []wish
	d.each(func(method, path string, op described) {
		if strings.HasPrefix(op.OperationID, "follow-") {
			return // It has no end.
		}
		w := wish{method: method, path: path}
		if op.RequestBody != nil {
			w.body = "x"
			if content, ok := op.RequestBody.Content["application/json"]; ok {
				schema, _ := content["schema"].(map[string]any)
				w.body = d.sample(schema, 4)
			}
		}
		all = append(all, w)
	})
	slices.SortFunc(all, func(a, b wish) int { return strings.Compare(a.method+a.path, b.method+b.path) })
	return all
}

type wish struct{ method, path, body string }

// callers are those who try: nobody, a terminal, and persons of the roles that may most.
const callers = 5

// fuzzed is the terminal that tries.
const fuzzed = 2

// crowd is a rig and the persons who try what it does not let them.
type crowd struct {
	*rig
	persons [callers - 2]uint32
	headers [callers - 2]string
}

func newCrowd(t testing.TB) *crowd {
	t.Helper()
	c := &crowd{rig: newRig(t)}
	c.openDay()
	c.sell(oneSpot)
	for i, role := range []record.Role{record.RoleAdministrator, record.RoleSupervisor, record.RoleSenior} {
		c.persons[i] = c.member(role)
		c.headers[i] = c.signOn(c.persons[i])
	}
	return c
}

// try sends a request as one of the callers, who signs on again if what was tried before
// has signed the caller off.
func (c *crowd) try(t testing.TB, who uint8, w wish) {
	t.Helper()
	c.t = t
	who %= callers
	if c.once(t, who, w) != http.StatusUnauthorized || who == 0 {
		return
	}
	c.clock.advance(time.Second)
	if who == 1 {
		again, _ := c.hello(fuzzed, terminal.DemoKey(fuzzed), c.clock.Now())
		if again == nil {
			return // An earlier request has taken the key away.
		}
		c.sessions[fuzzed] = again
	} else {
		var on SignedOn
		answer := c.send(http.MethodPost, "/v1/session",
			fmt.Sprintf(`{"person":%d,"password":%q,"bearer":true}`, c.persons[who-2], password))
		if answer.status != http.StatusOK {
			return // An earlier request has locked the person, or sent too many wrong passwords.
		}
		answer.into(t, &on)
		c.headers[who-2] = bearer + on.Token
	}
	c.once(t, who, w)
}

// once sends a request and looks at the answer.
func (c *crowd) once(t testing.TB, who uint8, w wish) (status int) {
	t.Helper()
	request, err := http.NewRequest(w.method, w.path, strings.NewReader(w.body))
	if err != nil || strings.HasSuffix(request.URL.Path, "/events") {
		return 0
	}
	request.RequestURI, request.RemoteAddr = w.path, "192.0.2.1:1"
	switch who {
	case 0:
	case 1:
		request.Header.Set(terminal.Header, c.session(fuzzed).Sign(w.method, w.path, []byte(w.body)))
	default:
		request.Header.Set("Authorization", c.headers[who-2])
	}
	recorder := httptest.NewRecorder()
	c.handler.ServeHTTP(recorder, request)
	if recorder.Code >= 500 {
		t.Fatalf("%s %s with %q as %d: %d %s\n%s", w.method, w.path, w.body, who, recorder.Code, recorder.Body, c.log)
	}
	if recorder.Code >= 400 {
		var e Error
		if err := json.Unmarshal(recorder.Body.Bytes(), &e); err != nil || e.Fault.Code == "" || e.Fault.Sentence == "" {
			t.Fatalf("%s %s: %d %s", w.method, w.path, recorder.Code, recorder.Body)
		}
	}
	return recorder.Code
}

// inPath finds what a path leaves open.
var inPath = regexp.MustCompile(`\{[^}]*\}`)

// FuzzRequests asks for every operation with what nobody would send, as everybody. The
// house is never at fault, and an error has the form of an error.
func FuzzRequests(f *testing.F) {
	c := newCrowd(f)
	wishes := c.wishes()
	for i, w := range wishes {
		for who := range uint8(callers) {
			f.Add(uint16(i), who, "1", w.body)
		}
		f.Add(uint16(i), uint8(1), "4294967295", "{}")
		f.Add(uint16(i), uint8(2), "99999999999999999999", strings.ReplaceAll(w.body, "1", "-9223372036854775808"))
		f.Add(uint16(i), uint8(3), "2026-11-15", strings.ReplaceAll(w.body, `"x"`, `"\u0000"`))
		f.Add(uint16(i), uint8(4), "%2e%2e%00", strings.ReplaceAll(w.body, "1", "null"))
	}
	f.Fuzz(func(t *testing.T, op uint16, who uint8, part, body string) {
		w := wishes[int(op)%len(wishes)]
		w.body, w.path = body, inPath.ReplaceAllLiteralString(w.path, part)
		c.try(t, who, w)
	})
}
