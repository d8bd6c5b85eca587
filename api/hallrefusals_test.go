package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// decidedBy names, for each operation of a bingo room, the functions of package hall that
// decide it.
var decidedBy = map[string]string{
	"set_session": "SetSession", "change_session": "ChangeSession", "cancel_session": "CancelSession", "undo_entry": "Undo",
	"enter_session": "Enter", "seal_jackpot": "Seal", "announce_bingo": "Announce Seal", "correct_call": "Correct", "open_claim": "Open",
	"check_claim": "Check", "pay_bingo": "Pay", "void_bingo": "Declare", "invalidate_bingo": "Invalidate", "bar_player": "Bar",
	"pay_bingo_refund": "PayRefund", "fail_device": "Fail", "replace_device": "Replace", "return_device": "Return",
	"open_hall": "Establish", "add_table": "AddTable", "set_member": "SetMember", "close_issue": "CloseIssue", "sign_closure": "PutSign", "close_session": "Close",
	"call_bingo": "MayCall", "finish_bingo": "MayEnd Settle", "raise_dispute": "Raise", "move_dispute": "Move AwardDispute", "pay_award": "PayAward",
	"notify_promotion": "Notify", "start_promotion": "Start", "enter_promotion": "EnterOffer", "stop_promotion": "Stop", "draw_promotion": "SealOffer",
	"tell_winner": "Tell", "claim_promotion": "ClaimOffer", "note_incident": "Note",
}

// TestRoomRefusals reads package hall and holds against the description which codes can come
// of an operation: those of the function that decides it and of all that it calls.
func TestRoomRefusals(t *testing.T) {
	calls, codes := readHall(t)
	for op, entries := range decidedBy {
		reach := map[string]bool{}
		var visit func(string)
		visit = func(name string) {
			if reach[name] {
				return
			}
			reach[name] = true
			for callee := range calls[name] {
				visit(callee)
			}
		}
		for _, entry := range strings.Fields(entries) {
			if _, ok := calls[entry]; !ok {
				t.Errorf("%s: package hall has no %s", op, entry)
			}
			visit(entry)
		}
		want := map[string]bool{}
		for name := range reach {
			for code := range codes[name] {
				want[code] = true
			}
		}
		for _, said := range strings.Fields(refusals[op]) {
			delete(want, said)
		}
		if missing := slices.Sorted(maps.Keys(want)); len(missing) > 0 {
			t.Errorf("%s is also refused with %s", op, strings.Join(missing, " "))
		}
	}
}

// readHall returns, for each function of package hall, the functions of the package that it
// calls, by their names, and the codes with which it refuses itself.
func readHall(t *testing.T) (calls, codes map[string]map[string]bool) {
	t.Helper()
	parsed, err := parser.ParseDir(token.NewFileSet(), "../hall", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg := parsed["hall"]
	values, functions := map[string]string{}, map[string][]*ast.FuncDecl{}
	for _, file := range pkg.Files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				functions[d.Name.Name] = append(functions[d.Name.Name], d)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && len(v.Values) == 1 {
						if text, ok := v.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
							values[v.Names[0].Name], _ = strconv.Unquote(text.Value)
						}
					}
				}
			}
		}
	}
	calls, codes = map[string]map[string]bool{}, map[string]map[string]bool{}
	for name, list := range functions {
		calls[name], codes[name] = map[string]bool{}, map[string]bool{}
		for _, f := range list {
			ast.Inspect(f.Body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				called, method := "", false
				switch fun := call.Fun.(type) {
				case *ast.Ident:
					called = fun.Name
				case *ast.SelectorExpr:
					called, method = fun.Sel.Name, true
				}
				if id, ok := firstName(call); ok && called == "refuse" && values[id] != "" {
					codes[name][values[id]] = true
				}
				if slices.ContainsFunc(functions[called], func(f *ast.FuncDecl) bool { return (f.Recv != nil) == method }) {
					calls[name][called] = true
				}
				return true
			})
		}
	}
	return calls, codes
}

// firstName returns the name that is the first argument of a call.
func firstName(call *ast.CallExpr) (string, bool) {
	if len(call.Args) == 0 {
		return "", false
	}
	id, ok := call.Args[0].(*ast.Ident)
	if !ok {
		return "", false
	}
	return id.Name, true
}
