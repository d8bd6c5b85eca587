package draw

import (
	"errors"
	"testing"

	"drawhouse/journal"
)

// TestLinksStandForThemselves has every link of a day lead to the root, and no other value
// and no other path, for trees of every small size.
func TestLinksStandForThemselves(t *testing.T) {
	for games := uint32(1); games <= 20; games++ {
		name := testChainName("operator")
		name.Games = games
		links, err := NewLinks(stream("links"), name)
		if err != nil {
			t.Fatal(err)
		}
		c, _, err := links.Commit(stream("slopes"))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseCommitment(c.Marshal()); err != nil || again != c || !again.Singly {
			t.Fatalf("%+v: %v", again, err)
		}
		if again, err := ParseLinks(links.Marshal()); err != nil || again.Root() != c.Tip {
			t.Fatalf("%v", err)
		}
		for i := range games {
			checkSingleLink(t, c, links, gameAfter(testGame, i))
		}
		if _, err := links.Link(gameAfter(testGame, games)); !errors.Is(err, ErrLink) {
			t.Errorf("a game behind the last: %v", err)
		}
	}
}

func checkSingleLink(t *testing.T, c Commitment, links *Links, game journal.Game) {
	t.Helper()
	link, err := links.Link(game)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.CheckLink(link); err != nil {
		t.Error(err)
	}
	if again, err := ParseLink(link.Marshal()); err != nil || again != link {
		t.Errorf("%+v: %v", again, err)
	}
	for what, change := range map[string]func(*Link){
		"value":     func(l *Link) { l.Value[5]++ },
		"game":      func(l *Link) { l.Game.Number++ },
		"custodian": func(l *Link) { l.Custodian = "inspector" },
		"draw":      func(l *Link) { l.Revision = 2 },
		"path":      func(l *Link) { l.Path += PathOf([]journal.Hash{{1}}) },
	} {
		wrong := link
		if change(&wrong); !errors.Is(c.CheckLink(wrong), ErrLink) {
			t.Errorf("%v with another %s fits", game, what)
		}
	}
}

// TestLinkFromShares rebuilds links from every two holders. A share of one link is of no
// use for another, and who deals or brings a wrong one is told apart.
func TestLinkFromShares(t *testing.T) {
	links, err := NewLinks(stream("links"), testChainName("operator"))
	if err != nil {
		t.Fatal(err)
	}
	c, holders, err := links.Commit(stream("slopes"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := links.Link(testGame)
	if err != nil {
		t.Fatal(err)
	}
	for a := range holders {
		if again, err := ParseShares(holders[a].Marshal()); err != nil || !again.Fit(c) {
			t.Errorf("holder %d: %v", a+1, err)
		}
		for b := range holders {
			first, err1 := holders[a].Share(testGame)
			second, err2 := holders[b].Share(testGame)
			other, err3 := holders[b].Share(gameAfter(testGame, 1))
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Fatal(err)
			}
			if read, err := ParseLinkShare(first.Marshal()); err != nil || read != first {
				t.Errorf("%+v: %v", read, err)
			}
			if link, err := c.RebuildLink(testGame, first, second); a != b && (err != nil || link != want) || a == b &&
				err == nil {
				t.Errorf("holders %d and %d: %+v: %v", a+1, b+1, link, err)
			}
			if _, err := c.RebuildLink(testGame, first, other); !errors.Is(err, ErrShare) {
				t.Errorf("with the share of another game: %v", err)
			}
		}
	}
}

// FuzzLinkTexts reads any text as links, a link, shares or a share. What is read has one
// spelling.
func FuzzLinkTexts(f *testing.F) {
	links, err := NewLinks(stream("links"), testChainName("operator"))
	if err != nil {
		f.Fatal(err)
	}
	_, holders, err := links.Commit(stream("slopes"))
	if err != nil {
		f.Fatal(err)
	}
	link, err1 := links.Link(testGame)
	share, err2 := holders[1].Share(testGame)
	if err := errors.Join(err1, err2); err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{links.Marshal(), link.Marshal(), holders[1].Marshal(), share.Marshal(), ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if l, err := ParseLink(text); err == nil && l.Marshal() != text {
			t.Errorf("%q is %+v", text, l)
		}
		if s, err := ParseLinkShare(text); err == nil && s.Marshal() != text {
			t.Errorf("%q is %+v", text, s)
		}
		if l, err := ParseLinks(text); err == nil && l.Marshal() != text {
			t.Errorf("%q are other links", text)
		}
		if s, err := ParseShares(text); err == nil && s.Marshal() != text {
			t.Errorf("%q are other shares", text)
		}
	})
}
