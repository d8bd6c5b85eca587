package api

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/edge/terminal"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// brittleHouse has a defect: a reason for a pause that begins with "poison" panics in the
// lane.
type brittleHouse struct {
	*house.House
	panics atomic.Int64
}

func (h *brittleHouse) DoIn(ctx context.Context, series uint8, c command.Command, by record.By) (record.Body, error) {
	pause, _ := c.(command.Pause)
	if !strings.HasPrefix(pause.Reason, "poison") {
		return h.House.DoIn(ctx, series, c, by)
	}
	return h.House.DoIn(ctx, series, inLane(func() {
		h.panics.Add(1)
		panic(pause.Reason)
	}), by)
}

// inLane is a command that decides nothing, and does something while the lane decides.
type inLane func()

// Decide implements command.Command.
func (do inLane) Decide(*state.State, *command.Env) (command.Decision, error) {
	do()
	return command.Decision{}, nil
}

// brittle puts an interface before a house with a defect, observed as in a process. What
// serve does for a house whose lane has stopped is done beside it.
func (r *rig) brittle() *brittleHouse {
	r.t.Helper()
	b := &brittleHouse{House: r.house}
	interfaces, err := New(b, Options{Version: "test", Log: logTo(r.log), Register: r.register, Cost: person.LeastCost,
		Now: r.clock.Now})
	must(r.t, err)
	r.handler = Observed(interfaces, logTo(r.log), nil)
	return b
}

// rejoin has a house whose lane has panicked open its journal again.
func (r *rig) rejoin() {
	r.t.Helper()
	<-r.house.Done()
	if reason := r.house.Rest(); !errors.Is(reason, lane.ErrPanicked) {
		r.t.Fatalf("the house rests because of %v", reason)
	}
	must(r.t, r.house.Rejoin(context.Background()))
}

// TestPoisonRequest sends a request that panics in the lane a thousand times. It panics once:
// then it is refused, sales go on, neither log nor memory grow with it, and it is tried again
// when its time is over, which is longer each time.
func TestPoisonRequest(t *testing.T) {
	r := newRig(t)
	r.openDay()
	b := r.brittle()
	supervisor := r.signOn(r.member(record.RoleSupervisor))
	send := func(reason string) reply {
		return r.as(supervisor, http.MethodPost, "/v1/operator/pause", fmt.Sprintf(`{"reason":%q}`, reason))
	}
	if fault := send("poison").fault(t); fault.Code != Internal ||
		!strings.Contains(fault.Sentence, "Do not send it again") {
		t.Fatalf("the first is answered %+v", fault)
	}
	r.rejoin()
	said, before := r.log.Len(), memory()
	for i := range 1000 {
		answer := send("poison")
		wantFault(t, answer, http.StatusConflict, "request_held", "")
		if i%100 == 0 {
			r.sell(oneSpot)
		}
	}
	if n := b.panics.Load(); n != 1 {
		t.Errorf("the house panicked %d times", n)
	}
	if more := r.log.String()[said:]; strings.Contains(more, "panic") || strings.Count(more, "\n") > 20 {
		t.Errorf("the log was told:\n%s", more)
	}
	if after := memory(); after > before+4<<20 {
		t.Errorf("%d bytes more after a thousand", after-before)
	}
	if r.house.Err() != nil {
		t.Errorf("the lane has stopped: %v", r.house.Err())
	}
	// Its time is over: it is tried again, and held for twice as long.
	for _, held := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute} {
		r.clock.advance(held - time.Second)
		wantFault(t, send("poison"), http.StatusConflict, "request_held", "")
		r.clock.advance(time.Second)
		wantFault(t, send("poison"), http.StatusInternalServerError, "internal", "")
		r.rejoin()
	}
	// Others are not kept from anything.
	other := r.signOn(r.member(record.RoleSupervisor))
	r.as(other, http.MethodPost, "/v1/operator/pause", `{"reason":"a break"}`).into(t, &Done{})
	r.as(other, http.MethodPost, "/v1/operator/resume", ``).into(t, &Done{})
	r.sell(oneSpot)
}

// TestPoisonSender: who finds other words for the same defect is held himself, for that
// operation, and nobody else is.
func TestPoisonSender(t *testing.T) {
	r := newRig(t)
	r.openDay()
	b := r.brittle()
	one, other := r.signOn(r.member(record.RoleSupervisor)), r.signOn(r.member(record.RoleSupervisor))
	send := func(header, reason string) reply {
		return r.as(header, http.MethodPost, "/v1/operator/pause", fmt.Sprintf(`{"reason":%q}`, reason))
	}
	for i := range poisonFew + 1 {
		wantFault(t, send(one, fmt.Sprint("poison ", i)), http.StatusInternalServerError, "internal", "")
		r.rejoin()
	}
	for i := range 100 {
		wantFault(t, send(one, fmt.Sprint("poison number ", i)), http.StatusConflict, "request_held", "")
	}
	wantFault(t, send(one, "a break"), http.StatusConflict, "request_held", "")
	r.as(one, http.MethodPut, "/v1/operator/notice", `{"text":"Hello."}`).into(t, &Done{})
	send(other, "a break").into(t, &Done{})
	if n := b.panics.Load(); n != poisonFew+1 {
		t.Errorf("the house panicked %d times", n)
	}
	r.clock.advance(time.Minute)
	r.as(one, http.MethodPost, "/v1/operator/resume", ``).into(t, &Done{})
	send(one, "a longer break").into(t, &Done{})
}

// TestPoisonIsBounded: what is remembered has an end, and what is held longest stays.
func TestPoisonIsBounded(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	p := newPoison(func() time.Time { return now })
	for range 5 {
		p.add("the worst", "")
	}
	for i := range 3 * poisonMost {
		p.add(fmt.Sprint(i), fmt.Sprint("sender ", i))
		now = now.Add(time.Millisecond)
	}
	if len(p.contents) != poisonMost || len(p.senders) != poisonMost {
		t.Errorf("%d contents and %d senders are remembered", len(p.contents), len(p.senders))
	}
	if p.check("the worst", "") == nil || p.check("0", "") != nil {
		t.Error("the wrong ones are forgotten")
	}
}

// memory returns how much is in use.
func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestHandlerPanics: a handler that panics answers 500 with a sentence, raises one alarm for
// its operation however often it does so, and the rest goes on. One that has begun to answer
// is cut off, so that nobody takes half an answer for the whole.
func TestHandlerPanics(t *testing.T) {
	r := newRig(t)
	r.openDay()
	server, _ := r.handler.(*Server)
	server.server.mux.HandleFunc("GET /v1/broken/{what}",
		func(_ http.ResponseWriter, req *http.Request) { panic(req.PathValue("what")) })
	server.server.mux.HandleFunc("GET /v1/half", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("event: tick\n"))
		panic("half")
	})
	pages := server.Contained(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a page") }))
	mux := http.NewServeMux()
	mux.Handle("/", server)
	mux.Handle("GET /page/", pages)
	r.handler = Observed(mux, logTo(r.log), nil)
	for i := range 1000 {
		answer := r.send(http.MethodGet, fmt.Sprint("/v1/broken/", i), "")
		if fault := answer.fault(t); answer.status != http.StatusInternalServerError || fault.ID == "" ||
			!strings.Contains(fault.Sentence, "defect of its program") {
			t.Fatalf("%d %s", answer.status, answer.body)
		}
	}
	wantFault(t, r.send(http.MethodGet, "/page/", ""), http.StatusInternalServerError, "internal", "")
	web := httptest.NewServer(r.handler)
	defer web.Close()
	if answer, err := http.Get(web.URL + "/v1/half"); err == nil {
		if got, err := io.ReadAll(answer.Body); err == nil {
			t.Errorf("half an answer is taken for the whole: %s", got)
		}
		_ = answer.Body.Close()
	}
	counts := map[string]uint64{}
	for _, a := range r.house.Alarms() {
		if a.Part != house.PartInterface || strings.Contains(a.Sentence, "999") || a.Remedy == "" {
			t.Errorf("alarm %+v", a)
		}
		counts[a.Key] = a.Count
	}
	if len(counts) != 3 || counts["the request GET /v1/broken/{what}"] != 1000 ||
		counts["the request GET /v1/half"] != 1 || counts["the request GET /page/"] != 1 {
		t.Errorf("alarms %v", counts)
	}
	r.sell(oneSpot)
}

// brittleDisplays has another defect: to record a silent display panics in the lane.
type brittleDisplays struct {
	*house.House
	asked int
}

func (h *brittleDisplays) Do(ctx context.Context, c command.Command, by record.By) (record.Body, error) {
	if change, ok := c.(command.Change); ok {
		if _, ok := change.Command.(staff.ReportDisplay); ok {
			h.asked++
			return nil, fmt.Errorf("lane: %w", &lane.Panic{Value: "a display"})
		}
	}
	return h.House.Do(ctx, c, by)
}

// TestSilentDisplayPanics: a silent display whose record panics in the lane is not tried every
// second, because the house opens its journal again each time. The error is told once.
func TestSilentDisplayPanics(t *testing.T) {
	r := newRig(t)
	admin := r.signOn(r.member(record.RoleAdministrator))
	r.as(admin, http.MethodPost, "/v1/venues/1/areas", `{"number":3,"name":"Bar"}`).into(t, &Done{})
	public := terminal.DemoPublic(benchTerminals + 1)
	var device Numbered
	r.as(admin, http.MethodPost, "/v1/terminals",
		fmt.Sprintf(`{"venue":1,"channel":"display","area":3,"key":%q}`,
			base64.RawURLEncoding.EncodeToString(public[:]))).into(t, &device)
	r.atTerminal(device.Number, http.MethodPost, fmt.Sprintf("/v1/terminals/%d/signs", device.Number),
		`{"screens":["draw"]}`).into(t, &Done{})
	server, _ := r.handler.(*Server)
	broken := &brittleDisplays{House: r.house}
	server.server.displays.house = broken
	r.clock.advance(silence)
	told := 0
	for range 3600 {
		if server.server.displays.look(t.Context()) != nil {
			told++
		}
		r.clock.advance(time.Second)
	}
	if broken.asked != 6 || told != 1 { // after 0, 1, 3, 7, 15 and 31 minutes
		t.Errorf("tried %d times in an hour, told %d times", broken.asked, told)
	}
}
