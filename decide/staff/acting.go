package staff

import (
	"maps"
	"slices"

	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// The table of this file says who may be the actor of which record. The engine asks it
// about every record (CheckActing), so that no interface can let somebody do what the role
// does not reach to. Package verify has a table of its own, and verify.TestActingTwice holds the two
// against each other. Package api may be stricter and is never looser (api.TestAccessOfActors).

// acting says who may be the actor of records of a kind.
type acting struct {
	roles []record.Role
	own   []record.Role // who may besides, where the record is about the actor
	// narrow, if set, returns which of the roles may by what the record says.
	narrow func(s *state.State, body record.Body, actor uint32) []record.Role
	// venue, if set, returns where roles that are had at a venue count. Elsewhere they count
	// wherever they are had: the record is of no venue.
	venue func(s *state.State, body record.Body) uint32
}

var (
	floorRoles   = []record.Role{record.RoleWriter, record.RoleSenior}
	workingRoles = append(Central(), floorRoles...)
)

// of finds the venue of the records of one kind.
func of[B record.Body](venue func(*state.State, B) uint32) func(*state.State, record.Body) uint32 {
	return func(s *state.State, body record.Body) uint32 {
		return venue(s, body.(B)) //nolint:errcheck // The table is asked by the kind of the record.
	}
}

// actings is the table. What this package decides itself has its rows beside the decisions: placeActings, and
// personActings with who goes on duty, or off.
var actings = withRooms(joined(placeActings, personActings, map[record.Kind]acting{
	// What two persons must want says who they are (Actions).
	record.KindApprovalRequested: {roles: record.Roles(), narrow: askers},
	record.KindApprovalDecided:   {roles: record.Roles(), narrow: deciders},
	record.KindApprovalUsed:      {roles: record.Roles(), narrow: askers},

	record.KindPlayPaused:       {roles: Central()},
	record.KindPlayResumed:      {roles: Central()},
	record.KindClosureAnnounced: {roles: Central()},
	record.KindNoticeShown:      {roles: Central()},
	record.KindHolidaysNamed:    {roles: Central()},
	record.KindLinkReleased:     {roles: overall()},
	record.KindLinkGiven:        {roles: overall()},
	record.KindCageStarted:      {roles: workingRoles},
	record.KindBallKeyed:        {roles: workingRoles},
	record.KindCageAttended:     {roles: workingRoles},
	record.KindDeviceRegistered: {roles: Central()},
	record.KindDeviceInspected:  {roles: append(slices.Clone(workingRoles), record.RoleInspector), narrow: inspecting},
	record.KindDrawInspected:    {roles: []record.Role{record.RoleInspector}},

	record.KindPaperReissued: {roles: floorRoles,
		venue: of(func(s *state.State, b *record.PaperReissued) uint32 { return standsAt(s, b.Request.Terminal) })},
	record.KindRunnerDisputed: {roles: workingRoles,
		venue: of(func(_ *state.State, b *record.RunnerDisputed) uint32 { return b.Venue })},
	record.KindRunnerDisputeDecided: {roles: []record.Role{record.RoleSenior},
		venue: of(func(_ *state.State, b *record.RunnerDisputeDecided) uint32 { return b.Venue })},
	record.KindSaleRefused: {roles: workingRoles,
		venue: of(func(s *state.State, b *record.SaleRefused) uint32 { return standsAt(s, b.Terminal) })},
	record.KindBankMoved: {roles: workingRoles, narrow: signers,
		venue: of(func(s *state.State, b *record.BankMoved) uint32 { return standsAt(s, b.Terminal) })},
	record.KindBankCounted: {roles: workingRoles, narrow: signers,
		venue: of(func(s *state.State, b *record.BankCounted) uint32 { return standsAt(s, b.Terminal) })},
	record.KindChequeHanded: {roles: workingRoles, venue: of(func(s *state.State, b *record.ChequeHanded) uint32 {
		cheque, _ := s.Cheque(b.Cheque)
		return cheque.Venue
	})},

	record.KindPaymentFrozen:      {roles: overall()},
	record.KindPaymentReleased:    {roles: Central()},
	record.KindTicketDisqualified: {roles: overall()},
	record.KindTicketReinstated:   {roles: Central()},
	record.KindTicketInvalidated:  {roles: Central()},
	record.KindAnonymitySet:       {roles: Central()},
	record.KindVenueLimitSet:      {roles: Central()},
	record.KindVenueListed:        {roles: Central()},
	record.KindCardRegistered:     {roles: append(Central(), record.RoleSenior)},
	record.KindCardStatusSet:      {roles: append(Central(), record.RoleSenior)},
	record.KindCardNotified:       {roles: Central()},
	record.KindHolderErased:       {roles: administering},
	record.KindPayeeErased:        {roles: administering},

	record.KindVenueAgreed: {roles: Central()},
	record.KindCashCarried: {roles: append(Central(), record.RoleSenior), narrow: carriers,
		venue: of(func(_ *state.State, b *record.CashCarried) uint32 { return b.Venue })},
	record.KindRemittanceReceived:   {roles: Central()},
	record.KindCreditorNamed:        {roles: Central()},
	record.KindDebitsOrdered:        {roles: Central()},
	record.KindDebitAnswered:        {roles: Central()},
	record.KindDebitsWithdrawn:      {roles: Central()},
	record.KindVenuePaid:            {roles: Central()},
	record.KindVenuePaymentReversed: {roles: Central()},
	record.KindRemittanceReversed:   {roles: Central()},

	record.KindTicketsTakenIn: {roles: Central()},
	record.KindRemittanceMade: {roles: Central()},
	record.KindClaimLodged:    {roles: workingRoles},
	record.KindClaimNoted:     {roles: overall()},
	record.KindClaimSigned:    {roles: overall()},
	record.KindClaimDecided:   {roles: Central()},
	record.KindClaimPaid:      {roles: Central()},
}))

// joined is the table of several.
func joined(tables ...map[record.Kind]acting) map[record.Kind]acting {
	all := map[record.Kind]acting{}
	for _, table := range tables {
		maps.Copy(all, table)
	}
	return all
}

// withRooms adds what is done in bingo rooms: by anybody who works in the venue of the room or at
// the central site, in no higher rank than the role gives.
func withRooms(table map[record.Kind]acting) map[record.Kind]acting {
	for _, kind := range record.Kinds() {
		if _, _, ok := (record.Record{Body: record.Empty(kind)}).InRoom(); ok {
			table[kind] = acting{roles: workingRoles, narrow: ranking, venue: roomVenue}
		}
	}
	return table
}

// MayAct returns the roles in which somebody may be the actor of a record, at some venue or
// for some content at least. Own says whether the record is about the actor.
func MayAct(kind record.Kind, own bool) []record.Role {
	row := actings[kind]
	if own {
		return append(slices.Clone(row.roles), row.own...)
	}
	return slices.Clone(row.roles)
}

// ActingKinds returns the kinds that the table has, ascending.
func ActingKinds() []record.Kind { return slices.Sorted(maps.Keys(actings)) }

// CheckActing refuses a record by somebody who has no role for it, or not at its venue.
func CheckActing(s *state.State, r record.Record) error {
	for _, id := range r.Actors() {
		person, err := living(s.People(), id)
		if err != nil {
			return err
		}
		if leaves(r.Body, id) || setsOwn(r.Body, id) {
			continue // That takes no role.
		}
		if err := checkRole(s, person, r.Body); err != nil {
			return err
		}
	}
	return nil
}

// checkRole refuses a record by somebody who has no role for it, or not at the venue.
func checkRole(s *state.State, person state.Person, body record.Body) error {
	row := actings[record.Record{Body: body}.Kind()]
	if about, ok := (record.Record{Body: body}).Person(); ok && about == person.ID && person.HasAny(row.own...) {
		return nil
	}
	roles := row.roles
	if row.narrow != nil {
		roles = row.narrow(s, body, person.ID)
	}
	if !person.HasAny(roles...) {
		return refuse(NotAllowed, "", "person", "Person %d may not do that; it takes %s.", person.ID, oneOf(roles))
	}
	if row.venue == nil {
		return nil
	}
	venue := row.venue(s, body)
	if slices.ContainsFunc(person.Grants, func(g state.Grant) bool {
		return slices.Contains(roles, g.Role) && (g.Venue == 0 || g.Venue == venue)
	}) {
		return nil
	}
	return refuse(OtherVenue, "", "person", "Person %d has no role for that at venue %d.", person.ID, venue)
}

// askers returns who may ask for what a request is of, and do it then.
func askers(s *state.State, body record.Body, _ uint32) []record.Role {
	switch b := body.(type) {
	case *record.ApprovalRequested:
		return Actions()[b.Action].Asks
	case *record.ApprovalUsed:
		asked, _ := s.People().Approval(b.Approval)
		return Actions()[asked.Action].Asks
	}
	return nil
}

// deciders returns who may consent to what a request is of. Who asked may withdraw it.
func deciders(s *state.State, body record.Body, actor uint32) []record.Role {
	decided, _ := body.(*record.ApprovalDecided)
	asked, _ := s.People().Approval(decided.Approval)
	if asked.By == actor && !decided.Granted {
		return Actions()[asked.Action].Asks
	}
	return asked.Roles
}

// inspecting returns who may inspect: an employee looks at the balls of a machine, and the central site
// or an inspector at the device itself, because an unsound device draws no further game.
func inspecting(_ *state.State, body record.Body, _ uint32) []record.Role {
	if b, ok := body.(*record.DeviceInspected); ok && b.Part == record.PartBalls {
		return append(slices.Clone(workingRoles), record.RoleInspector)
	}
	return overall()
}

// signers returns who may sign for a bank: who asks for it works at the venue, and the other
// is senior there or of the central site.
func signers(_ *state.State, body record.Body, actor uint32) []record.Role {
	action, with := Actions()["move_bank"], uint32(0)
	switch b := body.(type) {
	case *record.BankMoved:
		with = b.With
	case *record.BankCounted:
		action, with = Actions()["count_bank"], b.With
	}
	if actor == with {
		return action.Consents
	}
	return action.Asks
}

// carriers returns who may sign for cash of a venue: who asks is of the central site, and the other is senior at the
// venue.
func carriers(_ *state.State, body record.Body, actor uint32) []record.Role {
	if b, ok := body.(*record.CashCarried); ok && actor == b.With {
		return Actions()["carry_cash"].Consents
	}
	return Actions()["carry_cash"].Asks
}

// ranking returns the roles that give a rank in a bingo room.
func ranking(_ *state.State, body record.Body, _ uint32) []record.Role {
	_, by, _ := record.Record{Body: body}.InRoom()
	switch by.Rank {
	case record.RankCasino:
		return Central()
	case record.RankSupervisor:
		return append(Central(), record.RoleSenior)
	}
	return workingRoles
}

// roomVenue returns the venue of a bingo room.
func roomVenue(s *state.State, body record.Body) uint32 {
	if opened, ok := body.(*record.HallOpened); ok {
		return opened.Venue
	}
	number, _, _ := record.Record{Body: body}.InRoom()
	if room, ok := s.Hall(number); ok {
		return room.Opened.Venue
	}
	return 0
}

// standsAt returns the venue of a terminal.
func standsAt(s *state.State, terminal uint32) uint32 {
	post, _ := s.People().Post(terminal)
	return post.Venue
}
