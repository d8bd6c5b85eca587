package api

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/house"
	"drawhouse/journal/record"
)

// rowRoutes registers the commands that have rows: what one person does, and what one person
// asks for and another consents to. Package api has code of its own for procedures, and for
// what a request says otherwise than the command.
func (s *server) rowRoutes() {
	for _, row := range command.Rows() {
		switch {
		case row.Procedure || row.Till || row.SaidOtherwise():
		case row.Two != "":
			s.askRoute(row, func(r *http.Request, body any) (command.Act, error) { return body.(command.Act), nil }) //nolint:errcheck // The row is of an act.
		default:
			s.commandRoute(row, s.do)
		}
	}
}

// shown is a question whose answer is also that to commands: how something stands.
type shown struct {
	answer  any
	element string // of the address, which names the thing
	show    func(w http.ResponseWriter, r *http.Request) error
}

// shows are the questions that commands are answered with, by name.
func (s *server) shows() map[string]shown {
	return map[string]shown{
		"get-claim": {Claim{}, "claim", (&claimDesk{s, s.house}).get},
	}
}

// rowRoute returns the route of a row, and whether its request has a body.
func rowRoute(row command.Row, answer any) (rt route, hasBody bool) {
	var in any
	empty := reflect.New(reflect.TypeOf(row.Body())).Elem()
	if hasBody = len(fieldsOf(empty)) > 0; hasBody {
		in = empty.Interface()
	}
	return routeOf(row, in, answer), hasBody
}

// commandRoute registers the route of a command: the elements of its address and its body are
// the fields of the command.
func (s *server) commandRoute(row command.Row,
	do func(context.Context, *house.Line, command.Command, record.By) (record.Body, error)) {
	var answer any = HallRecord{}
	shown := s.shows()[row.Shows]
	switch {
	case row.Shows != "":
		answer = shown.answer
	case row.View != nil:
		answer = row.Answer
	}
	rt, hasBody := rowRoute(row, answer)
	_, inRoom := command.Room(row.Command(row.New().Elem()))
	rt.line = !inRoom
	answered := func(w http.ResponseWriter, r *http.Request, done record.Body) error {
		if row.Shows != "" {
			if row.View != nil {
				made, _ := row.View(done).(command.Numbered)
				r.SetPathValue(shown.element, strconv.FormatUint(uint64(made.Number), 10))
			}
			return shown.show(w, r)
		}
		var view any = viewRecord(done, s.zone)
		if row.View != nil {
			view = row.View(done)
		}
		s.writeJSON(w, r, http.StatusOK, view)
		return nil
	}
	// What has the register forget is had done again: the register may not have heard of it the first time.
	if _, erases := row.Command(row.New().Elem()).(command.Eraser); row.Method == http.MethodPost && !erases {
		rt.again = answered
	}
	s.serve(rt, func(w http.ResponseWriter, r *http.Request) error {
		value := row.New()
		if err := readPath(r, value.Elem()); err != nil {
			return err
		}
		if hasBody {
			if err := readStrict(w, r, value.Interface()); err != nil {
				return err
			}
		}
		c := row.Command(value.Elem())
		by, err := s.doer(r, row, c)
		if err != nil {
			return err
		}
		line := s.house.First()
		if rt.line {
			line = lineOf(r)
		}
		done, err := do(r.Context(), line, c, by)
		if err != nil {
			return err
		}
		if _, erases := c.(command.Eraser); erases {
			s.log.InfoContext(r.Context(),
				"the register has forgotten", "operation", row.Name, "address", r.URL.Path, "person", by.Person)
		}
		return answered(w, r, done)
	})
}

// tillRoute registers the route of what a terminal does, with the form in which the terminal says
// it. Tells says what the answer is.
func tillRoute[C command.Command](s *server, tells string, in, out any,
	f func(w http.ResponseWriter, r *http.Request) error) {
	rt := routeOf(command.RowOf[C](), in, out)
	rt.tells = tells
	s.serve(rt, f)
}

// doer returns who does a command, and of one that is done in a bingo room in which rank. At a device that is the
// person on shift there, who must be there for what a person away from a device may do as well.
func (s *server) doer(r *http.Request, row command.Row, c command.Command) (record.By, error) {
	if room, ok := command.Room(c); ok {
		return s.byOf(r, room)
	}
	caller := callerOf(r)
	if caller.terminal == 0 {
		return record.By{Person: caller.person.ID}, nil
	}
	post, _ := s.terminals.post(caller.terminal)
	if post.Person == 0 && len(row.Who.Roles) > 0 {
		return record.By{}, staff.NobodyAt(caller.terminal, "", "")
	}
	return record.By{Person: post.Person}, nil
}

// askRoute registers the request for an act. The answer is a request that another person
// decides, and then use-approval does it.
func (s *server) askRoute(row command.Row, actOf func(r *http.Request, body any) (command.Act, error)) {
	rt, _ := rowRoute(row, Approval{})
	rt.line, rt.again = true, s.showRequest
	s.serve(rt, func(w http.ResponseWriter, r *http.Request) error {
		body := reflect.New(reflect.TypeOf(row.Body()))
		if err := readStrict(w, r, body.Interface()); err != nil {
			return err
		}
		act, err := actOf(r, body.Elem().Interface())
		if err != nil {
			return err
		}
		if _, looksBack := act.(command.CorrectResult); looksBack {
			if err := unhurried(w); err != nil {
				return err
			}
		}
		line := lineOf(r)
		number, err := line.Ask(r.Context(), callerOf(r).person.ID, act)
		if err != nil {
			return err
		}
		return s.showApproval(w, r, number)
	})
}

// showRequest shows a request for consent by its record.
func (s *server) showRequest(w http.ResponseWriter, r *http.Request, asked record.Body) error {
	return s.showApproval(w, r, staff.RequestNumber(asked))
}

// askAs registers the request for an act that a body of another type comes to.
func askAs[A command.Act, B any](s *server, actOf func(r *http.Request, body B) (command.Act, error)) {
	s.askRoute(command.RowOf[A](), func(r *http.Request, body any) (command.Act, error) { return actOf(r, body.(B)) }) //nolint:errcheck // The row has this body.
}
