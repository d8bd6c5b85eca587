package verify

import (
	"slices"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// theLog is the log under check: its volumes, and the tree of the one that is read.
type theLog struct {
	house   House
	volumes []*volume            // in their order
	current int                  // the one under check
	total   uint64               // records of all of them
	earlier []journal.Checkpoint // of the volumes under check and to come, that are still to be met
	tree    merkle
	// lastSeal is the size of the log at the last seal whose root was right.
	lastSeal uint64
}

// keys returns the keys of house and draws in the volumes so far, with what they sign.
func (l *theLog) keys() map[string]string {
	keys := map[string]string{}
	for _, v := range l.volumes[:l.current+1] {
		if v.begun != nil {
			keys[v.begun.HouseKey], keys[v.begun.DeviceKey] = "the house", "the draw device"
		}
	}
	return keys
}

// size returns how many records of the volume were read, and root the root of their tree.
func (l *theLog) size() uint64 { return l.tree.size }
func (l *theLog) root() hash   { return l.tree.root() }

// past returns where the volumes before the one under check ended.
func (l *theLog) past() (ended []journal.Checkpoint) {
	for _, v := range l.volumes[:l.current] {
		ended = append(ended, v.end)
	}
	return ended
}

// restored reports whether the volume under check or one before it began because a copy was restored.
func (l *theLog) restored() bool {
	return slices.ContainsFunc(l.volumes[:l.current+1], func(v *volume) bool {
		return v.begun != nil && v.begun.Reason == record.ReasonRestore
	})
}

// leaf returns the hash of the record under check.
func (l *theLog) leaf() hash { return l.tree.last }

// first returns the first volume.
func (l *theLog) first() *volume { return l.volumes[0] }

// sealedAt notes the size of the log at a seal whose root was right.
func (l *theLog) sealedAt(size uint64) { l.lastSeal = size }

// volumeOf returns the volume of an origin, or the one under check.
func (l *theLog) volumeOf(origin string) *volume {
	for _, v := range l.volumes {
		if v.end.Origin == origin {
			return v
		}
	}
	return l.volumes[l.current]
}
