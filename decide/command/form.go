package command

import (
	"reflect"
	"slices"
	"strings"
	"time"
)

// Field is a field of a form in which a person says a command.
type Field struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind" enum:"text,number,cents,check,time,texts,numbers,list" doc:"What its value is; a list has fields of its own."`
	Of     string   `json:"of,omitempty" doc:"What the value is one of, such as clause: a form offers these."`
	Among  []string `json:"among,omitempty" doc:"The values that it may have; of games, how far they have come."`
	Usual  string   `json:"usual,omitempty" doc:"What it is most of the time."`
	Needed bool     `json:"needed" doc:"It cannot be left out."`
	Says   string   `json:"says,omitempty"`
	Fields []Field  `json:"fields,omitempty" doc:"Of each part of a list."`
}

// Form returns the fields of the request for a command, in their order. What a value is follows
// from the type of the field and from its tags: enum are the values that it may have, of says what
// it is one of, among narrows that down, and usual is what it is most of the time.
func (r Row) Form() []Field { return formOf(reflect.TypeOf(r.Body())) }

// Elsewhere reports whether a terminal does what two persons want, and not the person who asked.
func (r Row) Elsewhere() bool { return r.command.Implements(reflect.TypeFor[There]()) }

func formOf(t reflect.Type) []Field {
	var fields []Field
	for _, f := range reflect.VisibleFields(t) {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		field := Field{
			Name: name, Kind: kindOf(f.Type, name), Of: f.Tag.Get("of"), Usual: f.Tag.Get("usual"),
			Needed: !strings.Contains(rest, "omit"), Says: f.Tag.Get("doc"),
		}
		for _, tag := range []string{"enum", "among"} {
			if list := f.Tag.Get(tag); list != "" {
				field.Among = strings.Split(list, ",")
			}
		}
		if field.Kind == "list" {
			field.Fields = formOf(f.Type.Elem())
		}
		fields = append(fields, field)
	}
	return slices.Clip(fields)
}

// kindOf says what a value of a type is. That every type of a field is known is a matter of this
// program; TestForms goes through all of them.
func kindOf(t reflect.Type, name string) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		return "list"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
		return "texts"
	case t.Kind() == reflect.Slice:
		return "numbers"
	case t.Kind() == reflect.Bool:
		return "check"
	case t.Kind() == reflect.String:
		return "text"
	case strings.HasSuffix(name, "cents"):
		return "cents"
	}
	return "number"
}
