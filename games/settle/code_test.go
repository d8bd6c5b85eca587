package settle

import (
	"testing"

	"pgregory.net/rapid"

	"drawhouse/games/keno"
)

// TestCallsByGame compares codes with the calls that were put into them, game by
// game, wherever in the ring of slots a series begins.
func TestCallsByGame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Uint32Range(1, 1000).Draw(t, "first")
		all := rapid.SampledFrom([]keno.Call{keno.Heads, keno.Tails, keno.Evens})
		ways := make([][]keno.Call, rapid.IntRange(1, 64).Draw(t, "ways"))
		var c codes
		for i := range ways {
			ways[i] = rapid.SliceOfN(all, 1, maxCalls).Draw(t, "calls")
			c.put(i, callCode(ways[i], first), uint32(i), uint16(2*i))
		}
		for game := range uint32(2 * maxCalls) {
			for call := keno.Heads; call <= keno.Evens; call++ {
				lanes := c.calling(call, first+game)
				for i, calls := range ways {
					want := len(calls) == 1 && calls[0] == call || int(game) < len(calls) && calls[game] == call
					if game >= maxCalls && len(calls) > 1 {
						continue // The series is over.
					}
					if got := lanes>>i&1 != 0; got != want {
						t.Fatalf("way %d, %v, calls %v in game %d: %v", i, calls, call, game, got)
					}
					if got := callCode(calls, first).call(first+game) == call; got != want {
						t.Fatalf("code of %v calls %v in game %d: %v", calls, call, game, got)
					}
				}
			}
		}
		keep := rapid.Uint64().Draw(t, "keep")
		for i, code := range c.take(keep) {
			if want := i < len(ways) && keep>>i&1 != 0; want != (code != 0) || want && code != callCode(ways[i], first) {
				t.Fatalf("way %d came back as %x", i, code)
			}
		}
		if c.planes != [codeBits]lanes{} {
			t.Fatal("the column is not empty")
		}
	})
}
