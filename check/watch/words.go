package watch

import (
	"fmt"
	"strings"

	"drawhouse/core/money"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// Words says in one sentence what an entry of a log says.
func Words(e *public.Entry) string {
	series := e.Text("series")
	switch e.Kind {
	case public.Begun:
		return "The public log begins."
	case public.Volume:
		return fmt.Sprintf("Volume %d of the journal begins, for the reason %q.", e.Uint("volume"), e.Text("reason"))
	case public.Series:
		return fmt.Sprintf("The series %s begins, by schedule %s of rulebook %s.", series, e.Text("schedule"), e.Text("rulebook"))
	case public.Terms:
		return fmt.Sprintf("From game no. %d of %s on schedule %s of rulebook %s counts.", e.Uint("first"), series,
			e.Text("schedule"), e.Text("rulebook"))
	case public.Device:
		if names := namesOf(e.Texts("custodian")); names != "" {
			return fmt.Sprintf("From now on %s is drawn from the links of %s.", series, names)
		}
		return fmt.Sprintf("From now on %s is drawn by the device %q.", series, e.Text("device"))
	case public.Beacon:
		if e.Text("key") == "" {
			return fmt.Sprintf("From %s on no beacon is part of the draws of %s.", e.Text("from"), series)
		}
		return fmt.Sprintf("From %s on a round of the beacon %x is part of every draw of %s.", e.Text("from"),
			e.Hashes("chain")[0][:], series)
	case public.Witnesses:
		return fmt.Sprintf("The house needs the cosignatures of: %s. It asks for those of: %s.", orNobody(e.Texts("required")),
			orNobody(e.Texts("optional")))
	case public.Links:
		return fmt.Sprintf("%s commits to the links of %s for %s.", e.Text("custodian"), series, e.Text("day"))
	case public.DayClosed:
		return fmt.Sprintf("The Keno Day %s of %s is over, with %d games.", e.Text("day"), series, e.Uint("games"))
	}
	if e.Text("hall") != "" {
		return wordsOfRoom(e)
	}
	if e.Text("game") == "" {
		return fmt.Sprintf("An entry of the kind %q, which this program does not know.", e.Kind)
	}
	return fmt.Sprintf("Game %d of %s on %s %s.", e.Uint("game"), series, e.Text("day"), wordsOfGame(e))
}

// wordsOfGame says what becomes of the game that an entry is about.
func wordsOfGame(e *public.Entry) string {
	switch e.Kind {
	case public.Opened:
		if round := e.Uint("round"); round > 0 {
			return fmt.Sprintf("is on sale, and is drawn with round %d of its beacon", round)
		}
		return "is on sale"
	case public.Sealed:
		fingerprint, err := journal.FingerprintOf(e.Note("note"))
		if err != nil {
			return "has an entry of a seal, and what stands there is no seal"
		}
		return "is sealed, fingerprint " + fingerprint
	case public.Link:
		return "has the link of " + e.Text("custodian")
	case public.Round:
		return fmt.Sprintf("has round %d of its beacon", e.Uint("round"))
	case public.Result:
		return fmt.Sprintf("is drawn (draw %d): %s", e.Uint("draw"), numbersOf(e.Note("note")))
	case public.Settled:
		return fmt.Sprintf("is settled: stakes of %v, prizes of %v, %d winners (settlement %d)", cents(e, "stakes-cents"),
			cents(e, "prizes-cents"), e.Uint("winners"), e.Uint("revision"))
	case public.DrawVoid:
		return fmt.Sprintf("loses draw %d, which does not count, by clause %s", e.Uint("draw"), e.Text("clause"))
	case public.GameVoid:
		return fmt.Sprintf("has no result, by clause %s; %v goes back", e.Text("clause"), cents(e, "refund-cents"))
	case public.Corrected:
		return fmt.Sprintf("is settled anew with the numbers %s, by clause %s", e.Text("numbers"), e.Text("clause"))
	}
	return fmt.Sprintf("has an entry of the kind %q", e.Kind)
}

func cents(e *public.Entry, key string) money.Amount { return money.Amount(e.Uint(key)) } //nolint:gosec // Read as such.

// namesOf returns the names of verifier keys.
func namesOf(keys []string) string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i], _, _ = strings.Cut(key, "+")
	}
	return strings.Join(names, ", ")
}

func orNobody(keys []string) string {
	if len(keys) == 0 {
		return "nobody"
	}
	return namesOf(keys)
}

// numbersOf returns the numbers in the device's note, as they stand there. Whether they are signed and follow from the
// seal is for the chain.
func numbersOf(note []byte) string {
	for line := range strings.SplitSeq(string(note), "\n") {
		if numbers, ok := strings.CutPrefix(line, "numbers "); ok {
			return numbers
		}
	}
	return "a note without numbers"
}

// wordsOfRoom says what an entry about a bingo room says.
func wordsOfRoom(e *public.Entry) string {
	in := fmt.Sprintf("Session %d in bingo room %d", e.Uint("session"), e.Uint("hall"))
	game := fmt.Sprintf("Game %d of session %d in bingo room %d", e.Uint("game"), e.Uint("session"), e.Uint("hall"))
	of := map[bool]string{true: "jackpot numbers", false: "calls"}[e.Text("draw") == "jackpot"]
	switch e.Kind {
	case public.RoomOpened:
		return fmt.Sprintf("Bingo room %d opens, called %s, by rulebook %s.", e.Uint("hall"), e.Text("name"), e.Text("rulebook"))
	case public.SessionSet:
		return fmt.Sprintf("%s is planned for %s, with %d games for a fee of %v.", in, e.Text("day"), e.Uint("games"),
			cents(e, "fee-cents"))
	case public.BingoSealed:
		fingerprint, err := journal.FingerprintOf(e.Note("note"))
		if err != nil {
			return game + " has an entry of a seal, and what stands there is no seal."
		}
		return fmt.Sprintf("%s is sealed for its %s, fingerprint %s.", game, of, fingerprint)
	case public.BingoDrawn:
		return fmt.Sprintf("%s is drawn, %s: %s.", game, of, numbersOf(e.Note("note")))
	case public.BingoSettled:
		return fmt.Sprintf("%s: %d winners have prizes of %v and jackpots of %v%s.", game, e.Uint("winners"),
			cents(e, "prizes-cents"), cents(e, "jackpot-cents"),
			map[bool]string{true: ", and the game is over"}[e.Text("final") == "yes"])
	case public.BingoVoid:
		return fmt.Sprintf("%s has no result, by clause %s; %v goes back to each player.", game, e.Text("clause"),
			cents(e, "refund-cents"))
	case public.SessionEnded:
		return in + map[bool]string{true: " closes early.", false: " is over."}[e.Text("early") == "yes"]
	}
	return fmt.Sprintf("An entry of the kind %q.", e.Kind)
}
