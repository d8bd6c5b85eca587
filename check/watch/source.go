package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"drawhouse/journal/public"
)

// CheckpointPath is where a log has its newest checkpoint.
const CheckpointPath = "checkpoint"

// ErrNone means that a source does not have what was asked for. It wraps fs.ErrNotExist.
var ErrNone = fmt.Errorf("watch: the log does not have this: %w", fs.ErrNotExist)

// A Source is where a log is read, by the paths of C2SP tlog-tiles.
type Source interface {
	Read(ctx context.Context, path string) ([]byte, error)
}

// Open returns the source of an address: a log that is served by HTTP, or the folder of a mirror.
func Open(address string) Source {
	if strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
		return served{strings.TrimSuffix(address, "/"), &http.Client{Timeout: patience}}
	}
	return Mirror(address)
}

const (
	// patience is how long a source may take for a part.
	patience = 30 * time.Second
	// maxPart is the greatest length of a part: a bundle of entries of the greatest length.
	maxPart = public.BundleWidth * (public.MaxEntry + 2)
)

// served is a log that is served by HTTP.
type served struct {
	url    string
	client *http.Client
}

// Read implements Source.
func (s served) Read(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/"+path, nil)
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return nil, fmt.Errorf("%s: %w", path, ErrNone)
	default:
		return nil, fmt.Errorf("watch: %s: the log answers %s", path, answer.Status)
	}
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxPart+1))
	if err == nil && len(data) > maxPart {
		err = fmt.Errorf("more than %d bytes", maxPart)
	}
	if err != nil {
		return nil, fmt.Errorf("watch: %s: %w", path, err)
	}
	return data, nil
}

// A Mirror is a folder with the files of a log.
type Mirror string

// Read implements Source.
func (m Mirror) Read(_ context.Context, path string) ([]byte, error) { return m.read(path) }

func (m Mirror) read(path string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(string(m), filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", path, ErrNone)
	}
	return data, err
}

// write writes a file whole or not at all.
func (m Mirror) write(path string, data []byte) error {
	name := filepath.Join(string(m), filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	unfinished := name + ".new"
	if err := os.WriteFile(unfinished, data, 0o644); err != nil { //nolint:gosec // The log is public.
		return fmt.Errorf("watch: %w", err)
	}
	if err := os.Rename(unfinished, name); err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	return nil
}
