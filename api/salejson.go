package api

import (
	"encoding/json"
	"strconv"
	"time"
)

// appendJSON appends the sale as json.Marshal writes it, for the one answer that
// is given all day long. All its texts but the checkpoint are digits, dates and
// base64, which need no escaping; TestSaleJSON compares the two.
func (s *Sale) appendJSON(b []byte) ([]byte, error) {
	checkpoint, err := json.Marshal(s.Checkpoint)
	if err != nil {
		return nil, err
	}
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
	b = append(append(b, `","checkpoint":`...), checkpoint...)
	return append(b, '}'), nil
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
