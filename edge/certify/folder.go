package certify

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Folder keeps what belongs to one authority.
type Folder string

// FolderOf returns the folder of an authority below that of all.
func FolderOf(parent, directory string) Folder {
	_, place, _ := strings.Cut(directory, "://")
	plain := strings.TrimLeft(strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' {
			return c
		}
		return '_'
	}, place), ".")
	return Folder(filepath.Join(parent, plain))
}

// AccountKey is the file of the key by which the authority knows the house.
func (f Folder) AccountKey() string { return filepath.Join(string(f), "account.key") }

// Certificate is the file of the certificate with its chain and its key.
func (f Folder) Certificate() string { return filepath.Join(string(f), "certificate.pem") }

func (f Folder) lastTry() string { return filepath.Join(string(f), "last-try.json") }

// A Try is one conversation with an authority that was to end with a certificate.
type Try struct {
	At    time.Time `json:"at"`
	Error string    `json:"error,omitempty"` // "" if it did
}

// Read returns the certificate that is kept, or nil for none yet, and what became of the last try. It writes nothing.
func (f Folder) Read() (*tls.Certificate, Try, error) {
	var last Try
	if data, err := os.ReadFile(f.lastTry()); err == nil {
		if err := json.Unmarshal(data, &last); err != nil {
			last = Try{} // It is told to people and decides nothing.
		}
	}
	data, err := os.ReadFile(f.Certificate())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, last, nil
	}
	if err != nil {
		return nil, last, err
	}
	pair, err := tls.X509KeyPair(data, data)
	if err != nil {
		return nil, last, fmt.Errorf("%s: %w", f.Certificate(), err)
	}
	return &pair, last, nil
}

// keep writes a certificate with its key.
func (f Folder) keep(cert *tls.Certificate) error {
	data, err := keyBlock(cert.PrivateKey)
	if err != nil {
		return err
	}
	for _, der := range cert.Certificate {
		data = append(data, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
	}
	return f.write(f.Certificate(), data)
}

// tell writes what became of a try.
func (f Folder) tell(t Try) error {
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return f.write(f.lastTry(), append(data, '\n'))
}

// account returns the key of the account, which is made where there is none.
func (f Folder) account() (*ecdsa.PrivateKey, error) {
	data, err := os.ReadFile(f.AccountKey())
	if errors.Is(err, fs.ErrNotExist) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		if data, err = keyBlock(key); err != nil {
			return nil, err
		}
		return key, f.write(f.AccountKey(), data)
	}
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, f.noKey(errors.New("it is not PEM"))
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, f.noKey(err)
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return nil, f.noKey(errors.New("it is not an ECDSA key"))
	}
	return key, nil
}

func (f Folder) noKey(err error) error {
	return fmt.Errorf("%s is no account key (%w); restore it, or remove it, and the house opens another account",
		f.AccountKey(), err)
}

func keyBlock(key any) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// write replaces a file, whole or not at all, and returns when it is durable.
func (f Folder) write(name string, data []byte) error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	next, err := os.CreateTemp(string(f), filepath.Base(name)+".new*") // It has mode 0600.
	if err != nil {
		return err
	}
	_, err = next.Write(data)
	if err = errors.Join(err, next.Sync(), next.Close()); err == nil {
		err = os.Rename(next.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(next.Name()))
	}
	dir, err := os.Open(string(f))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
