// Package escpostest is a thermal printer for tests: it takes the bytes that a
// printer gets and returns the paper, as a picture and as rows of text.
//
// It is written from the description of ESC/POS and not from package receipt, which
// it does not import. A command that it does not know fails, and so does a symbol or
// a row that is wider than the head: a real printer would cut it off in silence.
package escpostest

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// The measures of the printer, in dots.
const (
	cellWidth  = 12
	cellHeight = 24
	firstPitch = 30 // until ESC 3 sets another
	edge       = 32 // paper above and below what is printed
)

// A Printed is what came out of the printer.
type Printed struct {
	Rows []string // of text, from top to bottom
	Cuts int
	// Page is the code page that the text was in.
	Page int

	paper, dots int // widths
	bottom      int
	texts       []text
	pictures    []raster
}

// text is a row of letters at a place.
type text struct {
	letters    string
	y          int
	bold       bool
	wide, high int
}

// raster is a picture at a place.
type raster struct {
	y, width, height int
	bits             []byte
}

// printer is the state of the printer.
type printer struct {
	in    *bytes.Reader
	out   *Printed
	row   []byte
	pitch int
	bold  bool
	wide  int
	high  int
}

// Print prints bytes on paper of a width in millimetres, by a head of a width in
// dots.
func Print(data []byte, millimetres, dots int) (*Printed, error) {
	p := &printer{in: bytes.NewReader(data), out: &Printed{paper: millimetres * 8, dots: dots, bottom: edge}}
	p.reset()
	for {
		c, err := p.in.ReadByte()
		if err != nil {
			break
		}
		if err := p.take(c); err != nil {
			return nil, fmt.Errorf("escpostest: at byte %d: %w", len(data)-p.in.Len(), err)
		}
	}
	if len(p.row) > 0 {
		return nil, fmt.Errorf("escpostest: %q was sent and not printed", p.row)
	}
	return p.out, nil
}

func (p *printer) reset() { p.pitch, p.bold, p.wide, p.high = firstPitch, false, 1, 1 }

func (p *printer) take(c byte) error {
	switch {
	case c == 0x1b:
		return p.escape()
	case c == 0x1d:
		return p.group()
	case c == '\n':
		return p.feedRow()
	case c < ' ':
		return fmt.Errorf("control character %#x", c)
	}
	p.row = append(p.row, c)
	return nil
}

// next reads the parameters of a command.
func (p *printer) next(n int) ([]byte, error) {
	b := make([]byte, n)
	if got, _ := p.in.Read(b); got != n {
		return nil, fmt.Errorf("a command ends after %d of %d bytes", got, n)
	}
	return b, nil
}

// escape obeys a command that begins with ESC.
func (p *printer) escape() error {
	b, err := p.next(1)
	if err != nil {
		return err
	}
	if b[0] == '@' {
		p.reset()
		return nil
	}
	value, err := p.next(1)
	if err != nil {
		return err
	}
	switch b[0] {
	case 't':
		p.out.Page = int(value[0])
	case '3':
		p.pitch = int(value[0])
	case 'E':
		p.bold = value[0]&1 == 1
	case 'J':
		p.out.bottom += int(value[0])
	default:
		return fmt.Errorf("ESC %q is not known", b[0])
	}
	return nil
}

// group obeys a command that begins with GS.
func (p *printer) group() error {
	b, err := p.next(2)
	if err != nil {
		return err
	}
	switch {
	case b[0] == '!':
		p.wide, p.high = int(b[1]>>4)+1, int(b[1]&15)+1
		return nil
	case b[0] == 'V' && b[1] == 'B':
		p.out.Cuts++
		_, err := p.next(1)
		return err
	case b[0] == 'v' && b[1] == '0':
		return p.raster()
	}
	return fmt.Errorf("GS %q is not known", b)
}

// raster prints a picture at once, which a printer can only at the start of a row.
func (p *printer) raster() error {
	head, err := p.next(5)
	if err != nil {
		return err
	}
	perRow, height := int(head[1])+int(head[2])<<8, int(head[3])+int(head[4])<<8
	if head[0] != 0 || len(p.row) > 0 || perRow*8 > p.out.dots {
		return fmt.Errorf("a picture of mode %d and %d dots behind %q", head[0], perRow*8, p.row)
	}
	data, err := p.next(perRow * height)
	if err != nil {
		return err
	}
	p.out.pictures = append(p.out.pictures, raster{p.out.bottom, perRow * 8, height, data})
	p.out.bottom += height
	return nil
}

func (p *printer) feedRow() error {
	letters, err := p.out.decode(p.row)
	if err != nil {
		return err
	}
	if columns := len(p.row) * cellWidth * p.wide; columns > p.out.dots {
		return fmt.Errorf("the row %q is %d dots wide", letters, columns)
	}
	p.out.Rows = append(p.out.Rows, letters)
	p.out.texts = append(p.out.texts, text{letters, p.out.bottom, p.bold, p.wide, p.high})
	p.out.bottom += max(p.pitch, cellHeight*p.high)
	p.row = nil
	return nil
}

// upper850 has the characters of code page 850 from 0x80 on.
var upper850 = []rune(
	"ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0")

// decode reads letters in the code page that was chosen.
func (o *Printed) decode(row []byte) (string, error) {
	var letters []rune
	for _, c := range row {
		switch {
		case c < 0x80:
			letters = append(letters, rune(c))
		case o.Page == 2:
			letters = append(letters, upper850[c-0x80])
		default:
			return "", fmt.Errorf("byte %#x in code page %d, which the test does not know", c, o.Page)
		}
	}
	return string(letters), nil
}

// Image returns the paper, one pixel a dot.
func (o *Printed) Image() image.Image {
	height := o.bottom + edge
	canvas := vgimg.NewWith(vgimg.UseImage(whiteImage(o.paper, height)), vgimg.UseDPI(72))
	cache := font.NewCache(liberation.Collection())
	left := (o.paper - o.dots) / 2
	canvas.SetColor(image.Black)
	for _, t := range o.texts {
		face := font.Font{Typeface: "Liberation", Variant: "Mono"}
		if t.bold {
			face.Weight = 3 // bold, as the collection has it
		}
		letters := cache.Lookup(face, cellWidth/0.6)
		canvas.Push()
		canvas.Translate(vg.Point{X: vg.Length(left), Y: vg.Length(height - t.y - cellHeight*t.high*4/5)})
		canvas.Scale(float64(t.wide), float64(t.high))
		canvas.FillString(letters, vg.Point{}, t.letters)
		canvas.Pop()
	}
	img := canvas.Image()
	for _, r := range o.pictures {
		for i := range r.width * r.height {
			if x, y := i%r.width, i/r.width; r.bits[(y*r.width+x)/8]&(0x80>>(x%8)) != 0 {
				img.Set(left+x, r.y+y, image.Black)
			}
		}
	}
	return img
}

func whiteImage(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = 0xff
	}
	return img
}

// WritePNG writes the paper into a file.
func (o *Printed) WritePNG(path string) error {
	var b bytes.Buffer
	if err := png.Encode(&b, o.Image()); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
