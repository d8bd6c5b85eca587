package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"drawhouse/core/serial"
	keyed "drawhouse/edge/terminal"
	"drawhouse/internal/outside"
	"drawhouse/internal/pgtest"
)

// served is a house that runs as a process.
type served struct {
	t    *testing.T
	name string
	dir  string
	// database is the URL of a PostgreSQL database, or "" for SQLite in dir.
	database string
	extra    []string     // flags of serve
	client   *http.Client // of terminals; nil for the usual one
	asks     bool         // it is not to take the journal from another house

	cmd *exec.Cmd
	url string
	log spoken
	// said is what the house printed when it began.
	said string

	mu        sync.Mutex // guards what follows
	clients   map[uint32]*keyed.Client
	clientsOf string        // the address that the clients are of
	hung      chan struct{} // closed when terminals ask no more; nil before the first request
}

// spoken is what a process has said so far, to be read while the process says more.
type spoken struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (s *spoken) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *spoken) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// Reset forgets what was said.
func (s *spoken) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Reset()
}

// quick is a rhythm in which a game takes a second.
var quick = []string{"--interval=1s", "--lead=100ms", "--ball=20ms"}

func serve(t *testing.T) *served {
	t.Helper()
	return serveOn(t, "")
}

// stores are where a house may keep its journal, by name.
var stores = map[string]func(testing.TB) (database string){
	"SQLite":     func(testing.TB) string { return "" },
	"PostgreSQL": pgtest.Schema,
}

// serveOn starts a house on a PostgreSQL database, or on SQLite if it is "".
func serveOn(t *testing.T, database string) *served {
	t.Helper()
	name := outside.Program(t)
	s := &served{t: t, name: name, dir: filepath.Join(t.TempDir(), "data"), database: database}
	s.endWithTest()
	s.start()
	return s
}

// endWithTest ends the process with the test, if it still runs. A test that fails shows what
// the process said last.
func (s *served) endWithTest() {
	s.t.Cleanup(func() {
		if log := s.log.String(); s.t.Failed() && log != "" {
			const most = 4000
			s.t.Logf("the house said at last: %s", log[max(0, len(log)-most):])
		}
		if s.cmd != nil && s.cmd.ProcessState == nil {
			_ = s.cmd.Process.Kill()
			_ = s.cmd.Wait()
		}
	})
}

// start starts the process and waits until it sells.
func (s *served) start() {
	s.t.Helper()
	s.begin(s.arguments()...)
	s.waitForSale()
}

// begin starts the process and waits until it says where it is.
func (s *served) begin(args ...string) {
	s.t.Helper()
	s.cmd = s.command(args...)
	s.cmd.Stderr = &s.log
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	reader := bufio.NewReader(stdout)
	line, err := reader.ReadString('\n')
	if err != nil {
		s.t.Fatalf("%v: %s", err, &s.log)
	}
	rest, err := reader.Peek(reader.Buffered()) // It says everything at once.
	if err != nil {
		s.t.Fatal(err)
	}
	s.said = line + string(rest)
	_, s.url, _ = strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), `"}`), " at ") // A line of JSON ends so.
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
}

// arguments are those with which the process is started.
func (s *served) arguments() []string {
	args := append([]string{"serve", "--demo", "--addr=127.0.0.1:0", "--data=" + s.dir}, quick...)
	if !slices.Contains(s.extra, "--follow") && !s.asks {
		args = append(args, "--take-over") // It was killed just now, and nobody need listen for it.
	}
	return append(args, s.extra...)
}

// command returns the program with arguments and the house's database.
func (s *served) command(args ...string) *exec.Cmd {
	cmd := exec.Command(s.name, args...)
	cmd.Env = append(os.Environ(), databaseVariable+"="+s.database)
	return cmd
}

// waitForSale waits until a game is on sale, as a terminal does.
func (s *served) waitForSale() {
	s.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		_, board, err := s.ask(http.MethodGet, "/v1/board", nil)
		if err != nil {
			s.t.Fatalf("%v: %s", err, &s.log)
		}
		if series, _ := board["series"].([]any); len(series) > 0 && series[0].(map[string]any)["open"] != nil {
			return
		}
	}
	s.t.Fatal("no game was on sale within two minutes")
}

// kill ends the process as a power failure would, as far as a process can tell.
func (s *served) kill() {
	s.t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	_ = s.cmd.Wait() // It was killed, and says so.
}

// stop asks the process to end and expects it to, in good order.
func (s *served) stop() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		s.t.Fatalf("%v: %s", err, &s.log)
	}
}

// ask sends a request and returns the status and the answer.
func (s *served) ask(method, path string, body any) (int, map[string]any, error) {
	var reader io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		reader = bytes.NewReader(data)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, reader)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := cmp.Or(s.client, http.DefaultClient).Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer := map[string]any{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return response.StatusCode, nil, err
	}
	return response.StatusCode, answer, nil
}

// askAs sends a request of a terminal, signed, in a session of its own.
func (s *served) askAs(id uint32, method, path string, body any) (int, map[string]any, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s.mu.Lock()
	if s.hung == nil {
		s.hung = make(chan struct{})
	}
	hung := s.hung
	client := s.clients[id]
	if client == nil || s.clientsOf != s.url {
		client = keyed.NewClient(s.url, id, keyed.DemoKey(id), cmp.Or(s.client, http.DefaultClient))
		if s.clientsOf != s.url {
			s.clients, s.clientsOf = map[uint32]*keyed.Client{}, s.url
		}
		s.clients[id] = client
	}
	s.mu.Unlock()
	go func() {
		select {
		case <-hung:
			cancel()
		case <-ctx.Done():
		}
	}()
	status, reply, err := client.Do(ctx, method, path, data)
	if err != nil {
		return 0, nil, err
	}
	answer := map[string]any{}
	return status, answer, json.Unmarshal(reply, &answer)
}

// hangUp ends what terminals still ask this house, and whatever they ask it later.
func (s *served) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hung == nil {
		s.hung = make(chan struct{})
	}
	close(s.hung)
}

// terminal is a terminal that sells as fast as it is answered and never forgets
// what it asked.
type terminal struct {
	id     uint32
	number uint64
	games  int // of every ticket; 0 for one to three
	body   any // of the last request, for asking again
	sold   []string
}

// sell asks for the next ticket and reports whether it was answered.
func (term *terminal) sell(s *served) bool {
	term.order()
	return term.ask(s)
}

// order makes the next request.
func (term *terminal) order() {
	term.number++
	code := serial.ClaimCode{byte(term.id), byte(term.number >> 8), byte(term.number)}
	hash := code.Hash(term.id, term.number)
	spots := rand.Perm(80)[:1+rand.IntN(6)]
	for i := range spots {
		spots[i]++
	}
	games := term.games
	if games == 0 {
		games = 1 + rand.IntN(3)
	}
	term.body = map[string]any{
		"method":     map[bool]string{true: "screen", false: "verbal"}[term.id == 3],
		"claim_hash": hex.EncodeToString(hash[:]),
		"ticket": map[string]any{
			"v": 1, "rulebook": "vic-keno-2015", "first": "open", "games": games,
			"bets": []any{map[string]any{"bet": "classic", "spots": spots, "stake_cents": 100}},
		},
	}
}

// path is where the last request goes.
func (term *terminal) path() string {
	return fmt.Sprintf("/v1/terminals/%d/requests/%d/sale", term.id, term.number)
}

// ask sends the last request, for the first time or again.
func (term *terminal) ask(s *served) bool {
	status, answer, err := s.askAs(term.id, http.MethodPut, term.path(), term.body)
	if err != nil || status == http.StatusServiceUnavailable || status == http.StatusMisdirectedRequest {
		return false // The house has stopped, or is not the one that writes; what is stored it may not know.
	}
	if fault, _ := answer["error"].(map[string]any); fault["code"] == "request_replayed" {
		return false // Another request of the terminal overtook this one, which is sent again.
	}
	serial, ok := answer["serial"].(string)
	if !ok {
		s.t.Errorf("terminal %d, request %d: %d %v", term.id, term.number, status, answer)
		return false
	}
	term.sold = append(term.sold, serial)
	return true
}

// watchUntilDrawing follows the board until a game has had so many numbers.
func (s *served) watchUntilDrawing(shown map[string][]any, numbers int) {
	s.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		_, board, err := s.ask(http.MethodGet, "/v1/board", nil)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, game := range gamesOf(board) {
			drawn, _ := game["numbers"].([]any)
			shown[fmt.Sprint(game["ordinal"])] = drawn
			if len(drawn) >= numbers && len(drawn) < 20 {
				return
			}
		}
	}
	s.t.Fatal("no game was drawn in half a minute")
}

// gamesOf lists the games on a board that have numbers.
func gamesOf(board map[string]any) []map[string]any {
	var games []map[string]any
	all, _ := board["series"].([]any)
	for _, series := range all {
		series, _ := series.(map[string]any)
		for _, name := range []string{"drawing", "results"} {
			list, _ := series[name].([]any)
			for _, game := range list {
				games = append(games, game.(map[string]any))
			}
		}
	}
	return games
}

// drawnGames lists the games that have numbers: those on the board, and those of its days that have left the board.
func (s *served) drawnGames() []map[string]any {
	s.t.Helper()
	_, board, err := s.ask(http.MethodGet, "/v1/board", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	games := gamesOf(board)
	all, _ := board["series"].([]any)
	for _, series := range all {
		series, _ := series.(map[string]any)
		_, results, err := s.ask(http.MethodGet, fmt.Sprintf("/v1/results/%v", series["day"]), nil)
		if err != nil {
			s.t.Fatal(err)
		}
		list, _ := results["results"].([]any)
		for _, game := range list {
			games = append(games, game.(map[string]any))
		}
	}
	return games
}

// checkShown waits for a result and compares every game with what was seen of it.
func (s *served) checkShown(shown map[string][]any) {
	s.t.Helper()
	s.watchUntilDrawing(map[string][]any{}, 1)
	compared := 0
	for _, game := range s.drawnGames() {
		drawn, _ := game["numbers"].([]any)
		before := shown[fmt.Sprint(game["ordinal"])]
		if len(before) > len(drawn) || fmt.Sprint(drawn[:len(before)]) != fmt.Sprint(before) {
			s.t.Errorf("game %v showed %v and now has %v", game["ordinal"], before, drawn)
		}
		compared += len(before)
	}
	if compared == 0 {
		s.t.Error("no number that was shown before a kill could be compared")
	}
}

// checkSold looks every ticket up that a terminal was told of. A request that was
// asked again must have had the same answer.
func checkSold(t *testing.T, s *served, terminals []*terminal) int {
	t.Helper()
	seen := map[string]bool{}
	for _, term := range terminals {
		for _, serial := range term.sold {
			seen[serial] = true
			if status, answer, err := s.ask(http.MethodGet, "/v1/tickets/"+serial, nil); err != nil || status != http.StatusOK {
				t.Errorf("ticket %s of terminal %d is lost: %d %v %v", serial, term.id, status, answer, err)
			}
		}
		if len(term.sold) == 0 {
			t.Errorf("terminal %d sold nothing", term.id)
		}
	}
	return len(seen)
}

// verify exports the journal and has it graded by processes of their own.
func (s *served) verify() {
	s.t.Helper()
	out := filepath.Join(s.t.TempDir(), "export")
	for _, args := range [][]string{{"journal", "export", "--data=" + s.dir, out}, {"verify", out}} {
		if text, err := s.command(args...).CombinedOutput(); err != nil {
			s.t.Fatalf("drawhouse %s: %v\n%s", strings.Join(args, " "), err, text)
		}
	}
}

// TestLostKeys finds a journal without its keys: new ones are not made beside it.
func TestLostKeys(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.stop()
	keys := filepath.Join(s.dir, "keys")
	if err := os.RemoveAll(keys); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if status := run([]string{"serve", "--demo", "--addr=127.0.0.1:0", "--data=" + s.dir}, &stdout,
		&stderr); status != statusUsage {
		t.Errorf("status %d", status)
	}
	if !strings.Contains(stderr.String(), "restore them from a backup") {
		t.Errorf("it says %q", &stderr)
	}
	if _, err := os.Stat(keys); !os.IsNotExist(err) {
		t.Errorf("there are keys again: %v", err)
	}
}

// TestServeRefuses starts a house with arguments that cannot be meant.
func TestServeRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, args := range map[string][]string{
		"holds no house":  {"--data=" + dir + "/none"},
		"not less than":   {"--data=" + dir + "/a", "--demo", "--interval=10s", "--ball=1s"},
		"--addr":          {"--data=" + dir + "/b", "--demo", "--addr=256.0.0.1:1"},
		"is not a time":   {"--data=" + dir + "/c", "--demo", "--day-start=25h"},
		"not a directory": {"--data=/dev/null/x", "--demo"},
		"--database":      {"--data=" + dir + "/d", "--demo", "--database=postgres://127.0.0.1:1/none"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(append([]string{"serve", "--addr=127.0.0.1:0"}, args...), &stdout, &stderr); status != statusUsage {
			t.Errorf("%v ended with status %d: %s", args, status, &stderr)
		}
		if !strings.Contains(stderr.String(), name) {
			t.Errorf("%v says %q, which does not name %q", args, &stderr, name)
		}
	}
}
