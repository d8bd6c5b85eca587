package hall

import (
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Enter takes a player in: a member of the loyalty programme who pays the fee of the
// session and is issued books.
//
//rule:nsw-bingo-2019 3.1 3.2.1 3.2.2 3.3
//rule:sc-bingo-1996 4000.3 4000.4
func Enter(s *state.State, e record.PlayerEntered) (*record.PlayerEntered, []ledger.Posting, error) {
	r, session, err := inPhase(s, record.HallSession{Hall: e.Hall, Session: e.Session}, state.SessionEntering)
	if err != nil {
		return nil, nil, err
	}
	if r.rules.Session().MembersOnly && !r.Members[e.Member] {
		return nil, nil, refuse(NotAMember, "3.1", "member", "%q is no member of the loyalty programme.", e.Member)
	}
	if slices.ContainsFunc(session.Players,
		func(p state.Player) bool { return p.Entered.Member == e.Member && !p.Undone() }) {
		return nil, nil, refuse(EnteredBefore, "3.3", "member",
			"Member %s plays in session %d already.", e.Member, e.Session)
	}
	if e.FeeCents != session.Set.FeeCents {
		return nil, nil, refuse(FeeOther, "3.3", "fee_cents",
			"The entry fee is %v, the same for all players.", session.Set.FeeCents)
	}
	if err := r.checkBooks(session, e.Books); err != nil {
		return nil, nil, err
	}
	if e.Device != 0 {
		if err := r.checkElectronic(s, e.Device, "device"); err != nil {
			return nil, nil, err
		}
	}
	e.Player = uint32(len(session.Players) + 1)
	return &e, []ledger.Posting{
		ledger.Debit(ledger.Cash, r.Opened.Venue, e.FeeCents), ledger.Credit(ledger.EntryFees, 0, e.FeeCents),
	}, nil
}

// checkBooks checks books that are to be issued. Books that were issued before, in
// this session or another, are dead.
//
//rule:nsw-bingo-2019 7.7
func (r room) checkBooks(session *state.Session, list []record.BookRange) error {
	books := uint32(0)
	for i, b := range list {
		table, ok := r.Table(b.Series)
		switch {
		case !ok || !slices.Contains(session.Set.Series, b.Series):
			return refuse(TableUnknown, "4.2", "books",
				"Series %s is not played in session %d.", b.Series, session.Set.Session)
		case !hasBooks(table, b):
			return refuse(BooksOther, "2.3.1", "books", "Series %s has no books %d to %d.", b.Series, b.First, b.Last)
		case slices.ContainsFunc(table.Issued, b.Meets) || slices.ContainsFunc(list[:i], b.Meets):
			return refuse(BooksOther, "7.7", "books",
				"Some of books %d to %d of series %s were issued before.", b.First, b.Last, b.Series)
		}
		books += b.Books()
	}
	if books == 0 || books > uint32(session.Set.BooksMax) {
		return refuse(BooksOther, "3.3", "books",
			"The fee is for 1 to %d books, and not for %d.", session.Set.BooksMax, books)
	}
	return nil
}

// hasBooks reports whether a table has all books of a range.
func hasBooks(t *state.HallTable, b record.BookRange) bool {
	return b.First <= b.Last && b.First >= t.Added.FirstBook && b.Last-t.Added.FirstBook < t.Added.Books
}

// CloseIssue takes the first and the last serial of all cards issued. Books between
// them that nobody holds are struck out, so that none of them can win.
//
//rule:nsw-bingo-2019 4.3 3.3 3.3.1
func CloseIssue(s *state.State, ref record.HallSession, ranges []record.IssuedRange,
	by record.By) (*record.IssueClosed, []ledger.Posting, error) {
	r, session, err := inPhase(s, ref, state.SessionEntering)
	if err != nil {
		return nil, nil, err
	}
	if before, ok := r.Session(ref.Session - 1); ok && before.Phase != state.SessionClosed {
		return nil, nil, refuse(SessionPhase, "1.1.session", "session", "Session %d is not closed.", ref.Session-1)
	}
	if session.Paying() == 0 {
		return nil, nil, refuse(SessionPhase, "3.3", "session", "Nobody has entered session %d.", ref.Session)
	}
	if err := r.checkRanges(session, ranges); err != nil {
		return nil, nil, err
	}
	fees, err := session.Set.FeeCents.Mul(int64(session.Paying()))
	if err != nil {
		return nil, nil, err
	}
	parts, err := r.contributions(fees)
	if err != nil {
		return nil, nil, err
	}
	closed := &record.IssueClosed{
		Hall: ref.Hall, Session: ref.Session, Ranges: ranges, Players: uint32(session.Paying()), FeesCents: fees,
		Contributions: parts, By: by,
	}
	return closed, r.contribute(fees, parts), nil
}

// checkRanges holds the serials entered against the books that were issued.
//
//rule:nsw-bingo-2019 4.3
func (r room) checkRanges(session *state.Session, ranges []record.IssuedRange) error {
	for i := range ranges {
		b := ranges[i].Books
		if slices.ContainsFunc(ranges[:i], func(e record.IssuedRange) bool { return e.Books.Series == b.Series }) {
			return refuse(IssueOther, "4.3", "ranges", "There are two ranges of series %s.", b.Series)
		}
		if table, ok := r.Table(b.Series); !ok || !hasBooks(table, b) {
			return refuse(IssueOther, "4.3", "ranges",
				"%d to %d are not the first and the last book of series %s.", b.First, b.Last, b.Series)
		}
		for book := b.First; book <= b.Last; book++ {
			_, held := session.Holder(b.Series, book)
			if held != ranges[i].Has(b.Series, book) {
				return refuse(IssueOther, "4.3", "ranges", "Book %d of series %s is %s.", book, b.Series,
					map[bool]string{true: "struck out and was issued",
						false: "in the range and was not issued; strike it out"}[held])
			}
		}
	}
	for i := range session.Players {
		for _, b := range session.Players[i].Entered.Books {
			for _, end := range []uint32{b.First, b.Last} {
				if !slices.ContainsFunc(ranges, func(r record.IssuedRange) bool { return r.Books.Has(b.Series, end) }) {
					return refuse(IssueOther, "4.3", "ranges",
						"Book %d of series %s was issued and is in no range.", end, b.Series)
				}
			}
		}
	}
	return nil
}
