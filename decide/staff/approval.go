package staff

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// The codes about approvals.
const (
	ActionUnknown    refusal.Code = "action_unknown"     // nothing of the name needs two persons
	ActionUnsaid     refusal.Code = "action_unsaid"      // what would be done is not said, or is something else
	ApprovalUnknown  refusal.Code = "approval_unknown"   // nobody asked for it
	ApprovalOver     refusal.Code = "approval_over"      // it is decided, used or has run out
	ApprovalOwn      refusal.Code = "approval_own"       // who asks cannot consent
	ApprovalOther    refusal.Code = "approval_other"     // it is of something else
	ApprovalNotGiven refusal.Code = "approval_not_given" // nobody has consented
)

// ApprovalLife is how long a request may wait for its decision and its use.
const ApprovalLife = 24 * time.Hour

// Action is something that two persons must want.
type Action struct {
	Asks     []record.Role // who may ask for it, and do it then
	Consents []record.Role // who may consent, if it is another person
	Says     bool          // the request says what would be done
}

// oversight are the roles that consent to what an administrator does.
var oversight = []record.Role{record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative,
	record.RoleInspector}

// actions is the table of what needs two persons, in groups of those who may ask and who may
// consent. No action is in two groups.
var actions = map[string]Action{}

// group adds actions to the table and returns their names.
func group(of Action, names ...string) []string {
	for _, name := range names {
		if _, twice := actions[name]; twice {
			panic("staff: " + name + " is in two groups of actions")
		}
		actions[name] = of
	}
	return names
}

var (
	_ = group(Action{Asks: administering, Consents: oversight}, ActionErase)
	_ = group(Action{Asks: append(Central(), record.RoleSenior),
		Consents: append(slices.Clone(oversight), record.RoleSenior), Says: true}, ActionCage)

	// Who checks the operator is chosen by an administrator and not by the central site.
	inspectorActions = group(Action{Asks: administering, Consents: oversight, Says: true}, ActionAppoint, ActionDismiss,
		ActionLock)

	operatorActions = group(Action{Asks: Central(), Consents: oversight, Says: true},
		"adopt_rulebook", record.ActionFile, record.ActionTickets, "begin_series", "license_venue", "end_series",
		"change_terms", "designate_game", "open_day", "close_day", "announce_closure", "void_draw",
		"confirm_result", "void_game", "correct_result", "register_device", "choose_device", "choose_beacon",
		"list_venue", "agree_venue", "receive_remittance", "name_creditor", "order_debits", record.ActionAnswer,
		"withdraw_debits", "pay_venue", "reverse_venue_payment", "reverse_remittance",
		"name_participants", "report_jackpot", "share_jackpots", "move_pool", "give_aside", "migrate_pools",
		"migrate_bonus", "take_in_pools", "begin_promotion", "change_promotion",
		"make_remittance",
		"disqualify", "reinstate", "release_payment", "invalidate", "give_paper", "pay_by_hand", "unwind_session")

	// Cash of a venue: somebody of the central site, and who answers for the cash at the venue.
	cashActions = group(Action{Asks: Central(), Consents: []record.Role{record.RoleSenior}, Says: true}, "carry_cash")

	// With a ticket whose sheet was not handed over, at a counter.
	counterActions = group(Action{Asks: floorRoles,
		Consents: []record.Role{record.RoleSenior, record.RoleSupervisor, record.RoleOperative}},
		"void_undelivered", "reissue_sheet")

	// With a writer's bank: somebody who works at the venue, and another who is senior there
	// or of the central site.
	bankActions = group(Action{Asks: floorRoles, Consents: append(Central(), record.RoleSenior), Says: true},
		"move_bank", "count_bank")
)

// Actions returns what needs two persons. The caller does not change it.
func Actions() map[string]Action { return actions }

// Central returns the roles of the central site, which run the games.
func Central() []record.Role {
	return []record.Role{record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative}
}

// OperatorActions returns what the operator does with games, their terms and their
// money, and with who checks it, and never by one person alone.
func OperatorActions() []string { return slices.Concat(operatorActions, inspectorActions, cashActions) }

// CounterActions returns what two persons do at a counter with a ticket whose sheet was not
// handed over.
func CounterActions() []string { return slices.Clone(counterActions) }

// BankActions returns what two persons do with a writer's bank.
func BankActions() []string { return slices.Clone(bankActions) }

// contentHash commits to what an action does, to the last detail: the action's name
// and its values in a form in which no two differ and look alike.
func contentHash(action string, values ...any) record.Hash {
	h := sha256.New()
	h.Write(fmt.Appendf(nil, "drawhouse/approval/v1\n%q\n", action))
	for _, v := range values {
		h.Write(fmt.Appendf(nil, "%T %q\n", v, fmt.Sprint(v)))
	}
	return record.Hash(h.Sum(nil))
}

// ContentOf commits to the bytes that describe an action on one thing of the house, such as
// a ticket, which they name.
func ContentOf(action string, description []byte) record.Hash {
	return contentHash(action, string(description))
}

// ContentIn commits to the bytes that describe an action, and to the series of games in which
// it is done: two series have games of the same numbers.
func ContentIn(series uint8, action string, description []byte) record.Hash {
	return sha256.Sum256(fmt.Appendf(nil,
		"drawhouse/approval/v2\n%q\nseries %d\nstring %q\n", action, series, description))
}

// NamesSeries reports whether a request is about a series of games. One that was asked for
// before requests named their series is about none.
func NamesSeries(asked record.ApprovalRequested, series uint8) bool {
	return asked.Says != "" && ContentIn(series, asked.Action, []byte(asked.Says)) == asked.Content
}

// Request asks another person to consent to an action.
type Request struct {
	By      uint32
	Action  string
	Content record.Hash
	Says    string // of an action that says what would be done: Content is of it, in the series
	Series  uint8
	Erases  Erase // of an erasure: what is tried before it is asked for
}

func (c Request) decide(s *state.State, now record.Time) ([]record.Body, error) {
	person, err := living(s.People(), c.By)
	if err != nil {
		return nil, err
	}
	action, ok := Actions()[c.Action]
	_, known := s.Series(c.Series)
	switch {
	case !ok:
		return nil, refuse(ActionUnknown, "", "action", "Nothing by the name %q needs an approval.", c.Action)
	case !person.HasAny(action.Asks...):
		return nil, refuse(NotAllowed, "", "person",
			"Person %d may not ask for that; it takes %s.", c.By, oneOf(action.Asks))
	case action.Says != (c.Says != "") || action.Says && ContentIn(c.Series, c.Action, []byte(c.Says)) != c.Content:
		return nil, refuse(ActionUnsaid, "", "action",
			"A request for %s says what would be done where the action has a route of its own, and nothing otherwise.",
			c.Action)
	case action.Says && !known:
		return nil, refuse(ActionUnsaid, "", "action", "There is no series %d of games.", c.Series)
	case c.Action == ActionErase && c.Erases.Person != 0 && c.Erases.Content() != c.Content:
		return nil, refuse(ActionUnsaid, "", "action", "The request is of another erasure.")
	case len(c.Says) > record.MostSaid(c.Action):
		return nil, refuse(ActionUnsaid, "", "action",
			"A request says what would be done in at most %d bytes.", record.MostSaid(c.Action))
	}
	if c.Action == ActionErase && c.Erases.Person != 0 {
		c.Erases.By = c.By
		if err := c.Erases.check(s, now); err != nil {
			return nil, err
		}
	}
	consents := action.Consents
	if _, ok := c.inspected(s); ok {
		consents = []record.Role{record.RoleInspector}
	}
	asked := &record.ApprovalRequested{
		Approval: s.People().NextApproval(), Action: c.Action, Content: c.Content, Roles: slices.Clone(consents),
		Expires: now + record.Time(ApprovalLife.Milliseconds()), By: c.By, Says: c.Says,
	}
	if !HasFor(s.People(), person, *asked, action.Asks) {
		return nil, refuse(OtherVenue, "", "person",
			"The request is of a venue where person %d has no role for it.", c.By)
	}
	return []record.Body{asked}, nil
}

// inspected returns the clause by which an inspector is the second person of the action, if
// the rules of the series have one.
//
//rule:tas-keno-2023 7.4(i) 7.5(a) 7.6(a) 17.3
func (c Request) inspected(s *state.State) (clause string, ok bool) {
	series, known := s.Series(c.Series)
	if !known || c.Says == "" {
		return "", false
	}
	return series.Book.InspectorFor(c.Action)
}

// clauseOf returns the clause by which nobody but an inspector consents to a request, or none.
func clauseOf(s *state.State, asked record.ApprovalRequested) string {
	for id := range 256 {
		if _, ok := s.Series(uint8(id)); !ok || !NamesSeries(asked, uint8(id)) {
			continue
		}
		clause, _ := Request{Action: asked.Action, Says: asked.Says, Series: uint8(id)}.inspected(s)
		return clause
	}
	return ""
}

// RequestNumber returns the number of the request that a record makes, or 0.
func RequestNumber(body record.Body) uint32 {
	if asked, ok := body.(*record.ApprovalRequested); ok {
		return asked.Approval
	}
	return 0
}

// Consent is what another person says to a request. Content is what that person has
// seen, so that nobody consents to something else. Who asked withdraws the request by a no,
// until it is used.
type Consent struct {
	By, Approval uint32
	Content      record.Hash
	Granted      bool
}

func (c Consent) decide(s *state.State, now record.Time) ([]record.Body, error) {
	person, err := living(s.People(), c.By)
	if err != nil {
		return nil, err
	}
	approval, ok := s.People().Approval(c.Approval)
	withdraws := ok && approval.By == c.By && !c.Granted
	if withdraws {
		approval.Roles = Actions()[approval.Action].Asks // Who could ask can take it back.
	}
	switch {
	case !ok:
		return nil, refuse(ApprovalUnknown, "", "approval", "There is no request %d.", c.Approval)
	case withdraws && approval.Granted && !approval.Used && now < approval.Expires:
	case approval.Decided || now >= approval.Expires:
		return nil, refuse(ApprovalOver, "", "approval", "Request %d is decided or has run out.", c.Approval)
	case approval.By == c.By && !withdraws:
		return nil, refuse(ApprovalOwn, "", "person", "Who asks cannot consent; another person must.")
	case !person.HasAny(approval.Roles...):
		return nil, refuse(NotAllowed, clauseOf(s, approval.ApprovalRequested), "person",
			"Person %d may not decide that; it takes %s.", c.By, oneOf(approval.Roles))
	case approval.Content != c.Content:
		return nil, refuse(ApprovalOther, "", "content",
			"Request %d is of something else than was shown. Look at it again.", c.Approval)
	case !HasFor(s.People(), person, approval.ApprovalRequested, approval.Roles):
		return nil, refuse(OtherVenue, "", "person",
			"Request %d is of a venue where person %d has no role for it.", c.Approval, c.By)
	}
	return []record.Body{&record.ApprovalDecided{Approval: c.Approval, Content: c.Content, Granted: c.Granted,
		By: c.By}}, nil
}

// Use is an action that was approved and is now done.
type Use struct {
	By, Approval uint32
	Action       string
	Content      record.Hash
}

// UseApproval returns the record that stands before those of an approved action, or
// why the action is not approved. It is used once, by who asked for it, in time, and
// for the very content.
func UseApproval(s *state.State, now record.Time, c Use) (*record.ApprovalUsed, error) {
	person, err := living(s.People(), c.By)
	if err != nil {
		return nil, err
	}
	approval, ok := s.People().Approval(c.Approval)
	switch {
	case !ok || approval.Action != c.Action:
		return nil, refuse(ApprovalUnknown, "", "approval", "There is no approval %d of this kind.", c.Approval)
	case approval.Used || now >= approval.Expires:
		return nil, refuse(ApprovalOver, "", "approval", "Approval %d was used or has run out.", c.Approval)
	case !approval.Granted:
		return nil, refuse(ApprovalNotGiven, "", "approval", "Nobody has consented to request %d.", c.Approval)
	case approval.By != c.By:
		return nil, refuse(NotAllowed, "", "person", "Approval %d was given to person %d.", c.Approval, approval.By)
	case approval.Content != c.Content:
		return nil, refuse(ApprovalOther, "", "content", "Approval %d is of something else.", c.Approval)
	case !HasFor(s.People(), person, approval.ApprovalRequested, Actions()[c.Action].Asks):
		return nil, refuse(NotAllowed, "", "person",
			"Person %d may not do that any more; it takes %s.", c.By, oneOf(Actions()[c.Action].Asks))
	}
	return &record.ApprovalUsed{Approval: c.Approval, By: c.By}, nil
}
