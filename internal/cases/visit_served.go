package cases

import (
	"encoding/hex"
	"fmt"
	"net/http"

	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/edge/api"
	"drawhouse/journal/record"
)

// NextCustomer implements Counter.
func (s *Served) NextCustomer(terminal uint32) { s.visits.open[terminal] = true }

// hexOf writes the hash of a claim code as terminals send it.
func hexOf(h record.Hash) string { return hex.EncodeToString(h[:]) }

// numberedAs returns the request that the terminal's last path named.
func (s *Served) numberedAs(terminal uint32) record.Request {
	return record.Request{Terminal: terminal, Number: s.numbers[terminal]}
}

// EndCustomer implements Counter.
func (s *Served) EndCustomer(terminal uint32, v Visit) (Settled, error) {
	path := s.requestPath(terminal, "session-end")
	request := s.numberedAs(terminal)
	body := api.SessionEndRequest{
		Card: v.Card, CardCents: v.CardCents.Cents(), ChipsCents: v.Chips.Cents(), AccountGiven: v.Account,
		Checked: v.Checked,
		Unpaid:  v.Unpaid, CashCents: v.Cash.Cents(), Print: v.Print, DisplayDown: v.DisplayDown, Anonymous: v.Anonymous,
		Runner: v.Runner,
	}
	if v.Payee {
		body.PayeeHash = hexOf(v.payee())
	}
	for _, p := range v.Papers {
		body.Papers = append(body.Papers,
			api.PaperPresented{Serial: p.Serial, ClaimCode: p.Code.String(), Refund: v.Refund})
	}
	for _, share := range v.Pay {
		body.Pay = append(body.Pay, api.PayShare{Means: share.Means, Cents: share.Cents.Cents()})
	}
	for i := range MaxPapers {
		body.Claims = append(body.Claims, hexOf(claimOf(paperCode(request, i), request)))
	}
	var ended api.SessionEnd
	if err := s.send(http.MethodPut, path, body, &ended); err != nil {
		return Settled{}, err
	}
	s.visits.open[terminal] = false
	out := Settled{Printed: ended.Printed}
	for _, t := range ended.Tenders {
		kind, ok := tenderKinds[t.Kind]
		if !ok {
			return Settled{}, fmt.Errorf("cases: a tender %q", t.Kind)
		}
		out.Tenders = append(out.Tenders, record.Settlement{Kind: kind, Cents: money.Amount(t.Cents)})
	}
	for i, p := range ended.Papers {
		out.Papers = append(out.Papers, Paper{
			Place: record.Place(p.Place), Serial: p.Serial, Code: paperCode(request, i), ID: p.Kind,
			Cents: money.Amount(p.Cents),
		})
	}
	return out, nil
}

// tenderKinds are the kinds of payments as the interface names them.
var tenderKinds = map[string]record.TenderKind{
	"cash": record.TenderCash, "chips": record.TenderChips, "paper": record.TenderInstrument,
	"player_card": record.TenderCard,
	"cheque":      record.TenderCheque, "site_cheque": record.TenderSiteCheque, "transfer": record.TenderTransfer,
	"unpaid": record.TenderUnpaid, "withheld": record.TenderWithheld,
}

// IssuePaper implements Counter.
func (s *Served) IssuePaper(terminal uint32, id string, cents money.Amount, days int, gameType string,
	byOperator bool) (Paper, error) {
	if err := signOn(s, terminal); err != nil {
		return Paper{}, err
	}
	path := s.requestPath(terminal, "paper")
	request := s.numberedAs(terminal)
	code := paperCode(request, 0)
	order := api.PaperRequest{
		Kind: id, Cents: cents.Cents(), ClaimHash: hexOf(claimOf(code, request)), Days: days, GameType: gameType,
		InSession: s.visits.open[terminal] && !byOperator,
	}
	if byOperator {
		approval, err := given(s, command.GivePaper{Terminal: terminal, Kind: id, Cents: cents.Cents(), Days: days,
			GameType: gameType})
		if err != nil {
			return Paper{}, err
		}
		order.Approval = approval
	}
	var issued api.PaperIssued
	err := s.send(http.MethodPut, path, order, &issued)
	return Paper{Place: record.Place(issued.Place), Serial: issued.Serial, Code: code, ID: issued.Kind,
		Cents: money.Amount(issued.Cents)}, err
}

// DoesAs implements Counter.
func (s *Served) DoesAs(person uint32, what command.Command) (record.Body, error) {
	return s.house.Do(s.tick(), what, record.By{Person: person})
}

// Does implements Counter.
func (s *Served) Does(what command.Command) error {
	return command.Outcome(s.house.Do(s.tick(), what, record.By{}))
}

// Forfeit implements Counter.
func (s *Served) Forfeit(terminal uint32, t Ticket) (money.Amount, error) {
	var forfeited api.Forfeited
	err := s.send(http.MethodPut, s.requestPath(terminal, "forfeit"),
		api.PaymentRequest{Serial: t.Serial, ClaimCode: s.visits.code(t).String()}, &forfeited)
	return money.Amount(forfeited.Cents), err
}

// Undelivered implements Counter.
func (s *Served) Undelivered(terminal uint32, t Ticket) error {
	if err := signOn(s, terminal); err != nil {
		return err
	}
	var noted api.Sheet
	return s.send(http.MethodPost, fmt.Sprintf("/v1/terminals/%d/undelivered", terminal),
		api.UndeliveredRequest{Serial: t.Serial, Reason: "the printer failed"}, &noted)
}

// Reprint implements Counter.
func (s *Served) Reprint(terminal uint32, t Ticket) error { return s.reprint(terminal, t, 0) }

func (s *Served) reprint(terminal uint32, t Ticket, approval uint32) error {
	path := s.requestPath(terminal, "reprint")
	request := s.numberedAs(terminal)
	code := nextCode(request)
	var sheet api.Sheet
	err := s.send(http.MethodPut, path,
		api.ReprintRequest{Serial: t.Serial, ClaimHash: hexOf(claimOf(code, request)), Approval: approval}, &sheet)
	if err == nil {
		s.visits.codes[t.Place] = code
	}
	return err
}

// MoveBank implements Counter.
func (s *Served) MoveBank(b record.BankMoved) error {
	return agreed(s, command.MoveBank{Terminal: b.Terminal, Move: string(b.Move), Cents: b.Cents.Cents()}, b.By, b.With)
}

// CountBank implements Counter.
func (s *Served) CountBank(b record.BankCounted) error {
	return agreed(s, command.CountBank{Terminal: b.Terminal, Cents: b.CountedCents.Cents()}, b.By, b.With)
}
