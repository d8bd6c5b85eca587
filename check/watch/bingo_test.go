package watch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/watch"
	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// inRoom returns the lines that name a game of session 3.
func inRoom(game int) []string {
	return []string{"hall 1", "session 3", fmt.Sprintf("game %d", game)}
}

func bingoName(game int, of string) journal.Game {
	name := journal.Game{Series: "bingo-1", Day: day, Number: uint32(300 + game)}
	if of == "jackpot" {
		name.Series += "-jackpot"
	}
	return name
}

// sealsBingo seals a draw of a game, under the name of another one if that is what the house says.
func sealsBingo(game int, of string, name journal.Game) func(*author) {
	return func(a *author) {
		signed, err := journal.SignSeal(journal.SealBody{Checkpoint: a.checkpoint(), Game: name}, a.keys[house].signer)
		a.must(err)
		a.bingo = map[string][]byte{fmt.Sprint(game, of): signed}
		a.say(public.BingoSealed, append(inRoom(game), "draw "+of, note(signed), "journal")...)
	}
}

func drawsBingo(game int, of string, signer string) func(*author) {
	return func(a *author) {
		result := draw.Result{Device: "rng", Game: bingoName(game, of), Revision: 1}
		if sealed, ok := a.bingo[fmt.Sprint(game, of)]; ok {
			text, _, _ := strings.Cut(string(sealed), "\n\n")
			body, err := journal.ParseSeal(text + "\n")
			a.must(err)
			result.Seal = body.Hash()
		}
		numbers, err := ball.NewSequence(ball.Bingo, 7, 90, 11)
		a.must(err)
		result.Numbers = numbers
		signed, err := journal.SignNote(result.Marshal(), a.keys[signer].signer)
		a.must(err)
		a.say(public.BingoDrawn, append(inRoom(game), "draw "+of, note(signed))...)
	}
}

func saysOfBingo(kind public.Kind, lines ...string) func(*author) {
	return func(a *author) { a.say(kind, lines...) }
}

// session is what the log says of a session of two games, of which the first has a jackpot and the second no result.
func session() []func(*author) {
	device := house + "/device"
	return []func(*author){begins,
		saysOfBingo(public.RoomOpened, "hall 1", "name bingo-1", "rulebook "+journal.LeafHash(nil).String()),
		saysOfBingo(public.SessionSet, "hall 1", "session 3", "day "+day, "games 2", "fee-cents 1000"),
		sealsBingo(1, "jackpot", bingoName(1, "jackpot")), drawsBingo(1, "jackpot", device),
		sealsBingo(1, "calls", bingoName(1, "calls")), drawsBingo(1, "calls", device),
		saysOfBingo(public.BingoSettled, append(inRoom(1), "final yes", "winners 1", "prizes-cents 5000", "jackpot-cents 0")...),
		sealsBingo(2, "calls", bingoName(2, "calls")),
		saysOfBingo(public.BingoVoid, append(inRoom(2), "clause 8.5", "refund-cents 500")...),
		saysOfBingo(public.SessionEnded, "hall 1", "session 3", "early no", "journal"),
	}
}

// TestWatchFindsLiesAboutBingo tells of a session, honestly and with one lie at a time, and says each entry in words.
func TestWatchFindsLiesAboutBingo(t *testing.T) {
	const atSeal, atDrawn, atSettled, atVoid = 5, 6, 7, 9
	for name, lie := range map[string]lie{
		"none": {func(*author) {}, "", ""},
		"a game under way when the log began": {func(a *author) {
			a.tellers = slices.Delete(a.tellers, 1, atDrawn)
		}, "", ""},
		"two seals": {insert(atSeal+1, sealsBingo(1, "calls", bingoName(1, "calls"))), public.SecondSeal,
			"bingo-1 2026-11-15 301 has two seals"},
		"a seal of another game": {replace(atSeal, sealsBingo(1, "calls", bingoName(2, "calls"))), public.SealUnsigned,
			"the seal of the calls of game 1 in session 3 names bingo-1 2026-11-15 302"},
		"a seal of another draw": {replace(atSeal, sealsBingo(1, "calls", bingoName(1, "jackpot"))), public.SealUnsigned,
			"the seal of the calls of game 1 in session 3 names bingo-1-jackpot"},
		"a seal behind its result": {func(a *author) { a.tellers[atSeal], a.tellers[atDrawn] = a.tellers[atDrawn], a.tellers[atSeal] },
			public.OutOfOrder, "the calls of game 1 in session 3 have a result and no seal"},
		"a result of somebody else": {replace(atDrawn, drawsBingo(1, "calls", house)), public.ResultWrong,
			"the result of bingo-1 2026-11-15 301: "},
		"a result under another seal": {replace(atDrawn, func(a *author) {
			a.bingo = nil
			drawsBingo(1, "calls", house+"/device")(a)
		}), public.ResultWrong, "is of another game, draw or seal"},
		"two results": {insert(atDrawn, drawsBingo(1, "calls", house+"/device")), public.SecondResult, "has two results"},
		"settled without a result": {replace(atDrawn, func(*author) {}), public.OutOfOrder,
			"game 1 in session 3 of room 1 is settled, and it has no result"},
		"a session that leaves a game undrawn": {replace(atVoid, func(*author) {}), public.Undrawn,
			"session 3 is over, and bingo-1 2026-11-15 302 is sealed and has no result"},
		"a seal of a session that is over": {func(a *author) {
			a.tellers = append(a.tellers, sealsBingo(2, "calls", bingoName(2, "calls")))
		}, public.OutOfOrder, "bingo-sealed of game 2 in session 3 of room 1, and session 3 is over"},
		"a seal over another journal": {insert(atSeal, another), public.JournalForked, "is no extension of what was named before"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAuthor(t)
			a.tellers = session()
			lie.tell(a)
			a.told()
			w, err := watch.New(a.publish(len(a.entries)), a.keys[house].vkey, nil, "", func(_ uint64, e *public.Entry) {
				if words := watch.Words(e); !strings.HasSuffix(words, ".") || strings.Contains(words, "kind") ||
					strings.Contains(words, "no seal") || strings.Contains(words, "without numbers") {
					t.Errorf("%s: %s", e.Kind, words)
				}
			})
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
