package house

import (
	"sync"

	"drawhouse/decide/engine"
	"drawhouse/decide/state"
	"drawhouse/house/live"
	"drawhouse/journal"
	"drawhouse/journal/snapshot"
)

// memory is what the records of the journal add up to in a house, for the lane and for
// readers. Everything else that a house has it makes anew at its start.
type memory struct {
	Engine  *engine.Engine
	History *history
	Past    *past
	Hub     *live.Hub
}

// newMemory returns what a house knows before the first record.
func (h *House) newMemory() memory {
	return memory{
		Engine: h.newEngine(h.keys()), History: newHistory(), Past: new(past),
		Hub: live.NewHub(live.Options{Results: h.config.Results, Source: h.config.Store, Now: h.config.Clock.Now}),
	}
}

// newEngine returns an engine before the first record.
func (h *House) newEngine(keys *Keys) *engine.Engine {
	e := engine.New(keys.House)
	if h.config.FreshGames > 0 {
		e.State().KeepFresh(h.config.FreshGames)
	}
	return e
}

// remember has readers see a memory. It is for a house that is being opened.
func (h *House) remember(m memory) { h.history, h.past, h.hub = m.History, m.Past, m.Hub }

// memoryForm is how a memory is written.
var memoryForm = sync.OnceValue(func() *snapshot.Form[memory] {
	form, err := snapshot.For[memory]()
	if err != nil {
		panic(err) // TestSnapshotForm: the types are those of this program.
	}
	return form
})

// memoryIs says what a memory holds and how it is written.
type memoryIs struct {
	layout         journal.Hash // of the types
	state, version uint64
}

// formOfMemory is what this program's memory is.
func formOfMemory() memoryIs {
	return memoryIs{layout: memoryForm().Layout(), state: state.HashForm, version: memoryVersion}
}
