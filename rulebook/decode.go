package rulebook

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml/ast"
)

// This file fills the schema's structs from the parsed file. The library's own
// decoder stops at the first value of a wrong type and reads numbers more kindly
// than a rulebook deserves (0x10, 1_000, 1e3); this one reports every fault with
// its place and takes decimal digits only.

// textParser is a value that is written as one word.
type textParser interface{ parseText(text string) error }

// decode fills v, which must be settable, from node and notes where each path is
// written.
func (r *report) decode(node ast.Node, v reflect.Value, path string) {
	if node == nil || node.Type() == ast.NullType {
		r.addAt(r.find(path), path, "has no value")
		return
	}
	if _, known := r.places[path]; !known {
		r.places[path] = nodePlace(node)
	}
	if v.Kind() == reflect.Pointer {
		r.decodePointer(node, v, path)
		return
	}
	if p, ok := v.Addr().Interface().(textParser); ok {
		r.decodeText(node, p, path)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		r.decodeStruct(node, v, path)
	case reflect.Slice:
		r.decodeSlice(node, v, path)
	case reflect.Map:
		r.decodeMap(node, v, path)
	default:
		r.decodeScalar(node, v, path)
	}
}

// decodePointer fills an optional value. One that cannot be read stays absent, so
// that no check takes it for nothing.
func (r *report) decodePointer(node ast.Node, v reflect.Value, path string) {
	found, fresh := len(r.faults), reflect.New(v.Type().Elem())
	if r.over && !v.IsNil() {
		fresh.Elem().Set(v.Elem())
	}
	r.decode(node, fresh.Elem(), path)
	if len(r.faults) == found || fresh.Elem().Kind() == reflect.Struct {
		v.Set(fresh)
	}
}

// decodeStruct matches the keys of a mapping with the fields of a struct.
func (r *report) decodeStruct(node ast.Node, v reflect.Value, path string) {
	pairs, ok := mapping(node)
	if !ok {
		r.add(path, "must be a mapping with the keys %s", strings.Join(keysOf(v.Type()), ", "))
		return
	}
	fields := fieldsOf(v.Type())
	written := map[string]bool{}
	if r.over {
		overwrites(v)
	}
	for _, pair := range pairs {
		key := pair.Key.GetToken().Value
		at, sub := place(pair.Key.GetToken()), join(path, key)
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key })
		switch {
		case written[key]:
			r.addAt(at, sub, "is written twice")
		case i < 0:
			r.addAt(at, sub, "is not a key here; the keys are %s", strings.Join(keysOf(v.Type()), ", "))
		default:
			r.places[sub] = at
			r.decode(pair.Value, v.FieldByIndex(fields[i].index), sub)
		}
		written[key] = true
	}
	for _, f := range fields {
		if f.required && !written[f.name] && !r.over {
			r.add(join(path, f.name), "is missing")
		}
	}
}

func (r *report) decodeSlice(node ast.Node, v reflect.Value, path string) {
	seq, ok := node.(*ast.SequenceNode)
	if !ok {
		r.add(path, "must be a list")
		return
	}
	// An empty list and no list mean the same and must have the same hash.
	if len(seq.Values) == 0 {
		v.SetZero()
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(seq.Values), len(seq.Values)))
	defer r.whole()()
	for i, item := range seq.Values {
		r.decode(item, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
	}
}

func (r *report) decodeMap(node ast.Node, v reflect.Value, path string) {
	pairs, ok := mapping(node)
	if !ok {
		r.add(path, "must be a mapping")
		return
	}
	if len(pairs) == 0 {
		v.SetZero()
		return
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(pairs)))
	defer r.whole()()
	for _, pair := range pairs {
		key := reflect.New(v.Type().Key()).Elem()
		text := pair.Key.GetToken().Value
		at, sub := place(pair.Key.GetToken()), join(path, text)
		if err := setScalar(key, text); err != nil {
			r.addAt(at, sub, "the key %v", err)
			continue
		}
		if v.MapIndex(key).IsValid() {
			r.addAt(at, sub, "is written twice")
			continue
		}
		r.places[sub] = at
		value := reflect.New(v.Type().Elem()).Elem()
		r.decode(pair.Value, value, sub)
		v.SetMapIndex(key, value)
	}
}

// whole says that values are read which an edition writes whole, until the returned function is called.
func (r *report) whole() (end func()) {
	over := r.over
	r.over = false
	return func() { r.over = over }
}

func (r *report) decodeText(node ast.Node, p textParser, path string) {
	text, ok := scalarText(node)
	if !ok {
		r.add(path, "must be a single value")
		return
	}
	if err := p.parseText(text); err != nil {
		r.add(path, "%v", err)
	}
}

func (r *report) decodeScalar(node ast.Node, v reflect.Value, path string) {
	text, ok := scalarText(node)
	if !ok {
		r.add(path, "must be a single value")
		return
	}
	if err := setScalar(v, text); err != nil {
		r.add(path, "%v", err)
	}
}

// maxCount bounds whole numbers that are not money, so that sums and products of
// two of them stay far from overflow.
const maxCount = 1_000_000_000

// setScalar reads a string, a truth value or a whole number.
func setScalar(v reflect.Value, text string) error {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		if text != "true" && text != "false" {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		v.SetBool(text == "true")
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != text {
			return fmt.Errorf("%q is not a whole number", text)
		}
		if n < 0 || v.Kind() == reflect.Int && n > maxCount {
			return fmt.Errorf("%q is not 0 to %d", text, maxCount)
		}
		v.SetInt(n)
	default:
		panic("rulebook: the schema has a type that nothing decodes: " + v.Type().String())
	}
	return nil
}

// mapping returns the pairs of a mapping.
func mapping(node ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := node.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// nodePlace returns where a value begins. The library's token of a mapping without
// braces is the colon after its first key.
func nodePlace(node ast.Node) position {
	if m, ok := node.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return place(m.Values[0].Key.GetToken())
	}
	return place(node.GetToken())
}

// scalarText returns the text of a value that is one word or string, as written.
func scalarText(node ast.Node) (string, bool) {
	switch n := node.(type) {
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value), true
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// field is one key of a struct of the schema.
type field struct {
	name     string
	index    []int
	required bool
	words    []string // those of the tag, where the engine knows a closed list
	retired  string   // why nothing acts on the value any more; empty for a value that is in use
}

// fieldCache holds what fieldsOf found, by type: the schema does not change.
var fieldCache sync.Map

// fieldsOf returns the keys of a struct in the order of the schema. The fields of
// an embedded struct are keys of the outer one.
func fieldsOf(t reflect.Type) []field {
	if cached, ok := fieldCache.Load(t); ok {
		fields, _ := cached.([]field)
		return fields
	}
	var fields []field
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		var words []string
		if tag, ok := f.Tag.Lookup("words"); ok {
			words = strings.Fields(tag)
		}
		fields = append(fields, field{name: name, index: f.Index, required: options == "", words: words,
			retired: f.Tag.Get("retired")})
	}
	fieldCache.Store(t, fields)
	return fields
}

// keysOf returns the keys that a file may write in a struct: those that are retired are not offered.
func keysOf(t reflect.Type) []string {
	var names []string
	for _, f := range fieldsOf(t) {
		if f.retired == "" {
			names = append(names, f.name)
		}
	}
	slices.Sort(names)
	return names
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
