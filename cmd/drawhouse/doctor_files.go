package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"drawhouse/edge/certify"
	"drawhouse/edge/monitor"
	"drawhouse/house/person"
	"drawhouse/journal/store/sqlite"
)

// othersMay are the permissions that nobody but the owner of a secret should have.
const othersMay fs.FileMode = 0o077

// configuration looks at settings that nobody reads, and at those that do not go together.
func (x *examination) configuration() {
	unknown := x.settings.unknownVariables(x.model)
	for _, name := range unknown {
		x.warn(counsel{"A setting that is misspelt is not in force", "drawhouse config show lists the settings"},
			"%s is set in the environment and is no setting", name)
	}
	faults := 0
	_, device := drawsBy(x.Device)
	_, witness := x.witnessMembers()
	for _, err := range []error{device, witness, (&serveCmd{x.serveFlags}).check()} {
		if err != nil {
			faults++
			x.fail(counsel{"The house does not start with it", "Correct the setting"}, "%v", err)
		}
	}
	if len(unknown)+faults == 0 {
		from := "flags and environment alone"
		if x.settings.file != nil {
			from = x.settings.file.Name
		}
		x.ok("%s", from)
	}
}

// addresses looks at who can reach what.
func (x *examination) addresses() {
	good := true
	if x.AdminAddr != adminOff {
		switch reach, err := reachOf(x.AdminAddr); {
		case err != nil:
			good = false
			x.fail(counsel{"The house does not start with it", "Correct --admin-addr"}, "--admin-addr: %v", err)
		case reach == reachWorld:
			good = false
			x.fail(counsel{"The address of metrics and profiles has no password",
				"Have it listen at an address of the operator's own network, or at 127.0.0.1"},
				"everybody who reaches this machine reaches %s (--admin-addr)", x.AdminAddr)
		case reach == reachNet:
			x.warn(counsel{"The address of metrics and profiles has no password",
				"Make sure that nobody but the operator is in that network"},
				"the network of %s reaches it (--admin-addr)", x.AdminAddr)
		}
	}
	switch reach, err := reachOf(x.Addr); {
	case err != nil:
		good = false
		x.fail(counsel{"The house does not start with it", "Correct --addr"}, "--addr: %v", err)
	case reach != reachMachine && !x.secure() && !x.BehindTLS:
		good = false
		x.fail(counsel{"Passwords would go there in the clear, and the house does not start so",
			"Give --tls-cert and --tls-key, or --behind-tls if a proxy has them"},
			"%s can be reached from elsewhere (--addr)", x.Addr)
	}
	if good {
		x.ok("the house listens at %s, its operator at %s", x.Addr, x.AdminAddr)
	}
}

// reach is from where an address can be reached.
type reach int

const (
	reachMachine reach = iota // this machine alone
	reachNet                  // a private network
	reachWorld
)

// reachOf tells from an address to listen at from where it can be reached. A name is taken for
// one of a private network.
func reachOf(addr string) (reach, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return reachWorld, err
	}
	ip := net.ParseIP(host)
	switch {
	case host == "localhost" || ip != nil && ip.IsLoopback():
		return reachMachine, nil
	case host == "" || ip != nil && !ip.IsPrivate() && !ip.IsLinkLocalUnicast():
		return reachWorld, nil
	}
	return reachNet, nil
}

// files looks at who may read what is the house's alone.
func (x *examination) files() {
	info, err := os.Stat(x.Data)
	if err != nil || !info.IsDir() {
		x.fail(counsel{"It has the keys of the house", "Give --data"}, "%s is no directory that can be read: %v", x.Data, err)
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
	if x.Backups != "" {
		names = append(names, x.Backups)
		if registers, err := filepath.Glob(filepath.Join(x.Backups, "*"+peopleSuffix)); err == nil {
			names = append(names, registers...)
		}
	}
	good := true
	for _, name := range names {
		good = x.private(name) && good
	}
	if good {
		x.ok("what is the house's alone is its owner's alone")
	}
}

// private looks at the permissions of one file or folder. One that is not there is for the
// examination that needs it.
func (x *examination) private(name string) bool {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true
	case err != nil:
		x.fail(counsel{"The house has to read it", "Run the doctor as the user of the house, or correct the owner"}, "%v", err)
	case info.Mode().Perm()&othersMay == 0:
		return true
	case info.IsDir():
		x.warn(counsel{"Names of files tell something, and a file may be left open", "chmod 700 it"},
			"others on this machine may look into %s (%v)", name, info.Mode().Perm())
	default:
		x.fail(counsel{"Who reads a key signs in the name of the house", "chmod 600 it, and if others were there, exchange it"},
			"others on this machine may open %s (%v)", name, info.Mode().Perm())
	}
	return false
}

// disk looks at the room that is left.
func (x *examination) disk() {
	if err := monitor.CheckDisk(x.Data, x.DiskReserve<<20); err != nil {
		x.fail(counsel{"A full disk stops the house", "Make room, or move the data directory"}, "%v", err)
		return
	}
	x.ok("more than %d MiB are free at %s", x.DiskReserve, x.Data)
}

// certificate looks at how long the certificate is good, for which names, and who vouches for it.
func (x *examination) certificate() {
	if err := x.checkTLS(); err != nil {
		x.fail(counsel{"The house does not start with it", "Correct the setting"}, "%v", err)
		return
	}
	switch {
	case x.asks():
		x.asked()
	case x.secure():
		x.brought()
	}
}

// asked looks at a certificate that the house has from an authority.
func (x *examination) asked() {
	a := counsel{"Browsers and terminals refuse the house without a good one",
		"The house asks the authority again by itself; SIGHUP has it do so at once"}
	cert, last, err := x.acmeFolder().Read()
	if err != nil {
		x.warn(a, "%v", err)
		return
	}
	var leaf *x509.Certificate
	if cert != nil {
		leaf = cert.Leaf
	}
	if s := certify.StatusOf(leaf, x.Domains, last); x.lasts(s, a) {
		if last.Error != "" {
			x.warn(a, "%s; the last try to renew it, at %s, failed: %s", x.life(s), last.At.Format(time.RFC3339), last.Error)
			return
		}
		x.ok("%s", x.life(s))
	}
}

// brought looks at a certificate that somebody else renews.
func (x *examination) brought() {
	pair, err := tls.LoadX509KeyPair(x.TLSCert, x.TLSKey)
	if err != nil {
		x.fail(counsel{"The house does not start with it", "Give the certificate and the key that belongs to it"}, "%v", err)
		return
	}
	s := certify.StatusOf(pair.Leaf, nil, certify.Try{})
	good := x.lasts(s, counsel{"Browsers and terminals refuse it then", "Renew it; the house takes the new one by itself"})
	good = x.certificateNamed(pair.Leaf) && good
	good = x.certificateChain(&pair) && good
	if good {
		x.ok("%s", x.life(s))
	}
}

// lasts reports whether a certificate is in force for long enough, and says why not.
func (x *examination) lasts(s certify.Status, a counsel) bool {
	err := s.Check(x.now)
	switch {
	case errors.Is(err, certify.ErrUseless):
		x.fail(a, "%v", err)
	case err != nil && !s.Expires.IsZero():
		x.warn(a, "%v (%.0f days left)", err, x.daysOf(s))
	case err != nil:
		x.warn(a, "%v", err)
	}
	return err == nil
}

// life says how long a certificate is good.
func (x *examination) life(s certify.Status) string {
	return fmt.Sprintf("it was issued on %s and is good for %.0f days, until %s", s.Issued.Format(time.DateOnly), x.daysOf(s),
		s.Expires.Format(time.DateOnly))
}

func (x *examination) daysOf(s certify.Status) float64 { return s.Expires.Sub(x.now).Hours() / 24 }

// authority asks whether the authority of certificates is there.
func (x *examination) authority(ctx context.Context) {
	roots, err := x.roots()
	if err != nil || !x.asks() || x.checkTLS() != nil {
		return // The settings are blamed already, or it is not asked.
	}
	answer, err := x.askWith(ctx, certify.Client(roots), x.Directory)
	if err != nil {
		x.warn(counsel{"It gives no certificate meanwhile", "See whether it is away, and whether this machine reaches it"},
			"%s does not answer: %v", x.Directory, err)
		return
	}
	x.ok("%s answers", x.Directory)
	x.compareClocks(x.Directory, answer.at)
}

// certificateNamed holds the names by which the house is reached against those of the certificate.
func (x *examination) certificateNamed(leaf *x509.Certificate) bool {
	names := slices.Clone(x.Hosts)
	if at, err := url.Parse(x.House); err == nil && at.Scheme == "https" {
		names = append(names, at.Hostname())
	}
	good := true
	for _, name := range names {
		if err := leaf.VerifyHostname(name); err != nil {
			good = false
			x.fail(counsel{"Browsers and terminals refuse it under that name",
				"Have a certificate made with all names of the house"}, "it is not for %s: %v", name, err)
		}
	}
	return good
}

// certificateChain asks whether those who know this machine's authorities come to one of them by
// what the file has. An authority of the operator's own is known to its machines and to no others.
func (x *examination) certificateChain(pair *tls.Certificate) bool {
	between := x509.NewCertPool()
	for _, data := range pair.Certificate[1:] {
		c, err := x509.ParseCertificate(data)
		if err != nil {
			x.fail(counsel{"Browsers and terminals refuse it", "Put the whole chain into the file, the house's own first"},
				"a certificate behind the first cannot be read: %v", err)
			return false
		}
		between.AddCert(c)
	}
	_, err := pair.Leaf.Verify(x509.VerifyOptions{Intermediates: between,
		CurrentTime: pair.Leaf.NotBefore.Add(time.Second)})
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &unknown) && len(pair.Certificate) == 1 && !bytes.Equal(pair.Leaf.RawIssuer, pair.Leaf.RawSubject):
		x.warn(counsel{"Browsers that have not seen the authority between refuse it",
			"Put the whole chain into the file, the house's own certificate first"},
			"the file has one certificate, whose issuer %s this machine does not know", pair.Leaf.Issuer)
	case err != nil:
		x.warn(counsel{"Browsers and terminals that do not know its authority refuse it",
			"Give them the authority, or have the certificate made by one that everybody knows"},
			"this machine knows nobody who vouches for it: %v", err)
	}
	return err == nil
}

// sameDisk warns of what is kept beside the journal that it is to outlive.
func (x *examination) sameDisk(what, name string) bool {
	if x.Database != "" || !onOneDisk(x.Data, name) {
		return false
	}
	x.warn(counsel{"What takes the disk takes both", "Keep it on another disk or machine"},
		"%s, %s, is on the disk of the journal", what, name)
	return true
}

// device asks a generator in a process of its own.
func (x *examination) device(ctx context.Context) {
	drawn, err := drawsBy(x.Device)
	if err != nil || drawn.address == "" {
		return // The configuration is blamed already, or the device is in the house.
	}
	r := x.opened(ctx)
	if r.keys == nil || len(r.volumes) == 0 {
		return // It answers the key of the house alone, which is missing.
	}
	now := r.volumes[len(r.volumes)-1]
	keys, err := r.keys.For(now)
	if err != nil || keys.House == nil {
		return // As above.
	}
	ctx, cancel := context.WithTimeout(ctx, examining)
	defer cancel()
	if _, err := dialDevice(ctx, drawn.address, &keys); err != nil {
		x.fail(counsel{"Games close and are not drawn", "Start it, or say where it listens (--device)"}, "%v", err)
		return
	}
	if keys.DeviceVerifier != now.DeviceKey {
		x.fail(counsel{"The house takes no numbers from it",
			"Start the device that has the key of the journal, or exchange the key: drawhouse keys rotate device --device-key"},
			"the device at %s has the key %s, and the journal names %s", drawn.address, keyID(keys.DeviceVerifier),
			keyID(now.DeviceKey))
		return
	}
	x.ok("the device at %s answers, with the key %s", drawn.address, keyID(now.DeviceKey))
}

// newestBackup returns the newest backup of a journal in a folder, or "" for none. A
// file that begins as a backup does is one.
func newestBackup(dir string) (name string, at time.Time, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("the folder of backups: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || filepath.Ext(e.Name()) == peopleSuffix ||
			!info.ModTime().After(at) || !isBackup(path) {
			continue
		}
		name, at = path, info.ModTime()
	}
	return name, at, nil
}
