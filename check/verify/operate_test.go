package verify_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"

	"drawhouse/check/witness"
	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// approved has something done that two persons want.
func (m *market) approved(act command.Act) error { return m.approvedIn(series, act) }

// approvedIn does in a series what two persons want.
func (m *market) approvedIn(series uint8, act command.Act) error {
	m.t.Helper()
	by, request, err := m.wanted(series, act)
	if err != nil {
		return err
	}
	_, err = m.engine.Operate(m.tick(), command.As(series, by), request)
	return err
}

// agreed lets two persons agree on something, and returns the number of that, or 0 if it is
// refused.
func (m *market) agreed(act command.Act) uint32 {
	m.t.Helper()
	_, request, err := m.wanted(series, act)
	if m.refused("agreed on "+command.ActionOf(act), err) {
		return 0
	}
	return request
}

// wanted lets one person ask for something and another consent.
func (m *market) wanted(series uint8, act command.Act) (by, request uint32, err error) {
	m.t.Helper()
	var pair [2]uint32
	for i := range pair {
		people := slices.DeleteFunc(m.engine.State().People().Persons(),
			func(p state.Person) bool { return !p.HasAny(record.RoleAdministrator) })
		if len(people) <= i {
			made, err := m.engine.Do(m.tick(), command.Change{Command: staff.AddPerson{Details: record.Hash{1},
				Grants: []state.Grant{{Role: record.RoleAdministrator}}}}, command.Env{})
			require(m.t, err)
			pair[i] = staff.NumberOf(made)
			continue
		}
		pair[i] = people[i].ID
	}
	request, err = m.engine.Ask(m.tick(), command.As(series, pair[0]), act)
	if err != nil {
		return 0, 0, err
	}
	if asked, _ := m.engine.State().People().Approval(request); slices.Equal(asked.Roles,
		[]record.Role{record.RoleInspector}) {
		pair[1] = marketInspector
	}
	_, err = m.engine.Do(m.tick(), command.Change{Command: staff.Consent{By: pair[1], Approval: request,
		Content: command.Content(series, act), Granted: true}}, command.Env{})
	require(m.t, err)
	return pair[0], request, nil
}

// operate lets the operator do something between games.
func (m *market) operate(next uint32) {
	m.t.Helper()
	switch current, _ := m.engine.State().Series(series); m.random.IntN(10) {
	case 0:
		schedules := m.book.Schedules()
		books := []record.Hash{record.Hash(m.book.Hash()), m.reprint}
		book := books[m.random.IntN(2)]
		m.refused("terms changed", m.approved(command.ChangeTerms{
			From: next + uint32(m.random.IntN(3)), Rulebook: hex.EncodeToString(book[:]),
			Schedule: schedules[m.random.IntN(len(schedules))].ID(), Reference: "A1",
		}))
	case 1:
		m.refused("designated", m.approved(command.DesignateGame{Ordinal: next + 1 + uint32(m.random.IntN(3))}))
	case 2, 3:
		pools := current.Pools()
		if len(pools) > 0 {
			pool := pools[m.random.IntN(len(pools))]
			move := []string{"lend", "reallocate", "set_aside"}[m.random.IntN(3)]
			amount := pool.Secondary.Cents()/2 + 1
			if move == "lend" {
				amount = money.Amount(1_000_00 * (1 + m.random.IntN(200)))
			}
			m.refused(move, m.approved(command.MovePool{Spots: pool.Spots, Move: move, Cents: amount.Cents(), Reference: "A2"}))
		}
	case 5, 6:
		m.promote(next)
	case 7:
		for ordinal := max(next, 7) - 6; ordinal < next; ordinal++ {
			if g, ok := current.Game(ordinal); ok && len(g.Settled.JackpotWins) > 0 {
				win := g.Settled.JackpotWins[0]
				if pool, _ := current.Pool(win.Spots); pool.Aside.Cents() > 1 {
					m.refused("given", m.approved(command.GiveAside{Ordinal: ordinal, Spots: win.Spots,
						Cents: pool.Aside.Cents().Cents() / 2, Reference: "A4"}))
				}
			}
		}
	case 4:
		names := [][]string{nil, {"act"}, {"act", "qld"}}[m.random.IntN(3)]
		m.refused("participants", m.approved(command.NameParticipants{From: next, Names: names}))
	}
	m.take()
}

// promote offers a prize beyond the schedules, or changes an offer.
func (m *market) promote(next uint32) {
	m.t.Helper()
	current, _ := m.engine.State().Series(series)
	offers := current.Promotions()
	if len(offers) > 0 && m.one(3) {
		number := uint32(1 + m.random.IntN(len(offers)))
		m.refused("promotion changed", m.approved(command.ChangePromotion{Number: number, Paused: m.one(2), Ended: m.one(3),
			Reference: "A3"}))
		return
	}
	b := command.BeginPromotion{Name: "More", From: next + uint32(m.random.IntN(2)), Reference: "A3",
		Cents: int64(1 + m.random.IntN(100_000))}
	if m.one(2) {
		b.Cents = max(1, current.BonusPool().Cents().Cents()/2)
	}
	if m.one(2) {
		b.Last = b.From + uint32(m.random.IntN(4))
	}
	if items := m.book.Items(); len(items) > 0 && m.one(3) {
		b.Item, b.Den = items[m.random.IntN(len(items))].ID, 4
		b.Prizes = []command.BonusPrize{{Cents: 500, Num: 1, Count: 2}, {Cents: 100, Num: 2, Count: 3}}
		b.Cents = 2*500 + 3*100
	} else {
		bets := m.book.Bets()
		bet := bets[m.random.IntN(len(bets))]
		b.Bet, b.Spots = bet.ID(), uint8(1+m.random.IntN(5))
		b.Matched = uint8(m.random.IntN(int(b.Spots) + 1))
		b.LeastCents = int64(100 * m.random.IntN(3))
	}
	m.refused("promotion begun", m.approved(b))
}

// report lets other jurisdictions tell of a game, and shares what waited for them.
func (m *market) report(ordinal uint32) {
	m.t.Helper()
	current, _ := m.engine.State().Series(series)
	g, ok := current.Game(ordinal)
	if !ok {
		return
	}
	for _, name := range g.Participants {
		for _, rate := range g.Rates {
			r := command.ReportJackpot{Ordinal: ordinal, Spots: rate.Spots, Jurisdiction: name,
				GrowthCents: int64(m.random.IntN(1_000_000))}
			if m.one(3) {
				r.StakesCents = int64(100 * (1 + m.random.IntN(9)))
			}
			m.refused("reported", m.approved(r))
		}
	}
	// A game that is shared with nobody has waited for an earlier one, if it waits.
	if _, pooled := m.book.Jackpots(); pooled {
		m.refused("shared", m.approved(command.ShareJackpots{Ordinal: ordinal}))
	}
	m.take()
}

// clause returns a clause that the rulebook has.
func (m *market) clause() string {
	clause, err := rules.First(m.book.ID())
	require(m.t, err)
	return clause
}

// void ends a closed game without a result, before or in its draw.
func (m *market) void(ordinal uint32) {
	m.t.Helper()
	m.number(ordinal, m.random.Perm(80)[:m.random.IntN(20)])
	require(m.t, m.approved(command.VoidGame{Ordinal: ordinal, Reason: "no power", Clause: m.clause()}))
	m.take()
	r, err := record.Decode(m.records[len(m.records)-1])
	require(m.t, err)
	voided := r.Body.(*record.GameVoided)
	m.deferred[ordinal] = voided.Deferred
	for what, seen := range map[string]bool{
		"void: deferred": voided.Deferred, "void: deferred again": voided.Deferred && m.deferred[ordinal-1],
		"void: refunded": voided.RefundCents > 0, "void: refunded with another": voided.RefundCents > 0 &&
			m.deferred[ordinal-1],
		"void: run goes on": voided.CarriedWays > 0, "void: run is due": voided.Winners > 0,
		"void: jackpots take back": len(voided.Pools) > 0, "void: bonus pool takes back": voided.BonusPool > 0,
	} {
		if seen {
			m.did[what]++
		}
	}
	m.agree()
}

// volume returns the records of a volume.
func (m *market) volume(number uint16) [][]byte {
	if past, ok := m.past[number]; ok {
		return past
	}
	return m.records
}

// turn begins another volume now and then, with other keys or the same.
func (m *market) turn() {
	m.t.Helper()
	if !m.turns || !m.one(12) {
		return
	}
	m.take()
	next := engine.NextVolume{Reason: record.ReasonYear, Build: "test", House: m.house, HouseKey: m.about.HouseKey,
		DeviceKey: m.about.DeviceKey, Previous: m.signed}
	if m.one(2) {
		seed := byte(10 + 2*len(m.past))
		m.house, m.about.HouseKey = key(m.t, houseName, seed)
		m.device, m.about.DeviceKey = key(m.t, "device", seed+1)
		next.Reason, next.House, next.HouseKey, next.DeviceKey = record.ReasonKeys, m.house, m.about.HouseKey,
			m.about.DeviceKey
	}
	require(m.t, m.engine.BeginVolume(m.tick(), next))
	m.past[m.about.Volume], m.records = m.records, nil
	m.about.Volume++
	m.take()
}

// nameWitnesses names two witnesses, of whom one is required.
func (m *market) nameWitnesses() {
	m.t.Helper()
	var named record.WitnessesNamed
	for i, name := range []string{"alice.example", "bob.example"} {
		signer, vkey := key(m.t, name, byte(60+i))
		cosigner, err := witness.NewCosigner(signer, vkey)
		require(m.t, err)
		m.cosigners = append(m.cosigners, cosigner)
		named.Witnesses = append(named.Witnesses, record.Witness{Name: name, Key: cosigner.String(), Required: i == 0})
	}
	require(m.t, m.engine.NameWitnesses(m.tick(), named))
	m.take()
}

// cosign has the seal of a game cosigned by one witness or by both.
func (m *market) cosign(ordinal uint32) {
	m.t.Helper()
	if len(m.cosigners) == 0 {
		return
	}
	current, _ := m.engine.State().Series(series)
	g, _ := current.Game(ordinal)
	text, _, _ := strings.Cut(string(g.Seal), "\n\n")
	seal, err := journal.ParseSeal(text + "\n")
	require(m.t, err)
	note, by := bytes.Clone(g.Seal), []string(nil)
	for _, c := range m.cosigners[:1+m.random.IntN(2)] {
		line, err := c.Cosign(seal.Checkpoint, int64(m.now/1000))
		require(m.t, err)
		note, by = append(note, line...), append(by, c.Name())
	}
	require(m.t, m.engine.WitnessGame(m.tick(), series, ordinal, note, by))
	m.take()
}

// agree has the journal cosigned behind a result, as a rule by those who must.
func (m *market) agree() {
	m.t.Helper()
	if len(m.cosigners) == 0 || m.one(4) {
		return
	}
	checkpoint, err := journal.UnverifiedCheckpoint(m.signed)
	require(m.t, err)
	note, by := bytes.Clone(m.signed), []string(nil)
	for _, c := range m.cosigners[m.random.IntN(2):] {
		line, err := c.Cosign(checkpoint, int64(m.now/1000))
		require(m.t, err)
		note, by = append(note, line...), append(by, c.Name())
	}
	require(m.t, m.engine.WitnessJournal(m.tick(), note, by))
	m.take()
}
