package journal

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// stamped returns the line of a cosignature that says a time. Its signature is of nobody.
func stamped(name string, seconds uint64) string {
	data := append([]byte("hash"), binary.BigEndian.AppendUint64(nil, seconds)...)
	return fmt.Sprintf("— %s %s\n", name, base64.StdEncoding.EncodeToString(append(data, make([]byte, 64)...)))
}

// TestStamps reads times of cosignatures a second before a deadline, at it and a second behind it. What has no time
// stays.
func TestStamps(t *testing.T) {
	const deadline = 1_794_711_600
	const body = "keno.example/log\n7\nroot\n\n"
	house := "— keno.example " + base64.StdEncoding.EncodeToString(make([]byte, 68)) + "\n"
	for seconds, stays := range map[uint64]bool{deadline - 1: true, deadline: true, deadline + 1: false,
		math.MaxInt64 + 1: false, math.MaxUint64: false, 0: true} {
		line := stamped("w.example", seconds)
		at, ok := CosignedAt([]byte(body+house+line), "w.example")
		if want := int64(min(seconds, math.MaxInt64)); !ok || at != want { //nolint:gosec // At most MaxInt64.
			t.Errorf("%d is read as %d, %v", seconds, at, ok)
		}
		want := body + house
		if stays {
			want += line
		}
		if kept := string(CosignedBy([]byte(body+house+line), deadline)); kept != want {
			t.Errorf("a cosignature of %d by %d: %q", seconds, deadline, kept)
		}
	}
	note := body + house + stamped("w.example", deadline-5) + stamped("w.example", deadline+5)
	if at, ok := CosignedAt([]byte(note), "w.example"); !ok || at != deadline+5 {
		t.Errorf("of two times %d counts, %v", at, ok)
	}
	for what, line := range map[string]string{"no cosignature": house, "another's": stamped("ww.example", 1),
		"a name that goes on": stamped("w.example.com", 1), "too short": stamped("w.example", 1)[:40] + "\n",
		"no base64": "— w.example " + strings.Repeat("*", 104) + "\n"} {
		if at, ok := CosignedAt([]byte(body+line), "w.example"); ok {
			t.Errorf("%s: %d", what, at)
		}
		if kept := string(CosignedBy([]byte(body+line), 0)); what != "another's" && what != "a name that goes on" &&
			kept != body+line {
			t.Errorf("%s is gone: %q", what, kept)
		}
	}
}
