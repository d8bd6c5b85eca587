package rulebook

import "testing"

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
