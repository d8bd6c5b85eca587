package web

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// extent is the size of a screen.
type extent struct{ width, height int64 }

// The screens on which pages are judged: two desks and a phone.
var (
	desk    = extent{1280, 720}
	wide    = extent{1920, 1080}
	phone   = extent{390, 844}
	screens = []extent{desk, wide, phone}
)

// appearance is a page on a screen, in the light or in the dark.
type appearance struct {
	extent
	scheme string
}

// appearances returns how pages are judged. The last is how a test goes on. Both desks show the same parts of a page,
// so that the light is judged on one of them and the dark on the other; soaks and pictures have all.
func appearances() []appearance {
	if *screenshots != "" || os.Getenv("DRAWHOUSE_EVERY_SCREEN") != "" {
		return []appearance{
			{phone, "dark"}, {phone, "light"}, {wide, "light"}, {wide, "dark"}, {desk, "dark"}, {desk, "light"},
		}
	}
	return []appearance{{phone, "dark"}, {phone, "light"}, {wide, "dark"}, {desk, "light"}}
}

// scheme has the browser ask for a light or a dark page.
func scheme(t *testing.T, ctx context.Context, value string) {
	t.Helper()
	features := []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: value},      //nolint:misspell // CSS spells it so.
		{Name: "prefers-reduced-motion", Value: "reduce"}, // Nothing is judged on its way.
	}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: features}); err != nil {
		t.Fatal(err)
	}
}

// judge takes pictures of a page and holds it to the part of WCAG 2.2 AA that can be
// measured: contrast of texts (1.4.3) and of what is pressed (1.4.11), names of
// controls (4.1.2), one heading of the first rank, a visible focus (2.4.7), targets of
// 24 pixels and 44 for what a finger uses (2.5.8), no sideways scrolling (1.4.10).
func judge(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	for _, s := range appearances() {
		size(t, ctx, s.width, s.height)
		scheme(t, ctx, s.scheme)
		awaitPage(t, ctx, "colours that stay", `() => document.getAnimations().every((a) => !(a instanceof CSSTransition))`)
		where := fmt.Sprintf("%s-%s-%dx%d", name, s.scheme, s.width, s.height)
		for _, fault := range call[[]string](t, ctx, faults) {
			t.Errorf("%s: %s", where, fault)
		}
		picture(t, ctx, where)
	}
}

// faults lists what is wrong with a page. Within an open dialog nothing else counts.
//
//nolint:misspell // CSS spells it so.
const faults = `() => {
	const found = [];
	const root = document.querySelector("dialog[open]") ?? document.body;
	const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest(".unseen, noscript, svg");
	const name = (e) => (e.id || e.className || e.tagName) + " " + (e.textContent ?? "").trim().slice(0, 30);
	const parse = (c) => { const n = c.match(/[\d.]+/g).map(Number); return c.startsWith("color(srgb") ? [n[0] * 255, n[1] * 255, n[2] * 255, n[3] ?? 1] : n; };
	const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
	const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
	const grounds = new Map();
	const ground = (e) => {
		if (!e) return [255, 255, 255];
		if (!grounds.has(e)) { const c = parse(getComputedStyle(e).backgroundColor); grounds.set(e, c[3] !== 0 ? c : ground(e.parentElement)); }
		return grounds.get(e);
	};
	const all = [...root.querySelectorAll("*")].filter(seen);
	for (const e of all) {
		const style = getComputedStyle(e);
		const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
		const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
		if (text && ratio(parse(style.color), ground(e)) < (large ? 3 : 4.5)) found.push("hard to read: " + name(e));
		const box = e.getBoundingClientRect();
		if (box.width && (box.right > innerWidth + 1 || box.left < -1) && !e.closest(".roll, .lines")) found.push("beyond the edge: " + name(e));
	}
	for (const e of all.filter((e) => e.matches("button, input, select, textarea, a[href], summary"))) {
		const box = e.getBoundingClientRect();
		if (Math.min(box.width, box.height) < 24) found.push("hard to touch: " + name(e) + " " + Math.round(box.width) + "x" + Math.round(box.height));
		if (!(e.getAttribute("aria-label") || e.labels?.length || e.textContent.trim() || e.title)) found.push("has no name: " + name(e));
		if (e.matches("input, select, textarea") && ratio(parse(getComputedStyle(e).borderTopColor), ground(e.parentElement)) < 3) found.push("hard to see: " + name(e));
	}
	if (document.querySelectorAll("h1").length === 0) found.push("has no heading");
	if (document.documentElement.scrollWidth > innerWidth) found.push("scrolls sideways");
	if (!document.documentElement.lang || !document.title) found.push("has no language or title");
	const focused = document.activeElement;
	if (focused && focused !== document.body && seen(focused) && root.contains(focused) && focused.matches(":focus-visible") && getComputedStyle(focused).outlineStyle === "none") found.push("hides its focus: " + name(focused));
	return [...new Set(found)];
}`
