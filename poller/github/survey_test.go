package github

import (
	"context"
	"fmt"

	"the-loop/gh"
)

// Survey answers "survey HOST": an error, or the JSON for what is asked.
func (f *fakeClient) Survey(_ context.Context, s gh.Survey) (gh.SurveyAnswer, error) {
	switch a := f.answer("survey " + s.Host).(type) {
	case error:
		return gh.SurveyAnswer{}, a
	case func(gh.Survey) string:
		return s.Read([]byte(a(s)))
	default:
		panic(fmt.Sprint("survey: ", a))
	}
}
