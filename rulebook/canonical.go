package rulebook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/fxamacker/cbor/v2"
)

// Hash identifies a rulebook by its content: every value and every clause, and
// nothing of the comments or the order of keys.
type Hash [sha256.Size]byte

// String returns the hash in hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash reads the form of [Hash.String].
func ParseHash(s string) (Hash, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(Hash{}) {
		return Hash{}, fmt.Errorf("rulebook: %q is not a hash of 64 hexadecimal digits", s)
	}
	return Hash(b), nil
}

// ErrCanonical reports bytes that are not the canonical form of any rulebook.
var ErrCanonical = errors.New("rulebook: not the canonical form of a rulebook")

// canonicalMode writes deterministic CBOR (RFC 8949, section 4.2.1): equal books
// are equal bytes on every machine.
var canonicalMode = mustMode(canonicalOptions().EncMode())

func canonicalOptions() cbor.EncOptions {
	options := cbor.CoreDetEncOptions()
	options.TagsMd = cbor.TagsForbidden
	options.TextMarshaler = cbor.TextMarshalerTextString
	return options
}

// readingMode reads it back and takes nothing that the schema does not know.
var readingMode = mustMode(cbor.DecOptions{
	DupMapKey:         cbor.DupMapKeyEnforcedAPF,
	IndefLength:       cbor.IndefLengthForbidden,
	TagsMd:            cbor.TagsForbidden,
	ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
	TextUnmarshaler:   cbor.TextUnmarshalerTextString,
	MaxNestedLevels:   maxDepth,
	FieldNameMatching: cbor.FieldNameMatchingCaseSensitive,
}.DecMode())

func mustMode[M any](mode M, err error) M {
	if err != nil {
		panic(err)
	}
	return mode
}

// canonical returns the bytes of a resolved file.
func canonical(f *File) []byte {
	b, err := canonicalMode.Marshal(f)
	if err != nil {
		panic("rulebook: a file that was decoded cannot be encoded: " + err.Error())
	}
	return b
}

// FromCanonical reads the bytes of [Book.Canonical], as a journal holds them. The
// book is encoded anew and compared, so that one book has one form; what differs
// is refused. A book is validated here too: settlement trusts a compiled book.
//
// A house and anybody who checks it read the same bytes many times. A book never changes, so
// what was read before is returned again.
func FromCanonical(b []byte) (*Book, error) {
	if len(b) > maxBytes {
		return nil, fmt.Errorf("%w: %d bytes are more than %d", ErrCanonical, len(b), maxBytes)
	}
	hash := Hash(sha256.Sum256(b))
	if book := known.get(hash); book != nil {
		return book, nil
	}
	book, err := readCanonical(b)
	if err == nil {
		known.put(hash, book)
	}
	return book, err
}

// known are books that were read from their canonical form.
var known shelf

// shelf keeps books by the hash of their form. Its zero value is empty.
type shelf struct {
	mu    sync.Mutex // guards books
	books map[Hash]*Book
}

// shelfMost bounds a shelf: somebody may hand us one made-up book after the other.
const shelfMost = 32

func (s *shelf) get(hash Hash) *Book {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.books[hash]
}

func (s *shelf) put(hash Hash, book *Book) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.books == nil {
		s.books = map[Hash]*Book{}
	}
	if len(s.books) >= shelfMost {
		clear(s.books)
	}
	s.books[hash] = book
}

func readCanonical(b []byte) (*Book, error) {
	var f File
	if err := readingMode.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCanonical, err)
	}
	r := newReport("canonical form of " + strconv.Quote(f.Rulebook))
	r.cite(&f)
	if !bytes.Equal(canonical(&f), b) {
		return nil, fmt.Errorf("%w: it reads as a book whose form is another", ErrCanonical)
	}
	return newBook(&f, r)
}
