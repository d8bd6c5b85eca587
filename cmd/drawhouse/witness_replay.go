package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"drawhouse/check/witness"
	"drawhouse/check/witness/replay"
	"drawhouse/core/contain"
	"drawhouse/journal"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/rulebook/rules"
)

// replayFlags let a witness keep the records of a house and grade them.
type replayFlags struct {
	Replay string        `placeholder:"URL" help:"Follow the house at URL, keep its records, grade every one of them, and cosign only what holds."`
	Keep   string        `type:"path" placeholder:"DIR" help:"Where the records are kept, for --replay; without it beside --state."`
	Every  time.Duration `default:"500ms" help:"How often the house is asked for what is new, for --replay (${default})."`
}

// answering is how long a house may take for one answer.
const answering = 30 * time.Second

// replaying is a witness that follows its house.
type replaying struct {
	store    store.Store
	follower *replay.Follower
	house    []journal.Verifier
	every    time.Duration
}

// open opens what was kept, and grades it again.
func (c *replayFlags) open(ctx context.Context, state string, logs []string, asks journal.Signer,
	log *slog.Logger) (*replaying, error) {
	if c.Keep == "" {
		c.Keep = state + ".journal"
	}
	if c.Every <= 0 {
		return nil, misused("--every", errors.New("it must be more than nothing"))
	}
	var verifiers []journal.Verifier
	for _, text := range logs {
		v, err := journal.ParseVerifier(text)
		if err != nil {
			return nil, misused("--log", err)
		}
		verifiers = append(verifiers, v)
	}
	for _, v := range verifiers[1:] {
		if v.Name() != verifiers[0].Name() {
			return nil, misused("--replay", errors.New("it follows one house: give the keys of one as --log"))
		}
	}
	books, err := carried()
	if err != nil {
		return nil, err
	}
	st, err := sqlite.Open(ctx, c.Keep, store.FirstLane)
	if err != nil {
		return nil, misused("--keep", err)
	}
	remote := &replay.Remote{
		URL: strings.TrimSuffix(c.Replay, "/"), House: verifiers[0].Name(), Signer: asks,
		Now: func() int64 { return time.Now().Unix() }, HTTP: &http.Client{Timeout: answering},
	}
	follower, err := replay.Open(ctx,
		replay.Config{Source: remote, Store: st, HouseKeys: logs, Rulebooks: books, HasClause: rules.Has, Log: log})
	if err != nil {
		return nil, errors.Join(misused("--keep", err), st.Close())
	}
	return &replaying{store: st, follower: follower, house: verifiers, every: c.Every}, nil
}

// handler adds to what a witness answers: its records, for the house that asks for what
// it has lost, and what it disagrees with, for everybody.
func (r *replaying) handler(witnessing http.Handler) (http.Handler, error) {
	source, ok := r.store.(store.Source)
	if !ok {
		return nil, fmt.Errorf("a %T cannot be read as a whole", r.store)
	}
	mux := http.NewServeMux()
	mux.Handle("/", witnessing)
	mux.Handle("/v1/", replay.Handler(source, r.permit))
	mux.HandleFunc("GET /v1/difference", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		kept := r.follower.Kept()
		// A client that is gone asks again.
		_ = json.NewEncoder(w).Encode(struct {
			Kept       string              `json:"kept"`
			Difference *witness.Difference `json:"difference"`
		}{kept.String(), r.follower.Difference()})
	})
	return mux, nil
}

// permit lets the house pass, which signs with a key that the witness knows.
func (r *replaying) permit(request *http.Request) error {
	err := errors.New("nobody has signed the question")
	for _, v := range r.house {
		header := request.Header.Get(witness.AskHeader)
		if err = witness.CheckAsk(header, v, v.Name(), request.URL.RequestURI(), time.Now().Unix()); err == nil {
			return nil
		}
	}
	return err
}

// follow follows the house until the context ends, and then gives the records up.
func (r *replaying) follow(ctx context.Context) (stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	contain.Go("following the house", func() error { r.follower.Run(ctx, r.every); return nil },
		func(error) { close(done) })
	return func() error {
		cancel()
		<-done
		return r.store.Close()
	}
}
