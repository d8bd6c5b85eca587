package rulebook

import (
	"slices"
	"testing"
)

// TestFormat reads how amounts are written, and says what is wrong with it.
func TestFormat(t *testing.T) {
	sound := readFile(t, "testdata/sound.yaml")
	for _, c := range []struct {
		format string
		want   []string
	}{
		{`{locale: el-GR, symbol: "€", after: true, group: ".", decimal: ","}`, nil},
		{`{locale: de-CH, symbol: "Fr.", group: "'", decimal: "."}`,
			[]string{`format.symbol: "Fr." is not a symbol such as €`}},
		{`{locale: cs-CZ, symbol: "Kč", after: true, group: " ", decimal: ","}`, nil},
		{"{locale: cs-CZ, symbol: \"Kč\", after: true, group: \"\u00a0\", decimal: \",\"}", nil},
		{"{locale: fr-FR, symbol: \"€\", after: true, group: \"\u202f\", decimal: \",\"}", nil},
		{`{locale: cs-CZ, symbol: "Kč", after: true, group: "  ", decimal: "x"}`, []string{
			`format.decimal: "x" must be a point, a comma or an apostrophe`, `format.group: is empty`}},
		{`{locale: greek, symbol: "", group: "x", decimal: ","}`, []string{
			`format.group: "x" must be a point, a comma, a space or an apostrophe`,
			`format.locale: "greek" is not a locale such as el-GR`,
			`format.symbol: is empty`}},
		{`{locale: en-US, symbol: "$", group: ",", decimal: ","}`,
			[]string{`format.decimal: "," stands between thousands too`}},
	} {
		checkFaultList(t, c.format, with(sound, "currency: AUD\n", "currency: AUD\nformat: "+c.format+"\n"), c.want)
	}
	plain, err := Load("f", []byte(sound))
	if err != nil || plain.Locale() != "" || plain.Money().Write(1234_50) != "$1,234.50" {
		t.Errorf("without a format: %q, %q, %v", plain.Locale(), plain.Money().Write(1234_50), err)
	}
	euro, err := Load("f", []byte(with(sound, "currency: AUD\n", `currency: EUR`+"\n"+
		`format: {locale: el-GR, symbol: "€", after: true, group: ".", decimal: ","}`+"\n")))
	if err != nil || euro.Locale() != "el-GR" || euro.Money().Write(1234_50) != "1.234,50\u00a0€" {
		t.Errorf("%q, %q, %v", euro.Locale(), euro.Money().Write(1234_50), err)
	}
}

// TestGroupOfThousands: a space between thousands does not break, and amounts without cents have it, too.
func TestGroupOfThousands(t *testing.T) {
	sound := readFile(t, "testdata/sound.yaml")
	for group, want := range map[string]string{" ": "1\u00a0234", "\u00a0": "1\u00a0234", "\u202f": "1\u202f234"} {
		book, err := Load("f", []byte(with(sound, "currency: AUD\n", "currency: CZK\n"+
			`format: {locale: cs-CZ, symbol: "Kč", after: true, group: "`+group+`", decimal: ","}`+"\n")))
		if err != nil {
			t.Fatal(err)
		}
		style := book.Money()
		if got := style.Write(1234_50); got != want+",50\u00a0Kč" {
			t.Errorf("%q: %q", group, got)
		}
		if got := style.Short(1234_00, true); got != want+"\u00a0Kč" {
			t.Errorf("%q: %q", group, got)
		}
	}
}

// TestCurrencies: the house counts in hundredths. A currency of other parts is refused, and one that nobody knows is
// warned of.
func TestCurrencies(t *testing.T) {
	sound := readFile(t, "testdata/sound.yaml")
	for _, code := range []string{"JPY", "KWD", "CLF"} {
		checkFaultList(t, code, with(sound, "currency: AUD\n", "currency: "+code+"\n"),
			[]string{"currency: " + code + " has no hundredths, and the house counts all money in hundredths"})
	}
	for code, warns := range map[string]bool{"GEL": false, "EUR": false, "XYZ": true} {
		book, err := Load("f", []byte(with(sound, "currency: AUD\n", "currency: "+code+"\n")))
		if err != nil {
			t.Fatal(err)
		}
		warned := slices.ContainsFunc(book.Warnings(), func(f Fault) bool { return f.Path == "currency" })
		if warned != warns {
			t.Errorf("%s: the warnings are %v", code, book.Warnings())
		}
	}
}
