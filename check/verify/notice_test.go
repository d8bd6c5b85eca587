package verify

import (
	"testing"

	"drawhouse/journal/record"
)

// TestNoticeShown refuses notices that no honest house would record.
func TestNoticeShown(t *testing.T) {
	for _, c := range []struct {
		name, shown, text string
		series            uint8
		bad               bool
	}{
		{"a notice", "", "The bar closes at ten.", 1, false},
		{"another in its place", "The bar closes at ten.", "The bar closes at eleven.", 1, false},
		{"taken down", "The bar closes at ten.", "", 1, false},
		{"of a series that has not begun", "", "Hello", 2, true},
		{"taken down twice", "", "", 1, true},
		{"shown twice", "Hello", "Hello", 1, true},
		{"of two lines", "", "two\nlines", 1, true},
		{"with air around it", "", " Hello", 1, true},
	} {
		check := &checker{series: [256]*series{1: {notice: c.shown}}}
		err := check.noticeShown(&record.NoticeShown{Series: c.series, Text: c.text, By: 7})
		if (err != nil) != c.bad {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil && check.series[1].notice != c.text {
			t.Errorf("%s: players are told %q", c.name, check.series[1].notice)
		}
	}
}
