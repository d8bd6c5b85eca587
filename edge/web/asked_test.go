package web

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"drawhouse/edge/client/openapi"
)

// TestOfficeNamesTheSeries: what the office asks and sends goes with the series of games that it is about exactly where
// the operation is about one: the house refuses a parameter that an operation does not know.
func TestOfficeNamesTheSeries(t *testing.T) {
	t.Parallel()
	s := openShop(t, "vic-keno-2015")
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	var d openapi.Description
	s.must(json.Unmarshal(w.Body.Bytes(), &d))
	asks := regexp.MustCompile("desk\\.(get|send|getOfHouse|sendOfHouse)\\((?:\"([A-Z]+)\", )?[`\"](/v1/[^`\"]*)")
	looked := 0
	s.must(fs.WalkDir(embedded, "assets/office", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		code, err := embedded.ReadFile(name)
		for _, ask := range asks.FindAllStringSubmatch(string(code), -1) {
			method := ask[2]
			if method == "" {
				method = http.MethodGet
			}
			path, _, _ := strings.Cut(regexp.MustCompile(`\$\{[^}]*\}`).ReplaceAllString(ask[3], "1"), "?")
			for _, op := range d.Operations() {
				route := "^" + regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(op.Path, "[^/]+") + "$"
				if op.Method != method || !regexp.MustCompile(route).MatchString(path) {
					continue
				}
				looked++
				ofSeries := false
				for _, p := range op.Parameters {
					ofSeries = ofSeries || p.Name == "series"
				}
				if ofSeries == strings.HasSuffix(ask[1], "OfHouse") {
					t.Errorf("%s: desk.%s asks %s, which is about a series: %t", name, ask[1], op.OperationID, ofSeries)
				}
			}
		}
		return err
	}))
	if looked < 40 {
		t.Errorf("%d requests of the office were looked at", looked)
	}
}
