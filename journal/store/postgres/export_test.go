package postgres

import (
	"context"
	"testing"
	"time"
)

// Impatient shortens how long appends wait for an answer, until the test ends.
func Impatient(t *testing.T, most time.Duration) {
	before := answerMost
	answerMost = most
	t.Cleanup(func() { answerMost = before })
}

// Listening makes every Changed wait for announcements alone, until the test ends.
func Listening(t *testing.T) {
	before := lookAgain
	lookAgain = time.Hour
	t.Cleanup(func() { lookAgain = before })
}

// WriterSetting asks the writer's session for one of its settings.
func WriterSetting(s *Store, name string) (value string, err error) {
	err = s.writer.conn.QueryRow(context.Background(), "SELECT current_setting($1)", name).Scan(&value)
	return value, err
}

// Silence keeps a store that has announced nothing yet from announcing anything.
func Silence(s *Store) { s.announcing.Do(func() {}) }

// Queries are the queries of readers, with the index that each is to use.
var Queries = map[string]string{
	selectRecord:  "Index Scan using record_pkey",
	selectRecords: "Index Scan using record_pkey",
	selectTile:    "Index Scan using tile_pkey",
	selectAbout:   "Index Only Scan using record_about",
}
