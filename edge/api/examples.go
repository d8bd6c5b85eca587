package api

import (
	"encoding/base64"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/edge/terminal"
	"drawhouse/games/keno"
)

// exampleTexts are texts as a request has them in the property of a name. TestExamples sends all examples to a house.
var exampleTexts = map[string]string{
	"series":            "A1",
	"token":             "k3J9wq2TzRbLx7Vn5PdY1c",
	"kind":              "club",
	"id":                "vic-keno-2015",
	"schedule":          "schedule-1",
	"act":               "counted",
	"role":              "writer",
	"signature":         "q83vEjRWeJCrze8SNFZ4kA",
	"share":             "3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08",
	"new":               "six plain words and some more",
	"old":               "five plain words and more",
	"pattern":           "bingo",
	"available":         "At the cashier of the room.",
	"marketing":         "The poster at the entrance.",
	"member":            "1000",
	"clause":            "18(b)",
	"content":           exampleHash,
	"last_day":          "2026-11-15",
	"finding":           "As it should be.",
	"maker":             "Makers of Machines",
	"serial_number":     "M-2041",
	"site":              "The studio",
	"jurisdiction":      "NSW",
	"screen":            "draw",
	"system":            "The system before",
	"answer":            "{}",
	"paid":              "2026-11-15",
	"creditor":          "The operator",
	"collect":           "2026-12-01",
	"subject":           "A call was not heard.",
	"born":              "1990-01-31",
	"commitment":        "drawhouse/commitment/v1",
	"link":              "drawhouse/link/v1",
	"serie":             "A1",
	"account":           "123456789",
	"bsb":               "083-004",
	"claim_code":        "7ZQ0-M4KC-1XWD-E8TB",
	"claim_hash":        exampleHash,
	"code":              "ABCD-EFGH-JKLM-NPQR",
	"day":               "2026-11-15",
	"from_day":          "2026-11-15",
	"hash":              exampleHash,
	"key":               exampleKey,
	"name":              "Corner Hotel",
	"note":              "As the letter of the operator says.",
	"password":          "five plain words and more",
	"reason":            "The player was given the wrong ticket.",
	"reference":         "Letter 17 of 15 November",
	"reprint_of":        "1234567890123450",
	"rulebook":          "vic-keno-2015",
	"serial":            "1234567890123450",
	"text":              "A light failed.",
	"to_day":            "2026-11-15",
	"continuation_hash": exampleHash,
}

var (
	exampleHash = strings.Repeat(hex.EncodeToString([]byte{0x5e}), 32)
	exampleKey  = func() string {
		key := terminal.DemoPublic(1)
		return base64.StdEncoding.EncodeToString(key[:])
	}()
)

// exampleTicket is a ticket that somebody asks for.
var exampleTicket = map[string]any{
	"v": keno.Version, "rulebook": "vic-keno-2015", "first": "open", "games": 10,
	"bets": []any{map[string]any{"bet": "classic", "spots": []any{3, 17, 42, 56, 80}, "stake_cents": 100}},
}

// examples adds an example to every body in JSON.
func (d describer) examples() {
	d.spec.Components.Schemas.Map()["TicketRequest"].Examples = []any{exampleTicket}
	for _, item := range d.spec.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete} {
			if op == nil || op.RequestBody == nil {
				continue
			}
			if media := op.RequestBody.Content["application/json"]; media != nil && media.Schema != nil {
				media.Example = d.example("", media.Schema, 0)
			}
		}
	}
}

// exampleUnknown is a text of which nobody knows an example.
const exampleUnknown = "?"

// exampleDepth is how deep an example goes: no body is deeper.
const exampleDepth = 8

// example makes a value of a schema: what must be there of an object, and all of it at the top, where a reader looks
// for what can be said.
func (d describer) example(name string, s *huma.Schema, depth int) any {
	if s.Ref != "" {
		s = d.spec.Components.Schemas.SchemaFromRef(s.Ref)
	}
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case s.Default != nil:
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.OneOf) > 0:
		return d.example(name, s.OneOf[0], depth+1)
	case name == "recorders":
		return []any{1, 2} // They are always two.
	case s.Type == huma.TypeArray:
		if depth >= exampleDepth {
			return []any{}
		}
		return []any{d.example(strings.TrimSuffix(name, "s"), s.Items, depth+1)}
	case s.Type == huma.TypeObject:
		made := map[string]any{}
		for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
			if slices.Contains(s.Required, field) || field == "born" { // The house asks players for it.
				made[field] = d.example(field, s.Properties[field], depth+1)
			}
		}
		return made
	case s.Type == huma.TypeInteger && strings.HasSuffix(name, "cents"):
		return 500
	case s.Type == huma.TypeInteger:
		return 1
	case s.Type == huma.TypeBoolean:
		return true
	case s.Format == "date-time":
		return "2026-11-15T12:00:00+11:00"
	case s.Format == "date":
		return exampleTexts["day"]
	case exampleTexts[name] != "":
		return exampleTexts[name]
	}
	return exampleUnknown
}
