package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"drawhouse/core/figure"
	"drawhouse/edge/certify"
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
	if folder := x.acmeFolder(); x.asks() {
		names = append(names, string(folder), folder.AccountKey(), folder.Certificate())
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

// certificate looks at how long the certificate is good, and what the authority said last.
func (x *examination) certificate(ctx context.Context) {
	if err := x.checkTLS(); err != nil {
		x.fail("certificate", "%v; the house does not start with it", err)
		return
	}
	switch {
	case x.asks():
		x.authority(ctx)
		cert, last, err := x.acmeFolder().Read()
		if err != nil {
			x.warn("certificate", "%v; the house asks for another one", err)
			return
		}
		var leaf *x509.Certificate
		if cert != nil {
			leaf = cert.Leaf
		}
		x.stands(certify.StatusOf(leaf, x.Domains, last), "the house asks the authority again by itself; SIGHUP has it do so at once")
	case x.secure():
		pair, err := tls.LoadX509KeyPair(x.TLSCert, x.TLSKey)
		if err != nil {
			x.fail("certificate", "%v; the house does not start with it", err)
			return
		}
		x.stands(certify.StatusOf(pair.Leaf, nil, certify.Try{}), "renew it, the house takes the new one by itself")
	}
}

// stands tells how a certificate stands.
func (x *examination) stands(s certify.Status, remedy string) {
	left := s.Expires.Sub(x.now).Hours() / 24
	switch err := s.Check(x.now); {
	case errors.Is(err, certify.ErrUseless):
		x.fail("certificate", "%v; %s", err, remedy)
	case err != nil:
		x.warn("certificate", "%v; %s", err, remedy)
	case s.Last.Error != "":
		x.warn("certificate", "it was issued on %s and is good for %.0f days, until %s; the last try to renew it, at %s, failed: %s",
			s.Issued.Format(time.DateOnly), left, s.Expires.Format(time.DateOnly), s.Last.At.Format(time.RFC3339), s.Last.Error)
	default:
		x.ok("certificate", "it was issued on %s and is good for %.0f days, until %s", s.Issued.Format(time.DateOnly), left,
			s.Expires.Format(time.DateOnly))
	}
}

// authority asks whether the authority is there.
func (x *examination) authority(ctx context.Context) {
	roots, err := x.roots()
	if err != nil {
		return // The settings are blamed already.
	}
	if at, err := x.askWith(ctx, certify.Client(roots), x.Directory); err != nil {
		x.warn("authority", "%s does not answer, and gives no certificate meanwhile: %v", x.Directory, err)
	} else {
		x.ok("authority", "%s answers", x.Directory)
		x.compareClocks(x.Directory, at)
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
	n, err := person.CheckExport(f)
	if err != nil {
		x.fail("backups", "%s: %v; make another backup", name, err)
		return
	}
	x.ok("backups", "the register of people is in it, %s", figure.CountOf(n, "entry", "entries"))
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
