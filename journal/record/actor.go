package record

import "reflect"

// actingFields are the fields of bodies that name who did what a record says, whatever the
// body. Their values are numbers of persons, or hold one.
var actingFields = []string{"By", "With", "Recorders", "Deciders"}

// actingPersons are the kinds whose field Person is who did it. Of all others the record is
// about that person, and somebody else did it.
var actingPersons = map[Kind]bool{KindClaimSigned: true, KindShiftBegun: true, KindShiftEnding: true}

// actorsOf is where the bodies of each kind name who acts. It follows from their types.
var actorsOf = findActors()

func findActors() map[Kind][][]int {
	found := map[Kind][][]int{}
	for _, row := range rows {
		body := row.body
		names := actingFields
		if actingPersons[row.kind] {
			names = append([]string{"Person"}, names...)
		}
		for _, name := range names {
			if field, ok := body.FieldByName(name); ok && namesPersons(field.Type) {
				found[row.kind] = append(found[row.kind], field.Index)
			}
		}
	}
	return found
}

// namesPersons reports whether values of a type are numbers of persons, or hold them. By
// may also be a list of names of witnesses.
func namesPersons(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Uint32:
		return true
	case reflect.Array, reflect.Slice:
		return namesPersons(t.Elem())
	case reflect.Struct:
		_, ok := t.FieldByName("Person")
		return ok
	}
	return false
}

// Actors returns the persons who did what the record says, in the order of its fields and
// without the house itself (person 0).
func (r Record) Actors() []uint32 {
	fields := actorsOf[r.Kind()]
	if len(fields) == 0 {
		return nil
	}
	var persons []uint32
	body := reflect.ValueOf(r.Body).Elem()
	for _, index := range fields {
		persons = appendPersons(persons, body.FieldByIndex(index))
	}
	return persons
}

func appendPersons(persons []uint32, v reflect.Value) []uint32 {
	switch v.Kind() {
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			persons = appendPersons(persons, v.Index(i))
		}
	case reflect.Struct:
		persons = appendPersons(persons, v.FieldByName("Person"))
	default:
		if id := uint32(v.Uint()); id != 0 {
			persons = append(persons, id)
		}
	}
	return persons
}

// ByNobody reports whether the record could name who did what it says, and names nobody: the
// house itself did it.
func (r Record) ByNobody() bool { return len(actorsOf[r.Kind()]) > 0 && len(r.Actors()) == 0 }

// InRoom returns the bingo room in which something was done, by whom and in which rank. It
// is not of a room where nobody of a rank did it.
func (r Record) InRoom() (hall uint8, by By, ok bool) {
	fields := actorsOf[r.Kind()]
	if len(fields) != 1 {
		return 0, By{}, false
	}
	body := reflect.ValueOf(r.Body).Elem()
	if by, ok = body.FieldByIndex(fields[0]).Interface().(By); !ok {
		return 0, By{}, false
	}
	for _, name := range []string{"Hall", "Game", "Session", "Offer"} {
		switch v := body.FieldByName(name); {
		case !v.IsValid():
		case v.Kind() == reflect.Struct:
			return uint8(v.FieldByName("Hall").Uint()), by, true
		case name == "Hall":
			return uint8(v.Uint()), by, true
		}
	}
	return 0, by, true
}
