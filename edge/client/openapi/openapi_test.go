package openapi

import (
	"net/http"
	"testing"
)

const small = `{
	"paths": {"/v1/x/{n}": {"post": {"operationId": "x", "summary": "X", "x-access": ["writer"],
		"parameters": [{"name": "n", "in": "path", "required": true, "schema": {"type": "integer"}}],
		"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Body"}}}}}}},
	"components": {"schemas": {"Body": {"properties": {"a": {"type": ["string", "null"]}}}}}
}`

// TestRead reads an operation with its body, and the type of a value that may be null.
func TestRead(t *testing.T) {
	d, err := Read([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	all := d.Operations()
	if len(all) != 1 || all[0].Method != http.MethodPost || all[0].Path != "/v1/x/{n}" || all[0].Access[0] != "writer" {
		t.Fatalf("%+v", all)
	}
	body := d.Resolve(all[0].RequestBody.Content["application/json"].Schema)
	if body == nil || body.Properties["a"].Kind() != "string" {
		t.Errorf("%+v", body)
	}
}

// FuzzRead: whatever is read, its operations and bodies can be looked at.
func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`{"paths":{"/":{"get":{"parameters":[{}]}}}}`))
	f.Fuzz(func(_ *testing.T, data []byte) {
		d, err := Read(data)
		if err != nil {
			return
		}
		for _, op := range d.Operations() {
			if op.RequestBody == nil {
				continue
			}
			for _, m := range op.RequestBody.Content {
				if body := d.Resolve(m.Schema); body != nil {
					_ = body.Kind()
				}
			}
		}
	})
}
