package verify_test

import (
	"encoding/json"
	"strings"
	"testing"

	"drawhouse/check/verify"
)

// TestStoryHolds verifies the story of an honest house and compares the figures
// of the report with those of the story.
func TestStoryHolds(t *testing.T) {
	h := newHouse(t, lies{}).tell()
	report := runBothWays(t, h.files(), verify.Options{})
	if !report.OK() {
		t.Fatal(report.Failure)
	}
	text := reportText(t, report)
	for _, want := range []string{
		"keno.example/vic, volume 1: 76 records",
		"agrees with itself",
		"9 tickets for $101.50, each price worked out again; 1 request burned",
		"2 games on 1 day, stakes of $101.50",
		"2 seals", "40 numbers",
		"2 games graded anew: 7 winning plays, prizes of $3,000,682.60, $0.07 kept by rounding, 1 game pro-rated",
		"2 payments of $1,640.00",
		"cash, venue 7                          -$1,538.50",
		"prize_fund                          $3,000,606.54",
		"prizes                             -$2,999,042.60",
		"retained                                  -$25.37",
		"breakage                                   -$0.07",
		"Everything holds.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
}

// TestReportOfKeys shows that the report says what the proof is worth.
func TestReportOfKeys(t *testing.T) {
	h := newHouse(t, lies{}).tell()
	for _, c := range []struct {
		opts verify.Options
		want string
	}{
		{verify.Options{HouseKey: h.about.HouseKey, DeviceKey: h.about.DeviceKey}, "keys: given apart from the export"},
		{verify.Options{HouseKey: h.about.HouseKey}, "may have drawn"},
		{verify.Options{DeviceKey: h.about.DeviceKey}, "may have signed it"},
		{verify.Options{}, "with keys from elsewhere"},
	} {
		if text := reportText(t, verify.Run(h.files(), c.opts)); !strings.Contains(text, c.want) {
			t.Errorf("the report does not say %q:\n%s", c.want, text)
		}
	}
}

// TestReportOfFailure shows a failure to people and to programs.
func TestReportOfFailure(t *testing.T) {
	h := newHouse(t, reprice("five spots", 199)).tell()
	report := verify.Run(h.files(), verify.Options{})
	const sentence = "requests: record 1:14 (ticket sold): it was sold for $1.99, and its bets cost $2.00"
	if text := reportText(t, report); !strings.Contains(text, "DOES NOT HOLD\n"+sentence+"\n") ||
		strings.Contains(text, "Everything holds") {
		t.Errorf("the report is\n%s", text)
	}
	data, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	const failure = `"failure":{"check":"requests","record":"1:14","kind":"ticket sold","reason":"it was sold for $1.99, and its bets cost $2.00","field":"cost","stated":"$1.99","due":"$2.00"}`
	if !strings.Contains(string(data), failure) {
		t.Errorf("the report is %s", data)
	}
}

func reportText(t *testing.T, report *verify.Report) string {
	t.Helper()
	var b strings.Builder
	if err := report.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
