// Package openapi reads the part of a description of an interface that the house uses:
// operations with their parameters and bodies, and the schemas of these. The generator of package
// client, the command drawhouse do and the page that says who may do what take operations from it.
package openapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Description is the description of an interface.
type Description struct {
	Paths      map[string]map[string]Operation
	Components struct{ Schemas map[string]*Schema }
}

// Operation is something that may be asked of a house.
type Operation struct {
	Method, Path string `json:"-"`
	OperationID  string
	Summary      string
	Tags         []string
	Parameters   []Parameter
	RequestBody  *struct{ Content map[string]Media }
	Responses    map[string]struct{ Content map[string]Media }
	Access       []string `json:"x-access"`
	// Internal: only screens of the house itself ask it, and it changes with them.
	Internal bool `json:"x-internal"`
}

// Parameter is a parameter of an address or a query.
type Parameter struct {
	Name, In, Description string
	Required              bool
	Schema                *Schema
}

// Media is a body.
type Media struct{ Schema *Schema }

// Schema is what a value may be.
type Schema struct {
	Ref         string          `json:"$ref"`
	Type        json.RawMessage `json:"type"`
	Format      string
	Description string
	Enum        []any
	Properties  map[string]*Schema
	Required    []string
	Items       *Schema
	OneOf       []*Schema // it is one of these
}

// Read reads a description.
func Read(data []byte) (*Description, error) {
	d := new(Description)
	if err := json.Unmarshal(data, d); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return d, nil
}

// Operations returns all operations, by name.
func (d *Description) Operations() []Operation {
	var all []Operation
	for path, methods := range d.Paths {
		for method, op := range methods {
			op.Method, op.Path = strings.ToUpper(method), path
			all = append(all, op)
		}
	}
	slices.SortFunc(all, func(a, b Operation) int { return strings.Compare(a.OperationID, b.OperationID) })
	return all
}

// Resolve returns the schema that a schema refers to, or the schema itself.
func (d *Description) Resolve(s *Schema) *Schema {
	if s == nil || s.Ref == "" {
		return s
	}
	return d.Components.Schemas[s.Name()]
}

// Name returns the name of the schema that a schema refers to.
func (s *Schema) Name() string { return s.Ref[strings.LastIndex(s.Ref, "/")+1:] }

// Kind returns the type of a schema without null.
func (s *Schema) Kind() string {
	var one string
	if json.Unmarshal(s.Type, &one) == nil {
		return one
	}
	var several []string
	if json.Unmarshal(s.Type, &several) != nil {
		return ""
	}
	several = slices.DeleteFunc(several, func(k string) bool { return k == "null" })
	return strings.Join(several, " or ")
}
