package money

import (
	"strings"

	"drawhouse/core/figure"
)

// Style is how a country writes amounts. The zero Style is that of [Amount.String].
type Style struct {
	Symbol  string // such as €
	After   bool   // the symbol stands behind the amount, after a space
	Group   string // between thousands
	Decimal string // before cents
	Code    string // of the currency, where the symbol cannot be written
}

// On returns the style for paper or a font that does not have every letter: the code of the currency stands for a
// symbol that cannot be written there.
func (s Style) On(has func(rune) bool) Style {
	if s.Code == "" || !strings.ContainsFunc(s.Symbol, func(r rune) bool { return !has(r) }) {
		return s
	}
	s.Symbol = s.Code
	if !s.After {
		s.Symbol += "\u00a0"
	}
	return s
}

// Write returns an amount in the style: "1.234,50 €".
func (s Style) Write(a Amount) string { return s.In(a.String()) }

// In returns a text in which amounts stand as [Amount.String] writes them with these
// amounts in the style, and everything else as it is.
func (s Style) In(text string) string {
	if s == (Style{}) || !strings.Contains(text, "$") {
		return text
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := amountEnd(after)
		if end == 0 {
			b.WriteByte('$')
		} else {
			whole, cents := strings.ReplaceAll(after[:end-3], ",", ""), after[end-2:end]
			s.write(&b, strings.ReplaceAll(figure.Grouped(whole), ",", s.Group)+s.Decimal+cents)
		}
		text = after[end:]
	}
}

func (s Style) write(b *strings.Builder, number string) {
	if !s.After {
		b.WriteString(s.Symbol)
	}
	b.WriteString(number)
	if s.After {
		b.WriteString("\u00a0" + s.Symbol)
	}
}

// amountEnd returns where the digits of an amount end that a text begins with: digits in
// groups, a point and two digits. It is 0 where there is none.
func amountEnd(text string) int {
	i := 0
	for i < len(text) && (isDigit(text[i]) || i > 0 && text[i] == ',' && i+1 < len(text) && isDigit(text[i+1])) {
		i++
	}
	if i == 0 || len(text) < i+3 || text[i] != '.' || !isDigit(text[i+1]) || !isDigit(text[i+2]) {
		return 0
	}
	return i + 3
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Short returns an amount in the style, without its cents if whole.
func (s Style) Short(a Amount, whole bool) string {
	if s == (Style{}) {
		s = Style{Symbol: "$", Group: ",", Decimal: "."}
	}
	text := s.Write(a)
	if !whole {
		return text
	}
	number, unit := text, ""
	if s.After {
		unit = "\u00a0" + s.Symbol
		number = strings.TrimSuffix(text, unit)
	}
	return number[:len(number)-len(s.Decimal)-2] + unit
}

// Cells returns the format of spreadsheets for amounts whose digits are written by a format, such as "#,##0.00". A
// program that shows it has separators of its own.
func (s Style) Cells(digits string) string {
	symbol := s.Symbol
	if s == (Style{}) {
		symbol = "$"
	}
	if s.After {
		digits += ` "` + symbol + `"`
		return digits + ";-" + digits
	}
	digits = `"` + symbol + `"` + digits
	return digits + ";-" + digits
}
