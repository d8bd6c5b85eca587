package rulebook

import "slices"

// A simple game needs few rules. What a keno book leaves out has one meaning, which is here: it is not written into the
// file, whose hash stays, and has no clause to quote.

// fill gives a keno book the sections that it leaves out:
//
//   - entry_kinds: the kinds of terminal and the methods that the ways to enter have;
//   - rounding: down to the cent;
//   - cancellation: a ticket is given back anywhere until its first game closes;
//   - unclaimed: a prize lapses with the period in which it is paid;
//   - serials: sixteen digits;
//   - receipt: all that a ticket is;
//   - draw: a generator, or the links of custodians, and stakes go back where a draw cannot be finished;
//   - staffing: no game without a supervisor.
func (k *KenoFile) fill() {
	if k.EntryKinds.isAbsent() {
		for _, e := range k.Entry {
			if !slices.Contains(k.EntryKinds.Channels, e.Channel) {
				k.EntryKinds.Channels = append(k.EntryKinds.Channels, e.Channel)
			}
			if !slices.Contains(k.EntryKinds.Methods, e.Method) {
				k.EntryKinds.Methods = append(k.EntryKinds.Methods, e.Method)
			}
		}
	}
	if k.Rounding == (Rounding{}) {
		k.Rounding = Rounding{Step: 1, Mode: "floor"}
	}
	if len(k.Unclaimed) == 0 {
		k.Unclaimed = []Unclaimed{{Cite: k.Payout.Period.Cite, After: k.Payout.Period, Then: "lapsed"}}
	}
	if len(k.Serials) == 0 {
		k.Serials = []SerialForm{{Form: SerialDigits}}
	}
	if k.Receipt.Clause == "" && len(k.Receipt.Fields) == 0 {
		k.Receipt.Fields = []string{"serial", "bar_code", "kind", "numbers", "groups", "ways", "stake", "games", "first_game",
			"last_game", "features", "feature_games", "total", "terminal", "time", "keno_day"}
	}
	if d := &k.Draw; d.Clause == "" && len(d.Devices) == 0 && len(d.Unfinished) == 0 {
		d.Devices, d.Unfinished = []string{"rng", "witnessed"}, []string{"refund"}
	}
	if k.Staffing.Clause == "" && k.Staffing.Game == "" {
		k.Staffing.Game = "supervisor"
	}
}

func (e *EntryKinds) isAbsent() bool {
	return e.Clause == "" && len(e.Channels) == 0 && len(e.Methods) == 0
}
