package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestDo does by drawhouse do what a person may, alone and with the consent of another: whatever a
// house describes can be asked of it, and a line that cannot be meant is said to be so.
func TestDo(t *testing.T) {
	t.Parallel()
	f := founded(t)
	s := f.served
	defer s.stop()
	const admin, supervisor = "1", "2"
	do := func(as string, args ...string) (int, string, string) {
		line := append([]string{"do", "--house=" + s.url, "--as=" + as, "--password-file=" + f.passwordFile}, args...)
		return runLine(t, line...)
	}
	done := func(answer any, as string, args ...string) {
		t.Helper()
		status, out, errs := do(as, args...)
		if status != 0 {
			t.Fatalf("%v: %s", args, errs)
		}
		if err := json.Unmarshal([]byte(out), answer); err != nil {
			t.Fatalf("%v: %s", args, out)
		}
	}
	var added struct{ Number int }
	done(&added, admin, "add-person", "name=Ida Example")
	var asked struct {
		Number  int
		Content string
	}
	done(&asked, admin, "appoint-inspector", fmt.Sprintf("person=%d", added.Number))
	approval := fmt.Sprintf("approval=%d", asked.Number)
	if status, _, errs := do(admin, "use-approval", approval); status != statusRefused ||
		!strings.Contains(errs, "approval_not_given") {
		t.Errorf("%d %s", status, errs)
	}
	// Whom the administrator has brought in today does not count as another person.
	decide := []string{"decide-approval", approval, "content=" + asked.Content}
	if status, _, errs := do(supervisor, append(decide, "granted=true")...); status != statusRefused ||
		!strings.Contains(errs, "one_hand") {
		t.Errorf("%d %s", status, errs)
	}
	var withdrawn struct{ Withdrawn bool }
	if done(&withdrawn, admin, append(decide, "granted=false")...); !withdrawn.Withdrawn {
		t.Error("the request was not withdrawn")
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"no-such"}, "knows no operation no-such"},
		{[]string{"sell"}, "not done by a person"},
		{[]string{"pause", "reason"}, "not a field and its value"},
		{[]string{"pause", "reason=a", "reason=b"}, "there twice"},
		{[]string{"pause", "colour=red"}, "has no field colour"},
		{[]string{"decide-approval", "granted=true"}, "approval is needed"},
		{[]string{"decide-approval", "approval=1", "granted=yes"}, "not true or false"},
		{[]string{"set-limit", "venue=1", "cents=much"}, "not a whole number"},
		{[]string{"add-person", "name=X", "grants={"}, "not JSON"},
		{[]string{"list-people", "--json=-"}, "has no body"},
	} {
		if status, _, errs := do(admin, c.args...); status != statusUsage || !strings.Contains(errs, c.says) {
			t.Errorf("%v: %d %s", c.args, status, errs)
		}
	}
	if status, _, errs := runLine(t, "do", "--house="+s.url, "list-people"); status != statusUsage ||
		!strings.Contains(errs, "say who you are") {
		t.Errorf("%d %s", status, errs)
	}
	if status, out, errs := runLine(t, "do", "--house="+s.url, "list-games"); status != 0 ||
		!strings.Contains(out, `"games"`) {
		t.Errorf("%d %s %s", status, out, errs)
	}
	if _, out, _ := runLine(t, "do", "--house="+s.url); !strings.Contains(out, "decide-approval") ||
		strings.Contains(out, "\nsell ") {
		t.Errorf("listed are\n%s", out)
	}
	if _, out, _ := runLine(t, "do", "--house="+s.url, "--fields",
		"set-limit"); !regexp.MustCompile(`cents +integer +needed`).MatchString(out) {
		t.Errorf("the fields are\n%s", out)
	}
	if status, _, errs := do(admin, "set-limit", "venue=99", "cents=100"); status != statusRefused ||
		!strings.Contains(errs, "venue") {
		t.Errorf("%d %s", status, errs)
	}
}
