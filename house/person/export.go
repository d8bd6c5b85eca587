package person

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"drawhouse/journal/record"
)

// The first line of a register in a file. A file of the first form has plain entries; none is
// written any more.
const (
	exportHead  = "drawhouse register 2"
	exportHead1 = "drawhouse register 1"
)

// exportLine bounds an entry, so that a file that is no register is not read into
// memory.
const exportLine = 1 << 20

// ErrDamaged means that a file is not a whole register.
var ErrDamaged = errors.New("person: the file is not a whole register")

// exported is a line of a file: an entry, or a key that entries are sealed under.
type exported struct {
	Hash  string `json:"hash,omitempty"`
	Kind  string `json:"kind,omitempty"`
	Over  string `json:"over,omitempty"`
	Entry string `json:"entry,omitempty"`

	Key    string `json:"key,omitempty"`
	Number int    `json:"number,omitempty"`
}

// each gives every entry as it is stored, by hash. What is done with them asks the register nothing.
func (r *Register) each(ctx context.Context, do func(exported) error) (err error) {
	rows, err := r.db.QueryContext(ctx, `SELECT hash, kind, over, entry FROM person_entry ORDER BY hash`)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var e exported
		if err := rows.Scan(&e.Hash, &e.Kind, &e.Over, &e.Entry); err != nil {
			return fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		if err := do(e); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// Export writes keys by name and every entry, sealed, as lines of JSON, between a head and a last
// line with the number of entries and the SHA-256 of all before it. It returns how many entries
// there were; one that is not what its hash says is an error, for it would be refused at the
// restore. One whose key is not at hand is written as it is.
func (r *Register) Export(ctx context.Context, w io.Writer) (int, error) {
	var under *sealer // for entries of before there were keys
	err := r.inTx(ctx, r.stay, func(tx *sql.Tx) error {
		var plain int
		err := tx.QueryRowContext(ctx, r.query(`SELECT count(*) FROM person_entry WHERE entry NOT LIKE $1`),
			sealedHead+"%").Scan(&plain)
		if err == nil && plain > 0 {
			under, err = r.current(ctx, tx)
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return r.export(ctx, w, under)
}

func (r *Register) export(ctx context.Context, w io.Writer, under *sealer) (n int, err error) {
	names, err := keysOf(ctx, r.db)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	sum := sha256.New()
	both := io.MultiWriter(w, sum)
	if _, err := fmt.Fprintln(both, exportHead); err != nil {
		return 0, err
	}
	write := func(e exported) error {
		line, err := json.Marshal(e)
		if err == nil {
			_, err = both.Write(append(line, '\n'))
		}
		return err
	}
	for _, name := range names {
		if err := write(exported{Key: name.ID, Number: name.Number}); err != nil {
			return 0, err
		}
	}
	err = r.each(ctx, func(e exported) error {
		n++
		if _, err := e.check(r.keys); err != nil {
			return err
		}
		if _, _, sealed := sealedUnder(e.Entry); !sealed && under != nil {
			e.Entry = under.seal(e.Kind, e.Hash, e.Entry)
		}
		return write(e)
	})
	if err != nil {
		return 0, err
	}
	_, err = fmt.Fprintf(w, "%d %x\n", n, sum.Sum(nil))
	return n, err
}

// check holds an entry against its hash, as far as its key is at hand.
func (e *exported) check(keys *keyring) (readable bool, err error) {
	entry := e.Entry
	if id, sealed, ok := sealedUnder(e.Entry); ok {
		under, err := keys.find(id)
		if err != nil || under == nil {
			return false, nil //nolint:nilerr // A key that cannot be read is not at hand.
		}
		if entry, err = under.open(e.Kind, e.Hash, sealed); err != nil {
			return false, fmt.Errorf("%w: %s", err, e.Hash)
		}
	}
	if want := hashOf(e.Kind, []byte(entry)); e.Hash != key(want) {
		return false, fmt.Errorf("%w: %s", ErrChanged, e.Hash)
	}
	return true, nil
}

// Import takes up the entries of a file that Export wrote, all of them or none, and
// returns how many they were. Entries that are there already stay. Those of the first form of
// the file are sealed on the way.
func (r *Register) Import(ctx context.Context, from io.Reader) (int, error) {
	file, err := readExport(from, r.keys)
	if err != nil {
		return 0, err
	}
	return len(file.entries), r.take(ctx, file, "NOTHING")
}

// take takes up keys and entries; conflict says what becomes of an entry that is there already.
func (r *Register) take(ctx context.Context, file *exportFile, conflict string) error {
	err := r.inTx(ctx, r.stay, func(tx *sql.Tx) error {
		for _, k := range file.keys {
			query := r.query(`INSERT INTO person_key (id, number) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`)
			if _, err := tx.ExecContext(ctx, query, k.Key, k.Number); err != nil {
				return err
			}
		}
		var under *sealer
		for _, e := range file.entries {
			if _, _, sealed := sealedUnder(e.Entry); !sealed && r.keys.dir != "" {
				var err error
				if under == nil {
					under, err = r.current(ctx, tx)
				}
				if err != nil {
					return err
				}
				e.Entry = under.seal(e.Kind, e.Hash, e.Entry)
			}
			query := r.query(`INSERT INTO person_entry (hash, kind, entry, over) VALUES ($1, $2, $3, $4)
				ON CONFLICT (hash) DO ` + conflict)
			if _, err := tx.ExecContext(ctx, query, e.Hash, e.Kind, e.Entry, e.Over); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// Checked is what was found in a file of a register.
type Checked struct {
	Entries    int
	Unreadable int // entries whose keys are not at hand
	Plain      int // entries of a file of the first form
}

// CheckExport reads a file that Export wrote, and opens every entry whose key is in a folder.
// Without a folder it opens none.
func CheckExport(from io.Reader, keys string) (Checked, error) {
	file, err := readExport(from, &keyring{dir: keys})
	if err != nil {
		return Checked{}, err
	}
	return file.checked, nil
}

// exportFile is what a file has.
type exportFile struct {
	keys, entries []exported
	checked       Checked
}

// readExport reads a file to its last line, which has to be the last.
func readExport(from io.Reader, keys *keyring) (*exportFile, error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, exportLine)
	sum := sha256.New()
	if !lines.Scan() || lines.Text() != exportHead && lines.Text() != exportHead1 {
		return nil, fmt.Errorf("%w: it does not begin with %q", ErrDamaged, exportHead)
	}
	file := new(exportFile)
	for line := lines.Text(); ; {
		_, _ = io.WriteString(sum, line+"\n") // A hash takes everything.
		if !lines.Scan() {
			return nil, errors.Join(fmt.Errorf("%w: it has no end", ErrDamaged), lines.Err())
		}
		line = lines.Text()
		if len(line) == 0 || line[0] != '{' {
			break
		}
		if err := file.add(lines.Bytes(), keys); err != nil {
			return nil, fmt.Errorf("%w: entry %d: %w", ErrDamaged, len(file.entries)+1, err)
		}
	}
	file.checked.Entries = len(file.entries)
	if want := fmt.Sprintf("%d %s", len(file.entries), hex.EncodeToString(sum.Sum(nil))); lines.Text() != want {
		return nil, fmt.Errorf("%w: its last line is another than its entries come to", ErrDamaged)
	}
	if lines.Scan() || lines.Err() != nil {
		return nil, fmt.Errorf("%w: something follows its end", ErrDamaged)
	}
	return file, nil
}

// add takes up a line.
func (f *exportFile) add(line []byte, keys *keyring) error {
	var e exported
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil {
		return err
	}
	if e.Key != "" {
		f.keys = append(f.keys, e)
		return nil
	}
	readable, err := e.check(keys)
	if err != nil {
		return err
	}
	if !readable {
		f.checked.Unreadable++
	}
	if _, _, sealed := sealedUnder(e.Entry); !sealed {
		f.checked.Plain++
	}
	f.entries = append(f.entries, e)
	return nil
}

// Has reports whether the register has an entry, whatever it is of, and whether or not its key is at hand.
func (r *Register) Has(ctx context.Context, hash record.Hash) (bool, error) {
	var n int
	err := r.db.QueryRowContext(ctx, r.query(`SELECT count(*) FROM person_entry WHERE hash = $1`), key(hash)).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return n > 0, nil
}

// Mirror makes a register what another one is: entries that the other has are taken up as they
// are sealed there, and those that it has no more, because somebody was erased, are forgotten. It
// needs no key, and returns how many entries there are.
func Mirror(ctx context.Context, to, from *Register) (int, error) {
	var written bytes.Buffer
	if _, err := from.export(ctx, &written, nil); err != nil {
		return 0, err
	}
	file, err := readExport(&written, from.keys)
	if err != nil {
		return 0, err
	}
	isKept := map[string]bool{}
	for _, e := range file.entries {
		isKept[e.Hash] = true
	}
	var gone []string
	err = to.each(ctx, func(e exported) error {
		if !isKept[e.Hash] {
			gone = append(gone, e.Hash)
		}
		return nil
	})
	if err == nil && len(gone) > 0 {
		err = to.forget(ctx, gone)
	}
	if err != nil {
		return 0, err
	}
	return len(file.entries), to.take(ctx, file, "UPDATE SET entry = excluded.entry, over = excluded.over")
}
