package api

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"drawhouse/journal/record"
)

// TestPages: a list that grows is had page by page, newest first, each item once and none left out; a limit above the
// greatest is refused and not cut.
func TestPages(t *testing.T) {
	r := newRig(t)
	r.openDay()
	for range 3 {
		r.play()
	}
	admin := r.signOn(r.member(record.RoleAdministrator))
	r.as(admin, http.MethodPost, "/v1/people", `{"name":"Ada","contact":""}`).into(t, &Numbered{})
	for i := range 5 {
		r.as(admin, http.MethodPost, "/v1/approvals", fmt.Sprintf(`{"action":"erase_person","person":%d,"reason":"asked %d"}`,
			r.member(record.RoleWriter), i)).into(t, &Approval{})
	}
	for _, list := range []struct {
		path, limitWrong string
		numbers          func(path string) (numbers []uint32, more bool)
		want             []uint32
	}{
		{"/v1/games", "201", func(path string) (numbers []uint32, more bool) {
			var page Games
			r.send(http.MethodGet, path, "").into(t, &page)
			for _, g := range page.Games {
				numbers = append(numbers, g.Ordinal)
			}
			return numbers, page.More
		}, []uint32{4, 3, 2, 1}},
		{"/v1/approvals", "201", func(path string) (numbers []uint32, more bool) {
			var page Approvals
			r.as(admin, http.MethodGet, path, "").into(t, &page)
			for _, a := range page.Approvals {
				numbers = append(numbers, a.Number)
			}
			return numbers, page.More
		}, []uint32{5, 4, 3, 2, 1}},
	} {
		for _, limit := range []int{1, 2, len(list.want) - 1, len(list.want), len(list.want) + 1} {
			var all []uint32
			asked := 0
			for uri, more := fmt.Sprintf("%s?limit=%d", list.path, limit), true; more; asked++ {
				var page []uint32
				page, more = list.numbers(uri)
				if len(page) > limit {
					t.Fatalf("%s has %d items", uri, len(page))
				}
				all = append(all, page...)
				uri = fmt.Sprintf("%s?limit=%d&after=%d", list.path, limit, all[len(all)-1])
			}
			if pages := (len(list.want) + limit - 1) / limit; !slices.Equal(all, list.want) || asked != pages {
				t.Errorf("%s by %d: %v in %d pages, want %v in %d", list.path, limit, all, asked, list.want, pages)
			}
		}
		wantFault(t, r.as(admin, http.MethodGet, list.path+"?limit="+list.limitWrong, ""), 400, "parameter_value", "limit")
	}
	var days ResultDays
	r.send(http.MethodGet, "/v1/results?after=2026-11-16&limit=1", "").into(t, &days)
	if !slices.Equal(days.Days, []string{"2026-11-15"}) || days.More {
		t.Errorf("%+v", days)
	}
	days = ResultDays{}
	r.send(http.MethodGet, "/v1/results?after=2026-11-15", "").into(t, &days)
	if len(days.Days) != 0 {
		t.Errorf("%+v", days)
	}
	wantFault(t, r.as(admin, http.MethodGet, "/v1/operator/debits?limit=101", ""), 400, "parameter_value", "limit")
}
