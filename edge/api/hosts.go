package api

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"drawhouse/core/refusal"
)

// HostUnknown: the request names a host that is not this house.
const HostUnknown refusal.Code = "host_unknown"

// Hosted returns a handler that answers requests to hosts of these names alone, and to any
// host that is an address. A page elsewhere that makes a name of its own lead to the house
// (DNS rebinding) would otherwise be of the same origin as the house. An address in the
// place of a name cannot be made to lead elsewhere, and localhost is always this machine.
func Hosted(next http.Handler, names []string) http.Handler {
	known := hostsOf(append([]string{"localhost"}, names...))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := hostName(r.Host)
		_, err := netip.ParseAddr(name)
		// HTTP/1.0 names no host, and no browser speaks it.
		if known.have(name) || err == nil || r.Host == "" && !r.ProtoAtLeast(1, 1) ||
			strings.HasSuffix(name, ".localhost") {
			next.ServeHTTP(w, r)
			return
		}
		exchangeOf(r.Context()).Code = HostUnknown
		data, _ := encode(refusedWith(&refusal.Refusal{ // A few texts always encode.
			Code: HostUnknown, Path: "Host",
			Sentence: "This house is not reached by that name. Its operator names it with --host.",
		}))
		writeBytes(w, http.StatusMisdirectedRequest, data)
	})
}

// hosts are the names of a house.
type hosts map[string]bool

func hostsOf(names []string) hosts {
	h := hosts{}
	for _, name := range names {
		h[hostName(name)] = true
	}
	return h
}

// have reports whether a name is among them. As in a certificate, *.example is any one name below example.
func (h hosts) have(name string) bool {
	_, parent, _ := strings.Cut(name, ".")
	return h[name] || h["*."+parent]
}

// hostName returns the name in a Host header: without port, brackets and the dot at its
// end, in small letters.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}
