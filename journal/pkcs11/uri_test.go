package pkcs11_test

import (
	"strings"
	"testing"

	"drawhouse/journal/pkcs11"
)

const module = "?module-path=/usr/lib/x.so"

var goodURIs = []string{
	"pkcs11:token=house;object=house-1?module-path=/usr/lib/x.so&pin-source=/etc/pin",
	"pkcs11:object=house%201;type=private?pin-source=file:/etc/pin&module-path=/usr/lib/x.so",
	"pkcs11:id=%01%ff%00;slot-id=7;serial=ab;manufacturer=A;model=B" + module,
}

var badURIs = []string{
	"", "pkcs11:", "pkcs11:object=a", "pkcs11:token=a" + module, "pkcs11:object=" + module, "pkcs11:object" + module,
	"pkcs11:object=a;object=b" + module, "pkcs11:object=a;colour=red" + module, "pkcs11:object=a;type=public" + module,
	"pkcs11:object=a?module-path=x.so", "pkcs11:object=a?module-path=/x.so&pin-source=pin",
	"pkcs11:object=a?module-path=/x.so&pin-value=4711", "pkcs11:object=%zz" + module, "pkcs11:object=%0a" + module,
	"pkcs11:object=%ff" + module, "pkcs11:slot-id=x;object=a" + module, "PKCS11:object=a" + module,
	"pkcs11:object=" + strings.Repeat("a", 300) + module, "pkcs11:object=a" + module + strings.Repeat(" ", 3000),
	"pkcs11:object=a?object=b&module-path=/x.so",
}

// TestURI reads names of keys. A name that is not understood whole is refused, and a PIN in one is not repeated.
func TestURI(t *testing.T) {
	for _, text := range goodURIs {
		uri, err := pkcs11.ParseURI(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if again, err := pkcs11.ParseURI(uri.String()); err != nil || again != uri {
			t.Errorf("%q is written as %v: %v", text, uri, err)
		}
	}
	uri, err := pkcs11.ParseURI(goodURIs[2])
	if err != nil || uri.ID != "\x01\xff\x00" || uri.Slot != 7 || !uri.HasSlot || uri.Serial != "ab" {
		t.Errorf("%+v, %v", uri, err)
	}
	for _, text := range badURIs {
		_, err := pkcs11.ParseURI(text)
		if err == nil {
			t.Errorf("%q was read", text)
		} else if strings.Contains(err.Error(), "4711") {
			t.Errorf("the PIN is in %v", err)
		}
	}
}
