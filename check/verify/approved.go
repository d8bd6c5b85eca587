package verify

import (
	"encoding/json"
	"slices"
	"time"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// said is what a request for an act of the operator says: the fields of all acts, of
// which each has some.
type said struct {
	ID            string       `json:"id"`
	Hash          string       `json:"hash"`
	From          uint32       `json:"from"`
	Last          uint32       `json:"last"`
	Rulebook      string       `json:"rulebook"`
	Schedule      string       `json:"schedule"`
	Interval      uint32       `json:"interval_seconds"`
	OfSeries      uint8        `json:"of_series"`
	Venue         uint32       `json:"venue"`
	Sells         bool         `json:"sells"`
	Reference     string       `json:"reference"`
	Edition       int          `json:"edition"`
	Text          string       `json:"text"`
	Key           string       `json:"key"`
	Ordinal       uint32       `json:"ordinal"`
	Day           string       `json:"day"`
	OffsetSeconds int32        `json:"offset_seconds"`
	Draw          uint8        `json:"draw"`
	Revision      uint8        `json:"revision"`
	Numbers       []int        `json:"numbers"`
	Reason        string       `json:"reason"`
	Clause        string       `json:"clause"`
	Names         []string     `json:"names"`
	Spots         uint8        `json:"spots"`
	Jurisdiction  string       `json:"jurisdiction"`
	Growth        int64        `json:"growth_cents"`
	Stakes        int64        `json:"stakes_cents"`
	Move          string       `json:"move"`
	Cents         int64        `json:"cents"`
	Name          string       `json:"name"`
	Bet           string       `json:"bet"`
	Matched       uint8        `json:"matched"`
	Least         int64        `json:"least_cents"`
	FeesRate      uint16       `json:"fees_rate"`
	TaxRate       uint16       `json:"tax_rate"`
	TaxRounding   string       `json:"tax_rounding"`
	Floor         int64        `json:"floor_cents"`
	Item          string       `json:"item"`
	Den           uint32       `json:"den"`
	Prizes        []saidPrize  `json:"prizes"`
	Number        uint32       `json:"number"`
	Paused        bool         `json:"paused"`
	Ended         bool         `json:"ended"`
	Terminal      uint32       `json:"terminal"`
	Ticket        string       `json:"ticket"`
	Places        []string     `json:"places"`
	Kind          string       `json:"kind"`
	Days          int          `json:"days"`
	GameType      string       `json:"game_type"`
	Person        uint32       `json:"person"`
	At            string       `json:"at"`
	Locked        bool         `json:"locked"`
	Fate          string       `json:"fate"`
	PaidBy        uint32       `json:"paid_by"`
	Device        string       `json:"device"`
	Maker         string       `json:"maker"`
	Model         string       `json:"model"`
	SerialNumber  string       `json:"serial_number"`
	Site          string       `json:"site"`
	Medium        string       `json:"medium"`
	List          string       `json:"list"`
	System        string       `json:"system"`
	JackpotCents  int64        `json:"jackpot_cents"`
	BonusCents    int64        `json:"bonus_cents"`
	LastDay       string       `json:"last_day"`
	Games         uint32       `json:"games"`
	Instead       uint8        `json:"instead"`
	FromDay       string       `json:"from_day"`
	SalesRate     uint16       `json:"sales_rate"`
	PrizesRate    uint16       `json:"prizes_rate"`
	WeekEnds      uint8        `json:"week_ends"`
	DaysToPay     uint8        `json:"days_to_pay"`
	Stops         bool         `json:"stops"`
	Mandate       string       `json:"mandate"`
	Account       string       `json:"account"`
	Signed        string       `json:"signed"`
	Creditor      string       `json:"creditor"`
	Scheme        string       `json:"scheme"`
	Collect       string       `json:"collect"`
	File          uint32       `json:"file"`
	Month         string       `json:"month"`
	Paid          string       `json:"paid"`
	Answers       []saidAnswer `json:"answers"`
	Chain         string       `json:"chain"`
	Genesis       int64        `json:"genesis_seconds"`
	Period        uint32       `json:"period_seconds"`
}

// saidAnswer is the answer of a bank about one direct debit, on which two persons agreed.
type saidAnswer struct {
	File      uint32 `json:"file"`
	Venue     uint32 `json:"venue"`
	Statement uint32 `json:"statement"`
	Paid      bool   `json:"paid"`
	Cents     int64  `json:"cents"`
	Code      string `json:"code"`
	Bank      string `json:"bank"`
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
			return nil, 0, fault(CheckPeople,
				"approval %d says something else than its content is the hash of", b.Approval)
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

// checkAgreedSeries checks that two persons agreed on an act in this series of games, and
// that cash goes to a bank and from it, and trading ends early, with the consent of two.
func (c *checker) checkAgreedSeries(body record.Body, using *approval) error {
	row := rowFor(body)
	if using != nil && row.series != nil {
		if in := row.series(body); in != 0 && using.series != in &&
			(using.series != 0 || c.level >= record.LevelGuarded) {
			return fault(checkOf(body), "two persons agreed on it for series %d, and it is of series %d", using.series,
				in)
		}
	}
	switch rule := row.agreed; {
	case rule == nil:
	case rule.hours != nil:
		return rule.hours(c, body, using)
	case rule.guarded && using == nil:
		return fault(checkOf(body), "nobody has approved it: no approval was used just before")
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
	if lasted := c.now.Time().Sub(s.openedAt.Time()); lasted >= time.Duration(rule.Hours)*time.Hour ||
		c.holds(using.decider, []record.Role{record.Role(rule.Approves)}) {
		return nil
	}
	return fault(CheckGames, "day %v is closed by hand before it has lasted %d hours, and no %s has consented (%s)",
		b.Day, rule.Hours, rule.Approves, rule.Clause)
}

// checkClause checks that what two persons say of a draw, a game or a result comes under a
// clause of the game's rulebook.
func (c *checker) checkClause(body record.Body) error {
	comesUnder := rowFor(body).clause
	if comesUnder == nil {
		return nil
	}
	of, clause := comesUnder(body)
	s := c.series[of.Series]
	if c.opts.HasClause == nil || s == nil || s.byName[of] == nil {
		return nil // What names no game is a fault of its own.
	}
	book := s.byName[of].terms.rules.book
	if !c.opts.HasClause(book.ID(), clause) && !book.Cites(clause) {
		return fault(checkOf(body), "it comes under clause %q, which %s does not have", clause, book.ID())
	}
	return nil
}

// checkApproved holds an act of the operator against what two persons agreed on. The
// record that uses the approval stands just before the act, with nothing but prizes
// that run on between them; and after an approval nothing else may come. The answer of a
// bank is as many records as it says anything new about, one behind the other.
func (c *checker) checkApproved(body record.Body) error {
	if _, carried := body.(*record.PrizesCarried); carried {
		return nil
	}
	using, atCage, ends := c.people.using, c.people.atCage, c.people.ends
	c.people.using, c.people.atCage, c.people.ends = nil, 0, false
	switch b := body.(type) {
	case *record.DebitAnswered:
		more, err := c.nextAnswer(b, using)
		if err != nil {
			return err
		}
		if more {
			c.people.using = using
		}
	case *record.CageAttended:
		c.people.atCage, c.people.ends = b.Approval, b.Act == record.CageNoFurther
	case *record.DrawVoided:
		if atCage != 0 && b.Approval == atCage {
			return nil // What two persons decided at the ball machine is checked there.
		}
	case *record.GameVoided:
		if s := c.series[b.Game.Series]; using == nil && s != nil && (s.endsLast(b) || c.endsLate(b)) {
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
	rule := rowFor(body).agreed
	asks := rule != nil && (rule.asks == nil || rule.asks(c, body, using))
	switch {
	case asks && using == nil:
		return fault(checkOf(body), "nobody has approved it: no approval was used just before")
	case asks && !(slices.Contains(rule.actions, using.action) && rule.says(c, body, using)):
		return fault(checkOf(body), "two persons agreed on %s, and on something else than this", using.action)
	case !asks && using != nil:
		return fault(checkOf(body), "it comes of an approval of %s", using.action)
	}
	return nil
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
func (c *checker) agreedShare(b *record.GameSettled, a *approval) bool {
	if c.ordinal(b.Game) != a.says.Ordinal {
		return false
	}
	if a.action == actionShare {
		return true
	}
	if len(b.Awards) == 0 {
		return false
	}
	last := b.Awards[len(b.Awards)-1]
	return last.Part == record.PartAside && last.Spots == a.says.Spots && last.AmountCents == money.Amount(a.says.Cents)
}

// agreedMove holds a move of jackpot money against the decision. A system that ends
// has its jackpots moved whole, and the decision names it and no amount.
func agreedMove(b *record.PoolMoved, using *approval) bool {
	a := using.says
	if using.action == actionMigrate {
		return b.Move == "migrate" && a.From == uint32(b.ClosedSeries) && a.Reference == b.Approval
	}
	return a.Move == b.Move && money.Amount(a.Cents) == b.AmountCents && a.Reference == b.Approval &&
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
	return a.Name == b.Name && a.From == b.From && a.Last == b.Last && money.Amount(a.Cents) == b.AmountCents &&
		a.Reference == b.Approval &&
		a.Bet == b.Bet && a.Spots == b.Spots && a.Matched == b.Matched && money.Amount(a.Least) == b.LeastCents &&
		a.Item == b.Item && a.Den == b.Den
}
