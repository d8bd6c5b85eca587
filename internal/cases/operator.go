package cases

import (
	"fmt"
	"regexp"
	"strings"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// This file has the verbs of the operator and of others outside the venues, and
// those that look into the books.

var schedulePattern = regexp.MustCompile(`^(\S+) from game (\d+)( without approval)?$`)

// schedule announces another schedule of prizes.
func (r *run) schedule(text string) (string, error) {
	words, err := phrase(schedulePattern, text, "SCHEDULE from game N")
	if err != nil {
		return "", err
	}
	change := record.TermsChanged{
		Series: series, From: uint32(number(words[1])), Rulebook: record.Hash(r.book.Hash()), Schedule: words[0],
		Approval: approval,
	}
	if words[2] != "" {
		change.Approval = ""
	}
	return "announced", r.house.ChangeTerms(change)
}

// approval is the reference of the approval that scenarios have.
const approval = "decision 1"

// alone is the reference of an act that the central site wants to do without an inspector.
const alone = "decision of the operator alone"

// reference returns the reference of an act by the words behind it.
func reference(words string) string {
	switch words {
	case " without approval":
		return ""
	case " without inspector":
		return alone
	}
	return approval
}

var designatePattern = regexp.MustCompile(`^game (\d+)$`)

func (r *run) designate(text string) (string, error) {
	words, err := phrase(designatePattern, text, "game N")
	if err != nil {
		return "", err
	}
	return "announced", r.house.Designate(uint32(number(words[0])))
}

var participantsPattern = regexp.MustCompile(`^(.*?) ?from game (\d+)$`)

func (r *run) participants(text string) (string, error) {
	words, err := phrase(participantsPattern, text, "NAME ... from game N")
	if err != nil {
		return "", err
	}
	return "named", r.house.NameParticipants(record.ParticipantsNamed{
		Series: series, From: uint32(number(words[1])), Names: strings.Fields(words[0]),
	})
}

var reportPattern = regexp.MustCompile(`^(\S+) game (\d+) spots ([\d ]+) growth (\S+) stakes (\S+)$`)

// report takes in the same report for some sizes.
func (r *run) report(text string) (string, error) {
	words, err := phrase(reportPattern, text, "WHO game N spots N ... growth AMOUNT stakes AMOUNT")
	if err != nil {
		return "", err
	}
	report := jackpot.Report{Jurisdiction: words[0]}
	if report.Growth, err = money.Parse(words[3]); err != nil {
		return "", err
	}
	if report.Stakes, err = money.Parse(words[4]); err != nil {
		return "", err
	}
	for _, spots := range strings.Fields(words[2]) {
		if err := r.house.Report(uint32(number(words[1])), uint8(number(spots)), report); err != nil {
			return "", err
		}
	}
	return "reported", nil
}

func (r *run) share(text string) (string, error) {
	words, err := phrase(designatePattern, text, "game N")
	if err != nil {
		return "", err
	}
	return "shared", r.house.ShareJackpots(uint32(number(words[0])))
}

func (r *run) lend(text string) (string, error)       { return r.move(rulebook.MoveLend, text) }
func (r *run) reallocate(text string) (string, error) { return r.move(rulebook.MoveReallocate, text) }
func (r *run) setAside(text string) (string, error)   { return r.move(rulebook.MoveSetAside, text) }

var movePattern = regexp.MustCompile(`^(\d+) (\S+)( without approval| without inspector)?$`)

// move moves jackpot money of one size.
func (r *run) move(move, text string) (string, error) {
	words, err := phrase(movePattern, text, "SPOTS AMOUNT")
	if err != nil {
		return "", err
	}
	amount, err := money.Parse(words[1])
	if err != nil {
		return "", err
	}
	return "moved", r.house.MovePool(uint8(number(words[0])), move, amount, reference(words[2]))
}

// pool returns the balances of a jackpot that are not zero.
func (r *run) pool(text string) (string, error) {
	_, current, err := r.series()
	if err != nil {
		return "", err
	}
	p, ok := current.Pool(uint8(number(text)))
	if !ok {
		return "", fmt.Errorf("there is no jackpot of %s spots", text)
	}
	var words []string
	for _, b := range []struct {
		name    string
		balance jackpot.Exact
	}{
		{"primary", p.Primary}, {"secondary", p.Secondary}, {"owed", p.Owed},
		{"seeded", p.Seeded}, {"waiting", p.Waiting}, {"aside", p.Aside},
	} {
		if b.balance != 0 {
			words = append(words, b.name+" "+b.balance.String())
		}
	}
	if words == nil {
		return "empty", nil
	}
	return strings.Join(words, " "), nil
}

// rate returns how the game on sale will fill a jackpot.
func (r *run) rate(text string) (string, error) {
	_, current, err := r.series()
	if err != nil {
		return "", err
	}
	for _, rate := range current.Newest().Rates {
		if rate.Spots == uint8(number(text)) {
			return fmt.Sprintf("primary %s secondary %s seed %s", percent(rate.Primary), percent(rate.Secondary),
				percent(rate.Seed)), nil
		}
	}
	return "", fmt.Errorf("there is no jackpot of %s spots", text)
}

// percent writes hundredths of a percent.
func percent(hundredths uint16) string {
	text := fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "%"
}

// account returns the balance of an account: what is owed to somebody is positive,
// but for cash, which the house has.
func (r *run) account(name string) (string, error) {
	s, _, err := r.series()
	if err != nil {
		return "", err
	}
	for _, a := range ledger.Accounts() {
		if a.String() != name {
			continue
		}
		balance := s.Balances().Of(a)
		if a != ledger.Cash {
			balance = -balance
		}
		return balance.String(), nil
	}
	return "", fmt.Errorf("there is no account %s", name)
}

// CheckBooks holds the books of a house against its jackpots: each balance of a
// pool is in the ledger, to the whole cent, and all postings add up to nothing.
func CheckBooks(s *state.State) error {
	balances := s.Balances()
	if sum := balances.Trial(); sum != 0 {
		return fmt.Errorf("the trial balance is %v", sum)
	}
	current, ok := s.Series(series)
	if !ok {
		return nil
	}
	for _, pool := range current.Pools() {
		unit := ledger.Pool(series, pool.Spots)
		for account, want := range map[ledger.Account]money.Amount{
			ledger.JackpotPrimary: pool.Primary.Cents(), ledger.JackpotSecondary: pool.Secondary.Cents(),
			ledger.JackpotWaiting: pool.Waiting.Cents(), ledger.JackpotAside: pool.Aside.Cents(),
		} {
			if got := -balances.OfUnit(account, unit); got != want {
				return fmt.Errorf("%v of %d spots is %v in the books and %v in the pool", account, pool.Spots, got,
					want)
			}
		}
	}
	return nil
}
