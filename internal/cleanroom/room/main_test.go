package room

import (
	"testing"

	"drawhouse/internal/outside"
)

func TestMain(m *testing.M) { outside.Main(m, endShared) }
