package monitor

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestIncidentNewZealand2011: for hours every ticket that was checked was told not to have
// won. The canary asks for tickets that are known to have won, and raises the alarm with
// the first answer that says otherwise.
func TestIncidentNewZealand2011(t *testing.T) {
	var won atomic.Int64
	won.Store(4500)
	house := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/tickets/") {
			_, _ = fmt.Fprintf(w, `{"won_cents":%d}`, won.Load())
			return
		}
		http.NotFound(w, r)
	}))
	defer house.Close()
	c := &Canary{House: house.URL, Client: house.Client(), Winners: []Winner{{"1", 4500}}}
	if err := c.winners(t.Context()); err != nil {
		t.Errorf("while the house tells the truth: %v", err)
	}
	for _, told := range []int64{0, 4499, 450000} {
		won.Store(told)
		if o := c.Try(t.Context()); o.Err == nil ||
			!strings.Contains(o.Err.Error(), fmt.Sprintf("has won 4500 cents, and the house says %d", told)) {
			t.Errorf("the house tells of %d cents: %+v", told, o)
		}
		if c.Last().Err == nil {
			t.Error("the alarm is not raised")
		}
	}
}

// TestCanaryWithoutAnswer has the house say nothing of what a ticket won.
func TestCanaryWithoutAnswer(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"is answered 404":     http.NotFound,
		"without what it won": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{}`)) },
	} {
		house := httptest.NewServer(answer)
		c := &Canary{House: house.URL, Client: house.Client(), Winners: []Winner{{"1", 4500}}}
		if o := c.Try(t.Context()); o.Err == nil || !strings.Contains(o.Err.Error(), name) {
			t.Errorf("%s: %+v", name, o)
		}
		house.Close()
	}
}

func TestParseWinner(t *testing.T) {
	for _, text := range []string{"", "=", "=100", "12=100", "0000000000000000", "0000000000000000=", "0000000000000000=0",
		"0000000000000000=-5", "0000000000000000=1.50"} {
		if w, err := ParseWinner(text); err == nil {
			t.Errorf("%q was read as %v", text, w)
		}
	}
	if w, err := ParseWinner("0000000000000000=4500"); err != nil || w != (Winner{"0000000000000000", 4500}) {
		t.Errorf("%v, %v", w, err)
	}
}

// FuzzParseWinner reads any text as a ticket with what it has won.
func FuzzParseWinner(f *testing.F) {
	f.Add("0000000000000000=4500")
	f.Add("=")
	f.Fuzz(func(t *testing.T, text string) {
		if w, err := ParseWinner(text); err == nil && (w.Cents <= 0 || !strings.HasPrefix(text, w.Serial+"=")) {
			t.Errorf("%q is %+v", text, w)
		}
	})
}
