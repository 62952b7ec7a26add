// Package session keeps what the daemon must remember of every work item.
//
// It has two parts:
//
//   - the [Store] holds one [Record] per work item in memory and, as a file a
//     person can read, below <root>/items;
//   - [LeaveRetryNote], [ReadAll] and [ReadOne] serve other processes, which
//     do not own the records.
//
// It also defines the texts that follow from a record and that handlers get:
// the session's name, the [Target] and the [Input]. Package dispatch runs the
// handlers; the poller decides what is delivered when.
//
// # Guarantees of the store
//
// A record is replaced as a whole or not at all: a crash at any moment leaves
// the old file or the new one. The content is synced before it takes the
// name; the folder is not, so a power failure can bring back the record as it
// was a moment before, which repeats a delivery and loses none.
//
// A record that cannot be read is moved aside to N.json.corrupt-<time>, never
// over an earlier one, and a record marked Recovered takes its place: the item
// stays known, its session counts as active. For as long as the file that was
// moved aside is there and N.json is not, the item counts as lost in the same
// way, so no crash in between can make it a new one. To have an item forgotten
// on purpose, remove both.
//
// A record that cannot be reached, or that a newer version of the program
// wrote, is left alone, and every access to it is an error until that ends.
//
// Every path is made of checked names and opened through [os.Root], and no
// symbolic link below <root>/items is followed: nothing is ever read, written
// or moved outside of it. Only one process may have a store open that is not
// ReadOnly; the caller holds the lock that sees to it.
//
// # Imports
//
// It may import internal/atomicfile, internal/counted, internal/ownfile, internal/ref,
// internal/safetext and internal/timetext. It starts no process, and knows neither dispatch, nor gh, nor the poller.
package session
