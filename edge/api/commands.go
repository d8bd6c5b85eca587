package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/house/live"
	"drawhouse/journal/record"
)

// SaleRequest is the body of a sale.
type SaleRequest struct {
	Series      uint8       `json:"series,omitempty" doc:"Number of the series of games; without it the first."`
	Method      EntryMethod `json:"method" doc:"How the particulars were given."`
	Runner      bool        `json:"runner,omitempty" doc:"A runner brought the entry."`
	Ticket      RequestForm `json:"ticket"`
	ClaimHash   string      `json:"claim_hash" doc:"Hash of the claim code that the terminal made, bound to this request; 64 hexadecimal digits."`
	Player      uint32      `json:"player,omitempty" doc:"Number of a player who works in the house."`
	ExpectCents int64       `json:"expect_cents,omitempty" doc:"What the terminal thinks the ticket costs; the sale is refused if it costs something else."`
	InSession   bool        `json:"in_session,omitempty" doc:"The ticket is paid for at the end of the customer session, which it opens if none is open."`
}

// PaymentRequest is the body of a payment.
type PaymentRequest struct {
	Serial      string `json:"serial"`
	ClaimCode   string `json:"claim_code" doc:"The 16 characters printed on the ticket."`
	InSession   bool   `json:"in_session,omitempty" doc:"It is settled at the end of the customer session, which it opens if none is open."`
	ExpectCents *int64 `json:"expect_cents,omitempty" doc:"What the terminal thinks that it comes to. It is refused with the true amount if it comes to something else, and nothing is done."`
	// ContinuationHash is needed where the writer keeps a paid ticket whose games go on.
	ContinuationHash string `json:"continuation_hash,omitempty" doc:"Hash of the claim code of the ticket that the rest of the games go on with, bound to this request."`
}

// CancellationRequest is the body of a cancellation.
type CancellationRequest = PaymentRequest

// QuoteRequest is the body of a question for a price.
type QuoteRequest struct {
	Series   uint8       `json:"series,omitempty" doc:"Number of the series of games; without it the first."`
	Terminal uint32      `json:"terminal"`
	Method   EntryMethod `json:"method" doc:"How the particulars were given."`
	Runner   bool        `json:"runner,omitempty" doc:"A runner brought the entry."`
	Ticket   RequestForm `json:"ticket"`
}

// commands registers what terminals do.
func (s *server) commands() {
	const requests = "/v1/terminals/{terminal}/requests/{request}/"
	s.serve(route{
		name: "sell", method: http.MethodPut, path: requests + "sale", says: "Sell a ticket", tag: "terminal",
		who: terminals,
		refuses: `behind_last cost_other day_is_over frozen no_display no_senior no_writer not_on_sale not_trading
		other_system paused request_body_other request_burned request_leaps request_superseded serial_unreadable
		session_open series_unknown staff_barred terminal_unknown ticket_lost ticket_unknown unlicensed venue_unpaid ` +
			kenoRefusals(),
		in: SaleRequest{}, out: Sale{}, tells: "The ticket is sold, now or before.",
	}, s.sell)
	tillRoute[command.Pay](s, "The prizes are paid, now or before.", PaymentRequest{}, Payment{}, s.pay)
	tillRoute[command.BringInPayment](s,
		"The payment is brought in, now or before.", HandPaymentRequest{}, Payment{}, s.payByHand)
	tillRoute[command.Cancel](s, "The games are cancelled, now or before.", CancellationRequest{}, Cancellation{},
		s.cancel)
	s.serve(route{
		name: "abandon", method: http.MethodPost, path: requests + "abandon",
		says: "Say what became of a request, and burn it if nothing did", tag: "terminal", who: terminals,
		refuses: "request_body_other request_burned request_leaps request_superseded terminal_unknown",
		out:     Abandoned{}, tells: "What the request came to.",
	}, s.abandon)
	s.serve(route{
		name: "quote", method: http.MethodPost, path: "/v1/quote", says: "Say what a ticket would cost",
		tag: "terminal", who: terminals,
		refuses: `no_display no_senior no_writer not_a_seller not_on_sale not_trading other_system serial_unreadable
		series_unknown ticket_lost ticket_unknown ` + kenoRefusals(),
		in: QuoteRequest{}, out: Price{}, tells: "The price.",
	}, s.quote)
	s.counter()
}

// kenoRefusals are the codes with which a ticket is refused by its form and by its rulebook.
func kenoRefusals() string {
	var codes []string
	for _, code := range keno.Codes() {
		codes = append(codes, string(code))
	}
	return strings.Join(codes, " ")
}

func (s *server) sell(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxSaleBody)
	if err != nil {
		return err
	}
	terminal, number, err := numbered(r)
	if err != nil {
		return err
	}
	sale, err := readSale(terminal, number, body)
	if err != nil {
		return err
	}
	sold, err := s.house.Sell(r.Context(), sale.Request, sale.Order, sale.Claim, sale.Expect)
	if err != nil {
		return inTicket(err)
	}
	view, err := s.viewSale(r.Context(), &sold)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// requestOf names the request of a path.
func requestOf(r *http.Request, operation string, body []byte) (record.Request, error) {
	terminal, number, err := numbered(r)
	if err != nil {
		return record.Request{}, err
	}
	return newRequest(terminal, number, operation, body)
}

// numbered returns the terminal and the number of the request of a path.
func numbered(r *http.Request) (terminal uint32, number uint64, err error) {
	id, err := strconv.ParseUint(r.PathValue("terminal"), 10, 32)
	if err != nil || id == 0 {
		return 0, 0, &refusal.Refusal{Code: ParameterValue, Path: "terminal",
			Sentence: "The terminal must be a whole number from 1 on."}
	}
	if number, err = strconv.ParseUint(r.PathValue("request"), 10, 64); err != nil {
		number = 0
	}
	return uint32(id), number, checkNumber(number)
}

func checkNumber(number uint64) error {
	if number == 0 || number > math.MaxInt64 {
		return &refusal.Refusal{Code: ParameterValue, Path: "request",
			Sentence: "The number of the request must be a whole number from 1 on."}
	}
	return nil
}

// newRequest names a request. What was asked for is a part of it, so that the same
// body under another operation is another request.
func newRequest(terminal uint32, number uint64, operation string, body []byte) (record.Request, error) {
	if err := checkNumber(number); err != nil {
		return record.Request{}, err
	}
	request := record.Request{Terminal: terminal, Number: number}
	var room [1024]byte // As a rule there is no need for more.
	sum := sha256.Sum256(append(append(append(room[:0], operation...), '\n'), body...))
	copy(request.Body[:], sum[:])
	return request, nil
}

// orderFields are the fields of a ticket that somebody wants to buy.
func orderFields(o *house.Order) []field {
	return []field{
		{name: "series", read: whole(&o.Series, 1)},
		{name: "method", required: true, read: text((*string)(&o.Method))},
		{name: "runner", read: flag(&o.Runner)},
		{name: "in_session", read: flag(&o.InSession)},
		{name: "ticket", required: true, read: func(value json.RawMessage) error {
			ticket, err := keno.ParseRequest(value)
			o.Ticket = ticket
			return inTicket(err)
		}},
	}
}

// claimHash reads hexadecimal digits, which nobody has a reason to escape.
func claimHash(to *serial.ClaimHash) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		last := hex.EncodedLen(len(to)) + 1
		if len(value) == last+1 && value[0] == '"' && value[last] == '"' {
			if _, err := hex.Decode(to[:], value[1:last]); err == nil {
				return nil
			}
		}
		return fmt.Errorf("%d hexadecimal digits", hex.EncodedLen(len(to)))
	}
}

// outside are the paths of refusals that are not within the ticket.
var outside = map[string]bool{"terminal": true, "request": true, "method": true, "runner": true, "series": true,
	"player":       true,
	"expect_cents": true, "claim_hash": true}

// inTicket moves the path of a refusal below the field that holds the ticket.
func inTicket(err error) error {
	var refused *refusal.Refusal
	if !errors.As(err, &refused) || outside[refused.Path] {
		return err
	}
	moved := *refused
	switch {
	case moved.Path == "" && (moved.Code == keno.MethodNotAllowed || moved.Code == keno.BetNotByMethod):
		moved.Path = "method"
	case moved.Path == "":
		moved.Path = "ticket"
	case strings.HasPrefix(moved.Path, "["):
		moved.Path = "ticket" + moved.Path
	default:
		moved.Path = "ticket." + moved.Path
	}
	return &moved
}

func (s *server) viewSale(ctx context.Context, sold *house.Sold) (*Sale, error) {
	number, err := s.house.SerialIn(sold.Sale.Series, sold.Place)
	if err != nil {
		return nil, err
	}
	ticket := &sold.Ticket
	checkpoint, err := s.house.Checkpoint(ctx)
	if err != nil {
		return nil, err
	}
	first := GameName{Day: ticket.First.Day.String(), Game: uint16(ticket.First.Game), Ordinal: sold.Sale.Ordinal}
	return &Sale{
		Serial: number.String(), Place: live.ID(sold.Place), Time: s.time(sold.Time),
		CostCents: sold.Sale.CostCents.Cents(),
		FirstGame: first, LastGame: lastOf(first, ticket.Games),
		Games: ticket.Games, Session: sold.Sale.Session,
		Ticket: Form(ticket.AppendJSON(make([]byte, 0, ticketBytes))), LeafHash: sold.Leaf.String(),
		Checkpoint: string(checkpoint),
	}, nil
}

// ticketBytes is room for a ticket of a few bets.
const ticketBytes = 384

// presented reads a request about a ticket that somebody holds: where the ticket
// stands, and the claim code on it.
func (s *server) presented(w http.ResponseWriter, r *http.Request,
	action string) (request record.Request, place record.Place, holder house.Holder, err error) {
	var said house.Holder
	request, place, holder, err = s.presentedWith(w, r, action, field{name: "in_session", read: flag(&said.InSession)},
		expected(&said.Expect))
	holder.InSession, holder.Expect = said.InSession, said.Expect
	return request, place, holder, err
}

// expected reads what a terminal thinks that something comes to, if it says so.
func expected(to **money.Amount) field {
	return field{name: "expect_cents", read: func(value json.RawMessage) error {
		*to = new(money.Amount)
		return cents(*to)(value)
	}}
}

// presentedWith reads such a request with fields of its own.
func (s *server) presentedWith(w http.ResponseWriter, r *http.Request, action string,
	own ...field) (request record.Request, place record.Place, holder house.Holder, err error) {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return request, place, holder, err
	}
	if request, err = requestOf(r, action, body); err != nil {
		return request, place, holder, err
	}
	var number string
	err = readForm(body, append(own,
		field{name: "serial", required: true, read: text(&number)},
		field{name: "claim_code", required: true, read: claimCode(&holder.Code)},
		field{name: "continuation_hash", read: claimHash(&holder.Continuation)})...)
	if err == nil {
		place, err = s.house.Find(number)
	}
	return request, place, holder, err
}

func (s *server) cancel(w http.ResponseWriter, r *http.Request) error {
	request, place, holder, err := s.presented(w, r, "cancellation")
	if err != nil {
		return err
	}
	var cancelled house.Cancelled
	err = s.guessing(request, []record.Place{place}, func() (err error) {
		cancelled, err = s.house.Cancel(r.Context(), request, place, holder)
		return err
	})
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

func (s *server) viewCancellation(c house.Cancelled) (*Cancellation, error) {
	number, err := s.house.Serial(c.Cancellation.Ticket)
	if err != nil {
		return nil, err
	}
	return &Cancellation{
		Place: live.ID(c.Place), Time: s.time(c.Time), Serial: number.String(), Session: c.Cancellation.Session,
		LastOrdinal: c.Cancellation.Kept,
		RefundCents: c.Cancellation.RefundCents.Cents(), CarriedCents: c.Cancellation.CarriedCents.Cents(),
	}, nil
}

func (s *server) pay(w http.ResponseWriter, r *http.Request) error {
	request, place, holder, err := s.presented(w, r, "payment")
	if err != nil {
		return err
	}
	return s.paid(w, r, request, place, func(ctx context.Context) (house.Paid,
		error) {
		return s.house.Pay(ctx, request, place, holder)
	})
}

// guessing does what takes the claim codes of tickets or papers, unless too many wrong ones
// were tried. They are counted for a terminal and for a paper at a terminal: anybody who has a
// photograph of a serial must not be able to keep its holder from being paid elsewhere. Of
// several papers that are shown at once it is not told which code was wrong, and all count.
func (s *server) guessing(r record.Request, shown []record.Place, do func() error) error {
	if len(shown) == 0 {
		return do()
	}
	at := fmt.Sprint(r.Terminal)
	var begun []string
	wrong := false
	if err := s.codes.begin(at); err != nil {
		return err
	}
	defer func() {
		s.codes.end(at, wrong)
		for _, of := range begun {
			s.codesOf.end(of, wrong)
		}
	}()
	for _, place := range shown {
		of := at + " " + place.String()
		if err := s.codesOf.begin(of); err != nil {
			return err
		}
		begun = append(begun, of)
	}
	err := do()
	var refused *refusal.Refusal
	wrong = errors.As(err, &refused) && refused.Code == counter.ClaimCodeOther
	return err
}

// payTwice pays, and once more if a result came while the claim was prepared:
// that result is known now.
func twice(ctx context.Context, pay func(context.Context) (house.Paid, error)) (house.Paid, error) {
	paid, err := pay(ctx)
	var refused *refusal.Refusal
	if errors.As(err, &refused) && refused.Code == counter.FactsMissing {
		return pay(ctx)
	}
	return paid, err
}

func claimCode(to *serial.ClaimCode) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		var code string
		if json.Unmarshal(value, &code) == nil {
			if parsed, err := serial.ParseClaimCode(code); err == nil {
				*to = parsed
				return nil
			}
		}
		return errors.New("the 16 characters of a claim code")
	}
}

func (s *server) viewPayment(paid house.Paid) (*Payment, error) {
	number, err := s.house.Serial(paid.Payment.Ticket)
	if err != nil {
		return nil, err
	}
	view := &Payment{
		Place: live.ID(paid.Place), Time: s.time(paid.Time), Serial: number.String(),
		PaidCents: paid.Payment.Amount().Cents(), Session: paid.Payment.Session,
	}
	if paid.Bonus != nil {
		view.Bonus = &Bonus{Promotion: paid.Bonus.Number, Cents: paid.Bonus.Cents.Cents()}
	}
	if paid.Continuation != (record.Place{}) {
		sheet, err := s.house.Serial(paid.Continuation)
		if err != nil {
			return nil, err
		}
		view.Continuation = sheet.String()
	}
	for _, part := range paid.Payment.Parts {
		view.Parts = append(view.Parts, Part{Ordinal: part.Ordinal, Cents: part.Cents.Cents()})
	}
	return view, nil
}

func (s *server) abandon(w http.ResponseWriter, r *http.Request) error {
	request, err := requestOf(r, "", nil)
	if err != nil {
		return err
	}
	place, rec, err := s.house.Abandon(r.Context(), request.Terminal, request.Number)
	if err != nil {
		return err
	}
	view := Abandoned{Outcome: "decided"}
	switch body := rec.Body.(type) {
	case *record.RequestBurned:
		view.Outcome = "burned"
	case *record.SessionEnded:
		view.Outcome = "ended"
		view.SessionEnd, err = s.viewSession(house.Settled{Place: place, Time: rec.Time, End: body})
	case *record.InstrumentIssued:
		view.Outcome = "issued"
		view.Paper, err = s.viewPaper(house.Paper{Place: place, Time: rec.Time, Issue: body})
	case *record.TicketSold:
		view.Outcome = "sold"
		view.Sale, err = s.viewSaleAt(r.Context(), place)
	case *record.TicketPaid:
		view.Outcome = "paid"
		view.Payment, err = s.viewPayment(house.Paid{Place: place, Time: rec.Time, Payment: body})
	case *record.TicketCancelled:
		view.Outcome = "cancelled"
		view.Cancellation, err = s.viewCancellation(house.Cancelled{Place: place, Time: rec.Time, Cancellation: body})
	}
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// viewSaleAt shows the sale at a place.
func (s *server) viewSaleAt(ctx context.Context, place record.Place) (*Sale, error) {
	ticket, err := s.house.Ticket(ctx, place)
	if err != nil {
		return nil, err
	}
	return s.viewSale(ctx, &house.Sold{Place: place, Time: ticket.Time, Leaf: ticket.Leaf, Sale: ticket.Sale,
		Ticket: ticket.Ticket})
}

func (s *server) quote(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxSaleBody)
	if err != nil {
		return err
	}
	var order house.Order
	fields := append(orderFields(&order), field{name: "terminal", required: true, read: whole(&order.Terminal, 1)})
	if err := readForm(body, fields...); err != nil {
		return err
	}
	if signed := callerOf(r).terminal; order.Terminal != signed {
		return &refusal.Refusal{Code: TerminalOther, Path: "terminal",
			Sentence: fmt.Sprintf("The request is signed by terminal %d.", signed)}
	}
	offer, err := s.house.Quote(r.Context(), order)
	if err != nil {
		return inTicket(err)
	}
	view := Price{
		CostCents: offer.Price.Cost.Cents(), Ways: offer.Price.Ways, Games: offer.Ticket.Games,
		FirstGame: FirstGame{Day: offer.Ticket.First.Day.String(), Game: offer.Ticket.First.Game},
		ToGo:      offer.Price.ToGo,
	}
	for _, bet := range offer.Price.Bets {
		view.Bets = append(view.Bets, BetPrice{CostCents: (bet.Main + bet.Multiplier + bet.LuckyLast).Cents(),
			Ways: bet.Ways})
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}
