package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/figure"
	"drawhouse/journal/store"
	"drawhouse/journal/store/backup"
)

// copyCmd copies a journal from one storage to another.
type copyCmd struct {
	From string `arg:"" help:"Data directory of a house (SQLite), or the URL of its PostgreSQL database."`
	To   string `arg:"" help:"The same for the copy: empty, or an earlier copy, which is brought up to date."`

	Archive string `placeholder:"DIR" help:"Directory of the volumes of FROM that were archived, if FROM is a URL. The copy has all volumes."`
}

// Help explains how a house moves.
func (*copyCmd) Help() string {
	return `Every record is hashed on the way and must come to the journal's root; then the
copy is read back and must come to it, too. The house may go on selling meanwhile.
To move a house, copy it while it sells, stop it, copy what is new, and start it on
the copy. Keys are not copied: they stay in the data directory, or go where you
take them. The register of people is copied, too; who was erased from it is erased from
the copy. A house that writes to TO is stopped.

A password in a URL can be seen by others on the machine; PGPASSFILE or a file
.pgpass keeps it out of the line.`
}

// Run implements the command.
func (c *copyCmd) Run(out *bytes.Buffer) (err error) {
	ctx, stop := untilStopped()
	defer stop()
	if c.From == c.To {
		return misused("TO", errors.New("it is the journal to be copied"))
	}
	from, err := openTarget(ctx, "FROM", c.From, c.Archive, storageFlags.open)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	to, err := openTarget(ctx, "TO", c.To, "", storageFlags.create)
	if err != nil {
		return err
	}
	bar := newRecordBar("copy")
	summary, err := backup.Copy(ctx, to, from, bar.progress)
	bar.end()
	if closed := to.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s of %s copied, and %s; the copy was read back and has the same root\n",
		console.Counted(summary.Copied), figure.Count(summary.Records, "record"), figure.Count(summary.Objects,
			"object"))
	writeHeads(out, summary)
	people, err := mirrorRegister(ctx, storageOf(c.To), storageOf(c.From))
	if err != nil {
		return fmt.Errorf("the journal is copied, and the register of people is not: %w", err)
	}
	fmt.Fprintf(out, "the register of people, %s, is copied\n", figure.CountOf(people, "entry", "entries"))
	if now, err := from.Head(ctx); err == nil && now.Size != summary.Volumes[len(summary.Volumes)-1].Size {
		fmt.Fprintf(out, "the house has gone on since; stop it and copy again before you start it on the copy\n")
	}
	return nil
}

// writeHeads writes where each volume ends.
func writeHeads(out *bytes.Buffer, s backup.Summary) {
	for _, head := range s.Volumes {
		fmt.Fprintf(out, "volume %d: %s, root %v\n", head.Volume, figure.Count(head.Size, "record"), head.Root)
	}
}

// openTarget opens the storage that an argument names.
func openTarget(ctx context.Context, argument, name, archived string,
	open func(storageFlags, context.Context) (store.Store, error)) (backup.Target, error) {
	storage := storageOf(name)
	storage.Archive = cmp.Or(archived, storage.Archive)
	st, err := open(storage, ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argument, err)
	}
	target, ok := st.(backup.Target)
	if !ok {
		return nil, misused(argument, fmt.Errorf("a %T cannot be copied", st))
	}
	return target, nil
}

// storageOf returns the storage that an argument names.
func storageOf(name string) storageFlags {
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		return storageFlags{Data: os.TempDir(), Database: name, Archive: os.DevNull} // No file is made there.
	}
	return storageFlags{Data: name}
}

// recordBar shows on a terminal how many records are done.
type recordBar struct {
	name string
	bar  *progressbar.ProgressBar
}

func newRecordBar(name string) *recordBar { return &recordBar{name: name} }

// progress implements backup.Progress.
func (b *recordBar) progress(done, total uint64) {
	if b.bar == nil {
		b.bar = progressbar.NewOptions64(int64(total),
			progressbar.OptionSetDescription(b.name),
			progressbar.OptionSetWriter(os.Stderr),
			progressbar.OptionSetVisibility(term.IsTerminal(int(os.Stderr.Fd()))),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString("records"),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish())
	}
	_ = b.bar.Set64(int64(done)) // What cannot be shown is no reason to stop.
}

// end removes the bar.
func (b *recordBar) end() {
	if b.bar != nil {
		_ = b.bar.Finish()
	}
}
