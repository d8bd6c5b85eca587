package main

// rulebookCmd groups the commands about rulebooks.
type rulebookCmd struct {
	List   rulebookListCmd   `cmd:"" help:"List the built-in rulebooks."`
	Show   rulebookShowCmd   `cmd:"" help:"Show every value of a rulebook with its clause."`
	Check  rulebookCheckCmd  `cmd:"" help:"Find every fault of a rulebook file."`
	Diff   rulebookDiffCmd   `cmd:"" help:"Show in which values two rulebooks differ."`
	New    rulebookNewCmd    `cmd:"" help:"Write a small rulebook to go on from."`
	Schema rulebookSchemaCmd `cmd:"" help:"Print the JSON Schema of rulebooks, for editors."`
}
