package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"drawhouse/house/person"
)

// peopleSuffix makes the name of the register's backup from that of the journal's.
const peopleSuffix = ".people"

// backupRegister writes the register of people into a file that is the owner's alone,
// and reads it back. It returns how many entries there are.
func (f storageFlags) backupRegister(ctx context.Context, name string) (int, error) {
	register, err := f.openRegister(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = register.Close() }()
	var file bytes.Buffer
	n, err := register.Export(ctx, &file)
	if err != nil {
		return 0, err
	}
	if again, err := person.CheckExport(bytes.NewReader(file.Bytes()), f.keysOf()); err != nil || again.Entries != n {
		return 0, fmt.Errorf("%d of %d entries can be read back: %w", again.Entries, n, errors.Join(err, person.ErrDamaged))
	}
	return n, writeNewFile(name, file.Bytes(), 0o600)
}

// restoreRegister takes up a backup of the register, and says which of its keys are not at hand.
// found is false if there is none.
func (f storageFlags) restoreRegister(ctx context.Context, out io.Writer, name string) (n int, found bool, err error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	register, err := f.openRegister(ctx)
	if err != nil {
		return 0, true, err
	}
	defer func() { _ = register.Close() }()
	n, err = register.Import(ctx, bytes.NewReader(data))
	if err != nil {
		return 0, true, err
	}
	standing, err := register.Standing(ctx)
	for _, fault := range personalFaults(standing, f.keysOf()) {
		fmt.Fprintln(out, fault)
	}
	return n, true, err
}

// mirrorRegister makes the register at one place what that at another is. What is sealed stays
// sealed: it takes no key.
func mirrorRegister(ctx context.Context, to, from storageFlags) (n int, err error) {
	source, err := from.openRegisterWith(ctx, "")
	if err != nil {
		return 0, err
	}
	defer func() { _ = source.Close() }()
	target, err := to.openRegisterWith(ctx, "")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	return person.Mirror(ctx, target, source)
}
