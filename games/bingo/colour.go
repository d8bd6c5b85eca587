package bingo

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// Colour is the colour of a game's cards: a name that is announced and a shade that
// is printed and shown.
type Colour struct {
	Name             string
	Red, Green, Blue uint8
}

// palette are the colours that need only be named, in the order in which games get
// them: those of printed series first. All are light enough for black numbers.
var palette = []Colour{
	{"pink", 0xf9, 0xb8, 0xd0}, {"blue", 0x9f, 0xc5, 0xf0}, {"green", 0xa9, 0xdb, 0xa0}, {"yellow", 0xfb, 0xe9, 0x72},
	{"orange", 0xfb, 0xbe, 0x78}, {"lilac", 0xcd, 0xb5, 0xea}, {"grey", 0xcb, 0xcf, 0xd4}, {"red", 0xf0, 0x8f, 0x88},
	{"aqua", 0x8f, 0xe0, 0xdc}, {"tan", 0xdf, 0xc7, 0xa1}, {"lime", 0xcf, 0xee, 0x7b}, {"rose", 0xf7, 0xcf, 0xc6},
	{"sky", 0xc6, 0xe7, 0xf9}, {"gold", 0xe3, 0xc2, 0x4a}, {"mint", 0xc9, 0xf2, 0xd8}, {"violet", 0xb1, 0x9a, 0xe8},
	{"coral", 0xfb, 0xa5, 0x8a}, {"olive", 0xc4, 0xc9, 0x7a}, {"cream", 0xfb, 0xf4, 0xcf}, {"teal", 0x79, 0xc4, 0xb3},
	{"white", 0xff, 0xff, 0xff}, {"peach", 0xfb, 0xd9, 0xb3}, {"steel", 0xa3, 0xb3, 0xcf}, {"plum", 0xd9, 0x9f, 0xcd},
}

// Palette returns the first so many colours that need only be named.
func Palette(count int) ([]Colour, error) {
	if count < 0 || count > len(palette) {
		return nil, fmt.Errorf("bingo: %d colours; %d have names of their own, others are given as NAME #rrggbb", count,
			len(palette))
	}
	return append([]Colour(nil), palette[:count]...), nil
}

// maxColourName is the longest name of a colour, in bytes.
const maxColourName = 20

// ParseColour reads "pink", or "salmon #fa8072" for a colour of one's own.
func ParseColour(text string) (Colour, error) {
	name, shade, given := strings.Cut(text, " #")
	if name == "" || len(name) > maxColourName || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") != "" {
		return Colour{}, fmt.Errorf("%q is not the name of a colour: small letters and hyphens, at most %d", name,
			maxColourName)
	}
	if !given {
		for _, c := range palette {
			if c.Name == name {
				return c, nil
			}
		}
		return Colour{}, fmt.Errorf("the shade of %s is not known; give it as %q", name, name+" #rrggbb")
	}
	rgb, err := hex.DecodeString(shade)
	if err != nil || len(rgb) != 3 || strings.ToLower(shade) != shade {
		return Colour{}, fmt.Errorf("#%s is not a shade of the form #rrggbb", shade)
	}
	return Colour{Name: name, Red: rgb[0], Green: rgb[1], Blue: rgb[2]}, nil
}

// RGB returns the shade as #rrggbb.
func (c Colour) RGB() string { return fmt.Sprintf("#%02x%02x%02x", c.Red, c.Green, c.Blue) }

// String returns what [ParseColour] reads: the name, with the shade unless it is
// that of the palette.
func (c Colour) String() string {
	for _, known := range palette {
		if known == c {
			return c.Name
		}
	}
	return c.Name + " " + c.RGB()
}
