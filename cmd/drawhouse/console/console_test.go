package console

import "testing"

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000",
		1234567: "1,234,567"} {
		if got := Counted(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}
