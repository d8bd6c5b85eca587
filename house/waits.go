package house

import "sync"

// waits is what the log was told last of those for whom a game or a day waits. Both are tried
// again every second, and a log that said so every second would hide what else there is.
type waits struct {
	mu  sync.Mutex // guards all
	all map[string]string
}

// news takes in why somebody is waited for, or with an empty reason that nobody is any more,
// and reports whether that is something else than the log was told.
func (w *waits) news(whom, why string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all[whom] == why {
		return false
	}
	if why == "" {
		delete(w.all, whom)
		return true
	}
	if w.all == nil {
		w.all = map[string]string{}
	}
	w.all[whom] = why
	return true
}
