//go:build !unix

package pgtest

import (
	"fmt"
	"syscall"
)

// identity is whom to run the server as.
type identity struct{ uid, gid int }

// unprivileged has nobody to offer: the server's keeper is a shell script.
func unprivileged() (*identity, error) {
	return nil, fmt.Errorf("%w: this is no Unix", errMissing)
}

func (*identity) attributes() *syscall.SysProcAttr { return nil }
