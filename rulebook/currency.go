package rulebook

import (
	"slices"
	"strings"
)

// The codes of ISO 4217: of currencies with hundredths, and of those that have no such part, or thousandths.
var (
	hundredths = strings.Fields("AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD " +
		"CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD " +
		"HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD " +
		"MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON " +
		"RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD " +
		"TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG")
	otherParts = strings.Fields("BHD BIF CLF CLP DJF GNF IQD ISK JOD JPY KMF KRW KWD LYD OMR PYG RWF TND UGX UYI UYW VND VUV XAF " +
		"XOF XPF")
)

// checkCurrency refuses a currency that the house cannot count, and warns of one that is not known.
func (c *checker) checkCurrency(code string) {
	switch {
	case slices.Contains(otherParts, code):
		c.add("currency", "%s has no hundredths, and the house counts all money in hundredths", code)
	case !slices.Contains(hundredths, code):
		c.warnings.add("currency", "%s is not the code of a currency that is known here", code)
	}
}
