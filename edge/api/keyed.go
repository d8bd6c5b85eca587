package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/house"
	"drawhouse/journal/record"
)

// KeyHeader names a request that must not be carried out twice: who has no answer sends the same request again under
// the same key, and is answered as the first time. What terminals number has no use of it.
//
// The key stands in the journal beside the records of the command, as a hash, and not in a table of its own: a house
// that starts again, and one that takes over, know it as well. It counts for a day.
const KeyHeader = "Idempotency-Key"

// The codes of keys. That a request under the key was carried out while this one waited is engine.KeyTaken.
const (
	// KeyOther: the key was used for another request.
	KeyOther refusal.Code = "request_key_other"
	// KeyWrong: the key is too short, too long or not written in plain characters.
	KeyWrong refusal.Code = "request_key_wrong"
	// KeyUnused: the operation takes no key.
	KeyUnused refusal.Code = "request_key_unused"
)

// The length of keys. The hash of what was asked stands in the journal for ever, and is made with the key: from a short
// one it could be guessed what was asked, such as a name.
const leastKey, mostKey = 16, 200

// keyParameter describes the header.
func keyParameter() *huma.Param {
	return &huma.Param{
		Name: KeyHeader, In: "header", Schema: &huma.Schema{Type: huma.TypeString},
		Description: fmt.Sprintf("A key of %d to %d plain characters, such as a UUID, new for each request: within a day the same request under the same key is answered again and not carried out again.",
			leastKey, mostKey),
	}
}

// keyed answers a request again that was carried out under its key, and has others carried out under theirs.
func (s *server) keyed(again func(http.ResponseWriter, *http.Request, record.Body) error, f handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		said := r.Header.Get(KeyHeader)
		if said == "" {
			return f(w, r)
		}
		key, err := s.readKey(w, r, said)
		if err != nil {
			return err
		}
		found, known := s.house.People().Keyed(key.Person, key.Key, record.Of(s.now()))
		switch {
		case !known:
			return f(w, r.WithContext(house.WithKey(r.Context(), key)))
		case found.Asked != key.Asked:
			return &refusal.Refusal{Code: KeyOther, Path: KeyHeader,
				Sentence: "The key was used for another request. Take a new key for a new request."}
		}
		done, err := s.house.BodyAt(r.Context(), found.Answer)
		if err != nil {
			return err
		}
		return again(w, r, done)
	}
}

// readKey reads the key of a request, with the hash of what is asked.
func (s *server) readKey(w http.ResponseWriter, r *http.Request, said string) (key command.Key, err error) {
	wrong := len(said) < leastKey || len(said) > mostKey
	for i := range len(said) {
		wrong = wrong || said[i] <= ' ' || said[i] > '~'
	}
	if wrong {
		return key, &refusal.Refusal{Code: KeyWrong, Path: KeyHeader,
			Sentence: fmt.Sprintf("A key has %d to %d letters, digits and signs without spaces.", leastKey, mostKey)}
	}
	body, err := hold(w, r)
	if err != nil {
		return key, err
	}
	c := callerOf(r)
	if key.Person = c.person.ID; c.terminal != 0 {
		post, _ := s.terminals.post(c.terminal)
		key.Person = post.Person
	}
	if key.Person == 0 {
		return key, &refusal.Refusal{Code: KeyUnused, Path: KeyHeader, Sentence: "A key is a person's. Sign on first."}
	}
	key.Key = sha256.Sum256([]byte(said))
	asked := hmac.New(sha256.New, []byte(said))
	_, _ = fmt.Fprintf(asked, "%s %s\n", r.Method, r.URL.RequestURI()) // A hash takes everything.
	_, _ = asked.Write(body)
	asked.Sum(key.Asked[:0])
	return key, nil
}

// withoutKey refuses a key where none is taken: its sender would rely on it.
func withoutKey(r *http.Request) error {
	if r.Header.Get(KeyHeader) == "" {
		return nil
	}
	return &refusal.Refusal{Code: KeyUnused, Path: KeyHeader,
		Sentence: "The operation takes no key. The description says which do."}
}
