package doctor

import (
	"errors"
	"fmt"

	"the-loop/internal/config"
)

// configuration reports a valid configuration, a missing one, or each fault.
func (e *examination) configuration() {
	const check, subject = "configuration", "configuration"
	faults, isFaulty := errors.AsType[config.Faults](e.ConfigErr)
	switch {
	case e.Config != nil:
		e.ok(check, subject, e.Config.File+" is valid")
	case isFaulty:
		for _, f := range faults {
			e.fail(check, subject, f.Error(), faultFix(f))
		}
	case e.ConfigErr != nil:
		fix := "let this user read it, or name another one with --config"
		if missing, ok := errors.AsType[*config.MissingError](e.ConfigErr); ok {
			fix = missing.Hint()
		}
		e.fail(check, subject, e.ConfigErr.Error(), fix)
	}
}

func faultFix(f config.Fault) string {
	if f.File == "" {
		return "change " + f.Path
	}
	return fmt.Sprintf("change line %d; 'the-loop config validate' looks at the file alone", f.Line)
}
