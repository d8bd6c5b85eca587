package report

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/journal/record"
)

// TestCertificate certifies a day with a game that was drawn twice, and one that is void, beside a game of another day.
// The PDF has all numbers that count, and the signature of each witness.
func TestCertificate(t *testing.T) {
	d := day.MustParse("2026-11-15")
	first, second := record.Game{Series: 1, Day: d, Number: 998}, record.Game{Series: 1, Day: d, Number: 999}
	other := record.Game{Series: 1, Day: d + 1, Number: 998}
	c := NewDrawDay(1, d)
	add := func(body record.Body) {
		c.Add(record.Record{Body: body}, func(record.Game) string { return "cage" })
	}
	for i, g := range []record.Game{first, second, other} {
		add(&record.GameOpened{Game: g, Ordinal: uint32(i + 1)})
		add(&record.GameClosed{Game: g, Plays: 12, StakesCents: 3_000})
		add(&record.GameSealed{Game: g, Seal: []byte("sealed")})
	}
	for draw := uint8(1); draw <= 2; draw++ {
		for n := range uint8(20) {
			add(&record.NumberDrawn{Game: first, Draw: draw, Number: 30*draw + n})
		}
	}
	add(&record.GameSettled{Game: first, Revision: 1, Draw: 2, Winners: 3, PrizesCents: 1_500})
	add(&record.GameVoided{Game: second, RefundCents: 2_900, PrizesCents: 100})
	add(&record.GameSettled{Game: other, Revision: 1, Draw: 1, Winners: 9, PrizesCents: 900})
	add(&record.DayClosed{Series: 1, Day: d, Books: record.Hash{1}})
	const checkpoint = "house.example/1\n17\nAAAA\n\n\u2014 house.example/1 c2ln\n\u2014 witness.example c2ln\n"
	table, err := c.Table([]byte(checkpoint))
	if err != nil {
		t.Fatal(err)
	}
	numbers := "60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79"
	if len(table.Rows) != 2 || table.Rows[0][6].Text != numbers || table.Rows[0][5].Number != 2 ||
		table.Rows[1][6].Text != "void" || table.Total[3].Number != 3_000 || table.Total[8].Number != 1_500 {
		t.Errorf("%+v, total %+v", table.Rows, table.Total)
	}
	for _, row := range table.rows() {
		if len(row) != len(table.Columns) {
			t.Errorf("a row of %d cells", len(row))
		}
	}
	if _, err := NewDrawDay(2, d).Table(nil); err == nil {
		t.Error("a certificate of no game")
	}
	reader, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skipf("NO INDEPENDENT READER: the PDF is not read back, because pdftotext is missing: %v", err)
	}
	path := filepath.Join(t.TempDir(), "certificate.pdf")
	write(t, table, path, PDF)
	out, err := exec.Command(reader, "-layout", path, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{numbers, "signed by house.example/1, witness.example.", "Checkpoint of house.example/1: 17 records",
		"Inspector: ___", "Hash of the books of the day: 0100"} {
		if !strings.Contains(string(out), part) {
			t.Errorf("the certificate does not say %q:\n%s", part, out)
		}
	}
}
