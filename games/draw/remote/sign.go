package remote

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"

	"strconv"
	"strings"
	"time"

	"drawhouse/journal"
)

// The house signs every request to the device with its key, and the device signs every
// answer with its own, over the request that it answers. A process on the same machine
// that has neither key gets nothing from the device, stops nothing there, and cannot stand
// in for it.

// ErrStranger: the device does not know the key of the house that asks.
var ErrStranger = errors.New(
	"the draw device does not know the key of this house; start the device again with --house-key of the key that the house signs with")

const (
	// houseHeader carries time, nonce and signature of a request, and deviceHeader the
	// signature of an answer.
	houseHeader  = "Drawhouse-House"
	deviceHeader = "Drawhouse-Device"
	// freshness is how far apart the clocks of house and device may be, and how long a
	// request that was recorded can be sent again. Both are on one machine.
	freshness = time.Minute
	nonceSize = 16
)

// requestText is what the house signs. No checkpoint and no seal begins like it.
func requestText(method, path, at, nonce string, body []byte) []byte {
	return fmt.Appendf(nil, "drawhouse device request\n%s %s\n%s\n%s\n%x\n", method, path, at, nonce,
		sha256.Sum256(body))
}

// answerText is what the device signs. No result begins like it.
func answerText(nonce string, status int, body []byte) []byte {
	return fmt.Appendf(nil, "drawhouse device answer\n%s\n%d\n%x\n", nonce, status, sha256.Sum256(body))
}

// signRequest signs a request and returns its nonce.
func signRequest(r *http.Request, body []byte, house journal.Signer, now time.Time) (string, error) {
	if house == nil {
		return "", errors.New("remote: requests to a device need the key of the house")
	}
	var random [nonceSize]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	at, nonce := strconv.FormatInt(now.UnixMilli(), 10), hex.EncodeToString(random[:])
	signature, err := house.Sign(requestText(r.Method, r.URL.Path, at, nonce, body))
	if err != nil {
		return "", fmt.Errorf("remote: %w", err)
	}
	r.Header.Set(houseHeader, at+" "+nonce+" "+base64.StdEncoding.EncodeToString(signature))
	return nonce, nil
}

// known returns the nonce of a request that one of the house's keys has signed lately.
func (d *Device) known(r *http.Request, body []byte, now time.Time) (nonce string, ok bool) {
	words := strings.Split(r.Header.Get(houseHeader), " ")
	if len(words) != 3 || len(words[1]) != hex.EncodedLen(nonceSize) {
		return "", false
	}
	at, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil || now.Sub(time.UnixMilli(at)).Abs() > freshness {
		return "", false
	}
	signature, err := base64.StdEncoding.DecodeString(words[2])
	if err != nil {
		return "", false
	}
	text := requestText(r.Method, r.URL.Path, words[0], words[1], body)
	keys := d.config.Keys
	for _, house := range append([]journal.Verifier{keys.House}, keys.Others...) {
		if house.Verify(text, signature) {
			return words[1], true
		}
	}
	return "", false
}

// forHouse answers the house alone, and signs what next answers. A stranger is told nothing,
// and nothing of what a stranger sends is read but its bytes.
func (d *Device) forHouse(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		if err != nil {
			http.Error(w, "The request cannot be read.", http.StatusBadRequest)
			return
		}
		nonce, ok := d.known(r, body, time.Now())
		if !ok {
			http.Error(w, "The request is not signed by the house.", http.StatusForbidden)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := &answer{header: http.Header{}, status: http.StatusOK}
		next.ServeHTTP(answer, r)
		signature, err := d.config.Keys.Signer.Sign(answerText(nonce, answer.status, answer.body.Bytes()))
		if err != nil {
			http.Error(w, "The answer could not be signed.", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set(deviceHeader, base64.StdEncoding.EncodeToString(signature))
		w.WriteHeader(answer.status)
		_, _ = w.Write(answer.body.Bytes()) // A client that is gone asks again.
	})
}

// answer keeps an answer until it is signed.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *answer) Write(data []byte) (int, error) { return a.body.Write(data) }

// checkAnswer reports an answer that the device has not signed for this request.
func checkAnswer(response *http.Response, nonce string, body []byte, device journal.Verifier) error {
	signature, err := base64.StdEncoding.DecodeString(response.Header.Get(deviceHeader))
	if err != nil || !device.Verify(answerText(nonce, response.StatusCode, body), signature) {
		return fmt.Errorf("remote: %w: the answer is not signed by the device for this request", ErrDevice)
	}
	return nil
}
