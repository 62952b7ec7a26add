package doctor

// interpreterFault says nothing: Windows goes by a file's extension.
func interpreterFault(string) (fault, fix string) { return "", "" }
