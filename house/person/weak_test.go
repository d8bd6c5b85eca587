package person

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"
)

// TestWeakPasswords refuses what a guesser tries first, each with its sentence.
func TestWeakPasswords(t *testing.T) {
	for password, sentence := range map[string]string{
		"short":                   "characters",
		strings.Repeat("ab", 101): "characters",
		"aaaaaaaaaaaa":            "different characters",
		"ababababababab":          "different characters",
		"Abc!dAbc!dAbc!dAbc!d":    "over and over",
		"abcdefghijklmnop":        "a row",
		"qwertyuiop12":            "a row",
		"1234567890123":           "a row",
		"987654321098":            "a row",
		"Ada-Lovelace-1815":       "your name",
	} {
		var weak *Weak
		if err := CheckPassword(password, "Ada Lovelace"); !errors.As(err, &weak) ||
			!strings.Contains(weak.Sentence, sentence) {
			t.Errorf("%q: %v; want %q", password, err, sentence)
		}
	}
	for _, password := range []string{"correct horse battery", "a stranger's guess", "Grüße aus Köln 7",
		"горячий чай в пять"} {
		if err := CheckPassword(password, "Ada Lovelace", ""); err != nil {
			t.Errorf("%q: %v", password, err)
		}
	}
}

// TestComposedPasswords: the same characters are the same password, however they are
// composed, and an entry of before keeps its password as it was typed.
func TestComposedPasswords(t *testing.T) {
	const composed, apart = "Grüße aus Köln", "Gru\u0308ße aus Ko\u0308ln"
	secret, err := NewSecret(apart, LeastCost, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	salt := make([]byte, saltBytes)
	old := encodeSecret(LeastCost, salt, derive(apart, LeastCost, salt))
	for password, fits := range map[string][2]bool{composed: {true, false}, apart: {true, true},
		"Grusse aus Koln": {false, false}} {
		for i, entry := range []Secret{secret, old} {
			if same, err := entry.Matches(password); err != nil || same != fits[i] {
				t.Errorf("entry %d and %q: %v, %v", i, password, same, err)
			}
		}
	}
}

// TestUnseenNames refuses names that would look like something else.
func TestUnseenNames(t *testing.T) {
	for _, name := range []string{"Ann\x00", "Ann\nsupervisor", "\u202ennA"} {
		if d, err := NewDetails(name, "", rand.Reader); err == nil {
			t.Errorf("%q is kept as %q", name, d.Name)
		}
	}
	if d, err := NewDetails(" Zoe\u0308 ", "", rand.Reader); err != nil || d.Name != "Zoë" {
		t.Errorf("%q %v", d.Name, err)
	}
}

// TestUsualCost holds the cost of a password against RFC 9106, section 4: the second
// recommendation. Only a program that was linked for tests has another.
func TestUsualCost(t *testing.T) {
	t.Parallel()
	if Cheap() || DefaultCost != (Cost{Memory: 64 << 10, Passes: 3, Threads: 1}) {
		t.Errorf("a password costs %+v", DefaultCost)
	}
	secret, err := NewSecret("correct horse battery", DefaultCost, rand.Reader)
	if err != nil || !strings.HasPrefix(string(secret), "$argon2id$v=19$m=65536,t=3,p=1$") {
		t.Fatalf("%s, %v", secret, err)
	}
	if ok, err := secret.Matches("correct horse battery"); err != nil || !ok {
		t.Errorf("the password does not match: %v", err)
	}
}
