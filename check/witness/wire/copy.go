package wire

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"drawhouse/journal"
	"drawhouse/journal/public"
)

// A custodian serves its copy of the public log below the address at which monitors read what it has cosigned, so that
// other followers, and a house that has lost entries, have them byte for byte. The entries themselves are in the book.

// quorumPath is where a custodian has the newest checkpoint with the cosignatures of its policy.
const quorumPath = "quorum"

// copyIndex says where the entries of a copy stand in the book. Any number of goroutines may use it.
type copyIndex struct {
	mu   sync.Mutex // guards what follows
	logs map[string]*copiedLog
	log  string // the hash of the one that grows
}

// copiedLog is where the entries of one log are.
type copiedLog struct {
	size  uint64
	lines []copiedLine
}

// copiedLine is a line of the book with entries from a number on.
type copiedLine struct {
	first uint64
	at    int64
}

// index notes a line of the book that has entries.
func (s *Server) index(at int64, entries [][]byte) {
	if len(entries) == 0 {
		return
	}
	x := &s.copies
	x.mu.Lock()
	defer x.mu.Unlock()
	if e, err := public.Parse(entries[0]); err == nil && e.Kind == public.Begun {
		text, _, _ := strings.Cut(string(e.Note("note")), "\n\n")
		if body, err := journal.ParseLog(text + "\n"); err == nil {
			x.log = originHash(body.Origin)
		}
	}
	if x.logs == nil {
		x.logs = map[string]*copiedLog{}
	}
	if x.logs[x.log] == nil {
		x.logs[x.log] = &copiedLog{}
	}
	l := x.logs[x.log]
	l.lines = append(l.lines, copiedLine{l.size, at})
	l.size += uint64(len(entries))
}

// from returns the lines that have entries of a log from one number up to another, if the copy goes that far.
func (x *copyIndex) from(log string, first, end uint64) (lines []copiedLine, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	l := x.logs[log]
	if l == nil || end > l.size {
		return nil, false
	}
	i, found := slices.BinarySearchFunc(l.lines, first, func(line copiedLine, first uint64) int {
		return int(int64(line.first) - int64(first)) //nolint:gosec // Numbers of entries are small.
	})
	if !found {
		i--
	}
	for ; i < len(l.lines) && l.lines[i].first < end; i++ {
		lines = append(lines, l.lines[i])
	}
	return lines, true
}

// entriesOf reads entries of the copy of a log from the book; none where the copy does not go as far.
func (s *Server) entriesOf(log string, first, end uint64) (entries [][]byte, err error) {
	lines, ok := s.copies.from(log, first, end)
	if !ok {
		return nil, nil
	}
	for _, line := range lines {
		text, err := s.book.Line(line.at)
		if err != nil {
			return nil, err
		}
		var e entry
		if err := json.Unmarshal(text, &e); err != nil {
			return nil, err
		}
		for i, data := range e.Gate.Entries {
			if at := line.first + uint64(i); at >= first && at < end {
				entries = append(entries, data)
			}
		}
	}
	return entries, nil
}

// serveCopy answers with a bundle of the copy, or with the tile of its hashes. Tiles of higher levels follow from
// these.
func (s *Server) serveCopy(w http.ResponseWriter, r *http.Request) {
	part, err := public.ParsePath("tile/" + r.PathValue("part"))
	if err != nil || part.Level > 0 || part.Index > journal.MaxSize/public.BundleWidth {
		http.Error(w, "a copy has bundles of entries, and tiles of level 0", http.StatusNotFound)
		return
	}
	width := uint64(part.Width)
	if width == 0 {
		width = public.BundleWidth
	}
	first := part.Index * public.BundleWidth
	entries, err := s.entriesOf(r.PathValue("log"), first, first+width)
	switch {
	case err != nil:
		s.config.Log.Error("the copy of the log cannot be read", "error", err)
		http.Error(w, "the copy cannot be read", http.StatusInternalServerError)
		return
	case entries == nil:
		http.Error(w, "the copy does not go as far", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	if part.Entries {
		_, _ = w.Write(public.Bundle(entries)) // A client that is gone asks again.
		return
	}
	var hashes []byte
	for _, data := range entries {
		leaf := journal.LeafHash(data)
		hashes = append(hashes, leaf[:]...)
	}
	_, _ = w.Write(hashes)
}

// quorum answers with the newest checkpoint that had the cosignatures of the policy, with these.
func (s *Server) quorum(w http.ResponseWriter, r *http.Request) {
	if s.follower != nil {
		note := s.follower.Gate.Quorum()
		if c, err := journal.UnverifiedCheckpoint(note); err == nil && originHash(c.Origin) == r.PathValue("log") {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = w.Write(note) // A client that is gone asks again.
			return
		}
	}
	http.Error(w, "no checkpoint of that log with the cosignatures of the policy is known here", http.StatusNotFound)
}
