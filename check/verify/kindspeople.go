package verify

import (
	"slices"

	"drawhouse/journal/record"
)

// everybody is each person who has a role.
var everybody = record.Roles()

// mayLeave are the roles of which somebody may give up one without another person.
var mayLeave = append(slices.Clone(administrators), record.RoleInspector)

// takesNobody says that the house itself writes records of a kind.
func takesNobody[B record.Body](B) bool { return true }

// peopleKinds are the kinds of persons. No money moves by them.
func peopleKinds() []rower {
	return []rower{
		plain(CheckHouse, (*checker).personAdded).by(administrators),
		plain(CheckHouse, (*checker).personErased).by(administrators).keeping((*checker).erasedKept),
		plain(CheckHouse, (*checker).personInvited).by(administrators),
		plain(CheckHouse, (*checker).personRecovered),
		plain(CheckPeople, (*checker).roleGranted).by(administrators).
			agreedAs("appoint_inspector", func(_ *checker, b *record.RoleGranted, a *approval) bool {
				return a.says.Person == b.Person && a.by == b.By && a.decider != b.Person
			}).
			asking(func(c *checker, b *record.RoleGranted, _ *approval) bool { return c.appoints(b) }),
		plain(CheckPeople, (*checker).roleWithdrawn).
			byWhom(func(_ *checker, id uint32, b *record.RoleWithdrawn) []record.Role {
				return ifSelf(b.Person == id, mayLeave, administrators)
			}).
			keeping((*checker).withdrawnKept).
			agreedAs("dismiss_inspector", func(_ *checker, b *record.RoleWithdrawn, a *approval) bool {
				return a.says.Person == b.Person && a.by == b.By
			}).
			asking(func(c *checker, b *record.RoleWithdrawn, _ *approval) bool { return c.dismisses(b) }),
		plain(CheckHouse, (*checker).passwordSet).
			byWhom(func(_ *checker, id uint32, b *record.PasswordSet) []record.Role {
				return ifSelf(b.Person == id, everybody, administrators)
			}).
			naming((*checker).passwordNamed),
		plain(CheckPeople, (*checker).lockSet).
			byWhom(func(_ *checker, id uint32, b *record.LockSet) []record.Role {
				return ifSelf(b.Person == id, overseerRoles, centralRoles)
			}).
			keeping((*checker).lockKept).
			alone(func(b *record.LockSet) bool { return b.Until != 0 }). // Somebody has guessed at a password.
			agreedAs("lock_inspector", func(_ *checker, b *record.LockSet, a *approval) bool {
				return a.says.Person == b.Person && a.says.Locked == (b.Until != 0) && a.says.Reason == b.Reason &&
					a.by == b.By
			}).
			asking(func(c *checker, b *record.LockSet, using *approval) bool { return using != nil || c.locksOut(b) }),
		// Everybody goes on duty by themselves; in which role is checked there.
		plain(CheckHouse, (*checker).shiftBegun).by(everybody).shifting((*checker).beginShift),
		plain(CheckHouse, (*checker).shiftEnding).by(everybody),
		plain(CheckHouse, (*checker).shiftEnded).
			byWhom(func(_ *checker, id uint32, b *record.ShiftEnded) []record.Role {
				return ifSelf(b.Person == id, everybody, centralRoles)
			}).
			shifting((*checker).endShift),
	}
}

// approvalKinds are the kinds by which two persons agree.
func approvalKinds() []rower {
	return []rower{
		plain(CheckHouse, (*checker).approvalRequested).
			byWhom(func(_ *checker, _ uint32, b *record.ApprovalRequested) []record.Role { return partiesTo(b.Action).ask }),
		plain(CheckHouse, (*checker).approvalDecided).
			byWhom(func(c *checker, _ uint32, b *record.ApprovalDecided) []record.Role { return c.mayDecide(b) }).
			ofTwo((*checker).decidedByTwo),
		plain(CheckHouse, (*checker).approvalUsed).
			byWhom(func(c *checker, _ uint32, b *record.ApprovalUsed) []record.Role { return c.mayUse(b) }).
			naming((*checker).usedNamed),
		plain(CheckPeople, (*checker).requestKeyed),
	}
}
