package facts

import (
	"slices"
	"strings"
)

// reference says that columns name a row of another table.
type reference struct {
	columns []string
	table   string
	to      []string
}

// definitions are the rows that others name: the last word of a column's name, in the table that defines it. A column
// that holds 0 names none.
var definitions = []struct {
	last, table, column string
}{
	{"venue", "venue_added", "venue"},
	{"terminal", "terminal_added", "terminal"},
	{"operator", "operator_added", "operator"},
	{"person", "person_added", "person"},
	{"by", "person_added", "person"},
	{"with", "person_added", "person"},
	{"runner", "person_added", "person"},
	{"approval", "approval_requested", "approval"},
	{"card", "card_registered", "card"},
	{"hall", "hall_opened", "hall"},
	{"series", "series_begun", "series"},
	{"rulebook", "rulebook_adopted", "hash"},
}

// joined are rows that several columns name together: the columns begin alike and end so.
var joined = []struct {
	last  []string
	table string
	to    []string
}{
	{[]string{"series", "day", "number"}, "game_opened", []string{"game_series", "game_day", "game_number"}},
	{[]string{"series", "ordinal"}, "game_opened", []string{"game_series", "ordinal"}},
	{[]string{"hall", "session"}, "session_set", []string{"hall", "session"}},
	{[]string{"hall", "session", "player"}, "player_entered", []string{"hall", "session", "player"}},
	{[]string{"venue", "area"}, "area_added", []string{"venue", "area"}},
	{[]string{"hall", "session", "game", "claim"}, "claim_opened",
		[]string{"game_hall", "game_session", "game_game", "claim"}},
	{[]string{"claim"}, "claim_lodged", []string{"claim"}},
}

// ahead are tables with games that need not have opened yet: their columns name no row of game_opened.
var ahead = []string{"ticket_sold", "bets", "game_designated", "claim_lodged_parts"}

// own are columns that look like a name and are none: the card of a claim at bingo is a page of a book.
var own = []string{"claim_opened.card"}

// isReference reports whether a column names a row of another table, so that 0 is none.
func isReference(name string, s scalar) bool {
	if s.holds != integers || s.unit != "" {
		return false
	}
	_, last, found := cutLast(name)
	if !found {
		last = name
	}
	for _, d := range definitions {
		if d.last == last {
			return true
		}
	}
	return slices.Contains([]string{"ordinal", "session", "player", "area", "game", "claim"}, last)
}

// cutLast parts a name before its last word.
func cutLast(name string) (before, last string, found bool) {
	i := strings.LastIndexByte(name, '_')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

// refer finds which rows of other tables the columns name.
func (t *table) refer() {
	t.refs = nil
	at := map[string]column{}
	for _, c := range t.columns {
		at[c.name] = c
	}
	for _, c := range t.columns {
		before, last, found := cutLast(c.name)
		if c.name == keySeq || c.name == keyVolume {
			continue
		}
		prefix := before + "_"
		if !found {
			prefix, last = "", c.name
		}
		t.single(c, last)
		t.placed(c, before, last)
		t.several(at, prefix, last)
	}
}

// single adds the reference of a column that names a row by itself.
func (t *table) single(c column, last string) {
	if slices.Contains(own, t.name+"."+c.name) {
		return
	}
	for _, d := range definitions {
		fits := c.holds == integers && c.unit == "" || d.column == "hash" && c.unit == "hexadecimal"
		if d.last == last && fits && (t.name != d.table || c.name != d.column) {
			t.refs = append(t.refs, reference{[]string{c.name}, d.table, []string{d.column}})
		}
	}
}

// placed adds the reference of a pair of columns that name a record: tickets by their sale, and all others as records.
func (t *table) placed(c column, before, last string) {
	if last != "seq" {
		return
	}
	columns := []string{before + "_volume", c.name}
	to := "records"
	if _, word, _ := cutLast(before); (before == "ticket" || word == "ticket") && !slices.Contains(papersToo, t.name) {
		to = "ticket_sold"
	}
	t.refs = append(t.refs, reference{columns, to, []string{keyVolume, keySeq}})
}

// papersToo are tables whose column of tickets can name another paper.
var papersToo = []string{"ticket_disqualified", "ticket_reinstated", "ticket_invalidated", "anonymity_set"}

// several adds the references of columns that name a row together, at the last of them.
func (t *table) several(at map[string]column, prefix, last string) {
	for _, j := range joined {
		if j.last[len(j.last)-1] != last || t.name == j.table && at[prefix+last].name == j.to[len(j.to)-1] ||
			j.table == "game_opened" && slices.Contains(ahead, t.name) {
			continue
		}
		if _, bingo := at["game_hall"]; bingo && j.table == "claim_lodged" {
			continue // A claim of a game is no claim form.
		}
		var columns []string
		for _, word := range j.last {
			c, ok := at[prefix+word]
			for _, in := range []string{"game_", "session_"} {
				if !ok && last != "number" {
					c, ok = at[in+word] // What the row is about names its series, room and session.
				}
			}
			if ok && c.holds != texts {
				columns = append(columns, c.name)
			}
		}
		if len(columns) == len(j.last) {
			t.refs = append(t.refs, reference{columns, j.table, j.to})
		}
	}
}
