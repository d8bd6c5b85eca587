package api

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/house"
	"drawhouse/receipt"
	"drawhouse/receipt/printer"
	"drawhouse/rulebook"
)

// The codes of paper.
const (
	// PaperUnknown: the answer is not one that a paper is made from, or lacks what the
	// rulebook wants on it.
	PaperUnknown refusal.Code = "paper_unknown"
	// NoPrinter: the house has no printer for the terminal.
	NoPrinter refusal.Code = "no_printer"
	// PrinterFailed: nothing came out of the printer.
	PrinterFailed refusal.Code = "printer_failed"
	// PrinterUnsure: something may have come out. Printing again makes a duplicate.
	PrinterUnsure refusal.Code = "printer_unsure"
)

// Papers says how counters print.
type Papers struct {
	// Printers are the network printers of terminals. The house sends what they print;
	// a browser cannot.
	Printers map[uint32]printer.Address
	// Roll is what the printers hold; the zero value stands for 80 mm.
	Roll receipt.Paper
	// Site is where players reach the pages of the house, for the code on the paper;
	// empty prints the proof as text.
	Site string
	// Heading stands on top of every paper; empty for the name of the house.
	Heading string
}

// printing is how long a printer may take.
const printing = 8 * time.Second

// PaperOrder asks for a paper.
type PaperOrder struct {
	Paper  string `json:"paper" enum:"ticket,payment,cancellation,voucher,session,cheque,results" doc:"Which paper is made."`
	Format string `json:"format" enum:"svg,pdf,print" doc:"print sends it to the printer of the terminal."`
	// Answer is repeated and not looked up: paper says what the house has answered.
	Answer    any    `json:"answer" doc:"What the house answered to the sale, payment or cancellation, the paper that it issued, or the list of the session; for a cheque its particulars, for results which games."`
	ClaimCode string `json:"claim_code,omitempty" doc:"For a ticket or voucher that is printed. It is on the paper, and nothing keeps it."`
	Duplicate bool   `json:"duplicate,omitempty" doc:"It is printed again, and says so."`
}

// PaperMade is a paper.
type PaperMade struct {
	SVG       string `json:"svg,omitempty"`
	PDF       string `json:"pdf,omitempty" doc:"In base64."`
	Printed   bool   `json:"printed,omitempty"`
	Confirmed bool   `json:"confirmed,omitempty" doc:"The printer said that it is through."`
	LowPaper  bool   `json:"low_paper,omitempty" doc:"The roll is near its end."`
}

func (s *server) paperRoutes(p Papers) {
	s.papers = p
	if s.papers.Roll == (receipt.Paper{}) {
		s.papers.Roll = receipt.Roll80
	}
	s.serve(route{
		name: "make-paper", method: http.MethodPost, path: "/v1/terminals/{terminal}/papers",
		says: "Show or print what the house has answered", tag: "terminal", who: terminals, line: true,
		refuses: "no_printer paper_unknown printer_failed", in: PaperOrder{}, out: PaperMade{},
	}, s.makePaper)
}

// paperFacts is what a paper is made from.
type paperFacts struct {
	PaperOrder
	answer json.RawMessage
	claim  *serial.ClaimCode
}

func (s *server) makePaper(w http.ResponseWriter, r *http.Request) error {
	var facts paperFacts
	err := s.read(w, r,
		field{name: "paper", required: true, read: text(&facts.Paper)},
		field{name: "format", required: true, read: text(&facts.Format)},
		field{name: "answer", required: true, read: func(value json.RawMessage) error { facts.answer = value; return nil }},
		field{name: "claim_code", read: func(value json.RawMessage) error {
			facts.claim = new(serial.ClaimCode)
			return claimCode(facts.claim)(value)
		}},
		field{name: "duplicate", read: flag(&facts.Duplicate)})
	if err != nil {
		return err
	}
	slip, err := s.slip(r, &facts)
	if err != nil {
		var refused *refusal.Refusal
		if errors.As(err, &refused) {
			return err
		}
		missing := new(receipt.Missing)
		errors.As(err, &missing)
		return &refusal.Refusal{Code: PaperUnknown, Path: "answer", Clause: missing.Clause,
			Sentence: fmt.Sprintf("There is no such paper: %v.", err)}
	}
	made, err := s.render(r.Context(), callerOf(r).terminal, facts.Format, slip)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, made)
	return nil
}

// slip makes the paper that is asked for.
func (s *server) slip(r *http.Request, f *paperFacts) (*receipt.Slip, error) {
	counter := s.counterOf(callerOf(r).terminal)
	line := lineOf(r)
	switch f.Paper {
	case "voucher":
		return s.voucherSlip(f, counter, line.Book())
	case "session":
		return s.sessionSlip(f, counter)
	case "cheque":
		return s.chequeSlip(f, counter, line.Book())
	case "results":
		return s.resultsSlip(f, counter, line)
	case "ticket", "payment", "cancellation":
	default:
		return nil, &refusal.Refusal{Code: PaperUnknown, Path: "paper",
			Sentence: "A paper is a ticket, payment, cancellation, voucher, session, cheque or results."}
	}
	answer, err := receipt.ParseAnswer(f.answer)
	switch {
	case err != nil:
		return nil, err
	case answer.Payment != nil:
		answer.Payment.Counter = counter
		return receipt.Payment(*answer.Payment)
	case answer.Cancellation != nil:
		answer.Cancellation.Counter = counter
		return receipt.Cancellation(*answer.Cancellation)
	}
	sale := answer.Sale
	sale.Counter, sale.Book, sale.Time = counter, line.Book(), sale.Time.In(s.zone)
	sale.Claim, sale.Duplicate, sale.Proof.Site, sale.Help = f.claim, f.Duplicate, s.papers.Site, s.care
	sale.Preview = f.Format == "svg"
	return receipt.Ticket(*sale)
}

// counterOf says where a paper is printed.
func (s *server) counterOf(terminal uint32) receipt.Counter {
	c := receipt.Counter{Heading: s.papers.Heading, Terminal: terminal, Money: s.house.First().Book().Money()}
	if c.Heading == "" {
		c.Heading = s.house.Hub().Board().House.Name
	}
	p := s.house.People()
	post, _ := p.Post(terminal)
	venue, _ := p.Premises(post.Venue)
	c.Venue = venue.Name
	if post.Person != 0 {
		c.Writer = fmt.Sprint(post.Person)
	}
	return c
}

func (s *server) voucherSlip(f *paperFacts, counter receipt.Counter, book *rulebook.Book) (*receipt.Slip, error) {
	var issued PaperIssued
	if err := json.Unmarshal(f.answer, &issued); err != nil {
		return nil, err
	}
	v := receipt.Issued{
		Counter: counter, Book: book, Instrument: issued.Kind, Serial: issued.Serial,
		Amount: money.Amount(issued.Cents),
		Time:   s.now().In(s.zone), Claim: f.claim, Duplicate: f.Duplicate,
		GameType: issued.GameType,
	}
	if issued.LastDay != "" {
		last, err := day.Parse(issued.LastDay)
		if err != nil {
			return nil, err
		}
		v.Expires = last
	}
	return receipt.Voucher(v)
}

// acts are what happens in a session, as its list says it.
var acts = map[string]string{"sold": "Ticket", "paid": "Prize", "cancelled": "Cancelled", "issued": "Paper issued"}

func (s *server) sessionSlip(f *paperFacts, counter receipt.Counter) (*receipt.Slip, error) {
	var list Session
	if err := json.Unmarshal(f.answer, &list); err != nil {
		return nil, err
	}
	c := receipt.CustomerSession{Counter: counter, Number: list.Session, Time: s.now().In(s.zone)}
	for _, line := range list.Lines {
		what, ok := acts[line.Act]
		if !ok {
			what = line.Act
		}
		c.Transactions = append(c.Transactions,
			receipt.Transaction{What: what, Serial: line.Serial, Amount: money.Amount(line.Cents)})
	}
	return receipt.Session(c)
}

// ChequeParticulars are what a cheque is written from. The payee's name is on the paper
// alone: nothing keeps it.
type ChequeParticulars struct {
	Payee  string `json:"payee"`
	Serial string `json:"serial,omitempty" doc:"Of the ticket or voucher that is paid."`
	Cents  int64  `json:"cents"`
}

// chequeSlip makes the particulars of a cheque, with the words that must cross it.
func (s *server) chequeSlip(f *paperFacts, counter receipt.Counter, book *rulebook.Book) (*receipt.Slip, error) {
	var p ChequeParticulars
	if err := strict(&p, "payee, serial and cents")(f.answer); err != nil {
		return nil, err
	}
	now := s.now().In(s.zone)
	date, err := day.Of(now.Year(), int(now.Month()), now.Day())
	if err != nil {
		return nil, err
	}
	return receipt.Cheque(receipt.ChequeOrder{
		Counter: counter, Book: book, Payee: p.Payee, Serial: p.Serial, Amount: money.Amount(p.Cents),
		Date: date, Time: now,
	})
}

// GamesAsked are games whose results are asked for.
type GamesAsked struct {
	Games []FirstGame `json:"games"`
}

// maxAsked is how many results fit a slip that somebody reads.
const maxAsked = 20

// resultsSlip prints the results of games. They are looked up: the central record is
// official, whatever a screen has shown.
//
//rule:tas-keno-2023 1.26
func (s *server) resultsSlip(f *paperFacts, counter receipt.Counter, line *house.Line) (*receipt.Slip, error) {
	var asked GamesAsked
	if err := strict(&asked, "a list of games, each with day and game")(f.answer); err != nil {
		return nil, err
	}
	if len(asked.Games) == 0 || len(asked.Games) > maxAsked {
		return nil, &refusal.Refusal{Code: PaperUnknown, Path: "answer",
			Sentence: fmt.Sprintf("Results are of 1 to %d games.", maxAsked)}
	}
	inquired := receipt.Inquired{Counter: counter, Book: line.Book(), Time: s.now().In(s.zone)}
	for _, name := range asked.Games {
		g, err := findGame(line, name.Day, fmt.Sprint(name.Game))
		if err != nil {
			return nil, err
		}
		result := receipt.Result{Day: g.Ref.Day, Game: int(g.Ref.Number)}
		if g.IsSettled() {
			result.Numbers, result.Multiplier = g.Numbers.Numbers(), int(g.Settled.Multiplier)
		}
		inquired.Results = append(inquired.Results, result)
	}
	return receipt.Results(inquired)
}

// render makes the slip what was asked for.
func (s *server) render(ctx context.Context, terminal uint32, format string, slip *receipt.Slip) (PaperMade, error) {
	switch format {
	case "svg":
		picture, err := slip.SVG(s.papers.Roll)
		return PaperMade{SVG: picture}, err
	case "pdf":
		var b bytes.Buffer
		err := slip.PDF(&b, s.papers.Roll, s.now())
		return PaperMade{PDF: base64.StdEncoding.EncodeToString(b.Bytes())}, err
	case "print":
		return s.print(ctx, terminal, slip)
	}
	return PaperMade{}, &refusal.Refusal{Code: PaperUnknown, Path: "format",
		Sentence: "A paper is made as svg, pdf or print."}
}

// print sends a slip to the printer of a terminal. A printer that fails is an answer and
// no fault of the house.
func (s *server) print(ctx context.Context, terminal uint32, slip *receipt.Slip) (PaperMade, error) {
	address, ok := s.papers.Printers[terminal]
	if !ok {
		return PaperMade{}, &refusal.Refusal{Code: NoPrinter, Path: "format",
			Sentence: fmt.Sprintf("The house has no printer for terminal %d.", terminal)}
	}
	data, err := slip.ESCPOS(s.papers.Roll)
	if err != nil {
		return PaperMade{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, printing)
	defer cancel()
	result, err := printer.Send(ctx, address, data)
	if failure, ok := errors.AsType[*printer.Failure](err); ok {
		s.log.WarnContext(ctx, "a printer failed", "terminal", terminal, "error", failure)
		sentence, _, _ := strings.Cut(failure.Error(), " (") // The rest is for the log.
		code := PrinterFailed
		if failure.MayHavePrinted() {
			code = PrinterUnsure
		}
		return PaperMade{}, &refusal.Refusal{Code: code, Path: "format", Sentence: sentence}
	}
	return PaperMade{Printed: true, Confirmed: result.Confirmed, LowPaper: result.LowPaper}, err
}
