package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/journal/record"
)

// route is an operation that this package has code for: where it is asked for and by whom, the
// codes with which it is refused beyond the usual, and what both sides say. A command has a row in
// package command instead, from which its route is made.
type route struct {
	name    string
	method  string // of HTTP; empty is GET
	path    string // each element in braces is among the elements
	says    string // what it does, in one line
	about   string // what else is to be known
	tag     string // group of operations
	who     command.Who
	refuses string // codes, with spaces between them
	two     string // name of the act of two persons that it asks for, as [command.Row.Two]
	alone   string // why one person is enough, as [command.Row.Alone]
	// internal says for which of our own screens the operation is, and where others find the same. Its answer has
	// the form of that screen and changes with it, while all others are promised (docs/COMPATIBILITY.md).
	internal string
	query    []*huma.Param
	line     bool                       // about one series of games, which the query names (server.line)
	in, out  any                        // bodies of the request and of the answer, as JSON
	takes    map[string]*huma.MediaType // what the request is where it is not JSON
	gives    map[string]*huma.MediaType // what the answer is where it is not JSON
	tells    string                     // what the answer tells; empty is that it is done
	// again answers a request that was carried out already, by the record that tells what was done. An operation that has
	// it takes the key of a request (keyed.go).
	again func(w http.ResponseWriter, r *http.Request, done record.Body) error
}

// routeOf returns the route of a command, with how its request and its answer are said.
func routeOf(row command.Row, in, out any) route {
	return route{
		name: row.Name, method: row.Method, path: row.Path, says: row.Says, tag: row.Tag,
		who: row.Who, refuses: strings.Join(row.Refused(), " "), two: row.Two, alone: row.Alone, in: in, out: out,
	}
}

// serve registers an operation. Its description waits until somebody asks for descriptions.
func (s *server) serve(rt route, f func(w http.ResponseWriter, r *http.Request) error) {
	if rt.method == "" {
		rt.method = http.MethodGet
	}
	if _, twice := s.access[rt.name]; twice {
		panic("api: two operations have the name " + rt.name)
	}
	if rt.line {
		rt.query, f = append(slices.Clone(rt.query), ofSeries()), s.inLine(f)
		if unknown := string(counter.SeriesUnknown); !slices.Contains(strings.Fields(rt.refuses), unknown) {
			rt.refuses += " " + unknown
		}
	}
	if rt.again != nil {
		rt.query, f = append(slices.Clone(rt.query), keyParameter()), s.keyed(rt.again, f)
	}
	s.access[rt.name] = rt.who
	s.routes = append(s.routes, rt)
	s.handle(&rt, s.onlyReads(rt.who, s.guard(rt.who, mannered(&rt, f))))
}

// get registers a question of everybody.
func get[Out any](s *server, rt route, f func(*http.Request) (*Out, error)) {
	var out Out
	rt.who, rt.out = everybody, out
	s.serve(rt, func(w http.ResponseWriter, r *http.Request) error {
		answer, err := f(r)
		if err != nil {
			return err
		}
		s.writeJSON(w, r, http.StatusOK, answer)
		return nil
	})
}

// texts is a body of text of some type.
func texts(media string) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{media: {Schema: &huma.Schema{Type: huma.TypeString}}}
}

// element is an element of addresses that changes: a number from 1 to its greatest, or a text.
type element struct {
	most uint64 // 0 is a text
	says string
}

const (
	most32 = 1<<32 - 1
	most64 = 1<<64 - 1
)

// elements are all of them, by name.
var elements = map[string]element{
	"approval":   {most32, "Number of the request for consent."},
	"area":       {1<<16 - 1, "Number of the area of the venue."},
	"bank":       {most32, "Number of the terminal whose bank it is."},
	"card":       {most32, "Number of the card."},
	"cheque":     {0, "Where the journal has the promise of the cheque."},
	"claim":      {most32, "Number of the claim."},
	"day":        {0, "Keno Day, a date."},
	"device":     {most32, "Number of the electronic card."},
	"dispute":    {most32, "Number of the dispute."},
	"form":       {0, "csv or ledger, for hledger and ledger."},
	"format":     {0, "One of text, csv, xlsx and pdf."},
	"game":       {record.MostBingoGames, "Number of the game in its session."},
	"hall":       {255, "Number of the bingo room."},
	"hash":       {0, "Hash by which the journal names the customer."},
	"id":         {0, "Id of the rulebook."},
	"number":     {0, "Number of the game within its Keno Day."},
	"ordinal":    {most32, "Ordinal of the game in its series."},
	"person":     {most32, "Number of the person."},
	"player":     {most32, "Number of the player in the session."},
	"prize":      {record.MostOfferPrizes, "Number of the prize of the promotion."},
	"promotion":  {most32, "Number of the promotion."},
	"part":       {0, "Path of the tile or bundle behind tile/, such as 0/000 or entries/000."},
	"registered": {most32, "Number of the drawing device in the register."},
	"report":     {0, "Name of the report."},
	"request":    {most64, "Number of the request. The numbers of a terminal rise."},
	"serial":     {0, "Serial of the ticket or paper, in either form."},
	"session":    {most32, "Number of the bingo session."},
	"terminal":   {most32, "Number of the terminal."},
	"file":       {most32, "Number of the file of direct debits."},
	"venue":      {most32, "Number of the venue."},
	"volume":     {1<<16 - 1, "Number of the volume of the journal."},
}

// elementsOf returns the names of the elements of an address, in their order.
func elementsOf(path string) (names []string) {
	for part := range strings.SplitSeq(path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			names = append(names, strings.TrimSuffix(strings.TrimSuffix(name, "}"), "..."))
		}
	}
	return names
}

// pathParameters describes the elements of an address.
func pathParameters(path string) (list []*huma.Param) {
	for _, name := range elementsOf(path) {
		e, ok := elements[name]
		if !ok {
			panic("api: nothing says what " + name + " is in " + path)
		}
		kind := huma.TypeInteger
		if e.most == 0 {
			kind = huma.TypeString
		}
		list = append(list, &huma.Param{
			Name: name, In: "path", Required: true, Description: e.says, Schema: &huma.Schema{Type: kind},
		})
	}
	return list
}

// optional describes a parameter of a query that may be absent.
func optional(name, kind, says string) *huma.Param {
	return &huma.Param{Name: name, In: "query", Description: says, Schema: &huma.Schema{Type: kind}}
}

// needed describes a parameter of a query that must be there.
func needed(name, kind, says string) *huma.Param {
	p := optional(name, kind, says)
	p.Required = true
	return p
}

// counted describes a parameter that countParam reads.
func counted(name string, unless, most uint32, says string) *huma.Param {
	p, first, last := optional(name, huma.TypeInteger, says), 1.0, float64(most)
	p.Schema.Minimum, p.Schema.Maximum = &first, &last
	if unless > 0 {
		p.Schema.Default = unless
	}
	return p
}
