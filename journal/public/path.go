package public

import (
	"fmt"
	"strconv"
	"strings"
)

// The paths of C2SP tlog-tiles.

// TilePath returns the path of a tile of hashes; width is that of a partial one, and 0 of a full one.
func TilePath(level uint8, index uint64, width int) string {
	return fmt.Sprintf("tile/%d/%s", level, indexPath(index, width))
}

// BundlePath returns the path of a bundle of entries.
func BundlePath(index uint64, width int) string { return "tile/entries/" + indexPath(index, width) }

// indexPath writes an index in groups of three digits, all but the last behind an x.
func indexPath(index uint64, width int) string {
	text := fmt.Sprintf("%03d", index%1000)
	for index /= 1000; index > 0; index /= 1000 {
		text = fmt.Sprintf("x%03d/%s", index%1000, text)
	}
	if width > 0 {
		text += fmt.Sprintf(".p/%d", width)
	}
	return text
}

// Part is what a path names: a tile of hashes, or a bundle of entries.
type Part struct {
	Entries bool
	Level   uint8
	Index   uint64
	Width   int // of a partial one; 0 for a full one
}

// Path returns the path of the part.
func (p Part) Path() string {
	if p.Entries {
		return BundlePath(p.Index, p.Width)
	}
	return TilePath(p.Level, p.Index, p.Width)
}

// maxLevel is the highest level of tiles of any log.
const maxLevel = 7

// ParsePath reads a path.
func ParsePath(path string) (Part, error) {
	fail := fmt.Errorf("public: %q is not the path of a tile", path[:min(len(path), 80)])
	rest, ok := strings.CutPrefix(path, "tile/")
	first, index, ok2 := strings.Cut(rest, "/")
	if !ok || !ok2 {
		return Part{}, fail
	}
	p := Part{Entries: first == "entries"}
	if !p.Entries {
		level, err := strconv.ParseUint(first, 10, 8)
		if err != nil || level > maxLevel {
			return Part{}, fail
		}
		p.Level = uint8(level)
	}
	if whole, width, partial := strings.Cut(index, ".p/"); partial {
		n, err := strconv.ParseUint(width, 10, 8)
		if err != nil || n == 0 {
			return Part{}, fail
		}
		index, p.Width = whole, int(n)
	}
	groups := strings.Split(index, "/")
	if len(groups) > 6 {
		return Part{}, fail
	}
	for i, group := range groups {
		n, err := strconv.ParseUint(strings.TrimPrefix(group, "x"), 10, 64)
		if err != nil || n > 999 || (i < len(groups)-1) != strings.HasPrefix(group, "x") {
			return Part{}, fail
		}
		p.Index = 1000*p.Index + n
	}
	if p.Path() != path {
		return Part{}, fail
	}
	return p, nil
}
