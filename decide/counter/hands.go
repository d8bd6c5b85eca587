package counter

import (
	"slices"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// NotHandedOut is the code with which a terminal is refused to hand out what terminals of its
// kind do not hand out.
const NotHandedOut refusal.Code = "not_handed_out"

// CheckHandedOut refuses a record by which a terminal would hand out what terminals of its kind
// do not hand out. It asks about means and papers and not about acts: a payment, a cancellation,
// a paper and the end of a session are alike.
//
//rule:vic-keno-2015 2(a).self-service-terminal 2(a).change-receipt
//rule:tas-keno-2023 1.59
func CheckHandedOut(s *state.State, r record.Record) error {
	at, means := handedOut(r.Body)
	terminal, ok := s.Terminal(at)
	if !ok || len(means) == 0 {
		return nil
	}
	for series := range s.AllSeries() {
		for _, id := range means {
			if h, _ := series.Book.HandsOut(terminal.Channel); !series.Book.Gives(terminal.Channel, id) {
				return refuse(NotHandedOut, h.Quoted(), "terminal",
					"Terminal %d hands out no %s. Go to a writer's terminal.", at, named(series.Book, id))
			}
		}
	}
	return nil
}

// handedOut returns what a record gives into the hands of a customer at a terminal.
func handedOut(body record.Body) (terminal uint32, means []string) {
	cash := func(tenders []record.Tender) []string {
		if slices.ContainsFunc(tenders, func(t record.Tender) bool { return t.Cents < 0 }) {
			return []string{Cash}
		}
		return nil
	}
	switch b := body.(type) {
	case *record.TicketPaid:
		return b.Request.Terminal, cash(b.Tenders)
	case *record.TicketCancelled:
		return b.Request.Terminal, cash(b.Tenders)
	case *record.InstrumentIssued:
		return b.Request.Terminal, []string{b.ID}
	case *record.SessionEnded:
		for i := range b.Tenders {
			if id, ok := tenderMeans[b.Tenders[i].Kind]; ok && b.Tenders[i].Cents < 0 {
				means = append(means, id)
			}
		}
		return b.Request.Terminal, means
	}
	return 0, nil
}

// tenderMeans are the means of paying that the end of a session names itself. Papers have
// records of their own.
var tenderMeans = map[record.TenderKind]string{
	record.TenderCash: Cash, record.TenderCheque: Cheque, record.TenderSiteCheque: SiteCheque,
	record.TenderTransfer: Transfer, record.TenderCard: PlayerCard,
}

// ownReceipt reports whether a paper is what a kind of terminal hands out in place of cash. Such
// a terminal takes cash by itself, and gives its receipt for what an entry leaves of it.
//
//rule:vic-keno-2015 2(a).change-receipt 14(b)
//rule:tas-keno-2023 1.59
func ownReceipt(book *rulebook.Book, channel rulebook.Channel, id string) bool {
	_, bounded := book.HandsOut(channel)
	return bounded && IsPaper(id) && book.Gives(channel, id) && !book.Gives(channel, Cash)
}

// checkBack refuses a ticket at a terminal that could not hand out what it brings: the session
// could not end there.
//
//rule:vic-keno-2015 2(a).self-service-terminal 17(e)
//rule:tas-keno-2023 1.59
func checkBack(book *rulebook.Book, terminal state.Terminal, venue state.Venue, lots []state.Lot) error {
	for _, l := range lots {
		origin, _ := book.Origin(l.ID)
		if slices.ContainsFunc(origin.Leaves, func(way rulebook.Leave) bool {
			return way.At(venue.Kind) && !way.BoughtHereToday && book.Gives(terminal.Channel, becomes(way, l.ID))
		}) {
			continue
		}
		h, _ := book.HandsOut(terminal.Channel)
		return refuse(NotHandedOut, h.Quoted(), "serial",
			"%v of it goes back as %s, which this terminal does not hand out. Go to a writer's terminal.", l.Cents,
			named(book, l.ID))
	}
	return nil
}

// becomes returns what money of an origin is when it has left on a way.
func becomes(way rulebook.Leave, origin string) string {
	if way.As == rulebook.Same {
		return origin
	}
	return way.As
}
