// Package descriptors keeps the files that this process was started with from
// the programs that it starts.
//
// What Go opens is closed in a child anyway. What the starter of this process
// left open is not: a lock that a wrapper holds on such a descriptor would
// outlive the daemon for as long as an agent of it runs.
//
// It imports only the standard library and golang.org/x/sys.
package descriptors
