//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// levelSignals returns where the signal arrives that changes the level of the log, and what ends that. A signal and not
// the operator's address: that has no password and only shows, and a witness or a device need not have one.
func levelSignals() (<-chan os.Signal, func()) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	return asked, func() { signal.Stop(asked) }
}
