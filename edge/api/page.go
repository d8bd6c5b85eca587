package api

import (
	"math"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// Lists that grow without an end are had page by page, newest first: after the number of the last item that was seen,
// and with a limit. An answer says whether there is more. A limit above the greatest is refused, because a program that
// takes the page for the whole would never find out.

// The names of the parameters.
const (
	afterName = "after"
	limitName = "limit"
)

// Page is the end of an answer that is one page of a list.
type Page struct {
	More bool `json:"more,omitempty" doc:"There are older ones: ask for those after the last of these."`
}

// paged describes the parameters of a list: what its items are, and how many a page has if nothing is said, and at
// most.
func paged(items string, usual, most uint32) []*huma.Param {
	return []*huma.Param{
		counted(afterName, 0, math.MaxUint32,
			"Number of the last of the "+items+" that were seen; the newest follow if absent."),
		counted(limitName, usual, most, "How many "+items+"."),
	}
}

// pageAsked reads them. One more than the limit tells whether there are more.
func pageAsked(r *http.Request, usual, most uint32) (after uint32, limit int, err error) {
	if after, err = countParam(r, afterName, 0, math.MaxUint32); err != nil {
		return 0, 0, err
	}
	count, err := countParam(r, limitName, usual, most)
	return after, int(count), err
}

// cut returns a page of items, of which one more than the limit was had if there are more.
func cut[T any](items []T, limit int) ([]T, Page) {
	return items[:min(len(items), limit)], Page{More: len(items) > limit}
}
