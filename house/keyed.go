package house

import (
	"context"

	"drawhouse/decide/command"
)

type keyKey struct{}

// WithKey returns a context in which the next command of a person is done under a key: it is not done again under the
// same one for a day (engine.KeyTaken), and the state of people has the record that answers it. A context is for one
// command.
func WithKey(ctx context.Context, key command.Key) context.Context {
	return context.WithValue(ctx, keyKey{}, &key)
}

// takeKey returns the key of a context, or nil, and the context without it, for what is done before the command.
func takeKey(ctx context.Context) (*command.Key, context.Context) {
	key := keyOf(ctx)
	if key == nil {
		return nil, ctx
	}
	return key, context.WithValue(ctx, keyKey{}, (*command.Key)(nil))
}

// keyOf returns the key of a context, or nil.
func keyOf(ctx context.Context) *command.Key {
	key, _ := ctx.Value(keyKey{}).(*command.Key)
	return key
}
