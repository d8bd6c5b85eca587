package rulebook

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// The bounds on a file. The largest rulebook that we ship has a tenth of them;
// they keep a hostile file from costing memory or stack before it is refused.
const (
	maxBytes  = 1 << 20
	maxTokens = 50_000
	maxDepth  = 32
)

// parseYAML turns the text of a file into the one mapping that it must be. What
// it cannot read it reports and returns nil.
func parseYAML(data []byte, r *report) *ast.MappingNode {
	if len(data) > maxBytes {
		r.addAt(position{1, 1}, "", "the file has %d bytes; a rulebook has at most %d", len(data), maxBytes)
		return nil
	}
	if !utf8.Valid(data) {
		r.addAt(position{1, 1}, "", "the file is not UTF-8 text")
		return nil
	}
	file, err := parseTokens(data, r)
	if err != nil {
		r.addSyntax(err)
		return nil
	}
	if file == nil {
		return nil
	}
	return r.onlyMapping(file)
}

// parseTokens runs the YAML library. A panic in it is a fault of the file that
// provoked it: the library is not ours, and a house must not stop because an
// operator's file is malformed in a way that its authors did not foresee.
func parseTokens(data []byte, r *report) (file *ast.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			file, err = nil, fmt.Errorf("not YAML: %v", p)
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if !r.checkTokens(tokens) {
		return nil, nil
	}
	// A key written twice is for the decoder to report, which goes on after it.
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// checkTokens refuses what a rulebook has no use for, before the parser recurses
// into it: anchors, aliases, tags, merges, and nesting without end.
func (r *report) checkTokens(tokens token.Tokens) bool {
	if len(tokens) > maxTokens {
		r.addAt(place(tokens[maxTokens]), "", "the file has more than %d words", maxTokens)
		return false
	}
	found := len(r.faults)
	var n nesting
	for _, t := range tokens {
		if why := unwelcome[t.Type]; why != "" {
			r.addAt(place(t), "", "%s not allowed in a rulebook", why)
		}
		if n.add(t); n.tooDeep(t) {
			r.addAt(place(t), "", "nested deeper than %d levels", maxDepth)
			return false
		}
	}
	return len(r.faults) == found
}

// nesting bounds how deep the parser can recurse. Brackets open a level each. A
// block outside brackets is opened by a dash or a colon, either on the line of the
// block around it or indented more than that.
type nesting struct {
	brackets int
	line     int // the line of the marks
	marks    int // dashes and colons on it, outside brackets
}

func (n *nesting) add(t *token.Token) {
	if t.Position.Line != n.line {
		n.line, n.marks = t.Position.Line, 0
	}
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		n.brackets++
	case token.SequenceEndType, token.MappingEndType:
		n.brackets--
	case token.SequenceEntryType, token.MappingValueType:
		if n.brackets <= 0 {
			n.marks++
		}
	}
}

// maxIndent is the column past which a dash or a key is indented too far.
const maxIndent = 8 * maxDepth

func (n *nesting) tooDeep(t *token.Token) bool {
	opener := t
	if t.Type == token.MappingValueType && t.Prev != nil {
		opener = t.Prev
	}
	indented := t.Type == token.SequenceEntryType || t.Type == token.MappingValueType
	return n.brackets > maxDepth || n.marks > maxDepth || indented && n.brackets <= 0 &&
		opener.Position.Column > maxIndent
}

// unwelcome holds the marks of YAML that make one part of a file depend on
// another, or a value's type on a tag: an inspector reads a rulebook top down.
var unwelcome = map[token.Type]string{
	token.AnchorType:     "anchors are",
	token.AliasType:      "aliases are",
	token.MergeKeyType:   "merge keys are",
	token.TagType:        "tags are",
	token.DirectiveType:  "directives are",
	token.MappingKeyType: "keys behind a question mark are",
	token.InvalidType:    "this text is not YAML and is",
}

func (r *report) addSyntax(err error) {
	at, message := position{1, 1}, err.Error()
	var syntax yaml.Error
	if errors.As(err, &syntax) {
		at, message = place(syntax.GetToken()), syntax.GetMessage()
	}
	message, _, _ = strings.Cut(message, "\n")
	r.addAt(at, "", "%s", message)
}

// onlyMapping returns the mapping of a file with one document.
func (r *report) onlyMapping(file *ast.File) *ast.MappingNode {
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		if body != nil {
			r.addAt(nodePlace(doc.Body), "", "a rulebook is one document; this is a second one")
			return nil
		}
		body = doc.Body
	}
	if body == nil {
		r.addAt(position{1, 1}, "", "the file is empty")
		return nil
	}
	mapping, ok := body.(*ast.MappingNode)
	if !ok {
		r.addAt(nodePlace(body), "", "a rulebook is a mapping of keys to values")
		return nil
	}
	return mapping
}

// place returns where a token is written.
func place(t *token.Token) position {
	if t == nil || t.Position == nil {
		return position{1, 1}
	}
	return position{max(t.Position.Line, 1), max(t.Position.Column, 1)}
}
