// Package year holds the test that lives with a brain day by day, as a person
// would, for two months or a year: what was used stays near the top, what lives
// stays bounded, nothing is lost, and runs can be taken back.
package year
