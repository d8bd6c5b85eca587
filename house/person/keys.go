package person

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
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
	"sync"
)

// ErrNoKey means that an entry is there and the key that it is sealed under is not at hand, or
// that there is no key to seal another one with. Errors that wrap it are [ErrUnavailable] too.
var ErrNoKey = fmt.Errorf("%w: a personal key is not at hand", ErrUnavailable)

// NoKey is the error that names the key.
type NoKey struct {
	Key KeyName
	Dir string // where it was looked for; empty if nowhere
}

// Error implements error.
func (e *NoKey) Error() string {
	if e.Dir == "" {
		return fmt.Sprintf("person: the personal key %v is not at hand", e.Key)
	}
	return fmt.Sprintf("person: the personal key %v is not in %s; restore the file from the backup of the keys, or give it up: drawhouse keys rotate personal --lost",
		e.Key, e.Dir)
}

// Unwrap makes it an [ErrNoKey].
func (*NoKey) Unwrap() error { return ErrNoKey }

// A KeyName names a personal key, and says nothing of its secret.
type KeyName struct {
	// ID is made from the key, so that another key under the same number is another key.
	ID     string
	Number int // of its file, from 1 on
}

// String returns the id and the file.
func (k KeyName) String() string {
	if k.Number == 0 {
		return k.ID // Only an entry says of it.
	}
	return k.ID + " (" + KeyFile(k.Number) + ")"
}

const (
	keyPrefix = "personal-"
	keySuffix = ".key"
	// mostKeys bounds the numbers of keys.
	mostKeys = 1 << 16
)

// KeyFile returns the name of the file of a personal key.
func KeyFile(number int) string { return keyPrefix + strconv.Itoa(number) + keySuffix }

// IsKeyFile returns the number of a personal key if a file is named so.
func IsKeyFile(name string) (number int, ok bool) {
	text, prefixed := strings.CutPrefix(name, keyPrefix)
	text, suffixed := strings.CutSuffix(text, keySuffix)
	n, err := strconv.Atoi(text)
	return n, prefixed && suffixed && err == nil && n > 0 && n < mostKeys && strconv.Itoa(n) == text
}

// sealer seals and opens entries with one key: AES-256-GCM, with a nonce of its own for each.
type sealer struct {
	KeyName
	aead cipher.AEAD
}

func newSealer(number int, secret []byte) (*sealer, error) {
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append([]byte("drawhouse/person/key/v1\n"), secret...))
	return &sealer{KeyName{hex.EncodeToString(sum[:idBytes]), number}, aead}, nil
}

const (
	// idBytes is the length of the id of a key.
	idBytes = 8
	// sealedHead begins a sealed entry. No plain one begins so: these are JSON, or begin with $.
	sealedHead = "sealed1:"
	// padding is what the lengths of sealed texts are multiples of: the length of a name is a
	// hint at who it is.
	padding = 128
)

// bound is what an entry is sealed for: where it stands, of which kind it is, and whose it is.
// It opens nowhere else, so that nobody exchanges two of them.
func bound(kind, hash string) []byte {
	return fmt.Appendf(nil, "drawhouse/person/sealed/v1\nperson_entry.entry\n%s\n%s\n", kind, hash)
}

// seal returns an entry as the register stores it.
func (s *sealer) seal(kind, hash, entry string) string {
	text := []byte(entry)
	if over := len(text) % padding; over > 0 {
		text = append(text, make([]byte, padding-over)...)
	}
	return sealedHead + s.ID + ":" + base64.RawStdEncoding.EncodeToString(s.aead.Seal(nil, nil, text, bound(kind, hash)))
}

// open returns what was sealed.
func (s *sealer) open(kind, hash, sealed string) (string, error) {
	data, err := base64.RawStdEncoding.DecodeString(sealed)
	if err == nil {
		data, err = s.aead.Open(nil, nil, data, bound(kind, hash))
	}
	if err != nil {
		return "", fmt.Errorf("%w: it does not open under the key %v", ErrChanged, s.KeyName)
	}
	return strings.TrimRight(string(data), "\x00"), nil
}

// sealedUnder returns the id of the key of a stored entry and what is sealed; ok is false for a
// plain entry, such as those of before there were keys.
func sealedUnder(stored string) (id, sealed string, ok bool) {
	rest, ok := strings.CutPrefix(stored, sealedHead)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, ":")
}

// keyring has the keys of a folder. It reads the folder again for a key that it does not have:
// another process may have made it.
type keyring struct {
	dir string // empty for none

	mu  sync.Mutex // guards all
	all []*sealer  // by number
}

// find returns a key by its id, or nil.
func (k *keyring) find(id string) (*sealer, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.has(id); s != nil {
		return s, nil
	}
	err := k.read()
	if s := k.has(id); s != nil {
		return s, nil // Another file that cannot be read does no harm.
	}
	return nil, err
}

func (k *keyring) has(id string) *sealer {
	if i := slices.IndexFunc(k.all, func(s *sealer) bool { return s.ID == id }); i >= 0 {
		return k.all[i]
	}
	return nil
}

// newest returns the key with the highest number, or nil.
func (k *keyring) newest() (*sealer, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.read(); err != nil || len(k.all) == 0 {
		return nil, err
	}
	return k.all[len(k.all)-1], nil
}

// read reads all keys of the folder that can be read.
func (k *keyring) read() (err error) {
	k.all, err = readKeys(k.dir)
	return err
}

// readKeys reads the keys of a folder that can be read, by number, and says what is wrong with
// the others. A folder that is not there has none.
func readKeys(dir string) ([]*sealer, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("person: keys: %w", err)
	}
	var (
		all    []*sealer
		faults []error
	)
	for _, e := range entries {
		number, ok := IsKeyFile(e.Name())
		if !ok {
			continue
		}
		if s, err := readKey(filepath.Join(dir, e.Name()), number); err != nil {
			faults = append(faults, err)
		} else {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b *sealer) int { return a.Number - b.Number })
	return all, errors.Join(faults...)
}

// secretBytes is the length of a key.
const secretBytes = 32

func readKey(path string, number int) (*sealer, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("person: keys: %w", err)
	}
	secret, err := hex.DecodeString(strings.TrimSpace(string(data)))
	if err != nil || len(secret) != secretBytes {
		return nil, fmt.Errorf("person: %s is not %d bytes in hexadecimal; restore it from the backup of the keys", path,
			secretBytes)
	}
	return newSealer(number, secret)
}

// ReadKeys returns which personal keys are in a folder, by number.
func ReadKeys(dir string) ([]KeyName, error) {
	all, err := readKeys(dir)
	names := make([]KeyName, len(all))
	for i, s := range all {
		names[i] = s.KeyName
	}
	return names, err
}

// MakeKey makes the personal key of a number in a folder, whole or not at all, and never over
// another one.
func MakeKey(dir string, number int) (KeyName, error) {
	secret := make([]byte, secretBytes)
	if _, err := io.ReadFull(rand.Reader, secret); err != nil {
		return KeyName{}, fmt.Errorf("person: keys: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return KeyName{}, fmt.Errorf("person: keys: %w", err)
	}
	name := filepath.Join(dir, KeyFile(number))
	unfinished := name + "." + rand.Text() // Two processes may make the first key of a house at once.
	if err := writeNew(unfinished, hex.EncodeToString(secret)+"\n"); err != nil {
		return KeyName{}, fmt.Errorf("person: keys: %w", err)
	}
	// A link is refused where a renaming would replace a key.
	err := errors.Join(os.Link(unfinished, name), os.Remove(unfinished), syncFolder(dir))
	if err != nil {
		return KeyName{}, fmt.Errorf("person: keys: %w", err)
	}
	s, err := newSealer(number, secret)
	if err != nil {
		return KeyName{}, err
	}
	return s.KeyName, nil
}

// writeNew writes a file for the owner alone, and makes it durable.
func writeNew(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// syncFolder makes the names in a folder durable.
func syncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
