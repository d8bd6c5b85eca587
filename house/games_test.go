package house

import (
	"math"
	"reflect"
	"testing"

	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// TestGamePlaces writes the places of games and reads them back: everything but the note of the checkpoint,
// which is in the store.
func TestGamePlaces(t *testing.T) {
	place := func(volume uint16, seq uint64) record.Place { return record.Place{Volume: volume, Seq: seq} }
	for _, want := range []Game{
		{},
		{
			Game: state.Game{Ordinal: 7}, DrawnPlace: place(2, 1), SettledAt: 1_800_000_000_000,
			records: []record.Place{place(1, 500), place(1, 501), place(2, 0)},
			custody: gameCustody{
				opened: place(1, 90), shown: []record.Place{place(1, 91)}, witnessed: place(3, 1<<40),
				cosignedAt: place(2, math.MaxUint64),
			},
		},
	} {
		with := want
		with.custody.cosigned = []byte("a note")
		got := Game{Game: want.Game}
		if placesOf(&with).read(&got); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v is read as %+v", want, got)
		}
	}
	if fields := reflect.TypeFor[Game]().NumField() + reflect.TypeFor[gameCustody]().NumField(); fields != 10 {
		t.Errorf("a game and what custodians ask of it have %d fields: placesOf must have all of them", fields)
	}
}
