//go:build soak

package settle

func init() { simulatedRaces = 10_000_000 }
