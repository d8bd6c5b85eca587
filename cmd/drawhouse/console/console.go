// Package console is how commands speak: to somebody who mistyped, to somebody who
// reads figures, and to a program that reads JSON.
//
// The scripts in testdata of cmd/drawhouse prove the sentences and statuses that come
// of it, TestCounted the figures.
package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"drawhouse/core/figure"
)

// Streams are where a command that goes on running writes as it goes.
type Streams struct{ Stdout, Stderr io.Writer }

// usageError is an error of the command line: an argument that cannot be read or
// that names nothing.
type usageError struct{ err error }

func (u usageError) Error() string { return u.err.Error() }
func (u usageError) Unwrap() error { return u.err }

// Usage makes an error one of the command line.
func Usage(err error) error { return usageError{err} }

// IsUsage reports whether an error is one of the command line.
func IsUsage(err error) bool { return errors.As(err, new(usageError)) }

// Misused returns an error of one argument, named as the user wrote it.
func Misused(argument string, err error) error {
	return usageError{fmt.Errorf("%s: %w", argument, err)}
}

// Counted returns a number with its thousands set apart.
func Counted[T int | uint64 | int64](n T) string {
	return figure.Grouped(strconv.FormatInt(int64(n), 10))
}

// WriteJSON writes a report for programs.
func WriteJSON(w io.Writer, report any) error {
	data, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
