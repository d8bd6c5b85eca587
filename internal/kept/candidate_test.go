package kept

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"drawhouse"
	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

var candidate = flag.Bool("candidate", false, "write the journals of this version of the program")

// keepVariable names the folder in which tests of package house have laid down their journals.
const keepVariable = "DRAWHOUSE_KEEP"

// notWritten are the kinds that this program reads and writes no more, and why.
var notWritten = map[record.Kind]string{
	record.KindChainCommitted: "custodians commit to links singly since the public log",
	record.KindLinkReleased:   "as above: it is written for a day whose chains were committed before",
}

// running are the kinds that only a running house writes, whose journals tests of package house lay down.
var running = []record.Kind{
	record.KindResultConfirmed, record.KindLogBegun, record.KindLogWitnessed, record.KindLinksCommitted,
	record.KindLinkGiven, record.KindBeaconChosen, record.KindRoundGiven,
	record.KindRequestKeyed, // Keys come with requests, and scenarios have commands.
}

// TestEveryKindIsKept finds kinds and versions of records that no kept journal has, and those that this version of the
// program writes and none of its own journals has.
func TestEveryKindIsKept(t *testing.T) {
	journals, err := All()
	if err != nil {
		t.Fatal(err)
	}
	type form struct {
		kind    record.Kind
		version uint8
	}
	all, own := map[form]bool{}, map[form]bool{}
	for _, j := range journals {
		for _, r := range j.Records {
			kind, _ := record.KindOf(r.Data)
			f := form{kind, record.Version(kind)} // A record of another version is not read at all.
			all[f] = true
			if j.Version() == drawhouse.Version {
				own[f] = true
			}
		}
	}
	for _, kind := range record.Kinds() {
		f := form{kind, record.Version(kind)}
		if !all[f] {
			t.Errorf("no kept journal has a record of %v (version %d): let a scenario in testdata/scenarios write one, "+
				"and run make candidate", kind, f.version)
		}
		if reason := notWritten[kind]; own[f] == (reason != "") {
			t.Errorf("%s: its journals have a record of %v: %v; why none has: %q", drawhouse.Version, kind, own[f], reason)
		}
	}
}

// TestCandidate plays the scenarios in houses in memory and verifies each journal. Together they write every kind of
// record, beside those that only a running house writes. With -candidate they are kept as the journals of this version.
func TestCandidate(t *testing.T) {
	made := append(playAll(t), raised(t))
	wrote := map[record.Kind]bool{}
	for _, m := range made {
		check(t, m.files)
		for _, kind := range m.kinds {
			wrote[kind] = true
		}
	}
	for _, kind := range record.Kinds() {
		if lacks := notWritten[kind] != "" || slices.Contains(running, kind); wrote[kind] == lacks {
			t.Errorf("the scenarios write a record of %v: %v", kind, wrote[kind])
		}
	}
	if !*candidate || t.Failed() {
		return
	}
	made = append(made, laidDown(t)...)
	old, err := filepath.Glob(filepath.Join("testdata", drawhouse.Version+"_*.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range made {
		m.keep(t)
	}
}

// made is a journal that is to be kept.
type made struct {
	name  string
	files export.Memory // with the keys, once it is kept
	keys  map[string]string
	kinds []record.Kind
}

// keep writes the archive of a journal.
func (m made) keep(t *testing.T) {
	t.Helper()
	files := maps.Clone(m.files)
	for name, key := range m.keys {
		files[name] = []byte(key)
	}
	var packed bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	out := tar.NewWriter(zipped)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		header := tar.Header{Name: name, Mode: 0o600, Size: int64(len(files[name]))}
		if err := out.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write(files[name]); err != nil {
			t.Fatal(err)
		}
	}
	for _, end := range []func() error{out.Close, zipped.Close} {
		if err := end(); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join("testdata", drawhouse.Version+"_"+m.name+".tar.gz")
	if err := os.WriteFile(name, packed.Bytes(), 0o644); err != nil { //nolint:gosec // Everybody may read it.
		t.Fatal(err)
	}
	t.Logf("%s: %d bytes, %d kinds", name, packed.Len(), len(m.kinds))
}

// playAll plays every scenario, and what only the program itself does behind it.
func playAll(t *testing.T) (all []made) {
	t.Helper()
	files, err := cases.ReadAll(filepath.Join("testdata", "scenarios"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file.Rulebook == "tas-keno-2023" {
			file.Book = taxed(t, file.Rulebook)
		}
		for i, scenario := range file.Scenarios {
			var core *cases.Core
			if err := file.Run(scenario, func(f cases.Founding) (cases.House, error) {
				var err error
				core, err = cases.NewCore(f)
				return core, err
			}); err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s_%s-%d", file.Rulebook, file.Clause, i+1)
			all = append(all, behind(t, name, core))
		}
		for i, scenario := range file.Halls {
			core, err := file.PlayHall(scenario)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s_%s-%d", file.Rulebook, file.Clause, i+1)
			all = append(all, behind(t, name, core))
		}
	}
	return all
}

// taxed returns a rulebook of the program with a tax, as an operator's edition could have it.
func taxed(t *testing.T, id string) *rulebook.Book {
	t.Helper()
	text, err := rules.Text(id)
	if err != nil {
		t.Fatal(err)
	}
	book, err := rulebook.Load("taxed", []byte(strings.Replace(string(text), "\nkeno:\n", "\nkeno:\n  tax: "+
		`{clause: "16.3", base: net_revenue, rate: 24.24, rounding: half-even, losses: carried, due_day: 7, payee: State Revenue}`+
		"\n", 1)))
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// behind does what no line of a scenario does, and exports the journal.
func behind(t *testing.T, name string, core *cases.Core) made {
	t.Helper()
	if do := behindScenario[name]; do != nil {
		do(t, core)
	}
	files, err := core.Export()
	if err != nil {
		t.Fatal(err)
	}
	return made{name: name, files: files, kinds: kindsOf(core.Records),
		keys: map[string]string{keyFile: core.Secrets.House, deviceKeyFile: core.Secrets.Device}}
}

func kindsOf(records [][]byte) (kinds []record.Kind) {
	for _, data := range records {
		if kind, ok := record.KindOf(data); ok && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// raised is a journal of before 1.0.0 with which this program has gone on: it has raised the level.
func raised(t *testing.T) made {
	t.Helper()
	journals, err := All()
	if err != nil {
		t.Fatal(err)
	}
	smallest := slices.MinFunc(journals, func(a, b *Journal) int {
		return cmp.Compare(early(a)+len(a.Records), early(b)+len(b.Records))
	})
	g := replay(t, smallest)
	g.goOn(t)
	var records [][]byte
	for _, r := range g.records {
		records = append(records, r.Data)
	}
	key := ""
	if packed, err := files.ReadFile("testdata/" + smallest.Name + ".tar.gz"); err == nil {
		if all, err := unpack(packed); err == nil {
			key = string(all[keyFile])
		}
	}
	return made{name: "raised", files: g.export(t), kinds: kindsOf(records), keys: map[string]string{keyFile: key}}
}

// early keeps journals of versions apart from those of before.
func early(j *Journal) int {
	if j.Version() == "" {
		return 0
	}
	return 1 << 30
}

// laidDown reads the journals that tests of package house have laid down.
func laidDown(t *testing.T) (all []made) {
	t.Helper()
	folder := os.Getenv(keepVariable)
	journals, err := os.ReadDir(folder)
	if err != nil || len(journals) == 0 {
		t.Fatalf("%s=%q has no journals of running houses (make candidate): %v", keepVariable, folder, err)
	}
	wrote := map[record.Kind]bool{}
	for _, entry := range journals {
		m := made{name: "house_" + entry.Name(), files: export.Memory{}, keys: map[string]string{}}
		root := filepath.Join(folder, entry.Name())
		if err := filepath.WalkDir(root, func(path string, is os.DirEntry, err error) error {
			if err != nil || is.IsDir() {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			m.files[filepath.ToSlash(name)], err = os.ReadFile(path)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{keyFile, deviceKeyFile} {
			m.keys[name] = string(m.files[name])
			delete(m.files, name)
		}
		j := &Journal{Export: m.files}
		if j.House, err = verify.ParseHouse(m.files[verify.HouseFile]); err != nil {
			t.Fatal(err)
		}
		if err := j.read(); err != nil {
			t.Fatal(err)
		}
		var records [][]byte
		for _, r := range j.Records {
			records = append(records, r.Data)
		}
		m.kinds = kindsOf(records)
		for _, kind := range m.kinds {
			wrote[kind] = true
		}
		all = append(all, m)
	}
	for _, kind := range running {
		if !wrote[kind] {
			t.Errorf("the journals in %s have no record of %v", folder, kind)
		}
	}
	return all
}
