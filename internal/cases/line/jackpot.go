package line

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/games/jackpot"
	"drawhouse/rulebook"
)

// jackpotCase runs the verbs of jackpots. A POOL is "SPOTS BALANCE AMOUNT ...", as
// in "9 primary 50,000.00 secondary 12.345", with the word won if it was; a pool of
// another series has it before its spots: "2/9". Amounts of pools may have parts of
// a cent. Without a SCHEDULE it is the rulebook's first.
//
//	jackpot enters BET SPOTS -> yes | no
//	jackpot wins BET MATCHED of SPOTS -> yes | no
//	jackpot open SPOTS -> POOL
//	jackpot contribute POOL [; opened POOL] ; STAKES -> POOL
//	jackpot win [SCHEDULE] POOL [; multiplier N] [; elsewhere GROWTH STAKES] ; STAKE [bonus] ; ... -> SHARE ... ; POOL
//	jackpot fixed ...    as win, without what is shared with others
//	jackpot explain ...  as win, and gives the lines of the first winner
//	jackpot showing [SCHEDULE] POOL [; elsewhere GROWTH STAKES] -> AMOUNT
//	jackpot next POOL -> POOL
//	jackpot lend POOL ; AMOUNT by CLAUSE [approved] -> POOL, or refused CODE CLAUSE
//	jackpot reallocate ..., jackpot set-aside ...    as lend
//	jackpot give POOL to POOL ; AMOUNT by CLAUSE [approved] ; STAKE ; ... -> SHARE ... ; POOL
//	jackpot migrate POOL ; ... ; into POOL -> POOL
//	jackpot join AMOUNT into AMOUNT -> AMOUNT, cents risen
//	jackpot reports PARTICIPANT ... ; PARTICIPANT GROWTH STAKES ; ... -> growth AMOUNT stakes AMOUNT, or waits for ...
//
// A movement of the operator's money or to other jurisdictions is told after the
// pool: "operator $140.00".
func jackpotCase(book *rulebook.Book, operation string) (string, error) {
	verb, rest, _ := strings.Cut(operation, " ")
	schedule := book.Schedules()[0].ID()
	if word, after, _ := strings.Cut(rest, " "); word != "" {
		if _, ok := book.Schedule(word); ok {
			schedule, rest = word, after
		}
	}
	terms, err := jackpot.NewTerms(book, schedule)
	if err != nil {
		return "", err
	}
	run, ok := jackpotVerbs[verb]
	if !ok {
		return "", fmt.Errorf("no such verb: jackpot %s", verb)
	}
	parts := strings.Split(rest, ";")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	got, err := run(terms, parts)
	var r *refusal.Refusal
	if errors.As(err, &r) {
		return fmt.Sprintf("refused %s %s", r.Code, r.Clause), nil
	}
	return got, err
}

var jackpotVerbs = map[string]func(*jackpot.Terms, []string) (string, error){
	"enters":     enterCase,
	"wins":       enterCase,
	"open":       openCase,
	"contribute": contributeCase,
	"win":        winCase((*jackpot.Terms).Win),
	"fixed":      winCase(fixed),
	"explain":    explainCase,
	"showing":    showingCase,
	"next":       nextCase,
	"lend":       approvedCase((*jackpot.Terms).Lend),
	"reallocate": approvedCase((*jackpot.Terms).Reallocate),
	"set-aside":  approvedCase((*jackpot.Terms).SetAside),
	"give":       giveCase,
	"migrate":    migrateCase,
	"join":       joinCase,
	"reports":    reportsCase,
}

func enterCase(terms *jackpot.Terms, parts []string) (string, error) {
	words := strings.Fields(parts[0])
	numbers := make([]int, 0, 2)
	for _, word := range words[1:] {
		if n, err := strconv.Atoi(word); err == nil {
			numbers = append(numbers, n)
		}
	}
	var yes bool
	switch len(numbers) {
	case 1:
		yes = terms.Enters(words[0], numbers[0])
	case 2:
		yes = terms.Wins(words[0], numbers[1], numbers[0])
	default:
		return "", fmt.Errorf("%q is neither BET SPOTS nor BET MATCHED of SPOTS", parts[0])
	}
	if yes {
		return "yes", nil
	}
	return "no", nil
}

func openCase(terms *jackpot.Terms, parts []string) (string, error) {
	spots, err := strconv.Atoi(parts[0])
	if err != nil {
		return "", err
	}
	pool, move, err := terms.Open(1, spots)
	return poolText(pool, move), err
}

func contributeCase(terms *jackpot.Terms, parts []string) (string, error) {
	pool, err := casePool(parts[0])
	if err != nil {
		return "", err
	}
	opened := pool
	if before, ok := strings.CutPrefix(parts[1], "opened "); ok {
		if opened, err = casePool(before); err != nil {
			return "", err
		}
		parts = parts[1:]
	}
	stakes, err := money.Parse(parts[1])
	if err != nil {
		return "", err
	}
	rate, err := terms.Rate(opened)
	if err != nil {
		return "", err
	}
	after, _, move, err := jackpot.Contribute(pool, stakes, rate)
	return poolText(after, move), err
}

// caseDraw is a draw for a pool.
type caseDraw struct {
	pool       jackpot.Pool
	multiplier int
	elsewhere  jackpot.Elsewhere
	winners    []jackpot.Winner
}

func readDraw(parts []string) (d caseDraw, err error) {
	if d.pool, err = casePool(parts[0]); err != nil {
		return d, err
	}
	for _, part := range parts[1:] {
		words := strings.Fields(part)
		switch {
		case len(words) == 2 && words[0] == "multiplier":
			d.multiplier, err = strconv.Atoi(words[1])
		case len(words) == 3 && words[0] == "elsewhere":
			d.elsewhere, err = readElsewhere(words[1:])
		case len(words) == 1 || len(words) == 2 && words[1] == "bonus":
			w := jackpot.Winner{Bonus: len(words) == 2}
			w.Stake, err = money.Parse(words[0])
			d.winners = append(d.winners, w)
		default:
			err = fmt.Errorf("%q is no part of a draw", part)
		}
		if err != nil {
			return d, err
		}
	}
	return d, nil
}

func readElsewhere(words []string) (e jackpot.Elsewhere, err error) {
	if e.Growth, err = money.Parse(words[0]); err != nil {
		return e, err
	}
	e.Stakes, err = money.Parse(words[1])
	return e, err
}

type winFunc func(*jackpot.Terms, jackpot.Pool, []jackpot.Winner, int, jackpot.Elsewhere) (jackpot.Won, error)

func fixed(t *jackpot.Terms, p jackpot.Pool, winners []jackpot.Winner, multiplier int,
	_ jackpot.Elsewhere) (jackpot.Won, error) {
	return t.Fixed(p, winners, multiplier)
}

func winCase(win winFunc) func(*jackpot.Terms, []string) (string, error) {
	return func(terms *jackpot.Terms, parts []string) (string, error) {
		d, err := readDraw(parts)
		if err != nil {
			return "", err
		}
		won, err := win(terms, d.pool, d.winners, d.multiplier, d.elsewhere)
		if err != nil {
			return "", err
		}
		return wonText(won, d.winners)
	}
}

func wonText(won jackpot.Won, winners []jackpot.Winner) (string, error) {
	var shares []string
	for _, w := range winners {
		share, err := won.Share(w)
		if err != nil {
			return "", err
		}
		shares = append(shares, share.String())
	}
	if shares == nil {
		shares = []string{"nobody"}
	}
	return strings.Join(shares, " ") + " ; " + poolText(won.After, won.Move), nil
}

func explainCase(terms *jackpot.Terms, parts []string) (string, error) {
	d, err := readDraw(parts)
	if err != nil {
		return "", err
	}
	won, err := terms.Win(d.pool, d.winners, d.multiplier, d.elsewhere)
	if err != nil {
		return "", err
	}
	lines, err := terms.Explain(won.Awards, int(d.pool.Spots), d.winners[0])
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.Text)
	}
	return strings.Join(texts, "; "), err
}

func showingCase(terms *jackpot.Terms, parts []string) (string, error) {
	d, err := readDraw(parts)
	if err != nil {
		return "", err
	}
	showing, err := terms.Showing(d.pool, d.elsewhere.Growth)
	return showing.String(), err
}

func nextCase(terms *jackpot.Terms, parts []string) (string, error) {
	pool, err := casePool(parts[0])
	if err != nil {
		return "", err
	}
	next, move, err := terms.Next(pool)
	return poolText(next, move), err
}

type approvedFunc func(*jackpot.Terms, jackpot.Pool, money.Amount, jackpot.Approval) (jackpot.Pool, jackpot.Movement,
	error)

func approvedCase(move approvedFunc) func(*jackpot.Terms, []string) (string, error) {
	return func(terms *jackpot.Terms, parts []string) (string, error) {
		pool, err := casePool(parts[0])
		if err != nil {
			return "", err
		}
		amount, approval, err := readApproval(parts[1])
		if err != nil {
			return "", err
		}
		after, moved, err := move(terms, pool, amount, approval)
		return poolText(after, moved), err
	}
}

// readApproval reads "100.00 by 7.4(i) approved".
func readApproval(s string) (money.Amount, jackpot.Approval, error) {
	words := strings.Fields(s)
	if len(words) < 3 || len(words) > 4 || words[1] != "by" {
		return 0, jackpot.Approval{}, fmt.Errorf("%q is not AMOUNT by CLAUSE", s)
	}
	approval := jackpot.Approval{Clause: words[2]}
	if len(words) == 4 && words[3] == "approved" {
		approval.Reference = "approval"
	}
	amount, err := money.Parse(words[0])
	return amount, approval, err
}

func giveCase(terms *jackpot.Terms, parts []string) (string, error) {
	from, to, _ := strings.Cut(parts[0], " to ")
	pool, err := casePool(from)
	if err != nil {
		return "", err
	}
	target, err := casePool(to)
	if err != nil {
		return "", err
	}
	amount, approval, err := readApproval(parts[1])
	if err != nil {
		return "", err
	}
	d, err := readDraw(append([]string{from}, parts[2:]...))
	if err != nil {
		return "", err
	}
	won, err := terms.Give(pool, target.Series, int(target.Spots), amount, d.winners, approval)
	if err != nil {
		return "", err
	}
	return wonText(won, d.winners)
}

func migrateCase(terms *jackpot.Terms, parts []string) (string, error) {
	var from []jackpot.Pool
	var into jackpot.Pool
	for _, part := range parts {
		text, isTarget := strings.CutPrefix(part, "into ")
		pool, err := casePool(text)
		switch {
		case err != nil:
			return "", err
		case isTarget:
			into = pool
		default:
			from = append(from, pool)
		}
	}
	closed, grown, move, err := terms.Migrate(from, into, 0)
	for _, p := range closed {
		if p.Primary != 0 || p.Secondary != 0 {
			return "", fmt.Errorf("%+v is left behind", p)
		}
	}
	return poolText(grown, move), err
}

// joinCase adds a bonus prize pool to another one.
func joinCase(_ *jackpot.Terms, parts []string) (string, error) {
	from, into, ok := strings.Cut(parts[0], " into ")
	if !ok {
		return "", fmt.Errorf("%q should be AMOUNT into AMOUNT", parts[0])
	}
	a, err := caseExact(from)
	if err != nil {
		return "", err
	}
	b, err := caseExact(into)
	if err != nil {
		return "", err
	}
	joined, risen := jackpot.Join(a, b)
	return fmt.Sprintf("%v, %v risen", joined, risen), nil
}

func reportsCase(terms *jackpot.Terms, parts []string) (string, error) {
	var reports []jackpot.Report
	for _, part := range parts[1:] {
		words := strings.Fields(part)
		if len(words) != 3 {
			return "", fmt.Errorf("%q is not PARTICIPANT GROWTH STAKES", part)
		}
		e, err := readElsewhere(words[1:])
		if err != nil {
			return "", err
		}
		reports = append(reports, jackpot.Report{Jurisdiction: words[0], Growth: e.Growth, Stakes: e.Stakes})
	}
	sum, missing, err := terms.Gather(strings.Fields(parts[0]), reports)
	switch {
	case err != nil:
		return "", err
	case len(missing) > 0:
		return "waits for " + strings.Join(missing, " "), nil
	}
	return fmt.Sprintf("growth %v stakes %v", sum.Growth, sum.Stakes), nil
}

// balances names the balances of a pool in the order in which cases write them.
func balances(p *jackpot.Pool) ([]string, map[string]*jackpot.Exact) {
	return []string{"primary", "secondary", "owed", "seeded", "waiting", "aside"}, map[string]*jackpot.Exact{
		"primary": &p.Primary, "secondary": &p.Secondary, "owed": &p.Owed,
		"seeded": &p.Seeded, "waiting": &p.Waiting, "aside": &p.Aside,
	}
}

// casePool reads "2/9 primary 50,000.00 secondary 0.0345 won".
func casePool(s string) (jackpot.Pool, error) {
	words := strings.Fields(s)
	if len(words) == 0 {
		return jackpot.Pool{}, errors.New("no pool")
	}
	series, spots, ok := strings.Cut(words[0], "/")
	if !ok {
		series, spots = "1", words[0]
	}
	id, err := strconv.ParseUint(series, 10, 8)
	size, err2 := strconv.ParseUint(spots, 10, 8)
	if err := errors.Join(err, err2); err != nil {
		return jackpot.Pool{}, err
	}
	pool := jackpot.Pool{Series: uint8(id), Spots: uint8(size)}
	_, fields := balances(&pool)
	for i := 1; i < len(words); i += 2 {
		if words[i] == "won" && i == len(words)-1 {
			pool.Won = true
			break
		}
		field := fields[words[i]]
		if field == nil || i+1 == len(words) {
			return jackpot.Pool{}, fmt.Errorf("%q is no balance of a pool", words[i])
		}
		if *field, err = caseExact(words[i+1]); err != nil {
			return jackpot.Pool{}, err
		}
	}
	return pool, nil
}

// caseExact reads dollars with two to six places.
func caseExact(s string) (jackpot.Exact, error) {
	dot := strings.IndexByte(s, '.')
	if dot < 0 || len(s) < dot+3 || len(s) > dot+7 {
		return 0, fmt.Errorf("%q is not an amount with two to six places", s)
	}
	whole, err := money.Parse(s[:dot+3])
	if err != nil {
		return 0, err
	}
	part, err := strconv.ParseUint((s[dot+3:] + "0000")[:4], 10, 16)
	if err != nil {
		return 0, err
	}
	exact, err := jackpot.ExactOf(whole)
	return exact + jackpot.Exact(part), err
}

// poolText writes the balances that are not zero, and what moved besides.
func poolText(p jackpot.Pool, m jackpot.Movement) string {
	var words []string
	names, fields := balances(&p)
	for _, name := range names {
		if e := *fields[name]; e != 0 {
			words = append(words, name+" "+e.String())
		}
	}
	if words == nil {
		words = append(words, "empty")
	}
	if p.Won {
		words = append(words, "won")
	}
	if m.Operator != 0 {
		words = append(words, "operator "+m.Operator.String())
	}
	if m.Elsewhere != 0 {
		words = append(words, "elsewhere "+m.Elsewhere.String())
	}
	return strings.Join(words, " ")
}
