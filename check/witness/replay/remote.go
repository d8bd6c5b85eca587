package replay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"drawhouse/check/witness"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// ErrUnread means that the other side did not answer, or refused to.
var ErrUnread = errors.New("the journal cannot be read")

const (
	// maxAnswer bounds an answer in JSON, and maxObject an object.
	maxAnswer = 256 << 20
	maxObject = 1 << 30
)

// A Remote is the journal of somebody who serves it. It is a [store.Source], of which
// any number of goroutines may use one at a time. What it returns is the other side's
// word, and for the caller to verify.
type Remote struct {
	URL   string // without a slash at its end
	House string // whose journal is asked for
	// Signer signs the questions, at the times of Now, in seconds since 1970 UTC.
	Signer journal.Signer
	Now    func() int64
	HTTP   *http.Client // nil is http.DefaultClient

	mu   sync.Mutex // guards page
	page page
}

// page holds the records that were read last: a copy asks for what they are about and
// then for themselves.
type page struct {
	volume  uint16
	from    uint64
	records [][]byte
}

var _ store.Source = (*Remote)(nil)

// get asks a signed question.
func (r *Remote) get(ctx context.Context, target string, limit int64) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL+target, nil)
	if err != nil {
		return nil, fmt.Errorf("replay: %w: %w", ErrUnread, err)
	}
	header, err := witness.SignAsk(r.Signer, r.House, request.URL.RequestURI(), r.Now())
	if err != nil {
		return nil, err
	}
	request.Header.Set(witness.AskHeader, header)
	client := r.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("replay: %w: %w", ErrUnread, err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("replay: %w: %w", ErrUnread, err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("replay: %w: %s has more than %d bytes", ErrUnread, target, limit)
	case response.StatusCode == http.StatusNotFound:
		return nil, fmt.Errorf("replay: %s: %w", target, store.ErrNotFound)
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("replay: %w: %s: %.300s", ErrUnread, response.Status, strings.TrimSpace(string(data)))
	}
	return data, nil
}

// contents asks for how far the journal goes, or for the names of objects, too.
func (r *Remote) contents(ctx context.Context, path string) (store.Contents, error) {
	data, err := r.get(ctx, path, maxAnswer)
	if err != nil {
		return store.Contents{}, err
	}
	var c Contents
	if err := json.Unmarshal(data, &c); err != nil {
		return store.Contents{}, fmt.Errorf("replay: %w: %s: %w", ErrUnread, path, err)
	}
	if len(c.Volumes) == 0 {
		return store.Contents{}, fmt.Errorf("replay: %w: %s has no volume", ErrUnread, path)
	}
	found := store.Contents{Objects: c.Objects}
	for i, h := range c.Volumes {
		root, err := base64.StdEncoding.DecodeString(h.Root)
		if err != nil || len(root) != journal.HashBytes || h.Volume == 0 || i > 0 && h.Volume <= c.Volumes[i-1].Volume {
			return store.Contents{}, fmt.Errorf("replay: %w: volume %d has root %q", ErrUnread, h.Volume, h.Root)
		}
		head := store.Head{Volume: h.Volume, Size: h.Size, Root: journal.Hash(root)}
		if h.Checkpoint != "" {
			head.Checkpoint = []byte(h.Checkpoint)
		}
		found.Volumes = append(found.Volumes, head)
	}
	return found, nil
}

// Volumes implements store.Reader.
func (r *Remote) Volumes(ctx context.Context) ([]store.Head, error) {
	c, err := r.contents(ctx, HeadPath)
	return c.Volumes, err
}

// Head implements store.Reader.
func (r *Remote) Head(ctx context.Context) (store.Head, error) {
	heads, err := r.Volumes(ctx)
	if err != nil {
		return store.Head{}, err
	}
	return heads[len(heads)-1], nil
}

// Contents implements store.Source.
func (r *Remote) Contents(ctx context.Context) (store.Contents, error) {
	return r.contents(ctx, ContentPath)
}

// Object implements store.Reader.
func (r *Remote) Object(ctx context.Context, name string) ([]byte, error) {
	return r.get(ctx, ObjectPath+"?name="+url.QueryEscape(name), maxObject)
}

// Record implements store.Reader.
func (r *Remote) Record(ctx context.Context, place record.Place) (data []byte, err error) {
	err = r.Records(ctx, place.Volume, place.Seq, place.Seq+1, func(_ uint64, found []byte) error {
		data = bytes.Clone(found)
		return nil
	})
	return data, err
}

// Records implements store.Reader.
func (r *Remote) Records(ctx context.Context, volume uint16, from, to uint64,
	fn func(seq uint64, data []byte) error) error {
	for from < to {
		records, err := r.read(ctx, volume, from, to)
		if err != nil {
			return err
		}
		for _, data := range records {
			if err := fn(from, data); err != nil {
				return err
			}
			from++
		}
	}
	return nil
}

// read returns at least one record from a sequence number on, and none from to on.
func (r *Remote) read(ctx context.Context, volume uint16, from, to uint64) ([][]byte, error) {
	r.mu.Lock()
	p := r.page
	r.mu.Unlock()
	if p.volume == volume && from >= p.from && from < p.from+uint64(len(p.records)) {
		have := p.records[from-p.from:]
		return have[:min(uint64(len(have)), to-from)], nil
	}
	target := strings.Replace(RecordsPath, "{volume}", strconv.Itoa(int(volume)), 1)
	data, err := r.get(ctx, fmt.Sprintf("%s?from=%d&to=%d", target, from, to), maxBytes+2*record.MaxBytes)
	if err != nil {
		return nil, err
	}
	records, err := splitRecords(data)
	if err != nil {
		return nil, fmt.Errorf("replay: %w: records from %d:%d on: %w", ErrUnread, volume, from, err)
	}
	if len(records) == 0 || uint64(len(records)) > to-from {
		return nil, fmt.Errorf("replay: %w: %d records came from %d:%d on", ErrUnread, len(records), volume, from)
	}
	return records, nil
}

// splitRecords reads records, each behind its length.
func splitRecords(data []byte) ([][]byte, error) {
	in := bufio.NewReader(bytes.NewReader(data))
	var records [][]byte
	for {
		length, err := binary.ReadUvarint(in)
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the length of a record: %w", err)
		}
		if length == 0 || length > record.MaxBytes {
			return nil, fmt.Errorf("a record of %d bytes", length)
		}
		one := make([]byte, length)
		if _, err := io.ReadFull(in, one); err != nil {
			return nil, fmt.Errorf("the last record is cut off: %w", err)
		}
		records = append(records, one)
	}
}

// Abouts implements store.Source. What a record is about stands in it.
func (r *Remote) Abouts(ctx context.Context, volume uint16, from, to uint64) (map[uint64]record.Place, error) {
	next := page{volume: volume, from: from}
	abouts := map[uint64]record.Place{}
	err := r.Records(ctx, volume, from, to, func(seq uint64, data []byte) error {
		next.records = append(next.records, data)
		about, err := subjectOf(data)
		if about.Volume != 0 {
			abouts[seq] = about
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.page = next
	r.mu.Unlock()
	return abouts, nil
}

// subjectOf returns the record that a record is about, or the zero place.
func subjectOf(data []byte) (record.Place, error) {
	if kind, ok := record.KindOf(data); ok && kind == record.KindTicketSold {
		return record.Place{}, nil // Nearly all are.
	}
	decoded, err := record.Decode(data)
	if err != nil {
		return record.Place{}, fmt.Errorf("replay: %w", err)
	}
	about, _ := decoded.Subject()
	return about, nil
}

// errOnlyKept is why tiles and indexes are not read from afar: they follow from the
// records.
var errOnlyKept = errors.New("replay: tiles and what records are about are made where a copy is kept")

// Tile implements store.Reader, and has none.
func (r *Remote) Tile(context.Context, uint16, uint8, uint64) ([]byte, error) {
	return nil, errOnlyKept
}

// About implements store.Reader, and knows of none.
func (r *Remote) About(context.Context, record.Place) ([]record.Place, error) {
	return nil, errOnlyKept
}
