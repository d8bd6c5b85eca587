package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"drawhouse/journal"
)

// A keyFile is a signing key in a file of two lines, the secret key and its
// verifier, as a house has them too.
type keyFile struct {
	signer   journal.Signer
	verifier string
}

// openKeyFile reads a key, or makes one for a name where there is no file yet. It
// makes none beside records that an older key signed: that one is to be restored.
func openKeyFile(path, name, records string) (keyFile, error) {
	if err := errors.Join(checkSecretDir(filepath.Dir(path)), checkSecret(path)); err != nil {
		return keyFile{}, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(records); err == nil {
			return keyFile{}, fmt.Errorf("%s is there and its key %s is not; restore it from a backup", records, path)
		}
		if name == "" {
			return keyFile{}, fmt.Errorf("%s does not exist; --name NAME makes a key there", path)
		}
		if data, err = makeKeyFile(path, name); err != nil {
			return keyFile{}, err
		}
	}
	if err != nil {
		return keyFile{}, err
	}
	secret, public, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	signer, err := journal.ParseSigner(secret)
	if err != nil {
		return keyFile{}, fmt.Errorf("%s: %w", path, err)
	}
	verifier, err := journal.ParseVerifier(public)
	if err != nil {
		return keyFile{}, fmt.Errorf("%s: %w", path, err)
	}
	if verifier.Name() != signer.Name() || verifier.KeyHash() != signer.KeyHash() {
		return keyFile{}, fmt.Errorf("%s: the two lines are not one key", path)
	}
	if name != "" && name != signer.Name() {
		return keyFile{}, fmt.Errorf("%s is the key of %s and not of %s", path, signer.Name(), name)
	}
	return keyFile{signer, public}, nil
}

func makeKeyFile(path, name string) ([]byte, error) {
	secret, public, err := journal.GenerateKey(rand.Reader, name)
	if err != nil {
		return nil, err
	}
	text := []byte(secret + "\n" + public + "\n")
	return text, writeNewFile(path, text, 0o600)
}

// writeNewFile writes a file that does not exist yet, and returns when it is
// durable: what stands in it is about to bind somebody.
func writeNewFile(path string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
