package pkcs11_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"drawhouse/internal/tokentest"
	"drawhouse/journal/pkcs11"
)

// open returns a key by its name, as the token has it.
func open(t *testing.T, name string) *pkcs11.Key {
	t.Helper()
	uri, err := pkcs11.ParseURI(name)
	if err != nil {
		t.Fatal(err)
	}
	info, err := pkcs11.Look(uri)
	if err != nil {
		t.Fatal(err)
	}
	return pkcs11.New(uri, info.Public)
}

// signs has a key sign, and holds the signature against its public half.
func signs(t *testing.T, key *pkcs11.Key) {
	t.Helper()
	if err := signedBy(key); err != nil {
		t.Error(err)
	}
}

func signedBy(key *pkcs11.Key) error {
	message := []byte("a message")
	signature, err := key.Sign(nil, message, crypto.Hash(0))
	if err == nil && !ed25519.Verify(key.Public().(ed25519.PublicKey), message, signature) {
		err = errors.New("the signature is wrong")
	}
	return err
}

// fails has a key fail to sign, and looks at what is said.
func fails(t *testing.T, key *pkcs11.Key, want string) {
	t.Helper()
	if err := signedBy(key); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// TestKeyInToken makes keys in a token of SoftHSM, behind Debian's p11-kit, and does to them what may happen.
func TestKeyInToken(t *testing.T) {
	token := tokentest.New(t)
	uri, err := pkcs11.ParseURI(token.Name("one"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := pkcs11.Make(uri)
	if err != nil {
		t.Fatal(err)
	}
	if !info.Kept || !info.Born || info.Label != "one" || len(info.Public) != ed25519.PublicKeySize {
		t.Errorf("the key is %+v", info)
	}
	key := open(t, token.Name("one"))
	if !info.Public.Equal(key.Public()) {
		t.Error("the key that was made is not the one that is there")
	}
	signs(t, key)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 8 {
				signs(t, key)
			}
		})
	}
	all.Wait()
	t.Run("another hash", func(t *testing.T) {
		if _, err := key.Sign(nil, make([]byte, 32), crypto.SHA256); err == nil {
			t.Error("a hash was signed")
		}
	})
	t.Run("the same label", func(t *testing.T) {
		if _, err := pkcs11.Make(uri); !errors.Is(err, pkcs11.ErrKey) {
			t.Errorf("a key was made over another: %v", err)
		}
	})
	t.Run("no such key", func(t *testing.T) {
		fails(t, pkcs11.New(pkcs11.URI{Token: uri.Token, Module: uri.Module, PIN: uri.PIN, Object: "none"}, info.Public),
			`has no private key "none"`)
	})
	t.Run("another key", func(t *testing.T) {
		public, _, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		other := uri
		other.ID = string(info.ID)
		fails(t, pkcs11.New(other, public), "has another key")
	})
	t.Run("two keys", func(t *testing.T) {
		two := uri
		two.Object = "two"
		if err := errors.Join(pkcs11.MakeTwin(two), pkcs11.MakeTwin(two)); err != nil {
			t.Fatal(err)
		}
		if _, err := pkcs11.Look(two); err == nil || !strings.Contains(err.Error(), "name one by id=") {
			t.Error(err)
		}
	})
	t.Run("another kind of key", func(t *testing.T) {
		private, err1 := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		der, err2 := x509.MarshalPKCS8PrivateKey(private)
		file := filepath.Join(t.TempDir(), "key")
		err3 := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		token.Import(file, "curve")
		other := uri
		other.Object = "curve"
		if _, err := pkcs11.Look(other); err == nil || !strings.Contains(err.Error(), "not Ed25519") {
			t.Error(err)
		}
	})
	t.Run("lost session", func(t *testing.T) {
		key.LoseSession()
		signs(t, key)
	})
	t.Run("killed module", func(t *testing.T) {
		if token.KillModules() == 0 {
			t.Fatal("there is no process of the module")
		}
		signs(t, key)
	})
	t.Run("module that hangs", func(t *testing.T) {
		signs(t, key)
		key.Within(200 * time.Millisecond)
		if err := key.Hang(); err != nil {
			t.Fatal(err)
		}
		fails(t, key, "does not answer")
		key.Within(pkcs11.SignWithin)
		key.Now()
		signs(t, key)
	})
	t.Run("token that is gone", func(t *testing.T) {
		token.TakeAway()
		fails(t, key, "is not there")
		fails(t, key, "is not there")
		token.GiveBack()
		key.Now()
		signs(t, key)
	})
	t.Run("no module", func(t *testing.T) {
		other := uri
		other.Module += ".none"
		fails(t, pkcs11.New(other, info.Public), "no such file")
		other.Module = filepath.Join(t.TempDir(), "text.so")
		if err := os.WriteFile(other.Module, []byte("no library"), 0o600); err != nil {
			t.Fatal(err)
		}
		fails(t, pkcs11.New(other, info.Public), "does it load the module")
	})
}

// TestPIN: a PIN that was refused is not tried again before another one is there, and others may not read it.
func TestPIN(t *testing.T) {
	token := tokentest.New(t)
	logins := behindProxy(t, "")
	name := token.Make("one")
	made := logins("18")
	token.SetPIN("1234")
	uri, err := pkcs11.ParseURI(name)
	if err != nil {
		t.Fatal(err)
	}
	key := pkcs11.New(uri, make(ed25519.PublicKey, ed25519.PublicKeySize))
	for range 3 {
		fails(t, key, "not tried again")
		key.Now()
	}
	if n := logins("18") - made; n != 1 {
		t.Errorf("a wrong PIN was tried %d times", n)
	}
	token.SetPIN(token.PIN)
	if err := os.Chmod(token.PINFile, 0o644); err != nil {
		t.Fatal(err)
	}
	fails(t, key, "others on this machine can read the PIN")
	if err := os.Chmod(token.PINFile, 0o600); err != nil {
		t.Fatal(err)
	}
	key.Now()
	fails(t, key, "has another key") // It is logged in.
	other := uri
	other.PIN = ""
	t.Setenv(pkcs11.PINFileVariable, "")
	t.Setenv(pkcs11.PINVariable, "")
	if _, err := pkcs11.Look(other); err == nil || !strings.Contains(err.Error(), "wants a PIN") {
		t.Error(err)
	}
	t.Setenv(pkcs11.PINFileVariable, token.PINFile)
	other.Manufacturer = "SoftHSM project" // Under the former name it is left alone for a while.
	signs(t, open(t, other.String()))
}

// TestOlderAndNewerProtocol signs through a p11-kit that reads mechanisms as 0.26 does, takes no last try of a PIN, and
// meets answers that cannot be read.
func TestOlderAndNewerProtocol(t *testing.T) {
	for _, how := range []string{shortForm, lastTry, garbage} {
		t.Run(how, func(t *testing.T) {
			token := tokentest.New(t)
			name := token.Make("one")
			uri, err := pkcs11.ParseURI(name)
			if err != nil {
				t.Fatal(err)
			}
			logins := behindProxy(t, how)
			switch how {
			case shortForm:
				key := open(t, name)
				signs(t, key)
				if !key.Short() {
					t.Error("the newer form was not found")
				}
				token.Make("two")
			case lastTry:
				if _, err := pkcs11.Look(uri); err == nil || !strings.Contains(err.Error(), "one try") {
					t.Error(err)
				}
				if n := logins("18"); n != 0 {
					t.Errorf("%d logins", n)
				}
			case garbage:
				fails(t, open(t, name), "cannot be read")
			}
		})
	}
}

// BenchmarkSign signs with a key of SoftHSM, from one goroutine.
func BenchmarkSign(b *testing.B) {
	token := tokentest.New(b)
	uri, err := pkcs11.ParseURI(token.Make("one"))
	if err != nil {
		b.Fatal(err)
	}
	info, err := pkcs11.Look(uri)
	if err != nil {
		b.Fatal(err)
	}
	key, message := pkcs11.New(uri, info.Public), make([]byte, 160)
	for b.Loop() {
		if _, err := key.Sign(nil, message, crypto.Hash(0)); err != nil {
			b.Fatal(err)
		}
	}
}
