package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// maxRequest bounds a request: a thousand recent results and a seal.
const maxRequest = 1 << 20

// The requests and answers, as JSON.
type (
	drawJSON struct {
		Series   string `json:"series"`
		Day      string `json:"day"`
		Game     uint32 `json:"game"`
		Revision uint32 `json:"revision"`
	}
	startJSON struct {
		drawJSON
		Of     uint8   `json:"of"`
		Least  int     `json:"least"`
		Most   int     `json:"most"`
		Seal   string  `json:"seal"`
		Drawn  []int   `json:"drawn"`
		Recent [][]int `json:"recent"`
	}
	nextJSON struct {
		drawJSON
		Place int `json:"place"`
	}
	// answerJSON is the answer to every request. A number may come with an error.
	answerJSON struct {
		Key    string `json:"key,omitempty"`
		Number int    `json:"number,omitempty"`
		Bytes  []byte `json:"bytes,omitempty"`
		Note   string `json:"note,omitempty"`
		Code   string `json:"code,omitempty"`
		Error  string `json:"error,omitempty"`
	}
)

func (d drawJSON) game() journal.Game {
	return journal.Game{Series: d.Series, Day: d.Day, Number: d.Game}
}

// codes are the errors that the house's side knows again.
var codes = map[string]error{
	"seal":          draw.ErrSeal,
	"contradiction": draw.ErrContradiction,
	"repeated":      draw.ErrRepeated,
	"turn":          draw.ErrTurn,
	"stuck":         draw.ErrStuck,
	"redraw":        ErrRedraw,
	"not_started":   ErrNotStarted,
}

// failed returns the answer for an error.
func failed(err error) answerJSON {
	a := answerJSON{Error: err.Error(), Code: "refused"}
	for code, known := range codes {
		if errors.Is(err, known) {
			a.Code = code
		}
	}
	return a
}

// Handler returns the device as a server, which answers the house alone.
func (d *Device) Handler() http.Handler { return d.forHouse(d.mux()) }

// mux answers requests of the house.
func (d *Device) mux() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/device", func(w http.ResponseWriter, _ *http.Request) {
		a := answerJSON{Key: d.Key()}
		if err := d.Err(); err != nil {
			a.Code, a.Error = "stopped", err.Error()
		}
		reply(w, a)
	})
	mux.HandleFunc("POST /v1/start", answering(d.answerStart))
	mux.HandleFunc("POST /v1/next", answering(func(r nextJSON) answerJSON {
		pick, err := d.Next(r.game(), r.Revision, r.Place)
		a := answerJSON{}
		if err != nil {
			a = failed(err)
		}
		a.Number, a.Bytes = pick.Number, pick.Bytes
		return a
	}))
	mux.HandleFunc("POST /v1/sign", answering(func(r drawJSON) answerJSON {
		note, err := d.Sign(r.game(), r.Revision)
		if err != nil {
			return failed(err)
		}
		return answerJSON{Note: string(note)}
	}))
	return mux
}

// answering reads a request strictly and writes the answer.
func answering[R any](answer func(R) answerJSON) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var request R
		decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(&request)
		if err == nil {
			if _, more := decoder.Token(); more != io.EOF {
				err = errors.New("something follows the request")
			}
		}
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			reply(w, failed(fmt.Errorf("remote: the request cannot be read: %w", err)))
			return
		}
		reply(w, answer(request))
	}
}

func reply(w http.ResponseWriter, a answerJSON) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a) // A client that is gone asks again.
}

func (d *Device) answerStart(r startJSON) answerJSON {
	plan := draw.Plan{Game: r.game(), Revision: r.Revision, Universe: ball.Universe(r.Of), Least: r.Least, Most: r.Most}
	if err := plan.Check(); err != nil {
		return failed(err)
	}
	seal, err := d.config.Keys.OpenSeal([]byte(r.Seal))
	if err != nil {
		return failed(fmt.Errorf("remote: %v: %w: %w", plan.Game, draw.ErrSeal, err))
	}
	drawn, err := ball.NewSequence(plan.Universe, r.Drawn...)
	if err != nil {
		return failed(err)
	}
	recent := make([]ball.Sequence, len(r.Recent))
	for i, numbers := range r.Recent {
		if recent[i], err = ball.NewSequence(plan.Universe, numbers...); err != nil {
			return failed(err)
		}
	}
	if err := d.Start(plan, seal, drawn, recent); err != nil {
		return failed(err)
	}
	return answerJSON{}
}
