//go:build soak

package postgres_test

// A thousand histories and not five thousand, as elsewhere: those would take half an hour in which nothing else is left
// to do.
func init() { cutStep, terminations, histories = 1, 200, 1000 }
