package clientgen

import (
	"strings"
	"testing"
)

// TestUnknownTypes: what the generator does not know it refuses, and does not guess.
func TestUnknownTypes(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":           `{`,
		"a type of schema":  `{"components":{"schemas":{"X":{"properties":{"a":{"type":"number"}}}}}}`,
		"a union":           `{"components":{"schemas":{"X":{"properties":{"a":{"type":["string","integer"]}}}}}}`,
		"a list of numbers": `{"components":{"schemas":{"X":{"properties":{"a":{"type":"array","items":{"type":"number"}}}}}}}`,
		"a parameter":       `{"paths":{"/x":{"get":{"operationId":"x","summary":"X","parameters":[{"name":"a","in":"path","schema":{"type":"number"}}]}}}}`,
	} {
		if _, err := Generate([]byte(text)); err == nil || !strings.Contains(err.Error(), "clientgen") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
