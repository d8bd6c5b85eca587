package monitor

import (
	"context"
	"fmt"
)

// Disk checks that there is room where a path is. A full disk fails a commit, and a
// failed commit stops the house; so it says before that it is not ready.
func Disk(path string, reserve uint64) Check {
	return Check{"disk", func(context.Context) error { return CheckDisk(path, reserve) }}
}

// CheckDisk returns an error if less than reserve bytes are free where a path is.
func CheckDisk(path string, reserve uint64) error {
	free, err := freeBytes(path)
	if err == nil && free < reserve {
		err = fmt.Errorf("%d MiB are free at %s, and %d are to be", free>>20, path, reserve>>20)
	}
	return err
}
