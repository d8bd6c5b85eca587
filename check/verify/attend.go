package verify

import (
	"slices"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// filledBy says which roles of the house serve in those that rulebooks ask for.
var filledBy = map[string][]record.Role{
	"supervisor":                  {record.RoleSupervisor},
	"state_wide_gaming_operative": {record.RoleOperative},
	"casino_employee":             {record.RoleSupervisor, record.RoleOperative},
	"senior_terminal_operator":    {record.RoleSenior},
	"senior_writer":               {record.RoleSenior},
}

// displays are the screens of an area that work.
type displays struct{ draw, race bool }

// showsOnly is the channel of a device that shows and does not sell.
const showsOnly = "display"

// isPresent reports whether somebody is on duty in a role that a rulebook asks for, at
// a venue or, with venue 0, centrally. Who has said that the shift is ending counts
// only if leaving does.
func (p *people) isPresent(role string, venue uint32, leaving bool) bool {
	return slices.ContainsFunc(filledBy[role], func(own record.Role) bool {
		at := duty{own, venue}
		return p.staying[at] > 0 || leaving && p.ending[at] > 0
	})
}

// checkAwake checks that of those on duty in a role that a rulebook asks for somebody can act:
// who is locked by a person watches over nothing.
func (c *checker) checkAwake(check Check, role string, venue uint32, leaving bool) error {
	for _, own := range filledBy[role] {
		at := duty{own, venue}
		n := c.people.staying[at]
		if leaving {
			n += c.people.ending[at]
		}
		for _, m := range c.people.stopped {
			if m.onShift && m.shift == at && m.stoppedAt(c.now) && (leaving || !m.leaving) {
				n--
			}
		}
		if n > 0 {
			return nil
		}
	}
	return fault(check, "everybody who is on duty as %s is locked", role)
}

// checkWatched checks that somebody watches over a game that opens, and has not said
// that the shift is ending (vic-keno-2015 7(a), tas-keno-2023 4.1, casino-keno-div2 7.8).
func (c *checker) checkWatched(s *series) error {
	rule := s.rulesNow().staffing
	if !c.people.isPresent(rule.Game, 0, false) {
		return fault(CheckPeople, "it opens, and nobody who stays is on duty as %s (%s)", rule.Game, rule.Clause)
	}
	return c.guard(c.checkAwake(CheckPeople, rule.Game, 0, false))
}

// rulesNow returns the rules that are current: those of the newest game.
func (s *series) rulesNow() *rules { return s.termsAt(uint32(len(s.games))).rules }

// checkAttended checks that a ticket was sold where the rules let one be: somebody is
// in control of the venue, the writer has signed on where the ticket names one, the
// displays of the area work, and the venue trades (vic-keno-2015 7(b); tas-keno-2023
// 4.2, 9.6, 21.3(a); casino-keno-div2 3.13(e)).
func (c *checker) checkAttended(s *series, id uint32, term *terminal, form *ticketForm) error {
	if err := c.checkKeyed(CheckRequests, id); err != nil {
		return err
	}
	r := s.rulesNow()
	rule := &r.staffing
	shown := c.people.areas[area{term.venue, term.area}]
	switch {
	case term.channel == showsOnly:
		return fault(CheckRequests, "it is sold at terminal %d, which shows and does not sell", id)
	case rule.NeedsSenior(term.kind) && !c.people.isPresent(rule.Venue, term.venue, true):
		return fault(CheckRequests, "it is sold at venue %d, where nobody is on duty as %s (%s)", term.venue,
			rule.Venue, rule.VenueClause)
	case r.namesWriter && term.channel == rulebook.ChannelWriter && c.people.posts[id] == 0:
		return fault(CheckRequests, "it is sold at terminal %d, where no writer has signed on", id)
	case rule.Display && !shown.draw:
		return fault(CheckRequests, "it is sold at terminal %d, whose area has no display of draws that works (%s)", id,
			rule.DisplayClause)
	case rule.RaceDisplay && form.races() && !shown.race:
		return fault(CheckRequests,
			"it is a bet on a race at terminal %d, whose area has no display of races that works (%s)", id,
			rule.RaceDisplayClause)
	case !c.trades(term.venue, s.offset):
		return fault(CheckRequests, "it is sold at venue %d outside its hours", term.venue)
	case rule.NeedsSenior(term.kind):
		return c.guard(c.checkAwake(CheckRequests, rule.Venue, term.venue, true))
	}
	return nil
}

// checkPaying objects to money that leaves at a terminal which does not pay, where nobody has
// signed on who must, or at a venue that nobody is in control of (vic-keno-2015 7(b);
// tas-keno-2023 4.2; casino-keno-div2 8.3(a), 8.5).
func (c *checker) checkPaying(body record.Body) error {
	id, leaves := c.handsOut(body)
	term := c.terminals[id]
	if !leaves || term == nil {
		return nil
	}
	for _, s := range c.series {
		if s == nil {
			continue
		}
		r := s.rulesNow()
		rule, through := &r.staffing, r.payout.Through
		switch {
		case through != nil && !slices.Contains(through.Channels, term.channel):
			return fault(CheckPayments, "money leaves at terminal %d, a %s, through which none does (%s)", id,
				term.channel, through.Clause)
		case through != nil && through.Attended && c.people.posts[id] == 0:
			return fault(CheckPayments, "money leaves at terminal %d, where no writer has signed on (%s)", id,
				through.AttendedClause)
		case !rule.NeedsSenior(term.kind):
		case !c.people.isPresent(rule.Venue, term.venue, true):
			return fault(CheckPayments, "money leaves at venue %d, where nobody is on duty as %s (%s)", term.venue,
				rule.Venue, rule.VenueClause)
		default:
			if err := c.checkAwake(CheckPayments, rule.Venue, term.venue, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// handsOut returns the terminal at which money leaves by a record, and whether it does. What the
// end of a session withholds stays in the house.
func (c *checker) handsOut(body record.Body) (terminal uint32, leaves bool) {
	if pays := rowFor(body).pays; pays != nil {
		return pays(body)
	}
	return 0, false
}

// checkKeyed checks that a terminal that asks for something has not lost its key.
func (c *checker) checkKeyed(check Check, id uint32) error {
	if c.people.revoked[id] {
		return fault(check, "terminal %d was shut out", id)
	}
	return nil
}

// trades reports whether a venue is within its hours by local clocks. One that never
// said when it trades always does. Hours may go on past midnight, into the next week
// too.
func (c *checker) trades(venue uint32, offset int32) bool {
	hours, said := c.people.hours[venue]
	if !said {
		return true
	}
	const day, week = 24 * 60, 7 * 24 * 60
	minutes := (c.now.Time().Unix() + int64(offset)) / 60
	// The minutes are counted from a Thursday, and weeks begin on Sunday.
	now := int((minutes + 4*day) % week)
	return slices.ContainsFunc(hours, func(t record.Trading) bool {
		from, to := int(t.Weekday)*day+int(t.From), int(t.Weekday)*day+int(t.To)
		return from <= now && now < to || from <= now+week && now+week < to
	})
}

// races reports whether a ticket has a bet on a race.
func (t *ticketForm) races() bool {
	for i := range t.bets {
		if t.bets[i].has(fieldPlaces) {
			return true
		}
	}
	return false
}
