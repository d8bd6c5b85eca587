package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
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

// witnessing asks whether witnesses are there, with the keys by which the house knows them.
func (x *examination) witnessing(ctx context.Context) {
	w, err := x.witnessMembers()
	if err != nil {
		return // The configuration is blamed already.
	}
	if len(w.Members) == 0 {
		x.warn(counsel{"Nobody outside the house holds its seals", "Start it with --witness"}, "there are none")
	}
	for _, m := range w.Members {
		level, why := levelWarn, "The house goes on without it"
		if m.Policy != wire.Expected {
			level, why = levelFail, "No game is drawn without it"
		}
		name := m.Witness.Name()
		answer, err := x.ask(ctx, m.URL)
		if err != nil {
			x.add(level, counsel{why, "Start it, or see the network between"}, "%s does not answer: %v", name, err)
			continue
		}
		if err := witnessKeys(answer.body, m); err != nil {
			x.add(level, counsel{why + ", and its signatures count for nothing", "Ask its people for its keys, and correct --witness"},
				"%s at %s: %v", name, m.URL, err)
			continue
		}
		x.ok("%s answers", name)
		x.compareClocks(name, answer.at)
	}
}

// witnessKeys holds the keys that a witness of this program tells at its address against those
// that the house was given. What another program answers says nothing of keys.
func witnessKeys(body string, m wire.Member) error {
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if key, ok := strings.CutPrefix(line, "key "); ok && key != fmt.Sprint(m.Witness) {
			return fmt.Errorf("it has the key %s, and --witness says %v", key, m.Witness)
		}
		if key, ok := strings.CutPrefix(line, "links key "); ok && m.Custodian && key != m.LinksKey {
			return fmt.Errorf("it signs commitments by %s, and --witness says %s", key, m.LinksKey)
		}
	}
	return nil
}

// running asks a house that runs.
func (x *examination) running(ctx context.Context) {
	if x.House == "" {
		return
	}
	house := strings.TrimSuffix(x.House, "/")
	answer, err := x.ask(ctx, house+"/readyz")
	said := "is ready"
	if err != nil && x.Follow { // A house that follows takes no commands, and is well all the same.
		answer, err = x.ask(ctx, house+"/healthz")
		said = "is well and takes no commands: it follows, or its log says what it lacks"
	}
	if err != nil {
		x.fail(counsel{"It does not sell", "The operator's address has more at /readyz, and the log names it"}, "%s: %v", x.House,
			err)
		return
	}
	x.ok("%s %s", x.House, said)
	x.compareClocks(x.House, answer.at)
	x.compareVersions(ctx, house)
}

// compareVersions holds this program against the one that runs.
func (x *examination) compareVersions(ctx context.Context, house string) {
	answer, err := x.ask(ctx, house+"/openapi.json")
	if err != nil {
		return // A house that says nothing of it is no other version.
	}
	var told struct{ Info struct{ Version string } }
	if json.Unmarshal([]byte(answer.body), &told) != nil || told.Info.Version == "" {
		return
	}
	if told.Info.Version != build() {
		x.warn(counsel{"What this doctor says of settings may not be so there", "Start the house anew after an update"},
			"%s runs version %s, and this program is %s", x.House, told.Info.Version, build())
		return
	}
	x.ok("it runs this version, %s", build())
}

// compareClocks holds the machine's clock against somebody else's.
func (x *examination) compareClocks(whose string, at time.Time) {
	if at.IsZero() {
		return
	}
	// An answer tells the second that it was made in.
	switch offset := time.Since(at); {
	case offset > clockSlack+examining || offset < -clockSlack:
		x.warn(counsel{"Signatures name times, and games go by them", "Keep both right (NTP)"},
			"the clocks of this machine and of %s differ by %v", whose, offset.Round(time.Second))
	default:
		x.ok("the clocks of this machine and of %s agree", whose)
	}
}

// statusError is an answer that says no.
type statusError string

func (s statusError) Error() string { return "it answers " + string(s) }

// answered is what an address answered, and the time that it named.
type answered struct {
	body string
	at   time.Time // zero if it named none
}

// mostAnswer bounds what is read of an answer.
const mostAnswer = 4 << 20

// ask asks an address. Any answer but one of a fault will do.
func (x *examination) ask(ctx context.Context, url string) (answered, error) {
	return x.askWith(ctx, http.DefaultClient, url)
}

func (x *examination) askWith(ctx context.Context, client *http.Client, url string) (answered, error) {
	ctx, cancel := context.WithTimeout(ctx, examining)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return answered{}, err
	}
	response, err := client.Do(request)
	if err != nil {
		return answered{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusInternalServerError {
		return answered{}, statusError(response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if err != nil {
		return answered{}, err
	}
	at, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		at = time.Time{} // Who does not say the time is there all the same.
	}
	return answered{string(body), at}, nil
}
