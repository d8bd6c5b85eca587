#!/usr/bin/env python3
"""The work by hand after the scripted commit, one commit a step. usage: hand.py <step>; run in the checkout."""
import re, sys, subprocess
def read(f): return open(f).read()
def write(f, s): open(f, "w").write(s)
def sub(f, old, new, n=1):
    s = read(f)
    assert s.count(old) == n, (f, s.count(old), old)
    write(f, s.replace(old, new))
step = sys.argv[1]
if step == "clause":
    # One function for the last clause of a citation, and one for the end of a time.
    s = read("counter/session.go")
    s = s.replace("lastCredit(is.Clause)", "lastCited(is.Clause)")
    s = re.sub(r"// lastCredit returns.*\nfunc lastCredit\(.*\n\n", "", s)
    s = s.replace('\t"strings"\n', "")
    write("counter/session.go", s)
    s = read("counter/voucher.go")
    s = s.replace("lastOf(paper.Clause)", "lastCited(paper.Clause)")
    s = re.sub(r"// lastOf returns the last of some clauses.\nfunc lastOf\(.*?\n}\n\n", "", s, flags=re.S)
    write("counter/voucher.go", s)
    sub("counter/payout.go", """	period := book.Payout().Period
	last, err := game.Ref.Day.AddMonths(period.Months + 12*period.Years)
	if err == nil {
		last, err = last.AddDays(period.Days)
	}
	return err""", """	last, err := endOfLife(book.Payout().Period, game.Ref.Day)
	return err""")
    sub("counter/sweep.go", """	last, err := from.AddMonths(after.Months + 12*after.Years)
	if err == nil {
		last, err = last.AddDays(after.Days)
	}
	if err != nil {""", """	last, err := endOfLife(after, from)
	if err != nil {""")
if step == "parties":
    s = read("counter/claim.go")
    s = re.sub(r"// signingRoles says.*?\n}\n\n", "", s, flags=re.S)
    s = re.sub(r"func signsFor\(.*?\n}\n\n", "", s, flags=re.S)
    s = s.replace("signsFor(", "speaksFor(")
    write("counter/claim.go", s)
    s = read("counter/stop.go")
    s = re.sub(r"// decidingRoles says.*?\n}\n", """// partyRoles says which roles of the house speak for a party that a rulebook names. Package
// verify has a table of its own.
var partyRoles = map[string][]record.Role{
	"licensee":                    {record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative},
	"operator":                    {record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative},
	"casino_operator":             {record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative},
	"state_wide_gaming_operative": {record.RoleOperative},
	"commission":                  {record.RoleInspector},
	inspectorParty:                {record.RoleInspector},
}
""", s, flags=re.S)
    s = s.replace("decidingRoles[", "partyRoles[")
    write("counter/stop.go", s)
if step == "refuse":
    # Shared codes and the first questions of every decision in one file.
    head = """package counter

import (
	"fmt"

	"drawhouse/refusal"
	"drawhouse/state"
)

// The codes that several decisions share.
const (
	TerminalUnknown refusal.Code = "terminal_unknown" // there is no such terminal
	SeriesUnknown   refusal.Code = "series_unknown"   // there is no such series of games
	SessionOpen     refusal.Code = "session_open"     // a customer session is open at the terminal
	ClaimCodeOther  refusal.Code = "claim_code_other" // the claim code is not the ticket's
	NotUndelivered  refusal.Code = "not_undelivered"  // the ticket was handed over
	InSession       refusal.Code = "in_session"       // vouchers have paid for it, and go back at the end of a session
	TenderOther     refusal.Code = "tender_other"     // it does not pay for tickets here
	OverCashLimit   refusal.Code = "over_cash_limit"  // more than may be paid in cash
	MeansOther      refusal.Code = "means_other"      // the rulebook says how so much, or a claim, is paid
	AlreadyPaid     refusal.Code = "already_paid"     // all that is owed was paid
	PaperUnknown    refusal.Code = "paper_unknown"    // there is no such paper, or it was used
	NobodyOnShift   refusal.Code = "no_writer"        // nobody has signed on at the terminal
	ReasonMissing   refusal.Code = "reason_missing"   // it needs a reason
)

func refuse(code refusal.Code, clause, path, format string, args ...any) error {
	return &refusal.Refusal{Code: code, Clause: clause, Path: path, Sentence: fmt.Sprintf(format, args...)}
}

// terminalOf returns a terminal, or refuses one that is not known.
func terminalOf(s *state.State, terminal uint32) (state.Terminal, error) {
	t, ok := s.Terminal(terminal)
	if !ok {
		return t, refuse(TerminalUnknown, "", "terminal", "There is no terminal %d.", terminal)
	}
	return t, nil
}

// seriesOf returns a series of games, or refuses one that is not known.
func seriesOf(s *state.State, number uint8) (*state.Series, error) {
	series, ok := s.Series(number)
	if !ok {
		return nil, refuse(SeriesUnknown, "", "series", "There is no series %d.", number)
	}
	return series, nil
}
"""
    shared = re.findall(r"^\t(\w+) +refusal.Code", head, re.M)
    import glob; files = sorted(glob.glob("counter/*.go"))
    for f in files:
        if f.endswith("_test.go"): continue
        s = t = read(f)
        for name in shared:
            t = re.sub(r"(?m)^\t%s +refusal\.Code = .*\n" % name, "", t)
        t = re.sub(r"func refuse\(.*?\n}\n", "", t, flags=re.S)
        t = re.sub(r"// terminalOf returns.*?\n}\n\n", "", t, flags=re.S)
        for call in ("nil, nil, ", "nil, "):
            t = re.sub(r"terminal, ok := s\.Terminal\((\w+)\.Request\.Terminal\)\n\tif !ok \{\n\t\treturn %s(?:refuse\(TerminalUnknown, \"\", \"terminal\", \"There is no terminal %%d\.\", \w+\.Request\.Terminal\)|&refusal\.Refusal\{Code: TerminalUnknown,[^\n]*\})\n\t\}" % call,
                       r"terminal, err := terminalOf(s, \1.Request.Terminal)\n\tif err != nil {\n\t\treturn %serr\n\t}" % call, t)
            t = re.sub(r"series, ok := s\.Series\((\w+)\.Series\)\n\tif !ok \{\n\t\treturn %s(?:refuse\(SeriesUnknown, \"\", \"series\", \"There is no series %%d\.\", \w+\.Series\)|&refusal\.Refusal\{Code: SeriesUnknown, Path: \"series\",[^\n]*\})\n\t\}" % call,
                       r"series, err := seriesOf(s, \1.Series)\n\tif err != nil {\n\t\treturn %serr\n\t}" % call, t)
        if t != s: write(f, t)
    write("counter/refuse.go", head)
    import os
    if os.path.exists("counter/unwind.go"):
        s = read("counter/unwind.go")
        s = re.sub(r"t, ok := s\.Terminal\(terminal\)\n\tif !ok \{\n\t\treturn EndedSession\{\}, refuse\(TerminalUnknown.*\n", "t, err := terminalOf(s, terminal)\n\tif err != nil {\n\t\treturn EndedSession{}, err\n", s)
        s = s.replace("// Unwind ends", "// UnwindSession ends")
        write("counter/unwind.go", s)
if step == "literals":
    for f in ("counter/sale.go", "counter/cancel.go"):
        s = read(f)
        def one(m):
            body = m.group(1)
            get = lambda k: (re.search(k + r": ((?:\"[^\"]*\"|\w+(?:\.\w+)*)(?:\(\))?(?:\.\w+\(\))*(?:\([^()]*\))?)", body) or [None, '""'])[1]
            code, path, clause = get("Code"), get("Path"), get("Clause")
            sentence = body[body.index("Sentence: ") + len("Sentence: "):].strip().rstrip(",")
            g = re.fullmatch(r"fmt\.Sprintf\((.*)\)", sentence, re.S)
            p = re.fullmatch(r'("[^"]*)" \+ ([\w.]+) \+ "\."', sentence)
            if g: args = g.group(1)
            elif p: args = p.group(1) + '%s.", ' + p.group(2)
            else: args = sentence; assert "%" not in sentence
            return f"refuse({code}, {clause}, {path}, {args})"
        s = re.sub(r"&refusal\.Refusal\{((?:[^{}])*)\}", one, s)
        s = s.replace('\t"fmt"\n', "").replace('import (\n\n', 'import (\n')
        write(f, s)
    s = read("sim/plants_test.go")
    s = s.replace("return record.Game{}, 0, &refusal.Refusal{\n\t\tCode: GameClosed,", "return record.Game{}, 0, refuse(GameClosed,")
    write("sim/plants_test.go", s)
if step == "vouchers":
    sub("counter/cancel.go", "slices.ContainsFunc(s.Funding(c.Place), func(f record.Funding) bool { return f.Card == 0 && f.Cents > 0 })", "isPaidByVoucher(s, c.Place)")
    sub("counter/payout.go", "!slices.ContainsFunc(s.Funding(ticket), func(f record.Funding) bool { return f.Card == 0 && f.Cents > 0 })", "!isPaidByVoucher(s, ticket)")
    s = read("counter/cancel.go")
    at = s.index("// checkCancel checks where")
    s = s[:at] + """// isPaidByVoucher reports whether vouchers have paid for a ticket, or for a part of it.
func isPaidByVoucher(s *state.State, ticket record.Place) bool {
	return slices.ContainsFunc(s.Funding(ticket), func(f record.Funding) bool { return f.Card == 0 && f.Cents > 0 })
}

""" + s[at:]
    write("counter/cancel.go", s)
    sub("counter/card.go", "\tcase card.Excluded(now) || card.Status == record.CardClosed:", "\tcase isCardShut(&card, now):")
    sub("counter/session.go", "case use.Cents < 0 && (card.Excluded(e.Now) || card.Status == record.CardClosed):", "case use.Cents < 0 && isCardShut(&card, e.Now):")
    sub("counter/session_pay.go", "if card.Excluded(e.Now) || card.Status == record.CardClosed {", "if isCardShut(&card, e.Now) {")
    s = read("counter/card.go")
    at = s.index("// CheckCardStake checks")
    s = s[:at] + """// isCardShut reports whether a card can be used for nothing: its holder may not play, or it
// was closed.
func isCardShut(card *state.Card, now record.Time) bool {
	return card.Excluded(now) || card.Status == record.CardClosed
}

""" + s[at:]
    write("counter/card.go", s)
