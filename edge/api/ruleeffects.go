package api

import (
	"context"
	"fmt"
	"sync"

	"drawhouse/decide/command"
	"drawhouse/decide/state"
	"drawhouse/rulebook"
	"drawhouse/rulebook/odds"
	"drawhouse/rulebook/rules"
)

// mostLines is how many changed values, and how many changed odds, a request shows. All of them are in the
// comparison of rulebooks.
const mostLines = 40

// ruleEffects says in words what a request for another rulebook changes against the one in force: values, odds, and
// the bounds of prizes. It says nothing of other requests.
func (s *server) ruleEffects(ctx context.Context, a state.Approval) ([]string, error) {
	to, err := s.bookAsked(ctx, a)
	if err != nil || to == nil || !to.Keno() {
		return nil, err
	}
	from := s.house.First().Book()
	if from.Hash() == to.Hash() {
		return nil, nil
	}
	return s.effects.of(from, to)
}

// bookAsked returns the rulebook that a request is about, or nil.
func (s *server) bookAsked(ctx context.Context, a state.Approval) (*rulebook.Book, error) {
	act, err := command.ReadAct(a.Action, []byte(a.Says))
	if err != nil {
		return nil, nil //nolint:nilerr // It is of another action, or cannot be done.
	}
	now, err := s.house.First().Course(ctx)
	if err != nil {
		return nil, err
	}
	var book *rulebook.Book
	switch c := act.(type) {
	case command.AdoptFile:
		// A request that became impossible since is refused with its reason, and has no effects.
		_, book, _ = command.ReadFile(command.RulebookFile{Text: c.Text, Reference: c.Reference}, finder(now.Books))
	case command.AdoptRulebook:
		book, _ = rules.Book(c.ID)
	case command.ChangeTerms:
		if hash, err := rulebook.ParseHash(c.Rulebook); err == nil {
			book, _ = finder(now.Books)(hash)
		}
	}
	return book, nil
}

// finder finds books by their hash.
func finder(books []*rulebook.Book) rulebook.Finder {
	return func(hash rulebook.Hash) (*rulebook.Book, bool) {
		for _, b := range books {
			if b.Hash() == hash {
				return b, true
			}
		}
		return nil, false
	}
}

// effectsKept keeps what changes of rulebooks do, which takes a tenth of a second to find out. Its zero value is empty.
type effectsKept struct {
	mu   sync.Mutex // guards kept
	kept map[[2]rulebook.Hash][]string
}

// mostKept bounds what is kept: there are a few rulebooks and requests.
const mostKept = 32

func (k *effectsKept) of(from, to *rulebook.Book) ([]string, error) {
	key := [2]rulebook.Hash{from.Hash(), to.Hash()}
	k.mu.Lock()
	defer k.mu.Unlock()
	if lines, ok := k.kept[key]; ok {
		return lines, nil
	}
	lines, err := effectLines(from, to)
	if err != nil {
		return nil, err
	}
	if k.kept == nil || len(k.kept) >= mostKept {
		k.kept = map[[2]rulebook.Hash][]string{}
	}
	k.kept[key] = lines
	return lines, nil
}

// effectLines says what a change from one rulebook to another does.
func effectLines(from, to *rulebook.Book) ([]string, error) {
	lines := []string{fmt.Sprintf("Compared with %s, edition %d, hash %v, which is in force:",
		from.ID(), from.Edition(), from.Hash())}
	var values []string
	for _, c := range rulebook.DiffWritten(from, to) {
		if !c.IsCitation() {
			values = append(values, c.Words())
		}
	}
	effects, err := odds.Effect(from, to)
	if err != nil {
		return nil, err
	}
	if len(effects) == 0 {
		effects = []string{"Odds and the bounds of prizes stay as they are."}
	}
	return append(append(lines, atMost(values, "values")...), atMost(effects, "odds and bounds")...), nil
}

// atMost returns the first lines, and says how many there are more.
func atMost(lines []string, what string) []string {
	if len(lines) <= mostLines {
		return lines
	}
	return append(lines[:mostLines:mostLines], fmt.Sprintf("And %d more %s, which the comparison of rulebooks lists.",
		len(lines)-mostLines, what))
}
