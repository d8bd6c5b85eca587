package monitor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"drawhouse/edge/certify"
)

// Disk checks that there is room where a path is. A full disk fails a commit, and a
// failed commit stops the house; so it says before that it is not ready.
func Disk(path string, reserve uint64) Check {
	return Check{"disk", both, "At least --disk-reserve is free for the data directory.", "",
		func(context.Context) error { return CheckDisk(path, reserve) }}
}

// Drawing checks that a device was stopped by nothing.
func Drawing(err func() error) Check {
	return Check{"device", []Purpose{Answer}, "The generator passes its tests, and nothing has stopped it.", "",
		func(context.Context) error { return err() }}
}

// Book checks that the file can be written in which a witness or a device writes down what it signs.
func Book(of Purpose, err func() error) Check {
	return Check{"book", []Purpose{of}, "What is signed can be written down: the file is there and takes lines.", "",
		func(context.Context) error { return err() }}
}

// Room checks that there is room for that file.
func Room(of Purpose, path string) Check {
	return Check{"disk", []Purpose{of}, fmt.Sprintf("At least %d MiB are free for that file.", leastRoom>>20), "",
		func(context.Context) error { return CheckDisk(path, leastRoom) }}
}

// leastRoom is what must be free for the file of a witness or a device, which has a line for each signature.
const leastRoom = 64 << 20

// Certificate checks that the certificate in force is good for a while, and for every name.
func Certificate(status func() certify.Status) Check {
	return Check{"certificate", []Purpose{Alarms},
		"There is a certificate for every --acme-domain, good for three weeks, or for a quarter of its life if that is less. Only with --tls-cert or --acme-domain.",
		"Put a new certificate where --tls-cert says, or see in the log why the authority gives none.",
		func(context.Context) error { return status().Check(time.Now()) }}
}

// Backups checks that the newest backup is not too old.
func Backups(newest func() (time.Time, error), most time.Duration) Check {
	return Check{"backup", []Purpose{Alarms}, "The newest backup is no older than --backup-age. Only with --backups.",
		"Make a backup with drawhouse backup into the folder of --backups, and see why none was made in time.",
		func(context.Context) error {
			at, err := newest()
			switch age := time.Since(at); {
			case err != nil:
				return err
			case at.IsZero():
				return errors.New("there is no backup")
			case age > most:
				return fmt.Errorf("the newest backup is %v old, and %v is allowed", age.Round(time.Minute), most)
			}
			return nil
		}}
}

// CanaryCheck checks that the canary could sell, or was refused by the rules.
func CanaryCheck(c *Canary) Check {
	return Check{"canary", []Purpose{Alarms}, "The canary could sell when it last tried. Only with --canary.",
		"Read the error and the log of the house: terminals may be unable to sell, too. " +
			"If they sell, look at the terminal, key and ticket of the canary.",
		func(context.Context) error { return c.Last().Err }}
}

// CheckDisk returns an error if less than reserve bytes are free where a path is.
func CheckDisk(path string, reserve uint64) error {
	free, err := freeBytes(path)
	if err == nil && free < reserve {
		err = fmt.Errorf("%d MiB are free at %s, and %d are to be", free>>20, path, reserve>>20)
	}
	return err
}
