package demo

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"drawhouse/decide/state"
	keyed "drawhouse/edge/terminal"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// Details says who a person of the demonstration is. The salt follows from the
// number: these people have nothing to hide, and every start knows them.
func Details(id uint32, role record.Role) person.Details {
	salt := sha256.Sum256(fmt.Appendf(nil, "drawhouse demonstration person %d", id))
	return person.Details{Name: fmt.Sprintf("Demonstration %s", role), Salt: salt[:16]}
}

// Hash commits to [Details].
func Hash(id uint32, role record.Role) record.Hash { return Details(id, role).Hash() }

// knownKeys gives the terminals of the demonstration keys that everybody knows.
func knownKeys(terminals []record.TerminalAdded) []record.Body {
	all := make([]record.Body, 0, len(terminals))
	for _, t := range terminals {
		all = append(all, &record.TerminalKeyed{Terminal: t.Terminal, Key: keyed.DemoPublic(t.Terminal)})
	}
	return all
}

// Introduce tells the register who the people of a demonstration are.
func Introduce(ctx context.Context, h *house.House, register *person.Register) error {
	all := h.People().Persons()
	for _, p := range all {
		if len(p.Grants) == 0 || p.Erased || p.Details != Hash(p.ID, p.Grants[0].Role) {
			continue
		}
		switch _, err := register.Details(ctx, p.Details); {
		case errors.Is(err, person.ErrNoKey):
			return nil // A house without names sells all the same.
		case !errors.Is(err, person.ErrUnknown):
			return err
		}
		if err := register.Put(ctx, Details(p.ID, p.Grants[0].Role)); err != nil {
			return err
		}
	}
	return nil
}

// HasKeys reports whether a terminal of the house has a key that everybody knows.
// It looks at the first and the last: a demonstration is founded with all of them.
func HasKeys(h *house.House) (found bool) {
	posts := h.People().Posts()
	isDemo := func(t state.Post) bool { return t.Key == keyed.DemoPublic(t.Terminal) }
	found = len(posts) > 0 && (isDemo(posts[0]) || isDemo(posts[len(posts)-1]) || len(posts) < 1000 &&
		slices.ContainsFunc(posts, isDemo))
	return found
}
