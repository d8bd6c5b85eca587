package main

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"drawhouse/core/figure"
	"drawhouse/house/person"
	"drawhouse/journal/store/sqlite"
)

// othersMay are the permissions that nobody but the owner of a secret should have.
const othersMay fs.FileMode = 0o077

// files looks at who may read what is the house's alone.
func (x *examination) files() {
	info, err := os.Stat(x.Data)
	if err != nil || !info.IsDir() {
		x.fail("files", "%s is no directory that can be read: %v; give --data", x.Data, err)
		return
	}
	names := []string{x.Data, x.keysOf()}
	if keys, err := filepath.Glob(filepath.Join(x.keysOf(), "*.key")); err == nil {
		names = append(names, keys...)
	}
	if x.Database == "" {
		names = append(names, filepath.Join(x.Data, sqlite.FileName), filepath.Join(x.Data, person.FileName))
	}
	if x.TLSKey != "" {
		names = append(names, x.TLSKey)
	}
	open := 0
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // The part that needs the file says so.
		case err != nil:
			x.fail("files", "%v", err)
		case info.Mode().Perm()&othersMay != 0 && !info.IsDir():
			open++
			x.fail("files", "others on this machine may open %s (%v); chmod 600 it, and if others were there, exchange it", name,
				info.Mode().Perm())
		case info.Mode().Perm()&othersMay != 0:
			open++
			x.warn("files", "others on this machine may look into %s (%v); chmod 700 it", name, info.Mode().Perm())
		}
	}
	if open == 0 {
		x.ok("files", "what is the house's alone is its owner's alone")
	}
}

// expiring is how long before its end a certificate is to be exchanged.
const expiring = 21 * 24 * time.Hour

// certificate looks at how long the certificate is good.
func (x *examination) certificate() {
	if !x.secure() {
		return
	}
	pair, err := tls.LoadX509KeyPair(x.TLSCert, x.TLSKey)
	if err != nil {
		x.fail("certificate", "%v; the house does not start with it", err)
		return
	}
	until := pair.Leaf.NotAfter
	switch left := until.Sub(x.now); {
	case left <= 0:
		x.fail("certificate", "it ended on %s; renew it, the house takes the new one by itself",
			until.Format(time.DateOnly))
	case left < expiring:
		x.warn("certificate", "it ends on %s; renew it, the house takes the new one by itself",
			until.Format(time.DateOnly))
	case x.now.Before(pair.Leaf.NotBefore):
		x.fail("certificate", "it begins on %s; is the clock right?", pair.Leaf.NotBefore.Format(time.DateOnly))
	default:
		x.ok("certificate", "it is good until %s", until.Format(time.DateOnly))
	}
}

// backups looks at the newest backup and at the register beside it.
func (x *examination) backups() {
	if x.Backups == "" {
		x.warn("backups", "nobody said where they are; make some (drawhouse backup) and give --backups")
		return
	}
	name, at, err := newestBackup(x.Backups)
	if err != nil {
		x.fail("backups", "%v", err)
		return
	}
	if name == "" {
		x.fail("backups", "there is none in %s; drawhouse backup makes one", x.Backups)
		return
	}
	if age := x.now.Sub(at); age > x.BackupAge {
		x.warn("backups", "the newest, %s, is %v old; %v is allowed", name, age.Round(time.Minute), x.BackupAge)
	} else {
		x.ok("backups", "the newest, %s, is %v old", name, age.Round(time.Minute))
	}
	x.peopleBackup(name + peopleSuffix)
}

// peopleBackup looks at the backup of the register.
func (x *examination) peopleBackup(name string) {
	f, err := os.Open(name)
	if err != nil {
		x.fail("backups", "the register of people is not beside the newest backup: %v; after a restore nobody could sign on",
			err)
		return
	}
	defer func() { _ = f.Close() }()
	n, err := person.CheckExport(f, x.keysOf())
	if err != nil {
		x.fail("backups", "%s: %v; make another backup", name, err)
		return
	}
	x.ok("backups", "the register of people is in it, %s", figure.CountOf(n.Entries, "entry", "entries"))
}

// newestBackup returns the newest backup of a journal in a folder, or "" for none. A
// file that begins as a backup does is one.
func newestBackup(dir string) (name string, at time.Time, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", time.Time{}, err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || strings.HasSuffix(e.Name(), peopleSuffix) ||
			!info.ModTime().After(at) || !isBackup(path) {
			continue
		}
		name, at = path, info.ModTime()
	}
	return name, at, nil
}
