package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// TestKeys: a request that is sent again under its key is answered again and not carried out again, also by a house
// that was started anew; another request under the key is refused, and after a day the key is free.
func TestKeys(t *testing.T) {
	var config house.Config
	r := newRigWith(t, "vic-keno-2015", "hotel", "", 2, func(_ *rig, c *house.Config) { config = *c })
	r.openDay()
	admin, other := r.signOn(r.member(record.RoleAdministrator)), r.signOn(r.member(record.RoleAdministrator))
	const key = "5f0c2b9e-0b7e-4b52-9a55"
	send := func(by, path, key, body string) reply {
		t.Helper()
		return r.asWith(by, http.MethodPost, path, body, KeyHeader, key)
	}
	venue := func(by, key, name string) reply {
		t.Helper()
		return send(by, "/v1/venues", key, fmt.Sprintf(`{"kind":"club","name":%q}`, name))
	}
	number := func(a reply) uint32 {
		t.Helper()
		var made Numbered
		a.into(t, &made)
		return made.Number
	}
	venues := func() (count int) {
		t.Helper()
		var all Venues
		r.as(admin, http.MethodGet, "/v1/venues", "").into(t, &all)
		return len(all.Venues)
	}
	first := number(venue(admin, key, "River Club"))
	again := func(when string) {
		t.Helper()
		if second := number(venue(admin, key, "River Club")); second != first || venues() != 2 {
			t.Errorf("%s: venue %d, first %d, of %d", when, second, first, venues())
		}
	}
	again("at once")
	wantFault(t, venue(admin, key, "Lake Club"), 422, "request_key_other", KeyHeader)
	wantFault(t, send(admin, "/v1/venues?series=1", key, `{"kind":"club","name":"River Club"}`), 422, "request_key_other", KeyHeader)
	if hill := number(venue(other, key, "Hill Club")); hill == first {
		t.Error("the key of a person is that of another one")
	}
	wantFault(t, venue(admin, "short", "Lake Club"), 400, "request_key_wrong", KeyHeader)
	wantFault(t, venue(admin, strings.Repeat("k", mostKey+1), "Lake Club"), 400, "request_key_wrong", KeyHeader)
	wantFault(t, venue(admin, "key with spaces in it", "Lake Club"), 400, "request_key_wrong", KeyHeader)
	wantFault(t, send(admin, "/v1/session", key, "{}"), 400, "request_key_unused", KeyHeader)

	// What was refused was not carried out: the key waits for what is.
	wantFault(t, venue(admin, key+"-2", "River Club"), 422, "venue_wrong", "name")
	lake := number(venue(admin, key+"-2", "Lake Club"))
	if lake == first {
		t.Error("what was refused is answered as something else")
	}
	// People, with an entry of the register that a second one would leave behind, and requests for consent.
	ben := number(send(admin, "/v1/people", key+"-3", `{"name":"Ben","contact":""}`))
	if twice := number(send(admin, "/v1/people", key+"-3", `{"name":"Ben","contact":""}`)); twice != ben {
		t.Errorf("persons %d and %d", ben, twice)
	}
	ask := fmt.Sprintf(`{"action":"erase_person","person":%d,"reason":"left"}`, ben)
	var asked, askedAgain Approval
	send(admin, "/v1/approvals", key+"-4", ask).into(t, &asked)
	send(admin, "/v1/approvals", key+"-4", ask).into(t, &askedAgain)
	if asked.Number != askedAgain.Number {
		t.Errorf("requests %d and %d", asked.Number, askedAgain.Number)
	}

	// Many at once: one is carried out.
	var wait sync.WaitGroup
	answers := make([]reply, 8)
	for i := range answers {
		wait.Go(func() { answers[i] = venue(admin, key+"-5", "Sea Club") })
	}
	wait.Wait()
	for _, a := range answers {
		if a.status != 200 && string(a.fault(t).Code) != "request_key_taken" {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	before := venues()

	ctx := context.Background()
	must(t, r.house.Close(ctx))
	var err error
	r.house, err = house.Open(ctx, config)
	must(t, err)
	r.handler, err = New(r.house, Options{Version: "test", Log: logTo(r.log), Register: r.register, Cost: person.LeastCost,
		Now: r.clock.Now})
	must(t, err)
	admin = r.signOn(adminOf(t, r))
	if second := number(venue(admin, key, "River Club")); second != first || venues() != before {
		t.Errorf("after a start: venue %d, first %d", second, first)
	}
	r.clock.advance(24 * time.Hour)
	admin = r.signOn(adminOf(t, r))
	wantFault(t, venue(admin, key, "River Club"), 422, "venue_wrong", "name") // Two venues have not one name.
	number(venue(admin, key, "Bay Club"))
}

// adminOf returns the first administrator of a house.
func adminOf(t *testing.T, r *rig) uint32 {
	t.Helper()
	for _, p := range r.house.People().Persons() {
		if p.Has(record.RoleAdministrator, 0) {
			return p.ID
		}
	}
	t.Fatal("nobody administers the house")
	return 0
}

// asWith is as with a header.
func (r *rig) asWith(header, method, path, body string, more ...string) reply {
	r.t.Helper()
	return r.send(method, path, body, append([]string{"Authorization", header}, more...)...)
}

// TestWhatTakesKeys: the description says of every operation that takes a key that it does, and every other POST
// refuses one.
func TestWhatTakesKeys(t *testing.T) {
	g := newGuest(t)
	takes := 0
	for _, rt := range g.routes() {
		if rt.method != http.MethodPost || rt.name == "sign-on" {
			continue
		}
		if rt.again != nil {
			takes++
			continue
		}
		wantFault(t, g.ask(&rt, rt.method, addressOf(rt.path), "{}", KeyHeader, "5f0c2b9e-0b7e-4b52-9a55"), 400, "request_key_unused",
			KeyHeader)
	}
	said := 0
	d := g.description()
	d.each(func(_, _ string, op described) {
		for _, p := range op.Parameters {
			if p.Name == KeyHeader && p.In == "header" {
				said++
			}
		}
	})
	if takes < 50 || takes != said {
		t.Errorf("%d operations take keys, %d say so", takes, said)
	}
}
