package receipt

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestGoldenBars compares with the widths that another encoder gives for texts of one
// set, where the choice of sets cannot differ.
func TestGoldenBars(t *testing.T) {
	for text, want := range map[string]string{
		"A":                "2112141113231311232331112",
		"1234567890123456": "2112321122321311233311212411122141211122321311233311212211322331112",
	} {
		bars, err := Code128(text)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, width := range bars {
			got.WriteByte('0' + width)
		}
		if got.String() != want {
			t.Errorf("%s: %s, want %s", text, got.String(), want)
		}
	}
}

// decode is the reader's view: symbols are looked up by their widths, the check is
// computed, and the sets are followed.
func decode(bars Bars) (string, error) {
	lookup := map[string]int{}
	for code, widths := range symbols {
		lookup[widths] = code
	}
	var codes []int
	for len(bars) > 7 {
		var widths strings.Builder
		for _, w := range bars[:6] {
			widths.WriteByte('0' + w)
		}
		code, ok := lookup[widths.String()]
		if !ok {
			return "", fmt.Errorf("no symbol has the widths %s", widths.String())
		}
		codes, bars = append(codes, code), bars[6:]
	}
	sum := codes[0]
	for i, code := range codes[:len(codes)-1] {
		sum += i * code
	}
	if check := codes[len(codes)-1]; check != sum%103 || len(bars) != 7 {
		return "", fmt.Errorf("check %d, want %d", check, sum%103)
	}
	var text strings.Builder
	inC := codes[0] == startSetC
	for _, code := range codes[1 : len(codes)-1] {
		switch {
		case inC && code == toSetB, !inC && code == toSetC:
			inC = !inC
		case inC:
			fmt.Fprintf(&text, "%02d", code)
		default:
			text.WriteByte(byte(code) + ' ')
		}
	}
	return text.String(), nil
}

func TestBarsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([ -~]{0,4}[0-9]{0,9}){1,4}[A-Z]?`).Draw(t, "text")
		if text == "" {
			return
		}
		bars, err := Code128(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decode(bars)
		if err != nil || got != text {
			t.Errorf("%q reads back as %q: %v", text, got, err)
		}
		if len(bars)%2 != 1 || bars.Modules()%11 != 2 {
			t.Errorf("%q: %d widths, %d modules", text, len(bars), bars.Modules())
		}
	})
	for _, text := range []string{"", "a\n", "é", "\x7f"} {
		if _, err := Code128(text); err == nil {
			t.Errorf("%q has bars", text)
		}
	}
}

// TestDigitsTakeHalfTheRoom: start, eight pairs, check and stop.
func TestDigitsTakeHalfTheRoom(t *testing.T) {
	bars, err := Code128("1234567890123456")
	if err != nil || bars.Modules() != 11*(1+8+1)+13 {
		t.Errorf("%d modules, %v", bars.Modules(), err)
	}
	for range bars.All() {
		break // A reader that has seen enough may stop.
	}
}

// TestReaderReadsBars has zbarimg read pictures of bar codes.
func TestReaderReadsBars(t *testing.T) {
	reader, err := exec.LookPath("zbarimg")
	if err != nil {
		t.Skip("zbarimg is not installed, so that no independent reader has read the bar codes: ", err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	texts := []string{"K7-000123-04-34", "1234567890123456", "drawhouse 12", "A1", "99-999999-99-98"}
	for range 10 {
		texts = append(texts, fmt.Sprintf("S%d-%06d-%02d-%02d", random.IntN(1e6), random.IntN(1e6), random.IntN(100),
			random.IntN(100)))
	}
	for i, text := range texts {
		file := filepath.Join(t.TempDir(), fmt.Sprint(i, ".png"))
		if err := os.WriteFile(file, picture(t, text), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(reader, "--quiet", "--raw", "-Sdisable", "-Scode128.enable", file).Output()
		if got := strings.TrimSuffix(string(out), "\n"); err != nil || got != text {
			t.Errorf("%q is read as %q: %v", text, got, err)
		}
	}
}

// picture draws a bar code, two pixels a module.
func picture(t *testing.T, text string) []byte {
	t.Helper()
	bars, err := Code128(text)
	if err != nil {
		t.Fatal(err)
	}
	img := image.NewGray(image.Rect(0, 0, 2*(bars.Modules()+2*QuietModules), 60))
	for i := range img.Pix {
		img.Pix[i] = 0xff
	}
	for at, width := range bars.All() {
		for x := 2 * (QuietModules + at); x < 2*(QuietModules+at+width); x++ {
			for y := 10; y < 50; y++ {
				img.Pix[img.PixOffset(x, y)] = 0
			}
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
