package engine

import (
	"fmt"
	"strings"

	"drawhouse/money"
)

// Words says in a sentence what an act would do, with every value that decides something,
// for whoever is to consent to it. Its JSON is what is consented to, and says no less.
func Words(act Act) string {
	switch a := act.(type) {
	case AdoptRulebook:
		return fmt.Sprintf("Adopt the rulebook %s, edition %s.", a.ID, a.Hash)
	case ChangeTerms:
		return fmt.Sprintf("Play by schedule %s of the rulebook %s from game %d of the series on, by decision %q.", a.Schedule, a.Rulebook, a.From, a.Reference)
	case DesignateGame:
		return fmt.Sprintf("Announce game %d of the series as a game of delayed start.", a.Ordinal)
	case OpenDay:
		return fmt.Sprintf("Open Keno Day %s, where clocks are %d seconds ahead of UTC.", a.Day, a.OffsetSeconds)
	case CloseDay:
		return fmt.Sprintf("Close Keno Day %s.", a.Day)
	case AnnounceClosure:
		return fmt.Sprintf("Tell players that trading ends at %s, and open no game of the Keno Day after that.", a.At)
	case VoidDraw:
		return fmt.Sprintf("Declare draw %d of game %d of the series void under %s, so that it is drawn again: %s.", a.Draw, a.Ordinal, a.Clause, a.Reason)
	case ConfirmResult:
		return fmt.Sprintf("Let the result of draw %d of game %d of the series stand although it equals a recent one: %s.", a.Draw, a.Ordinal, a.Reason)
	case VoidGame:
		return fmt.Sprintf("End game %d of the series without a result under %s: %s.%s", a.Ordinal, a.Clause, a.Reason, fateWords(a.Fate))
	case CorrectResult:
		return fmt.Sprintf("Settle game %d of the series anew, as revision %d, by the numbers %s under %s: %s.", a.Ordinal, a.Revision, list(a.Numbers), a.Clause, a.Reason)
	}
	return moneyWords(act)
}

func moneyWords(act Act) string {
	switch a := act.(type) {
	case NameParticipants:
		return fmt.Sprintf("Share the jackpots from game %d of the series on with: %s.", a.From, orNobody(strings.Join(a.Names, ", ")))
	case ReportJackpot:
		return fmt.Sprintf("Take in that %s adds %v to the jackpot of %d spots in game %d of the series, and has winning stakes of %v.",
			a.Jurisdiction, money.Amount(a.GrowthCents), a.Spots, a.Ordinal, money.Amount(a.StakesCents))
	case ShareJackpots:
		return fmt.Sprintf("Share the pooled jackpots of game %d of the series among its winners.", a.Ordinal)
	case MovePool:
		return fmt.Sprintf("Move %v of the jackpot of %d spots (%s), by decision %q.", money.Amount(a.Cents), a.Spots, a.Move, a.Reference)
	case GiveAside:
		return fmt.Sprintf("Share %v that was set aside of the jackpot of %d spots among the winners of game %d of the series, by decision %q.",
			money.Amount(a.Cents), a.Spots, a.Ordinal, a.Reference)
	case MigratePools:
		return fmt.Sprintf("Take in the jackpots of series %d, by decision %q.", a.From, a.Reference)
	case MigrateBonus:
		return fmt.Sprintf("Take in the bonus prize pool of series %d, by decision %q.", a.From, a.Reference)
	case BeginPromotion:
		return promotionWords(a)
	case ChangePromotion:
		what := "Let promotion %d go on, by decision %q."
		if a.Ended {
			what = "End promotion %d, by decision %q."
		} else if a.Paused {
			what = "Pause promotion %d, by decision %q."
		}
		return fmt.Sprintf(what, a.Number, a.Reference)
	case MoveBank:
		return fmt.Sprintf("Move %v between the safe and the bank of terminal %d (%s).", money.Amount(a.Cents), a.Terminal, a.Move)
	case CountBank:
		return fmt.Sprintf("Take in that %v was counted in the bank of terminal %d.", money.Amount(a.Cents), a.Terminal)
	}
	return personWords(act)
}

func personWords(act Act) string {
	switch a := act.(type) {
	case Disqualify:
		return fmt.Sprintf("Admit no claim on ticket %s: %s.", a.Ticket, a.Reason)
	case Reinstate:
		return fmt.Sprintf("Admit claims on ticket %s again: %s.", a.Ticket, a.Reason)
	case ReleasePayment:
		late := ""
		if a.Cents != 0 {
			late = fmt.Sprintf(", for which %v were paid late", money.Amount(a.Cents))
		}
		return fmt.Sprintf("Let %s be paid again%s: %s.", strings.Join(a.Places, ", "), late, a.Reason)
	case Invalidate:
		return fmt.Sprintf("Declare ticket %s invalid in its games that have not closed: %s.", a.Ticket, a.Reason)
	case GivePaper:
		life := ""
		if a.Days > 0 {
			life = fmt.Sprintf(", good for %d days", a.Days)
		}
		return fmt.Sprintf("Have terminal %d issue a paper (%s) of %v at the operator's expense%s.", a.Terminal, a.Kind, money.Amount(a.Cents), life)
	case UnwindSession:
		return fmt.Sprintf("End the customer session at terminal %d, which was shut out, with %v that the customer paid in cash: %s.", a.Terminal, money.Amount(a.Cents), a.Reason)
	case PayByHand:
		return fmt.Sprintf("Bring in at terminal %d that person %d has paid %v by hand for ticket %s in game %d of the series, whose result the computer did not take.",
			a.Terminal, a.PaidBy, money.Amount(a.Cents), a.Ticket, a.Ordinal)
	case AppointInspector:
		return fmt.Sprintf("Make person %d an inspector.", a.Person)
	case DismissInspector:
		return fmt.Sprintf("Take the role of inspector from person %d.", a.Person)
	case LockInspector:
		if !a.Locked {
			return fmt.Sprintf("Let inspector %d sign on again: %s.", a.Person, a.Reason)
		}
		return fmt.Sprintf("Keep inspector %d from signing on: %s.", a.Person, a.Reason)
	}
	return ""
}

func promotionWords(a BeginPromotion) string {
	what := fmt.Sprintf("Offer %q with %v in all from game %d of the series", a.Name, money.Amount(a.Cents), a.From)
	if a.Last > 0 {
		what += fmt.Sprintf(" to game %d", a.Last)
	}
	if a.Item == "" {
		what += fmt.Sprintf(", for %d of %d spots of %s on a stake of at least %v", a.Matched, a.Spots, a.Bet, money.Amount(a.LeastCents))
	} else {
		what += fmt.Sprintf(", on tickets of the kind %s", a.Item)
		for _, p := range a.Prizes {
			what += fmt.Sprintf(", %d of %v in %d of %d cases", p.Count, money.Amount(p.Cents), p.Num, a.Den)
		}
	}
	return fmt.Sprintf("%s, by decision %q.", what, a.Reference)
}

// fateWords says what two persons have chosen to become of the plays of a void game. The act
// foretells what becomes of them where they leave it to the rulebook.
func fateWords(fate string) string {
	if fate == "" {
		return ""
	}
	return " No further game of the Keno Day is possible, so the stakes go back, nothing more is sold or drawn this day, and the game on sale ends the same way."
}

func orNobody(names string) string {
	if names == "" {
		return "nobody"
	}
	return names
}

// list writes numbers with commas.
func list(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ", ")
}
