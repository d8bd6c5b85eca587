package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// ownFile writes a rulebook of an operator: that of Victoria under another name, with changes, which are pairs
// of what is there and what is there instead. It returns the path and the hash.
func ownFile(t *testing.T, dir, name string, changes ...string) (path, hash string) {
	t.Helper()
	data, err := os.ReadFile("../../rulebook/rules/vic-keno-2015/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "      example: true\n", "")
	changes = append([]string{"rulebook: vic-keno-2015", "rulebook: riverside-keno-1", "title: Keno Rules (Victoria)",
		"title: Riverside Keno"}, changes...)
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			t.Fatalf("the rulebook does not say %q", changes[i])
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if book, err := rulebook.Load(path, []byte(text)); err == nil {
		hash = book.Hash().String()
	}
	return path, hash
}

// TestOwnRulebook founds a house from a file, sells and draws by it, has two persons adopt an edited file, plays
// by that, starts again without the files, and has the journal verified.
func TestOwnRulebook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, firstHash := ownFile(t, dir, "first.yaml")
	o := newOwner(t, "--rulebook="+first, "--reference=letter 1")
	f := o.founder
	o.sell()
	o.adopts(dir)
	second, secondHash := ownFile(t, dir, "second.yaml", "edition: 1", "edition: 2", "1: {1: 3}", "1: {1: 4}")
	o.agree("--file=text="+second, "adopt-rulebook-file", "reference=letter 2")
	o.adoptsEdition(dir, secondHash)
	o.do(1, "pause", "reason=other terms")
	var course struct{ Newest int }
	o.done(&course, 1, "get-course")
	o.agree("change-terms", fmt.Sprintf("from=%d", course.Newest+1), "rulebook="+secondHash, "schedule=schedule-1",
		"reference=letter 3")
	o.do(1, "resume")
	f.waitForResult(course.Newest + 1)
	o.sell()
	f.stop()
	for _, file := range []string{first, second} {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	f.begin(append([]string{"serve", "--addr=127.0.0.1:0", "--data=" + f.dir}, quick...)...)
	f.waitForSale()
	o.sell()
	var books struct {
		Adopted []struct {
			Hash, Reference string
			Operators       bool
		}
	}
	o.done(&books, 1, "list-rules")
	if len(books.Adopted) != 3 || books.Adopted[1].Hash != secondHash || books.Adopted[1].Reference != "letter 2" ||
		!books.Adopted[0].Operators {
		t.Errorf("the house has the rulebooks %+v", books)
	}
	f.stop()
	judgeOwn(t, f, firstHash, secondHash)
}

// judgeOwn has the journal of a house with rulebooks of its operator verified, and takes the rulebooks from there.
func judgeOwn(t *testing.T, f founder, firstHash, secondHash string) {
	t.Helper()
	export := filepath.Join(t.TempDir(), "export")
	if status, _, errs := runLine(t, "journal", "export", "--data="+f.dir, export); status != 0 {
		t.Fatal(errs)
	}
	status, out, errs := runLine(t, "verify", export)
	if status != 0 {
		t.Fatal(out, errs)
	}
	for _, want := range []string{firstHash + ", the OPERATOR'S OWN", secondHash + ", the OPERATOR'S OWN",
		`approved as "letter 2"`} {
		if !strings.Contains(out, want) {
			t.Errorf("verify does not say %q:\n%s", want, out)
		}
	}
	at := export + "@" + secondHash[:12]
	if status, out, errs := runLine(t, "odds", at, "--schedule=schedule-1", "--bet=classic", "--pick=1"); status != 0 ||
		!strings.Contains(out, "4") {
		t.Errorf("%d %s %s", status, out, errs)
	}
	lines := filepath.Join(t.TempDir(), "lines")
	const ticket = `{"ticket":{"v":1,"rulebook":"riverside-keno-1","first":"open","games":1,"bets":[{"bet":"classic","spots":[3],"stake_cents":100}]},"id":"a","channel":"writer"}
{"draw":{"game":1,"numbers":[3,17,42,1,2,4,5,6,7,8,9,10,11,12,13,14,15,16,18,19]}}
`
	if err := os.WriteFile(lines, []byte(ticket), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, out, errs := runLine(t, "evaluate", at, lines, "--schedule=schedule-1"); status != 0 ||
		!strings.Contains(out, `"prize_cents":400`) {
		t.Errorf("%d %s %s", status, out, errs)
	}
	if status, _, errs := runLine(t, "rulebook", "show", export); status != statusUsage ||
		!strings.Contains(errs, firstHash[:16]) {
		t.Errorf("two rulebooks by one name: %d %s", status, errs)
	}
}

// owner runs a house by rules of its own.
type owner struct {
	founder
	key     string
	request int
}

// newOwner founds a house with two administrators and a terminal.
func newOwner(t *testing.T, flags ...string) *owner {
	t.Helper()
	s, setup := foundedBy(t, flags...)
	link := regexp.MustCompile(`second administrator, once: \S+#(\S+)`).FindStringSubmatch(s.said)
	if link == nil {
		t.Fatalf("the house says %q", s.said)
	}
	f := s.settleIn(setup, link[1])
	o := &owner{founder: f, key: filepath.Join(t.TempDir(), "till.pem")}
	_, public, _ := runLine(t, "terminal", "key", o.key)
	f.staff("terminal", "add", strings.Fields(public)[1], "--venue=1")
	f.waitForSale()
	return o
}

// sell sells a ticket in the game on sale.
func (o *owner) sell() {
	o.t.Helper()
	ticket := `{"method":"form","claim_hash":"` + strings.Repeat("0", 64) +
		`","ticket":{"v":1,"rulebook":"riverside-keno-1","first":"open","bets":[{"bet":"classic","spots":[7],"stake_cents":100}]}}`
	o.request++
	if status, out, errs := runLine(o.t, "terminal", "send", "--house="+o.url, "--key="+o.key, "PUT",
		fmt.Sprintf("/v1/terminals/1/requests/%d/sale", o.request), ticket); status != 0 {
		o.t.Fatalf("%d %s %s", status, out, errs)
	}
}

// do does something as a person.
func (o *owner) do(as int, args ...string) (status int, out, errs string) {
	o.t.Helper()
	return runLine(o.t, append([]string{"do", "--house=" + o.url, fmt.Sprintf("--as=%d", as), "--password-file=" +
		o.passwordFile}, args...)...)
}

// done does something as a person, and reads the answer.
func (o *owner) done(answer any, as int, args ...string) {
	o.t.Helper()
	status, out, errs := o.do(as, args...)
	if status != 0 {
		o.t.Fatalf("%v: %s", args, errs)
	}
	if err := json.Unmarshal([]byte(out), answer); err != nil {
		o.t.Fatalf("%v: %s", args, out)
	}
}

// agree has two persons do something.
func (o *owner) agree(args ...string) {
	o.t.Helper()
	const second = 2 // the other administrator
	var asked struct {
		Number  int
		Content string
	}
	o.done(&asked, 1, args...)
	approval := fmt.Sprintf("approval=%d", asked.Number)
	if path, ok := strings.CutPrefix(args[0], "--file=text="); ok {
		o.readsFile(path, approval)
	}
	var answer map[string]any
	o.done(&answer, second, "decide-approval", approval, "content="+asked.Content, "granted=true")
	o.done(&answer, 1, "use-approval", approval)
}

// readsFile shows that the list of requests has the hash of a file, and that the second person reads the file apart.
func (o *owner) readsFile(path, approval string) {
	o.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		o.t.Fatal(err)
	}
	hash := fmt.Sprintf("%x", sha256.Sum256(text))
	_, list, errs := o.do(2, "list-approvals")
	if !strings.Contains(list, `"text_sha256": "`+hash) && !strings.Contains(list, `"text_sha256":"`+hash) ||
		strings.Contains(list, `"text":`) {
		o.t.Errorf("the requests are %s %s", list, errs)
	}
	var file struct{ Text, SHA256 string }
	if o.done(&file, 2, "get-approval-file", approval); file.Text != string(text) || file.SHA256 != hash {
		o.t.Errorf("the file of %s is %+v", approval, file)
	}
	if status, _, errs := o.do(2, "get-approval-file", "approval=999"); status != statusRefused ||
		!strings.Contains(errs, "approval_unknown") {
		o.t.Errorf("%d %s", status, errs)
	}
}

// adopts shows that a file with a fault is not even asked for, and the fault is said with its value and rule.
func (o *owner) adopts(dir string) {
	o.t.Helper()
	for _, c := range []struct {
		changes []string
		says    string
	}{
		{[]string{"1: {1: 3}", "1: {2: 3}"}, "keno.tables[0].catch.1.2: "},
		{[]string{"edition: 1", "edition: 2\nedtion: 2"}, "edtion: is not a key here"},
		{[]string{"rulebook: riverside-keno-1", "rulebook: vic-keno-2015", "edition: 1", "edition: 2"}, "rulebook_id_taken"},
		{[]string{"title: Riverside Keno", "title: Another name"}, "rulebook_id_taken"},
		{[]string{"zone: Australia/Melbourne", "zone: Australia/Nowhere", "edition: 1", "edition: 2"}, "no time zone"},
		{[]string{"mode: floor", "mode: half-up", "edition: 1", "edition: 2"}, "the known words are floor"},
		{[]string{"title: Riverside Keno", "title: " + strings.Repeat("K", 5000), "edition: 1", "edition: 2"},
			"No house can be run by this rulebook: title: has 5000 characters"},
		{nil, "rulebook_adopted"},
	} {
		path, _ := ownFile(o.t, dir, "wrong.yaml", c.changes...)
		status, _, errs := o.do(1, "--file=text="+path, "adopt-rulebook-file", "reference=letter 2")
		if status != statusRefused || !strings.Contains(errs, c.says) {
			o.t.Errorf("%v: %d %s", c.changes, status, errs)
		}
	}
	path, _ := ownFile(o.t, dir, "silent.yaml", "edition: 1", "edition: 2")
	if status, _, errs := o.do(1, "--file=text="+path, "adopt-rulebook-file", "reference="); status != statusRefused ||
		!strings.Contains(errs, "approval_missing") {
		o.t.Errorf("%d %s", status, errs)
	}
	var waiting struct{ Approvals []any }
	if o.done(&waiting, 1, "list-approvals"); len(waiting.Approvals) > 0 {
		o.t.Errorf("what was refused waits: %v", waiting)
	}
}

// adoptsEdition has two persons adopt an edition of a rulebook of the operator, and shows that one which changes
// what is fixed is not asked for.
func (o *owner) adoptsEdition(dir, base string) {
	o.t.Helper()
	path := filepath.Join(dir, "edition.yaml")
	head := "rulebook: riverside-keno-1\nbase: " + base + "\nedition: 3\n"
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			o.t.Fatal(err)
		}
	}
	for tail, says := range map[string]string{
		"keno: {eligibility: {minimum_age: 21}}\n": "Line 4, keno.eligibility.minimum_age: is fixed by clause 6(c)",
		"keno: {catalogue: [{id: x}]}\n":           "is missing",
	} {
		write(head + tail)
		if status, _, errs := o.do(1, "--file=text="+path, "adopt-rulebook-file",
			"reference=letter 4"); status != statusRefused || !strings.Contains(errs, says) {
			o.t.Errorf("%q: %d %s", tail, status, errs)
		}
	}
	write(strings.Replace(head, base, strings.Repeat("0", 64), 1))
	if status, _, errs := o.do(1, "--file=text="+path, "adopt-rulebook-file",
		"reference=letter 4"); status != statusRefused || !strings.Contains(errs, "no rulebook of this hash is at hand") {
		o.t.Errorf("%d %s", status, errs)
	}
	write(head + editionTail)
	o.agree("--file=text="+path, "adopt-rulebook-file", "reference=letter 4")
}

// editionTail replaces the superplays of Victoria.
const editionTail = `keno:
  catalogue:
    - {clause: "2(a).standard-superplay", id: superplay-9, edition: 1, name: Superplay 9, bet: classic, group_sizes: [2, 3], types: [2, 5]}
`

// TestFoundByEdition founds a house by an edition of a rulebook of the program: the journal has both, and verify
// calls one of them the operator's.
func TestFoundByEdition(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	path, data, export := filepath.Join(dir, "edition.yaml"), filepath.Join(dir, "data"), filepath.Join(dir, "export")
	found := func(text string) (status int, out, errs string) {
		if err := os.WriteFile(path, []byte(fmt.Sprintf("rulebook: vic-keno-2015\nbase: %v\nedition: 2\n", base.Hash())+text),
			0o600); err != nil {
			t.Fatal(err)
		}
		return runLine(t, "found", "keno.example", "--rulebook="+path, "--reference=letter 1", "--data="+data)
	}
	if status, _, errs := found("keno: {numbers: {draw: 19}}\n"); status == 0 ||
		!strings.Contains(errs, "edition.yaml:4") {
		t.Errorf("%d %s", status, errs)
	}
	if status, _, errs := found(editionTail); status != 0 {
		t.Fatal(errs)
	}
	if status, _, errs := runLine(t, "journal", "export", "--data="+data, export); status != 0 {
		t.Fatal(errs)
	}
	status, out, errs := runLine(t, "verify", export)
	if status != 0 || !strings.Contains(out, base.Hash().String()+", as known here") ||
		strings.Count(out, "the OPERATOR'S OWN") != 1 {
		t.Errorf("%d %s %s", status, out, errs)
	}
	if status, out, errs := runLine(t, "rulebook", "diff", "vic-keno-2015", path); status != 0 ||
		!strings.Contains(out, "catalogue superplay-9 edition 1, types: 2, 5, where nothing was said") ||
		!strings.Contains(out, "They stay as they are.") {
		t.Errorf("%d %s %s", status, out, errs)
	}
}

// TestEditionOfOwn goes the way from an operator's own rulebook to an edition of it, a house, a sale and verify. The
// base is found in the folder of the edition, by its hash, and nowhere else.
func TestEditionOfOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	own, hash := ownFile(t, dir, "own.yaml")
	edition := filepath.Join(dir, "edition.yaml")
	status, out, errs := runLine(t, "rulebook", "new", "--base="+own, edition)
	if status != 0 || strings.Contains(out, "Put ") {
		t.Fatalf("%d %s %s", status, out, errs)
	}
	for _, line := range [][]string{{"rulebook", "check", edition}, {"rulebook", "show", edition},
		{"rulebook", "diff", own, edition}, {"odds", edition, "--schedule=schedule-1", "--bet=classic", "--pick=1"}} {
		if status, out, errs := runLine(t, line...); status != 0 {
			t.Errorf("%v: %d %s %s", line, status, out, errs)
		}
	}
	away := filepath.Join(t.TempDir(), "edition.yaml")
	if status, out, errs := runLine(t, "rulebook", "new", "--base="+own, away); status != 0 ||
		!strings.Contains(out, "Put "+own+" into the folder of "+away) {
		t.Errorf("%d %s %s", status, out, errs)
	}
	if status, out, _ := runLine(t, "rulebook", "check", away); status == 0 ||
		!strings.Contains(out, rulebook.BaseAbsent+": put the file of the base into the folder of this one") {
		t.Errorf("%d %s", status, out)
	}
	o := newOwner(t, "--rulebook="+edition, "--reference=letter 1")
	o.sell()
	o.stop()
	export := filepath.Join(t.TempDir(), "export")
	if status, _, errs := runLine(t, "journal", "export", "--data="+o.dir, export); status != 0 {
		t.Fatal(errs)
	}
	status, out, errs = runLine(t, "verify", export)
	if status != 0 || strings.Count(out, "the OPERATOR'S OWN") != 2 || !strings.Contains(out, hash+", the OPERATOR'S OWN") {
		t.Errorf("%d %s %s", status, out, errs)
	}
}

// TestLettersOfPaper: check warns of a title that papers cannot print, and print says it when it does.
func TestLettersOfPaper(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, _ := ownFile(t, dir, "own.yaml", "title: Riverside Keno", "title: Riverside ქ Keno")
	if status, out, _ := runLine(t, "rulebook", "check", path); status != 0 ||
		!strings.Contains(out, `title: warning: papers do not have "ქ"`) {
		t.Errorf("%d %s", status, out)
	}
	for _, line := range [][]string{{"print", "forms", path}, {"print", "schedule", path}} {
		if status, _, errs := runLine(t, append(line, "--out="+filepath.Join(dir, "x.pdf"))...); status != 0 ||
			!strings.Contains(errs, `paper does not have "ქ"`) {
			t.Errorf("%v: %d %s", line, status, errs)
		}
	}
}

// TestOwnMoney: whatever says amounts of a rulebook writes them as the rulebook does.
func TestOwnMoney(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lari := []string{"currency: AUD\n",
		"currency: GEL\nformat: {locale: ka-GE, symbol: \"₾\", after: true, group: \" \", decimal: \",\"}\n"}
	old, _ := ownFile(t, dir, "old.yaml", lari...)
	fresh, _ := ownFile(t, dir, "fresh.yaml", append(lari, "edition: 1", "edition: 2", "1: {1: 3}", "1: {1: 1234}")...)
	wrong, _ := ownFile(t, dir, "wrong.yaml", append(lari, "cap: 3000000", "cap: 10", "floor: 1000", "floor: 1234")...)
	lines := filepath.Join(dir, "lines")
	const ticket = `{"ticket":{"v":1,"rulebook":"riverside-keno-1","first":"open","games":1,"bets":[{"bet":"classic","spots":[3],"stake_cents":100}]},"id":"a","channel":"writer"}
{"draw":{"game":1,"numbers":[3,17,42,1,2,4,5,6,7,8,9,10,11,12,13,14,15,16,18,19]}}
`
	if err := os.WriteFile(lines, []byte(ticket), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line []string
		want string
	}{
		{[]string{"rulebook", "show", fresh}, "1\u00a0234,00\u00a0₾"},
		{[]string{"rulebook", "show", "--money", fresh}, ",00\u00a0₾"},
		{[]string{"rulebook", "diff", old, fresh}, "pays at most 1\u00a0234,00\u00a0₾ for 1,00\u00a0₾ instead of 3,00\u00a0₾ for"},
		{[]string{"rulebook", "diff", "--paths", old, fresh}, "3,00\u00a0₾ -> 1\u00a0234,00\u00a0₾"},
		{[]string{"evaluate", "--explain", "--schedule=schedule-1", fresh, lines}, "wins 1\u00a0234,00\u00a0₾"},
		{[]string{"evaluate", "--explain", "--json", "--schedule=schedule-1", fresh, lines}, `1\u00a0234,00\u00a0₾`},
		{[]string{"rulebook", "check", wrong}, "1\u00a0234,00\u00a0₾"},
	} {
		_, out, errs := runLine(t, c.line...)
		if out += errs; !strings.Contains(out, c.want) || strings.Contains(out, "$") {
			t.Errorf("%v does not say %q, or has a dollar sign:\n%s", c.line, c.want, out)
		}
	}
}

// TestBuiltInFile: the file of a rulebook of the program can be had, and is that rulebook.
func TestBuiltInFile(t *testing.T) {
	t.Parallel()
	for _, id := range rules.IDs() {
		status, out, errs := runLine(t, "rulebook", "show", "--yaml", id)
		book, err := rulebook.Load(id, []byte(out))
		want, missing := rules.Book(id)
		if status != 0 || err != nil || missing != nil || book.Hash() != want.Hash() {
			t.Errorf("%s: %d %s %v %v", id, status, errs, err, missing)
		}
	}
	if status, _, errs := runLine(t, "rulebook", "show", "--yaml", "nowhere"); status != statusUsage ||
		!strings.Contains(errs, "no rulebook") {
		t.Errorf("%d %s", status, errs)
	}
}

// TestFoundByFile: a file that no house can be run by is refused before there is anything to remove.
func TestFoundByFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good, _ := ownFile(t, dir, "good.yaml")
	for _, c := range []struct {
		changes []string
		flags   []string
		says    string
	}{
		{nil, nil, "--reference: a rulebook of your own needs"},
		{[]string{"1: {1: 3}", "1: {2: 3}"}, []string{"--reference=x"}, "catch.1.2: 2 matches are impossible"},
		{[]string{"rulebook: riverside-keno-1", "rulebook: vic-keno-2015"}, []string{"--reference=x"}, "an id of its own"},
		{[]string{"zone: Australia/Melbourne", "zone: Australia/Nowhere"}, []string{"--reference=x"}, "no time zone"},
		{[]string{"title: Riverside Keno", "title: Riverside Keno # " + strings.Repeat("x", rulebook.MaxText)},
			[]string{"--reference=x"}, "at most 131072"},
		{[]string{"rulebook: riverside-keno-1", "rulebook: river_side"}, []string{"--reference=x"}, "hyphens"},
	} {
		path, _ := ownFile(t, dir, "wrong.yaml", c.changes...)
		line := append([]string{"found", "keno.example", "--rulebook=" + path, "--data=" + filepath.Join(dir, "data")},
			c.flags...)
		if status, _, errs := runLine(t, line...); status == 0 || !strings.Contains(errs, c.says) {
			t.Errorf("%v: %d %s", c.changes, status, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "data")); err == nil {
		t.Error("a refusal has left a directory")
	}
	if status, _, errs := runLine(t, "found", "keno.example", "--rulebook=vic-keno-2015", "--reference=x", "--data="+
		filepath.Join(dir, "data")); status != statusUsage || !strings.Contains(errs, "examples are not for sale") {
		t.Errorf("%d %s", status, errs)
	}
	if status, out, errs := runLine(t, "found", "keno.example", "--rulebook="+good, "--reference=x", "--data="+
		filepath.Join(dir, "data")); status != 0 || !strings.Contains(out, "your own rulebook riverside-keno-1 (hash ") {
		t.Errorf("%d %s %s", status, out, errs)
	}
}
