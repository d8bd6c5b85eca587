package api

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/house"
	"drawhouse/house/live"
	"drawhouse/journal/record"
)

// PaperPresented is a paper that stands for money and is brought by its holder.
type PaperPresented struct {
	Serial    string `json:"serial"`
	ClaimCode string `json:"claim_code" doc:"The 16 characters printed on the paper."`
	Refund    bool   `json:"refund,omitempty" doc:"The buyer gives it back."`
}

// PayShare is a part of what is due and the means of paying it.
type PayShare struct {
	Means string `json:"means" doc:"cash, cheque, ... as the rulebook names them."`
	Cents int64  `json:"cents,omitempty" doc:"Absent in the last one: as much as is left."`
}

// SessionEndRequest is the body of the end of a customer session.
type SessionEndRequest struct {
	Papers       []PaperPresented `json:"papers,omitempty" doc:"Papers that the customer gives."`
	Card         uint32           `json:"card,omitempty" doc:"Number of a player card."`
	CardCents    int64            `json:"card_cents,omitempty" doc:"Taken from the card, or brought there when negative."`
	ChipsCents   int64            `json:"chips_cents,omitempty" doc:"Chips that the customer gives."`
	Pay          []PayShare       `json:"pay,omitempty" doc:"How the customer wants to be paid; what it leaves open goes by the rules."`
	PayeeHash    string           `json:"payee_hash,omitempty" doc:"Of the payee of a cheque or transfer, as keep-payee answered it; 64 hexadecimal digits."`
	AccountGiven bool             `json:"account_given,omitempty" doc:"The payee has named an account for a transfer. Where the house keeps who the payee is, it looks there and not here."`
	Checked      bool             `json:"checked,omitempty" doc:"The list of excluded people was looked into."`
	Claims       []string         `json:"claims,omitempty" doc:"Hashes of claim codes for papers that the end may issue, used in their order, bound to this request."`
	Anonymous    bool             `json:"anonymous,omitempty"`
	Unpaid       bool             `json:"unpaid,omitempty" doc:"The customer left without paying all."`
	CashCents    int64            `json:"cash_cents,omitempty" doc:"What such a customer did pay. Of another customer it may be left out, and otherwise is what is owed."`
	Print        bool             `json:"print,omitempty" doc:"The customer wants the list of the session."`
	DisplayDown  bool             `json:"display_down,omitempty" doc:"The customer's display does not work."`
	Runner       uint32           `json:"runner,omitempty" doc:"Number of the person who brought entries of the session as a runner."`
	ExpectCents  *int64           `json:"expect_cents,omitempty" doc:"What the terminal thinks the customer owes before papers, card and chips, or is owed when negative: owed_cents of the session. Where papers pay for a ticket in place of a voucher of the session, which then goes back, that counts; the refusal says the amount."`
}

// Tender is one payment at the end of a session.
type Tender struct {
	Kind   string `json:"kind"`
	Cents  int64  `json:"cents" doc:"To the house when positive, from it when negative."`
	Serial string `json:"serial,omitempty" doc:"Of a ticket whose money is withheld: payment on it is stopped, and the amount is owed to its holder."`
}

// PaperIssued is a paper that stands for money.
type PaperIssued struct {
	Serial   string  `json:"serial"`
	Place    live.ID `json:"place"`
	Kind     string  `json:"kind"`
	Cents    int64   `json:"cents"`
	LastDay  string  `json:"last_day,omitempty" doc:"The last day on which it can be used."`
	GameType string  `json:"game_type,omitempty" doc:"Type of game that it pays for, by the id of the bet. Without it, it pays for any."`
	Session  uint32  `json:"session"`
}

// SessionEnd is a customer session that has ended.
type SessionEnd struct {
	Place   live.ID       `json:"place"`
	Session uint32        `json:"session"`
	Tenders []Tender      `json:"tenders"`
	Papers  []PaperIssued `json:"papers,omitempty"`
	Printed string        `json:"printed,omitempty" doc:"Why the customer gets the list of the session."`
	// ChequeWords are what is written across a cheque, if one is drawn.
	ChequeWords []string        `json:"cheque_words,omitempty"`
	Promised    []ChequePromise `json:"promised,omitempty" doc:"Cheques that must be there in time: tell the customer until when."`
}

// SessionLine is one ticket or paper of a session.
type SessionLine struct {
	Act    string `json:"act" doc:"sold, paid, cancelled, issued, withheld, or returned: a voucher or the money of a card, which goes back as what it was."`
	Serial string `json:"serial"`
	Cents  int64  `json:"cents" doc:"Owed by the customer when positive."`
}

// Session is what the open session of a terminal comes to so far.
type Session struct {
	Open      bool          `json:"open"`
	Session   uint32        `json:"session,omitempty"`
	Lines     []SessionLine `json:"lines,omitempty"`
	OwedCents int64         `json:"owed_cents" doc:"By the customer; to the customer when negative. What goes back as a voucher or to a card is no money for what else was taken, and counts."`
}

// PaperRequest is the body of the issue of a paper.
type PaperRequest struct {
	Series    uint8  `json:"series,omitempty" doc:"Number of the series of games that it is for; without it the first."`
	Kind      string `json:"kind"`
	Cents     int64  `json:"cents"`
	ClaimHash string `json:"claim_hash"`
	Days      int    `json:"days,omitempty" doc:"A shorter time than the rulebook's."`
	GameType  string `json:"game_type,omitempty" doc:"Type of game that it is for, by the id of the bet. Without it, the first that the rulebook names for such a paper."`
	InSession bool   `json:"in_session,omitempty" doc:"The paper is paid for at the end of the customer session."`
	Approval  uint32 `json:"approval,omitempty" doc:"Of the action give_paper: the paper is at the operator's expense."`
}

// ReprintRequest is the body of a request for another sheet.
type ReprintRequest struct {
	Serial    string `json:"serial"`
	ClaimHash string `json:"claim_hash"`
	Approval  uint32 `json:"approval,omitempty" doc:"Of the action reissue_sheet: the sheets before it open nothing any more. Without it the sheet is a copy, which one person prints before the seal of the ticket's first game."`
}

// Sheet is another sheet of a ticket.
type Sheet struct {
	Serial string `json:"serial"`
}

// VoidTicketRequest is the body with which a ticket is undone that was not handed over.
type VoidTicketRequest struct {
	Serial      string `json:"serial"`
	InSession   bool   `json:"in_session,omitempty" doc:"It is settled at the end of the customer session that is open."`
	Approval    uint32 `json:"approval" doc:"Of the action void_undelivered, as the terminal has asked for it."`
	ExpectCents *int64 `json:"expect_cents,omitempty" doc:"What the terminal thinks that it comes to. It is refused with the true amount if it comes to something else."`
}

// UndeliveredRequest is the body of a report that a paper was not handed over.
type UndeliveredRequest struct {
	Serial   string `json:"serial"`
	Reason   string `json:"reason"`
	Approval uint32 `json:"approval,omitempty" doc:"Of the action reissue_sheet: needed from the seal of the ticket's first game on."`
}

// Forfeited is what was taken from somebody who may not have it.
type Forfeited struct {
	Cents  int64  `json:"cents"`
	Clause string `json:"clause"`
}

// counter registers what terminals do in customer sessions.
func (s *server) counter() {
	s.serve(route{
		name: "get-customer-session", path: "/v1/terminals/{terminal}/session", says: "What the customer session comes to so far",
		tag: "terminal", who: terminals, out: Session{}, tells: "The session.",
	}, s.session)
	s.serve(route{
		name: "keep-payee", method: http.MethodPost, path: "/v1/terminals/{terminal}/payees",
		says: "Say who the payee of a cheque or transfer is, before it is drawn", tag: "terminal", who: terminals,
		refuses: "details_wrong no_register", in: command.Customer{}, out: Kept{},
	}, withBody(s.keepPayee))
	tillRoute[command.EndSession](s,
		"The session has ended, now or before.", SessionEndRequest{}, SessionEnd{}, s.endSession)
	tillRoute[command.IssuePaper](s, "The paper is issued, now or before.", PaperRequest{}, PaperIssued{}, s.issuePaper)
	tillRoute[command.Reprint](s, "The new sheet.", ReprintRequest{}, Sheet{}, s.reprint)
	tillRoute[command.ReportUndelivered](s, "It is noted.", UndeliveredRequest{}, Sheet{}, s.undelivered)
	tillRoute[command.AskVoid](s, "It is asked for.", SerialRequest{}, Approval{}, withBody(s.askVoid))
	tillRoute[command.AskReissue](s, "It is asked for.", SerialRequest{}, Approval{}, withBody(s.askReissue))
	tillRoute[command.VoidUndelivered](s, "The ticket plays no more and its stakes go back, now or before.",
		VoidTicketRequest{}, Cancellation{}, s.voidUndelivered)
	tillRoute[command.Forfeit](s, "The prizes are forfeited, now or before.", PaymentRequest{}, Forfeited{}, s.forfeit)
}

// strict reads a value into a type, with no other fields than it has.
func strict[T any](to *T, should string) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		decoder := json.NewDecoder(bytes.NewReader(value))
		decoder.DisallowUnknownFields()
		if decoder.Decode(to) != nil {
			return errors.New(should)
		}
		return nil
	}
}

// cents reads an amount, which may be negative.
func cents(to *money.Amount) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil {
			return errors.New("a whole number of cents")
		}
		*to = money.Amount(n)
		return nil
	}
}

func (s *server) endSession(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	request, err := requestOf(r, "session-end", body)
	if err != nil {
		return err
	}
	c := counter.SessionEnd{Request: request}
	var (
		papers []PaperPresented
		shares []PayShare
		claims []string
		payee  serial.ClaimHash
	)
	if err := readForm(body,
		field{name: "papers", read: strict(&papers, "a list of papers, each with serial and claim code")},
		field{name: "card", read: whole(&c.Card.Card, 1)}, field{name: "card_cents", read: cents(&c.Card.Cents)},
		field{name: "chips_cents", read: cents(&c.Chips)},
		field{name: "pay", read: strict(&shares, "a list of means, each with its amount")},
		field{name: "payee_hash", read: claimHash(&payee)}, field{name: "account_given", read: flag(&c.Account)},
		field{name: "checked", read: flag(&c.Checked)},
		field{name: "claims", read: strict(&claims, "a list of hashes")},
		field{name: "anonymous", read: flag(&c.Anonymous)}, field{name: "unpaid", read: flag(&c.Unpaid)},
		field{name: "cash_cents", read: cents(&c.Cash)},
		field{name: "print", read: flag(&c.Print)}, field{name: "display_down", read: flag(&c.DisplayDown)},
		field{name: "runner", read: whole(&c.Runner, 1)},
		expected(&c.Expect),
	); err != nil {
		return err
	}
	c.Payee = record.Hash(payee)
	if err := s.checkPayee(r.Context(), c.Payee); err != nil {
		return err
	}
	for _, share := range shares {
		c.Pay = append(c.Pay, counter.Share{Means: share.Means, Cents: money.Amount(share.Cents)})
	}
	if c.Claims, err = claimHashes(claims); err != nil {
		return err
	}
	if c.Papers, err = s.presentedPapers(r, papers); err != nil {
		return err
	}
	if c.Payee, err = s.payeeOfPapers(r.Context(), c.Payee, c.Papers); err != nil {
		return err
	}
	if c.Account, err = s.hasAccount(r.Context(), c.Payee, c.Account); err != nil {
		return err
	}
	var shown []record.Place
	for _, p := range c.Papers {
		shown = append(shown, p.Place)
	}
	var settled house.Settled
	err = s.guessing(request, shown, func() (err error) {
		settled, err = s.house.EndSession(r.Context(), c)
		return err
	})
	if err != nil {
		return err
	}
	view, err := s.viewSession(settled)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// claimHashes reads the hashes of claim codes.
func claimHashes(texts []string) ([]record.Hash, error) {
	var all []record.Hash
	for _, text := range texts {
		var hash record.Hash
		// The length comes first: hex.Decode writes as many bytes as the text has.
		ok := len(text) == hex.EncodedLen(len(hash))
		if ok {
			_, err := hex.Decode(hash[:], []byte(text))
			ok = err == nil
		}
		if !ok {
			return nil, &refusal.Refusal{Code: ParameterValue, Path: "claims",
				Sentence: "A claim is 64 hexadecimal digits."}
		}
		all = append(all, hash)
	}
	return all, nil
}

// presentedPapers finds the papers that are brought.
func (s *server) presentedPapers(r *http.Request, papers []PaperPresented) ([]counter.PresentedPaper, error) {
	var all []counter.PresentedPaper
	for _, p := range papers {
		place, err := s.house.Find(p.Serial)
		if err == nil {
			place, err = s.house.Resolve(r.Context(), place)
		}
		if err != nil {
			return nil, err
		}
		code, err := serial.ParseClaimCode(p.ClaimCode)
		if err != nil {
			return nil, &refusal.Refusal{Code: ParameterValue, Path: "papers",
				Sentence: "A claim code has 16 characters."}
		}
		all = append(all, counter.PresentedPaper{Place: place, Code: code, Refund: p.Refund})
	}
	return all, nil
}

// tenderNames are the kinds of payments, for people.
var tenderNames = map[record.TenderKind]string{
	record.TenderCash: "cash", record.TenderChips: "chips", record.TenderInstrument: "paper",
	record.TenderCard:   "player_card",
	record.TenderCheque: "cheque", record.TenderSiteCheque: "site_cheque", record.TenderTransfer: "transfer",
	record.TenderUnpaid:   "unpaid",
	record.TenderWithheld: "withheld",
}

func (s *server) viewSession(settled house.Settled) (*SessionEnd, error) {
	line, err := s.house.Line(cmp.Or(settled.End.Series, house.FirstSeries))
	if err != nil {
		return nil, err
	}
	view := &SessionEnd{Place: live.ID(settled.Place), Session: settled.End.Session, Tenders: []Tender{},
		Printed: settled.End.Printed, Promised: s.viewPromises(settled.Promised)}
	for _, t := range settled.End.Tenders {
		tender := Tender{Kind: tenderNames[t.Kind], Cents: t.Cents.Cents()}
		if t.Kind == record.TenderWithheld {
			number, err := s.house.Serial(t.Instrument)
			if err != nil {
				return nil, err
			}
			tender.Serial = number.String()
		}
		view.Tenders = append(view.Tenders, tender)
		if t.Kind == record.TenderCheque || t.Kind == record.TenderSiteCheque {
			view.ChequeWords = line.Book().Payout().ChequeWords
		}
	}
	for _, p := range settled.Papers {
		paper, err := s.viewPaper(p)
		if err != nil {
			return nil, err
		}
		view.Papers = append(view.Papers, *paper)
	}
	return view, nil
}

func (s *server) viewPaper(p house.Paper) (*PaperIssued, error) {
	number, err := s.house.SerialIn(p.Issue.Series, p.Place)
	if err != nil {
		return nil, err
	}
	view := &PaperIssued{Serial: number.String(), Place: live.ID(p.Place), Kind: p.Issue.ID,
		Cents: p.Issue.Cents.Cents(), GameType: p.Issue.GameType, Session: p.Issue.Session}
	if p.Issue.LastDay != 0 {
		view.LastDay = p.Issue.LastDay.String()
	}
	return view, nil
}

// terminalOf reads the terminal of a path.
func terminalOf(r *http.Request) (uint32, error) {
	terminal, err := strconv.ParseUint(r.PathValue("terminal"), 10, 32)
	if err != nil || terminal == 0 {
		return 0, &refusal.Refusal{Code: ParameterValue, Path: "terminal",
			Sentence: "The terminal must be a whole number from 1 on."}
	}
	return uint32(terminal), nil
}

func (s *server) session(w http.ResponseWriter, r *http.Request) error {
	terminal, err := terminalOf(r)
	if err != nil {
		return err
	}
	summary, open, err := s.house.Session(r.Context(), terminal)
	if err != nil {
		return err
	}
	view := Session{Open: open, Session: summary.Session, OwedCents: summary.Owed.Cents()}
	for _, line := range summary.Lines {
		number, err := s.house.Serial(line.Place)
		if err != nil {
			return err
		}
		view.Lines = append(view.Lines, SessionLine{Act: line.Act, Serial: number.String(), Cents: line.Cents.Cents()})
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) issuePaper(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	request, err := requestOf(r, "paper", body)
	if err != nil {
		return err
	}
	o := counter.PaperOrder{Request: request, Reason: record.IssuedForMoney}
	var claim serial.ClaimHash
	var days uint32
	if err := readForm(body,
		field{name: "series", read: whole(&o.Series, 1)}, field{name: "kind", required: true, read: text(&o.ID)},
		field{name: "cents", required: true, read: cents(&o.Cents)},
		field{name: "claim_hash", required: true, read: claimHash(&claim)}, field{name: "days", read: whole(&days, 1)},
		field{name: "game_type", read: text(&o.GameType)},
		field{name: "in_session", read: flag(&o.InSession)}, field{name: "approval", read: whole(&o.Approval, 1)},
	); err != nil {
		return err
	}
	if o.Approval != 0 {
		o.Reason = record.IssuedByOperator
	}
	o.Claim, o.Days = record.Hash(claim), int(days)
	paper, err := s.house.IssuePaper(r.Context(), o)
	if err != nil {
		return err
	}
	view, err := s.viewPaper(paper)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) reprint(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	request, err := requestOf(r, "reprint", body)
	if err != nil {
		return err
	}
	var of string
	var claim serial.ClaimHash
	var approval uint32
	if err := readForm(body,
		field{name: "serial", required: true, read: text(&of)},
		field{name: "claim_hash", required: true, read: claimHash(&claim)},
		field{name: "approval", read: whole(&approval, 1)},
	); err != nil {
		return err
	}
	place, err := s.house.Find(of)
	if err != nil {
		return err
	}
	sheet, err := s.house.Reprint(r.Context(), request, place, claim, approval)
	if err != nil {
		return err
	}
	number, err := s.house.Serial(sheet)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Sheet{Serial: number.String()})
	return nil
}

func (s *server) undelivered(w http.ResponseWriter, r *http.Request) error {
	terminal, err := terminalOf(r)
	if err != nil {
		return err
	}
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	var of, reason string
	var approval uint32
	if err := readForm(body,
		field{name: "serial", required: true, read: text(&of)},
		field{name: "reason", required: true, read: text(&reason)},
		field{name: "approval", read: whole(&approval, 1)},
	); err != nil {
		return err
	}
	place, err := s.house.Find(of)
	if err != nil {
		return err
	}
	if err := s.house.SetUndelivered(r.Context(), terminal, place, reason, approval); err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Sheet{Serial: of})
	return nil
}

// voidUndelivered undoes a ticket at the terminal that gives the stakes back. Who asked
// for the approval is known by it: the ticket is bound into what was consented to.
func (s *server) voidUndelivered(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	request, err := requestOf(r, "void", body)
	if err != nil {
		return err
	}
	var of string
	var use staff.Use
	var holder house.Holder
	if err := readForm(body,
		field{name: "serial", required: true, read: text(&of)},
		field{name: "approval", required: true, read: whole(&use.Approval, 1)},
		field{name: "in_session", read: flag(&holder.InSession)}, expected(&holder.Expect),
	); err != nil {
		return err
	}
	place, err := s.house.Find(of)
	if err != nil {
		return err
	}
	approval, known := s.house.People().Approval(use.Approval)
	if !known {
		return &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval",
			Sentence: fmt.Sprintf("There is no approval %d.", use.Approval)}
	}
	use.By = approval.By
	cancelled, err := s.house.VoidUndelivered(r.Context(), request, place, use, holder)
	if err != nil {
		return err
	}
	view, err := s.viewCancellation(cancelled)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) forfeit(w http.ResponseWriter, r *http.Request) error {
	request, place, holder, err := s.presented(w, r, "forfeit")
	if err != nil {
		return err
	}
	var forfeited *record.PrizeForfeited
	err = s.guessing(request, []record.Place{place}, func() (err error) {
		forfeited, err = s.house.Forfeit(r.Context(), request, place, holder)
		return err
	})
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Forfeited{Cents: forfeited.Amount().Cents(), Clause: forfeited.Clause})
	return nil
}
