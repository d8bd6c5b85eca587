package state

import "drawhouse/journal/record"

// Build is a program that has written the journal.
type Build struct {
	record.BuildNamed
	From record.Place // of the record that names it
}

// Builds returns the programs that have written the journal and said so, oldest first. The caller must not
// change them.
func (s *State) Builds() []Build { return s.builds }

// Build returns the name of the program that writes, or "" before one has named itself.
func (s *State) Build() string {
	if len(s.builds) == 0 {
		return ""
	}
	return s.builds[len(s.builds)-1].Build
}

// BuildAt returns the program of a list that wrote the record at a place, if one had said so by then.
func BuildAt(builds []Build, place record.Place) (found Build, ok bool) {
	for _, b := range builds {
		if place.Before(b.From) {
			break
		}
		found, ok = b, true
	}
	return found, ok
}

func (s *State) nameBuild(b *record.BuildNamed) error {
	if n := len(s.builds); n > 0 && s.builds[n-1].BuildNamed == *b {
		return cannot("build %s is named twice", b.Build)
	}
	s.builds = append(s.builds, Build{BuildNamed: *b, From: s.next})
	s.noted.whole(allDevices)
	return nil
}
