package house

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"drawhouse/books/bankfile"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// VenueStanding returns how a venue stands with the operator, if it has an agreement.
func (h *House) VenueStanding(venue uint32) (state.VenueStanding, bool) {
	return h.viewed().VenueStanding(venue)
}

// DebitFile writes a file of direct debits for the bank, the same to the byte as often as it is asked for. It reports
// whether there is one of the number.
func (h *House) DebitFile(ctx context.Context, number uint32) ([]byte, bool, error) {
	files := h.viewed().DebitFiles()
	if number == 0 || uint64(number) > uint64(len(files)) {
		return nil, false, nil
	}
	order, at, err := h.debitOrder(ctx, files[number-1])
	if err != nil {
		return nil, false, err
	}
	return bankfile.Write(order, at), true, nil
}

// AnswerOfBank reads the answer of a bank about direct debits in a currency, and refuses what is none.
func (h *House) AnswerOfBank(ctx context.Context, text, currency string) (*bankfile.Answers, error) {
	files := h.viewed().DebitFiles()
	var failed error
	known := map[uint32]*record.DebitsOrdered{}
	orders := func(number uint32) *record.DebitsOrdered {
		if number == 0 || uint64(number) > uint64(len(files)) || failed != nil {
			return nil
		}
		order, read := known[number]
		if !read {
			order, _, failed = h.debitOrder(ctx, files[number-1])
			known[number] = order
		}
		return order
	}
	mark := ""
	if newest := orders(uint32(len(files))); newest != nil {
		mark = newest.House
	}
	answers, err := bankfile.Read([]byte(text), currency, mark, orders)
	if failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, &refusal.Refusal{Code: counter.AnswerFaulty, Path: "text", Sentence: "The answer of the bank: " + err.Error() + "."}
	}
	return answers, nil
}

// DebitOrders returns at most so many of the newest orders of direct debits with their times, the newest first: those
// before a number, or all if it is 0.
func (h *House) DebitOrders(ctx context.Context, before uint32, most int) ([]*record.DebitsOrdered, []record.Time,
	error) {
	files := h.viewed().DebitFiles()
	if before > 0 {
		files = files[:min(len(files), int(before)-1)]
	}
	var orders []*record.DebitsOrdered
	var times []record.Time
	for _, place := range slices.Backward(files[max(0, len(files)-most):]) {
		order, at, err := h.debitOrder(ctx, place)
		if err != nil {
			return nil, nil, err
		}
		orders, times = append(orders, order), append(times, at)
	}
	return orders, times, nil
}

// debitOrder reads the order of direct debits at a place.
func (h *House) debitOrder(ctx context.Context, at record.Place) (*record.DebitsOrdered, record.Time, error) {
	r, err := h.read(ctx, at)
	if err != nil {
		return nil, 0, err
	}
	order, ok := r.Body.(*record.DebitsOrdered)
	if !ok {
		return nil, 0, fmt.Errorf("house: the record at %v is no order of direct debits", at)
	}
	return order, r.Time, nil
}

// alarmMissed and alarmOver begin the keys of the alarms that a venue has missed a payment, and that a direct debit
// collects what is no longer owed.
const (
	alarmMissed = "missed payment"
	alarmOver   = "direct debit"
)

// tellMissed raises an alarm for every venue that has missed a payment or of which a bank is to collect too much, and
// ends the alarms of the others. It is asked after commits in which something about venues changed.
func (h *House) tellMissed(view *state.View) {
	stands := map[string]bool{}
	for _, premises := range view.People().Venues() {
		standing, ok := view.VenueStanding(premises.ID)
		if !ok {
			continue
		}
		unpaid := standing.Unpaid
		if i := slices.IndexFunc(unpaid, func(u state.Unpaid) bool { return u.Missed }); i >= 0 {
			key := fmt.Sprintf("%s of venue %d", alarmMissed, premises.ID)
			stands[key] = true
			why := fmt.Sprintf("was due on %v", unpaid[i].Due)
			if unpaid[i].Returned {
				why = "was returned by the bank"
			}
			sells := "It goes on selling."
			if standing.Agreement.Stops {
				sells = "Nothing is sold there until it is paid."
			}
			h.Raise(PartBooks, key, fmt.Sprintf("%s has not paid statement %d: %v %s. %s", premises.Name, unpaid[i].Number,
				unpaid[i].Left, why, sells),
				"Ask the venue for the payment, and take it in as a remittance, or order a direct debit again.")
		}
		if i := slices.IndexFunc(unpaid, func(u state.Unpaid) bool { return u.Over() > 0 }); i >= 0 {
			u, key := unpaid[i], fmt.Sprintf("%s of venue %d", alarmOver, premises.ID)
			stands[key] = true
			h.Raise(PartBooks, key, fmt.Sprintf("File %d collects %v of %s for statement %d, and %v of it are not owed any more.",
				u.File, u.Asked, premises.Name, u.Number, u.Over()),
				"Have the bank cancel the direct debit and withdraw the file. If the bank has collected it, pay the venue back.")
		}
	}
	h.logCleared(h.config.Alarms.clear(PartBooks, func(key string) bool {
		return !stands[key] && (strings.HasPrefix(key, alarmMissed) || strings.HasPrefix(key, alarmOver))
	}))
}
