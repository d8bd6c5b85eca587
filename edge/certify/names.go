package certify

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// The longest name of a host and the longest part of one, by RFC 1035.
const (
	longestName  = 253
	longestLabel = 63
)

// CheckName returns why an authority cannot give a certificate for a name, by ACME as a Manager speaks it.
func CheckName(name string) error {
	labels := strings.Split(name, ".")
	switch _, err := netip.ParseAddr(strings.Trim(name, "[]")); {
	case err == nil:
		return fmt.Errorf("%q is an address; authorities certify names, so give the name that leads to it", name)
	case strings.Contains(name, "*"):
		return fmt.Errorf("%q has a wildcard, which takes a proof in the DNS that the house cannot give; give each name", name)
	case strings.Contains(name, "/") || strings.Contains(name, ":"):
		return fmt.Errorf("%q is more than a name; give it without https:// and without a port", name)
	case len(labels) < 2:
		return fmt.Errorf("%q has no dot; give the whole name, such as house.example", name)
	case len(name) > longestName:
		return fmt.Errorf("%q is longer than %d characters", name, longestName)
	}
	for _, label := range labels {
		if err := checkLabel(label); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
	}
	if last := labels[len(labels)-1]; strings.Trim(last, "0123456789") == "" {
		return fmt.Errorf("%q: what is behind the last dot is a number, and no name ends so", name)
	}
	return nil
}

// checkLabel returns why a part between two dots is none.
func checkLabel(label string) error {
	if label == "" {
		return errors.New("there is nothing before, between or behind two dots")
	}
	if len(label) > longestLabel {
		return fmt.Errorf("%q is longer than %d characters", label, longestLabel)
	}
	for _, c := range label {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return fmt.Errorf("%q is none of a to z, 0 to 9 and -; write capitals small, and other letters in the form xn--", c)
		}
	}
	if strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
		return fmt.Errorf("%q begins or ends with a hyphen", label)
	}
	return nil
}

// CheckDirectory returns why a text is not the address of an authority.
func CheckDirectory(directory string) error {
	u, err := url.Parse(directory)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return fmt.Errorf("%q is not the address of an authority's directory, such as https://acme.example/directory", directory)
	}
	return nil
}
