package drawhouse

import (
	"embed"
	"io/fs"
)

// otherSources are files of packages that are no critical parts and have functions that name clauses.
//
//go:embed books/report/*.go edge/api/*.go house/*.go house/live/*.go house/timetable/*.go receipt/*.go
var otherSources embed.FS

// Sources returns the files of every package in which a function names a clause, as they were when the program was
// built.
func Sources() []fs.FS { return []fs.FS{sources, otherSources} }

// Documents are the documents of this build, and the scripts that they tell a laboratory to run, by their paths in the
// source.
//
//go:embed README.md CHANGELOG.md LICENSE docs/*.md scripts/reproduce.sh scripts/release.sh scripts/lab.sh
var Documents embed.FS
