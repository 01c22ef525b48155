package notes

// BeforeReplace has do run when a note was read and is about to be replaced.
func (d *Directory) BeforeReplace(do func()) {
	d.beforeReplace = func() error { do(); return nil }
}
