package web

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"drawhouse/check/proof"
	"drawhouse/internal/prooftest"
)

// proofPage opens the page, from the file itself or from a server.
func proofPage(t *testing.T, ctx context.Context, address string) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
}

func proofFile(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("assets/proof.html")
	if err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// inputs are the fields of the page for a case.
func inputs(c prooftest.Case) map[string]any {
	e := c.Evidence
	witnesses := e.WitnessKeys
	if witnesses == nil {
		witnesses = []string{}
	}
	quorum := ""
	if e.Quorum > 0 {
		quorum = fmt.Sprint(e.Quorum)
	}
	return map[string]any{
		"proof": string(c.Proof), "house": e.HouseKey, "receipt": string(e.Receipt), "seal": string(e.Seal),
		"fingerprint": e.Fingerprint,
		"checkpoint":  string(e.Checkpoint), "witnesses": witnesses, "draw": string(e.Draw), "device": e.DeviceKey,
		"log": e.LogKey, "logproof": string(e.LogProof), "quorum": quorum,
	}
}

// call runs a function in the page and returns what the function returns.
func call[T any](t *testing.T, ctx context.Context, function string, arguments ...any) T {
	t.Helper()
	result, err := tryCall[T](t, ctx, function, arguments...)
	if err != nil {
		t.Fatalf("%s: %v", function, err)
	}
	return result
}

// tryCall is call for a page that may be exchanged meanwhile.
func tryCall[T any](t *testing.T, ctx context.Context, function string, arguments ...any) (T, error) {
	t.Helper()
	texts := make([]string, len(arguments))
	for i, a := range arguments {
		data, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(data)
	}
	return chromedp.Run(ctx, chromedp.Evaluate[T](fmt.Sprintf("(%s)(%s)", function, strings.Join(texts, ",")),
		chromedp.EvalAwaitPromise))
}

// TestPageAndPackageAgree puts sound and damaged proofs to the page and to package
// proof, which share no code: they say the same sentences.
func TestPageAndPackageAgree(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	proofPage(t, ctx, proofFile(t))
	for _, c := range prooftest.New(t).Cases() {
		if file := string(c.Evidence.LogProof); file != "" && call[string](t, ctx, "placeOf", file) != "logproof" {
			t.Error("a file with a proof of the log is not put into its place")
		}
	}
	for id, value := range inputs(prooftest.New(t).Full()) {
		want := map[string]string{"proof": id, "receipt": id, "seal": id, "checkpoint": id, "draw": id}[id]
		if text, ok := value.(string); ok && call[string](t, ctx, "placeOf", text) != want {
			t.Errorf("a file with the %s is not put into its place", id)
		}
	}
	damaged := 0
	for _, c := range prooftest.New(t).Cases() {
		want := proof.Check(c.Proof, c.Evidence)
		got := call[proof.Report](t, ctx, "check", inputs(c))
		if got.Failure != want.Failure || !slices.Equal(got.Proved, want.Proved) && len(want.Proved) > 0 ||
			!slices.Equal(got.NotProved, want.NotProved) {
			t.Errorf("%s:\npage    %+v\npackage %+v", c.Name, got, *want)
		}
		if c.Failure != "" {
			damaged++
		}
	}
	if damaged < 30 {
		t.Errorf("only %d damaged proofs were tried", damaged)
	}
	// Ed25519 in the browser itself was asked, and agreed.
	if agreed := call[int](t, ctx, "() => browserAgreed"); agreed == 0 {
		t.Log("this browser has no Ed25519 for a file; the page's own was used alone")
	} else {
		t.Logf("the browser's Ed25519 agreed %d times", agreed)
	}
}

// rfc8032 are vectors of RFC 8032, section 7.1: public key, message, signature.
var rfc8032 = [][3]string{
	{"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
		"e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"},
	{"3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
		"92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"},
	{"fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
		"6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"},
	{"ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
		"ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
		"dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"},
}

// TestPageVectors has the page's own Ed25519, SHA-256 and SHA-512 answer for
// published and random inputs.
func TestPageVectors(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	proofPage(t, ctx, proofFile(t))
	const verify = `(key, message, signature) => {
		const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
		return ed25519(bytes(key), bytes(message), bytes(signature));
	}`
	for i, v := range rfc8032 {
		if !call[bool](t, ctx, verify, v[0], v[1], v[2]) {
			t.Errorf("vector %d of RFC 8032 does not verify", i+1)
		}
		for _, damaged := range [][3]string{{v[0], v[1] + "00", v[2]}, {v[0], v[1], "00" + v[2][2:]},
			{v[0], v[1], v[2][:126] + "7f"}, {"00" + v[0][2:], v[1], v[2]}, {v[0], v[1], v[2][2:]}} {
			key, _ := hex.DecodeString(damaged[0])
			message, _ := hex.DecodeString(damaged[1])
			signature, _ := hex.DecodeString(damaged[2])
			want := len(signature) == ed25519.SignatureSize && ed25519.Verify(key, message, signature)
			if got := call[bool](t, ctx, verify, damaged[0], damaged[1], damaged[2]); got != want {
				t.Errorf("vector %d damaged: the page says %v", i+1, got)
			}
		}
	}
	const digest = `(text) => [hex(sha256(utf8(text))), hex(sha512(utf8(text)))]`
	for _, n := range []int{0, 1, 3, 55, 56, 63, 64, 65, 111, 112, 119, 127, 128, 129, 1000} {
		text := strings.Repeat("a", n)
		short, long := sha256.Sum256([]byte(text)), sha512.Sum512([]byte(text))
		if got := call[[]string](t, ctx, digest, text); got[0] != hex.EncodeToString(short[:]) ||
			got[1] != hex.EncodeToString(long[:]) {
			t.Errorf("%d bytes: %q", n, got)
		}
	}
}

// TestPageByHand fills in the form as people do, on the page that a server sends,
// with its policy, and looks at what it says and what it asks for.
func TestPageByHand(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	server := httptest.NewServer(handler(t))
	defer server.Close()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(900, 1400)); err != nil {
		t.Fatal(err)
	}
	proofPage(t, ctx, server.URL+"/web/proof.html")
	full := prooftest.New(t).Full()
	const fill = `(have) => {
		for (const [id, value] of Object.entries(have)) field(id).value = Array.isArray(value) ? value.join("\n") : value;
		field("check").click();
	}`
	wait := func(title string) string {
		t.Helper()
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			if text := call[string](t, ctx,
				`() => field("report").hidden ? "" : field("report").innerText`); strings.HasPrefix(text, title) {
				return text
			}
		}
		t.Fatalf("the page does not say %q", title)
		return ""
	}
	call[chromedp.Void](t, ctx, fill, inputs(full))
	text := wait("Proved")
	for _, sentence := range proof.Check(full.Proof, full.Evidence).Proved {
		if !strings.Contains(text, sentence) {
			t.Errorf("the page does not say %q but\n%s", sentence, text)
		}
	}
	picture(t, ctx, "proof-holds")
	damaged := full
	damaged.Proof = []byte(strings.Replace(string(full.Proof), "stakes-cents 1234567", "stakes-cents 9234567", 1))
	call[chromedp.Void](t, ctx, fill, inputs(damaged))
	if text := wait("Does not hold"); !strings.Contains(text, "The seal is not signed by the house's key.") {
		t.Errorf("the page says %s", text)
	}
	picture(t, ctx, "proof-does-not-hold")
	for _, width := range []int64{900, 390, 320} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 1400)); err != nil {
			t.Fatal(err)
		}
		// Letters further apart stand for fonts of other machines, which are wider.
		for _, apart := range []string{"0", "0.1em", "0.3em"} {
			const measure = `(apart) => { document.body.style.letterSpacing = apart; return document.documentElement.scrollWidth; }`
			if wide := call[int64](t, ctx, measure, apart); wide > width {
				t.Errorf("a page of %d with letters %s apart scrolls sideways to %d", width, apart, wide)
			}
		}
	}
	call[chromedp.Void](t, ctx, `() => { document.body.style.letterSpacing = ""; }`)
	picture(t, ctx, "proof-320")
	if said := said(); len(said) != 0 {
		t.Errorf("the console says %q", said)
	}
	for _, address := range asked() {
		if address != server.URL+"/web/proof.html" {
			t.Errorf("the page asked for %s", address)
		}
	}
	const fetchAnything = `() => fetch("/v1/board").then(() => "answered", () => "forbidden")`
	if got := call[string](t, ctx, fetchAnything); got != "forbidden" {
		t.Errorf("a request of the page is %s", got)
	}
}

// TestPageStandsAlone: the page refers to nothing outside itself, has the policy that
// allows its own script and no other, and its hash is the published one.
func TestPageStandsAlone(t *testing.T) {
	t.Parallel()
	w := get(handler(t), "/web/proof.html")
	page := w.Body.String()
	for _, reference := range []string{"src=", "href=", "@import", "url(", "import(", "fetch(", "XMLHttpRequest",
		"WebSocket"} {
		if strings.Contains(page, reference) {
			t.Errorf("the page has %s", reference)
		}
	}
	csp := w.Header().Get("Content-Security-Policy")
	if !strings.HasPrefix(csp, "default-src 'none'; script-src 'sha256-") || strings.Contains(csp, "unsafe") {
		t.Errorf("policy %q", csp)
	}
	if strings.Count(page, "<script>") != 1 || strings.Count(page, "<style>") != 1 {
		t.Error("the policy is of one script and one style")
	}
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(page)))
	doc, err := os.ReadFile("../../docs/VECTORS.md")
	if err != nil || !strings.Contains(string(doc), hash) {
		t.Errorf("docs/VECTORS.md does not publish the hash of the page, %s: %v", hash, err)
	}
}
