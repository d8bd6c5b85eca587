package cases

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/edge/api"
	"drawhouse/journal/record"
)

// This file has the verbs of customer sessions, papers and stops of payment.

var terminalPattern = regexp.MustCompile(`^T(\d+)$`)

// next begins a customer session: what T sells, pays and cancels is settled at its end.
func (r *run) next(text string) (string, error) {
	words, err := phrase(terminalPattern, text, "TERMINAL")
	if err != nil {
		return "", err
	}
	r.house.NextCustomer(uint32(number(words[0])))
	return "next", nil
}

// said are words that may follow a verb, and what they set with what stands behind them.
type said struct {
	words string
	set   func(r *run, v *Visit, args []string) error
}

// flag is words with nothing behind them.
func flag(words string, set func(*Visit)) said {
	return said{words, func(_ *run, v *Visit, args []string) error {
		set(v)
		return none(args)
	}}
}

func none(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q says nothing here", args[0])
	}
	return nil
}

// cents is words with an amount behind them.
func cents(words string, to func(*Visit) *money.Amount) said {
	return said{words, func(_ *run, v *Visit, args []string) (err error) {
		if len(args) != 1 {
			return fmt.Errorf("%s takes an amount", words)
		}
		*to(v), err = amount(args[0])
		return err
	}}
}

// settling are the words that may follow settle TERMINAL, in any order.
var settling = []said{
	{"with", func(r *run, v *Visit, args []string) error {
		for _, name := range args {
			p, ok := r.papers[name]
			if !ok {
				return fmt.Errorf("no paper %s was issued", name)
			}
			v.Papers = append(v.Papers, p)
		}
		return nil
	}},
	{"card", func(_ *run, v *Visit, args []string) (err error) {
		if len(args) != 2 {
			return errors.New("card takes a number and an amount")
		}
		v.Card = uint32(number(args[0]))
		v.CardCents, err = amount(args[1])
		return err
	}},
	{"pay", func(_ *run, v *Visit, args []string) (err error) {
		v.Pay, err = shares(strings.Join(args, " "))
		return err
	}},
	cents("chips", func(v *Visit) *money.Amount { return &v.Chips }),
	cents("but", func(v *Visit) *money.Amount { return &v.Cash }),
	{"carried by", func(r *run, v *Visit, args []string) error {
		if len(args) != 1 {
			return errors.New("carried by takes a role")
		}
		v.Runner = r.personOf(record.Role(args[0]))
		return nil
	}},
	flag("given back", func(v *Visit) { v.Refund = true }),
	flag("payee", func(v *Visit) { v.Payee, v.Account = true, true }),
	flag("another payee", func(v *Visit) { v.Payee, v.Other, v.Account = true, true, true }),
	flag("nameless account", func(v *Visit) { v.Account = true }),
	flag("without account", func(v *Visit) { v.Account = false }),
	flag("checked", func(v *Visit) { v.Checked = true }),
	flag("unpaid", func(v *Visit) { v.Unpaid = true }),
	flag("print", func(v *Visit) { v.Print = true }),
	flag("display down", func(v *Visit) { v.DisplayDown = true }),
	flag("anonymous", func(v *Visit) { v.Anonymous = true }),
}

// begins returns what begins with these words, and how many words it is.
func begins(words []string) (said, int) {
	for _, s := range settling {
		if own := strings.Fields(s.words); len(own) <= len(words) && slices.Equal(own, words[:len(own)]) {
			return s, len(own)
		}
	}
	return said{}, 0
}

// visitOf reads what is said of the end of a session.
func (r *run) visitOf(words []string) (v Visit, err error) {
	for len(words) > 0 {
		s, n := begins(words)
		if n == 0 {
			return v, fmt.Errorf(
				"%q is not understood: settle TERMINAL [with PAPER ...] [given back] [card N AMOUNT] [chips AMOUNT] "+
					"[pay MEANS AMOUNT, ...] [[another] payee [without account] | nameless account] [checked] [unpaid [but AMOUNT]] "+
					"[print] [display down] [anonymous] [= NAME ...]", words[0])
		}
		end := n
		for end < len(words) {
			if _, next := begins(words[end:]); next > 0 {
				break
			}
			end++
		}
		if err := s.set(r, &v, words[n:end]); err != nil {
			return v, err
		}
		words = words[end:]
	}
	return v, nil
}

// settle ends a customer session. What goes in stands as it is and what goes out with
// a minus; papers that are issued get the names that follow an equals sign.
func (r *run) settle(text string) (string, error) {
	text, names, _ := strings.Cut(text, " = ")
	at, rest, _ := strings.Cut(text, " ")
	terminal, err := phrase(terminalPattern, at, "TERMINAL")
	if err != nil {
		return "", err
	}
	v, err := r.visitOf(strings.Fields(rest))
	if err != nil {
		return "", err
	}
	settled, err := r.house.EndCustomer(uint32(number(terminal[0])), v)
	if err != nil {
		return "", err
	}
	for i, name := range strings.Fields(names) {
		if i < len(settled.Papers) {
			r.papers[name] = settled.Papers[i]
		}
	}
	return settled.text(), nil
}

// amount reads an amount, or nothing, which is zero; it may be negative.
func amount(text string) (money.Amount, error) {
	if text == "" {
		return 0, nil
	}
	negative := strings.HasPrefix(text, "-")
	a, err := money.Parse(strings.TrimPrefix(text, "-"))
	if negative {
		a = -a
	}
	return a, err
}

// shares reads how somebody wants to be paid: cash 300.00, cheque.
func shares(text string) ([]counter.Share, error) {
	if text == "" {
		return nil, nil
	}
	var all []counter.Share
	for _, part := range strings.Split(text, ", ") {
		means, cents, _ := strings.Cut(part, " ")
		a, err := amount(cents)
		if err != nil {
			return nil, err
		}
		all = append(all, counter.Share{Means: means, Cents: a})
	}
	return all, nil
}

var tenderNames = map[record.TenderKind]string{
	record.TenderCash: "cash", record.TenderChips: "chips", record.TenderInstrument: "paper", record.TenderCard: "card",
	record.TenderCheque: "cheque", record.TenderSiteCheque: "site_cheque", record.TenderTransfer: "transfer",
	record.TenderUnpaid:   "unpaid",
	record.TenderWithheld: "withheld",
}

func (s Settled) text() string {
	var words []string
	for _, t := range s.Tenders {
		words = append(words, fmt.Sprintf("%s %v", tenderNames[t.Kind], t.Cents))
	}
	for _, p := range s.Papers {
		words = append(words, fmt.Sprintf("%s %v", p.ID, -p.Cents))
	}
	if s.Printed != "" {
		words = append(words, "printed for "+s.Printed)
	}
	if words == nil {
		return "even"
	}
	return strings.Join(words, ", ")
}

var issuePattern = regexp.MustCompile(
	`^(\w+) at T(\d+) (\w+) ([\d.]+)(?: for (\d+) days)?(?: for ([a-z_]+))?( by the operator)?$`)

func (r *run) issue(text string) (string, error) {
	words, err := phrase(issuePattern, text, "NAME at TERMINAL KIND AMOUNT [for N days] [for BET] [by the operator]")
	if err != nil {
		return "", err
	}
	cents, err := amount(words[3])
	if err != nil {
		return "", err
	}
	p, err := r.house.IssuePaper(uint32(number(words[1])), words[2], cents, number(words[4]), words[5], words[6] != "")
	if err != nil {
		return "", err
	}
	r.papers[words[0]] = p
	return p.Cents.String(), nil
}

// paper says what a paper is worth and until when it can be used.
func (r *run) paper(name string) (string, error) {
	s, _, err := r.series()
	if err != nil {
		return "", err
	}
	named, ok := r.papers[name]
	if !ok {
		return "", fmt.Errorf("no paper %s was issued", name)
	}
	p, ok := s.Paper(named.Place)
	switch {
	case !ok:
		return "gone", nil
	case p.LastDay == 0:
		return p.Cents.String(), nil
	case p.Kept != p.LastDay:
		return fmt.Sprintf("%v until %v, kept until %v", p.Cents, p.LastDay, p.Kept), nil
	}
	return fmt.Sprintf("%v until %v", p.Cents, p.LastDay), nil
}

// plays says which type of game a paper pays for.
func (r *run) plays(name string) (string, error) {
	s, err := r.house.State()
	if err != nil {
		return "", err
	}
	named, ok := r.papers[name]
	if !ok {
		return "", fmt.Errorf("no paper %s was issued", name)
	}
	p, ok := s.Paper(named.Place)
	switch {
	case !ok:
		return "gone", nil
	case p.GameType == "":
		return "any", nil
	}
	return p.GameType, nil
}

var cardPattern = regexp.MustCompile(`^born (\S+)( excluded| staff)?$`)

func (r *run) card(text string) (string, error) {
	words, err := phrase(cardPattern, text, "born DATE [excluded or staff]")
	if err != nil {
		return "", err
	}
	made, err := r.house.DoesAs(0,
		command.RegisterCard{Holder: command.Customer{Born: words[0]}, Details: record.Hash{1},
			Excluded: words[1] == " excluded", Staff: words[1] == " staff"})
	if err != nil {
		return "", err
	}
	card, _ := made.(*record.CardRegistered)
	return fmt.Sprintf("card %d", card.Card), nil
}

func (r *run) exclude(text string) (string, error) {
	return "excluded", r.house.Does(command.SetCard{Card: uint32(number(text)), Status: string(record.CardExcluded),
		Reason: "own wish"})
}

func (r *run) readmit(text string) (string, error) {
	return "readmitted", r.house.Does(command.SetCard{Card: uint32(number(text)), Status: string(record.CardActive),
		Reason: "own wish"})
}

func (r *run) funds(text string) (string, error) {
	s, _, err := r.series()
	if err != nil {
		return "", err
	}
	card, ok := s.Card(uint32(number(text)))
	if !ok {
		return "", fmt.Errorf("there is no card %s", text)
	}
	return card.Cents.String(), nil
}

var limitPattern = regexp.MustCompile(`^venue (\d+) ([\d.]+)$`)

func (r *run) limit(text string) (string, error) {
	words, err := phrase(limitPattern, text, "venue N AMOUNT")
	if err != nil {
		return "", err
	}
	limit, err := amount(words[1])
	if err != nil {
		return "", err
	}
	return "set", r.house.Does(command.SetLimit{OfVenue: command.OfVenue{Venue: uint32(number(words[0]))},
		Cents: limit.Cents()})
}

// places returns where tickets and papers stand.
func (r *run) places(text string) ([]record.Place, error) {
	var all []record.Place
	for _, name := range strings.Fields(text) {
		if t, ok := r.tickets[name]; ok {
			all = append(all, t.Place)
		} else if p, ok := r.papers[name]; ok {
			all = append(all, p.Place)
		} else {
			return nil, fmt.Errorf("there is no ticket or paper %s", name)
		}
	}
	return all, nil
}

func (r *run) freeze(text string) (string, error) {
	places, err := r.places(text)
	if err != nil {
		return "", err
	}
	return "frozen", r.house.Does(command.FreezePayment{Places: places, Reason: "not paid for"})
}

// release lets tickets and papers be paid again, for which something may have been paid late.
func (r *run) release(text string) (string, error) {
	names, worth, late := strings.Cut(text, " paid ")
	places, err := r.places(names)
	if err != nil {
		return "", err
	}
	var paid money.Amount
	if late {
		if paid, err = amount(worth); err != nil {
			return "", err
		}
	}
	return "released", r.house.Release(places, "paid after all", paid)
}

var disqualifyPattern = regexp.MustCompile(`^(\w+) by ([\w ]+)$`)

// disqualify has persons of some roles disqualify a ticket.
func (r *run) disqualify(text string) (string, error) {
	words, err := phrase(disqualifyPattern, text, "NAME by ROLE ...")
	if err != nil {
		return "", err
	}
	var persons []uint32
	for _, role := range strings.Fields(words[1]) {
		persons = append(persons, r.personOf(record.Role(role)))
	}
	return "disqualified", r.house.Disqualify(r.tickets[words[0]], "suspected fraud", persons)
}

// personOf returns a person of a role, and one that does not exist if there is none.
func (r *run) personOf(role record.Role) uint32 {
	s, err := r.house.State()
	if err != nil {
		return 0
	}
	for _, p := range s.People().Persons() {
		if p.HasAny(role) {
			return p.ID
		}
	}
	return 0
}

func (r *run) operator() uint32 {
	for _, role := range []record.Role{record.RoleSupervisor, record.RoleOperative, record.RoleAdministrator} {
		if id := r.personOf(role); id != 0 {
			return id
		}
	}
	return 0
}

func (r *run) reinstate(name string) (string, error) {
	return "reinstated", r.house.Reinstate(r.tickets[name], "cleared up")
}

func (r *run) invalidate(name string) (string, error) {
	return "invalid", r.house.Invalidate(r.tickets[name], "the bet was withdrawn")
}

func (r *run) forfeit(text string) (string, error) {
	t, terminal, err := r.ticket(text)
	if err != nil {
		return "", err
	}
	cents, err := r.house.Forfeit(terminal, t)
	return cents.String(), err
}

func (r *run) undelivered(text string) (string, error) {
	t, terminal, err := r.ticket(text)
	if err != nil {
		return "", err
	}
	return "undelivered", r.house.Undelivered(terminal, t)
}

func (r *run) reprint(text string) (string, error) {
	t, terminal, err := r.ticket(text)
	if err != nil {
		return "", err
	}
	return "printed", r.house.Reprint(terminal, t)
}

var anonymousPattern = regexp.MustCompile(`^(\w+)( no more)?$`)

// anonymous says whether a winner may be named: a name alone asks.
func (r *run) anonymous(text string) (string, error) {
	words, err := phrase(anonymousPattern, text, "NAME [no more]")
	if err != nil {
		return "", err
	}
	if words[1] != "" {
		return "named", r.house.Does(command.SetAnonymity{Ticket: r.tickets[words[0]].Place})
	}
	if served, ok := r.house.(*Served); ok { // What anybody is told who asks for the ticket.
		var ticket api.Ticket
		if err := served.send(http.MethodGet, "/v1/tickets/"+r.tickets[words[0]].Serial, nil, &ticket); err != nil {
			return "", err
		}
		return yesOrNo(ticket.Anonymous), nil
	}
	s, err := r.house.State()
	if err != nil {
		return "", err
	}
	return yesOrNo(s.Anonymous(r.tickets[words[0]].Place)), nil
}

func yesOrNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// minuteLayout is how cases write a time.
const minuteLayout = "2006-01-02 15:04"

var chequePattern = regexp.MustCompile(`^asked (\S+ \S+?)(?: holidays ([\d -]+))?$`)

// cheque says until when a site cheque must be there.
func (r *run) cheque(text string) (string, error) {
	words, err := phrase(chequePattern, text, "asked DATE HH:MM [holidays DATE ...]")
	if err != nil {
		return "", err
	}
	asked, err := time.ParseInLocation(minuteLayout, words[0], zone)
	if err != nil {
		return "", err
	}
	due, ok := counter.ChequeDue(r.book, counter.SiteCheque, record.Of(asked), offset, func(d day.Day) bool {
		return slices.Contains(strings.Fields(words[1]), d.String())
	})
	if !ok {
		return "no time", nil
	}
	return due.Time().In(zone).Format(minuteLayout), nil
}

// promised lists the cheques that customers wait for, the one that is due first before the
// others.
func (r *run) promised(string) (string, error) {
	s, err := r.house.State()
	if err != nil {
		return "", err
	}
	var all []string
	for _, c := range s.Cheques() {
		all = append(all, fmt.Sprintf("%s %v at venue %d until %s", c.Means, c.Cents, c.Venue,
			c.Due.Time().In(zone).Format(minuteLayout)))
	}
	if len(all) == 0 {
		return "nothing", nil
	}
	return strings.Join(all, ", "), nil
}

var lossPattern = regexp.MustCompile(`^venue (\d+) on (\S+)$`)

func (r *run) loss(text string) (string, error) {
	words, err := phrase(lossPattern, text, "venue N on DATE")
	if err != nil {
		return "", err
	}
	date, err := day.Parse(words[1])
	if err != nil {
		return "", err
	}
	s, err := r.house.State()
	if err != nil {
		return "", err
	}
	return s.Loss(uint32(number(words[0])), date).String(), nil
}

var bankPattern = regexp.MustCompile(`^T(\d+)(?: (float|fill|drop|count) ([\d.]+))?( alone)?$`)

// bank moves or counts the cash of a writer's bank and says what it should have. The
// venue's senior signs too, unless the writer is alone.
func (r *run) bank(text string) (string, error) {
	words, err := phrase(bankPattern, text, "TERMINAL [float|fill|drop|count AMOUNT] [alone]")
	if err != nil {
		return "", err
	}
	terminal := uint32(number(words[0]))
	cents, err := amount(words[2])
	if err != nil {
		return "", err
	}
	by, with := r.signers(terminal)
	if words[3] != "" {
		with = by
	}
	switch words[1] {
	case "":
	case "count":
		err = r.house.CountBank(record.BankCounted{Terminal: terminal, CountedCents: cents, By: by, With: with})
	default:
		err = r.house.MoveBank(record.BankMoved{Terminal: terminal, Move: record.BankMove(words[1]), Cents: cents,
			By: by, With: with})
	}
	if err != nil {
		return "", err
	}
	s, err := r.house.State()
	if err != nil {
		return "", err
	}
	bank, _ := counter.BankOf(s, terminal)
	return fmt.Sprintf("drawer %v customer %v", bank.Drawer, bank.Customer), nil
}

// signers returns two persons who may sign for the bank of a terminal.
func (r *run) signers(terminal uint32) (by, with uint32) {
	s, err := r.house.State()
	if err != nil {
		return 0, 0
	}
	t, _ := s.Terminal(terminal)
	for _, p := range s.People().Persons() {
		switch {
		case by == 0 && (p.Has(record.RoleSenior, t.Venue) || p.Has(record.RoleWriter, t.Venue)):
			by = p.ID
		case with == 0 && (p.Has(record.RoleSenior, t.Venue) ||
			p.HasAny(record.RoleSupervisor, record.RoleOperative, record.RoleAdministrator)):
			with = p.ID
		}
	}
	return by, with
}

// owes says what the customer at a terminal owes, or is owed.
func (r *run) owes(text string) (string, error) {
	words, err := phrase(terminalPattern, text, "TERMINAL")
	if err != nil {
		return "", err
	}
	s, err := r.house.State()
	if err != nil {
		return "", err
	}
	sum, _ := counter.SummariseSession(s, momentOf(s), uint32(number(words[0])))
	return sum.Owed.String(), nil
}

// momentOf is the time of a state, at which a session is looked at.
func momentOf(s *state.State) counter.Moment {
	of, _ := s.Series(series)
	return counter.Moment{Book: of.Book, Today: of.Today(s.Now()), Now: s.Now()}
}

// payee commits to who is named on a cheque or voucher.
func (v *Visit) payee() [sha256.Size]byte {
	if v.Other {
		return sha256.Sum256([]byte("another payee with salt"))
	}
	return sha256.Sum256([]byte("a payee with salt"))
}
