package searcher

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
)

func TestFocus(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("FOCUS"))
	h := Hunt{Rulebook: "vic-keno-2015", Ignore: func(f Finding) bool { return isKnown("vic-keno-2015", f) }}
	seen := map[Finding]bool{}
	h.Ignore = func(f Finding) bool { return seen[f.kind()] }
	total := 0
	for house := 0; total < n; house++ {
		r := rand.New(rand.NewPCG(uint64(house), 77))
		seed := fmt.Sprint("focus ", house)
		w, err := Begin(h.Rulebook, nil, seed, "house 2026-11-15")
		if err != nil {
			t.Fatal(err)
		}
		names := []string{}
		sell := func(at int, text string) string {
			names = append(names, fmt.Sprintf("A%d", len(w.tickets)+1))
			return fmt.Sprintf("sell A%d at T%d %s", len(w.tickets)+1, at, text)
		}
		do := func(l string) { _, _ = w.Do(l) }
		do(sell(1, "classic 1 @ "+pick(r, []string{"9999.00", "3334.00", "3333.00"})))
		do("play " + numbers(r, true))
		do("next T1")
		do("pay A1 at T1")
		for i := 0; i < 14+r.IntN(14) && !h.hit(w); i++ {
			k := len(w.papers)
			switch r.IntN(12) {
			case 0, 1:
				do(sell(1, "classic "+pick(r, []string{"1", "1", "80"})+" @ "+pick(r, []string{"1.00", "1000.00", "1000.00"})+pick(r, []string{"", "", " for 2 games"})))
			case 2:
				do("next T1")
			case 3:
				do("cancel " + recent(r, w.tickets) + " at T1")
			case 4, 5:
				do("pay " + recent(r, w.tickets) + " at T1")
			case 6, 7:
				do(fmt.Sprintf("settle T1 payee checked = P%d P%d P%d", k+1, k+2, k+3))
			case 8:
				do("close")
			case 9:
				do("open")
			case 10:
				do(w.voidFirst(r))
			case 11:
				do(pick(r, []string{"play " + numbers(r, true), w.offerVoid(r), "draw " + numbers(r, true)}))
			}
		}
		lines := slices.Clone(w.Lines)
		if !h.hit(w) {
			w.WindUp()
		}
		if !h.hit(w) && house%16 == 0 {
			w.Verify()
		}
		total += w.Tried
		if h.hit(w) {
			hit := h.shrink(w, seed, lines, total)
			seen[hit.kind()] = true
			t.Errorf("hit %v", hit)
		}
	}
}
