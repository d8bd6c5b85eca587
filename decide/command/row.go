package command

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"drawhouse/decide/hall"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Who says who may ask for something: everybody, terminals, everybody who has signed on, or
// persons with a role. Terminals and persons with a role may stand side by side; the person who
// has signed on at the terminal is asked for then.
type Who struct {
	Everybody bool
	Terminals bool
	SignedOn  bool
	Roles     []record.Role
	Witnesses bool // besides persons with a role, witnesses of the house, who sign their questions
}

// Row is what is known of a command apart from what it decides.
type Row struct {
	Name    string // of the operation
	Method  string // of HTTP; empty is POST
	Path    string // address; each element in braces is a field of the command with that tag
	Says    string // what it does, in one line
	Tag     string // group of operations
	Who     Who
	Refuses string // codes with which it is refused beyond the usual, with spaces between them

	// Procedure says that package api has code of its own for the route: the command reads
	// a file, or a device draws.
	Procedure bool

	// Till says that a terminal says the command in a form of its own, which package api reads.
	Till bool

	// Alone says why one person is enough for what persons away from the counters do and no other
	// person consents to. What touches money or odds is an act of two.
	Alone string
	// Two is the name of an act among the actions of package staff, which says who asks for it
	// and who consents. Empty for what one person does.
	Two string
	// Answer is an empty answer, and View makes the answer from the record that tells what was
	// done, which is nil where nothing was. Without these the answer is the record.
	Answer any
	View   func(record.Body) any
	// Shows is the name of the question whose answer is the answer to the command: how the thing
	// stands now that the command is about. A numbered command has made that thing.
	Shows string
	// body is how a request says the command, where it does so otherwise than the command: a
	// ticket by its serial, a day without what clocks add.
	body any

	command reflect.Type
}

// said says that a request has a body of another type than the command.
func (r Row) said(body any) Row {
	r.body = body
	return r
}

// alone says why one person is enough.
func (r Row) alone(why string) Row {
	r.Alone = why
	return r
}

// Body returns an empty body of a request for the command.
func (r Row) Body() any {
	if r.body != nil {
		return r.body
	}
	return r.New().Elem().Interface()
}

// SaidOtherwise reports whether package api makes the command from a body of another type.
func (r Row) SaidOtherwise() bool { return r.body != nil }

// rows are all of them, in the order in which they are described.
var rows []Row

// register adds a command of a type.
func register[C Command](r Row) { add(r, reflect.TypeFor[C]()) }

// registerStaff adds a command whose struct is that of package staff, which decides it for the person in its field By.
// The field is the person who asks, and no part of the request.
func registerStaff[C staff.Command](r Row) {
	t := reflect.TypeFor[C]()
	if by, ok := t.FieldByName("By"); !ok || by.Type.Kind() != reflect.Uint32 || by.Tag.Get("json") != "-" {
		panic("command: " + r.Name + " has no field By beside the request")
	}
	add(r, t)
}

func add(r Row, command reflect.Type) {
	r.command = command
	if r.Two != "" {
		action, ok := staff.Actions()[r.Two]
		if !ok || !r.command.Implements(reflect.TypeFor[Act]()) {
			panic("command: " + r.Name + " is no act of two persons")
		}
		r.Who = Who{Roles: action.Asks}
	}
	if byOne := r.Two == "" && len(r.Who.Roles) > 0 && !r.Who.Terminals; byOne != (r.Alone != "") {
		panic("command: " + r.Name + " says why one person is enough for it, or does not: " + r.Alone)
	}
	if r.Method == "" {
		r.Method = "POST"
	}
	if slices.ContainsFunc(rows, func(other Row) bool { return other.Name == r.Name }) {
		panic("command: two rows have the name " + r.Name)
	}
	for name := range strings.SplitSeq(r.Path, "/") {
		if name, ok := strings.CutPrefix(name, "{"); ok && !r.Till && !r.has(strings.TrimSuffix(name, "}")) {
			panic(fmt.Sprintf("command: %s has no field for %s of its address", r.Name, name))
		}
	}
	rows = append(rows, r)
}

func (r Row) has(name string) bool {
	return slices.ContainsFunc(reflect.VisibleFields(r.command),
		func(f reflect.StructField) bool { return f.Tag.Get("path") == name })
}

// Rows returns all rows. The caller does not change them.
func Rows() []Row { return rows }

// Named returns the row of a name.
func Named(name string) (Row, bool) {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == name })
	if i < 0 {
		return Row{}, false
	}
	return rows[i], true
}

// RowOf returns the row of a type of command. That there is one is a matter of this program.
func RowOf[C Command]() Row {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.command == reflect.TypeFor[C]() })
	if i < 0 {
		panic(fmt.Sprintf("command: %v has no row", reflect.TypeFor[C]()))
	}
	return rows[i]
}

// Refused returns the codes with which a command is refused beyond the usual.
func (r Row) Refused() []string {
	codes := strings.Fields(r.Refuses)
	if r.Two != "" {
		codes = append(codes, string(ActMalformed))
	}
	if r.has("hall") {
		codes = append(codes, string(hall.HallUnknown), string(staff.NoWriter), string(staff.OtherVenue))
	}
	return codes
}

// New returns a pointer to an empty struct of the row.
func (r Row) New() reflect.Value { return reflect.New(r.command) }

// Command returns the command that a struct of New says.
func (r Row) Command(said reflect.Value) Command {
	if c, ok := said.Interface().(Command); ok {
		return c
	}
	change, _ := said.Interface().(staff.Command)
	return byStaff{change}
}

// byStaff is a command whose struct is that of package staff.
type byStaff struct{ staff.Command }

// Decide implements Command.
func (c byStaff) Decide(s *state.State, e *Env) (Decision, error) {
	by := reflect.New(reflect.TypeOf(c.Command)).Elem()
	by.Set(reflect.ValueOf(c.Command))
	by.FieldByName("By").SetUint(uint64(e.By.Person))
	change, _ := by.Interface().(staff.Command)
	return changes(s, e, change)
}

// Room returns the number of the bingo room in which a command is done, if it is done in one.
func Room(c Command) (uint8, bool) {
	in, ok := c.(interface{ room() uint8 })
	if !ok {
		return 0, false
	}
	return in.room(), true
}

var administrator = Who{Roles: []record.Role{record.RoleAdministrator}}

// Floor is a device of a venue with somebody on shift, or a person away from one.
var Floor = Who{Terminals: true,
	Roles: []record.Role{record.RoleSupervisor, record.RoleOperative, record.RoleSenior, record.RoleWriter}}

// Done says that something was done.
type Done struct {
	Records int `json:"records" doc:"1 where something was recorded, 0 where all was so already."`
}

// DoneBy says whether something was recorded.
func DoneBy(made record.Body) Done {
	if made == nil {
		return Done{}
	}
	return Done{Records: 1}
}

// counted has a command answer whether something was recorded.
func (r Row) counted() Row {
	r.Answer, r.View = Done{}, func(made record.Body) any { return DoneBy(made) }
	return r
}

// Numbered is the number that the house gave to something new.
type Numbered struct {
	Number uint32 `json:"number"`
}

// numbered has a command answer the number of what came of it.
func (r Row) numbered(of func(record.Body) uint32) Row {
	r.Answer, r.View = Numbered{}, func(made record.Body) any { return Numbered{of(made)} }
	return r
}
