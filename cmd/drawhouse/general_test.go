package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/core/serial"
	"drawhouse/rulebook/rules"
)

// TestGeneralHouses founds a house by each rulebook of a game that was not in the specification, sells half of the
// numbers with the feature, draws, pays a ticket that has won, prints it, and has the journal verified.
func TestGeneralHouses(t *testing.T) {
	for _, c := range []struct {
		id, bet, feature string
		cents            int
		prints           string // its stake, as the country writes it
	}{
		{"mi-club-keno", "club_keno", "multiplier", 100, " $1.00\n"},
		{"gr-kino-bonus", "kino", "lucky_last", 50, " 0,50 EUR\n"},
	} {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			o := newOwner(t, "--rulebook="+c.id)
			var serials []string
			for n := 1; n <= 80; n += 2 {
				serials = append(serials, o.sellFeature(c.id, c.bet, c.feature, n, c.cents))
			}
			o.printsTicket(1, c.prints)
			var course struct{ Newest int }
			o.done(&course, 1, "get-course")
			o.waitForResult(course.Newest)
			paid := 0
			for i, number := range serials {
				if o.claims(number, generalCode(2*i+1)) {
					paid++
				}
			}
			if paid == 0 { // once in 25 million houses
				t.Error("none of 40 tickets has won, one number each")
			}
			o.stop()
			export := filepath.Join(t.TempDir(), "export")
			if status, _, errs := runLine(t, "journal", "export", "--data="+o.dir, export); status != 0 {
				t.Fatal(errs)
			}
			status, out, errs := runLine(t, "verify", export)
			if book, err := rules.Book(c.id); err != nil || status != 0 || !strings.Contains(out, book.Hash().String()) {
				t.Fatal(out, errs, err)
			}
		})
	}
}

// generalCode is the claim code of a request.
func generalCode(request int) serial.ClaimCode { return serial.ClaimCode{7, byte(request)} }

// sends sends a request of the terminal, the next one, and reads the answer.
func (o *owner) sends(what, body string) (status int, answer map[string]any, text string) {
	o.t.Helper()
	o.request++
	status, out, errs := runLine(o.t, "terminal", "send", "--house="+o.url, "--key="+o.key, "PUT",
		fmt.Sprintf("/v1/terminals/1/requests/%d/%s", o.request, what), body)
	if status != 0 {
		return status, nil, out + errs
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		o.t.Fatal(out, err)
	}
	return status, answer, out
}

// sellFeature sells one number with a feature in the game on sale, and keeps the house's answer in a file.
func (o *owner) sellFeature(id, bet, feature string, number, cents int) (serial string) {
	o.t.Helper()
	hash := generalCode(number).Hash(1, uint64(o.request+1))
	status, answer, text := o.sends("sale",
		fmt.Sprintf(`{"method":"form","claim_hash":"%x","ticket":{"v":1,"rulebook":%q,"first":"open","bets":[{"bet":%q,"spots":[%d],"stake_cents":%d,"with":{%q:{}}}]}}`,
			hash[:], id, bet, number, cents, feature))
	if status != 0 || answer["cost_cents"] != float64(2*cents) {
		o.t.Fatalf("%d %s", status, text)
	}
	if err := os.WriteFile(o.soldFile(number), []byte(text), 0o600); err != nil {
		o.t.Fatal(err)
	}
	serial, _ = answer["serial"].(string)
	return serial
}

func (o *owner) soldFile(number int) string {
	return filepath.Join(filepath.Dir(o.key), fmt.Sprintf("sold-%d.json", number))
}

// claims presents a ticket, and reports whether it was paid.
func (o *owner) claims(serial string, code serial.ClaimCode) bool {
	o.t.Helper()
	status, answer, text := o.sends("payment", fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, serial, code))
	switch paid, _ := answer["paid_cents"].(float64); {
	case status == 0 && paid > 0:
		return true
	case strings.Contains(text, "no_prize"):
		return false
	}
	o.t.Fatalf("ticket %s: %d %s", serial, status, text)
	return false
}

// printsTicket prints a ticket and looks for its stake.
func (o *owner) printsTicket(number int, stake string) {
	o.t.Helper()
	status, out, errs := runLine(o.t, "receipt", o.soldFile(number))
	if status != 0 || !strings.Contains(out, stake) {
		o.t.Errorf("the receipt does not say %q: %d %s %s", stake, status, out, errs)
	}
}
