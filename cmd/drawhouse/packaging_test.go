package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// packaging is where the files of the packages are.
const packaging = "../../packaging"

// units returns the texts of the services, by the names of their files.
func units(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(packaging + "/*.service")
	if err != nil || len(files) < 4 {
		t.Fatal("the services are missing", files, err)
	}
	all := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = string(text)
	}
	return all
}

// settingOf returns what a line of a unit or of an example says, without quotes.
func settingOf(text, name string) string {
	match := regexp.MustCompile(`(?m)^` + name + `=(.*)$`).FindStringSubmatch(text)
	if match == nil {
		return ""
	}
	return strings.Trim(match[1], `"`)
}

// TestUnitsRunCommands holds what each service runs, with the flags of its example, against the command line, and its
// user against those that the package makes.
func TestUnitsRunCommands(t *testing.T) {
	t.Parallel()
	root := model()
	users, err := os.ReadFile(packaging + "/sysusers.conf")
	if err != nil {
		t.Fatal(err)
	}
	for name, unit := range units(t) {
		line, ok := strings.CutPrefix(settingOf(unit, "ExecStart"), "/usr/bin/drawhouse ")
		if !ok {
			t.Errorf("%s does not run drawhouse", name)
		}
		if file := settingOf(unit, "EnvironmentFile"); file != "" {
			example, err := os.ReadFile(filepath.Join(packaging, "examples", filepath.Base(file)))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, variable := range []string{"FLAGS", "LOG"} {
				line = strings.ReplaceAll(line, "$"+variable, settingOf(string(example), variable))
			}
		}
		if err := checkCommand(root, line); err != nil || strings.Contains(line, "$") {
			t.Errorf("%s runs drawhouse %s: %v", name, line, err)
		}
		user := settingOf(unit, "User")
		if !regexp.MustCompile(`(?m)^u ` + user + ` .* /var/lib/` + user + `$`).Match(users) {
			t.Errorf("%s runs as %q, which the package does not make", name, user)
		}
		if folder := strings.ReplaceAll(settingOf(unit, "StateDirectory"), "%N", user); folder != user {
			t.Errorf("%s writes %s, which is not the folder of %s", name, folder, user)
		}
	}
}

// TestExampleOfConfiguration reads the example for a house.
func TestExampleOfConfiguration(t *testing.T) {
	var out, complaint bytes.Buffer
	if run([]string{"config", "show", "--config", packaging + "/examples/house.yaml"}, &out, &complaint) != 0 ||
		!strings.Contains(out.String(), "/var/lib/drawhouse") {
		t.Errorf("%s%s", &out, &complaint)
	}
}

// mostExposed is the exposure that systemd-analyze may find in a service, in tenths: 100 is a service that may do
// everything. What is left is that it reaches the network and has no root folder of its own.
const mostExposed = "12"

// TestUnitsAreSound has systemd judge the services: whether they are well formed, and how exposed they are.
func TestUnitsAreSound(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("THE SERVICES WERE NOT JUDGED: no systemd-analyze")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(packaging)); err != nil {
		t.Fatal(err)
	}
	analyze := func(args ...string) (string, error) {
		cmd := exec.Command("systemd-analyze", args...)
		cmd.Env = append(os.Environ(), "SYSTEMD_UNIT_PATH="+dir+":") // with the file that hardens all of them
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for name, unit := range units(t) {
		file := filepath.Join(dir, name)
		unit = strings.ReplaceAll(unit, "/usr/bin/drawhouse", "/bin/true") // which every machine has
		if err := os.WriteFile(file, []byte(unit), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := analyze("verify", "--man=no", file); err != nil || out != "" {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if out, err := analyze("security", "--offline=yes", "--no-pager", "--threshold="+mostExposed, file); err != nil {
			t.Errorf("%s is exposed: %v\n%s", name, err, out)
		}
	}
}

// TestUsersCanBeMade has systemd read the users that the package makes.
func TestUsersCanBeMade(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("systemd-sysusers"); err != nil {
		t.Skip("THE USERS OF THE PACKAGE WERE NOT READ: no systemd-sysusers")
	}
	file, err := filepath.Abs(packaging + "/sysusers.conf")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir() // a machine without users
	if err := os.Mkdir(filepath.Join(root, "etc"), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("systemd-sysusers", "--dry-run", "--root="+root, file).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Creating user 'drawhouse' ") {
		t.Errorf("%v\n%s", err, out)
	}
}
