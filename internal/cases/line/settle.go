package line

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// settleCase runs the verbs of settlement:
//
//	settle SCHEDULE NUMBERS ; TICKET ; ... -> PRIZE ...
//	settle SCHEDULE NUMBERS / NUMBERS / ... ; TICKET ; ... -> PRIZE PRIZE ... ; PRIZE ...
//	settle SCHEDULE NUMBERS ; pool POOL ; ... ; TICKET ; ... -> PRIZE ... ; POOL ...
//	settle SCHEDULE NUMBERS ; pool POOL ; elsewhere GROWTH STAKES ; TICKET ; ... -> PRIZE+PRIZE ... ; POOL
//	settle SCHEDULE NUMBERS ; promotion AMOUNT BET MATCHED of SPOTS ; TICKET ; ... -> PRIZE ...
//	explain ...   as settle, and gives the lines of the first ticket in the last game
//
// NUMBERS are drawn in their order, "1-20" or "1 2 3"; "void" is a game without a
// result. A TICKET plays all the games. It is "BET SPOTS @ STAKE", its ways joined
// by +, as in "classic 1-3 80 @ 2.00 + classic 7 @ 1.00", or a bet in the form of
// package keno; with "12 x" before it there are twelve alike. The prizes are those
// of one of each, game by game; one that is carried into the next game stands in
// brackets. With "cancelled after N" behind it a ticket is out of its games after the
// N-th before the next one closes; what is due for a prize that runs is told after
// its last prize. A promotion is offered in every game until it is won.
//
// A POOL, see jackpotCase, is what a jackpot holds before the first game. Games with
// pools are whole: their stakes contribute when they close, the pools are won, and
// those of the next game are told after the prizes, each after the number of its
// spots. Without a POOL jackpots have just been opened, and get nothing. What other
// jurisdictions report of the first pool comes after the draw: such a prize is what
// is due at once and what is owed in addition.
func settleCase(book *rulebook.Book, operation string, explain bool) (string, error) {
	parts := strings.Split(operation, ";")
	schedule, list, _ := strings.Cut(strings.TrimSpace(parts[0]), " ")
	s := settlement{book: book, open: settle.NewOpen(0), cancelled: map[int]uint32{}}
	var err error
	if s.terms, err = settle.NewTerms(book, schedule); err != nil {
		return "", err
	}
	for numbers := range strings.SplitSeq(list, "/") {
		if err := s.addGame(strings.Fields(numbers)); err != nil {
			return "", err
		}
	}
	for _, part := range parts[1:] {
		if err := s.add(strings.TrimSpace(part)); err != nil {
			return "", err
		}
	}
	if s.pots.Pools == nil && s.terms.Jackpots() != nil {
		if s.pots.Pools, _, err = s.terms.Jackpots().OpenAll(1); err != nil {
			return "", err
		}
	}
	prizes := make([][]string, len(s.plays))
	for i := range s.games {
		if err := s.settle(i, prizes); err != nil {
			return "", err
		}
	}
	if explain {
		return s.explain()
	}
	return s.text(prizes), nil
}

// settlement is a case of settlement under way.
type settlement struct {
	book      *rulebook.Book
	terms     *settle.Terms
	open      *settle.Open
	games     []settle.Game
	plays     []settle.Play // one of each
	sold      uint64
	pots      settle.Pots
	whole     bool // the games are, with contributions to the pools
	elsewhere jackpot.Elsewhere
	offers    []settle.Offer
	cancelled map[int]uint32 // plays, by the game that they are cancelled after
}

// text returns what the tickets won, and the pools of the next game.
func (s *settlement) text(prizes [][]string) string {
	between := " "
	if len(s.games) > 1 {
		between = " ; "
	}
	var tickets []string
	for _, games := range prizes {
		tickets = append(tickets, strings.Join(games, " "))
	}
	text := strings.Join(tickets, between)
	if s.whole {
		for _, p := range s.pots.Pools {
			text += fmt.Sprintf(" ; %d %s", p.Spots, poolText(p, jackpot.Movement{}))
		}
	}
	return text
}

// explain returns how the first ticket came by its prize in the last game.
func (s *settlement) explain() (string, error) {
	lines, err := settle.ExplainIn(s.plays[0], s.games)
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.Text)
	}
	return strings.Join(texts, "; "), err
}

// add adds a part of a case: a pool, a report of others, or tickets.
func (s *settlement) add(text string) error {
	if text, ok := strings.CutPrefix(text, "pool "); ok {
		pool, err := casePool(text)
		s.pots.Pools, s.whole = append(s.pots.Pools, pool), true
		return err
	}
	if text, ok := strings.CutPrefix(text, "elsewhere "); ok {
		var err error
		s.pots.Pooled = true
		s.elsewhere, err = readElsewhere(strings.Fields(text))
		return err
	}
	if text, ok := strings.CutPrefix(text, "promotion "); ok {
		return s.addOffer(text)
	}
	return s.addTickets(text)
}

// addOffer reads "1,000.00 classic 5 of 5".
func (s *settlement) addOffer(text string) (err error) {
	var amount string
	o := settle.Offer{Name: "promotion", Clause: "promotion"}
	if _, err := fmt.Sscanf(text, "%s %s %d of %d", &amount, &o.Bet, &o.Matched, &o.Spots); err != nil {
		return fmt.Errorf("%q is not AMOUNT BET MATCHED of SPOTS: %w", text, err)
	}
	o.Amount, err = money.Parse(amount)
	s.offers = append(s.offers, o)
	return err
}

func (s *settlement) addGame(words []string) (err error) {
	game := settle.Game{Ordinal: uint32(len(s.games) + 1), Terms: s.terms}
	if len(words) != 1 || words[0] != "void" {
		game.Numbers, err = caseSequence(words)
	}
	s.games = append(s.games, game)
	return err
}

// addTickets adds as many tickets alike as a case says.
func (s *settlement) addTickets(text string) error {
	count := 1
	if number, rest, ok := strings.Cut(text, " x "); ok {
		var err error
		if count, err = strconv.Atoi(number); err != nil {
			return err
		}
		text = rest
	}
	text, after, cancelled := strings.Cut(text, " cancelled after ")
	if cancelled {
		game, err := strconv.ParseUint(after, 10, 32)
		if err != nil {
			return err
		}
		s.cancelled[len(s.plays)] = uint32(game)
	}
	ways, err := s.ways(text)
	if err != nil {
		return err
	}
	for i := range count {
		s.sold++
		play := settle.Play{Ticket: record.Place{Volume: 1, Seq: s.sold}, First: 1, Last: uint32(len(s.games)), Ways: ways}
		if i == 0 {
			s.plays = append(s.plays, play)
		}
		if err := s.open.Add(play); err != nil {
			return err
		}
	}
	return nil
}

// ways reads what a ticket plays.
func (s *settlement) ways(text string) ([]settle.Way, error) {
	if !strings.HasPrefix(text, "{") {
		return caseWays(text)
	}
	desk, err := keno.NewDesk(s.book)
	if err != nil {
		return nil, err
	}
	req, err := keno.ParseRequest(fmt.Appendf(nil, `{"v":1,"rulebook":%q,"games":%d,"bets":[%s]}`, s.book.ID(),
		len(s.games), text))
	if err != nil {
		return nil, err
	}
	ticket, err := desk.Resolve(req, keno.Setting{Open: keno.GameRef{Day: s.book.From(), Game: 1}, Entropy: lowest{}})
	if err != nil {
		return nil, err
	}
	return settle.AppendWays(nil, desk, &ticket), nil
}

// settle settles a game and adds the prizes of the tickets, each found in the
// winners file and once more on its own.
func (s *settlement) settle(i int, prizes [][]string) error {
	game := &s.games[i]
	if err := errors.Join(s.cancel(uint32(i), prizes), s.close(game)); err != nil {
		return err
	}
	since := i
	for since > 0 && !s.games[since-1].Numbers.IsValid() {
		since--
	}
	out, err := settle.Void(s.open, game.Ordinal, s.games[since].Ordinal)
	if game.Numbers.IsValid() {
		out, err = settle.Pass(s.open, game.Ordinal, game.Numbers, s.terms, s.pots)
	}
	if err != nil {
		return err
	}
	game.Unwon = out.Unwon > 0
	if err := s.grant(game, out); err != nil {
		return err
	}
	game.Reductions = out.Reductions
	for _, won := range out.Won {
		game.Awards = append(game.Awards, won.Awards...)
	}
	file, err := settle.DecodeWinners(out.Encode(settle.Settlement{Series: 1, Ordinal: game.Ordinal, Revision: 1}))
	if err != nil {
		return err
	}
	carried := map[record.Place]money.Amount{}
	for c := range out.Carries() {
		carried[c.Ticket] += c.Amount
	}
	for k, p := range s.plays {
		if p.Last < game.Ordinal {
			continue
		}
		listed, _ := file.Lookup(p.Ticket)
		alone, err := settle.PrizeIn(p, s.games[:i+1])
		if err != nil {
			return fmt.Errorf("ticket %v alone: %w", p.Ticket, err)
		}
		if alone.Payable != listed || alone.Carried != carried[p.Ticket] {
			return fmt.Errorf("ticket %v is listed with %v, %v is carried, and alone it wins %v", p.Ticket, listed,
				carried[p.Ticket], alone)
		}
		prize := listed.String()
		if alone.Carried > 0 {
			prize = "(" + alone.Carried.String() + ")"
		}
		prizes[k] = append(prizes[k], prize)
	}
	if err := s.endJackpots(i, out, prizes); err != nil {
		return err
	}
	return errors.Join(s.open.Carry(game.Ordinal, out.Carries()), s.open.Drop(game.Ordinal))
}

// cancel cancels the tickets that are cancelled after a game, and tells what is due
// for what ran.
func (s *settlement) cancel(last uint32, prizes [][]string) error {
	for k := range s.plays {
		if after, ok := s.cancelled[k]; !ok || after != last {
			continue
		}
		ended, err := s.open.Cancel(s.plays[k].Ticket, last)
		if err != nil {
			return err
		}
		s.plays[k].Last = last
		for _, r := range ended {
			word := "refund "
			if r.Carried {
				word = "paid "
			}
			prizes[k] = append(prizes[k], word+r.Amount.String())
		}
	}
	return nil
}

// grant awards the promotions that are won.
func (s *settlement) grant(game *settle.Game, out *settle.Outcome) error {
	if !game.Numbers.IsValid() {
		return nil
	}
	if err := out.Grant(s.open, game.Ordinal, game.Numbers.Set(), s.terms, s.offers); err != nil {
		return err
	}
	game.Offers = out.Offers
	if len(out.Offers) > 0 {
		s.offers = nil
	}
	return nil
}

// close closes a game, and divides its stakes.
func (s *settlement) close(game *settle.Game) error {
	if _, err := s.open.Close(game.Ordinal); err != nil || !s.whole {
		return err
	}
	for _, stakes := range s.open.JackpotStakes(game.Ordinal, s.terms.Jackpots()) {
		for i, p := range s.pots.Pools {
			if p.Spots != stakes.Spots {
				continue
			}
			rate, err := s.terms.Jackpots().Rate(p)
			if err != nil {
				return err
			}
			if s.pots.Pools[i], _, _, err = jackpot.Contribute(p, stakes.Stakes, rate); err != nil {
				return err
			}
		}
	}
	return nil
}

// endJackpots takes what was won out of the pools and makes them ready for the next
// game. If they are shared with others, these report now.
func (s *settlement) endJackpots(i int, out *settle.Outcome, prizes [][]string) error {
	if !s.whole {
		return nil
	}
	won := out.Won
	if s.pots.Pooled {
		growth, err := s.share(i, out, prizes)
		if err != nil {
			return err
		}
		won = append(won, growth)
	}
	for k := range s.pots.Pools {
		for _, w := range won {
			if w.Before.Spots != s.pots.Pools[k].Spots {
				continue
			}
			after, err := w.Apply(s.pots.Pools[k])
			if err != nil {
				return err
			}
			s.pots.Pools[k] = after
		}
		next, _, err := s.terms.Jackpots().Next(s.pots.Pools[k])
		if err != nil {
			return err
		}
		s.pots.Pools[k] = next
	}
	return nil
}

// share shares the first pool with others, and adds to the prizes what is owed in
// addition.
func (s *settlement) share(i int, out *settle.Outcome, prizes [][]string) (jackpot.Won, error) {
	var winners []jackpot.Winner
	for _, w := range out.JackpotWins {
		if w.Spots == s.pots.Pools[0].Spots {
			winners = append(winners, w.Winner)
		}
	}
	growth, err := s.terms.Jackpots().Growth(s.pots.Pools[0], winners, s.elsewhere)
	if err != nil {
		return jackpot.Won{}, err
	}
	game := &s.games[i]
	game.Awards = append(game.Awards, growth.Awards...)
	for k, p := range s.plays {
		prize, err := settle.PrizeIn(p, s.games[:i+1])
		if err != nil {
			return jackpot.Won{}, err
		}
		before, err := money.Parse(prizes[k][i][1:])
		if err != nil {
			return jackpot.Won{}, err
		}
		if more := prize.Payable - before; more > 0 {
			prizes[k][i] += "+" + more.String()
		}
	}
	return growth, nil
}

// caseWays reads "classic 1-10 @ 1.00 + classic 7 @ 1.00".
func caseWays(s string) (ways []settle.Way, err error) {
	for part := range strings.SplitSeq(s, "+") {
		what, stake, ok := strings.Cut(part, "@")
		words := strings.Fields(what)
		if !ok || len(words) < 2 {
			return nil, fmt.Errorf("%q is not BET SPOTS @ STAKE", part)
		}
		w := settle.Way{Bet: words[0]}
		if w.Spots, err = caseNumbers(words[1:]); err != nil {
			return nil, err
		}
		if w.Stake, err = money.Parse(strings.TrimSpace(stake)); err != nil {
			return nil, err
		}
		ways = append(ways, w)
	}
	return ways, nil
}

// caseNumbers reads a set of numbers and ranges of them, such as 1-20.
func caseNumbers(words []string) (ball.Set, error) {
	numbers, err := caseSequence(words)
	if err != nil {
		return ball.Set{}, err
	}
	return numbers.Set(), nil
}

// caseSequence reads numbers and ranges of them in their order.
func caseSequence(words []string) (ball.Sequence, error) {
	var numbers []int
	for _, word := range words {
		low, high, isRange := strings.Cut(word, "-")
		if !isRange {
			high = low
		}
		from, err := strconv.Atoi(low)
		to, err2 := strconv.Atoi(high)
		if err := errors.Join(err, err2); err != nil {
			return ball.Sequence{}, err
		}
		for n := from; n <= to; n++ {
			numbers = append(numbers, n)
		}
	}
	return ball.NewSequence(ball.Keno, numbers...)
}
