package cases

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// This file has the verb do, which does any command of package command by the name of its row.
// A command that cases tell often has a verb of its own.

func init() { verbs["do"] = (*run).do }

var doPattern = regexp.MustCompile(`^([\w-]+) by (\w+)(?: (\{.*\}))?$`)

// do has a person of a role, or two persons, do a command: COMMAND by ROLE|two [FIELDS], the fields
// as JSON, those of the address among them. "@adopted" is the hash of the rulebook that was adopted last.
func (r *run) do(text string) (string, error) {
	words, err := phrase(doPattern, text, "COMMAND by ROLE [FIELDS]")
	if err != nil {
		return "", err
	}
	row, ok := command.Named(words[0])
	if !ok {
		return "", fmt.Errorf("there is no command %s", words[0])
	}
	c, err := commandOf(row, strings.ReplaceAll(words[2], "@adopted", r.adopted))
	if err != nil {
		return "", fmt.Errorf("%s: %w", row.Name, err)
	}
	if words[1] != "two" {
		return "done", command.Outcome(r.house.DoesAs(r.personOf(record.Role(words[1])), c))
	}
	act, isAct := c.(command.Act)
	house, isOffice := r.house.(office)
	if !isAct || !isOffice {
		return "", fmt.Errorf("two persons do not do %s here", row.Name)
	}
	return "done", approved(house, act)
}

// commandOf reads the fields of a command.
func commandOf(row command.Row, text string) (command.Command, error) {
	fields := map[string]json.RawMessage{}
	if text != "" {
		if err := json.Unmarshal([]byte(text), &fields); err != nil {
			return nil, err
		}
	}
	value := row.New()
	for _, f := range reflect.VisibleFields(value.Elem().Type()) {
		name := f.Tag.Get("path")
		said, ok := fields[name]
		if name == "" || !ok {
			continue
		}
		if err := readElement(said, value.Elem().FieldByIndex(f.Index)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		delete(fields, name)
	}
	rest, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(rest))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value.Interface()); err != nil {
		return nil, err
	}
	tell(value.Elem().Interface())
	return row.Command(value.Elem()), nil
}

// readElement reads what an address says: a number, a text, or what is written as one.
func readElement(said []byte, to reflect.Value) error {
	if written, ok := to.Addr().Interface().(encoding.TextUnmarshaler); ok {
		var text string
		if err := json.Unmarshal(said, &text); err != nil {
			return err
		}
		return written.UnmarshalText([]byte(text))
	}
	return json.Unmarshal(said, to.Addr().Interface())
}
