package house

import (
	"fmt"
	"sync"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// past is the journal as far as it is durable, for readers: proofs and
// checkpoints do not wait in the lane. Of each volume it keeps the frontier of the
// tree, some kilobytes.
type past struct {
	mu         sync.Mutex // guards what follows
	volume     uint16
	trees      map[uint16]*journal.Tree
	checkpoint []byte
}

// append adds records of the newest volume, or the first ones of a volume after it.
func (p *past) append(from record.Place, records [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trees == nil {
		p.trees = map[uint16]*journal.Tree{}
	}
	if from.Volume > p.volume {
		p.volume, p.trees[from.Volume] = from.Volume, journal.NewTree()
	}
	tree := p.trees[p.volume]
	for _, data := range records {
		tree.Append(data)
	}
	tree.TakeTiles() // They are in the store.
}

// adopt takes the tree of a volume that was replayed, which nobody else holds.
func (p *past) adopt(volume uint16, tree *journal.Tree) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trees == nil {
		p.trees = map[uint16]*journal.Tree{}
	}
	p.volume, p.trees[volume] = volume, tree
}

func (p *past) sign(checkpoint []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.checkpoint = checkpoint
}

// signed returns the newest signed checkpoint.
func (p *past) signed() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.checkpoint
}

// tree returns the tree of a volume as it stands.
func (p *past) tree(volume uint16) (*journal.Tree, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	tree, ok := p.trees[volume]
	if !ok {
		return nil, fmt.Errorf("house: there is no volume %d", volume)
	}
	return tree.Clone(), nil
}

// size returns how many records a volume has.
func (p *past) size(volume uint16) uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if tree, ok := p.trees[volume]; ok {
		return tree.Size()
	}
	return 0
}

// next returns the place behind the last record.
func (p *past) next() record.Place {
	p.mu.Lock()
	defer p.mu.Unlock()
	if tree, ok := p.trees[p.volume]; ok {
		return record.Place{Volume: p.volume, Seq: tree.Size()}
	}
	return record.Place{}
}
