package cases

import (
	"reflect"
	"sync"

	"drawhouse/decide/command"
)

// told are the structs of the commands that cases have given to houses in memory, by their types.
var told sync.Map

// tell takes down that a case gives a command.
func tell(what any) { told.Store(reflect.TypeOf(what), true) }

// Told reports whether a case that was played has given the command of a row, by the verb do or by one of its own.
func Told(row command.Row) bool {
	_, ok := told.Load(row.New().Elem().Type())
	return ok
}
