package house

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestKeysAreWholeOrNone breaks the making of keys off at every byte of entropy.
// The next start makes them, and those after it read them.
func TestKeysAreWholeOrNone(t *testing.T) {
	t.Parallel()
	const bytes = 4 * 32
	for n := range int64(bytes) {
		dir := filepath.Join(t.TempDir(), "keys")
		if _, err := OpenKeys(dir, "bench.example", io.LimitReader(rand.NewChaCha8([32]byte{1}), n)); err == nil {
			t.Fatalf("keys were made of %d bytes", n)
		}
		made, err := OpenKeys(dir, "bench.example", rand.NewChaCha8([32]byte{2}))
		must(t, err)
		read, err := OpenKeys(dir, "bench.example", nil)
		must(t, err)
		if made.HouseVerifier != read.HouseVerifier || made.SerialKey != read.SerialKey {
			t.Fatal("the keys are read as others")
		}
	}
}

// TestMissingKey takes one key away. It is not made anew.
func TestMissingKey(t *testing.T) {
	for _, file := range []string{houseKeyFile, deviceKeyFile, serialHouseKeyFile, serialVolumeFile} {
		dir := filepath.Join(t.TempDir(), "keys")
		_, err := OpenKeys(dir, "bench.example", rand.NewChaCha8([32]byte{2}))
		must(t, err)
		must(t, os.Remove(filepath.Join(dir, file)))
		if _, err := OpenKeys(dir, "bench.example", rand.NewChaCha8([32]byte{3})); err == nil {
			t.Errorf("a house opened without its %s", file)
		}
		if _, err := os.Stat(filepath.Join(dir, file)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s was made anew: %v", file, err)
		}
	}
}
