package policy

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/witness"
	"drawhouse/journal"
)

// holder is somebody with a key.
type holder struct {
	signer journal.Signer
	vkey   string
}

func holderOf(t testing.TB, name string) holder {
	t.Helper()
	secret, vkey, err1 := journal.GenerateKey(rand.NewChaCha8(sha256.Sum256([]byte(name))), name)
	signer, err2 := journal.ParseSigner(secret)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return holder{signer, vkey}
}

func (h holder) cosigner(t testing.TB) *witness.Cosigner {
	t.Helper()
	c, err := witness.NewCosigner(h.signer, h.vkey)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// filled writes keys into a policy: {name} is the key of a witness, and [name] that of a log.
func filled(t testing.TB, text string) string {
	t.Helper()
	for _, brackets := range []string{"{}", "[]"} {
		for {
			head, rest, found := strings.Cut(text, brackets[:1])
			name, tail, ok := strings.Cut(rest, brackets[1:])
			if !found || !ok {
				break
			}
			key := holderOf(t, name)
			vkey := key.vkey
			if brackets == "{}" {
				vkey = key.cosigner(t).String()
			}
			text = head + vkey + tail
		}
	}
	return text
}

func parsed(t testing.TB, text string) *Policy {
	t.Helper()
	p, err := Parse([]byte(filled(t, text)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// cosigned is a checkpoint with cosignatures of witnesses.
func cosigned(t testing.TB, names ...string) []byte {
	t.Helper()
	c := journal.Checkpoint{Origin: "log.example", Root: journal.EmptyRoot()}
	note, err := journal.SignCheckpoint(c, holderOf(t, "log.example").signer)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		line, err := holderOf(t, name).cosigner(t).Cosign(c, 1_800_000_000)
		if err != nil {
			t.Fatal(err)
		}
		note = append(note, line...)
	}
	return note
}

// example is the policy that C2SP tlog-policy shows, with comments and white space.
const example = `# two organisations
log [log.example]

witness X1 {x1} https://x1.example/
	witness X2 {x2}
witness  X3	 {x3}
group X-witnesses 2 X1 X2 X3
 # the other one
witness Y1 {y1}
witness Y2 {y2}
witness Y3 {y3}
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`

// TestQuorums has cosignatures below, at and above quorums.
func TestQuorums(t *testing.T) {
	const three = "witness a {a}\nwitness b {b}\nwitness c {c}\n"
	for _, c := range []struct{ policy, by, lacks string }{
		{example, "", "of X-and-Y 0 of 2 count"},
		{example, "x1 y1", "of X-witnesses 1 of 3 count, and 2 must: X2 has not cosigned; X3 has not cosigned"},
		{example, "x1 x3", "of Y-witnesses 0 of 3 count"},
		{example, "y1 y2 y3", "of X-witnesses 0 of 3"},
		{example, "x1 x3 y2", ""},
		{example, "x1 x2 x3 y1 y2 y3 stranger", ""},
		{three + "quorum none\n", "", ""},
		{three + "quorum b\n", "a c", "b has not cosigned"},
		{three + "quorum b\n", "b", ""},
		{three + "group g all a b c\nquorum g\n", "a b", "c has not cosigned"},
		{three + "group g all a b c\nquorum g\n", "a b c", ""},
		{three + "group g any a b c\nquorum g\n", "", "of g 0 of 3"},
		{three + "group g any a b c\nquorum g\n", "c", ""},
		{three + "group g 2 a b c\nquorum g\n", "c", "of g 1 of 3"},
		{three + "group g 2 a b c\nquorum g\n", "c a", ""},
		{three + "group g 2 a b c\nquorum g\n", "c a b", ""},
	} {
		p, by := parsed(t, c.policy), strings.Fields(c.by)
		v := p.Of(cosigned(t, by...))
		by = slices.DeleteFunc(by, func(name string) bool { return name == "stranger" })
		slices.Sort(by)
		slices.Sort(v.By)
		if (v.Lacks == "") != (c.lacks == "") || !strings.Contains(v.Lacks, c.lacks) || !slices.Equal(v.By, by) {
			t.Errorf("%s\ncosigned by %q: %+v, want %q", c.policy, c.by, v, c.lacks)
		}
	}
	// A signature that bears the name of a witness and is not by it.
	note := string(cosigned(t, "a", "b"))
	at := strings.LastIndex(note, "— b ") + len("— b ") + 20
	note = note[:at] + string(note[at]^1) + note[at+1:]
	if v := parsed(t, three+"group g 2 a b c\nquorum g\n").Of([]byte(note)); v.Lacks == "" {
		t.Errorf("a signature was changed: %+v", v)
	}
}

// TestAgainstEverySubset holds the least that meets a quorum, and who must be in it, against all subsets.
func TestAgainstEverySubset(t *testing.T) {
	p := parsed(t, example)
	least := len(p.Witnesses)
	for set := range 1 << len(p.Witnesses) {
		in := map[*witness.Verifier]bool{}
		for i, w := range p.Witnesses {
			in[w.Key] = set>>i&1 == 1
		}
		x, y := 0, 0
		for _, w := range p.Witnesses {
			if in[w.Key] && w.Label[0] == 'X' {
				x++
			} else if in[w.Key] {
				y++
			}
		}
		met := p.Met(func(key *witness.Verifier) bool { return in[key] })
		if met != (x >= 2 && y >= 1) {
			t.Errorf("%d of X and %d of Y: %v", x, y, met)
		}
		if met {
			least = min(least, x+y)
		}
	}
	if got := p.quorum.cheapest(func(*witness.Verifier) int { return 1 }); got != least {
		t.Errorf("the least is %d, and %d by subsets", got, least)
	}
}

// TestEnough has policies that ask for all custodians and more than half of the others, and for less.
func TestEnough(t *testing.T) {
	const five = "witness k1 {k1}\nwitness k2 {k2}\nwitness a {a}\nwitness b {b}\nwitness c {c}\nwitness d {d}\n"
	const both = "group K all k1 k2\n"
	for _, c := range []struct{ policy, custodians, weak string }{
		{five + both + "group o 2 a b c d\ngroup q all K o\nquorum q\n", "k1 k2", "met by 2 of 4"},
		{five + both + "group o 3 a b c d\ngroup q all K o\nquorum q\n", "k1 k2", ""},
		{five + both + "group o all a b c d\ngroup q all K o\nquorum q\n", "k1 k2", ""},
		{five + "group K any k1 k2\ngroup o 3 a b c d\ngroup q all K o\nquorum q\n", "k1 k2", "without custodian k1"},
		{five + "group o 5 k1 k2 a b c d\nquorum o\n", "k1 k2", "without custodian k1"},
		{five + "group o all k1 k2 a b c d\nquorum o\n", "k1 k2", ""},
		{five + both + "group o 3 a b c d\ngroup q all K o\nquorum q\n", "k1 k2 k3", "custodian k3 is no witness"},
		{five + both + "quorum K\n", "k1 k2", "met by 0 of 4"},
		{"witness k1 {k1}\nquorum k1\n", "k1", ""},
		{"witness k1 {k1}\nquorum none\n", "k1", "without custodian k1"},
		{"witness a {a}\nwitness b {b}\nwitness c {c}\ngroup g 2 a b c\nquorum g\n", "", ""},
		{"witness a {a}\nwitness b {b}\nwitness c {c}\ngroup g any a b c\nquorum g\n", "", "met by 1 of 3"},
		{"witness a {a}\nwitness b {b}\ngroup g any a b\nquorum g\n", "", "met by 1 of 2"},
		{"witness a {a}\nquorum none\n", "", "met by 0 of 1"},
		{"quorum none\n", "", ""},
	} {
		err := parsed(t, c.policy).Enough(strings.Fields(c.custodians))
		if c.weak == "" && err != nil || c.weak != "" && (!errors.Is(err, ErrWeak) || !strings.Contains(err.Error(), c.weak)) {
			t.Errorf("%s%q: %v, want %q", c.policy, c.custodians, err, c.weak)
		}
	}
}

// TestAccepts asks for the logs of policies.
func TestAccepts(t *testing.T) {
	key := holderOf(t, "log.example").vkey
	for text, want := range map[string]bool{"quorum none\n": true, "log [log.example]\nquorum none\n": true,
		"log [other.example]\nquorum none\n": false, "log [other.example]\nlog [log.example] https://x\nquorum none\n": true} {
		if got := parsed(t, text).Accepts(key); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestRefused has a policy with a fault in each line.
func TestRefused(t *testing.T) {
	key := holderOf(t, "a")
	vkey, note := key.cosigner(t).String(), key.vkey
	renamed := "b" + strings.TrimPrefix(note, "a")
	if other, err := journal.ParseVerifier(renamed); err == nil {
		t.Fatalf("%s is read as %s", renamed, other.Name())
	}
	deep := "witness w0 {w0}\n"
	for i := range maxDepth + 1 {
		deep += fmt.Sprintf("group w%d all w%d\n", i+1, i)
	}
	for says, text := range map[string]string{
		"was cut off":                      "quorum none",
		"no line quorum":                   "\n",
		"line 2: there are two":            "quorum none\nquorum none\n",
		"line 1: want quorum NAME":         "quorum a b\n",
		"line 1: it begins with \"none\"":  "none\n",
		"line 1: byte 7 is the control":    "quorum\rnone\n",
		"line 1: want log":                 "log\nquorum none\n",
		"is not NAME+ID+KEY":               "witness a a\nquorum none\n",
		"want 4":                           "witness a " + note + "\nquorum none\n",
		"verifier key":                     "log " + vkey + "\nquorum none\n",
		"line 2: log.example+":             "log [log.example]\nlog [log.example] https://x\nquorum none\n",
		"are one key":                      "witness a " + vkey + "\nlog " + note + "\nquorum none\n",
		"line 2: a is defined twice":       "witness a {a}\nwitness a {b}\nquorum none\n",
		"none is the name of nobody":       "witness none {a}\nquorum none\n",
		"want witness":                     "witness a {a} https://x y\nquorum none\n",
		"want group":                       "witness a {a}\ngroup g all\nquorum none\n",
		"b is not defined above":           "witness a {a}\ngroup g all b\nquorum none\n",
		"none is not defined":              "witness a {a}\ngroup g all a none\nquorum none\n",
		"a is a member twice":              "witness a {a}\ngroup g all a a\nquorum none\n",
		"line 3: a is a member twice":      "witness a {a}\ngroup g all a\ngroup h all a\nquorum none\n",
		"line 2: g is not defined":         "witness a {a}\ngroup g all g\nquorum none\n",
		"g is defined twice":               "witness a {a}\nwitness b {b}\ngroup g all a\ngroup g all b\nquorum none\n",
		"asks for \"0\"":                   "witness a {a}\ngroup g 0 a\nquorum none\n",
		"asks for \"2\"":                   "witness a {a}\ngroup g 2 a\nquorum none\n",
		"asks for \"01\"":                  "witness a {a}\ngroup g 01 a\nquorum none\n",
		"asks for \"+1\"":                  "witness a {a}\ngroup g +1 a\nquorum none\n",
		"asks for \"-1\"":                  "witness a {a}\ngroup g -1 a\nquorum none\n",
		"line 1: g is not defined":         "quorum g\nwitness g {a}\n",
		"groups below one another":         deep + "quorum none\n",
		fmt.Sprint(MaxBytes) + " are read": "#" + strings.Repeat("x", MaxBytes) + "\nquorum none\n",
	} {
		if _, err := Parse([]byte(filled(t, text))); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.80q: %v, want %q", text, err, says)
		}
	}
}

// TestSizes reads as many logs, witnesses and groups as every program must, and more.
func TestSizes(t *testing.T) {
	text, all := "", ""
	for i := range 100 {
		text += fmt.Sprintf("log [log%d]\nwitness w%d {w%d}\ngroup g%d all w%d\n", i, i, i, i, i)
		all += fmt.Sprintf(" g%d", i)
	}
	p := parsed(t, text+"group g 100"+all+"\nquorum g\n")
	if len(p.Logs) != 100 || len(p.Witnesses) != 100 || p.Enough(nil) != nil {
		t.Errorf("%d logs and %d witnesses", len(p.Logs), len(p.Witnesses))
	}
}

// FuzzParse reads any text as a policy. What everybody has cosigned meets every policy that is read, and a policy that
// nobody need cosign is too weak, if it has witnesses.
func FuzzParse(f *testing.F) {
	f.Add([]byte(filled(f, example)))
	f.Add([]byte("quorum none\n"))
	f.Add([]byte("witness a\tb\ngroup g any a\nquorum g\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse(data)
		if err != nil {
			return
		}
		if !p.Met(func(*witness.Verifier) bool { return true }) {
			t.Errorf("%q cannot be met", data)
		}
		if p.Met(func(*witness.Verifier) bool { return false }) && len(p.Witnesses) > 0 && p.Enough(nil) == nil {
			t.Errorf("%q asks for nobody and is enough", data)
		}
	})
}
