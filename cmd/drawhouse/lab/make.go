package lab

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"drawhouse/check/rngreport"
	"drawhouse/check/verify/export"
	"drawhouse/core/contain"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// Options are what a pack is made of.
type Options struct {
	Dir       string   // folder to write; it must not exist, or be empty
	Archive   string   // .tar or .zip to write as well; empty for none
	Rulebooks []string // built in; empty for all
	Draws     int64
	Random    string   // file of random bytes; empty to read the operating system
	Journal   string   // folder of an export; empty for journals of cases
	Tests     string   // log of go test; empty for none
	Programs  []string // files to hash
	Release   string   // folder that make release wrote; empty for none
	Key       ed25519.PrivateKey
	Program   Program
	Progress  Progress
}

// An ArgumentError is an option that cannot be meant.
type ArgumentError struct {
	Argument string
	Err      error
}

func (e *ArgumentError) Error() string { return e.Argument + ": " + e.Err.Error() }
func (e *ArgumentError) Unwrap() error { return e.Err }

func misused(argument string, err error) error { return &ArgumentError{argument, err} }

// Made is what was made.
type Made struct {
	Files  int
	Bytes  int64
	Public string   // the key that signed, as ssh-keygen writes it; empty for none
	Failed []string // what the pack states that does not hold
}

// Make makes a pack. It writes into a folder beside the one asked for, which gets its name when all of it is durable:
// a pack that was broken off is never there under its name.
func Make(o Options) (made Made, err error) {
	if err := o.check(); err != nil {
		return made, err
	}
	parent := filepath.Dir(filepath.Clean(o.Dir))
	folder, err := os.MkdirTemp(parent, "."+filepath.Base(o.Dir)+".part-")
	if err != nil {
		return made, misused("DIR", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	w, err := newWriter(folder)
	if err != nil {
		return made, err
	}
	defer func() { err = errors.Join(err, w.root.Close()) }()
	p := &pack{dir: w.root, folder: folder, program: o.Program, progress: o.Progress, put: w.put}
	if err := o.give(w, p); err != nil {
		return made, err
	}
	if err := p.derive(); errors.Is(err, io.ErrUnexpectedEOF) && o.Random != "" {
		return made, misused("--random", err)
	} else if err != nil {
		return made, err
	}
	if err := w.seal(o.Key); err != nil {
		return made, err
	}
	made.Public, made.Failed, made.Files = p.given.Signer, p.failed, len(w.files)
	for _, f := range w.files {
		made.Bytes += f.Bytes
	}
	var archive string
	if o.Archive != "" {
		if archive, err = w.archive(o.Archive, filepath.Base(o.Dir)); err != nil {
			return made, misused("--archive", err)
		}
		defer func() { _ = os.Remove(archive) }()
	}
	if err := w.settle(); err != nil {
		return made, err
	}
	return made, publish(folder, o.Dir, archive, o.Archive)
}

// settle makes durable which files the folders have. The files are.
func (w *writer) settle() error {
	return fs.WalkDir(w.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		folder, err := w.root.Open(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		return errors.Join(folder.Sync(), folder.Close())
	})
}

// publish gives folder and archive their names.
func publish(folder, dir, archive, name string) error {
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return misused("DIR", err) // It was empty before.
	}
	if err := os.Rename(folder, dir); err != nil {
		return misused("DIR", err)
	}
	if err := syncFolder(filepath.Dir(filepath.Clean(dir))); err != nil || archive == "" {
		return err
	}
	if err := os.Rename(archive, name); err != nil {
		return misused("--archive", err)
	}
	return syncFolder(filepath.Dir(name))
}

// syncFolder makes durable which files a folder has.
func syncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// check refuses options that cannot be meant, before anything is written.
func (o *Options) check() error {
	entries, err := os.ReadDir(o.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return misused("DIR", err)
	case len(entries) > 0:
		return misused("DIR", fmt.Errorf("%s is not empty, and a pack is not mixed with other files: name a new folder", o.Dir))
	}
	if o.Archive != "" {
		if end := filepath.Ext(o.Archive); end != ".tar" && end != ".zip" {
			return misused("--archive", fmt.Errorf("%s ends neither in .tar nor in .zip", o.Archive))
		}
		if _, err := os.Lstat(o.Archive); err == nil {
			return misused("--archive", fmt.Errorf("%s is there already: name a new file", o.Archive))
		}
		if within(o.Archive, o.Dir) {
			return misused("--archive", fmt.Errorf("%s is in the folder of the pack, which it is to hold", o.Archive))
		}
	}
	if o.Draws < rngreport.MinDraws || o.Draws > rngreport.MaxDraws {
		return misused("--draws", fmt.Errorf("%d: the tests are good for %d to %d draws", o.Draws, int64(rngreport.MinDraws),
			int64(rngreport.MaxDraws)))
	}
	if len(o.Rulebooks) == 0 {
		o.Rulebooks = rules.IDs()
	}
	for i, id := range o.Rulebooks {
		if !slices.Contains(rules.IDs(), id) {
			return misused("--rulebook", fmt.Errorf("no rulebook %q is built in; there are %s", id, strings.Join(rules.IDs(), ", ")))
		}
		if slices.Contains(o.Rulebooks[:i], id) {
			return misused("--rulebook", fmt.Errorf("%s is named twice", id))
		}
	}
	slices.Sort(o.Rulebooks)
	return nil
}

// within reports whether a file would stand below a folder.
func within(file, folder string) bool {
	a, err := filepath.Abs(file)
	b, err2 := filepath.Abs(folder)
	rest, ok := strings.CutPrefix(a, b+string(filepath.Separator))
	return err == nil && err2 == nil && ok && rest != ""
}

// give writes what was given, and what the derivation goes by.
func (o *Options) give(w *writer, p *pack) (err error) {
	given := Given{Format: format, Rulebooks: o.Rulebooks, Draws: o.Draws, Journal: o.Journal != "", Tests: o.Tests != "",
		Programs: []File{}, Release: o.Release != ""}
	if o.Key != nil {
		if given.Signer, err = publicOf(o.Key); err != nil {
			return err
		}
	}
	if given.Program, err = sumOfProgram(); err != nil {
		return err
	}
	if o.Journal != "" {
		if _, err := export.Rulebooks(o.Journal); err != nil {
			return misused("--journal", fmt.Errorf("%s is no export of a journal: %w", o.Journal, err))
		}
		if err := w.copyFolder(o.Journal, journalDir); err != nil {
			return misused("--journal", err)
		}
	}
	if o.Tests != "" {
		data, err := os.ReadFile(o.Tests)
		if err == nil {
			_, err = readTests(data)
		}
		if err == nil {
			err = w.put(testsFile, data)
		}
		if err != nil {
			return misused("--tests", fmt.Errorf("%s: %w", o.Tests, err))
		}
	}
	for _, name := range o.Programs {
		f, err := hashFile(name)
		if err != nil {
			return misused("--program", err)
		}
		f.Name = filepath.Base(name)
		given.Programs = append(given.Programs, f)
	}
	if o.Release != "" {
		files, err := w.takeRelease(o.Release)
		if err != nil {
			return misused("--release", err)
		}
		given.Programs = append(given.Programs, files...)
	}
	if err := o.giveRandom(w); err != nil {
		return misused("--random", err)
	}
	p.given = given
	if p.books, err = booksOf(given, p.folder); err != nil {
		return err
	}
	data, err := jsonOf(given)
	if err != nil {
		return err
	}
	return w.put(givenFile, data)
}

// giveRandom keeps the random bytes that the draws take: those of a file, or of the operating system as the device
// reads them.
func (o *Options) giveRandom(w *writer) error {
	if o.Random != "" {
		from, err := os.Open(o.Random)
		if err != nil {
			return err
		}
		return errors.Join(w.copy(rawFile, from), from.Close())
	}
	read, write := io.Pipe()
	drawn := make(chan error, 1)
	contain.Go("the draws", func() error {
		kept := bufio.NewWriterSize(write, 1<<16)
		_, err := drawAll(io.TeeReader(bufio.NewReaderSize(rand.Reader, 1<<16), kept), o.Draws, o.Progress)
		return errors.Join(err, kept.Flush())
	}, func(err error) {
		_ = write.CloseWithError(err) // It cannot fail.
		drawn <- err
	})
	err := w.copy(rawFile, read)
	_ = read.Close() // It cannot fail.
	return errors.Join(err, <-drawn)
}

// releasePapers are the files of a release that go into a pack; the others are hashed.
var releasePapers = []string{".json", sumsFile, sigFile}

// sumLine is a line of sha256sum.
var sumLine = regexp.MustCompile(`^([0-9a-f]{64})  (.+)$`)

// takeRelease copies the papers of a release and returns the hashes of its other files, all held against its list of
// hashes.
func (w *writer) takeRelease(folder string) (files []File, err error) {
	sums, err := os.ReadFile(filepath.Join(folder, sumsFile))
	if err != nil {
		return nil, fmt.Errorf("%s is no folder that make release wrote: %w", folder, err)
	}
	listed := map[string]string{}
	for line := range strings.Lines(string(sums)) {
		m := sumLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil || m[2] != path.Base(m[2]) {
			return nil, fmt.Errorf("%s of %s is no list of sha256sum", sumsFile, folder)
		}
		listed[m[2]] = m[1]
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		f, err := hashFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		f.Name = e.Name()
		if sum, ok := listed[f.Name]; ok && sum != f.SHA256 {
			return nil, fmt.Errorf("%s is not the file that %s lists", f.Name, sumsFile)
		} else if !ok && f.Name != sumsFile && f.Name != sigFile {
			return nil, fmt.Errorf("%s does not list %s", sumsFile, f.Name)
		}
		delete(listed, f.Name)
		if !slices.ContainsFunc(releasePapers, func(end string) bool { return strings.HasSuffix(f.Name, end) }) {
			files = append(files, f)
			continue
		}
		from, err := os.Open(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		if err := errors.Join(w.copy(releaseDir+"/"+f.Name, from), from.Close()); err != nil {
			return nil, err
		}
	}
	for name := range listed {
		return nil, fmt.Errorf("%s lists %s, which is not there", sumsFile, name)
	}
	return files, nil
}

// booksOf returns the rulebooks of a pack: those that are built in and were asked for, and those that its journal
// adopted.
func booksOf(given Given, folder string) (books []Book, err error) {
	var adopted []record.RulebookAdopted
	dir := filepath.Join(folder, filepath.FromSlash(journalDir))
	if given.Journal {
		if adopted, err = export.Rulebooks(dir); err != nil {
			return nil, fmt.Errorf("%s: %w", journalDir, err)
		}
	}
	carried := map[rulebook.Hash]bool{}
	for _, id := range rules.IDs() {
		book, err := rules.Book(id)
		if err != nil {
			return nil, err
		}
		carried[book.Hash()] = true
		plays := func(a record.RulebookAdopted) bool { return rulebook.Hash(a.Hash) == book.Hash() }
		if !slices.Contains(given.Rulebooks, id) && !slices.ContainsFunc(adopted, plays) {
			continue
		}
		text, err := rules.Text(id)
		if err != nil {
			return nil, err
		}
		books = append(books, Book{Name: id, Argument: id, Book: book, Text: text, BuiltIn: true})
	}
	for _, a := range adopted {
		book, err := rulebook.FromCanonical(a.Book)
		if err != nil {
			return nil, fmt.Errorf("%s: rulebook %s: %w", journalDir, a.ID, err)
		}
		if carried[book.Hash()] {
			continue
		}
		carried[book.Hash()] = true
		hash := book.Hash().String()
		books = append(books, Book{Name: book.ID() + "-" + hash[:16], Argument: dir + "@" + hash, Book: book, Text: a.Text})
	}
	return books, nil
}

// A writer writes the files of a pack and takes down their hashes.
type writer struct {
	root  *os.Root
	files []File
}

func newWriter(folder string) (*writer, error) {
	root, err := os.OpenRoot(folder)
	return &writer{root: root}, err
}

// put writes a file.
func (w *writer) put(name string, data []byte) error { return w.copy(name, bytes.NewReader(data)) }

// copy writes a file and returns when it is durable.
func (w *writer) copy(name string, from io.Reader) error {
	local := filepath.FromSlash(name)
	if err := w.root.MkdirAll(filepath.Dir(local), 0o700); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	f, err := w.root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), from)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	w.files = append(w.files, File{name, n, hex.EncodeToString(sum.Sum(nil))})
	return nil
}

// copyFolder copies the files of a folder, whatever it is called.
func (w *writer) copyFolder(folder, to string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir():
			return err
		case !entry.Type().IsRegular():
			return fmt.Errorf("%s is neither a file nor a folder", name)
		}
		from, err := root.Open(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		return errors.Join(w.copy(path.Join(to, name), from), from.Close())
	})
	return errors.Join(err, root.Close())
}

// seal writes manifest, list of hashes and signature, in this order: each is about those before it.
func (w *writer) seal(key ed25519.PrivateKey) error {
	w.sort()
	data, err := jsonOf(w.files)
	if err != nil {
		return err
	}
	if err := w.put(manifestFile, data); err != nil {
		return err
	}
	w.sort()
	var sums bytes.Buffer
	for _, f := range w.files {
		fmt.Fprintf(&sums, "%s  %s\n", f.SHA256, f.Name)
	}
	if err := w.put(sumsFile, sums.Bytes()); err != nil || key == nil {
		return err
	}
	signature, err := sign(key, sums.Bytes())
	if err != nil {
		return err
	}
	return w.put(sigFile, signature)
}

func (w *writer) sort() {
	slices.SortFunc(w.files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
}

// hash returns the SHA-256 of what is read, and how much it is.
func hash(from io.Reader) (string, int64, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, from)
	return hex.EncodeToString(sum.Sum(nil)), n, err
}

// hashFile hashes a file of any folder.
func hashFile(name string) (File, error) {
	f, err := os.Open(name)
	if err != nil {
		return File{}, err
	}
	sum, n, err := hash(f)
	return File{name, n, sum}, errors.Join(err, f.Close())
}

// walk reads the files of a file system in the order of their names.
func walk(files fs.FS, do func(name string, data []byte) error) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return do(name, data)
	})
}
