package watch

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/rulebook/rules"
)

// Knows gives the watcher the verifier keys by which custodians commit to links, as the reader has them from elsewhere.
// A log that has games drawn by another key is found: its links are those of whoever has that key. Without any key the
// watcher takes those that the log names.
func (w *Watcher) Knows(linksKeys []string) error {
	for _, vkey := range linksKeys {
		if _, err := journal.ParseVerifier(vkey); err != nil {
			return fmt.Errorf("watch: the key of a custodian: %w", err)
		}
	}
	w.linksKeys = linksKeys
	return nil
}

// judgeDevice finds a custodian whose key is none of those that the reader knows.
func (w *Watcher) judgeDevice(e *public.Entry) *public.Finding {
	if len(w.linksKeys) == 0 {
		return nil
	}
	for _, vkey := range e.Texts("custodian") {
		if !slices.Contains(w.linksKeys, vkey) {
			name, _, _ := strings.Cut(vkey, "+")
			return w.finding(KeyOther, "%s gives links for %s by the key %s, which is none that you gave", name, e.Text("series"), vkey)
		}
	}
	return nil
}

// endsGames are the published rulebooks by their hashes: whether a game that cannot go on ends by them, although its
// seal was cosigned.
var endsGames = sync.OnceValue(func() map[string]bool {
	ends := map[string]bool{}
	for _, id := range rules.IDs() {
		if book, err := rules.Book(id); err == nil {
			ends[journal.Hash(book.Hash()).String()] = slices.Contains(book.Draw().Unfinished, "carry")
		}
	}
	return ends
})

// voidKnown finds a game that is void although its links give its result, unless a rulebook that is published ends such
// a game: else a house could leave every result that does not suit it. Two such games in a row are found by any
// rulebook: what keeps one game from its end passes.
func (s *seriesOrder) voidKnown(g *gameOrder, at uint64) *public.Finding {
	if g.custodians == 0 || g.links < g.custodians || g.drawn {
		return nil
	}
	delete(s.voids, g.name)
	if g.row.known++; g.row.known > 1 {
		return wrong(at, VoidKnown, "%v is void by clause %s, and its links give its result: of %d games in a row, none of which was drawn",
			g.name, g.clause, g.row.known)
	}
	if endsGames()[g.rulebook] {
		return nil
	}
	return wrong(at, VoidKnown, "%v is void by clause %s, and its links give its result; no published rulebook of the hash %s ends such a game",
		g.name, g.clause, g.rulebook)
}
