package web

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"drawhouse/internal/prooftest"
	"drawhouse/journal"
	"drawhouse/receipt"
)

// sealHouse is a house as far as the page of a seal asks it.
type sealHouse struct {
	server *httptest.Server
	// logged is the proof that the seal is in the log; nil while there is none.
	logged atomic.Pointer[string]
	full   prooftest.Case
}

func newSealHouse(t *testing.T) *sealHouse {
	t.Helper()
	cases := prooftest.New(t).Cases()
	c := &sealHouse{full: cases[slices.IndexFunc(cases,
		func(c prooftest.Case) bool { return c.Name == "in the log, two of three witnesses" })]}
	full := prooftest.New(t).Full()
	mux := http.NewServeMux()
	mux.Handle("/", handler(t))
	answer := func(path string, f func() any) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(f())
		})
	}
	answer("/v1/games/2026-11-15/417", func() any {
		return map[string]any{"day": "2026-11-15", "game": 417, "house_key": c.full.Evidence.HouseKey,
			"seal": map[string]any{"fingerprint": full.Evidence.Fingerprint, "note": string(full.Evidence.Seal)}}
	})
	answer("/v1/witnesses", func() any {
		list := []map[string]any{}
		for _, key := range c.full.Evidence.WitnessKeys {
			list = append(list, map[string]any{"name": strings.Split(key, "+")[0], "key": key})
		}
		return map[string]any{"witnesses": list, "log_key": c.full.Evidence.LogKey}
	})
	mux.HandleFunc("GET /v1/games/2026-11-15/417/seal.tlog-proof", func(w http.ResponseWriter, _ *http.Request) {
		text := c.logged.Load()
		if text == nil {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"error":{"code":"not_logged","sentence":"The witnesses have cosigned no checkpoint yet."}}`))
			return
		}
		_, _ = w.Write([]byte(*text))
	})
	c.server = httptest.NewServer(mux)
	t.Cleanup(c.server.Close)
	return c
}

// log puts the seal into the log, as the proof of the ticket has it, changed.
func (c *sealHouse) log(t *testing.T, change func(string) string) {
	t.Helper()
	var p struct {
		LogProof string `json:"log_proof"`
	}
	if err := json.Unmarshal(c.full.Proof, &p); err != nil || p.LogProof == "" {
		t.Fatalf("%v, %q", err, p.LogProof)
	}
	text := change(p.LogProof)
	c.logged.Store(&text)
}

// TestSealPage opens the page of a seal as the code on a wall does: while the seal is not in the log, when it is, with
// a proof that is damaged, and from a wall that showed another seal.
func TestSealPage(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	c := newSealHouse(t)
	size(t, ctx, 390, 844)
	text, _, _ := strings.Cut(string(prooftest.New(t).Full().Evidence.Seal), "\n\n")
	body, err := journal.ParseSeal(text + "\n")
	if err != nil {
		t.Fatal(err)
	}
	address := receipt.SealAddress(c.server.URL, "2026-11-15/417", body.Hash())
	show := func(address, wait string) string {
		t.Helper()
		if err := chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address)); err != nil {
			t.Fatal(err)
		}
		return awaitText(t, ctx, wait)
	}
	show(address, "The witnesses have cosigned no checkpoint yet.")
	asked := requests(t, ctx)
	said := complaints(t, ctx)
	c.log(t, func(text string) string { return text })
	shown := show(address, "Sealed, and in the public log")
	for _, want := range []string{body.Fingerprint(), "It is the seal whose code you scanned.",
		"The seal is entry 257 of drawhouse.example/log", "inspector.example had seen this public log", "university.example had seen"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the page does not say %q but\n%s", want, shown)
		}
	}
	looks(t, ctx)
	if said := said(); len(said) != 0 {
		t.Errorf("the console says %q", said)
	}
	hash := body.Hash()
	for _, address := range asked() {
		if !strings.HasPrefix(address, c.server.URL+"/") && address != "about:blank" ||
			strings.Contains(address, base64.RawURLEncoding.EncodeToString(hash[:6])) {
			t.Errorf("the page asked for %s", address)
		}
	}
	other := receipt.SealAddress(c.server.URL, "2026-11-15/417", journal.LeafHash(nil))
	show(other, "It is another seal than the one whose code you scanned.")
	c.log(t, func(text string) string { return strings.Replace(text, "index 257", "index 256", 1) })
	show(address, "The entry is not shown to be in the public log.")
}
