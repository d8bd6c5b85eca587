package forms

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/rulebook"
	"drawhouse/rulebook/odds"
)

// ErrNotKeno refuses a rulebook without schedules and forms.
var ErrNotKeno = errors.New("forms: the rulebook has no schedules and no entry forms; bingo is played on cards")

// Schedule writes the prizes of a rulebook, each table with its clause and each prize
// with its odds: of one schedule, by its id or number, or of all. It returns the characters that
// were written otherwise, because paper does not have them.
func Schedule(w io.Writer, book *rulebook.Book, schedule string, created time.Time, help string) (replaced string,
	err error) {
	if !book.Keno() {
		return "", ErrNotKeno
	}
	report, err := odds.Of(book, odds.Options{Schedule: schedule})
	if err != nil {
		return "", err
	}
	s := &prizeSheet{sheet: newSheet(book, "Prizes and odds", created), book: book, report: report, help: help}
	for start := 0; start < len(report.Bets); {
		end := start
		for end < len(report.Bets) && report.Bets[end].Schedule == report.Bets[start].Schedule {
			end++
		}
		s.schedule(report.Bets[start:end])
		start = end
	}
	return s.write(w)
}

// prizeSheet is the schedule that is being drawn.
type prizeSheet struct {
	*sheet
	book   *rulebook.Book
	report *odds.Report
	title  string
	help   string // where players find help; empty for none
}

// block is a small table: a title, a remark at its right, columns and rows.
type block struct {
	title, remark string
	columns       [3]string
	widths        *[3]float64 // of the columns; nil for those of a number of spots
	rows          [][3]string
	strong        int // how many rows from the top are bold
	foot          []string
}

// The measures of blocks, three of them side by side.
const (
	blocksAside = 3
	blockGap    = 5.0
	blockWidth  = (inner - (blocksAside-1)*blockGap) / blocksAside
	headHeight  = 6.5
	rowHeight   = 4.4
	footHeight  = 3.8
	afterBlock  = 5.0
	padding     = 1.8
)

func (b *block) height() float64 {
	return headHeight + rowHeight*float64(len(b.rows)+1) + footHeight*float64(len(b.foot)) + 1.5
}

// schedule draws the bets of one schedule.
func (s *prizeSheet) schedule(bets []odds.Bet) {
	s.title = "Prizes and odds"
	if all := s.book.Schedules(); len(all) > 1 {
		s.title += ", " + strings.ReplaceAll(bets[0].Schedule, "-", " ")
	}
	s.begin()
	var others []block
	for start := 0; start < len(bets); {
		end := start
		for end < len(bets) && bets[end].Bet == bets[start].Bet {
			end++
		}
		others = append(others, s.bet(bets[start:end])...)
		start = end
	}
	others = append(others, s.bonusJackpots(bets)...)
	if others = append(others, s.multiplier()...); len(others) > 0 {
		s.part("Other bets and features", "", others)
	}
	s.notes(bets[0].Schedule)
}

func (s *prizeSheet) begin() {
	of, drawn := s.book.Numbers()
	larger := "A larger stake wins in proportion."
	if step, _, _ := s.book.Rounding(); step > money.Cent {
		larger = "A larger stake wins in proportion, before rounding."
	}
	s.page(s.title, fmt.Sprintf("%s. %d of %d numbers are drawn. %s", s.book.Title(), drawn, of, larger))
}

// bet draws a bet on numbers, a block for each size. A bet that is won or lost is one
// block, which it returns to be put beside others.
func (s *prizeSheet) bet(bets []odds.Bet) []block {
	last := &bets[len(bets)-1]
	if last.Spots == 0 || len(last.Tiers) <= 2 {
		return []block{s.pickBlock(bets)}
	}
	var blocks []block
	for i := range bets {
		blocks = append(blocks, s.sizeBlock(&bets[i]))
	}
	s.part(last.Name+", for a stake of "+last.PerCents.String(), last.Clause, blocks)
	return nil
}

// sizeBlock is the table of a number of spots: what each count matched wins.
func (s *prizeSheet) sizeBlock(b *odds.Bet) block {
	t := block{title: figure.Count(b.Spots, "spot"), columns: [3]string{"Matched", "Prize", "Chance"}}
	for i := len(b.Tiers) - 1; i >= 0; i-- {
		if tier := b.Tiers[i]; tier.PrizeCents > 0 {
			t.rows = append(t.rows, [3]string{strconv.Itoa(tier.Matched), tier.PrizeCents.String(),
				oneIn(tier.Probability)})
		}
	}
	if j := b.Jackpot; j != nil {
		t.remark, t.strong = "and jackpot", 1
		if j.Pays == string(rulebook.PaysSubstitution) {
			t.remark = "or jackpot"
		}
		if j.FillCents > 0 {
			t.foot = append(t.foot, "Jackpot Fill "+j.FillCents.String())
		}
	}
	t.foot = append(t.foot, fmt.Sprintf("Any prize %s, returns %s", oneIn(b.HitFrequency), percent(b.RTP)))
	return t
}

// pickBlock is the table of a bet that is won or lost: what each pick wins.
func (s *prizeSheet) pickBlock(bets []odds.Bet) block {
	name := bets[0].Name
	if bet, ok := s.book.Bet(bets[0].Bet); ok {
		name = bet.Name()
	}
	t := block{title: name, remark: "for " + bets[0].PerCents.String(), columns: [3]string{"Pick", "Prize", "Chance"},
		widths: &pickColumns}
	for i := range bets {
		for _, tier := range bets[i].Tiers {
			if tier.PrizeCents > 0 {
				t.rows = append(t.rows, [3]string{s.pickName(&bets[i]), tier.PrizeCents.String(),
					oneIn(tier.Probability)})
			}
		}
	}
	t.foot = []string{"Returns " + percentRange(bets), cite(bets[0].Clause)}
	return t
}

// pickName returns what a player picks.
func (s *prizeSheet) pickName(b *odds.Bet) string {
	switch {
	case b.Spots > 0:
		return figure.Count(b.Spots, "spot")
	case b.Type != "":
		if bet, ok := s.book.Bet(b.Bet); ok {
			if race, ok := bet.Race(); ok {
				if kind, ok := race.Type(b.Type); ok {
					return kind.Name
				}
			}
		}
		return b.Type
	}
	return strings.ToUpper(b.Pick[:1]) + b.Pick[1:]
}

// percent returns a ratio as a percentage with two decimals.
func percent(r odds.Ratio) string {
	return new(big.Rat).Mul(r.Rat, big.NewRat(100, 1)).FloatString(2) + "%"
}

// percentRange returns the least and the greatest return of some bets.
func percentRange(bets []odds.Bet) string {
	by := func(a, b odds.Bet) int { return a.RTP.Cmp(b.RTP.Rat) }
	least, most := percent(slices.MinFunc(bets, by).RTP), percent(slices.MaxFunc(bets, by).RTP)
	if least == most {
		return least
	}
	return least + " to " + most
}

// oneIn returns a probability as a table has room for it: two decimals below a
// thousand, whole numbers below ten thousand million, and a power of ten beyond.
func oneIn(r odds.Ratio) string {
	if r.Sign() == 0 {
		return "never"
	}
	n := new(big.Rat).Inv(r.Rat)
	switch {
	case n.Cmp(big.NewRat(1000, 1)) < 0:
		return "1 in " + n.FloatString(2)
	case n.Cmp(big.NewRat(10_000_000_000, 1)) < 0:
		return "1 in " + figure.Grouped(n.FloatString(0))
	}
	zeros := len(n.FloatString(0)) - 1
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(zeros)), nil)
	return fmt.Sprintf("1 in %s x 10^%d", n.Mul(n, new(big.Rat).SetFrac(big.NewInt(1), scale)).FloatString(2), zeros)
}

// bonusJackpots draws the extra prizes of a multiplied jackpot.
func (s *prizeSheet) bonusJackpots(bets []odds.Bet) []block {
	schedule, ok := s.book.Schedule(bets[0].Schedule)
	if !ok {
		return nil
	}
	table, ok := schedule.Size(rulebook.UseBonusJackpot)
	if !ok {
		return nil
	}
	t := block{title: s.report.Multiplier.Name + " Jackpot", remark: "for " + table.Per().String(),
		columns: [3]string{"Spots", "Prize", "Chance"}}
	from := 0
	for i := range bets {
		m := bets[i].Multiplied
		if m == nil || m.BonusJackpot == nil {
			continue
		}
		from = m.BonusJackpot.FactorFrom
		t.rows = append(t.rows, [3]string{strconv.Itoa(bets[i].Spots), m.BonusJackpot.PrizeCents.String(),
			oneIn(m.BonusJackpot.Probability)})
	}
	t.foot = []string{fmt.Sprintf("All spots, and a multiplier of %d or more", from),
		"Shared with those who win it too", cite(table.Clause())}
	return []block{t}
}

// multiplier draws how often each multiplier comes.
func (s *prizeSheet) multiplier() []block {
	m := s.report.Multiplier
	if m == nil {
		return nil
	}
	t := block{title: m.Name, columns: [3]string{"Multiplier", "", "Chance"}}
	for _, f := range m.Factors {
		t.rows = append(t.rows, [3]string{"x" + strconv.Itoa(f.Factor), "", oneIn(f.Probability)})
	}
	by := "By the sum of the numbers drawn"
	if wheel := s.book.Wheel(); wheel != nil {
		by = fmt.Sprintf("By a wheel of %d slots that the order drawn turns", len(wheel))
	}
	t.foot = []string{by, "On average x" + m.Mean.Decimal(4), cite(m.Clause)}
	return []block{t}
}

// part draws blocks side by side below a heading. The heading stays with the first of
// them.
func (s *prizeSheet) part(heading, clause string, blocks []block) {
	const headingHeight = 8.5
	for row := 0; row < len(blocks); row += blocksAside {
		aside := blocks[row:min(row+blocksAside, len(blocks))]
		height := 0.0
		for i := range aside {
			height = max(height, aside[i].height())
		}
		need := height
		if row == 0 {
			need += headingHeight
		}
		switch broken := s.y+need > bottom; {
		case broken && row > 0:
			s.begin()
			s.heading(heading+" (continued)", clause)
		case broken:
			s.begin()
			s.heading(heading, clause)
		case row == 0:
			s.heading(heading, clause)
		}
		for i := range aside {
			s.block(margin+float64(i)*(blockWidth+blockGap), s.y, &aside[i])
		}
		s.y += height + afterBlock
	}
}

// The widths of a block's columns, with numbers and with names of picks.
var (
	sizeColumns = [3]float64{0.17 * blockWidth, 0.33 * blockWidth, 0.50 * blockWidth}
	pickColumns = [3]float64{0.36 * blockWidth, 0.24 * blockWidth, 0.40 * blockWidth}
)

// block draws a block.
func (s *prizeSheet) block(x, y float64, b *block) {
	s.SetDrawColor(int(rule), int(rule), int(rule))
	s.SetLineWidth(0.2)
	s.Rect(x, y, blockWidth, b.height(), "D")
	s.font("B", 11, ink)
	s.cell(x+padding, y+0.3, blockWidth-2*padding, headHeight, b.title, "LM")
	s.font("B", 8, quiet)
	s.cell(x+padding, y+0.3, blockWidth-2*padding, headHeight, b.remark, "RM")
	y += headHeight
	s.font("", 7.5, quiet)
	widths := b.widths
	if widths == nil {
		widths = &sizeColumns
	}
	s.row(x, y, widths, b.columns)
	y += rowHeight
	for i, texts := range b.rows {
		if i%2 == 0 {
			s.SetFillColor(int(shade), int(shade), int(shade))
			s.Rect(x+0.3, y, blockWidth-0.6, rowHeight, "F")
		}
		weight := ""
		if i < b.strong {
			weight = "B"
		}
		s.font(weight, 8.5, ink)
		s.row(x, y, widths, texts)
		y += rowHeight
	}
	s.font("", 7.5, quiet)
	for _, text := range b.foot {
		s.cell(x+padding, y+0.8, blockWidth-2*padding, footHeight, text, "LM")
		y += footHeight
	}
}

// row writes the columns of a row: the first at the left, the others at the right.
func (s *prizeSheet) row(x, y float64, widths *[3]float64, texts [3]string) {
	for i, text := range texts {
		align := "RM"
		if i == 0 {
			align = "LM"
		}
		s.cell(x+padding, y, widths[i]-2*padding, rowHeight, text, align)
		x += widths[i]
	}
}

// notes says what else decides about a prize.
func (s *prizeSheet) notes(schedule string) {
	texts := s.rules(schedule)
	if s.y+float64(len(texts)+1)*8 > bottom {
		s.begin()
	}
	s.heading("What else counts", "")
	for _, text := range append(texts, s.report.Notes...) {
		s.paragraph(9, ink, text)
		s.y += 1.2
	}
}

// rules returns the sentences on caps, jackpots and time.
func (s *prizeSheet) rules(schedule string) (texts []string) {
	add := func(clause, format string, args ...any) {
		texts = append(texts, fmt.Sprintf(format, args...)+" ("+cite(clause)+")")
	}
	for _, p := range s.book.Prorating() {
		if p.Cap == nil {
			continue
		}
		major := ""
		switch {
		case p.MajorOver != nil:
			major = "over " + p.MajorOver.Amount().String()
		case p.MajorFrom != nil:
			major = "of " + p.MajorFrom.Amount().String() + " or more"
		}
		add(p.Clause,
			"The prizes %s of one game come to at most %v together. If they come to more, each is reduced, and none below %v.",
			major, p.Cap.Amount(), p.Floor.Amount())
	}
	if sch, ok := s.book.Schedule(schedule); ok {
		if most, ok := sch.WayCap(); ok {
			add(sch.WayCapClause(), "One way wins at most %v in a game, jackpots apart.", most)
		}
	}
	if j, ok := s.book.Jackpots(); ok {
		how := "in addition to the prize of the table"
		if j.Pays == rulebook.PaysSubstitution {
			how = "instead of the prize of the table"
		}
		add(j.Clause,
			"A jackpot is paid %s and is shared by those who win it in the same game. What it stands at is on the display.", how)
	}
	texts = append(texts, "10^15 is a one with fifteen zeros.")
	texts = append(texts,
		"The return is what the table pays of each dollar staked on average over very many games. A single player's result differs from it widely.")
	return append(texts, helped(nobodyUnder(s.book.Eligibility()), s.help))
}
