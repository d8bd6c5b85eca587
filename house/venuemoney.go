package house

import (
	"context"
	"fmt"

	"drawhouse/books/bankfile"
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
	r, err := h.read(ctx, files[number-1])
	if err != nil {
		return nil, false, err
	}
	order, ok := r.Body.(*record.DebitsOrdered)
	if !ok {
		return nil, false, fmt.Errorf("house: the record at %v is no order of direct debits", files[number-1])
	}
	return bankfile.Write(order, r.Time), true, nil
}

// alarmMissed begins the key of the alarm that a venue has missed a payment.
const alarmMissed = "missed payment"

// tellMissed raises an alarm for every venue that has missed a payment, and ends the alarms of the others. It is asked
// after commits in which something about venues changed.
func (h *House) tellMissed(view *state.View) {
	missed := map[string]bool{}
	for _, premises := range view.People().Venues() {
		standing, ok := view.VenueStanding(premises.ID)
		if !ok {
			continue
		}
		for _, u := range standing.Unpaid {
			if !u.Missed {
				continue
			}
			key := fmt.Sprintf("%s of venue %d", alarmMissed, premises.ID)
			missed[key] = true
			why := fmt.Sprintf("was due on %v", u.Due)
			if u.Returned {
				why = "was returned by the bank"
			}
			sells := "It goes on selling."
			if standing.Agreement.Stops {
				sells = "Nothing is sold there until it is paid."
			}
			h.Raise(PartBooks, key, fmt.Sprintf("%s has not paid statement %d: %v %s. %s", premises.Name, u.Number, u.Left, why,
				sells), "Ask the venue for the payment, and take it in as a remittance, or order a direct debit again.")
			break
		}
	}
	h.logCleared(h.config.Alarms.clear(PartBooks,
		func(key string) bool {
			return len(key) > len(alarmMissed) && key[:len(alarmMissed)] == alarmMissed && !missed[key]
		}))
}
