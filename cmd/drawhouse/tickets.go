package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"drawhouse/core/figure"
	"drawhouse/core/handover"
)

// ticketsCmd groups what the operator of another system does to hand over its open tickets. It needs no house.
type ticketsCmd struct {
	Key   ticketsKeyCmd   `cmd:"" help:"Make a key to sign files with, if there is none, and show its public half."`
	Sign  ticketsSignCmd  `cmd:"" help:"Check a file of open tickets and print it with its signature."`
	Check ticketsCheckCmd `cmd:"" help:"Check a signed file of open tickets and say what it comes to."`
}

// ticketsKeyCmd makes and shows a key.
type ticketsKeyCmd struct {
	File string `arg:"" type:"path" help:"The private key, PKCS #8 in PEM, as openssl makes it too."`
}

// Run implements the command.
func (c *ticketsKeyCmd) Run(out *bytes.Buffer) error {
	if _, err := os.Stat(c.File); errors.Is(err, fs.ErrNotExist) {
		if err := makeTicketsKey(c.File); err != nil {
			return misused("FILE", err)
		}
	}
	key, err := ticketsKey("FILE", c.File)
	if err != nil {
		return err
	}
	public, _ := key.Public().(ed25519.PublicKey)
	fmt.Fprintln(out, handover.FormatKey(public))
	return nil
}

func makeTicketsKey(path string) error {
	if err := checkSecretDir(filepath.Dir(path)); err != nil {
		return err
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	data, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return writeNewFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: data}), 0o600)
}

// ticketsKey reads a private key.
func ticketsKey(argument, path string) (ed25519.PrivateKey, error) {
	if err := checkSecret(path); err != nil {
		return nil, misused(argument, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, misused(argument, err)
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, misused(argument, fmt.Errorf("%s is not in PEM", path))
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if key, ok := parsed.(ed25519.PrivateKey); err == nil && ok {
		return key, nil
	}
	return nil, misused(argument, fmt.Errorf("%s is no Ed25519 private key in PKCS #8", path))
}

// ticketsSignCmd signs a file.
type ticketsSignCmd struct {
	Key  string `required:"" type:"path" placeholder:"FILE" help:"The private key, as tickets key makes it."`
	File string `arg:"" help:"The file with every line but that of the signature."`
}

// Run implements the command. Faults are the result and go to the output, one to a line.
func (c *ticketsSignCmd) Run(out *bytes.Buffer) error {
	key, err := ticketsKey("--key", c.Key)
	if err != nil {
		return err
	}
	text, err := readTickets(c.File)
	if err != nil {
		return err
	}
	signed, err := handover.Sign(text, key)
	if err != nil {
		return showFaults(out, c.File, err)
	}
	out.Write(signed)
	return nil
}

// ticketsCheckCmd checks a signed file.
type ticketsCheckCmd struct {
	Key  string `required:"" placeholder:"KEY" help:"The public key in base64, as tickets key shows it."`
	File string `arg:"" help:"The file with its signature."`
}

// Run implements the command. Faults are the result and go to the output, one to a line.
func (c *ticketsCheckCmd) Run(out *bytes.Buffer) error {
	key, err := handover.ParseKey(c.Key)
	if err != nil {
		return misused("--key", err)
	}
	text, err := readTickets(c.File)
	if err != nil {
		return err
	}
	file, err := handover.Read(text, key)
	if err != nil {
		return showFaults(out, c.File, err)
	}
	sum, err := file.Total()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s is sound: %s of %s, as of %v, by rulebook %s; owed in all: %d cents (%s)\n", c.File,
		figure.Count(len(file.Tickets), "open ticket"), file.System, file.AsOf, file.Rulebook, sum.Cents(), file.Currency)
	return nil
}

// readTickets reads a file of open tickets, and no more of it than shows that it is too long.
func readTickets(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, misused("FILE", err)
	}
	text, err := io.ReadAll(io.LimitReader(file, handover.MostBytes+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, misused("FILE", err)
	}
	return text, nil
}

// showFaults writes what is wrong with a file, one fault to a line.
func showFaults(out *bytes.Buffer, path string, err error) error {
	faults := handover.Faults(nil)
	if !errors.As(err, &faults) {
		return err
	}
	for _, f := range faults {
		fmt.Fprintf(out, "%s: %v\n", path, f)
	}
	return fmt.Errorf("%s has %s", path, figure.Count(len(faults), "fault"))
}
