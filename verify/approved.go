package verify

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"drawhouse/money"
	"drawhouse/record"
)

// said is what a request for an act of the operator says: the fields of all acts, of
// which each has some.
type said struct {
	ID            string      `json:"id"`
	Hash          string      `json:"hash"`
	From          uint32      `json:"from"`
	Last          uint32      `json:"last"`
	Rulebook      string      `json:"rulebook"`
	Schedule      string      `json:"schedule"`
	Reference     string      `json:"reference"`
	Ordinal       uint32      `json:"ordinal"`
	Day           string      `json:"day"`
	OffsetSeconds int32       `json:"offset_seconds"`
	Draw          uint8       `json:"draw"`
	Revision      uint8       `json:"revision"`
	Numbers       []int       `json:"numbers"`
	Reason        string      `json:"reason"`
	Clause        string      `json:"clause"`
	Names         []string    `json:"names"`
	Spots         uint8       `json:"spots"`
	Jurisdiction  string      `json:"jurisdiction"`
	Growth        int64       `json:"growth_cents"`
	Stakes        int64       `json:"stakes_cents"`
	Move          string      `json:"move"`
	Cents         int64       `json:"cents"`
	Name          string      `json:"name"`
	Bet           string      `json:"bet"`
	Matched       uint8       `json:"matched"`
	Least         int64       `json:"least_cents"`
	Item          string      `json:"item"`
	Den           uint32      `json:"den"`
	Prizes        []saidPrize `json:"prizes"`
	Number        uint32      `json:"number"`
	Paused        bool        `json:"paused"`
	Ended         bool        `json:"ended"`
	Terminal      uint32      `json:"terminal"`
	Ticket        string      `json:"ticket"`
	Places        []string    `json:"places"`
	Kind          string      `json:"kind"`
	Days          int         `json:"days"`
	GameType      string      `json:"game_type"`
	Person        uint32      `json:"person"`
	At            string      `json:"at"`
	Locked        bool        `json:"locked"`
	Fate          string      `json:"fate"`
	PaidBy        uint32      `json:"paid_by"`
}

type saidPrize struct {
	Cents int64  `json:"cents"`
	Num   uint32 `json:"num"`
	Count uint32 `json:"count"`
}

// saidIn reads what a request says, which its content must be the hash of, and for which
// series of games.
func (c *checker) saidIn(b *record.ApprovalRequested) (*said, uint8, error) {
	if b.Says == "" {
		return nil, 0, nil
	}
	series := uint8(0)
	for id, s := range c.series {
		if s != nil && contentIn(uint8(id), b.Action, b.Says) == b.Content {
			series = uint8(id)
		}
	}
	if series == 0 {
		if contentOf(b.Action, b.Says) != b.Content {
			return nil, 0, fault(CheckPeople, "approval %d says something else than its content is the hash of", b.Approval)
		}
		if c.level >= record.LevelGuarded {
			return nil, 0, fault(CheckPeople, "approval %d names no series of games", b.Approval)
		}
	}
	if b.Action == cageApproval {
		return nil, 0, nil // It says words, which are checked at the machine.
	}
	out := new(said)
	if err := json.Unmarshal([]byte(b.Says), out); err != nil {
		return nil, 0, fault(CheckPeople, "approval %d says nothing that can be read: %v", b.Approval, err)
	}
	return out, series, nil
}

// seriesIn returns the series of games that an act of two persons is done in, or 0 for an act
// on something that has a place of its own.
func seriesIn(body record.Body) uint8 {
	switch b := body.(type) {
	case *record.DayOpened:
		return b.Series
	case *record.DayClosed:
		return b.Series
	case *record.ClosureAnnounced:
		return b.Series
	case *record.TermsChanged:
		return b.Series
	case *record.GameDesignated:
		return b.Game.Series
	case *record.DrawVoided:
		return b.Game.Series
	case *record.GameVoided:
		return b.Game.Series
	case *record.ResultConfirmed:
		return b.Game.Series
	case *record.ResultCorrected:
		return b.Game.Series
	case *record.GameSettled:
		return b.Game.Series
	case *record.JurisdictionReported:
		return b.Game.Series
	case *record.ParticipantsNamed:
		return b.Series
	case *record.PoolMoved:
		return b.Series
	case *record.BonusMoved:
		return b.Series
	case *record.PromotionBegun:
		return b.Series
	case *record.PromotionChanged:
		return b.Series
	case *record.InstrumentIssued:
		return b.Series
	case *record.TicketPaid:
		return b.Series
	}
	return 0
}

// checkAgreedSeries checks that two persons agreed on an act in this series of games, and
// that cash goes to a bank and from it, and trading ends early, with the consent of two.
func (c *checker) checkAgreedSeries(body record.Body, using *approval) error {
	if in := seriesIn(body); using != nil && in != 0 && using.series != in && (using.series != 0 || c.level >= record.LevelGuarded) {
		return fault(checkOf(body), "two persons agreed on it for series %d, and it is of series %d", using.series, in)
	}
	switch b := body.(type) {
	case *record.DayClosed:
		return c.checkShortened(b, using)
	case *record.BankMoved, *record.BankCounted, *record.ClosureAnnounced:
		if using == nil {
			return fault(checkOf(body), "nobody has approved it: no approval was used just before")
		}
	}
	return nil
}

// checkShortened checks that two persons end no Keno Day before its hours are over, unless
// the second may approve another period (casino-keno-div2 1.0.keno-day).
func (c *checker) checkShortened(b *record.DayClosed, using *approval) error {
	s := c.series[b.Series]
	if s == nil || using == nil {
		return nil // The timetable ends it, or nobody may.
	}
	rule := s.rulesNow().games.KenoDay
	if lasted := c.now.Time().Sub(s.openedAt.Time()); lasted >= time.Duration(rule.Hours)*time.Hour || c.holds(using.decider, []record.Role{record.Role(rule.Approves)}) {
		return nil
	}
	return fault(CheckGames, "day %v is closed by hand before it has lasted %d hours, and no %s has consented (%s)", b.Day, rule.Hours, rule.Approves, rule.Clause)
}

// checkClause checks that what two persons say of a draw, a game or a result comes under a
// clause of the game's rulebook.
func (c *checker) checkClause(body record.Body) error {
	var of record.Game
	var clause string
	switch b := body.(type) {
	case *record.DrawVoided:
		of, clause = b.Game, b.Clause
	case *record.GameVoided:
		of, clause = b.Game, b.Clause
	case *record.ResultCorrected:
		of, clause = b.Game, b.Clause
	default:
		return nil
	}
	s := c.series[of.Series]
	if c.opts.HasClause == nil || s == nil || s.byName[of] == nil {
		return nil // What names no game is a fault of its own.
	}
	if id := s.byName[of].terms.rules.book.ID(); !c.opts.HasClause(id, clause) {
		return fault(checkOf(body), "it comes under clause %q, which %s does not have", clause, id)
	}
	return nil
}

// checkApproved holds an act of the operator against what two persons agreed on. The
// record that uses the approval stands just before the act, with nothing but prizes
// that run on between them; and after an approval nothing else may come.
func (c *checker) checkApproved(body record.Body) error {
	if _, carried := body.(*record.PrizesCarried); carried {
		return nil
	}
	using, atCage, ends := c.people.using, c.people.atCage, c.people.ends
	c.people.using, c.people.atCage, c.people.ends = nil, 0, false
	switch b := body.(type) {
	case *record.CageAttended:
		c.people.atCage, c.people.ends = b.Approval, b.Act == record.CageNoFurther
	case *record.DrawVoided:
		if atCage != 0 && b.Approval == atCage {
			return nil // What two persons decided at the ball machine is checked there.
		}
	case *record.GameVoided:
		if s := c.series[b.Game.Series]; using == nil && s != nil && s.endsLast(b) {
			return nil
		}
		c.people.ends = using != nil && using.says.Fate == fateRefund
		if atCage != 0 && b.Approval == atCage {
			c.people.ends = ends
			return nil
		}
	}
	if err := c.guard(c.checkAgreedSeries(body, using)); err != nil {
		return err
	}
	if err := c.guard(c.checkClause(body)); err != nil {
		return err
	}
	var agreed said
	action := ""
	if using != nil {
		agreed, action = *using.says, using.action
	}
	asks, good := c.agreed(body, action, &agreed, using)
	switch {
	case asks && using == nil:
		return fault(checkOf(body), "nobody has approved it: no approval was used just before")
	case asks && !good:
		return fault(checkOf(body), "two persons agreed on %s, and on something else than this", action)
	case !asks && using != nil:
		return fault(checkOf(body), "it comes of an approval of %s", action)
	}
	return nil
}

// agreed reports whether a record must have been agreed on by two persons, and whether
// it is what they agreed on.
func (c *checker) agreed(body record.Body, action string, a *said, using *approval) (asks, good bool) {
	switch b := body.(type) {
	case *record.RulebookAdopted:
		return using != nil, action == "adopt_rulebook" && a.ID == b.ID && a.Hash == hex.EncodeToString(b.Hash[:])
	case *record.DayOpened:
		return using != nil, action == "open_day" && a.Day == b.Day.String() && a.OffsetSeconds == b.OffsetSeconds
	case *record.DayClosed:
		return using != nil, action == "close_day" && a.Day == b.Day.String()
	case *record.ClosureAnnounced:
		return using != nil, action == "announce_closure" && isInstant(a.At, b.At) && using.by == b.By
	case *record.TermsChanged:
		return true, action == "change_terms" && a.From == b.From && a.Rulebook == hex.EncodeToString(b.Rulebook[:]) && a.Schedule == b.Schedule && a.Reference == b.Approval
	case *record.GameDesignated:
		return true, action == "designate_game" && a.Ordinal == b.Ordinal
	case *record.DrawVoided:
		return true, action == "void_draw" && using.number == b.Approval && a.Draw == b.Draw && a.Reason == b.Reason && a.Clause == b.Clause && c.ordinal(b.Game) == a.Ordinal
	case *record.ResultConfirmed:
		return true, action == "confirm_result" && using.number == b.Approval && a.Draw == b.Draw && a.Reason == b.Reason && c.ordinal(b.Game) == a.Ordinal
	case *record.GameVoided:
		return true, action == "void_game" && using.number == b.Approval && a.Reason == b.Reason && a.Clause == b.Clause && c.ordinal(b.Game) == a.Ordinal && (a.Fate == "" || a.Fate == fateRefund)
	case *record.ParticipantsNamed:
		return true, action == "name_participants" && a.From == b.From && slices.Equal(a.Names, b.Names)
	case *record.JurisdictionReported:
		return true, action == "report_jackpot" && c.ordinal(b.Game) == a.Ordinal && a.Spots == b.Spots && a.Jurisdiction == b.Jurisdiction &&
			money.Amount(a.Growth) == b.GrowthCents && money.Amount(a.Stakes) == b.StakesCents
	case *record.ResultCorrected:
		return true, action == "correct_result" && using.number == b.Approval && c.ordinal(b.Game) == a.Ordinal && a.Revision == b.Revision &&
			a.Reason == b.Reason && a.Clause == b.Clause && slices.EqualFunc(a.Numbers, b.Numbers, func(n int, m uint8) bool { return n == int(m) })
	case *record.GameSettled:
		// The settlements behind a corrected result come of the correction.
		return b.Revision > 1 && c.correcting == nil && len(c.raising) == 0, c.agreedShare(b, action, a)
	case *record.PoolMoved:
		return true, agreedMove(b, action, a)
	case *record.BonusMoved:
		return true, action == "migrate_bonus" && a.From == uint32(b.From) && a.Reference == b.Approval
	case *record.PromotionBegun:
		return true, action == "begin_promotion" && agreedPromotion(b, a)
	case *record.BankMoved:
		return using != nil, action == "move_bank" && a.Terminal == b.Terminal && a.Move == string(b.Move) && money.Amount(a.Cents) == b.Cents && signedBy(using, b.By, b.With)
	case *record.BankCounted:
		return using != nil, action == "count_bank" && a.Terminal == b.Terminal && money.Amount(a.Cents) == b.CountedCents && signedBy(using, b.By, b.With)
	case *record.SessionEnded:
		return c.people.revoked[b.Request.Terminal], action == "unwind_session" && a.Terminal == b.Request.Terminal && money.Amount(a.Cents) == cashOf(b)
	case *record.TicketDisqualified:
		return true, action == "disqualify" && a.Ticket == b.Ticket.String() && a.Reason == b.Reason
	case *record.TicketReinstated:
		return true, action == "reinstate" && a.Ticket == b.Ticket.String() && a.Reason == b.Reason && b.By == using.by
	case *record.PaymentReleased:
		return true, action == "release_payment" && a.Reason == b.Reason && b.By == using.by && money.Amount(a.Cents) == b.PaidCents &&
			slices.EqualFunc(a.Places, b.Places, func(text string, place record.Place) bool { return text == place.String() })
	case *record.TicketInvalidated:
		return true, action == "invalidate" && a.Ticket == b.Ticket.String() && a.Reason == b.Reason && b.By == using.by
	case *record.InstrumentIssued:
		return b.Reason == record.IssuedByOperator, action == "give_paper" && a.Terminal == b.Request.Terminal && a.Kind == b.ID && money.Amount(a.Cents) == b.Cents && c.livesAsAgreed(b, a.Days, a.GameType)
	case *record.TicketPaid:
		return b.PaidBy != 0, action == "pay_by_hand" && a.Terminal == b.Request.Terminal && a.Ticket == b.Ticket.String() && a.PaidBy == b.PaidBy &&
			len(b.Parts) == 1 && a.Ordinal == b.Parts[0].Ordinal && money.Amount(a.Cents) == b.Parts[0].Cents
	case *record.RoleGranted:
		return c.appoints(b), action == "appoint_inspector" && a.Person == b.Person && using.by == b.By && using.decider != b.Person
	case *record.RoleWithdrawn:
		return c.dismisses(b), action == "dismiss_inspector" && a.Person == b.Person && using.by == b.By
	case *record.LockSet:
		return using != nil || c.locksOut(b), action == "lock_inspector" && a.Person == b.Person && a.Locked == (b.Until != 0) && a.Reason == b.Reason && using.by == b.By
	case *record.PromotionChanged:
		return true, action == "change_promotion" && a.Number == b.Number && a.Paused == b.Paused && a.Ended == b.Ended && a.Reference == b.Approval
	}
	return false, false
}

// appoints reports whether a record makes an inspector for whom two persons are needed. A
// house that nobody administers yet may be founded with one.
func (c *checker) appoints(b *record.RoleGranted) bool {
	return b.Role == record.RoleInspector && (b.By != 0 || c.administered())
}

// dismisses reports whether a record takes the role from an inspector for which two persons
// are needed: an inspector may leave alone.
func (c *checker) dismisses(b *record.RoleWithdrawn) bool {
	return b.Role == record.RoleInspector && b.By != b.Person && (b.By != 0 || c.administered())
}

// locksOut reports whether a record keeps an inspector from signing on, or lets back in one
// who was locked for good, for which two persons are needed. An inspector may lock the own
// number; the house locks for wrong passwords, for an hour at most, and anybody of the central
// site cuts that short.
func (c *checker) locksOut(b *record.LockSet) bool {
	const hour = 3_600_000
	m := c.people.persons[b.Person]
	switch {
	case m == nil || !m.inspects() || b.By == b.Person && b.Until != 0:
		return false
	case b.By == 0:
		return b.Until < m.locked || b.Until > max(m.locked, c.now+hour)
	}
	return b.Until != 0 || m.locked == record.Forever
}

// administered reports whether the house has an administrator.
func (c *checker) administered() bool {
	for id := range c.people.persons {
		if c.holds(id, []record.Role{record.RoleAdministrator}) {
			return true
		}
	}
	return false
}

// isInstant reports whether a text says an instant.
func isInstant(text string, at record.Time) bool {
	said, err := time.Parse(time.RFC3339, text)
	return err == nil && said.UnixMilli() == int64(at)
}

// signedBy reports whether the two who sign are those who asked and consented.
func signedBy(using *approval, by, with uint32) bool {
	return using != nil && using.by == by && using.decider == with
}

// ordinal returns the ordinal of a game, or 0 if there is none.
func (c *checker) ordinal(name record.Game) uint32 {
	if s := c.series[name.Series]; s != nil {
		if g := s.byName[name]; g != nil {
			return g.ordinal
		}
	}
	return 0
}

// agreedShare holds a further settlement against the decision to share what waited, or
// to give what was set aside: the newest award is that.
func (c *checker) agreedShare(b *record.GameSettled, action string, a *said) bool {
	if c.ordinal(b.Game) != a.Ordinal {
		return false
	}
	if action == "share_jackpots" {
		return true
	}
	if action != "give_aside" || len(b.Awards) == 0 {
		return false
	}
	last := b.Awards[len(b.Awards)-1]
	return last.Part == record.PartAside && last.Spots == a.Spots && last.AmountCents == money.Amount(a.Cents)
}

// agreedMove holds a move of jackpot money against the decision. A system that ends
// has its jackpots moved whole, and the decision names it and no amount.
func agreedMove(b *record.PoolMoved, action string, a *said) bool {
	if action == "migrate_pools" {
		return b.Move == "migrate" && a.From == uint32(b.ClosedSeries) && a.Reference == b.Approval
	}
	return action == "move_pool" && a.Move == b.Move && money.Amount(a.Cents) == b.AmountCents && a.Reference == b.Approval &&
		len(b.Pools) == 1 && a.Spots == b.Pools[0].Spots
}

func agreedPromotion(b *record.PromotionBegun, a *said) bool {
	if len(a.Prizes) != len(b.Prizes) {
		return false
	}
	for i, p := range b.Prizes {
		if a.Prizes[i] != (saidPrize{Cents: p.Cents.Cents(), Num: p.Num, Count: p.Count}) {
			return false
		}
	}
	return a.Name == b.Name && a.From == b.From && a.Last == b.Last && money.Amount(a.Cents) == b.AmountCents && a.Reference == b.Approval &&
		a.Bet == b.Bet && a.Spots == b.Spots && a.Matched == b.Matched && money.Amount(a.Least) == b.LeastCents && a.Item == b.Item && a.Den == b.Den
}
