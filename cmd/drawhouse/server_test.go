package main

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"
)

// TestSlowRequestIsCutOff sends a request whose body never ends. Every deadline of
// the server is kept in proportion, so that the test is quick.
func TestSlowRequestIsCutOff(t *testing.T) {
	t.Parallel()
	server := newServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body) }),
		slog.New(slog.DiscardHandler))
	for _, d := range []*time.Duration{&server.ReadHeaderTimeout, &server.ReadTimeout, &server.WriteTimeout,
		&server.IdleTimeout} {
		if *d <= 0 {
			t.Fatal("a deadline is missing")
		}
		*d /= 100
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }() // It ends with the server's Close.
	defer server.Close()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := fmt.Fprint(client, "PUT / HTTP/1.1\r\nHost: house\r\nContent-Length: 1000\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	if err := client.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(client); err != nil {
		t.Errorf("the connection is still open: %v", err)
	}
}
