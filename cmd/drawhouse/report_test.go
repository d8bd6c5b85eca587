package main

import (
	"bytes"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"drawhouse/books/report"
	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/house"
)

// TestBooksByCommand plays some hours over the close of a day, and has every report of it
// in every form. The stored book of the closed day says what the records do, and the
// exported tables add up to the same tickets.
func TestBooksByCommand(t *testing.T) {
	t.Parallel()
	keys, err := house.OpenKeys(filepath.Join(t.TempDir(), "keys"), demo.House, rand.NewChaCha8([32]byte{3}))
	if err != nil {
		t.Fatal(err)
	}
	r := &replica{t: t, keep: true, storage: storageFlags{Data: t.TempDir()}, keys: keys,
		now: time.Date(2026, 11, 15, 3, 0, 0, 0, time.UTC), random: rand.NewChaCha8([32]byte{4})}
	r.play(3 * time.Hour)
	command := func(args ...string) string { return succeed(t, append(args, "--data="+r.storage.Data)...) }

	twice := func(args ...string) {
		var files [2][]byte
		for i := range files {
			path := filepath.Join(t.TempDir(), "report")
			command(append(args, "--out="+path)...)
			var err error
			if files[i], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%q is another file when it is made again", args)
		}
	}
	// Each report in one form, and each form several times; the tests of the reports make each in every form.
	for i, name := range slices.Concat(report.Names(), report.Listed()) {
		format := report.Formats()[i%len(report.Formats())]
		twice("report", string(name), "--format="+string(format), "--from=2026-11-14", "--to=2026-11-14")
	}
	contains(t, command("report", "days", "--to=2026-11-14"), "Up to record 1:")
	contains(t, command("report", "days", "--to=2026-11-14"), "Booked since the last close: ")
	if means := "What tickets that were sold cost."; strings.Contains(command("report", "days", "--to=2026-11-14"), means) {
		t.Error("a report has definitions that nobody has asked for")
	} else {
		contains(t, command("report", "days", "--definitions"), means)
	}
	if text := command("report", "days", "--rebuild"); strings.Contains(text, "Booked since") {
		t.Errorf("the day that is open is in the report, and yet it says\n%s", text)
	}
	list := command("report")
	for _, name := range report.Names() {
		contains(t, list, string(name)+" ")
		stored := command("report", string(name), "--format=csv", "--to=2026-11-14")
		if rebuilt := command("report", string(name), "--format=csv", "--to=2026-11-14", "--rebuild"); stored != rebuilt {
			t.Errorf("%s is stored as\n%s\nand the records say\n%s", name, stored, rebuilt)
		}
		for format, begins := range map[string]string{"xlsx": "PK", "pdf": "%PDF"} {
			path := filepath.Join(t.TempDir(), "report."+format)
			contains(t, command("report", string(name), "--format="+format, "--out="+path, "--rebuild"), "is in "+path)
			if data, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(data), begins) {
				t.Errorf("%s as %s: %v", name, format, err)
			}
			contains(t, refused(t, "report", string(name), "--format="+format, "--data="+r.storage.Data), "goes into a file")
		}
	}
	contains(t, list, "unclaimed ")
	aged := command("report", "ageing", "--format=csv")
	trial := command("report", "accounts", "--format=csv", "--rebuild")
	if tickets, owed := columnSum(t, aged, "Of tickets"), balanceOf(t, trial, "prizes"); tickets != owed ||
		columnSum(t, aged, "Rest") != 0 {
		t.Errorf("what nobody has fetched comes to %d cents by age, and the books owe %d:\n%s", tickets, owed, aged)
	}
	contains(t, command("report", "outstanding"), "Outstanding papers and cards")
	contains(t, command("report", "cards"), "Ledger of player cards")
	contains(t, refused(t, "report", "certificate", "--data="+r.storage.Data), "name it")
	contains(t, refused(t, "report", "certificate", "--from=2020-01-01", "--data="+r.storage.Data), "has no game")
	contains(t, refused(t, "report", "ageing", "--series=1", "--data="+r.storage.Data), "all series")
	checkCertificate(t, command, command("report", "games", "--format=csv", "--to=2026-11-14"))
	behind := command("report", "days", "--rebuild", "--behind=total/Sold", "--format=csv")
	figure := columnSum(t, command("report", "days", "--format=csv", "--rebuild"), "Sold")
	if listed := columnSum(t, behind, "Adds"); listed != figure || figure == 0 {
		t.Errorf("the tickets behind the figure come to %d cents, and it is %d", listed, figure)
	}
	for _, name := range []string{"bets", "spots", "features", "channels"} {
		if listed := columnSum(t, command("report", name, "--format=csv"), "Sold"); listed != figure {
			t.Errorf("what was sold comes to %d cents by %s, and it is %d", listed, name, figure)
		}
	}
	ahead := command("report", "ahead-games", "--format=csv")
	if listed, owed := columnSum(t, ahead, "Ahead"), balanceOf(t, trial, "unplayed"); listed != owed || owed == 0 {
		t.Errorf("games ahead come to %d cents, and the account has %d", listed, owed)
	}
	if listed := columnSum(t, command("report", "ahead", "--behind=total/Closing", "--format=csv"), "Adds"); listed !=
		balanceOf(t, trial, "unplayed") {
		t.Errorf("the records behind what is owed for games ahead come to %d cents", listed)
	}
	contains(t, command("report", "bets", "--by=year", "--year-begins=7"), "2026-07 to 2027-06")
	for argument, args := range map[string][]string{
		"--year-begins": {"bets", "--year-begins=13"}, "--venue": {"ageing", "--venue=1"},
		"--by": {"cards", "--by=month"}, "--behind": {"ageing", "--behind=1/Balance"},
		"--from": {"bets", "--to=2020-01-01"},
	} {
		contains(t, refused(t, append([]string{"report", "--data=" + r.storage.Data}, args...)...), argument)
	}
	for _, figure := range []string{"Sold", "0/Sold", "99/Sold", "total/Weather", "total/Return"} {
		contains(t, refused(t, "report", "days", "--rebuild", "--behind="+figure, "--data="+r.storage.Data), "--behind")
	}
	contains(t, command("report", "days", "--by=year", "--rebuild"), "2026 ")
	contains(t, refused(t, "report", "days", "--by=week", "--data="+r.storage.Data), "--by")
	contains(t, refused(t, "report", "exceptions", "--by=month", "--rebuild", "--data="+r.storage.Data), "adds up no days")
	contains(t, succeed(t, "report", "unclaimed", "--definitions"), "if nobody fetches it")
	prizes := columnSum(t, command("report", "unclaimed", "--format=csv"), "Amount")
	if owed := balanceOf(t, command("report", "accounts", "--format=csv", "--rebuild"), "prizes"); prizes != owed ||
		owed == 0 {
		t.Errorf("prizes of %d cents wait, and the books owe %d", prizes, owed)
	}
	contains(t, command("report", "unclaimed", "--due=2026-11-16"), "prizes that move by 2026-11-16")
	contains(t, refused(t, "report", "unclaimed", "--due=soon", "--data="+r.storage.Data), "--due")
	contains(t, refused(t, "report", "weather", "--data="+r.storage.Data), "there is no report")
	contains(t, refused(t, "report", "accounts", "--venue=1", "--rebuild", "--data="+r.storage.Data), "not of one venue")
	contains(t, refused(t, "report", "days", "--from=2020-01-01", "--to=2020-01-02", "--data="+r.storage.Data),
		"no trading day")

	r.takesIn(command)
	sold := columnSum(t, command("report", "days", "--format=csv", "--rebuild"), "Sold")
	dir := filepath.Join(t.TempDir(), "tables")
	contains(t, command("export", dir), "datapackage.json describes")
	contains(t, refused(t, "export", dir, "--data="+r.storage.Data), "exists")
	data, err := os.ReadFile(filepath.Join(dir, "data", "ticket_sold.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if exported := columnSum(t, string(data), "cost_cents"); exported != sold || sold == 0 {
		t.Errorf("the tables have tickets for %d cents, and the books for %d", exported, sold)
	}
	dir = filepath.Join(t.TempDir(), "parquet")
	contains(t, command("export", dir, "--format=parquet"), "datapackage.json describes")
	data, err = os.ReadFile(filepath.Join(dir, "data", "ticket_sold.parquet"))
	if err != nil || !strings.HasPrefix(string(data), "PAR1") {
		t.Errorf("the tickets are no table of Parquet: %v", err)
	}
	contains(t, refused(t, "export", dir+"2", "--format=xlsx", "--data="+r.storage.Data), "--format")
}

// checkCertificate holds the certificate of a closed Keno Day against the games of its book.
func checkCertificate(t *testing.T, command func(...string) string, games string) {
	t.Helper()
	const day = "--from=2026-11-14"
	certificate := command("report", "certificate", day, "--format=csv")
	for _, name := range []string{"Plays", "Staked", "Winners", "Prizes"} {
		if got, want := columnSum(t, certificate, name), columnSum(t, games, name); got != want || want == 0 {
			t.Errorf("%s of the certificate come to %d, and of the games to %d", name, got, want)
		}
	}
	if strings.Count(certificate, "\n") != strings.Count(games, "\n") {
		t.Errorf("the certificate has other games than the day:\n%s\n%s", certificate, games)
	}
	rows, err := csv.NewReader(strings.NewReader(certificate)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		if row[1] != "rng" || len(row[4]) != 16 || len(strings.Fields(row[6])) != 20 || len(row[9]) != 16 {
			t.Errorf("a game without device, seal, result or winners: %q", row)
		}
	}
	text := command("report", "certificate", day)
	for _, part := range []string{"Checkpoint of " + demo.House, "It is signed by " + demo.House, "Inspector: ___",
		"Hash of the books"} {
		contains(t, text, part)
	}
	if text != command("report", "certificate", day) {
		t.Error("the certificate is another one when it is made again")
	}
}

// columnSum adds up a column of a table, in cents.
func columnSum(t *testing.T, table, column string) (sum int64) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := -1
	for i, name := range rows[0] {
		if name == column {
			at = i
		}
	}
	if at < 0 {
		t.Fatalf("there is no column %s among %q", column, rows[0])
	}
	for _, row := range rows[1:] {
		cents, err := strconv.ParseInt(strings.ReplaceAll(row[at], ".", ""), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += cents
	}
	return sum
}

// balanceOf returns what an account of a trial balance owes.
func balanceOf(t *testing.T, table, account string) int64 {
	t.Helper()
	var own []string
	for i, line := range strings.Split(table, "\n") {
		if i == 0 || strings.HasPrefix(line, account+",") {
			own = append(own, line)
		}
	}
	return -columnSum(t, strings.Join(own, "\n"), "Closing")
}
