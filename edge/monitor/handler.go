package monitor

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/pprof"
	"time"

	"drawhouse/house"
)

// health is the answer about a process.
type health struct {
	Status string   `json:"status"`         // ok, or unready
	Role   string   `json:"role,omitempty"` // of a house, at /healthz
	For    Purpose  `json:"for,omitempty"`
	Checks []check  `json:"checks,omitempty"` // all of them, by name
	Alarms *[]alarm `json:"alarms,omitempty"` // where alarms are asked for
}

// check is what became of one.
type check struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`
	// Remedy is what to do, where the check does not hold.
	Remedy string `json:"remedy,omitempty"`
}

// alarm is a part of the house that needs a person.
type alarm struct {
	Part     string    `json:"part"`
	Since    time.Time `json:"since"`
	Sentence string    `json:"sentence"`
	Remedy   string    `json:"remedy"`
	Count    uint64    `json:"count"`
}

func alarmsOf(all []house.Alarm) *[]alarm {
	list := []alarm{}
	for _, a := range all {
		list = append(list, alarm{string(a.Part), a.Since.UTC(), a.Sentence, a.Remedy, a.Count})
	}
	return &list
}

// readyPath is where the first purpose is asked; each further one has its name behind it.
const readyPath = "/readyz"

// PathOf returns where a purpose is asked.
func (r *Readiness) PathOf(of Purpose) string {
	if of == r.first {
		return readyPath
	}
	return readyPath + "/" + string(of)
}

// told returns what there is to say of a purpose, and the status of the answer.
func (r *Readiness) told(ctx context.Context, of Purpose) (int, health) {
	status, h := http.StatusOK, health{Status: "ok", For: of}
	for _, one := range r.Ask(ctx, of) {
		c := check{Name: one.Check, OK: one.Err == nil}
		if !c.OK {
			status, h.Status = http.StatusServiceUnavailable, "unready"
			c.Error, c.Remedy = one.Err.Error(), one.Remedy
		}
		h.Checks = append(h.Checks, c)
	}
	if of == Alarms && r.alarms != nil {
		h.Alarms = alarmsOf(r.alarms())
	}
	return status, h
}

// Handler is what those who run a process are shown, on an address of their own.
func Handler(metrics http.Handler, r *Readiness) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		h := health{Status: "ok"}
		if r.role != nil {
			h.Role = r.role()
		}
		answer(w, http.StatusOK, h)
	})
	for _, of := range r.Purposes() {
		mux.HandleFunc("GET "+r.PathOf(of), func(w http.ResponseWriter, request *http.Request) {
			status, h := r.told(request.Context(), of)
			answer(w, status, h)
		})
	}
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	// The command line stays out: a flag may have the password of the database.
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

func answer(w http.ResponseWriter, status int, h health) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(h) // An error means that the client is gone.
}
