package api

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// TestDrawEvidence shows how the numbers of a game came about, and nothing before the
// device has signed them.
func TestDrawEvidence(t *testing.T) {
	r := newRig(t)
	r.openDay()
	wantFault(t, r.send(http.MethodGet, "/v1/games/2026-11-15/0/draw", ""), http.StatusConflict, "not_drawn", "game")
	wantFault(t, r.send(http.MethodGet, "/v1/games/2026-11-15/9/draw", ""), http.StatusNotFound, "game_unknown", "game")
	game := r.play()
	var shown DrawEvidence
	r.send(http.MethodGet, "/v1/games/2026-11-15/0/draw", "").into(t, &shown)
	if shown.Device != "rng" || shown.Draw != 1 || len(shown.Custodians) != 0 ||
		!slices.Equal(shown.Numbers, numbersOf(game)) ||
		!strings.Contains(shown.Seal, "drawhouse/seal/v1") || !strings.Contains(shown.DrawNote, "drawhouse/draw/v1") {
		t.Errorf("%+v", shown)
	}
}

// TestArchive takes the archive, unpacks it and has the export in it verified; a record
// that cannot be read breaks it off, and what was sent cannot be opened then.
func TestArchive(t *testing.T) {
	r := newRig(t)
	inspector := r.signOn(r.member(record.RoleInspector))
	r.openDay()
	r.sell(oneSpot)
	r.play()
	answer := r.as(inspector, http.MethodGet, "/v1/journal/archive", "")
	archive, err := zip.NewReader(bytes.NewReader(answer.body), int64(len(answer.body)))
	must(t, err)
	dir := t.TempDir()
	must(t, os.CopyFS(dir, archive))
	copied, err := export.OpenDir(dir + "/" + archiveFolder)
	must(t, err)
	defer func() { _ = copied.Close() }()
	board := r.house.Hub().Board().House
	report := verify.Run(copied, verify.Options{HouseKey: board.HouseKey, DeviceKey: board.DeviceKey})
	if !report.OK() || report.Tickets != 1 || report.Settled != 1 {
		t.Errorf("%+v", report)
	}
	said, err := os.ReadFile(dir + "/VERIFY.txt")
	must(t, err)
	if !strings.Contains(string(said), "drawhouse verify inspection --house-key '"+board.HouseKey+"'") {
		t.Errorf("the archive says %s", said)
	}

	from, err := r.house.Journal()
	must(t, err)
	head, about, err := newestVolume(t.Context(), from)
	must(t, err)
	var broken bytes.Buffer
	failure := errors.New("the disk is gone")
	if err := writeArchive(t.Context(), export.NewZip(&broken, archiveFolder), unreadable{from, failure}, head,
		about); !errors.Is(err, failure) {
		t.Errorf("an archive without its objects: %v", err)
	}
	if _, err := zip.NewReader(bytes.NewReader(broken.Bytes()), int64(broken.Len())); err == nil {
		t.Error("an archive that was broken off can be opened")
	}
}

// unreadable is a journal whose objects cannot be read.
type unreadable struct {
	store.Source
	err error
}

// Object implements store.Source.
func (u unreadable) Object(context.Context, string) ([]byte, error) { return nil, u.err }
