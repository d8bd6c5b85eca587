package certify

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/acme"
)

func TestCheckName(t *testing.T) {
	for name, want := range map[string]string{
		"house.example": "", "a.b-c.xn--bcher-kva.example": "", "1.house.example": "",
		"house": "no dot", "192.0.2.7": "is an address", "2001:db8::1": "is an address", "[::1]": "is an address",
		"*.house.example": "wildcard", "https://house.example": "more than a name", "house.example:443": "more than a name",
		"House.example": "'H' is none of", "bücher.example": "xn--", "a_b.example": "'_' is none of",
		"house..example": "two dots", ".example": "two dots", "house.example.": "two dots", "-a.example": "hyphen",
		"house.42": "a number", strings.Repeat("a", 64) + ".example": "longer than 63",
		strings.Repeat("a234567.", 40) + "example": "longer than 253", "": "no dot",
	} {
		if err := CheckName(name); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}

func TestCheckDirectory(t *testing.T) {
	for directory, good := range map[string]bool{
		acme.LetsEncryptURL: true, "https://acme.example:14000/dir?x=1": true, "http://acme.example/dir": false,
		"acme.example": false, "https://": false, "https://a:b@acme.example/": false, "": false, "https://acme.example/#x": false,
	} {
		if err := CheckDirectory(directory); (err == nil) != good {
			t.Errorf("%q: %v", directory, err)
		}
	}
}

// TestFolderOf: each authority has a folder of its own, inside the one of all.
func TestFolderOf(t *testing.T) {
	seen := map[Folder]bool{}
	for _, directory := range []string{acme.LetsEncryptURL, "https://acme-staging-v02.api.letsencrypt.org/directory",
		"https://127.0.0.1:14000/dir", "https://acme.example/../../etc", "https://[::1]/dir"} {
		f := FolderOf("all", directory)
		if filepath.Dir(string(f)) != "all" || seen[f] {
			t.Errorf("%s has %s", directory, f)
		}
		seen[f] = true
	}
}

// TestNeeds: when a person has to see to a certificate depends on how long it lives.
func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		life, at time.Duration
		want     string
	}{
		{90 * day24, 0, ""}, {90 * day24, 68 * day24, ""}, {90 * day24, 70 * day24, "ends on 2031-07-30"},
		{90 * day24, 90 * day24, "ended on 2031-07-30"}, {90 * day24, -time.Second, "begins on 2031-05-01"},
		{6 * day24, 4 * day24, ""}, {6 * day24, 5 * day24, "ends on"}, {47 * day24, 35 * day24, ""}, {47 * day24, 36 * day24, "ends on"},
	} {
		s := Status{Issued: begin, Expires: begin.Add(c.life)}
		err := s.Needs(begin.Add(c.at))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v after %v: %v, want %q", c.life, c.at, err, c.want)
		}
		if renewing(c.life) <= left(c.life) {
			t.Errorf("a certificate of %v needs a person before it is renewed", c.life)
		}
	}
}

func TestPauses(t *testing.T) {
	limited := func(after string) error {
		return fmt.Errorf("the order: %w", &acme.Error{ProblemType: "urn:ietf:params:acme:error:rateLimited",
			Header: http.Header{"Retry-After": {after}}})
	}
	plain := errors.New("no")
	for _, c := range []struct {
		failures int
		err      error
		want     time.Duration
	}{
		{1, plain, time.Minute}, {2, plain, 2 * time.Minute}, {6, plain, 32 * time.Minute}, {7, plain, time.Hour},
		{1000, plain, time.Hour}, {1, limited("7200"), 2 * time.Hour}, {7, limited("60"), time.Hour},
		{1, limited("9000000"), 24 * time.Hour}, {1, limited("soon"), time.Minute}, {1, limited("-5"), time.Minute},
	} {
		if got := pauseAfter(c.failures, c.err); got != c.want {
			t.Errorf("after %d failures and %v it waits %v, want %v", c.failures, c.err, got, c.want)
		}
	}
}
