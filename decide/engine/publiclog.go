package engine

import (
	"errors"
	"slices"
	"strings"

	"drawhouse/decide/command"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// LogKey is the key of a public log.
type LogKey struct {
	Signer   journal.Signer
	Verifier string
}

// ErrEndedHere means that a log is to follow another end of the one before than the journal has, and that no journal
// was restored since.
var ErrEndedHere = errors.New("engine: the journal was not restored, and its public log ends where it ends")

// ErrDayOpen means that a Keno Day is under way: a public log begins between two days.
var ErrDayOpen = errors.New("engine: a Keno Day is open, and a public log begins between two days")

// BeginLog begins the public log, or the log that follows the one of which the key is lost. The log begins between two
// days, and with what a reader of the log must know: what draws each series, what custodians have committed to for days
// to come, and who cosigns. Ended is where the log before it ended, if followers have entries that a journal which was
// restored has not; nil for where it ends here.
func (e *Engine) BeginLog(now record.Time, key LogKey, ended *journal.Checkpoint) error {
	for series := range e.state.AllSeries() {
		if series.DayOpen {
			return ErrDayOpen
		}
	}
	if e.house == nil || key.Signer == nil {
		return command.ErrNoKey
	}
	body := e.public.Beginning(e.standing())
	number, _ := e.public.Stands()
	if ended != nil {
		if !e.restored() {
			return ErrEndedHere
		}
		body.Before = ended
	}
	body.Origin, body.Key = journal.LogOrigin(e.state.Volume().House, number+1), key.Verifier
	note, err := journal.SignLog(body, key.Signer, e.house)
	if err != nil {
		return err
	}
	bodies := []record.Body{&record.LogBegun{Note: note}}
	for series := range e.state.AllSeries() {
		if chosen := series.Chosen(); chosen.Device != "" {
			bodies = append(bodies, &chosen)
		}
		for _, b := range series.Beacons() {
			bodies = append(bodies, &b)
		}
		for _, c := range series.Commitments() {
			if text, _, _ := strings.Cut(string(c.Note), "\n\n"); c.Day > series.Day {
				if known, err := draw.ParseCommitment(text + "\n"); err == nil && known.Singly {
					bodies = append(bodies, &record.LinksCommitted{Series: c.Series, Day: c.Day, Custodian: c.Custodian, Note: c.Note})
				}
			}
		}
	}
	if w := e.state.Witnesses(); len(w) > 0 {
		bodies = append(bodies, &record.WitnessesNamed{Witnesses: w, Logs: e.state.LogWitnesses()})
	}
	for _, body := range bodies {
		if _, err := e.append(now, body, nil); err != nil {
			return err
		}
	}
	return nil
}

// restored reports whether a volume has begun behind a journal that was restored.
func (e *Engine) restored() bool {
	volumes := append(e.state.EarlierVolumes(), e.state.Volume())
	return slices.ContainsFunc(volumes, func(v record.VolumeBegun) bool { return v.Reason == record.ReasonRestore })
}

// WitnessLog records who has cosigned the public log. That the signatures hold is for the caller.
func (e *Engine) WitnessLog(now record.Time, checkpoint []byte, by []string) error {
	_, err := e.append(now, &record.LogWitnessed{Checkpoint: checkpoint, By: by}, nil)
	return err
}
