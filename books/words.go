package books

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// describing says class, subject and money of an event, and whether the record is one.
type describing = func(*Event, record.Body) bool

// says describes the records of a kind by a sentence. {Field} stands for the value of a field,
// {#Field} for the length of a list, and {Reason, Clause} for a reason with its clause, if it
// has one. The money of the event is the sum of the fields named behind the sentence. A field
// that the body does not have is a panic at the start.
func says[B record.Body](class Class, sentence string, cents ...string) record.Entry[describing] {
	body := reflect.TypeFor[B]().Elem()
	about := wordsOf(body, sentence)
	var sums []func(reflect.Value) money.Amount
	for _, path := range cents {
		sums = append(sums, centsOf(body, path))
	}
	return record.Entry[describing]{Kind: record.KindFor[B](), Do: func(e *Event, b record.Body) bool {
		v := reflect.ValueOf(b).Elem()
		e.Class, e.About = class, about(v)
		for _, sum := range sums {
			e.Cents += sum(v)
		}
		return true
	}}
}

// when has more said of an event, and reports whether the record is one at all.
func when[B record.Body](entry record.Entry[describing], more func(*Event, B) bool) record.Entry[describing] {
	said := entry.Do
	entry.Do = func(e *Event, body record.Body) bool {
		said(e, body)
		return more(e, body.(B)) //nolint:errcheck // The table is asked by the kind of the record.
	}
	return entry
}

var braces = regexp.MustCompile(`\{(#?)([A-Za-z.]+)(?:, ([A-Za-z.]+))?\}`)

// wordsOf compiles a sentence about bodies of a type.
func wordsOf(body reflect.Type, sentence string) func(reflect.Value) string {
	type part struct {
		text          string // before the value
		value, clause []int
		count         bool
	}
	var parts []part
	end := 0
	for _, at := range braces.FindAllStringSubmatchIndex(sentence, -1) {
		p := part{text: sentence[end:at[0]], value: indexOf(body, sentence[at[4]:at[5]]), count: at[3] > at[2]}
		if at[6] >= 0 {
			p.clause = indexOf(body, sentence[at[6]:at[7]])
		}
		parts, end = append(parts, p), at[1]
	}
	rest := sentence[end:]
	return func(v reflect.Value) string {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(p.text)
			value := v.FieldByIndex(p.value)
			if p.count {
				fmt.Fprint(&b, value.Len())
				continue
			}
			b.WriteString(valueText(value))
			if p.clause != nil {
				if clause := v.FieldByIndex(p.clause).String(); clause != "" {
					b.WriteString(", " + clause)
				}
			}
		}
		return b.String() + rest
	}
}

// indexOf finds a field by its path, such as Game.Session.
func indexOf(t reflect.Type, path string) (index []int) {
	for name := range strings.SplitSeq(path, ".") {
		field, ok := t.FieldByName(name)
		if !ok {
			panic(fmt.Sprintf("books: %v has no field %s", t, name))
		}
		index, t = append(index, field.Index...), field.Type
	}
	return index
}

// centsOf returns the amount of a field, or of the lines of a list, such as Parts.Cents.
func centsOf(body reflect.Type, path string) func(reflect.Value) money.Amount {
	list, line, lines := strings.Cut(path, ".")
	index := indexOf(body, list)
	if !lines {
		return func(v reflect.Value) money.Amount { return money.Amount(v.FieldByIndex(index).Int()) }
	}
	of := indexOf(body.FieldByIndex(index).Type.Elem(), line)
	return func(v reflect.Value) (sum money.Amount) {
		list := v.FieldByIndex(index)
		for i := range list.Len() {
			sum += money.Amount(list.Index(i).FieldByIndex(of).Int())
		}
		return sum
	}
}

// valueText returns a value as people read it.
func valueText(v reflect.Value) string {
	if v.Kind() != reflect.Slice {
		return fmt.Sprint(v.Interface())
	}
	if list, ok := v.Interface().([]record.Place); ok {
		return places(list)
	}
	if v.Len() == 0 {
		return "none"
	}
	texts := make([]string, v.Len())
	for i := range texts {
		texts[i] = fmt.Sprint(v.Index(i).Interface())
	}
	return figure.List(texts)
}

// places lists some tickets and papers, of many the first ones.
func places(list []record.Place) string {
	const most = 3
	if len(list) <= most {
		return figure.List(list)
	}
	named := make([]string, most, most+1)
	for i := range named {
		named[i] = fmt.Sprint(list[i])
	}
	return figure.List(append(named, fmt.Sprintf("%d more", len(list)-most)))
}
