package pkcs11_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The test binary is p11-kit as well, when it is called so: it stands between the package and the real one, writes down
// the calls, and changes what it is told to.
const (
	realProgram = "PKCS11_TEST_REAL" // the real p11-kit
	callsFile   = "PKCS11_TEST_CALLS"
	manners     = "PKCS11_TEST_MANNERS"
	shortForm   = "short"    // reads mechanisms as p11-kit 0.26 does
	lastTry     = "last try" // says that one try for the PIN is left
	garbage     = "garbage"  // answers with what is no message
)

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "p11-kit" {
		if err := proxy(os.Getenv(manners)); err != nil && err != io.EOF {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func proxy(how string) error {
	real := exec.Command(os.Getenv(realProgram), os.Args[1:]...)
	to, err := real.StdinPipe()
	if err != nil {
		return err
	}
	from, err := real.StdoutPipe()
	if err != nil {
		return err
	}
	if err := real.Start(); err != nil {
		return err
	}
	defer func() { _ = to.Close(); _ = real.Wait() }()
	version := make([]byte, 1)
	for _, step := range []func() (int, error){
		func() (int, error) { return io.ReadFull(os.Stdin, version) }, func() (int, error) { return to.Write(version) },
		func() (int, error) { return io.ReadFull(from, version) }, func() (int, error) { return os.Stdout.Write(version) },
	} {
		if _, err := step(); err != nil {
			return err
		}
	}
	calls, err := os.OpenFile(os.Getenv(callsFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	for {
		header, body, err := readMessage(os.Stdin)
		if err != nil {
			return err
		}
		id := binary.BigEndian.Uint32(body)
		fmt.Fprintln(calls, id)
		if how == shortForm && (id == 42 || id == 59) {
			if body, err = lengthen(body); err != nil {
				return err // as p11-kit does with what it cannot read
			}
		}
		if err := writeMessage(to, header, body); err != nil {
			return err
		}
		if header, body, err = readMessage(from); err != nil {
			return err
		}
		switch {
		case how == lastTry && id == 6:
			at := 8 + 18 + 4*4 + 32 + 32 + 16 + 16 // behind the types and four texts
			binary.BigEndian.PutUint64(body[at:], binary.BigEndian.Uint64(body[at:])|0x20000)
		case how == garbage && id == 43:
			body = []byte("what is this")
		}
		if err := writeMessage(os.Stdout, header, body); err != nil {
			return err
		}
	}
}

// lengthen writes the mechanism of a request as earlier versions have it.
func lengthen(body []byte) ([]byte, error) {
	at := 8 + int(binary.BigEndian.Uint32(body[4:])) + 8 + 4
	if body[at] != 0 {
		return nil, fmt.Errorf("a mechanism with the byte %d", body[at])
	}
	return bytes.Join([][]byte{body[:at], {0xff, 0xff, 0xff, 0xff}, body[at+1:]}, nil), nil
}

func readMessage(from io.Reader) (header, body []byte, err error) {
	header = make([]byte, 12)
	if _, err := io.ReadFull(from, header); err != nil {
		return nil, nil, err
	}
	body = make([]byte, binary.BigEndian.Uint32(header[8:]))
	_, err = io.ReadFull(from, body)
	return header, body, err
}

func writeMessage(to io.Writer, header, body []byte) error {
	binary.BigEndian.PutUint32(header[8:], uint32(len(body)))
	_, err := to.Write(append(bytes.Clone(header), body...))
	return err
}

// behindProxy has the test binary be p11-kit, and returns what counts calls.
func behindProxy(t *testing.T, how string) (count func(id string) int) {
	t.Helper()
	real, err := exec.LookPath("p11-kit")
	if err != nil {
		t.Skip("p11-kit is not installed")
	}
	dir := t.TempDir()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "p11-kit")); err != nil {
		t.Fatal(err)
	}
	t.Setenv(realProgram, real)
	t.Setenv(callsFile, filepath.Join(dir, "calls"))
	t.Setenv(manners, how)
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func(id string) (n int) {
		data, _ := os.ReadFile(filepath.Join(dir, "calls"))
		for line := range strings.Lines(string(data)) {
			if strings.TrimSpace(line) == id {
				n++
			}
		}
		return n
	}
}
