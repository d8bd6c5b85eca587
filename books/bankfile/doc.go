// Package bankfile writes the files of direct debits that a bank collects, and reads what the bank answers.
//
// The files are messages of ISO 20022: Write makes a pain.008.001.02 from the record of the order alone, so that a file
// can be written again to the byte. Read takes a pain.002.001 (payment status) or a camt.054.001 (notification of
// what was booked) of any version. The house sends and fetches nothing: a person carries files to the bank and back.
package bankfile
