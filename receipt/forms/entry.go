package forms

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"drawhouse/core/ball"
	"drawhouse/core/figure"
	"drawhouse/rulebook"
)

// Entry writes the forms on which players enter: a page for bets on numbers, one for
// way bets, one for calls and one for races, as the rulebook sells them. It returns the
// characters that were written otherwise, because paper does not have them.
func Entry(w io.Writer, book *rulebook.Book, created time.Time, help string) (replaced string, err error) {
	if !book.Keno() {
		return "", ErrNotKeno
	}
	o, err := newOffer(book)
	if err != nil {
		return "", err
	}
	f := &form{sheet: newSheet(book, "Entry forms", created), book: book, offer: o, help: help}
	var numbers, calls, races []*rulebook.Bet
	for _, bet := range book.Bets() {
		switch bet.Form() {
		case rulebook.FormNumbers:
			numbers = append(numbers, bet)
		case rulebook.FormCalls:
			calls = append(calls, bet)
		case rulebook.FormRace:
			races = append(races, bet)
		}
	}
	if len(numbers) > 0 {
		f.numbers(numbers)
		f.ways(numbers)
	}
	for _, bet := range calls {
		f.calls(bet)
	}
	for _, bet := range races {
		f.race(bet)
	}
	return f.write(w)
}

// form is the form that is being drawn.
type form struct {
	*sheet
	book   *rulebook.Book
	offer  *offer
	help   string  // where players find help; empty for none
	indent float64 // of boxes
	steps  int     // of the page
}

// The measures of a form.
const (
	square   = 10.5 // height of a number to mark
	tick     = 4.2  // a box to mark
	tickRow  = 7.2
	tickGap  = 4.6
	stepGap  = 3.4
	signArea = 10.4 // height of a number with room for the letter of its group

	labelWidth = 18.0
	footTop    = bottom - 10.5
)

// begin begins a form.
func (f *form) begin(title, how string) {
	f.page(title, f.book.Title()+". "+how)
	f.steps = 0
}

// end draws what stands below every form.
func (f *form) end() {
	e := f.book.Eligibility()
	if f.y > footTop+1 {
		f.SetError(fmt.Errorf("forms: a form of %s does not fit its page", f.book.ID()))
	}
	f.y = max(f.y, footTop)
	f.SetDrawColor(int(rule), int(rule), int(rule))
	f.SetLineWidth(0.2)
	f.Line(margin, f.y, pageWidth-margin, f.y)
	f.y += 1.5
	f.paragraph(8.5, quiet,
		fmt.Sprintf("This form is not a ticket. What counts is what the house has recorded and your receipt ticket shows: check it before you leave the counter. %s", helped(nobodyUnder(e), f.help)))
}

// helped adds where players find help, if somebody has said it.
func helped(text, help string) string { return strings.TrimSpace(text + " " + help) }

// nobodyUnder says from which age on people may play, with the clause if the rules have one.
func nobodyUnder(e rulebook.Eligibility) string {
	if e.AgeClause() == "" {
		return fmt.Sprintf("Nobody under %d may play.", e.MinimumAge)
	}
	return fmt.Sprintf("Nobody under %d may play (%s).", e.MinimumAge, cite(e.AgeClause()))
}

// step draws the heading of a step of the form, with its number.
func (f *form) step(text, clause string) {
	f.steps++
	f.part(fmt.Sprintf("%d. %s", f.steps, text), clause)
}

// part draws the heading of something that belongs to a step.
func (f *form) part(text, clause string) {
	f.y += stepGap
	f.font("B", 11, ink)
	f.SetXY(margin, f.y)
	f.CellFormat(inner*0.78, 5.5, f.latin(text), "", 0, "L", false, 0, "")
	f.font("", 7.5, quiet)
	f.CellFormat(inner*0.22, 5.5, f.latin(cite(clause)), "", 0, "R", false, 0, "")
	f.y += 6.8
}

// ticks draws boxes with their texts, in as many rows as they take.
func (f *form) ticks(texts []string) {
	f.SetDrawColor(int(ink), int(ink), int(ink))
	f.SetLineWidth(0.3)
	x := margin + f.indent
	f.font("", 10, ink)
	for _, text := range texts {
		width := tick + 1.8 + f.GetStringWidth(f.latin(text)) + tickGap
		if x+width-tickGap > pageWidth-margin {
			x, f.y = margin+f.indent, f.y+tickRow
		}
		f.Rect(x, f.y+(tickRow-tick)/2, tick, tick, "D")
		f.cell(x+tick+1.8, f.y, width, tickRow, text, "LM")
		x += width
	}
	f.y += tickRow
}

// grid draws the numbers; with room, for a letter in every square.
func (f *form) grid(signs bool) {
	of, _ := f.book.Numbers()
	const perRow = 10
	height := square
	if signs {
		height = signArea
	}
	const wide = inner / perRow
	f.SetLineWidth(0.3)
	f.SetDrawColor(int(ink), int(ink), int(ink))
	for n := 1; n <= of; n++ {
		x, y := margin+float64((n-1)%perRow)*wide, f.y+float64((n-1)/perRow)*height
		if n > of/2 {
			y += 2 // The halves of the board stand apart, as they do on the display.
		}
		f.Rect(x, y, wide, height, "D")
		if signs {
			f.font("", 8.5, quiet)
			f.cell(x+1, y+0.6, wide-2, 4, strconv.Itoa(n), "LM")
		} else {
			f.font("B", 12, ink)
			f.cell(x, y, wide, height, strconv.Itoa(n), "CM")
		}
	}
	f.y += float64((of+perRow-1)/perRow)*height + 2
}

// numbers draws the form of bets on numbers.
func (f *form) numbers(bets []*rulebook.Bet) {
	f.begin("Entry form", "Cross out what you choose. One form is one bet.")
	if len(bets) > 1 {
		f.step("Bet", bets[0].Clause())
		f.ticks(names(bets))
	}
	f.step("Your numbers", bets[0].Clause())
	f.paragraph(9, quiet, "Mark "+sizesOf(bets)+" numbers.")
	f.y += 1.5
	f.grid(false)
	f.picks(bets)
	f.stake("Stake a game", bets[0])
	f.gamesAndFeatures(bets, false)
	f.end()
}

// other is a box for what has none of its own.
const other = "other: ______"

// stake draws the step of the stake.
func (f *form) stake(text string, bet *rulebook.Bet) {
	stakes, clause := f.offer.stakes(bet)
	f.step(text, clause)
	f.ticks(append(stakes, other))
}

// names returns the texts of the boxes in which players mark a bet.
func names(bets []*rulebook.Bet) (texts []string) {
	for _, bet := range bets {
		text := bet.Name()
		if box, clause := bet.FormBox(); box != "" {
			text += ": " + box + " (" + cite(clause) + ")"
		}
		texts = append(texts, text)
	}
	return texts
}

// sizesOf says how many numbers may be marked, bet by bet where they differ.
func sizesOf(bets []*rulebook.Bet) string {
	first := bets[0].Sizes()
	same := true
	for _, bet := range bets {
		same = same && bet.Sizes() == first
	}
	if same {
		return ranges(first)
	}
	var texts []string
	for _, bet := range bets {
		texts = append(texts, bet.Name()+" "+ranges(bet.Sizes()))
	}
	return "for " + strings.Join(texts, ", for ")
}

// ranges returns sizes as people say them: 1 to 10, 15, 20 or 40.
func ranges(sizes ball.Set) string {
	parts := sizes.Ranges()
	if len(parts) == 1 {
		return parts[0]
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " or " + parts[len(parts)-1]
}

// picks draws the boxes by which the terminal picks.
func (f *form) picks(bets []*rulebook.Bet) {
	picks, ok := bets[0].Picks()
	if !ok || picks.Quick == "" {
		return
	}
	f.part("or "+picks.Quick+": the terminal picks so many", picks.Clause)
	var texts []string
	for n := range bets[0].Sizes().All() {
		texts = append(texts, strconv.Itoa(n))
	}
	if picks.Mystery != "" {
		texts = append(texts, picks.Mystery)
	}
	f.ticks(texts)
}

// gamesAndFeatures draws the steps that forms have in common.
func (f *form) gamesAndFeatures(bets []*rulebook.Bet, ways bool) {
	multi := f.book.Games().Multi
	f.step("Consecutive games", multi.Clause)
	f.ticks(append(f.offer.games(bets[0]), other))
	for _, feature := range f.book.Features() {
		if !f.sells(feature, bets, ways) {
			continue
		}
		f.step(f.featureTitle(feature, bets), feature.Clause())
		texts := []string{"In all games"}
		if !feature.EqualStake() {
			texts = append(texts, "Stake a game: ______")
		}
		if feature.FirstGames() {
			texts = append(texts, "In the first games, so many: ______")
		}
		f.ticks(texts)
	}
}

// sells reports whether a feature goes with one of the bets.
func (f *form) sells(feature *rulebook.Feature, bets []*rulebook.Bet, ways bool) bool {
	for _, bet := range bets {
		if feature.Allows(bet.ID()) && (!ways || feature.Ways()) {
			return true
		}
	}
	return false
}

// featureTitle says what a feature costs and with what it goes.
func (f *form) featureTitle(feature *rulebook.Feature, bets []*rulebook.Bet) string {
	text := feature.Name()
	if feature.EqualStake() {
		text += ", for as much again"
	}
	if feature.RunOnly(bets[0].ID()) {
		text += ", where the prize is the next stake"
	}
	if sizes, bound := feature.Sizes(); bound {
		text += ", with " + ranges(sizes) + " spots"
	}
	return text
}

// ways draws the form of way bets.
func (f *form) ways(bets []*rulebook.Bet) {
	var sold []*rulebook.Bet
	for _, bet := range bets {
		if _, ok := bet.Ways(); ok {
			sold = append(sold, bet)
		}
	}
	if len(sold) == 0 {
		return
	}
	policy, _ := sold[0].Ways()
	f.begin("Way bet form", "A way joins whole groups of numbers and plays for itself.")
	if len(sold) > 1 {
		f.step("Bet", sold[0].Clause())
		f.ticks(names(sold))
	}
	f.step("Groups: write A, B, C and so on into the squares of the numbers of each group", policy.Clause)
	f.grid(true)
	f.step("Ways", cmp.Or(policy.ByMarksClause, policy.Clause))
	f.waysPlayed(&policy, sold[0])
	stakes, clause := f.offer.wayStakes(sold[0])
	f.step("Stake on each way", clause)
	f.ticks(append(stakes, other))
	f.gamesAndFeatures(sold, true)
	f.end()
}

// waysPlayed draws how ways may be named.
func (f *form) waysPlayed(policy *rulebook.Ways, bet *rulebook.Bet) {
	var texts []string
	if policy.All {
		texts = append(texts, "All ways that are sold")
	}
	if policy.ByTypes {
		for n := range bet.Sizes().All() {
			texts = append(texts, figure.Count(n, "spot"))
		}
	}
	if policy.ByGroups {
		for n := 1; n <= 6; n++ {
			texts = append(texts, figure.Count(n, "group"))
		}
	}
	if len(texts) > 0 {
		f.ticks(texts)
	}
	if !policy.ByMarks {
		return
	}
	f.paragraph(9, quiet, "Each way by the letters of its groups, such as A+C:")
	f.y += 5
	const aside, rows = 6, 2
	width := inner / aside
	f.SetDrawColor(int(quiet), int(quiet), int(quiet))
	for i := range aside * rows {
		x, y := margin+float64(i%aside)*width, f.y+float64(i/aside)*7
		f.Line(x, y, x+width-4, y)
	}
	f.y += 7*(rows-1) + 1
}

// calls draws the form of bets on heads, tails or evens.
func (f *form) calls(bet *rulebook.Bet) {
	policy, ok := bet.Calls()
	if !ok {
		return
	}
	of, _ := f.book.Numbers()
	f.begin(bet.Name(),
		fmt.Sprintf("Heads: %d or more of the numbers drawn are in 1 to %d. Tails: %d or more are in %d to %d. Evens: neither.", policy.Majority, policy.LowerHalf, policy.Majority, policy.LowerHalf+1, of))
	outcomes := []string{"Heads", "Tails", "Evens"}
	f.step("Your call for every game", bet.Clause())
	f.ticks(outcomes)
	if policy.SeriesMax > 1 {
		f.part(fmt.Sprintf("or a call for each game, up to %d games", policy.SeriesMax), policy.Clause)
		for i := range policy.SeriesMax {
			f.font("B", 10, ink)
			f.cell(margin, f.y, labelWidth, tickRow, fmt.Sprintf("Game %d", i+1), "LM")
			f.indent = labelWidth
			f.ticks(outcomes)
			f.indent = 0
		}
	}
	if policy.Run {
		f.step("Let the prize be the next stake", policy.RunClause)
		f.ticks([]string{"Yes, until the last game or the first that is lost"})
	}
	f.stake("Stake a game", bet)
	f.gamesAndFeatures([]*rulebook.Bet{bet}, false)
	f.end()
}

// race draws the form of bets on the order of the rows.
func (f *form) race(bet *rulebook.Bet) {
	race, ok := bet.Race()
	if !ok {
		return
	}
	f.begin(bet.Name(), fmt.Sprintf("%d rows of %d numbers race: the row with the most numbers drawn is first.",
		race.Rows(), race.RowNumbers()))
	f.step("Bet", race.Clause())
	var texts []string
	places := 1
	for _, kind := range race.Types() {
		texts = append(texts, kind.Name)
		places = max(places, kind.Places)
	}
	f.ticks(texts)
	f.step("Rows that may come in each place; several rows are several combinations", race.Clause())
	var rows []string
	for n := 1; n <= race.Rows(); n++ {
		rows = append(rows, strconv.Itoa(n))
	}
	for place := range places {
		f.font("B", 10, ink)
		f.cell(margin, f.y, labelWidth, tickRow, []string{"First", "Second", "Third", "Fourth"}[min(place, 3)], "LM")
		f.indent = labelWidth
		f.ticks(rows)
		f.indent = 0
	}
	f.stake("Stake on each combination", bet)
	f.gamesAndFeatures([]*rulebook.Bet{bet}, false)
	f.end()
}
