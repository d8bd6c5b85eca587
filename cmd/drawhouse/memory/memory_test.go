package memory

import (
	"testing"
	"testing/fstest"
)

func TestMemoryOf(t *testing.T) {
	const machine = "MemTotal:       16384 kB\nMemFree:        1024 kB\n"
	tests := []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"a machine alone", map[string]string{"proc/meminfo": machine}, 16 << 20},
		{"a group without a limit", map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/house\n",
			"sys/fs/cgroup/house/memory.max": "max\n"}, 16 << 20},
		{"a group with less", map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/house\n",
			"sys/fs/cgroup/house/memory.max": "4194304\n"}, 4 << 20},
		{"a group with more", map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/house\n",
			"sys/fs/cgroup/house/memory.max": "33554432\n"}, 16 << 20},
		{"a group above with less", map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "0::/games/house\n",
			"sys/fs/cgroup/games/house/memory.max": "8388608\n", "sys/fs/cgroup/games/memory.max": "2097152\n",
		}, 2 << 20},
		{"a container's own root", map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "1048576\n"}, 1 << 20},
		{"groups of the first version", map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "4:memory:/house\n1:cpu:/house\n0::/\n",
			"sys/fs/cgroup/memory/house/memory.limit_in_bytes": "3145728\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":       "9223372036854771712\n",
		}, 3 << 20},
		{"another system", nil, 0},
		{"no total", map[string]string{"proc/meminfo": "MemFree: 1024 kB\n"}, 0},
		{"a total that is no number", map[string]string{"proc/meminfo": "MemTotal: much kB\n"}, 0},
		{"a total too large", map[string]string{"proc/meminfo": "MemTotal: 9223372036854775807 kB\n"}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := fstest.MapFS{}
			for name, text := range test.files {
				root[name] = &fstest.MapFile{Data: []byte(text)}
			}
			got, ok := memoryOf(root)
			if !ok {
				got = 0
			}
			if got != test.want {
				t.Errorf("%d bytes, want %d", got, test.want)
			}
		})
	}
}
