package counter

import (
	"slices"

	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// CheckAccount refuses a record by which money goes to an account where nobody has named one. It
// asks about the means, and the end of a session and the payment of a claim are alike.
//
//rule:vic-keno-2015 21(d)(i) 21(d)(iii)
func CheckAccount(s *state.State, r record.Record) error {
	means, path, given := toAccount(r.Body)
	if given || len(means) == 0 {
		return nil
	}
	for series := range s.AllSeries() {
		for _, id := range means {
			if m, ok := methodOf(series.Book, id); ok && m.Account {
				return refuse(AccountNone, accountClause(series.Book, m, r.Body), path,
					"A transfer goes to an account that the payee names, and none is named.")
			}
		}
	}
	return nil
}

// accountClause returns the clause by which a record that pays to an account names one.
func accountClause(book *rulebook.Book, m rulebook.PayoutMethod, body record.Body) string {
	rule := book.Claims()
	if paid, ok := body.(*record.ClaimPaid); ok && slices.Contains(rule.WithOriginal, paid.Means) {
		return rulebook.Quoted(rule.WithOriginalClause)
	}
	return m.Quoted()
}

// toAccount returns the means by which a record pays, under which name its request says to whom,
// and whether the payee has named an account.
func toAccount(body record.Body) (means []string, path string, given bool) {
	switch b := body.(type) {
	case *record.SessionEnded:
		_, means := handedOut(b)
		return means, "payee_hash", b.Account
	case *record.ClaimPaid:
		return []string{b.Means}, "means", b.Account
	}
	return nil, "", false
}

// needsAccount reports whether one of the payments of a session goes to an account.
func (e *ending) needsAccount() bool {
	return slices.ContainsFunc(e.tenders, func(t record.Settlement) bool {
		m, ok := methodOf(e.series.Book, tenderMeans[t.Kind])
		return ok && m.Account && t.Cents < 0
	})
}
