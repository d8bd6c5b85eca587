package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// othersWrite are the permissions by which others exchange what lies in a directory.
const othersWrite = 0o022

// checkSecret refuses a file of a secret that others on this machine may open: anybody who has
// read the key signs in the name of its owner. A file that is not there is no matter here.
func checkSecret(path string) error {
	info, err := statOf(path)
	if err != nil || info == nil || info.Mode().Perm()&othersMay == 0 {
		return err
	}
	return fmt.Errorf("others on this machine can read %s (%v); chmod 600 %s, and exchange the key if others were on this machine", path, info.Mode().Perm(), path)
}

// checkSecretDir refuses a directory of secrets in which others may put files of their own.
func checkSecretDir(dir string) error {
	info, err := statOf(dir)
	if err != nil || info == nil || info.Mode().Perm()&othersWrite == 0 || info.Mode()&os.ModeSticky != 0 {
		return err
	}
	return fmt.Errorf("others on this machine can exchange the files in %s (%v); chmod 700 %s", dir, info.Mode().Perm(),
		dir)
}

// statOf looks at a file; nil means that there is none, or that this system knows no such
// permissions.
func statOf(path string) (fs.FileInfo, error) {
	if runtime.GOOS == "windows" {
		return nil, nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return info, err
}

// checkSecrets refuses to run a house whose keys are not its owner's alone.
func (f storageFlags) checkSecrets() error {
	for _, dir := range []string{f.Data, f.keysOf()} {
		if err := checkSecretDir(dir); err != nil {
			return misused("--data", err)
		}
	}
	keys, err := filepath.Glob(filepath.Join(f.keysOf(), "*.key"))
	if err != nil {
		return misused("--data", err)
	}
	for _, key := range keys {
		if err := checkSecret(key); err != nil {
			return misused("--data", err)
		}
	}
	return nil
}
