package unguard

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"drawhouse/internal/overlay"
)

// A suite is a package whose tests would miss a guard, or some of them.
type suite struct{ folder, run string }

// The suites, those that are quick before those that take longer.
var (
	stories = suite{"check/verify",
		"^(TestClosedVenue|TestStopsReachEveryWay|TestChequeOfAFrozenTicket|TestCancelledUnderAClaim|TestGuard.*|TestWithheld.*|TestStops.*|TestNothingLeaves.*|TestDisqualificationReaches.*|Test.*TakesTwo)$"}
	counter = suite{"check/verify",
		"^(TestEveryWayOutHasItsObstacles|TestEveryCounterCloses|TestSheetsOfTickets|TestWithheldExactly|TestCancelledAfterAClaim)$"}
	clauses = suite{"rulebook/rules", "^TestScenarios$/^(vic|tas)-keno/^(1|9|13|16|17|20|21|26)[.(]"}
	persons = suite{"check/verify",
		"^(TestActing.*|TestHouseItself|TestPersonsInJournals|TestHand.*|TestConsent.*|TestFounding.*|TestLocked.*|TestDecided.*|TestPartiesAreTheHouses|TestLyingAboutDismissals|TestLyingAboutInspectors)$"}
	money  = suite{"check/verify", "^(TestLyingAboutMoney|TestCheque.*|TestLyingAboutClaims|TestClosure.*)$"}
	served = suite{"check/verify", "^(TestUnattended.*|TestEveryWayOutIsServed|TestPayingThrough)$"}
	papers = suite{"check/verify", "^(TestHanded|TestPayees|TestAccounts|TestClaimants|TestDebt)$"}
	meant  = suite{"rulebook/rules", "^TestScenarios$/^vic-keno/^2[(]"}
	offers = suite{"decide/hall", "Offer|Forged(Terms|Draws)"}
	bought = suite{"rulebook/rules", "^TestScenarios$/^(vic|tas)-keno/^(2|12|13|14)[.(]"}
	paid   = suite{"check/verify", "^(TestPayCash|TestPeriod|TestLyingAboutPayments|TestPaidUnderAClaim)$"}
	ended  = suite{"check/verify",
		"^(TestTenderedWhere.*|TestPaperThatIsNotTaken|TestCardThatMayNotPlay|TestFundedBefore.*|TestMeans|TestCountedAtTheEnd|TestPapersOfMore|TestSessionOfNoSeries|TestUnwound|TestPayTwin|TestOriginsAtTheEnd|TestStakedPrizeTogether|TestPrizesOfOneSessionTogether|TestLyingPrize.*|TestJoinedBesideLying|TestEndsOfOtherSessions|TestCompulsoryMeans)$"}
	tilled = suite{"check/verify",
		"^(TestSettles|TestStoppedTwice|TestCardStatus|TestCardTold|TestPapersExpire|TestPapersIssued|TestLivesOfPapers|TestForfeits|TestBanks)$"}
	played = suite{"rulebook/rules", "^TestScenarios$"}
	kept   = suite{"check/verify",
		"^(TestContinued.*|TestKeepsPaper|TestPayTwin|TestMachine.*|TestStakedPrizeTogether|TestLyingPrize|TestByHand)$"}
	lies = suite{"check/verify",
		"^(TestLyingHouse|TestEveryLie|TestLyingAbout.*|TestVoidGames|TestBonusFits|TestPaidAsLost|TestAgreed)$"}
	rooms  = suite{"check/verify", "^(TestOfferStarts|TestFailedCards)$"}
	terms  = suite{"check/verify", "^(TestAgreedAs|TestTwoAtADrawer)$"}
	agreed = suite{"check/verify",
		"^(TestLyingAboutApprovals|TestConsent.*|Test.*TakesTwo|TestDecided.*|TestUnwound|TestByHand)$"}
	changed = suite{"check/verify", "^TestTermsGoOn$"}
	own     = func(folder string) suite { return suite{folder, ""} }
)

// targets are the files with guards, and the suites that are asked about them, in their order.
var targets = map[string][]suite{
	"decide/engine/guard.go":        {stories, money},
	"decide/hall/offer.go":          {offers},
	"decide/counter/voucher.go":     {own("decide/counter"), bought, papers},
	"check/verify/halloffer.go":     {rooms, offers},
	"decide/counter/account.go":     {own("decide/counter"), papers, clauses},
	"decide/counter/hands.go":       {own("decide/counter"), meant, clauses},
	"decide/counter/exit.go":        {own("decide/counter"), stories, money},
	"decide/counter/session.go":     {own("decide/counter"), bought, played},
	"decide/counter/session_pay.go": {own("decide/counter"), bought, played},
	"decide/counter/sheet.go":       {own("decide/counter"), stories, clauses, money},
	"decide/counter/stop.go":        {own("decide/counter"), stories, clauses, money},
	"decide/counter/bounds.go":      {own("decide/counter"), stories, money},
	"decide/staff/acting.go":        {persons, own("decide/staff")},
	"decide/staff/guard.go":         {persons, own("decide/staff")},
	"decide/staff/last.go":          {own("decide/staff")},
	"check/verify/acting.go":        {persons},
	"check/verify/attend.go":        {served, persons, stories, clauses},
	"check/verify/debt.go":          {papers, money},
	"check/verify/exit.go":          {counter, stories, money},
	"check/verify/handed.go":        {papers, counter, stories, money},
	"check/verify/hands.go":         {persons, stories},
	"check/verify/kindscounter.go":  {terms, counter, stories, money, agreed, persons},
	"check/verify/origin.go":        {ended, paid, money, own("check/verify"), played},
	"check/verify/pay.go":           {paid, kept, money, stories, served, lies, own("check/verify")},
	"check/verify/payee.go":         {papers, money},
	"check/verify/sheet.go":         {counter, stories, money},
	"check/verify/terms.go":         {changed, own("check/verify")},
	"check/verify/till.go":          {tilled, counter, money, stories, own("check/verify"), played},
	"check/verify/visit.go":         {ended, money, stories, own("check/verify"), played},
	"check/verify/withheld.go":      {counter, stories, money},
}

// same are guards that may be off because something else refuses the same, with what that is.
var same = map[string]string{}

// TestGuardsOff switches every guard off and has the suites of its file run: one of them must
// fail. It takes long, and runs where DRAWHOUSE_UNGUARD says which files.
func TestGuardsOff(t *testing.T) {
	which := os.Getenv("DRAWHOUSE_UNGUARD")
	if which == "" {
		t.Skip("DRAWHOUSE_UNGUARD says which files")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	asked := maps.Clone(targets)
	maps.DeleteFunc(asked, func(file string, _ []suite) bool { return which != "all" && !strings.Contains(which, file) })
	p := &programs{Programs: overlay.New(root, t.TempDir()), files: map[string]*switched{}}
	p.build(t, root, asked)
	for file, suites := range asked {
		t.Run(file, func(t *testing.T) { p.offOneByOne(t, file, fromLine(t, which, file), suites) })
	}
}

// fromLine returns the line that DRAWHOUSE_UNGUARD names behind a file, from which on its guards are switched off.
func fromLine(t *testing.T, which, file string) int {
	t.Helper()
	_, behind, _ := strings.Cut(which, file+":")
	if behind == "" {
		return 1
	}
	line, err := strconv.Atoi(strings.SplitN(behind, ",", 2)[0])
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// programs are the tests of all suites, with switches in all files.
type programs struct {
	*overlay.Programs
	files map[string]*switched
}

// offOneByOne switches the guards of a file off, from a line on.
func (p *programs) offOneByOne(t *testing.T, file string, from int, suites []suite) {
	for _, run := range suites {
		out, err := p.Run(t.Context(), run.folder, run.run, "")
		if err != nil {
			t.Fatalf("with all guards on, %s fails: %v\n%s", run.folder, err, out)
		}
		if bytes.Contains(out, []byte("no tests to run")) {
			t.Fatalf("%s has no test %s", run.folder, run.run)
		}
	}
	survivors, tried := 0, 0
	for i, g := range p.files[file].guards {
		if g.line < from {
			continue
		}
		tried++
		missed := ""
		for _, run := range suites {
			if _, err := p.Run(t.Context(), run.folder, run.run, nameOf(file, i+1)); err != nil {
				missed = run.folder
				break
			}
		}
		switch reason := same[file+": "+g.what]; {
		case missed == "" && reason == "":
			survivors++
			t.Errorf("%s:%d is off, and no test misses it: %s", file, g.line, g.what)
		case missed != "" && reason != "":
			t.Errorf("%s:%d is listed as one that may be off, and tests of %s miss it: %s", file, g.line, missed, g.what)
		}
	}
	t.Logf("%s: %d guards were off, and %d of them nobody missed", file, tried, survivors)
}

// build makes the test programs of the suites of some files.
func (p *programs) build(t *testing.T, root string, asked map[string][]suite) {
	t.Helper()
	for file := range asked {
		source, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		if p.files[file], err = switchable(file, source); err != nil {
			t.Fatal(err)
		}
		if err := p.Replace(file, p.files[file].source); err != nil {
			t.Fatal(err)
		}
	}
	for _, suites := range asked {
		for _, s := range suites {
			if err := p.Build(t.Context(), s.folder); err != nil {
				t.Fatal(err)
			}
		}
	}
}
