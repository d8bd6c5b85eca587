package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/core/refusal"
	"drawhouse/house"
	"drawhouse/journal/public"
	"drawhouse/receipt"
)

// Logs is a house with a public log.
type Logs interface {
	// LogCheckpoint returns the newest checkpoint of the log that everybody may rely on.
	LogCheckpoint() ([]byte, error)
	// LogPart returns a tile of hashes, or a bundle of entries.
	LogPart(ctx context.Context, part public.Part) ([]byte, error)
}

// LogPath is where the public log stands, in the form of C2SP tlog-tiles.
const LogPath = "/v1/log/"

// keptForEver is said of a part that is full: it never changes.
const keptForEver = "public, max-age=31536000, immutable"

// logRoutes registers the public log.
func (s *server) logRoutes(l Logs) {
	s.serve(route{
		name: "get-log-checkpoint", path: LogPath + "checkpoint", tag: "log", who: everybody,
		says:    "The newest checkpoint of the public log: cosigned by the witnesses of the house, if it has any",
		refuses: string(NotStored), gives: texts("text/plain; charset=utf-8"), tells: "A signed note in the form of C2SP tlog-checkpoint.",
	}, func(w http.ResponseWriter, _ *http.Request) error {
		note, err := l.LogCheckpoint()
		if err != nil {
			return journalFault(err)
		}
		return writeLog(w, "text/plain; charset=utf-8", "no-cache", note)
	})
	s.serve(route{
		name: "get-log-part", path: LogPath + "tile/{part...}", tag: "log", who: everybody,
		says:    "A tile of hashes or a bundle of entries of the public log, by the path of C2SP tlog-tiles",
		refuses: string(NotStored),
		gives: map[string]*huma.MediaType{
			"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
		}, tells: "Hashes of 32 bytes, or entries, each behind its length in two bytes.",
	}, func(w http.ResponseWriter, r *http.Request) error {
		part, err := public.ParsePath("tile/" + r.PathValue("part"))
		if err != nil {
			return &refusal.Refusal{Code: NotStored, Path: "part", Sentence: "The path names no tile and no bundle of the log."}
		}
		data, err := l.LogPart(r.Context(), part)
		if err != nil {
			return journalFault(err)
		}
		kept := "no-cache"
		if part.Width == 0 {
			kept = keptForEver
		}
		return writeLog(w, "application/octet-stream", kept, data)
	})
}

// proofRoutes registers the proof that the seal of a game is in the public log.
func (s *server) proofRoutes() {
	s.serve(route{
		line: true, name: "prove-seal", path: "/v1/games/{day}/{number}/seal" + public.ProofSuffix, tag: "log", who: everybody,
		says:    "Proof that the seal of a game is in the public log, under the newest checkpoint that the witnesses have cosigned",
		refuses: "game_unknown not_logged not_sealed", gives: texts("text/plain; charset=utf-8"),
		tells: "A file in the form of C2SP tlog-proof, with the entry as its extra data.",
	}, func(w http.ResponseWriter, r *http.Request) error {
		g, err := s.gameAt(r)
		if err != nil {
			return err
		}
		proof, err := s.house.LogProof(r.Context(), g)
		if err != nil {
			return err
		}
		return writeLog(w, "text/plain; charset=utf-8", "no-cache", proof.Marshal())
	})
}

// codeRoutes registers the code that stands beside a sealed game on a wall.
func (s *server) codeRoutes() {
	s.serve(route{
		line: true, name: "show-seal-code", path: "/v1/games/{day}/{number}/code.svg", tag: "log", who: everybody,
		says:    "QR code with the address of the page that shows the seal of a game in the public log",
		refuses: "game_unknown not_sealed", gives: texts("image/svg+xml"), tells: "A picture, black on white.",
		internal: "It is a picture of the board; prove-seal has what the page behind the code shows.",
	}, func(w http.ResponseWriter, r *http.Request) error {
		g, err := s.gameAt(r)
		if err != nil {
			return err
		}
		if !g.Sealed() {
			return &refusal.Refusal{Code: house.NotSealed, Path: "game", Sentence: fmt.Sprintf("Game %v has no seal.", g.Ref)}
		}
		seal, err := s.house.Seal(r.Context(), g)
		if err != nil {
			return err
		}
		picture, err := receipt.Square(receipt.SealAddress(s.site(r), pageOf(g), seal.Body().Hash()))
		if err != nil {
			return err
		}
		return writeLog(w, "image/svg+xml", "no-cache", []byte(picture))
	})
}

// pageOf returns what the address of a game's page has behind /g/.
func pageOf(g house.Game) string {
	page := fmt.Sprintf("%v/%d", g.Ref.Day, g.Ref.Number)
	if g.Ref.Series != house.FirstSeries {
		page += fmt.Sprintf("?%s=%d", seriesName, g.Ref.Series)
	}
	return page
}

// site returns where players reach the pages of the house: as the house was told, or else where it was asked.
func (s *server) site(r *http.Request) string {
	switch {
	case s.papers.Site != "":
		return s.papers.Site
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// writeLog answers with a part of the log.
func writeLog(w http.ResponseWriter, media, kept string, data []byte) error {
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Cache-Control", kept)
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, err := w.Write(data)
	return err
}
