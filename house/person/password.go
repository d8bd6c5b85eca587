package person

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"drawhouse/journal/record"
)

// Cost is what one guess of a password costs (argon2id, RFC 9106).
type Cost struct {
	Memory  uint32 // KiB
	Passes  uint32
	Threads uint8
}

// DefaultCost takes 64 MiB and three passes, the second recommendation of RFC 9106:
// about a tenth of a second, and the memory is what makes guessing by the thousand
// dear. LeastCost is for tests.
var (
	DefaultCost = usualCost()
	LeastCost   = Cost{Memory: 8, Passes: 1, Threads: 1}
)

// cheap is "" in every program that people build. Tests start hundreds of houses, link
// the program for them with -ldflags "-X drawhouse/house/person.cheap=yes", and so have
// LeastCost everywhere. No flag, file or environment can do that to a program that is built.
var cheap string

// Cheap reports whether this program was linked for tests, with passwords that are cheap to
// guess. It must not serve anybody else.
func Cheap() bool { return cheap != "" }

func usualCost() Cost {
	if Cheap() {
		return LeastCost
	}
	return Cost{Memory: 64 << 10, Passes: 3, Threads: 1}
}

// The bounds of a password. Length is what makes one hard to guess; the upper bound
// keeps somebody from having us hash megabytes.
const (
	LeastPassword = 12
	MostPassword  = 200
)

const keyBytes = 32

// Secret is the entry of a password, in the usual form
// $argon2id$v=19$m=65536,t=3,p=1$SALT$HASH.
type Secret string

// NewSecret returns the entry of a password. The same characters are one password, however
// the keyboard composes them.
func NewSecret(password string, cost Cost, entropy io.Reader) (Secret, error) {
	if err := checkLength(password); err != nil {
		return "", err
	}
	password = norm.NFC.String(password)
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(entropy, salt); err != nil {
		return "", fmt.Errorf("person: %w", err)
	}
	return encodeSecret(cost, salt, derive(password, cost, salt)), nil
}

func derive(password string, c Cost, salt []byte) []byte {
	return argon2.IDKey([]byte(password), salt, c.Passes, c.Memory, c.Threads, keyBytes)
}

func encodeSecret(c Cost, salt, key []byte) Secret {
	text := base64.RawStdEncoding.EncodeToString
	return Secret(fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.Memory, c.Passes, c.Threads,
		text(salt), text(key)))
}

// Hash returns what the journal says of the entry.
func (s Secret) Hash() record.Hash { return hashOf("secret", []byte(s)) }

// Matches reports whether a password is that of the entry.
func (s Secret) Matches(password string) (bool, error) {
	cost, salt, key, err := s.parse()
	if err != nil {
		return false, err
	}
	if len(password) > 4*MostPassword {
		return false, nil
	}
	composed := norm.NFC.String(password)
	if subtle.ConstantTimeCompare(derive(composed, cost, salt), key) == 1 {
		return true, nil
	}
	// An entry of before may be of the characters as they were typed.
	return composed != password && subtle.ConstantTimeCompare(derive(password, cost, salt), key) == 1, nil
}

// errSecret reports an entry that cannot be read, or whose cost would stop the house.
var errSecret = errors.New("person: the entry of a password cannot be read")

// The greatest cost that is worked off.
const (
	mostMemory = 1 << 20
	mostPasses = 16
)

func (s Secret) parse() (c Cost, salt, key []byte, err error) {
	parts := strings.Split(string(s), "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, errSecret
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.Memory, &c.Passes, &c.Threads); err != nil {
		return c, nil, nil, errSecret
	}
	salt, err = base64.RawStdEncoding.DecodeString(parts[4])
	if err == nil {
		key, err = base64.RawStdEncoding.DecodeString(parts[5])
	}
	if err != nil || len(salt) != saltBytes || len(key) != keyBytes || encodeSecret(c, salt, key) != s ||
		c.Memory < 8 || c.Memory > mostMemory || c.Passes < 1 || c.Passes > mostPasses || c.Threads != 1 {
		return c, nil, nil, errSecret
	}
	return c, salt, key, nil
}
