package watch_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/policy"
	"drawhouse/check/watch"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/rulebook/rules"
)

// nextDay opens a game of the next Keno Day.
func nextDay(id string) func(*author) { return opensAs("2026-11-16", "0", id) }

func opensAs(day, game, id string) func(*author) {
	return func(a *author) {
		a.say(public.Opened, "series "+series, "day "+day, "game "+game, "id "+id, "closes 5000",
			"rulebook "+journal.LeafHash(nil).String(), "schedule 1")
	}
}

// passed are what a house leaves out, and what is found.
var passed = map[string]lie{
	"nothing left out":    {nextDay2, "", ""},
	"a void for a result": {func(a *author) { a.tellers = slices.Replace(a.tellers, atLink1, atSettle1+1, voids(1)) }, "", ""},
	"a game that is passed over": {func(a *author) { a.tellers = slices.Delete(a.tellers, atLink1, atSettle1+1) }, public.Undrawn,
		"2026-11-15 2 is sealed, and vic-keno 2026-11-15 1, which was sealed before it, is neither settled nor void"},
	"a game that is not settled before the next one": {func(a *author) { a.tellers = slices.Delete(a.tellers, atSettle1, atSettle1+1) },
		public.Undrawn, "2026-11-15 2 is sealed, and vic-keno 2026-11-15 1, which"},
	"a game that is not settled at the end of its day": {func(a *author) { a.tellers = slices.Delete(a.tellers, atEnd-2, atEnd-1) },
		public.Undrawn, "2026-11-15 ends, and vic-keno 2026-11-15 2 is neither settled nor void"},
	"a game that is not sealed": {func(a *author) { a.tellers = slices.Delete(a.tellers, atSeal2, atEnd-1) }, public.Undrawn,
		"2026-11-15 ends, and vic-keno 2026-11-15 2 is neither settled nor void"},
	"a day that does not end": {func(a *author) { a.tellers[atEnd-1] = nextDay("3") }, public.OutOfOrder,
		"vic-keno 2026-11-16 0 opens, and 2026-11-15 has not ended"},
	"a game that is left out": {func(a *author) { a.tellers = append(a.tellers, nextDay("4")) }, public.OutOfOrder,
		"vic-keno 2026-11-16 0 has the id 4, and the game before it 2"},
	"a game that opens as another one": {func(a *author) { a.tellers[atOpen2] = opensAs(day, "9", "2") }, public.OutOfOrder,
		"vic-keno 2026-11-15 9 opens behind vic-keno 2026-11-15 1"},
	"a day that begins with another game": {func(a *author) { a.tellers = append(a.tellers, opensAs("2026-11-16", "3", "3")) },
		public.OutOfOrder, "vic-keno 2026-11-16 3 opens behind vic-keno 2026-11-15 2"},
	"a game that never opens": {func(a *author) { a.tellers = slices.Delete(a.tellers, atOpen2, atOpen2+1) }, public.OutOfOrder,
		"vic-keno 2026-11-15 2 is sealed, and never opened"},
	"a day of fewer games": {endsWith("2"), public.OutOfOrder, "2026-11-15 ends with 2 games, and 3 opened"},
	"a day without games":  {endsWith("0"), public.OutOfOrder, "2026-11-15 ends with 0 games, and 3 opened"},
	"a day of more games":  {endsWith("4"), public.OutOfOrder, "2026-11-15 ends with 4 games, and 3 opened"},
}

// endsWith ends the day, of which the log has seen the games 1 and 2, with another number of games.
func endsWith(games string) func(*author) {
	return func(a *author) {
		a.tellers[atEnd-1] = endsDay(games)
	}
}

func nextDay2(a *author) { a.tellers = append(a.tellers, nextDay("3")) }

// TestWatchFindsLiesByOmission leaves out one thing at a time. What stands in the log is right each for itself.
func TestWatchFindsLiesByOmission(t *testing.T) {
	for name, lie := range passed {
		t.Run(name, func(t *testing.T) {
			a := newAuthor(t)
			lie.tell(a)
			a.told()
			w, err := watch.New(a.publish(len(a.entries)), a.keys[house].vkey, nil, "", nil)
			a.must(err)
			look, err := w.Look(t.Context())
			a.must(err)
			if lie.code == "" {
				if look.Findings != nil {
					t.Errorf("found %v", look.Findings)
				}
				return
			}
			names(t, look.Findings, lie.code, lie.says)
		})
	}
}

// custodyPolicy asks for both custodians.
func (a *author) custodyPolicy() *policy.Policy {
	a.t.Helper()
	text := "log " + a.keys[origin].vkey + "\n"
	a.key(origin + "2")
	text += "log " + a.keys[origin+"2"].vkey + "\n"
	for _, name := range custodians {
		text += "witness " + name + " " + a.cosigner(name).String() + "\n"
	}
	p, err := policy.Parse([]byte(text + "group both all " + strings.Join(custodians, " ") + "\nquorum both\n"))
	a.must(err)
	return p
}

// TestWatchFindsAGameThatALogLeaves begins a log behind one that leaves a game: without its result, with the links
// alone, and void when the links could be known. What was void before is no finding.
func TestWatchFindsAGameThatALogLeaves(t *testing.T) {
	for name, c := range map[string]struct {
		until int
		then  func(*author) // told once the first log was cosigned
		says  string
	}{
		"sealed":              {atSeal1 + 1, nil, "keno.example/log2 begins, and vic-keno 2026-11-15 1 is sealed in the log before it and has no result"},
		"with its links":      {atResult1, nil, "2026-11-15 1 is sealed in the log before it and has no result"},
		"void when cosigned":  {atSeal1 + 1, voids(1), "it was declared void when its links could be known"},
		"void before":         {atOpen2 - 4, nil, ""},
		"drawn, not settled":  {atSettle1, nil, "2026-11-15 1 is sealed in the log before it and is drawn and not settled"},
		"between two games":   {atOpen2, nil, ""},
		"a game that is open": {atSeal1, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAuthor(t)
			a.tellers = a.tellers[:c.until]
			if name == "void before" {
				a.tellers = append(a.tellers[:atSeal1+1], voids(1))
			}
			a.told()
			served := log{}
			w, err := watch.New(served, a.keys[house].vkey, a.custodyPolicy(), "", nil)
			a.must(err)
			look := func(from log) []*public.Finding {
				clear(served)
				for path, data := range from {
					served[path] = data
				}
				look, err := w.Look(t.Context())
				a.must(err)
				return look.Findings
			}
			found := look(a.publish(len(a.entries), custodians...))
			if c.then != nil {
				c.then(a)
				found = append(found, look(a.publish(len(a.entries), custodians...))...)
			}
			if found != nil {
				t.Fatalf("in the first log: %v", found)
			}
			b := a.successor(func(*journal.LogBody) {})
			found = slices.DeleteFunc(look(b.publish(len(b.entries), custodians...)), func(f *public.Finding) bool {
				return f.Code == watch.Unsigned // The policy does not have this log's key.
			})
			if c.says == "" {
				if len(found) > 0 {
					t.Errorf("found %v", found)
				}
				return
			}
			names(t, found, public.Undrawn, c.says)
		})
	}
}

// TestWatchFindsAHiddenVoidInTime has two witnesses serve a checkpoint above the seal, cosigned in time, which the
// house does not show: it shows the void. One of them alone is not enough, and neither is a cosignature that came too
// late.
func TestWatchFindsAHiddenVoidInTime(t *testing.T) {
	for name, c := range map[string]struct {
		serve   []string
		seconds int64
		before  bool // the reader has been shown the seal when it asks the witnesses
		again   bool // the reader is started again behind that, and the witnesses serve newer checkpoints
		want    bool
	}{
		"both":                              {others, inTime, false, false, true},
		"both, of what was shown":           {others, inTime, true, false, true},
		"both, in an earlier run":           {others, inTime, false, true, true},
		"both, of what an earlier run read": {others, inTime, true, true, true},
		"one":                               {others[:1], inTime, false, false, false},
		"one, in an earlier run":            {others[:1], inTime, true, true, false},
		"both, one second too late":         {others, lateBy, false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			a, _ := newBeaconAuthor(t)
			a.tellers = a.tellers[:atRound]
			a.told()
			served := map[string][]byte{}
			sum := sha256.Sum256([]byte(origin))
			text := "log " + a.keys[origin].vkey + "\n"
			for _, of := range others {
				front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					if served[of] == nil || r.URL.Path != "/"+hex.EncodeToString(sum[:])+"/checkpoint" {
						http.NotFound(rw, r)
						return
					}
					_, _ = rw.Write(served[of])
				}))
				defer front.Close()
				text += "witness " + of + " " + a.cosigner(of).String() + " " + front.URL + "/\n"
			}
			p, err := policy.Parse([]byte(text + "group both all " + strings.Join(others, " ") + "\nquorum both\n"))
			a.must(err)
			for _, of := range c.serve {
				served[of] = a.cosignedAt(c.seconds, of)
			}
			source := log{}
			show := func(size int) *watch.Watcher {
				for path, data := range a.publish(size, others...) {
					source[path] = data
				}
				return nil
			}
			show(len(a.entries) - 1)
			mirror := watch.Mirror(t.TempDir())
			w, err := watch.New(source, a.keys[house].vkey, p, mirror, nil)
			a.must(err)
			look, err := w.Look(t.Context())
			a.must(err)
			if c.before {
				show(len(a.entries))
				source[watch.CheckpointPath] = a.cosignedAt(lateBy, others...)
				look, err = w.Look(t.Context())
				a.must(err)
			}
			found, unread := w.Monitor(t.Context())
			if look.Findings != nil || found != nil || unread != nil {
				t.Fatalf("%v, %v, %v", look.Findings, found, unread)
			}
			if c.again {
				clear(served)
				w, err = watch.New(source, a.keys[house].vkey, p, mirror, nil)
				a.must(err)
				look, err = w.Resume(t.Context())
				a.must(err)
				if look.Findings != nil {
					t.Fatal(look.Findings)
				}
			}
			voids(1)(a)
			show(len(a.entries))
			look, err = w.Look(t.Context())
			a.must(err)
			switch {
			case c.want:
				names(t, look.Findings, public.VoidInTime, "its seal was cosigned before its round")
			case look.Findings != nil:
				t.Errorf("found %v", look.Findings)
			}
		})
	}
}

// TestWatchFindsALogThatIsHeldBack has witnesses cosign more of the log than the house shows. A house that is slow, or
// is being started, is given some looks; what too few have cosigned need not be shown.
func TestWatchFindsALogThatIsHeldBack(t *testing.T) {
	for name, c := range map[string]struct {
		by    []string
		looks int // until the house shows it; 0 for never
		want  bool
	}{
		"never shown":      {slices.Concat(custodians, outside), 0, true},
		"shown at last":    {slices.Concat(custodians, outside), 9, false},
		"cosigned by some": {slices.Concat(custodians, outside[:1]), 0, false},
		// The others lie about what they have cosigned, and one custodian serves the quorum.
		"one who tells the truth": {custodians[:1], 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAuthor(t)
			a.key(origin + "2")
			a.told()
			everybody := slices.Concat(custodians, outside)
			serves := map[string][]byte{}
			for _, of := range c.by {
				serves[of] = a.publish(len(a.entries), of)[watch.CheckpointPath]
			}
			if len(c.by) == 1 {
				for _, of := range everybody[1:] {
					serves[of] = a.publish(atSettle1+1, of)[watch.CheckpointPath]
				}
				serves[c.by[0]+"/quorum"] = a.publish(len(a.entries), everybody...)[watch.CheckpointPath]
			}
			source := a.publish(atSettle1+1, everybody...)
			w, err := watch.New(source, a.keys[house].vkey, a.asks("2", serves), "", nil)
			a.must(err)
			var found []*public.Finding
			var notes []error
			for i := range 25 {
				if i == c.looks && i > 0 {
					for path, data := range a.publish(len(a.entries), everybody...) {
						source[path] = data
					}
				}
				look, err := w.Look(t.Context())
				a.must(err)
				more, unread := w.Monitor(t.Context())
				notes = append(notes, unread...)
				found = append(append(found, look.Findings...), more...)
			}
			// Each that is ahead for long is named once, whether or not enough are: it is for people to ask why.
			if named := c.looks == 0; named != (len(notes) == len(c.by)) || !named && notes != nil {
				t.Errorf("noted %v", notes)
			}
			for _, note := range notes {
				if !strings.Contains(note.Error(), "has cosigned 17 entries of keno.example/log, and 10 are shown") {
					t.Error(note)
				}
			}
			switch {
			case !c.want && found != nil, c.want && len(found) != 1:
				t.Errorf("found %v", found)
			case c.want:
				names(t, found, watch.LogBehind, "have cosigned 17 entries of keno.example/log, and 10 are shown")
			}
		})
	}
}

// TestWatchCountsLooksOfSingleRuns looks once in each of many runs with one mirror. That the house shows less than was
// cosigned is found at the tenth, as by one run, and at each run after that; reading the mirror is no look.
func TestWatchCountsLooksOfSingleRuns(t *testing.T) {
	a := newAuthor(t)
	a.key(origin + "2")
	a.told()
	everybody := slices.Concat(custodians, outside)
	serves := map[string][]byte{}
	for _, of := range everybody {
		serves[of] = a.publish(len(a.entries), of)[watch.CheckpointPath]
	}
	source, asks, mirror := a.publish(atSettle1+1, everybody...), a.asks("2", serves), watch.Mirror(t.TempDir())
	var found, noted []int
	for run := range 13 {
		w, err := watch.New(source, a.keys[house].vkey, asks, mirror, nil)
		a.must(err)
		before, err := w.Resume(t.Context())
		a.must(err)
		look, err := w.Look(t.Context())
		a.must(err)
		more, unread := w.Monitor(t.Context())
		for _, f := range slices.Concat(before.Findings, look.Findings, more) {
			names(t, []*public.Finding{f}, watch.LogBehind, "have cosigned 17 entries of keno.example/log, and 10 are shown")
			found = append(found, run)
		}
		if len(unread) > 0 {
			noted = append(noted, run)
		}
	}
	// The first run hears of the checkpoint behind its look.
	if !slices.Equal(found, []int{10, 11, 12}) || !slices.Equal(noted, []int{9, 10, 11, 12}) {
		t.Errorf("found at the runs %v, noted at %v", found, noted)
	}
}

// TestWatchKnowsTheCustodians gives the reader the keys of the custodians: a log that has games drawn by another one of
// the same name is found.
func TestWatchKnowsTheCustodians(t *testing.T) {
	a := newAuthor(t).told()
	right := []string{a.keys[custodians[0]].vkey, a.keys[custodians[1]].vkey}
	other := newAuthor(t)
	other.key("other")
	for name, c := range map[string]struct {
		known []string
		want  bool
	}{
		"those of the log": {right, false}, "more": {append(right, other.keys["other"].vkey), false}, "none": {nil, false},
		"another": {[]string{right[0], other.keys["other"].vkey}, true}, "one alone": {right[:1], true},
	} {
		w, err := watch.New(a.publish(len(a.entries)), a.keys[house].vkey, nil, "", nil)
		a.must(err)
		a.must(w.Knows(c.known))
		look, err := w.Look(t.Context())
		a.must(err)
		switch {
		case c.want:
			names(t, look.Findings, watch.KeyOther, "bob.example gives links for vic-keno by the key "+right[1])
		case look.Findings != nil:
			t.Errorf("%s: found %v", name, look.Findings)
		}
	}
	w, err := watch.New(a.publish(len(a.entries)), a.keys[house].vkey, nil, "", nil)
	a.must(err)
	if err := w.Knows([]string{"no key"}); err == nil {
		t.Error("what is no key is taken")
	}
}

// voidsKnown has a game of the author's log declared void, and all its links in the log: before the void, or behind it.
func (a *author) voidsKnown(game uint32, behind bool) {
	at := map[uint32]int{1: atLink1, 2: atEnd - 5}[game]
	links := a.tellers[at : at+2]
	if behind {
		a.tellers = slices.Replace(a.tellers, at, at+4, voids(game), links[0], links[1])
		return
	}
	a.tellers = slices.Replace(a.tellers, at, at+4, links[0], links[1], voids(game))
}

// TestWatchFindsAVoidOfAKnownResult has a game declared void whose links are all in the log, before the void or behind
// it. Where no published rulebook ends such a game, it is found: else a house could leave every result that does not
// suit it.
func TestWatchFindsAVoidOfAKnownResult(t *testing.T) {
	for rulebook, want := range map[string]bool{
		hashOf(t, "casino-keno-div2"): false, hashOf(t, "vic-keno-2015"): true, hashOf(t, "tas-keno-2023"): true,
		journal.LeafHash(nil).String(): true,
	} {
		for _, behind := range []bool{false, true} {
			a := newAuthor(t)
			a.rulebook = rulebook
			a.voidsKnown(1, behind)
			a.told()
			w, err := watch.New(a.publish(len(a.entries)), a.keys[house].vkey, nil, "", nil)
			a.must(err)
			look, err := w.Look(t.Context())
			a.must(err)
			switch {
			case want:
				names(t, look.Findings, watch.VoidKnown, "is void by clause 11.6, and its links give its result; no published rulebook of the hash "+rulebook)
			case look.Findings != nil:
				t.Errorf("links behind the void %v: found %v", behind, look.Findings)
			}
		}
	}
}

// TestWatchFindsVoidsInARow voids two games in a row whose links give their results, by a rulebook that ends a game
// that cannot go on. The first one is what the rulebook allows. docs/inspector.py refuses the second one as well.
func TestWatchFindsVoidsInARow(t *testing.T) {
	for _, behind := range []bool{false, true} {
		for _, games := range []uint32{1, 2} {
			a := newAuthor(t)
			a.rulebook = hashOf(t, "casino-keno-div2")
			for game := games; game > 0; game-- {
				a.voidsKnown(game, behind)
			}
			a.told()
			w, err := watch.New(a.publish(len(a.entries)), a.keys[house].vkey, nil, "", nil)
			a.must(err)
			look, err := w.Look(t.Context())
			a.must(err)
			if games == 2 {
				names(t, look.Findings, watch.VoidKnown,
					"2026-11-15 2 is void by clause 11.6, and its links give its result: of 2 games in a row")
			}
			if len(look.Findings) != int(games)-1 {
				t.Errorf("links behind the void %v: found %v", behind, look.Findings)
			}
			said, holds := a.inspector("log", a.folder(a.entries, len(a.entries)), a.keys[origin].vkey)
			says := map[uint32]string{1: "1 games are void although all their links are in the log",
				2: "are void in a row although all their links are in the log"}[games]
			if holds != (games == 1) || !strings.Contains(said, says) {
				t.Errorf("links behind the void %v: inspector.py says\n%s", behind, said)
			}
		}
	}
}

// TestWatchFindsADayAgain has a log that follows open and seal a game of a Keno Day of the log before it, of which
// links may be known: with both logs shown to one reader, and read from a mirror. A game that is sealed and never
// opened is found by the second log alone.
func TestWatchFindsADayAgain(t *testing.T) {
	opened := func(a *author) { opensAs(day, "0", "9")(a) }
	again := func(a *author) { opens(1)(a); seals(1)(a) }
	for name, c := range map[string]struct {
		tell func(*author)
		code public.Code
		says string
	}{
		"a later day":             {nextDay("9"), "", ""},
		"a game of the day":       {opened, public.OutOfOrder, "2026-11-15 0, and a log before this one had games of that"},
		"a game that was drawn":   {again, public.SecondSeal, "2026-11-15 1 is sealed, and was sealed in a log before this one"},
		"a day before":            {opensAs("2026-11-14", "0", "9"), public.OutOfOrder, "2026-11-14 0, and a log before this one had"},
		"a seal without an entry": {seals(1), public.OutOfOrder, "2026-11-15 1 is sealed, and never opened"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAuthor(t).told()
			b := a.successor(func(*journal.LogBody) {})
			chooses(b)
			c.tell(b)
			served, mirror := log{}, watch.Mirror(t.TempDir())
			shows := func(by *author) {
				clear(served)
				for path, data := range by.publish(len(by.entries)) {
					served[path] = data
				}
			}
			holds := func(found []*public.Finding) {
				t.Helper()
				if c.code == "" {
					if found != nil {
						t.Errorf("found %v", found)
					}
					return
				}
				if !slices.ContainsFunc(found, func(f *public.Finding) bool {
					return f.Code == c.code && strings.Contains(f.Says, c.says)
				}) {
					t.Errorf("found %v, want %s: %s", found, c.code, c.says)
				}
			}
			shows(a)
			w, err := watch.New(served, a.keys[house].vkey, nil, mirror, nil)
			a.must(err)
			if look, err := w.Look(t.Context()); err != nil || look.Findings != nil {
				t.Fatalf("%v: %v", look.Findings, err)
			}
			shows(b)
			if name == "a seal without an entry" {
				alone, err := watch.New(served, a.keys[house].vkey, nil, "", nil)
				a.must(err)
				look, err := alone.Look(t.Context())
				a.must(err)
				holds(look.Findings)
				return
			}
			look, err := w.Look(t.Context())
			a.must(err)
			holds(look.Findings)
			resumed, err := watch.New(served, a.keys[house].vkey, nil, mirror, nil)
			a.must(err)
			look, err = resumed.Resume(t.Context())
			a.must(err)
			holds(look.Findings)
		})
	}
}

// hashOf returns the hash of a published rulebook.
func hashOf(t *testing.T, id string) string {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	return journal.Hash(book.Hash()).String()
}
