package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"drawhouse/core/figure"
	"drawhouse/house/person"
	"drawhouse/journal"
	"drawhouse/journal/store"
	"drawhouse/journal/store/backup"
)

var another = counsel{"After a loss it could not be restored", "Make another backup (drawhouse backup)"}

// backups looks at the newest backup and at the register beside it.
func (x *examination) backups(ctx context.Context) {
	none := counsel{"A disk that breaks takes the journal, and everything that players are owed",
		"Make backups (drawhouse backup), and give --backups"}
	if x.Backups == "" {
		x.warn(none, "nobody said where they are")
		return
	}
	name, at, err := newestBackup(x.Backups)
	if err != nil {
		x.fail(none, "%v", err)
		return
	}
	if name == "" {
		x.fail(none, "there is none in %s", x.Backups)
		return
	}
	if age := x.now.Sub(at); age > x.BackupAge {
		x.warn(counsel{"What was sold since is not in it", "Make one now, and see why none was made (cron, systemd timer)"},
			"the newest, %s, is %v old; %v is allowed", name, age.Round(time.Minute), x.BackupAge)
	} else {
		x.ok("the newest, %s, is %v old", name, age.Round(time.Minute))
	}
	x.sameDisk("the newest backup", name)
	x.restorable(ctx, name)
	x.peopleBackup(name + peopleSuffix)
}

// restorable reads the newest backup to its end, where it has to come to a checkpoint that this
// house has signed, and to what the journal says there.
func (x *examination) restorable(ctx context.Context, name string) {
	if x.Quick {
		x.warn(counsel{"", "Leave out --quick"}, "the newest was not read (--quick)")
		return
	}
	f, err := os.Open(name)
	if err != nil {
		x.fail(another, "%v", err)
		return
	}
	defer func() { _ = f.Close() }()
	summary, err := backup.Read(f, backup.Visitor{})
	if err == nil {
		err = x.ofThisHouse(ctx, summary)
	}
	if err != nil {
		x.fail(another, "%s: %v", name, err)
		return
	}
	x.ok("%s in it can be restored: they come to a checkpoint of this house", figure.Count(summary.Records, "record"))
}

// ofThisHouse holds the end of a backup against the journal, whose volumes name the keys.
func (x *examination) ofThisHouse(ctx context.Context, summary backup.Summary) error {
	if len(summary.Volumes) == 0 {
		return errors.New("it has no volume")
	}
	head := summary.Volumes[len(summary.Volumes)-1]
	for _, v := range x.opened(ctx).volumes {
		if v.Volume != head.Volume {
			continue
		}
		verifier, err := journal.ParseVerifier(v.HouseKey)
		if err != nil {
			return err
		}
		return signedHead(head, verifier)
	}
	return fmt.Errorf("it ends in volume %d, which this journal does not have", head.Volume)
}

// signedHead checks that a house has signed for the end of a journal.
func signedHead(head store.Head, verifier journal.Verifier) error {
	signed, _, err := journal.OpenCheckpoint(head.Checkpoint, verifier)
	if err == nil && (signed.Size != head.Size || signed.Root != head.Root) {
		err = fmt.Errorf("%d records were signed with root %v, and there are %d with root %v", signed.Size, signed.Root,
			head.Size, head.Root)
	}
	return err
}

// peopleBackup looks at the backup of the register.
func (x *examination) peopleBackup(name string) {
	f, err := os.Open(name)
	if err != nil {
		x.fail(counsel{"After a restore nobody could sign on", another.do},
			"the register of people is not beside the newest backup: %v", err)
		return
	}
	defer func() { _ = f.Close() }()
	checked, err := person.CheckExport(f, x.keysOf())
	switch {
	case err != nil:
		x.fail(another, "%s: %v", name, err)
	case checked.Plain > 0:
		x.fail(counsel{"Who finds the file reads every name in it", "Make another backup, which is sealed, and erase this one"},
			"%s of people in %s stand there plainly", figure.CountOf(checked.Plain, "entry", "entries"), filepath.Base(name))
	case checked.Unreadable > 0:
		x.fail(counsel{"After a restore they could not be read", "Put back the personal keys from the backup of the keys"},
			"%s of people in %s are sealed under a key that is not in %s",
			figure.CountOf(checked.Unreadable, "entry", "entries"), filepath.Base(name), x.keysOf())
	default:
		x.ok("the register of people is in it, %s, and opens with the keys", figure.CountOf(checked.Entries, "entry", "entries"))
	}
}
