package journal

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCheckpointGolden(t *testing.T) {
	signer, verifier := testKey(t, "keno.example/vic/v3")
	c := testSeal(t).Checkpoint
	msg, err := SignCheckpoint(c, signer)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "checkpoint.txt", msg)
	got, signers, err := OpenCheckpoint(msg, verifier)
	if err != nil || got != c || strings.Join(signers, " ") != "keno.example/vic/v3" {
		t.Errorf("opened %+v by %v: %v", got, signers, err)
	}
}

// The example of the C2SP specification, whose key is not published.
func TestCheckpointOfTheSpecification(t *testing.T) {
	const body = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
	c, err := ParseCheckpoint(body)
	if err != nil || c.Origin != "example.com/behind-the-sofa" || c.Size != 20852163 {
		t.Errorf("%+v: %v", c, err)
	}
}

func TestParseCheckpointRefuses(t *testing.T) {
	const root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="
	for _, body := range []string{
		"",
		"o\n1\n" + root,                          // no newline at the end
		"o\n1\n" + root + "\nextension\n",        // a further line
		"\n1\n" + root + "\n",                    // no origin
		"o o\n1\n" + root + "\n",                 // a space in the origin
		"o+o\n1\n" + root + "\n",                 // a plus in the origin
		"o\n01\n" + root + "\n",                  // a leading zero
		"o\n+1\n" + root + "\n",                  // a sign
		"o\n1_0\n" + root + "\n",                 // an underscore
		"o\n9223372036854775808\n" + root + "\n", // too long for any log
		"o\n0\n" + root + "\n",                   // an empty log with a root
		"o\n1\n" + root[:43] + "\n",              // no padding
		"o\n1\n" + root[:42] + "J=\n",            // bits left over in the base64
		"o\n1\n" + root + "\r\n",                 // carriage return
		"o\r\n1\n" + root + "\n",
	} {
		if c, err := ParseCheckpoint(body); err == nil {
			t.Errorf("%q was read as %+v", body, c)
		}
	}
	if _, err := SignCheckpoint(Checkpoint{Origin: "a b", Size: 1}); err == nil {
		t.Error("a checkpoint with a bad origin was signed")
	}
	if _, err := SignCheckpoint(Checkpoint{Origin: "a", Size: MaxSize + 1}); err == nil {
		t.Error("a checkpoint of an impossible size was signed")
	}
}

func TestVolumeOrigin(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		house := rapid.StringMatching(`[a-z]{1,9}(/[a-z0-9]{1,9}){0,2}`).Draw(rt, "house")
		volume := rapid.Uint16().Draw(rt, "volume")
		h, v, err := ParseOrigin(VolumeOrigin(house, volume))
		if err != nil || h != house || v != volume {
			rt.Fatalf("%q %d: %v", h, v, err)
		}
	})
	for _, origin := range []string{"", "house", "house/v", "house/v01", "house/v65536", "house/vx", "/v1", "ho use/v1"} {
		if _, _, err := ParseOrigin(origin); err == nil {
			t.Errorf("origin %q was split", origin)
		}
	}
}

func FuzzParseCheckpoint(f *testing.F) {
	f.Add("example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n")
	f.Add("o\n0\n" + EmptyRoot().String() + "\n")
	f.Fuzz(func(t *testing.T, body string) {
		c, err := ParseCheckpoint(body)
		if err != nil {
			return
		}
		if c.Marshal() != body {
			t.Errorf("%q marshals back as %q", body, c.Marshal())
		}
		signer, verifier := testKey(t, "house")
		msg, err := SignCheckpoint(c, signer)
		if err != nil {
			t.Fatal(err)
		}
		if back, _, err := OpenCheckpoint(msg, verifier); err != nil || back != c {
			t.Errorf("%+v came back as %+v: %v", c, back, err)
		}
	})
}
