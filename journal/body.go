package journal

import (
	"fmt"
	"strconv"
	"strings"
)

// A BodyWriter writes the text of a note: a first line that names form and
// version, then lines of a key, a space and a value.
type BodyWriter struct{ b strings.Builder }

// NewBody begins a text of the given form, such as drawhouse/seal/v1.
func NewBody(form string) *BodyWriter {
	w := new(BodyWriter)
	w.b.WriteString(form + "\n")
	return w
}

// Text adds a line with a text, which must not hold a newline.
func (w *BodyWriter) Text(key, value string) *BodyWriter {
	w.b.WriteString(key + " " + value + "\n")
	return w
}

// Uint adds a line with a number.
func (w *BodyWriter) Uint(key string, value uint64) *BodyWriter {
	return w.Text(key, strconv.FormatUint(value, 10))
}

// Hash adds a line with a hash.
func (w *BodyWriter) Hash(key string, value Hash) *BodyWriter {
	return w.Text(key, value.String())
}

// String returns the text.
func (w *BodyWriter) String() string { return w.b.String() }

// A BodyReader reads what a BodyWriter wrote: every line must be there, in its
// order, in its one spelling. The first thing that is wrong is kept and told by
// Close, and everything read after it is zero, so that a parser reads straight
// on and asks once.
type BodyReader struct {
	form  string
	lines []string
	err   error
}

// ReadBody begins to read a text, whose first line must be form.
func ReadBody(text, form string) *BodyReader {
	r := &BodyReader{form: form}
	if !strings.HasSuffix(text, "\n") {
		r.fail("the last line does not end with a newline")
		return r
	}
	r.lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if r.lines[0] != form {
		r.fail("the first line is %q", r.lines[0])
		return r
	}
	r.lines = r.lines[1:]
	return r
}

func (r *BodyReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("journal: not a %s: %w", r.form, fmt.Errorf(format, args...))
		r.lines = nil
	}
}

// More reports whether the next line has the key, for lines that repeat.
func (r *BodyReader) More(key string) bool {
	return len(r.lines) > 0 && strings.HasPrefix(r.lines[0], key+" ")
}

// Text reads the next line, which must have the key, and returns its value.
func (r *BodyReader) Text(key string) string {
	if r.err != nil {
		return ""
	}
	if !r.More(key) {
		r.fail("line %q is missing or out of order", key)
		return ""
	}
	value := r.lines[0][len(key)+1:]
	r.lines = r.lines[1:]
	return value
}

// Uint reads a number of at most limit.
func (r *BodyReader) Uint(key string, limit uint64) uint64 {
	value := r.Text(key)
	if r.err != nil {
		return 0
	}
	n, err := parseUint(key, value, limit)
	if err != nil {
		r.fail("%w", err)
	}
	return n
}

// Hash reads a hash.
func (r *BodyReader) Hash(key string) Hash {
	value := r.Text(key)
	if r.err != nil {
		return Hash{}
	}
	h, err := parseHash(key, value)
	if err != nil {
		r.fail("%w", err)
	}
	return h
}

// Close returns the first error, or an error if lines are left over.
func (r *BodyReader) Close() error {
	if r.err == nil && len(r.lines) > 0 {
		r.fail("unexpected line %q", r.lines[0])
	}
	return r.err
}
