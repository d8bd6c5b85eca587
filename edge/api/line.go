package api

import (
	"context"
	"math"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/house"
)

// seriesName is the parameter of a query that names a series of games.
const seriesName = "series"

// ofSeries describes the parameter.
func ofSeries() *huma.Param {
	return counted(seriesName, house.FirstSeries, math.MaxUint8, "Number of the series of games.")
}

type lineKey struct{}

// inLine finds the series of games that a request is about: the one that its query names, or the first.
func (s *server) inLine(f func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter,
	*http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := countParam(r, seriesName, house.FirstSeries, math.MaxUint8)
		if err != nil {
			return err
		}
		line, err := s.house.Line(uint8(id))
		if err != nil {
			return err
		}
		return f(w, r.WithContext(context.WithValue(r.Context(), lineKey{}, line)))
	}
}

// lineOf returns the series of games that a request is about. Its route says that it is about one.
func lineOf(r *http.Request) *house.Line {
	line, ok := r.Context().Value(lineKey{}).(*house.Line)
	if !ok {
		panic("api: the route " + r.Pattern + " does not say that it is about a series")
	}
	return line
}

// courseOf returns how the games of the series stand that a request is about.
func courseOf(r *http.Request) (*house.Line, house.Course, error) {
	line := lineOf(r)
	now, err := line.Course(r.Context())
	return line, now, err
}
