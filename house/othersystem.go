package house

import (
	"context"
	"fmt"
	"sync"

	"drawhouse/core/day"
	"drawhouse/core/handover"
	"drawhouse/decide/counter"
	"drawhouse/journal/record"
)

// OfOther reports whether a code is that of a ticket of another system that was taken in.
func (h *House) OfOther(code string) bool {
	_, ok := h.viewed().OtherTicket(code)
	return ok
}

// refuseOther refuses a ticket of another system at a counter, and leads its holder to the claim form.
//
//rule:tas-keno-2023 3.2 13.4(a)
func (h *House) refuseOther(code string) error {
	view := h.viewed()
	ticket, ok := view.OtherTicket(code)
	if !ok {
		return nil
	}
	line := h.line(ticket.Series)
	today := day.None // until the first Keno Day
	if newest := line.Days(1); len(newest) > 0 {
		today = newest[0]
	}
	return counter.RefuseOther(line.Book(), ticket, view.Stands(ticket), today)
}

// mostInVolume is more records than any volume holds. A serial of 16 digits names a place for every
// number; of a number that another system gave that place is as a rule far behind this.
const mostInVolume = 1 << 32

// MayBeOwn reports whether a code is one that the keys of the house make for a ticket or paper.
func (h *House) MayBeOwn(code string) (bool, error) {
	ring, err := h.keyring()
	if err != nil {
		return false, err
	}
	place, err := ring.Read(code)
	return err == nil && place.Seq < mostInVolume, nil
}

// otherFiles keeps the codes of files of other systems that were read, by the place of their records.
type otherFiles struct {
	mu    sync.Mutex // guards codes
	codes map[record.Place][]string
}

// OtherPart is the part of a claim that is a ticket of another system.
type OtherPart struct {
	System string
	Code   string // as the file has it
}

// otherPart returns which ticket of another system a part of a claim is.
func (h *House) otherPart(ctx context.Context, p record.ClaimPart) (OtherPart, error) {
	code, err := h.otherCode(ctx, p.Of, p.Ordinal)
	part := OtherPart{Code: code}
	for _, f := range h.viewed().OtherFiles() {
		if f.Place == p.Of {
			part.System = f.System
		}
	}
	return part, err
}

// otherCode returns the code of a ticket of another system, by the record that has taken it in and its
// place in the file.
func (h *House) otherCode(ctx context.Context, file record.Place, row uint32) (string, error) {
	h.handed.mu.Lock()
	defer h.handed.mu.Unlock()
	codes, ok := h.handed.codes[file]
	if !ok {
		data, err := h.config.Store.Record(ctx, file)
		if err != nil {
			return "", err
		}
		r, err := record.Decode(data)
		if err != nil {
			return "", err
		}
		taken, ok := r.Body.(*record.TicketsTakenIn)
		if !ok {
			return "", fmt.Errorf("house: no tickets of another system were taken in at %v", file)
		}
		read, err := handover.Read(taken.Text, taken.Key[:])
		if err != nil {
			return "", err
		}
		for i := range read.Tickets {
			codes = append(codes, read.Tickets[i].Code)
		}
		if h.handed.codes == nil {
			h.handed.codes = map[record.Place][]string{}
		}
		h.handed.codes[file] = codes
	}
	if row == 0 || int(row) > len(codes) {
		return "", fmt.Errorf("house: the file at %v has no ticket %d", file, row)
	}
	return codes[row-1], nil
}
