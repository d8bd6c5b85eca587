package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestStaffRecover: the last administrator has lost the password; on the machine a new one is
// set, the house opens again, the administrator signs on, and the inspector is told.
func TestStaffRecover(t *testing.T) {
	t.Parallel()
	s := serve(t)
	link := regexp.MustCompile(`make its administrator, once: (\S+)/web/setup.html#(\S+)`).FindStringSubmatch(s.said)
	if link == nil || !strings.Contains(s.said, "make its second administrator, once: ") {
		t.Fatalf("the house says %q", s.said)
	}
	status, answer, err := s.ask(http.MethodPost, "/v1/setup",
		map[string]any{"token": link[2], "name": "Ada", "password": "correct horse battery"})
	if err != nil || status != http.StatusOK {
		t.Fatalf("%d %v %v", status, answer, err)
	}
	number := fmt.Sprint(answer["number"])
	s.stop()
	file := filepath.Join(t.TempDir(), "password")
	recover := func(password, number, reason string) (int, string) {
		if err := os.WriteFile(file, []byte(password+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		status, _, errs := runLine(t, "staff", "recover", number, reason, "--data="+s.dir, "--password-file="+file)
		return status, errs
	}
	if status, errs := recover("aaaaaaaaaaaa", number, "lost"); status == 0 ||
		!strings.Contains(errs, "different characters") {
		t.Errorf("a weak password: %d %s", status, errs)
	}
	if status, errs := recover("staple battery horse", "1", "lost"); status == 0 ||
		!strings.Contains(errs, "no administrator") {
		t.Errorf("a person who is no administrator: %d %s", status, errs)
	}
	// A device in a process of its own has its key there.
	key := filepath.Join(s.dir, "keys", "device.key")
	if err := os.Rename(key, file+".device"); err != nil {
		t.Fatal(err)
	}
	if status, errs := recover("staple battery horse", number, "the password was lost"); status != 0 {
		t.Fatal(errs)
	}
	if status, _, errs := runLine(t, "keys", "rotate", "serials", "--data="+s.dir); status != 0 {
		t.Errorf("another volume without the key of the device: %s", errs)
	}
	if err := os.Rename(file+".device", key); err != nil {
		t.Fatal(err)
	}
	s.start()
	if status, _, err := s.ask(http.MethodPost, "/v1/session",
		map[string]any{"person": answer["number"], "password": "correct horse battery", "bearer": true}); err != nil ||
		status != http.StatusUnauthorized {
		t.Errorf("with the old password: %d %v", status, err)
	}
	if status, signed, err := s.ask(http.MethodPost, "/v1/session",
		map[string]any{"person": answer["number"], "password": "staple battery horse", "bearer": true}); err != nil ||
		status != http.StatusOK {
		t.Errorf("with the new password: %d %v %v", status, signed, err)
	}
	s.stop()
	out := filepath.Join(t.TempDir(), "export")
	if status, _, errs := runLine(t, "journal", "export", "--data="+s.dir, out); status != 0 {
		t.Fatal(errs)
	}
	if status, report, errs := runLine(t, "verify", out); status != 0 ||
		!strings.Contains(report, "the password was lost") {
		t.Errorf("verify does not list the recovery: %d %s %s", status, report, errs)
	}
}
