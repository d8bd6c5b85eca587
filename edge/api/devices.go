package api

import (
	"time"

	"drawhouse/house"
)

// DrawDevice is a drawing device of the register.
type DrawDevice struct {
	Number      uint32    `json:"number"`
	Device      string    `json:"device" enum:"rng,witnessed,cage"`
	Maker       string    `json:"maker"`
	Model       string    `json:"model,omitempty"`
	Serial      string    `json:"serial_number"`
	Site        string    `json:"site"`
	Medium      string    `json:"medium,omitempty" doc:"On which its draws are captured."`
	Reference   string    `json:"reference" doc:"Of its approval."`
	Draws       bool      `json:"draws" doc:"It draws the games that open from now on."`
	Failed      bool      `json:"failed" doc:"An inspection found it unsound: it is out of service."`
	Inspections uint32    `json:"inspections"`
	Inspected   time.Time `json:"inspected,omitzero" doc:"When it was inspected last."`
	Finding     string    `json:"finding,omitempty" doc:"What was found then."`
}

// viewDevices shows the register.
func (s *server) viewDevices(now house.Course) []DrawDevice {
	all := []DrawDevice{}
	for i := range now.Devices {
		d := &now.Devices[i]
		view := DrawDevice{
			Number: d.Number, Device: string(d.Device), Maker: d.Maker, Model: d.Model, Serial: d.Serial, Site: d.Site,
			Medium: d.Medium, Reference: d.Reference, Draws: d.Number == now.DrawnBy, Failed: d.Failed,
			Inspections: d.Inspections, Finding: d.Last.Finding,
		}
		if d.Inspections > 0 {
			view.Inspected = s.time(d.At)
		}
		all = append(all, view)
	}
	return all
}
