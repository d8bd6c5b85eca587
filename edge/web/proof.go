package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
)

// policyOf returns the policy of a file: that of all, or for a page that carries its
// script and its style in itself one that allows these two, by their hashes, and
// nothing else in the world.
func policyOf(data []byte) string {
	script, style := inline(data, "<script>", "</script>"), inline(data, "<style>", "</style>")
	if script == nil || style == nil {
		return policy
	}
	return "default-src 'none'; script-src " + source(script) + "; style-src " + source(style) +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// inline returns what stands between two tags, or nil.
func inline(data []byte, begin, end string) []byte {
	_, rest, ok := bytes.Cut(data, []byte(begin))
	text, _, ended := bytes.Cut(rest, []byte(end))
	if !ok || !ended {
		return nil
	}
	return text
}

func source(text []byte) string {
	hash := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}
