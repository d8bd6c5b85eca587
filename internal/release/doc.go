// Command release makes what is given away of a version: programs, packages for Debian, an image for containers, and
// beside them what they are made of, how they were made and their hashes.
//
// It is a module of its own, because what packs a program does not belong into it. Everything follows from the commit:
// times are those of the commit and files stand in the order of their names, so that the same commit and the same Go
// give the same bytes.
package main
