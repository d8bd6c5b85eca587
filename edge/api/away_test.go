package api

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

// leaving is a store whose database goes away for reads.
type leaving struct {
	*sqlite.Store
	failing atomic.Pointer[error] // what every read fails with
}

func (l *leaving) err() error {
	if err := l.failing.Load(); err != nil {
		return fmt.Errorf("reading: %w", *err)
	}
	return nil
}

func (l *leaving) Contents(ctx context.Context) (store.Contents, error) {
	if err := l.err(); err != nil {
		return store.Contents{}, err
	}
	return l.Store.Contents(ctx)
}

func (l *leaving) Record(ctx context.Context, place record.Place) ([]byte, error) {
	if err := l.err(); err != nil {
		return nil, err
	}
	return l.Store.Record(ctx, place)
}

func (l *leaving) Records(ctx context.Context, volume uint16, from, to uint64,
	fn func(seq uint64, data []byte) error) error {
	if err := l.err(); err != nil {
		return err
	}
	return l.Store.Records(ctx, volume, from, to, fn)
}

func (l *leaving) Tile(ctx context.Context, volume uint16, level uint8, index uint64) ([]byte, error) {
	if err := l.err(); err != nil {
		return nil, err
	}
	return l.Store.Tile(ctx, volume, level, index)
}

func (l *leaving) Object(ctx context.Context, name string) ([]byte, error) {
	if err := l.err(); err != nil {
		return nil, err
	}
	return l.Store.Object(ctx, name)
}

func (l *leaving) About(ctx context.Context, place record.Place) ([]record.Place, error) {
	if err := l.err(); err != nil {
		return nil, err
	}
	return l.Store.About(ctx, place)
}

// TestDatabaseAway: what has to be read from a database that is away is answered with "come again", and is no defect.
// What is a defect has the id of its request in the log once.
func TestDatabaseAway(t *testing.T) {
	var st leaving
	o := officeOf(newRigWith(t, "vic-keno-2015", "hotel", "", benchTerminals, func(_ *rig, c *house.Config) {
		st.Store = c.Store.(*sqlite.Store) //nolint:errcheck // A rig has one.
		c.Store = &st
	}))
	r := o.rig
	r.openDay()
	sold, _ := r.sell(oneSpot)
	game := r.play().Ref
	ask := func(path string) reply { return r.as(o.first, http.MethodGet, path, "") }
	paths := []string{
		"/v1/tickets/" + sold.Serial,
		fmt.Sprintf("/v1/tickets/%s/proof?game=%v/%d", sold.Serial, game.Day, game.Number),
		fmt.Sprintf("/v1/games/%v/%d", game.Day, game.Number), fmt.Sprintf("/v1/games/%v/%d/draw", game.Day, game.Number),
		fmt.Sprintf("/v1/games/%v/%d/code.svg", game.Day, game.Number), "/v1/ledger/csv", "/v1/unclaimed/csv",
	}
	failed := 0
	for _, path := range paths {
		if answer := ask(path); answer.status == http.StatusInternalServerError {
			t.Errorf("%s before: %d %s", path, answer.status, answer.body)
		}
	}
	st.failing.Store(&store.ErrAway)
	for _, path := range paths {
		switch answer := ask(path); {
		case answer.status == http.StatusOK: // It is in memory.
		case answer.status == http.StatusServiceUnavailable && answer.header.Get("Retry-After") != "":
			failed++
		default:
			t.Errorf("%s: %d, Retry-After %q, %s", path, answer.status, answer.header.Get("Retry-After"), answer.body)
		}
	}
	if failed < 3 || strings.Contains(r.log.String(), "internal error") {
		t.Errorf("%d questions have read the journal: %s", failed, r.log)
	}
	st.failing.Store(&store.ErrCorrupt)
	var log bytes.Buffer
	handler, err := New(r.house, Options{Version: "test", Log: slog.New(slog.NewJSONHandler(&log, nil)), Now: r.clock.Now})
	must(t, err)
	for _, h := range []http.Handler{handler, Observed(handler, slog.New(slog.DiscardHandler), nil)} {
		log.Reset()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, paths[0], nil))
		if strings.Count(log.String(), "internal error") != 1 || strings.Count(log.String(), `"id":`) != 1 {
			t.Errorf("the log says %s", &log)
		}
	}
	st.failing.Store(nil)
}
