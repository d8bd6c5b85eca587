package forms

import (
	"errors"
	"slices"
	"strconv"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
)

// offer asks the desk what it would sell. A box is on a form only if a ticket that is
// marked so is taken.
type offer struct {
	desk     *keno.Desk
	book     *rulebook.Book
	envelope keno.Envelope
}

func newOffer(book *rulebook.Book) (*offer, error) {
	desk, err := keno.NewDesk(book)
	if err != nil {
		return nil, err
	}
	o := &offer{desk: desk, book: book}
	for _, way := range book.EntryWays() {
		if o.envelope.Method == "" || way.Method == rulebook.MethodForm {
			o.envelope = keno.Envelope{Channel: way.Channel, Method: way.Method}
		}
		if way.Method == rulebook.MethodForm {
			break
		}
	}
	return o, nil
}

// The boxes that a form may have.
var (
	stakeBoxes = []money.Amount{10, 20, 50, 100, 200, 300, 500, 1000, 2000, 5000}
	gameBoxes  = []int{1, 2, 3, 5, 10, 15, 20, 25, 50, 100}
)

// quote asks whether a bet is sold for a number of games; an error is a refusal.
func (o *offer) quote(b keno.Bet, games int) error {
	ticket := keno.Ticket{Rulebook: o.book.ID(),
		First: keno.GameRef{Day: o.book.From(), Game: o.book.Games().Numbering.First}, Games: games,
		Bets: []keno.Bet{b}}
	_, err := o.desk.Quote(ticket, o.envelope)
	return err
}

// examples returns bets that are sold, but for their stakes. A stake is on the form if
// one of them is sold for it: two combinations of half a dollar are, where one is not.
func examples(bet *rulebook.Bet) []keno.Bet {
	b := keno.Bet{Bet: bet.ID()}
	switch bet.Form() {
	case rulebook.FormCalls:
		b.Calls = []keno.Call{keno.Heads}
	case rulebook.FormRace:
		race, _ := bet.Race()
		kind := race.Types()[0]
		b.Type = kind.ID
		two := b
		for place := range kind.Places {
			b.Places = append(b.Places, firstNumbers(place+1, 1))
			two.Places = append(two.Places, firstNumbers(place+1, 1))
		}
		two.Places[0] = two.Places[0].With(kind.Places + 1)
		return []keno.Bet{b, two}
	default:
		b.Spots = firstNumbers(1, bet.Sizes().Min())
	}
	return []keno.Bet{b}
}

// firstNumbers returns so many numbers from one on.
func firstNumbers(from, count int) ball.Set {
	set := ball.Empty(ball.Keno)
	for n := range count {
		set = set.With(from + n)
	}
	return set
}

// stakes returns the boxes of stakes of a bet, and the clause that refuses less.
func (o *offer) stakes(bet *rulebook.Bet) (texts []string, clause string) {
	return o.stakesOf(examples(bet)...)
}

func (o *offer) stakesOf(bets ...keno.Bet) (texts []string, clause string) {
	for _, stake := range stakeBoxes {
		if slices.ContainsFunc(bets, func(b keno.Bet) bool {
			b.Stake = stake
			return o.quote(b, 1) == nil
		}) {
			texts = append(texts, stake.String())
		}
	}
	least := bets[0]
	least.Stake = money.Cent
	if refused, ok := errors.AsType[*keno.Refusal](o.quote(least, 1)); ok {
		clause = refused.Clause
	}
	return texts, clause
}

// wayStakes returns the boxes of stakes on each way. How little may be staked depends
// on the number of ways; the example has many, so that every stake that is sold for
// some number is among them.
func (o *offer) wayStakes(bet *rulebook.Bet) (texts []string, clause string) {
	policy, _ := bet.Ways()
	b := keno.Bet{Bet: bet.ID()}
	size := bet.Sizes().Min()
	for group := range 12 {
		b.Groups = append(b.Groups, firstNumbers(1+group*size, size))
	}
	two := 2 * size
	switch {
	case policy.ByTypes:
		b.Play = keno.Play{Kind: keno.PlaySpots, Types: ball.Empty(ball.Keno).With(two)}
	case policy.ByGroups:
		b.Play = keno.Play{Kind: keno.PlayGroups, Types: ball.Empty(ball.Keno).With(2)}
	case policy.ByMarks:
		b.Play = keno.Play{Kind: keno.PlayMarks, Marks: pairs(12)}
	default:
		b.Play = keno.Play{Kind: keno.PlayAll}
	}
	return o.stakesOf(b)
}

// pairs returns every way of two groups, in the order of marks.
func pairs(groups int) (marks []keno.Mark) {
	for a := 1; a <= groups; a++ {
		for b := a + 1; b <= groups; b++ {
			marks = append(marks, keno.MarkOf(a, b))
		}
	}
	return marks
}

// games returns the boxes of numbers of games of a bet.
func (o *offer) games(bet *rulebook.Bet) (texts []string) {
	b := examples(bet)[0]
	i := slices.IndexFunc(stakeBoxes, func(stake money.Amount) bool {
		b.Stake = stake
		return o.quote(b, 1) == nil
	})
	for _, games := range gameBoxes {
		if i >= 0 && o.quote(b, games) == nil {
			texts = append(texts, strconv.Itoa(games))
		}
	}
	return texts
}
