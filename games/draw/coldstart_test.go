package draw

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// coldStart in the environment makes the test binary a house that starts, reads
// its first random bytes and ends.
const coldStart = "DRAWHOUSE_TEST_COLD_START"

func TestMain(m *testing.M) {
	if os.Getenv(coldStart) == "" {
		os.Exit(m.Run())
	}
	source, err := NewSource(rand.Reader)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	start := make([]byte, 32)
	if _, err := source.Read(start); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fingerprint := source.Fingerprint()
	fmt.Println(hex.EncodeToString(fingerprint[:]), hex.EncodeToString(start))
	os.Exit(0)
}

// TestThousandColdStarts starts a process with the real source a thousand times.
// No start is like another: a generator with one seed for all starts, or one of
// few, shows here. Among n seeds equal ones are found if n is below some 10^5.
func TestThousandColdStarts(t *testing.T) {
	starts := 1000
	if testing.Short() {
		starts = 50
	}
	var mu sync.Mutex // guards seen
	seen := make(map[string]bool)
	todo := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range todo {
				child := exec.Command(os.Args[0])
				child.Env = append(os.Environ(), coldStart+"=1")
				out, err := child.Output()
				words := strings.Fields(string(out))
				if err != nil || len(words) != 2 {
					t.Errorf("a start said %q: %v", out, err)
					continue
				}
				mu.Lock()
				for _, word := range words {
					if seen[word] {
						t.Errorf("two starts began with %s", word)
					}
					seen[word] = true
				}
				mu.Unlock()
			}
		})
	}
	for range starts {
		todo <- struct{}{}
	}
	close(todo)
	wg.Wait()
	if len(seen) != 2*starts {
		t.Errorf("%d different fingerprints and streams, want %d", len(seen), 2*starts)
	}
}
