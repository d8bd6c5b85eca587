package acmetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/asn1"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"time"

	"golang.org/x/crypto/acme"
)

// proving is how long a proof may take.
const proving = 10 * time.Second

// prove asks where a name leads for what only who has ordered knows.
func (a *Authority) prove(o *order, name int, byTLS bool) {
	a.Proofs++
	thumbprint, err := acme.JWKThumbprint(a.keys[o.account])
	if err == nil {
		answer := o.tokens[name] + "." + thumbprint
		if byTLS {
			err = provenByTLS(a.TLSAt, o.names[name], answer)
		} else {
			err = provenPlainly(a.PlainAt, o.names[name], o.tokens[name], answer)
		}
	}
	if err != nil {
		o.failed[name] = err.Error()
		return
	}
	o.proven[name] = true
}

// identifier is the extension by which a certificate proves a name (RFC 8737).
var identifier = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 1, 31}

func provenByTLS(at, name, answer string) error {
	// What the certificate proves is in it, and nobody else has signed it.
	config := &tls.Config{ServerName: name, NextProtos: []string{"acme-tls/1"}, InsecureSkipVerify: true}
	conn, err := tls.DialWithDialer(&net.Dialer{Timeout: proving}, "tcp", at, config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	state := conn.ConnectionState()
	leaf := state.PeerCertificates[0]
	if state.NegotiatedProtocol != "acme-tls/1" || !slices.Equal(leaf.DNSNames, []string{name}) {
		return fmt.Errorf("it speaks %q for %v", state.NegotiatedProtocol, leaf.DNSNames)
	}
	hash := sha256.Sum256([]byte(answer))
	want, err := asn1.Marshal(hash[:])
	if err != nil {
		return err
	}
	for _, e := range leaf.Extensions {
		if e.Id.Equal(identifier) && e.Critical && bytes.Equal(e.Value, want) {
			return nil
		}
	}
	return errors.New("the certificate there does not prove it")
}

func provenPlainly(at, name, token, answer string) error {
	ctx, cancel := context.WithTimeout(context.Background(), proving)
	defer cancel()
	url := "http://" + at + "/.well-known/acme-challenge/" + token
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	request.Host = name
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	said, err := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	if err != nil || response.StatusCode != http.StatusOK || string(said) != answer {
		return fmt.Errorf("it answers %d %.80q, %v", response.StatusCode, said, err)
	}
	return nil
}
