package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/check/witness"
	"drawhouse/check/witness/replay"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// The codes of reading the journal.
const (
	// WitnessUnknown: the question is signed by nobody who is a witness of the house, or
	// not for this house, question and time.
	WitnessUnknown refusal.Code = "witness_unknown"
	// NotStored: there is no such record or object.
	NotStored refusal.Code = "not_stored"
)

// Journals is a house whose journal can be read as a whole.
type Journals interface {
	Name() string
	Journal() (store.Source, error)
	// WitnessKey returns the verifier of the notes of a witness, by its name.
	WitnessKey(name string) (journal.Verifier, bool)
	WitnessAlarms() []house.WitnessAlarm
	Alarms() []house.Alarm
	Witnesses() []house.WitnessSigns
	// LogKey returns the verifier key of the public log; "" while there is none.
	LogKey() string
	// Story returns everything that the journal has of a ticket, as one signed file.
	Story(ctx context.Context, place record.Place) ([]byte, error)
}

// witnessesOr is the row of operations of witnesses, who sign their questions, and of persons
// with a role.
func witnessesOr(list ...record.Role) command.Who {
	return command.Who{Witnesses: true, Roles: list}
}

// journalRoutes registers what witnesses and inspectors read.
func (s *server) journalRoutes(j Journals) {
	binary := map[string]*huma.MediaType{"application/octet-stream": {}}
	read := func(rt route, serve func(http.ResponseWriter, *http.Request, store.Source) error) {
		rt.tag, rt.who = "journal", witnessesOr(record.RoleInspector)
		s.serve(rt, func(w http.ResponseWriter, r *http.Request) error {
			from, err := j.Journal()
			if err != nil {
				return err
			}
			return journalFault(serve(w, r, from))
		})
	}
	read(route{
		name: "get-journal", path: replay.HeadPath, says: "How far the journal goes",
		out: replay.Contents{}, tells: "The volumes and their ends.",
	}, func(w http.ResponseWriter, r *http.Request, from store.Source) error {
		return replay.ServeHead(w, r, from)
	})
	read(route{
		name: "get-journal-contents", path: replay.ContentPath,
		says: "How far the journal goes, and the names of its objects",
		out:  replay.Contents{}, tells: "The volumes and the objects.",
	}, replay.ServeContents)
	read(route{
		name: "read-journal", path: replay.RecordsPath,
		says: "Records of a volume, each behind its length, from one sequence number to before another",
		query: []*huma.Param{
			needed("from", huma.TypeInteger, "Sequence number of the first record."),
			needed("to", huma.TypeInteger, "Sequence number behind the last record."),
		},
		refuses: string(NotStored), gives: binary, tells: "Records, as many as an answer takes.",
	}, func(w http.ResponseWriter, r *http.Request, from store.Source) error {
		return replay.ServeRecords(w, r, from)
	})
	read(route{
		name: "read-object", path: replay.ObjectPath, says: "An object beside the journal, such as a winners file",
		query:   []*huma.Param{needed("name", huma.TypeString, "Name of the object.")},
		refuses: string(NotStored), gives: binary, tells: "The object.",
	}, func(w http.ResponseWriter, r *http.Request, from store.Source) error {
		return replay.ServeObject(w, r, from)
	})
	s.serve(route{
		name: "get-story", path: "/v1/tickets/{serial}/story", tag: "tickets", who: inspectors,
		says:    "The whole story of a ticket as one signed file, which drawhouse verify story checks and shows",
		refuses: "no_house_key other_system serial_unreadable ticket_lost ticket_unknown",
		gives:   map[string]*huma.MediaType{"application/json": {}}, tells: "The story.",
	}, func(w http.ResponseWriter, r *http.Request) error {
		place, err := s.house.Find(r.PathValue("serial"))
		if err != nil {
			return err
		}
		file, err := j.Story(r.Context(), place)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, err = w.Write(file)
		return err
	})
	s.serve(route{
		name: "list-witnesses", path: "/v1/witnesses", tag: "journal", who: everybody,
		says: "Who outside the house cosigns its journal, and who does not agree",
		out:  Witnesses{}, tells: "The witnesses.",
	}, func(w http.ResponseWriter, r *http.Request) error {
		s.writeJSON(w, r, http.StatusOK, viewWitnesses(j))
		return nil
	})
	s.serve(route{
		name: "list-alarms", path: "/v1/alarms", tag: "journal", who: offices,
		says: "Which parts of the house need a person, and which witnesses do not sign",
		out:  Alarms{}, tells: "The alarms.",
	}, func(w http.ResponseWriter, r *http.Request) error {
		s.writeJSON(w, r, http.StatusOK, s.viewAlarms(j.WitnessAlarms(), j.Alarms()))
		return nil
	})
}

// journalFault gives the errors of reading their codes.
func journalFault(err error) error {
	var bad *replay.BadRequest
	switch {
	case errors.As(err, &bad):
		return &refusal.Refusal{Code: ParameterValue, Path: bad.Field,
			Sentence: fmt.Sprintf("The parameter cannot be %s.", printable(bad.Reason))}
	case errors.Is(err, store.ErrNotFound):
		return &refusal.Refusal{Code: NotStored, Sentence: "There is no such record or object."}
	}
	return err
}

// checkWitness checks who has signed a question.
func (s *server) checkWitness(header string, r *http.Request) error {
	unknown := &refusal.Refusal{Code: WitnessUnknown,
		Sentence: "The question is not signed by a witness of this house, for this question and time."}
	verifier, ok := s.house.WitnessKey(witness.AskedBy(header))
	if !ok {
		return unknown
	}
	if err := witness.CheckAsk(header, verifier, s.house.Name(), r.URL.RequestURI(), s.now().Unix()); err != nil {
		s.log.Warn("a witness's question is refused", "error", err)
		return unknown
	}
	return nil
}

// Witnesses are those outside the house who cosign its journal.
type Witnesses struct {
	Witnesses []Witness `json:"witnesses"`
	LogKey    string    `json:"log_key,omitempty" doc:"The house's word for the verifier key of its public log."`
}

// Witness is one of them, as the public may know: the particulars of a difference are
// for those who run the house and for inspectors (list-alarms).
type Witness struct {
	Name     string `json:"name"`
	Key      string `json:"key" doc:"The house's word for the verifier key of its cosignatures."`
	Required bool   `json:"required" doc:"Nothing is drawn and no new prize is paid without it."`
	State    string `json:"state" enum:"agrees,away,disagrees" doc:"What came of asking it last."`
	Record   string `json:"record,omitempty" doc:"Where it disagrees, the first record that does not hold for it."`
}

func viewWitnesses(j Journals) Witnesses {
	view := Witnesses{Witnesses: []Witness{}, LogKey: j.LogKey()}
	alarms := map[string]house.WitnessAlarm{}
	for _, a := range j.WitnessAlarms() {
		alarms[a.Witness] = a
	}
	for _, w := range j.Witnesses() {
		one := Witness{Name: w.Name, Key: w.Key, Required: w.Required, State: "agrees"}
		if alarm, ok := alarms[w.Name]; ok {
			one.State = "away"
			if alarm.Difference != nil {
				one.State, one.Record = "disagrees", alarm.Difference.Record
			}
		}
		view.Witnesses = append(view.Witnesses, one)
	}
	return view
}

// Alarms are the witnesses that do not sign.
type Alarms struct {
	Alarms []Alarm     `json:"alarms"`
	Parts  []PartAlarm `json:"parts" doc:"All parts of the house that need a person, witnesses included."`
}

// PartAlarm says that a part of the house needs a person. The rest goes on.
type PartAlarm struct {
	Part     string    `json:"part" doc:"Such as series 1, room 2, device, witness, storage, snapshots, readers, follower or interface."`
	Since    time.Time `json:"since"`
	Sentence string    `json:"sentence"`
	Remedy   string    `json:"remedy" doc:"What a person does about it."`
	Count    uint64    `json:"count" doc:"How often it was raised since it stands."`
}

// Alarm says that a witness does not sign, and why.
type Alarm struct {
	Witness    string              `json:"witness"`
	Required   bool                `json:"required" doc:"Nothing is drawn and no new prize is paid meanwhile."`
	Since      time.Time           `json:"since"`
	Reason     string              `json:"reason"`
	Difference *witness.Difference `json:"difference,omitempty" doc:"Where house and witness differ first."`
}

func (s *server) viewAlarms(list []house.WitnessAlarm, parts []house.Alarm) Alarms {
	view := Alarms{Alarms: []Alarm{}, Parts: []PartAlarm{}}
	for _, a := range parts {
		view.Parts = append(view.Parts,
			PartAlarm{Part: string(a.Part), Since: a.Since.In(s.zone), Sentence: a.Sentence, Remedy: a.Remedy,
				Count: a.Count})
	}
	for _, a := range list {
		view.Alarms = append(view.Alarms,
			Alarm{Witness: a.Witness, Required: a.Required, Since: a.Since.In(s.zone), Reason: a.Reason,
				Difference: a.Difference})
	}
	return view
}
