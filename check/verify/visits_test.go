package verify_test

import (
	"fmt"
	"slices"

	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// This file lets customers of a market come with papers and cards, and settle what they
// buy and win together. A volume may end in the middle of it.

// paperOf is a paper that a customer has, or had.
type paperOf struct {
	place record.Place
	code  serial.ClaimCode
}

// maxIssued is for how many papers the end of a session has claims ready.
const maxIssued = 4

// codesOf returns the claim codes for papers of a request.
func codesOf(request record.Request) (codes []serial.ClaimCode, claims []record.Hash) {
	for i := range maxIssued {
		code := claimCode(request)
		code[5] = byte(1 + i)
		codes = append(codes, code)
		claims = append(claims, record.Hash(code.Hash(request.Terminal, request.Number)))
	}
	return codes, claims
}

// visit lets a customer come to the writer of the first venue.
func (m *market) visit() {
	m.t.Helper()
	const terminal = 1
	if m.one(2) {
		m.issue(terminal)
	}
	if m.cards == 0 || m.one(9) {
		made, err := m.engine.Do(m.tick(), command.RegisterCard{Holder: command.Customer{Born: "1990-05-05"},
			Details: record.Hash{1}}, command.As(series, 0))
		if card, ok := made.(*record.CardRegistered); !m.refused("card", err) && ok {
			m.cards = card.Card
		}
	}
	for range 1 + m.random.IntN(3) {
		m.sellInVisit(terminal)
		m.turn()
	}
	if m.one(2) && len(m.tickets) > 0 {
		pay := m.claim(m.tickets[m.random.IntN(len(m.tickets))], terminal)
		pay.InSession = true
		_, err := m.asks(command.Pay{Payment: pay})
		m.refused("paid in a session", err)
	}
	m.turn()
	if m.stops {
		m.stopInVisit(terminal)
	}
	m.endVisit(terminal)
	if m.one(3) {
		m.moveBank(terminal)
	}
	m.take()
}

// issue issues a paper of any kind that the rulebook has, bought or given.
func (m *market) issue(terminal uint32) {
	m.t.Helper()
	kinds := m.book.Instruments()
	if len(kinds) == 0 {
		return
	}
	request := m.request(terminal)
	codes, claims := codesOf(request)
	order := counter.PaperOrder{
		Request: request, Series: series, ID: kinds[m.random.IntN(len(kinds))].ID,
		Cents: money.Amount(500 * (1 + m.random.IntN(4))),
		Claim: claims[0], Reason: record.IssuedForMoney,
	}
	if m.one(3) {
		order.Reason = record.IssuedByOperator
		if order.Approval = m.agreed(command.GivePaper{Terminal: terminal, Kind: order.ID,
			Cents: order.Cents.Cents()}); order.Approval == 0 {
			return
		}
	}
	answer, err := m.asks(command.IssuePaper{PaperOrder: order})
	if !m.refused("paper issued", err) {
		m.papers = append(m.papers, paperOf{answer.Place, codes[0]})
	}
	m.take()
}

// sellInVisit sells a ticket that is paid at the end of the session.
func (m *market) sellInVisit(terminal uint32) {
	m.t.Helper()
	current, _ := m.engine.State().Series(series)
	newest := current.Newest()
	bet := fmt.Sprintf(`{"bet":%q,"spots":[%d],"stake_cents":%d}`, m.book.Bets()[0].ID(), 1+m.random.IntN(80),
		100*(1+m.random.IntN(20)))
	request, err := keno.ParseRequest(fmt.Appendf(nil, `{"v":1,"rulebook":%q,"first":"open","games":1,"bets":[%s]}`,
		m.book.ID(), bet))
	require(m.t, err)
	setting := keno.Setting{Open: keno.GameRef{Day: newest.Ref.Day, Game: int(newest.Ref.Number)}}
	env := keno.Envelope{Channel: rulebook.ChannelWriter, Method: rulebook.MethodForm,
		PoolGame: current.IsPoolGame(newest.Ordinal)}
	offer, err := counter.PrepareSale(m.engine.State().DeskFor(current, newest.Ordinal), request, setting, env)
	if m.refused("offered in a session", err) {
		return
	}
	asked := m.request(terminal)
	claim := claimCode(asked).Hash(asked.Terminal, asked.Number)
	answer, err := m.engine.Sell(m.tick(), counter.Sale{Request: asked, Series: series, Quote: offer,
		Claim: record.Hash(claim), InSession: true})
	if !m.refused("sold in a session", err) {
		m.sold++
		m.tickets = append(m.tickets, answer.Place)
	}
	m.take()
}

// endVisit settles the session: with papers, a card and means of paying at random, and
// if that is refused more and more plainly.
func (m *market) endVisit(terminal uint32) {
	m.t.Helper()
	request := m.request(terminal)
	codes, claims := codesOf(request)
	plain := counter.SessionEnd{Request: request, Series: series, Claims: claims, Payee: record.Hash{1}, Checked: true}
	fancy := plain
	for _, p := range m.papers {
		if m.one(1 + len(m.papers)) {
			fancy.Papers = append(fancy.Papers, counter.PresentedPaper{Place: p.place, Code: p.code, Refund: m.one(5)})
		}
	}
	if m.cards > 0 && m.one(2) {
		fancy.Card = counter.CardUse{Card: 1 + uint32(m.random.IntN(int(m.cards))),
			Cents: money.Amount(100 * (m.random.IntN(40) - 20))}
	}
	if m.one(3) {
		fancy.Pay = []counter.Share{{Means: []string{counter.Cash, counter.ChangeReceipt, counter.Cheque}[m.random.IntN(3)]}}
	}
	unpaid := plain
	unpaid.Unpaid = true
	commands := []counter.SessionEnd{fancy, plain, unpaid}
	if m.one(12) {
		commands = []counter.SessionEnd{unpaid, plain}
	}
	for _, end := range commands {
		answer, err := m.asks(command.EndSession{SessionEnd: end})
		if !m.refused("session ended", err) {
			m.take()
			m.keepPapers(end, answer.Place, codes)
			return
		}
	}
}

// keepPapers takes in what the end of a session issued, and forgets what it used.
func (m *market) keepPapers(command counter.SessionEnd, end record.Place, codes []serial.ClaimCode) {
	m.t.Helper()
	m.papers = slices.DeleteFunc(m.papers, func(p paperOf) bool {
		return slices.ContainsFunc(command.Papers, func(used counter.PresentedPaper) bool { return used.Place == p.place })
	})
	// They stand just before the end, the first one first.
	first := end.Seq
	for ; first > 0; first-- {
		r, err := record.Decode(m.records[first-1])
		require(m.t, err)
		if b, ok := r.Body.(*record.InstrumentIssued); !ok || b.Request != command.Request {
			break
		}
	}
	for i := range end.Seq - first {
		m.papers = append(m.papers, paperOf{record.Place{Volume: end.Volume, Seq: first + i}, codes[i]})
	}
}

// moveBank moves or counts the cash of a writer, signed by the first two persons.
func (m *market) moveBank(terminal uint32) {
	m.t.Helper()
	if m.one(2) {
		m.refused("bank counted", m.banked(command.CountBank{Terminal: terminal, Cents: int64(m.random.IntN(100_00))}))
		return
	}
	move := []record.BankMove{record.BankFloat, record.BankFill, record.BankDrop}[m.random.IntN(3)]
	m.refused("bank moved", m.banked(command.MoveBank{Terminal: terminal, Move: string(move),
		Cents: int64(1 + m.random.IntN(20_00))}))
}

// banked lets the second person ask for something at a bank, and the first consent.
func (m *market) banked(act command.Act) error {
	m.t.Helper()
	number, err := m.engine.Ask(m.tick(), command.As(series, 2), act)
	if err != nil {
		return err
	}
	if _, err := m.engine.Do(m.tick(), command.Change{Command: staff.Consent{By: 1, Approval: number,
		Content: command.Content(series, act), Granted: true}}, command.Env{}); err != nil {
		return err
	}
	_, err = m.engine.Operate(m.tick(), command.As(series, 2), number)
	return err
}
