package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// bom is a bill of materials in the form of CycloneDX 1.6, as far as ours says something.
type bom struct {
	Schema       string      `json:"$schema"`
	Format       string      `json:"bomFormat"`
	SpecVersion  string      `json:"specVersion"`
	SerialNumber string      `json:"serialNumber"`
	Version      int         `json:"version"`
	Metadata     bomMetadata `json:"metadata"`
	Components   []component `json:"components"`
	Dependencies []dependsOn `json:"dependencies"`
}

type bomMetadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []bomHash  `json:"hashes,omitempty"`
	Licences   []licensed `json:"licenses,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type bomHash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licensed struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependsOn struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn,omitempty"`
}

// boms writes a bill of materials beside each program, from what the program itself says that it is made of.
func (m *maker) boms() error {
	known, err := m.knownLicences()
	if err != nil {
		return err
	}
	for _, p := range m.platforms {
		made, err := m.bomOf(p, known)
		if err != nil {
			return err
		}
		if err := writeJSON(m.program(p)+".cdx.json", made); err != nil {
			return err
		}
	}
	return nil
}

// row finds the modules of docs/DEPENDENCIES.md, which a test holds against their licence files.
var row = regexp.MustCompile(`(?m)^\| (\S+) \| (v\S+) \| (\S+) \|$`)

// spdx has the names of SPDX for those licences that the list calls otherwise.
var spdx = map[string]string{"FreeType": "FTL"}

// knownLicences returns the licences of modules.
func (m *maker) knownLicences() (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(m.source, "docs/DEPENDENCIES.md"))
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	for _, match := range row.FindAllStringSubmatch(string(text), -1) {
		name := match[3]
		if other, ok := spdx[name]; ok {
			name = other
		}
		known[match[1]+"@"+match[2]] = name
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("docs/DEPENDENCIES.md lists no modules")
	}
	return known, nil
}

func (m *maker) bomOf(p platform, known map[string]string) (*bom, error) {
	file := m.program(p)
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	sum, err := sumOf(file)
	if err != nil {
		return nil, err
	}
	program := component{Type: "application", Ref: "drawhouse", Name: "drawhouse", Version: m.version,
		Hashes: []bomHash{{"SHA-256", sum}}, Licences: licence("Apache-2.0")}
	for _, s := range info.Settings {
		program.Properties = append(program.Properties, property{"go:build:" + s.Key, s.Value})
	}
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	library := component{Type: "library", Ref: "std", Name: "std", Version: info.GoVersion, Licences: licence("BSD-3-Clause"),
		PURL: "pkg:golang/std@" + goVersion}
	made := &bom{Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6",
		SerialNumber: serialNumber(sum), Version: 1,
		Metadata:   bomMetadata{m.time.Format("2006-01-02T15:04:05Z"), program},
		Components: []component{library}}
	direct := dependsOn{program.Ref, []string{library.Ref}}
	for _, d := range info.Deps {
		if d.Replace != nil {
			return nil, fmt.Errorf("%s is replaced in %s", d.Path, file)
		}
		purl := "pkg:golang/" + strings.ReplaceAll(d.Path, "~", "%7E") + "@" + strings.ReplaceAll(d.Version, "+", "%2B")
		made.Components = append(made.Components, component{Type: "library", Ref: purl, Name: d.Path, Version: d.Version,
			Licences: licence(known[d.Path+"@"+d.Version]), PURL: purl, Properties: []property{{"go:sum", d.Sum}}})
		direct.On = append(direct.On, purl)
	}
	made.Dependencies = []dependsOn{direct}
	for _, c := range made.Components {
		made.Dependencies = append(made.Dependencies, dependsOn{Ref: c.Ref})
	}
	return made, nil
}

// licence names a licence that is known.
func licence(id string) []licensed {
	if id == "" {
		return nil
	}
	var l licensed
	l.Licence.ID = id
	return []licensed{l}
}

// serialNumber makes the number of a bill of materials from the hash of its program, as a UUID of version 8.
func serialNumber(sum string) string {
	return fmt.Sprintf("urn:uuid:%s-%s-8%s-a%s-%s", sum[:8], sum[8:12], sum[13:16], sum[17:20], sum[20:32])
}

func sumOf(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

func writeJSON(file string, value any) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
