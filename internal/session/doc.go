// Package session keeps what the daemon must remember of every work item and
// runs the operator's handlers.
//
// It has three parts, which know nothing of each other's decisions:
//
//   - the [Store] holds one [Record] per work item in memory and, as a file a
//     person can read, below <root>/items;
//   - the [Dispatcher] runs handlers: first-in first-out per session, over
//     retries too, a bounded number at once, the repositories taking turns,
//     never blocking the caller;
//   - [LeaveRetryNote], [ReadAll] and [ReadOne] are for other processes, which
//     do not own the records.
//
// What is delivered when, and to whom, is decided by the caller.
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
// It may import internal/argvtemplate, internal/procgroup and
// internal/safetext. It knows neither gh nor the poller.
package session
