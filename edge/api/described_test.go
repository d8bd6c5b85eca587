package api

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/edge/terminal"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// describedRequests is how many requests TestAnswersAreDescribed sends: few in every run, the same each time, and as
// many others as DRAWHOUSE_DESCRIBED says in make soak.
const describedRequests = 1500

// TestAnswersAreDescribed sends every operation of a house random requests, as those who may and as others, with
// bodies that fit the description and with such as do not. It compares every answer with the description: status,
// content type, body, and the code of a refusal.
func TestAnswersAreDescribed(t *testing.T) {
	count, seed := describedRequests, uint64(19)
	if text := os.Getenv("DRAWHOUSE_DESCRIBED"); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		count, seed = n, uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", seed)
	a := newAsker(t, seed)
	for i := range count {
		a.one(a.all[i%len(a.all)])
	}
	done, streams := 0, 0
	for _, op := range a.all {
		if op.streams() {
			streams++
		}
		if a.answered[op.OperationID][http.StatusOK] > 0 {
			done++
		}
	}
	t.Logf("%d requests of %d operations, %d of which did what was asked at least once", count, len(a.answered), done)
	if done < len(a.all)/4 {
		t.Errorf("only %d of %d operations did what was asked: the requests are too wild", done, len(a.all))
	}
	if count >= describedRequests && len(a.answered) < len(a.all)-streams {
		t.Errorf("%d of %d operations were asked for, and %d are streams", len(a.answered), len(a.all), streams)
	}
}

// asker sends random requests.
type asker struct {
	*maker
	*sender
	answered map[string]map[int]int // answers, by operation and status
	numbers  map[uint32]uint64      // of requests, by terminal
}

// askers is how many terminals ask.
const askers = 8

func newAsker(t *testing.T, seed uint64) *asker {
	t.Helper()
	o := newOffice(t)
	a := &asker{
		maker:    &maker{contract: o.contract(), random: rand.New(rand.NewPCG(seed, 0))},
		sender:   &sender{office: o, roles: map[record.Role]string{}},
		answered: map[string]map[int]int{}, numbers: map[uint32]uint64{},
	}
	sold, code := o.sell(oneSpot)
	o.play()
	later, _ := o.sell(oneSpot)
	key := terminal.DemoPublic(3)
	a.known = map[string][]any{
		"serial": {sold.Serial, later.Serial}, "claim_code": {code.String()}, "day": {"2026-11-15"}, "password": {password},
		"number": {"1", "2"}, "game": {"1", "2"}, "ordinal": {"1", "2"}, "rulebook": {"vic-keno-2015"}, "id": {"vic-keno-2015"},
		"key": {base64.StdEncoding.EncodeToString(key[:])}, "claim_hash": {strings.Repeat("ab", 32)}, "report": {"days", "sales"},
		"format": {"csv", "text", "pdf"}, "ticket": {mustParse(t, oneSpot)}, "series": {"1"}, "method": {"verbal"}, "volume": {"1"},
		"part": {"entries/000", "0/000"}, "channel": {"writer"}, "kind": {"club", "hotel"},
	}
	return a
}

func mustParse(t *testing.T, text string) any {
	value, err := parsed([]byte(text))
	must(t, err)
	return value
}

// one sends a request for an operation.
func (a *asker) one(op *agreed) {
	a.t.Helper()
	if op.streams() {
		return // It has no end.
	}
	id := uint32(1 + a.random.IntN(askers))
	uri := a.address(op, id)
	body := a.bodyOf(op)
	request := httptest.NewRequest(op.method, uri, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:1"
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	a.credential(request, op, id, body)
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, request)
	if a.answered[op.OperationID] == nil {
		a.answered[op.OperationID] = map[int]int{}
	}
	a.answered[op.OperationID][w.Code]++
	if err := a.answer(op, w.Code, w.Header(), w.Body.Bytes()); err != nil {
		a.t.Errorf("%s: %s %.200s with %.300s: %v", op.OperationID, op.method, uri, body, err)
	}
	if w.Code == http.StatusUnauthorized || w.Code == http.StatusForbidden {
		clear(a.roles) // Somebody was signed off, or locked, or has lost a role.
		delete(a.sessions, id)
	}
	a.clock.advance(time.Second)
}

// address fills the address of an operation, mostly with what there is.
func (a *asker) address(op *agreed, id uint32) string {
	path, query := op.path, url.Values{}
	for _, p := range op.Parameters {
		value := fmt.Sprint(a.make(p.Name, p.Schema, 0))
		switch {
		case a.random.IntN(20) == 0:
			value = extremeParameters[a.random.IntN(len(extremeParameters))]
			if unescaped, err := url.PathUnescape(value); err == nil {
				value = unescaped
			}
		case p.Name == "terminal":
			value = fmt.Sprint(id)
		case p.Name == "request" && a.random.IntN(4) > 0:
			a.numbers[id]++
			value = fmt.Sprint(a.numbers[id])
		case p.In == "path" && p.Schema["type"] == "integer" && a.random.IntN(2) == 0:
			value = "1"
		}
		switch {
		case p.In == "path":
			path = strings.Replace(path, "{"+p.Name+"}", strings.ReplaceAll(url.PathEscape(value), "%2F", "/"), 1)
		case p.In == "query" && (p.Required && a.random.IntN(10) > 0 || a.random.IntN(4) == 0):
			query.Set(p.Name, value)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// bodyOf makes a body: one that fits, or one in which something is changed.
func (a *asker) bodyOf(op *agreed) string {
	schema := op.body()
	if op.RequestBody == nil {
		return ""
	}
	if schema == nil {
		return "x"
	}
	value := a.make("", schema, 0)
	if a.random.IntN(4) == 0 {
		value = a.spoil(value)
	}
	data, err := json.Marshal(value)
	must(a.t, err)
	if a.random.IntN(50) == 0 {
		data = data[:len(data)/2]
	}
	return string(data)
}

// spoil changes something in a value.
func (a *asker) spoil(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			switch a.random.IntN(3) {
			case 0:
				delete(v, name)
			case 1:
				v[name] = extremes[a.random.IntN(len(extremes)-1)] // The last is a long list.
			default:
				v[name] = a.spoil(v[name])
			}
			return v
		}
		v["unknown"] = 1
		return v
	case []any:
		if len(v) > 0 {
			v[0] = a.spoil(v[0])
		}
		return v
	}
	return extremes[a.random.IntN(len(extremes)-1)]
}

// credential shows who asks: mostly somebody who may.
func (a *asker) credential(request *http.Request, op *agreed, id uint32, body string) {
	a.t.Helper()
	row := a.may(op.OperationID)
	atTerminal := row.Terminals && (len(row.Roles) == 0 || a.random.IntN(2) == 0)
	switch a.random.IntN(12) {
	case 0:
		return // nobody
	case 1:
		atTerminal = !atTerminal
	}
	if atTerminal {
		if session := a.greeted(id); session != nil {
			request.Header.Set(terminal.Header, session.Sign(request.Method, request.URL.RequestURI(), []byte(body)))
			request.RequestURI = request.URL.RequestURI()
		}
		return
	}
	if header := a.signedOnFor(op); header != "" {
		request.Header.Set("Authorization", header)
	}
}

// greeted returns the session of a terminal, or nil where it has lost its key.
func (a *asker) greeted(id uint32) *terminal.Session {
	if s := a.sessions[id]; s != nil {
		return s
	}
	s, _ := a.hello(id, terminal.DemoKey(id), a.clock.Now())
	if s != nil {
		a.sessions[id] = s
	}
	return s
}

// signedOnFor returns the credential of somebody who may use an operation, or of a supervisor.
func (a *asker) signedOnFor(op *agreed) string {
	row := a.may(op.OperationID)
	if !row.SignedOn && len(row.Roles) == 0 {
		row.Roles = []record.Role{record.RoleSupervisor}
	}
	return a.header(row)
}

// TestExamples: every example of a body fits its description, and a house reads it.
func TestExamples(t *testing.T) {
	o := newOffice(t)
	c := o.contract()
	s := &sender{office: o, roles: map[record.Role]string{}}
	unread := []refusal.Code{keno.FormSyntax, keno.FieldUnknown, keno.FieldMissing, keno.FieldRepeated, keno.FieldValue,
		keno.FieldConflict, keno.VersionUnknown, "out_of_bounds"}
	signed := map[string]bool{"bring-commitment": true, "bring-link": true} // A custodian signs the file in it.
	examples := 0
	for _, op := range c.all {
		if op.body() == nil {
			continue
		}
		examples++
		example := op.RequestBody.Content["application/json"].Example
		if err := c.fits(op.body(), example, ""); err != nil {
			t.Errorf("%s: its example does not fit: %v", op.OperationID, err)
		}
		data, err := json.Marshal(example)
		must(t, err)
		if strings.Contains(string(data), `"?"`) {
			t.Errorf("%s: its example says nothing: %s", op.OperationID, data)
		}
		row := o.may(op.OperationID)
		path := fill(strings.ReplaceAll(op.path, "{request}", "1"))
		request := httptest.NewRequest(op.method, path, strings.NewReader(string(data)))
		request.Header.Set("Content-Type", "application/json")
		switch {
		case row.Terminals:
			request.Header.Set(terminal.Header, o.session(1).Sign(op.method, request.RequestURI, data))
		case !row.Everybody:
			request.Header.Set("Authorization", s.header(row))
		}
		w := httptest.NewRecorder()
		o.handler.ServeHTTP(w, request)
		var e Error
		if w.Code >= http.StatusBadRequest {
			must(t, json.Unmarshal(w.Body.Bytes(), &e))
		}
		if slices.Contains(unread, e.Fault.Code) && !signed[op.OperationID] || w.Code >= http.StatusInternalServerError {
			t.Errorf("%s: its example %s is answered with %d %s", op.OperationID, data, w.Code, w.Body)
		}
		if w.Code == http.StatusUnauthorized {
			clear(s.roles)
		}
	}
	if examples < 100 {
		t.Errorf("%d bodies have examples", examples)
	}
}

// TestTicketSchemas holds the description of the ticket form against the reader of the form: both take random forms
// that the description makes, and agree on each from which a field was taken.
func TestTicketSchemas(t *testing.T) {
	m := &maker{contract: newRig(t).contract(), random: rand.New(rand.NewPCG(19, 1))}
	request := map[string]any{"$ref": "#/components/schemas/TicketRequest"}
	ticket := map[string]any{"$ref": "#/components/schemas/TicketForm"}
	// What no schema says: a way joins groups that are there, a change names one kind of numbers, and of an old ticket.
	beyond := []refusal.Code{keno.FieldConflict}
	taken, refusedBoth := 0, 0
	for range 3000 {
		for _, form := range []struct {
			schema map[string]any
			parse  func([]byte) error
		}{
			{request, func(data []byte) error { _, err := keno.ParseRequest(data); return err }},
			{ticket, func(data []byte) error { _, err := keno.ParseTicket(data); return err }},
		} {
			value := m.make("", form.schema, 0)
			for range 2 {
				data, err := json.Marshal(value)
				must(t, err)
				described, read := m.fits(form.schema, value, ""), form.parse(data)
				var refused *refusal.Refusal
				if read != nil {
					refused = read.(*refusal.Refusal)
				}
				switch {
				case described == nil && read == nil:
					taken++
				case described != nil && read != nil:
					refusedBoth++
				case described == nil && (slices.Contains(beyond, refused.Code) || strings.Contains(refused.Path, "play.ways") ||
					refused.Code == keno.FieldMissing && refused.Path == "bets"):
				default:
					t.Fatalf("%s: the description says %v, the reader %v", data, described, read)
				}
				value = m.without(value)
			}
		}
	}
	t.Logf("%d forms are taken, and %d refused by both", taken, refusedBoth)
	if taken < 500 || refusedBoth < 500 {
		t.Errorf("%d forms are taken, and %d refused by both", taken, refusedBoth)
	}
}

// without takes a random field from a value, however deep.
func (m *maker) without(value any) any {
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 {
			return v
		}
		names := []string{}
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		name := names[m.random.IntN(len(names))]
		switch v[name].(type) {
		case map[string]any, []any:
			if m.random.IntN(3) > 0 {
				v[name] = m.without(v[name])
				return v
			}
		}
		delete(v, name)
	case []any:
		if len(v) > 0 {
			i := m.random.IntN(len(v))
			v[i] = m.without(v[i])
		}
	}
	return value
}

// TestRequestsAreExplained: whatever a request says is explained, however deep it stands.
func TestRequestsAreExplained(t *testing.T) {
	c := newRig(t).contract()
	seen := map[string]bool{}
	var walk func(name string, s map[string]any)
	walk = func(name string, s map[string]any) {
		if ref, ok := s["$ref"].(string); ok {
			of := ref[strings.LastIndex(ref, "/")+1:]
			if !seen[of] {
				seen[of] = true
				walk(of, c.Components.Schemas[of])
			}
			return
		}
		fields, _ := s["properties"].(map[string]any)
		for field, value := range fields {
			of, _ := value.(map[string]any)
			if says, _ := of["description"].(string); says == "" && of["$ref"] == nil {
				t.Errorf("nothing says what %s is in %s", field, name)
			}
			walk(name, of)
		}
		if items, ok := s["items"].(map[string]any); ok {
			walk(name, items)
		}
		kinds, _ := s["oneOf"].([]any)
		for _, kind := range kinds {
			walk(name, kind.(map[string]any))
		}
	}
	for _, op := range c.all {
		if body := op.body(); body != nil {
			walk(op.OperationID, body)
		}
	}
	if len(seen) < 100 {
		t.Errorf("requests have %d types", len(seen))
	}
}
