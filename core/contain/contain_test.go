package contain

import (
	"errors"
	"strings"
	"testing"
)

func TestDo(t *testing.T) {
	plain := errors.New("no")
	if err := Do("a test", func() error { return plain }); !errors.Is(err, plain) {
		t.Errorf("an error becomes %v", err)
	}
	if err := Do("a test", func() error { return nil }); err != nil {
		t.Errorf("what passes gives %v", err)
	}
	err := Do("a test", func() error { panic("broken") })
	p := new(Panic)
	if !errors.As(err, &p) || !errors.Is(err, ErrPanicked) || err.Error() != "the program panicked in a test: broken" {
		t.Fatalf("a panic becomes %v", err)
	}
	if !strings.Contains(string(p.Stack), "contain_test.go") {
		t.Errorf("the stack does not say where:\n%s", p.Stack)
	}
}

// TestGo: neither a panic of the work nor one of what is told ends the process, and who
// waits is told.
func TestGo(t *testing.T) {
	told := make(chan error, 3)
	tell := func(err error) { told <- err }
	Go("a test", func() error { return nil }, tell)
	if err := <-told; err != nil {
		t.Errorf("what passes gives %v", err)
	}
	Go("a test", func() error { panic("broken") }, tell)
	if err := <-told; !errors.Is(err, ErrPanicked) {
		t.Errorf("a panic gives %v", err)
	}
	Go("a test", func() error { return nil }, func(err error) { tell(err); panic("broken, too") })
	if err := <-told; err != nil {
		t.Errorf("what passes gives %v", err)
	}
}
