package drawhouse_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"drawhouse/edge/monitor"
	"drawhouse/house/live"
	"drawhouse/internal/promise"
)

// promises is the folder of what is promised.
const promises = "internal/promise"

// TestAPIStays holds the public operations of the interface, with their parameters, fields and refusals, against those
// that were promised. An internal operation is not among them.
func TestAPIStays(t *testing.T) {
	promise.Hold(t, promises, "api", publicAPI(t, readInterface(t)), *rewrite)
}

// TestMetricsStay holds metrics and checks, which alarms of others name, against those that were promised.
func TestMetricsStay(t *testing.T) {
	var items []promise.Item
	for _, by := range []monitor.Program{monitor.OfHouse, monitor.OfWitness, monitor.OfDevice} {
		served := promise.Item{Name: "metrics of a " + string(by)}
		for _, f := range monitor.Families(by) {
			served.Items = append(served.Items, promise.Item{Name: f.FullName(), Kind: f.Type, Words: f.Labels})
		}
		items = append(items, served)
	}
	for of, list := range allChecks() {
		checks := promise.Item{Name: "checks of a " + of}
		for _, c := range list {
			one := promise.Item{Name: c.Name}
			for _, purpose := range c.For {
				one.Words = append(one.Words, string(purpose))
			}
			checks.Items = append(checks.Items, one)
		}
		items = append(items, checks)
	}
	promise.Hold(t, promises, "metrics", items, *rewrite)
}

// TestInternalOperations: an operation is internal because a screen of ours asks it, so that none is kept from others
// that nobody needs, and its description says so.
func TestInternalOperations(t *testing.T) {
	var screens strings.Builder
	for _, f := range sources(t) {
		if strings.HasPrefix(f.name, "edge/web/assets/") && strings.HasSuffix(f.name, ".js") {
			screens.Write(f.data)
		}
	}
	internal, all := 0, 0
	readInterface(t).each(func(method, path string, op operationOf) {
		all++
		if !op.Internal {
			return
		}
		internal++
		parts := strings.FieldsFunc(path, func(r rune) bool { return r == '{' || r == '}' })
		for i := 0; i < len(parts); i += 2 {
			if !strings.Contains(screens.String(), parts[i]) && parts[i] != "/" {
				t.Errorf("%s %s is internal, and no screen asks it: nothing has %s", method, path, parts[i])
			}
		}
		if !strings.Contains(op.Description, "Internal: ") || method != http.MethodGet {
			t.Errorf("%s %s is internal: %s", method, path, op.Description)
		}
	})
	if internal == 0 || internal > all/10 {
		t.Errorf("%d of %d operations are internal", internal, all)
	}
}

// operationOf is the description of the interface, as far as it is promised.
type (
	interfaceOf struct {
		Paths      map[string]map[string]operationOf
		Components struct {
			Schemas         map[string]*shape
			SecuritySchemes map[string]struct{ Type, In, Name, Scheme string }
		}
	}
	operationOf struct {
		OperationID, Description string
		Parameters               []struct {
			Name, In string
			Required bool
			Schema   *shape
		}
		RequestBody *struct {
			Required bool
			Content  map[string]struct{ Schema *shape }
		}
		Responses map[string]struct {
			Content map[string]struct{ Schema *shape }
		}
		Security []map[string][]string
		Internal bool `json:"x-internal"`
		Refusals []struct {
			Code   string
			Status int
		} `json:"x-refusals"`
	}
	shape struct {
		Ref                  string `json:"$ref"`
		Type                 any
		Format               string
		ContentEncoding      string
		Enum                 []any
		Items                *shape
		OneOf                []*shape
		Properties           map[string]*shape
		Required             []string
		AdditionalProperties any
	}
)

func readInterface(t *testing.T) *interfaceOf {
	t.Helper()
	d := new(interfaceOf)
	if err := json.Unmarshal(described(t), d); err != nil {
		t.Fatal(err)
	}
	return d
}

// each goes through the operations.
func (d *interfaceOf) each(do func(method, path string, op operationOf)) {
	for path, methods := range d.Paths {
		for method, op := range methods {
			do(strings.ToUpper(method), path, op)
		}
	}
}

// publicAPI returns what is promised of an interface: its operations, the types that are sent to it and those that it
// answers, the status of each refusal, and how somebody shows who they are.
func publicAPI(t *testing.T, d *interfaceOf) []promise.Item {
	t.Helper()
	operations, statuses := promise.Item{Name: "operations"}, map[string]int{}
	asked, told := promise.Item{Name: "asked"}, promise.Item{Name: promise.Told}
	d.each(func(method, path string, op operationOf) {
		if op.Internal {
			return
		}
		item := promise.Item{Name: method + " " + path, Kind: op.OperationID}
		for _, p := range op.Parameters {
			item.Items = append(item.Items, promise.Item{Name: p.In + " " + p.Name, Kind: p.Schema.kind(),
				Needed: p.Required && p.In != "path", Words: p.Schema.words()})
		}
		if op.RequestBody != nil {
			for media, content := range op.RequestBody.Content {
				item.Items = append(item.Items,
					promise.Item{Name: "body " + media, Kind: content.Schema.kind(), Needed: op.RequestBody.Required})
				d.types(&asked, content.Schema)
			}
		}
		for status, response := range op.Responses {
			for media, content := range response.Content {
				if status == "200" {
					item.Items = append(item.Items, promise.Item{Name: "answer " + media, Kind: content.Schema.kind()})
				}
				d.types(&told, content.Schema)
			}
		}
		if op.OperationID == "follow-events" {
			item.Items = append(item.Items, d.events(t, &told)...)
		}
		by, refuses := promise.Item{Name: "shown by"}, promise.Item{Name: "refuses"}
		for _, scheme := range op.Security {
			by.Words = slices.AppendSeq(by.Words, maps.Keys(scheme))
		}
		for _, refused := range op.Refusals {
			refuses.Words = append(refuses.Words, refused.Code)
			statuses[refused.Code] = refused.Status
		}
		if len(by.Words) > 0 {
			item.Items = append(item.Items, by)
		}
		item.Items = append(item.Items, refuses)
		operations.Items = append(operations.Items, item)
	})
	refusals, schemes := promise.Item{Name: "statuses of refusals"}, promise.Item{Name: "who asks"}
	for code, status := range statuses {
		refusals.Items = append(refusals.Items, promise.Item{Name: code, Kind: fmt.Sprint(status)})
	}
	for name, s := range d.Components.SecuritySchemes {
		schemes.Items = append(schemes.Items, promise.Item{Name: name,
			Kind: strings.Join(strings.Fields(strings.Join([]string{s.Type, s.In, s.Name, s.Scheme}, " ")), " ")})
	}
	return []promise.Item{asked, operations, refusals, told, schemes}
}

// events returns the events of the stream with the types of what they say.
func (d *interfaceOf) events(t *testing.T, told *promise.Item) (items []promise.Item) {
	t.Helper()
	bodies := map[string]any{live.TickName: live.Tick{}, live.ResetName: live.Reset{}}
	for name, body := range live.Bodies() {
		bodies[name] = body
	}
	for name, body := range bodies {
		kind := "Live" + reflect.TypeOf(body).Name()
		if d.Components.Schemas[kind] == nil {
			t.Fatalf("event %s: the description has no %s", name, kind)
		}
		items = append(items, promise.Item{Name: "event " + name, Kind: kind})
		d.types(told, &shape{Ref: "/" + kind})
	}
	return items
}

// types adds the types that a shape is made of, each once.
func (d *interfaceOf) types(to *promise.Item, s *shape) {
	switch {
	case s == nil:
	case s.Ref != "":
		name := s.kind()
		if slices.ContainsFunc(to.Items, func(known promise.Item) bool { return known.Name == name }) {
			return
		}
		at := len(to.Items)
		to.Items = append(to.Items, promise.Item{Name: name})
		of := d.Components.Schemas[name]
		to.Items[at].Items = of.fields()
		for _, field := range of.Properties {
			d.types(to, field)
		}
		for _, one := range of.OneOf {
			d.types(to, one)
		}
	default:
		d.types(to, s.Items)
		for _, one := range s.OneOf {
			d.types(to, one)
		}
		for _, field := range s.Properties {
			d.types(to, field)
		}
		d.types(to, s.values())
	}
}

// fields returns the fields of an object.
func (s *shape) fields() (items []promise.Item) {
	for name, field := range s.Properties {
		of := field
		for of.Items != nil {
			of = of.Items
		}
		items = append(items, promise.Item{Name: name, Kind: field.kind(), Needed: slices.Contains(s.Required, name),
			Words: of.words(), Items: of.fields()})
	}
	return items
}

// words returns the values of an enumeration.
func (s *shape) words() (words []string) {
	for _, value := range s.Enum {
		words = append(words, fmt.Sprint(value))
	}
	return words
}

// values returns the shape of the values of an object without names of its own.
func (s *shape) values() *shape {
	data, err := json.Marshal(s.AdditionalProperties)
	of := new(shape)
	if _, object := s.AdditionalProperties.(map[string]any); err != nil || !object || json.Unmarshal(data, of) != nil {
		return nil
	}
	return of
}

// kind names the values of a shape. A body of another media type may have none.
func (s *shape) kind() string {
	if s == nil {
		return ""
	}
	if s.Ref != "" {
		return s.Ref[strings.LastIndex(s.Ref, "/")+1:]
	}
	var kinds []string
	for _, one := range s.OneOf {
		kinds = append(kinds, one.kind())
	}
	if len(kinds) > 0 {
		return strings.Join(kinds, " or ")
	}
	switch of := s.Type.(type) {
	case string:
		kinds = []string{of}
	case []any:
		for _, kind := range of {
			kinds = append(kinds, fmt.Sprint(kind))
		}
	default:
		return "anything"
	}
	for i, kind := range kinds {
		values := s.values()
		switch {
		case kind == "array":
			kinds[i] = "list of " + s.Items.kind()
		case kind == "object" && values != nil:
			kinds[i] = "map of " + values.kind()
		case kind == "string":
			kinds[i] = strings.Join(strings.Fields(kind+" "+s.Format+" "+s.ContentEncoding), " ")
		}
	}
	return strings.Join(kinds, " or ")
}
