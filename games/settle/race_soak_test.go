//go:build soak

package settle

func init() { simulatedRaces, simulatedGames = 10_000_000, 20_000 }
