package pkcs11

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

// The numbers of PKCS#11 that are used here.
const (
	attrClass            = 0x0
	attrToken            = 0x1
	attrPrivate          = 0x2
	attrLabel            = 0x3
	attrKeyType          = 0x100
	attrID               = 0x102
	attrSensitive        = 0x103
	attrSign             = 0x108
	attrVerify           = 0x10a
	attrExtractable      = 0x162
	attrNeverExtractable = 0x164
	attrAlwaysSensitive  = 0x165
	attrECParams         = 0x180
	attrECPoint          = 0x181

	classPublic  = uint64(2)
	classPrivate = uint64(3)

	keyTypeEdwards = uint64(0x40)

	mechanismEdwardsKeyPairGen = 0x1055
	mechanismEdDSA             = 0x1057

	sessionSerial = 0x4 // every session is one
	sessionWrites = 0x2

	userNormal = 1

	flagLoginRequired = 0x4
	flagPINFinalTry   = 0x20000
	flagPINLocked     = 0x40000
)

const (
	// SignWithin bounds a signature, with everything that comes before it: waiting for the others of the same token,
	// starting the module's process, logging in.
	SignWithin = 5 * time.Second

	// retryFirst and retryMost are the first and the longest time for which a token that could not be opened is left
	// alone. It doubles with each try.
	retryFirst = 500 * time.Millisecond
	retryMost  = 15 * time.Second

	mostSlots = 64
)

// ErrKey means that the token answers and has no key that can be used. Nothing is gained by logging in again.
var ErrKey = errors.New("pkcs11: the token")

// A token is one that this program has keys in. It is opened by the first signature.
type token struct {
	uri    URI // without a key
	writes bool
	within time.Duration // SignWithin but in tests
	turn   chan struct{} // has an element while somebody uses what follows

	process *process // nil while the token is not open
	session uint64
	info    tokenInfo
	handles map[URI]uint64 // of the private keys that were found in this session

	failed  time.Time // when opening failed, and why
	failure error
	pause   time.Duration               // before the next try
	refused map[[sha256.Size]byte]error // PINs, hashed, that the token has refused
}

// tokenInfo is what a token says of itself.
type tokenInfo struct {
	slot                               uint64
	label, manufacturer, model, serial string
	flags                              uint64
}

func (t tokenInfo) String() string {
	return fmt.Sprintf("token %q (%s %s, serial %s)", t.label, t.manufacturer, t.model, t.serial)
}

func newToken(uri URI, writes bool) *token {
	return &token{uri: uri.tokenOf(), writes: writes, within: SignWithin, turn: make(chan struct{}, 1),
		refused: map[[sha256.Size]byte]error{}}
}

// tokens are those that this program signs with. A directory of keys is read whenever a volume begins, and its tokens
// stay open: a login takes time, and some tokens count them.
var tokens = struct {
	mu  sync.Mutex
	all map[URI]*token // guarded by mu
}{all: map[URI]*token{}}

func sharedToken(uri URI) *token {
	tokens.mu.Lock()
	defer tokens.mu.Unlock()
	t := tokens.all[uri.tokenOf()]
	if t == nil {
		t = newToken(uri, false)
		tokens.all[uri.tokenOf()] = t
	}
	return t
}

// use opens the token, if it is not, and does something in its session. A session that turns out to be lost is opened
// again once.
func (t *token) use(do func(deadline time.Time) error) error {
	deadline := time.Now().Add(t.within)
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-time.After(t.within):
		return fmt.Errorf("pkcs11: %w within %v: others are before this signature", errSilent, t.within)
	}
	for {
		fresh := t.process == nil
		if fresh {
			if err := t.open(deadline); err != nil {
				return err
			}
		}
		err := do(deadline)
		if err == nil || errors.Is(err, ErrKey) {
			return err
		}
		t.close() // An operation may be under way in the session, or the process is gone.
		e := new(Error)
		if lost := !errors.As(err, &e) && !errors.Is(err, errSilent) || isLost(err); fresh || !lost {
			return err
		}
	}
}

func (t *token) close() {
	if t.process != nil {
		t.process.end()
	}
	t.process, t.handles = nil, nil
}

// open starts the module's process and logs in. It leaves a token that has failed alone for a while.
func (t *token) open(deadline time.Time) error {
	if t.failure != nil && time.Since(t.failed) < t.pause {
		return t.failure
	}
	t.failure = t.connect(deadline)
	if t.failure == nil {
		t.pause = 0
		return nil
	}
	t.close()
	t.failed, t.pause = time.Now(), min(max(2*t.pause, retryFirst), retryMost)
	return t.failure
}

func (t *token) connect(deadline time.Time) (err error) {
	if t.process, err = start(t.uri.Module, deadline); err != nil {
		t.process = nil
		return err
	}
	t.handles = map[URI]uint64{}
	if t.info, err = t.find(deadline); err != nil {
		return err
	}
	flags := uint64(sessionSerial)
	if t.writes {
		flags |= sessionWrites
	}
	a, err := t.process.do(callOpenSession, newRequest(callOpenSession).number(t.info.slot).number(flags), deadline)
	if err != nil {
		return err
	}
	if t.session = a.number(); a.done() != nil {
		return a.err
	}
	return t.login(deadline)
}

// find returns the one token that the URI names.
func (t *token) find(deadline time.Time) (tokenInfo, error) {
	a, err := t.process.do(callGetSlotList, newRequest(callGetSlotList).byte(1).uint32(mostSlots), deadline)
	if err != nil {
		return tokenInfo{}, err
	}
	slots := a.numbers()
	if err := a.done(); err != nil {
		return tokenInfo{}, err
	}
	var found []tokenInfo
	for _, slot := range slots {
		a, err := t.process.do(callGetTokenInfo, newRequest(callGetTokenInfo).number(slot), deadline)
		if answers(err, codeTokenNotPresent, codeTokenNotRecognized) {
			continue
		}
		if err != nil {
			return tokenInfo{}, err
		}
		info := tokenInfo{slot: slot, label: a.padded(), manufacturer: a.padded(), model: a.padded(), serial: a.padded(),
			flags: a.number()}
		a.skip("uuuuuuuuuuvvs")
		if err := a.done(); err != nil {
			return tokenInfo{}, err
		}
		if t.uri.matches(info) {
			found = append(found, info)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return tokenInfo{}, fmt.Errorf("%w that the name asks for is not there, among %d; is it plugged in, and is the name right?",
			ErrKey, len(slots))
	}
	return tokenInfo{}, fmt.Errorf("%w cannot be told from another: %v and %v both match; add serial= to the name", ErrKey,
		found[0], found[1])
}

// login logs in with the PIN, unless the token has refused it before.
func (t *token) login(deadline time.Time) error {
	if t.info.flags&flagLoginRequired == 0 {
		return nil
	}
	switch {
	case t.info.flags&flagPINLocked != 0:
		return fmt.Errorf("%w %q is locked: wrong PINs were tried; its security officer unlocks it", ErrKey, t.info.label)
	case t.info.flags&flagPINFinalTry != 0:
		return fmt.Errorf("%w %q has one try for a PIN left, and this program does not take it; log in once with the right PIN by the vendor's tool", ErrKey, t.info.label)
	}
	pin, err := t.uri.readPIN()
	if err != nil {
		return err
	}
	sum := sha256.Sum256(pin)
	if err := t.refused[sum]; err != nil {
		return err
	}
	_, err = t.process.do(callLogin, newRequest(callLogin).number(t.session).number(userNormal).array(pin), deadline)
	clear(pin)
	switch {
	case answers(err, codeUserAlreadyLoggedIn):
		return nil
	case refusesPIN(err):
		t.refused[sum] = fmt.Errorf("%w %q refused the PIN of %s, which is not tried again: %w; correct it there", ErrKey,
			t.info.label, t.uri.pinFrom(), err)
		return t.refused[sum]
	}
	return err
}

// The variables of the environment that say the PIN of keys whose names have no pin-source: the PIN, or a file of it.
const (
	PINVariable     = withheld + "TOKEN_PIN"
	PINFileVariable = PINVariable + "_FILE"
)

// pinFrom says where the PIN is from.
func (u URI) pinFrom() string {
	switch {
	case u.PIN != "":
		return u.PIN
	case os.Getenv(PINFileVariable) != "":
		return os.Getenv(PINFileVariable)
	}
	return PINVariable
}

const othersMay = 0o077

func (u URI) readPIN() ([]byte, error) {
	from := u.pinFrom()
	if from == PINVariable {
		pin := os.Getenv(PINVariable)
		if pin == "" {
			return nil, fmt.Errorf("%w wants a PIN, and nobody says it: add pin-source=/path to the name, or set %s",
				ErrKey, PINFileVariable)
		}
		return []byte(pin), nil
	}
	info, err := os.Stat(from)
	if err != nil {
		return nil, fmt.Errorf("pkcs11: the PIN: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&othersMay != 0 {
		return nil, fmt.Errorf("pkcs11: others on this machine can read the PIN in %s (%v); chmod 600 it", from,
			info.Mode().Perm())
	}
	pin, err := os.ReadFile(from)
	if err != nil {
		return nil, fmt.Errorf("pkcs11: the PIN: %w", err)
	}
	if pin = bytes.TrimRight(pin, "\r\n"); len(pin) == 0 || len(pin) > mostAttribute {
		return nil, fmt.Errorf("pkcs11: %s does not hold a PIN on one line", from)
	}
	return pin, nil
}

// objects finds objects of a class that a URI names.
func (t *token) objects(uri URI, class uint64, deadline time.Time) ([]uint64, error) {
	template := []attribute{{attrClass, class}}
	if uri.Object != "" {
		template = append(template, attribute{attrLabel, []byte(uri.Object)})
	}
	if uri.ID != "" {
		template = append(template, attribute{attrID, []byte(uri.ID)})
	}
	if _, err := t.process.do(callFindObjectsInit, newRequest(callFindObjectsInit).number(t.session).
		attributes(template...), deadline); err != nil {
		return nil, err
	}
	a, err := t.process.do(callFindObjects, newRequest(callFindObjects).number(t.session).uint32(2), deadline)
	if err != nil {
		return nil, err
	}
	found := a.numbers()
	if err := a.done(); err != nil {
		return nil, err
	}
	_, err = t.process.do(callFindObjectsFinal, newRequest(callFindObjectsFinal).number(t.session), deadline)
	return found, err
}

// attributes returns what an object says of itself.
func (t *token) attributes(object uint64, deadline time.Time, kinds ...uint32) (map[uint32][]byte, error) {
	a, err := t.process.do(callGetAttributeValue, newRequest(callGetAttributeValue).number(t.session).number(object).
		room(kinds...), deadline)
	if err != nil {
		return nil, err
	}
	values := a.attributes()
	a.number() // that some attributes are not there or are not told, which their absence says as well
	return values, a.done()
}

// key finds the one private key that a URI names, and what is known of it.
func (t *token) key(uri URI, deadline time.Time) (uint64, Info, error) {
	fault := func(format string, args ...any) (uint64, Info, error) {
		return 0, Info{}, fmt.Errorf("%w %q "+format, append([]any{ErrKey, t.info.label}, args...)...)
	}
	found, err := t.objects(uri, classPrivate, deadline)
	if err != nil {
		return 0, Info{}, err
	}
	switch len(found) {
	case 0:
		return fault("has no private key %s; drawhouse keys make makes one", uri.keyName())
	case 1:
	default:
		return fault("has several private keys %s; name one by id=, too", uri.keyName())
	}
	said, err := t.attributes(found[0], deadline, attrKeyType, attrID, attrLabel, attrECParams, attrSensitive,
		attrExtractable, attrAlwaysSensitive, attrNeverExtractable, attrECPoint)
	if err != nil {
		return 0, Info{}, err
	}
	if kind := said[attrKeyType]; len(kind) != 8 || !bytes.Equal(kind, newNumber(keyTypeEdwards)) {
		return fault("has the key %s, which is of type %#x and not Ed25519", uri.keyName(), kind)
	}
	if curve := said[attrECParams]; len(curve) > 0 && !bytes.Equal(curve, curveOID) && !bytes.Equal(curve, curveName) {
		return fault("has the key %s, which is of the curve %x and not Ed25519", uri.keyName(), curve)
	}
	info := Info{Token: t.info.String(), Label: string(said[attrLabel]), ID: said[attrID],
		Kept: isTrue(said[attrSensitive]) && isFalse(said[attrExtractable]),
		Born: isTrue(said[attrAlwaysSensitive]) && isTrue(said[attrNeverExtractable])}
	if info.Public = publicOf(said[attrECPoint]); info.Public == nil {
		info.Public, err = t.public(URI{Object: info.Label, ID: string(info.ID)}, deadline)
	}
	return found[0], info, err
}

// public returns the public key that stands beside a private one, or nil if there is none.
func (t *token) public(uri URI, deadline time.Time) (ed25519.PublicKey, error) {
	found, err := t.objects(uri, classPublic, deadline)
	if err != nil || len(found) != 1 {
		return nil, err
	}
	said, err := t.attributes(found[0], deadline, attrECPoint)
	return publicOf(said[attrECPoint]), err
}

func (u URI) keyName() string {
	var name []string
	if u.Object != "" {
		name = append(name, fmt.Sprintf("%q", u.Object))
	}
	if u.ID != "" {
		name = append(name, fmt.Sprintf("id %x", u.ID))
	}
	return strings.Join(name, ", ")
}

func isTrue(value []byte) bool  { return len(value) == 1 && value[0] != 0 }
func isFalse(value []byte) bool { return len(value) == 1 && value[0] == 0 }
