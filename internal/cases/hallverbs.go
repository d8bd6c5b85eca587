package cases

import (
	"errors"
	"fmt"
	"strings"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// hallVerbs are what can happen in a bingo room. Each returns what came of it.
// docs/RULES-CASES.md explains them.
var hallVerbs = map[string]func(*hallRun, *words) (string, error){
	"room": (*hallRun).room, "member": (*hallRun).member, "cards": (*hallRun).addCards, "session": (*hallRun).session,
	"enter": (*hallRun).enter, "issue": (*hallRun).issue,
	"jackpot": (*hallRun).jackpot, "announce": (*hallRun).announce, "call": (*hallRun).call,
	"complete": (*hallRun).complete, "together": (*hallRun).together, "correct": (*hallRun).correct,
	"claim": (*hallRun).claim, "open": (*hallRun).open, "check": (*hallRun).check, "finish": (*hallRun).finish,
	"pay": (*hallRun).pay, "won": (*hallRun).won,
	"award": (*hallRun).award, "invalidate": (*hallRun).invalidate, "undo": (*hallRun).undo,
	"cancel": (*hallRun).cancel, "change": (*hallRun).change,
	"void": (*hallRun).void, "refund": (*hallRun).refund, "bar": (*hallRun).bar,
	"fail": (*hallRun).fail, "replace": (*hallRun).replace, "return": (*hallRun).giveBack,
	"scorecard": (*hallRun).scorecard, "mark": (*hallRun).mark,
	"sign": (*hallRun).sign, "close": (*hallRun).close, "dispute": (*hallRun).dispute, "decide": (*hallRun).decide,
	"review":   (*hallRun).review,
	"reviewed": (*hallRun).reviewed, "advise": (*hallRun).advise, "incident": (*hallRun).incident,
	"clock": (*hallRun).clock, "account": (*hallRun).account, "pool": (*hallRun).pool, "game": (*hallRun).game,
	"display": (*hallRun).display, "look": (*hallRun).look, "attest": (*hallRun).attest,
	"terms": (*hallRun).terms, "notify": (*hallRun).notify, "start": (*hallRun).start, "entry": (*hallRun).entry,
	"draw": (*hallRun).draw,
	"tell": (*hallRun).tell, "overdue": (*hallRun).overdue, "grant": (*hallRun).grant, "deny": (*hallRun).deny,
	"stop": (*hallRun).stop,
}

// member takes a number of the loyalty programme in, or with "ended" out.
func (r *hallRun) member(w *words) (string, error) {
	c, by := command.SetMember{InRoom: room, Ended: w.flag("ended")}, w.by(Dealer)
	c.Member = w.next()
	return "noted", r.Do(c, by)
}

// room opens a second room whose jackpot has two levels: room within N.
func (r *hallRun) room(w *words) (string, error) {
	within := uint8(w.number("within", 20))
	return "opened", r.Do(command.OpenHall{
		InRoom: command.InRoom{Hall: hallID + 1}, Name: "second", Venue: 1,
		Rulebook: rulebook.Hash(r.Hall().Opened.Rulebook).String(),
		Levels:   []command.Level{{Name: "major", Within: within, Share: 7000}, {Name: "minor", Share: 3000}},
	}, Supervisor)
}

// addCards brings a further series into the hall: cards SERIES up N.
func (r *hallRun) addCards(w *words) (string, error) {
	series := w.next()
	return "added", r.AddCards(series, w.number("up", 6), 101, 10, 5)
}

// session sets a session: session [fee A] [games N] [books N] [bingo A] [minor
// PATTERN A]... [jackpot N] [share PERCENT] [on SERIES]... [on-day DATE] The jackpot is that of
// the last game.
func (r *hallRun) session(w *words) (string, error) {
	set := r.planOf(w)
	announced, err := r.Set(set)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("session %d, %d games, fee %v", announced.Session, len(announced.Games), announced.FeeCents), nil
}

// change sets the session anew, by the words of session.
func (r *hallRun) change(w *words) (string, error) {
	set := r.planOf(w)
	set.Begins = record.Of(r.now)
	changed, err := Done[*record.SessionChanged](r.Room,
		command.ChangeSession{InSession: r.Room.session(), SessionPlan: command.PlanOf(set)}, Dealer)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("session %d, %d games, fee %v", changed.Set.Session, len(changed.Set.Games),
		changed.Set.FeeCents), nil
}

// planOf reads the plan of a session.
func (r *hallRun) planOf(w *words) record.SessionSet {
	date, given := w.after("on-day")
	if !given {
		date = "2026-11-15"
	}
	set := record.SessionSet{
		Day: day.MustParse(date), FeeCents: w.amount("fee", 10_00), BooksMax: uint16(w.number("books", 3)),
	}
	games, bingo, numbers := w.number("games", 2), w.amount("bingo", 100_00), w.number("jackpot", 0)
	share := w.number("share", 100)
	prizes := []record.PatternPrize{{Pattern: record.PatternBingo, Cents: bingo}}
	if bingo == 0 {
		prizes = nil
	}
	for {
		pattern, ok := w.after("minor")
		if !ok {
			break
		}
		prizes = append(prizes, record.PatternPrize{Pattern: pattern, Cents: w.cents(w.next())})
	}
	for {
		series, ok := w.after("on")
		if !ok {
			break
		}
		set.Series = append(set.Series, series)
	}
	if set.Series == nil {
		set.Series = []string{r.cards}
	}
	for g := 1; g <= games; g++ {
		plan := record.BingoPlan{Prizes: prizes}
		if g == games && numbers > 0 {
			plan.JackpotNumbers, plan.JackpotShare = uint8(numbers), uint16(share*100)
		}
		set.Games = append(set.Games, plan)
	}
	return set
}

// enter takes a player in: enter M1 books 101-103 [of SERIES] [device N] [fee A].
func (r *hallRun) enter(w *words) (string, error) {
	session, ok := r.Hall().Session(r.Session)
	if !ok {
		return "", fmt.Errorf("no session is set")
	}
	first, last := w.span("books")
	series, given := w.after("of")
	if !given {
		series = r.cards
	}
	c := command.EnterSession{
		InSession: r.Room.session(), Device: uint32(w.number("device", 0)),
		FeeCents: w.amount("fee", session.Set.FeeCents).Cents(),
		Books:    []command.Books{{Series: series, First: first, Last: last}},
	}
	c.Member = w.next()
	entered, err := Done[*record.PlayerEntered](r.Room, c, Dealer)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("player %d", entered.Player), nil
}

// issue enters the first and the last book issued: issue 101-104 [struck N]... It may
// do so for a further series: and 101-102 of SERIES.
func (r *hallRun) issue(w *words) (string, error) {
	w.list = append([]string{"books"}, w.list...)
	var ranges []command.IssuedBooks
	for {
		first, last := w.span("books")
		issued := command.IssuedBooks{Books: command.Books{Series: r.cards, First: first, Last: last}}
		if further, ok := w.after("and"); ok {
			w.list = append([]string{"books", further}, w.list...)
		}
		for {
			struck, ok := w.after("struck")
			if !ok {
				break
			}
			issued.Struck = append(issued.Struck, uint32(w.int(struck)))
		}
		if len(ranges) > 0 {
			issued.Books.Series, _ = w.after("of")
		}
		ranges = append(ranges, issued)
		if len(w.list) == 0 || w.list[0] != "books" {
			break
		}
	}
	closed, err := Done[*record.IssueClosed](r.Room, command.CloseIssue{InSession: r.Room.session(), Ranges: ranges},
		Dealer)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d players, fees %v", closed.Players, closed.FeesCents), nil
}

// jackpot draws the jackpot numbers of the game in play.
func (r *hallRun) jackpot(w *words) (string, error) {
	numbers, err := r.numbers(w)
	if err != nil {
		return "", err
	}
	if err := r.DrawJackpot(numbers...); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d drawn", len(r.Standing().JackpotNumbers)), nil
}

// numbers takes all numbers that are left: as they are, or as places of a box, such
// as 101/1@15.
func (r *hallRun) numbers(w *words) ([]int, error) {
	for i, word := range w.list {
		name, place, ok := strings.Cut(word, "@")
		if !ok {
			continue
		}
		series, book, box := r.boxOf(wordsOf(name))
		b, err := r.Box(series, book, int(box))
		if err != nil {
			return nil, err
		}
		w.list[i] = fmt.Sprint(b.Number(w.int(place) - 1))
	}
	return w.rest(), w.err
}

// together calls numbers until one of them completes a box of each of some books at
// once. The boxes are then 101/*, 102/* and so on.
func (r *hallRun) together(w *words) (string, error) {
	game := r.Standing()
	if game == nil {
		return "", errors.New("no game is played")
	}
	called := hall.Drawn(r.Of(), game.Drawn).Set()
	last := 1
	for called.Has(last) {
		last++
	}
	r.shared = map[string]int{}
	for _, book := range w.list {
		for box := 1; box <= r.Tables[r.cards].Series().Up; box++ {
			b, err := r.Box(r.cards, uint32(w.int(book)), box)
			if err != nil {
				return "", err
			}
			if place, ok := b.Place(last); ok {
				r.shared[book] = box
				if err := r.completeBefore(r.cards, uint32(w.int(book)), box, place+1); err != nil {
					return "", err
				}
			}
		}
	}
	w.list = nil
	_, err := r.Call(last)
	return "completed", err
}

// announce announces the game in play, with its prizes and its jackpot: announce [wins PATTERN].
func (r *hallRun) announce(w *words) (string, error) {
	wins, _ := w.after("wins")
	announced, err := r.AnnounceWith(wins)
	if err != nil {
		return "", err
	}
	text := announced.Colour
	for _, p := range announced.Prizes {
		text += fmt.Sprintf(", %s %v", p.Pattern, p.Cents)
	}
	if announced.Wins != "" {
		text += ", won with " + announced.Wins
	}
	for i, cents := range announced.JackpotCents {
		text += fmt.Sprintf(", %s %v", r.Hall().Opened.Levels[i].Name, cents)
	}
	return text, nil
}

// call calls numbers: these, or "chance".
func (r *hallRun) call(w *words) (string, error) {
	if w.flag("chance") {
		_, err := r.Call(0)
		return "called", err
	}
	if count, ok := w.after("until"); ok {
		return r.callUntil(w.int(count))
	}
	numbers, err := r.numbers(w)
	if err != nil {
		return "", err
	}
	for _, n := range numbers {
		if _, err := r.Call(n); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d called", len(r.Standing().Calls)), nil
}

// callUntil calls numbers by chance until so many are.
func (r *hallRun) callUntil(count int) (string, error) {
	for len(r.Standing().Drawn) < count {
		if _, err := r.Call(0); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d called", len(r.Standing().Calls)), nil
}

// boxOf reads BOOK/BOX, with the series in front where it is not the usual one:
// L2:101/3.
func (r *hallRun) boxOf(w *words) (series string, book uint32, box uint8) {
	text := w.next()
	series = r.cards
	if name, rest, ok := strings.Cut(text, ":"); ok {
		series, text = name, rest
	}
	left, right, _ := strings.Cut(text, "/")
	if right == "*" {
		right = fmt.Sprint(r.shared[left])
	}
	return series, uint32(w.int(left)), uint8(w.int(right))
}

// complete calls what a box lacks for a pattern: complete 101/1 PATTERN [less N].
// "last N" keeps the number at a place of the box for the last.
func (r *hallRun) complete(w *words) (string, error) {
	less := w.number("less", 0)
	last, keep := w.after("last")
	series, book, box := r.boxOf(w)
	pattern := w.next()
	if keep {
		if err := r.completeBefore(series, book, int(box), w.int(last)); err != nil {
			return "", err
		}
	}
	if err := r.Complete(series, book, int(box), pattern, less); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d called", len(r.Standing().Calls)), nil
}

// completeBefore calls all numbers of a box but the one at a place, from 1.
func (r *hallRun) completeBefore(series string, book uint32, box, place int) error {
	b, err := r.Box(series, book, box)
	if err != nil {
		return err
	}
	called := hall.Drawn(r.Of(), r.Standing().Drawn).Set()
	for i := range b.Places() {
		if n := b.Number(i); n != 0 && i != place-1 && !called.Has(n) {
			if _, err := r.Call(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// correct corrects the last number called, or that at a place, or a jackpot number: correct
// [call N] [wrong N] [jackpot].
func (r *hallRun) correct(w *words) (string, error) {
	c, by := command.CorrectCall{InGame: r.Room.game(), Wrong: uint8(w.number("wrong", 0))}, w.by(Dealer)
	calls := r.Standing().Calls
	if w.flag("jackpot") {
		calls, c.Draw = r.Standing().JackpotNumbers, "jackpot"
	}
	place := w.number("call", len(calls))
	if place >= 1 && place <= len(calls) {
		c.Number = calls[place-1]
	}
	if c.Wrong == 0 {
		for c.Wrong = 1; hall.Drawn(r.Of(), calls).Set().Has(int(c.Wrong)); {
			c.Wrong++
		}
	}
	return "corrected", r.Do(c, by)
}

// open takes down a call: open 101/1 PATTERN [card G] [behalf] [serial TEXT].
func (r *hallRun) open(w *words) (string, error) {
	opened, err := r.opened(w)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("claim %d", opened.Claim), nil
}

func (r *hallRun) opened(w *words) (*record.ClaimOpened, error) {
	card := w.number("card", int(r.Game))
	text, given := w.after("serial")
	c := command.OpenClaim{InGame: r.Room.game(), Behalf: w.flag("behalf")}
	series, book, box := r.boxOf(w)
	c.Pattern, c.Box = w.next(), box
	serial := r.Serial(series, book)
	serial.Game = card
	if c.Serial = serial.String(); given {
		c.Serial = text
	}
	return Done[*record.ClaimOpened](r.Room, c, Dealer)
}

// claim takes down a call and has it checked: claim 101/1 PATTERN [unseen]
// [unmarked] [by WHO].
func (r *hallRun) claim(w *words) (string, error) {
	c, by := r.inspection(w), w.by(Supervisor)
	opened, err := r.opened(w)
	if err != nil {
		return "", err
	}
	c.Claim = opened.Claim
	return r.checked(c, by)
}

// check checks a claim: check N.
func (r *hallRun) check(w *words) (string, error) {
	c, by := r.inspection(w), w.by(Supervisor)
	c.Claim = uint16(w.nextInt())
	return r.checked(c, by)
}

func (r *hallRun) inspection(w *words) command.CheckClaim {
	return command.CheckClaim{OfClaim: command.OfClaim{InGame: r.Room.game()}, CardInHand: !w.flag("unseen"),
		Marked: !w.flag("unmarked")}
}

func (r *hallRun) checked(c command.CheckClaim, by record.By) (string, error) {
	checked, err := Done[*record.ClaimChecked](r.Room, c, by)
	if err != nil {
		return "", err
	}
	if !checked.Accepted {
		return fmt.Sprintf("bad %s %s", checked.Code, checked.Clause), nil
	}
	text := fmt.Sprintf("good, player %d", checked.Player)
	if checked.Level > 0 {
		text += ", " + r.Hall().Opened.Levels[checked.Level-1].Name
	}
	return text, nil
}

// finish ends the game in play and goes on to the next.
func (r *hallRun) finish(*words) (string, error) {
	settled, err := r.Finish()
	if err != nil {
		return "", err
	}
	r.Game++
	var parts []string
	for _, p := range settled.Prizes {
		parts = append(parts, fmt.Sprintf("%s %d x %v", p.Pattern, p.Cards, p.ShareCents))
	}
	for _, l := range settled.Levels {
		parts = append(parts, fmt.Sprintf("%s %d x %v", r.Hall().Opened.Levels[l.Level-1].Name, l.Cards, l.ShareCents))
	}
	for _, p := range settled.Lapsed {
		parts = append(parts, fmt.Sprintf("%s lapses", p.Pattern))
	}
	for _, p := range settled.Rolled {
		parts = append(parts, fmt.Sprintf("%s rolls on", p.Pattern))
	}
	return strings.Join(parts, ", "), nil
}

// game names another game as the one in play.
func (r *hallRun) game(w *words) (string, error) {
	r.Game = uint8(w.nextInt())
	return fmt.Sprintf("%v", r.Standing().Phase), nil
}

// won returns what a claim has won: won N [in game G].
func (r *hallRun) won(w *words) (string, error) {
	session, _ := r.Hall().Session(r.Session)
	game, _ := session.Game(uint8(w.number("game", int(r.Game))))
	claim, ok := game.Claim(uint16(w.nextInt()))
	if !ok {
		return "", fmt.Errorf("there is no such claim")
	}
	return fmt.Sprintf("%v, jackpot %v", claim.Share.Cents, claim.Share.JackpotCents), nil
}

// pay pays a claim: pay N [game G] cash 60.00 slot_dollars 40.00 [jackpot cheque 5.00].
func (r *hallRun) pay(w *words) (string, error) {
	p, by := command.PayBingo{OfClaim: command.OfClaim{InGame: r.Room.game()}}, w.by(Dealer)
	p.Game = uint8(w.number("game", int(r.Game)))
	p.Claim = uint16(w.nextInt())
	p.Prize = w.parts()
	if len(w.list) > 0 && w.next() == "jackpot" {
		p.Jackpot = w.parts()
	}
	return "paid", r.Do(p, by)
}
