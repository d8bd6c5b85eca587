package api

import (
	"context"
	"log/slog"
)

// requestIDKey is the name under which a line of the log has the request that it belongs to.
const requestIDKey = "id"

// tagged adds to each line that is written while a request is answered the id of that request.
type tagged struct{ slog.Handler }

// tag returns a log whose lines name their request.
func tag(log *slog.Logger) *slog.Logger { return slog.New(tagged{log.Handler()}) }

// Handle implements slog.Handler.
func (t tagged) Handle(ctx context.Context, r slog.Record) error {
	if id := exchangeOf(ctx).ID; id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String(requestIDKey, id))
	}
	return t.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (t tagged) WithAttrs(attrs []slog.Attr) slog.Handler { return tagged{t.Handler.WithAttrs(attrs)} }

// WithGroup implements slog.Handler.
func (t tagged) WithGroup(name string) slog.Handler { return tagged{t.Handler.WithGroup(name)} }
