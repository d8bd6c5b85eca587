package ball

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string][]int{
		"":                 {},
		"  ":               {},
		"7":                {7},
		"07":               {7},
		"3 1 2":            {1, 2, 3},
		"1,2,3":            {1, 2, 3},
		" 1 ,  2, 3 ":      {1, 2, 3},
		"1-5 9":            {1, 2, 3, 4, 5, 9},
		"79-80, 1-1, 40":   {1, 40, 79, 80},
		"1 2, 3":           {1, 2, 3},
		"62\t63\n64\r\n65": {62, 63, 64, 65},
	} {
		s, err := Parse(Keno, text)
		if err != nil || !s.IsValid() || !slices.Equal(s.Numbers(), want) {
			t.Errorf("Parse(%q) = %v, %v; want %v", text, s, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"0":      ErrRange,
		"81":     ErrRange,
		"78-81":  ErrRange,
		"0-3":    ErrRange,
		"5 5":    ErrRepeat,
		"1-5 3":  ErrRepeat,
		"5-1":    ErrSyntax,
		"001":    ErrSyntax,
		"100":    ErrSyntax,
		"1,,2":   ErrSyntax,
		"1,2,":   ErrSyntax,
		",1":     ErrSyntax,
		",":      ErrSyntax,
		"-1":     ErrSyntax,
		"1-":     ErrSyntax,
		"1-2-3":  ErrSyntax,
		"1 - 3":  ErrSyntax,
		"one":    ErrSyntax,
		"1;2":    ErrSyntax,
		"+1":     ErrSyntax,
		"\u0661": ErrSyntax,
	} {
		if s, err := Parse(Keno, text); !errors.Is(err, want) || s.IsValid() {
			t.Errorf("Parse(%q) = %v, %v; want %v", text, s, err, want)
		}
	}
	if _, err := Parse(0, "1"); !errors.Is(err, ErrUniverse) {
		t.Errorf("Parse of no universe: %v", err)
	}
}

func TestParseSequence(t *testing.T) {
	for text, want := range map[string][]int{
		"":         {},
		"42 3 17":  {42, 3, 17},
		"42,3, 17": {42, 3, 17},
	} {
		q, err := ParseSequence(Keno, text)
		if err != nil || !q.IsValid() || !slices.Equal(q.Numbers(), want) {
			t.Errorf("ParseSequence(%q) = %v, %v; want %v", text, q, err, want)
		}
	}
	for text, want := range map[string]error{
		"1-3":   ErrSyntax,
		"1,,3":  ErrSyntax,
		"3 1 3": ErrRepeat,
		"81":    ErrRange,
	} {
		if q, err := ParseSequence(Keno, text); !errors.Is(err, want) || q.IsValid() {
			t.Errorf("ParseSequence(%q) = %v, %v; want %v", text, q, err, want)
		}
	}
}

// FuzzParse holds both parsers to what they promise of an accepted text: its
// numbers are distinct, belong to the universe and read back from String.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "1 2 3", "1,2,3", "1-5 9", "80", "90", "3 3", "1-", "01 2"} {
		f.Add(uint8(Keno), text)
		f.Add(uint8(Bingo), text)
	}
	f.Fuzz(func(t *testing.T, universe uint8, text string) {
		u := Universe(universe)
		s, err := Parse(u, text)
		if (err == nil) != s.IsValid() {
			t.Fatalf("Parse(%d, %q) = %#v, %v", u, text, s, err)
		}
		if err == nil {
			if again, err := Parse(u, s.String()); err != nil || again != s {
				t.Fatalf("%q reads as %v, which reads as %v, %v", text, s, again, err)
			}
			if s.Overlap(Full(u)) != s.Len() {
				t.Fatalf("Parse(%d, %q) = %v, outside its universe", u, text, s)
			}
		}
		q, err := ParseSequence(u, text)
		if (err == nil) != q.IsValid() {
			t.Fatalf("ParseSequence(%d, %q) = %#v, %v", u, text, q, err)
		}
		if err != nil {
			return
		}
		if q.Set() != s || q.Len() != s.Len() {
			t.Fatalf("%q is the sequence %v but the set %v", text, q, s)
		}
		if again, err := ParseSequence(u, q.String()); err != nil || again != q {
			t.Fatalf("%q reads as %v, which reads as %v, %v", text, q, again, err)
		}
	})
}

func FuzzSequenceBinary(f *testing.F) {
	for _, data := range [][]byte{nil, {0}, {0, 1}, {byte(Keno)}, {byte(Keno), 7, 3, 80}, {byte(Keno), 3, 3},
		{byte(Bingo), 90}} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var q Sequence
		if q.UnmarshalBinary(data) != nil {
			return
		}
		again, err := q.MarshalBinary()
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%v reads as %v, which is written as %v, %v", data, q, again, err)
		}
	})
}
