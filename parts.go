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
//go:embed core/figure/*.go core/digest/*.go core/ball/*.go core/day/*.go core/item/*.go core/money/*.go journal/*.go core/refusal/*.go
//go:embed games/draw/*.go games/draw/cage/*.go games/draw/remote/*.go games/beacon/*.go core/serial/*.go core/handover/*.go
//go:embed rulebook/*.go rulebook/rules/*.go core/ledger/*.go games/keno/*.go games/jackpot/*.go games/bingo/*.go
//go:embed journal/record/*.go journal/public/*.go games/settle/*.go decide/state/*.go
//go:embed decide/hall/*.go decide/counter/*.go decide/command/*.go decide/staff/*.go decide/game/*.go books/*.go decide/engine/*.go
//go:embed check/verify/*.go check/proof/*.go check/witness/*.go check/witness/wire/*.go check/witness/replay/*.go check/policy/*.go journal/logbook/*.go
var sources embed.FS

// A Part is a part of the program that decides about money or numbers, with the hash
// of its source.
type Part struct {
	Folder string
	Hash   string // SHA-256, in hexadecimal
}

// Parts returns the critical parts of this build. The hash of a part is the SHA-256
// of what sha256sum prints for its files but the tests, in the order of their names:
// anybody who has the source can work it out with
//
//	ls games/draw/*.go | grep -v _test.go | LC_ALL=C sort | xargs sha256sum | sha256sum
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
