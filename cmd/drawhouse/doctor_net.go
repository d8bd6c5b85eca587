package main

import (
	"context"
	"net/http"
	"strings"
	"time"

	"drawhouse/check/witness/wire"
	"drawhouse/house"
)

// examining is how long somebody else may take to answer the doctor.
const examining = 5 * time.Second

// witnessMembers reads who cosigns.
func (x *examination) witnessMembers() (house.Witnesses, error) {
	return (&serveCmd{x.serveFlags}).witnesses()
}

// witnessing asks whether witnesses are there.
func (x *examination) witnessing(ctx context.Context) {
	w, err := x.witnessMembers()
	if err != nil {
		return // The configuration is blamed already.
	}
	if len(w.Members) == 0 {
		x.warn("witnesses", "there are none: nobody outside the house holds its seals. Start it with --witness")
	}
	for _, m := range w.Members {
		at, err := x.ask(ctx, m.URL)
		switch {
		case err != nil && m.Policy != wire.Expected:
			x.fail("witnesses", "%s does not answer, and no game is drawn without it: %v", m.Witness.Name(), err)
		case err != nil:
			x.warn("witnesses", "%s does not answer: %v", m.Witness.Name(), err)
		default:
			x.ok("witnesses", "%s answers", m.Witness.Name())
			x.compareClocks(m.Witness.Name(), at)
		}
	}
}

// running asks a house that runs.
func (x *examination) running(ctx context.Context) {
	if x.House == "" {
		return
	}
	house := strings.TrimSuffix(x.House, "/")
	at, err := x.ask(ctx, house+"/readyz")
	said := "is ready"
	if err != nil && x.Follow { // A house that follows takes no commands, and is well all the same.
		at, err = x.ask(ctx, house+"/healthz")
		said = "is well and takes no commands: it follows, or its log says what it lacks"
	}
	if err != nil {
		x.fail("running", "%s: %v; the operator's address has more at /readyz, and the log names it", x.House, err)
		return
	}
	x.ok("running", "%s %s", x.House, said)
	x.compareClocks(x.House, at)
}

// compareClocks holds the machine's clock against somebody else's.
func (x *examination) compareClocks(whose string, at time.Time) {
	if at.IsZero() {
		return
	}
	// An answer tells the second that it was made in.
	switch offset := time.Since(at); {
	case offset > clockSlack+examining || offset < -clockSlack:
		x.warn("clock", "this machine and %s differ by %v; keep both right (NTP)", whose, offset.Round(time.Second))
	default:
		x.ok("clock", "this machine and %s agree", whose)
	}
}

// statusError is an answer that says no.
type statusError string

func (s statusError) Error() string { return "it answers " + string(s) }

// ask asks an address, and returns the time that the answer names. Any answer but one
// of a fault will do.
func (x *examination) ask(ctx context.Context, url string) (time.Time, error) {
	return x.askWith(ctx, http.DefaultClient, url)
}

func (x *examination) askWith(ctx context.Context, client *http.Client, url string) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, examining)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return time.Time{}, err
	}
	response, err := client.Do(request)
	if err != nil {
		return time.Time{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusInternalServerError {
		return time.Time{}, statusError(response.Status)
	}
	at, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return time.Time{}, nil // Who does not say the time is there all the same.
	}
	return at, nil
}
