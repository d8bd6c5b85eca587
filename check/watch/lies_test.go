package watch_test

import (
	"slices"
	"strings"
	"testing"

	"drawhouse/check/watch"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// A lie is what a house tells otherwise, and what is found of it first.
type lie struct {
	tell func(*author)
	code public.Code
	says string // part of the words
}

func insert(at int, tell func(*author)) func(*author) {
	return func(a *author) { a.tellers = slices.Insert(a.tellers, at, tell) }
}

func replace(at int, tell func(*author)) func(*author) {
	return func(a *author) { a.tellers[at] = tell }
}

// settlesWith settles a game with tickets for stakes, and with tickets of void games.
func settlesWith(game uint32, plays, along, stakes string) func(*author) {
	return func(a *author) {
		a.say(public.Settled, append(named(game), "revision 1", "draw 1", "plays "+plays, "along-plays "+along, "ways "+plays,
			"stakes-cents "+stakes, "winners 0", "prizes-cents 0", "carried-cents 0")...)
	}
}

// corrects says that other numbers of the first game count.
func corrects(a *author) {
	a.say(public.Corrected, append(named(1), "revision 2", "clause 9.1", "numbers 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20")...)
}

// another goes on with a journal of other records, which proves that it only grew since it was as long as the one that
// was named last.
func another(a *author) {
	other, size := journal.NewTree(), a.journal.Size()
	named, _ := a.journal.Marked()
	for n := range size {
		if n == named {
			other.Mark()
		}
		other.Append([]byte{byte(n)})
	}
	a.journal = other
}

// lies are told in the entries of a log.
var lies = map[string]lie{
	"two seals": {insert(atSeal1+1, seals(1)), public.SecondSeal, "vic-keno 2026-11-15 1 has two seals"},
	"a seal behind its links": {func(a *author) {
		a.tellers[atSeal1], a.tellers[atLink1] = a.tellers[atLink1], a.tellers[atSeal1]
	}, public.LinkEarly, "comes before its seal"},
	"a sale behind the seal": {replace(atSettle1, settlesWith(1, "1", "0", "200")), public.SoldLate,
		"sealed with 0 tickets for 0 cents, and is settled with 1 for 200, and 0 of void games"},
	"a sale behind the seal, said to be of a void game": {replace(atSettle1, settlesWith(1, "0", "1", "0")), public.SoldLate,
		"and is settled with 0 for 0, and 1 of void games"},
	"a stake behind the seal": {replace(atSettle1, settlesWith(1, "0", "0", "200")), public.SoldLate, "settled with 0 for 200"},
	"a ticket taken back behind the seal": {func(a *author) {
		a.tellers[atSeal1] = func(a *author) { a.sealOf(1, journal.SealBody{Plays: 2, StakesCents: 400}) }
		a.tellers[atSettle1] = settlesWith(1, "1", "0", "200")
	}, public.SoldLate, "sealed with 2 tickets for 400 cents, and is settled with 1 for 200"},
	"a link early": {insert(atSeal2, gives(2, custodians[0])), public.LinkEarly, "a link of "},
	"a link that was not committed to": {replace(atLink1, func(a *author) {
		link, err := a.links[custodians[0]].Link(gameOf(2))
		a.must(err)
		a.give(1, link)
	}), public.LinkWrong, "the link of alice.example for "},
	"a result that is not from its links": {replace(atResult1, func(a *author) {
		numbers := a.numbers(1)
		slices.Reverse(numbers)
		a.result(1, numbers, 1)
	}), public.ResultWrong, "does not follow from seal, links and round: number 1 is "},
	"two results of one draw": {insert(atResult1+1, results(1)), public.SecondResult, "draw 1 of "},
	"a result without a link": {replace(atLink1, func(*author) {}), public.ResultWrong, "has a result and no link of alice.example"},
	"a result without a seal": {insert(atOpen2+1, func(a *author) {
		a.seals[2] = a.seals[1]
		a.result(2, a.numbers(1), 1)
	}), public.OutOfOrder, "has a result and no seal"},
	"a settlement told twice": {insert(atSettle1+1, settles(1)), public.OutOfOrder,
		"settlement 1 of vic-keno 2026-11-15 1 follows settlement 1"},
	"a settlement that is left out": {replace(atSettle1, func(a *author) {
		a.say(public.Settled, append(named(1), "revision 2", "draw 1", "plays 0", "along-plays 0", "ways 0",
			"stakes-cents 0", "winners 0", "prizes-cents 0", "carried-cents 0")...)
	}), public.OutOfOrder, "settlement 2 of vic-keno 2026-11-15 1 follows settlement 0"},
	"a result of links that is corrected":           {insert(atSettle1+1, corrects), public.ResultWrong, "is corrected to 1 2 3 4 5 6 7 8"},
	"a result of a day before that is corrected":    {insert(atEnd, corrects), public.ResultWrong, "is corrected to 1 2 3 4 5 6 7 8"},
	"a result that is said to be of another device": {func(a *author) { a.device = "rng" }, public.ResultWrong, "is drawn by rng, and the game by witnessed"},
	"settled without a result": {replace(atResult1, func(*author) {}), public.OutOfOrder,
		"is settled by draw 1, of which there is no result"},
	"a game that opens twice": {insert(atOpen2+1, opens(2)), public.OutOfOrder, "opens twice"},
	"a draw void after its links": {insert(atResult1, func(a *author) {
		a.say(public.DrawVoid, append(named(1), "draw 1", "clause 11.4(a)")...)
	}), public.VoidLate, "is void, and of links and rounds there is one draw"},
	"a draw void before its links": {insert(atSeal1+1, func(a *author) {
		a.say(public.DrawVoid, append(named(1), "draw 1", "clause 11.4(a)")...)
	}), public.VoidLate, "is void, and of links and rounds there is one draw"},
	"a game void after a link":     {insert(atLink1+1, voids(1)), public.VoidLate, "is void, and 1 of 2 links of it are known"},
	"a game void after its result": {insert(atResult1+1, voids(1)), public.VoidLate, "is void, and its result is known"},
	"a seal of a day that is over": {insert(atEnd, seals(1)), public.OutOfOrder, "game-sealed of "},
	"a link of a day that is over": {insert(atEnd, gives(1, custodians[0])), public.OutOfOrder, "whose day is over"},
	"a day that leaves a game undrawn": {func(a *author) { a.tellers = append(a.tellers[:atSeal2+1], closes) },
		public.Undrawn, "2026-11-15 ends, and "},
	"custodians who change under a game": {insert(atLink1, func(a *author) {
		a.say(public.Device, "series "+series, "device rng")
		numbers := a.numbers(1)
		slices.Reverse(numbers)
		a.result(1, numbers, 1)
	}), public.ResultWrong, "has a result and no link of alice.example"},
	"a commitment behind the seal": {func(a *author) {
		a.tellers = append(a.tellers[:3], append(a.tellers[4:atLink1], append([]func(*author){commits(custodians[1])},
			a.tellers[atLink1:]...)...)...)
	}, public.LinkWrong, "bob.example had committed to nothing for 2026-11-15 when "},
	"a second draw": {func(a *author) {
		a.tellers[atResult1] = func(a *author) { a.result(1, a.numbers(1), 2) }
	}, public.ResultWrong, "of links there is one draw"},
	"a journal that is no extension": {insert(atOpen2, another), public.JournalForked,
		"keno.example/v1 is no extension of what was named before: "},
	"a journal of another size": {insert(atOpen2, func(a *author) { a.from = func(n uint64) uint64 { return n + 1 } }),
		public.JournalForked, "keno.example/v1 from 7 is named, and keno.example/v1 with 6 records was named before"},
	"a checkpoint of the journal without its proof": {insert(atOpen2, func(a *author) { a.unproved = true }),
		public.JournalForked, "keno.example/v1 is no extension of what was named before: "},
	"a checkpoint of the journal that begins anew": {insert(atOpen2, func(a *author) {
		a.unproved = true
		a.from = func(uint64) uint64 { return 0 }
	}), public.JournalForked, "from 0 is named, and keno.example/v1 with "},
	"a seal over another journal": {replace(atSeal1, func(a *author) {
		a.seal(1, gameOf(1), journal.Checkpoint{Origin: house + "/v1", Size: 3, Root: journal.LeafHash(nil)},
			a.keys[house].signer)
	}), public.JournalForked, "is over keno.example/v1 with 3 records, and the entry names "},
	"a seal of another game": {replace(atSeal1, func(a *author) {
		a.seal(1, gameOf(2), a.checkpoint(), a.keys[house].signer)
	}), public.SealUnsigned, "2026-11-15 1 names vic-keno 2026-11-15 2"},
	"a seal that somebody else signed": {replace(atSeal1, func(a *author) {
		a.seal(1, gameOf(1), a.checkpoint(), a.keys["w1.example"].signer)
	}), public.SealUnsigned, "the seal of "},
	"a commitment of a stranger": {insert(4, func(a *author) {
		a.links["w1.example"] = a.links[custodians[0]]
		commits("w1.example")(a)
	}), public.LinkWrong, "w1.example is no custodian of the series"},
	"a second commitment":   {insert(4, commits(custodians[0])), public.LinkWrong, "alice.example commits twice for 2026-11-15"},
	"a log without a start": {replace(0, func(*author) {}), public.WrongStart, "device is entry 0"},
	"a second start":        {insert(4, begins), public.WrongStart, "log-begun is entry 4"},
	"a record of before":    {insert(atSettle1, func(a *author) { a.records -= 2 }), public.TimeFell, "record 1:9 of time 1009 follows 1:10"},
	"an entry of another form": {insert(atSettle1, func(a *author) {
		a.entries = append(a.entries, []byte("drawhouse/log/v2\n"))
	}), public.Unreadable, `this one begins with "drawhouse/log/v2"`},
}

// TestWatchFindsLies tells one lie at a time. The house signs everything anew, so that every signature holds, and
// everybody who was asked has cosigned.
func TestWatchFindsLies(t *testing.T) {
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			a := newAuthor(t)
			lie.tell(a)
			a.told()
			w, err := watch.New(a.publish(len(a.entries)), a.keys[house].vkey, nil, "", nil)
			a.must(err)
			look, err := w.Look(t.Context())
			a.must(err)
			names(t, look.Findings, lie.code, lie.says)
		})
	}
}

// names asks that what is found first has a code and words.
func names(t *testing.T, found []*public.Finding, code public.Code, says string) {
	t.Helper()
	if len(found) == 0 || found[0].Code != code || !strings.Contains(found[0].Says, says) {
		t.Errorf("found %v, want first %s: %s", found, code, says)
	}
}
