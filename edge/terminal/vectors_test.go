package terminal

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"drawhouse/core/serial"
)

// vectors are those of testdata/vectors.json, which testdata/vectors.py has written. That shares nothing with this
// package: it was written from docs/DEVELOPING.md.
type vectors struct {
	Terminal     uint32
	KeySeed      string `json:"key_seed"`
	EnrolmentKey string `json:"enrolment_key"`
	Hello        struct {
		Time                      time.Time
		ShareSeed                 string `json:"share_seed"`
		Share, Message, Signature string
	}
	Welcome struct {
		Session, Share string
		ShareSeed      string `json:"share_seed"`
	}
	Agreed, Salt string
	SessionKey   string `json:"session_key"`
	Requests     []struct {
		Method, URI, Body, Header string
		Counter                   uint64
		Input                     string `json:"mac_input"`
	}
	ClaimCodes []struct {
		Code, Bytes, Opening string
		Terminal             uint32
		Request              uint64
		ClaimHash            string `json:"claim_hash"`
	} `json:"claim_codes"`
}

// TestVectors works every value of the vectors out from their seeds, at both ends, and looks for those that the page
// for developers quotes.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors.json")
	must(t, err)
	page, err := os.ReadFile("../../docs/DEVELOPING.md")
	must(t, err)
	quoted := func(what string) {
		t.Helper()
		for line := range strings.Lines(what) {
			if line = strings.TrimSpace(line); !strings.Contains(string(page), line) {
				t.Errorf("docs/DEVELOPING.md does not have %q", line)
			}
		}
	}
	var v vectors
	must(t, json.Unmarshal(data, &v))
	same := func(what, got, want string) {
		t.Helper()
		if got != want || want == "" {
			t.Errorf("%s is %q, and the vector says %q", what, got, want)
		}
	}
	key := ed25519.NewKeyFromSeed(fromHex(t, v.KeySeed))
	public, _ := key.Public().(ed25519.PublicKey)
	same("the key", base64.StdEncoding.EncodeToString(public), v.EnrolmentKey)

	hello, secret, err := Begin(key, v.Terminal, v.Hello.Time, bytes.NewReader(fromHex(t, v.Hello.ShareSeed)))
	must(t, err)
	same("the share", hello.Share, v.Hello.Share)
	same("the message", string(message(v.Terminal, hello)), v.Hello.Message)
	same("the signature", hello.Signature, v.Hello.Signature)
	quoted(v.Hello.Message)
	quoted(v.Hello.Signature)

	welcome, house, err := Accept(public, v.Terminal, hello, v.Welcome.Session, v.Hello.Time.Add(time.Hour),
		bytes.NewReader(fromHex(t, v.Welcome.ShareSeed)))
	must(t, err)
	same("the share of the house", welcome.Share, v.Welcome.Share)
	agreed, salt, sessionKey, err := keyOf(secret, welcome.Share, v.Terminal, hello, welcome)
	must(t, err)
	for what, of := range map[string]struct {
		got  []byte
		want string
	}{"what is agreed": {agreed, v.Agreed}, "the salt": {salt, v.Salt}, "the key of the session": {sessionKey, v.SessionKey}} {
		same(what, hex.EncodeToString(of.got), of.want)
		quoted(of.want)
	}

	device, err := Finish(secret, v.Terminal, hello, welcome)
	must(t, err)
	for _, r := range v.Requests {
		header := device.Sign(r.Method, r.URI, []byte(r.Body))
		same("the header", header, r.Header)
		must(t, house.Check(header, r.Method, r.URI, []byte(r.Body)))
	}
	quoted(v.Requests[1].Input)
	quoted(Header + ": " + v.Requests[1].Header)

	for _, c := range v.ClaimCodes {
		code, err := serial.ParseClaimCode(c.Code)
		must(t, err)
		opening, hash := code.Opening(c.Terminal, c.Request), code.Hash(c.Terminal, c.Request)
		same("the bytes of the code", hex.EncodeToString(code[:]), c.Bytes)
		same("the opening", hex.EncodeToString(opening[:]), c.Opening)
		same("the hash of the code", hex.EncodeToString(hash[:]), c.ClaimHash)
	}
	quoted(v.ClaimCodes[0].Code)
	quoted(v.ClaimCodes[0].Bytes)
	quoted(v.ClaimCodes[0].ClaimHash)
	if len(v.Requests) < 3 || len(v.ClaimCodes) < 2 {
		t.Errorf("%d requests and %d codes", len(v.Requests), len(v.ClaimCodes))
	}
}

func fromHex(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	must(t, err)
	return data
}
