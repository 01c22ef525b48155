package lifecycle

import "github.com/brainbridge/brainbridge/brain"

// Get returns the result of a read, unless an earlier step of the operation has failed. err
// is the error of the first step that fails.
func Get[K, V any](err *error, read func(...K) ([]V, error), keys ...K) (found []V) {
	if *err == nil {
		found, *err = read(keys...)
	}
	return found
}

// Put stores or deletes values, unless an earlier step has failed, see [Get].
func Put[V any](err *error, write func(...V) error, values ...V) {
	if *err == nil {
		*err = write(values...)
	}
}

// DeleteRecords returns a function that deletes records, for [Put].
func DeleteRecords(tx brain.RecordWriter) func(...brain.Record) error {
	return func(recs ...brain.Record) (err error) {
		for _, rec := range recs {
			if err == nil {
				err = tx.DeleteRecords(rec.Kind, rec.ID)
			}
		}
		return err
	}
}
