package main

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"drawhouse/house"
	"drawhouse/journal/keyfile"
	"drawhouse/journal/pkcs11"
	"drawhouse/journal/record"
)

// keysMakeCmd makes a key in a token.
type keysMakeCmd struct {
	URI  string `arg:"" name:"uri" placeholder:"pkcs11:..." help:"Name of the new key: pkcs11:token=LABEL;object=LABEL?module-path=/path/of/library.so&pin-source=/path/of/pin."`
	Name string `placeholder:"NAME" help:"Also show the key as a verifier key of this name, such as drawhouse.example/device."`
}

// Help says where the key is.
func (*keysMakeCmd) Help() string {
	return `The token makes the key and never gives it away, so that nobody can copy it, and nobody can
back it up but by the token's own means. The PIN is read from the file that pin-source
names, or from the file that DRAWHOUSE_TOKEN_PIN_FILE names, which must be of mode 600.`
}

// Run implements the command.
func (c *keysMakeCmd) Run(out *bytes.Buffer) error {
	uri, err := pkcs11.ParseURI(c.URI)
	if err != nil {
		return misused("URI", err)
	}
	if _, err := pkcs11.Make(uri); err != nil {
		return err
	}
	fmt.Fprintln(out, "The key is made.")
	return (&keysShowCmd{Key: keyName(c.URI), Name: c.Name}).Run(out)
}

// keysShowCmd shows a key and has it sign.
type keysShowCmd struct {
	Key  keyName `arg:"" placeholder:"pkcs11:...|FILE" help:"The key: its name in a token, or its file."`
	Name string  `placeholder:"NAME" help:"Show a key in a token as a verifier key of this name. A file has the name of its key."`
}

// unnamed is the name under which a key signs for a proof that nobody gave one.
const unnamed = "unnamed"

// Run implements the command.
func (c *keysShowCmd) Run(out *bytes.Buffer) error {
	var key keyfile.Key
	var err error
	if pkcs11.IsURI(string(c.Key)) {
		var info pkcs11.Info
		name := c.Name
		if name == "" {
			name = unnamed
		}
		key, info, err = keyfile.Take(string(c.Key), name)
		writeInfo(out, info)
	} else {
		key, err = openKeyFile(string(c.Key), c.Name, "")
	}
	if err != nil {
		return err
	}
	took, err := key.Prove()
	if err != nil {
		return err
	}
	if key.Signer.Name() != unnamed {
		fmt.Fprintf(out, "verifier key  %s\n", key.Verifier)
	}
	fmt.Fprintf(out, "It signs: a test signature took %v, and was verified.\n", took.Round(10*time.Microsecond))
	return nil
}

func writeInfo(out *bytes.Buffer, info pkcs11.Info) {
	if info.Token == "" {
		return
	}
	fmt.Fprintf(out, "token         %s\nlabel, id     %q, %x\npublic key    %x\n", info.Token, info.Label, info.ID,
		[]byte(info.Public))
	switch {
	case info.Born:
		fmt.Fprintln(out, "The token says that it made this key, and never gives it away.")
	case info.Kept:
		fmt.Fprintln(out, "The token says that it does not give this key away, and that the key was outside of it before.")
	default:
		fmt.Fprintln(out, "warning: the token says that this key can be taken out of it.")
	}
}

// tokenFaults has the keys of a volume sign that tokens hold, and says which do not. Of logs it is the newest one's.
func tokenFaults(keys *house.KeyDir, now record.VolumeBegun) (faults []string) {
	files := slices.DeleteFunc(keys.Files(), func(f house.KeyFile) bool { return f.Token == "" })
	newestLog := uint16(0)
	for _, f := range files {
		if f.Kind == house.LogKey {
			newestLog = max(newestLog, f.Volume)
		}
	}
	for _, f := range files {
		if f.Verifier != now.HouseKey && f.Verifier != now.DeviceKey && (f.Kind != house.LogKey || f.Volume != newestLog) {
			continue
		}
		if err := keys.Prove(f.File); err != nil {
			faults = append(faults, fmt.Sprintf("the key of %s does not sign: %v. Look at the token and at p11-kit; drawhouse keys show tries it alone", f.File, err))
		}
	}
	return faults
}
