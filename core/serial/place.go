package serial

import (
	"errors"
	"fmt"
)

const (
	// MaxVolume is the greatest volume that has serials. Volumes count from 1.
	MaxVolume = 999

	// MaxSeq is the greatest sequence number that has a serial.
	MaxSeq = volumeSpan - 1

	volumeSpan  = 1_000_000_000_000
	serialCount = (MaxVolume + 1) * volumeSpan
)

// The errors of reading a serial, each wrapped with the particulars.
var (
	// ErrLength: the text has not the length of any serial.
	ErrLength = errors.New("wrong length")
	// ErrCharacter: a character is not of the serial's alphabet.
	ErrCharacter = errors.New("wrong character")
	// ErrCheck: the check digit does not fit; the serial was misread.
	ErrCheck = errors.New("the check digit does not fit")
	// ErrVolume: the serial is of a volume whose key is not known.
	ErrVolume = errors.New("unknown volume")
	// ErrForged: the authentication code of a successor serial is wrong.
	ErrForged = errors.New("not a serial of this house")
)

// A Place is where a ticket's record stands in the journal. It is its name for
// ever. The zero Place is none.
type Place struct {
	Volume uint16
	Seq    uint64
}

// String returns the place, such as 3/1048576.
func (p Place) String() string { return fmt.Sprintf("%d/%d", p.Volume, p.Seq) }

// Check reports whether a serial can be made of the place.
func (p Place) Check() error {
	if p.Volume < 1 || p.Volume > MaxVolume {
		return fmt.Errorf("serial: volume %d is not in 1 to %d: %w", p.Volume, MaxVolume, ErrVolume)
	}
	if p.Seq > MaxSeq {
		return fmt.Errorf("serial: sequence number %d of volume %d is greater than %d", p.Seq, p.Volume, uint64(MaxSeq))
	}
	return nil
}
