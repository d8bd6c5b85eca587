package record

import (
	"fmt"
	"iter"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/core/money"
)

// Every number, text and list in a record that this program writes has a bound. The
// bounds keep three things out of a journal: numbers with which a sum or the next number
// of a count would leave its type; texts and lists that Encode would write and Decode
// could not read; and characters that no reader shows. Decode does not ask for them,
// because a journal from before they were set may hold more.
//
// TestBoundsOfEveryNumber walks through all rows and fails where a field has none.

// The bounds that are not those of one field.
const (
	// MaxItems is the longest list that Decode reads.
	MaxItems = 1 << 16
	// MaxNumber is the largest count and the largest number by which something is
	// named. The number after it still fits its type.
	MaxNumber = math.MaxInt32
	// MaxLarge is the same for numbers of 64 bits. SQL keeps 63 bits.
	MaxLarge = math.MaxInt64 - 1
	// MaxTime is the last instant of the year 2999. Written with any offset it has a
	// year of four digits.
	MaxTime Time = 32_503_679_999_999
	// MaxExact is the largest part of a pool, and maxExactAct the largest that an act of
	// a person leaves: games add to a pool and cannot be refused, and find room there.
	MaxExact    Exact = Exact(money.MaxBalance) * exactPerCent
	maxExactAct Exact = Exact(money.MaxAmount) * exactPerCent

	exactPerCent = 10_000
	maxFee       = 1_000_000 * money.Dollar
)

// The greatest lengths of texts, in characters, and of bytes.
const (
	shortText = 200
	longText  = 2_000
	letter    = 20_000
	saysText  = 1 << 18
	noteBytes = 1 << 16
	hashBytes = 64
)

// Out is a value beyond its bound.
type Out struct {
	Field string // such as Parts[3].Cents
	Rule  string // such as "must be at most 100"
}

// Error returns field and rule.
func (o *Out) Error() string { return o.Field + " " + o.Rule }

// most is the bound of one field: the largest number, or how many characters, bytes or
// items. A number with a sign may be as far below zero.
type most uint64

// byType are the bounds of numbers whose type says what they count. Types of 8 and 16 bits
// are their own bound: TestExtremeRecords shows that none of them is counted past its end.
var byType = map[reflect.Type]most{
	reflect.TypeFor[money.Amount](): most(money.MaxTotal),
	reflect.TypeFor[Exact]():        most(MaxExact),
	reflect.TypeFor[Time]():         most(MaxTime),
	reflect.TypeFor[day.Day]():      most(day.MustParse("2999-12-31")),
	reflect.TypeFor[uint32]():       MaxNumber,
	reflect.TypeFor[uint64]():       MaxLarge,
}

// byField are the bounds of texts, bytes and lists of the fields of a name, in all types. A field with another bound
// has it in a tag: most:"200" of itself, each:"200" of its items, within:"act" of the numbers in its parts. A tag says
// a number, or one of sizes.
var byField = map[string]most{
	// Texts.
	"Reason": longText, "Clause": shortText, "Approval": longText, "Reference": longText, "Name": shortText,
	"Action": shortText, "Means": shortText, "Method": shortText, "Printed": shortText, "ID": shortText,
	"To": shortText, "From": shortText, "At": shortText, "Kind": shortText, "Channel": shortText,
	"Listed": shortText, "Licence": shortText, "Schedule": shortText, "Colour": shortText,
	"Pattern": shortText, "Member": shortText, "Code": shortText, "Party": shortText, "Outcome": shortText,
	"Jurisdiction": shortText, "Move": shortText, "Bet": shortText, "GameType": shortText, "Item": shortText,
	"Custodian": shortText, "Build": shortText, "Role": shortText, "Roles[]": shortText, "Act": shortText,
	"Medium": shortText, "Screen": shortText, "Status": shortText, "Device": shortText, "System": shortText,
	"Then": shortText, "Maker": shortText, "Model": shortText, "Serial": shortText, "Site": shortText,
	"Part": shortText, "Cause": shortText, "Authority": shortText, "House": shortText,
	"Video": shortText, "Subject": letter, "Text": letter, "Conditions": letter, "Available": letter,
	"Marketing": letter, "Scrutineer": shortText, "Told": letter, "Key": longText, "HouseKey": longText,
	"DeviceKey": longText,
	// Bytes.
	"Seal": noteBytes, "Note": noteBytes, "Checkpoint": noteBytes, "Handover": noteBytes,
	"Previous": noteBytes, "State": hashBytes, "Bytes": noteBytes, "Opening": hashBytes,
	"Particulars": hashBytes, "Details": MaxItems, "Marked": noteBytes, "Numbers": MaxItems,
	"JackpotNumbers": 256, "Abandoned": 1 << 10, "Abandoned[]": noteBytes,
	// Lists.
	"Roles": 64, "Tenders": 256, "Parts": MaxItems, "Prizes": 256, "JackpotCents": 256, "Prize": 256,
	"Jackpot": 256, "Levels": 256, "Shares": MaxItems, "Lapsed": 256, "Rolled": 256, "Forfeited": MaxItems,
	"By": 64, "By[]": shortText, "Tickets": MaxItems, "Contributions": 256, "Deferred": 1 << 10, "Rates": 256,
	"Reductions": 256, "Awards": 1 << 10, "JackpotWins": MaxItems, "Pools": 256, "Closed": 256,
	"Promotions": 1 << 10, "Recorders": 2, "Custodians": 64, "Deciders": 64, "Taken": 256, "More": MaxItems,
	"Restored": 256, "Ranges": 1 << 12, "Struck": MaxItems, "Days": 1 << 12, "Hours": 256, "List": MaxItems,
	"Names": 64, "Names[]": shortText, "Contains": 256, "Contains[]": shortText, "Confirms": 256,
	"Confirms[]": shortText, "Particulars[]": MaxItems, "Places": MaxItems, "Books": 1 << 10,
	"Released": 1 << 12, "Earned": 1 << 12, "Replaces": 1, "Funded": 256, "Spent": 1 << 12, "Games": 256,
	"Colours": 256, "Colours[]": shortText, "Witnesses": 64,
}

// sizes are the bounds that tags name.
var sizes = map[string]most{
	"said": mostSaid, "note": noteBytes, "object": MaxBytes, "items": MaxItems, "path": maxLinkPath, "offset": maxOffset,
	"amount": most(money.MaxAmount), "balance": most(money.MaxBalance), "fee": most(maxFee), "act": most(maxExactAct),
}

// tagged are the bounds in the tags of the bodies and their parts, and taggedLines the texts with the tag line:"true".
// A type and a name stand for a field; a body, a type and a name for a field below that body alone.
var tagged, taggedLines = func() (bounds map[string]most, lines map[string]bool) {
	bounds, lines = map[string]most{}, map[string]bool{}
	var walk func(body string, t reflect.Type)
	walk = func(body string, t reflect.Type) {
		for t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return
		}
		for i := range t.NumField() {
			f := t.Field(i)
			key := t.Name() + "." + f.Name
			if size, ok := f.Tag.Lookup("most"); ok {
				bounds[key] = sized(key, size)
			}
			if size, ok := f.Tag.Lookup("each"); ok {
				bounds[key+"[]"] = sized(key, size)
			}
			if size, ok := f.Tag.Lookup("within"); ok {
				for part := range parts(f.Type) {
					bounds[body+"."+part] = sized(key, size)
				}
			}
			lines[key] = f.Tag.Get("line") == "true"
			walk(body, f.Type)
		}
	}
	for _, row := range rows {
		walk(row.body.Name(), row.body)
	}
	return bounds, lines
}()

// sized returns the bound that a tag says.
func sized(field, size string) most {
	if bound, ok := sizes[size]; ok {
		return bound
	}
	bound, err := strconv.ParseUint(size, 10, 64)
	if err != nil {
		panic("record: " + field + " has no bound " + size)
	}
	return most(bound)
}

// parts returns the exact amounts in the items of a list of structs, by type and name.
func parts(t reflect.Type) iter.Seq[string] {
	return func(yield func(string) bool) {
		if t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		for i := range t.NumField() {
			if f := t.Field(i); f.Type == reflect.TypeFor[Exact]() && !yield(t.Name()+"."+f.Name) {
				return
			}
		}
	}
}

// CheckBounds reports the first value of the record that is beyond its bound, as an *Out.
func (r Record) CheckBounds() error {
	if r.Time > MaxTime {
		return &Out{"Time", "must be before the year 3000"}
	}
	if len(r.Postings) > MaxItems {
		return tooMany("Postings", MaxItems)
	}
	for i, p := range r.Postings {
		if money.CheckWithin(p.Cents, money.MaxTotal) != nil {
			return tooMuch(fmt.Sprintf("Postings[%d].Cents", i), reflect.ValueOf(p.Cents), most(money.MaxTotal))
		}
	}
	if sold, ok := r.Body.(*TicketSold); ok && sold.within() {
		return nil
	}
	out := plans[r.Kind()](reflect.ValueOf(r.Body).Elem())
	if out == nil {
		return nil
	}
	return out
}

// within reports whether a ticket is surely within its bounds, as nearly all are. Nearly
// all records are tickets, so it is written out; TestSoldWithin compares it with the plan.
func (t *TicketSold) within() bool {
	for _, tender := range t.Tenders {
		if money.CheckWithin(tender.Cents, money.MaxTotal) != nil {
			return false
		}
	}
	return t.Request.Terminal <= MaxNumber && t.Request.Number <= MaxLarge && t.Session <= MaxNumber &&
		t.Replays.Seq <= MaxLarge && t.Ordinal <= MaxNumber && t.Ways <= MaxNumber &&
		money.CheckWithin(t.CostCents, money.MaxAmount) == nil &&
		len(t.Ticket) <= noteBytes && len(t.Tenders) <= 1<<4 && CheckText(t.Method, shortText) == ""
}

// A plan checks the values of one type.
type plan func(reflect.Value) *Out

// plans are those of the bodies, made once: to look every bound up again for each ticket
// would take longer than to encode it.
var plans = func() map[Kind]plan {
	all := map[Kind]plan{}
	for _, row := range rows {
		t := row.body
		all[row.kind] = structPlan(t.Name(), t)
	}
	return all
}()

// boundOf returns the bound of a field of a type below a body.
func boundOf(body, owner, name string, t reflect.Type) (most, bool) {
	for _, key := range []string{body + "." + owner + "." + name, owner + "." + name} {
		if b, ok := tagged[key]; ok {
			return b, true
		}
	}
	if b, ok := byType[t]; ok {
		return b, true
	}
	switch t.Kind() {
	case reflect.String, reflect.Slice:
		b, ok := byField[name]
		return b, ok
	case reflect.Uint8, reflect.Uint16:
		return most(1)<<t.Bits() - 1, true
	}
	return 0, false
}

// structPlan checks the fields of a struct, in their order.
func structPlan(body string, t reflect.Type) plan {
	type part struct {
		index int
		name  string
		plan  plan
	}
	var parts []part
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		if p := valuePlan(body, t.Name(), f.Name, f.Type); p != nil {
			parts = append(parts, part{i, f.Name, p})
		}
	}
	return func(v reflect.Value) *Out {
		for _, p := range parts {
			if out := p.plan(v.Field(p.index)); out != nil {
				out.Field = strings.TrimSuffix(p.name+"."+out.Field, ".")
				out.Field = strings.ReplaceAll(out.Field, ".[", "[")
				return out
			}
		}
		return nil
	}
}

// valuePlan checks the value of a field, or of its items. It returns nil for a value that
// has no size: a yes or no, or so many bytes and no others.
func valuePlan(body, owner, name string, t reflect.Type) plan {
	bound, ok := boundOf(body, owner, name, t)
	if !ok {
		bound = unstated(t)
	}
	switch t.Kind() {
	case reflect.Bool:
		return nil
	case reflect.Struct:
		return structPlan(body, t)
	case reflect.Array:
		return listPlan(most(t.Len()), valuePlan(body, owner, name+"[]", t.Elem()), t)
	case reflect.Slice:
		return listPlan(bound, valuePlan(body, owner, name+"[]", t.Elem()), t)
	case reflect.String:
		return textPlan(bound, lines[name] || taggedLines[owner+"."+name])
	}
	if whole := most(1)<<t.Bits() - 1; t.Bits() < 32 && bound >= whole {
		return nil // Its type is its bound.
	}
	return numberPlan(bound, t)
}

// unstated is the bound of a field for which none is stated, which
// TestBoundsOfEveryNumber reports.
func unstated(t reflect.Type) most {
	if t.Kind() == reflect.String {
		return shortText
	}
	return MaxItems
}

// listPlan checks the length of a list and its items.
func listPlan(bound most, item plan, t reflect.Type) plan {
	if t.Kind() == reflect.Array && item == nil {
		return nil
	}
	unit := tooMany
	if t.Elem().Kind() == reflect.Uint8 {
		unit = tooManyBytes
	}
	return func(v reflect.Value) *Out {
		if uint64(v.Len()) > uint64(bound) {
			return unit("", bound)
		}
		if item == nil {
			return nil
		}
		for i := range v.Len() {
			if out := item(v.Index(i)); out != nil {
				out.Field = strings.TrimSuffix(fmt.Sprintf("[%d].%s", i, out.Field), ".")
				return out
			}
		}
		return nil
	}
}

// lines are the texts that stand in a line of a list or a sentence, by the names of their fields, beside those with
// the tag line:"true": with an end of a line in it one text would look like two.
var lines = map[string]bool{"Reason": true, "Clause": true}

// textPlan checks the characters of a text.
func textPlan(bound most, line bool) plan {
	check := CheckText
	if line {
		check = CheckLine
	}
	return func(v reflect.Value) *Out {
		if rule := check(v.String(), int(bound)); rule != "" {
			return &Out{Rule: rule}
		}
		return nil
	}
}

// CheckLine is CheckText for a text of one line, such as a reason or a clause: it has no
// tabulators and ends of lines either, and no mark that nobody sees.
func CheckLine(text string, most int) string {
	if rule := CheckText(text, most); rule != "" {
		return rule
	}
	for _, r := range text {
		if hidden(r) {
			return "must be one line, without characters that nobody sees"
		}
	}
	return ""
}

// CheckText returns the rule that a text breaks, or nothing. A text has at most so many
// characters and no control character but tabulators and ends of lines.
func CheckText(text string, most int) string {
	if !utf8.ValidString(text) {
		return "must be a text in UTF-8"
	}
	if len(text) > most && utf8.RuneCountInString(text) > most {
		return fmt.Sprintf("must have at most %s characters", figure.Grouped(strconv.Itoa(most)))
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return "must not have control characters"
		}
	}
	return ""
}

// numberPlan checks a number.
func numberPlan(bound most, t reflect.Type) plan {
	switch t {
	case reflect.TypeFor[day.Day]():
		return func(v reflect.Value) *Out {
			if v.Int() < 0 || v.Int() > int64(bound) {
				return &Out{Rule: "must be a date of a year before 3000"}
			}
			return nil
		}
	case reflect.TypeFor[Time]():
		return func(v reflect.Value) *Out {
			// Forever is compared and never counted from.
			if at := Time(v.Int()); at < 0 || at > Time(bound) && at != Forever {
				return &Out{Rule: "must be a time from 1970 to 2999"}
			}
			return nil
		}
	}
	if t.Kind() == reflect.Int64 || t.Kind() == reflect.Int32 {
		return func(v reflect.Value) *Out {
			if n := v.Int(); n > int64(bound) || n < -int64(bound) {
				return tooMuch("", v, bound)
			}
			return nil
		}
	}
	return func(v reflect.Value) *Out {
		if v.Uint() > uint64(bound) {
			return tooMuch("", v, bound)
		}
		return nil
	}
}

func tooMany(field string, bound most) *Out {
	return &Out{field, fmt.Sprintf("must have at most %s items", figure.Grouped(strconv.FormatUint(uint64(bound), 10)))}
}

func tooManyBytes(field string, bound most) *Out {
	return &Out{field, fmt.Sprintf("must have at most %s bytes", figure.Grouped(strconv.FormatUint(uint64(bound), 10)))}
}

// tooMuch says the bound of a number as people read it.
func tooMuch(field string, v reflect.Value, bound most) *Out {
	if v.Type() == reflect.TypeFor[money.Amount]() {
		return &Out{field, fmt.Sprintf("must be at most %v", money.Amount(bound))}
	}
	return &Out{field, fmt.Sprintf("must be at most %s", figure.Grouped(strconv.FormatUint(uint64(bound), 10)))}
}
