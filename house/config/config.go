// Package config reads the configuration file of a house: settings of one level,
// written as YAML, each known by the line on which it stands.
//
//	addr: 0.0.0.0:443
//	tls-cert: /etc/drawhouse/cert.pem
//	witness:
//	  - https://inspector.example,KEY,required
//
// A setting is named as its flag is. Nothing of YAML beyond that is taken: no
// nesting, no anchors, no empty values, no setting twice. A person who reads such a file
// years later sees what is in force without knowing YAML.
//
// The package knows no setting by its name; the caller has the list, and Check names
// the line of what is not on it. FuzzParse shows that any file is read or refused with
// a line of it, and TestParse shows each refusal.
package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MaxBytes bounds a file, which is written by hand.
const MaxBytes = 1 << 20

// A Setting is a line of a file, or several for a list.
type Setting struct {
	Key    string
	Values []string // one, or those of a list
	List   bool
	Line   int
}

// File is a file that was read.
type File struct {
	Name     string
	settings []Setting
}

// Fault is what is wrong with a file, and where.
type Fault struct {
	File string
	Line int
	Why  string
}

// Error names file and line as editors understand them.
func (f *Fault) Error() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Why) }

// Parse reads a file. Its name is for errors. An error is a *Fault.
func Parse(name string, data []byte) (*File, error) {
	f := &File{Name: name}
	if len(data) > MaxBytes {
		return nil, f.Fault(1, "the file is longer than %d bytes", MaxBytes)
	}
	if line, ok := unprintable(data); ok {
		return nil, f.Fault(line, "there is a byte that is no printable text")
	}
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, f.syntax(err)
	}
	for i, doc := range tree.Docs {
		switch body := doc.Body.(type) {
		case nil: // A file of remarks alone has no settings.
		case *ast.MappingNode:
			if i > 0 {
				return nil, f.Fault(lineOf(body), "a file is one document")
			}
			for _, pair := range body.Values {
				if err := f.add(pair); err != nil {
					return nil, err
				}
			}
		default:
			return nil, f.Fault(lineOf(body), "a file consists of settings, such as addr: 127.0.0.1:8080")
		}
	}
	return f, nil
}

// unprintable returns the line of what an editor would not show: it cannot be meant,
// and a reader of YAML is not to be trusted with it.
func unprintable(data []byte) (line int, found bool) {
	line = 1
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == '\n':
			line++
		case r == utf8.RuneError && size <= 1, r != '\t' && r != '\r' && !unicode.IsPrint(r):
			return line, true
		}
		i += size
	}
	return 0, false
}

// Fault returns a fault of a line of the file.
func (f *File) Fault(line int, format string, args ...any) error {
	return &Fault{File: f.Name, Line: line, Why: fmt.Sprintf(format, args...)}
}

// syntax says where YAML cannot be read, in one line.
func (f *File) syntax(err error) error {
	why, line := err.Error(), 1
	if bad := yaml.Error(nil); errors.As(err, &bad) {
		why = bad.GetMessage()
		if t := bad.GetToken(); t != nil && t.Position != nil {
			line = max(t.Position.Line, 1)
		}
	}
	why, _, _ = strings.Cut(why, "\n")
	return f.Fault(line, "this is no YAML: %s", why)
}

// add takes a setting.
func (f *File) add(pair *ast.MappingValueNode) error {
	line := lineOf(pair.Key)
	key, ok := pair.Key.(*ast.StringNode)
	if !ok {
		return f.Fault(line, "%s is no name of a setting", pair.Key.String())
	}
	if earlier, ok := f.Lookup(key.Value); ok {
		return f.Fault(line, "%s stands on line %d already", key.Value, earlier.Line)
	}
	s := Setting{Key: key.Value, Line: line}
	if list, ok := pair.Value.(*ast.SequenceNode); ok {
		s.List = true
		for _, item := range list.Values {
			text, err := f.scalar(key.Value, item)
			if err != nil {
				return err
			}
			s.Values = append(s.Values, text)
		}
	} else {
		text, err := f.scalar(key.Value, pair.Value)
		if err != nil {
			return err
		}
		s.Values = []string{text}
	}
	f.settings = append(f.settings, s)
	return nil
}

// scalar returns a value as it is written, so that a number is not changed on its way
// to anybody who knows what it means.
func (f *File) scalar(key string, node ast.Node) (string, error) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return strings.TrimRight(n.Value.Value, "\n"), nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return node.GetToken().Value, nil
	case *ast.NullNode:
		return "", f.Fault(lineOf(node), "%s has no value; leave the line out for its default", key)
	}
	return "", f.Fault(lineOf(node), "%s is no plain value", key)
}

// lineOf returns the line of a node, counted from 1.
func lineOf(node ast.Node) int {
	if t := node.GetToken(); t != nil && t.Position != nil {
		return max(t.Position.Line, 1)
	}
	return 1
}

// Lookup returns a setting.
func (f *File) Lookup(key string) (Setting, bool) {
	i := slices.IndexFunc(f.settings, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return Setting{}, false
	}
	return f.settings[i], true
}

// Settings returns all settings, in the order of the file.
func (f *File) Settings() []Setting { return slices.Clone(f.settings) }

// Check refuses settings that are not among those known.
func (f *File) Check(known []string) error {
	for _, s := range f.settings {
		if !slices.Contains(known, s.Key) {
			return f.Fault(s.Line, "there is no setting %q; drawhouse config show lists them", s.Key)
		}
	}
	return nil
}
