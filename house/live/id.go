package live

import (
	"cmp"
	"fmt"

	"drawhouse/journal/record"
)

// ID names an event: it is the place of the record that the event was made from.
// The zero ID stands before every event.
type ID record.Place

// String returns the id, such as 1:20417.
func (id ID) String() string { return record.Place(id).String() }

// Compare orders ids as their records stand in the journal.
func (id ID) Compare(other ID) int {
	return cmp.Or(cmp.Compare(id.Volume, other.Volume), cmp.Compare(id.Seq, other.Seq))
}

// ParseID reads an id as String writes it and refuses every other spelling.
func ParseID(text string) (ID, error) {
	place, err := record.ParsePlace(text)
	if err != nil {
		return ID{}, fmt.Errorf("live: %q is not the id of an event, such as 1:20417", text)
	}
	return ID(place), nil
}

// MarshalText returns the id as String does.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads an id as ParseID does.
func (id *ID) UnmarshalText(text []byte) error {
	parsed, err := ParseID(string(text))
	if err != nil {
		return err
	}
	*id = parsed
	return nil
}
