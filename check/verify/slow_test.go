package verify

// RunSlowly is Run without the quicker ways: it decodes and judges every sale as if it
// were the first, and keeps bets as they are and not as lines.
func RunSlowly(src Source, opts Options) *Report {
	c := newChecker(src, opts)
	c.slow = true
	if err := c.run(); err != nil {
		c.report.Failure = c.failure(err)
	}
	c.finishReport()
	return c.report
}
