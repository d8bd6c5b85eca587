//go:build soak

package sim

const soaking = true
