package api

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// DrawEvidence is what shows how the numbers of a game came about, for anybody who wants to
// work them out again.
type DrawEvidence struct {
	GameName
	Device     string              `json:"device" enum:"rng,witnessed,cage"`
	Draw       uint8               `json:"draw" doc:"Which draw of the game counts, from 1."`
	Seal       string              `json:"seal" doc:"The seal, a signed note."`
	DrawNote   string              `json:"draw_note" doc:"The device's signed statement of the numbers."`
	Numbers    []int               `json:"numbers" doc:"That count, in the order drawn. The device signed these too, unless the result was corrected."`
	Corrected  *Corrected          `json:"corrected,omitempty" doc:"Of a game whose result was corrected: the device signed the numbers as they were entered."`
	Custodians []CustodianEvidence `json:"custodians" doc:"Of a witnessed draw, in the order of their names."`
	Beacon     *BeaconEvidence     `json:"beacon,omitempty" doc:"Of a draw of which a round of a public beacon is part."`
	DrawnBy    *Program            `json:"drawn_by,omitempty" doc:"The program that recorded the draw, where the journal names it."`
	SettledBy  *Program            `json:"settled_by,omitempty" doc:"The program that settled the game last, where the journal names it."`
}

// Program is a build of this software.
type Program struct {
	Build  string `json:"build" doc:"Its version."`
	Binary string `json:"binary" doc:"SHA-256 of its file, 64 hexadecimal digits."`
}

// programAt returns the program that wrote the record at a place, if the journal names it.
func (s *server) programAt(place record.Place) *Program {
	b, ok := s.house.BuildAt(place)
	if !ok || place.Volume == 0 {
		return nil
	}
	return &Program{Build: b.Build, Binary: hex.EncodeToString(b.Binary[:])}
}

// CustodianEvidence is what a custodian gave for a draw.
type CustodianEvidence struct {
	Name       string   `json:"name"`
	Key        string   `json:"key" doc:"Verifier key of its commitments, by the house's word."`
	Commitment string   `json:"commitment" doc:"Signed by the custodian before the Keno Day: the root over its links, or the tip of a chain."`
	Link       string   `json:"link" doc:"The link of this draw, in base64. Its path leads to the root; a link of a chain, hashed down, gives the tip."`
	Path       []string `json:"path,omitempty" doc:"Hashes from the link to the root, in base64. A link of a chain has none."`
	Rebuilt    bool     `json:"rebuilt,omitempty" doc:"The link was rebuilt from shares."`
}

// BeaconEvidence is the round of a public beacon that is part of a draw.
type BeaconEvidence struct {
	Chain     string `json:"chain" doc:"Hash of the chain, 64 hexadecimal digits. The public log has its key."`
	Round     uint64 `json:"round" doc:"Number of the round, which the opening of the game states."`
	Signature string `json:"signature" doc:"Of the round, 96 hexadecimal digits."`
}

func beaconOf(g house.Game) *BeaconEvidence {
	if g.Round == 0 {
		return nil
	}
	return &BeaconEvidence{Chain: hex.EncodeToString(g.Chain[:]), Round: g.Round,
		Signature: hex.EncodeToString(g.Signature)}
}

// inspectionRoutes registers what is taken away and checked elsewhere.
func (s *server) inspectionRoutes(j Journals) {
	get(s, route{
		line: true, name: "get-draw", path: "/v1/games/{day}/{number}/draw",
		says: "What shows how the numbers of a game came about: of a witnessed draw the commitments and links",
		tag:  "games", refuses: "game_unknown not_drawn",
	}, s.getDraw)
	s.serve(route{
		name: "get-archive", path: "/v1/journal/archive", tag: "journal", who: inspectors,
		says:  "Everything that verification elsewhere needs, as one archive",
		gives: map[string]*huma.MediaType{"application/zip": {}},
		tells: "A ZIP file: the export of the journal, the keys, the newest checkpoint that witnesses cosigned, and how to verify it.",
	}, func(w http.ResponseWriter, r *http.Request) error { return s.getArchive(w, r, j) })
}

// getDraw shows nothing before the device has signed all numbers: until then they are
// released by the show alone.
func (s *server) getDraw(r *http.Request) (*DrawEvidence, error) {
	ctx := r.Context()
	g, err := s.gameAt(r)
	if err != nil {
		return nil, err
	}
	if g.DrawnPlace.Volume == 0 {
		return nil, &refusal.Refusal{Code: counter.NotDrawn, Path: "game",
			Sentence: "The game is not drawn, or its draw does not count."}
	}
	seal, err := s.house.Seal(ctx, g)
	if err != nil {
		return nil, err
	}
	note, err := s.house.DrawNote(ctx, g)
	if err != nil {
		return nil, err
	}
	view := &DrawEvidence{
		GameName: nameOf(g), Device: string(g.Device), Draw: g.Draw, Seal: string(seal.Signed()),
		DrawNote: string(note),
		Numbers:  numbersOf(g), Corrected: correctedOf(g), Custodians: s.custodiansOf(g), Beacon: beaconOf(g),
		DrawnBy: s.programAt(g.DrawnPlace), SettledBy: s.programAt(g.SettledPlace),
	}
	return view, nil
}

func (s *server) custodiansOf(g house.Game) []CustodianEvidence {
	list := []CustodianEvidence{}
	for _, c := range s.house.Commitments(g) {
		one := CustodianEvidence{Name: c.Custodian, Commitment: string(c.Note)}
		for _, custodian := range g.Custodians {
			if custodian.Name == c.Custodian {
				one.Key = custodian.Key
			}
		}
		for i, link := range g.Links {
			if link.Custodian != c.Custodian {
				continue
			}
			one.Link, one.Rebuilt = base64.StdEncoding.EncodeToString(link.Link[:]), link.By != 0
			if i < len(g.Paths) {
				for _, h := range g.Paths[i] {
					one.Path = append(one.Path, base64.StdEncoding.EncodeToString(h[:]))
				}
			}
		}
		list = append(list, one)
	}
	return list
}

// archiveFolder is the folder of the export in an archive.
const archiveFolder = "inspection"

// getArchive writes the archive as it reads the journal. Once something was sent, an
// error can only be shown by breaking off: such an archive cannot be opened.
func (s *server) getArchive(w http.ResponseWriter, r *http.Request, j Journals) error {
	from, err := j.Journal()
	if err != nil {
		return err
	}
	head, about, err := newestVolume(r.Context(), from)
	if err != nil {
		return err
	}
	if err := unhurried(w); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q",
		fmt.Sprintf("%s-volume-%d-%d.zip", about.House, head.Volume, head.Size)))
	if err := writeArchive(r.Context(), export.NewZip(w, archiveFolder), from, head, about); err != nil {
		s.log.Error("an archive was broken off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// unhurried lets an answer take as long as the journal is long: the server would cut it
// off when the time that others have is over, although what was asked for goes on.
func unhurried(w http.ResponseWriter) error {
	if err := http.NewResponseController(w).SetWriteDeadline(time.Time{}); err != nil &&
		!errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// newestVolume returns how far the journal goes and whose it is.
func newestVolume(ctx context.Context, from store.Source) (store.Head, verify.House, error) {
	head, err := from.Head(ctx)
	if err != nil {
		return store.Head{}, verify.House{}, err
	}
	data, err := from.Record(ctx, record.Place{Volume: head.Volume})
	if err != nil {
		return store.Head{}, verify.House{}, err
	}
	r, err := record.Decode(data)
	if err != nil {
		return store.Head{}, verify.House{}, err
	}
	begun, ok := r.Body.(*record.VolumeBegun)
	if !ok {
		return store.Head{}, verify.House{}, fmt.Errorf("api: volume %d begins with a record of %v", head.Volume,
			r.Kind())
	}
	return head, verify.House{House: begun.House, Volume: begun.Volume, HouseKey: begun.HouseKey,
		DeviceKey: begun.DeviceKey}, nil
}

func writeArchive(ctx context.Context, to *export.Zip, from store.Source, head store.Head, about verify.House) error {
	seen := &witnessing{Source: from}
	if err := export.Write(ctx, to, about, head.Checkpoint, seen); err != nil {
		return err
	}
	if len(seen.cosigned) > 0 {
		if err := to.Add("witnessed.checkpoint", seen.cosigned); err != nil {
			return err
		}
	}
	if err := to.Add("KEYS.txt", []byte(keysText(about, seen.witnesses))); err != nil {
		return err
	}
	if err := to.Add("VERIFY.txt", []byte(verifyText(about, head, seen))); err != nil {
		return err
	}
	return to.Close()
}

// witnessing reads a journal and keeps what it says of witnesses last.
type witnessing struct {
	store.Source
	witnesses []record.Witness
	cosigned  []byte // the newest checkpoint that they signed
}

// Records implements export.Reader.
func (s *witnessing) Records(ctx context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	return s.Source.Records(ctx, volume, from, to, func(seq uint64, data []byte) error {
		if kind, ok := record.KindOf(data); ok &&
			(kind == record.KindWitnessesNamed || kind == record.KindJournalWitnessed) {
			r, err := record.Decode(data)
			if err != nil {
				return err
			}
			switch b := r.Body.(type) {
			case *record.WitnessesNamed:
				s.witnesses = b.Witnesses
			case *record.JournalWitnessed:
				s.cosigned = b.Checkpoint
			}
		}
		return fn(seq, data)
	})
}

func keysText(about verify.House, witnesses []record.Witness) string {
	var b strings.Builder
	b.WriteString("The public keys as the house states them. Compare each with what you noted on the\nfirst day, or with what its owner publishes: a signature shows who signed only to\nsomebody who knows the key already.\n\n")
	fmt.Fprintf(&b, "house    %s\ndevice   %s\n", about.HouseKey, about.DeviceKey)
	for _, w := range witnesses {
		fmt.Fprintf(&b, "witness  %s\n", w.Key)
	}
	return b.String()
}

// verifyText has the command that verifies the export, as it is typed.
func verifyText(about verify.House, head store.Head, seen *witnessing) string {
	command := fmt.Sprintf("drawhouse verify %s --house-key '%s' --device-key '%s'", archiveFolder, about.HouseKey,
		about.DeviceKey)
	if len(seen.cosigned) > 0 {
		command += " --checkpoint witnessed.checkpoint"
	}
	return fmt.Sprintf(`The journal of %s up to record %d:%d, and the volumes before it.

Unpack this archive on a machine of your own, with a drawhouse that you built from
source which you trust, and type in its folder:

    %s

In place of the keys put those that you noted; add --checkpoint FILE for every checkpoint
that you kept. Status 0 and "Everything holds." mean that all of the report was found so.
`, about.House, head.Volume, head.Size-1, command)
}
