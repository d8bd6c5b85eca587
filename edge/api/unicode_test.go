package api

import (
	"net/http"
	"testing"
	"unicode/utf8"
)

// TestNotUnicode: a text that is no Unicode is refused by its field, whichever way it is written, and never replaced.
func TestNotUnicode(t *testing.T) {
	o := newOffice(t)
	for body, field := range map[string]string{
		`{"kind":"club","name":"\ud800"}`:                 "name",
		`{"kind":"club","name":"a\\\udc00b"}`:             "name",
		`{"kind":"club","name":"\ud83d\ud83d\ude00"}`:     "name",
		"{\"kind\":\"club\",\"name\":\"\xff\xfe\"}":       "name",
		"{\"kind\":\"\xed\xa0\x80\",\"name\":\"Anchor\"}": "kind",
		"{\"na\xffme\":\"Anchor\"}":                       "",
		"\xff\xfe{}":                                      "",
	} {
		code := "field_value"
		if field == "" {
			code = "form_syntax"
		}
		wantFault(t, o.as(o.second, http.MethodPost, "/v1/venues", body), http.StatusBadRequest, code, field)
	}
	answer := o.as(o.second, http.MethodPost, "/v1/people", `{"name":"a\u0001b"}`)
	if said := answer.fault(t).Sentence; said != "The value must not have control characters." {
		t.Errorf("of a control character it says %q", said)
	}
	for _, path := range []string{"/v1/tickets/%FF", "/v1/games?limit=%ff", "/v1/rulebooks/a%ED%A0%80"} {
		if answer := o.send(http.MethodGet, path, ""); answer.status != http.StatusBadRequest ||
			answer.fault(t).Code != ParameterValue {
			t.Errorf("%s: %d %s", path, answer.status, answer.body)
		}
	}
	for _, text := range []string{`"\ud83d\ude00"`, `"\\ud800"`, `"😀\u00e9\n"`, `"\u"`, `"\`, ``, "\"\ufffd\""} {
		if at := notUnicodeAt([]byte(text)); at >= 0 || !utf8.ValidString(text) {
			t.Errorf("%s is refused at %d", text, at)
		}
	}
}
