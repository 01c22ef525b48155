package exchange

func Repair(text string) (string, int) { return text, 0 }
