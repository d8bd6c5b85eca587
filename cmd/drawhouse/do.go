package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"drawhouse/edge/client/openapi"
)

// doCmd does or asks whatever a person may at a running house. It knows no command itself: the
// house describes what may be asked of it, and doCmd reads that.
type doCmd struct {
	houseFlag
	As           uint32   `env:"DRAWHOUSE_PERSON" placeholder:"N" help:"Your number, for what not everybody may do."`
	PasswordFile string   `name:"password-file" env:"DRAWHOUSE_PASSWORD_FILE" type:"existingfile" placeholder:"FILE" help:"File with your password; without it you are asked."`
	JSON         string   `name:"json" placeholder:"FILE" help:"File with the body of the request, or - for the input, in place of its fields."`
	Files        []string `name:"file" sep:"none" placeholder:"FIELD=FILE" help:"A field whose value is the text of a file, such as that of a rulebook. May be given several times."`
	Fields       bool     `help:"Say which fields the operation takes, and do nothing."`
	Operation    string   `arg:"" optional:"" help:"Name of the operation; without it all are listed."`
	Values       []string `arg:"" optional:"" placeholder:"FIELD=VALUE" help:"Fields of the request."`
}

// Help implements kong.HelpProvider.
func (c *doCmd) Help() string {
	return `What two persons must want is asked for by one (the answer has the number of the request),
decided by another, who names the content that was shown (decide-approval), and done by the first
(use-approval):

  drawhouse do --as=2 pause reason="storm"
  drawhouse do --as=2 close-day day=2026-11-15
  drawhouse do --as=3 list-approvals
  drawhouse do --as=3 decide-approval approval=7 content=HASH granted=true
  drawhouse do --as=2 use-approval approval=7

A rulebook of your own is adopted from its file:

  drawhouse do --as=2 --file text=book.yaml adopt-rulebook-file reference="letter 7"

A list takes its values with commas between them; whatever else is nested is written as JSON.`
}

// Run implements the command.
func (c *doCmd) Run(out *bytes.Buffer) error {
	ctx, cancel := context.WithTimeout(context.Background(), asking)
	defer cancel()
	house, err := c.describe(ctx)
	if err != nil {
		return err
	}
	if c.Operation == "" {
		return listOperations(out, house)
	}
	op, err := findOperation(house, c.Operation)
	if err != nil {
		return misused("OPERATION", err)
	}
	if c.Fields {
		return writeFields(out, house, op)
	}
	path, body, err := c.request(house, op)
	if err != nil {
		return fmt.Errorf("%w; drawhouse do --fields %s says what it takes", err, op.OperationID)
	}
	var answer json.RawMessage
	send := func(ctx context.Context, s *signedOn) error { return s.ask(ctx, op.Method, path, body, &answer) }
	switch {
	case slices.Contains(op.Access, "everybody"):
		err = send(ctx, &signedOn{house: strings.TrimSuffix(c.House, "/")})
	case c.As == 0:
		return misused("--as", fmt.Errorf("%s is for %s: say who you are", op.OperationID,
			strings.Join(op.Access, ", ")))
	default:
		err = signOnFlags{c.houseFlag, c.As, c.PasswordFile}.with(send)
	}
	if err != nil {
		return err
	}
	if err := json.Indent(out, answer, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	return nil
}

// describe has the house say what may be asked of it.
func (c *doCmd) describe(ctx context.Context) (*openapi.Description, error) {
	var text json.RawMessage
	s := &signedOn{house: strings.TrimSuffix(c.House, "/")}
	if err := s.ask(ctx, http.MethodGet, "/openapi.json", nil, &text); err != nil {
		return nil, err
	}
	return openapi.Read(text)
}

// byPerson reports whether a person may use an operation, and by JSON: terminals and witnesses have
// commands of their own, which sign what they send.
func byPerson(op *openapi.Operation) bool {
	if op.RequestBody != nil && op.RequestBody.Content["application/json"].Schema == nil {
		return false
	}
	answered := op.Responses["200"].Content["application/json"].Schema != nil
	return answered && slices.ContainsFunc(op.Access,
		func(who string) bool { return who != "terminal" && who != "witness" })
}

// listOperations lists what persons may do, and then what they may ask.
func listOperations(out *bytes.Buffer, house *openapi.Description) error {
	rows := new(bytes.Buffer)
	for _, asks := range []bool{false, true} {
		for _, op := range house.Operations() {
			if byPerson(&op) && asks == (op.Method == http.MethodGet) {
				fmt.Fprintf(rows, "%s\t%s\t%s\n", op.OperationID, op.Summary, strings.Join(op.Access, ", "))
			}
		}
	}
	return writeColumns(out, rows)
}

// findOperation returns the operation of a name.
func findOperation(house *openapi.Description, name string) (*openapi.Operation, error) {
	all := house.Operations()
	i := slices.IndexFunc(all, func(op openapi.Operation) bool { return op.OperationID == name })
	switch {
	case i < 0:
		return nil, fmt.Errorf("the house knows no operation %s; drawhouse do lists them", name)
	case !byPerson(&all[i]):
		return nil, fmt.Errorf("%s is not done by a person in JSON", name)
	}
	return &all[i], nil
}

// bodyOf returns the schema of the body of a request; nil where it has none.
func bodyOf(house *openapi.Description, op *openapi.Operation) *openapi.Schema {
	if op.RequestBody == nil {
		return nil
	}
	return house.Resolve(op.RequestBody.Content["application/json"].Schema)
}

// writeFields says which fields an operation takes.
func writeFields(out *bytes.Buffer, house *openapi.Description, op *openapi.Operation) error {
	fmt.Fprintf(out, "%s: %s. It is for %s.\n", op.OperationID, op.Summary, strings.Join(op.Access, ", "))
	rows := new(bytes.Buffer)
	row := func(name string, s *openapi.Schema, says string, needed bool) {
		must := "may be absent"
		if needed {
			must = "needed"
		}
		fmt.Fprintf(rows, "  %s\t%s\t%s\t%s\n", name, kindOf(house, s), must, says)
	}
	for _, p := range op.Parameters {
		if p.In == "path" || p.In == "query" {
			row(p.Name, p.Schema, p.Description, p.Required)
		}
	}
	if body := bodyOf(house, op); body != nil {
		for _, name := range sortedNames(body) {
			field := body.Properties[name]
			row(name, field, field.Description, slices.Contains(body.Required, name))
		}
	}
	return writeColumns(out, rows)
}

// sortedNames returns the names of the fields of a body, needed ones first.
func sortedNames(body *openapi.Schema) []string {
	var names []string
	for name := range body.Properties {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if x, y := slices.Contains(body.Required, a), slices.Contains(body.Required, b); x != y {
			if x {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return names
}

// kindOf says in a word what a value is.
func kindOf(house *openapi.Description, s *openapi.Schema) string {
	s = house.Resolve(s)
	switch {
	case s == nil:
		return "JSON"
	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, word := range s.Enum {
			words[i] = fmt.Sprint(word)
		}
		return strings.Join(words, " | ")
	case s.Kind() == "array":
		return "list of " + kindOf(house, s.Items)
	case s.Kind() == "object", s.Kind() == "":
		return "JSON"
	case s.Kind() == "string" && s.Format == "date-time":
		return "time"
	case s.Kind() == "string":
		return "text"
	}
	return s.Kind()
}

// request makes the address and the body of a request of the values on the line.
func (c *doCmd) request(house *openapi.Description, op *openapi.Operation) (path string, body any, err error) {
	values, err := c.values()
	if err != nil {
		return "", nil, err
	}
	if path, err = address(op, values); err != nil {
		return "", nil, err
	}
	schema := bodyOf(house, op)
	switch {
	case schema == nil && c.JSON != "":
		return "", nil, misused("--json", errors.New("the request has no body"))
	case schema != nil && c.JSON != "":
		body, err = readRequest(c.JSON)
	case schema != nil:
		body, err = bodyFrom(house, schema, values)
	}
	if err != nil {
		return "", nil, err
	}
	for name := range values {
		return "", nil, misused("FIELD=VALUE", fmt.Errorf("%s has no field %s", op.OperationID, name))
	}
	return path, body, nil
}

// values returns the values on the line, and those in files, by field.
func (c *doCmd) values() (map[string]string, error) {
	values := map[string]string{}
	add := func(argument, text string) (name, value string, err error) {
		name, value, ok := strings.Cut(text, "=")
		if _, twice := values[name]; !ok || twice {
			return "", "", misused(argument,
				fmt.Errorf("%q is not a field and its value, or the field is there twice", text))
		}
		return name, value, nil
	}
	for _, text := range c.Values {
		name, value, err := add("FIELD=VALUE", text)
		if err != nil {
			return nil, err
		}
		values[name] = value
	}
	for _, text := range c.Files {
		name, file, err := add("--file", text)
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, misused("--file", err)
		}
		if !utf8.Valid(data) {
			return nil, misused("--file", fmt.Errorf("%s is not UTF-8 text", file))
		}
		values[name] = string(data)
	}
	return values, nil
}

// address fills the address of an operation, and takes the values that it needs.
func address(op *openapi.Operation, values map[string]string) (string, error) {
	path, query := op.Path, url.Values{}
	for _, p := range op.Parameters {
		value, given := values[p.Name]
		delete(values, p.Name)
		switch {
		case !given && p.Required:
			return "", misused("FIELD=VALUE", fmt.Errorf("%s is needed", p.Name))
		case p.In == "path":
			path = strings.Replace(path, "{"+p.Name+"}", url.PathEscape(value), 1)
		case p.In == "query" && given:
			query.Set(p.Name, value)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path, nil
}

// readRequest reads the body of a request from a file or the input.
func readRequest(file string) (json.RawMessage, error) {
	var data []byte
	var err error
	if file == "-" {
		data, err = io.ReadAll(os.Stdin)
	} else {
		data, err = os.ReadFile(file)
	}
	if err == nil && !json.Valid(data) {
		err = errors.New("it is not JSON")
	}
	if err != nil {
		return nil, misused("--json", err)
	}
	return data, nil
}

// bodyFrom makes a body of values, and takes those that it has fields for. Whether they are allowed
// is for the house to say.
func bodyFrom(house *openapi.Description, schema *openapi.Schema, values map[string]string) (map[string]any, error) {
	body := map[string]any{}
	for name, field := range schema.Properties {
		text, given := values[name]
		if !given {
			continue
		}
		delete(values, name)
		value, err := fieldValue(house, field, text)
		if err != nil {
			return nil, misused("FIELD=VALUE", fmt.Errorf("%s: %w", name, err))
		}
		body[name] = value
	}
	return body, nil
}

// fieldValue reads a value as its schema says.
func fieldValue(house *openapi.Description, s *openapi.Schema, text string) (any, error) {
	s = house.Resolve(s)
	var kind string
	if s != nil {
		kind = s.Kind()
	}
	switch kind {
	case "string":
		return text, nil
	case "integer":
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return nil, fmt.Errorf("%q is not a whole number", text)
		}
		return json.Number(text), nil
	case "boolean":
		if text != "true" && text != "false" {
			return nil, fmt.Errorf("%q is not true or false", text)
		}
		return text == "true", nil
	}
	if kind == "array" && !strings.HasPrefix(text, "[") {
		list := []any{}
		for part := range strings.SplitSeq(text, ",") {
			value, err := fieldValue(house, s.Items, strings.TrimSpace(part))
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	}
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("%q is not JSON", text)
	}
	return json.RawMessage(text), nil
}
