package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// contract is the description of the interface, read as a program of others reads it. It shares no code with what
// makes the description.
type contract struct {
	Paths      map[string]map[string]*agreed
	Components struct{ Schemas map[string]map[string]any }
	Refusals   map[string]Explained `json:"x-refusals"`

	all      []*agreed // in the order of their names
	patterns map[string]*regexp.Regexp
}

// agreed is an operation.
type agreed struct {
	OperationID string
	Parameters  []struct {
		Name, In string
		Required bool
		Schema   map[string]any
	}
	RequestBody *struct {
		Content map[string]agreedBody
	}
	Responses map[string]struct {
		Content map[string]agreedBody
	}
	Access   []string  `json:"x-access"`
	Refusals []Refused `json:"x-refusals"`

	method, path string
}

type agreedBody struct {
	Schema  map[string]any
	Example any
}

// contract reads the description.
func (r *rig) contract() *contract {
	r.t.Helper()
	c := &contract{patterns: map[string]*regexp.Regexp{}}
	decoder := json.NewDecoder(bytes.NewReader(r.send(http.MethodGet, "/openapi.json", "").body))
	decoder.UseNumber()
	must(r.t, decoder.Decode(c))
	for path, methods := range c.Paths {
		for method, op := range methods {
			op.method, op.path = strings.ToUpper(method), path
			c.all = append(c.all, op)
		}
	}
	slices.SortFunc(c.all, func(a, b *agreed) int { return strings.Compare(a.OperationID, b.OperationID) })
	return c
}

// streams reports whether an operation answers with events.
func (op *agreed) streams() bool {
	_, events := op.Responses["200"].Content["text/event-stream"]
	return events
}

// body returns the schema of the JSON that an operation takes, or nil.
func (op *agreed) body() map[string]any {
	if op.RequestBody == nil {
		return nil
	}
	return op.RequestBody.Content["application/json"].Schema
}

// answer says how an answer differs from the description of its operation, or is nil.
func (c *contract) answer(op *agreed, status int, header http.Header, body []byte) error {
	response, ok := op.Responses[fmt.Sprint(status)]
	if !ok {
		return fmt.Errorf("status %d is not described: %.200s", status, body)
	}
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("content type %q: %w", header.Get("Content-Type"), err)
	}
	schema, found := map[string]any(nil), false
	for name, content := range response.Content {
		if kind, _, err := mime.ParseMediaType(name); err == nil && kind == media {
			schema, found = content.Schema, true
		}
	}
	if !found {
		return fmt.Errorf("content type %s is not described for status %d", media, status)
	}
	if media != "application/json" {
		return nil
	}
	value, err := parsed(body)
	if err != nil {
		return fmt.Errorf("%w: %.200s", err, body)
	}
	if schema != nil {
		if err := c.fits(schema, value, ""); err != nil {
			return fmt.Errorf("%w: %.300s", err, body)
		}
	}
	if status < http.StatusBadRequest {
		return nil
	}
	var e Error
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	if !slices.Contains(op.Refusals, Refused{string(e.Fault.Code), status}) {
		return fmt.Errorf("%s with %d is not described: %.200s", e.Fault.Code, status, body)
	}
	return nil
}

// parsed reads JSON with its numbers as they are written.
func parsed(data []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// fits holds a value against a schema.
func (c *contract) fits(s map[string]any, v any, at string) error {
	if ref, ok := s["$ref"].(string); ok {
		named, ok := c.Components.Schemas[ref[strings.LastIndex(ref, "/")+1:]]
		if !ok {
			return fmt.Errorf("%s: there is no %s", at, ref)
		}
		return c.fits(named, v, at)
	}
	if one, ok := s["oneOf"].([]any); ok {
		var misses []string
		for _, kind := range one {
			if err := c.fits(kind.(map[string]any), v, at); err != nil {
				misses = append(misses, err.Error())
			}
		}
		if len(one)-len(misses) != 1 {
			return fmt.Errorf("%s fits %d of %d: %s", at, len(one)-len(misses), len(one), strings.Join(misses, "; "))
		}
	}
	if kinds := kindsOf(s["type"]); len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k string) bool { return isKind(k, v) }) {
		return fmt.Errorf("%s is %v and no %v", at, v, kinds)
	}
	if v == nil {
		return nil
	}
	same := func(e any) bool { return fmt.Sprint(e) == fmt.Sprint(v) }
	if enum, ok := s["enum"].([]any); ok && !slices.ContainsFunc(enum, same) {
		return fmt.Errorf("%s is %v and none of %v", at, v, enum)
	}
	switch v := v.(type) {
	case map[string]any:
		return c.fitsObject(s, v, at)
	case []any:
		return c.fitsList(s, v, at)
	case json.Number:
		if beyond(s, "minimum", v, -1) || beyond(s, "maximum", v, 1) {
			return fmt.Errorf("%s is %v, beyond %v and %v", at, v, s["minimum"], s["maximum"])
		}
	case string:
		return c.fitsText(s, v, at)
	}
	return nil
}

func kindsOf(of any) (kinds []string) {
	switch of := of.(type) {
	case string:
		return []string{of}
	case []any:
		for _, kind := range of {
			kinds = append(kinds, fmt.Sprint(kind))
		}
	}
	return kinds
}

// isKind reports whether a value is of a type of JSON Schema.
func isKind(kind string, v any) bool {
	switch v := v.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	case json.Number:
		_, whole := new(big.Int).SetString(v.String(), 10)
		return kind == "number" || kind == "integer" && whole
	}
	return false
}

// beyond reports whether a number lies on a side of a bound of a schema.
func beyond(s map[string]any, bound string, v json.Number, side int) bool {
	limit, ok := s[bound].(json.Number)
	if !ok {
		return false
	}
	a, _, err1 := big.ParseFloat(v.String(), 10, 200, big.ToNearestEven)
	b, _, err2 := big.ParseFloat(limit.String(), 10, 200, big.ToNearestEven)
	return err1 == nil && err2 == nil && a.Cmp(b) == side
}

func (c *contract) fitsObject(s map[string]any, v map[string]any, at string) error {
	fields, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := v[fmt.Sprint(name)]; !ok {
			return fmt.Errorf("%s.%v is missing", at, name)
		}
	}
	for name, value := range v {
		field, ok := fields[name].(map[string]any)
		if !ok {
			if field, ok = s["additionalProperties"].(map[string]any); !ok {
				if s["additionalProperties"] == false {
					return fmt.Errorf("%s.%s is not described", at, name)
				}
				continue
			}
		}
		if err := c.fits(field, value, at+"."+name); err != nil {
			return err
		}
	}
	return nil
}

func (c *contract) fitsList(s map[string]any, v []any, at string) error {
	count := json.Number(fmt.Sprint(len(v)))
	if beyond(s, "minItems", count, -1) || beyond(s, "maxItems", count, 1) {
		return fmt.Errorf("%s has %s items, and may have %v to %v", at, count, s["minItems"], s["maxItems"])
	}
	seen := map[string]bool{}
	items, _ := s["items"].(map[string]any)
	for i, item := range v {
		if key := fmt.Sprint(item); s["uniqueItems"] == true && seen[key] {
			return fmt.Errorf("%s has %s twice", at, key)
		} else if seen[key] = true; items != nil {
			if err := c.fits(items, item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *contract) fitsText(s map[string]any, v, at string) error {
	if pattern, ok := s["pattern"].(string); ok {
		if c.patterns[pattern] == nil {
			c.patterns[pattern] = regexp.MustCompile(pattern)
		}
		if !c.patterns[pattern].MatchString(v) {
			return fmt.Errorf("%s is %q, against %s", at, v, pattern)
		}
	}
	length := json.Number(fmt.Sprint(utf8.RuneCountInString(v)))
	if beyond(s, "minLength", length, -1) || beyond(s, "maxLength", length, 1) {
		return fmt.Errorf("%s has %s characters, and may have %v to %v", at, length, s["minLength"], s["maxLength"])
	}
	form, ok := map[any]string{"date-time": time.RFC3339Nano, "date": time.DateOnly}[s["format"]]
	if !ok {
		return nil
	}
	_, err := time.Parse(form, v)
	return err
}

// maker makes random values of schemas.
type maker struct {
	*contract
	random *rand.Rand
	known  map[string][]any // values that mean something to the house, by the name of their field
}

const makerDepth = 7

// make makes a value that fits a schema.
func (m *maker) make(name string, s map[string]any, depth int) any {
	if ref, ok := s["$ref"].(string); ok {
		return m.make(name, m.Components.Schemas[ref[strings.LastIndex(ref, "/")+1:]], depth)
	}
	if known := m.known[name]; len(known) > 0 && m.random.IntN(4) > 0 {
		if v := known[m.random.IntN(len(known))]; m.fits(s, v, "") == nil {
			return v
		}
	}
	if one, ok := s["oneOf"].([]any); ok {
		return m.make(name, one[m.random.IntN(len(one))].(map[string]any), depth+1)
	}
	if enum, ok := s["enum"].([]any); ok {
		return enum[m.random.IntN(len(enum))]
	}
	kinds := kindsOf(s["type"])
	if len(kinds) == 0 {
		return map[string]any{}
	}
	switch kinds[0] {
	case "object":
		return m.makeObject(s, depth)
	case "array":
		return m.makeList(name, s, depth)
	case "integer":
		return m.makeWhole(s)
	case "boolean":
		return m.random.IntN(2) == 0
	}
	return m.makeText(s)
}

func (m *maker) makeObject(s map[string]any, depth int) any {
	made := map[string]any{}
	fields, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if slices.Contains(required, any(name)) || depth < makerDepth && m.random.IntN(2) == 0 {
			made[name] = m.make(name, fields[name].(map[string]any), depth+1)
		}
	}
	return made
}

func (m *maker) makeList(name string, s map[string]any, depth int) any {
	items, _ := s["items"].(map[string]any)
	count := m.random.IntN(4)
	if s["minItems"] != nil {
		count++
	}
	if depth >= makerDepth {
		count = min(count, 1)
	}
	made, seen := []any{}, map[string]bool{}
	for range count {
		item := m.make(strings.TrimSuffix(name, "s"), items, depth+1)
		if key := fmt.Sprint(item); s["uniqueItems"] != true || !seen[key] {
			made, seen[key] = append(made, item), true
		}
	}
	return made
}

func (m *maker) makeWhole(s map[string]any) any {
	least, most := int64(0), int64(math.MaxInt32)
	if n, ok := s["minimum"].(json.Number); ok {
		least, _ = n.Int64()
	}
	if n, ok := s["maximum"].(json.Number); ok {
		most, _ = n.Int64()
	}
	switch m.random.IntN(4) {
	case 0:
		return json.Number(fmt.Sprint(least))
	case 1:
		return json.Number(fmt.Sprint(least + m.random.Int64N(most-least+1)))
	}
	return json.Number(fmt.Sprint(least + m.random.Int64N(min(most-least, 9)+1)))
}

func (m *maker) makeText(s map[string]any) any {
	switch s["format"] {
	case "date-time":
		return time.Unix(1_794_000_000+m.random.Int64N(1e6), 0).UTC().Format(time.RFC3339)
	case "date":
		return time.Unix(1_794_000_000+m.random.Int64N(1e6), 0).UTC().Format(time.DateOnly)
	}
	if pattern, ok := s["pattern"].(string); ok && strings.Contains(pattern, "@") {
		return "superplay-7@3"
	}
	return []string{"x", "text-7", strings.Repeat("ab", 32), "2026-11-15", "1", "cash", "vic-keno-2015"}[m.random.IntN(7)]
}
