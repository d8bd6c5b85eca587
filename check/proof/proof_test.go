package proof_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"drawhouse/check/policy"
	"drawhouse/check/proof"
	"drawhouse/internal/prooftest"
)

var rewrite = flag.Bool("rewrite", false, "write the golden file anew; read the difference before you keep it")

// TestCases checks sound and damaged proofs.
func TestCases(t *testing.T) {
	for _, c := range prooftest.New(t).Cases() {
		r := proof.Check(c.Proof, c.Evidence)
		if r.Failure != c.Failure {
			t.Errorf("%s: %q (%s), want %q", c.Name, r.Failure, r.Detail, c.Failure)
		}
		if (len(r.Proved) > 0) != r.OK() || len(r.NotProved) == 0 || !r.OK() && r.Detail == "" {
			t.Errorf("%s: %+v", c.Name, r)
		}
	}
}

var hashes = regexp.MustCompile(`[A-Za-z0-9+/]{43}=|[0-9a-f]{4}(-[0-9a-f]{4}){7}`)

// TestWords keeps what a player reads.
func TestWords(t *testing.T) {
	a := prooftest.New(t)
	full := a.Full()
	full.Evidence.ClaimCode = a.ClaimCode()
	var b bytes.Buffer
	cases := []prooftest.Case{full, a.Cases()[1], a.Cases()[6]}
	for _, c := range a.Cases() {
		if c.Name == "two volumes later, by the old key" {
			cases = append(cases, c)
		}
	}
	for _, c := range cases {
		b.WriteString("# " + c.Name + "\n")
		if err := proof.Check(c.Proof, c.Evidence).WriteText(&b); err != nil {
			t.Fatal(err)
		}
	}
	// The hashes are those of the test's records, whose form may change.
	got := hashes.ReplaceAll(b.Bytes(), []byte("HASH"))
	if *rewrite {
		if err := os.WriteFile("testdata/words.txt", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/words.txt")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, the words are\n%s", err, got)
	}
}

func TestClaimCode(t *testing.T) {
	a := prooftest.New(t)
	c := a.Full()
	for code, want := range map[string]string{
		a.ClaimCode():         "",
		"0000-0000-0000-0000": "The claim code is not of this ticket.",
		"0000":                "The claim code cannot be read.",
	} {
		c.Evidence.ClaimCode = code
		if r := proof.Check(c.Proof, c.Evidence); r.Failure != want {
			t.Errorf("%s: %q, want %q", code, r.Failure, want)
		}
	}
}

// TestPolicy holds the public log to a policy, below, at and above its quorum, and to the log that it names.
func TestPolicy(t *testing.T) {
	var c prooftest.Case
	for _, one := range prooftest.New(t).Cases() {
		if one.Name == "in the log, two of three witnesses" {
			c = one
		}
	}
	keys := c.Evidence.WitnessKeys
	for text, want := range map[string]string{
		"log LOG\nquorum none\n": "",
		"log LOG\nwitness a A\nwitness b B\nwitness c C\ngroup g 1 a b c\nquorum g\n": "",
		"log LOG\nwitness a A\nwitness b B\nwitness c C\ngroup g 2 a b c\nquorum g\n": "",
		"log LOG\nwitness a A\nwitness b B\nwitness c C\ngroup g 3 a b c\nquorum g\n": "Too few of the witnesses whose keys you gave cosigned the public log.",
		"log LOG\nwitness c C\nquorum c\n":                                            "Too few of the witnesses whose keys you gave cosigned the public log.",
		"log HOUSE\nquorum none\n":                                                    "The checkpoint of the public log is not signed by the log's key.",
	} {
		p, err := policy.Parse([]byte(strings.NewReplacer("LOG", c.Evidence.LogKey, "HOUSE", c.Evidence.HouseKey, "A", keys[0], "B", keys[1],
			"C", keys[2]).Replace(text)))
		if err != nil {
			t.Fatal(err)
		}
		r := proof.Check(c.Proof, proof.Evidence{HouseKey: c.Evidence.HouseKey, Policy: p})
		if r.Failure != want {
			t.Errorf("%s: %q (%s), want %q", text, r.Failure, r.Detail, want)
		}
	}
}

// TestEveryByte changes every byte of a proof. What still holds says the same.
func TestEveryByte(t *testing.T) {
	c := prooftest.New(t).Full()
	sound := strings.Join(proof.Check(c.Proof, c.Evidence).Proved, "\n")
	for i := range c.Proof {
		damaged := bytes.Clone(c.Proof)
		damaged[i] ^= 1
		if r := proof.Check(damaged, c.Evidence); r.OK() && strings.Join(r.Proved, "\n") != sound {
			t.Fatalf("byte %d changed, and proved:\n%s", i, strings.Join(r.Proved, "\n"))
		}
	}
}

func FuzzParse(f *testing.F) {
	c := prooftest.New(f).Full()
	f.Add(c.Proof)
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = proof.Parse(data) // It must not panic, whatever it reads.
		_ = proof.Check(data, c.Evidence)
	})
}

// FuzzCheckStory checks stories that nobody has signed, none of which may hold, and has the
// house sign whatever can be read as one: an inspector's program must not be stopped by what
// a dishonest house signs.
func FuzzCheckStory(f *testing.F) {
	a := prooftest.New(f)
	sound, err := json.Marshal(a.Story())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sound)
	for _, part := range []string{`"1:5003"`, `"checkpoint"`, `"entries"`, `"proof"`, `"inclusion"`, `"seal"`,
		`"record"`} {
		f.Add(bytes.Replace(sound, []byte(part), []byte(`"other"`), 1))
	}
	f.Add([]byte(`{"volumes":[{"record":"AA=="}],"games":[{"winners":["AA=="]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, report := proof.CheckStory(data, a.HouseKey); report.OK() {
			t.Error("a story holds that nobody has signed")
		}
		var s proof.Story
		if json.Unmarshal(data, &s) != nil {
			return
		}
		signed, err := a.SignStory(&s)
		if err != nil {
			return // A time that cannot be written is not signed.
		}
		if _, report := proof.CheckStory(signed, a.HouseKey); !report.OK() && bytes.Equal(data, sound) {
			t.Errorf("a true story does not hold: %s", report.Detail)
		}
	})
}
