package pkcs11

import (
	"syscall"
	"time"
)

// LoseSession has the token's session be one that the module does not know.
func (k *Key) LoseSession() { k.token.session += 1000 }

// Within bounds the signatures of the key's token.
func (k *Key) Within(d time.Duration) { k.token.within = d }

// Now has the next signature open the token, though it failed just before.
func (k *Key) Now() { k.token.pause = 0 }

// Hang stops the process of the module without ending it.
func (k *Key) Hang() error { return k.token.process.cmd.Process.Signal(syscall.SIGSTOP) }

// Short reports whether the process writes mechanisms as p11-kit from 0.26 on reads them.
func (k *Key) Short() bool { return k.token.process.short }

// MakeTwin makes a key under a label that another one may have.
func MakeTwin(uri URI) error {
	t := newToken(uri, true)
	defer t.close()
	return t.use(func(deadline time.Time) error { return t.generate(uri.Object, []byte("twin"), curveOID, deadline) })
}

// ReadAnswerOf reads the answer to the call with an index, as far as it has one.
func ReadAnswerOf(index int, data []byte) {
	calls := []call{callInitialize, callGetSlotList, callGetTokenInfo, callOpenSession, callGetAttributeValue,
		callFindObjects, callSign, callGenerateKeyPair}
	c := calls[index%len(calls)]
	a, err := readAnswer(data, c)
	if err != nil {
		return
	}
	switch c.name {
	case callGetSlotList.name, callFindObjects.name:
		a.numbers()
	case callGetTokenInfo.name:
		for range 4 {
			a.padded()
		}
		a.skip("uuuuuuuuuuuvvs")
	case callGetAttributeValue.name:
		for _, value := range a.attributes() {
			publicOf(value)
		}
		a.number()
	case callSign.name:
		a.array()
	default:
		a.skip(c.gives)
	}
	_ = a.done()
}

// ReadFrame reads a message with its header.
var ReadFrame = readFrame
