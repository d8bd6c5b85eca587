package siege

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"drawhouse/internal/outside"
)

// operation is a kind of request, as the house describes it.
type operation struct {
	id, method, path string
	params           []parameter
	body             *schema  // nil for none
	raw              bool     // the body is bytes
	access           []string // who may: everybody, terminal, signed_on or roles
}

type parameter struct {
	Name     string
	In       string
	Required bool
	Schema   schema
}

// schema is the part of JSON Schema that the description uses.
type schema struct {
	Ref        string            `json:"$ref"`
	Type       any               `json:"type"`
	Enum       []any             `json:"enum"`
	Format     string            `json:"format"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Items      *schema           `json:"items"`
}

// is reports whether a value of a type fits.
func (s *schema) is(name string) bool {
	if list, ok := s.Type.([]any); ok {
		return slices.Contains(list, any(name))
	}
	return s.Type == name
}

// description is what the house serves of its interface.
type description struct {
	operations map[string]*operation
	ids        []string
	schemas    map[string]schema
}

// describe reads the description of a running house.
func describe(t *testing.T, h *outside.House) *description {
	t.Helper()
	var served struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []parameter
			Access      []string `json:"x-access"`
			RequestBody *struct {
				Content map[string]struct{ Schema schema }
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	answer := h.Ask(http.MethodGet, "/openapi.json", nil)
	if err := json.Unmarshal(answer.Body, &served); err != nil || !answer.OK() {
		t.Fatalf("the description: %v %v", answer, err)
	}
	d := &description{operations: map[string]*operation{}, schemas: served.Components.Schemas}
	for path, methods := range served.Paths {
		for method, one := range methods {
			op := &operation{id: one.OperationID, method: strings.ToUpper(method), path: path, params: one.Parameters,
				access: one.Access}
			if one.RequestBody != nil {
				for kind, content := range one.RequestBody.Content {
					op.body, op.raw = &content.Schema, !strings.Contains(kind, "json")
				}
			}
			d.operations[op.id] = op
			d.ids = append(d.ids, op.id)
		}
	}
	slices.Sort(d.ids)
	if len(d.ids) == 0 {
		t.Fatal("the description names no operation")
	}
	return d
}

// resolve follows a reference.
func (d *description) resolve(s *schema) *schema {
	for s.Ref != "" {
		next := d.schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]]
		s = &next
	}
	return s
}
