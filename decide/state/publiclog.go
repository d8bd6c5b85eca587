package state

import (
	"slices"

	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

// publicLog is the public log of the house.
type publicLog struct {
	origin, key string
	// entries is how many entries the log has: as many as records have brought since it began.
	entries uint64
	// witnessed is how many entries the newest checkpoint has that the journal names as cosigned, and note that
	// checkpoint with the cosignatures.
	witnessed uint64
	note      []byte
}

// PublicLog returns origin and verifier key of the public log; both are empty while there is none.
func (s *State) PublicLog() (origin, key string) { return s.log.origin, s.log.key }

// LogWitnessed returns how many entries of the public log are known to be cosigned, and the checkpoint of the
// log with the cosignatures. The caller must not change the checkpoint.
func (s *State) LogWitnessed() (entries uint64, checkpoint []byte) {
	return s.log.witnessed, s.log.note
}

// beginLog takes in that the public log begins, which happens between two days. Package public holds the beginning
// against the past.
func (s *State) beginLog(b *record.LogBegun) error {
	body, err := b.Body()
	if err != nil {
		return cannot("the public log begins: %v", err)
	}
	for series := range s.AllSeries() {
		if series.DayOpen {
			return cannot("%s begins while Keno Day %v of series %d is open", body.Origin, series.Day, series.ID)
		}
	}
	if body.Origin == s.log.origin || body.Key == s.log.key {
		return cannot("%s begins twice", body.Origin)
	}
	s.log = publicLog{origin: body.Origin, key: body.Key}
	return nil
}

// witnessLog takes in that witnesses have cosigned the public log. That the signatures hold is for the decision.
func (s *State) witnessLog(b *record.LogWitnessed) error {
	checkpoint, err := journal.UnverifiedCheckpoint(b.Checkpoint)
	if err != nil {
		return cannot("the public log is witnessed: %v", err)
	}
	if checkpoint.Origin != s.log.origin || checkpoint.Size <= s.log.witnessed {
		return cannot("%s is witnessed with %d entries, and %s was with %d", checkpoint.Origin, checkpoint.Size, s.log.origin,
			s.log.witnessed)
	}
	for _, name := range b.By {
		if !slices.ContainsFunc(s.witnesses, func(w record.Witness) bool { return w.Name == name }) {
			return cannot("the public log is cosigned by %s, a witness that is not named", name)
		}
	}
	s.log.witnessed, s.log.note = checkpoint.Size, b.Checkpoint
	for series := range s.AllSeries() {
		for _, game := range series.Unsettled() {
			if game.LogSize == 0 || game.LogSize > checkpoint.Size || game.Quorate {
				continue
			}
			lacks := func(c record.Custodian) bool { return !slices.Contains(b.By, c.Name) }
			switch {
			case game.Round > 0:
				if game.Quorate = s.inTime(series, game, b.Checkpoint, b.By); game.Quorate {
					game.InTime = b.Checkpoint
				}
			case len(game.Custodians) > 0:
				game.Quorate = !slices.ContainsFunc(game.Custodians, lacks)
			}
		}
	}
	return nil
}

// publish counts the entry of the public log that a record brings.
func (s *State) publish(r record.Record) {
	if s.log.origin != "" && public.Brings(r.Kind()) {
		s.log.entries++
	}
}
