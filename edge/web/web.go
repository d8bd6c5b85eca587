// Package web is the screens, written by hand in HTML, CSS and ES modules and embedded in
// the binary. They ask nothing of any other origin, and their policy forbids them to.
//
// Beside it is the page that checks a ticket's proof, /web/proof.html: one file that
// people may save and use without a network, with the cryptography in it. It says
// what package proof says (TestPageAndPackageAgree).
//
// The page of a ticket, /t/SERIAL, is for the player who has it: what it has won, and
// the proof that it was sealed before the draw, checked in the browser by the code of
// proof.html (TestTicketPage).
//
// The inspector's page, /inspector, reads a volume of the journal, hashes every record in
// the browser and holds the result against what the house has signed, game by game
// (TestInspectorFindsADifference, TestInspectorVolumes).
//
// The office, /office, shows and does what the roles of a person allow, by the table of
// the interface: a view is a file, and what would be refused has no button
// (TestOfficeTwoPeople, TestOfficeTerminal, TestOfficeOnADay, TestOfficeFull).
//
// The board is the page for everybody at / and, with a venue's name and signs of life, the
// display of a venue at /display/VENUE. It takes GET /v1/board once and then follows GET
// /v1/events (see package
// live); it shows a number when its event arrives and not before. After a lost
// connection it goes on behind the last event it saw. The numbers of a game are
// those that rule 18 of vic-keno-2015 has drawn, and the fingerprint of the seal
// under which they were drawn stays beside them.
//
// The tests drive the page in a real browser (TestNumbersAppearInOrder,
// TestReconnect, TestFoldsAgree and others); the first view is held under 100 kB
// by TestFirstViewIsSmall.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"drawhouse/edge/api/negotiate"
)

//go:embed assets
var embedded embed.FS

// policy lets the page load from its own origin only, be framed by nobody and
// send its forms nowhere.
const policy = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"

// asset is a file as it is sent.
type asset struct {
	contentType string
	policy      string
	plain       form
	packed      func() form // with gzip, made when first asked for; without data if that is no shorter
}

// form is a file in one encoding. Each has an entity tag of its own, because a strong tag
// stands for these very bytes.
type form struct {
	etag string
	data []byte
}

func newForm(data []byte) form {
	hash := sha256.Sum256(data)
	return form{`"` + base64.RawURLEncoding.EncodeToString(hash[:12]) + `"`, data}
}

// pages are the addresses that people open, and the file of each. Everything else is
// below /web/, where its folder has it.
var pages = map[string]string{
	"/{$}":               "board/board.html",
	"/t/{serial}":        "ticket/ticket.html",
	"/g/{day}/{number}":  "seal/seal.html",
	"/caller":            "caller/caller.html",
	"/card":              "card/card.html",
	"/desk":              "desk/desk.html",
	"/display":           "display/choose.html",
	"/display/{venue}":   "board/board.html",
	"/hall":              "hall/choose.html",
	"/hall/{room}":       "hall/hall.html",
	"/kiosk":             "kiosk/kiosk.html",
	"/inspector":         "inspector/inspector.html",
	"/office":            "office/office.html",
	"/terminal":          "terminal/terminal.html",
	"/terminal/customer": "terminal/customer.html",
	"/web/setup.html":    "setup/setup.html",
	// Its address has a token behind the number sign, and is given to people.
	"/web/invitation.html": "invitation/invitation.html",
}

// Addresses returns the patterns of all addresses that the screens answer.
func Addresses() []string {
	return append(slices.Sorted(maps.Keys(pages)), "/web/")
}

// Handler returns the screens: the pages, and what they need below /web/. It hashes the
// files once, and compresses each when somebody first asks for it, so that a house that
// starts does not wait for files of screens that nobody opens.
func Handler() (http.Handler, error) {
	mux := http.NewServeMux()
	addresses := map[string][]string{}
	for address, file := range pages {
		addresses[file] = append(addresses[file], address)
	}
	err := fs.WalkDir(embedded, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := embedded.ReadFile(name)
		if err != nil {
			return err
		}
		a := newAsset(name, data)
		file := strings.TrimPrefix(name, "assets/")
		opened, isPage := addresses[file]
		if !isPage {
			opened = []string{"/web/" + file}
		}
		for _, address := range opened {
			mux.Handle("GET "+address, a)
		}
		if file == proofDocument {
			return handleProofCode(mux, data)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return mux, nil
}

// handleProofCode serves the checks of the proof page as a module.
func handleProofCode(mux *http.ServeMux, page []byte) error {
	code, err := proofCode(page)
	if err != nil {
		return err
	}
	mux.Handle("GET /web/"+proofModule, newAsset(proofModule, code))
	return nil
}

func newAsset(name string, data []byte) *asset {
	return &asset{contentType: contentType(name), policy: policyOf(data), plain: newForm(data),
		packed: sync.OnceValue(func() form { return pack(data) })}
}

// pack returns data with gzip, or nothing if that is no shorter.
func pack(data []byte) form {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return form{} // The file is sent as it is.
	}
	if _, err := w.Write(data); err != nil {
		return form{}
	}
	if err := w.Close(); err != nil || b.Len() >= len(data) {
		return form{}
	}
	return newForm(b.Bytes())
}

// contentType does not ask the machine, whose tables differ.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// ServeHTTP sends the file, or that the client has it already. Clients ask every
// time, so that a new release of the house brings its new page along at once.
func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", a.policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-cache")
	header.Set("Vary", "Accept-Encoding")
	sent, isPacked := a.plain, false
	if negotiate.TakesGzip(r) {
		if packed := a.packed(); packed.data != nil {
			sent, isPacked = packed, true
		}
	}
	header.Set("Etag", sent.etag)
	if negotiate.Has(r, sent.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", a.contentType)
	if isPacked {
		header.Set("Content-Encoding", "gzip")
	}
	if _, err := w.Write(sent.data); err != nil {
		return // The client is gone.
	}
}
