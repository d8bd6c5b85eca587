package person

import (
	"crypto/rand"
	"sync"
	"testing"

	"drawhouse/decide/command"
)

// TestManyAtOnce has many people kept and read at once, as when a venue opens: nobody is
// refused because somebody else writes.
func TestManyAtOnce(t *testing.T) {
	const people, each = 16, 20
	for name, open := range registers {
		t.Run(name, func(t *testing.T) {
			r := open(t)
			t.Cleanup(func() { must(t, r.Close()) })
			var group sync.WaitGroup
			for range people {
				group.Go(func() {
					for range each {
						c, err := NewCustomer(command.Customer{Name: "Ada"}, rand.Reader)
						if err == nil {
							err = r.PutCustomer(t.Context(), c)
						}
						if err == nil {
							_, err = r.Customer(t.Context(), c.Hash())
						}
						if err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			group.Wait()
		})
	}
}
