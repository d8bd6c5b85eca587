package drawhouse

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// sources are the files of the critical parts, as they were when the program was
// built. The compiler reads them from the same folders as the code.
//
//go:embed figure/*.go ball/*.go day/*.go item/*.go money/*.go journal/*.go refusal/*.go
//go:embed draw/*.go draw/cage/*.go draw/remote/*.go serial/*.go
//go:embed rulebook/*.go rules/*.go ledger/*.go keno/*.go jackpot/*.go bingo/*.go
//go:embed record/*.go settle/*.go state/*.go
//go:embed hall/*.go counter/*.go command/*.go staff/*.go game/*.go books/*.go engine/*.go
//go:embed verify/*.go proof/*.go witness/*.go witness/wire/*.go witness/replay/*.go logbook/*.go
var sources embed.FS

// A Part is a part of the program that decides about money or numbers, with the hash
// of its source.
type Part struct {
	Folder string
	Hash   string // SHA-256, in hexadecimal
}

// Parts returns the critical parts of this build. The hash of a part is the SHA-256
// of what sha256sum prints for its files but the tests, in the order of their names:
// whoever has the source can work it out with
//
//	ls draw/*.go | grep -v _test.go | LC_ALL=C sort | xargs sha256sum | sha256sum
//
// A part with the same hash in two builds has the same source in both. That the
// program was made of that source, the hash cannot say: build it again, with the same
// Go and -trimpath, and compare the programs.
func Parts() ([]Part, error) {
	var parts []Part
	lists := map[string]*strings.Builder{}
	err := fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := sources.ReadFile(name)
		if err != nil {
			return err
		}
		folder := path.Dir(name)
		if lists[folder] == nil {
			lists[folder] = new(strings.Builder)
			parts = append(parts, Part{Folder: folder})
		}
		fmt.Fprintf(lists[folder], "%x  %s\n", sha256.Sum256(data), name)
		return nil
	})
	for i, p := range parts {
		sum := sha256.Sum256([]byte(lists[p.Folder].String()))
		parts[i].Hash = hex.EncodeToString(sum[:])
	}
	return parts, err
}
