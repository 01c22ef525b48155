package sqlite

import "math"

// The number of a row of a full-text table says what a score needs of its doc besides
// the words, so that a search reads nothing else of thousands of docs:
// part << 40 | count << 9 | section << 8 | class of its size. The part and the count are
// those of the doc. It is part of the file format.
const (
	countShift  = 9
	sectionFlag = 1 << 8
	sizeClasses = 1 << 8
)

func ftsRow(d doc) int64 {
	row := d.part()<<partBits | d.id&(1<<partBits-1)<<countShift | int64(sizeClass(d.size))
	if d.section {
		row |= sectionFlag
	}
	return row
}

// docOf returns the doc of a row, and whether it is that of a section.
func docOf(row int64) (doc int64, section bool) {
	part, count := row>>partBits, row&(1<<partBits-1)>>countShift
	return part<<partBits | count, row&sectionFlag != 0
}

// Sizes below exactSizes have a class each, larger ones share one with those up to 4 %
// larger.
const (
	exactSizes         = 128
	classesPerDoubling = 16
)

func sizeClass(size int) int {
	if size < exactSizes {
		return size
	}
	class := exactSizes + math.Log2(float64(size)/exactSizes)*classesPerDoubling
	return min(int(math.Round(class)), sizeClasses-1)
}

// classSize returns a size of the class of a row.
func classSize(class int) float64 {
	if class < exactSizes {
		return float64(class)
	}
	return exactSizes * math.Exp2(float64(class-exactSizes)/classesPerDoubling)
}
