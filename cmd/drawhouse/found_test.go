package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"drawhouse/internal/outside"
)

// TestFound founds a house that is no demonstration and takes it to its first sale by
// what an operator has: the link at its start, the interface and the command line.
func TestFound(t *testing.T) {
	t.Parallel()
	ada := founded(t)
	s := ada.served
	s.waitForSale()
	key := filepath.Join(t.TempDir(), "till.pem")
	_, public, _ := runLine(t, "terminal", "key", key)
	ada.staff("terminal", "add", strings.Fields(public)[1], "--venue=1")
	ticket := `{"method":"form","claim_hash":"` + strings.Repeat("0", 64) +
		`","ticket":{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","spots":[7],"stake_cents":100}]}}`
	if status, out, errs := runLine(t, "terminal", "send", "--house="+s.url, "--key="+key, "PUT",
		"/v1/terminals/1/requests/1/sale", ticket); status != 0 {
		t.Errorf("%d %s %s", status, out, errs)
	}
	s.stop()
	s.verify()
}

// TestFoundOnce: a house is founded once, in an empty place, under a name that a seal can
// bear; what was refused leaves nothing behind that could pass for a house.
func TestFoundOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"keno example", "--rulebook=vic-keno-2015"}, "NAME: "},
		{append(decided(t, "nsw-bingo-2019"), "bingo.example", "--schedule=schedule-1"),
			"is of bingo, which has no schedules"},
		{[]string{"keno.example", "--rulebook=none"}, "--rulebook: "},
		{append(decided(t, "vic-keno-2015"), "keno.example", "--schedule=none"), "it has schedule-1, "},
		{[]string{"keno.example", "--rulebook=vic-keno-2015"},
			"examples are not for sale: keno.catalogue (clause 2(a).standard-superplay)"},
		{[]string{"keno.example", "--rulebook=casino-keno-div2"}, "keno.limits (clause 5.4(a))"},
	} {
		status, _, errs := runLine(t, append(append([]string{"found"}, c.args...), "--data="+
			filepath.Join(dir, "refused"))...)
		if status != statusUsage || !strings.Contains(errs, c.says) {
			t.Errorf("%v: %d %s", c.args, status, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "refused")); err == nil {
		t.Error("a refusal has left a directory")
	}
	for i, says := range []string{"", "there is a house already"} {
		if _, _, errs := runLine(t, append([]string{"found", "keno.example", "--data=" + dir},
			decided(t, "tas-keno-2023")...)...); i > 0 && !strings.Contains(errs, says) || i == 0 && errs != "" {
			t.Errorf("%d: %s", i, errs)
		}
	}
}

// TestEmptyJournalIsNoHouse: a founding that was broken off before its first record is not
// gone on with as something else.
func TestEmptyJournalIsNoHouse(t *testing.T) {
	t.Parallel()
	flags := storageFlags{Data: t.TempDir()}
	st, err := flags.create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := runLine(t, "serve", "--addr=127.0.0.1:0", "--data="+flags.Data); status != statusUsage ||
		!strings.Contains(errs, "holds no house; drawhouse found makes one") {
		t.Errorf("%d %s", status, errs)
	}
}

// founder is the administrator of a house that was founded.
type founder struct {
	*served
	passwordFile string
}

// staff does something as the administrator, who is the first person of the house.
func (f founder) staff(args ...string) string {
	f.t.Helper()
	args = append(append([]string{"staff"}, args...), "--house="+f.url, "--as=1", "--password-file="+f.passwordFile)
	status, out, errs := runLine(f.t, args...)
	if status != 0 {
		f.t.Fatalf("%v: %s", args, errs)
	}
	return out
}

// signOn returns the credential of a person.
func (f founder) signOn(person int) string {
	f.t.Helper()
	var on struct{ Token string }
	answer := f.fetch(http.MethodPost, "/v1/session", "",
		fmt.Sprintf(`{"person":%d,"password":%q,"bearer":true}`, person, founderPassword))
	if err := json.Unmarshal(answer, &on); err != nil {
		f.t.Fatal(err)
	}
	return "Bearer " + on.Token
}

// founderPassword is everybody's: the test is of the founding.
const founderPassword = "correct horse battery"

// founded founds a house that is no demonstration, and has its people settle in.
func founded(t *testing.T) founder {
	t.Helper()
	s, setup := foundedBy(t, decided(t, "vic-keno-2015")...)
	return s.settleIn(setup)
}

// decided returns the flags that found a house by a rulebook of the program, in an edition that takes over its
// examples.
func decided(t *testing.T, id string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "edition.yaml")
	if status, _, errs := runLine(t, "rulebook", "new", "--base="+id, file); status != 0 {
		t.Fatal(errs)
	}
	return []string{"--rulebook=" + file, "--reference=decision 1"}
}

// foundedBy founds a house and starts it, and returns what makes its administrator.
func foundedBy(t *testing.T, flags ...string) (house *served, setup string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	status, out, errs := runLine(t, append([]string{"found", "keno.example", "--data=" + dir}, flags...)...)
	if status != 0 ||
		!regexp.MustCompile(`house key  keno\.example\+\S+\ndevice key keno\.example/device\+\S+\n`).MatchString(out) {
		t.Fatalf("%d %s %s", status, out, errs)
	}
	if status, out, _ := runLine(t, "keys", "list", "--data="+dir); status != 0 ||
		!regexp.MustCompile(`house\.key +house +1 +keno\.example\+`).MatchString(out) {
		t.Errorf("the keys are\n%s", out)
	}
	s := &served{t: t, name: outside.Program(t), dir: dir}
	s.endWithTest()
	s.begin(append([]string{"serve", "--addr=127.0.0.1:0", "--data=" + dir}, quick...)...)
	link := regexp.MustCompile(`web/setup.html#(\S+)`).FindStringSubmatch(s.said)
	if link == nil || strings.Contains(s.said, "DEMONSTRATION") {
		t.Fatalf("the house says %q", s.said)
	}
	return s, link[1]
}

// settleIn makes the administrator, a venue, and everybody who has to be there before a game
// opens and a ticket is sold. Further administrators come first.
func (s *served) settleIn(setup string, further ...string) founder {
	s.t.Helper()
	f := founder{s, filepath.Join(s.t.TempDir(), "password")}
	if err := os.WriteFile(f.passwordFile, []byte(founderPassword), 0o600); err != nil {
		s.t.Fatal(err)
	}
	f.fetch(http.MethodPost, "/v1/setup", "",
		fmt.Sprintf(`{"token":%q,"name":"Ada Example","password":%q}`, setup, founderPassword))
	f.fetch(http.MethodPost, "/v1/venues", f.signOn(1), `{"kind":"hotel","name":"Corner Hotel"}`)
	for _, token := range further {
		f.fetch(http.MethodPost, "/v1/setup", "",
			fmt.Sprintf(`{"token":%q,"name":"Ben Example","password":%q}`, token, founderPassword))
	}
	for i, duty := range []struct{ role, body string }{{"supervisor", `{"role":"supervisor"}`},
		{"senior@1", `{"role":"senior","venue":1}`}} {
		token := regexp.MustCompile(`token (\S+) `).FindStringSubmatch(f.staff("add", "Somebody", "--role="+duty.role))
		if status, _, errs := runLine(s.t, "staff", "accept", token[1], "--house="+s.url, "--password-file="+
			f.passwordFile); status != 0 {
			s.t.Fatal(errs)
		}
		f.fetch(http.MethodPost, "/v1/duty", f.signOn(i+2+len(further)), duty.body)
	}
	return f
}
