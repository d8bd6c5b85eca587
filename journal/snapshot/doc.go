// Package snapshot writes what a program holds in memory as one string of bytes, and
// reads it back.
//
// A [Form] is worked out from a type: every field of it, exported or not, and everything
// that is reached from there by pointers, slices and maps. Nothing is listed by hand, so
// that a field which is added tomorrow is in the snapshot tomorrow, and one that cannot
// be in it, such as a channel or an interface, is an error of [For] and not something
// forgotten. What a snapshot leaves out on purpose carries the tag `snapshot:"-"`: memory
// that is kept for later use, and what belongs to the running process.
//
// The bytes are items of deterministic CBOR (package item), one for each value, with maps
// in the order of their keys: equal values have equal bytes, so that comparing the bytes
// compares every field. Two pointers to one value are still two pointers to one value
// when they were read. A pointer to the inside of another value, such as an element of a
// slice, comes back as one to a copy; only what is never changed may be kept like that.
//
// To set fields that no other package can see takes package unsafe. That is why none of
// this is in the pure packages, and why what is read must have been signed by the party that
// wrote it: the bytes are checked for their form, not for what a type promises of its
// values. [Form.Layout] tells one set of types from another; a snapshot of another layout
// is not read at all. TestEveryField changes each field of a value and sees it in the
// bytes, and FuzzRead reads what nobody wrote.
package snapshot
