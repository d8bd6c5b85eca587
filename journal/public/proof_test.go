package public_test

import (
	"bytes"
	"strings"
	"testing"

	"drawhouse/journal"
	"drawhouse/journal/public"
)

// TestProofForm holds the form of C2SP tlog-proof: a text of its form is read and written again to the byte, and each
// of these that is not is refused.
func TestProofForm(t *testing.T) {
	hash := journal.LeafHash([]byte("a")).String()
	const note = "example.com/log\n9\n" + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— example.com/log AAAA\n"
	for _, text := range []string{
		"c2sp.org/tlog-proof@v1\nindex 0\n\n" + note,
		"c2sp.org/tlog-proof@v1\nindex 8\n" + hash + "\n\n" + note,
		"c2sp.org/tlog-proof@v1\nextra YQ==\nindex 9223372036854775807\n" + strings.Repeat(hash+"\n", 63) + "\n" + note,
		"c2sp.org/tlog-proof@v1\nextra \nindex 8\n\n" + note,
	} {
		p, err := public.ParseProof([]byte(text))
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		if got := string(p.Marshal()); got != text {
			t.Errorf("read\n%s\nand wrote\n%s", text, got)
		}
	}
	for _, text := range []string{
		"",
		"c2sp.org/tlog-proof@v1\nindex 0\n",
		"c2sp.org/tlog-proof@v1\nindex 0\n\n",
		"c2sp.org/tlog-proof@v2\nindex 0\n\n" + note,
		"c2sp.org/tlog-proof@v1\n\n" + note,
		"c2sp.org/tlog-proof@v1\nindex 00\n\n" + note,
		"c2sp.org/tlog-proof@v1\nindex -1\n\n" + note,
		"c2sp.org/tlog-proof@v1\nindex 9223372036854775808\n\n" + note,
		"c2sp.org/tlog-proof@v1\nindex 0\nextra YQ==\n\n" + note,
		"c2sp.org/tlog-proof@v1\nextra YQ\nindex 0\n\n" + note,
		"c2sp.org/tlog-proof@v1\nindex 0\nYQ==\n\n" + note,
		"c2sp.org/tlog-proof@v1\nindex 0\n" + strings.Repeat(hash+"\n", 64) + "\n" + note,
	} {
		if _, err := public.ParseProof([]byte(text)); err == nil {
			t.Errorf("this was read:\n%s", text)
		}
	}
}

// FuzzParseProof reads what nobody wrote: what is read is written again to the byte.
func FuzzParseProof(f *testing.F) {
	f.Add([]byte("c2sp.org/tlog-proof@v1\nextra YQ==\nindex 8\n" + journal.LeafHash(nil).String() + "\n\na\n\nb"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := public.ParseProof(data); err == nil && !bytes.Equal(p.Marshal(), data) {
			t.Errorf("read\n%q\nand wrote\n%q", data, p.Marshal())
		}
	})
}
