// Package descriptors keeps inherited descriptors from the programs that this process
// starts.
//
// Go closes its own files in children. It does not close files that the parent of this
// process left open: a lock of a wrapper on such a descriptor would last as long as
// the daemon's agents, not only as long as the daemon.
//
// It imports only the standard library and golang.org/x/sys.
package descriptors
