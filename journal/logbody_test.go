package journal

import (
	"bytes"
	"strings"
	"testing"
)

// twoKeys returns signer and verifier of a house and of its public log.
func twoKeys(t testing.TB, house, origin string) (signers [2]Signer, keys [2]string) {
	t.Helper()
	for i, name := range []string{house, origin} {
		secret, public, err := GenerateKey(bytes.NewReader(bytes.Repeat([]byte{byte(i + 1)}, 64)), name)
		if err != nil {
			t.Fatal(err)
		}
		if signers[i], err = ParseSigner(secret); err != nil {
			t.Fatal(err)
		}
		keys[i] = public
	}
	return signers, keys
}

func logBody(t testing.TB) (LogBody, [2]Signer) {
	t.Helper()
	signers, keys := twoKeys(t, "keno.example", "keno.example/log")
	return LogBody{
		Origin: "keno.example/log", Key: keys[1], HouseKey: keys[0], DeviceKey: keys[0],
		Ended:   []Checkpoint{{Origin: "keno.example/v1", Size: 9, Root: LeafHash([]byte("a"))}},
		Journal: Checkpoint{Origin: "keno.example/v2", Size: 7, Root: LeafHash([]byte("b"))},
	}, signers
}

// TestLogBegins signs the beginning of a log with both keys and opens it with either.
func TestLogBegins(t *testing.T) {
	body, signers := logBody(t)
	note, err := SignLog(body, signers[1], signers[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []string{body.Key, body.HouseKey} {
		opened, err := OpenLog(note, known)
		if err != nil || opened.Marshal() != body.Marshal() {
			t.Errorf("opened by %s: %v", known, err)
		}
	}
	if _, others := twoKeys(t, "other.example", "other.example/log"); others[0] != "" {
		if _, err := OpenLog(note, others[0]); err == nil {
			t.Error("opened by a key that the beginning does not name")
		}
	}
	lines := strings.SplitAfter(string(note), "\n")
	for _, without := range []int{1, 2} {
		cut := strings.Join(append(append([]string{}, lines[:len(lines)-1-without]...), lines[len(lines)-without:]...), "")
		if _, err := OpenLog([]byte(cut), body.Key); err == nil {
			t.Errorf("opened without signature %d", without)
		}
	}
}

// TestLogBodyIsChecked changes one thing of the beginning of a log at a time.
func TestLogBodyIsChecked(t *testing.T) {
	for name, change := range map[string]func(*LogBody){
		"origin of no log":         func(b *LogBody) { b.Origin = "keno.example" },
		"first log with a number":  func(b *LogBody) { b.Origin = "keno.example/log1" },
		"key of another name":      func(b *LogBody) { b.Key = b.HouseKey },
		"no house key":             func(b *LogBody) { b.HouseKey = "" },
		"no device key":            func(b *LogBody) { b.DeviceKey = "" },
		"journal of another house": func(b *LogBody) { b.Journal.Origin = "other.example/v2" },
		"volumes that fall":        func(b *LogBody) { b.Ended[0].Origin = "keno.example/v2" },
		"follows without number":   func(b *LogBody) { b.Before = &Checkpoint{Origin: "keno.example/log", Size: 1} },
		"empty journal with root":  func(b *LogBody) { b.Journal.Size = 0 },
	} {
		body, _ := logBody(t)
		if change(&body); body.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	body, _ := logBody(t)
	_, keys := twoKeys(t, "keno.example", "keno.example/log2")
	body.Origin, body.Key = "keno.example/log2", keys[1]
	if body.Check() == nil {
		t.Error("a second log that follows none")
	}
	body.Before = &Checkpoint{Origin: "keno.example/log", Size: 5, Root: LeafHash(nil)}
	if err := body.Check(); err != nil {
		t.Error(err)
	}
	if read, err := ParseLog(body.Marshal()); err != nil || read.Marshal() != body.Marshal() {
		t.Errorf("read again: %v", err)
	}
}

func FuzzParseLog(f *testing.F) {
	f.Add("drawhouse/public-log/v1\norigin a/log\nkey x\n")
	f.Fuzz(func(t *testing.T, text string) {
		if body, err := ParseLog(text); err == nil && body.Marshal() != text {
			t.Errorf("%q is read and not written so", text)
		}
	})
}
