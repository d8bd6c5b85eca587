package verify

// RunSlowly is Run without the quicker way for plain tickets.
func RunSlowly(src Source, opts Options) *Report {
	c := &checker{src: src, opts: opts, report: &Report{}, slow: true}
	if err := c.run(); err != nil {
		c.report.Failure = c.failure(err)
	}
	c.finishReport()
	return c.report
}
