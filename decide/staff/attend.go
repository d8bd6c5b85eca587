package staff

import (
	"slices"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which something is refused that may not happen without people or
// displays.
const (
	NoSupervisor refusal.Code = "no_supervisor" // nobody watches over the games
	NoSenior     refusal.Code = "no_senior"     // nobody is in control of the venue
	NoWriter     refusal.Code = "no_writer"     // nobody has signed on at the terminal
	NotThrough   refusal.Code = "not_through"   // no money leaves at this kind of terminal
	NoDisplay    refusal.Code = "no_display"    // the area's display does not work
	NotTrading   refusal.Code = "not_trading"   // the venue does not trade now
	StaffBarred  refusal.Code = "staff_barred"  // the player works for the house or is on duty
	NotASeller   refusal.Code = "not_a_seller"  // the device shows and does not sell
)

// fills says which of the house's roles fill a rulebook's. An unknown one is filled
// by nobody: a rulebook that asks for somebody the house cannot have is not played.
var fills = map[string][]record.Role{
	"supervisor":                  {record.RoleSupervisor},
	"state_wide_gaming_operative": {record.RoleOperative},
	"casino_employee":             {record.RoleSupervisor, record.RoleOperative},
	"senior_terminal_operator":    {record.RoleSenior},
	"senior_writer":               {record.RoleSenior},
}

// present counts who is on duty in a rulebook's role, at a venue or centrally, and not
// locked.
func present(p *state.People, role string, venue uint32, now record.Time) (n int) {
	for _, own := range fills[role] {
		n += p.OnDuty(own, venue, now)
	}
	return n
}

// CheckGame refuses to open a game of a series that nobody watches over, or that
// nobody would to its end.
//
//rule:vic-keno-2015 7(a)
//rule:tas-keno-2023 4.1
//rule:casino-keno-div2 7.8
func CheckGame(s *state.State, now record.Time, series uint8) error {
	current, ok := s.Series(series)
	if !ok {
		return nil // The decision itself says so.
	}
	rule := current.Book.Staffing()
	for _, role := range fills[rule.Game] {
		if s.People().Staying(role, 0, now) > 0 {
			return nil
		}
	}
	return refuse(NoSupervisor, rulebook.Quoted(rule.Clause), "", "No game opens: nobody is on duty as %s.", rule.Game)
}

// Sale is what the checks need to know of a sale.
type Sale struct {
	Terminal uint32
	Series   uint8
	Race     bool   // the ticket has a bet on a race
	Player   uint32 // the number of a player who works in the house; 0 for another
}

// SaleOf returns what the checks need to know of the sale of a ticket.
func SaleOf(terminal uint32, series uint8, player uint32, t *keno.Ticket) Sale {
	race := slices.ContainsFunc(t.Bets, func(b keno.Bet) bool { return b.Shape() == keno.ShapeRace })
	return Sale{Terminal: terminal, Series: series, Player: player, Race: race}
}

// Floor is the people and places of a house, and the rules that say who and what a sale
// needs there.
type Floor struct {
	People        *state.People
	Book          *rulebook.Book
	OffsetSeconds int32 // what local clocks add to UTC
}

// CheckSale refuses a sale at a terminal for which somebody or something is missing.
func CheckSale(s *state.State, now record.Time, c Sale) error {
	series, known := s.Series(c.Series)
	if !known {
		return nil // The decision itself says so.
	}
	return Floor{s.People(), series.Book, series.OffsetSeconds}.CheckSale(now, c)
}

// CheckSale refuses a sale at a terminal for which somebody or something is missing.
func (f Floor) CheckSale(now record.Time, c Sale) error {
	post, ok := f.People.Post(c.Terminal)
	if !ok {
		return nil // The decision itself says so.
	}
	if post.Channel == ChannelDisplay {
		return refuse(NotASeller, "", "terminal", "Device %d is a display and does not sell.", c.Terminal)
	}
	for _, check := range []func(Floor, state.Post, record.Time, Sale) error{
		Floor.checkKey, Floor.checkSenior, Floor.checkWriter, Floor.checkDisplays, Floor.checkHours, Floor.checkPlayer,
	} {
		if err := check(f, post, now, c); err != nil {
			return err
		}
	}
	return nil
}

// CheckTerminal refuses anything at a terminal whose key was taken away.
func CheckTerminal(s *state.State, terminal uint32) error {
	post, ok := s.People().Post(terminal)
	if !ok {
		return nil
	}
	return Floor{}.checkKey(post, 0, Sale{})
}

// CheckAt refuses what somebody would have done at a terminal who is not on shift there,
// nor a senior of its venue.
func CheckAt(s *state.State, person, terminal uint32) error {
	post, _ := s.People().Post(terminal)
	if post.Person == person && person != 0 {
		return nil
	}
	if p, ok := s.People().Person(person); ok && !p.Erased && p.Has(record.RoleSenior, post.Venue) {
		return nil
	}
	return refuse(NotOnShift, "", "person",
		"Person %d is neither on shift at terminal %d nor a senior of its venue.", person, terminal)
}

func (Floor) checkKey(post state.Post, _ record.Time, _ Sale) error {
	if post.Revoked {
		return refuse(KeyRevoked, "", "terminal",
			"Terminal %d was shut out; an administrator can give it another key.", post.Terminal)
	}
	return nil
}

// CheckPaying refuses money that would leave at a terminal for which somebody is missing, or
// through which the rules let none leave.
//
//rule:casino-keno-div2 8.3(a) 8.5
func (f Floor) CheckPaying(now record.Time, terminal uint32) error {
	post, ok := f.People.Post(terminal)
	if !ok {
		return nil // The decision itself says so.
	}
	if through := f.Book.Payout().Through; through != nil {
		switch {
		case !slices.Contains(through.Channels, post.Channel):
			return refuse(NotThrough, through.Quoted(), "terminal",
				"Terminal %d does not pay, and gives no money back. Go to a writer's terminal.", terminal)
		case through.Attended && post.Person == 0:
			return NobodyAt(terminal, rulebook.Quoted(through.AttendedClause),
				"a writer pays. Sign on, or go to another terminal")
		}
	}
	return f.checkSenior(post, now, Sale{})
}

// checkSenior refuses what is sold or paid at a venue that nobody is in control of.
//
//rule:vic-keno-2015 7(b)
//rule:tas-keno-2023 4.2
func (f Floor) checkSenior(post state.Post, now record.Time, _ Sale) error {
	rule := f.Book.Staffing()
	venue, _ := f.People.Premises(post.Venue)
	if !rule.NeedsSenior(venue.Kind) || present(f.People, rule.Venue, post.Venue, now) > 0 {
		return nil
	}
	return refuse(NoSenior, rulebook.Quoted(rule.VenueClause), "terminal",
		"Nobody is on duty as %s at venue %d. It goes on when somebody has signed on; other venues go on meanwhile.",
		rule.Venue, post.Venue)
}

// NobodyAt refuses an act at a terminal where nobody has signed on. The reason, if there is
// one, says why somebody must.
func NobodyAt(terminal uint32, clause, why string) error {
	if why != "" {
		why = ", and " + why
	}
	return refuse(NoWriter, clause, "terminal", "Nobody has signed on at terminal %d%s.", terminal, why)
}

// checkWriter refuses a sale at a writer terminal where nobody has signed on, if the
// ticket must name the writer.
//
//rule:casino-keno-div2 3.13(e)
func (f Floor) checkWriter(post state.Post, _ record.Time, _ Sale) error {
	if post.Channel != rulebook.ChannelWriter || post.Person != 0 || !f.Book.NamesWriter() {
		return nil
	}
	return NobodyAt(post.Terminal, f.Book.Receipt().Quoted(), "the ticket names its writer")
}

// checkDisplays refuses a sale in an area whose display does not work. A terminal
// that is in no area has none.
//
//rule:tas-keno-2023 9.6 21.3(a)
func (f Floor) checkDisplays(post state.Post, _ record.Time, c Sale) error {
	rule := f.Book.Staffing()
	area, _ := f.People.Area(post.Venue, post.Area)
	if rule.Display && post.Area == 0 {
		return refuse(NoDisplay, rulebook.Quoted(rule.DisplayClause), "terminal",
			"Terminal %d stands in no area, and so no draw display is near it. An administrator places it in one.",
			post.Terminal)
	}
	if rule.Display && !area.Draw {
		return refuse(NoDisplay, rulebook.Quoted(rule.DisplayClause), "terminal",
			"The draw display where terminal %d stands does not work.", post.Terminal)
	}
	if rule.RaceDisplay && c.Race && !area.Race {
		return refuse(NoDisplay, rulebook.Quoted(rule.RaceDisplayClause), "bets",
			"The race display where terminal %d stands does not work.", post.Terminal)
	}
	return nil
}

// checkHours refuses a sale when the venue does not trade.
func (f Floor) checkHours(post state.Post, now record.Time, _ Sale) error {
	venue, _ := f.People.Premises(post.Venue)
	if Trades(venue, f.OffsetSeconds, now) {
		return nil
	}
	return refuse(NotTrading, "", "terminal", "%s does not trade now.", venue.Name)
}

// checkPlayer refuses a sale to somebody who may not play.
//
//rule:vic-keno-2015 6(a) 6(b)
func (f Floor) checkPlayer(_ state.Post, _ record.Time, c Sale) error {
	if c.Player == 0 {
		return nil
	}
	rule := f.Book.Eligibility()
	person, err := living(f.People, c.Player)
	if err != nil {
		return err
	}
	clauses := strings.Fields(rule.BarredClause) // one for each, in their order
	for i, barred := range rule.Barred {
		clause := rulebook.Quoted(rule.BarredClause)
		if i < len(clauses) {
			clause = clauses[i]
		}
		switch {
		case barred == "licensee_staff" && slices.ContainsFunc(person.Grants,
			func(g state.Grant) bool { return !g.Role.AtVenue() && g.Role != record.RoleInspector }):
			return refuse(StaffBarred, clause, "player", "Person %d works for the licensee and may not play.", c.Player)
		case barred == "venue_staff_on_duty" && person.Shift.On():
			return refuse(StaffBarred, clause, "player", "Person %d is on duty and may not play.", c.Player)
		}
	}
	return nil
}

// CheckCancel refuses a cancellation outside the hours in which the venue trades,
// where the rulebook binds it to them.
//
//rule:vic-keno-2015 17(a)(iii)
//rule:tas-keno-2023 8.1
func CheckCancel(s *state.State, now record.Time, terminal uint32, series uint8) error {
	post, ok := s.People().Post(terminal)
	current, known := s.Series(series)
	if !ok || !known {
		return nil // The decision itself says so.
	}
	if err := CheckTerminal(s, terminal); err != nil {
		return err
	}
	rule := current.Book.Cancellation()
	venue, _ := s.People().Premises(post.Venue)
	if !rule.TradingHours || Trades(venue, current.OffsetSeconds, now) {
		return nil
	}
	return refuse(NotTrading, rulebook.Quoted(rule.HoursClause), "terminal",
		"%s does not trade now, and a ticket is cancelled only while it does.", venue.Name)
}

const (
	dayMinutes    = 24 * 60
	weekMinutes   = 7 * dayMinutes
	epochWeekday  = 4 // 1 January 1970 was a Thursday, and Sunday is 0.
	minuteSeconds = 60
)

// Trades reports whether a venue trades at an instant, by local clocks that add
// offset seconds to UTC. The first minute of its hours is in and the last is out.
func Trades(venue state.Premises, offset int32, at record.Time) bool {
	if !venue.HasHours {
		return true
	}
	local := at.Time().Unix() + int64(offset)
	minute := (local/minuteSeconds + epochWeekday*dayMinutes) % weekMinutes
	for _, t := range venue.Hours {
		from := int64(t.Weekday)*dayMinutes + int64(t.From)
		length := int64(t.To - t.From)
		if (minute-from+weekMinutes)%weekMinutes < length {
			return true
		}
	}
	return false
}
