package entries

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"drawhouse/books"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/game"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
)

// Day is a closed day of the house.
type Day struct {
	Series uint8   // that closed the house
	Day    day.Day // the Keno Day with which it did
	// Booked is the day on which the firm books it: the Keno Day, or that of an earlier close if it was later. Another
	// series can close the house with a Keno Day that is already over for the series before it.
	Booked day.Day
	Closed record.Place // the record that closed the day
	Hash   record.Hash  // of the book
}

// Number returns the number of the day's entry.
func (d Day) Number() string { return fmt.Sprintf("%d/%v", d.Series, d.Day) }

// Journal is the closed days of a house.
type Journal struct {
	House    string
	Currency string // of every amount, such as AUD
	Days     []Day  // in the order in which they were closed
	stored   store.Reader
	venues   map[uint32]named
}

// named is a name that books have from a day on.
type named struct {
	name string
	from int // index of the day
}

// ErrBroken reports a book that is not there, not the one that was closed, or that does not go on where the day before
// it ended.
var ErrBroken = errors.New("the books of the house are damaged")

// Open reads the closed days of the house whose journal is stored.
func Open(ctx context.Context, stored store.Reader) (*Journal, error) {
	j := &Journal{stored: stored, venues: map[uint32]named{}}
	if err := j.readHouse(ctx); err != nil {
		return nil, err
	}
	at, book, err := j.newest(ctx)
	if err != nil || book == nil {
		return j, err
	}
	for {
		number := len(j.Days)
		j.Days = append(j.Days, at)
		for _, v := range book.Venues {
			if v.Name != "" {
				j.venues[v.Venue] = named{v.Name, number}
			}
		}
		before, earlier, err := j.before(ctx, book)
		if err != nil {
			return nil, err
		}
		if err := follows(at, book, earlier); err != nil {
			return nil, err
		}
		if earlier == nil {
			break
		}
		at, book = before, earlier
	}
	slices.Reverse(j.Days)
	for venue, v := range j.venues {
		v.from = len(j.Days) - 1 - v.from
		j.venues[venue] = v
	}
	for i := range j.Days {
		j.Days[i].Booked = j.Days[i].Day
		if i > 0 {
			j.Days[i].Booked = max(j.Days[i].Day, j.Days[i-1].Booked)
		}
	}
	return j, nil
}

// venue returns the name of a venue as the books have it up to a day; empty if they do not have it yet.
func (j *Journal) venue(id uint32, upTo int) string {
	if v, ok := j.venues[id]; ok && v.from <= upTo {
		return v.name
	}
	return ""
}

// errFound ends a reading of records early.
var errFound = errors.New("found")

// readHouse reads the name of the house and the currency of the rulebook of its first series.
func (j *Journal) readHouse(ctx context.Context) error {
	heads, err := j.stored.Volumes(ctx)
	if err != nil || len(heads) == 0 {
		return err
	}
	adopted := map[record.Hash][]byte{}
	err = j.stored.Records(ctx, heads[0].Volume, 0, heads[0].Size, func(_ uint64, data []byte) error {
		switch kind, _ := record.KindOf(data); kind {
		case record.KindVolumeBegun, record.KindRulebookAdopted, record.KindSeriesBegun:
		default:
			return nil
		}
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		switch b := r.Body.(type) {
		case *record.VolumeBegun:
			j.House = b.House
		case *record.RulebookAdopted:
			adopted[b.Hash] = b.Book
		case *record.SeriesBegun:
			book, err := rulebook.FromCanonical(adopted[b.Rulebook])
			if err != nil {
				return err
			}
			j.Currency = book.Currency()
			return errFound
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return fmt.Errorf("entries: %w", err)
	}
	return nil
}

// chunk is how many records are looked through at once for the newest close.
const chunk = 4096

// newest returns the last closed day of the house, or no book if none was closed.
func (j *Journal) newest(ctx context.Context) (Day, *books.Book, error) {
	heads, err := j.stored.Volumes(ctx)
	if err != nil {
		return Day{}, nil, err
	}
	for _, head := range slices.Backward(heads) {
		for end := head.Size; end > 0; {
			from := end - min(end, chunk)
			var closes []uint64
			err := j.stored.Records(ctx, head.Volume, from, end, func(seq uint64, data []byte) error {
				if kind, _ := record.KindOf(data); kind == record.KindDayClosed {
					closes = append(closes, seq)
				}
				return nil
			})
			if err != nil {
				return Day{}, nil, err
			}
			for _, seq := range slices.Backward(closes) {
				d, book, err := j.closedBy(ctx, record.Place{Volume: head.Volume, Seq: seq})
				if err != nil || book.Closes() {
					return d, book, err
				}
			}
			end = from
		}
	}
	return Day{}, nil, nil
}

// before returns the day before the one of a book, or no book if it is the first.
func (j *Journal) before(ctx context.Context, book *books.Book) (Day, *books.Book, error) {
	start := book.House
	if start == (record.Place{}) {
		start = book.First // of the first form, which has no place of the house
	}
	if start == (record.Place{Volume: store.FirstVolume}) {
		return Day{}, nil, nil
	}
	if !start.Before(book.End) {
		return Day{}, nil, fmt.Errorf("%w: the book up to %v begins at %v", ErrBroken, book.End, start)
	}
	d, earlier, err := j.closedBy(ctx, start)
	if err == nil && !earlier.Closes() {
		err = fmt.Errorf("%w: record %v closed no day of the house, and another day begins there", ErrBroken, start)
	}
	return d, earlier, err
}

// closedBy returns the day that a record closed, with its book.
func (j *Journal) closedBy(ctx context.Context, at record.Place) (Day, *books.Book, error) {
	data, err := j.stored.Record(ctx, at)
	if err != nil {
		return Day{}, nil, err
	}
	r, err := record.Decode(data)
	if err != nil {
		return Day{}, nil, err
	}
	closed, ok := r.Body.(*record.DayClosed)
	if !ok {
		return Day{}, nil, fmt.Errorf("%w: record %v is no close of a day", ErrBroken, at)
	}
	d := Day{Series: closed.Series, Day: closed.Day, Closed: at, Hash: closed.Books}
	book, err := j.book(ctx, d)
	return d, book, err
}

// book returns the book of a day, which must be the one that its record names.
func (j *Journal) book(ctx context.Context, d Day) (*books.Book, error) {
	data, err := j.stored.Object(ctx, game.BookName(d.Series, d.Day))
	if err != nil {
		return nil, fmt.Errorf("entries: the book of %s: %w", d.Number(), err)
	}
	if sha256.Sum256(data) != d.Hash {
		return nil, fmt.Errorf("%w: the book of %s is not the one that record %v names", ErrBroken, d.Number(), d.Closed)
	}
	book, err := books.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("entries: the book of %s: %w", d.Number(), err)
	}
	if book.Series != d.Series || book.Day != d.Day || book.End != d.Closed {
		return nil, fmt.Errorf("%w: the book of %s is that of series %d, %v, up to %v", ErrBroken, d.Number(), book.Series,
			book.Day, book.End)
	}
	return book, nil
}

// balance names a balance of the house over all series.
type balance struct {
	account ledger.Account
	unit    uint32
}

// follows holds the opening balances of a day against the closing balances of the day before it, which may be none.
func follows(d Day, book, before *books.Book) error {
	left := map[balance]money.Amount{}
	for i := range book.Accounts {
		l := &book.Accounts[i]
		left[balance{l.Account, l.Unit}] += l.Opening
	}
	if before != nil {
		for i := range before.Accounts {
			l := &before.Accounts[i]
			left[balance{l.Account, l.Unit}] -= l.Closing()
		}
	}
	for b, cents := range left {
		if cents != 0 {
			return fmt.Errorf("%w: %v %s opens on %s with %v too much", ErrBroken, b.account, b.account.UnitName(b.unit),
				d.Number(), cents)
		}
	}
	return nil
}
