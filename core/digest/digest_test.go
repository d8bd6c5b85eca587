package digest_test

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"

	"drawhouse/core/digest"
)

type inner struct {
	small int8
	text  string
}

// counted says itself what it holds.
type counted struct{ n, cache int }

func (c *counted) Digest(w *digest.Writer) { w.Number(uint64(c.n)) }

type value struct {
	number  uint16
	set     bool
	bytes   []byte
	array   [3]byte
	words   [2]uint32
	list    []inner
	pointer *inner
	byKey   map[[2]byte]inner
	own     counted
	left    int `unhashed:"it is a cache"`
	again   *value
}

func sample() *value {
	return &value{
		number: 7, set: true, bytes: []byte{1, 2}, array: [3]byte{3, 4, 5}, words: [2]uint32{6, 7},
		list: []inner{{-1, "a"}, {2, "b"}}, pointer: &inner{text: "c"},
		byKey: map[[2]byte]inner{{1}: {1, "one"}, {2}: {2, "two"}}, own: counted{8, 9}, again: &value{number: 1},
	}
}

// TestHash changes one thing after the other and says whether the hash changes.
func TestHash(t *testing.T) {
	plan := digest.For[value]()
	for name, c := range map[string]struct {
		change func(*value)
		same   bool
	}{
		"nothing":              {func(*value) {}, true},
		"a number":             {func(v *value) { v.number++ }, false},
		"a flag":               {func(v *value) { v.set = false }, false},
		"a byte":               {func(v *value) { v.bytes[1]++ }, false},
		"a byte of an array":   {func(v *value) { v.array[2]++ }, false},
		"a number of an array": {func(v *value) { v.words[1]++ }, false},
		"an item":              {func(v *value) { v.list[1].small++ }, false},
		"the order":            {func(v *value) { v.list[0], v.list[1] = v.list[1], v.list[0] }, false},
		"an item more":         {func(v *value) { v.list = append(v.list, inner{}) }, false},
		"where a text ends":    {func(v *value) { v.list[0].text, v.list[1].text = "ab", "" }, false},
		"behind a pointer":     {func(v *value) { v.pointer.text = "d" }, false},
		"no pointer":           {func(v *value) { v.pointer = nil }, false},
		"a pointer to zero":    {func(v *value) { *v.again = value{} }, false},
		"a value of a map":     {func(v *value) { v.byKey[[2]byte{1}] = inner{1, "won"} }, false},
		"a key of a map": {func(v *value) {
			delete(v.byKey, [2]byte{1})
			v.byKey[[2]byte{1, 1}] = inner{1, "one"}
		}, false},
		"two keys of a map": {func(v *value) {
			v.byKey[[2]byte{1}], v.byKey[[2]byte{2}] = v.byKey[[2]byte{2}], v.byKey[[2]byte{1}]
		}, false},
		"a map of another order": {func(v *value) {
			v.byKey = map[[2]byte]inner{{2}: {2, "two"}}
			v.byKey[[2]byte{1}] = inner{1, "one"}
		}, true},
		"empty instead of nil": {func(v *value) { v.again.list, v.again.byKey = []inner{}, map[[2]byte]inner{} }, true},
		"content":              {func(v *value) { v.own.n++ }, false},
		"no content":           {func(v *value) { v.own.cache++ }, true},
		"what does not count":  {func(v *value) { v.left++ }, true},
	} {
		v := sample()
		c.change(v)
		if same := plan.Hash(v) == plan.Hash(sample()); same != c.same {
			t.Errorf("%s: the hash stays: %t", name, same)
		}
	}
}

// TestForm holds the bytes of a value against the package's comment.
func TestForm(t *testing.T) {
	var want []byte
	number := func(n uint64) { want = binary.BigEndian.AppendUint64(want, n) }
	type plain struct {
		small int8
		text  string
		list  []uint16
		array [2]byte
		none  *int
	}
	number(1<<64 - 2)
	number(2)
	want = append(want, "hi"...)
	number(1)
	number(9)
	want = append(want, 3, 4)
	number(0)
	v := plain{-2, "hi", []uint16{9}, [2]byte{3, 4}, nil}
	if got := digest.For[plain]().Hash(&v); got != sha256.Sum256(want) {
		t.Errorf("the hash is %x", got)
	}
}

// TestEntry finds that the sum of a map is that of its entries, and nothing once they were taken out.
func TestEntry(t *testing.T) {
	all := map[uint32]inner{1: {1, "one"}, 2: {2, "two"}, 3: {3, "three"}}
	var sum digest.Sum
	for key, v := range all {
		sum.Add(digest.Entry(key, &v))
	}
	var want []byte
	for _, n := range append([]uint64{3}, sum[:]...) {
		want = binary.BigEndian.AppendUint64(want, n)
	}
	if got := digest.For[map[uint32]inner]().Hash(&all); got != sha256.Sum256(want) {
		t.Errorf("the map has hash %x", got)
	}
	for key, v := range all {
		sum.Sub(digest.Entry(key, &v))
	}
	if sum != (digest.Sum{}) {
		t.Errorf("an empty set has the sum %x", sum)
	}
}

// TestForPanics names the field that cannot be hashed.
func TestForPanics(t *testing.T) {
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, ".list[].Body is a interface") {
			t.Errorf("the panic says %q", text)
		}
	}()
	type item struct{ Body any }
	digest.For[struct{ list []item }]()
}
