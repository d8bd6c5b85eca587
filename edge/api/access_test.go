package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/edge/terminal"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

const password = "correct horse battery"

// member brings somebody with a role into the house, who can sign on.
func (r *rig) member(role record.Role) uint32 {
	r.t.Helper()
	grant := state.Grant{Role: role}
	if role.AtVenue() {
		grant.Venue = 1
	}
	return r.memberOf(grant)
}

// memberOf brings somebody in with a role at a venue.
func (r *rig) memberOf(grant state.Grant) uint32 {
	r.t.Helper()
	details, err := person.NewDetails("A "+string(grant.Role), "", r.random)
	must(r.t, err)
	must(r.t, r.register.Put(r.t.Context(), details))
	secret, err := person.NewSecret(password, person.LeastCost, r.random)
	must(r.t, err)
	must(r.t, r.register.PutSecret(r.t.Context(), secret))
	add := staff.AddPerson{Details: details.Hash(), Secret: secret.Hash(), Grants: []state.Grant{grant}}
	// After the founding an administrator brings people in.
	all := r.house.People()
	for _, p := range all.Persons() {
		if all.Founded() && !p.Erased && p.Stopped <= record.Of(r.clock.Now()) && p.Has(record.RoleAdministrator, 0) {
			add.By, add.Secret = p.ID, record.Hash{}
		}
	}
	made, err := r.house.Do(r.t.Context(), command.Change{Command: add}, record.By{})
	must(r.t, err)
	id := staff.NumberOf(made)
	if add.By != 0 {
		_, err = r.house.Do(r.t.Context(), command.Change{Command: staff.Invite{By: add.By, Person: id}}, record.By{})
		must(r.t, err)
		_, err = r.house.Do(r.t.Context(), command.Change{Command: staff.SetPassword{By: add.By, Person: id,
			Secret: secret.Hash()}}, record.By{})
		must(r.t, err)
	}
	return id
}

// signOn signs a person on as a machine and returns the header.
func (r *rig) signOn(id uint32) string {
	r.t.Helper()
	var on SignedOn
	r.send(http.MethodPost, "/v1/session", fmt.Sprintf(`{"person":%d,"password":%q,"bearer":true}`, id,
		password)).into(r.t, &on)
	return "Bearer " + on.Token
}

// as sends a request of a person.
func (r *rig) as(header, method, path, body string) reply {
	r.t.Helper()
	return r.send(method, path, body, "Authorization", header)
}

// atTerminal sends a request of a terminal, whatever the path.
func (r *rig) atTerminal(id uint32, method, path, body string) reply {
	r.t.Helper()
	header := r.session(id).Sign(method, path, []byte(body))
	return r.send(method, path, body, terminal.Header, header)
}

// operation is what is asked of the house, and by whom.
type operation struct {
	method, path string
	who          command.Who
}

// may returns who may use an operation.
func (r *rig) may(id string) command.Who {
	r.t.Helper()
	asked, _ := r.handler.(*Server)
	who, ok := asked.server.access[id]
	if !ok {
		r.t.Errorf("nothing says who may use %s", id)
	}
	return who
}

// operations returns every operation that the interface describes.
func (r *rig) operations() map[string]operation {
	r.t.Helper()
	var spec struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	r.send(http.MethodGet, "/openapi.json", "").into(r.t, &spec)
	all := map[string]operation{}
	for path, methods := range spec.Paths {
		for method, op := range methods {
			all[op.OperationID] = operation{strings.ToUpper(method), path, r.may(op.OperationID)}
		}
	}
	return all
}

// fill puts numbers into a path.
func fill(path string) string {
	return strings.NewReplacer("{terminal}", "1", "{number}", "1", "{person}", "1", "{venue}", "1", "{area}", "1",
		"{approval}", "1",
		"{volume}", "1", "{id}", "x", "{day}", "2026-11-15", "{serial}", "x", "{hall}", "1", "{session}", "1", "{game}", "1",
		"{claim}", "1", "{player}", "1",
		"{device}", "1", "{promotion}", "1", "{prize}", "1", "{dispute}", "1").Replace(path)
}

// denied are the codes with which the guard turns somebody away.
var denied = []string{string(SignOnFirst), string(RoleMissing), string(NotFromTerminal), string(TerminalOnly)}

// TestAccess tries every operation as everybody: nobody in particular, a terminal,
// and a person of each role. A person who is in the operation's row passes the guard, and
// nobody else does.
func TestAccess(t *testing.T) {
	r := newRig(t)
	r.openDay()
	operations := r.operations()
	// The inspector is of the founding, before there is an administrator.
	headers := map[record.Role]string{record.RoleInspector: r.signOn(r.member(record.RoleInspector))}
	for _, role := range record.Roles() {
		if role != record.RoleInspector {
			headers[role] = r.signOn(r.member(role))
		}
	}
	tried := 0
	for id, op := range operations {
		row := op.who
		if strings.HasPrefix(id, "follow-") || id == "sign-off" || id == "end-duty" {
			continue // Streams have no end, and the others have tests of their own below.
		}
		path := fill(op.path)
		try := func(who string, a reply, want bool) {
			tried++
			passed := a.status < 400 || !slices.Contains(denied, string(a.fault(t).Code))
			if passed != want {
				t.Errorf("%s as %s: %d %s", id, who, a.status, a.body)
			}
		}
		plain := httptest.NewRecorder()
		r.handler.ServeHTTP(plain, httptest.NewRequest(op.method, path, strings.NewReader("{}")))
		try("nobody", reply{plain.Code, plain.Header(), plain.Body.Bytes()}, row.Everybody)
		try("a terminal", r.atTerminal(1, op.method, path, "{}"), row.Everybody || row.Terminals)
		for role, header := range headers {
			if fromTerminal(path) {
				w := httptest.NewRecorder()
				request := httptest.NewRequest(op.method, path, strings.NewReader("{}"))
				request.Header.Set("Authorization", header)
				r.handler.ServeHTTP(w, request)
				try(string(role), reply{w.Code, w.Header(), w.Body.Bytes()}, row.Everybody)
				continue
			}
			try(string(role), r.as(header, op.method, path, "{}"), row.Everybody || row.SignedOn ||
				slices.Contains(row.Roles, role))
		}
	}
	t.Logf("%d operations, %d trials", len(operations), tried)
	if said := r.log.String(); strings.Contains(said, "level=WARN") || strings.Contains(said, "level=ERROR") {
		t.Errorf("the house was at fault: %s", r.log)
	}
}

// TestNoAdministrationFromATerminal: what is for people is not for terminals, also
// with a person's credential beside the terminal's.
func TestNoAdministrationFromATerminal(t *testing.T) {
	r := newRig(t)
	admin := r.signOn(r.member(record.RoleAdministrator))
	for _, op := range r.operations() {
		if row := op.who; row.Everybody || row.Terminals {
			continue
		}
		path := fill(op.path)
		wantFault(t, r.atTerminal(1, op.method, path, "{}"), 403, "not_from_terminal", "")
		header := r.session(1).Sign(op.method, path, []byte("{}"))
		wantFault(t, r.send(op.method, path, "{}", terminal.Header, header, "Authorization", admin), 403, "two_credentials",
			"")
	}
}

// TestSignedRequests: a request is the terminal's own, as it was sent, and once.
func TestSignedRequests(t *testing.T) {
	r := newRig(t)
	r.openDay()
	body, _ := r.saleBody(1, 1, oneSpot)
	path := salePath(1, 1)
	deliver := func(header, path, body string) reply {
		return r.send(http.MethodPut, path, body, terminal.Header, header)
	}
	header := r.session(1).Sign(http.MethodPut, path, []byte(body))
	wantFault(t, deliver(header, path, strings.Replace(body, "200", "300", 1)), 403, "request_forged", "")
	wantFault(t, deliver(header, salePath(1, 2), body), 403, "request_forged", "")
	deliver(header, path, body).into(t, &Sale{})
	wantFault(t, deliver(header, path, body), 409, "request_replayed", "")
	again := r.session(1).Sign(http.MethodPut, path, []byte(body))
	deliver(again, path, body).into(t, &Sale{}) // The terminal itself may ask again.

	other := r.session(2).Sign(http.MethodPut, salePath(1, 2), []byte(body))
	wantFault(t, deliver(other, salePath(1, 2), body), 403, "terminal_other", "terminal")
	wantFault(t, deliver("nothing 1 00", path, body), 401, "session_over", "")

	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, httptest.NewRequest(http.MethodPut, path, strings.NewReader(body)))
	wantFault(t, reply{w.Code, w.Header(), w.Body.Bytes()}, 401, "sign_on_first", "")
	if g := r.house.First().Games(1)[0]; g.Ordinal != 1 {
		t.Errorf("%+v", g)
	}
}

// TestHello: a hello is signed by the terminal's own key, is of now, and counts once.
func TestHello(t *testing.T) {
	r := newRig(t)
	now := r.clock.Now()
	refused := func(id uint32, key uint32, at time.Time, status int, code, field string) {
		t.Helper()
		_, answer := r.hello(id, terminal.DemoKey(key), at)
		wantFault(t, answer, status, code, field)
	}
	refused(1, 2, now, 403, "hello_wrong", "signature")
	refused(9999, 9999, now, 404, "terminal_unknown", "terminal")
	refused(1, 1, now.Add(-helloDrift-time.Millisecond), 403, "hello_stale", "time")
	refused(1, 1, now.Add(helloDrift+time.Millisecond), 403, "hello_stale", "time")
	if s, _ := r.hello(1, terminal.DemoKey(1), now.Add(-helloDrift)); s == nil {
		t.Error("a hello just in time is refused")
	}
	if s, _ := r.hello(1, terminal.DemoKey(1), now); s == nil {
		t.Error("a later hello is refused")
	}
	// The same hello again, by whoever has heard it.
	said, _, err := terminal.Begin(terminal.DemoKey(1), 1, now, r.random)
	must(t, err)
	again := func() reply {
		return r.send(http.MethodPost, "/v1/terminals/1/hello", fmt.Sprintf(`{"time":%q,"share":%q,"signature":%q}`,
			said.Time.Format(time.RFC3339Nano), said.Share, said.Signature))
	}
	again().into(t, &terminal.Welcome{})
	wantFault(t, again(), 403, "hello_stale", "time")
}

// TestClockPutRight: a terminal whose clock was ahead begins a session at once when its clock is put right.
func TestClockPutRight(t *testing.T) {
	r := newRig(t)
	now := r.clock.Now()
	for _, clock := range []time.Duration{helloDrift, helloDrift + time.Millisecond, 0, time.Second, 0} {
		s, answer := r.hello(1, terminal.DemoKey(1), now.Add(clock))
		if taken := clock <= helloDrift; taken != (s != nil) {
			t.Errorf("a clock that is %v ahead: %d %s", clock, answer.status, answer.body)
		}
	}
}

// TestHellosCountOnce says more hellos than are remembered. None counts twice, and those that are too old to be taken
// are forgotten.
func TestHellosCountOnce(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000)
	var said hellos
	hello := func(i int) terminal.Hello {
		return terminal.Hello{Time: now.Add(time.Duration(i*7%hellosKept) * time.Millisecond), Share: fmt.Sprint(i)}
	}
	for i := range 3 * hellosKept {
		if before := len(said.last); !said.say(hello(i), now) && before < hellosKept {
			t.Fatalf("hello %d is not taken", i)
		}
		for j := range i + 1 {
			if said.say(hello(j), now) {
				t.Fatalf("hello %d counts again after hello %d", j, i)
			}
		}
	}
	if len(said.last) > hellosKept {
		t.Errorf("%d hellos are remembered", len(said.last))
	}
	later := terminal.Hello{Time: now.Add(time.Hour), Share: "later"}
	if !said.say(later, now.Add(time.Hour-helloDrift)) || len(said.last) != 1 {
		t.Errorf("an hour later %d hellos are remembered", len(said.last))
	}
}

// TestRevokedTerminal: a key that is taken away ends its sessions at once, and another
// key begins new ones.
func TestRevokedTerminal(t *testing.T) {
	r := newRig(t)
	r.openDay()
	r.sell(oneSpot)
	admin := r.signOn(r.member(record.RoleAdministrator))
	r.as(admin, http.MethodPost, "/v1/terminals/1/revocation", `{"reason":"stolen"}`).into(t, &Done{})
	body, _ := r.saleBody(1, 2, oneSpot)
	wantFault(t, r.send(http.MethodPut, salePath(1, 2), body), 403, "key_revoked", "terminal")
	_, answer := r.hello(1, terminal.DemoKey(1), r.clock.Now().Add(time.Second))
	wantFault(t, answer, 403, "key_revoked", "terminal")

	taken := terminal.DemoPublic(2)
	wantFault(t, r.as(admin, http.MethodPut, "/v1/terminals/1/key",
		fmt.Sprintf(`{"key":%q}`, base64.StdEncoding.EncodeToString(taken[:]))), 422, "key_wrong", "key")
	public := terminal.DemoPublic(7777)
	r.as(admin, http.MethodPut, "/v1/terminals/1/key",
		fmt.Sprintf(`{"key":%q}`, base64.StdEncoding.EncodeToString(public[:]))).into(t, &Done{})
	wantFault(t, r.send(http.MethodPut, salePath(1, 2), body), 403, "key_revoked", "terminal") // the old session
	s, answer := r.hello(1, terminal.DemoKey(7777), r.clock.Now().Add(2*time.Second))
	if s == nil {
		t.Fatalf("%d %s", answer.status, answer.body)
	}
	r.sessions[1] = s
	r.send(http.MethodPut, salePath(1, 2), body).into(t, &Sale{})
}

// TestTerminalSessionsEnd: a session ends at its time, and with too many others.
func TestTerminalSessionsEnd(t *testing.T) {
	r := newRig(t)
	quote := `{"terminal":1,"method":"verbal","ticket":` + oneSpot + `}`
	first := r.session(1)
	for i := range sessionsEach {
		if s, _ := r.hello(1, terminal.DemoKey(1), r.clock.Now().Add(time.Duration(i+1)*time.Second)); s == nil {
			t.Fatal("no hello")
		} else if i == sessionsEach-1 {
			r.sessions[1] = s
		}
	}
	wantFault(t, r.send(http.MethodPost, "/v1/quote", quote, terminal.Header,
		first.Sign(http.MethodPost, "/v1/quote", []byte(quote))), 401, "session_over", "")
	wantFault(t, r.send(http.MethodPost, "/v1/quote", quote), 409, "not_on_sale", "ticket.first")
	r.clock.advance(terminalLife)
	wantFault(t, r.send(http.MethodPost, "/v1/quote", quote), 401, "session_over", "")
}

// TestBrowserSession: the cookie is for the browser alone, and a page without its
// token can ask and not do.
func TestBrowserSession(t *testing.T) {
	r := newRig(t)
	admin := r.member(record.RoleAdministrator)
	answer := r.send(http.MethodPost, "/v1/session", fmt.Sprintf(`{"person":%d,"password":%q}`, admin, password))
	var on SignedOn
	answer.into(t, &on)
	cookies := (&http.Response{Header: answer.header}).Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode ||
		cookies[0].Path != "/" || on.Token != "" || on.CSRF == "" {
		t.Fatalf("%+v, %+v", cookies, on)
	}
	cookie := cookieName + "=" + cookies[0].Value
	venue := `{"kind":"club","name":"River Club"}`
	wantFault(t, r.send(http.MethodPost, "/v1/venues", venue), 401, "sign_on_first", "")
	wantFault(t, r.send(http.MethodPost, "/v1/venues", venue, "Cookie", cookie), 403, "csrf_missing", "")
	wantFault(t, r.send(http.MethodPost, "/v1/venues", venue, "Cookie", cookie, csrfHeader, "x"+on.CSRF[1:]), 403,
		"csrf_missing", "")
	wantFault(t, r.send(http.MethodPost, "/v1/venues", venue, "Authorization", "Bearer "+cookies[0].Value), 401,
		"session_over", "")
	wantFault(t, r.send(http.MethodPost, "/v1/venues", venue, "Cookie", cookie, csrfHeader, on.CSRF, "Sec-Fetch-Site",
		"cross-site"), 403, "origin_other", "")
	r.send(http.MethodPost, "/v1/venues", venue, "Cookie", cookie, csrfHeader, on.CSRF).into(t, &Numbered{})
	r.send(http.MethodGet, "/v1/venues", "", "Cookie", cookie).into(t, &Venues{})
	machine := strings.TrimPrefix(r.signOn(admin), "Bearer ")
	wantFault(t, r.send(http.MethodGet, "/v1/venues", "", "Cookie", cookieName+"="+machine), 401, "session_over", "")

	r.send(http.MethodDelete, "/v1/session", "", "Cookie", cookie, csrfHeader, on.CSRF).into(t, &Done{})
	wantFault(t, r.send(http.MethodGet, "/v1/venues", "", "Cookie", cookie), 401, "session_over", "")
}

// TestSessionsEnd: a session ends unused, at its time, and when its person is locked,
// erased or has another password.
func TestSessionsEnd(t *testing.T) {
	r := newRig(t)
	admin, other := r.member(record.RoleAdministrator), r.member(record.RoleSupervisor)
	r.member(record.RoleSupervisor) // The last of a role is not locked.
	over := func(header string) {
		t.Helper()
		wantFault(t, r.as(header, http.MethodGet, "/v1/session", ""), 401, "session_over", "")
	}
	header := r.signOn(other)
	r.clock.advance(sessionIdle - time.Second)
	r.as(header, http.MethodGet, "/v1/session", "").into(t, &SignedOn{})
	r.clock.advance(sessionIdle)
	over(header)
	header = r.signOn(other)
	for range int(sessionLife/(20*time.Minute)) - 1 {
		r.clock.advance(20 * time.Minute)
		r.as(header, http.MethodGet, "/v1/session", "").into(t, &SignedOn{})
	}
	r.clock.advance(20 * time.Minute)
	over(header)

	header = r.signOn(other)
	boss := r.signOn(admin)
	r.as(boss, http.MethodPut, fmt.Sprintf("/v1/people/%d/lock", other), `{"locked":true,"reason":"leave"}`).into(t,
		&Done{})
	over(header)
	wantFault(t, r.send(http.MethodPost, "/v1/session", fmt.Sprintf(`{"person":%d,"password":%q}`, other, password)), 403,
		"person_locked", "person")
	r.as(boss, http.MethodPut, fmt.Sprintf("/v1/people/%d/lock", other), `{"locked":false,"reason":"back"}`).into(t,
		&Done{})
	header = r.signOn(other)
	r.as(header, http.MethodPut, "/v1/session/password",
		fmt.Sprintf(`{"old":%q,"new":"another long password"}`, password)).into(t, &Done{})
	over(header)
}

// TestPasswordLockOut: below the limit one may err, at it one is locked, and so the
// journal says; a person who does not exist is answered alike.
func TestPasswordLockOut(t *testing.T) {
	r := newRig(t)
	id := r.member(record.RoleSupervisor)
	try := func(id uint32, password string) reply {
		return r.send(http.MethodPost, "/v1/session", fmt.Sprintf(`{"person":%d,"password":%q}`, id, password))
	}
	for range guessedMost - 1 {
		wantFault(t, try(id, "wrong"), 401, "sign_on_wrong", "")
	}
	try(id, password).into(t, &SignedOn{}) // below: and the count begins anew
	for range guessedMost {
		wantFault(t, try(id, "wrong"), 401, "sign_on_wrong", "")
	}
	answer := try(id, password) // above: also the right one
	wantFault(t, answer, 429, "too_many_attempts", "")
	if after := answer.header.Get("Retry-After"); after != "900" {
		t.Errorf("try again after %s seconds", after)
	}
	if locked, _ := r.house.People().Person(id); locked.Locked != record.Of(r.clock.Now().Add(lockedFor)) {
		t.Errorf("the journal says %+v", locked)
	}
	for range guessedMost {
		wantFault(t, try(9999, "wrong"), 401, "sign_on_wrong", "")
	}
	wantFault(t, try(9999, "wrong"), 429, "too_many_attempts", "")
	r.clock.advance(lockedFor - time.Second)
	wantFault(t, try(id, password), 429, "too_many_attempts", "")
	r.clock.advance(time.Second)
	try(id, password).into(t, &SignedOn{})
}

// TestGuessesFromAnAddress: who tries one person after the other is stopped too.
func TestGuessesFromAnAddress(t *testing.T) {
	r := newRig(t)
	for i := range guessedFrom {
		wantFault(t, r.send(http.MethodPost, "/v1/session", fmt.Sprintf(`{"person":%d,"password":"wrong"}`, 1000+i)), 401,
			"sign_on_wrong", "")
	}
	wantFault(t, r.send(http.MethodPost, "/v1/session", `{"person":5000,"password":"wrong"}`), 429, "too_many_attempts",
		"")
	wantFault(t, r.send(http.MethodPost, "/v1/setup", `{"token":"x","name":"A","password":"x"}`), 429, "too_many_attempts",
		"")
	// A venue may share the address with a guesser: its terminals sign, and count for themselves.
	writer := r.memberOf(state.Grant{Role: record.RoleWriter, Venue: 1})
	if answer := r.atTerminal(1, http.MethodPost, "/v1/terminals/1/shift",
		fmt.Sprintf(`{"person":%d,"password":%q}`, writer, password)); answer.status != 200 {
		t.Errorf("at a terminal of that address: %d %s", answer.status, answer.body)
	}
}

// TestClaimCodeLockOut: wrong claim codes are counted for a ticket at a terminal, and
// for a terminal; elsewhere the holder is paid.
func TestClaimCodeLockOut(t *testing.T) {
	r := newRig(t)
	r.openDay()
	sold, code := r.sell(oneSpot)
	wrong := code
	wrong[0] ^= 1
	for range codesEach {
		answer, _, _ := r.pay(sold.Serial, wrong)
		wantFault(t, answer, 403, "claim_code_other", "claim_code")
	}
	answer, _, _ := r.pay(sold.Serial, code)
	wantFault(t, answer, 429, "too_many_attempts", "")
	if after := answer.header.Get("Retry-After"); after != "600" {
		t.Errorf("try again after %s seconds", after)
	}
	body := fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, sold.Serial, code)
	wantFault(t, r.send(http.MethodPut, "/v1/terminals/2/requests/1/payment", body), 409, "not_drawn", "serial")
	for range codesMost/codesEach - 1 {
		other, otherCode := r.sell(oneSpot)
		otherCode[0] ^= 1
		for range codesEach {
			answer, _, _ := r.pay(other.Serial, otherCode)
			wantFault(t, answer, 403, "claim_code_other", "claim_code")
		}
	}
	fresh, freshCode := r.sell(oneSpot)
	answer, _, _ = r.pay(fresh.Serial, freshCode)
	wantFault(t, answer, 429, "too_many_attempts", "")
	r.clock.advance(codesWindow)
	answer, _, _ = r.pay(fresh.Serial, freshCode)
	wantFault(t, answer, 409, "not_drawn", "serial")
}

// TestSetUp: each token that was printed makes one administrator, who bring in the others;
// they set their passwords by invitations, which count once.
func TestSetUp(t *testing.T) {
	r := newRig(t)
	setUp := func(token, password string) reply {
		return r.send(http.MethodPost, "/v1/setup", fmt.Sprintf(`{"token":%q,"name":"Ada","password":%q}`, token, password))
	}
	wantFault(t, setUp("a guess", password), 403, "token_wrong", "token")
	wantFault(t, setUp("the one-time token", "short"), 422, "password_weak", "password")
	with := func(name, contact string) reply {
		return r.send(http.MethodPost, "/v1/setup",
			fmt.Sprintf(`{"token":"the one-time token","name":%q,"contact":%q,"password":%q}`, name, contact, password))
	}
	wantFault(t, with("", "ada@example.org"), 400, "field_value", "name")
	wantFault(t, with(" ", "ada@example.org"), 422, "details_wrong", "name")
	wantFault(t, with("Ada", strings.Repeat("a", 201)), 422, "details_wrong", "contact")
	var first Numbered
	with("Ada", "").into(t, &first) // Who has no contact to give may say so.
	wantFault(t, setUp("the one-time token", password), 403, "token_wrong", "token")
	var second Numbered
	setUp("the other one-time token", password).into(t, &second)
	wantFault(t, setUp("the other one-time token", password), 403, "token_wrong", "token")
	admin := r.signOn(first.Number)

	var added Numbered
	r.as(admin, http.MethodPost, "/v1/people",
		`{"name":"Ben","contact":"ben@example.org","grants":[{"role":"senior","venue":1}]}`).into(t, &added)
	wantFault(t, r.as(admin, http.MethodPost, "/v1/people", `{"name":"Cy","grants":[{"role":"owner"}]}`), 422,
		"role_unknown", "role")
	var invited Invitation
	r.as(admin, http.MethodPost, fmt.Sprintf("/v1/people/%d/invitation", added.Number), "").into(t, &invited)
	accept := func(token, password string) reply {
		return r.send(http.MethodPost, "/v1/invitations", fmt.Sprintf(`{"token":%q,"password":%q}`, token, password))
	}
	wantFault(t, accept(invited.Token, "short"), 422, "password_weak", "password")
	accept(invited.Token, password).into(t, &Done{})
	wantFault(t, accept(invited.Token, password), 403, "token_wrong", "token")
	r.signOn(added.Number)
	r.as(admin, http.MethodPost, fmt.Sprintf("/v1/people/%d/invitation", added.Number), "").into(t, &invited)
	r.clock.advance(staff.InvitationLife)
	wantFault(t, accept(invited.Token, password), 403, "token_wrong", "token")
	var all People
	r.as(r.signOn(first.Number), http.MethodGet, "/v1/people", "").into(t, &all)
	if last := all.People[len(all.People)-1]; last.Name != "Ben" || !last.HasPassword || len(last.Grants) != 1 {
		t.Errorf("%+v", last)
	}
}

// TestErasure: two persons erase a third; the register forgets, the journal stands.
func TestErasure(t *testing.T) {
	r := newRig(t)
	inspector, admin, gone := r.member(record.RoleInspector), r.member(record.RoleAdministrator),
		r.member(record.RoleWriter)
	boss, other := r.signOn(admin), r.signOn(inspector)
	request := fmt.Sprintf(`{"action":"erase_person","person":%d,"reason":"left"}`, gone)
	erase := func(reason string, approval uint32) reply {
		return r.as(boss, http.MethodPost, fmt.Sprintf("/v1/people/%d/erasure", gone),
			fmt.Sprintf(`{"reason":%q,"approval":%d}`, reason, approval))
	}
	wantFault(t, erase("left", 1), 404, "approval_unknown", "approval")
	var asked Approval
	r.as(boss, http.MethodPost, "/v1/approvals", request).into(t, &asked)
	decide := func(header string) reply {
		return r.as(header, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", asked.Number),
			fmt.Sprintf(`{"content":%q,"granted":true}`, asked.Content))
	}
	wantFault(t, decide(boss), 403, "approval_own", "person")
	wantFault(t, erase("left", asked.Number), 409, "approval_not_given", "approval")
	decide(other).into(t, &asked)
	wantFault(t, erase("left us", asked.Number), 409, "approval_other", "content")
	erase("left", asked.Number).into(t, &Done{})
	var all People
	r.as(other, http.MethodGet, "/v1/people", "").into(t, &all)
	for _, p := range all.People {
		if p.Number == gone && (p.Name != "" || !p.Erased || p.HasPassword) {
			t.Errorf("%+v", p)
		}
	}
	wantFault(t, r.send(http.MethodPost, "/v1/session", fmt.Sprintf(`{"person":%d,"password":%q}`, gone, password)), 401,
		"sign_on_wrong", "")
}

// TestShiftsAndDuty: a writer signs on at a terminal, a supervisor at the central
// site, and a game is not left alone.
func TestShiftsAndDuty(t *testing.T) {
	r := newRig(t)
	r.openDay()
	writer, supervisor := r.member(record.RoleWriter), r.member(record.RoleSupervisor)
	shift := fmt.Sprintf(`{"person":%d,"password":%q}`, writer, password)
	wantFault(t, r.atTerminal(1, http.MethodPost, "/v1/terminals/1/shift",
		strings.Replace(shift, "correct", "corract", 1)), 401, "sign_on_wrong", "")
	r.atTerminal(1, http.MethodPost, "/v1/terminals/1/shift", shift).into(t, &Done{})
	wantFault(t, r.atTerminal(2, http.MethodPost, "/v1/terminals/2/shift", shift), 409, "on_shift", "person")
	wantFault(t, r.atTerminal(2, http.MethodDelete, "/v1/terminals/1/shift", ""), 403, "terminal_other", "terminal")
	r.number++
	body, _ := r.saleBody(1, r.number, oneSpot)
	wantFault(t, r.send(http.MethodPut, salePath(1, r.number),
		strings.Replace(body, `"method"`, fmt.Sprintf(`"player":%d,"method"`, writer), 1)), 422, "staff_barred", "player")
	r.atTerminal(1, http.MethodDelete, "/v1/terminals/1/shift", "").into(t, &Done{})
	wantFault(t, r.atTerminal(1, http.MethodDelete, "/v1/terminals/1/shift", ""), 409, "not_on_shift", "person")

	header := r.signOn(supervisor)
	wantFault(t, r.as(header, http.MethodPost, "/v1/duty", `{"role":"operative"}`), 422, "role_not_held", "role")
	r.as(header, http.MethodPost, "/v1/duty", `{"role":"supervisor"}`).into(t, &Done{})
	r.as(header, http.MethodDelete, "/v1/people/1/duty", "").into(t, &Done{}) // the crew's supervisor goes home
	wantFault(t, r.as(header, http.MethodDelete, "/v1/duty", ""), 409, "game_runs", "person")
	r.as(header, http.MethodPost, "/v1/duty/leave", "").into(t, &Done{})
	var duty OnDuty
	r.as(header, http.MethodGet, "/v1/duty", "").into(t, &duty)
	if i := slices.IndexFunc(duty.Duty, func(d Duty) bool { return d.Person == supervisor }); i < 0 ||
		!duty.Duty[i].Leaves {
		t.Errorf("%+v", duty)
	}
	view, err := r.house.First().View(t.Context())
	must(t, err)
	if !view.Unattended {
		t.Error("a game would open without a supervisor")
	}
}

// TestDisplays: a display gives signs of life; when it falls silent that is recorded,
// and when it comes back.
func TestDisplays(t *testing.T) {
	r := newRig(t)
	admin := r.signOn(r.member(record.RoleAdministrator))
	r.as(admin, http.MethodPost, "/v1/venues/1/areas", `{"number":3,"name":"Bar"}`).into(t, &Done{})
	public := terminal.DemoPublic(benchTerminals + 1)
	var device Numbered
	r.as(admin, http.MethodPost, "/v1/terminals",
		fmt.Sprintf(`{"venue":1,"channel":"display","area":3,"key":%q}`,
			base64.RawURLEncoding.EncodeToString(public[:]))).into(t, &device)
	signs := func() (done Done) {
		t.Helper()
		r.atTerminal(device.Number, http.MethodPost, fmt.Sprintf("/v1/terminals/%d/signs", device.Number),
			`{"screens":["draw"]}`).into(t, &done)
		return done
	}
	works := func() (draw bool) {
		area, _ := r.house.People().Area(1, 3)
		draw = area.Draw
		return draw
	}
	displays := r.handler.(*Server).server.displays
	if signs().Records != 1 || signs().Records != 0 || !works() {
		t.Error("a sign of life is news the first time, and no more")
	}
	r.clock.advance(silence - time.Second)
	must(t, displays.silent(t.Context()))
	if !works() {
		t.Error("silent too early")
	}
	r.clock.advance(time.Second)
	must(t, displays.silent(t.Context()))
	if works() {
		t.Error("a silent display works")
	}
	if signs().Records != 1 || !works() {
		t.Error("a display that is back is no news")
	}
	wantFault(t, r.atTerminal(1, http.MethodPost, "/v1/terminals/1/signs", `{"screens":["draw"]}`), 404, "area_unknown",
		"terminal")
}

// TestPlaces goes once through what an administrator does about places.
func TestPlaces(t *testing.T) {
	r := newRig(t)
	admin := r.signOn(r.member(record.RoleAdministrator))
	r.as(admin, http.MethodPost, "/v1/operators", `{"number":1,"name":"Keno Pty Ltd","licence":"K 1"}`).into(t, &Done{})
	var venue Numbered
	r.as(admin, http.MethodPost, "/v1/venues", `{"kind":"club","name":"River Club","operator":1}`).into(t, &venue)
	hours := fmt.Sprintf("/v1/venues/%d/hours", venue.Number)
	r.as(admin, http.MethodPut, hours, `{"hours":[{"weekday":1,"from":600,"to":1320}]}`).into(t, &Done{})
	wantFault(t, r.as(admin, http.MethodPut, hours, `{"hours":[{"weekday":8,"from":600,"to":1320}]}`), 422, "hours_wrong",
		"hours")
	wantFault(t, r.as(admin, http.MethodPut, "/v1/venues/99/hours", `{"hours":[]}`), 404, "venue_unknown", "venue")
	var all Venues
	r.as(admin, http.MethodGet, "/v1/venues", "").into(t, &all)
	if last := all.Venues[len(all.Venues)-1]; last.Operator != 1 || len(last.Hours) != 1 {
		t.Errorf("%+v", last)
	}
	wantFault(t, r.as(admin, http.MethodPost, "/v1/terminals", `{"venue":1,"channel":"writer","key":"AAAA"}`), 400,
		"field_value", "key")
}

// TestSecurityHeaders: every answer keeps a browser from misusing it.
func TestSecurityHeaders(t *testing.T) {
	r := newRig(t)
	for _, path := range []string{"/v1/board", "/v1/nothing", "/healthz", "/v1/people", "/v1/games"} {
		answer := r.send(http.MethodGet, path, "")
		read := "same-origin"
		if answer.status == http.StatusOK {
			read = "cross-origin" // Everybody may read it, and so may pages.
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": read,
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Strict-Transport-Security": "",
			"X-Frame-Options": "DENY",
		} {
			if got := answer.header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
	}
	secure, err := New(r.house, Options{Secure: true, Register: r.register, Cost: person.LeastCost, Now: r.clock.Now})
	must(t, err)
	r.handler = secure
	answer := r.send(http.MethodPost, "/v1/session",
		fmt.Sprintf(`{"person":%d,"password":%q}`, r.member(record.RoleWriter), password))
	cookies := (&http.Response{Header: answer.header}).Cookies()
	if len(cookies) != 1 || !cookies[0].Secure || answer.header.Get("Strict-Transport-Security") == "" {
		t.Errorf("%+v", answer.header)
	}
}

// TestNoRegister: a house without a register has nobody, and says so.
func TestNoRegister(t *testing.T) {
	r := newRig(t)
	bare, err := New(r.house, Options{})
	must(t, err)
	r.handler = bare
	for path, body := range map[string]string{"/v1/session": `{"person":1,"password":"x"}`,
		"/v1/invitations": `{"token":"x","password":"x"}`} {
		wantFault(t, r.send(http.MethodPost, path, body), 404, "no_register", "")
	}
	wantFault(t, r.send(http.MethodPost, "/v1/setup", `{"token":"x","name":"A","password":"x"}`), 403, "token_wrong",
		"token")
}

// FuzzPeople sends what no page would to every operation that people have, as an
// administrator, and finds no status of 500.
func FuzzPeople(f *testing.F) {
	r := newRig(f)
	admin := r.signOn(r.member(record.RoleAdministrator))
	r.openDay()
	won := r.winners("vic-keno-2015", 10, 20)
	r.as(admin, http.MethodPost, "/v1/claims", claimBody("lost", won[0], "")).into(f, &Claim{})
	var paths [][2]string
	for id, op := range r.operations() {
		if row := op.who; !row.Everybody && !row.Terminals && id != "sign-off" && op.method != http.MethodGet {
			paths = append(paths, [2]string{op.method,
				strings.NewReplacer("{terminal}", "1", "{person}", "2", "{venue}", "1", "{area}", "1", "{approval}", "1", "{claim}",
					"1", "{card}", "1", "{hash}", strings.Repeat("0", 64)).Replace(op.path)})
		}
	}
	slices.SortFunc(paths, func(a, b [2]string) int { return strings.Compare(a[1]+a[0], b[1]+b[0]) })
	for i, path := range paths {
		f.Add(uint8(i),
			`{"role":"writer","venue":1,"name":"A","number":1,"hours":[],"key":"","reason":"x","locked":true,"granted":true}`)
		f.Add(uint8(i), `{}`)
		if !strings.HasPrefix(path[1], "/v1/claims") {
			continue
		}
		f.Add(uint8(i),
			`{"note":"sent","text":"x","satisfied":true,"reason":"x","outcome":"refused","means":"cheque","reference":"1"}`)
		f.Add(uint8(i), claimBody("unreadable", won[1], `,"born":"1990-01-31"`))
	}
	f.Fuzz(func(t *testing.T, at uint8, body string) {
		path := paths[int(at)%len(paths)]
		request := httptest.NewRequest(path[0], path[1], strings.NewReader(body))
		request.Header.Set("Authorization", admin)
		w := httptest.NewRecorder()
		r.handler.ServeHTTP(w, request)
		var e Error
		if w.Code >= 500 || w.Code >= 400 && (json.Unmarshal(w.Body.Bytes(), &e) != nil || e.Fault.Code == "") {
			t.Fatalf("%v with %q: %d %s", path, body, w.Code, w.Body)
		}
	})
}

// TestRoomForSignOn: a person who signs on too often loses their own session that was idle
// longest, and others keep theirs.
func TestRoomForSignOn(t *testing.T) {
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	s := &sessions{now: func() time.Time { return now }, all: map[[sha256.Size]byte]*signOn{}}
	_, theirs := s.begin(state.Person{ID: 2}, false)
	all := make([]*signOn, maxOfOne+2)
	for i := range all {
		now = now.Add(time.Millisecond)
		_, all[i] = s.begin(state.Person{ID: 1}, false)
	}
	for i, x := range all {
		if goesOn := s.all[x.token] == x; goesOn != (i >= 2) {
			t.Errorf("session %d of %d goes on: %t", i+1, len(all), goesOn)
		}
	}
	if s.all[theirs.token] == nil {
		t.Error("somebody else was signed off")
	}
}

// TestSessionsAreFull: with as many sessions as there may be, one that is over ends for a new
// one, and else the one that was used least lately.
func TestSessionsAreFull(t *testing.T) {
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	s := &sessions{now: func() time.Time { return now }, all: map[[sha256.Size]byte]*signOn{}}
	_, first := s.begin(state.Person{ID: 1}, false)
	for id := uint32(2); id <= maxSessions; id++ {
		now = now.Add(time.Millisecond)
		x := &signOn{token: sha256.Sum256(fmt.Append(nil, id)), person: id, begun: now, used: now}
		s.all[x.token] = x
	}
	_, x := s.begin(state.Person{ID: maxSessions + 1}, false)
	if s.all[x.token] != x || s.all[first.token] != nil || len(s.all) != maxSessions {
		t.Errorf("%d sessions, the new one is among them: %t, the oldest: %t", len(s.all), s.all[x.token] == x,
			s.all[first.token] != nil)
	}
	now = now.Add(sessionIdle)
	if _, x = s.begin(state.Person{ID: 1}, false); len(s.all) != 1 || s.all[x.token] != x {
		t.Errorf("%d sessions where all but one are over", len(s.all))
	}
}
