package house

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"drawhouse/core/serial"
	"drawhouse/decide/engine"
	"drawhouse/house/person"
	"drawhouse/journal"
	"drawhouse/journal/keyfile"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Keys are the secrets with which a volume is written. Losing them ends the volume,
// so they are files that can be backed up apart from the database (KeyDir), or are
// held by something that never gives them away.
type Keys struct {
	House         journal.Signer // checkpoints and seals
	HouseVerifier string
	// Earlier are house keys of other volumes that are at hand, by their verifiers. They
	// sign what is asked for anew of a volume that has ended.
	Earlier map[string]journal.Signer
	// Logs are the keys of public logs that are at hand, by their verifiers.
	Logs map[string]journal.Signer
	// Device is the key of draws. It is a house's file only while the device runs
	// inside the house.
	Device         journal.Signer
	DeviceVerifier string
	Serials        *serial.Keyring // of all volumes
	SerialKey      record.Hash     // commits to the serial keys, see serialCommitment
	// commitments are those of all volumes whose keys are at hand.
	commitments map[uint16]record.Hash
}

// check reports keys that are not those that a volume was begun with. With the
// device's key of another house every number of a game would be shown and the game
// could not be finished; with other serial keys the tickets that were sold could
// not be found.
func (k *Keys) check(v record.VolumeBegun) error {
	switch {
	case k.House == nil:
		return fmt.Errorf("house: the house key %s is not at hand; restore its file, or begin a volume with another one",
			v.HouseKey)
	case v.HouseKey != k.HouseVerifier:
		return fmt.Errorf("house: the journal was begun with the house key %s, the key given is %s", v.HouseKey,
			k.HouseVerifier)
	case v.DeviceKey != k.DeviceVerifier:
		return fmt.Errorf("house: the volume was begun with the device key %s, and the device has %s; start the device that has the first, or begin a volume with the second (drawhouse keys rotate device --device-key)", v.DeviceKey, k.DeviceVerifier)
	case v.SerialKey != k.SerialKey:
		return errors.New("house: the serial keys are not those that the journal was begun with")
	}
	return nil
}

// checkEarlier reports a serial key that is not that of the volume it is kept for,
// and says of which volumes there is none: their tickets cannot be found by their
// serials, and everything else goes on.
func (k *Keys) checkEarlier(volumes []record.VolumeBegun) (missing []uint16, err error) {
	if k.commitments == nil {
		return nil, nil
	}
	for _, v := range volumes {
		switch have, ok := k.commitments[v.Volume]; {
		case !ok:
			missing = append(missing, v.Volume)
		case have != v.SerialKey:
			return nil, fmt.Errorf("house: the serial key of volume %d is not the one that it was begun with", v.Volume)
		}
	}
	return missing, nil
}

// serialCommitment commits to both keys that a serial of a volume is made with,
// so that it can be shown later which place a serial stood for.
func serialCommitment(house, volume serial.Key) record.Hash {
	return sha256.Sum256(slices.Concat([]byte("drawhouse/serial-keys/v1\n"), house[:], volume[:]))
}

// The files of the keys that a house is founded with. Keys that come later have the
// volume that they were made for in their names: house-volume-3.key.
const (
	houseKeyFile       = "house.key"
	deviceKeyFile      = "device.key"
	serialHouseKeyFile = "serial-house.key"
	serialVolumeFile   = "serial-volume-1.key"
)

// Founding is what a house with these keys begins with, before it has venues, terminals
// and people. Its series is named after the rulebook, without the edition at the end.
func (k Keys) Founding(name, build string, book *rulebook.Book, schedule string) engine.Founding {
	series := book.ID()
	if i := strings.LastIndex(series, "-"); i > 0 {
		series = series[:i]
	}
	return engine.Founding{
		House: name, Build: build, HouseKey: k.HouseVerifier, DeviceKey: k.DeviceVerifier, SerialKey: k.SerialKey,
		Book: book, Series: series, Schedule: schedule,
	}
}

// FirstSchedule returns with which schedule of a rulebook a house begins, unless somebody says another.
func FirstSchedule(book *rulebook.Book) string {
	if !book.Keno() {
		return record.NoSchedule
	}
	return book.Schedules()[0].ID()
}

// OpenKeys reads the keys that a house is founded with from a directory, or makes
// them when the directory has none. A directory with only some of them is an error:
// making the missing one anew would orphan what the old one signed.
//
// Keys that are given are taken from their tokens. A directory that has keys already must have these.
func OpenKeys(dir, name string, entropy io.Reader, given ...InToken) (Keys, error) {
	tokens := InToken{}
	for _, more := range given {
		maps.Copy(tokens, more)
	}

	files := []string{houseKeyFile, deviceKeyFile, serialHouseKeyFile, serialVolumeFile}
	var missing []string
	for _, file := range files {
		if _, err := os.Stat(filepath.Join(dir, file)); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, file)
		}
	}
	switch len(missing) {
	case 0:
	case len(files):
		if err := makeKeys(dir, name, entropy, tokens); err != nil {
			return Keys{}, err
		}
	default:
		return Keys{}, fmt.Errorf("house: %s lacks %s; restore it from a backup", dir, strings.Join(missing, ", "))
	}
	d, err := ReadKeyDir(dir)
	if err != nil {
		return Keys{}, err
	}
	for kind, uri := range tokens {
		if !slices.ContainsFunc(d.signers, func(s signerFile) bool { return s.isOf(kind, uri) }) {
			return Keys{}, fmt.Errorf(
				"house: %s has keys of an earlier founding, and none of kind %s is %s; leave it out, or take that directory away",
				dir, kind, uri)
		}
	}
	return d.founding()
}

// makeKeys makes the keys of a new house beside the directory and moves them there
// when all of them are durable, so that a house that is killed while it is founded
// is founded by the next start.
func makeKeys(dir, name string, entropy io.Reader, given InToken) error {
	unfinished := dir + ".new" // Of an earlier start, perhaps; nothing was signed with it.
	err := errors.Join(os.RemoveAll(unfinished), os.MkdirAll(unfinished, 0o700),
		writeKeys(unfinished, name, entropy, given), syncDirectory(unfinished))
	if err != nil {
		return fmt.Errorf("house: keys: %w", err)
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("house: keys: %w", err)
	}
	if err := errors.Join(os.Rename(unfinished, dir), syncDirectory(filepath.Dir(dir))); err != nil {
		return fmt.Errorf("house: keys: %w", err)
	}
	return nil
}

func syncDirectory(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// InToken are names of keys in tokens, by their kinds, in the place of which no files are made.
type InToken map[string]string

// keyText returns what stands in the file of a new key: that of a token, if one is given, or a secret.
func keyText(given InToken, kind, name string, entropy io.Reader) (string, error) {
	uri := given[kind]
	if uri == "" {
		return keyfile.Generate(entropy, name)
	}
	key, _, err := keyfile.Take(uri, name)
	return key.Text(), err
}

// apart adds the file of a key to others, by their verifiers, and refuses a key that one of them has: each signs
// one kind of thing.
func apart(others map[string]string, file, text string) (map[string]string, error) {
	_, verifier, _ := strings.Cut(strings.TrimSpace(text), "\n")
	for other, in := range others {
		if journal.SameKey(other, verifier) {
			return nil, fmt.Errorf("it is the key of %s; name another one, each key signs one kind of thing", in)
		}
	}
	others[verifier] = file
	return others, nil
}

func writeKeys(dir, name string, entropy io.Reader, given InToken) error {
	type signing struct{ kind, file, name string }
	keys := []signing{{HouseKey, houseKeyFile, name}, {DeviceKey, deviceKeyFile, name + "/device"}}
	if given[LogKey] != "" { // Otherwise it is made when the log begins.
		keys = append(keys, signing{LogKey, keyFileName(LogKey, 1), journal.LogOrigin(name, 1)})
	}
	made := map[string]string{}
	for _, key := range keys {
		text, err := keyText(given, key.kind, key.name, entropy)
		if err == nil {
			made, err = apart(made, key.file, text)
		}
		if err != nil {
			return fmt.Errorf("house: %s: %w", key.file, err)
		}
		if err := writeSecret(filepath.Join(dir, key.file), text); err != nil {
			return err
		}
	}
	for _, file := range []string{serialHouseKeyFile, serialVolumeFile} {
		var key serial.Key
		if _, err := io.ReadFull(entropy, key[:]); err != nil {
			return fmt.Errorf("house: %s: %w", file, err)
		}
		if err := writeSecret(filepath.Join(dir, file), hex.EncodeToString(key[:])+"\n"); err != nil {
			return err
		}
	}
	if _, err := person.MakeKey(dir, 1); err != nil {
		return fmt.Errorf("house: %w", err)
	}
	return nil
}

// writeSecret writes a file for the owner alone and makes it durable before
// anything is signed with it.
func writeSecret(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("house: keys: %w", err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("house: keys: %w", err)
	}
	return nil
}

func readSerialKey(path string) (serial.Key, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return serial.Key{}, fmt.Errorf("house: keys: %w", err)
	}
	decoded, err := hex.DecodeString(strings.TrimSpace(string(data)))
	if err != nil || len(decoded) != len(serial.Key{}) {
		return serial.Key{}, fmt.Errorf("house: %s is not %d bytes in hexadecimal", path, len(serial.Key{}))
	}
	return serial.Key(decoded), nil
}
