package house

import (
	"bufio"
	"bytes"
	"crypto"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store/sqlite"
)

// signerSocket is the variable that makes the test binary a signer: a process with a
// key of its own that signs what comes over a socket, as a hardware module does.
const signerSocket = "DRAWHOUSE_TEST_SIGNER"

func TestMain(m *testing.M) {
	if path := os.Getenv(signerSocket); path != "" {
		fmt.Fprintln(os.Stderr, beSigner(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// beSigner answers each length and message with a signature, and an empty message with
// the public key.
func beSigner(path string) error {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			for {
				message, err := readFrame(conn)
				if err != nil {
					return
				}
				answer := []byte(public)
				if len(message) > 0 {
					answer = ed25519.Sign(private, message)
				}
				if _, err := conn.Write(frame(answer)); err != nil {
					return
				}
			}
		}()
	}
}

func frame(data []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...)
}

func readFrame(r io.Reader) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(length[:])
	if n > 1<<20 {
		return nil, errors.New("a frame that long is a mistake")
	}
	data := make([]byte, n)
	_, err := io.ReadFull(r, data)
	return data, err
}

// farKey is a crypto.Signer whose key is in another process.
type farKey struct {
	conn   net.Conn
	public ed25519.PublicKey
}

func (k *farKey) Public() crypto.PublicKey { return k.public }

func (k *farKey) Sign(_ io.Reader, message []byte, _ crypto.SignerOpts) ([]byte, error) {
	return k.ask(message)
}

func (k *farKey) ask(message []byte) ([]byte, error) {
	if err := k.conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return nil, err
	}
	if _, err := k.conn.Write(frame(message)); err != nil {
		return nil, err
	}
	return readFrame(k.conn)
}

// startSigner starts the process and connects to it.
func startSigner(t *testing.T) (*exec.Cmd, *farKey) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "signer")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), signerSocket+"="+path)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("unix", path)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	key := &farKey{conn: conn}
	public, err := key.ask(nil)
	must(t, err)
	key.public = public
	return cmd, key
}

// TestSignerInAnotherProcess runs a house whose key is in another process: it is
// founded, sells, seals and draws, begins a volume and goes on. When that process dies
// the house stops and what was answered is there.
func TestSignerInAnotherProcess(t *testing.T) {
	t.Parallel()
	process, key := startSigner(t)
	b := newBench(t) // whose directory has the other keys
	b.close()
	must(t, b.store.Close())
	dir := t.TempDir()
	st, err := sqlite.Open(t.Context(), dir, 1)
	must(t, err)
	defer st.Close()
	keys, err := OpenKeys(filepath.Join(b.dir, "keys"), "bench.example", nil)
	must(t, err)
	if keys.House, keys.HouseVerifier, err = journal.NewSigner("bench.example", key); err != nil {
		t.Fatal(err)
	}
	b.openWith(st, keys)
	b.minutes(8, 2)
	must(t, b.house.BeginVolume(t.Context(), record.ReasonYear))
	b.minutes(16, 1)
	b.checkAcrossVolumes(2)
	files, err := os.ReadDir(filepath.Join(b.dir, "keys"))
	must(t, err)
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(b.dir, "keys", file.Name()))
		must(t, err)
		if bytes.Contains(data, []byte(keys.HouseVerifier)) {
			t.Errorf("the key is in %s", file.Name())
		}
	}
	must(t, process.Process.Kill())
	<-signerGone(t, key)
	b.clock.wait = nil
	sold := b.sold[len(b.sold)-1]
	if err := runUntilStopped(b); err == nil || b.house.Err() == nil {
		t.Errorf("the games go on without the signer: %v, %v", err, b.house.Err())
	}
	if _, err := b.house.Ticket(t.Context(), sold.Place); err != nil {
		t.Error(err)
	}
}

// signerGone is closed when the signer does not answer any more.
func signerGone(t *testing.T, key *farKey) <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			if _, err := key.ask(nil); err != nil {
				return
			}
		}
		t.Error("the signer still answers")
	}()
	return gone
}
