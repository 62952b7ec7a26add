// Package gh asks GitHub through the operator's own, already authenticated gh
// program: it runs gh, reads its JSON and classifies its errors.
//
// It guarantees that
//
//   - one function starts gh, with an argument list and no shell, from an
//     absolute path, with an environment in which it neither prompts nor
//     colours nor talks of updates;
//   - a call ends: at the timeout or when the context does, gh's whole process
//     group is killed, and a process that left the group and holds on to the
//     output delays the end by little. No process of the group outlives a call;
//   - nothing empty is taken for an answer: an exit status other than 0, no
//     output, null, or JSON without what was asked for is an error, and a
//     conversation that may have been cut is believed only after a second call.
//     A listing cannot be checked so: an empty one, or one that lacks an item,
//     proves nothing about what is missing;
//   - an [Error] is one short line without control characters or credentials,
//     and its [Class] says what a caller may conclude from it.
//
// On Windows only gh itself is killed, not what it started.
//
// It knows nothing of polling. It may import internal/procgroup, internal/ref
// and internal/safetext.
package gh
