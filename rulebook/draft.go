package rulebook

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
)

// Draft is what a new rulebook begins with. [Draft.Text] makes a small, sound file of it, with remarks for the
// person who goes on writing.
type Draft struct {
	Kind     Kind
	ID       string
	Title    string
	Currency string
	Zone     string
	From     day.Day // first day in force
	Age      int     // of players, at least

	// Of keno.
	Price  money.Amount                 // stake of a way in a game: the least, and the step
	Most   money.Amount                 // for which a ticket may be sold
	Games  int                          // that a ticket may enter
	Months int                          // in which a prize is paid
	Prizes map[int]map[int]money.Amount // spots: matched: prize for the price
}

// DraftPrizes returns prizes for a stake of price on 1 to 10 spots, each of which returns about three quarters of
// the stakes.
func DraftPrizes(price money.Amount) map[int]map[int]money.Amount {
	times := map[int]map[int]int64{
		1:  {1: 3},
		2:  {2: 12},
		3:  {2: 1, 3: 42},
		4:  {2: 1, 3: 4, 4: 115},
		5:  {3: 2, 4: 18, 5: 550},
		6:  {3: 1, 4: 5, 5: 80, 6: 1500},
		7:  {3: 1, 4: 2, 5: 24, 6: 150, 7: 5000},
		8:  {4: 2, 5: 12, 6: 90, 7: 700, 8: 10000},
		9:  {4: 1, 5: 5, 6: 35, 7: 250, 8: 2500, 9: 25000},
		10: {0: 2, 5: 2, 6: 18, 7: 120, 8: 750, 9: 4500, 10: 100000},
	}
	prizes := map[int]map[int]money.Amount{}
	for spots, row := range times {
		prizes[spots] = map[int]money.Amount{}
		for matched, n := range row {
			prizes[spots][matched] = money.Amount(n) * price
		}
	}
	return prizes
}

// Text returns the file. Whether it is sound is for [Load] to say.
func (d *Draft) Text() string {
	head := fmt.Sprintf(`# %s: the rules of a game, as data.
#
# Every value has the clause of your document that it comes from: in a field "clause" of its own, or of the nearest block
# above it. Here the clauses are 1, 2, 3 and so on; put those of your document in their place.
# drawhouse rulebook check FILE finds every fault; drawhouse %s FILE works out what players get back.
rulebook: %s          # the id, for good
title: %s
edition: 1          # one more with every change
kind: %s
currency: %s
zone: %s
effective: {clause: "1", from: %v}

`, d.Title, d.Odds(), d.ID, strconv.Quote(d.Title), d.Kind, d.Currency, d.Zone, d.From)
	if d.Kind == KindBingo {
		return head + draftBingo
	}
	return head + d.keno()
}

// Odds returns the words of the command that works out the odds of such a book, before the name of its file.
func (d *Draft) Odds() string {
	if d.Kind == KindBingo {
		return "bingo odds --rulebook"
	}
	return "odds"
}

func (d *Draft) keno() string {
	sizes := ball.Empty(ball.Keno)
	var table strings.Builder
	for _, spots := range slices.Sorted(maps.Keys(d.Prizes)) {
		if ball.Keno.Has(spots) {
			sizes = sizes.With(spots)
		}
		var row []string
		for _, matched := range slices.Sorted(maps.Keys(d.Prizes[spots])) {
			row = append(row, fmt.Sprintf("%d: %s", matched, plain(d.Prizes[spots][matched])))
		}
		fmt.Fprintf(&table, "        %d: {%s}\n", spots, strings.Join(row, ", "))
	}
	return fmt.Sprintf(`keno:
  # Twenty of eighty numbers are drawn.
  numbers: {clause: "2", of: 80, draw: 20}

  # Games have the numbers 1 to 999 and begin anew every day. A ticket may enter several games in a row.
  games:
    clause: "3"
    numbering: {first: 1, last: 999, restarts: daily}
    multi: {max: %d}

  # A writer types what the player says or reads a form; at a self-service terminal (sst) the player touches the screen.
  entry:
    - {clause: "4", channel: writer, method: form}
    - {clause: "4", channel: writer, method: verbal}
    - {clause: "4", channel: sst, method: screen}

  eligibility: {clause: "5", minimum_age: %d}

  # One bet: spots that are matched against the numbers drawn. A terminal may pick for the player.
  bets:
    - clause: "6"
      id: classic
      name: Classic
      form: numbers
      sizes: %s
      picks: {quick: Quick Pick}

  # What a way in a game costs at least and in which steps, and what a ticket costs at most.
  limits:
    - {clause: "7", measure: stake, min: %s, step: %s}
    - {clause: "7", measure: entry, max: %s}

  # Prizes for a stake of "per", by spots and matches. A larger stake wins in proportion.
  tables:
    - clause: "8"
      id: classic
      per: %s
      catch:
%s  schedules:
    - {clause: "8", id: first, current_from: %v, uses: {classic: classic}}

  # Cash pays for tickets, and prizes are paid in cash or, for a payee by name, by cheque.
  tenders:
    - {clause: "9", channel: writer, accept: [cash]}
    - {clause: "9", channel: sst, accept: [cash]}
  payout:
    clause: "10"
    period: {months: %d}
    methods:
      - {id: cash, of: session}
      - {id: cheque, of: session, payee: true}

  # Who signs a claim for a ticket that cannot be read.
  claims:
    clause: "11"
    form: Claim Form
    signatures: [{role: operator}]
    paid_by: [cheque]

  # Left out, and therefore: prizes are rounded down to the cent (rounding), a ticket is given back until its first game closes
  # (cancellation), prizes lapse after the period above (unclaimed), a ticket has a number of 16 digits (serials) and shows all
  # that it is (receipt), a generator or custodians draw (draw), and a supervisor is there (staffing).
  # Jackpots, a multiplier, features, ready tickets, promotions: see the rulebooks of the program for their form.
`, d.Games, d.Age, Sizes(sizes), plain(d.Price), plain(d.Price), plain(d.Most), plain(d.Price), table.String(), d.From, d.Months)
}

// plain writes an amount as a file does.
func plain(a money.Amount) string {
	if a%100 == 0 {
		return strconv.FormatInt(a.Cents()/100, 10)
	}
	return fmt.Sprintf("%d.%02d", a.Cents()/100, a.Cents()%100)
}

// draftBingo is bingo of ninety numbers on strips of six boxes.
const draftBingo = `bingo:
  # Ninety numbers; a full box of fifteen takes fifteen calls at least.
  numbers: {clause: "2", of: 90, draw: 15}
  card:
    clause: "3"
    boxes_per_strip: 6
    pages: [6, 12]
    lines: 3
    columns: 9
    per_line: 5
    column_max: 2

  # What the house keeps of an entry fee, in percent.
  session: {clause: "4", administration: 20}
  calls: {clause: "5", least: 15}

  # The minor games; a full box is always there.
  patterns:
    - {clause: "6", id: any-line, name: Any line, any_lines: 1}
    - {clause: "6", id: two-lines, name: Two lines, any_lines: 2}
    - {clause: "6", id: corners, name: Corners, cells: {top: [1, 5], bottom: [1, 5]}}

  jackpot: {clause: "7", numbers_max: 5, paid_by: [cash]}
  prizes: {clause: "8", media: [cash]}
  promotion:
    clause: "9"
    scrutineer_over: 10000
    choice_over: 10000
    denied_kept_over: 100
    notice_hours: 24
    notify_days: 2
    liquor_litres: 20
    prohibited: [tobacco]
    particulars: [dates]

  # The program cites clauses of nsw-bingo-2019 where it refuses something. These clauses of your document say the same; where
  # none does, a refusal cites nothing.
  concordance:
    - {clause: "3", for: ["2.2.1", "2.3.1", "2.4"]}
    - {clause: "4", for: ["3.1", "4.1", "4.2"]}
    - {clause: "5", for: ["4.5", "4.6", "4.8"]}
    - {clause: "6", for: ["5.1", "5.2", "5.3", "5.4.1"]}
    - {clause: "7", for: ["6.5.1"]}
    - {clause: "8", for: ["7.1", "7.2"]}
`
