package person

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// A Standing is how the entries of a register are sealed.
type Standing struct {
	Entries int
	Plain   int // not sealed: of before there were keys
	// Under counts the entries by their keys, the newest key first. Entries that nothing is sealed
	// under any more have a count of zero.
	Under []UnderKey
}

// UnderKey is how many entries are sealed under a key of a register.
type UnderKey struct {
	KeyName
	Entries int
	Current bool // new entries are sealed under it
	AtHand  bool // its file is in the folder of the keys
}

// Missing returns the keys that something is sealed under, or is to be, and whose files are not at hand.
func (s Standing) Missing() []UnderKey {
	return slices.DeleteFunc(slices.Clone(s.Under),
		func(k UnderKey) bool { return k.AtHand || !k.Current && k.Entries == 0 })
}

// keysOf returns the keys that the register has had, the current one first.
func keysOf(ctx context.Context, q interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}) (names []KeyName, err error) {
	rows, err := q.QueryContext(ctx, `SELECT id, number FROM person_key ORDER BY number DESC, id`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name KeyName
		if err := rows.Scan(&name.ID, &name.Number); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// current returns what new entries are sealed with: the newest key that the register knows of. A
// register that has had no key takes the newest of the folder, or has the first one made. The
// file is there before the register names it.
func (r *Register) current(ctx context.Context, tx *sql.Tx) (*sealer, error) {
	names, err := keysOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		return r.find(names[0])
	}
	newest, err := r.keys.newest()
	if err == nil && newest == nil {
		if r.keys.dir == "" {
			return nil, &NoKey{KeyName{Number: 1}, ""}
		}
		if _, err = MakeKey(r.keys.dir, 1); err == nil || errors.Is(err, fs.ErrExist) {
			newest, err = r.keys.newest()
		}
	}
	if err != nil {
		return nil, err
	}
	query := r.query(`INSERT INTO person_key (id, number) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`)
	_, err = tx.ExecContext(ctx, query, newest.ID, newest.Number)
	return newest, err
}

// find returns the key of a name, or says that it is not at hand.
func (r *Register) find(name KeyName) (*sealer, error) {
	found, err := r.keys.find(name.ID)
	if err == nil && found == nil {
		err = &NoKey{name, r.keys.dir}
	}
	return found, err
}

// Renew seals every entry under the current key that is not: those of before there were keys, and
// those that an earlier exchange of the key has left. It does all of it or nothing, and returns
// how many entries it has sealed. What is under a key that is not at hand stays as it is. What
// was plain leaves the file.
func (r *Register) Renew(ctx context.Context) (int, error) { return r.renew(ctx, r.current) }

// Rotate makes a new personal key and seals every entry under it. A register that is in use takes
// up the key by itself. Lost says that entries whose key is not at hand may stay sealed under it:
// nobody can read these until its file is back.
func (r *Register) Rotate(ctx context.Context, lost bool) (made KeyName, renewed int, err error) {
	standing, err := r.Standing(ctx)
	if err != nil {
		return KeyName{}, 0, err
	}
	if missing := standing.Missing(); len(missing) > 0 && !lost {
		return KeyName{}, 0, &NoKey{missing[0].KeyName, r.keys.dir}
	}
	number := 0
	for _, k := range standing.Under {
		number = max(number, k.Number)
	}
	there, err := ReadKeys(r.keys.dir)
	if err != nil && !lost {
		return KeyName{}, 0, err
	}
	for _, k := range there {
		number = max(number, k.Number)
	}
	if made, err = MakeKey(r.keys.dir, number+1); err != nil {
		return KeyName{}, 0, err
	}
	renewed, err = r.renew(ctx, func(ctx context.Context, tx *sql.Tx) (*sealer, error) {
		if _, err := tx.ExecContext(ctx, r.query(`INSERT INTO person_key (id, number) VALUES ($1, $2)`), made.ID,
			made.Number); err != nil {
			return nil, err
		}
		return r.find(made)
	})
	return made, renewed, err
}

// renewPage is how many entries are sealed anew between two questions.
const renewPage = 500

func (r *Register) renew(ctx context.Context, current func(context.Context, *sql.Tx) (*sealer, error)) (int, error) {
	n := 0
	err := r.inTx(ctx, r.alone, func(tx *sql.Tx) error {
		under, err := current(ctx, tx)
		if err != nil {
			return err
		}
		for after := ""; ; {
			page, err := r.others(ctx, tx, under.ID, after)
			if err != nil || len(page) == 0 {
				return err
			}
			for _, e := range page {
				renewed, err := r.renewEntry(ctx, tx, under, e)
				if err != nil {
					return err
				}
				if renewed {
					n++
				}
			}
			after = page[len(page)-1].Hash
		}
	})
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if n > 0 {
		if _, err := r.db.ExecContext(ctx, r.clean); err != nil {
			return n, fmt.Errorf("%w: the entries are sealed, and what they were may be in unused parts of the file: %w",
				ErrUnavailable, err)
		}
	}
	return n, nil
}

// others returns some entries that are not sealed under a key, by hash.
func (r *Register) others(ctx context.Context, tx *sql.Tx, id, after string) (page []exported, err error) {
	query := r.query(`SELECT hash, kind, entry FROM person_entry WHERE hash > $1 AND entry NOT LIKE $2 ORDER BY hash LIMIT $3`)
	rows, err := tx.QueryContext(ctx, query, after, sealedHead+id+":%", renewPage)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var e exported
		if err := rows.Scan(&e.Hash, &e.Kind, &e.Entry); err != nil {
			return nil, err
		}
		page = append(page, e)
	}
	return page, rows.Err()
}

// renewEntry seals one entry anew. An entry that somebody has changed, or whose key is not at hand, stays.
func (r *Register) renewEntry(ctx context.Context, tx *sql.Tx, under *sealer, e exported) (bool, error) {
	entry, err := r.opened(e.Kind, e.Hash, e.Entry)
	if errors.Is(err, ErrNoKey) || errors.Is(err, ErrChanged) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = tx.ExecContext(ctx, r.query(`UPDATE person_entry SET entry = $1 WHERE hash = $2`),
		under.seal(e.Kind, e.Hash, entry), e.Hash)
	return err == nil, err
}

// Standing returns how the entries are sealed. It opens none of them.
func (r *Register) Standing(ctx context.Context) (Standing, error) {
	var s Standing
	counts := map[string]int{}
	err := r.each(ctx, func(e exported) error {
		s.Entries++
		if id, _, sealed := sealedUnder(e.Entry); sealed {
			counts[id]++
		} else {
			s.Plain++
		}
		return nil
	})
	if err != nil {
		return s, err
	}
	names, err := keysOf(ctx, r.db)
	if err != nil {
		return s, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	for i, name := range names {
		at, _ := r.keys.find(name.ID) // A file that cannot be read is not at hand.
		s.Under = append(s.Under, UnderKey{name, counts[name.ID], i == 0, at != nil})
		delete(counts, name.ID)
	}
	for id, n := range counts {
		at, _ := r.keys.find(id)
		s.Under = append(s.Under, UnderKey{KeyName{ID: id}, n, false, at != nil})
	}
	return s, nil
}
