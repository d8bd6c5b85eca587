package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"drawhouse/house"
	"drawhouse/journal/keyfile"
	"drawhouse/journal/pkcs11"
)

// keyName names a signing key: the path of a file, or a key in a token.
type keyName string

// Decode implements kong.MapperValue.
func (n *keyName) Decode(ctx *kong.DecodeContext) error {
	var text string
	if err := ctx.Scan.PopValueInto("key", &text); err != nil {
		return err
	}
	if !pkcs11.IsURI(text) {
		text = kong.ExpandPath(text)
	}
	*n = keyName(text)
	return nil
}

// openKey opens a signing key by its name. One in a token must be there: drawhouse keys make makes it.
func openKey(of keyName, name, records string) (keyfile.Key, error) {
	if !pkcs11.IsURI(string(of)) {
		return openKeyFile(string(of), name, records)
	}
	if name == "" {
		return keyfile.Key{}, errors.New("a key in a token bears the name that --name says; give the one under which others know the key")
	}
	key, _, err := keyfile.Take(string(of), name)
	return key, err
}

// openOwnKey opens the key of a witness, which is a file of its own.
func openOwnKey(path, name, records string) (keyfile.Key, error) {
	key, err := openKeyFile(path, name, records)
	if err == nil && key.Token != "" {
		err = fmt.Errorf("%s names a key in a token, and a witness keeps its key in a file: tokens are for keys of the house, its device and its log", path)
	}
	return key, err
}

// openKeyFile reads a key, or makes one for a name where there is no file yet. It
// makes none beside records that an older key signed: that one is to be restored.
func openKeyFile(path, name, records string) (keyfile.Key, error) {
	if err := errors.Join(checkSecretDir(filepath.Dir(path)), checkSecret(path)); err != nil {
		return keyfile.Key{}, err
	}
	key, err := keyfile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(records); err == nil {
			return keyfile.Key{}, fmt.Errorf("%s is there and its key %s is not; restore it from a backup", records, path)
		}
		if name == "" {
			return keyfile.Key{}, fmt.Errorf("%s does not exist; --name NAME makes a key there", path)
		}
		if err := makeKeyFile(path, name); err != nil {
			return keyfile.Key{}, err
		}
		key, err = keyfile.Read(path)
	}
	if err == nil && name != "" && name != key.Signer.Name() {
		err = fmt.Errorf("%s is the key of %s and not of %s", path, key.Signer.Name(), name)
	}
	return key, err
}

func makeKeyFile(path, name string) error {
	text, err := keyfile.Generate(rand.Reader, name)
	if err != nil {
		return err
	}
	return writeNewFile(path, []byte(text), 0o600)
}

// inTokens reads values of --key: which keys of a house are in tokens, of the kinds that may be named.
func inTokens(values []string, kinds ...string) (house.InToken, error) {
	given := house.InToken{}
	for _, text := range values {
		kind, name, _ := strings.Cut(text, "=")
		switch _, err := pkcs11.ParseURI(name); {
		case !slices.Contains(kinds, kind):
			return nil, misused("--key", fmt.Errorf("%q does not begin with %s=", text, strings.Join(kinds, "= or ")))
		case err != nil:
			return nil, misused("--key", err)
		case given[kind] != "":
			return nil, misused("--key", fmt.Errorf("the key of the %s is given twice", kind))
		}
		given[kind] = name
	}
	return given, nil
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
