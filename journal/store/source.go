package store

import (
	"context"

	"drawhouse/journal/record"
)

// Contents is what there is in a store at one moment.
type Contents struct {
	Volumes []Head   // as of Reader.Volumes
	Objects []string // the names, ascending
}

// Source is a store that can be copied as a whole. Every driver's store is one.
type Source interface {
	Reader

	// Contents returns how far the volumes go together with the objects that their
	// records pin, neither more nor fewer, also beside a writer.
	Contents(ctx context.Context) (Contents, error)

	// Abouts returns what the records of a volume from the sequence number from to
	// before to are about, by their sequence numbers. Records that are about no
	// other have no entry.
	Abouts(ctx context.Context, volume uint16, from, to uint64) (map[uint64]record.Place, error)
}

// entriesPage is how many records' abouts Entries asks for at a time.
const entriesPage = 8192

// Entries is Records with what each record is about, as a copy needs it.
func Entries(ctx context.Context, s Source, volume uint16, from, to uint64, fn func(seq uint64, e Entry) error) error {
	for from < to {
		end := min(to, from+entriesPage)
		abouts, err := s.Abouts(ctx, volume, from, end)
		if err != nil {
			return err
		}
		err = s.Records(ctx, volume, from, end, func(seq uint64, data []byte) error {
			return fn(seq, Entry{Data: data, About: abouts[seq]})
		})
		if err != nil {
			return err
		}
		from = end
	}
	return nil
}

// Sized is a store that knows how much it takes on its medium. Every driver's is one.
type Sized interface {
	// Bytes returns what the journal takes, its indexes and logs included.
	Bytes(ctx context.Context) (int64, error)
}
