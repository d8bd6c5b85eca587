package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"drawhouse/edge/api"
	"drawhouse/house/live"
	"drawhouse/internal/cases"
)

// TestSuccessorHouse asks a house that plays by the edition for a successor system: its games are found by four digits,
// and board and catalogue say how numbers and codes are written.
func TestSuccessorHouse(t *testing.T) {
	file := cases.File{Rulebook: "tas-keno-2023", Clause: "9.2", Path: "successor_test.go"}
	var served *cases.Served
	if err := file.Run(cases.Scenario{{Number: 1, Operation: "house successor"}},
		func(f cases.Founding) (cases.House, error) {
			var err error
			served, err = serve(t, f)
			return served, err
		}); err != nil {
		t.Fatal(err)
	}
	get := func(path string, into any) int {
		t.Helper()
		answer := httptest.NewRecorder()
		served.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, http.NoBody))
		if answer.Code == http.StatusOK {
			if err := json.Unmarshal(answer.Body.Bytes(), into); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		return answer.Code
	}
	for path, want := range map[string]int{"0000": 200, "0": 200, "0001": 404, "10000": 404, "00": 404, "000": 404, "00000": 404} {
		var g api.Game
		if got := get("/v1/games/2026-11-15/"+path, &g); got != want {
			t.Errorf("game %s: %d, want %d", path, got, want)
		}
	}
	var board live.Board
	get("/v1/board", &board)
	var offer api.Catalogue
	get("/v1/catalogue", &offer)
	if board.Series[0].GameDigits != 4 || offer.GameDigits != 4 || offer.SerialForm != "to27" {
		t.Errorf("the board has %d digits, the catalogue %d and codes of the form %s", board.Series[0].GameDigits,
			offer.GameDigits,
			offer.SerialForm)
	}
}
