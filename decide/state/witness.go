package state

import (
	"maps"
	"slices"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// Witnesses returns who cosigns. The caller must not change it.
func (s *State) Witnesses() []record.Witness { return s.witnesses }

// LogWitnesses returns the names of those who must cosign the public log before a game of keno is drawn, beside the
// witnesses that are required for all. The caller must not change them.
func (s *State) LogWitnesses() []string { return s.logs }

// nameWitnesses takes in who cosigns from now on. What somebody has agreed to counts
// for the same key alone.
func (s *State) nameWitnesses(b *record.WitnessesNamed) {
	named := b.Witnesses
	agreed := maps.Clone(s.agreed)
	maps.DeleteFunc(agreed, func(name string, _ record.Place) bool {
		same := func(w record.Witness) bool { return w.Name == name }
		was, is := slices.IndexFunc(s.witnesses, same), slices.IndexFunc(named, same)
		return was < 0 || is < 0 || s.witnesses[was].Key != named[is].Key
	})
	s.witnesses, s.logs, s.agreed = named, b.Logs, agreed
	s.noted.whole(allWitnesses)
}

// witnessJournal takes in how far witnesses have agreed. That the signatures hold is
// for anybody who asked for them.
func (s *State) witnessJournal(b *record.JournalWitnessed) error {
	checkpoint, err := journal.UnverifiedCheckpoint(b.Checkpoint)
	if err != nil {
		return cannot("a journal is witnessed: %v", err)
	}
	return s.agree(checkpoint, b.By)
}

// agree takes in that witnesses have cosigned a checkpoint.
func (s *State) agree(checkpoint journal.Checkpoint, by []string) error {
	_, volume, err := journal.ParseOrigin(checkpoint.Origin)
	behind := record.Place{Volume: volume, Seq: checkpoint.Size}
	if err != nil || s.next.Before(behind) {
		return cannot("%s is witnessed with %d records, and the journal ends at %v", checkpoint.Origin, checkpoint.Size,
			s.next)
	}
	s.noted.whole(allWitnesses)
	for _, name := range by {
		if !slices.ContainsFunc(s.witnesses, func(w record.Witness) bool { return w.Name == name }) {
			return cannot("the journal is cosigned by %s, who is not named", name)
		}
		if s.agreed == nil {
			s.agreed = map[string]record.Place{}
		}
		if s.agreed[name].Before(behind) {
			s.agreed[name] = behind
		}
	}
	return nil
}

// Unagreed returns a witness without whose agreement nothing is paid that was settled
// at a place, and who has not agreed to it yet.
func (s *State) Unagreed(settled record.Place) (record.Witness, bool) {
	return witnesses{s.witnesses, s.agreed}.unagreed(settled)
}

// witnesses are who cosigns, and how far each has agreed.
type witnesses struct {
	named  []record.Witness
	agreed map[string]record.Place
}

// witnessing returns a copy that later records do not change.
func (s *State) witnessing() witnesses { return witnesses{s.witnesses, maps.Clone(s.agreed)} }

func (w witnesses) unagreed(settled record.Place) (record.Witness, bool) {
	for _, witness := range w.named {
		if witness.Required && !settled.Before(w.agreed[witness.Name]) {
			return witness, true
		}
	}
	return record.Witness{}, false
}

// Result returns the place of the newest record that settled a game or ended it
// without a result; the zero place before there is one.
func (s *State) Result() record.Place { return s.result }

// AgreedBy returns behind which record a witness has agreed to everything.
func (s *State) AgreedBy(name string) record.Place { return s.agreed[name] }

// KeyOf returns of whom of the house, its public log, its draw device and those who cosign a verifier key is, be it for
// other signatures; "" if of none of them.
func (s *State) KeyOf(vkey string) string {
	if journal.SameKey(vkey, s.log.key) {
		return "the public log"
	}
	for _, v := range append(slices.Clone(s.earlier), s.volume) {
		switch {
		case journal.SameKey(vkey, v.HouseKey):
			return "the house"
		case journal.SameKey(vkey, v.DeviceKey):
			return "the draw device"
		}
	}
	for _, w := range s.witnesses {
		if journal.SameKey(vkey, w.Key) {
			return "the cosignatures of " + w.Name
		}
	}
	return ""
}
