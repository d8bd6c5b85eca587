package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/games/keno"
	"drawhouse/house"
)

// A venue with many terminals may have a controller that carries their sales to the
// house over one connection. It has no key and can neither make nor change a sale: each
// is signed by its terminal exactly as if it had sent it alone, and is answered by
// itself. What is saved is the HTTP request for each ticket, which costs more than the
// ticket (BenchmarkAPI of cmd/drawhouse/bench).

const (
	// maxSales is how many sales one request may carry, and maxSalesBody how many bytes.
	maxSales     = 256
	maxSalesBody = 1 << 20
)

// TooManySales: a request carries more sales than one may.
const TooManySales refusal.Code = "too_many_sales"

// SignedSale is a sale as its terminal has signed it.
type SignedSale struct {
	Terminal  uint32      `json:"terminal" doc:"Number of the terminal."`
	Number    uint64      `json:"number" doc:"Number of the request. A terminal's numbers rise."`
	Signature string      `json:"signature" doc:"What the terminal would send in the header Drawhouse-Terminal with PUT /v1/terminals/{terminal}/requests/{request}/sale."`
	Sale      SaleRequest `json:"sale" doc:"The body of that request, byte for byte."`
}

// SalesRequest is the body of a request that carries sales of many terminals.
type SalesRequest struct {
	Sales []SignedSale `json:"sales" maxItems:"256" doc:"They are decided in this order."`
}

// SaleAnswer is the answer to one sale of many: its status, and a sale or an error.
type SaleAnswer struct {
	Status int    `json:"status" doc:"As the terminal would have been answered by HTTP."`
	Sale   *Sale  `json:"sale,omitempty"`
	Error  *Fault `json:"error,omitempty"`
}

// SalesAnswer are the answers to many sales, in their order.
type SalesAnswer struct {
	Answers []SaleAnswer `json:"answers"`
}

// saleRoutes registers the sales that a venue's controller carries.
func (s *server) saleRoutes() {
	s.serve(route{
		name: "sell-many", method: http.MethodPost, path: "/v1/sales",
		says: "Carry sales that terminals have signed", tag: "terminal", who: everybody, refuses: "too_many_sales",
		in: SalesRequest{}, out: SalesAnswer{}, tells: "What became of each sale.",
	}, s.sellMany)
}

// carried is a sale among many, or why it cannot be one.
type carried struct {
	house.Sale
	err error
}

func (s *server) sellMany(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxSalesBody)
	if err != nil {
		return err
	}
	all, err := s.readSales(r, body)
	if err != nil {
		return err
	}
	sound := make([]house.Sale, 0, len(all))
	for i := range all {
		if all[i].err == nil {
			sound = append(sound, all[i].Sale)
		}
	}
	results := s.house.SellAll(r.Context(), sound)
	room := answerRoom.Get().(*[]byte) //nolint:errcheck // The pool holds nothing else.
	defer answerRoom.Put(room)
	answer := append((*room)[:0], `{"answers":[`...)
	for i := range all {
		if i > 0 {
			answer = append(answer, ',')
		}
		result := house.SaleResult{Err: all[i].err}
		if result.Err == nil {
			result, results = results[0], results[1:]
			result.Err = inTicket(result.Err)
		}
		answer = s.appendAnswer(r.Context(), answer, &result)
	}
	*room = append(answer, "]}"...)
	writeBytes(w, http.StatusOK, *room)
	return nil
}

// answerRoom is memory for answers to many sales, which are large and gone at once.
var answerRoom = sync.Pool{New: func() any { return new([]byte) }}

// appendAnswer appends the answer to one sale.
func (s *server) appendAnswer(ctx context.Context, b []byte, result *house.SaleResult) []byte {
	view, err := (*Sale)(nil), result.Err
	if err == nil {
		view, err = s.viewSale(ctx, &result.Sold)
	}
	if err == nil {
		longer, err := view.appendJSON(append(b, `{"status":200,"sale":`...))
		if err == nil {
			return append(longer, '}')
		}
	}
	e := s.fault(ctx, err)
	data, _ := json.Marshal(SaleAnswer{Status: e.status, Error: &e.Fault}) // A few texts always encode.
	return append(b, data...)
}

// readSales reads the sales that a request carries. What is wrong with one of them is
// an answer to that one; what is wrong with the list is an answer to its carrier.
func (s *server) readSales(r *http.Request, body []byte) ([]carried, error) {
	var all []carried
	reader := saleReaders.Get().(*saleReader) //nolint:errcheck // The pool holds nothing else.
	defer saleReaders.Put(reader)
	err := readForm(body, field{name: "sales", required: true, follow: func(c *cursor) error {
		return s.readList(r, c, reader, &all)
	}})
	return all, err
}

// readList reads the list of sales at the cursor.
func (s *server) readList(r *http.Request, c *cursor, reader *saleReader, all *[]carried) error {
	if !c.take('[') {
		return &refusal.Refusal{Code: keno.FieldValue, Path: "sales", Sentence: "The value must be a list of sales."}
	}
	for !c.take(']') {
		if len(*all) > 0 && !c.take(',') {
			return syntax("The list ends in the middle, or a comma is missing.")
		}
		if len(*all) == maxSales {
			return &refusal.Refusal{Code: TooManySales, Path: "sales",
				Sentence: fmt.Sprintf("One request carries %d sales at most.", maxSales)}
		}
		begin := *c
		sale, err := reader.signed(s, r, c)
		if err != nil {
			*c = begin
			if c.value() == nil {
				return syntax("A sale is missing from the list, or is cut off.")
			}
		}
		*all = append(*all, carried{sale, err})
	}
	if len(*all) == 0 {
		return &refusal.Refusal{Code: keno.FieldValue, Path: "sales", Sentence: "There is no sale in the list."}
	}
	return nil
}

// saleReader reads sales. Its fields read into itself, so that they are bound once and
// not for every sale.
type saleReader struct {
	terminal  uint32
	number    uint64
	signature string
	body      json.RawMessage
	sale      house.Sale
	expect    int64

	envelope, fields []field
}

var saleReaders = sync.Pool{New: func() any {
	r := new(saleReader)
	r.envelope = []field{
		{name: "terminal", required: true, read: whole(&r.terminal, 1)},
		{name: "number", required: true, read: whole(&r.number, 1)},
		{name: "signature", required: true, read: text(&r.signature)},
		{name: "sale", required: true, read: raw(&r.body)},
	}
	r.fields = append(orderFields(&r.sale.Order),
		field{name: "claim_hash", required: true, read: claimHash(&r.sale.Claim)},
		field{name: "player", read: whole(&r.sale.Order.Player, 1)},
		field{name: "expect_cents", read: whole(&r.expect, 1)})
	return r
}}

// readSale reads the body of a sale.
func readSale(terminal uint32, number uint64, body []byte) (house.Sale, error) {
	reader := saleReaders.Get().(*saleReader) //nolint:errcheck // The pool holds nothing else.
	defer saleReaders.Put(reader)
	return reader.read(terminal, number, body)
}

// read reads the body of a sale.
func (r *saleReader) read(terminal uint32, number uint64, body []byte) (house.Sale, error) {
	request, err := newRequest(terminal, number, "sale", body)
	if err != nil {
		return house.Sale{}, err
	}
	r.sale, r.expect = house.Sale{Request: request, Order: house.Order{Terminal: terminal}}, 0
	err = readForm(body, r.fields...)
	r.sale.Expect = money.Amount(r.expect)
	return r.sale, err
}

// signed reads a sale at the cursor that its terminal has signed.
func (r *saleReader) signed(s *server, from *http.Request, c *cursor) (house.Sale, error) {
	if err := c.object(r.envelope); err != nil {
		return house.Sale{}, err
	}
	if len(r.body) > maxSaleBody {
		return house.Sale{}, &refusal.Refusal{Code: BodyTooLarge, Path: "sale",
			Sentence: fmt.Sprintf("The sale is longer than %d bytes.", maxSaleBody)}
	}
	uri := make([]byte, 0, 64)
	uri = strconv.AppendUint(append(uri, "/v1/terminals/"...), uint64(r.terminal), 10)
	uri = strconv.AppendUint(append(uri, "/requests/"...), r.number, 10)
	uri = append(uri, "/sale"...)
	by, err := s.terminals.verify(r.signature, http.MethodPut, string(uri), r.body)
	if err := s.countSigned(from, by, err); err != nil {
		return house.Sale{}, err
	}
	if by != r.terminal {
		return house.Sale{}, otherTerminal(by)
	}
	return r.read(by, r.number, r.body)
}

// raw takes a value as it stands.
func raw(to *json.RawMessage) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		*to = value
		return nil
	}
}
