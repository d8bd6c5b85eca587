package house

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"drawhouse/check/proof"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// TestStory tells the whole story of every ticket of half an hour, checks it with
// nothing but the house's key, and then changes it: no change is believed.
func TestStory(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run(func(until time.Time) error {
		if until.Sub(start) > 30*time.Minute {
			return errEnough
		}
		b.sell(1+int(b.number%3), 1+int(b.number%4))
		return nil
	})
	if b.payAll() == 0 {
		t.Fatal("nothing was paid")
	}
	key := b.house.config.Keys.HouseVerifier
	var whole []byte
	won := 0
	for _, sold := range b.sold {
		file, err := b.house.Story(t.Context(), sold.Place)
		must(t, err)
		story, report := proof.CheckStory(file, key)
		if !report.OK() {
			t.Fatalf("ticket %v: %s", sold.Place, report.Detail)
		}
		if report := strings.Join(report.Proved, "\n"); strings.Contains(report, "the device drew") &&
			strings.Contains(report, "it has won $") && len(story.Games) > 1 && strings.Contains(report, "way 1: ") {
			whole = file
			won++
		}
	}
	if won == 0 {
		t.Fatal("no ticket won in one of several games")
	}
	story, report := proof.CheckStory(whole, key)
	var page bytes.Buffer
	must(t, proof.WritePage(&page, story, report))
	if text := page.String(); !strings.Contains(text, story.Serial) || !strings.Contains(text, "Way 1: ") ||
		!strings.Contains(text, "game settled") {
		t.Errorf("the page is\n%s", text)
	}
	if _, report := proof.CheckStory(whole, b.house.config.Keys.DeviceVerifier); report.OK() {
		t.Error("it holds under another key")
	}
	lies := 0
	for at := 0; at < len(whole); at += 1 + len(whole)/400 {
		changed := bytes.Clone(whole)
		changed[at] ^= 1
		if _, report := proof.CheckStory(changed, key); report.OK() && !sameJSON(whole, changed) {
			t.Errorf("byte %d was changed, and the story holds", at)
		}
		lies++
	}
	t.Logf("%d tickets, %d of them have won and are told whole; %d changes", len(b.sold), won, lies)
}

// checkStory checks the story of a ticket with the key that the house had when it was sold, and no
// other that this one leads to.
func (b *bench) checkStory(place record.Place) {
	b.t.Helper()
	file, err := b.house.Story(b.t.Context(), place)
	must(b.t, err)
	var keys []string // of the ticket's volume, and those for which the one before did not sign
	volumes := b.house.history.volumesIn(place.Volume, math.MaxUint16)
	for i, v := range volumes {
		if i > 0 {
			if _, err := journal.OpenVolume(v.Handover, volumes[i-1].HouseKey); err == nil {
				continue
			}
		}
		keys = append(keys, v.HouseKey)
	}
	if _, report := proof.CheckStory(file, keys...); !report.OK() {
		b.t.Errorf("the story of %v: %s", place, report.Detail)
	}
}

// sameJSON reports whether two files say the same to a reader of JSON: spaces and how
// letters are written do not matter outside of what is signed.
func sameJSON(a, b []byte) bool {
	var x, y map[string]any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	p, errP := json.Marshal(x)
	q, errQ := json.Marshal(y)
	return errP == nil && errQ == nil && bytes.Equal(p, q)
}

// TestStoryLies has the house sign stories that are not true: each is found out by the
// records in it.
func TestStoryLies(t *testing.T) {
	b := newBench(t)
	b.run(func(until time.Time) error {
		if until.Sub(start) > 20*time.Minute {
			return errEnough
		}
		b.sell(1, 1)
		return nil
	})
	if b.payAll() == 0 {
		t.Fatal("nothing was paid")
	}
	keys := b.house.config.Keys
	var file []byte
	for _, sold := range b.sold {
		found, err := b.house.Story(t.Context(), sold.Place)
		must(t, err)
		if story, _ := proof.CheckStory(found, keys.HouseVerifier); story.Games[0].PaidCents > 0 {
			file = found
			break
		}
	}
	for name, lie := range map[string]func(*proof.Story){
		"a higher prize":       func(s *proof.Story) { s.Games[0].PrizeCents++ },
		"a payment more":       func(s *proof.Story) { s.Games[0].PaidCents++ },
		"a record left out":    func(s *proof.Story) { s.Entries = s.Entries[:len(s.Entries)-1] },
		"another ticket":       func(s *proof.Story) { s.Place = b.sold[1].Place.String() },
		"another winners file": func(s *proof.Story) { s.Games[0].Winners[0] = "" },
		"no sale":              func(s *proof.Story) { s.Place = record.Place{Volume: 1}.String() },
		"records in disorder":  func(s *proof.Story) { s.Entries[1], s.Entries[2] = s.Entries[2], s.Entries[1] },
		"another place":        func(s *proof.Story) { s.Entries[2].Place = "1:1" },
		"another checkpoint":   func(s *proof.Story) { s.Checkpoint = strings.Replace(s.Checkpoint, "\n", "\n1", 1) },
		"another game's seal":  func(s *proof.Story) { s.Games[0].Number++ },
	} {
		var f struct{ Story proof.Story }
		must(t, json.Unmarshal(file, &f))
		lie(&f.Story)
		signed, err := f.Story.Sign(keys.House)
		must(t, err)
		if _, report := proof.CheckStory(signed, keys.HouseVerifier); report.OK() {
			t.Errorf("%s is believed", name)
		}
	}
}
