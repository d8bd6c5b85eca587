// Package person keeps who people are, outside the journal: names, how to reach
// them, and the entries of their passwords; and of customers who claimants, payees and
// holders of player cards are, with the papers of claims.
//
// The journal knows a person by a number and commits to what is here with hashes
// over random salts (record.PersonAdded, record.PasswordSet, record.ClaimLodged,
// record.ClaimNoted, record.CardRegistered, record.Settlement). So an entry can be
// erased by law and the journal still verifies; anybody who holds the journal alone can
// guess neither names nor passwords; and an entry that somebody has changed in the
// database is not taken, because it is not the one that the journal names.
//
// Entries are written before the record that names them: a house that is killed in
// between has an entry that nothing names, and goes on as before. There are two
// registers, SQLite in a file of its own and PostgreSQL, under one set of tests
// (TestRegister). TestForgotten looks for an erased name in the bytes of the file.
package person

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"drawhouse/journal/record"
)

// Details are who a person is.
type Details struct {
	Name    string `json:"name"`
	Contact string `json:"contact,omitempty"`
	Salt    []byte `json:"salt"`
}

const (
	saltBytes = 16
	// maxText bounds a name and a contact.
	maxText = 200
)

// NewDetails returns details with a salt of their own. A contact may be empty.
func NewDetails(name, contact string, entropy io.Reader) (Details, error) {
	d := Details{Name: record.CleanName(name), Contact: record.CleanName(contact)}
	if err := record.CheckName(d.Name); err != nil {
		return Details{}, &Unfit{"name", err.Error()}
	}
	if d.Contact != "" {
		if err := record.CheckName(d.Contact); err != nil {
			return Details{}, &Unfit{"contact", strings.Replace(err.Error(), "A name", "A contact", 1)}
		}
	}
	var err error
	d.Salt, err = newSalt(entropy)
	return d, err
}

func tooLong() string { return fmt.Sprintf("It has at most %d characters.", maxText) }

func fits(text string) bool { return utf8.ValidString(text) && utf8.RuneCountInString(text) <= maxText }

// Hash returns what the journal says of the details.
func (d Details) Hash() record.Hash { return hashOf("details", encode(d)) }

// hashOf returns the hash of an entry. The salt is within it.
func hashOf(kind string, entry []byte) record.Hash {
	h := sha256.New()
	h.Write(fmt.Appendf(nil, "drawhouse/person/%s/v1\n", kind))
	h.Write(entry)
	return record.Hash(h.Sum(nil))
}
