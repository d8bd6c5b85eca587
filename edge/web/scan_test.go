package web

import (
	"math/big"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"drawhouse/receipt"
)

// TestScansAgree reads what scanners send with the page's code and with package
// receipt's.
func TestScansAgree(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	server := httptest.NewServer(handler(t))
	defer server.Close()
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/web/kit/OFL.txt")); err != nil {
		t.Fatal(err)
	}
	texts := []string{
		"1234567890123450\r\n", "1234 5678 9012 3450", "https://keno.example/t/1234567890123450#c1F6z.9.d",
		"TO9YCWQ347HY9KP2V00H4C3N9FZ",
		"to9y cwq3 47hy 9kp2 v00h 4c3n 9fz", "7zq0 m4kc 1xwd e8tb", "7ZQO-M4KC-IXWD-E8TB", "", "123", strings.Repeat("9", 26),
		strings.Repeat("1", 25),
		"https://elsewhere.example/", "7ZQ0-M4KC-1XWD-E8TU", strings.Repeat("0", 26),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		n := new(big.Int).SetUint64(random.Uint64())
		n.Lsh(n, 16).Add(n, big.NewInt(random.Int64N(1<<16)))
		texts = append(texts, strings.Repeat("0", 26-len(n.String()))+n.String())
	}
	type scanned struct{ Serial, Claim string }
	got := call[[]scanned](t, ctx, `async (texts) => {
		const { parseScan } = await import("/web/kit/scan.js");
		return texts.map((text) => ({ Serial: "", Claim: "", ...Object.fromEntries(Object.entries(parseScan(text) ?? {}).map(([k, v]) => [k[0].toUpperCase() + k.slice(1), v])) }));
	}`, texts)
	read := 0
	for i, text := range texts {
		var want scanned
		if s, err := receipt.ParseScan(text); err == nil {
			want.Serial = s.Serial
			if s.Claim != nil {
				want.Claim = s.Claim.String()
			}
			read++
		}
		if got[i] != want {
			t.Errorf("%q: the page reads %+v, the package %+v", text, got[i], want)
		}
	}
	if read < 35 {
		t.Errorf("only %d texts were read", read)
	}
}
