package person

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/internal/pgtest"
)

// place is a register whose folders a test looks into.
type place struct {
	dir, keys, database string
}

// places are the two kinds of registers.
var places = map[string]func(t *testing.T) place{
	"SQLite": func(t *testing.T) place { return place{dir: t.TempDir(), keys: t.TempDir()} },
	"PostgreSQL": func(t *testing.T) place {
		return place{keys: t.TempDir(), database: pgtest.Schema(t)}
	},
}

func (p place) open(t *testing.T) *Register {
	t.Helper()
	r, err := Open(t.Context(), p.dir, p.keys)
	if p.database != "" {
		r, err = OpenDatabase(t.Context(), p.database, p.keys)
	}
	must(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// stored returns all that a reader of the disk or of the table can see.
func (p place) stored(t *testing.T, r *Register) string {
	t.Helper()
	var all strings.Builder
	must(t, r.each(t.Context(), func(e exported) error {
		_, err := fmt.Fprintln(&all, e)
		return err
	}))
	if p.dir != "" {
		files, err := filepath.Glob(filepath.Join(p.dir, "*"))
		must(t, err)
		for _, file := range files {
			data, err := os.ReadFile(file)
			must(t, err)
			all.Write(data)
		}
	}
	return all.String()
}

// somebody returns a customer every part of whom can be looked for.
func somebody(t *testing.T) (Customer, []string) {
	t.Helper()
	parts := []string{"Bartholomew Unmistakable", "17 Nowhere Lane", "0400 555 019", "b.u@example.org", "1931-02-17",
		"062-000 7654321", "RP77712AU"}
	c, err := NewCustomer(command.Customer{Name: parts[0], Address: parts[1], Phone: parts[2], Email: parts[3],
		Born: parts[4], Account: parts[5], Letter: parts[6]}, rand.Reader)
	must(t, err)
	return c, parts
}

// TestSealedAtRest looks for every part of every kind of entry in the bytes of the file and in
// the table, in an export, and after a register of before there were keys was sealed.
func TestSealedAtRest(t *testing.T) {
	for name, found := range places {
		t.Run(name, func(t *testing.T) {
			p := found(t)
			r := p.open(t)
			ctx := t.Context()
			c, parts := somebody(t)
			d, err := NewDetails("Ottilie Singular", "ottilie@example.org", rand.Reader)
			must(t, err)
			paper, err := NewPaper("My cat ate the ticket.", rand.Reader)
			must(t, err)
			secret, err := NewSecret("correct horse battery", LeastCost, rand.Reader)
			must(t, err)
			parts = append(parts, d.Name, d.Contact, paper.Text, "argon2id", string(secret))
			// A register as an earlier program left it, without columns or keys of today.
			_, err = r.db.ExecContext(ctx, `DROP TABLE person_entry`)
			must(t, err)
			_, err = r.db.ExecContext(ctx,
				`CREATE TABLE person_entry (hash text NOT NULL PRIMARY KEY, kind text NOT NULL, entry text NOT NULL)`)
			must(t, err)
			for _, e := range []exported{
				{Hash: key(c.Hash()), Kind: "customer", Entry: string(encode(c))},
				{Hash: key(d.Hash()), Kind: "details", Entry: string(encode(d))},
				{Hash: key(paper.Hash()), Kind: "paper", Entry: string(encode(paper))},
				{Hash: key(secret.Hash()), Kind: "secret", Entry: string(secret)},
			} {
				_, err := r.db.ExecContext(ctx, r.query(`INSERT INTO person_entry (hash, kind, entry) VALUES ($1, $2, $3)`),
					e.Hash, e.Kind, e.Entry)
				must(t, err)
			}
			must(t, r.Close())
			r = p.open(t)
			if plain := p.stored(t, r); !strings.Contains(plain, parts[0]) || !strings.Contains(plain, paper.Text) {
				t.Fatal("the test looks in the wrong place")
			}
			if got, err := r.Customer(ctx, c.Hash()); err != nil || got.Hash() != c.Hash() {
				t.Errorf("before it is sealed: %+v, %v", got, err)
			}
			var file bytes.Buffer
			if n, err := r.Export(ctx, &file); n != 4 || err != nil {
				t.Errorf("export: %d, %v", n, err)
			}
			if n, err := r.Renew(ctx); n != 4 || err != nil {
				t.Fatalf("%d entries are sealed, %v", n, err)
			}
			if n, err := r.Renew(ctx); n != 0 || err != nil {
				t.Errorf("once more: %d, %v", n, err)
			}
			must(t, r.Put(ctx, mustDetails(t, "Ottilie Singular")))
			stored := p.stored(t, r) + file.String()
			for _, part := range parts {
				if strings.Contains(stored, part) {
					t.Errorf("%q can be read", part)
				}
			}
			if got, err := r.Customer(ctx, c.Hash()); err != nil || got.Name != parts[0] || got.Hash() != c.Hash() {
				t.Errorf("after it is sealed: %+v, %v", got, err)
			}
			if got, err := r.Secret(ctx, secret.Hash()); err != nil || got != secret {
				t.Errorf("the password: %q, %v", got, err)
			}
			if info, err := os.Stat(filepath.Join(p.keys, KeyFile(1))); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the key: %v, %v", info, err)
			}
		})
	}
}

func mustDetails(t *testing.T, name string) Details {
	t.Helper()
	d, err := NewDetails(name, "", rand.Reader)
	must(t, err)
	return d
}

// TestOldExport: a backup of before there were keys is sealed as it is taken up.
func TestOldExport(t *testing.T) {
	d := mustDetails(t, "Ottilie Singular")
	file := exportHead1 + "\n" + fmt.Sprintf(`{"hash":%q,"kind":"details","entry":%q}`, key(d.Hash()), encode(d)) + "\n"
	file += fmt.Sprintf("1 %x\n", sha256.Sum256([]byte(file)))
	if checked, err := CheckExport(strings.NewReader(file), ""); err != nil || checked != (Checked{1, 0, 1}) {
		t.Errorf("%+v, %v", checked, err)
	}
	p := places["SQLite"](t)
	r := p.open(t)
	if n, err := r.Import(t.Context(), strings.NewReader(file)); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if strings.Contains(p.stored(t, r), d.Name) {
		t.Error("the name can be read")
	}
	if got, err := r.Details(t.Context(), d.Hash()); err != nil || got.Name != d.Name {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestKeyRotated: the key is exchanged beside a register that is in use, which takes it up by
// itself; the old key is worth nothing for what is stored then.
func TestKeyRotated(t *testing.T) {
	for name, found := range places {
		t.Run(name, func(t *testing.T) {
			p := found(t)
			house, beside := p.open(t), p.open(t)
			ctx := t.Context()
			before, after := mustDetails(t, "Ada Before"), mustDetails(t, "Ada After")
			must(t, house.Put(ctx, before))
			made, n, err := beside.Rotate(ctx, false)
			if err != nil || n != 1 || made.Number != 2 {
				t.Fatalf("%v, %d entries, %v", made, n, err)
			}
			must(t, house.Put(ctx, after))
			must(t, os.Remove(filepath.Join(p.keys, KeyFile(1))))
			again := p.open(t)
			for _, d := range []Details{before, after} {
				for _, r := range []*Register{house, again} {
					if got, err := r.Details(ctx, d.Hash()); err != nil || got.Name != d.Name {
						t.Errorf("%s: %+v, %v", d.Name, got, err)
					}
				}
			}
			standing, err := again.Standing(ctx)
			must(t, err)
			if len(standing.Under) != 2 || standing.Under[0].Entries != 2 || !standing.Under[0].Current ||
				standing.Under[1].AtHand || len(standing.Missing()) != 0 {
				t.Errorf("%+v", standing)
			}
		})
	}
}

// TestKeyLost: without the key, or with one of another house, nothing is read and nothing added,
// and the error names the file; the key that comes back opens everything. A key that is given up
// takes the entries under it, and no others.
func TestKeyLost(t *testing.T) {
	p := places["SQLite"](t)
	ctx := t.Context()
	ada := mustDetails(t, "Ada Lost")
	must(t, p.open(t).Put(ctx, ada))
	file := filepath.Join(p.keys, KeyFile(1))
	kept, err := os.ReadFile(file)
	must(t, err)
	for how, spoil := range map[string]func() error{
		"gone":    func() error { return os.Remove(file) },
		"damaged": func() error { return os.WriteFile(file, []byte("00"), 0o600) },
		"another": func() error {
			return os.WriteFile(file, []byte(strings.Repeat("5a", secretBytes)), 0o600)
		},
	} {
		must(t, spoil())
		r := p.open(t)
		_, read := r.Details(ctx, ada.Hash())
		written := r.Put(ctx, mustDetails(t, "Nobody"))
		_, renewed := r.Renew(ctx)
		_, _, rotated := r.Rotate(ctx, false)
		for what, err := range map[string]error{"read": read, "written": written, "renewed": renewed, "rotated": rotated} {
			if !errors.Is(err, ErrUnavailable) || what != "renewed" && !strings.Contains(err.Error(), "personal") {
				t.Errorf("%s, %s: %v", how, what, err)
			}
		}
		standing, err := r.Standing(ctx)
		must(t, err)
		if missing := standing.Missing(); len(missing) != 1 || missing[0].Number != 1 || missing[0].Entries != 1 {
			t.Errorf("%s: %+v", how, standing)
		}
		must(t, os.WriteFile(file, kept, 0o600))
		if got, err := r.Details(ctx, ada.Hash()); err != nil || got.Name != ada.Name {
			t.Errorf("%s, and back: %v", how, err)
		}
	}
	must(t, os.Remove(file))
	r := p.open(t)
	made, n, err := r.Rotate(ctx, true)
	if err != nil || n != 0 || made.Number != 2 {
		t.Fatalf("given up: %v, %d, %v", made, n, err)
	}
	bea := mustDetails(t, "Bea New")
	must(t, r.Put(ctx, bea))
	if got, err := r.Details(ctx, bea.Hash()); err != nil || got.Name != bea.Name {
		t.Errorf("after the key was given up: %v", err)
	}
	if _, err := r.Details(ctx, ada.Hash()); !errors.Is(err, ErrNoKey) {
		t.Errorf("what is under the lost key: %v", err)
	}
	var export bytes.Buffer
	if n, err := r.Export(ctx, &export); n != 2 || err != nil {
		t.Errorf("export: %d, %v", n, err)
	}
	if checked, err := CheckExport(bytes.NewReader(export.Bytes()), p.keys); err != nil || checked != (Checked{2, 1, 0}) {
		t.Errorf("%+v, %v", checked, err)
	}
	must(t, os.WriteFile(file, kept, 0o600))
	if n, err := r.Renew(ctx); n != 1 || err != nil {
		t.Errorf("when the key is found: %d, %v", n, err)
	}
}

// TestEntriesNotExchanged: a sealed entry opens under its own hash and kind alone, and no bit of it
// can be changed.
func TestEntriesNotExchanged(t *testing.T) {
	p := places["SQLite"](t)
	r := p.open(t)
	ctx := t.Context()
	ada, bea := mustDetails(t, "Ada"), mustDetails(t, "Bea")
	must(t, errors.Join(r.Put(ctx, ada), r.Put(ctx, bea)))
	var stored string
	must(t, r.db.QueryRowContext(ctx, `SELECT entry FROM person_entry WHERE hash = ?`, key(ada.Hash())).Scan(&stored))
	for what, entry := range map[string]string{
		"of another person": stored,
		"cut":               stored[:len(stored)-4],
		"no base64":         stored[:len(stored)-1] + "!",
		"plain":             string(encode(ada)),
	} {
		_, err := r.db.ExecContext(ctx, `UPDATE person_entry SET entry = ? WHERE hash = ?`, entry, key(bea.Hash()))
		must(t, err)
		if d, err := r.Details(ctx, bea.Hash()); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %+v, %v", what, d, err)
		}
	}
	id, sealed, _ := sealedUnder(stored)
	under, err := r.keys.find(id)
	must(t, err)
	if _, err := under.open("secret", key(ada.Hash()), sealed); !errors.Is(err, ErrChanged) {
		t.Errorf("of another kind: %v", err)
	}
	if text, err := under.open("details", key(ada.Hash()), sealed); err != nil || text != string(encode(ada)) {
		t.Errorf("its own: %q, %v", text, err)
	}
}

// TestSealedLengths: the length of a name is not to be seen.
func TestSealedLengths(t *testing.T) {
	under, err := newSealer(1, make([]byte, secretBytes))
	must(t, err)
	if a, b := under.seal("details", "00", "Al"), under.seal("details", "00", strings.Repeat("x", padding)); len(a) != len(b) {
		t.Errorf("%d and %d bytes", len(a), len(b))
	}
}
