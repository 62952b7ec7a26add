package doctor

// interpreterFault finds nothing: Windows goes by the extension of a file.
func interpreterFault(string) (fault, fix string) { return "", "" }
