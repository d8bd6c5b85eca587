//go:build unix

package monitor

import "syscall"

// freeBytes returns how much somebody without privileges may still write where a path
// is.
func freeBytes(path string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return 0, err
	}
	return s.Bavail * uint64(s.Bsize), nil
}
