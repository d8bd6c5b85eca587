package api

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// appendJSON appends the sale as json.Marshal writes it, for the one answer that
// is given all day long. All its texts but the checkpoint are digits, dates and
// base64, which need no escaping; TestSaleJSON compares the two.
func (s *Sale) appendJSON(b []byte) ([]byte, error) {
	b = append(append(b, `{"serial":"`...), s.Serial...)
	b = strconv.AppendUint(append(b, `","place":"`...), uint64(s.Place.Volume), 10)
	b = strconv.AppendUint(append(b, ':'), s.Place.Seq, 10)
	b = s.Time.AppendFormat(append(b, `","time":"`...), time.RFC3339Nano)
	b = strconv.AppendInt(append(b, `","cost_cents":`...), s.CostCents, 10)
	b = append(append(b, `,"first_game":{"day":"`...), s.FirstGame.Day...)
	b = strconv.AppendUint(append(b, `","game":`...), uint64(s.FirstGame.Game), 10)
	b = strconv.AppendUint(append(b, `,"ordinal":`...), uint64(s.FirstGame.Ordinal), 10)
	b = append(b, `},"last_game":{`...)
	if s.LastGame.Day != "" {
		b = append(append(append(b, `"day":"`...), s.LastGame.Day...), `",`...)
	}
	if s.LastGame.Game != nil {
		b = append(strconv.AppendUint(append(b, `"game":`...), uint64(*s.LastGame.Game), 10), ',')
	}
	b = strconv.AppendUint(append(b, `"ordinal":`...), uint64(s.LastGame.Ordinal), 10)
	b = strconv.AppendInt(append(b, `},"games":`...), int64(s.Games), 10)
	b = strconv.AppendUint(append(b, `,"session":`...), uint64(s.Session), 10)
	b = append(append(b, `,"ticket":`...), s.Ticket...)
	b = append(append(b, `,"leaf_hash":"`...), s.LeafHash...)
	b, err := appendQuoted(append(b, `","checkpoint":`...), s.Checkpoint)
	return append(b, '}'), err
}

// appendQuoted appends a text as json.Marshal writes it. The lines of a checkpoint are
// copied; a text with anything else in it is left to json.Marshal.
func appendQuoted(b []byte, text string) ([]byte, error) {
	const dash = "\u2014" // before a signature
	begin := len(b)
	b = append(b, '"')
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			b = append(b, `\n`...)
		case ' ' <= c && c <= '~' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&':
			b = append(b, c)
		case strings.HasPrefix(text[i:], dash):
			b = append(b, dash...)
			i += len(dash) - 1
		default:
			quoted, err := json.Marshal(text)
			return append(b[:begin], quoted...), err
		}
	}
	return append(b, '"'), nil
}

// encode writes an answer.
func encode(answer any) ([]byte, error) {
	if sale, ok := answer.(*Sale); ok {
		return sale.appendJSON(make([]byte, 0, saleBytes))
	}
	return json.Marshal(answer)
}

// saleBytes is room for the sale of a ticket of a few bets.
const saleBytes = 1024
