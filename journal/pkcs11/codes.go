package pkcs11

import (
	"errors"
	"fmt"
)

// A Code is an answer of a module that is no success, as PKCS#11 numbers them.
type Code uint64

// The codes that mean something here. Others are told by their numbers.
const (
	codeGeneralError        Code = 0x5
	codeDeviceError         Code = 0x30
	codeDeviceRemoved       Code = 0x32
	codeMechanismInvalid    Code = 0x70
	codeObjectHandleInvalid Code = 0x82
	codeKeyHandleInvalid    Code = 0x60
	codePINIncorrect        Code = 0xa0
	codePINInvalid          Code = 0xa1
	codePINLenRange         Code = 0xa2
	codePINExpired          Code = 0xa3
	codePINLocked           Code = 0xa4
	codeSessionClosed       Code = 0xb0
	codeSessionInvalid      Code = 0xb3
	codeTokenNotPresent     Code = 0xe0
	codeTokenNotRecognized  Code = 0xe1
	codeUserAlreadyLoggedIn Code = 0x100
	codeUserNotLoggedIn     Code = 0x101
	codePINNotInitialized   Code = 0x102
)

var codeNames = map[Code]string{
	0x2: "CKR_HOST_MEMORY", 0x3: "CKR_SLOT_ID_INVALID", codeGeneralError: "CKR_GENERAL_ERROR",
	0x6: "CKR_FUNCTION_FAILED", 0x7: "CKR_ARGUMENTS_BAD", 0x10: "CKR_ATTRIBUTE_READ_ONLY",
	0x12: "CKR_ATTRIBUTE_TYPE_INVALID", 0x13: "CKR_ATTRIBUTE_VALUE_INVALID",
	codeDeviceError: "CKR_DEVICE_ERROR", 0x31: "CKR_DEVICE_MEMORY", codeDeviceRemoved: "CKR_DEVICE_REMOVED",
	0x54: "CKR_FUNCTION_NOT_SUPPORTED", codeKeyHandleInvalid: "CKR_KEY_HANDLE_INVALID",
	0x63: "CKR_KEY_TYPE_INCONSISTENT", 0x68: "CKR_KEY_FUNCTION_NOT_PERMITTED",
	codeMechanismInvalid: "CKR_MECHANISM_INVALID", 0x71: "CKR_MECHANISM_PARAM_INVALID",
	codeObjectHandleInvalid: "CKR_OBJECT_HANDLE_INVALID", codePINIncorrect: "CKR_PIN_INCORRECT",
	codePINInvalid: "CKR_PIN_INVALID", codePINLenRange: "CKR_PIN_LEN_RANGE", codePINExpired: "CKR_PIN_EXPIRED",
	codePINLocked: "CKR_PIN_LOCKED", codeSessionClosed: "CKR_SESSION_CLOSED", 0xb1: "CKR_SESSION_COUNT",
	codeSessionInvalid: "CKR_SESSION_HANDLE_INVALID", 0xb5: "CKR_SESSION_READ_ONLY",
	0xd0: "CKR_TEMPLATE_INCOMPLETE", 0xd1: "CKR_TEMPLATE_INCONSISTENT",
	codeTokenNotPresent: "CKR_TOKEN_NOT_PRESENT", codeTokenNotRecognized: "CKR_TOKEN_NOT_RECOGNIZED",
	0xe2: "CKR_TOKEN_WRITE_PROTECTED", codeUserAlreadyLoggedIn: "CKR_USER_ALREADY_LOGGED_IN",
	codeUserNotLoggedIn: "CKR_USER_NOT_LOGGED_IN", codePINNotInitialized: "CKR_USER_PIN_NOT_INITIALIZED",
	0x130: "CKR_DOMAIN_PARAMS_INVALID", 0x140: "CKR_CURVE_NOT_SUPPORTED",
}

func (c Code) String() string {
	if name := codeNames[c]; name != "" {
		return name
	}
	return fmt.Sprintf("code %#x", uint64(c))
}

// An Error is what a module answered to a call.
type Error struct {
	Call string
	Code Code
}

// Error names the call and the code.
func (e *Error) Error() string {
	return fmt.Sprintf("the token's module answers %s with %v", e.Call, e.Code)
}

// answers reports whether an error is one of some codes.
func answers(err error, codes ...Code) bool {
	e := new(Error)
	if !errors.As(err, &e) {
		return false
	}
	for _, code := range codes {
		if e.Code == code {
			return true
		}
	}
	return false
}

// isLost reports whether an error means that the session is gone, or what was known in it: logging in again may help.
func isLost(err error) bool {
	return answers(err, codeSessionClosed, codeSessionInvalid, codeUserNotLoggedIn, codeObjectHandleInvalid,
		codeKeyHandleInvalid, codeDeviceRemoved, codeTokenNotPresent, codeTokenNotRecognized, codeDeviceError)
}

// refusesPIN reports whether an error means that another try with the same PIN brings the token nearer to locking.
func refusesPIN(err error) bool {
	return answers(err, codePINIncorrect, codePINInvalid, codePINLenRange, codePINExpired, codePINLocked,
		codePINNotInitialized)
}
