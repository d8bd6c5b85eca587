//go:build !unix

package main

import "os"

// levelSignals returns nothing: such a system has no signal for it.
func levelSignals() (<-chan os.Signal, func()) { return nil, func() {} }
