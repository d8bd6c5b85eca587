package game

import (
	"fmt"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// NoticeWrong: a notice to players cannot be shown, or is shown already.
const NoticeWrong refusal.Code = "notice_wrong"

// ShowNotice tells players something on every screen, or takes down what they were told
// if the text is empty. There is one notice at a time: who says something else takes the
// responsibility for what is no longer said.
func ShowNotice(s *state.State, series uint8, text string, by uint32) (*record.NoticeShown, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, err
	}
	return noticeOf(current, series, text, by)
}

func noticeOf(current *state.Series, series uint8, text string, by uint32) (*record.NoticeShown, error) {
	wrong := func(sentence string) error {
		return &refusal.Refusal{Code: NoticeWrong, Path: "text", Sentence: sentence}
	}
	switch {
	case record.CheckNotice(text) != nil || strings.TrimSpace(text) != text:
		return nil, wrong(fmt.Sprintf("A notice is one line of at most %d characters.", record.MostNotice))
	case text == current.Notice && text == "":
		return nil, wrong("No notice is shown.")
	case text == current.Notice:
		return nil, wrong("This notice is shown already.")
	}
	return &record.NoticeShown{Series: series, Text: text, By: by}, nil
}
