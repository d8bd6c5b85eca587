package house

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"drawhouse/journal/store/sqlite"
)

// told begins a line that says what is public.
const told = "public "

// The calls that a disk is made again from.
const (
	callWrite    = "write"
	callTruncate = "truncate"
	callSync     = "sync"
	callSyncDir  = "sync of the directory"
	callRemove   = "remove"
	callTell     = "tell" // Not one of the disk: somebody was told a checkpoint.
)

// event is one call, as it was recorded.
type event struct {
	call   string
	file   string // its name in the data directory
	offset int64  // of a write, and the length of a truncation
	data   []byte
}

// sector is how much a disk writes whole.
const sector = 512

// image is what the files of a data directory hold.
type image map[string][]byte

// disk is a disk with a cache: what was written and not synchronised may be lost, in
// any part. A file's name lasts when its directory was synchronised.
type disk struct {
	now, synced image
	named       map[string]bool // files whose names last
	pending     []event         // writes since the last fsync of their file
	public      []byte          // the last checkpoint that anybody was told
}

func newDisk() *disk { return &disk{now: image{}, synced: image{}, named: map[string]bool{}} }

// dirty reports whether a power failure now would lose anything.
func (d *disk) dirty() bool { return len(d.pending) > 0 }

func (d *disk) apply(e event) {
	switch e.call {
	case callWrite, callTruncate:
		if _, ok := d.now[e.file]; !ok {
			d.synced[e.file] = nil
		}
		d.now[e.file] = change(d.now[e.file], e)
		d.pending = append(d.pending, e)
	case callSync:
		d.synced[e.file] = slices.Clone(d.now[e.file])
		d.pending = slices.DeleteFunc(d.pending, func(p event) bool { return p.file == e.file })
	case callSyncDir:
		clear(d.named)
		for name := range d.now {
			d.named[name] = true
		}
	case callRemove:
		// The name may come back until the directory is synchronised, and what was
		// synchronised of the file with it.
		delete(d.now, e.file)
		d.pending = slices.DeleteFunc(d.pending, func(p event) bool { return p.file == e.file })
	}
}

// change returns a file after a write or a truncation.
func change(data []byte, e event) []byte {
	data = slices.Clone(data)
	if e.call == callTruncate {
		if int64(len(data)) > e.offset {
			return data[:e.offset]
		}
		return append(data, make([]byte, e.offset-int64(len(data)))...)
	}
	if end := e.offset + int64(len(e.data)); int64(len(data)) < end {
		data = append(data, make([]byte, end-int64(len(data)))...)
	}
	copy(data[e.offset:], e.data)
	return data
}

// durable is a disk that has lost everything it may lose.
func (d *disk) durable() image {
	left := image{}
	for name, data := range d.synced {
		if d.named[name] {
			left[name] = data
		}
	}
	return left
}

// current is a disk that has lost nothing.
func (d *disk) current() image { return maps.Clone(d.now) }

// torn is a disk that has kept some sectors of what it may lose, in no order.
func (d *disk) torn(random *rand.Rand) image {
	left := image{}
	for name := range d.now {
		if d.named[name] || random.IntN(2) == 0 {
			left[name] = d.synced[name]
		}
	}
	for _, e := range d.pending {
		if _, ok := left[e.file]; !ok || e.call == callTruncate && random.IntN(2) == 0 {
			continue
		}
		if e.call == callTruncate {
			left[e.file] = change(left[e.file], e)
			continue
		}
		for from := int64(0); from < int64(len(e.data)); {
			to := min(int64(len(e.data)), (e.offset+from)/sector*sector+sector-e.offset)
			if random.IntN(2) == 0 {
				left[e.file] = change(left[e.file], event{callWrite, e.file, e.offset + from, e.data[from:to]})
			}
			from = to
		}
	}
	return left
}

// recordWrites plays a house in a directory as a process of its own and returns what it
// wrote, synchronised and told, in order.
func recordWrites(t *testing.T, dir string) []event {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	trace := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command("strace", "-f", "-y", "-xx", "-s", "1000000", "-o", trace,
		"-e", "trace=pwrite64,write,ftruncate,fsync,fdatasync,unlink,unlinkat", self, "-test.run=^TestPlayedToBeCut$",
		"-test.count=1")
	cmd.Env = append(os.Environ(), playedIn+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil && bytes.Contains(out, []byte("ptrace")) {
		t.Skipf("strace cannot trace here: %s", out)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(trace)
	must(t, err)
	return parseTrace(t, data, dir)
}

var (
	unfinished = regexp.MustCompile(`^(\d+) +(.*) <unfinished \.\.\.>$`)
	resumed    = regexp.MustCompile(`^(\d+) +<\.\.\. \w+ resumed>(.*)$`)
	traced     = regexp.MustCompile(`^(\d+) +(\w+)\((.*)\) += (-?\d+)`)
	descriptor = regexp.MustCompile(`^(\d+|AT_FDCWD)<([^>]*)>`)
	quoted     = regexp.MustCompile(`"([^"]*)"`)
)

// parseTrace reads what strace wrote. A call that another thread's came in between of is
// put together, and counts when it ended.
func parseTrace(t *testing.T, data []byte, dir string) []event {
	t.Helper()
	var events []event
	begun := map[string]string{} // by thread
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		line := lines.Text()
		if m := unfinished.FindStringSubmatch(line); m != nil {
			begun[m[1]] = m[2]
			continue
		}
		if m := resumed.FindStringSubmatch(line); m != nil {
			line = m[1] + " " + begun[m[1]] + m[2]
		}
		m := traced.FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(m[4], "-") {
			continue // A signal, the end of a thread, or a call that failed.
		}
		if e, ok := parseCall(t, m[2], m[3], dir); ok {
			events = append(events, e)
		}
	}
	must(t, lines.Err())
	return events
}

// parseCall reads one call, if it is one of the journal's files or a word to others.
func parseCall(t *testing.T, call, args, dir string) (event, bool) {
	t.Helper()
	var file, text string
	if m := descriptor.FindStringSubmatch(args); m != nil {
		file = unescape(t, m[2])
	}
	if m := quoted.FindStringSubmatch(args); m != nil {
		text = unescape(t, m[1])
	}
	if call == "write" {
		line, ok := strings.CutPrefix(strings.TrimSpace(text), told)
		signed, err := base64.StdEncoding.DecodeString(line)
		return event{call: callTell, data: signed}, ok && err == nil && strings.HasPrefix(args, "1<")
	}
	if strings.HasPrefix(call, "unlink") {
		file = text
	}
	if file == dir {
		return event{call: callSyncDir}, call == "fsync"
	}
	name, ok := strings.CutPrefix(file, dir+string(filepath.Separator))
	if !ok || !strings.HasPrefix(name, sqlite.FileName) || strings.HasSuffix(name, "-shm") {
		return event{}, false
	}
	e := event{file: name, data: []byte(text)}
	last := args[strings.LastIndex(args, ",")+1:]
	switch call {
	case "pwrite64":
		e.call, e.offset = callWrite, number(t, last)
	case "ftruncate":
		e.call, e.offset = callTruncate, number(t, last)
	case "fsync", "fdatasync":
		e.call = callSync
	default:
		e.call = callRemove
	}
	return e, true
}

func number(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	must(t, err)
	return n
}

// unescape reads strace's form of bytes, all of them as \xNN, or a plain path.
func unescape(t *testing.T, text string) string {
	t.Helper()
	if !strings.HasPrefix(text, `\x`) {
		return text
	}
	out, err := hex.DecodeString(strings.ReplaceAll(text, `\x`, ""))
	must(t, err)
	return string(out)
}
