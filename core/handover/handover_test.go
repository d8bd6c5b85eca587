package handover_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/handover"
)

const head = "drawhouse open tickets 1\nsystem: Old Keno\nrulebook: tas-keno-2023\ncurrency: AUD\nas of: 2026-11-17\ncode,cents,kind,until\n"

func newKey() (ed25519.PrivateKey, ed25519.PublicKey) {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
	public, _ := key.Public().(ed25519.PublicKey)
	return key, public
}

// TestRead reads back what was signed, and signs a signed file anew.
func TestRead(t *testing.T) {
	t.Parallel()
	key, public := newKey()
	signed, err := handover.Sign([]byte(head+"4711000000000017,12300,prize,2027-05-01\n4711000000000025,500,refund,\n"),
		key)
	if err != nil {
		t.Fatal(err)
	}
	file, err := handover.Read(signed, public)
	if err != nil {
		t.Fatal(err)
	}
	want := []handover.Ticket{
		{Code: "4711000000000017", Cents: 12300, Kind: handover.Prize, Until: day.MustParse("2027-05-01")},
		{Code: "4711000000000025", Cents: 500, Kind: handover.Refund},
	}
	sum, err := file.Total()
	if file.System != "Old Keno" || file.Rulebook != "tas-keno-2023" || file.Currency != "AUD" ||
		file.AsOf.String() != "2026-11-17" ||
		fmt.Sprint(file.Tickets) != fmt.Sprint(want) || sum != 12800 || err != nil {
		t.Errorf("%+v comes to %v, %v", file, sum, err)
	}
	if again, err := handover.Sign(signed, key); err != nil || !bytes.Equal(again, signed) {
		t.Errorf("signed anew: %s, %v", again, err)
	}
	if line := strings.Split(string(signed), "\n")[handover.Line(1)-1]; !strings.HasPrefix(line, "4711000000000025,") {
		t.Errorf("line %d is %s", handover.Line(1), line)
	}
}

// TestFaults: what is wrong is named by line and field.
func TestFaults(t *testing.T) {
	t.Parallel()
	key, public := newKey()
	row := func(text string) string { return head + text + "\n" }
	many := strings.Builder{}
	for i := range handover.MostTickets + 1 {
		fmt.Fprintf(&many, "A%015d,1,prize,\n", i)
	}
	for text, want := range map[string]string{
		"": "the last line has no end", "drawhouse open tickets 1\n": "there are 1 lines",
		strings.TrimSuffix(head, "\n"): "the last line has no end",
		head:                           "there are 6 lines",
		strings.Replace(row("47110017,1,prize,"), "1\n", "2\n", 1):             "line 1, must be",
		strings.Replace(row("47110017,1,prize,"), "system: ", "system:", 1):    "line 2, system: the line must begin",
		strings.Replace(row("47110017,1,prize,"), "Old Keno", "Old, Keno", 1):  "line 2, system: must have",
		strings.Replace(row("47110017,1,prize,"), "Old Keno", " Old", 1):       "line 2, system: must have",
		strings.Replace(row("47110017,1,prize,"), "2026-11-17", "17.11.26", 1): "line 5, as of: must be a date",
		strings.Replace(row("47110017,1,prize,"), "code,cents", "cents", 1):    "line 6, must be",
		row("47110017,1,prize"):                                         "line 7, has 3 fields",
		row("47110017,1,prize,,"):                                       "line 7, has 5 fields",
		row("4711001,1,prize,"):                                         "line 7, code: must be 8 to 40",
		row("4711001a,1,prize,"):                                        "line 7, code: must be 8 to 40",
		row(strings.Repeat("1", 41) + ",1,prize,"):                      "line 7, code: must be 8 to 40",
		row("47110017,0,prize,"):                                        "line 7, cents: must be",
		row("47110017,-5,prize,"):                                       "line 7, cents: must be",
		row("47110017,+5,prize,"):                                       "line 7, cents: must be",
		row("47110017,05,prize,"):                                       "line 7, cents: must be",
		row("47110017,1.5,prize,"):                                      "line 7, cents: must be",
		row("47110017,100000000001,prize,"):                             "line 7, cents: must be",
		row("47110017,100000000000,prize,\n47110018,1,prize,"):          "line 8, cents: the tickets up to here",
		row("47110017,1,gift,"):                                         "line 7, kind: must be prize or refund",
		row("47110017,1,prize,2026-11-31"):                              "line 7, until: must be a date",
		row("47110017,1,prize,2026-11-16"):                              "line 7, until: lies before",
		row("47110017,1,prize,\n47110018,1,prize,\n47110017,2,refund,"): "line 9, code: stands in line 7 too",
		row("47110017,1,prize,\r"):                                      "line 7, until: must be a date",
		row("47110017,1,prize,\n"):                                      "line 8, has 1 fields",
		head + many.String():                                            "there are 20001 tickets; a file has at most 20000",
		row(strings.Repeat("x", handover.MostBytes)):                    "the file has",
	} {
		_, err := handover.Sign([]byte(text), key)
		var faults handover.Faults
		if !errors.As(err, &faults) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.200q: %v, want %s", text, err, want)
		}
	}
	good, err := handover.Sign([]byte(row("47110017,1,prize,2026-11-17")), key)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"altered":              bytes.Replace(good, []byte(",1,"), []byte(",9,"), 1),
		"without a signature":  []byte(row("47110017,1,prize,")),
		"with more behind it":  append(bytes.Clone(good), "47110018,1,prize,\n"...),
		"without its last end": bytes.TrimSuffix(good, []byte("\n")),
		"too long":             append(bytes.Repeat([]byte("x"), handover.MostBytes), good...),
	} {
		if _, err := handover.Read(text, public); !errors.As(err, new(handover.Faults)) {
			t.Errorf("a file %s: %v", name, err)
		}
	}
	if _, err := handover.Read(good, bytes.Repeat([]byte{9}, ed25519.PublicKeySize)); !errors.As(err,
		new(handover.Faults)) {
		t.Errorf("a file of another key: %v", err)
	}
	if _, err := handover.Read(good, public[1:]); err == nil {
		t.Error("a short key is taken")
	}
}

// TestKeys reads public keys as they are written.
func TestKeys(t *testing.T) {
	t.Parallel()
	_, public := newKey()
	text := handover.FormatKey(public)
	if key, err := handover.ParseKey(text); err != nil || !key.Equal(public) {
		t.Errorf("%s is read as %v, %v", text, key, err)
	}
	for _, bad := range []string{"", text[1:], text + "\n", text[:20] + "\n" + text[20:], strings.ToLower(text)[:40]} {
		if _, err := handover.ParseKey(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if got := handover.Bare("to12-34 56ab"); got != "TO123456AB" || !handover.IsCode(got) {
		t.Errorf("the code is %s", got)
	}
}

// FuzzRead: whatever text is signed, what is read of it can be written and signed again, and comes to the same.
func FuzzRead(f *testing.F) {
	f.Add(head + "4711000000000017,12300,prize,2027-05-01\n4711000000000025,500,refund,\n")
	f.Add(head + "4711000000000017,0,prize,\nsignature: AAAA\n")
	f.Add("drawhouse open tickets 1\n\n\n\n\n\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		key, public := newKey()
		signed, err := handover.Sign([]byte(text), key)
		if err != nil {
			return
		}
		file, err := handover.Read(signed, public)
		if err != nil {
			t.Fatalf("%q is signed, and not read: %v", text, err)
		}
		var b strings.Builder
		fmt.Fprintf(&b,
			"drawhouse open tickets 1\nsystem: %s\nrulebook: %s\ncurrency: %s\nas of: %v\ncode,cents,kind,until\n", file.System,
			file.Rulebook, file.Currency, file.AsOf)
		for _, ticket := range file.Tickets {
			until := ""
			if ticket.Until != day.None {
				until = ticket.Until.String()
			}
			fmt.Fprintf(&b, "%s,%d,%s,%s\n", ticket.Code, ticket.Cents.Cents(), ticket.Kind, until)
		}
		if again, err := handover.Sign([]byte(b.String()), key); err != nil || !bytes.Equal(again, signed) {
			t.Fatalf("%q becomes %q, %v", signed, again, err)
		}
	})
}

// FuzzKey: a public key that is read is written as it was.
func FuzzKey(f *testing.F) {
	_, public := newKey()
	f.Add(handover.FormatKey(public))
	f.Add(handover.FormatKey(public) + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		if key, err := handover.ParseKey(text); err == nil && handover.FormatKey(key) != text {
			t.Fatalf("%q is written as %q", text, handover.FormatKey(key))
		}
	})
}
