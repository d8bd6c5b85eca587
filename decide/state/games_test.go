package state

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/journal/record"
)

// TestGamesPack packs games in which every field has a value, alone and together, and gets all of them back.
func TestGamesPack(t *testing.T) {
	var list games
	var want []Game
	add := func(g Game) {
		g.Ordinal = uint32(len(want) + 1)
		if !g.Phase.IsOver() {
			g.Phase = PhaseSettled
		}
		want = append(want, g)
		list.fresh = append(list.fresh, g)
	}
	var whole Game
	fill(t, reflect.ValueOf(&whole).Elem())
	fields := reflect.TypeFor[Game]().NumField()
	for i := range fields {
		if f := reflect.ValueOf(whole).Field(i); f.IsZero() {
			t.Fatalf("%s was not filled", reflect.TypeFor[Game]().Field(i).Name)
		}
		var one Game
		reflect.ValueOf(&one).Elem().Field(i).Set(reflect.ValueOf(whole).Field(i))
		add(one)
	}
	add(whole)
	add(Game{Phase: PhaseOpen})
	compare := func() {
		t.Helper()
		if list.len() != len(want) {
			t.Fatalf("%d games of %d", list.len(), len(want))
		}
		for i := range want {
			ordinal := uint32(i + 1)
			if got := list.at(ordinal); !reflect.DeepEqual(*got, want[i]) {
				t.Fatalf("game %d is %+v, and was %+v", ordinal, *got, want[i])
			}
			if got, ok := list.brief(ordinal); !ok || got != want[i].brief() {
				t.Fatalf("game %d is %+v in brief", ordinal, got)
			}
		}
		if list.at(0) != nil || list.at(uint32(len(want)+1)) != nil {
			t.Fatal("there is a game too many")
		}
	}
	compare()
	for keep := fields; keep > 0; keep-- {
		list.pack(keep)
		if list.old.Len() != len(want)-keep {
			t.Fatalf("%d games are packed of %d, and %d stay", list.old.Len(), len(want), keep)
		}
		compare()
	}
	// A change of an old game is none for those who have had it.
	before := list.old
	for i := range want {
		want[i].PlayedWith += 7
		want[i].Cosigners = append(slices.Clone(want[i].Cosigners), "late")
		err := list.change(uint32(i+1), func(g *Game) error {
			g.PlayedWith, g.Cosigners = want[i].PlayedWith, want[i].Cosigners
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	compare()
	if got := before.Game(uint32(fields + 1)); !reflect.DeepEqual(got.Cosigners, whole.Cosigners) {
		t.Errorf("old games have changed: %v", got.Cosigners)
	}
}

// fill gives every field a value that is not zero, and every list two items.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	var n uint64
	var walk func(reflect.Value)
	walk = func(v reflect.Value) {
		n++
		if v.Type() == reflect.TypeFor[ball.Sequence]() {
			v.Set(reflect.ValueOf(sequence(t, 1+int(n%80), 80-int(n%7), 3)))
			return
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).Name != "_" {
					walk(v.Field(i))
				}
			}
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			walk(v.Index(0))
			walk(v.Index(1))
		case reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.String:
			v.SetString("text " + string(rune('a'+n%26)))
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			v.SetUint(1 + n%200)
		case reflect.Int32, reflect.Int64:
			v.SetInt(int64(n) - 7)
		default:
			t.Fatalf("a %v", v.Type())
		}
	}
	walk(v)
}

func BenchmarkOldGame(b *testing.B) {
	var list games
	dice := rand.New(rand.NewPCG(1, 2))
	for ordinal := range uint32(100) {
		list.fresh = append(list.fresh, settledGame(b, dice, ordinal+1))
	}
	list.pack(1)
	b.ReportAllocs()
	for b.Loop() {
		if g := list.old.Game(50); g.Ref == (record.Game{}) {
			b.Fatal("no game")
		}
	}
}

// TestConfirmedRepeat confirms results that repeat the one before and one that lies far back.
func TestConfirmedRepeat(t *testing.T) {
	ref := func(n uint16) record.Game { return record.Game{Series: 1, Day: 20_000, Number: n} }
	for back, known := range map[uint16]bool{1: true, 2: true, 3: true, 7: false} {
		s := sample(t)
		series := s.series[1]
		series.games = games{}
		for n := range uint16(4) {
			g := Game{Ref: ref(10 + n), Ordinal: uint32(n) + 1, Phase: PhaseSettled, Draw: 1}
			if n == 3 {
				g.Phase = PhaseSealed
			}
			series.games.fresh = append(series.games.fresh, g)
		}
		series.games.pack(2)
		err := s.confirmResult(&record.ResultConfirmed{Game: ref(13), Draw: 1, Repeats: ref(13 - back)})
		if (err == nil) != known {
			t.Errorf("a result that repeats the game %d before it: %v", back, err)
		}
	}
}
