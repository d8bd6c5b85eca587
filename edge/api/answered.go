package api

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"drawhouse/edge/api/negotiate"
)

// What an answer is put together in: one that is longer is sent as it comes, without a tag and not packed. An answer
// below the least has no use of being packed: it goes in one packet in any case.
const (
	mostShaped  = 4 << 20
	leastPacked = 1200
)

// shape is how the answers of a route are sent: with a tag of what they say, so that who has one already is told so.
type shape struct {
	// packs says that answers are packed for who asks for that. Only those that everybody may read are: the length of a
	// packed answer tells what it has in common with what somebody else made the client ask for, and of an answer with a
	// secret in it that is one letter of the secret after the other (the attack BREACH).
	packs bool
	// last is the answer that was packed last. Boards, results and descriptions are asked for by many at once.
	last atomic.Pointer[packed]
}

// packed is an answer that was packed, by the tag of what it says.
type packed struct {
	tag  string
	data []byte
}

func newShape(packs bool) *shape { return &shape{packs: packs} }

// begin returns where a handler writes its answer.
func (s *shape) begin(w http.ResponseWriter, r *http.Request) *answered {
	return &answered{ResponseWriter: w, request: r, shape: s}
}

// answered is an answer that is put together before it is sent.
type answered struct {
	http.ResponseWriter
	request *http.Request
	shape   *shape
	status  int // 0 before the handler has said it
	data    bytes.Buffer
	sent    bool // it was too long, and its head is sent
}

// Unwrap is for http.ResponseController.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (a *answered) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answered) Write(data []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if !a.sent && a.data.Len()+len(data) <= mostShaped {
		return a.data.Write(data)
	}
	if !a.sent {
		a.sent = true
		a.ResponseWriter.WriteHeader(a.status)
		if _, err := a.ResponseWriter.Write(a.data.Bytes()); err != nil {
			return 0, err
		}
		a.data = bytes.Buffer{}
	}
	return a.ResponseWriter.Write(data)
}

// end sends what was put together.
func (a *answered) end() {
	if a.sent {
		return
	}
	a.WriteHeader(http.StatusOK)
	h, data := a.Header(), a.data.Bytes()
	if a.shape.packs {
		h["Vary"] = varies
	}
	if a.status == http.StatusOK {
		tag := tagOf(data)
		if a.shape.packs && len(data) >= leastPacked && isText(h.Get("Content-Type")) && negotiate.TakesGzip(a.request) {
			if short := a.shape.pack(tag, data); short != nil {
				data, tag = short, strings.TrimSuffix(tag, `"`)+`-gzip"` // A strong tag stands for these very bytes.
				h["Content-Encoding"] = byGzip
			}
		}
		h.Set("Etag", tag)
		if negotiate.Has(a.request, tag) {
			h.Del("Content-Type")
			h.Del("Content-Encoding")
			h.Del("Content-Length")
			a.ResponseWriter.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(data)))
	a.ResponseWriter.WriteHeader(a.status)
	if a.request.Method != http.MethodHead {
		_, _ = a.ResponseWriter.Write(data) // An error means that the client is gone.
	}
}

// The values of those headers, which are shared by all answers.
var (
	varies = []string{"Accept-Encoding"}
	byGzip = []string{"gzip"}
)

// tagOf returns the entity tag of an answer.
func tagOf(data []byte) string {
	sum := sha256.Sum256(data)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

// isText reports whether answers of a type become shorter when they are packed.
func isText(kind string) bool {
	kind, _, err := mime.ParseMediaType(kind)
	return err == nil && (strings.HasPrefix(kind, "text/") || slices.Contains(texted, kind) ||
		strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+yaml") || strings.HasSuffix(kind, "+xml"))
}

// texted are the types that are text and do not say so.
var texted = []string{jsonMedia, "application/xml"}

// packers are kept: one has tables of a megabyte.
var packers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // There is such a level.
	}
	return w
}}

// pack returns what an answer is packed, or nil if that is no shorter.
func (s *shape) pack(tag string, data []byte) []byte {
	if last := s.last.Load(); last != nil && last.tag == tag {
		return last.data
	}
	var b bytes.Buffer
	w := packers.Get().(*gzip.Writer) //nolint:errcheck // The pool holds nothing else.
	defer packers.Put(w)
	w.Reset(&b)
	if _, err := w.Write(data); err != nil {
		return nil // The answer is sent as it is.
	}
	if err := w.Close(); err != nil {
		return nil
	}
	short := b.Bytes()
	if len(short) >= len(data) {
		short = nil
	}
	s.last.Store(&packed{tag, short})
	return short
}
