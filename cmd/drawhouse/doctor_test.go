package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"database/sql"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/check/witness"
	"drawhouse/house/person"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store/sqlite"
)

// examine runs the doctor and returns what it says and its status.
func examine(s *served, args ...string) (int, string) {
	var stdout, stderr bytes.Buffer
	status := run(append([]string{"doctor", "--disk-reserve=1", "--data=" + s.dir, "--database=" + s.database}, args...),
		&stdout, &stderr)
	return status, stdout.String() + stderr.String()
}

// lineAbout returns the first line about something.
func lineAbout(said, about string) string {
	for line := range strings.Lines(said) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[1] == about {
			return line
		}
	}
	return ""
}

// TestDoctor examines a house that is well, and then breaks one thing after the other:
// each is found, by its name and with what to do.
func TestDoctor(t *testing.T) {
	t.Parallel()
	elsewhere := t.TempDir() // for what is kept beside the house
	checkpoint := filepath.Join(elsewhere, "last-checkpoint")
	s := serveWith(t, "--last-checkpoint="+checkpoint)
	if !(&terminal{id: 1}).sell(s) {
		t.Fatal("nothing was sold")
	}
	safe := t.TempDir()
	if err := os.Chmod(safe, 0o700); err != nil {
		t.Fatal(err)
	}
	status, said := examine(s, "--house="+s.url)
	if status != 0 || !strings.Contains(said, "is ready") || !strings.Contains(said, "runs this version") ||
		strings.Contains(said, "FAIL") {
		t.Errorf("a house that runs: %d\n%s", status, said)
	}
	s.stop()
	earlier := filepath.Join(t.TempDir(), "earlier")
	if err := os.CopyFS(earlier, os.DirFS(s.dir)); err != nil {
		t.Fatal(err)
	}
	s.start()
	if !(&terminal{id: 2}).sell(s) {
		t.Fatal("nothing was sold")
	}
	s.stop()
	monday := filepath.Join(safe, "monday")
	programme(t, "backup", "--data="+s.dir, monday)
	status, said = examine(s, "--backups="+safe, "--last-checkpoint="+checkpoint)
	if status != 0 || strings.Contains(said, "FAIL") {
		t.Errorf("a house that is well: %d\n%s", status, said)
	}
	// The person who runs the tests may tell them something by variables of their own, which are no settings.
	of, told, _ := strings.Cut(lineAbout(said, "configuration"), " is set in the environment")
	if _, ours := os.LookupEnv(of[strings.LastIndex(of, " ")+1:]); !strings.HasPrefix(of, "OK ") && (told == "" || !ours) {
		t.Errorf("the configuration is good, and the doctor says %s", of+told)
	}
	for _, about := range []string{"addresses", "files", "disk", "database", "journal", "root", "keys",
		"personal keys", "people", "clock", "backups"} {
		if !strings.Contains(said, "OK    "+about) {
			t.Errorf("nothing is said of %s:\n%s", about, said)
		}
	}
	follower := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer follower.Close()
	if status, said := examine(s, "--follow", "--house="+follower.URL); status != 0 ||
		!strings.Contains(said, "OK    running") {
		t.Errorf("a house that follows: %d\n%s", status, said)
	}
	for _, c := range doctorFaults(t, s, elsewhere, earlier, checkpoint, monday) {
		t.Run(c.name, func(t *testing.T) {
			if c.spoil != nil {
				if err := c.spoil(); err != nil {
					t.Fatal(err)
				}
			}
			status, said := examine(s, append(c.args, "--json")...)
			if c.mend != nil {
				if err := c.mend(); err != nil {
					t.Fatal(err)
				}
			}
			c.judge(t, status, said)
		})
	}
	if status, said := examine(s); status != 0 {
		t.Errorf("after everything is mended: %d\n%s", status, said)
	}
	sellsWithoutNames(t, s, monday)
}

// sellsWithoutNames starts a house whose register is plain, as an earlier program left it, which seals it; and
// then without the personal key: it says so and sells, and reads names again when the key is back.
func sellsWithoutNames(t *testing.T, s *served, backup string) {
	t.Helper()
	const name = "Demonstration supervisor"
	where := []string{filepath.Join(s.dir, person.FileName), backup + peopleSuffix}
	plain := fmt.Sprintf(`INSERT INTO person_entry (hash, kind, entry) VALUES ('00', 'details', '{"name":"%s"}')`, name)
	if err := inRegister(s, plain)(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(read(t, where[0]), name) {
		t.Fatal("the test looks in the wrong place")
	}
	s.start()
	s.stop()
	for _, file := range where {
		if strings.Contains(read(t, file), "Demonstration") {
			t.Errorf("%s has a name in it", file)
		}
	}
	key := filepath.Join(s.dir, "keys", person.KeyFile(1))
	kept := read(t, key)
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	s.start()
	if !(&terminal{id: 3}).sell(s) {
		t.Error("nothing is sold without the personal key")
	}
	if log := s.log.String(); !strings.Contains(log, person.KeyFile(1)) || !strings.Contains(log, "--lost") {
		t.Errorf("the log does not name the key and the way out: %s", log)
	}
	if err := replaces(key, kept)(); err != nil {
		t.Fatal(err)
	}
	if err := inRegister(s, `CREATE TABLE earlier AS SELECT hash, entry FROM person_entry`)(); err != nil {
		t.Fatal(err)
	}
	programme(t, "keys", "rotate", "personal", "--data="+s.dir) // Beside the house that runs.
	programme(t, "keys", "check", "--data="+s.dir)
	s.stop()
	if err := inRegister(s, `DELETE FROM person_entry WHERE hash = '00'`)(); err != nil {
		t.Fatal(err)
	}
	if status, said := examine(s); status != 0 || !strings.Contains(said, "OK    personal keys") {
		t.Errorf("after the key was exchanged: %d\n%s", status, said)
	}
	back := `UPDATE person_entry SET entry = (SELECT entry FROM earlier WHERE earlier.hash = person_entry.hash)`
	if err := inRegister(s, back)(); err != nil {
		t.Fatal(err)
	}
	if status, said := examine(s); status != 0 || !strings.Contains(said, "sealed under an earlier key") {
		t.Errorf("with entries under the earlier key: %d\n%s", status, said)
	}
}

// doctorFault is something that is wrong, and what the doctor has to say of it.
type doctorFault struct {
	name        string
	level       level
	about       string
	says        string // a part of what is
	spoil, mend func() error
	args        []string
}

// judge looks for the finding, which has to say why it matters or what to do, and for the status.
func (c *doctorFault) judge(t *testing.T, status int, said string) {
	t.Helper()
	var told struct{ Findings []finding }
	if err := json.NewDecoder(strings.NewReader(said)).Decode(&told); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if want := map[level]int{levelFail: statusRefused, levelWarn: 0}[c.level]; status != want {
		t.Errorf("status %d\n%s", status, said)
	}
	if !slices.ContainsFunc(told.Findings, func(f finding) bool {
		return f.Level == c.level && f.About == c.about && strings.Contains(f.What, c.says) && f.Do != "" && f.Why+f.Do != ""
	}) {
		t.Errorf("there is no %s of %s with %q\n%s", c.level, c.about, c.says, said)
	}
}

// doctorFaults are the faults of a house that is not running, by what they are found in.
func doctorFaults(t *testing.T, s *served, elsewhere, earlier, checkpoint, monday string) []doctorFault {
	t.Helper()
	answering := func(status int, bodies map[string]string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(bodies[r.URL.Path]))
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	keys := filepath.Join(s.dir, "keys")
	key, personal := filepath.Join(keys, "house.key"), filepath.Join(keys, person.KeyFile(1))
	if err := os.Mkdir(filepath.Join(elsewhere, "empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	vkey := witnessKey(t)
	empty, safe := "--data="+filepath.Join(elsewhere, "empty"), "--backups="+filepath.Dir(monday)
	away := func(name string) (spoil, mend func() error) {
		return func() error { return os.Rename(name, name+".away") }, func() error { return os.Rename(name+".away", name) }
	}
	faults := []doctorFault{
		{name: "key that others may read", level: levelFail, about: "files", says: "others on this machine may open",
			spoil: func() error { return os.Chmod(key, 0o644) }, mend: func() error { return os.Chmod(key, 0o600) }},
		{name: "folder that others may look into", level: levelWarn, about: "files", says: "look into " + s.dir,
			spoil: func() error { return os.Chmod(s.dir, 0o755) }, mend: func() error { return os.Chmod(s.dir, 0o700) }},
		{name: "no folder", level: levelFail, about: "files", says: "no directory", args: []string{"--data=" + monday}},
		{name: "full disk", level: levelFail, about: "disk", args: []string{"--disk-reserve=1000000000"}},
		{name: "witness that is none", level: levelFail, about: "configuration", args: []string{"--witness=nonsense"}},
		{name: "settings that do not go together", level: levelFail, about: "configuration", says: "--takeover",
			args: []string{"--takeover=1m"}},
		{name: "metrics for the world", level: levelFail, about: "addresses", says: "everybody",
			args: []string{"--admin-addr=0.0.0.0:9100"}},
		{name: "metrics for a network", level: levelWarn, about: "addresses", says: "the network of",
			args: []string{"--admin-addr=10.0.0.7:9100"}},
		{name: "passwords in the clear", level: levelFail, about: "addresses", says: "from elsewhere",
			args: []string{"--addr=10.0.0.7:8080"}},
		{name: "known keys in a network", level: levelFail, about: "terminals", says: "known",
			args: []string{"--addr=10.0.0.7:8080", "--behind-tls"}},
		{name: "known keys", level: levelWarn, about: "terminals", says: "known"},
		{name: "no journal", level: levelFail, about: "journal", says: "no house", args: []string{empty}},
		{name: "older journal", level: levelFail, about: "last checkpoint", says: "older copy",
			args: []string{"--data=" + earlier, "--last-checkpoint=" + checkpoint}},
		{name: "no checkpoint elsewhere", level: levelWarn, about: "last checkpoint", says: "none"},
		{name: "record that was changed", level: levelFail, about: "root", spoil: damage(s, 1), mend: damage(s, 1)},
		{name: "no personal key", level: levelFail, about: "personal keys", says: person.KeyFile(1)},
		{name: "personal key of another house", level: levelFail, about: "personal keys", says: "not in",
			spoil: replaces(personal, strings.Repeat("5a", 32)), mend: replaces(personal, read(t, personal))},
		{name: "personal key that is cut", level: levelFail, about: "personal keys", says: "hexadecimal",
			spoil: replaces(personal, "5a"), mend: replaces(personal, read(t, personal))},
		{name: "plain entry", level: levelFail, about: "personal keys", says: "plainly",
			spoil: inRegister(s, `INSERT INTO person_entry (hash, kind, entry) VALUES ('00', 'details', '{}')`),
			mend:  inRegister(s, `DELETE FROM person_entry WHERE hash = '00'`)},
		{name: "past the time of keeping", level: levelWarn, about: "keeping", says: "staff",
			spoil: inRegister(s, `UPDATE person_entry SET over = '1990-01-01'`),
			mend:  inRegister(s, `UPDATE person_entry SET over = ''`)},
		{name: "no backups", level: levelWarn, about: "backups", says: "nobody said"},
		{name: "empty folder of backups", level: levelFail, about: "backups", says: "none in",
			args: []string{"--backups=" + filepath.Join(elsewhere, "empty")}},
		{name: "old backup", level: levelWarn, about: "backups", says: "is allowed",
			args: []string{safe, "--backup-age=1ns"}},
		{name: "damaged backup", level: levelFail, about: "backups", says: "monday", args: []string{safe},
			spoil: flips(monday), mend: flips(monday)},
		{name: "damaged backup of people", level: levelFail, about: "backups", says: "monday.people", args: []string{safe},
			spoil: flips(monday + peopleSuffix), mend: flips(monday + peopleSuffix)},
		{name: "backup that the keys do not open", level: levelFail, about: "backups", says: "sealed", args: []string{safe}},
		{name: "backup of another house", level: levelFail, about: "backups", says: "monday",
			args: []string{safe, "--data=" + foundHouse(t, elsewhere)}},
		{name: "device that is not there", level: levelFail, about: "device",
			args: []string{"--device=unix:" + filepath.Join(elsewhere, "device.sock")}},
		{name: "no witness", level: levelWarn, about: "witnesses", says: "none"},
		{name: "witness that is gone", level: levelWarn, about: "witnesses", says: "does not answer",
			args: []string{"--witness=http://127.0.0.1:1," + vkey}},
		{name: "required witness that is gone", level: levelFail, about: "witnesses", says: "does not answer",
			args: []string{"--witness=http://127.0.0.1:1," + vkey + ",required"}},
		{name: "witness with another key", level: levelFail, about: "witnesses", says: "it has the key",
			args: []string{"--witness=" + answering(http.StatusOK, map[string]string{"/": "witness x\nkey other\n"}) + "," + vkey +
				",required"}},
		{name: "house that is sick", level: levelFail, about: "running", says: "503",
			args: []string{"--house=" + answering(http.StatusServiceUnavailable, nil)}},
		{name: "house of another version", level: levelWarn, about: "running", says: "0.0.1",
			args: []string{"--house=" + answering(http.StatusOK,
				map[string]string{"/openapi.json": `{"info":{"version":"0.0.1"}}`})}},
	}
	moved := func(f doctorFault, name string) {
		f.spoil, f.mend = away(name)
		faults = append(faults, f)
	}
	moved(doctorFault{name: "no house key", level: levelFail, about: "keys"}, key)
	moved(doctorFault{name: "no register", level: levelFail, about: "people"}, filepath.Join(s.dir, person.FileName))
	moved(doctorFault{name: "no backup of people", level: levelFail, about: "backups", args: []string{safe}},
		monday+peopleSuffix)
	for i := range faults {
		if faults[i].name == "no personal key" || faults[i].name == "backup that the keys do not open" {
			faults[i].spoil, faults[i].mend = away(personal)
		}
	}
	return append(faults, certificateFaults(t)...)
}

// certificateFaults are certificates that are not as they should be.
func certificateFaults(t *testing.T) []doctorFault {
	t.Helper()
	dir := t.TempDir()
	made := func(name string, until time.Duration) []string {
		files := tlsFlags{TLSCert: filepath.Join(dir, name+".pem"), TLSKey: filepath.Join(dir, name+".key")}
		writeCertificateUntil(t, files, 1, time.Now().Add(until))
		return []string{"--tls-cert=" + files.TLSCert, "--tls-key=" + files.TLSKey}
	}
	good := made("good", 100*24*time.Hour)
	issued := []string{"--tls-cert=" + filepath.Join(dir, "issued.pem"), "--tls-key=" + filepath.Join(dir, "issued.key")}
	issueCertificate(t, filepath.Join(dir, "issued.pem"), filepath.Join(dir, "issued.key"))
	return []doctorFault{
		{name: "expired", level: levelFail, about: "certificate", says: "ended", args: made("expired", -time.Minute)},
		{name: "ends soon", level: levelWarn, about: "certificate", says: "days left",
			args: made("soon", 15*time.Minute)}, // a fifth of its life
		{name: "of another name", level: levelFail, about: "certificate", says: "not for other.example",
			args: append([]string{"--host=other.example"}, good...)},
		{name: "of another key", level: levelFail, about: "certificate",
			args: []string{good[0], made("other", time.Hour)[1]}},
		{name: "nobody vouches", level: levelWarn, about: "certificate", says: "vouches", args: good},
		{name: "without its chain", level: levelWarn, about: "certificate", says: "one certificate", args: issued},
	}
}

// issueCertificate writes a certificate without that of the authority which made it.
func issueCertificate(t *testing.T, cert, key string) {
	t.Helper()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	authority := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Authority"}}
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "house.example"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(100 * 24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, leaf, authority, &own.PublicKey, own)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(own)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{key: {Type: "PRIVATE KEY", Bytes: secret},
		cert: {Type: "CERTIFICATE", Bytes: der}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// witnessKey makes the key of a witness that nobody runs.
func witnessKey(t *testing.T) string {
	t.Helper()
	skey, vkey, err := journal.GenerateKey(rand.Reader, "witness.example")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := journal.ParseSigner(skey)
	if err != nil {
		t.Fatal(err)
	}
	cosigner, err := witness.NewCosigner(signer, vkey)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(cosigner)
}

// foundHouse founds another house and returns its folder.
func foundHouse(t *testing.T, elsewhere string) string {
	t.Helper()
	dir := filepath.Join(elsewhere, "other-house")
	programme(t, append([]string{"found", "other.example", "--data=" + dir}, decided(t, "vic-keno-2015")...)...)
	return dir
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func replaces(name, text string) func() error {
	return func() error { return os.WriteFile(name, []byte(text), 0o600) }
}

// flips changes the last bit in the middle of a file; done twice it changes nothing.
func flips(name string) func() error {
	return func() error {
		data, err := os.ReadFile(name)
		if err == nil {
			data[len(data)/2] ^= 1
			err = os.WriteFile(name, data, 0o600)
		}
		return err
	}
}

// inRegister does something in the register's file.
func inRegister(s *served, statement string) func() error {
	return func() error {
		db, err := sql.Open("sqlite", filepath.Join(s.dir, person.FileName)+"?_busy_timeout=10000")
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = db.Exec(statement)
		return err
	}
}

// TestDoctorsClock: a last record of the future is found, and one within the slack of two clocks is not.
func TestDoctorsClock(t *testing.T) {
	t.Parallel()
	dir := foundHouse(t, t.TempDir())
	for behind, want := range map[time.Duration]level{0: levelOK, clockSlack - time.Second: levelOK,
		time.Hour: levelFail} {
		x := &examination{doctorCmd: &doctorCmd{}, now: time.Now()}
		x.Data = dir
		r := x.readable(t.Context())
		if r == nil {
			t.Fatal(x.read.err)
		}
		x.now = lastTime(t, r).Add(-behind)
		x.clock(t.Context())
		x.close()
		if len(x.findings) != 1 || x.findings[0].Level != want {
			t.Errorf("%v behind: %+v", behind, x.findings)
		}
	}
}

// lastTime returns the time of the last record.
func lastTime(t *testing.T, r *journalRead) time.Time {
	t.Helper()
	data, err := r.store.Record(t.Context(), record.Place{Volume: r.head.Volume, Seq: r.head.Size - 1})
	if err != nil {
		t.Fatal(err)
	}
	last, err := record.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return last.Time.Time()
}

// TestReach: which addresses others reach.
func TestReach(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]reach{
		"127.0.0.1:0": reachMachine, "localhost:80": reachMachine, "[::1]:80": reachMachine, "10.1.2.3:80": reachNet,
		"192.168.0.1:80": reachNet, "[fd00::1]:80": reachNet, "node-a:9100": reachNet, ":80": reachWorld, "0.0.0.0:80": reachWorld,
		"[::]:80": reachWorld, "203.0.113.7:80": reachWorld,
	} {
		if got, err := reachOf(addr); got != want || err != nil {
			t.Errorf("%s: %d, %v", addr, got, err)
		}
	}
	if _, err := reachOf("nonsense"); err == nil {
		t.Error("nonsense is an address")
	}
}

// damage changes the last bit of a record in the database; done twice it changes
// nothing.
func damage(s *served, seq int) func() error {
	return func() error {
		db, err := sql.Open("sqlite", filepath.Join(s.dir, sqlite.FileName)+"?_busy_timeout=10000")
		if err != nil {
			return err
		}
		defer db.Close()
		var data []byte
		if err := db.QueryRow("SELECT data FROM record WHERE seq = ?", seq).Scan(&data); err != nil {
			return err
		}
		data[len(data)-1] ^= 1
		_, err = db.Exec("UPDATE record SET data = ? WHERE seq = ?", data, seq)
		return err
	}
}

// TestDoctorOnPostgreSQL looks at the server's settings, too.
func TestDoctorOnPostgreSQL(t *testing.T) {
	t.Parallel()
	s := serveOn(t, stores["PostgreSQL"](t))
	s.stop()
	_, said := examine(s)
	for _, setting := range []string{"server_version", "fsync", "synchronous_commit", "full_page_writes"} {
		if !strings.Contains(said, setting+" is ") {
			t.Errorf("nothing is said of %s:\n%s", setting, said)
		}
	}
}
