module countermove

go 1.26.0
