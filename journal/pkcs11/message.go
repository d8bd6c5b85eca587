package pkcs11

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A call is a function of PKCS#11 as p11-kit numbers it, with the types of its arguments and of its answer. Either
// side refuses a message whose types are others.
//
// The types are p11-kit's: u number, y byte, s padded string, v version, a_ array, f_ room for an array, A attribute,
// M mechanism.
type call struct {
	name         string
	id           uint32
	takes, gives string
}

var (
	callInitialize        = call{"C_Initialize", 1, "ayyay", ""}
	callGetSlotList       = call{"C_GetSlotList", 4, "yfu", "au"}
	callGetTokenInfo      = call{"C_GetTokenInfo", 6, "u", "ssssuuuuuuuuuuuvvs"}
	callOpenSession       = call{"C_OpenSession", 10, "uu", "u"}
	callLogin             = call{"C_Login", 18, "uuay", ""}
	callGetAttributeValue = call{"C_GetAttributeValue", 24, "uufA", "aAu"}
	callFindObjectsInit   = call{"C_FindObjectsInit", 26, "uaA", ""}
	callFindObjects       = call{"C_FindObjects", 27, "ufu", "au"}
	callFindObjectsFinal  = call{"C_FindObjectsFinal", 28, "u", ""}
	callSignInit          = call{"C_SignInit", 42, "uMu", ""}
	callSign              = call{"C_Sign", 43, "uayfy", "ay"}
	callGenerateKeyPair   = call{"C_GenerateKeyPair", 59, "uMaAaA", "uu"}
)

const (
	// handshake is what a client of the protocol begins with.
	handshake = "PRIVATE-GNOME-KEYRING-PKCS11-PROTOCOL-V-1"

	headerBytes = 12
	// mostMessage bounds an answer. The longest that is asked for has a few attributes.
	mostMessage = 1 << 16

	absent = 0xffffffff // the length of an array that is not there
)

// A request is a message to the module.
type request struct{ data []byte }

// newRequest begins a message. Room for its header is left in front.
func newRequest(c call) *request {
	r := &request{make([]byte, headerBytes, 256)}
	return r.uint32(c.id).bytes([]byte(c.takes))
}

// finish fills in the header: the serial number of the message, the length of options, of which there are none, and
// that of the message.
func (r *request) finish(serial uint32) []byte {
	binary.BigEndian.PutUint32(r.data[0:], serial)
	binary.BigEndian.PutUint32(r.data[4:], 0)
	binary.BigEndian.PutUint32(r.data[8:], uint32(len(r.data)-headerBytes))
	return r.data
}

func (r *request) byte(v byte) *request {
	r.data = append(r.data, v)
	return r
}

func (r *request) uint32(v uint32) *request {
	r.data = binary.BigEndian.AppendUint32(r.data, v)
	return r
}

func (r *request) number(v uint64) *request {
	r.data = binary.BigEndian.AppendUint64(r.data, v)
	return r
}

// bytes writes a length and that many bytes.
func (r *request) bytes(v []byte) *request {
	r.uint32(uint32(len(v)))
	r.data = append(r.data, v...)
	return r
}

// array writes an array of bytes that is there.
func (r *request) array(v []byte) *request { return r.byte(1).bytes(v) }

// mechanism writes a mechanism without a parameter. p11-kit up to 0.25 reads the length of a parameter, and from 0.26
// on a byte that says whether there is one.
func (r *request) mechanism(mechanism uint32, short bool) *request {
	r.uint32(mechanism)
	if short {
		return r.byte(0)
	}
	return r.uint32(absent)
}

// An attribute of an object: a bool, a uint64 or bytes.
type attribute struct {
	kind  uint32
	value any
}

func (r *request) attributes(list ...attribute) *request {
	r.uint32(uint32(len(list)))
	for _, a := range list {
		r.uint32(a.kind).byte(1)
		switch v := a.value.(type) {
		case bool:
			r.uint32(1)
			if v {
				r.byte(1)
			} else {
				r.byte(0)
			}
		case uint64:
			r.uint32(8).number(v)
		case []byte:
			r.uint32(uint32(len(v))).bytes(v)
		}
	}
	return r
}

// room asks for attributes and says how many bytes each may have.
func (r *request) room(kinds ...uint32) *request {
	r.uint32(uint32(len(kinds)))
	for _, kind := range kinds {
		r.uint32(kind).uint32(mostAttribute)
	}
	return r
}

var errMalformed = errors.New("pkcs11: an answer of p11-kit cannot be read")

// readFrame reads the next message and checks its header.
func readFrame(from io.Reader, serial uint32) ([]byte, error) {
	var header [headerBytes]byte
	if _, err := io.ReadFull(from, header[:]); err != nil {
		return nil, err
	}
	number, options, length := binary.BigEndian.Uint32(header[0:]), binary.BigEndian.Uint32(header[4:]),
		binary.BigEndian.Uint32(header[8:])
	if number != serial || options != 0 || length > mostMessage {
		return nil, fmt.Errorf("%w: message %d with %d and %d bytes, where message %d belongs", errMalformed, number,
			options, length, serial)
	}
	body := make([]byte, length)
	_, err := io.ReadFull(from, body)
	return body, err
}

// An answer is a message of the module, which is read from its front.
type answer struct {
	rest []byte
	err  error // the first fault, after which everything reads as nothing
}

// readAnswer reads what a message says of a call: an error code of the module, or what follows.
func readAnswer(body []byte, to call) (*answer, error) {
	a := &answer{rest: body}
	id, types := a.uint32(), string(a.bytes())
	switch {
	case a.err != nil:
	case id == 0 && types == "u":
		if code := Code(a.number()); a.done() == nil {
			return nil, &Error{to.name, code}
		}
	case id != to.id || types != to.gives:
		a.fail("it answers call %d with %q, where call %d gives %q", id, types, to.id, to.gives)
	}
	return a, a.err
}

func (a *answer) fail(format string, args ...any) {
	if a.err == nil {
		a.err = fmt.Errorf("%w: %s", errMalformed, fmt.Sprintf(format, args...))
	}
	a.rest = nil
}

// done returns the first fault, or that something is left over.
func (a *answer) done() error {
	if a.err == nil && len(a.rest) > 0 {
		a.fail("%d bytes are left over", len(a.rest))
	}
	return a.err
}

func (a *answer) take(n uint64) []byte {
	if a.err != nil || n > uint64(len(a.rest)) {
		a.fail("it is too short")
		return nil
	}
	taken := a.rest[:n:n]
	a.rest = a.rest[n:]
	return taken
}

func (a *answer) byte() byte {
	if b := a.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (a *answer) uint32() uint32 {
	if b := a.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (a *answer) number() uint64 {
	if b := a.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// bytes reads a length and that many bytes; nil for an array that is not there.
func (a *answer) bytes() []byte {
	length := a.uint32()
	if length == absent {
		return nil
	}
	return a.take(uint64(length))
}

// array reads an array of bytes, of which only the length may be there.
func (a *answer) array() []byte {
	if a.byte() == 0 {
		a.fail("the array has %d bytes, which is more than was asked for", a.uint32())
		return nil
	}
	return a.bytes()
}

// numbers reads an array of numbers.
func (a *answer) numbers() []uint64 {
	there, count := a.byte(), a.uint32()
	if there == 0 || uint64(count)*8 > uint64(len(a.rest)) {
		a.fail("the array has %d numbers, which is more than was asked for or is there", count)
		return nil
	}
	list := make([]uint64, count)
	for i := range list {
		list[i] = a.number()
	}
	return list
}

// padded reads a text that is filled up with spaces.
func (a *answer) padded() string { return strings.TrimRight(string(a.bytes()), " \x00") }

// skip passes over what types say: numbers, versions and padded texts.
func (a *answer) skip(types string) {
	for _, t := range types {
		switch t {
		case 'u':
			a.number()
		case 'v':
			a.take(2)
		case 's':
			a.bytes()
		}
	}
}

// attributes reads the attributes that were asked for. One that the object does not have is not in the map.
func (a *answer) attributes() map[uint32][]byte {
	count, values := a.uint32(), map[uint32][]byte{}
	for range count {
		kind := a.uint32()
		there := a.byte()
		if a.err != nil {
			return nil
		}
		if there == 0 {
			continue
		}
		a.uint32() // The length in memory of the module's machine.
		switch kind {
		case attrClass, attrKeyType:
			values[kind] = a.take(8)
		case attrSensitive, attrExtractable, attrAlwaysSensitive, attrNeverExtractable:
			values[kind] = a.take(1)
		default:
			values[kind] = a.bytes()
		}
	}
	return values
}
