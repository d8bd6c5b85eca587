package api

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// The page that describes the interface for people. It is made from the description for
// programs, when the house starts, and loads nothing.
var (
	//go:embed docs.html
	docsPage string
	//go:embed docs.css
	docsStyle string
)

// docs is what the page shows.
type docs struct {
	Version, Description string
	Style                template.CSS
	Tags                 []docsTag
	Refusals             []docsRefusal
	Types                []docsType
}

type docsTag struct {
	Name       string
	Operations []docsOperation
}

type docsOperation struct {
	ID, Method, Path, Summary, Description string
	Internal                               bool
	Access                                 []string
	Parameters                             []docsParameter
	Body, Answer                           docsKind
	Refusals                               []Refused
}

// docsRefusal is a code with what it means.
type docsRefusal struct {
	Code string
	Explained
}

type docsParameter struct{ Name, In, Kind, Doc string }

// docsKind is the kind of a value, with the type that the page describes it under.
type docsKind struct{ Kind, Link string }

type docsType struct {
	Name, Doc string
	Fields    []docsField
}

type docsField struct {
	Name, Doc string
	Type      docsKind
	Required  bool
}

var docsTemplate = template.Must(template.New("docs").Parse(docsPage))

// docsRoute serves the page, which is made when somebody first asks for it: a house that
// starts need not wait for it. Its style is in it, allowed by its hash and nothing else.
func (s *server) docsRoute() {
	page := sync.OnceValues(func() ([]byte, error) {
		var text bytes.Buffer
		err := docsTemplate.Execute(&text, documented(s.description()))
		return text.Bytes(), err
	})
	style := sha256.Sum256([]byte(docsStyle))
	policy := fmt.Sprintf(
		"default-src 'none'; style-src 'sha256-%s'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
		base64.StdEncoding.EncodeToString(style[:]))
	s.document("/docs", func(w http.ResponseWriter, _ *http.Request) error {
		text, err := page()
		if err != nil {
			return fmt.Errorf("api: %w", err)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", policy)
		_, err = w.Write(text)
		return err
	})
}

// documented lists what a description has, by tag and path.
func documented(spec *huma.OpenAPI) docs {
	d := docs{Version: spec.Info.Version, Description: spec.Info.Description, Style: template.CSS(docsStyle)}
	byTag := map[string][]docsOperation{}
	for _, path := range slices.Sorted(maps.Keys(spec.Paths)) {
		item := spec.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete} {
			if op != nil {
				byTag[op.Tags[0]] = append(byTag[op.Tags[0]], documentedOperation(op))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byTag)) {
		d.Tags = append(d.Tags, docsTag{name, byTag[name]})
	}
	refusals, _ := spec.Extensions[refusalsExtension].(map[string]Explained)
	for _, code := range slices.Sorted(maps.Keys(refusals)) {
		d.Refusals = append(d.Refusals, docsRefusal{code, refusals[code]})
	}
	all := spec.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		d.Types = append(d.Types, documentedType(name, all[name]))
	}
	return d
}

func documentedOperation(op *huma.Operation) docsOperation {
	d := docsOperation{ID: op.OperationID, Method: op.Method, Path: op.Path, Summary: op.Summary,
		Description: op.Description}
	d.Internal, _ = op.Extensions[internalExtension].(bool)
	d.Access, _ = op.Extensions["x-access"].([]string)
	d.Refusals, _ = op.Extensions[refusalsExtension].([]Refused)
	for _, p := range op.Parameters {
		d.Parameters = append(d.Parameters, docsParameter{p.Name, p.In, kindOfSchema(p.Schema).Kind, p.Description})
	}
	if op.RequestBody != nil {
		d.Body = kindOfContent(op.RequestBody.Content)
	}
	if answer := op.Responses["200"]; answer != nil {
		d.Answer = kindOfContent(answer.Content)
	}
	return d
}

// kindOfContent returns the kind of the first form that a body has.
func kindOfContent(content map[string]*huma.MediaType) docsKind {
	if len(content) == 0 {
		return docsKind{}
	}
	media := slices.Min(slices.Collect(maps.Keys(content)))
	if media != "application/json" {
		return docsKind{Kind: media}
	}
	return kindOfSchema(content[media].Schema)
}

// kindOfSchema names a schema: that of a reference is its type's.
func kindOfSchema(schema *huma.Schema) docsKind {
	switch {
	case schema == nil:
		return docsKind{Kind: "anything"}
	case schema.Ref != "":
		name := schema.Ref[strings.LastIndex(schema.Ref, "/")+1:]
		return docsKind{name, name}
	case schema.Type == huma.TypeArray:
		item := kindOfSchema(schema.Items)
		return docsKind{"list of " + item.Kind, item.Link}
	case len(schema.OneOf) > 0:
		var kinds []string
		for _, one := range schema.OneOf {
			kinds = append(kinds, kindOfSchema(one).Kind)
		}
		return docsKind{Kind: strings.Join(kinds, " or ")}
	case len(schema.Enum) > 0:
		var words []string
		for _, value := range schema.Enum {
			words = append(words, fmt.Sprint(value))
		}
		return docsKind{Kind: strings.Join(words, ", ")}
	case schema.Format != "":
		return docsKind{Kind: schema.Type + ", " + schema.Format}
	case schema.Type == "":
		return docsKind{Kind: "anything"}
	}
	return docsKind{Kind: schema.Type}
}

func documentedType(name string, schema *huma.Schema) docsType {
	d := docsType{Name: name, Doc: schema.Description}
	if len(schema.OneOf) > 0 {
		d.Doc += " It is " + kindOfSchema(schema).Kind + "."
	}
	for _, field := range slices.Sorted(maps.Keys(schema.Properties)) {
		value := schema.Properties[field]
		d.Fields = append(d.Fields, docsField{field, value.Description, kindOfSchema(value),
			slices.Contains(schema.Required, field)})
	}
	return d
}
