package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"drawhouse/internal/outside"
	"drawhouse/journal/record"
)

// The programs of TestUpgrade, which scripts/upgrade.sh builds: an older one, and one that is newer than this by the
// level of its journals.
const (
	olderVariable = "DRAWHOUSE_UPGRADE_OLDER"
	newerVariable = "DRAWHOUSE_UPGRADE_NEWER"
)

// TestUpgrade changes the program of a house under load, with tickets of many games open: from an older one to
// this one, back, and to this one again; then to a newer one, which raises the level of the journal, after which this
// program refuses. On SQLite one process ends and the next one starts; on PostgreSQL a follower takes over. No ticket
// that was answered is lost, requests have the same answers from every program, and the journal verifies.
func TestUpgrade(t *testing.T) {
	older, newer := os.Getenv(olderVariable), os.Getenv(newerVariable)
	if older == "" || newer == "" {
		t.Skip("NOT TRIED: make upgrade builds the other two programs that this takes")
	}
	for _, name := range []string{"SQLite", "PostgreSQL"} {
		t.Run(name, func(t *testing.T) {
			u := &upgrade{t: t, programs: map[string]string{"older": older, "this": outside.Program(t), "newer": newer},
				shared: name != "SQLite"}
			u.run(stores[name](t))
		})
	}
}

// upgrade is a house whose program is changed while it sells.
type upgrade struct {
	t        *testing.T
	programs map[string]string
	shared   bool // the programs follow one another, each on a machine of its own

	writer   *served
	row      *sellingRow
	patient  *terminal // sells tickets of many games, and repeats its last request
	asked    int       // how many requests were repeated
	followed int       // how many followers were begun
}

// longGames is how many games a ticket of many games has.
const longGames = 20

// run changes programs, and checks what was promised.
func (u *upgrade) run(database string) {
	began := time.Now()
	u.writer = &served{t: u.t, name: u.programs["older"], dir: filepath.Join(u.t.TempDir(), "data"), database: database}
	u.writer.endWithTest()
	u.writer.start()
	u.row = newRowOf([]*terminal{{id: 1}, {id: 3}}, u.writer)
	u.patient = &terminal{id: 2, games: longGames}
	for range 20 {
		u.sellLong()
	}
	u.change("older", "this")
	u.sellLong()
	if u.change("this", "older") {
		u.sellLong()
		u.verified("older")
		u.change("older", "this")
	}
	u.verified("this")
	u.sellLong()

	var witness *served // a follower of this program, which does not take over
	if u.shared {
		witness = u.follower("this")
		witness.waitForRole("follower")
	}
	u.change("this", "newer")
	u.sellLong()
	if witness != nil {
		u.saysNewer(witness)
	}
	u.refused()
	u.settled()
	u.row.end()

	acknowledged, lost := 0, 0
	for _, term := range append(u.row.terminals, u.patient) {
		sold := unique(term.sold)
		// The last request may have been given up when the sale was ended.
		if n := uint64(len(sold)); n != term.number && n != term.number-1 {
			u.t.Errorf("terminal %d made %d requests and has %d tickets", term.id, term.number, n)
		}
		acknowledged += len(sold)
		for serial := range sold {
			if status, answer, err := u.writer.ask(http.MethodGet, "/v1/tickets/"+serial, nil); err != nil ||
				status != http.StatusOK {
				lost++
				u.t.Errorf("ticket %s of terminal %d is lost: %d %v %v", serial, term.id, status, answer, err)
			}
		}
	}
	u.writer.stop()
	u.writer.verify()
	u.t.Logf("%d tickets acknowledged, %d lost; %d requests repeated over a change, with the same answers; "+
		"the journal verifies; %.0f s in all", acknowledged, lost, u.asked, time.Since(began).Seconds())
}

// sellLong sells a ticket of many games.
func (u *upgrade) sellLong() {
	u.t.Helper()
	if !u.patient.sell(u.writer) {
		u.t.Fatalf("the house does not sell a ticket of many games:\n%s", &u.writer.log)
	}
}

// last asks the last request of the patient terminal again, and returns the whole answer.
func (u *upgrade) last() map[string]any {
	u.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		status, answer, err := u.writer.askAs(u.patient.id, http.MethodPut, u.patient.path(), u.patient.body)
		if err == nil && status == http.StatusOK {
			u.asked++
			delete(answer, "checkpoint") // It is that of now.
			return answer
		}
	}
	u.t.Fatal("a request that is repeated has no answer")
	return nil
}

// change has another program write in the middle of a draw, and prints how long nothing was sold. It reports false
// where an older program cannot: then the one that wrote goes on.
func (u *upgrade) change(from, to string) bool {
	u.t.Helper()
	before := u.last()
	shown := map[string][]any{}
	u.writer.watchUntilDrawing(shown, 4)
	u.row.lapse()
	next, ok := u.exchange(to)
	u.row.waitForSale(u.t, time.Now())
	gap := u.row.lapse()
	u.writer = next
	if !ok {
		u.t.Logf("%s to %s: the older program refuses, nothing was sold for %.1f s meanwhile", from, to, gap.Seconds())
		return false
	}
	u.writer.checkShown(shown)
	after := u.last()
	for name, said := range before { // A newer program may say more.
		if !reflect.DeepEqual(said, after[name]) {
			u.t.Errorf("%s to %s: %s of the same request was %v and is %v", from, to, name, said, after[name])
		}
	}
	u.t.Logf("%s to %s: nothing was sold for %.1f s", from, to, gap.Seconds())
	return true
}

// exchange ends the writer and has a program write in its place. Where that one does not read the journal, the former
// one goes on.
func (u *upgrade) exchange(to string) (*served, bool) {
	u.t.Helper()
	former := u.writer
	if u.shared {
		next := u.follower(to, "--takeover=2s")
		next.waitForRole("follower")
		u.row.use(former, next)
		former.stop()
		next.waitForRole("writer")
		u.row.use(next)
		return next, true
	}
	if out, reads := u.reads(to); !reads {
		if !strings.Contains(out, record.ErrNewer.Error()) {
			u.t.Fatalf("the program does not read the journal: %s", out)
		}
		return former, false
	}
	former.stop()
	next := u.process(u.programs[to])
	next.start()
	u.row.use(next)
	return next, true
}

// process is a process on the data of the writer, which has not begun.
func (u *upgrade) process(program string, flags ...string) *served {
	s := &served{t: u.t, name: program, dir: u.writer.dir, database: u.writer.database, extra: flags}
	s.endWithTest()
	return s
}

// follower starts a program that follows, with a copy of the keys on PostgreSQL.
func (u *upgrade) follower(program string, flags ...string) *served {
	u.t.Helper()
	u.followed++
	f := u.process(u.programs[program], append([]string{"--follow"}, flags...)...)
	f.dir = filepath.Join(u.t.TempDir(), fmt.Sprintf("follower-%d", u.followed))
	copyFolder(u.t, filepath.Join(f.dir, "keys"), filepath.Join(u.writer.dir, "keys"))
	f.start()
	return f
}

// reads asks a program whether it reads the journal, as far as that can be asked of one that is not to write: by its
// verify of an export. It returns what it says.
func (u *upgrade) reads(program string) (out string, reads bool) {
	u.t.Helper()
	said, err := exec.Command(u.programs[program], "verify", u.export(u.programs[program])).CombinedOutput()
	return string(said), err == nil
}

// refusal runs a program that is to refuse, and kills it if it does not within a minute.
func (u *upgrade) refusal(s *served, args ...string) (string, error) {
	u.t.Helper()
	cmd := s.command(args...)
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// export exports the journal with a program, and returns where to.
func (u *upgrade) export(program string) string {
	u.t.Helper()
	to := filepath.Join(u.t.TempDir(), fmt.Sprintf("export-%d", time.Now().UnixNano()))
	s := u.process(program)
	if out, err := s.command("journal", "export", "--data="+s.dir, to).CombinedOutput(); err != nil {
		u.t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return to
}

// verified has a program grade the journal while it is written.
func (u *upgrade) verified(by string) {
	u.t.Helper()
	export := u.export(u.programs[by])
	if out, err := exec.Command(u.programs[by], "verify", export).CombinedOutput(); err != nil {
		u.t.Fatalf("verify of the %s program: %v\n%s", by, err, out)
	}
	u.t.Logf("verify of the program %q takes the journal", by)
}

// saysNewer waits until a follower says that a newer program writes, and does not call the journal another one.
func (u *upgrade) saysNewer(f *served) {
	u.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		status, health, err := f.ask(http.MethodGet, "/healthz", nil)
		if err == nil && status == http.StatusServiceUnavailable && strings.Contains(fmt.Sprint(health), "newer program") {
			if log := f.log.String(); strings.Contains(log, "another past") || !strings.Contains(log, "start the newer one") {
				u.t.Errorf("the follower does not say what to do:\n%s", log)
			}
			f.stop()
			u.t.Log("a follower of this program says that a newer one writes")
			return
		}
	}
	u.t.Fatalf("the follower does not say that a newer program writes:\n%s", &f.log)
}

// refused starts this program on the journal of the newer one: it says which program reads it, and does nothing. Its
// verify and its report say the same.
func (u *upgrade) refused() {
	u.t.Helper()
	export := u.export(u.programs["newer"])
	s := u.process(u.programs["this"])
	follows := u.process(u.programs["this"], "--follow", "--takeover=2s")
	for name, args := range map[string][]string{
		"serve --follow": follows.arguments(),
		"verify":         {"verify", export},
	} {
		out, err := u.refusal(s, args...)
		if err == nil || !strings.Contains(out, record.ErrNewer.Error()) || !strings.Contains(out, "the journal names") {
			u.t.Errorf("%s of this program on the journal of a newer one: %v\n%s", name, err, out)
		}
	}
	u.writer.stop()
	out, err := u.refusal(s, s.arguments()...)
	if err == nil || !strings.Contains(out, record.ErrNewer.Error()) {
		u.t.Errorf("this program starts on the journal of a newer one: %v\n%s", err, out)
	}
	u.t.Logf("this program says: %s", out)
	again := u.process(u.programs["newer"])
	again.start()
	u.writer = again
	u.row.use(again)
	u.row.waitForSale(u.t, time.Now())
}

// settled waits until the first ticket of many games has played all of them.
func (u *upgrade) settled() {
	u.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		_, ticket, err := u.writer.ask(http.MethodGet, "/v1/tickets/"+u.patient.sold[0], nil)
		if err != nil {
			u.t.Fatal(err)
		}
		games, played := outside.List(ticket["games"]), 0
		for _, g := range games {
			if g["phase"] == "settled" {
				played++
			}
		}
		if played == longGames {
			return
		}
	}
	u.t.Fatal("a ticket of many games is not settled")
}
