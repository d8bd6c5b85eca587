package record

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/core/item"
	"drawhouse/core/ledger"
)

// envelope is the outer array of every record.
type envelope struct {
	_        struct{} `cbor:",toarray"`
	Kind     Kind
	Version  uint8
	Time     Time
	Postings []ledger.Posting
	Body     cbor.RawMessage
}

var (
	encMode = must(encOptions().EncMode())
	decMode = must(cbor.DecOptions{
		DupMapKey:        cbor.DupMapKeyEnforcedAPF,
		IndefLength:      cbor.IndefLengthForbidden,
		TagsMd:           cbor.TagsForbidden,
		MaxArrayElements: MaxItems,
		MaxMapPairs:      1 << 10,
		MaxNestedLevels:  16,
	}.DecMode())
)

func encOptions() cbor.EncOptions {
	options := cbor.CoreDetEncOptions()
	// A nil and an empty slice are one fact, so they need one form.
	options.NilContainers = cbor.NilContainerAsEmpty
	return options
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// ErrForm reports bytes that are not the one form of a record.
var ErrForm = errors.New("record: bytes are not the canonical form of a record")

// ErrNewer reports a record of a kind or form that came into being after this program.
var ErrNewer = errors.New("a newer program wrote this; use that one, or one that is newer still")

// ErrUnreleased reports a record of a kind that is known, with fewer fields than it ever had in a release.
var ErrUnreleased = errors.New("a program from before the first release wrote this, or it is damaged; open the journal with the program that wrote it, or restore a backup")

// WrittenBy adds to an error of another program's record which program the journal named last as the one that writes;
// "" for none. Other errors stay as they are.
func WrittenBy(err error, build string) error {
	if build == "" || !errors.Is(err, ErrNewer) && !errors.Is(err, ErrUnreleased) {
		return err
	}
	return fmt.Errorf("%w (the journal names %s before this record)", err, build)
}

// Encode returns the bytes that the journal keeps. It refuses a record that
// does not check or has a value beyond its bound.
func Encode(r Record) ([]byte, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if err := r.CheckBounds(); err != nil {
		return nil, fmt.Errorf("record: %v: %w", r.Kind(), err)
	}
	return marshal(r)
}

// soldBytes is room for a ticket of a bet or two.
const soldBytes = 256

// marshal encodes a record.
func marshal(r Record) ([]byte, error) {
	if sold, ok := r.Body.(*TicketSold); ok {
		if data, ok := appendSold(make([]byte, 0, soldBytes), r.Time, r.Postings, sold); ok && len(data) <= MaxBytes {
			return data, nil
		}
	}
	return marshalAny(r)
}

// marshalAny encodes a record of any kind.
func marshalAny(r Record) ([]byte, error) {
	body, err := encMode.Marshal(r.Body)
	if err != nil {
		return nil, fmt.Errorf("record: encode %v: %w", r.Kind(), err)
	}
	body = trimLater(body, r.Body)
	kind := r.Kind()
	data, err := encMode.Marshal(envelope{Kind: kind, Version: rowOf[kind].version, Time: r.Time, Postings: r.Postings,
		Body: body})
	if err != nil {
		return nil, fmt.Errorf("record: encode %v: %w", kind, err)
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("record: %v of %d bytes is over the limit of %d", kind, len(data), MaxBytes)
	}
	return data, nil
}

// Decode reads the bytes of one record. It refuses kinds, versions and fields that this program does not know, with
// ErrNewer, and bytes that Encode would not have written.
func Decode(data []byte) (Record, error) {
	if len(data) > MaxBytes {
		return Record{}, fmt.Errorf("record: %d bytes are over the limit of %d", len(data), MaxBytes)
	}
	if r, ok := readSold(data); ok {
		if err := r.Check(); err != nil {
			return Record{}, err
		}
		return r, nil
	}
	return decodeAny(data)
}

// decodeAny reads a record of any kind.
func decodeAny(data []byte) (Record, error) {
	var e envelope
	if err := decMode.Unmarshal(data, &e); err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrForm, err)
	}
	row := rowOf[e.Kind]
	if row == nil || e.Version > row.version {
		return Record{}, fmt.Errorf("record: version %d of %v is not known here: %w", e.Version, e.Kind, ErrNewer)
	}
	if e.Version < row.version {
		return Record{}, fmt.Errorf("%w: %v has no version %d", ErrForm, e.Kind, e.Version)
	}
	body := row.empty()
	has, known := fieldsIn(e.Body), fieldsOf(body)
	if has > known {
		return Record{}, fmt.Errorf("record: %v has %d fields, of which %d are known here: %w", e.Kind, has, known, ErrNewer)
	}
	if first := known - len(laters()[e.Kind]); has > 0 && has < first {
		return Record{}, fmt.Errorf("%w: %v has %d fields and not %d: %w", ErrForm, e.Kind, has, first, ErrUnreleased)
	}
	if err := decMode.Unmarshal(padLater(e.Body, body), body); err != nil {
		return Record{}, fmt.Errorf("%w: %v: %w", ErrForm, e.Kind, err)
	}
	r := Record{Time: e.Time, Postings: e.Postings, Body: body}
	if err := r.Check(); err != nil {
		return Record{}, err
	}
	again, err := marshalAny(r)
	if err != nil {
		return Record{}, err
	}
	if !bytes.Equal(again, data) {
		return Record{}, fmt.Errorf("%w: %v", ErrForm, e.Kind)
	}
	return r, nil
}

// KindOf reads the kind of a record without decoding the rest, for readers that
// pass over most records: it is the first element of the outer array. It reports
// false where there is none in its shortest form.
func KindOf(data []byte) (Kind, bool) {
	s := item.Reader{Rest: data}
	s.Array(envelopeFields)
	kind := s.Uint(math.MaxUint8)
	return Kind(kind), !s.Bad
}
