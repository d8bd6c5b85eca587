package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/check/witness"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/edge/terminal"
	"drawhouse/games/keno"
)

// usual returns the codes that follow from how an operation is asked for: by whom, with
// what, and of which house.
func usual(rt *route) []string {
	row := rt.who
	codes := []string{string(Internal), string(Stopped), string(Busy), string(OutcomeUnknown), string(FollowsOnly),
		string(Behind), string(TooManyRequests), string(RequestHeld)}
	add := func(more ...refusal.Code) {
		for _, code := range more {
			codes = append(codes, string(code))
		}
	}
	if rt.method != http.MethodGet {
		add(OriginOther)
	}
	if strings.Contains(rt.path, "{") || len(rt.query) > 0 || rt.method == http.MethodGet {
		add(ParameterValue)
	}
	add(ParameterUnknown)
	switch {
	case rt.again != nil:
		add(KeyOther, KeyWrong, KeyUnused, engine.KeyTaken, BodyTooLarge, keno.FormSyntax)
	case rt.method == http.MethodPost:
		add(KeyUnused)
	}
	if rt.in != nil || rt.takes != nil {
		add(MediaTypeOther, BodyTooLarge, keno.FormSyntax, keno.FieldUnknown, keno.FieldRepeated, keno.FieldMissing,
			keno.FieldValue, command.OutOfBounds, engine.NotSound)
	}
	if !row.Everybody {
		add(SignOnFirst, SessionOver, TwoCredentials)
	}
	if row.Terminals {
		add(TerminalOther, RequestForged, RequestReplayed, BodyTooLarge, staff.KeyRevoked, TooManyAttempts)
	}
	if row.Witnesses {
		add(WitnessUnknown)
	}
	switch {
	case row.Terminals && len(row.Roles) == 0:
		add(TerminalOnly)
	case len(row.Roles) > 0:
		add(RoleMissing)
	}
	if !row.Everybody && !row.Terminals {
		add(NotFromTerminal)
	}
	if len(row.Roles) > 0 || row.SignedOn {
		add(CSRFMissing)
	}
	if acts := rt.method != http.MethodGet; acts && !row.Everybody {
		// The guards of package staff, which stand before every record.
		add(staff.PersonLocked, staff.PersonNoRole, staff.OneHand, staff.ConsentLapsed)
		if row.Terminals {
			add(staff.ShiftStopped)
		}
	}
	return codes
}

// refusalsOf returns every code with which an operation is refused, ascending: the usual ones and
// its own. A test that sees another code fails.
func refusalsOf(rt *route) []Refused {
	codes := append(usual(rt), strings.Fields(rt.refuses)...)
	if rt.tag == "people" || slices.Contains(codes, string(command.NoRegister)) {
		codes = append(codes, string(RegisterDown))
	}
	slices.Sort(codes)
	list := []Refused{}
	for _, code := range slices.Compact(codes) {
		list = append(list, Refused{code, statusOf(refusal.Code(code))})
	}
	return list
}

// refusedAnywhere are the codes of requests that come to no operation.
var refusedAnywhere = []refusal.Code{HostUnknown, MethodOther, NoSuchPath}

// refusedActs are the codes with which acts of two persons are refused.
func refusedActs() string {
	var codes []string
	for _, row := range command.Rows() {
		if row.Two != "" {
			codes = append(codes, row.Refused()...)
		}
	}
	return strings.Join(codes, " ")
}

// Refused is a code with which an operation may be refused.
type Refused struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
}

// refusalsExtension lists the codes with which an operation is refused, and of the whole interface what each means.
const refusalsExtension = "x-refusals"

// internalExtension marks an operation that is for our own screens: it may change with every version.
const internalExtension = "x-internal"

// annotate says of an operation who may use it, how they show who they are, and with
// which codes it is refused.
func annotate(op *huma.Operation, rt *route) {
	row := rt.who
	op.Extensions = map[string]any{"x-access": words(row), refusalsExtension: refusalsOf(rt)}
	if rt.internal != "" {
		op.Extensions[internalExtension] = true
	}
	op.Security = []map[string][]string{} // Nothing is asked of everybody.
	if row.Terminals {
		op.Security = append(op.Security, map[string][]string{"terminal": {}})
	}
	if row.Witnesses {
		op.Security = append(op.Security, map[string][]string{"witness": {}})
	}
	if row.SignedOn || len(row.Roles) > 0 {
		op.Security = append(op.Security, map[string][]string{"bearer": {}}, map[string][]string{"session": {}})
	}
}

// statusOf returns the status with which a code is answered.
func statusOf(code refusal.Code) int {
	switch status, ok := statuses[code]; {
	case ok:
		return status
	case code == Internal:
		return http.StatusInternalServerError
	case code == TooManyAttempts, code == TooManyRequests:
		return http.StatusTooManyRequests
	}
	return http.StatusUnprocessableEntity
}

// words says who may use an operation: everybody, terminals, anybody who has signed on, and
// the names of roles.
func words(a command.Who) []string {
	var list []string
	if a.Everybody {
		list = append(list, "everybody")
	}
	if a.Terminals {
		list = append(list, "terminal")
	}
	if a.Witnesses {
		list = append(list, "witness")
	}
	if a.SignedOn {
		list = append(list, "signed_on")
	}
	for _, role := range a.Roles {
		list = append(list, string(role))
	}
	return list
}

// schemes are how somebody shows who they are.
func schemes() map[string]*huma.SecurityScheme {
	return map[string]*huma.SecurityScheme{
		"terminal": {Type: "apiKey", In: "header", Name: terminal.Header,
			Description: "Session, number and HMAC of a request, by the terminal that has said hello."},
		"witness": {Type: "apiKey", In: "header", Name: witness.AskHeader,
			Description: "A question that a witness of the house signed, for this house, question and time."},
		"bearer": {Type: "http", Scheme: "bearer", Description: "The token of a sign-on with bearer."},
		"session": {Type: "apiKey", In: "cookie", Name: cookieName,
			Description: "The cookie of a browser, with the header " + csrfHeader + " for everything but GET."},
	}
}
