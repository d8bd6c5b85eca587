// Package receipt is the paper of a counter: what stands on a receipt ticket and on
// every other slip, and how it is set on a roll, in a PDF, as text and on a screen.
//
// # From facts to paper
//
// [Ticket] turns the facts of a sale into a [Slip], line by line. It prints whatever
// it is told and refuses if something is missing that the rulebook asks for
// (casino-keno-div2 3.13, tas-keno-2023 1.54 and 21.4(f), vic-keno-2015
// 2(a).receipt-ticket), so that a receipt cannot be incomplete by oversight. [Payment],
// [Cancellation], [Session], [Voucher] and [Cheque] make the other slips. None of
// them decides anything: the journal has decided, and its record prevails over the
// paper.
//
// A slip is set once, for the width of a roll ([Roll58], [Roll80]) in dots of a
// thermal head of 203 dpi, and the four renderings draw the same rows: [Slip.Text],
// [Slip.ESCPOS], [Slip.PDF] and [Slip.SVG]. What the preview shows is what the
// printer prints.
//
// # Which characters
//
// Paper has the printable characters of ISO 8859-1 and no others: PDF's own fonts
// have them, and so has code page 850, which is page 2 of every ESC/POS printer.
// Others are written in these where there is a usual way (typographic quotes and
// dashes, letters with accents of other alphabets) and as a question mark where there
// is none. [Slip.Replaced] says which, so that anybody who prints can say so.
//
// # Which symbols
//
// A receipt has up to three symbols for machines.
//
//   - The serial, and nothing else, because the rules tell tickets apart by what
//     their bar code holds (tas-keno-2023 3.2). Sixteen digits are Code 128, which
//     every counter scanner reads, lasers included. The successor's 27 characters
//     would be 83 mm wide in Code 128 at the two dots a module that thermal paper
//     needs; no roll has that, so that they are a QR code, for an imager.
//   - The claim code, Code 128 of 26 digits: the code as a number, since digits take
//     half the room and 16 letters would not fit a roll of 58 mm. A scanner that sends
//     what it reads to the terminal as if it were typed sends the two one after the
//     other, and their lengths tell them apart ([ParseScan]).
//   - The proof, a QR code with the address of the ticket's page, for the player's
//     phone. Behind the number sign stand the hash of the ticket's record and the
//     checkpoint under which it was sold, which browsers do not send: the house is
//     asked for its proof without being told what the paper says.
//
// The bars and squares are sent to the printer as dots and not by its own bar code
// commands, which differ from maker to maker and print nothing at all where a symbol
// is too wide. So the symbols are the same on all paper, and the tests that have an
// independent program read them (TestReaderReadsPaper) hold for every printer.
//
// [Code128] makes the bars of a bar code (ISO/IEC 15417) as widths. Package cards
// prints bingo cards with it, package forms what a venue lays out, and package
// printer sends bytes to a printer and says what became of them.
package receipt
