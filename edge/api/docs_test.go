package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// description is what the tests look at in /openapi.json.
type description struct {
	OpenAPI    string
	Info       struct{ Title, Version string }
	Paths      map[string]map[string]described
	Refusals   map[string]Explained `json:"x-refusals"`
	Components struct {
		Schemas         map[string]map[string]any
		SecuritySchemes map[string]map[string]any
	}
}

type described struct {
	OperationID string
	Summary     string
	Description string
	Tags        []string
	Parameters  []struct {
		Name, In string
		Required bool
		Schema   map[string]any
	}
	RequestBody *struct{ Content map[string]map[string]any }
	Responses   map[string]struct {
		Description string
		Content     map[string]map[string]any
	}
	Security []map[string][]string
	Access   []string  `json:"x-access"`
	Refusals []Refused `json:"x-refusals"`
}

func (r *rig) description() description {
	r.t.Helper()
	var d description
	r.send(http.MethodGet, "/openapi.json", "").into(r.t, &d)
	return d
}

// each goes through the operations.
func (d *description) each(do func(method, path string, op described)) {
	for path, methods := range d.Paths {
		for method, op := range methods {
			do(strings.ToUpper(method), path, op)
		}
	}
}

var (
	kebab = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	// questionWords are how names of questions begin.
	questionWords = []string{"get-", "list-", "read-", "look-up", "prove-", "follow-", "compare-", "show-"}
)

// TestOpenAPI holds the description against what OpenAPI 3.1 asks for, as far as we use
// it, and against what we ask for ourselves: every operation says what it takes, what it
// answers, who may use it and with which codes it is refused.
func TestOpenAPI(t *testing.T) {
	r := newRig(t)
	d := r.description()
	if !strings.HasPrefix(d.OpenAPI, "3.1.") || d.Info.Title == "" || d.Info.Version == "" {
		t.Errorf("%s of %+v", d.OpenAPI, d.Info)
	}
	seen := map[string]string{}
	template := regexp.MustCompile(`\{(\w+)\}`)
	d.each(func(method, path string, op described) {
		name := method + " " + path
		bad := func(format string, args ...any) { t.Errorf("%s: %s", name, fmt.Sprintf(format, args...)) }
		if other, ok := seen[op.OperationID]; ok || op.OperationID == "" {
			bad("operation id %q is that of %s", op.OperationID, other)
		}
		seen[op.OperationID] = name
		if op.Summary == "" || len(op.Tags) != 1 || len(op.Access) == 0 || len(op.Refusals) == 0 {
			bad("summary %q, tags %v, for %v, %d refusals", op.Summary, op.Tags, op.Access, len(op.Refusals))
		}
		var inPath []string
		for _, p := range op.Parameters {
			if p.In == "path" {
				inPath = append(inPath, p.Name)
			}
			if !slices.Contains([]string{"path", "query", "header"}, p.In) || p.In == "path" && !p.Required ||
				len(p.Schema) == 0 {
				bad("parameter %+v", p)
			}
		}
		var named []string
		for _, m := range template.FindAllStringSubmatch(path, -1) {
			named = append(named, m[1])
		}
		slices.Sort(named)
		slices.Sort(inPath)
		if !slices.Equal(named, inPath) {
			bad("the path names %v, the parameters are %v", named, inPath)
		}
		if (method == http.MethodGet || method == http.MethodDelete) && op.RequestBody != nil {
			bad("it has a body")
		}
		good, ok := op.Responses["200"]
		if !ok || good.Description == "" || len(good.Content) == 0 {
			bad("answers %v", op.Responses)
		}
		if op.Description == "" || op.Description == op.Summary+"." {
			bad("it is described by %q", op.Description)
		}
		if !kebab.MatchString(op.OperationID) {
			bad("operation id %q is no words joined by hyphens", op.OperationID)
		}
		asks := slices.ContainsFunc(questionWords, func(word string) bool { return strings.HasPrefix(op.OperationID, word) })
		if method == http.MethodGet && !asks {
			bad("operation id %q does not begin with a verb of questions", op.OperationID)
		}
		if op.RequestBody != nil {
			if content, ok := op.RequestBody.Content["application/json"]; ok && content["example"] == nil {
				bad("no example")
			}
		}
		everybody := slices.Contains(op.Access, "everybody")
		if everybody != (len(op.Security) == 0) {
			bad("it is for %v and asks for %v", op.Access, op.Security)
		}
		for _, s := range op.Security {
			for scheme := range s {
				if d.Components.SecuritySchemes[scheme] == nil {
					bad("no scheme %s", scheme)
				}
			}
		}
		for _, refused := range op.Refusals {
			answer, ok := op.Responses[fmt.Sprint(refused.Status)]
			if refused.Status < 400 || refused.Code == "" || !ok || !strings.Contains(answer.Description, refused.Code) {
				bad("refused with %+v, answered with %+v", refused, answer)
			}
			if said := d.Refusals[refused.Code]; said.Status != refused.Status || said.Cause == "" || said.Next == "" {
				bad("%s is explained by %+v", refused.Code, said)
			}
		}
	})
	for name, schema := range d.Components.Schemas {
		checkSchema(t, name, schema)
	}
}

// kindsOfJSON are the types that a schema may name.
var kindsOfJSON = []any{"object", "array", "string", "integer", "number", "boolean", "null"}

// checkSchema looks through a schema: types are those of JSON, lists say of what they
// are, and what is required is described.
func checkSchema(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	kinds, several := schema["type"].([]any)
	if kind, ok := schema["type"]; ok && !several {
		kinds = []any{kind}
	}
	for _, kind := range kinds {
		if !slices.Contains(kindsOfJSON, kind) {
			t.Errorf("%s is of type %v", at, kind)
		}
		if kind == "array" && schema["items"] == nil {
			t.Errorf("%s is a list of nothing", at)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if properties[fmt.Sprint(name)] == nil {
			t.Errorf("%s requires %v, which is not described", at, name)
		}
	}
	for name, value := range properties {
		if inner, ok := value.(map[string]any); ok {
			checkSchema(t, at+"."+name, inner)
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		checkSchema(t, at+"[]", items)
	}
}

// TestDocsPage: the page shows every operation and every type, and needs nothing that
// its policy forbids.
func TestDocsPage(t *testing.T) {
	r := newRig(t)
	answer := r.send(http.MethodGet, "/docs", "")
	page := string(answer.body)
	if answer.status != http.StatusOK || !strings.HasPrefix(answer.header.Get("Content-Type"), "text/html") {
		t.Fatalf("%d %v", answer.status, answer.header)
	}
	policy := answer.header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") {
		t.Errorf("policy %s", policy)
	}
	for _, outside := range []string{"<script", "<img", "<link", " style=", "http://", "https://", "url(", "@import",
		"onclick"} {
		if strings.Contains(page, outside) {
			t.Errorf("the page has %s", outside)
		}
	}
	d := r.description()
	d.each(func(method, path string, op described) {
		if !strings.Contains(page, `id="`+op.OperationID+`"`) || !strings.Contains(page, path) {
			t.Errorf("%s %s is not on the page", method, path)
		}
	})
	for name := range d.Components.Schemas {
		if !strings.Contains(page, `id="type-`+name+`"`) {
			t.Errorf("type %s is not on the page", name)
		}
	}
	for _, m := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, `id="`+m[1]+`"`) {
			t.Errorf("a link leads to %s, which is not there", m[1])
		}
	}
	if !json.Valid(r.send(http.MethodGet, "/openapi.json", "").body) {
		t.Error("the description is no JSON")
	}
}

// TestQuestionsAreDescribed: what a reading asks for behind the question mark is in its
// description, and what it cannot do without is said to be required.
func TestQuestionsAreDescribed(t *testing.T) {
	d := newRig(t).description()
	want := map[string]map[string]bool{
		"get-bingo-scorecard": {"player": true, "auto": false, "marked": false},
		"get-held-card":       {"auto": false, "marked": false},
	}
	d.each(func(_, _ string, op described) {
		asked, ok := want[op.OperationID]
		if !ok {
			return
		}
		got := map[string]bool{}
		for _, p := range op.Parameters {
			if p.In == "query" {
				got[p.Name] = p.Required
			}
		}
		if !maps.Equal(got, asked) {
			t.Errorf("%s asks for %v, and its description says %v", op.OperationID, asked, got)
		}
		delete(want, op.OperationID)
	})
	if len(want) > 0 {
		t.Errorf("not described: %v", want)
	}
}
