package engine

import (
	"errors"

	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Founding is what a new house begins with.
type Founding struct {
	House     string
	Build     string
	HouseKey  string // verifier of checkpoints and seals
	DeviceKey string // verifier of draws
	SerialKey record.Hash
	Book      *rulebook.Book
	Text      []byte  // file of the operator that Book was read from; none for a rulebook of the program
	Reference string  // of the approval of such a file outside the house
	Bases     []Basis // of Book, if that is an edition: each is an edition of the one before
	Series    string  // name of the series of games, as in seals
	Schedule  string
	Venues    []record.VenueAdded
	Terminals []record.TerminalAdded
	// People are records of who works there and with which keys (package staff).
	People []record.Body
}

// Basis is a rulebook that another one is an edition of, with the file of the operator that it was read from. A
// rulebook of the program has no file.
type Basis struct {
	Book *rulebook.Book
	Text []byte
}

// BasisOf returns a rulebook of the program as what an edition is of; nil is none.
func BasisOf(book *rulebook.Book) []Basis {
	if book == nil {
		return nil
	}
	return []Basis{{Book: book}}
}

// adopted returns the record that brings a rulebook in; an operator's own has the reference of its approval.
func (f *Founding) adopted(b Basis) *record.RulebookAdopted {
	adopted := &record.RulebookAdopted{ID: b.Book.ID(), Hash: record.Hash(b.Book.Hash()), Book: b.Book.Canonical(),
		Text: b.Text}
	if b.Book == f.Book || len(b.Text) > 0 {
		adopted.Reference = f.Reference
	}
	return adopted
}

// Found writes the first records of a house.
func (e *Engine) Found(now record.Time, f Founding) error {
	if e.Size() != 0 {
		return errors.New("engine: the house exists")
	}
	for _, v := range f.Venues {
		if err := staff.CheckVenue(v.Kind, v.Name); err != nil {
			return err
		}
	}
	if err := game.Playable(f.Book); err != nil {
		return err
	}
	bodies := []record.Body{
		&record.VolumeBegun{
			House: f.House, Volume: 1, Level: record.Level, Build: f.Build, Reason: record.ReasonFound,
			HouseKey: f.HouseKey, DeviceKey: f.DeviceKey, SerialKey: f.SerialKey,
		},
	}
	for _, basis := range f.Bases {
		bodies = append(bodies, f.adopted(basis))
	}
	bodies = append(bodies, f.adopted(Basis{f.Book, f.Text}),
		&record.SeriesBegun{Series: state.FirstSeries, Name: f.Series, Rulebook: record.Hash(f.Book.Hash()),
			Schedule: f.Schedule})
	for i := range f.Venues {
		bodies = append(bodies, &f.Venues[i])
	}
	for i := range f.Terminals {
		bodies = append(bodies, &f.Terminals[i])
	}
	for _, body := range append(bodies, f.People...) {
		if _, err := e.append(now, body, nil); err != nil {
			return err
		}
	}
	return e.openPools(now, state.FirstSeries)
}

// openPools begins the jackpots of a series.
func (e *Engine) openPools(now record.Time, series uint8) error {
	opened, postings, err := game.OpenPools(e.state, series)
	if err != nil {
		return err
	}
	for i := range opened {
		if _, err := e.append(now, &opened[i], postings[i]); err != nil {
			return err
		}
	}
	return nil
}
