package certify

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/acme"
)

// The ways in which a Manager proves that a name is the house's.
const (
	proofTLS  = "tls-alpn-01"
	proofHTTP = "http-01"
)

// order has the authority give a certificate for all names.
func (m *Manager) order(ctx context.Context, kind string) (*tls.Certificate, error) {
	account, err := m.Folder.account()
	if err != nil {
		return nil, err
	}
	client := &acme.Client{Key: account, DirectoryURL: m.Directory, HTTPClient: m.client, UserAgent: m.Agent,
		RetryBackoff: again}
	if err := m.signOn(ctx, client); err != nil {
		return nil, fmt.Errorf("the account at the authority: %w", err)
	}
	order, err := client.AuthorizeOrder(ctx, acme.DomainIDs(m.Names...))
	if err != nil {
		return nil, fmt.Errorf("the order of a certificate: %w", err)
	}
	for _, url := range order.AuthzURLs {
		if err := m.prove(ctx, client, url, kind); err != nil {
			return nil, err
		}
	}
	if order, err = client.WaitOrder(ctx, order.URI); err != nil {
		return nil, fmt.Errorf("the order of a certificate: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	request, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{DNSNames: m.Names}, key)
	if err != nil {
		return nil, err
	}
	chain, _, err := client.CreateCertFromOrder(ctx, order, request, true)
	if err != nil {
		return nil, fmt.Errorf("the certificate: %w", err)
	}
	return m.fits(chain, key)
}

// fits returns a certificate with its key if it is what was ordered.
func (m *Manager) fits(chain [][]byte, key *ecdsa.PrivateKey) (*tls.Certificate, error) {
	leaf, err := x509.ParseCertificate(chain[0])
	if err != nil {
		return nil, fmt.Errorf("the certificate: %w", err)
	}
	if !key.PublicKey.Equal(leaf.PublicKey) {
		return nil, errors.New("the certificate is for another key than the one that it was ordered for")
	}
	if lacks := missing(leaf, m.Names); len(lacks) > 0 {
		return nil, fmt.Errorf("the certificate is not for %s, which it was ordered for", strings.Join(lacks, ", "))
	}
	if !m.Now().Before(leaf.NotAfter) {
		return nil, fmt.Errorf("the certificate ended already, at %s; is the clock right?", leaf.NotAfter.UTC().Format(time.RFC3339))
	}
	return &tls.Certificate{Certificate: chain, PrivateKey: key, Leaf: leaf}, nil
}

// signOn has the authority know the account, which it may have forgotten.
func (m *Manager) signOn(ctx context.Context, client *acme.Client) error {
	account, err := client.GetReg(ctx, "")
	if errors.Is(err, acme.ErrNoAccount) {
		wanted := new(acme.Account)
		if m.Email != "" {
			wanted.Contact = []string{"mailto:" + m.Email}
		}
		account, err = client.Register(ctx, wanted, acme.AcceptTOS) // The operator has agreed before there was a Manager.
	}
	if err == nil {
		client.KID = acme.KeyID(account.URI)
	}
	return err
}

// prove proves one name, unless the authority takes it for proven.
func (m *Manager) prove(ctx context.Context, client *acme.Client, url, kind string) error {
	authorization, err := client.GetAuthorization(ctx, url)
	if err != nil {
		return fmt.Errorf("the proof of a name: %w", err)
	}
	name := authorization.Identifier.Value
	if authorization.Status == acme.StatusValid {
		return nil
	}
	var offered []string
	for _, c := range authorization.Challenges {
		offered = append(offered, c.Type)
	}
	i := slices.Index(offered, kind)
	if i < 0 {
		return &proofError{name, kind, fmt.Errorf("the authority offers %s", strings.Join(offered, ", "))}
	}
	challenge := authorization.Challenges[i]
	stop, err := m.answer(client, name, challenge)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer stop()
	if _, err := client.Accept(ctx, challenge); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if _, err := client.WaitAuthorization(ctx, url); err != nil {
		return &proofError{name, kind, err}
	}
	return nil
}

// proofError means that a name could not be proven in one way. It may be in another.
type proofError struct {
	name, kind string
	err        error
}

func (e *proofError) Error() string {
	return fmt.Sprintf("%s could not be proven by %s: %v", e.name, e.kind, e.err)
}

// Unwrap returns why.
func (e *proofError) Unwrap() error { return e.err }

// answer makes the house answer one challenge until stop is called.
func (m *Manager) answer(client *acme.Client, name string, challenge *acme.Challenge) (stop func(), err error) {
	if challenge.Type == proofHTTP {
		text, err := client.HTTP01ChallengeResponse(challenge.Token)
		if err != nil {
			return nil, err
		}
		return put(m, m.tokens, challenge.Token, text), nil
	}
	cert, err := client.TLSALPN01ChallengeCert(challenge.Token, name)
	if err != nil {
		return nil, err
	}
	return put(m, m.proofs, name, &cert), nil
}

// put adds to a map of a Manager, and returns what takes it out again.
func put[V any](m *Manager, in map[string]V, key string, value V) (remove func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	in[key] = value
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(in, key)
	}
}

// again returns how long to wait before a request is sent once more, such as with another nonce; 0 if it is not. An
// authority that says to come later has the whole try wait.
func again(n int, _ *http.Request, response *http.Response) time.Duration {
	if n > 5 || response.StatusCode == http.StatusTooManyRequests {
		return 0
	}
	return 100 * time.Millisecond << n
}
