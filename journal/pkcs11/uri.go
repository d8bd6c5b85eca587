package pkcs11

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Scheme is how the name of a key in a token begins.
const Scheme = "pkcs11:"

// IsURI reports whether the name of a key names one in a token.
func IsURI(name string) bool { return strings.HasPrefix(name, Scheme) }

// A URI names a key in a token, as RFC 7512 has it:
//
//	pkcs11:token=house;object=house-1?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=/etc/drawhouse/pin
//
// Every attribute that is given must be that of the key or of its token.
type URI struct {
	// Token, Manufacturer, Model and Serial are of the token. An empty one is any.
	Token, Manufacturer, Model, Serial string
	Object                             string // label of the key; empty is any
	ID                                 string // of the key, as bytes; empty is any
	Slot                               uint64 // of the token, if HasSlot
	HasSlot                            bool
	Module                             string // path of the vendor's shared library
	PIN                                string // path of the file that holds the PIN; empty is the environment
}

const (
	mostURI       = 2048
	mostAttribute = 256
)

var (
	errPINValue = errors.New("pin-value puts the PIN where others can read it; write it into a file of mode 600 and name that: pin-source=/path")
	errNoModule = errors.New("it does not say which module reaches the token; add ?module-path=/path/of/the/vendor's/library.so")
	errNoObject = errors.New("it names no key; add object=LABEL or id=ID")
)

// ParseURI reads the name of a key in a token. An attribute that it does not know is an error: a name that is only half
// understood may be another key's.
func ParseURI(text string) (URI, error) {
	u, err := parseURI(text)
	if err != nil {
		return URI{}, fmt.Errorf("pkcs11: %q: %w", withoutPIN(text), err)
	}
	return u, nil
}

// withoutPIN returns a URI for a message. A PIN that stands in it stays unsaid.
func withoutPIN(text string) string {
	if before, _, found := strings.Cut(text, "pin-value"); found {
		return before + "pin-value=..."
	}
	return text
}

func parseURI(text string) (u URI, err error) {
	rest, ok := strings.CutPrefix(text, Scheme)
	switch {
	case !ok:
		return u, errors.New("it does not begin with " + Scheme)
	case len(text) > mostURI:
		return u, fmt.Errorf("it is longer than %d bytes", mostURI)
	}
	path, query, _ := strings.Cut(rest, "?")
	seen := map[string]bool{}
	for _, part := range []struct {
		text, between string
		known         map[string]func(*URI, string) error
	}{{path, ";", pathAttributes}, {query, "&", queryAttributes}} {
		if part.text == "" {
			continue
		}
		for attribute := range strings.SplitSeq(part.text, part.between) {
			name, escaped, ok := strings.Cut(attribute, "=")
			set := part.known[name]
			value, err := unescape(escaped, name == "id")
			switch {
			case !ok || set == nil:
				return u, fmt.Errorf("%q is no attribute that is known here", name)
			case seen[name]:
				return u, fmt.Errorf("%s is given twice", name)
			case err == nil:
				err = set(&u, value)
			}
			if err != nil {
				return u, fmt.Errorf("%s: %w", name, err)
			}
			seen[name] = true
		}
	}
	switch {
	case u.Module == "":
		return u, errNoModule
	case u.Object == "" && u.ID == "":
		return u, errNoObject
	}
	return u, nil
}

// unescape returns the value of an attribute. That of an id is bytes, the others are text.
func unescape(escaped string, bytes bool) (string, error) {
	value, err := url.PathUnescape(escaped)
	switch {
	case err != nil:
		return "", err
	case value == "":
		return "", errors.New("it is empty")
	case len(value) > mostAttribute:
		return "", fmt.Errorf("it is longer than %d bytes", mostAttribute)
	case !bytes && (!utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl)):
		return "", errors.New("it is no line of text")
	}
	return value, nil
}

// text returns what takes an attribute that is a text.
func text(of func(*URI) *string) func(*URI, string) error {
	return func(u *URI, value string) error {
		*of(u) = value
		return nil
	}
}

var pathAttributes = map[string]func(*URI, string) error{
	"token":        text(func(u *URI) *string { return &u.Token }),
	"manufacturer": text(func(u *URI) *string { return &u.Manufacturer }),
	"model":        text(func(u *URI) *string { return &u.Model }),
	"serial":       text(func(u *URI) *string { return &u.Serial }),
	"object":       text(func(u *URI) *string { return &u.Object }),
	"id":           text(func(u *URI) *string { return &u.ID }),
	"slot-id": func(u *URI, value string) (err error) {
		u.HasSlot = true
		u.Slot, err = strconv.ParseUint(value, 10, 64)
		return err
	},
	"type": func(_ *URI, value string) error {
		if value != "private" {
			return errors.New("a key that signs is of type private")
		}
		return nil
	},
}

var queryAttributes = map[string]func(*URI, string) error{
	"module-path": func(u *URI, value string) error {
		u.Module = value
		return checkPath(value)
	},
	"pin-source": func(u *URI, value string) error {
		u.PIN = strings.TrimPrefix(value, "file:")
		return checkPath(u.PIN)
	},
	"pin-value": func(*URI, string) error { return errPINValue },
}

func checkPath(path string) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("%q is no absolute path", path)
	}
	return nil
}

// String returns the URI in one form, which ParseURI reads again.
func (u URI) String() string {
	var path []string
	add := func(name, value string) {
		if value != "" {
			path = append(path, name+"="+escape(value))
		}
	}
	add("token", u.Token)
	add("manufacturer", u.Manufacturer)
	add("model", u.Model)
	add("serial", u.Serial)
	if u.HasSlot {
		add("slot-id", strconv.FormatUint(u.Slot, 10))
	}
	add("object", u.Object)
	add("id", u.ID)
	text := Scheme + strings.Join(path, ";") + "?module-path=" + escape(u.Module)
	if u.PIN != "" {
		text += "&pin-source=" + escape(u.PIN)
	}
	return text
}

// unescaped are the bytes besides letters and digits that stand for themselves in both halves of a URI.
const unescaped = "-._~/:"

func escape(value string) string {
	var b strings.Builder
	for i := range len(value) {
		c := value[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(unescaped, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// tokenOf returns the URI of the token alone: keys with the same one share a session.
func (u URI) tokenOf() URI {
	u.Object, u.ID = "", ""
	return u
}

// matches reports whether a token is the one that the URI names.
func (u URI) matches(t tokenInfo) bool {
	is := func(want, have string) bool { return want == "" || want == have }
	return is(u.Token, t.label) && is(u.Manufacturer, t.manufacturer) && is(u.Model, t.model) &&
		is(u.Serial, t.serial) && (!u.HasSlot || u.Slot == t.slot)
}
