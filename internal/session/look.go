package session

import (
	"bytes"
	"encoding/json"
	"fmt"

	"the-loop/internal/safetext"
)

// Encode is the record as its file has it: JSON with a two-space indent and a
// final newline, the keys that this program does not know included.
func (r *Record) Encode() ([]byte, error) { return r.encode() }

// EncodeAll is a list of records as JSON, with a two-space indent and a final
// newline; "[]" when there is none.
func EncodeAll(records []Record) ([]byte, error) {
	if len(records) == 0 {
		return []byte("[]\n"), nil
	}
	type plain Record // without the method that looks after unknown keys and takes twice as long
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("  ", "  ")
	separator := "[\n  "
	for i := range records {
		var r any = plain(records[i])
		if len(records[i].Extra) > 0 {
			r = records[i]
		}
		b.WriteString(separator)
		if err := encoder.Encode(r); err != nil {
			return nil, fmt.Errorf("encode record of %s: %w", records[i].Ref, err)
		}
		b.Truncate(b.Len() - 1) // its newline
		separator = ",\n  "
	}
	b.WriteString("\n]\n")
	return safetext.JSON(b.Bytes()), nil
}

// RecordPath is where the record of ref lies below root, the state root.
func RecordPath(root string, ref Ref) string { return tree{root}.path(ref) }
