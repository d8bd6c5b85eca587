package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/house/live"
)

// describing serves the description of all operations as OpenAPI. The description is made when
// somebody first asks for it: a house that starts need not wait for hundreds of schemas.
func (s *server) describing(version string) {
	s.description = sync.OnceValue(func() *huma.OpenAPI { return describe(version, s.routes) })
	const ofJSON, ofYAML = "application/openapi+json", "application/openapi+yaml"
	for _, form := range []struct {
		path, media string
		write       func(*huma.OpenAPI) ([]byte, error)
	}{
		{"/openapi.json", ofJSON, func(spec *huma.OpenAPI) ([]byte, error) { return json.Marshal(spec) }},
		{"/openapi.yaml", ofYAML, (*huma.OpenAPI).YAML},
		{"/openapi-3.0.json", ofJSON, (*huma.OpenAPI).Downgrade},
		{"/openapi-3.0.yaml", ofYAML, (*huma.OpenAPI).DowngradeYAML},
	} {
		text := sync.OnceValues(func() ([]byte, error) { return form.write(s.description()) })
		s.document(form.path, func(w http.ResponseWriter, _ *http.Request) error {
			data, err := text()
			if err != nil {
				return fmt.Errorf("api: %w", err)
			}
			w.Header().Set("Content-Type", form.media)
			_, err = w.Write(data)
			return err
		})
	}
}

// describe makes the description of operations.
func describe(version string, routes []route) *huma.OpenAPI {
	d := describer{&huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "drawhouse", Version: version,
			Description: "The central system for draw games. Amounts are whole cents; times are RFC 3339 with an offset. " +
				"Operations marked internal are for our own screens and change with them; all others are kept. " +
				"HEAD is answered wherever GET is, and OPTIONS everywhere; a query with a parameter that the operation does not know is refused. " +
				"Pages of any origin may read what is for everybody. Answers to GET have an ETag.",
			License: &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"},
		},
		Servers: []*huma.Server{{URL: "/", Description: "The house that serves this description."}},
		Tags:    tagsOf(routes),
		Components: &huma.Components{
			SecuritySchemes: schemes(),
			Schemas:         huma.NewMapRegistry(schemaPrefix, schemaName),
		},
	}}
	for _, rt := range routes {
		d.spec.AddOperation(d.operation(rt))
	}
	d.events(routes)
	d.schema(PublishedResult{})
	said := d.refusals(routes)
	d.spec.Extensions = map[string]any{refusalsExtension: said}
	complete(d.spec.Components.Schemas.Map())
	d.examples()
	return d.spec
}

// schemaPrefix is where the schemas of types are.
const schemaPrefix = "#/components/schemas/"

// events describes what the events of a stream hold: each the JSON of one type, which the name of the event tells.
func (d describer) events(routes []route) {
	bodies := live.Bodies()
	kinds := []*huma.Schema{d.schema(live.Tick{}), d.schema(live.Reset{})}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		kind := d.schema(bodies[name])
		if !slices.ContainsFunc(kinds, func(s *huma.Schema) bool { return s.Ref == kind.Ref }) {
			kinds = append(kinds, kind)
		}
	}
	for _, rt := range routes {
		if media := rt.gives["text/event-stream"]; media != nil {
			media.Schema.Description = "Events, each with JSON as its data."
			media.Schema.Extensions = map[string]any{
				"contentMediaType": "application/json", "contentSchema": &huma.Schema{AnyOf: kinds},
			}
		}
	}
}

type describer struct{ spec *huma.OpenAPI }

// operation describes the operation of a route.
func (d describer) operation(rt route) *huma.Operation {
	op := &huma.Operation{
		OperationID: rt.name, Method: rt.method, Path: spelled(rt.path), Summary: rt.says, Description: aboutOf(&rt),
		Tags: []string{rt.tag}, Parameters: append(pathParameters(spelled(rt.path)), rt.query...),
		Responses: map[string]*huma.Response{
			"200": {Description: rt.tells, Content: rt.gives},
		},
	}
	if rt.tells == "" {
		op.Responses["200"].Description = "It is done."
		if rt.method == http.MethodGet {
			op.Responses["200"].Description = "The answer."
		}
	}
	if rt.gives == nil {
		op.Responses["200"].Content = d.json(rt.out)
	}
	switch {
	case rt.in != nil:
		op.RequestBody = &huma.RequestBody{Required: true, Content: d.json(rt.in)}
	case rt.takes != nil:
		op.RequestBody = &huma.RequestBody{Required: true, Content: rt.takes}
	}
	annotate(op, &rt)
	d.refused(op, refusalsOf(&rt))
	return op
}

// spelled returns a path as descriptions write it: they do not tell an element that has slashes from another.
func spelled(path string) string { return strings.ReplaceAll(path, "...}", "}") }

// json is a body that is JSON of the type of a value.
func (d describer) json(body any) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/json": {Schema: d.schema(body)}}
}

// schema returns the schema of the type of a value.
func (d describer) schema(body any) *huma.Schema {
	t := reflect.TypeOf(body)
	return d.spec.Components.Schemas.Schema(t, true, t.Name())
}

// schemaName tells the types of the feed from those of the interface that have
// the same name.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.PkgPath() == reflect.TypeFor[live.Board]().PkgPath() {
		return "Live" + name
	}
	return name
}
