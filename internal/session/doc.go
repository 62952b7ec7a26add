// Package session keeps the daemon's memory of every work item.
//
// It has two parts:
//
//   - the [Store] holds one [Record] per work item in memory and in a readable file
//     below <root>/items;
//   - [LeaveRetryNote], [ReadAll] and [ReadOne] serve processes that do not own the
//     records.
//
// It also defines the texts for handlers that follow from a record: the session's name,
// the [Target] and the [Input]. Package dispatch runs the handlers; the poller decides
// what to deliver and when.
//
// # Guarantees of the store
//
// A record is replaced as a whole or not at all: a crash at any moment leaves the old
// file or the new one. The content is synced before the rename, the folder is not. A
// power failure can therefore bring back the record of a moment before, which repeats
// a delivery but loses none.
//
// The store moves an unreadable record aside to N.json.corrupt-<time>, never over an
// earlier one, and puts a record marked Recovered in its place: the item stays known
// and its session counts as active. While the moved file exists and N.json does not,
// the item counts as lost in the same way, so that no crash in between can make it a
// new one. Remove both files to forget an item on purpose.
//
// The store leaves alone a record that it cannot reach, or that a newer version of the
// program wrote. Every access to it fails until that ends.
//
// Every path consists of checked names and is opened through [os.Root]. The store
// follows no symbolic link below <root>/items: it never reads, writes or moves
// anything outside. Only one process may have a store open that is not ReadOnly; its
// caller must hold the lock for that.
//
// # Imports
//
// It may import internal/atomicfile, internal/counted, internal/ownfile, internal/ref,
// internal/safetext and internal/timetext. It starts no process, and knows neither dispatch, nor gh, nor the poller.
package session
