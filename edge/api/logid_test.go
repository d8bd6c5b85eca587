package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// TestSignOnsInTheLog: a sign-on is a line with who and from where, under the id of its request, and so is one that
// failed; the password is in neither.
func TestSignOnsInTheLog(t *testing.T) {
	r := newRig(t)
	supervisor := r.member(record.RoleSupervisor)
	var log bytes.Buffer
	handler, err := New(r.house, Options{Version: "test", Log: slog.New(slog.NewJSONHandler(&log, nil)),
		Register: r.register, Cost: person.LeastCost, Now: r.clock.Now})
	must(t, err)
	observed := Observed(handler, slog.New(slog.DiscardHandler), nil)
	for i, c := range []struct{ password, want string }{
		{password, "a person has signed on"}, {"a stranger's guess", "a sign-on failed"},
	} {
		log.Reset()
		body := fmt.Sprintf(`{"person":%d,"password":%q,"bearer":true}`, supervisor, c.password)
		request := httptest.NewRequest(http.MethodPost, "/v1/session", strings.NewReader(body))
		request.RemoteAddr = "198.51.100.7:1"
		request.Header.Set(RequestID, fmt.Sprintf("mine-%d", i))
		observed.ServeHTTP(httptest.NewRecorder(), request)
		var line struct {
			Msg, ID, From, Code string
			Person              uint32
		}
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatalf("%v: %s", err, &log)
		}
		if line.Msg != c.want || line.ID != fmt.Sprintf("mine-%d", i) || line.Person != supervisor ||
			line.From != "198.51.100.7" || (line.Code == "") != (i == 0) {
			t.Errorf("the log says %s", &log)
		}
		if strings.Contains(log.String(), c.password) {
			t.Errorf("the log has the password: %s", &log)
		}
	}
}
