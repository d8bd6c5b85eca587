package outside

import "time"

// deadline bounds a wait.
type deadline time.Time

func newDeadline() deadline { return deadline(time.Now().Add(Patience)) }

func (d deadline) over() bool { return time.Now().After(time.Time(d)) }

func (deadline) pause() { time.Sleep(20 * time.Millisecond) }
