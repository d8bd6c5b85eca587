package record

// BuildNamed says which program writes the journal from now on, and so draws and settles. A writer says
// so before it takes commands, where the program is another one than the journal has named last.
type BuildNamed struct {
	_     struct{} `cbor:",toarray"`
	Build string   `is:"name"` // version of the program, one line
	// Binary is the SHA-256 of the program's file.
	Binary Hash `is:"hash"`
}

func (*BuildNamed) check() error { return nil }
