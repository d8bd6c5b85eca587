package person

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"drawhouse/journal/record"
)

// exportHead is the first line of a register in a file.
const exportHead = "drawhouse register 1"

// exportLine bounds an entry, so that a file that is no register is not read into
// memory.
const exportLine = 1 << 20

// ErrDamaged means that a file is not a whole register.
var ErrDamaged = errors.New("person: the file is not a whole register")

// exported is an entry in a file.
type exported struct {
	Hash  string `json:"hash"`
	Kind  string `json:"kind"`
	Entry string `json:"entry"`
}

// Export writes every entry as a line of JSON, between a head and a last line with
// their number and the SHA-256 of all before it. What it writes is as secret as the
// register is. It returns how many there were; an entry that is not what its hash says
// is an error, for it would be refused at the restore.
func (r *Register) Export(ctx context.Context, w io.Writer) (n int, err error) {
	rows, err := r.db.QueryContext(ctx, `SELECT hash, kind, entry FROM person_entry ORDER BY hash`)
	if err != nil {
		return 0, fmt.Errorf("person: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	sum := sha256.New()
	both := io.MultiWriter(w, sum)
	if _, err := fmt.Fprintln(both, exportHead); err != nil {
		return 0, err
	}
	for rows.Next() {
		var e exported
		if err := rows.Scan(&e.Hash, &e.Kind, &e.Entry); err != nil {
			return 0, fmt.Errorf("person: %w", err)
		}
		if err := e.check(); err != nil {
			return 0, err
		}
		line, err := json.Marshal(e)
		if err != nil {
			return 0, err
		}
		if _, err := both.Write(append(line, '\n')); err != nil {
			return 0, err
		}
		n++
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("person: %w", err)
	}
	_, err = fmt.Fprintf(w, "%d %x\n", n, sum.Sum(nil))
	return n, err
}

// check holds an entry against its hash.
func (e *exported) check() error {
	if want := hashOf(e.Kind, []byte(e.Entry)); e.Hash != key(want) {
		return fmt.Errorf("%w: %s", ErrChanged, e.Hash)
	}
	return nil
}

// Import takes up the entries of a file that Export wrote, all of them or none, and
// returns how many they were. Entries that are there already stay.
func (r *Register) Import(ctx context.Context, from io.Reader) (int, error) {
	entries, err := readExport(from)
	if err != nil {
		return 0, err
	}
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, fmt.Errorf("person: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // After the commit it does nothing.
	for _, e := range entries {
		query := r.query(`INSERT INTO person_entry (hash, kind, entry) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING`)
		if _, err := tx.ExecContext(ctx, query, e.Hash, e.Kind, e.Entry); err != nil {
			return 0, fmt.Errorf("person: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return 0, fmt.Errorf("person: %w", err)
	}
	return len(entries), nil
}

// CheckExport reads a file that Export wrote and returns how many entries it has.
func CheckExport(from io.Reader) (int, error) {
	entries, err := readExport(from)
	return len(entries), err
}

// readExport reads a file to its last line, which has to be the last.
func readExport(from io.Reader) ([]exported, error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, exportLine)
	sum := sha256.New()
	if !lines.Scan() || lines.Text() != exportHead {
		return nil, fmt.Errorf("%w: it does not begin with %q", ErrDamaged, exportHead)
	}
	var entries []exported
	for line := exportHead; ; {
		_, _ = io.WriteString(sum, line+"\n") // A hash takes everything.
		if !lines.Scan() {
			return nil, errors.Join(fmt.Errorf("%w: it has no end", ErrDamaged), lines.Err())
		}
		line = lines.Text()
		if len(line) == 0 || line[0] != '{' {
			break
		}
		e, err := parseExported(lines.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%w: entry %d: %w", ErrDamaged, len(entries)+1, err)
		}
		entries = append(entries, e)
	}
	if want := fmt.Sprintf("%d %s", len(entries), hex.EncodeToString(sum.Sum(nil))); lines.Text() != want {
		return nil, fmt.Errorf("%w: its last line is another than its entries come to", ErrDamaged)
	}
	if lines.Scan() || lines.Err() != nil {
		return nil, fmt.Errorf("%w: something follows its end", ErrDamaged)
	}
	return entries, nil
}

func parseExported(line []byte) (e exported, err error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil {
		return e, err
	}
	return e, e.check()
}

// Has reports whether the register has an entry, whatever it is of.
func (r *Register) Has(ctx context.Context, hash record.Hash) (bool, error) {
	var n int
	err := r.db.QueryRowContext(ctx, r.query(`SELECT count(*) FROM person_entry WHERE hash = $1`), key(hash)).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("person: %w", err)
	}
	return n > 0, nil
}

// Mirror makes a register what another one is: entries that the other has are taken up,
// and those that it has no more, because somebody was erased, are forgotten. It
// returns how many there are.
func Mirror(ctx context.Context, to, from *Register) (int, error) {
	var file bytes.Buffer
	if _, err := from.Export(ctx, &file); err != nil {
		return 0, err
	}
	kept, err := readExport(bytes.NewReader(file.Bytes()))
	if err != nil {
		return 0, err
	}
	isKept := map[string]bool{}
	for _, e := range kept {
		isKept[e.Hash] = true
	}
	var there bytes.Buffer
	if _, err := to.Export(ctx, &there); err != nil {
		return 0, err
	}
	before, err := readExport(&there)
	if err != nil {
		return 0, err
	}
	var gone []record.Hash
	for _, e := range before {
		if !isKept[e.Hash] {
			gone = append(gone, hashOf(e.Kind, []byte(e.Entry)))
		}
	}
	if len(gone) > 0 {
		if err := to.Forget(ctx, gone...); err != nil {
			return 0, err
		}
	}
	return to.Import(ctx, &file)
}
