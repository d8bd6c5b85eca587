//go:build unix

package bench

import (
	"syscall"
	"time"
)

// ownCPU returns the processor time that this process has used.
func ownCPU() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
