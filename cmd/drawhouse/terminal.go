package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	keyed "drawhouse/edge/terminal"
)

// terminalCmd is what a terminal does, by hand.
type terminalCmd struct {
	Send terminalSendCmd `cmd:"" help:"Send one request of a terminal to a running house, and print the answer."`
	Key  terminalKeyCmd  `cmd:"" help:"Make the key of a terminal."`
}

// houseFlag is where a running house is reached.
type houseFlag struct {
	House string `default:"http://127.0.0.1:8080" env:"DRAWHOUSE_HOUSE" placeholder:"URL" help:"Where the house is (${default})."`
}

// local reports whether the house is on this machine.
func (f houseFlag) local() bool {
	at, err := url.Parse(f.House)
	if err != nil {
		return false
	}
	ip := net.ParseIP(at.Hostname())
	return at.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// asking is how long a command waits for the house.
const asking = 30 * time.Second

// terminalSendCmd sends one request.
type terminalSendCmd struct {
	houseFlag
	Terminal uint32 `placeholder:"N" help:"Number of the terminal; that of the path if it names one."`
	Key      string `type:"existingfile" placeholder:"FILE" help:"Its key. Without one it is that of a demonstration, which everybody knows."`
	Method   string `arg:"" help:"PUT, POST or DELETE."`
	Path     string `arg:"" help:"Such as /v1/terminals/1/requests/1/sale."`
	Body     string `arg:"" optional:"" help:"JSON."`
}

// Run implements the command. An answer that is a refusal is printed too, and ends
// with status 1.
func (c *terminalSendCmd) Run(out *bytes.Buffer) error {
	id := c.Terminal
	if id == 0 {
		if _, err := fmt.Sscanf(c.Path, "/v1/terminals/%d/", &id); err != nil || id == 0 {
			return misused("--terminal", errors.New("the path names no terminal, so say which one sends it"))
		}
	}
	key := keyed.DemoKey(id)
	if c.Key != "" {
		var err error
		if key, err = readTerminalKey(c.Key); err != nil {
			return misused("--key", err)
		}
	} else if !c.local() {
		return misused("--key", errors.New("a house elsewhere is no demonstration, so the terminal needs its key"))
	}
	ctx, cancel := context.WithTimeout(context.Background(), asking)
	defer cancel()
	status, answer, err := keyed.NewClient(c.House, id, key, http.DefaultClient).Do(ctx, strings.ToUpper(c.Method),
		c.Path, []byte(c.Body))
	if err != nil {
		return err
	}
	if err := indent(out, answer); err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("the house answers %d", status)
	}
	return nil
}

// indent prints JSON for people.
func indent(out *bytes.Buffer, data []byte) error {
	if err := json.Indent(out, data, "", "  "); err != nil {
		return fmt.Errorf("the answer is not JSON: %.200s", data)
	}
	return out.WriteByte('\n')
}

// terminalKeyCmd makes a key.
type terminalKeyCmd struct {
	Out string `arg:"" help:"File for the private key, PEM. It stays with the terminal."`
}

// Run implements the command: it writes the private key, and prints the public one
// for the administrator who adds the terminal.
func (c *terminalKeyCmd) Run(out *bytes.Buffer) error {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(c.Out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return misused("OUT", err)
	}
	if err := errors.Join(pem.Encode(f, &pem.Block{Type: "PRIVATE KEY", Bytes: der}), f.Sync(), f.Close()); err != nil {
		return err
	}
	fmt.Fprintf(out, "key %s\n", base64.StdEncoding.EncodeToString(public))
	return nil
}

func readTerminalKey(path string) (ed25519.PrivateKey, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("%s is not PEM", path)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s is not an Ed25519 key", path)
	}
	return key, nil
}
