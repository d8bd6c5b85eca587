package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"drawhouse/internal/outside"
)

// fetch returns what a house answers to a question of a person, or of nobody.
func (s *served) fetch(method, path, bearer, body string) []byte {
	s.t.Helper()
	request, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if bearer != "" {
		request.Header.Set("Authorization", bearer)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s %v: %s", path, response.Status, err, data)
	}
	return data
}

// takeArchive takes everything that verification elsewhere needs from a running house, as
// an inspector, and unpacks it.
func takeArchive(t *testing.T, s *served, administrator string) (dir string) {
	t.Helper()
	data := s.fetch(http.MethodGet, "/v1/journal/archive", appointInspector(t, s, administrator), "")
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := os.CopyFS(dir, archive); err != nil {
		t.Fatal(err)
	}
	return dir
}

// appointInspector has the second administrator made, who consents, and somebody brought in
// who becomes an inspector, and returns the inspector's credential.
func appointInspector(t *testing.T, s *served, administrator string) string {
	t.Helper()
	const password = "known to one person"
	post := func(path, bearer, body string, answer any) {
		t.Helper()
		if err := json.Unmarshal(s.fetch(http.MethodPost, path, bearer, body), answer); err != nil {
			t.Fatal(err)
		}
	}
	signOn := func(number uint32) string {
		var on struct{ Token string }
		post("/v1/session", "", fmt.Sprintf(`{"person":%d,"password":%q,"bearer":true}`, number, password), &on)
		return "Bearer " + on.Token
	}
	link := regexp.MustCompile(`second administrator, once: \S+#(\S+)`).FindStringSubmatch(s.said)
	if link == nil {
		t.Fatalf("the house says %q", s.said)
	}
	var second, added struct{ Number uint32 }
	post("/v1/setup", "", fmt.Sprintf(`{"token":%q,"name":"Ben","password":%q}`, link[1], password), &second)
	post("/v1/people", administrator, `{"name":"Somebody"}`, &added)
	var invited struct{ Token string }
	post(fmt.Sprintf("/v1/people/%d/invitation", added.Number), administrator, "", &invited)
	s.fetch(http.MethodPost, "/v1/invitations", "", fmt.Sprintf(`{"token":%q,"password":%q}`, invited.Token, password))
	var asked struct {
		Number  uint32
		Content string
	}
	post("/v1/operator/inspectors", administrator, fmt.Sprintf(`{"person":%d}`, added.Number), &asked)
	at := fmt.Sprintf("/v1/approvals/%d", asked.Number)
	s.fetch(http.MethodPost, at+"/decision", signOn(second.Number),
		fmt.Sprintf(`{"content":%q,"granted":true}`, asked.Content))
	s.fetch(http.MethodPost, at+"/use", administrator, "")
	return signOn(added.Number)
}

// verifiesAsItSays types the command that an archive says, in its folder.
func verifiesAsItSays(t *testing.T, dir string) {
	t.Helper()
	said, err := os.ReadFile(filepath.Join(dir, "VERIFY.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, command, found := strings.Cut(string(said), "    drawhouse ")
	if !found {
		t.Fatalf("the archive says no command: %s", said)
	}
	command, _, _ = strings.Cut(command, "\n")
	name := outside.Program(t)
	shell := exec.Command("sh", "-c", `"$0" `+command, name)
	shell.Dir = dir
	out, err := shell.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Everything holds.") ||
		!strings.Contains(string(out), "given apart from the export") {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
	keys, err := os.ReadFile(filepath.Join(dir, "KEYS.txt"))
	if err != nil || !strings.Contains(command, strings.Fields(strings.SplitAfter(string(keys), "house    ")[1])[0]) {
		t.Errorf("the keys are not those of the command: %s", keys)
	}
}

// python runs docs/inspector.py, which shares no code with this program.
func python(t *testing.T, args ...string) (string, error) {
	t.Helper()
	name, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here")
	}
	out, err := exec.Command(name, append([]string{"../../docs/inspector.py"}, args...)...).CombinedOutput()
	return string(out), err
}

// checksDraw has inspector.py work the numbers of a witnessed game out again from what the
// house publishes of it, and finds a number and a link that were exchanged.
func checksDraw(t *testing.T, s *served, game, houseKey string, custodians ...string) {
	t.Helper()
	var board struct {
		House struct {
			DeviceKey string `json:"device_key"`
		}
	}
	if err := json.Unmarshal(s.fetch(http.MethodGet, "/v1/board", "", ""), &board); err != nil {
		t.Fatal(err)
	}
	evidence := s.fetch(http.MethodGet, "/v1/games/"+game+"/draw", "", "")
	var parsed map[string]any
	if err := json.Unmarshal(evidence, &parsed); err != nil {
		t.Fatal(err)
	}
	if parsed["device"] != "witnessed" || len(parsed["custodians"].([]any)) != 2 {
		t.Fatalf("%s", evidence)
	}
	file := filepath.Join(t.TempDir(), "draw.json")
	try := func(data []byte) (string, error) {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return python(t, append([]string{"witnessed", file, houseKey, board.House.DeviceKey}, custodians...)...)
	}
	if out, err := try(evidence); err != nil || !strings.Contains(out, "It holds.") {
		t.Errorf("%v: %s", err, out)
	}
	numbers := parsed["numbers"].([]any)
	numbers[0], numbers[1] = numbers[1], numbers[0]
	if out, err := try([]byte(jsonOf(parsed))); err == nil {
		t.Errorf("two numbers in another order: %s", out)
	}
	numbers[0], numbers[1] = numbers[1], numbers[0]
	custodian := parsed["custodians"].([]any)[1].(map[string]any)
	custodian["link"] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	if out, err := try([]byte(jsonOf(parsed))); err == nil ||
		!strings.Contains(out, "does not lead to what it committed to") {
		t.Errorf("another link: %v: %s", err, out)
	}
}

// checksExportedDraw has inspector.py work the numbers out from an export.
func checksExportedDraw(t *testing.T, dir, game, houseKey string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "house.json"))
	if err != nil {
		t.Fatal(err)
	}
	var about struct {
		DeviceKey string `json:"device_key"`
	}
	if err := json.Unmarshal(data, &about); err != nil {
		t.Fatal(err)
	}
	if out, err := python(t, "draw", dir, game, houseKey, about.DeviceKey); err != nil ||
		!strings.Contains(out, "made from the links of inspector.example, operator.example") {
		t.Errorf("%v: %s", err, out)
	}
}

func jsonOf(v any) string {
	data, _ := json.Marshal(v) //nolint:errchkjson // It came from JSON.
	return string(data)
}
