package entries

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/ledger"
)

const firm = `# The chart of Harbour Games.
accounts:
  - account: cash
    code: 0100
    name: Cash in tills
    cost_centre: KENO
  - {account: cash, for: venue 7, code: 0107, name: Till of venue 7}
  - {account: cash, for: venue 7, series: 2, code: 0108}
  - {account: cash, series: 2, code: 0102}
  - {account: jackpot_primary, code: "22 00"}
`

// TestMapping asks for balances: the rule that says most of one is the one that holds.
func TestMapping(t *testing.T) {
	m, err := Parse("firm.yaml", []byte(strings.Replace(firm, `"22 00"`, "2200-J, together: true", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if m.Rules() != 5 || len(m.Kept()) != len(ledger.Accounts())-2 || slices.Contains(m.Kept(), ledger.Cash) {
		t.Errorf("%d rules, and %v keep their codes", m.Rules(), m.Kept())
	}
	for _, c := range []struct {
		account ledger.Account
		unit    uint32
		series  uint8
		want    Target
	}{
		{ledger.Cash, 6, 0, Target{Code: "0100", Name: "Cash in tills", Class: ledger.Asset, Centre: "KENO"}},
		{ledger.Cash, 6, 1, Target{Code: "0100", Name: "Cash in tills", Class: ledger.Asset, Centre: "KENO"}},
		{ledger.Cash, 6, 2, Target{Code: "0102", Name: "cash", Class: ledger.Asset}},
		{ledger.Cash, 7, 1, Target{Code: "0107", Name: "Till of venue 7", Class: ledger.Asset}},
		{ledger.Cash, 7, 2, Target{Code: "0108", Name: "cash", Class: ledger.Asset}},
		{ledger.JackpotPrimary, ledger.Pool(1, 9), 1,
			Target{Code: "2200-J", Name: "jackpot primary", Class: ledger.Liability, Together: true}},
		{ledger.PrizeFund, 0, 1, Target{Code: "2100", Name: "prize fund", Class: ledger.Liability}},
	} {
		if got := m.Target(c.account, c.unit, c.series); got != c.want {
			t.Errorf("%v %d of series %d stands at %+v, want %+v", c.account, c.unit, c.series, got, c.want)
		}
	}
	var none *Mapping
	if none.Rules() != 0 || len(none.Kept()) != len(ledger.Accounts()) ||
		none.Target(ledger.Cash, 7, 1) != Default(ledger.Cash) {
		t.Error("no mapping is not the codes of package ledger")
	}
}

// TestNamesOfCodes: rules of one code share its name.
func TestNamesOfCodes(t *testing.T) {
	m, err := Parse("firm.yaml", []byte("accounts:\n  - {account: prizes, code: P}\n"+
		"  - {account: hall_prizes, code: P, name: Prizes owed}\n  - {account: operator, code: E, class: equity}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Target(ledger.Prizes, 0, 0); got.Name != "Prizes owed" {
		t.Errorf("%+v", got)
	}
	if got := m.Target(ledger.Operator, 0, 0); got.Class != ledger.Equity || got.Name != "operator" {
		t.Errorf("%+v", got)
	}
}

// TestMappingFaults names the line and the field of what is wrong.
func TestMappingFaults(t *testing.T) {
	rule := func(fields string) string { return "accounts:\n  - {" + fields + "}\n" }
	long := strings.Repeat("9", mostCode)
	for file, want := range map[string]string{
		"":                               "1: a mapping is one document",
		"# nothing\n":                    "1: a mapping is one document",
		"- cash\n":                       "1: a mapping has its rules under accounts:",
		"accounts: 7\n":                  "1: accounts: it is a list",
		"accounts: []\n":                 "1: accounts: it is a list",
		"accounts:\n  - cash\n":          "2: a rule has fields",
		"account:\n  - {code: 1}\n":      "1: account: there is no such field; a mapping has accounts",
		firm + "---\naccounts: []\n":     "a mapping is one document",
		"accounts: [\n":                  "this is no YAML",
		"accounts: &a\n  - *a\n":         "1: anchors",
		"accounts:\n\x00":                "2: there is a byte",
		"accounts:\n\xff":                "2: there is a byte",
		rule("code: 1"):                  "2: account: a rule needs it",
		rule("account: cash"):            "2: code: a rule needs it",
		rule("account: cash, code:"):     "2: code: it takes one value",
		rule("account: cash, code: [1]"): "2: code: it takes one value",
		rule("account: till, code: 1"):   `2: account: there is no account "till"`,
		rule("account: cash, code: 1, colour: red"):                                         "2: colour: there is no such field; a rule has account, for",
		rule("account: cash, code: 1, code: 2"):                                             "2: ",
		rule("account: cash, code: a b"):                                                    `2: code: "a b" has ' ' where it must not be`,
		rule("account: cash, code: -1"):                                                     `2: code: "-1" has '-'`,
		rule("account: cash, code: =1+1"):                                                   `2: code: "=1+1" has '='`,
		rule("account: cash, code: '1;2'"):                                                  `2: code: "1;2" has ';'`,
		rule("account: cash, code: a, name: 'a:b'"):                                         `2: name: "a:b" has ':'`,
		rule("account: cash, code: a, name: 'a  b'"):                                        `2: name: "a  b" has ' '`,
		rule("account: cash, code: a, name: 'a '"):                                          `2: name: "a " has ' '`,
		rule("account: cash, code: a, name: '@SUM'"):                                        `2: name: "@SUM" has '@'`,
		rule("account: cash, code: ''"):                                                     "2: code: it has 0 characters",
		rule("account: cash, code: x" + long):                                               "2: code: it has 33 characters",
		rule("account: cash, code: a, cost_centre: x" + long):                               "2: cost_centre: it has 33 characters",
		rule("account: cash, code: a, name: " + strings.Repeat("n", mostName+1)):            "2: name: it has 81 characters",
		rule("account: cash, code: 1, for: venue 0"):                                        `2: for: cash is not kept apart for "venue 0"`,
		rule("account: prizes, code: 1, for: venue 7"):                                      "2: for: prizes is not kept apart",
		rule("account: cash, code: 1, series: 0"):                                           "2: series: a series is a number",
		rule("account: cash, code: 1, series: 256"):                                         "2: series: a series is a number",
		rule("account: cash, code: 1, series: 01"):                                          "2: series: a series is a number",
		rule("account: cash, code: 1, class: debt"):                                         `2: class: there is no class "debt"`,
		rule("account: cash, code: 1, together: yes"):                                       "2: together: together is true or false",
		rule("account: prizes, code: 1, together: true"):                                    "2: together: the rule is about one balance",
		rule("account: cash, code: 1, for: venue 7, together: true"):                        "2: together: the rule is about one balance",
		rule("account: cash, code: 2000"):                                                   "2: code: 2000 is the code of unplayed",
		rule("account: cash, code: 1000, for: venue 1, name: Till"):                         "2: code: 1000 is the code of cash",
		rule("account: cash, code: 1") + "  - {account: cash, code: 2}\n":                   "3: account: the rule of line 2 is about the same",
		rule("account: cash, code: 1, name: A") + "  - {account: safe, code: 1, name: B}\n": `3: name: the code 1 is called "B" here`,
		rule("account: cash, code: 1") + "  - {account: safe, code: 1}\n":                   "3: name: the code 1 has several",
		rule("account: cash, code: 1, name: A") + "  - {account: prizes, code: 1}\n":        "3: class: the code 1 is of class liability here",
		firm: `10: code: "22 00" has ' '`,
		"accounts:\n" + strings.Repeat("  - {account: cash}\n", 2): "3: code: a rule needs it",
		"accounts:\n  - " + strings.Repeat("- ", 10) + "1\n":       "2: the file is longer or deeper",
		"accounts: " + strings.Repeat("[", 10):                     "1: the file is longer or deeper",
		strings.Repeat("#", maxBytes+1):                            "1: the file has 262145 bytes",
		"accounts:\n" + strings.Repeat("- x\n", maxTokens):         "the file is longer",
	} {
		m, err := Parse("firm.yaml", []byte(file))
		var faults Faults
		if !errors.As(err, &faults) || len(faults) == 0 || m != nil {
			t.Errorf("%.80q: %v", file, err)
			continue
		}
		if !strings.Contains(err.Error(), "firm.yaml:") || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q:\n%v\nwant %q", file, err, want)
		}
	}
	for _, file := range []string{rule("account: cash, code: " + long), rule("account: cash, code: 1000"),
		rule("account: cash, code: 1000, for: venue 1"),
		rule("account: cash, code: 1, name: " + strings.Repeat("n", mostName)), rule("account: cash, code: 1, series: 255"),
		rule("account: instruments, code: 1, for: gift_voucher"), rule("account: cash, code: 1, together: false"),
		rule("account: cash, code: é-1, name: \"Ünder (so) & on\""),
	} {
		if _, err := Parse("firm.yaml", []byte(file)); err != nil {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// TestFields: every field of a rule says what it is for.
func TestFields(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Fields() {
		if f.Name == "" || f.Says == "" || seen[f.Name] {
			t.Errorf("%+v", f)
		}
		seen[f.Name] = true
	}
	if !seen["account"] || !seen["code"] {
		t.Errorf("the fields are %v", seen)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(firm))
	for _, field := range Fields() {
		f.Add([]byte(fmt.Sprintf("accounts:\n  - account: cash\n    code: 1\n    %s: true\n", field.Name)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse("firm.yaml", data)
		if err != nil {
			var faults Faults
			if !errors.As(err, &faults) || len(faults) == 0 || len(faults) > maxFaults {
				t.Fatalf("%q: %v", data, err)
			}
			for _, fault := range faults {
				if fault.Line < 1 || fault.Line > strings.Count(string(data), "\n")+strings.Count(string(data), "\r")+1 ||
					fault.Why == "" {
					t.Errorf("%q: %+v", data, fault)
				}
			}
			return
		}
		for _, a := range ledger.Accounts() {
			if target := m.Target(a, 1, 1); target.Code == "" || target.Name == "" || !target.Class.IsValid() {
				t.Errorf("%q: %v stands at %+v", data, a, target)
			}
		}
	})
}
