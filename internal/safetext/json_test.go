package safetext_test

import (
	"encoding/json"
	"testing"
	"unicode"

	"the-loop/internal/safetext"
)

func TestJSON(t *testing.T) {
	for name, tt := range map[string]struct{ in, want string }{
		"plain":         {`{"a": "b\u001b"}` + "\n", `{"a": "b\u001b"}` + "\n"},
		"letters":       {`"größe ✓ 日本 🙂"`, `"größe ✓ 日本 🙂"`},
		"DEL and C1":    {"\"a\x7fb\u009bc\"", `"a\u007fb\u009bc"`},
		"direction":     {"\"\u202e\u2066\u200e\"", `"\u202e\u2066\u200e"`},
		"zero width":    {"\"\u200b\ufeff\u00ad\"", `"\u200b\ufeff\u00ad"`},
		"line ends":     {"\"\u2028\u2029\u0085\"", `"\u2028\u2029\u0085"`},
		"tags":          {"\"\U000e0041\"", `"\udb40\udc41"`},
		"invalid UTF-8": {"\"\xff\xc3\"", `"\ufffd\ufffd"`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(safetext.JSON([]byte(tt.in))); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func FuzzJSON(f *testing.F) {
	f.Add("a\x1b[31m\u202e\u009b\x00\xff\U000e0041 \U0010ffff")
	f.Fuzz(func(t *testing.T, s string) {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var got, want string
		safe := safetext.JSON(text)
		if err := json.Unmarshal(safe, &got); err != nil {
			t.Fatalf("%s: %v", safe, err)
		}
		if json.Unmarshal(text, &want); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		for _, r := range string(safe) {
			if !unicode.IsPrint(r) {
				t.Errorf("%q holds %q", safe, r)
			}
		}
	})
}
