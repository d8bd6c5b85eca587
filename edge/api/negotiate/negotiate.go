// Package negotiate reads what a request says about the forms of an answer: which one the
// client has already, and which encodings it takes.
package negotiate

import (
	"net/http"
	"strconv"
	"strings"
)

// Has reports whether the client says that it has the answer with an entity tag.
func Has(r *http.Request, tag string) bool {
	for _, line := range r.Header.Values("If-None-Match") {
		for had := range strings.SplitSeq(line, ",") {
			if had = strings.TrimPrefix(strings.TrimSpace(had), "W/"); had == tag || had == "*" {
				return true
			}
		}
	}
	return false
}

// TakesGzip reports whether the client takes answers that are packed with gzip. What it says
// of gzip itself counts before what it says of all encodings.
func TakesGzip(r *http.Request) bool {
	takes := false
	for _, line := range r.Header.Values("Accept-Encoding") {
		for part := range strings.SplitSeq(line, ",") {
			name, rest, _ := strings.Cut(part, ";")
			switch name = strings.ToLower(strings.TrimSpace(name)); name {
			case "gzip", "x-gzip":
				return wanted(rest)
			case "*":
				takes = wanted(rest)
			}
		}
	}
	return takes
}

// wanted reports whether the weight behind an encoding is above zero. Without one it is 1,
// and one that cannot be read counts as zero: the plain form is always right.
func wanted(parameters string) bool {
	name, value, found := strings.Cut(parameters, "=")
	if !found {
		return strings.TrimSpace(parameters) == ""
	}
	weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return strings.EqualFold(strings.TrimSpace(name), "q") && err == nil && weight > 0 && weight <= 1
}
