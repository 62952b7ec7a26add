//go:build unix && !linux

package endurance_test

// watchable: here nobody tells of files in the moment in which they change.
const watchable = false

func watch([]string, func(string), func(string)) (stop func(), err error) {
	return func() {}, nil
}
