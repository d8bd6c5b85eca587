package lab

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"drawhouse/check/rngreport"
	"drawhouse/internal/cases"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// id is the rulebook of the packs here: it has few cases.
const id = "gr-kino-bonus"

// told stands for the commands of the program, which the scripts of package main run.
var told = Program{
	Version: func() ([]byte, error) { return []byte("drawhouse version\npart abc games/draw\n"), nil },
	Odds: func(name string) (text, machine []byte, err error) {
		return []byte("odds of " + filepath.Base(name) + "\nline two\n"), []byte("{}\n"), nil
	},
}

// keyOf makes a key that is the same each time.
func keyOf(seed string) ed25519.PrivateKey {
	sum := sha256.Sum256([]byte(seed))
	return ed25519.NewKeyFromSeed(sum[:])
}

// publicKey returns the public half of a key.
func publicKey(t *testing.T, key ed25519.PrivateKey) ssh.PublicKey {
	t.Helper()
	text, err := publicOf(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := ParsePublic([]byte(text + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return public
}

// randomFile writes bytes of a seeded source, as many as the fewest draws take.
func randomFile(t *testing.T, size int) string {
	t.Helper()
	data := make([]byte, size)
	_, _ = rand.NewChaCha8(sha256.Sum256([]byte("lab"))).Read(data) // It cannot fail.
	name := filepath.Join(t.TempDir(), "raw.bin")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// options are those of a small pack.
func options(dir, random string) Options {
	return Options{Dir: dir, Rulebooks: []string{id}, Draws: rngreport.MinDraws, Random: random,
		Key: keyOf("laboratory"), Program: told}
}

func TestPack(t *testing.T) {
	random := randomFile(t, 2_400_000)
	dir := filepath.Join(t.TempDir(), "pack")
	o := options(dir, random)
	o.Archive = dir + ".tar"
	made, err := Make(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(made.Failed) > 0 || made.Public == "" {
		t.Fatalf("%+v", made)
	}
	key := publicKey(t, o.Key)

	t.Run("the same things make the same bytes", func(t *testing.T) {
		other := options(filepath.Join(t.TempDir(), "pack"), random)
		other.Archive = other.Dir + ".tar"
		if err := os.Mkdir(other.Dir, 0o700); err != nil { // An empty folder is as good as none.
			t.Fatal(err)
		}
		if _, err := Make(other); err != nil {
			t.Fatal(err)
		}
		if a, b := read(t, o.Archive), read(t, other.Archive); a != b {
			t.Errorf("the archives have %d and %d bytes, and differ", len(a), len(b))
		}
	})
	t.Run("a pack holds", func(t *testing.T) {
		checked := check(t, dir, key)
		if len(checked.Found) > 0 || !strings.Contains(strings.Join(checked.Notes, "\n"), "derived again, with the same bytes") {
			t.Errorf("%+v", checked)
		}
	})
	t.Run("another tool finds the signature good", func(t *testing.T) { checkByOthers(t, dir, made.Public) })
	for _, c := range []struct {
		name  string
		do    func(t *testing.T, dir string)
		finds string
	}{
		{"a file is altered", func(t *testing.T, dir string) { change(t, dir, "rulebooks/"+id+"/odds.txt", "line", "lime") },
			"rulebooks/" + id + "/odds.txt: altered; it has the hash "},
		{"a file is added", func(t *testing.T, dir string) { write(t, dir, "rulebooks/more.txt", "more") },
			"rulebooks/more.txt: added; SHA256SUMS does not list it"},
		{"a file is missing", func(t *testing.T, dir string) { remove(t, dir, "given.json") }, "given.json: missing; SHA256SUMS lists it"},
		{"a file is exchanged for a link", func(t *testing.T, dir string) {
			remove(t, dir, "given.json")
			if err := os.Symlink("INDEX.md", filepath.Join(dir, "given.json")); err != nil {
				t.Fatal(err)
			}
		}, "given.json: added; SHA256SUMS does not list it as a file"},
		{"the signature is missing", func(t *testing.T, dir string) { remove(t, dir, sigFile) }, sigFile + ": the pack is not signed"},
		{"the list is altered", func(t *testing.T, dir string) {
			change(t, dir, "INDEX.md", "In short", "In shore")
			list(t, dir)
		}, sigFile + ": it is of other bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			altered := copied(t, dir)
			c.do(t, altered)
			expect(t, check(t, altered, key), c.finds)
		})
	}
	t.Run("somebody else signed", func(t *testing.T) {
		expect(t, check(t, dir, publicKey(t, keyOf("somebody"))), sigFile+": it was made by another key than the one you gave")
	})
	t.Run("a result is altered, and the hashes with it", func(t *testing.T) {
		forged := copied(t, dir)
		change(t, forged, "rulebooks/"+id+"/odds.txt", "line two", "line 2")
		change(t, forged, "rulebooks/"+id+"/clauses.csv", "implemented", "procedure")
		write(t, forged, "rulebooks/"+id+"/more.txt", "more")
		list(t, forged)
		checked := check(t, forged, nil)
		expect(t, checked, `rulebooks/`+id+`/odds.txt: differs from what this program makes from line 2 on: "line 2" in the pack, "line two" here`)
		expect(t, checked, "rulebooks/"+id+"/clauses.csv: differs from what this program makes from line ")
		expect(t, checked, "rulebooks/"+id+"/more.txt: it is in the pack, and this program does not make it")
		expect(t, checked, "manifest.json: it is wrong about rulebooks/"+id+"/odds.txt")
		if !strings.Contains(strings.Join(checked.Notes, "\n"), "NOT CHECKED") {
			t.Errorf("nobody says that the signature was not checked: %v", checked.Notes)
		}
	})
}

// TestPackOfAHouse makes a pack of an exported journal whose house plays by an edition, and of a log of tests.
func TestPackOfAHouse(t *testing.T) {
	folder := t.TempDir()
	o := options(filepath.Join(folder, "pack"), randomFile(t, 2_400_000))
	book, text := edition(t)
	o.Journal, o.Tests, o.Key = exported(t, book, text), filepath.Join(folder, "tests.log"), nil
	write(t, folder, "tests.log", "--- FAIL: TestB (0.01s)\nFAIL\nFAIL\tdrawhouse/b\t0.1s\nok  \tdrawhouse/a\t0.2s\n")
	made, err := Make(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(made.Failed) != 1 || made.Failed[0] != "tests: package drawhouse/b: FAILED TestB" {
		t.Errorf("the pack states %q", made.Failed)
	}
	folders, err := filepath.Glob(filepath.Join(o.Dir, "rulebooks", id+"-*"))
	if err != nil || len(folders) != 1 {
		t.Fatalf("the folder of the edition: %v, %v", folders, err)
	}
	if says := read(t, filepath.Join(folders[0], "differences.txt")); !strings.Contains(says, "edition: 1 -> 2\n") {
		t.Errorf("the edition differs by %s", says)
	}
	if read(t, filepath.Join(folders[0], "book.yaml")) != string(text) {
		t.Error("the file of the edition is another one")
	}
	index := read(t, filepath.Join(o.Dir, indexFile))
	for _, says := range []string{"THE PACK IS NOT SIGNED", "the journal that was given; ", "- tests: package drawhouse/b: FAILED TestB"} {
		if !strings.Contains(index, says) {
			t.Errorf("the index does not say %q", says)
		}
	}
	checked := check(t, o.Dir, nil)
	if !slices.Equal(checked.Found, made.Failed) {
		t.Errorf("a check finds %q, and the pack states %q", checked.Found, made.Failed)
	}
}

// exported writes the export of a house that was founded by a rulebook, whose file is given if it is the operator's
// own.
func exported(t *testing.T, book *rulebook.Book, text []byte) string {
	t.Helper()
	core, err := cases.NewCore(cases.Founding{Book: book, Text: text, Schedule: book.Schedules()[0].ID(),
		Begin: cases.Noon(book.From()), Seed: "lab"})
	if err != nil {
		t.Fatal(err)
	}
	journal, err := core.Export()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "export")
	for name, data := range journal {
		write(t, dir, name, string(data))
	}
	return dir
}

// edition returns an edition of the rulebook of the packs, and its file.
func edition(t *testing.T) (*rulebook.Book, []byte) {
	t.Helper()
	text, err := rules.Text(id)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(text, []byte("edition: 1"), []byte("edition: 2"), 1)
	book, err := rulebook.Load("edition.yaml", changed)
	if err != nil {
		t.Fatal(err)
	}
	return book, changed
}

// TestAdoptedBook: a rulebook that is built in is in the pack if the journal adopted it, whichever were asked for.
func TestAdoptedBook(t *testing.T) {
	book, err := rules.Book("mi-club-keno")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, journalDir), os.DirFS(exported(t, book, nil))); err != nil {
		t.Fatal(err)
	}
	books, err := booksOf(Given{Rulebooks: []string{id}, Journal: true}, folder)
	if err != nil || len(books) != 2 || books[0].Name != id || books[1].Name != "mi-club-keno" || !books[1].BuiltIn {
		t.Errorf("%+v, %v", books, err)
	}
}

// TestRefusals makes packs that cannot be made: nothing is there afterwards.
func TestRefusals(t *testing.T) {
	short := randomFile(t, 5000)
	for _, c := range []struct {
		name, refuses string
		alter         func(o *Options)
	}{
		{"too few bytes", "--random: randomness/raw.bin: the random bytes end after ", func(o *Options) { o.Random = short }},
		{"no random bytes", "--random: open ", func(o *Options) { o.Random = short + "x" }},
		{"too few draws", "--draws: 99: the tests are good for 100000 to ", func(o *Options) { o.Draws = 99 }},
		{"unknown rulebook", `--rulebook: no rulebook "x" is built in; there are `, func(o *Options) { o.Rulebooks = []string{"x"} }},
		{"a rulebook twice", "--rulebook: " + id + " is named twice", func(o *Options) { o.Rulebooks = []string{id, id} }},
		{"an archive of no kind", "ends neither in .tar nor in .zip", func(o *Options) { o.Archive = o.Dir + ".rar" }},
		{"an archive that is there", "is there already: name a new file", func(o *Options) { o.Archive = short + ".zip" }},
		{"an archive within", "is in the folder of the pack", func(o *Options) { o.Archive = filepath.Join(o.Dir, "a.tar") }},
		{"no export", "is no export of a journal", func(o *Options) { o.Journal = filepath.Dir(short) }},
		{"no log of tests", "it has no line of go test", func(o *Options) { o.Tests = short }},
		{"no release", "is no folder that make release wrote", func(o *Options) { o.Release = filepath.Dir(short) }},
		{"no program", "--program: open ", func(o *Options) { o.Programs = []string{short + "x"} }},
		{"no folder above", "DIR: ", func(o *Options) { o.Dir = filepath.Join(o.Dir, "below", "pack") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			write(t, filepath.Dir(short), "raw.bin.zip", "")
			o := options(filepath.Join(folder, "pack"), short)
			c.alter(&o)
			if _, err := Make(o); err == nil || !strings.Contains(err.Error(), c.refuses) {
				t.Errorf("%v, want %q", err, c.refuses)
			}
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
	full := t.TempDir()
	write(t, full, "mine.txt", "mine")
	if _, err := Make(options(full, short)); err == nil || !strings.Contains(err.Error(), "is not empty, and a pack is not mixed") {
		t.Errorf("a folder that is not empty: %v", err)
	}
	if read(t, filepath.Join(full, "mine.txt")) != "mine" {
		t.Error("the file in it is another one")
	}
}

// TestFailingCases runs cases under a rulebook that is not the one they are of.
func TestFailingCases(t *testing.T) {
	other, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	var put []string
	p := &pack{books: []Book{{Name: id, Book: other, BuiltIn: true}}, put: func(name string, data []byte) error {
		put = append(put, name+"\n"+string(data))
		return nil
	}}
	results, err := p.runCases()
	if err != nil {
		t.Fatal(err)
	}
	all, bad := count(results[id])
	if all == 0 || bad == 0 || bad == all {
		t.Fatalf("%d cases, %d failed: lines run under the other book, scenarios do not", all, bad)
	}
	if err := p.casePart("rulebooks/"+id+"/", id, results[id]); err != nil {
		t.Fatal(err)
	}
	if len(p.failed) != bad || !strings.HasPrefix(p.failed[0], "rulebook "+id+", clause ") {
		t.Errorf("%d are stated, %d failed: %.200q", len(p.failed), bad, p.failed)
	}
	if last := put[len(put)-1]; strings.Count(last, ",FAILED,") != bad {
		t.Errorf("the list of cases does not have the %d failures:\n%s", bad, last)
	}
}

// TestFailingLineOfAScenario: the lines before it passed, those behind it were not reached, and nothing is known of
// what is asked of the whole.
func TestFailingLineOfAScenario(t *testing.T) {
	lines := func() []Result {
		return []Result{{Line: 3, Outcome: passed}, {Line: 4, Outcome: passed}, {Line: 5, Outcome: passed},
			{Line: 7, Outcome: passed}}
	}
	outcomes := func(err error) (texts []string) {
		all := lines()
		spread(all, err)
		for _, r := range all {
			texts = append(texts, r.Outcome)
		}
		return texts
	}
	failure := &cases.Failure{Path: "x", Line: cases.Line{Number: 5}, Err: fmt.Errorf("got 2")}
	if got := outcomes(failure); !slices.Equal(got, []string{notReached, passed, failed, notReached}) {
		t.Errorf("%v", got)
	}
	if got := outcomes(fmt.Errorf("the second opinion")); !slices.Equal(got, []string{failed, passed, passed, passed}) {
		t.Errorf("%v", got)
	}
	if got := outcomes(nil); !slices.Equal(got, []string{passed, passed, passed, passed}) {
		t.Errorf("%v", got)
	}
}

func TestReadTests(t *testing.T) {
	plain := "--- SKIP: TestC (0.00s)\nok  \tdrawhouse/a\t0.2s\n--- FAIL: TestB (0.01s)\n    --- FAIL: TestB/x (0.01s)\nFAIL\n" +
		"FAIL\tdrawhouse/b\t0.1s\n?   \tdrawhouse/c\t[no test files]\nFAIL\tdrawhouse/d [build failed]\n"
	machine := `{"Action":"pass","Package":"drawhouse/a","Test":"TestA"}
{"Action":"skip","Package":"drawhouse/a","Test":"TestC"}
{"Action":"pass","Package":"drawhouse/a"}
{"Action":"fail","Package":"drawhouse/b","Test":"TestB"}
{"Action":"fail","Package":"drawhouse/b"}
{"Action":"skip","Package":"drawhouse/c"}
{"Action":"run","Package":"drawhouse/d","Test":"TestD"}
`
	for _, c := range []struct{ text, want string }{
		{plain, "a ok 0 0 1, b FAILED 0 2 0, c no tests 0 0 0, d FAILED 0 0 0"},
		{machine, "a ok 1 0 1, b FAILED 0 1 0, c no tests 0 0 0, d unfinished 0 0 0"},
	} {
		log, err := readTests([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range []string{"a", "b", "c", "d"} {
			p := log.of("drawhouse/" + name)
			got = append(got, fmt.Sprintf("%s %s %d %d %d", name, p.result, len(p.passed), len(p.failed), len(p.skipped)))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s, want %s", strings.Join(got, ", "), c.want)
		}
	}
}

// TestRelease takes the papers of a release and the hashes of its programs, if they are those that it lists.
func TestRelease(t *testing.T) {
	release := t.TempDir()
	write(t, release, "drawhouse-1-linux-amd64", "program")
	write(t, release, "drawhouse-1-linux-amd64.cdx.json", "{}")
	list(t, release)
	take := func() (names []string, err error) {
		w, err := newWriter(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		files, err := w.takeRelease(release)
		for _, f := range append(files, w.files...) {
			names = append(names, f.Name)
		}
		return names, err
	}
	names, err := take()
	if want := []string{"drawhouse-1-linux-amd64", releaseDir + "/SHA256SUMS", releaseDir + "/drawhouse-1-linux-amd64.cdx.json"}; err != nil ||
		!slices.Equal(names, want) {
		t.Errorf("%v, %v", names, err)
	}
	write(t, release, "drawhouse-1-linux-amd64", "another")
	if _, err := take(); err == nil || !strings.Contains(err.Error(), "is not the file that SHA256SUMS lists") {
		t.Errorf("another program: %v", err)
	}
	remove(t, release, "drawhouse-1-linux-amd64")
	if _, err := take(); err == nil || !strings.Contains(err.Error(), "which is not there") {
		t.Errorf("no program: %v", err)
	}
}

func TestKeys(t *testing.T) {
	for text, want := range map[string]string{
		"":        "this is no private key of ssh-keygen",
		"nothing": "this is no private key of ssh-keygen",
	} {
		if _, err := ParseKey([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := ParsePublic([]byte("ssh-ed25519 AAAA\n")); err == nil || !strings.Contains(err.Error(), "this is no public key") {
		t.Errorf("%v", err)
	}
}

// checkByOthers checks a pack with the tools that its index names.
func checkByOthers(t *testing.T, dir, public string) {
	t.Helper()
	for _, tool := range []string{"ssh-keygen", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("THE SIGNATURE WAS NOT CHECKED BY ANOTHER TOOL: no " + tool)
		}
	}
	signers := t.TempDir()
	write(t, signers, "signers", "lab-pack "+public+"\n")
	command := "ssh-keygen -Y verify -f " + signers + "/signers -I lab-pack -n " + Namespace +
		" -s SHA256SUMS.sig <SHA256SUMS && sha256sum --quiet --strict -c SHA256SUMS"
	shell := exec.Command("sh", "-c", command)
	shell.Dir = dir
	if out, err := shell.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "Good ") ||
		strings.Count(string(out), "\n") != 1 {
		t.Errorf("%s, %v", out, err)
	}
}

// expect fails unless something was found that begins as given.
func expect(t *testing.T, checked Checked, finds string) {
	t.Helper()
	if !slices.ContainsFunc(checked.Found, func(f string) bool { return strings.HasPrefix(f, finds) }) {
		t.Errorf("found %q, want %q", checked.Found, finds)
	}
}

func check(t *testing.T, dir string, key ssh.PublicKey) Checked {
	t.Helper()
	checked, err := Check(Checking{Dir: dir, Key: key, Program: told})
	if err != nil {
		t.Fatal(err)
	}
	return checked
}

// copied copies a pack.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "pack")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// list writes the list of hashes anew, as somebody does who alters a pack and has no key.
func list(t *testing.T, dir string) {
	t.Helper()
	var sums strings.Builder
	err := walk(os.DirFS(dir), func(name string, data []byte) error {
		if name != sumsFile && name != sigFile {
			fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, sumsFile, sums.String())
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
}

// change changes a text in a file, which must be there.
func change(t *testing.T, dir, name, from, to string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	text := read(t, file)
	if !strings.Contains(text, from) {
		t.Fatalf("%s does not contain %q", name, from)
	}
	write(t, dir, name, strings.Replace(text, from, to, 1))
}

// FuzzKeys looks for keys and signatures that stop the program.
func FuzzKeys(f *testing.F) {
	key := keyOf("fuzz")
	public, err := publicOf(key)
	if err != nil {
		f.Fatal(err)
	}
	good, err := sign(key, []byte("text"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(public))
	f.Add(good)
	f.Add([]byte("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n"))
	own, err := ParsePublic([]byte(public))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if private, err := ParseKey(data); err == nil && len(private) != ed25519.PrivateKeySize {
			t.Errorf("a private key of %d bytes", len(private))
		}
		if read, err := ParsePublic(data); err == nil && read.Type() != ssh.KeyAlgoED25519 {
			t.Errorf("a public key of %s", read.Type())
		}
		if checkSignature(own, []byte("another text"), data) == nil {
			t.Errorf("%q signs a text that nobody signed", data)
		}
	})
}
