package certify

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/acme"
)

// TLS returns how connections to the house are answered: those of an authority that asks for a proof with the proof,
// and all others as Serving says.
func (m *Manager) TLS() *tls.Config {
	config := Serving(m.certificateFor)
	config.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		if !slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}) {
			return nil, nil // As all others.
		}
		return &tls.Config{GetCertificate: m.proofFor, MinVersion: tls.VersionTLS12,
			NextProtos: []string{acme.ALPNProto}}, nil
	}
	return config
}

// Serving returns how connections are answered with a certificate.
func Serving(certificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)) *tls.Config {
	return &tls.Config{GetCertificate: certificate, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
}

// certificateFor returns the certificate in force, also one that has ended: a browser says so to the person before it.
func (m *Manager) certificateFor(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if cert := m.current.Load(); cert != nil {
		return cert, nil
	}
	if from, ok := hello.Conn.RemoteAddr().(*net.TCPAddr); ok && from.IP.IsLoopback() {
		return m.local, nil
	}
	return nil, m.noCertificate()
}

// proofFor returns what proves a name by TLS-ALPN-01.
func (m *Manager) proofFor(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if cert := m.proofs[strings.ToLower(hello.ServerName)]; cert != nil {
		return cert, nil
	}
	return nil, fmt.Errorf("no authority was asked to have %q proven now", hello.ServerName)
}

// challengesAt is where HTTP-01 looks.
const challengesAt = "/.well-known/acme-challenge/"

// Challenges answers what an authority asks by HTTP-01. Without a certificate it tells all others so, who would be
// sent on in vain, and passes them to next otherwise.
func (m *Manager) Challenges(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.URL.Path, challengesAt)
		switch {
		case ok:
			m.mu.Lock()
			text, known := m.tokens[token]
			m.mu.Unlock()
			if !known {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/octet-stream")
			_, _ = io.WriteString(w, text) // An authority that does not take it asks again.
		case m.current.Load() == nil:
			w.Header().Set("Retry-After", "60")
			http.Error(w, "The house has no certificate yet, and asks for one. Try again in a minute; its operator finds the reason in the log.",
				http.StatusServiceUnavailable)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// signedByItself returns a certificate for connections from this machine, which have nobody between.
func signedByItself(now time.Time) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "drawhouse, for this machine alone"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(10, 0, 0), DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
