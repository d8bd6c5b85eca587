package monitor

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/pprof"
	"time"
)

// health is the answer about a house.
type health struct {
	Status string   `json:"status"` // ok, or unready
	Check  string   `json:"check,omitempty"`
	Error  string   `json:"error,omitempty"`
	Checks []string `json:"checks,omitempty"` // what was looked at
	Alarms []alarm  `json:"alarms,omitempty"` // they do not change the status
}

// alarm is a part of the house that needs a person.
type alarm struct {
	Part     string    `json:"part"`
	Since    time.Time `json:"since"`
	Sentence string    `json:"sentence"`
	Remedy   string    `json:"remedy"`
	Count    uint64    `json:"count"`
}

func alarmsOf(r *Readiness) (list []alarm) {
	for _, a := range r.Alarms() {
		list = append(list, alarm{string(a.Part), a.Since.UTC(), a.Sentence, a.Remedy, a.Count})
	}
	return list
}

// Handler is what those who run the house are shown, on an address of their own.
func Handler(m *Metrics, r *Readiness) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter,
		_ *http.Request) {
		answer(w, http.StatusOK, health{Status: "ok"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, request *http.Request) {
		err := r.Check(request.Context())
		if err == nil {
			answer(w, http.StatusOK, health{Status: "ok", Checks: r.Names(), Alarms: alarmsOf(r)})
			return
		}
		h := health{Status: "unready", Error: err.Error(), Alarms: alarmsOf(r)}
		if failed := new(Failure); errors.As(err, &failed) {
			h.Check, h.Error = failed.Check, failed.Err.Error()
		}
		answer(w, http.StatusServiceUnavailable, h)
	})
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
