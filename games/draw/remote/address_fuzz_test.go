package remote

import (
	"net"
	"strings"
	"testing"
)

// FuzzSplitAddress reads any text as the address of a device: nothing but a path or this
// machine is taken.
func FuzzSplitAddress(f *testing.F) {
	for _, text := range []string{"unix:/run/device", "127.0.0.1:9", "localhost:9", "[::1]:9", "example.org:9", "unix:",
		""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		network, where, err := SplitAddress(text)
		if err != nil {
			return
		}
		if network == "unix" && "unix:"+where == text {
			return
		}
		host, _, err := net.SplitHostPort(where)
		if ip := net.ParseIP(strings.TrimSpace(host)); err != nil || network != "tcp" || host != "localhost" &&
			(ip == nil || !ip.IsLoopback()) {
			t.Errorf("%q is %s %q", text, network, where)
		}
	})
}
