package terminal

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// begin begins a session of terminal 7 and returns both ends.
func begin(t testing.TB) (device, house *Session) {
	t.Helper()
	h, secret, err := Begin(DemoKey(7), 7, time.Unix(1, 0), rand.Reader)
	must(t, err)
	public := DemoPublic(7)
	w, house, err := Accept(public[:], 7, h, "abc", time.Unix(2, 0), rand.Reader)
	must(t, err)
	device, err = Finish(secret, 7, h, w)
	must(t, err)
	return device, house
}

func TestSession(t *testing.T) {
	device, house := begin(t)
	for range 3 {
		must(t, house.Check(device.Sign("PUT", "/v1/x?y=1", []byte("body")), "PUT", "/v1/x?y=1", []byte("body")))
	}
}

// TestNothingElsePasses changes, repeats and reorders requests, and forges hellos.
func TestNothingElsePasses(t *testing.T) {
	device, house := begin(t)
	first := device.Sign("PUT", "/a", []byte("body"))
	second := device.Sign("PUT", "/a", []byte("body"))
	for name, c := range map[string]struct {
		header, method, uri, body string
		want                      error
	}{
		"other method":  {first, "POST", "/a", "body", ErrMAC},
		"other address": {first, "PUT", "/b", "body", ErrMAC},
		"other query":   {first, "PUT", "/a?x", "body", ErrMAC},
		"other body":    {first, "PUT", "/a", "bodY", ErrMAC},
		"moved border":  {first, "PUT", "/", "abody", ErrMAC},
		"other counter": {strings.Replace(first, " 1 ", " 9 ", 1), "PUT", "/a", "body", ErrMAC},
		"other session": {strings.Replace(first, "abc", "abd", 1), "PUT", "/a", "body", ErrHeader},
		"no counter":    {strings.Replace(first, " 1 ", " ", 1), "PUT", "/a", "body", ErrHeader},
		"negative":      {strings.Replace(first, " 1 ", " -1 ", 1), "PUT", "/a", "body", ErrHeader},
		"cut":           {first[:len(first)-2], "PUT", "/a", "body", ErrHeader},
		"not digits":    {first[:len(first)-1] + "x", "PUT", "/a", "body", ErrHeader},
		"nothing":       {"", "PUT", "/a", "body", ErrHeader},
	} {
		if err := house.Check(c.header, c.method, c.uri, []byte(c.body)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	must(t, house.Check(second, "PUT", "/a", []byte("body")))
	for name, header := range map[string]string{"replayed": second, "late": first} {
		if err := house.Check(header, "PUT", "/a", []byte("body")); !errors.Is(err, ErrReplayed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, other := begin(t)
	if err := other.Check(device.Sign("PUT", "/a", nil), "PUT", "/a", nil); !errors.Is(err, ErrMAC) {
		t.Errorf("of another session: %v", err)
	}
}

func TestHelloIsSigned(t *testing.T) {
	h, _, err := Begin(DemoKey(7), 7, time.Unix(1, 0), rand.Reader)
	must(t, err)
	public, other := DemoPublic(7), DemoPublic(8)
	later, share, unsigned := h, h, h
	later.Time = later.Time.Add(time.Millisecond)
	share.Share = strings.Repeat("A", len(h.Share))
	unsigned.Signature = ""
	for name, c := range map[string]struct {
		key      []byte
		terminal uint32
		hello    Hello
		want     error
	}{
		"as it is":         {public[:], 7, h, nil},
		"another terminal": {public[:], 8, h, ErrSignature},
		"another key":      {other[:], 7, h, ErrSignature},
		"another time":     {public[:], 7, later, ErrSignature},
		"another share":    {public[:], 7, share, ErrSignature},
		"no signature":     {public[:], 7, unsigned, ErrHello},
		"no key":           {nil, 7, h, ErrHello},
	} {
		if _, _, err := Accept(c.key, c.terminal, c.hello, "abc", time.Unix(2, 0), rand.Reader); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, _, err := Begin(DemoKey(7), 7, time.Unix(1, 0), bytes.NewReader(nil)); err == nil {
		t.Error("a hello without entropy")
	}
	// A share of order one would make the key known to everybody.
	weak := Hello{Time: time.Unix(1, 0), Share: text.EncodeToString(make([]byte, 32))}
	weak.Signature = text.EncodeToString(ed25519.Sign(DemoKey(7), message(7, weak)))
	if _, _, err := Accept(public[:], 7, weak, "abc", time.Unix(2, 0), rand.Reader); !errors.Is(err, ErrHello) {
		t.Errorf("a weak share: %v", err)
	}
}

func FuzzHeader(f *testing.F) {
	_, house := begin(f)
	f.Add("abc 1 00", "PUT", "/a", []byte("x"))
	f.Fuzz(func(t *testing.T, header, method, uri string, body []byte) {
		if house.Check(header, method, uri, body) == nil {
			t.Errorf("%q passes", header)
		}
	})
}

// BenchmarkRequest measures what it costs the house to know whose request it is,
// beside a signature on every request.
func BenchmarkRequest(b *testing.B) {
	body := bytes.Repeat([]byte("x"), 300)
	b.Run("hmac", func(b *testing.B) {
		device, house := begin(b)
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			header := device.Sign("PUT", "/v1/terminals/7/requests/1/sale", body)
			b.StartTimer()
			if err := house.Check(header, "PUT", "/v1/terminals/7/requests/1/sale", body); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("ed25519", func(b *testing.B) {
		public, signature := DemoPublic(7), ed25519.Sign(DemoKey(7), body)
		for b.Loop() {
			if !ed25519.Verify(public[:], body, signature) {
				b.Fatal("not signed")
			}
		}
	})
}
