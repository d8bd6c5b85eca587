package odds

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"drawhouse/core/figure"
)

// The measures of a plot, in pixels. Counts stand one below the other, so that
// every label is read without turning the head.
const (
	plotWidth   = 980
	plotTop     = 96 // above the first row: titles
	plotBottom  = 64 // below the last row: axes
	rowHeight   = 24
	barHeight   = 14
	panelWidth  = 250 // of the bars
	firstPanel  = 96
	secondPanel = 560
)

// PlotSVG returns a picture of the bet: on the left how likely each count of
// matched spots is, on the right how much of the return comes through it.
func (b *Bet) PlotSVG() []byte {
	height := plotTop + rowHeight*len(b.Tiers) + plotBottom
	heading := fmt.Sprintf("%s, %s, %s", b.Name, b.pickWords(), b.Schedule)
	out := fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">
<title>%s</title>
<style>
text{font:13px system-ui,"Segoe UI",Roboto,"Liberation Sans",sans-serif;fill:#1d2733;font-variant-numeric:tabular-nums}
.label{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}
.head{font-size:19px;font-weight:600}.sub{fill:#526070}.panel{font-weight:600}.axis{font-size:11px;fill:#526070}
.grid{stroke:#e3e8ee}.zero{stroke:#1d2733;stroke-width:1.5}.pays{fill:#1f6feb}.none{fill:#b8c4d2}.part{fill:#c2571a}
</style>
<rect width="%d" height="%d" fill="#fff"/>
<text class="head" x="20" y="32">%s</text>
<text class="sub" x="20" y="54">returns %s%% of the stake, pays %s, variance %s</text>
`, plotWidth, height, plotWidth, height, escapeXML(heading), plotWidth, height, escapeXML(heading),
		b.RTP.Percent(), b.HitFrequency.OneIn(), figure.Grouped(b.Variance.Decimal(2)))
	out = b.appendRowNames(out)
	out = b.appendPanel(out, b.likelihood())
	out = b.appendPanel(out, b.returnParts())
	return append(out, "</svg>\n"...)
}

// pickWords returns what a player chooses, in words.
func (b *Bet) pickWords() string {
	switch {
	case b.Spots == 1:
		return "1 spot"
	case b.Spots > 1:
		return b.pick() + " spots"
	}
	return b.pick()
}

// escapeXML makes a text of a rulebook safe inside an element.
func escapeXML(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// appendRowNames appends the counts to the left of the first panel.
func (b *Bet) appendRowNames(out []byte) []byte {
	name := "matched"
	if b.wonOrLost() {
		name = "bet"
	}
	out = fmt.Appendf(out, `<text class="panel" x="%d" y="%d" text-anchor="end">%s</text>`+"\n", firstPanel-12,
		plotTop-14, name)
	for i, t := range b.Tiers {
		label := strconv.Itoa(t.Matched)
		if b.wonOrLost() {
			label = [...]string{"lost", "won"}[t.Matched]
		}
		out = fmt.Appendf(out, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", firstPanel-12, rowMiddle(i)+4,
			label)
	}
	return out
}

// wonOrLost reports whether the bet has nothing to count: its tiers are whether the
// call, the forecast or the last number came.
func (b *Bet) wonOrLost() bool { return len(b.Tiers) == 2 && b.Spots != 1 }

func rowMiddle(row int) int { return plotTop + row*rowHeight + rowHeight/2 }

// panel is one set of bars with its axis in percent.
type panel struct {
	left        int
	title, unit string
	bars        []bar
}

type bar struct {
	value *big.Rat
	class string
	label string
}

// likelihood is the panel of probabilities; bars of counts that pay stand out.
func (b *Bet) likelihood() panel {
	p := panel{left: firstPanel, title: "how likely it is (grey: pays nothing)", unit: "probability, %"}
	for _, t := range b.Tiers {
		class := "pays"
		if t.PrizeCents == 0 {
			class = "none"
		}
		p.bars = append(p.bars, bar{t.Probability.Rat, class, t.Probability.OneIn()})
	}
	return p
}

// returnParts is the panel of prize times probability.
func (b *Bet) returnParts() panel {
	p := panel{left: secondPanel, title: "what comes back through it", unit: "part of the return, % of the stake"}
	for _, t := range b.Tiers {
		part := units(t.PrizeCents, b.PerCents)
		part.Mul(part, t.Probability.Rat)
		label := "pays nothing"
		if t.PrizeCents > 0 {
			label = fmt.Sprintf("%s: %s", b.money.Write(t.PrizeCents), percentLabel(part))
		}
		p.bars = append(p.bars, bar{part, "part", label})
	}
	return p
}

// percentLabel returns a percentage with two decimals; what they cannot show is
// said to be less than they can.
func percentLabel(part *big.Rat) string {
	if part.Cmp(big.NewRat(1, 10_000)) < 0 {
		return "under 0.01%"
	}
	return Ratio{part}.percent(2) + "%"
}

// appendPanel draws the axis first, so that the bars lie on it.
func (b *Bet) appendPanel(out []byte, p panel) []byte {
	bottom := plotTop + rowHeight*len(p.bars)
	out = fmt.Appendf(out, `<text class="panel" x="%d" y="%d">%s</text>`+"\n", p.left, plotTop-14, p.title)
	step, ticks := axis(p.bars)
	for i := range ticks + 1 {
		value := new(big.Rat).Mul(step, big.NewRat(int64(i), 1))
		x := hundredthsOf(int64(p.left)*100 + int64(panelWidth)*100*int64(i)/int64(ticks))
		class := "grid"
		if i == 0 {
			class = "zero"
		}
		out = fmt.Appendf(out,
			`<line class="%s" x1="%s" x2="%s" y1="%d" y2="%d"/><text class="axis" x="%s" y="%d" text-anchor="middle">%s</text>`+
				"\n",
			class, x, x, plotTop-4, bottom+4, x, bottom+20, percentTick(value))
	}
	out = fmt.Appendf(out, `<text class="axis" x="%d" y="%d">%s</text>`+"\n", p.left, bottom+42, p.unit)
	most := new(big.Rat).Mul(step, big.NewRat(int64(ticks), 1))
	for i, bar := range p.bars {
		width := new(big.Rat).Quo(bar.value, most)
		width.Mul(width, big.NewRat(panelWidth, 1))
		// A label stands clear of its bar; where the bar is long it leaves the axis.
		x := new(big.Rat).Add(width, big.NewRat(int64(p.left)+6, 1))
		out = fmt.Appendf(out,
			`<rect class="%s" x="%d" y="%d" width="%s" height="%d"/><text class="label" x="%s" y="%d">%s</text>`+"\n",
			bar.class, p.left, rowMiddle(i)-barHeight/2, width.FloatString(2), barHeight, x.FloatString(2), rowMiddle(
				i)+4, bar.label)
	}
	return out
}

// axis returns the step between the marks of an axis and how many steps it takes
// to pass the longest bar: between three and six of 1, 2 or 5 times a power of
// ten.
func axis(bars []bar) (step *big.Rat, ticks int) {
	longest := new(big.Rat)
	for _, bar := range bars {
		if bar.value.Cmp(longest) > 0 {
			longest = bar.value
		}
	}
	if longest.Sign() == 0 {
		return big.NewRat(1, 100), 1
	}
	step = powerOfTen(len(longest.Num().String()) - len(longest.Denom().String()) - 3)
	for i := 0; ; i++ {
		ticks := new(big.Rat).Quo(longest, step)
		if n := ceilDiv(ticks.Num(), ticks.Denom()); n.Cmp(big.NewInt(6)) <= 0 {
			return step, int(n.Int64())
		}
		// 1, 2, 5, 10
		grow := big.NewRat(2, 1)
		if i%3 == 1 {
			grow = big.NewRat(5, 2)
		}
		step = new(big.Rat).Mul(step, grow)
	}
}

// percentTick returns a value of an axis in percent without needless zeros.
func percentTick(value *big.Rat) string {
	percent := new(big.Rat).Mul(value, big.NewRat(100, 1))
	text := percent.FloatString(6)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// hundredthsOf returns a number of hundredths as a decimal.
func hundredthsOf(n int64) string { return big.NewRat(n, 100).FloatString(2) }
