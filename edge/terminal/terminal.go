// Package terminal is how a terminal shows who it is: both ends of it.
//
// A terminal holds an Ed25519 key whose public half is in the journal, where it can
// be revoked. It begins a session by a hello, signed with that key, that has one half
// of a Diffie-Hellman exchange (X25519); the house answers with the other half. Both
// derive a key (HKDF-SHA256) that never crosses the wire, and every request of the
// session carries a counter, which must rise, and an HMAC over method, address,
// counter and body.
//
// So a request can be neither forged, nor changed, nor sent a second time by somebody
// on the way, with or without TLS, and an overheard session is worth nothing. A
// signature on every request would do the same and cost the house some 60
// microseconds each, more than to decide the sale; the HMAC costs about one
// (BenchmarkRequest). What this does not do is hide what is sent, or show the
// terminal that the house is the house: for the former there is TLS, and for the
// latter TLS too, and the checkpoint that comes with every ticket.
//
// TestSession shows a session, TestNothingElsePasses what is refused.
package terminal

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Header is the header of a request with its session, counter and HMAC.
const Header = "Drawhouse-Terminal"

// Hello is what a terminal says to begin a session.
type Hello struct {
	Time      time.Time `json:"time" doc:"Time by the clock of the terminal. What is signed has it in UTC, with three decimals of a second."`
	Share     string    `json:"share" doc:"The terminal's half of the exchange, a public key of X25519, in base64url without padding."`
	Signature string    `json:"signature" doc:"Ed25519 signature over number, time and share, in base64url without padding."`
}

// Welcome is what the house answers.
type Welcome struct {
	Session string    `json:"session" doc:"Name of the session, the first word of the header of its requests."`
	Share   string    `json:"share" doc:"The half of the exchange of the house, a public key of X25519, in base64url without padding."`
	Expires time.Time `json:"expires" doc:"When the session ends. Then the terminal says hello again."`
}

var text = base64.RawURLEncoding

// clockForm is how a hello signs its time: in UTC, so that it does not matter in which zone it is written.
const clockForm = "2006-01-02T15:04:05.000Z"

// message is what a hello signs.
func message(terminal uint32, h Hello) []byte {
	return fmt.Appendf(nil, "drawhouse/terminal-hello/v2\n%d\n%s\n%s\n", terminal, h.Time.UTC().Format(clockForm), h.Share)
}

// Errors of a hello.
var (
	ErrHello     = errors.New("terminal: the hello cannot be read")
	ErrSignature = errors.New("terminal: the signature is not of the terminal's key")
)

// Begin makes a hello and the secret half of its exchange.
func Begin(key ed25519.PrivateKey, terminal uint32, now time.Time, entropy io.Reader) (Hello, *ecdh.PrivateKey, error) {
	secret, err := newShare(entropy)
	if err != nil {
		return Hello{}, nil, err
	}
	h := Hello{Time: now.UTC().Truncate(time.Millisecond), Share: text.EncodeToString(secret.PublicKey().Bytes())}
	h.Signature = text.EncodeToString(ed25519.Sign(key, message(terminal, h)))
	return h, secret, nil
}

// newShare makes one half of an exchange.
func newShare(entropy io.Reader) (*ecdh.PrivateKey, error) {
	seed := make([]byte, 32)
	if _, err := io.ReadFull(entropy, seed); err != nil {
		return nil, fmt.Errorf("terminal: %w", err)
	}
	return ecdh.X25519().NewPrivateKey(seed)
}

// Accept checks a hello by the terminal's public key and answers it. Whether it is
// fresh is for the caller to say.
func Accept(public ed25519.PublicKey, terminal uint32, h Hello, session string, expires time.Time,
	entropy io.Reader) (Welcome, *Session, error) {
	signature, err := text.DecodeString(h.Signature)
	if err != nil || len(signature) != ed25519.SignatureSize || len(public) != ed25519.PublicKeySize {
		return Welcome{}, nil, ErrHello
	}
	if !ed25519.Verify(public, message(terminal, h), signature) {
		return Welcome{}, nil, ErrSignature
	}
	secret, err := newShare(entropy)
	if err != nil {
		return Welcome{}, nil, err
	}
	w := Welcome{Session: session, Share: text.EncodeToString(secret.PublicKey().Bytes()), Expires: expires}
	s, err := derive(secret, h.Share, terminal, h, w)
	return w, s, err
}

// Finish derives the session that a welcome begins.
func Finish(secret *ecdh.PrivateKey, terminal uint32, h Hello, w Welcome) (*Session, error) {
	return derive(secret, w.Share, terminal, h, w)
}

// keyOf agrees on the key of a session. Hello and welcome are its salt, so that both
// ends have seen the same ones.
func keyOf(secret *ecdh.PrivateKey, share string, terminal uint32, h Hello,
	w Welcome) (agreed, salt, key []byte, err error) {
	bytes, err := text.DecodeString(share)
	if err != nil {
		return nil, nil, nil, ErrHello
	}
	public, err := ecdh.X25519().NewPublicKey(bytes)
	if err != nil {
		return nil, nil, nil, ErrHello
	}
	if agreed, err = secret.ECDH(public); err != nil {
		return nil, nil, nil, ErrHello
	}
	sum := sha256.Sum256(fmt.Appendf(message(terminal, h), "%s\n%s\n", w.Session, w.Share))
	key, err = hkdf.Key(sha256.New, agreed, sum[:], "drawhouse/terminal-session/v1", sha256.Size)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("terminal: %w", err)
	}
	return agreed, sum[:], key, nil
}

// derive begins a session at one end.
func derive(secret *ecdh.PrivateKey, share string, terminal uint32, h Hello, w Welcome) (*Session, error) {
	_, _, key, err := keyOf(secret, share, terminal, h, w)
	if err != nil {
		return nil, err
	}
	return &Session{ID: w.Session, Terminal: terminal, keyed: hmac.New(sha256.New, key)}, nil
}

// Session is a session at either end. Its methods may be called by any number of
// goroutines.
type Session struct {
	ID       string
	Terminal uint32

	mu   sync.Mutex // guards all below
	last uint64     // the greatest counter that was sent, or received
	// keyed is the HMAC with the session's key, kept because keying one costs as much as
	// using it; head and sum are room for it.
	keyed hash.Hash
	head  []byte
	sum   [sha256.Size]byte
}

// mac computes the HMAC of a request. The caller holds mu, and is done with the result
// when it lets go.
func (s *Session) mac(method, uri string, counter uint64, body []byte) []byte {
	s.keyed.Reset()
	s.head = append(append(s.head[:0], method...), '\n')
	s.head = append(append(s.head, uri...), '\n')
	s.head = append(strconv.AppendUint(s.head, counter, 10), '\n')
	_, _ = s.keyed.Write(s.head)
	_, _ = s.keyed.Write(body)
	return s.keyed.Sum(s.sum[:0])
}

// Sign returns the header of the next request.
func (s *Session) Sign(method, uri string, body []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	sum := s.mac(method, uri, s.last, body)
	header := make([]byte, 0, 128)
	header = append(append(header, s.ID...), ' ')
	header = append(strconv.AppendUint(header, s.last, 10), ' ')
	return string(hex.AppendEncode(header, sum))
}

// Errors of a request.
var (
	ErrHeader   = errors.New("terminal: the header cannot be read")
	ErrMAC      = errors.New("terminal: the request is not as the terminal sent it")
	ErrReplayed = errors.New("terminal: the request was received before, or a later one was")
)

// Named returns the session that a header names.
func Named(header string) string {
	id, _, _ := strings.Cut(header, " ")
	return id
}

// Check holds a request against its header, and takes its counter for used.
func (s *Session) Check(header, method, uri string, body []byte) error {
	id, rest, _ := strings.Cut(header, " ")
	number, digits, ok := strings.Cut(rest, " ")
	counter, err := strconv.ParseUint(number, 10, 63)
	if !ok || id != s.ID || err != nil || len(digits) != 2*sha256.Size {
		return ErrHeader
	}
	var given [sha256.Size]byte
	if _, err := hex.Decode(given[:], []byte(digits)); err != nil {
		return ErrHeader
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !hmac.Equal(given[:], s.mac(method, uri, counter, body)) {
		return ErrMAC
	}
	if counter <= s.last {
		return ErrReplayed
	}
	s.last = counter
	return nil
}
