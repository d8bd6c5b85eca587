package verify

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// apart adds up, for each series apart, what all records of the journal have moved and done. Nothing is ever taken
// away: what a day came to is the difference between now and what there was when the day began.
type apart struct {
	now   sums
	house sums           // when the day of the house began
	own   map[uint8]sums // when the day of each series began
	mixed bool           // the journal reached record.LevelSeries on the day of the house
}

// sums are what accounts were moved by, what was done at terminals, and what was done in bingo rooms.
type sums struct {
	moved map[movedBy]*sides
	done  map[doneAt]*doneBy
	rooms map[record.HallSession]played
}

// movedBy is an account, the series for which it was moved, and the kind of record that did it, in one number, as each
// posting of the journal asks for it.
type movedBy uint64

func moverOf(account ledger.Account, unit uint32, series uint8, kind record.Kind) movedBy {
	return movedBy(unit)<<24 | movedBy(account)<<16 | movedBy(series)<<8 | movedBy(kind)
}

func (m movedBy) unit() uint32            { return uint32(m >> 24) }
func (m movedBy) account() ledger.Account { return ledger.Account(m >> 16) }
func (m movedBy) series() uint8           { return uint8(m >> 8) }
func (m movedBy) kind() record.Kind       { return record.Kind(m) }

type sides struct{ debits, credits money.Amount }

// doneAt is a terminal, or a venue, and a series.
type doneAt uint64

func doneFor(place uint32, series uint8) doneAt { return doneAt(place)<<8 | doneAt(series) }

func (d doneAt) place() uint32 { return uint32(d >> 8) }
func (d doneAt) series() uint8 { return uint8(d) }

// doneBy is what was done, by how many records.
type doneBy struct {
	records uint64
	tally   dayTally
}

// played is what happened in a bingo room, by how many records.
type played struct {
	records uint64
	room    bookRoom
}

// A bookRoom is what happened in a session of a bingo room, or in none of its sessions.
type bookRoom struct {
	_                                    struct{} `cbor:",toarray"`
	Hall                                 uint8
	Session                              uint32
	Venue                                uint32
	Players                              int64
	Fees, Back, Won, Jackpot, Paid, Cash money.Amount
}

// copyOf returns what there is now of a series, or of all of them (0). The rooms are those of the house.
func (s *sums) copyOf(series uint8) sums {
	then := sums{moved: map[movedBy]*sides{}, done: map[doneAt]*doneBy{}}
	for key, both := range s.moved {
		if series == 0 || key.series() == series {
			same := *both
			then.moved[key] = &same
		}
	}
	for at, done := range s.done {
		if series == 0 || at.series() == series {
			same := *done
			then.done[at] = &same
		}
	}
	if series == 0 {
		then.rooms = maps.Clone(s.rooms)
	}
	return then
}

// seriesOf returns the series of games that a record is of, or 0 for the house.
func (c *checker) seriesOf(r record.Record) uint8 {
	switch b := r.Body.(type) {
	case *record.TicketSold:
		return b.Series
	case *record.SessionEnded:
		return seriesOfEnd(b)
	case *record.ClaimPaid:
		return c.seriesOfClaim(b.Claim)
	}
	id, _ := r.Series()
	return id
}

// postApart adds the postings of a record. A jackpot is that of its own series.
func (c *checker) postApart(r record.Record) error {
	if len(r.Postings) == 0 {
		return nil
	}
	a, of, kind := &c.apart.now, c.seriesOf(r), r.Kind()
	if a.moved == nil {
		a.moved = make(map[movedBy]*sides)
	}
	for _, p := range r.Postings {
		series := of
		switch p.Account {
		case ledger.JackpotPrimary, ledger.JackpotSecondary, ledger.JackpotWaiting, ledger.JackpotAside:
			series = uint8(p.Unit >> 8)
		}
		key := moverOf(p.Account, p.Unit, series, kind)
		both := a.moved[key]
		if both == nil {
			both = new(sides)
			a.moved[key] = both
		}
		var err error
		if p.Cents > 0 {
			both.debits, err = both.debits.Add(p.Cents)
		} else {
			both.credits, err = both.credits.Sub(p.Cents)
		}
		if err != nil {
			return fmt.Errorf("what %v has moved on %v: %w", kind, p.Account, err)
		}
	}
	c.roomApart(r)
	return nil
}

// tallyApart adds what a record did at a terminal. Below record.LevelSeries the end of a customer session is of no
// series, and papers and what came in otherwise than as cash are not counted.
func (c *checker) tallyApart(id uint32, term *terminal, r record.Record, done dayTally) {
	of := c.seriesOf(r)
	if c.level < record.LevelSeries {
		if _, ended := r.Body.(*record.SessionEnded); ended {
			of = 0
		}
	} else {
		for _, p := range r.Postings {
			switch p.Account {
			case ledger.Instruments:
				if done.Issued == 0 {
					done.Other += p.Cents
				}
			case ledger.Bank, ledger.Chips, ledger.SiteCheques, ledger.VenueLosses, ledger.Withheld:
				done.Other += p.Cents
			}
		}
	}
	term.total.add(done)
	a := &c.apart.now
	if a.done == nil {
		a.done = make(map[doneAt]*doneBy)
	}
	at := doneFor(id, of)
	sum := a.done[at]
	if sum == nil {
		sum = new(doneBy)
		a.done[at] = sum
	}
	sum.records++
	sum.tally.add(done)
}

// tallyIssued counts a paper for which a customer gave money or a prize.
func tallyIssued(_ *checker, b *record.InstrumentIssued) (uint8, dayTally) {
	done := dayTally{Issued: 1, Papers: b.Cents}
	if b.Reason == record.IssuedForWinnings {
		done.InPlace = b.Cents
	}
	return b.Series, done
}

// roomApart adds what a record did in a bingo room.
func (c *checker) roomApart(r record.Record) {
	if c.level < record.LevelSeries {
		return
	}
	at, ok := r.HallSession()
	if hall, _, in := r.InRoom(); !ok && (!in || hall == 0) {
		return
	} else if !ok {
		at = record.HallSession{Hall: hall}
	}
	a := &c.apart.now
	if a.rooms == nil {
		a.rooms = make(map[record.HallSession]played)
	}
	sum := a.rooms[at]
	sum.records++
	room := &sum.room
	moved := func(account ledger.Account) (sum money.Amount) {
		for _, p := range r.Postings {
			if p.Account == account {
				sum += p.Cents
			}
		}
		return sum
	}
	room.Cash += moved(ledger.Cash)
	switch r.Body.(type) {
	case *record.PlayerEntered:
		room.Players, room.Fees = room.Players+1, room.Fees-moved(ledger.EntryFees)
	case *record.EntryUndone:
		room.Players, room.Back = room.Players-1, room.Back+moved(ledger.EntryFees)
	case *record.RefundPaid:
		room.Back += moved(ledger.HallRefunds)
	case *record.BingoPaid, *record.DisputePaid:
		room.Paid += moved(ledger.HallPrizes)
	case *record.OfferClaimed:
		given := moved(ledger.Operator)
		room.Won, room.Paid = room.Won+given, room.Paid+given
	case *record.BingoSettled, *record.OutcomeInvalidated:
		room.Won, room.Jackpot = room.Won-moved(ledger.HallPrizes), room.Jackpot+moved(ledger.HallJackpot)
	default:
		room.Won -= moved(ledger.HallPrizes)
	}
	a.rooms[at] = sum
}

// closer returns the series that closes the house: the lowest that has not had its last day. The last day of a series
// is past, too, where another series has opened a later one.
func (c *checker) closer() uint8 {
	if c.level < record.LevelSeries {
		return houseSeries
	}
	newest := day.None
	for _, s := range c.series {
		if s != nil {
			newest = max(newest, s.day)
		}
	}
	for id, s := range c.series {
		if s == nil || s.end != nil && !s.dayOpen && (s.day >= s.end.day || newest > s.end.day) {
			continue
		}
		return uint8(id)
	}
	return 0
}

// linesSince returns what moved and was done since a moment, for a series or for all (0).
func (c *checker) linesSince(then sums, series uint8) (due bookLines) {
	type name struct {
		account ledger.Account
		unit    uint32
		series  uint8
	}
	accounts := map[name]*bookAccount{}
	for key, now := range c.apart.now.moved {
		if series != 0 && key.series() != series {
			continue
		}
		at := name{key.account(), key.unit(), key.series()}
		line := accounts[at]
		if line == nil {
			line = &bookAccount{Series: key.series(), Account: key.account(), Unit: key.unit()}
			accounts[at] = line
		}
		was := then.moved[key]
		if was == nil {
			was = new(sides)
		}
		line.Opening += was.debits - was.credits
		if *now != *was {
			flow := bookFlow{Kind: key.kind(), Debits: now.debits - was.debits, Credits: now.credits - was.credits}
			line.Debits, line.Credits = line.Debits+flow.Debits, line.Credits+flow.Credits
			line.Flows = append(line.Flows, flow)
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(accounts), func(x, y name) int {
		return cmp.Or(cmp.Compare(x.account, y.account), cmp.Compare(x.unit, y.unit), cmp.Compare(x.series, y.series))
	}) {
		line := accounts[at]
		slices.SortFunc(line.Flows, func(x, y bookFlow) int { return cmp.Compare(x.Kind, y.Kind) })
		if len(line.Flows) > 0 || line.Opening != 0 {
			due.Accounts = append(due.Accounts, *line)
		}
	}
	due.Venues, due.Terminals = c.doneSince(then, series)
	return due
}

// doneSince returns what was done at venues and terminals since a moment.
func (c *checker) doneSince(then sums, series uint8) (venues []bookVenue, terminals []bookTerminal) {
	byVenue := map[doneAt]dayTally{}
	for _, at := range slices.Sorted(maps.Keys(c.apart.now.done)) {
		now, was := c.apart.now.done[at], then.done[at]
		if was == nil {
			was = new(doneBy)
		}
		if now.records == was.records || series != 0 && at.series() != series {
			continue
		}
		venue, done := c.terminals[at.place()].venue, now.tally.minus(was.tally)
		terminals = append(terminals, bookTerminal{Series: at.series(), Terminal: at.place(), Venue: venue, Tally: done})
		sum := byVenue[doneFor(venue, at.series())]
		sum.add(done)
		byVenue[doneFor(venue, at.series())] = sum
	}
	for _, at := range slices.Sorted(maps.Keys(byVenue)) {
		venues = append(venues, bookVenue{Series: at.series(), Venue: at.place(), Name: c.venues[at.place()].name,
			Tally: byVenue[at]})
	}
	return venues, terminals
}

// roomsSince returns what happened in bingo rooms since a moment.
func (c *checker) roomsSince(then sums) (list []bookRoom) {
	for _, at := range slices.SortedFunc(maps.Keys(c.apart.now.rooms), func(x, y record.HallSession) int {
		return cmp.Or(cmp.Compare(x.Hall, y.Hall), cmp.Compare(x.Session, y.Session))
	}) {
		now, was := c.apart.now.rooms[at], then.rooms[at]
		if now.records == was.records {
			continue
		}
		list = append(list, bookRoom{Hall: at.Hall, Session: at.Session, Venue: c.halls.venueOf(at.Hall),
			Players: now.room.Players - was.room.Players, Fees: now.room.Fees - was.room.Fees,
			Back: now.room.Back - was.room.Back, Won: now.room.Won - was.room.Won,
			Jackpot: now.room.Jackpot - was.room.Jackpot, Paid: now.room.Paid - was.room.Paid,
			Cash: now.room.Cash - was.room.Cash})
	}
	return list
}

// closeSeries begins the next day of a series, and closeHouse that of the house.
func (a *apart) closeSeries(id uint8) {
	if a.own == nil {
		a.own = make(map[uint8]sums)
	}
	a.own[id] = a.now.copyOf(id)
}

func (a *apart) closeHouse() { a.house, a.mixed = a.now.copyOf(0), false }

// bookForm is the form of the books from record.LevelSeries on.
const bookForm = 2

// checkBookOfSeries checks a book whose lines name their series.
func (c *checker) checkBookOfSeries(s *series, b *record.DayClosed, data []byte) error {
	var book dayBook
	if err := readBook(data, &book); err != nil {
		return err
	}
	if book.Form != bookForm {
		return fmt.Errorf(" has form %d", book.Form)
	}
	if err := c.checkSpan(s, b, &book); err != nil {
		return err
	}
	stated := &bookLines{Accounts: book.Accounts, Venues: book.Venues, Terminals: book.Terminals}
	own := c.linesSince(c.apart.own[b.Series], b.Series)
	var rooms []bookRoom
	var worked []bookShift
	if b.Series != c.closer() {
		if book.House != (record.Place{}) {
			return errors.New(": it closes the house, which another series does")
		}
		if err := sameLines(stated, &own); err != nil {
			return err
		}
		own = bookLines{}
	} else {
		if book.House != c.houseFrom {
			return fmt.Errorf(": the day of the house begins with record %v and not %v", c.houseFrom, book.House)
		}
		all := c.linesSince(c.apart.house, 0)
		if err := sameLines(stated, &all); err != nil {
			return err
		}
		if book.House == book.First {
			own = bookLines{} // The lines of the series are among those of the house.
		}
		rooms, worked = c.roomsSince(c.apart.house), c.dayShifts()
		if err := c.ties(&all, rooms); err != nil {
			return err
		}
	}
	if err := sameLines(&book.Own, &own); err != nil {
		return err
	}
	if err := sameList("shift", book.Shifts, worked); err != nil {
		return err
	}
	if err := sameList("session of bingo", book.Rooms, rooms); err != nil {
		return err
	}
	return sameList("game", plainGames(book.Games), s.bookGames(bookForm))
}

// ties checks figures of a day of the house that records state on two ways: the cash of a venue is moved by its
// terminals and bingo rooms, by moves from and to its safe and by counts, and what a terminal sold, less what it paid,
// came in or is on the account of its customer. A day within which the journal reached record.LevelSeries has counted
// less in its first part.
func (c *checker) ties(all *bookLines, rooms []bookRoom) error {
	if c.apart.mixed {
		return nil
	}
	cash, customers, counter := map[uint32]money.Amount{}, map[uint32]money.Amount{}, map[uint32]money.Amount{}
	for _, a := range all.Accounts {
		switch a.Account {
		case ledger.Customer:
			customers[a.Unit] += a.Debits - a.Credits
		case ledger.Cash:
			for _, f := range a.Flows {
				if f.Kind != record.KindBankMoved && f.Kind != record.KindBankCounted {
					cash[a.Unit] += f.Debits - f.Credits
				}
			}
		}
	}
	for _, t := range all.Terminals {
		cash[t.Venue] -= t.Tally.Cash
		counter[t.Terminal] += t.Tally.Sold + t.Tally.Papers - t.Tally.Paid - t.Tally.GivenBack - t.Tally.Bonuses -
			t.Tally.Cash - t.Tally.Other
	}
	for _, m := range rooms {
		cash[m.Venue] -= m.Cash
	}
	for venue, left := range cash {
		if left != 0 {
			return fmt.Errorf(": cash of venue %d moved by %v more than its terminals and rooms took", venue, left)
		}
	}
	for terminal, left := range counter {
		if left != customers[terminal] {
			return fmt.Errorf(": terminal %d sold %v more than came in, and its customer owes %v", terminal, left,
				customers[terminal])
		}
	}
	return nil
}
