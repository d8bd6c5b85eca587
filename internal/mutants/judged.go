package mutants

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Judgement says why mutants may survive.
type Judgement struct {
	Where *regexp.Regexp // see where
	Why   string
}

// judged are the values that no case of their clause can see changed, or need not, each with the reason. The first
// judgement that matches holds. A judgement of which nothing survives goes.
var judged = []Judgement{
	{at(`^(mi-club-keno|gr-kino-bonus|casino-keno-div2) keno\.eligibility\.minimum_age:`),
		"the house asks for the age of who gets a player card or whose claim form has a birth date; no case here has one"},
	{at(` keno\.(entry_kinds|rounding|receipt|draw|serials\[digits16\]|unclaimed\[lapsed\]): there is left out`),
		"what is left out means the same (rulebook/defaults.go)"},
	{at(` keno\.payout\.methods\[[^]]*\]\.of:`),
		"only a method with an upper amount asks whether that is of a prize, a ticket or a session"},
	{at(` keno\.receipt\.fields:`),
		"a ticket always shows all that it is; the list refuses a paper that lacks a fact, and a sale has every fact"},
	{at(`^mi-club-keno keno\.rounding\.step:`),
		"every prize of this rulebook is whole dollars"},
	{at(` keno\.schedules\[[^]]*\]\.current_from:`),
		"before the first day of the rulebook there is no game"},
	{at(` keno\.tenders\[[^]]*\]\.accept:`),
		"a prize pays for tickets of its own session whatever the tenders say: \"winnings\" and \"replay\" are only shown in the table of money"},
	{at(`^(nsw-bingo-2019|sc-bingo-1996) effective\.from:`),
		"cases play long after the first day; TestSessionInForce of decide/hall and of check/verify has the days around it"},
	{at(` bingo\.card\.unique_boxes:`),
		"the program makes no two boxes alike; the tests of games/bingo read tables of others that have two"},
	{at(`^sc-bingo-1996 bingo\.card\.column_max:`),
		"it bounds the columns of boxes with blanks, and these boxes have none"},
	{at(`^sc-bingo-1996 bingo\.concordance\[`),
		"it says which clause a refusal quotes; no money and no game depend on it"},
	{at(`^casino-keno-div2 keno\.bets\[[^]]*\]\.ways\.max_ways:`),
		"ways are marked one by one here: a case would have 1,000 marks"},
	{at(` keno\.bets\[[^]]*\]\.ways\.max_ways:`),
		"it is the room that the greatest ticket leaves at ten cents a way: the limit on money refuses as well"},
	{at(` keno\.bets\[[^]]*\]\.picks\.mystery_sizes:`),
		"cases pick with zeros for chance, which gives the least size"},
	{at(`^casino-keno-div2 keno\.draw\.unfinished:`),
		"stakes that cannot be carried go back under every rulebook"},
	{at(`^casino-keno-div2 keno\.entry\[writer item\]\.ways:`),
		"a ready ticket has no ways here, and 3.2(c) refuses marks before"},
	{at(` keno\.origins\[[^]]*\]\.leaves\[[^]]*\]\.(counts|together):`),
		"the house asks the way in cash whether money of an origin counts; the other ways say the same for the table of money"},
	{at(` keno\.origins\[prize\]\.leaves\[player_card\]\.stake_by_card:`),
		"the house refuses a prize to a card that has not paid for the ticket under every rulebook"},
	{at(`^tas-keno-2023 keno\.prorating\[racing\]\.`),
		"no amount is approved for racing, so that nothing is reduced"},
	{at(`^tas-keno-2023 keno\.draw\.official: there`),
		"results are corrected where two persons keyed balls, and this rulebook has no ball machine"},
	{at(`^tas-keno-2023 keno\.entry\[sst item\]\.bets:`),
		"no ready ticket and no pick of these bets is sold at a self-service terminal"},
	{at(`^tas-keno-2023 keno\.jackpots\.moves\[give\]: there`),
		"the tests of games/jackpot give away what was set aside; no case of a house sets anything aside"},
	{at(`^tas-keno-2023 keno\.limits\[aggregate heads_or_tails `),
		"only Heads or Tails has these outcomes"},
	{at(`^tas-keno-2023 keno\.limits\[stake standard special ways 2- pool (true|false)\]: there is keno\.limits\[stake standard special ways 1- `),
		"for one way the limit of 12.2(c) or 12.2(d) is stricter"},
	{at(`^tas-keno-2023 keno\.limits\[(entry all|game) standard special winner_takes_all sst\]: there is keno\.limits\[(entry all|game) standard special sst\]`),
		"Winner Takes All is not sold at a self-service terminal"},
	{at(`^tas-keno-2023 keno\.limits\[game heads_or_tails writer\]: there is keno\.limits\[game heads_or_tails\]`),
		"the limit of a self-service terminal is lower and of the same clause"},
	{at(`^tas-keno-2023 keno\.limits\[stake standard special sst ways 1\]: there is keno\.limits\[stake standard special ways 1\]`),
		"the limit of a writer terminal is the same and is asked before"},
	{at(`^tas-keno-2023 keno\.origins\[(chips\]\.leaves\[sst_receipt|sst_receipt\]\.leaves\[central_voucher)\]: there`),
		"chips are taken by a writer of a casino only; a self-service terminal has receipts of $1,000 for a ticket, and no case brings three of them"},
	{at(`^tas-keno-2023 keno\.limits\[[0-9]+\]\.bets:`),
		"every other ticket costs a dollar a game by limits of its own"},
	{at(`^tas-keno-2023 keno\.payout\.period\.months:`),
		"after twelve months a prize is claimed on a form (unclaimed), which refuses as well"},
	{at(`^tas-keno-2023 keno\.promotions\.pool_excludes: heads_or_tails, racing, multiplier, lucky_last is heads_or_tails, racing, lucky_last$`),
		"Keno Xtra feeds the pool and cannot win from it, which is so under every rulebook"},
	{at(`^tas-keno-2023 keno\.parties\[move_pool give_aside\]: there is keno\.parties\[move_pool\]$`),
		"the tests of games/jackpot give away what was set aside; no case of a house sets anything aside"},
	{at(` keno\.staffing\.(game|venue): `),
		"the people of a case have the roles that its rulebook asks for; the tests of decide/staff have people of other roles"},
	{at(`^tas-keno-2023 keno\.staffing\.venue_except:`),
		"the people of a case are the fewest that its rulebook asks for, so that nobody can be missed there"},
	{at(`^vic-keno-2015 keno\.cancellation\.rule_change:`),
		"the house asks whether there is one of them: a holder takes the refund or buys a new entry with it"},
	{at(`^vic-keno-2015 keno\.claims\.mail_details`),
		"who claims is kept in the register, which cases do not write; decide/counter tests every part"},
	{at(`^vic-keno-2015 keno\.instruments\[change_receipt\]\.part_use:`),
		"it is what the receipt says; receipts are used in part under every rulebook"},
	{at(`^vic-keno-2015 keno\.jackpots\.least:`),
		"it bounds the parts that an edition may write (acted_test.go)"},
	{at(`^vic-keno-2015 keno\.limits\[entry multiplier`),
		"Keno Bonus costs no more than the main stakes, whose limit is as high and is asked before"},
	{at(`^vic-keno-2015 keno\.limits\[stake classic [^]]*\]: there is keno\.limits\[stake (jackpot|ways)`),
		"only Keno Classic has ways and jackpots"},
	{at(`^vic-keno-2015 keno\.limits\[stake classic ways 4-19 jackpot false\]: there is keno\.limits\[stake classic ways 3-19 `),
		"three ways cost a dollar each by 11(c)"},
	{at(`^vic-keno-2015 keno\.payout\.methods\[(cash|player_card|change_receipt)\]\.(up_to|venue_limit):`),
		"cash, receipts and cards have one limit together, which the other rows hold"},
	{at(`^vic-keno-2015 keno\.promotions\.(earliest|shared_by_stake):`),
		"settlement does so under every rulebook; games/evaluate refuses a rulebook without"},
}

func at(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

// judgedFunctions are the functions without which neither a case of their clause nor a test of their package
// fails, each with the reason.
var judgedFunctions = []Judgement{
	{at(`^(decide/game|games/draw/cage|decide/engine) (TryAttend|checkNamed|checkEntered|cageEffects|Abandoned\.apply|checkDrawStands)$`),
		"the cases of its clauses play a ball machine by itself (`cage`), outside of a house"},
	{at(`^(decide/game|games/jackpot) (lastStep|laterGames\.move|laterGames\.settle|ShareAgain)$`),
		"the cases of a corrected game have no later game with a jackpot"},
	{at(`^decide/game (approvalBy|MigrateBonus|checkBonusMove|Give|Migrate|reconcile|BeginSeries)$`),
		"the cases of its clauses move the money of a jackpot by itself (`jackpot`), outside of a house"},
	{at(`^decide/counter (BonusPrize|CheckHand|exitByHand|checkContinuation)$`),
		"no verb of a case pays by hand, draws a bonus prize for a ready ticket by its odds, or brings a sheet that the engine has not refused before"},
	{at(`^decide/command (LodgeClaim\.Keep|ClaimPromotion\.Keep|BringInPayment\.agreed)$`),
		"cases keep nobody in the register and bring in no payment that was made by hand"},
	{at(`^decide/counter checkDeniedKept$`),
		"cases keep nobody in the register, so that nobody is forgotten in one"},
	{at(`^decide/game Taxes$`),
		"an edition states the tax, and the cases play the rulebook without one"},
	{at(`^games/keno sale\.checkPicks$`),
		"vic-keno-2015 sells several picks on a ticket; the cases of tas-keno-2023 1.52 have the refusal"},
	{at(`^games/settle Play\.Unwon$`),
		"the cases of its clause have no run whose games are all void"},
	{at(`^(decide/hall HeldBy|decide/state BingoGame\.CorrectedBy)$`),
		"no verb of a case asks who holds an electronic card, or who has corrected a number"},
	{at(`^books/report ByTicket$`),
		"no verb of a case asks for the report by ticket"},
}

// Outcome is what became of a mutant.
type Outcome int

// The outcomes.
const (
	Refused   Outcome = iota // by the check of a rulebook, or the compiler
	Killed                   // by a case of its clause
	Retyped                  // by the comparison with the second transcription of the tables
	Elsewhere                // by a case of another clause of the rulebook
	Example                  // by nothing, and the rules leave the value to a decision
	Survived
	outcomes
)

// Result is a mutant and what became of it.
type Result struct {
	Group   string // the rulebook, or the package
	What    string // the path, or the function
	Change  string // what was done to it
	Clauses []string
	Outcome Outcome
	By      string // the case, for a mutant that is killed
}

// where is what a judgement matches: RULEBOOK PATH: WAS is IS, or PACKAGE FUNCTION.
func (r Result) where() string {
	if strings.HasPrefix(r.Change, r.What) {
		return r.Group + " " + r.Change
	}
	return r.Group + " " + r.What
}

// Verdict is what a whole run comes to.
type Verdict struct {
	Unjudged []Result    // survivors without a reason
	Unused   []Judgement // reasons for nothing
	Page     string      // of the results, for people
}

// JudgeValues counts and judges the results of all values.
func JudgeValues(results []Result) Verdict {
	return judge(results, judged, []string{"rulebook", "changed", "refused by the check", "killed by a case of its clause",
		"by the second transcription", "by a case of another clause", "survived as an example", "survived"})
}

// JudgeFunctions counts and judges the results of all functions.
func JudgeFunctions(results []Result) Verdict {
	return judge(results, judgedFunctions, []string{"package", "functions", "do not compile",
		"killed by a case of their clause",
		"", "by the tests of their package", "", "survived"})
}

// Excused reports whether a judgement says why a value may survive.
func Excused(r Result) bool { return find(judged, r) >= 0 }

func find(list []Judgement, r Result) int {
	return slices.IndexFunc(list, func(j Judgement) bool { return j.Where.MatchString(r.where()) })
}

func judge(results []Result, list []Judgement, heads []string) (v Verdict) {
	counts := map[string]*[outcomes]int{}
	var groups []string
	excused := make([]map[string][]string, len(list)) // by group
	for _, r := range results {
		if counts[r.Group] == nil {
			counts[r.Group] = new([outcomes]int)
			groups = append(groups, r.Group)
		}
		counts[r.Group][r.Outcome]++
		if r.Outcome != Survived {
			continue
		}
		i := find(list, r)
		if i < 0 {
			v.Unjudged = append(v.Unjudged, r)
			continue
		}
		if excused[i] == nil {
			excused[i] = map[string][]string{}
		}
		if text := "`" + r.What + "`"; !slices.Contains(excused[i][r.Group], text) {
			excused[i][r.Group] = append(excused[i][r.Group], text)
		}
	}
	slices.Sort(groups)
	var b strings.Builder
	row := func(cells []string) {
		for i, cell := range cells {
			if heads[i] != "" {
				fmt.Fprintf(&b, "| %s ", cell)
			}
		}
		b.WriteString("|\n")
	}
	row(heads)
	lines := make([]string, len(heads))
	for i := range lines {
		lines[i] = "---:"
	}
	lines[0] = "---"
	row(lines)
	var sum [outcomes]int
	for _, g := range groups {
		row(countCells(g, counts[g]))
		for i, n := range counts[g] {
			sum[i] += n
		}
	}
	row(countCells("all", &sum))
	b.WriteString("\n| survived | why no case sees it |\n|---|---|\n")
	for i, j := range list {
		if excused[i] == nil {
			v.Unused = append(v.Unused, j)
			continue
		}
		var parts []string
		for _, g := range groups {
			if paths := excused[i][g]; len(paths) > 0 {
				parts = append(parts, g+": "+strings.Join(paths, ", "))
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", strings.ReplaceAll(strings.Join(parts, "; "), "|", "\\|"), j.Why)
	}
	v.Page = b.String()
	return v
}

func countCells(name string, counts *[outcomes]int) []string {
	all := 0
	for _, n := range counts {
		all += n
	}
	cells := []string{name, fmt.Sprint(all)}
	for _, n := range counts {
		cells = append(cells, fmt.Sprint(n))
	}
	return cells
}

// PutSection puts a text under a heading of a page, in the place of what is there.
func PutSection(page, heading, text string) (string, error) {
	before, rest, ok := strings.Cut(page, "## "+heading+"\n")
	if !ok {
		return "", fmt.Errorf("mutants: the page has no heading %q", heading)
	}
	after := ""
	if i := strings.Index(rest, "\n## "); i >= 0 {
		after = rest[i:]
	}
	return before + "## " + heading + "\n\n" + strings.TrimSpace(text) + "\n" + after, nil
}
