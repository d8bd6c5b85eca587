//go:build !soak

package sim

// soaking says that there is time for everything.
const soaking = false
