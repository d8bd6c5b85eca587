// Package memory has the collector run less often where there is memory for it.
// TestMemoryOf proves that the limits of the machine and of its groups are found.
package memory

import (
	"bufio"
	"bytes"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// collectPercent is how much a house may allocate, in percent of what it holds, before the
// collector runs again. Customers wait while it does: it goes through every open ticket.
const collectPercent = 400

// Spend has the collector run less often, for memory that is there. Near half of the
// memory it runs as often as it must: where a house holds more than that, Go's own setting,
// which takes twice what is held, would have run out of it. What the environment says
// holds.
func Spend(log *slog.Logger) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	memory, ok := memoryOf(os.DirFS("/"))
	if !ok {
		return
	}
	debug.SetGCPercent(collectPercent)
	debug.SetMemoryLimit(memory / 2)
	log.Debug("memory for the collector", "percent", collectPercent, "limit", memory/2)
}

// memoryOf returns how many bytes of memory this process can have, by what Linux says of
// the machine and of the control groups that the process is in.
func memoryOf(root fs.FS) (int64, bool) {
	memory, ok := machineMemory(root)
	if !ok {
		return 0, false
	}
	groups, _ := fs.ReadFile(root, "proc/self/cgroup") // None, where the system has no groups.
	for line := range bytes.Lines(groups) {
		// hierarchy:controllers:path, and no controllers in the second version.
		_, rest, _ := strings.Cut(strings.TrimSpace(string(line)), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		switch controllers {
		case "":
			memory = min(memory, groupLimit(root, "sys/fs/cgroup", group, "memory.max"))
		case "memory":
			memory = min(memory, groupLimit(root, "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"))
		}
	}
	return memory, memory > 0
}

// machineMemory reads "MemTotal: 24682740 kB".
func machineMemory(root fs.FS) (int64, bool) {
	file, err := root.Open("proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) == 3 && words[0] == "MemTotal:" && words[2] == "kB" {
			kilobytes, err := strconv.ParseInt(words[1], 10, 64)
			return kilobytes << 10, err == nil && kilobytes > 0 && kilobytes < math.MaxInt64>>10
		}
	}
	return 0, false
}

// groupLimit returns the least limit of a group and of those above it. A group that says
// nothing, or "max", sets none.
func groupLimit(root fs.FS, mount, group, name string) int64 {
	least := int64(math.MaxInt64)
	for at := path.Join("/", group); ; at = path.Dir(at) {
		said, _ := fs.ReadFile(root, path.Join(mount, at, name))
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(said)), 10, 64); err == nil && limit > 0 {
			least = min(least, limit)
		}
		if at == "/" {
			return least
		}
	}
}
