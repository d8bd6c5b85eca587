// Package acmetest is an ACME authority for tests: it speaks as much of RFC 8555 as a client needs that orders
// certificates, looks at signatures and nonces, and asks for proofs by TLS-ALPN-01 and HTTP-01 as an authority does,
// though at ports that the test names.
package acmetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/acme"
)

// An Authority gives certificates to those who prove that a name leads to them. Its fields may be set between requests,
// with Set.
type Authority struct {
	// TLSAt and PlainAt are where the names lead: what port 443 and port 80 are to a real one.
	TLSAt, PlainAt string
	Life           time.Duration    // of a certificate
	Now            func() time.Time // when a certificate begins
	Away           bool             // it cuts every request off
	Busy           time.Duration    // it has everybody come later; 0 for not
	Refused        string           // a name that it gives no certificate for
	HTTPOnly       bool             // it offers proofs by HTTP-01 alone

	Orders, Accounts, Proofs int // how many there were

	mu     sync.Mutex // guards everything
	server *httptest.Server
	root   *ecdsa.PrivateKey
	cert   *x509.Certificate
	nonces map[string]bool
	keys   []*ecdsa.PublicKey // of the accounts
	orders []*order
}

type order struct {
	account int
	names   []string
	proven  []bool
	failed  []string // why a proof was none
	tokens  []string
	chain   []byte
}

// New starts an authority on a port of this machine. It ends with the test.
func New(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{Life: 90 * 24 * time.Hour, Now: time.Now, nonces: map[string]bool{}}
	var err error
	if a.root, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "an authority for tests"},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().AddDate(10, 0, 0), IsCA: true,
		BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, a.root.Public(), a.root)
	if err != nil {
		t.Fatal(err)
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.server = httptest.NewTLSServer(a)
	t.Cleanup(a.server.Close)
	return a
}

// Set changes what the authority does.
func (a *Authority) Set(change func(*Authority)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(a)
}

// Directory returns where the authority is.
func (a *Authority) Directory() string { return a.server.URL + "/directory" }

// Pool returns the root of the authority's own address.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.server.Certificate())
	return pool
}

// Roots returns the root of the certificates that it gives.
func (a *Authority) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// File writes the root of the authority's own address into a file.
func (a *Authority) File(t testing.TB) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "authority.pem")
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.server.Certificate().Raw})
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// problem is how an authority says no.
type problem struct {
	status int
	kind   string
	detail string
}

func (p *problem) Error() string { return p.detail }

func refuse(status int, kind, format string, args ...any) error {
	return &problem{status, kind, fmt.Sprintf(format, args...)}
}

// ServeHTTP answers as an authority.
func (a *Authority) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.Away {
		panic(http.ErrAbortHandler)
	}
	nonce := rand.Text()
	a.nonces[nonce] = true
	w.Header().Set("Replay-Nonce", nonce)
	status, body, err := http.StatusOK, any(nil), error(nil)
	switch {
	case r.URL.Path == "/directory":
		body = map[string]any{"newNonce": a.url("nonce"), "newAccount": a.url("account"), "newOrder": a.url("order"),
			"revokeCert": a.url("revoke"), "keyChange": a.url("change"),
			"meta": map[string]string{"termsOfService": a.url("terms")}}
	case r.URL.Path == "/nonce":
	case a.Busy != 0:
		w.Header().Set("Retry-After", fmt.Sprint(int(a.Busy.Seconds())))
		err = refuse(http.StatusTooManyRequests, "rateLimited", "too many certificates already issued")
	default:
		status, body, err = a.post(w, r)
	}
	if err != nil {
		p := &problem{http.StatusBadRequest, "malformed", err.Error()}
		errors.As(err, &p)
		status, body = p.status, wire(p)
		w.Header().Set("Content-Type", "application/problem+json")
	}
	w.WriteHeader(status)
	if text, ok := body.([]byte); ok {
		_, _ = w.Write(text)
	} else if body != nil {
		_ = json.NewEncoder(w).Encode(body)
	}
}

func wire(p *problem) map[string]any {
	return map[string]any{"type": "urn:ietf:params:acme:error:" + p.kind, "detail": p.detail, "status": p.status}
}

func (a *Authority) url(path string, args ...any) string {
	return a.server.URL + "/" + fmt.Sprintf(path, args...)
}

// post answers a signed request.
func (a *Authority) post(w http.ResponseWriter, r *http.Request) (int, any, error) {
	account, key, payload, err := a.open(r)
	if err != nil {
		return 0, nil, err
	}
	switch r.URL.Path {
	case "/account":
		return a.account(w, account, key, payload)
	case "/order":
		return a.order(w, account, payload)
	}
	var what string
	var number, name int
	if _, err := fmt.Sscanf(strings.ReplaceAll(r.URL.Path, "/", " "), "%s %d %d", &what, &number, &name); err != nil ||
		number >= len(a.orders) || a.orders[number].account != account || name >= len(a.orders[number].names) {
		return 0, nil, refuse(http.StatusNotFound, "malformed", "there is no %s", r.URL.Path)
	}
	o := a.orders[number]
	switch what {
	case "authorization":
		return http.StatusOK, a.authorization(number, name), nil
	case "proof-tls", "proof-plain":
		a.prove(o, name, what == "proof-tls")
		return http.StatusOK, a.challenge(what, number, name), nil
	case "finalize":
		if err := a.finalize(o, payload); err != nil {
			return 0, nil, err
		}
	case "certificate":
		return http.StatusOK, o.chain, nil
	}
	w.Header().Set("Location", a.url("orders/%d/0", number))
	return http.StatusOK, a.told(number), nil
}

// open checks the signature of a request and returns who sent what: an account, or -1 with the key of one to be.
func (a *Authority) open(r *http.Request) (account int, key *ecdsa.PublicKey, payload []byte, err error) {
	var jws struct{ Protected, Payload, Signature string }
	var head struct {
		Nonce, URL, KID, Alg string
		JWK                  *struct{ X, Y string }
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<20)).Decode(&jws); err != nil {
		return 0, nil, nil, err
	}
	protected, err1 := base64.RawURLEncoding.DecodeString(jws.Protected)
	payload, err2 := base64.RawURLEncoding.DecodeString(jws.Payload)
	signature, err3 := base64.RawURLEncoding.DecodeString(jws.Signature)
	if err := errors.Join(err1, err2, err3, json.Unmarshal(protected, &head)); err != nil {
		return 0, nil, nil, err
	}
	if !a.nonces[head.Nonce] {
		return 0, nil, nil, refuse(http.StatusBadRequest, "badNonce", "the nonce is not known")
	}
	delete(a.nonces, head.Nonce)
	account = -1
	switch {
	case head.URL != a.server.URL+r.URL.Path || head.Alg != "ES256":
		return 0, nil, nil, fmt.Errorf("a request to %s by %s is signed for %s", r.URL.Path, head.Alg, head.URL)
	case head.JWK != nil:
		x, err1 := base64.RawURLEncoding.DecodeString(head.JWK.X)
		y, err2 := base64.RawURLEncoding.DecodeString(head.JWK.Y)
		if err := errors.Join(err1, err2); err != nil {
			return 0, nil, nil, err
		}
		if key, err = ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, x...), y...)); err != nil {
			return 0, nil, nil, err
		}
	default:
		if _, err := fmt.Sscanf(head.KID, a.url("accounts/%%d"), &account); err != nil || account >= len(a.keys) {
			return 0, nil, nil, refuse(http.StatusUnauthorized, "accountDoesNotExist", "no account %q", head.KID)
		}
		key = a.keys[account]
	}
	hash := sha256.Sum256([]byte(jws.Protected + "." + jws.Payload))
	if len(signature) != 64 || !ecdsa.Verify(key, hash[:], new(big.Int).SetBytes(signature[:32]),
		new(big.Int).SetBytes(signature[32:])) {
		return 0, nil, nil, errors.New("the signature is none")
	}
	return account, key, payload, nil
}

// account answers who opens an account, or asks for the one of a key.
func (a *Authority) account(w http.ResponseWriter, account int, key *ecdsa.PublicKey,
	payload []byte) (int, any, error) {
	var asked struct {
		OnlyReturnExisting, TermsOfServiceAgreed bool
		Contact                                  []string
	}
	if err := json.Unmarshal(payload, &asked); err != nil {
		return 0, nil, err
	}
	status := http.StatusOK
	for i, known := range a.keys {
		if known.Equal(key) {
			account = i
		}
	}
	switch {
	case account < 0 && asked.OnlyReturnExisting:
		return 0, nil, refuse(http.StatusBadRequest, "accountDoesNotExist", "no account has this key")
	case account < 0 && !asked.TermsOfServiceAgreed:
		return 0, nil, refuse(http.StatusForbidden, "userActionRequired", "the terms are not agreed to")
	case account < 0:
		status, account = http.StatusCreated, len(a.keys)
		a.keys = append(a.keys, key)
		a.Accounts++
	}
	w.Header().Set("Location", a.url("accounts/%d", account))
	return status, map[string]any{"status": "valid", "contact": asked.Contact}, nil
}

// order answers who orders a certificate.
func (a *Authority) order(w http.ResponseWriter, account int, payload []byte) (int, any, error) {
	var asked struct{ Identifiers []acme.AuthzID }
	if err := json.Unmarshal(payload, &asked); err != nil || len(asked.Identifiers) == 0 {
		return 0, nil, errors.New("it orders nothing")
	}
	a.Orders++
	o := &order{account: account}
	for _, id := range asked.Identifiers {
		if id.Value == a.Refused {
			return 0, nil, refuse(http.StatusForbidden, "rejectedIdentifier", "%s is not certified here", id.Value)
		}
		o.names, o.tokens = append(o.names, id.Value), append(o.tokens, rand.Text())
	}
	o.proven, o.failed = make([]bool, len(o.names)), make([]string, len(o.names))
	a.orders = append(a.orders, o)
	w.Header().Set("Location", a.url("orders/%d/0", len(a.orders)-1))
	return http.StatusCreated, a.told(len(a.orders) - 1), nil
}

// told is how an order stands.
func (a *Authority) told(number int) map[string]any {
	o := a.orders[number]
	all := map[string]any{"status": "ready", "finalize": a.url("finalize/%d/0", number)}
	var identifiers []map[string]string
	var authorizations []string
	for i, name := range o.names {
		identifiers = append(identifiers, map[string]string{"type": "dns", "value": name})
		authorizations = append(authorizations, a.url("authorization/%d/%d", number, i))
		if !o.proven[i] {
			all["status"] = "pending"
		}
		if o.failed[i] != "" {
			all["status"] = "invalid"
			break
		}
	}
	if o.chain != nil {
		all["status"], all["certificate"] = "valid", a.url("certificate/%d/0", number)
	}
	all["identifiers"], all["authorizations"] = identifiers, authorizations
	return all
}

var kindOf = map[string]string{"proof-tls": "tls-alpn-01", "proof-plain": "http-01"}

// challenge is how a name may be proven.
func (a *Authority) challenge(what string, number, name int) map[string]any {
	return map[string]any{"type": kindOf[what], "url": a.url("%s/%d/%d", what, number, name),
		"token": a.orders[number].tokens[name], "status": "pending"}
}

// authorization is how the proof of a name stands.
func (a *Authority) authorization(number, name int) map[string]any {
	o := a.orders[number]
	status := "pending"
	var challenges []map[string]any
	for _, what := range []string{"proof-plain", "proof-tls"} {
		one := a.challenge(what, number, name)
		if o.failed[name] != "" {
			status, one["status"] = "invalid", "invalid"
			one["error"] = wire(&problem{http.StatusForbidden, "unauthorized", o.failed[name]})
		}
		if what == "proof-plain" || !a.HTTPOnly {
			challenges = append(challenges, one)
		}
	}
	if o.proven[name] {
		status = "valid"
	}
	return map[string]any{"status": status, "challenges": challenges,
		"identifier": map[string]string{"type": "dns", "value": o.names[name]}}
}

// finalize signs a certificate.
func (a *Authority) finalize(o *order, payload []byte) error {
	var asked struct{ CSR string }
	if err := json.Unmarshal(payload, &asked); err != nil {
		return err
	}
	der, err := base64.RawURLEncoding.DecodeString(asked.CSR)
	if err != nil {
		return err
	}
	csr, err := x509.ParseCertificateRequest(der)
	if err != nil {
		return err
	}
	if err := csr.CheckSignature(); err != nil {
		return err
	}
	if !slices.Equal(csr.DNSNames, o.names) {
		return refuse(http.StatusForbidden, "badCSR", "the request is for %v, and the order for %v", csr.DNSNames, o.names)
	}
	for i, ok := range o.proven {
		if !ok {
			return refuse(http.StatusForbidden, "orderNotReady", "%s is not proven", o.names[i])
		}
	}
	now := a.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(now.UnixNano()), DNSNames: csr.DNSNames,
		NotBefore: now, NotAfter: now.Add(a.Life), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	if der, err = x509.CreateCertificate(rand.Reader, template, a.cert, csr.PublicKey, a.root); err != nil {
		return err
	}
	for _, one := range [][]byte{der, a.cert.Raw} {
		o.chain = append(o.chain, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: one})...)
	}
	return nil
}
