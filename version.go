package drawhouse

// Version is the version of the program, by [Semantic Versioning]. What else names it, such as packages, pages of the
// manual and the journal, has it from here.
//
// [Semantic Versioning]: https://semver.org/spec/v2.0.0.html
const Version = "1.0.0-rc.1"
