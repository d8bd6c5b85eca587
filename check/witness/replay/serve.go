package replay

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// The paths at which a journal is read. The house and the witness have the same, so
// that either can read from the other.
const (
	HeadPath    = "/v1/journal"
	ContentPath = "/v1/journal/contents"
	RecordsPath = "/v1/journal/volumes/{volume}/records"
	ObjectPath  = "/v1/journal/object"
)

const (
	// maxRecords and maxBytes bound one answer; who wants more asks again.
	maxRecords = 1 << 14
	maxBytes   = 8 << 20
)

// Head is how far a volume goes.
type Head struct {
	Volume     uint16 `json:"volume"`
	Size       uint64 `json:"size"`
	Root       string `json:"root" doc:"In base64."`
	Checkpoint string `json:"checkpoint,omitempty" doc:"The house's signed note of it; volumes that have ended may have none, and the next one's first record states their end."`
}

// Contents is what there is of a journal.
type Contents struct {
	Volumes []Head   `json:"volumes"`
	Objects []string `json:"objects,omitempty"`
}

// A BadRequest is a question that cannot be read, with the field that is wrong.
type BadRequest struct{ Field, Reason string }

func (b *BadRequest) Error() string { return b.Field + ": " + b.Reason }

// ServeHead answers how far the journal goes.
func ServeHead(w http.ResponseWriter, r *http.Request, from store.Reader) error {
	heads, err := from.Volumes(r.Context())
	if err != nil {
		return err
	}
	return writeJSON(w, Contents{Volumes: viewHeads(heads)})
}

// ServeContents answers what objects there are, too, as of one moment.
func ServeContents(w http.ResponseWriter, r *http.Request, from store.Source) error {
	c, err := from.Contents(r.Context())
	if err != nil {
		return err
	}
	return writeJSON(w, Contents{Volumes: viewHeads(c.Volumes), Objects: c.Objects})
}

func viewHeads(heads []store.Head) []Head {
	view := make([]Head, len(heads))
	for i, h := range heads {
		view[i] = Head{Volume: h.Volume, Size: h.Size, Root: h.Root.String(), Checkpoint: string(h.Checkpoint)}
	}
	return view
}

func writeJSON(w http.ResponseWriter, body any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(body)
}

// errFull ends an answer that is long enough.
var errFull = errors.New("the answer is full")

// ServeRecords answers with records of a volume, each behind its length, an unsigned
// varint, as an export has them: from the sequence number "from" on and before "to",
// as many as an answer takes.
func ServeRecords(w http.ResponseWriter, r *http.Request, from store.Reader) error {
	volume, err := number(r.PathValue("volume"), "volume", 1<<16-1)
	if err != nil {
		return err
	}
	first, err := number(r.URL.Query().Get("from"), "from", journal.MaxSize)
	if err != nil {
		return err
	}
	to, err := number(r.URL.Query().Get("to"), "to", journal.MaxSize)
	if err != nil {
		return err
	}
	if first >= to {
		return &BadRequest{"to", fmt.Sprintf("%d is not above %d", to, first)}
	}
	var out []byte
	err = from.Records(r.Context(), uint16(volume), first, min(to, first+maxRecords),
		func(_ uint64, data []byte) error {
			if len(out) > 0 && len(out)+len(data) > maxBytes {
				return errFull
			}
			out = append(binary.AppendUvarint(out, uint64(len(data))), data...)
			return nil
		})
	if err != nil && !errors.Is(err, errFull) {
		return err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	_, err = w.Write(out)
	return err
}

// maxName is the longest name of an object.
const maxName = 1024

// ServeObject answers with the object of a name.
func ServeObject(w http.ResponseWriter, r *http.Request, from store.Reader) error {
	name := r.URL.Query().Get("name")
	// A name with a NUL is an error of the database and not an absent object.
	if name == "" || record.CheckText(name, maxName) != "" {
		return &BadRequest{"name", "an object has a name of at most 1,024 characters"}
	}
	data, err := from.Object(r.Context(), name)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	_, err = w.Write(data)
	return err
}

func number(text, field string, limit uint64) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n > limit {
		return 0, &BadRequest{field, fmt.Sprintf("%q is not a number from 0 to %d", text, limit)}
	}
	return n, nil
}

// Handler serves a journal to those whom permit lets pass, for a witness whose house asks
// for what it has lost.
func Handler(from store.Source, permit func(*http.Request) error) http.Handler {
	mux := http.NewServeMux()
	for path, serve := range map[string]func(http.ResponseWriter, *http.Request) error{
		HeadPath:    func(w http.ResponseWriter, r *http.Request) error { return ServeHead(w, r, from) },
		ContentPath: func(w http.ResponseWriter, r *http.Request) error { return ServeContents(w, r, from) },
		RecordsPath: func(w http.ResponseWriter, r *http.Request) error { return ServeRecords(w, r, from) },
		ObjectPath:  func(w http.ResponseWriter, r *http.Request) error { return ServeObject(w, r, from) },
	} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			if err := permit(r); err != nil {
				http.Error(w, err.Error(), http.StatusForbidden)
				return
			}
			if err := serve(w, r); err != nil {
				http.Error(w, err.Error(), status(err))
			}
		})
	}
	return mux
}

func status(err error) int {
	switch bad := new(BadRequest); {
	case errors.As(err, &bad):
		return http.StatusBadRequest
	case errors.Is(err, store.ErrNotFound):
		return http.StatusNotFound
	}
	return http.StatusInternalServerError
}
