package engine

import (
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// KeyTaken is the code of a request under a key that was carried out while this one waited.
const KeyTaken refusal.Code = "request_key_taken"

// checkKey refuses what was carried out under its key already. Who asks again is answered by the record of it, before
// this is asked: what comes here has crossed the first.
func (e *Engine) checkKey(env *command.Env) error {
	if env.Key == nil {
		return nil
	}
	if _, known := e.state.People().Keyed(env.Key.Person, env.Key.Key, env.Now); known {
		return &refusal.Refusal{Code: KeyTaken, Path: "Idempotency-Key",
			Sentence: "A request under this key was carried out just now. Send the same again for its answer."}
	}
	return e.sound(env.Now, env.Key.Record(e.state.Next()))
}

// key notes under which key a command was carried out, with the records of the command or not at all. What made no
// record needs no key: done again it makes none, or what it would make first.
func (e *Engine) key(now record.Time, env *command.Env, done told) {
	if env.Key != nil && done.body != nil {
		e.follow(now, command.Fact{Body: env.Key.Record(done.Place)})
	}
}
