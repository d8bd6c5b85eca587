package rules_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/games/keno"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestCases runs the case files: rulebook/rules/ID/cases/CLAUSE.txt shows what a clause
// does, one operation a line:
//
//	[below|at|above] VERB ARGUMENTS -> EXPECTED
//
// Lines that begin with # are remarks. The verbs:
//
//	quote CHANNEL METHOD [runner] [pool] [venue:ID] REQUEST -> CENTS WAYS [jackpot] [to_go] | [plain]
//	quote ...       -> refused CODE CLAUSE     (- for no clause)
//	parse REQUEST   -> ok, or refused CODE PATH
//	ways REQUEST    -> the ways of all bets in the first game, numbers or rows joined by hyphens
//	first REQUEST   -> open, designated, or refused CODE CLAUSE
//	settle SCHEDULE NUMBERS ; TICKET ; ... -> PRIZE ...     (see settleCase)
//	explain SCHEDULE NUMBERS ; TICKET ; ... -> how the first ticket came by its prize
//	select, generate, cage: the draw devices             (see drawCase)
//	device NAME -> chosen, or refused CODE CLAUSE: what draws the games
//	notice CHANNEL N -> the Nth line of the notice at such a terminal
//	serial TEXT             (see ticketSerialCase)
//	number TEXT             (see gameNumberCase)
//	jackpot VERB ...        (see jackpotCase)
//	bingo VERB ...          (see bingoCase)
//
// Blocks of lines that begin with "house" are scenarios, see TestScenarios.
//
// A quote is the cost over all games and the ways in one game; what follows, if
// anything does, is what else the price says. A request may leave out its
// version and rulebook. Picks take the lowest numbers.
func TestCases(t *testing.T) {
	files, err := cases.ReadAll(".")
	if err != nil {
		t.Fatal(err)
	}
	houses := map[string]*caseHouse{}
	for _, file := range files {
		t.Run(file.Rulebook+"/"+file.Clause, func(t *testing.T) {
			if houses[file.Rulebook] == nil {
				houses[file.Rulebook] = newCaseHouse(t, file.Rulebook)
			}
			for _, line := range file.Lines {
				if err := houses[file.Rulebook].run(line); err != nil {
					t.Errorf("%s:%d: %v\n%v", file.Path, line.Number, line, err)
				}
			}
		})
	}
}

// TestScenarios plays the scenarios of the case files in houses in memory, which begin anew from their journals before
// every line: wagers that are carried, days without a further game, and open sessions come back as they were. An
// engine goes on from a snapshot in the middle of each, and package verify, which grades by itself, checks each
// journal. Package api plays the scenarios over the interface of a running house, which does not begin anew.
func TestScenarios(t *testing.T) {
	files, err := cases.ReadAll(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, scenario := range file.Scenarios {
			t.Run(fmt.Sprintf("%s/%s:%d", file.Rulebook, file.Clause, scenario[0].Number), func(t *testing.T) {
				t.Parallel()
				played.Add(1)
				var core *cases.Core
				between := func() error { return core.Restart() }
				if err := file.Run(scenario, func(f cases.Founding) (cases.House, error) {
					var err error
					core, err = cases.NewCore(f)
					return core, err
				}, between); err != nil {
					t.Fatal(err)
				}
				if err := core.CheckSnapshot(len(core.Records) / 2); err != nil {
					t.Error(err)
				}
				report, err := core.Verify()
				if err != nil {
					t.Fatal(err)
				}
				if report.Failure != nil {
					t.Errorf("%s:%d: %v", file.Path, scenario[0].Number, report.Failure)
				}
			})
		}
	}
	if !slices.ContainsFunc(files, func(f cases.File) bool { return len(f.Scenarios) > 0 }) {
		t.Error("there are no scenarios")
	}
}

// TestHalls plays the scenarios of bingo rooms, and has package verify check the journal of each. It plays each
// again in a house that begins anew from its journal before every line.
func TestHalls(t *testing.T) {
	files, err := cases.ReadAll(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, scenario := range file.Halls {
			t.Run(fmt.Sprintf("%s/%s:%d", file.Rulebook, file.Clause, scenario[0].Number), func(t *testing.T) {
				t.Parallel()
				rooms.Add(1)
				for _, restarts := range []bool{false, true} {
					if err := file.RunHall(scenario, restarts); err != nil {
						t.Errorf("restarts %v: %v", restarts, err)
					}
				}
			})
		}
	}
	if !slices.ContainsFunc(files, func(f cases.File) bool { return len(f.Halls) > 0 }) {
		t.Error("there are no scenarios of bingo rooms")
	}
}

// played and rooms count scenarios of keno and of bingo rooms that TestScenarios and TestHalls have played.
var played, rooms atomic.Int64

// TestEveryCommandIsTold finds the commands that no scenario gives, when TestScenarios and TestHalls have played all.
func TestEveryCommandIsTold(t *testing.T) {
	files, err := cases.ReadAll(".")
	if err != nil {
		t.Fatal(err)
	}
	var keno, bingo int64
	for _, file := range files {
		keno, bingo = keno+int64(len(file.Scenarios)), bingo+int64(len(file.Halls))
	}
	if played.Load() < keno || rooms.Load() < bingo {
		t.Skip("TestScenarios and TestHalls have not played all scenarios")
	}
	for _, row := range command.Rows() {
		if reason := untold[row.Name]; cases.Told(row) == (reason != "") {
			t.Errorf("%s: a case gives it: %t; why none does: %q", row.Name, cases.Told(row), reason)
		}
	}
	for name := range untold {
		if _, ok := command.Named(name); !ok {
			t.Errorf("there is no command %s", name)
		}
	}
}

// untold are the commands that no case gives, and why.
var untold = func() map[string]string {
	all := map[string]string{}
	for _, some := range []struct{ names, reason string }{
		{"begin-duty leave-duty end-duty send-home", "the verbs on, leave and off have the house do it for the person"},
		{"set-hours", "the verb hours has the house do it"},
		{"open-day", "the verb day has the engine open it"},
		{"add-operator add-venue rename-venue add-area add-terminal place-terminal key-terminal grant-role withdraw-role lock-person",
			"no clause says how the list of people and places is kept"},
		{"choose-beacon", "no clause knows a public beacon; packages engine, verify and house show it"},
		{"name-holidays show-notice hand-cheque reverse-remittance", "no clause asks for it"},
		{"appoint-inspector dismiss-inspector lock-inspector", "no clause says how inspectors are appointed"},
		{"erase-claimant erase-holder erase-payee", "it forgets what is in a register, and no case has one"},
		{"adopt-rulebook", "a case is of one rulebook and one series"},
		{"pay-by-hand bring-in-payment", "clauses.yaml says that no case shows it"},
		{"confirm-result", "a device repeats itself, and the numbers of a case are chosen"},
		{"give-aside", "packages engine and verify show it"},
		{"agree-venue carry-cash receive-remittance name-creditor order-debits take-in-answer " +
			"withdraw-debits pay-venue reverse-venue-payment",
			"no clause is about the account of a venue; packages engine, verify and api show it"},
	} {
		for name := range strings.FieldsSeq(some.names) {
			all[name] = some.reason
		}
	}
	return all
}()

// caseHouse is what the cases of one rulebook are run against.
type caseHouse struct {
	id      string
	book    *rulebook.Book
	desk    *keno.Desk
	setting keno.Setting
}

func newCaseHouse(t *testing.T, id string) *caseHouse {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	house, err := caseHouseBy(book)
	if err != nil {
		t.Fatal(err)
	}
	return house
}

// caseHouseBy returns what cases are run against under a book.
func caseHouseBy(book *rulebook.Book) (*caseHouse, error) {
	desk, err := keno.NewDesk(book)
	if err != nil && !errors.Is(err, keno.ErrNotKeno) {
		return nil, err
	}
	return &caseHouse{id: book.ID(), book: book, desk: desk, setting: keno.Setting{
		Open:       keno.GameRef{Day: book.From(), Game: 1},
		Designated: keno.GameRef{Day: book.From(), Game: 5},
		Entropy:    lowest{},
	}}, nil
}

// lowest is a source of zeros: every pick takes the lowest numbers.
type lowest struct{}

func (lowest) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// run runs one line and returns why it is not as it says.
func (h *caseHouse) run(line cases.Line) error {
	if line.Want == "" {
		return errors.New("the line expects nothing")
	}
	got, err := h.operate(line.Operation, len(strings.Fields(line.Want)) > 2)
	if err != nil {
		return err
	}
	if got != line.Want {
		return fmt.Errorf("got %s", got)
	}
	return nil
}

// operate runs what a line asks for.
func (h *caseHouse) operate(operation string, flags bool) (string, error) {
	if plays, ok := strings.CutPrefix(operation, "settle "); ok {
		return settleCase(h.book, plays, false)
	}
	if plays, ok := strings.CutPrefix(operation, "explain "); ok {
		return settleCase(h.book, plays, true)
	}
	if got, ok, err := drawCase(operation); ok {
		return got, err
	}
	if name, ok := strings.CutPrefix(operation, "device "); ok {
		return deviceCase(h.book, record.Device(name))
	}
	if text, ok := strings.CutPrefix(operation, "notice "); ok {
		return noticeCase(h.book, text)
	}
	if text, ok := strings.CutPrefix(operation, "serial "); ok {
		return ticketSerialCase(text), nil
	}
	if text, ok := strings.CutPrefix(operation, "number "); ok {
		return gameNumberCase(h.book, text), nil
	}
	if move, ok := strings.CutPrefix(operation, "jackpot "); ok {
		return jackpotCase(h.book, move)
	}
	if play, ok := strings.CutPrefix(operation, "bingo "); ok {
		return bingoCase(h.book, play)
	}
	head, form, ok := strings.Cut(operation, " {")
	if !ok {
		return "", errors.New("the line has no request")
	}
	return h.do(strings.Fields(head), cases.Complete(h.id, "{"+form), flags)
}

// deviceCase has a house choose what draws its games before its first Keno Day.
func deviceCase(book *rulebook.Book, device record.Device) (string, error) {
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(),
		Begin: cases.Noon(book.From()), Seed: "device"})
	if err != nil {
		return "", err
	}
	err = core.Engine.ChooseDevice(record.Of(cases.Noon(book.From())), record.DeviceChosen{Series: 1, Device: device})
	if refused, ok := errors.AsType[*refusal.Refusal](err); ok {
		return fmt.Sprintf("refused %s %s", refused.Code, cmp.Or(refused.Clause, "-")), nil
	}
	return "chosen", err
}

// noticeCase returns a line of the notice at a kind of terminal.
func noticeCase(book *rulebook.Book, text string) (string, error) {
	var channel string
	var n int
	if _, err := fmt.Sscanf(text, "%s %d", &channel, &n); err != nil {
		return "", fmt.Errorf("%q should be CHANNEL N: %w", text, err)
	}
	all := keno.Notices(book, rulebook.Channel(channel))
	if n < 1 || n > len(all) {
		return "nothing", nil
	}
	return all[n-1].String(), nil
}

// do runs one verb. With flags a quote says all that the price says.
func (h *caseHouse) do(words []string, form []byte, flags bool) (string, error) {
	req, err := keno.ParseRequest(form)
	switch verb := words[0]; {
	case verb == "parse" && err != nil:
		return refused(err, func(r *keno.Refusal) string { return r.Path })
	case verb == "parse":
		return "ok", nil
	case err != nil:
		return "", err
	case verb == "quote":
		return h.quote(words[1:], req, flags)
	case verb == "ways":
		return h.ways(req)
	case verb == "first":
		return h.first(req)
	}
	return "", fmt.Errorf("no such verb: %s", words[0])
}

// refused returns how a case writes a refusal. Another error fails the case.
func refused(err error, second func(*keno.Refusal) string) (string, error) {
	var r *keno.Refusal
	if !errors.As(err, &r) {
		return "", err
	}
	word := second(r)
	if word == "" {
		word = "-"
	}
	return fmt.Sprintf("refused %s %s", r.Code, word), nil
}

func clauseOf(r *keno.Refusal) string { return r.Clause }

func (h *caseHouse) quote(words []string, req keno.Request, flags bool) (string, error) {
	if len(words) < 2 {
		return "", errors.New("a quote needs a channel and a method")
	}
	env := keno.Envelope{Channel: rulebook.Channel(words[0]), Method: rulebook.Method(words[1])}
	for _, word := range words[2:] {
		venue, isVenue := strings.CutPrefix(word, "venue:")
		switch {
		case word == "runner":
			env.Runner = true
		case word == "pool":
			env.PoolGame = true
		case isVenue:
			env.Venue = venue
		default:
			return "", fmt.Errorf("no such word: %s", word)
		}
	}
	price, err := h.desk.QuoteRequest(req, h.setting, env)
	if err != nil {
		return refused(err, clauseOf)
	}
	got := fmt.Sprintf("%d %d", price.Cost.Cents(), price.Ways)
	if !flags {
		return got, nil
	}
	before := got
	if price.Jackpot {
		got += " jackpot"
	}
	if price.ToGo {
		got += " to_go"
	}
	if got == before {
		got += " plain"
	}
	return got, nil
}

func (h *caseHouse) ways(req keno.Request) (string, error) {
	ticket, err := h.desk.Resolve(req, h.setting)
	if err != nil {
		return refused(err, clauseOf)
	}
	var list []string
	for i := range ticket.Bets {
		for way := range h.desk.Ways(&ticket.Bets[i], 0) {
			list = append(list, wayText(way))
		}
	}
	return strings.Join(list, " "), nil
}

func wayText(way keno.Way) string {
	switch {
	case way.Spots.IsValid():
		return strings.ReplaceAll(way.Spots.String(), " ", "-")
	case way.Call.IsValid():
		return way.Call.String()
	}
	var b bytes.Buffer
	for i, row := range way.Rows {
		if row == 0 {
			break
		}
		if i > 0 {
			b.WriteByte('-')
		}
		fmt.Fprint(&b, row)
	}
	return b.String()
}

func (h *caseHouse) first(req keno.Request) (string, error) {
	ticket, err := h.desk.Resolve(req, h.setting)
	switch {
	case err != nil:
		return refused(err, clauseOf)
	case ticket.First == h.setting.Open:
		return "open", nil
	case ticket.First == h.setting.Designated:
		return "designated", nil
	}
	return ticket.First.String(), nil
}
