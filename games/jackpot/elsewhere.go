package jackpot

import (
	"errors"
	"fmt"
	"slices"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
)

// Report is what another jurisdiction says of a draw of a pooled jackpot.
type Report struct {
	Jurisdiction string
	// Growth is what it has in the pooled jackpot at the draw, the contribution of
	// that game included. It is a balance and not a change, so that a report that is
	// late or lost leaves no trace in the next one.
	Growth money.Amount
	Stakes money.Amount // of its winning ways, features not counted; 0 if none won
}

// Elsewhere is what all other jurisdictions together have in a draw.
type Elsewhere struct {
	Growth money.Amount
	Stakes money.Amount
}

// Gather adds up the reports of a draw. missing are the participants that have not
// reported; until they have, the pooled part of the draw is not known, and nobody
// can be paid it.
//
//rule:vic-keno-2015 2(a).pooled-jackpot 2(a).pooled-jackpot-amount 24(e)
func (t *Terms) Gather(participants []string, reports []Report) (sum Elsewhere, missing []string, err error) {
	if !t.policy.Pooled && len(participants) > 0 {
		return Elsewhere{}, nil, t.refuse(NotPooled, "participants",
			"These jackpots are not shared with other jurisdictions.")
	}
	missing = slices.Clone(participants)
	for i, r := range reports {
		path := fmt.Sprintf("reports[%d]", i)
		at := slices.Index(missing, r.Jurisdiction)
		switch {
		case !slices.Contains(participants, r.Jurisdiction):
			return Elsewhere{}, nil, t.refuse(NotParticipant, path,
				"%s does not take part in this jackpot.", r.Jurisdiction)
		case at < 0:
			return Elsewhere{}, nil, t.refuse(ReportedTwice, path, "%s has reported this draw already.", r.Jurisdiction)
		case t.checkElsewhere(Elsewhere{r.Growth, r.Stakes}) != nil:
			return Elsewhere{}, nil, t.refuse(AmountInvalid, path,
				"Growth of %v and stakes of %v cannot be.", r.Growth, r.Stakes)
		}
		missing = slices.Delete(missing, at, at+1)
		if sum.Growth, err = sum.Growth.Add(r.Growth); err != nil {
			return Elsewhere{}, nil, err
		}
		if sum.Stakes, err = sum.Stakes.Add(r.Stakes); err != nil {
			return Elsewhere{}, nil, err
		}
	}
	return sum, missing, nil
}

// checkElsewhere reports amounts of others that cannot be.
func (t *Terms) checkElsewhere(e Elsewhere) error {
	if !t.policy.Pooled && e != (Elsewhere{}) {
		return errors.New("jackpot: the pools are not shared with other jurisdictions")
	}
	_, err := ExactOf(e.Growth)
	_, err2 := ExactOf(e.Stakes)
	return errors.Join(err, err2)
}

// refuse returns a refusal by the clause of the jackpots.
func (t *Terms) refuse(code refusal.Code, path, format string, args ...any) error {
	return refuse(code, t.policy.Quoted(), path, format, args...)
}

func refuse(code refusal.Code, clause, path, format string, args ...any) error {
	return &refusal.Refusal{Code: code, Clause: clause, Path: path, Sentence: fmt.Sprintf(format, args...)}
}
