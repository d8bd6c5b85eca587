package api

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/books/entries"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
)

// mostEntryBytes bounds an answer. The command drawhouse ledger entries has no such bound.
const mostEntryBytes = 32 << 20

// errManyEntries reports an answer that is over the bound.
var errManyEntries = errors.New("api: more journal entries than one answer takes")

// entryBuffer keeps an answer until it is whole.
type entryBuffer struct{ bytes.Buffer }

// Write implements io.Writer.
func (b *entryBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > mostEntryBytes {
		return 0, errManyEntries
	}
	return b.Buffer.Write(p)
}

// entryRoutes registers the journal entries for the ledger of the firm.
func (s *server) entryRoutes() {
	gives := map[string]*huma.MediaType{}
	for _, f := range entries.Formats() {
		gives[f.MediaType()] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	s.serve(route{
		name: "get-ledger-entries", path: "/v1/ledger/{form}", tag: "reports", who: offices,
		says:  "Journal entries of the closed days of the house, for the ledger of the firm",
		about: "Every closed day is one entry with a number that stays the same. A month or a year is the sum of its days, and is there once a day of the next one is closed. The accounts have the codes of the house; drawhouse ledger entries takes a mapping to those of the firm.",
		query: []*huma.Param{
			optional("from", huma.TypeString, "First day, a date; 30 days before the last if absent, and with after none."),
			optional("to", huma.TypeString, "Last day, a date; today if absent."),
			optional("by", huma.TypeString, "An entry for each day, month or year; day if absent."),
			optional("after", huma.TypeString, "Number of the entry after which to go on, the last one that was taken in."),
			optional("opening", huma.TypeBoolean, "Whether to begin with the opening balances of the first entry."),
		},
		gives: gives, tells: "The entries, and only a header if there are none.",
	}, s.getEntries)
}

func (s *server) getEntries(w http.ResponseWriter, r *http.Request) error {
	form := entries.Format(r.PathValue("form"))
	if !slices.Contains(entries.Formats(), form) {
		return &refusal.Refusal{Code: ParameterValue, Path: "form",
			Sentence: fmt.Sprintf("Journal entries can be had as %v.", entries.Formats())}
	}
	choice, err := s.entriesAsked(r)
	if err != nil {
		return err
	}
	stored, err := s.house.Journal()
	if err != nil {
		return err
	}
	journal, err := entries.Open(r.Context(), stored)
	if err != nil {
		return err
	}
	var out entryBuffer
	_, err = journal.Write(r.Context(), &out, choice, form)
	switch {
	case errors.Is(err, entries.ErrAfter):
		return &refusal.Refusal{Code: ParameterValue, Path: "after",
			Sentence: "No entries can be made after this one: name the number of a closed day such as 1/2026-11-15, or of a month or year that is over and ends no period in its middle."}
	case errors.Is(err, errManyEntries):
		return &refusal.Refusal{Code: ParameterValue, Path: "to",
			Sentence: "These are more entries than one answer takes: ask for fewer days."}
	case err != nil:
		return err
	}
	w.Header().Set("Content-Type", form.MediaType())
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(out.Bytes()) // An error means that the client is gone.
	return nil
}

// entriesAsked reads which entries a request asks for.
func (s *server) entriesAsked(r *http.Request) (c entries.Choice, err error) {
	query := r.URL.Query()
	c.After, c.By = query.Get("after"), cmp.Or(entries.Period(query.Get("by")), entries.ByDay)
	if !slices.Contains(entries.Periods(), c.By) {
		return c, &refusal.Refusal{Code: ParameterValue, Path: "by",
			Sentence: fmt.Sprintf("An entry is for one of %v.", entries.Periods())}
	}
	switch opening := query.Get("opening"); opening {
	case "", "false":
	case "true":
		c.Opening = true
	default:
		return c, &refusal.Refusal{Code: ParameterValue, Path: "opening", Sentence: "Opening balances are true or false."}
	}
	if c.After == "" {
		c.From, c.To, err = s.daysOf(r)
		return c, err
	}
	if query.Get("from") != "" || c.Opening {
		return c, &refusal.Refusal{Code: ParameterValue, Path: "after",
			Sentence: "The entries after one begin behind it and without opening balances: leave out from and opening."}
	}
	c.To, err = dayParam(r, "to", day.None)
	return c, err
}
