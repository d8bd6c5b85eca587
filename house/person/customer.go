package person

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// Customer is an entry of the register: somebody, and a salt.
type Customer struct {
	command.Customer
	Salt []byte `json:"salt"`
}

// Paper is what a paper of a claim says: a letter, or what supports a claim.
type Paper struct {
	Text string `json:"text"`
	Salt []byte `json:"salt"`
}

// MostPaper bounds the text of a paper, in characters.
const MostPaper = 20_000

// Unfit reports a part of an entry that cannot be kept.
type Unfit struct {
	Field, Why string
}

// Error implements error.
func (e *Unfit) Error() string { return "person: " + e.Field + ": " + e.Why }

// NewCustomer returns a customer with a salt of its own, without the space around
// what was written.
func NewCustomer(c command.Customer, entropy io.Reader) (Customer, error) {
	for name, value := range c.Texts() {
		*value = strings.TrimSpace(*value)
		if !fits(*value) {
			return Customer{}, &Unfit{name, tooLong()}
		}
	}
	if c.Name == "" {
		return Customer{}, &Unfit{"name", "It must not be empty."}
	}
	if _, err := day.Parse(c.Born); c.Born != "" && err != nil {
		return Customer{}, &Unfit{"born", "It must be a date such as 1990-01-31."}
	}
	salt, err := newSalt(entropy)
	return Customer{c, salt}, err
}

// NewPaper returns a paper with a salt of its own.
func NewPaper(text string, entropy io.Reader) (Paper, error) {
	text = strings.TrimSpace(text)
	if text == "" || !utf8.ValidString(text) || utf8.RuneCountInString(text) > MostPaper {
		return Paper{}, &Unfit{"text", fmt.Sprintf("It has at least one character and at most %d.", MostPaper)}
	}
	salt, err := newSalt(entropy)
	return Paper{text, salt}, err
}

func newSalt(entropy io.Reader) ([]byte, error) {
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(entropy, salt); err != nil {
		return nil, fmt.Errorf("person: %w", err)
	}
	return salt, nil
}

// Hash returns what the journal says of the customer.
func (c Customer) Hash() record.Hash { return hashOf("customer", encode(c)) }

// Hash returns what the journal says of the paper.
func (p Paper) Hash() record.Hash { return hashOf("paper", encode(p)) }

// PutCustomer keeps a customer.
func (r *Register) PutCustomer(ctx context.Context, c Customer) error {
	return r.put(ctx, "customer", string(encode(c)), c.Hash())
}

// Customer returns the customer of a hash.
func (r *Register) Customer(ctx context.Context, hash record.Hash) (c Customer, err error) {
	err = r.read(ctx, "customer", hash, &c)
	return c, err
}

// PutPaper keeps a paper.
func (r *Register) PutPaper(ctx context.Context, p Paper) error {
	return r.put(ctx, "paper", string(encode(p)), p.Hash())
}

// Paper returns the paper of a hash.
func (r *Register) Paper(ctx context.Context, hash record.Hash) (p Paper, err error) {
	err = r.read(ctx, "paper", hash, &p)
	return p, err
}

// read reads an entry that is kept as JSON.
func (r *Register) read(ctx context.Context, kind string, hash record.Hash, to any) error {
	entry, err := r.get(ctx, kind, hash)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(entry), to); err != nil {
		return fmt.Errorf("person: %w", err)
	}
	return nil
}

// encode writes an entry of texts and bytes, which always encodes.
func encode(entry any) []byte {
	data, err := json.Marshal(entry)
	if err != nil {
		panic(err)
	}
	return data
}
