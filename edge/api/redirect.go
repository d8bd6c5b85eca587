package api

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// ToTLS returns a handler for an address without TLS, which sends those who look at a page on to the same page by https
// at a port. It knows these names alone: an address where anybody could be sent anywhere helps those who lure people.
// What is no question it refuses, because it has come in the clear already, with the password in it.
func ToTLS(names []string, port string) http.Handler {
	known := hostsOf(names)
	if port != "" && port != "443" {
		port = ":" + port
	} else {
		port = ""
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Cache-Control"] = noStore // The port may be another one tomorrow.
		name, page := hostName(r.Host), r.URL.EscapedPath()
		_, err := netip.ParseAddr(name)
		switch {
		case err == nil || !known.have(name) || strings.Contains(name, "*"):
			http.Error(w, "This house is not reached by that name. Its operator names it with --acme-domain or --host.",
				http.StatusMisdirectedRequest)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, fmt.Sprintf("Nothing was done: requests are taken by https alone, at https://%s%s. What was sent here was not encrypted on its way; a password in it should be changed.",
				name, port), http.StatusMethodNotAllowed)
		case !strings.HasPrefix(page, "/"):
			http.Error(w, "The request names no page of this house.", http.StatusBadRequest)
		default:
			if r.URL.RawQuery != "" {
				page += "?" + r.URL.RawQuery
			}
			http.Redirect(w, r, "https://"+name+port+page, http.StatusPermanentRedirect)
		}
	})
}
