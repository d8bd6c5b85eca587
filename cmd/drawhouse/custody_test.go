package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/internal/outside"
	"drawhouse/journal"
)

// runs runs a command that must succeed and returns what it wrote.
func runs(t *testing.T, args ...string) string {
	t.Helper()
	name := outside.Program(t)
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", args, err, out)
	}
	return string(out)
}

// TestHouseWithCustodians runs a house that draws by the links of two custodians, each a
// process of its own. One cosigns and withholds its link: the game waits, the operator says
// in the journal that it goes on without that witness, a link rebuilt from the shares of two
// holders draws the game, and the journal verifies.
func TestHouseWithCustodians(t *testing.T) {
	t.Parallel()
	name := inRealTime(t)
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	args := append([]string{"serve", "--demo", "--addr=127.0.0.1:0", "--data=" + data}, quick...)
	// A house whose device does not answer says by which key custodians know it.
	houseKey := keyForDevice(t, name, append(args, "--device=unix:"+filepath.Join(dir, "none"))...)
	flags := []string{"--device=witnessed"}
	path := func(who, what string) string { return filepath.Join(dir, who+"."+what) }
	names, policy := []string{"inspector", "operator"}, []string{}
	front := outside.NewFront(t)
	atLog := "--public-log=" + front.URL + "/v1/log"
	serving := func(who string) []string {
		return []string{"witness", "--listen=127.0.0.1:0", "--name=" + who + ".example", "--key=" + path(who, "key"),
			"--links-key=" + path(who, "second"), "--log=" + houseKey, "--state=" + path(who, "state")}
	}
	for _, who := range names {
		p := launch(t, 3, serving(who)...) // It makes the keys.
		policy = append(policy, "--custodian="+bothKeys(p))
		p.kill()
		for _, file := range []string{"key", "second"} {
			if info, err := os.Stat(path(who, file)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the key file: %v: %v", info, err)
			}
		}
	}
	// Without its book no custodian starts.
	today := outside.KenoDays(t)[0]
	runs(t, "witness", "links", path("lost", today), "--links-key="+path("inspector", "second"),
		"--series=vic-keno", "--day="+today)
	lost := append(append(serving("inspector"), policy...), atLog, "--links="+path("lost", today), "--state="+
		path("inspector", "lost"))
	if out, err := exec.Command(name, lost...).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "without its book") {
		t.Errorf("a custodian that lost its book: %v: %s", err, out)
	}
	deaf := append(append(serving("inspector"), policy...), "--links="+path("lost", today))
	if out, err := exec.Command(name, deaf...).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "--public-log") {
		t.Errorf("a custodian that reads no log: %v: %s", err, out)
	}
	refusesOtherKeys(t, name, serving("inspector"), policy, path, today, atLog)
	var custodians []*process
	var withholds atomic.Bool
	withheld := "" // the address of the first
	for i, who := range names {
		args := append(append(serving(who), policy...), atLog)
		for _, day := range outside.KenoDays(t) {
			runs(t, "witness", "links", path(who, day), "--links-key="+path(who, "second"), "--series=vic-keno",
				"--day="+day)
			args = append(args, "--links="+path(who, day))
		}
		if i > 0 { // It asks the first one before it signs.
			args = append(args, "--follower="+withheld)
		}
		p := launch(t, 3, args...)
		if keys := bothKeys(p); "--custodian="+keys != policy[i] {
			t.Errorf("%s starts again with the keys %s, and had %s", who, keys, policy[i])
		}
		_, address, _ := strings.Cut(p.lines[0], " at ")
		if i == 0 {
			address = withholding(t, address, &withholds)
			withheld = address
		}
		flags = append(flags, "--witness="+address+","+strings.TrimPrefix(p.lines[1], "key ")+",custodian,"+
			strings.TrimPrefix(p.lines[2], "links key "))
		custodians = append(custodians, p)
	}
	s := &served{t: t, name: name, dir: data, extra: flags}
	t.Cleanup(func() {
		if s.cmd != nil && s.cmd.ProcessState == nil {
			s.kill()
		}
	})
	s.start()
	front.Lead(t, s.url)
	waitForPhase(t, s, "settled")

	withholds.Store(true)
	game := waitForGame(t, s)
	commitment := path("inspector", game.day+commitmentSuffix)
	rule := func(holder string) []string {
		return append([]string{fmt.Sprintf("--game=%s/%d", game.day, game.number), "--house-key=" + houseKey, "--state=" +
			path("holder", holder), atLog}, policy...)
	}
	// The holders ask once all custodians have cosigned the log with the seal.
	tries := append([]string{"witness", "share", path("inspector", game.day+sharesSuffix+"1"), commitment,
		"--tell=" + withheld}, rule("1")...)
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		out, err := exec.Command(name, tries...).CombinedOutput()
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("not all custodians cosign the log: %s: %s", out, &s.log)
		}
	}
	custodians[0].kill()
	if said := custodians[0].log.String(); !strings.Contains(said, "no witness but the custodians is asked for") {
		t.Errorf("it does not say on what an old book of it rests: %s", said)
	}
	share := func(n int) string {
		text := runs(t, append([]string{"witness", "share",
			path("inspector", fmt.Sprintf("%s%s%d", game.day, sharesSuffix, n)), commitment, "--gone"}, rule(fmt.Sprint(n))...)...)
		file := path("share", fmt.Sprint(n))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return "--share=" + file
	}
	rebuild := append([]string{"witness", "rebuild", commitment}, rule("rebuild")...)
	link := runs(t, append(rebuild, share(3), share(1))...)
	if again := runs(t, append(rebuild, share(1), share(2))...); again != link {
		t.Errorf("other holders rebuild %s, and not %s", again, link)
	}
	if out, err := exec.Command(name, append(rebuild, share(1))...).CombinedOutput(); err == nil {
		t.Errorf("one share rebuilds a link: %s", out)
	}
	weak := append([]string{"witness", "rebuild", commitment, share(1), share(2)}, rule("weak")[:4]...)
	if out, err := exec.Command(name, append(weak, policy[0])...).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "two at least") {
		t.Errorf("a policy of one custodian rebuilds a link, or is refused by %s", out)
	}
	// The operator gives the custodian up: nobody waits for its signature any more, and
	// its link comes from those who hold its shares.
	s.kill()
	s.extra = flags[2:]
	s.start()
	front.Lead(t, s.url)
	administrator := bringLink(t, s, link)
	for deadline := time.Now().Add(2 * time.Minute); readGame(t, s, game.day,
		game.number).phase != "settled"; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the game does not go on with a link from escrow: %s", &s.log)
		}
	}
	drawn := fmt.Sprintf("%s/%d", game.day, game.number)
	checksDraw(t, s, drawn, houseKey, noteKey(t, filepath.Join(dir, "inspector.second")),
		noteKey(t, filepath.Join(dir, "operator.second")))
	unpacked := takeArchive(t, s, administrator)
	s.kill()
	verifiesAsItSays(t, unpacked)
	checksExportedDraw(t, filepath.Join(unpacked, "inspection"), drawn, houseKey)

	export := filepath.Join(dir, "export")
	runs(t, "journal", "export", export, "--data="+data)
	report := runs(t, "verify", export, "--house-key="+houseKey)
	if !strings.Contains(report, "each made before its day") {
		t.Errorf("the report does not speak of links: %s", report)
	}
	knowsTheCustodians(t, name, export, houseKey, policy)
}

// knowsTheCustodians holds the keys by which custodians commit to links against those that a reader knows, by verify
// and by watch.
func knowsTheCustodians(t *testing.T, name, export, houseKey string, policy []string) {
	t.Helper()
	_, first, _ := strings.Cut(policy[0], ",")
	_, second, _ := strings.Cut(policy[1], ",")
	for _, command := range [][]string{{"verify", export, "--house-key=" + houseKey},
		{"watch", filepath.Join(export, "public", "1"), "--key=" + houseKey, "--quiet"}} {
		runs(t, append(command, "--links-key="+first, "--links-key="+second)...)
		out, err := exec.Command(name, append(command, "--links-key="+second)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "inspector.example gives links") {
			t.Errorf("%s with the key of another: %v: %s", command[0], err, out)
		}
	}
}

// bothKeys returns the two keys that a custodian prints, of cosignatures and of commitments.
func bothKeys(p *process) string {
	return strings.TrimPrefix(p.lines[1], "key ") + "," + strings.TrimPrefix(p.lines[2], "links key ")
}

// refusesOtherKeys starts a custodian that has no second key, has one for both, has lost it, or commits with its first.
func refusesOtherKeys(t *testing.T, name string, serving, policy []string, path func(who, what string) string,
	today, atLog string) {
	t.Helper()
	with := func(key, links string) []string {
		args := slices.DeleteFunc(slices.Clone(serving),
			func(arg string) bool { return strings.HasPrefix(arg, "--links-key=") })
		if key != "" {
			args = append(args, "--links-key="+key)
		}
		return append(append(args, policy...), atLog, "--links="+links)
	}
	first := path("inspector", "first")
	runs(t, "witness", "links", first, "--links-key="+path("inspector", "key"), "--series=vic-keno", "--day="+today)
	one := strings.Split(policy[0], ",")[0]
	for says, args := range map[string][]string{
		"with a second key":            with("", path("lost", today)),
		"one key":                      with(path("inspector", "key"), path("lost", today)),
		"restore it from a backup":     with(path("inspector", "gone"), path("lost", today)),
		"and not of inspector.example": with(path("operator", "second"), path("lost", today)),
		"write KEY,LINKSKEY":           append(with(path("inspector", "second"), path("lost", today)), one),
		"inspector.first.commitment: ": with(path("inspector", "second"), first),
	} {
		out, err := exec.Command(name, args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), says) {
			t.Errorf("a custodian that must say %q says %v: %s", says, err, out)
		}
	}
	if _, err := os.Stat(path("inspector", "gone")); err == nil {
		t.Error("a custodian with links makes a second key by itself")
	}
	for says, flag := range map[string]string{
		"URL,KEY,custodian,LINKSKEY": one,
		"one key":                    one + ",custodian," + noteKey(t, path("inspector", "key")),
	} {
		if says != "one key" {
			flag += ",custodian"
		}
		flag = "--witness=http://127.0.0.1:1," + strings.TrimPrefix(flag, "--custodian=")
		out, err := exec.Command(name, "serve", "--demo", "--addr=127.0.0.1:0", "--data="+path("never", "data"),
			flag).CombinedOutput()
		if err == nil || !strings.Contains(string(out), says) {
			t.Errorf("a house with %s says %v: %s", flag, err, out)
		}
	}
}

// withholding stands before a custodian, and lets no request for a link pass once it is
// told to.
func withholding(t *testing.T, address string, withholds *atomic.Bool) string {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if withholds.Load() && r.URL.Path == "/ask-link" {
			http.Error(w, "away", http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return front.URL
}

// TestDeviceOfTheRulebook starts houses with devices that their rulebook knows or not.
func TestDeviceOfTheRulebook(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the program")
	}
	name := outside.Program(t)
	for _, c := range []struct{ rulebook, device, want string }{
		{"vic-keno-2015", "cage", "not by cage"},
		{"vic-keno-2015", "witnessed", "at least 2 custodians"},
		{"nsw-bingo-2019", "cage", "not by cage"},
		{"no-such-book", "rng", "--rulebook"},
	} {
		out, err := exec.Command(name, "serve", "--demo", "--addr=127.0.0.1:0", "--data="+t.TempDir(), "--rulebook="+
			c.rulebook, "--device="+c.device).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s by %s: %v: %s", c.rulebook, c.device, err, out)
		}
	}
	s := &served{t: t, name: name, dir: filepath.Join(t.TempDir(), "data"),
		extra: []string{"--rulebook=casino-keno-div2", "--device=cage"}}
	s.start()
	if got := waitForGame(t, s); got.seal == "" {
		t.Error("the game that waits for the ball machine has no seal")
	}
	s.kill()
}

// sealedGame is a game as the public sees it.
type sealedGame struct {
	day, phase, seal string
	number           int
}

// waitForGame waits for a game that is sealed and gets no number for a second.
func waitForGame(t *testing.T, s *served) sealedGame {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Second) {
		_, answer, err := s.ask(http.MethodGet, "/v1/games?limit=2", nil)
		if err != nil {
			t.Fatal(err)
		}
		games, _ := answer["games"].([]any)
		for _, g := range games {
			g, _ := g.(map[string]any)
			found := readGame(t, s, fmt.Sprint(g["day"]), int(g["game"].(float64)))
			if found.phase != "sealed" {
				continue
			}
			if time.Sleep(time.Second); readGame(t, s, found.day, found.number).phase == "sealed" {
				return found
			}
		}
	}
	t.Fatalf("no game waits: %s", &s.log)
	return sealedGame{}
}

func readGame(t *testing.T, s *served, day string, number int) sealedGame {
	t.Helper()
	_, g, err := s.ask(http.MethodGet, fmt.Sprintf("/v1/games/%s/%d", day, number), nil)
	if err != nil {
		t.Fatal(err)
	}
	seal, _ := g["seal"].(map[string]any)
	note, _ := seal["note"].(string)
	return sealedGame{day: day, number: number, phase: fmt.Sprint(g["phase"]), seal: note}
}

// bringLink makes the administrator of a house, who brings it a link.
func bringLink(t *testing.T, s *served, link string) (bearer string) {
	t.Helper()
	token := regexp.MustCompile(`setup.html#(\S+)`).FindStringSubmatch(s.said)
	if token == nil {
		t.Fatalf("the house says %q", s.said)
	}
	const password = "correct horse battery"
	status, answer, err := s.ask(http.MethodPost, "/v1/setup",
		map[string]any{"token": token[1], "name": "Ada", "password": password})
	if err != nil || status != http.StatusOK {
		t.Fatalf("%d %v: %v", status, answer, err)
	}
	status, answer, err = s.ask(http.MethodPost, "/v1/session",
		map[string]any{"person": answer["number"], "password": password, "bearer": true})
	if err != nil || status != http.StatusOK {
		t.Fatalf("%d %v: %v", status, answer, err)
	}
	body, err := json.Marshal(map[string]string{"link": link})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, s.url+"/v1/links", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	bearer = fmt.Sprintf("Bearer %s", answer["token"])
	request.Header.Set("Authorization", bearer)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if said, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", response.Status, said)
	}
	return bearer
}

// noteKey returns the verifier key of a key file.
func noteKey(t *testing.T, path string) string {
	t.Helper()
	key, err := openOwnKey(path, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := journal.ParseVerifier(key.Verifier); err != nil {
		t.Fatal(err)
	}
	return key.Verifier
}
