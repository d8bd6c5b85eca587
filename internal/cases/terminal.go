package cases

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"drawhouse/core/refusal"
	"drawhouse/edge/api"
	"drawhouse/edge/terminal"
	"drawhouse/journal/record"
)

// people is the crew of a house and the keys of its terminals.
func people(f *Founding) []record.Body {
	all := crew(f)
	if len(f.Cards) > 0 {
		all = append(all, roomCrew()...)
	}
	for _, t := range terminals(f) {
		all = append(all, &record.TerminalKeyed{Terminal: t.Terminal, Key: terminal.DemoPublic(t.Terminal)})
	}
	return all
}

// sendAt sends a request of a terminal, signed. A session that the house has
// forgotten, because the clock was set far ahead, is begun anew.
func (s *Served) sendAt(id uint32, method, path string, body, answer any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	for range 2 {
		if s.sessions[id] == nil {
			if err := s.hello(id); err != nil {
				return err
			}
		}
		err = s.sendSigned(s.sessions[id].Sign(method, path, data), method, path, data, answer)
		if refused := new(refusal.Refusal); !errors.As(err, &refused) || refused.Code != api.SessionOver {
			break
		}
		s.sessions[id] = nil
	}
	return err
}

// hello begins a session of a terminal.
func (s *Served) hello(id uint32) error {
	s.tick()
	hello, secret, err := terminal.Begin(terminal.DemoKey(id), id, s.clock.Now(), rand.Reader)
	if err != nil {
		return err
	}
	data, err := json.Marshal(hello)
	if err != nil {
		return err
	}
	var welcome terminal.Welcome
	if err := s.sendSigned("", http.MethodPost, fmt.Sprintf("/v1/terminals/%d/hello", id), data, &welcome); err != nil {
		return err
	}
	s.sessions[id], err = terminal.Finish(secret, id, hello, welcome)
	return err
}

// sendSigned sends a request with the header of its terminal, if it has one, and
// reads the answer. One that is an error becomes the refusal that it tells of.
func (s *Served) sendSigned(header, method, path string, data []byte, answer any) error {
	s.tick()
	request := httptest.NewRequest(method, path, bytes.NewReader(data))
	if header != "" {
		request.Header.Set(terminal.Header, header)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, request)
	if w.Code == http.StatusOK {
		return json.Unmarshal(w.Body.Bytes(), answer)
	}
	var e api.Error
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || e.Fault.Code == "" ||
		w.Code >= http.StatusInternalServerError {
		return fmt.Errorf("cases: %s %s: %d %s", method, path, w.Code, w.Body)
	}
	return &refusal.Refusal{Code: e.Fault.Code, Clause: e.Fault.Clause, Path: e.Fault.Field, Sentence: e.Fault.Sentence}
}
