package snapshot

import (
	"bytes"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"pgregory.net/rapid"
)

// sample has a field of every kind that a snapshot may have.
type sample struct {
	flag   bool
	text   string
	a      int8
	b      int16
	c      int32
	d      int64
	e      int
	f      uint8
	g      uint16
	h      uint32
	i      uint64
	hash   [4]byte
	wide   [3]uint32
	raw    []byte
	column []uint16
	signed []int64
	texts  []string
	inner  inner
	list   []inner
	mapped map[string]inner
	keyed  map[key]*inner
	to     *inner
	again  *inner
	next   *sample
	at     time.Time
	zone   *time.Location
	empty  struct{}

	mu   sync.Mutex
	kept func() `snapshot:"-"`
}

type inner struct {
	n    int32
	name string
}

type key struct {
	n uint8
	s string
}

func formOf[T any](t testing.TB) *Form[T] {
	t.Helper()
	form, err := For[T]()
	if err != nil {
		t.Fatal(err)
	}
	return form
}

func written[T any](t testing.TB, form *Form[T], v *T) []byte {
	t.Helper()
	b, err := form.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// full returns a sample in which nothing is zero.
func full() *sample {
	shared := &inner{-7, "shared"}
	return &sample{
		flag: true, text: "t\xff", a: -1, b: -300, c: -70000, d: -1 << 40, e: -1 << 50, f: 200, g: 60000, h: 1 << 31,
		i:    1 << 63,
		hash: [4]byte{1, 2, 3, 4}, wide: [3]uint32{1, 2, 1 << 31}, raw: []byte("raw"), column: []uint16{1, 65535},
		signed: []int64{-1, 1 << 62}, texts: []string{"", "x"},
		inner: inner{1, "i"}, list: []inner{{2, "a"}, {3, "b"}},
		mapped: map[string]inner{"b": {4, ""}, "a": {5, ""}, "cc": {6, ""}},
		keyed:  map[key]*inner{{1, "x"}: shared, {2, ""}: {8, "own"}}, to: shared, again: shared,
		next: &sample{text: "next", zone: time.UTC},
		at:   time.Unix(1_700_000_000, 123).In(time.FixedZone("", 36000)), zone: time.FixedZone("", -3600),
	}
}

// TestReadsWhatItWrote reads a sample back and finds it the same, by its bytes and by
// what its pointers share.
func TestReadsWhatItWrote(t *testing.T) {
	form := formOf[sample](t)
	v := full()
	data := written(t, form, v)
	kept := 0
	got := sample{kept: func() { kept++ }}
	if err := form.Read(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.kept(); kept != 1 {
		t.Error("a field that is left out was not left alone")
	}
	if got.to != got.again || got.keyed[key{1, "x"}] != got.to {
		t.Error("pointers to one value point to several")
	}
	if !bytes.Equal(written(t, form, &got), data) {
		t.Error("other bytes the second time")
	}
	if !got.at.Equal(v.at) || got.at.String() != v.at.String() || got.next.zone != time.UTC {
		t.Errorf("times %v and %v", got.at, v.at)
	}
	got.kept, got.at, got.zone, v.at, v.zone = nil, time.Time{}, nil, time.Time{}, nil
	if !reflect.DeepEqual(&got, v) {
		t.Errorf("got  %+v\nwant %+v", &got, v)
	}
}

// TestEveryField changes every field that is in a snapshot, one after the other, and
// expects other bytes.
func TestEveryField(t *testing.T) {
	form := formOf[sample](t)
	before := written(t, form, full())
	typ := reflect.TypeFor[sample]()
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Name == "empty" || f.Name == "mu" || f.Name == "kept" {
			continue
		}
		v := full()
		at := reflect.NewAt(f.Type, unsafe.Add(unsafe.Pointer(v), f.Offset)).Elem()
		if at.IsZero() {
			t.Fatalf("%s is zero in a sample that is full", f.Name)
		}
		at.SetZero()
		if bytes.Equal(written(t, form, v), before) {
			t.Errorf("%s is not in the snapshot", f.Name)
		}
	}
}

// TestNothingIsNotEmpty keeps nil and empty apart, and zero pointers from pointers to zero.
func TestNothingIsNotEmpty(t *testing.T) {
	type nothing struct {
		list []inner
		raw  []byte
		m    map[int]bool
		p    *inner
	}
	form := formOf[nothing](t)
	for _, v := range []nothing{{}, {list: []inner{}, raw: []byte{}, m: map[int]bool{}, p: &inner{}}} {
		var got nothing
		if err := form.Read(written(t, form, &v), &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, v) {
			t.Errorf("got %+v, want %+v", got, v)
		}
	}
}

// TestOneOrder writes maps that were filled in any order to the same bytes.
func TestOneOrder(t *testing.T) {
	form := formOf[map[string]int](t)
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.MapOf(rapid.String(), rapid.Int()).Draw(t, "map")
		data, err := form.Append(nil, &m)
		if err != nil {
			t.Fatal(err)
		}
		other := map[string]int{}
		if err := form.Read(data, &other); err != nil {
			t.Fatal(err)
		}
		again, _ := form.Append(nil, &other)
		if !reflect.DeepEqual(m, other) || !bytes.Equal(data, again) {
			t.Fatalf("%v and %v", m, other)
		}
	})
}

// TestNoForm refuses types of which there is no snapshot, and names the field.
func TestNoForm(t *testing.T) {
	for name, err := range map[string]error{
		".c is a chan int":       second(For[struct{ c chan int }]()),
		".f[] is a func()":       second(For[struct{ f []func() }]()),
		".a.b is a interface":    second(For[struct{ a *struct{ b any } }]()),
		".m has keys that point": second(For[struct{ m map[*int]int }]()),
		".x is a float64":        second(For[struct{ x float64 }]()),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want one with %q", err, name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestLayout tells types apart by whatever changes how they are written.
func TestLayout(t *testing.T) {
	layouts := map[[32]byte]string{}
	for name, layout := range map[string][32]byte{
		"two":    formOf[struct{ a, b int32 }](t).Layout(),
		"turned": formOf[struct{ b, a int32 }](t).Layout(),
		"wider":  formOf[struct{ a, b int64 }](t).Layout(),
		"left out": formOf[struct {
			a int32
			b int32 `snapshot:"-"`
		}](t).Layout(),
		"deep": formOf[struct{ a, b *struct{ c int32 } }](t).Layout(),
	} {
		if other, ok := layouts[layout]; ok {
			t.Errorf("%s has the layout of %s", name, other)
		}
		layouts[layout] = name
	}
	if once, again := formOf[sample](t), formOf[sample](t); once.Layout() != again.Layout() {
		t.Error("one type has two layouts")
	}
}

// TestNamedZone refuses a time zone whose rules may change.
func TestNamedZone(t *testing.T) {
	v := sample{zone: time.FixedZone("Nowhere", 3600)}
	if _, err := formOf[sample](t).Append(nil, &v); err == nil || !strings.Contains(err.Error(), "Nowhere") {
		t.Error(err)
	}
}

// TestDepth refuses a list that is linked by pointers and longer than any that is kept.
func TestDepth(t *testing.T) {
	form := formOf[sample](t)
	v := &sample{}
	for range maxDepth {
		v = &sample{next: v}
	}
	if _, err := form.Append(nil, v); err != nil {
		t.Fatal(err)
	}
	if _, err := form.Append(nil, &sample{next: v}); err == nil {
		t.Error("a longer list was written")
	}
}

// FuzzRead reads what nobody wrote. What is accepted is written to the same bytes, so
// that there is one snapshot of a value.
func FuzzRead(f *testing.F) {
	form := formOf[sample](f)
	f.Add(written(f, form, full()))
	f.Add(written(f, form, &sample{}))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v sample
		if form.Read(data, &v) != nil {
			return
		}
		if again := written(t, form, &v); !bytes.Equal(again, data) {
			t.Errorf("%x was read, and is written as %x", data, again)
		}
	})
}
