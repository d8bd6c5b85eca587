package logbook

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func open(t *testing.T, path string) (*Book, []string, error) {
	t.Helper()
	var lines []string
	b, err := Open(path, func(text []byte) error {
		lines = append(lines, string(text))
		return nil
	})
	if err == nil {
		t.Cleanup(func() { _ = b.Close() })
	}
	return b, lines, err
}

func TestAppendAndReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book")
	var want []string
	for i := range 5 {
		b, lines, err := open(t, path)
		if err != nil || !slices.Equal(lines, want) {
			t.Fatalf("%q, want %q: %v", lines, want, err)
		}
		text := strings.Repeat("x", i) // an empty line too
		if err := b.Append([]byte(text)); err != nil {
			t.Fatal(err)
		}
		want = append(want, text)
		if err := b.Append([]byte("two\nlines")); err == nil {
			t.Error("a newline was taken")
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		if err := b.Append([]byte("late")); err == nil {
			t.Error("a closed book takes lines")
		}
	}
}

// TestLine reads lines again by their places, of this owner and of the one before; anywhere else there is no line.
func TestLine(t *testing.T) {
	path, places := filepath.Join(t.TempDir(), "book"), map[int64]string{}
	for _, texts := range [][]string{{"one", "", "three"}, {"four"}} {
		told := 0
		b, err := OpenPlaced(path, func(at int64, text []byte) error {
			if told++; places[at] != string(text) {
				t.Errorf("%q is said to be at %d, where %q is", text, at, places[at])
			}
			return nil
		})
		if err != nil || told != len(places) {
			t.Fatalf("%d lines of %d: %v", told, len(places), err)
		}
		for _, text := range texts {
			at, err := b.AppendPlaced([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			places[at] = text
		}
		for at, text := range places {
			if got, err := b.Line(at); err != nil || string(got) != text {
				t.Errorf("at %d: %q, %v", at, got, err)
			}
			if got, err := b.Line(at + 1); err == nil {
				t.Errorf("at %d, within a line: %q", at+1, got)
			}
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(places) != 4 {
		t.Errorf("4 lines are at %d places", len(places))
	}
}

// TestCutAtEveryByte cuts a book everywhere, as a crash in the middle of a write
// may, and demands the whole lines before the cut, and that the next line stands
// behind them.
func TestCutAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "book")
	b, _, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two", "three"} {
		if err := b.Append([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	_ = b.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(data) + 1 {
		path := filepath.Join(dir, fmt.Sprint("cut", cut))
		if err := os.WriteFile(path, data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		whole := strings.Count(string(data[:cut]), "\n")
		b, lines, err := open(t, path)
		if err != nil || len(lines) != whole {
			t.Fatalf("cut at %d: %q, want %d lines: %v", cut, lines, whole, err)
		}
		if err := b.Append([]byte("next")); err != nil {
			t.Fatal(err)
		}
		_ = b.Close()
		if _, lines, err := open(t, path); err != nil || len(lines) != whole+1 || lines[whole] != "next" {
			t.Errorf("cut at %d and written on: %q: %v", cut, lines, err)
		}
	}
}

// TestDamageIsNotPassedOver changes every byte of a book.
func TestDamageIsNotPassedOver(t *testing.T) {
	dir := t.TempDir()
	const good = "e8b7be43 a\nc2a92b38 bc\n" // as zlib has the sums
	sound := filepath.Join(dir, "sound")
	if err := os.WriteFile(sound, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, lines, err := open(t, sound); err != nil || !slices.Equal(lines, []string{"a", "bc"}) {
		t.Fatalf("%q: %v", lines, err)
	}
	for i := range len(good) - 1 { // Without its last byte the last line is unfinished.
		damaged := []byte(good)
		damaged[i] ^= 1
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, lines, err := open(t, path); err == nil {
			t.Errorf("byte %d changed, and read as %q", i, lines)
		}
	}
}

// TestLongLines has the longest line, and a file that is one line longer.
func TestLongLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book")
	b, _, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	longest := []byte(strings.Repeat("x", maxLine-sumDigits-1))
	if err := b.Append(longest); err != nil {
		t.Fatal(err)
	}
	if err := b.Append(append(longest, 'x')); err == nil {
		t.Error("a line was taken that cannot be read again")
	}
	_ = b.Close()
	if _, lines, err := open(t, path); err != nil || len(lines) != 1 || len(lines[0]) != len(longest) {
		t.Errorf("%d lines: %v", len(lines), err)
	}
	other := filepath.Join(t.TempDir(), "picture")
	if err := os.WriteFile(other, append(longest, longest...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := open(t, other); err == nil {
		t.Error("a file that is no book was opened")
	}
}

// TestOtherFilesAreLeftAlone opens files that are no books, and finds them as they
// were; one that ends with zeros, as a crash may leave it, is a book.
func TestOtherFilesAreLeftAlone(t *testing.T) {
	for text, ok := range map[string]bool{
		"PRIVATE+KEY+x": false, "{}": false, "GIF89a": false, "e8b7be43xa": false,
		"": true, "\x00\x00\x00": true, "e8b7be43 a\n\x00\x00": true, "e8b7be43 a\ne8b7\x00\x00\x00\x00\x00\x00": true,
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := open(t, path)
		if (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
		if data, err := os.ReadFile(path); !ok && (err != nil || string(data) != text) {
			t.Errorf("%q became %q, %v", text, data, err)
		}
	}
}

func TestOneOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book")
	b, _, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := open(t, path); err == nil || !strings.Contains(err.Error(), "another process holds it") {
		t.Errorf("a second owner: %v", err)
	}
	_ = b.Close()
	if _, _, err := open(t, path); err != nil {
		t.Errorf("after the first: %v", err)
	}
}

// TestGoesOnAfterAFailure has a file that cannot be written for a while: nothing is acknowledged then, and what was not
// acknowledged is not in the book.
func TestGoesOnAfterAFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book")
	b, _, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Append([]byte("a")); err != nil {
		t.Fatal(err)
	}
	writable := b.file
	if b.file, err = os.Open(path); err != nil {
		t.Fatal(err)
	}
	if err := b.Append([]byte("b")); err == nil {
		t.Fatal("a line was written to a file that is open for reading")
	}
	if err := b.Append([]byte("c")); err == nil || !strings.Contains(err.Error(), "is not cut off yet") {
		t.Errorf("before the file is cut: %v", err)
	}
	if err := b.Err(); err == nil || !strings.Contains(err.Error(), "could not be written") {
		t.Errorf("the book says of itself: %v", err)
	}
	b.file = writable
	if _, err := writable.WriteAt([]byte(sum([]byte("b"))+"b"), b.end); err != nil { // A part of b came into the file.
		t.Fatal(err)
	}
	at, err := b.AppendPlaced([]byte("d"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := b.Line(at); err != nil || string(text) != "d" {
		t.Errorf("the line at %d is %q, %v", at, text, err)
	}
	if err := b.Err(); err != nil {
		t.Errorf("the book says of itself after a line that was written: %v", err)
	}
	_ = b.Close()
	if _, lines, err := open(t, path); err != nil || !slices.Equal(lines, []string{"a", "d"}) {
		t.Errorf("the book has %q, %v", lines, err)
	}
}

// TestNothingAfterASync has a file that takes bytes and cannot be synced: that is final.
func TestNothingAfterASync(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book")
	b, _, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	// A pipe stands in for the file where bytes are written: it cannot be synced.
	writable := b.file
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	defer in.Close()
	b.file = in
	b.path = fmt.Sprintf("/dev/fd/%d", in.Fd())
	if err := b.Append([]byte("a")); err == nil {
		t.Fatal("a line is acknowledged that was not synced")
	}
	b.file, b.path = writable, path
	if err := b.Append([]byte("b")); err == nil || !strings.Contains(err.Error(), "nothing more is written") {
		t.Errorf("after a sync that failed: %v", err)
	}
	if err := b.Err(); err == nil || !strings.Contains(err.Error(), "nothing more is written") {
		t.Errorf("the book says of itself: %v", err)
	}
}

// FuzzRead reads files of others: what is read is exactly the beginning of the file, and
// what is behind it may be the rest of one line.
func FuzzRead(f *testing.F) {
	whole := sum([]byte("one")) + "one\n" + sum(nil) + "\n"
	for _, file := range []string{"", whole, whole + sum([]byte("two"))[:4], whole + "\x00\x00\x00", "no book\n",
		"no book", strings.Replace(whole, "one", "0ne", 1)} {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		var again []byte
		end, err := read(bytes.NewReader(file), func(at int64, text []byte) error {
			if at != int64(len(again)) {
				t.Errorf("the line behind %q is at %d", again, at)
			}
			again = append(append(append(again, sum(text)...), text...), '\n')
			return nil
		})
		if !bytes.HasPrefix(file, again) {
			t.Fatalf("%q was read as %q", file, again)
		}
		if err == nil && (end != int64(len(again)) || bytes.IndexByte(file[end:], '\n') >= 0) {
			t.Errorf("of %q %d bytes are whole lines, and it says %d", file, len(again), end)
		}
	})
}

// TestBookTakenAway: nothing is acknowledged by a book whose file was removed, renamed, cut or
// exchanged while it is open, and nothing after that, though a file is there again.
func TestBookTakenAway(t *testing.T) {
	for name, take := range map[string]func(path string) error{
		"removed":   os.Remove,
		"renamed":   func(path string) error { return os.Rename(path, path+".old") },
		"exchanged": func(path string) error { return os.Rename(path+".other", path) },
		"cut":       func(path string) error { return os.Truncate(path, 5) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "book")
			if err := os.WriteFile(path+".other", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			b, _, err := open(t, path)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Append([]byte("one")); err != nil {
				t.Fatal(err)
			}
			if err := b.Err(); err != nil {
				t.Errorf("a book that is well says: %v", err)
			}
			if err := take(path); err != nil {
				t.Fatal(err)
			}
			if b.Err() == nil {
				t.Error("the book does not say that it is lost")
			}
			if err := b.Append([]byte("two")); err == nil {
				t.Error("a line is acknowledged that nobody will read")
			}
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := b.Append([]byte("three")); err == nil {
				t.Error("the book goes on after it was lost")
			}
		})
	}
}
