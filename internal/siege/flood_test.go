package siege

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"drawhouse/internal/outside"
)

// follow opens an event stream, and leaves when it has begun.
func follow(ctx context.Context, url string) outside.Answer {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return outside.Answer{Err: err}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return outside.Answer{Err: err}
	}
	defer func() { _ = response.Body.Close() }()
	return outside.Answer{Status: response.StatusCode, Header: response.Header}
}

// floods are sudden crowds: strangers who read, terminals that all say the same, streams
// that are opened and left, guesses of passwords.
var floods = []func(w *world, ctx context.Context){
	func(w *world, ctx context.Context) {
		var paths []string
		for _, id := range w.ids {
			if op := w.operations[id]; op.method == http.MethodGet && slices.Contains(op.access, "everybody") &&
				!strings.HasPrefix(id, "follow-") {
				paths = append(paths, strings.NewReplacer("{hall}", "1", "{session}", "1", "{game}", "1", "{serial}",
					"1234567890123456", "{day}", w.today(), "{number}", "0001", "{id}", "vic-keno-2015").Replace(op.path))
			}
		}
		crowd(200, func(i int) { w.h.AskIn(ctx, http.MethodGet, paths[i%len(paths)], nil) })
	},
	func(w *world, ctx context.Context) {
		crowd(400, func(i int) {
			for range 5 {
				w.h.AskIn(ctx, http.MethodGet, fmt.Sprintf("/v1/hall/%d", 1+i%9), nil)
			}
		})
	},
	func(w *world, ctx context.Context) {
		crowd(100, func(int) {
			w.h.AskIn(ctx, http.MethodPut, "/v1/terminals/1/requests/1/sale", outside.M{}, "Drawhouse-Terminal", "x 1 y")
		})
	},
	func(w *world, ctx context.Context) { crowd(50, func(int) { follow(ctx, w.h.URL+"/v1/events") }) },
	func(w *world, ctx context.Context) {
		crowd(20, func(i int) {
			w.strangers.AskIn(ctx, http.MethodPost, "/v1/session",
				outside.M{"person": 90000 + i, "password": "wrong wrong wrong", "bearer": true})
		})
	},
	func(w *world, ctx context.Context) {
		short, hangUp := context.WithCancel(ctx)
		crowd(60, func(i int) {
			if i == 30 {
				hangUp()
			}
			w.strangers.AskIn(short, http.MethodPost, "/v1/session",
				outside.M{"person": 1, "password": fmt.Sprint("wrong wrong wrong", i)})
		})
		hangUp()
	},
}

func crowd(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}
