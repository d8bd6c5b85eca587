package cases

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/receipt"
)

// This file has the verbs that print a paper and read what is on it.

func init() {
	for verb, do := range map[string]func(*run, string) (string, error){
		"receipt": (*run).receipt, "list": (*run).list, "cheque-for": (*run).chequeFor, "results": (*run).results,
	} {
		verbs[verb] = do
	}
}

// Desk is the part of a house that makes papers. Each comes as a picture of what would
// leave the printer of the terminal.
type Desk interface {
	// Receipt prints the receipt ticket of a sale.
	Receipt(t Ticket) (string, error)
	// List prints the list of the session that is open at a terminal.
	List(terminal uint32) (string, error)
	// ChequeFor prints the particulars of a cheque for a ticket.
	ChequeFor(terminal uint32, t Ticket, payee string, cents money.Amount) (string, error)
	// Results prints the results of games of a Keno Day.
	Results(terminal uint32, date day.Day, games []int) (string, error)
}

// printed are the rows of a paper, each with its words apart by one space. What a
// symbol says stands in brackets.
type printed []string

var rowPattern = regexp.MustCompile(`<text [^>]*>([^<]*)</text>|d="[^"]*"><title>([^<]*)</title>`)

// read takes the rows from the picture of a paper.
func read(picture string) printed {
	var rows printed
	for _, found := range rowPattern.FindAllStringSubmatch(picture, -1) {
		text := strings.Join(strings.Fields(html.UnescapeString(found[1])), " ")
		if found[2] != "" {
			text = "[" + html.UnescapeString(found[2]) + "]"
		}
		rows = append(rows, text)
	}
	return rows
}

// look says what a paper has: "has TEXT" whether some row, or two rows that follow each other, are that text; "bar
// code" what the symbols open; any other words what stands behind them on their rows.
func (p printed) look(what string, t Ticket) string {
	if text, ok := strings.CutPrefix(what, "has "); ok {
		for i, row := range p {
			row = withoutSeconds(row)
			if row == text || i > 0 && p[i-1]+" "+row == text {
				return "yes"
			}
		}
		return "no"
	}
	var found []string
	for _, row := range p {
		if what == "bar code" {
			if name := symbol(row, t); name != "" {
				found = append(found, name)
			}
		} else if rest, ok := strings.CutPrefix(row, what+" "); ok {
			found = append(found, withoutSeconds(rest))
		}
	}
	if len(found) == 0 {
		return "nothing"
	}
	return strings.Join(found, "; ")
}

// symbol says what a scanner makes of a row, if it is a symbol.
func symbol(row string, t Ticket) string {
	text, ok := strings.CutPrefix(strings.TrimSuffix(row, "]"), "[")
	if !ok {
		return ""
	}
	scanned, err := receipt.ParseScan(text)
	switch {
	case err != nil:
		return "unreadable"
	case scanned.Claim != nil && *scanned.Claim == t.Code:
		return "claim code"
	case scanned.Serial == t.Serial && len(text) == len(t.Serial):
		return fmt.Sprintf("serial of %d", len(text))
	}
	return "of another ticket"
}

var secondsPattern = regexp.MustCompile(`(\d\d:\d\d):\d\d`)

// withoutSeconds drops the seconds of a time: a scenario's clock goes on with each
// request, and a house asks more of them than an engine.
func withoutSeconds(text string) string { return secondsPattern.ReplaceAllString(text, "$1") }

var receiptPattern = regexp.MustCompile(`^(\w+) (.+)$`)

// receipt prints the receipt ticket and looks at it.
func (r *run) receipt(text string) (string, error) {
	words, err := phrase(receiptPattern, text, "NAME WORDS, NAME has ROW or NAME bar code")
	if err != nil {
		return "", err
	}
	t, ok := r.tickets[words[0]]
	if !ok {
		return "", fmt.Errorf("no ticket %s was sold", words[0])
	}
	picture, err := r.house.Receipt(t)
	if err != nil {
		return "", err
	}
	return read(picture).look(words[1], t), nil
}

var listPattern = regexp.MustCompile(`^T(\d+) (.+)$`)

// list prints the list of the open session and looks at it.
func (r *run) list(text string) (string, error) {
	words, err := phrase(listPattern, text, "TERMINAL WORDS")
	if err != nil {
		return "", err
	}
	picture, err := r.house.List(uint32(number(words[0])))
	if err != nil {
		return "", err
	}
	return read(picture).look(words[1], Ticket{}), nil
}

var chequeForPattern = regexp.MustCompile(`^(\w+) at T(\d+) to "([^"]*)" ([\d.]+) (.+)$`)

// chequeFor prints the particulars of a cheque and looks at them.
func (r *run) chequeFor(text string) (string, error) {
	words, err := phrase(chequeForPattern, text, `NAME at TERMINAL to "PAYEE" AMOUNT WORDS`)
	if err != nil {
		return "", err
	}
	cents, err := amount(words[3])
	if err != nil {
		return "", err
	}
	t := r.tickets[words[0]]
	picture, err := r.house.ChequeFor(uint32(number(words[1])), t, words[2], cents)
	if err != nil {
		return "", err
	}
	return read(picture).look(words[4], t), nil
}

var resultsPattern = regexp.MustCompile(`^at T(\d+) of (\S+) games? (\d[\d ]*?) (\D.*)$`)

// results prints the results of some games and looks at them.
func (r *run) results(text string) (string, error) {
	words, err := phrase(resultsPattern, text, "at TERMINAL of DATE game N ... WORDS")
	if err != nil {
		return "", err
	}
	date, err := day.Parse(words[1])
	if err != nil {
		return "", err
	}
	var games []int
	for _, n := range strings.Fields(words[2]) {
		games = append(games, number(n))
	}
	picture, err := r.house.Results(uint32(number(words[0])), date, games)
	if err != nil {
		return "", err
	}
	return read(picture).look(words[3], Ticket{}), nil
}
