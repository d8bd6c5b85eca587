package verify

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"drawhouse/journal/record"
)

// people is who works in the house, as far as later records refer to them: that a
// person, a venue, an area, a terminal or an approval exists when it is spoken of,
// that a role is had before it is served in, and that nobody approves what they
// asked for themselves.
type people struct {
	operators map[uint32]bool
	areas     map[area]displays
	hours     map[uint32][]record.Trading // of venues that have said when they trade
	persons   map[uint32]*member
	approvals map[uint32]*approval
	posts     map[uint32]uint32   // who is on shift at a terminal
	revoked   map[uint32]bool     // terminals without a key
	keys      map[uint32][32]byte // what terminals sign with
	holders   map[[32]byte]uint32 // the last terminal that a key was given to
	atCage    uint32              // approval under which the record before this one attended the ball machine
	ends      bool                // two persons say that no further game of the Keno Day is possible
	using     *approval           // that the record before this one used, if it says what is done then
	used      consent
	keyed     map[personKey]record.Time // when a key was used last
	// How many are on duty in a role, those who have said that they are leaving apart.
	staying, ending map[duty]int
	grips           []grip             // who had whom in hand of late
	stopped         map[uint32]*member // who has a lock that a person has set, over or not
	settled         bool               // somebody has brought in another person: the founding is over
	appointed       bool               // somebody has appointed or invited a person
	founders        int                // administrators whom the house itself has brought in
}

type area struct {
	venue uint32
	area  uint16
}

type duty struct {
	role  record.Role
	venue uint32
}

type member struct {
	duties   []duty
	shift    duty
	terminal uint32
	onShift  bool
	leaving  bool
	erased   bool
	password bool // one was set
	locked   record.Time
	stopped  record.Time // as locked, where a person did it
	// The invitation that waits.
	invitedBy uint32
	invitedAt record.Time
	// Where the person was last kept out or let in anew by another, and where the person lost
	// a role: consents from before count no more.
	broken    uint64
	dismissed map[record.Role]uint64
}

// inspects reports whether the person is an inspector.
func (m *member) inspects() bool { return slices.Contains(m.duties, duty{role: record.RoleInspector}) }

type approval struct {
	number  uint32
	action  string
	says    *said
	series  uint8 // that the content names; 0 before contents named one
	by      uint32
	decider uint32
	roles   []record.Role // of who may consent
	content record.Hash
	expires record.Time
	decided bool
	place   uint64 // of the decision
	granted bool
	used    bool
}

// A consent is the approval that the record before one has used.
type consent struct {
	before  uint64 // the place of the record that it is for
	by      uint32
	content record.Hash
}

// The actions that several places know: taking back a ticket which was not handed over, sharing
// what waited, moving the jackpots of a system that ends, and adopting a file of the operator.
const (
	actionVoid    = "void_undelivered"
	actionShare   = "share_jackpots"
	actionMigrate = "migrate_pools"
	actionFile    = "adopt_rulebook_file"
)

// contentOf commits to an action and the text that describes it, as those who consent
// do: SHA-256 of a heading, the action in quotes, and the kind and value of the text.
func contentOf(action, text string) record.Hash {
	return sha256.Sum256(fmt.Appendf(nil, "drawhouse/approval/v1\n%q\nstring %q\n", action, text))
}

// contentIn commits to the series of games too, as those who consent do since
// record.LevelGuarded.
func contentIn(series uint8, action, text string) record.Hash {
	return sha256.Sum256(fmt.Appendf(nil, "drawhouse/approval/v2\n%q\nseries %d\nstring %q\n", action, series, text))
}

// erasureOf commits to the erasure of a person, whom a request does not name: the hash is
// over person and reason, each with its kind.
func erasureOf(b *record.PersonErased) record.Hash {
	return sha256.Sum256(fmt.Appendf(nil,
		"drawhouse/approval/v1\n%q\nuint32 \"%d\"\nstring %q\n", "erase_person", b.Person, b.Reason))
}

// CheckPeople is the check of people and places.
const CheckPeople Check = "people"

// known reports whether a person was added.
func (p *people) known(id uint32) bool { return p.persons[id] != nil }

// person returns a person who was added, or nil.
func (p *people) person(id uint32) *member { return p.persons[id] }

// approval returns what was asked for under a number, or nil.
func (p *people) approval(number uint32) *approval { return p.approvals[number] }

// lastUsed returns the consent that was used last.
func (p *people) lastUsed() consent { return p.used }

// atPost returns who is on shift at a terminal, or 0.
func (p *people) atPost(terminal uint32) uint32 { return p.posts[terminal] }

// shutOut reports whether a terminal has lost its key.
func (p *people) shutOut(terminal uint32) bool { return p.revoked[terminal] }

// trading returns when a venue trades, and whether it has said so.
func (p *people) trading(venue uint32) ([]record.Trading, bool) {
	hours, said := p.hours[venue]
	return hours, said
}

// endsDay reports whether two persons say that no further game of the Keno Day is possible.
func (p *people) endsDay() bool { return p.ends }

func newPeople() people {
	return people{
		operators: map[uint32]bool{}, areas: map[area]displays{}, hours: map[uint32][]record.Trading{},
		persons:   map[uint32]*member{},
		approvals: map[uint32]*approval{}, keyed: map[personKey]record.Time{},
		posts: map[uint32]uint32{}, revoked: map[uint32]bool{},
		keys: map[uint32][32]byte{}, holders: map[[32]byte]uint32{},
		staying: map[duty]int{}, ending: map[duty]int{}, stopped: map[uint32]*member{},
	}
}

func (c *checker) personAdded(b *record.PersonAdded) error {
	c.people.settled = c.people.settled || b.By != 0
	c.gripped(b.By, b.Person)
	_, known := c.people.persons[b.Person]
	c.people.persons[b.Person] = &member{}
	return c.refers(b.By, !known, "person %d was added before", b.Person)
}

// personErased checks that a second person has consented to it.
func (c *checker) personErased(b *record.PersonErased) error {
	if used := c.people.used; used.before != c.here() || used.by != b.By || used.content != erasureOf(b) {
		return fault(CheckPeople,
			"person %d is erased, and the record before it does not use a second person's consent to that", b.Person)
	}
	return c.member(b.Person, b.By, func(m *member) bool { m.erased = true; return !m.onShift })
}

func (c *checker) roleGranted(b *record.RoleGranted) error {
	if b.By != 0 {
		c.people.appointed = true
	} else if b.Role == record.RoleAdministrator {
		c.people.founders++
	}
	c.gripped(b.By, b.Person)
	return c.member(b.Person, b.By, func(m *member) bool { return c.granted(m, duty{b.Role, b.Venue}) })
}

func (c *checker) roleWithdrawn(b *record.RoleWithdrawn) error {
	if m := c.people.persons[b.Person]; m != nil {
		if m.dismissed == nil {
			m.dismissed = map[record.Role]uint64{}
		}
		m.dismissed[b.Role] = c.here()
	}
	return c.member(b.Person, b.By, func(m *member) bool { return withdrawn(m, duty{b.Role, b.Venue}) })
}

func (c *checker) passwordSet(b *record.PasswordSet) error {
	c.gripped(b.By, b.Person)
	if b.By != b.Person {
		c.breaks(b.Person)
	}
	return c.member(b.Person, b.By, func(m *member) bool {
		// A person who could set the password of an inspector who has one could be the inspector.
		own := b.By == b.Person || !m.password || !m.inspects()
		if m.password = true; b.By != b.Person {
			m.invitedBy = 0
		}
		return own
	})
}

func (c *checker) lockSet(b *record.LockSet) error {
	if b.By != 0 && b.Until > c.now {
		c.breaks(b.Person)
	}
	return c.member(b.Person, b.By, func(m *member) bool {
		m.locked = b.Until
		if m.stopped = min(m.stopped, b.Until); b.By != 0 {
			m.stopped = b.Until
		}
		if c.people.stopped[b.Person] = m; m.stopped == 0 {
			delete(c.people.stopped, b.Person)
		}
		return true
	})
}

func (c *checker) shiftBegun(b *record.ShiftBegun) error {
	return c.member(b.Person, 0, func(m *member) bool { return c.began(m, b) })
}

func (c *checker) shiftEnding(b *record.ShiftEnding) error {
	return c.member(b.Person, 0, func(m *member) bool {
		good := m.onShift && !m.leaving
		m.leaving = true
		c.people.staying[m.shift]--
		c.people.ending[m.shift]++
		return good
	})
}

func (c *checker) shiftEnded(b *record.ShiftEnded) error {
	return c.member(b.Person, b.By, func(m *member) bool {
		good := m.onShift
		if m.leaving {
			c.people.ending[m.shift]--
		} else {
			c.people.staying[m.shift]--
		}
		delete(c.people.posts, m.terminal)
		m.onShift, m.leaving, m.shift, m.terminal = false, false, duty{}, 0
		return good
	})
}

// personInvited checks that an administrator invites, and nobody an inspector who has a
// password.
func (c *checker) personInvited(b *record.PersonInvited) error {
	c.people.appointed = true
	c.gripped(b.By, b.Person)
	if !c.holds(b.By, administrators) {
		return fault(CheckPeople, "person %d invites person %d, and is no administrator", b.By, b.Person)
	}
	return c.member(b.Person, b.By, func(m *member) bool {
		m.invitedBy, m.invitedAt = b.By, c.now
		return !m.password || !m.inspects()
	})
}

// personRecovered lists that the machine let an administrator in: the inspector asks who
// did it. For others than administrators the machine has no way.
func (c *checker) personRecovered(b *record.PersonRecovered) error {
	c.people.grips = append(c.people.grips, grip{0, b.Person, c.now})
	c.breaks(b.Person)
	if !c.holds(b.Person, administrators) {
		return fault(CheckPeople, "the machine lets in person %d, who is no administrator", b.Person)
	}
	c.find(fault(CheckPeople, "administrator %d was let in on the machine, where nobody signs on, because: %s",
		b.Person, b.Reason))
	return c.member(b.Person, 0, func(m *member) bool {
		m.password, m.locked, m.stopped, m.invitedBy = true, 0, 0, 0
		delete(c.people.stopped, b.Person)
		return true
	})
}

func (c *checker) hasVenue(id uint32) bool {
	_, ok := c.venues[id]
	return ok
}

// once notes something that is added, which it may be once.
func (c *checker) once(all map[uint32]bool, id uint32, what string, by uint32) error {
	known := all[id]
	all[id] = true
	return c.refers(by, !known, "%s %d was added before", what, id)
}

// refers reports what a record refers to and what is not there: somebody by whom it
// is, or something that it says.
func (c *checker) refers(by uint32, good bool, format string, args ...any) error {
	if by != 0 && c.people.persons[by] == nil {
		return fault(CheckPeople, "it is by person %d, who was not added", by)
	}
	if !good {
		return fault(CheckPeople, format, args...)
	}
	return nil
}

// member changes a person, who must be there.
func (c *checker) member(id, by uint32, change func(*member) bool) error {
	m := c.people.persons[id]
	if m == nil || m.erased {
		return fault(CheckPeople, "person %d was not added, or was erased", id)
	}
	return c.refers(by, change(m), "person %d cannot have come to this", id)
}

// granted checks that a role is new to the person, of a venue that there is, and that an
// inspector has no other.
func (c *checker) granted(m *member, d duty) bool {
	if len(m.duties) > 0 && (d.role == record.RoleInspector || m.inspects()) {
		return false
	}
	if slices.Contains(m.duties, d) || d.venue != 0 && !c.hasVenue(d.venue) {
		return false
	}
	m.duties = append(m.duties, d)
	return true
}

func withdrawn(m *member, d duty) bool {
	i := slices.Index(m.duties, d)
	if i < 0 || m.onShift && m.shift == d {
		return false
	}
	m.duties = slices.Delete(m.duties, i, i+1)
	return true
}

// began checks that the person has the role, and that person and terminal are free.
func (c *checker) began(m *member, b *record.ShiftBegun) bool {
	d := duty{b.Role, b.Venue}
	if m.onShift || !slices.Contains(m.duties, d) {
		return false
	}
	if b.Terminal != 0 {
		t := c.terminals[b.Terminal]
		if t == nil || t.venue != b.Venue || c.people.posts[b.Terminal] != 0 {
			return false
		}
		c.people.posts[b.Terminal] = b.Person
	}
	m.onShift, m.shift, m.terminal = true, d, b.Terminal
	c.people.staying[d]++
	return true
}

// withdrawnBy reports whether a decision is that of who asked, who wants it no more.
func (a *approval) withdrawnBy(b *record.ApprovalDecided) bool { return b.By == a.by && !b.Granted }

// withdrawn checks that a request which is withdrawn was neither done nor over.
func (c *checker) withdrawn(a *approval, b *record.ApprovalDecided) error {
	good := !a.used && (!a.decided || a.granted) && c.now < a.expires && a.content == b.Content
	if good {
		a.decided, a.granted, a.decider, a.place = true, false, b.By, c.here()
	}
	if err := c.refers(b.By, good,
		"approval %d is withdrawn, and was over or is of something else", b.Approval); err != nil {
		return err
	}
	if !c.holds(b.By, partiesTo(a.action).ask) {
		return fault(CheckPeople, "person %d withdraws %s, and has no role for it any more", b.By, a.action)
	}
	return c.guard(c.checkVenues(a, b.By, partiesTo(a.action).ask))
}

// approvalRequested checks that a request is new, in time, and says what its content is of.
func (c *checker) approvalRequested(b *record.ApprovalRequested) error {
	known := c.people.approvals[b.Approval] != nil
	says, series, err := c.saidIn(b)
	if err != nil {
		return err
	}
	c.people.approvals[b.Approval] = &approval{number: b.Approval, action: b.Action, says: says, series: series,
		by: b.By, roles: b.Roles, content: b.Content, expires: b.Expires}
	if err := c.refers(b.By, !known && c.now < b.Expires,
		"approval %d was asked for before, or is over as it begins", b.Approval); err != nil {
		return err
	}
	if err := c.asks(b); err != nil {
		return err
	}
	return c.guard(c.inspected(b, series))
}

// inspected checks that nobody but an inspector is to consent where a clause makes the
// authority a party to the act.
func (c *checker) inspected(b *record.ApprovalRequested, in uint8) error {
	s := c.series[in]
	if s == nil || b.Says == "" {
		return nil
	}
	for _, party := range s.rulesNow().parties {
		if slices.Contains(party.Acts, b.Action) && !slices.Equal(b.Roles, []record.Role{record.RoleInspector}) {
			return fault(CheckPeople, "%v may consent to %s, and an inspector alone may (%s)", b.Roles, b.Action, party.Clause)
		}
	}
	return nil
}

// approvalDecided checks that a second person decides on one thing, in time.
func (c *checker) approvalDecided(b *record.ApprovalDecided) error {
	a := c.people.approvals[b.Approval]
	if a != nil && a.withdrawnBy(b) {
		return c.withdrawn(a, b)
	}
	good := a != nil && !a.decided && c.now < a.expires && a.by != b.By && a.content == b.Content
	if good {
		a.decided, a.granted, a.decider, a.place = true, b.Granted, b.By, c.here()
	}
	if err := c.refers(b.By, good, "approval %d is not open to this person for this content", b.Approval); err != nil {
		return err
	}
	return c.consents(a, b.By)
}

// approvalUsed checks that what two persons agreed on is done once, in time.
func (c *checker) approvalUsed(b *record.ApprovalUsed) error {
	a := c.people.approvals[b.Approval]
	good := a != nil && a.granted && !a.used && a.by == b.By && c.now < a.expires
	if good {
		a.used = true
		c.people.used = consent{c.here() + 1, a.by, a.content}
		if a.says != nil {
			c.people.using = a
			c.money.coming = c.newAnswers(a)
		}
	}
	if err := c.refers(b.By, good, "approval %d was not given to this person, or was used", b.Approval); err != nil {
		return err
	}
	if !c.holds(b.By, partiesTo(a.action).ask) {
		return fault(CheckPeople, "person %d does %s, and has no role for it any more", b.By, a.action)
	}
	if err := c.guard(c.checkVenues(a, a.decider, a.roles)); err != nil {
		return err
	}
	return c.guard(c.checkVenues(a, b.By, partiesTo(a.action).ask))
}
