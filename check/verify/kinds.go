package verify

import (
	"fmt"

	"drawhouse/journal/record"
)

// A row is all that verify knows of one kind of record. What is nil asks nothing of the kind.
type row struct {
	kind  record.Kind
	check Check // which it belongs to
	// judge checks a body and returns the postings that its record must have.
	judge func(*checker, record.Body) (postings, error)

	// roles are those of which an actor must have one, and rolesOf says so where they depend on the
	// body and on the person who acts. The actor has them at the venue that where names, or anywhere.
	roles   []record.Role
	rolesOf func(c *checker, person uint32, b record.Body) []record.Role
	where   func(*checker, record.Body) uint32
	// byHouse reports whether the house itself may do it after its founding.
	byHouse func(record.Body) bool
	// named checks whom and what it names, two that those who must be two persons are, and kept that
	// somebody is left who runs the house.
	named, two, kept func(*checker, record.Body) error

	// series returns the series of games that it is done in.
	series func(record.Body) uint8
	// clause returns the clause that it comes under, and of which game.
	clause func(record.Body) (record.Game, string)
	agreed *agreement

	// exit checks that no money leaves by it that is stopped.
	exit func(*checker, record.Body) error
	// counter returns the venue at whose counter it is done and which must not be closed, or 0.
	counter func(*checker, record.Body) uint32
	// pays returns the terminal at which money leaves by it, and whether it does.
	pays func(record.Body) (terminal uint32, leaves bool)
	// hands returns what a terminal hands out by it.
	hands func(*checker, record.Body) (terminal uint32, out []string)

	// tally returns what it comes to in the book of the day, and in which series.
	tally func(*checker, record.Body) (series uint8, done dayTally)
	// shift follows the shifts at terminals.
	shift func(*checker, record.Body)
}

// An agreement is what two persons must have agreed on before a record of a kind.
type agreement struct {
	actions []string // one of them
	// asks reports whether two persons must have agreed. If it is nil they always must.
	asks func(*checker, record.Body, *approval) bool
	// guarded says that since record.LevelGuarded they must have, whatever asks says.
	guarded bool
	// says reports whether it is what they agreed on.
	says func(*checker, record.Body, *approval) bool
	// hours, if not nil, checks when it is done.
	hours func(*checker, record.Body, *approval) error
}

// kinds has a row for every kind, by its number. It is filled by init, for what judges a record may
// itself ask for the row of one.
var kinds [256]row

func init() {
	for _, part := range [][]rower{
		houseKinds(), gameKinds(), drawKinds(), moneyKinds(), placeKinds(), peopleKinds(), approvalKinds(),
		counterKinds(), stopKinds(), claimKinds(), venueKinds(), debitKinds(), hallKinds(), bingoKinds(), offerKinds(),
	} {
		for _, of := range part {
			r := of.get()
			if kinds[r.kind].judge != nil {
				panic(fmt.Sprintf("verify: %v has two rows", r.kind))
			}
			kinds[r.kind] = r
		}
	}
}

// rowFor returns the row of a body.
func rowFor(body record.Body) *row { return &kinds[record.Record{Body: body}.Kind()] }

// judged checks a body and returns the postings that its record must have.
func (r *row) judged(c *checker, body record.Body) (postings, error) {
	if r.judge == nil {
		return nil, fault(CheckLog, "this build has no check for records of this kind")
	}
	return r.judge(c, body)
}

// checkOf returns the check that a kind of record belongs to.
func checkOf(body record.Body) Check {
	if check := rowFor(body).check; check != "" {
		return check
	}
	return CheckHouse
}

// A rowOf is a row while it is written: its functions take bodies of one type.
type rowOf[B record.Body] struct{ row }

type rower interface{ get() row }

func (r rowOf[B]) get() row { return r.row }

// as returns a body as what it is. A row is asked about bodies of its type alone.
func as[B record.Body](body record.Body) B { return body.(B) } //nolint:errcheck // See above.

// paying begins the row of a kind by which money may move.
func paying[B record.Body](check Check, judge func(*checker, B) (postings, error)) rowOf[B] {
	var none B
	return rowOf[B]{row{
		kind: record.Record{Body: none}.Kind(), check: check,
		judge: func(c *checker, b record.Body) (postings, error) { return judge(c, as[B](b)) },
	}}
}

// plain begins the row of a kind that moves no money.
func plain[B record.Body](check Check, judge func(*checker, B) error) rowOf[B] {
	return paying(check, func(c *checker, b B) (postings, error) { return nil, judge(c, b) })
}

// by says which roles an actor must have, wherever.
func (r rowOf[B]) by(roles []record.Role) rowOf[B] {
	r.roles = roles
	return r
}

// byAt says which roles an actor must have at a venue, or in the whole house.
func (r rowOf[B]) byAt(roles []record.Role, venue func(*checker, B) uint32) rowOf[B] {
	r.roles = roles
	r.where = func(c *checker, b record.Body) uint32 { return venue(c, as[B](b)) }
	return r
}

// byWhom says which roles an actor must have where that depends on the body and the person.
func (r rowOf[B]) byWhom(roles func(c *checker, person uint32, b B) []record.Role) rowOf[B] {
	r.rolesOf = func(c *checker, person uint32, b record.Body) []record.Role { return roles(c, person, as[B](b)) }
	return r
}

// at says at which venue an actor must have the roles.
func (r rowOf[B]) at(venue func(*checker, B) uint32) rowOf[B] {
	r.where = func(c *checker, b record.Body) uint32 { return venue(c, as[B](b)) }
	return r
}

// alone says which records of the kind the house itself may write after its founding.
func (r rowOf[B]) alone(may func(B) bool) rowOf[B] {
	r.byHouse = func(b record.Body) bool { return may(as[B](b)) }
	return r
}

// naming, ofTwo and keeping add the guards of the persons in a record.
func (r rowOf[B]) naming(check func(*checker, B) error) rowOf[B] {
	r.named = func(c *checker, b record.Body) error { return check(c, as[B](b)) }
	return r
}

func (r rowOf[B]) ofTwo(check func(*checker, B) error) rowOf[B] {
	r.two = func(c *checker, b record.Body) error { return check(c, as[B](b)) }
	return r
}

func (r rowOf[B]) keeping(check func(*checker, B) error) rowOf[B] {
	r.kept = func(c *checker, b record.Body) error { return check(c, as[B](b)) }
	return r
}

// inSeries says in which series of games a record is done.
func (r rowOf[B]) inSeries(of func(B) uint8) rowOf[B] {
	r.series = func(b record.Body) uint8 { return of(as[B](b)) }
	return r
}

// under says which clause of a game's rulebook a record comes under.
func (r rowOf[B]) under(clause func(B) (record.Game, string)) rowOf[B] {
	r.clause = func(b record.Body) (record.Game, string) { return clause(as[B](b)) }
	return r
}

// agreedAs says that two persons must have agreed on an action, and what they must have said.
func (r rowOf[B]) agreedAs(action string, says func(*checker, B, *approval) bool) rowOf[B] {
	return r.agreedOn([]string{action}, says)
}

// agreedOn is agreedAs with several actions by which the record may come.
func (r rowOf[B]) agreedOn(actions []string, says func(*checker, B, *approval) bool) rowOf[B] {
	r.agreed = &agreement{
		actions: actions,
		says:    func(c *checker, b record.Body, a *approval) bool { return says(c, as[B](b), a) },
	}
	return r
}

// asking says when two persons must have agreed on a record.
func (r rowOf[B]) asking(asks func(*checker, B, *approval) bool) rowOf[B] {
	r.agreed.asks = func(c *checker, b record.Body, a *approval) bool { return asks(c, as[B](b), a) }
	return r
}

// ifUsed says that a record may come by itself, or of an approval.
func (r rowOf[B]) ifUsed() rowOf[B] {
	return r.asking(func(_ *checker, _ B, using *approval) bool { return using != nil })
}

// guarded says that since record.LevelGuarded nobody does it alone.
func (r rowOf[B]) guarded() rowOf[B] {
	r.agreed.guarded = true
	return r
}

// within checks when two persons may do it.
func (r rowOf[B]) within(hours func(*checker, B, *approval) error) rowOf[B] {
	r.agreed.hours = func(c *checker, b record.Body, using *approval) error { return hours(c, as[B](b), using) }
	return r
}

// exits checks that no money leaves that is stopped.
func (r rowOf[B]) exits(check func(*checker, B) error) rowOf[B] {
	r.exit = func(c *checker, b record.Body) error { return check(c, as[B](b)) }
	return r
}

// atCounter says at which terminal the record is done. What settles a session is done there though the
// venue is closed.
func (r rowOf[B]) atCounter(of func(B) (terminal uint32, settles bool)) rowOf[B] {
	return r.atVenue(func(c *checker, b B) uint32 {
		terminal, settles := of(b)
		return c.counterAt(terminal, settles)
	})
}

// atVenue says at which venue the record is done, which must not be closed.
func (r rowOf[B]) atVenue(of func(*checker, B) uint32) rowOf[B] {
	r.counter = func(c *checker, b record.Body) uint32 { return of(c, as[B](b)) }
	return r
}

// paysAt says at which terminal money leaves, and whether it does.
func (r rowOf[B]) paysAt(of func(B) (terminal uint32, leaves bool)) rowOf[B] {
	r.pays = func(b record.Body) (uint32, bool) { return of(as[B](b)) }
	return r
}

// handing says what a terminal hands out.
func (r rowOf[B]) handing(of func(*checker, B) (terminal uint32, out []string)) rowOf[B] {
	r.hands = func(c *checker, b record.Body) (uint32, []string) { return of(c, as[B](b)) }
	return r
}

// tallied says what the book of the day counts.
func (r rowOf[B]) tallied(of func(*checker, B) (series uint8, done dayTally)) rowOf[B] {
	r.tally = func(c *checker, b record.Body) (uint8, dayTally) { return of(c, as[B](b)) }
	return r
}

// shifting follows the shifts at terminals.
func (r rowOf[B]) shifting(of func(*checker, B)) rowOf[B] {
	r.shift = func(c *checker, b record.Body) { of(c, as[B](b)) }
	return r
}
