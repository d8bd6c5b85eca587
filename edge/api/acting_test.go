package api

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// otherwise are the operations whose record is not called after them.
var otherwise = map[string]record.Kind{
	"lock-person":     record.KindLockSet,       // the record is of the lock
	"send-home":       record.KindShiftEnded,    // one is sent home from a shift
	"allow-enrolment": record.KindTerminalKeyed, // the device then brings its key in the name of who allowed it
	"bring-link":      record.KindLinkReleased,  // the house itself releases what is brought
	"copy-claim":      record.KindClaimNoted,    // a note says that the inspector has a copy
	"erase-claimant":  record.KindClaimNoted,    // a note says that the register has forgotten the claimant
	"add-terminal":    record.KindTerminalKeyed, // its first key comes with it
}

// nameless are the operations by persons of a role that write nothing in anybody's name.
var nameless = map[string]string{
	"add-venue":        "the record of a venue names nobody; its first hours do, by set-hours",
	"bring-commitment": "the custodian has signed it",
}

// TestAccessOfActors: no row of the table of access lets in a role that the core refuses as
// the actor of what the operation writes. Which operations there are, and which only ask for
// the consent of another person, is in what the interface says of itself; and which record
// an operation writes is in the two names, but for a few.
func TestAccessOfActors(t *testing.T) {
	r := newRig(t)
	asking := r.askingOperations()
	seen := map[string]bool{}
	for id, op := range r.operations() {
		row := op.who
		if op.method == http.MethodGet || len(row.Roles) == 0 {
			continue
		}
		var may []record.Role
		kind, listed := otherwise[id]
		switch reason := nameless[id]; {
		case row.Terminals:
			continue // That is of a bingo room: see below.
		case reason != "":
			seen[id] = true
			continue
		case listed:
			seen[id] = true
			may = staff.MayAct(kind, true)
		case asking[id]:
			may = asks(t, id)
		default:
			kind = writtenBy(t, id)
			may = staff.MayAct(kind, true)
		}
		for _, role := range row.Roles {
			if !slices.Contains(may, role) {
				t.Errorf("%s lets in a %s, who may not be the actor of %v", id, role, kind)
			}
		}
	}
	for id := range otherwise {
		if !seen[id] {
			t.Errorf("%s is listed, and is no operation by a role", id)
		}
	}
	for id := range nameless {
		if !seen[id] {
			t.Errorf("%s is listed, and is no operation by a role", id)
		}
	}
	for _, kind := range staff.ActingKinds() {
		if _, _, ok := (record.Record{Body: record.Empty(kind)}).InRoom(); !ok {
			continue
		}
		for _, role := range command.Floor.Roles {
			if !slices.Contains(staff.MayAct(kind, false), role) {
				t.Errorf("a room lets in a %s, who may not be the actor of %v", role, kind)
			}
		}
	}
}

// askingOperations returns the operations that answer with a request for consent.
func (r *rig) askingOperations() map[string]bool {
	r.t.Helper()
	var spec struct {
		Paths map[string]map[string]struct {
			OperationID string
			Responses   map[string]struct {
				Content map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					}
				}
			}
		}
	}
	r.send(http.MethodGet, "/openapi.json", "").into(r.t, &spec)
	found := map[string]bool{}
	for _, methods := range spec.Paths {
		for _, op := range methods {
			for _, answer := range op.Responses["200"].Content {
				if strings.HasSuffix(answer.Schema.Ref, "/Approval") {
					found[op.OperationID] = true
				}
			}
		}
	}
	if len(found) == 0 {
		r.t.Fatal("no operation asks for consent")
	}
	return found
}

// asks returns who may ask for what an operation asks for: the action is called as the
// operation is, or begins its name. Any action may be asked for, and decided on, by number.
func asks(t *testing.T, id string) []record.Role {
	t.Helper()
	switch id {
	case "request-approval":
		return staff.MayAct(record.KindApprovalRequested, false)
	case "decide-approval":
		return staff.MayAct(record.KindApprovalDecided, false)
	}
	name := strings.ReplaceAll(id, "-", "_")
	if action, ok := staff.Actions()[name]; ok {
		return action.Asks
	}
	for action, parties := range staff.Actions() {
		if strings.HasPrefix(name, action+"_") {
			return parties.Asks
		}
	}
	t.Errorf("%s asks for consent to nothing that takes two persons", id)
	return nil
}

// writtenBy returns the kind of record that an operation writes. It has the object of the
// operation in its name, and ends with what is done: key-terminal, terminal keyed.
func writtenBy(t *testing.T, id string) record.Kind {
	t.Helper()
	words := strings.FieldsFunc(id, func(c rune) bool { return c == '-' || c == '_' })
	best, found := 1, []record.Kind(nil)
	for _, kind := range staff.ActingKinds() {
		name := strings.Fields(kind.String())
		last := name[len(name)-1]
		if slices.ContainsFunc(words[1:], func(object string) bool { return !slices.Contains(name[:len(name)-1], object) }) {
			continue
		}
		alike := 0
		for alike < min(len(last), len(words[0])) && last[alike] == words[0][alike] {
			alike++
		}
		if alike > best {
			best, found = alike, nil
		}
		if alike == best && alike > 1 {
			found = append(found, kind)
		}
	}
	if len(found) != 1 {
		t.Errorf("%s writes one of %v: say which", id, found)
		return 0
	}
	t.Logf("%s writes %v", id, found[0])
	return found[0]
}
