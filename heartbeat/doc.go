// Package heartbeat is poll-status.json: what the poller last did and saw,
// written before its first cycle, after every cycle and now and then during a
// long one, and read by status.
//
// The file holds no pid and proves nobody alive; only the lock does. It is
// replaced as a whole, so that a reader sees the old one or the new one and
// never a half of either, also after a crash or on a full disk, and no
// temporary file stays behind a failure. Reading is forgiving: a key that is
// missing, null or of another type is zero, one that is not known is kept for
// whoever passes the file on.
//
// It imports poller and internal/safetext.
package heartbeat
