package house

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/serial"
	"drawhouse/house/person"
	"drawhouse/journal"
	"drawhouse/journal/keyfile"
	"drawhouse/journal/pkcs11"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// A KeyDir is a directory of keys: those that sign now, those that signed in earlier
// volumes and may be there still, and those that were made and are not in use yet.
// Which key is which volume's is not said by the names of files but by the journal,
// so that a change of keys that was broken off leaves a file and no doubt.
type KeyDir struct {
	dir     string
	signers []signerFile
	house   serial.Key // of all serials
	serials map[uint16]serial.Key
	given   InToken // the next keys of their kinds
	// personal are the keys of the register, of which a KeyDir knows no more than that they are there.
	personal []KeyFile
}

// Give has the next key of each kind be the one in a token.
func (d *KeyDir) Give(given InToken) { d.given = given }

type signerFile struct {
	file string
	keyfile.Key
}

// isOf reports whether a key is of a kind and in a token under a name.
func (s signerFile) isOf(kind, uri string) bool {
	is, _, _ := parseKeyFile(s.file)
	named, err := pkcs11.ParseURI(uri)
	return err == nil && is == kind && s.Token == named.String()
}

// The kinds of keys that can be exchanged for others.
const (
	HouseKey  = "house"
	DeviceKey = "device"
	// LogKey is the kind of the key of a public log. A file of this kind has the number of the log.
	LogKey = "log"
	// PersonalKey is the kind of a key that the register of people is sealed under (package person,
	// which reads them). It signs nothing and belongs to no volume: its file has a number of its own.
	PersonalKey = "personal"
)

// ReadKeyDir reads the keys of a directory.
func ReadKeyDir(dir string) (*KeyDir, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("house: keys: %w", err)
	}
	d := &KeyDir{dir: dir, serials: map[uint16]serial.Key{}}
	if d.house, err = readSerialKey(filepath.Join(dir, serialHouseKeyFile)); err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if err := d.read(entry.Name()); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// read takes up a file if it is one of a key.
func (d *KeyDir) read(file string) error {
	if number, ok := person.IsKeyFile(file); ok {
		// A house sells without its register. So a key of it that cannot be read is not told here.
		data, err := os.ReadFile(filepath.Join(d.dir, file))
		if err != nil {
			return fmt.Errorf("house: keys: %w", err)
		}
		d.personal = append(d.personal, KeyFile{File: file, Kind: PersonalKey, Volume: uint16(number),
			Commitment: sha256.Sum256(data)})
		return nil
	}
	kind, volume, ok := parseKeyFile(file)
	if !ok {
		return nil
	}
	path := filepath.Join(d.dir, file)
	if kind == "serial" {
		key, err := readSerialKey(path)
		d.serials[volume] = key
		return err
	}
	key, err := keyfile.Read(path)
	if err != nil {
		return fmt.Errorf("house: keys: %w", err)
	}
	d.signers = append(d.signers, signerFile{file, key})
	return nil
}

// parseKeyFile reads the name of a key's file: its kind, and the volume that it was
// made for.
func parseKeyFile(file string) (kind string, volume uint16, ok bool) {
	name, ok := strings.CutSuffix(file, ".key")
	if !ok || file == serialHouseKeyFile {
		return "", 0, false
	}
	if number, ok := strings.CutPrefix(name, LogKey+"-"); ok {
		n, err := strconv.ParseUint(number, 10, 16)
		return LogKey, uint16(n), err == nil && n > 0 && strconv.FormatUint(n, 10) == number
	}
	kind, number, ok := strings.Cut(name, "-volume-")
	if !ok && (kind == HouseKey || kind == DeviceKey) {
		return kind, store.FirstVolume, true
	}
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil || strconv.FormatUint(n, 10) != number || n == 0 || n > serial.MaxVolume {
		return "", 0, false
	}
	return kind, uint16(n), kind == HouseKey || kind == DeviceKey || kind == "serial"
}

func keyFileName(kind string, volume uint16) string {
	if kind == LogKey {
		return fmt.Sprintf("%s-%d.key", kind, volume)
	}
	return fmt.Sprintf("%s-volume-%d.key", kind, volume)
}

// founding returns the keys that a house begins with.
func (d *KeyDir) founding() (Keys, error) {
	v := record.VolumeBegun{Volume: store.FirstVolume}
	for _, s := range d.signers {
		switch s.file {
		case houseKeyFile:
			v.HouseKey = s.Verifier
		case deviceKeyFile:
			v.DeviceKey = s.Verifier
		}
	}
	return d.For(v)
}

// For returns the keys of a volume as the journal names them. A signer that is not
// at hand is nil, and its verifier the journal's: such a house can be read, and a
// volume with another key can be begun.
func (d *KeyDir) For(v record.VolumeBegun) (Keys, error) {
	k := Keys{HouseVerifier: v.HouseKey, DeviceVerifier: v.DeviceKey, Earlier: map[string]journal.Signer{},
		Logs: map[string]journal.Signer{}, commitments: map[uint16]record.Hash{}}
	for _, s := range d.signers {
		switch kind, volume, _ := parseKeyFile(s.file); {
		case kind == HouseKey && volume < v.Volume:
			k.Earlier[s.Verifier] = s.Signer
		case kind == LogKey:
			k.Logs[s.Verifier] = s.Signer
		}
		switch s.Verifier {
		case v.HouseKey:
			k.House = s.Signer
		case v.DeviceKey:
			k.Device = s.Signer
		}
	}
	for volume, key := range d.serials {
		k.commitments[volume] = serialCommitment(d.house, key)
	}
	k.SerialKey = k.commitments[v.Volume]
	var err error
	k.Serials, err = serial.NewKeyring(d.house, d.serials)
	return k, err
}

// Newest returns the greatest volume for which there is a key of any kind. It was
// begun, or was about to be.
func (d *KeyDir) Newest() uint16 {
	newest := uint16(0)
	for volume := range d.serials {
		newest = max(newest, volume)
	}
	for _, s := range d.signers {
		if kind, volume, _ := parseKeyFile(s.file); kind != LogKey {
			newest = max(newest, volume)
		}
	}
	return newest
}

// Signer makes a key of a kind for a volume, or takes the one that was made for it
// before the volume began. Name is that of the house. The key of a public log is made for the number of the log.
func (d *KeyDir) Signer(kind, name string, volume uint16, entropy io.Reader) (journal.Signer, string, error) {
	file := keyFileName(kind, volume)
	if i := slices.IndexFunc(d.signers, func(s signerFile) bool { return s.file == file }); i >= 0 {
		if uri := d.given[kind]; uri != "" && !d.signers[i].isOf(kind, uri) {
			return nil, "", fmt.Errorf("house: %s is there from an earlier try, and is another key than %s; take the file away if nothing was signed with it", file, uri)
		}
		return d.signers[i].Signer, d.signers[i].Verifier, nil
	}
	switch kind {
	case DeviceKey:
		name += "/device"
	case LogKey:
		name = journal.LogOrigin(name, volume)
	}
	text, err := keyText(d.given, kind, name, entropy)
	if err == nil {
		others := map[string]string{}
		for _, s := range d.signers {
			others[s.Verifier] = s.file
		}
		_, err = apart(others, file, text)
	}
	if err != nil {
		return nil, "", fmt.Errorf("house: %s: %w", file, err)
	}
	if err := d.write(file, text); err != nil {
		return nil, "", err
	}
	s := d.signers[len(d.signers)-1]
	return s.Signer, s.Verifier, nil
}

// NextSerials makes the serial key of a volume, or takes the one that was made for it
// before the volume began, and returns the keyring with it and what commits to it.
func (d *KeyDir) NextSerials(volume uint16, entropy io.Reader) (*serial.Keyring, record.Hash, error) {
	if _, ok := d.serials[volume]; !ok {
		var key serial.Key
		if _, err := io.ReadFull(entropy, key[:]); err != nil {
			return nil, record.Hash{}, fmt.Errorf("house: the serial key of volume %d: %w", volume, err)
		}
		if err := d.write(keyFileName("serial", volume), hex.EncodeToString(key[:])+"\n"); err != nil {
			return nil, record.Hash{}, err
		}
	}
	ring, err := serial.NewKeyring(d.house, d.serials)
	return ring, serialCommitment(d.house, d.serials[volume]), err
}

// Next returns the keys of a volume that follows another: its own serial key, new
// signing keys of the kinds that are named, and the old ones of the others. Files that
// an earlier try has made are taken up.
func (d *KeyDir) Next(before record.VolumeBegun, volume uint16, entropy io.Reader, kinds ...string) (Keys, error) {
	next := record.VolumeBegun{Volume: volume, HouseKey: before.HouseKey, DeviceKey: before.DeviceKey}
	for _, kind := range kinds {
		_, verifier, err := d.Signer(kind, before.House, volume, entropy)
		if err != nil {
			return Keys{}, err
		}
		if kind == HouseKey {
			next.HouseKey = verifier
		} else {
			next.DeviceKey = verifier
		}
	}
	if _, _, err := d.NextSerials(volume, entropy); err != nil {
		return Keys{}, err
	}
	return d.For(next)
}

// write adds a file to the directory, whole or not at all, and reads it.
func (d *KeyDir) write(file, text string) error {
	path := filepath.Join(d.dir, file)
	unfinished := path + ".new" // Of an earlier try, perhaps; nothing was signed with it.
	if err := os.Remove(unfinished); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("house: keys: %w", err)
	}
	if err := writeSecret(unfinished, text); err != nil {
		return err
	}
	if err := errors.Join(os.Rename(unfinished, path), syncDirectory(d.dir)); err != nil {
		return fmt.Errorf("house: keys: %w", err)
	}
	return d.read(file)
}

// A KeyFile is one key of a directory, without its secret.
type KeyFile struct {
	File   string
	Kind   string // house, device, log, serial or personal
	Volume uint16 // that it was made for, or the number of a public log or personal key; 0 for the key of all serials
	// Verifier is that of a signing key, and Commitment that of a serial key. Of a personal key the
	// latter tells two files apart.
	Verifier   string
	Commitment record.Hash
	// Token is the name of a signing key that a token holds, of which the file has no secret.
	Token string
}

// Files lists the keys, by kind and volume.
func (d *KeyDir) Files() []KeyFile {
	list := []KeyFile{{File: serialHouseKeyFile, Kind: "serial"}}
	for volume, key := range d.serials {
		list = append(list, KeyFile{File: keyFileName("serial", volume), Kind: "serial", Volume: volume,
			Commitment: serialCommitment(d.house, key)})
	}
	for _, s := range d.signers {
		kind, volume, _ := parseKeyFile(s.file)
		list = append(list, KeyFile{File: s.file, Kind: kind, Volume: volume, Verifier: s.Verifier,
			Token: s.Token})
	}
	list = append(list, d.personal...)
	slices.SortFunc(list, func(a, b KeyFile) int {
		return strings.Compare(fmt.Sprintf("%s %05d", a.Kind, a.Volume), fmt.Sprintf("%s %05d", b.Kind, b.Volume))
	})
	return list
}

// HouseSigners returns the house keys that are at hand, the newest first. Which of
// them signs now is said by the journal; who has lost that asks with one after the
// other.
func (d *KeyDir) HouseSigners() []journal.Signer {
	files := slices.DeleteFunc(slices.Clone(d.signers), func(s signerFile) bool {
		kind, _, _ := parseKeyFile(s.file)
		return kind != HouseKey
	})
	slices.SortFunc(files, func(a, b signerFile) int {
		_, x, _ := parseKeyFile(a.file)
		_, y, _ := parseKeyFile(b.file)
		return int(y) - int(x)
	})
	signers := make([]journal.Signer, len(files))
	for i, s := range files {
		signers[i] = s.Signer
	}
	return signers
}

// Prove has the key of a file sign something that says nothing.
func (d *KeyDir) Prove(file string) error {
	i := slices.IndexFunc(d.signers, func(s signerFile) bool { return s.file == file })
	if i < 0 {
		return fmt.Errorf("house: %s is no signing key", file)
	}
	return journal.Prove(d.signers[i].Signer, d.signers[i].Verifier)
}

// Copy writes the keys into a new directory, and reads them back.
func (d *KeyDir) Copy(to string) error {
	if err := os.Mkdir(to, 0o700); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("house: keys: %s is there already, and is never written over", to)
	} else if err != nil {
		return fmt.Errorf("house: keys: %w", err)
	}
	for _, f := range d.Files() {
		data, err := os.ReadFile(filepath.Join(d.dir, f.File))
		if err != nil {
			return fmt.Errorf("house: keys: %w", err)
		}
		if err := writeSecret(filepath.Join(to, f.File), string(data)); err != nil {
			return err
		}
	}
	if err := errors.Join(syncDirectory(to), syncDirectory(filepath.Dir(to))); err != nil {
		return fmt.Errorf("house: keys: %w", err)
	}
	again, err := ReadKeyDir(to)
	if err == nil && !slices.Equal(again.Files(), d.Files()) {
		err = fmt.Errorf("house: the keys in %s are not those in %s", to, d.dir)
	}
	return err
}

// KeysOf reads the keys of the volume that a journal is in. New ones are made only for
// a journal without records: beside others they would sign for somebody else.
func KeysOf(ctx context.Context, stored store.Reader, dir, name string, entropy io.Reader) (Keys, error) {
	volumes, err := Volumes(ctx, stored)
	if err != nil {
		return Keys{}, err
	}
	if len(volumes) == 0 {
		return OpenKeys(dir, name, entropy)
	}
	d, err := ReadKeyDir(dir)
	if err != nil {
		return Keys{}, err
	}
	return d.For(volumes[len(volumes)-1])
}

// Volumes reads the records that begin the volumes of a journal.
func Volumes(ctx context.Context, stored store.Reader) ([]record.VolumeBegun, error) {
	heads, err := stored.Volumes(ctx)
	if err != nil {
		return nil, err
	}
	var volumes []record.VolumeBegun
	for _, head := range heads {
		if head.Size == 0 {
			continue // The journal is empty.
		}
		data, err := stored.Record(ctx, record.Place{Volume: head.Volume})
		if err != nil {
			return nil, err
		}
		r, err := record.Decode(data)
		if err != nil {
			return nil, err
		}
		begun, ok := r.Body.(*record.VolumeBegun)
		if !ok {
			return nil, fmt.Errorf("house: volume %d begins with a record of %v", head.Volume, r.Kind())
		}
		volumes = append(volumes, *begun)
	}
	return volumes, nil
}
