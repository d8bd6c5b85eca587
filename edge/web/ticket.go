package web

import (
	"bytes"
	"fmt"
)

// The page that checks a proof is one file that people may save, with its checks in
// it. The ticket's page and the inspector's make the same checks, by the same code: what
// stands before this mark in the script of that file, as a module.
const (
	proofDocument = "proof.html"
	proofModule   = "proof.js"
	proofMark     = "// ---------------------------------------------------------------- the page"
	proofExport   = "export { COSIGNATURE, NOTE, base64, check, checkLog, date, decodeCBOR, hex, openBy, openNote, parseBody, parseCheckpoint, parseKey, parseSeal, same };\n"
)

// proofCode returns the module.
func proofCode(page []byte) ([]byte, error) {
	script := inline(page, "<script>", "</script>")
	code, _, ok := bytes.Cut(script, []byte(proofMark))
	if !ok {
		return nil, fmt.Errorf("web: %s does not say where its checks end", proofDocument)
	}
	return append(bytes.Clone(code), proofExport...), nil
}
