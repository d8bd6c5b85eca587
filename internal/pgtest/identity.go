//go:build unix

package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// identity is whom to run the server as; nil is ourselves.
type identity struct{ uid, gid int }

// unprivileged returns somebody whom PostgreSQL agrees to run as.
func unprivileged() (*identity, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, uidErr := strconv.Atoi(u.Uid)
			gid, gidErr := strconv.Atoi(u.Gid)
			return &identity{uid, gid}, errors.Join(uidErr, gidErr)
		}
	}
	return nil, fmt.Errorf("%w: we are root, and there is neither a user postgres nor nobody", errMissing)
}

// attributes are those of a process of the identity. It has a group of its own, so
// that an interrupt at the keyboard is ours alone.
func (i *identity) attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true}
	if i != nil {
		a.Credential = &syscall.Credential{Uid: uint32(i.uid), Gid: uint32(i.gid)}
	}
	return a
}
