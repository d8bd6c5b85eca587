package main

import (
	"bytes"

	"drawhouse/rulebook/rules"
)

// rulebookSchemaCmd prints the JSON Schema of rulebooks.
type rulebookSchemaCmd struct{}

// Help says what it is for.
func (*rulebookSchemaCmd) Help() string {
	return `An editor that knows JSON Schema completes keys and words of a rulebook and says what they mean.
With the YAML language server a file begins with
  # yaml-language-server: $schema=rulebook.schema.json`
}

// Run implements the command.
func (*rulebookSchemaCmd) Run(out *bytes.Buffer) error { //nolint:unparam // All commands return an error.
	out.Write(rules.JSONSchema)
	return nil
}
