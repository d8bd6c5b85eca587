package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"drawhouse/core/figure"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// keysCmd groups what is done with the keys of a house.
type keysCmd struct {
	List   keysListCmd   `cmd:"" help:"List the keys of a house and what each is for. No secret is shown."`
	Check  keysCheckCmd  `cmd:"" help:"Hold keys, or a backup of them, against the journal that they are for."`
	Backup keysBackupCmd `cmd:"" help:"Copy the keys of a house into a new directory, and read them back."`
	Make   keysMakeCmd   `cmd:"" help:"Make a signing key in a token, and show its public key."`
	Show   keysShowCmd   `cmd:"" help:"Show the public key of a signing key in a token or in a file, and have it sign."`
	Rotate keysRotateCmd `cmd:"" help:"Exchange keys for new ones, with a new volume. Also for keys that are lost or in wrong hands."`
}

// keysListCmd lists keys.
type keysListCmd struct{ storageFlags }

// Run implements the command.
func (c *keysListCmd) Run(out *bytes.Buffer) error {
	keys, volumes, err := c.keysAndVolumes("")
	if err != nil {
		return err
	}
	rows := new(bytes.Buffer)
	fmt.Fprintln(rows, "FILE\tKIND\tVOLUMES\tPUBLIC KEY\tIN TOKEN")
	for _, f := range keys.Files() {
		fmt.Fprintf(rows, "%s\t%s\t%s\t%s\t%s\n", f.File, f.Kind, usedIn(f, volumes), f.Verifier, f.Token)
	}
	return writeColumns(out, rows)
}

// writeColumns writes rows of tabs as columns.
func writeColumns(out, rows *bytes.Buffer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := rows.WriteTo(w); err != nil {
		return err
	}
	return w.Flush()
}

// usedIn says in which volumes a key is used.
func usedIn(f house.KeyFile, volumes []record.VolumeBegun) string {
	switch {
	case f.Kind == "serial" && f.Volume == 0:
		return "all"
	case f.Kind == house.PersonalKey:
		return "none: names"
	}
	var used []string
	for _, v := range volumes {
		if f.Verifier != "" && (f.Verifier == v.HouseKey || f.Verifier == v.DeviceKey) || f.Verifier == "" &&
			f.Commitment == v.SerialKey {
			used = append(used, fmt.Sprint(v.Volume))
		}
	}
	if len(used) == 0 {
		return "none yet"
	}
	return joined(used)
}

// keysAndVolumes reads keys, of the house or of another directory, and what the journal
// says of them.
func (f storageFlags) keysAndVolumes(dir string) (*house.KeyDir, []record.VolumeBegun, error) {
	ctx, stop := untilStopped()
	defer stop()
	argument := "--keys"
	if dir == "" {
		argument, dir = "--data", f.keysOf()
	}
	keys, err := house.ReadKeyDir(dir)
	if err != nil {
		return nil, nil, misused(argument, err)
	}
	st, err := f.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = st.Close() }()
	volumes, err := house.Volumes(ctx, st)
	if err == nil && len(volumes) == 0 {
		err = misused("--data", fmt.Errorf("%s %w", f.Data, errNoHouse))
	}
	return keys, volumes, err
}

// keysCheckCmd checks keys.
type keysCheckCmd struct {
	storageFlags
	Keys   string   `type:"existingdir" placeholder:"DIR" help:"Directory of the keys to check, such as a backup; those of the house otherwise."`
	Device []string `setting:"" sep:"none" placeholder:"[SERIES=]KIND|unix:PATH" help:"What draws the games, as for serve: a generator in a process of its own keeps its key there."`
}

// errKeysLack is the status of keys that are not all there.
var errKeysLack = errors.New("these keys are not enough for the house to go on as it is")

// Run implements the command.
func (c *keysCheckCmd) Run(out *bytes.Buffer) error {
	keys, volumes, err := c.keysAndVolumes(c.Keys)
	if err != nil {
		return err
	}
	drawn, err := drawsBy(c.Device)
	if err != nil {
		return err
	}
	faults := append(keyFaults(keys.Files(), volumes, drawn.address != ""), tokenFaults(keys, volumes[len(volumes)-1])...)
	personal, err := c.personalFaults(c.Keys)
	if err != nil {
		return err
	}
	faults = append(faults, personal...)
	for _, fault := range faults {
		fmt.Fprintln(out, fault)
	}
	if len(faults) > 0 {
		return errKeysLack
	}
	where := ""
	if drawn.address != "" {
		where = " (with the device)"
	}
	fmt.Fprintf(out,
		"the keys of %s are all there: the house key %s, the device key %s%s, the serial key of every volume, and the personal keys\n",
		volumes[0].House, keyID(volumes[len(volumes)-1].HouseKey), keyID(volumes[len(volumes)-1].DeviceKey), where)
	return nil
}

// keyFaults says what keys lack, and what does not work without it. A device apart, in a
// process of its own, keeps its key to itself.
func keyFaults(files []house.KeyFile, volumes []record.VolumeBegun, apart bool) (faults []string) {
	has := func(match func(house.KeyFile) bool) bool { return slices.ContainsFunc(files, match) }
	now := volumes[len(volumes)-1]
	if !has(func(f house.KeyFile) bool { return f.Verifier == now.HouseKey }) {
		faults = append(faults,
			fmt.Sprintf("the house key %s is missing: nothing can be sold. Restore it, or begin a volume with another: drawhouse keys rotate house --lost", keyID(now.HouseKey)))
	}
	if !apart && !has(func(f house.KeyFile) bool { return f.Verifier == now.DeviceKey }) {
		faults = append(faults,
			fmt.Sprintf("the device key %s is missing: a device inside the house cannot draw. Restore it, or drawhouse keys rotate device. If the device is a process of its own, say so (--device)", keyID(now.DeviceKey)))
	}
	for _, v := range volumes {
		if !has(func(f house.KeyFile) bool { return f.Kind == "serial" && f.Volume == v.Volume }) {
			faults = append(faults,
				fmt.Sprintf("the serial key of volume %d is missing: its tickets cannot be found by their serials", v.Volume))
		} else if !has(func(f house.KeyFile) bool { return f.Kind == "serial" && f.Commitment == v.SerialKey }) {
			faults = append(faults,
				fmt.Sprintf("the serial key of volume %d, or that of the house, is another one than the journal names", v.Volume))
		}
	}
	return faults
}

// keysBackupCmd copies keys.
type keysBackupCmd struct {
	storageFlags
	Out string `arg:"" help:"Directory to write, on a medium that is kept apart; it must not exist."`
}

// Help says how a backup of keys is kept.
func (*keysBackupCmd) Help() string {
	return `The copy is not encrypted: anybody who has it can sign in the house's name. Keep it on an
encrypted medium, in a safe, apart from the backups of the journal, and make one
anew with every volume. drawhouse keys check --keys DIR tells whether it is enough. A key
in a token is not in the copy, which has only its name: back the token up by its own means.`
}

// Run implements the command.
func (c *keysBackupCmd) Run(out *bytes.Buffer) error {
	keys, err := house.ReadKeyDir(c.keysOf())
	if err != nil {
		return misused("--data", err)
	}
	if err := keys.Copy(c.Out); err != nil {
		return misused("OUT", err)
	}
	fmt.Fprintf(out, "%d keys are in %s, and were read back\n", len(keys.Files()), c.Out)
	for _, f := range keys.Files() {
		if f.Token != "" {
			fmt.Fprintf(out, "%s is the name of a key that is not in the copy: back up the token of %s\n", f.File, f.Token)
		}
	}
	return nil
}

// keysRotateCmd exchanges keys.
type keysRotateCmd struct {
	storageFlags
	Kinds     []string `arg:"" enum:"house,device,serials,personal" help:"house, device or serials, or several of them; or personal alone."`
	Lost      bool     `help:"Begin the volume though the house key is not at hand to sign for the new one; of personal, leave sealed what no key at hand opens."`
	Key       []string `sep:"none" placeholder:"KIND=pkcs11:..." help:"The new key of a kind is this one in a token; drawhouse keys make makes it. May be given for house and device."`
	DeviceKey string   `name:"device-key" placeholder:"VKEY" help:"The new device's verifier key, where it runs in a process of its own."`
}

// Help says what happens.
func (*keysRotateCmd) Help() string {
	return `The volume ends, and the next one begins with the new keys. What the old keys signed
before stays valid, because the new volume states where the old one ended, and both
keys sign that; what they sign afterwards is worth nothing. Tickets, games under way
and serials go on. A house that runs rests meanwhile, and goes on by itself. Every volume has a
serial key of its own, so that serials alone is a change of volume and nothing else.

personal is the key that names, passwords and papers of the register are sealed under. It
begins no volume, and nothing rests: every entry is sealed anew in one transaction, and a
house that runs takes up the new key by itself. If the house has other machines, bring
them the new file. The old file opens backups of before;
once it is erased everywhere nobody can read them.`
}

// Run implements the command.
func (c *keysRotateCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	if _, err := journal.ParseVerifier(c.DeviceKey); c.DeviceKey != "" && err != nil {
		return misused("--device-key", err)
	}
	if slices.Contains(c.Kinds, house.PersonalKey) {
		return c.rotatePersonal(ctx, out)
	}
	given, err := inTokens(c.Key, c.made()...)
	if err != nil {
		return err
	}
	st, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	t, err := openTurn(ctx, c.storageFlags, st)
	if err != nil {
		return err
	}
	if err := c.checkLost(t); err != nil {
		return err
	}
	t.Reason = record.ReasonKeys
	t.keys.Give(given)
	before := t.last()
	turned, err := t.begin(ctx, c.DeviceKey, c.made()...)
	if err != nil {
		return err
	}
	writeTurned(out, turned, before)
	return nil
}

// rotatePersonal exchanges the key of the register.
func (c *keysRotateCmd) rotatePersonal(ctx context.Context, out *bytes.Buffer) error {
	if len(c.Kinds) > 1 {
		return misused("KINDS", errors.New("personal begins no volume; exchange it by itself"))
	}
	if err := c.hasRegister(); err != nil {
		return err
	}
	register, err := c.openRegister(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = register.Close() }()
	made, n, err := register.Rotate(ctx, c.Lost)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "the personal key is %v now, and %s sealed under it anew\n", made,
		figure.CountOf(n, "entry is", "entries are"))
	standing, err := register.Standing(ctx)
	for _, fault := range personalFaults(standing, c.keysOf()) {
		fmt.Fprintln(out, fault)
	}
	fmt.Fprintln(out, "Back the keys up: drawhouse keys backup DIR. Bring the file to the other machines of the house.")
	return err
}

// hasRegister refuses a folder without a register: opening one would make it.
func (f storageFlags) hasRegister() error {
	if f.Database != "" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(f.Data, person.FileName)); err != nil {
		return misused("--data", fmt.Errorf("it has no register of people: %w", err))
	}
	return nil
}

// personalFaults says which personal keys a folder lacks, or that of the house without one. A
// house without a register lacks none.
func (f storageFlags) personalFaults(keys string) ([]string, error) {
	if f.hasRegister() != nil {
		return nil, nil
	}
	if keys == "" {
		keys = f.keysOf()
	}
	ctx, stop := untilStopped()
	defer stop()
	register, err := f.openRegisterWith(ctx, keys)
	if err != nil {
		return nil, err
	}
	defer func() { _ = register.Close() }()
	standing, err := register.Standing(ctx)
	return personalFaults(standing, keys), err
}

// checkLost makes sure that a key that is not at hand is given up knowingly.
func (c *keysRotateCmd) checkLost(t *turn) error {
	now, err := t.keys.For(t.last())
	if err != nil {
		return err
	}
	switch rotates := slices.Contains(c.Kinds, house.HouseKey); {
	case now.House == nil && !rotates:
		return fmt.Errorf("the house key %s is not at hand; exchange it as well: drawhouse keys rotate house --lost",
			keyID(t.last().HouseKey))
	case now.House == nil && !c.Lost:
		return fmt.Errorf("the house key %s is not at hand, and nobody could sign that the new one follows it; restore it, or say --lost", keyID(t.last().HouseKey))
	}
	return nil
}

// made returns the kinds of keys that are made here. Serial keys are made with every
// volume.
func (c *keysRotateCmd) made() []string {
	var kinds []string
	for _, kind := range c.Kinds {
		if kind == house.HouseKey || kind == house.DeviceKey && c.DeviceKey == "" {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
