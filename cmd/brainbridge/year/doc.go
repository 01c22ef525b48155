// Package year holds the test that lives through a year with a brain, day by
// day, as a person would: what was used stays near the top, what lives stays
// bounded, nothing is lost, and every run can be taken back.
package year
