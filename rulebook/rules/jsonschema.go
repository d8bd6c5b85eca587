package rules

import _ "embed"

// JSONSchema is the JSON Schema (draft 2020-12) of the file of a rulebook, whole or edition, for editors: keys,
// words, kinds of values and what they mean. It is made from the types and comments of the schema; what goes
// together [Load] checks.
//
//go:embed schema.json
var JSONSchema []byte
