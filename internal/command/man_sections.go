package command

// manSection is a part of the manual that does not come from the commands.
type manSection struct {
	title string
	text  string
	rows  [][2]string
}

// manSections returns the parts of the manual that follow the commands.
func manSections() []manSection {
	return []manSection{
		{title: "EXIT STATUS", rows: [][2]string{
			{"0", "Done. run returns it after SIGINT or SIGTERM, and run --once even if something failed, unless --strict is given."},
			{"1", "It failed. status: the poller is not running. doctor: a check failed. run --strict: a listing failed or a delivery was given up."},
			{"2", "The command line or the configuration is wrong, and nothing was done."},
		}},
		{
			title: "SIGNALS",
			text:  "The poller takes these:",
			rows: [][2]string{
				{"SIGINT, SIGTERM", "Stop: start nothing new and give running handlers ten seconds. A second one kills them and ends the process at once, with exit code 1."},
				{"SIGHUP", "Read the configuration again at once."},
			},
		},
		{
			title: "FILES",
			text: "The configuration is the file that --config or $THE_LOOP_CONFIG names, else $XDG_CONFIG_HOME/the-loop/config.yaml, by " +
				"default ~/.config/the-loop/config.yaml; 'the-loop config path' prints it.\n\n" +
				"Everything that the program writes is under the state root: the folder that --state-root, $THE_LOOP_STATE_ROOT or state.root of the " +
				"configuration names, else $XDG_STATE_HOME/the-loop, by default ~/.local/state/the-loop. It is readable by its owner only.",
			rows: [][2]string{
				{"poll-status.json", "The heartbeat: what the last cycle did and saw. 'the-loop status' reads it."},
				{"poll.pid", "The lock of the running poller, with its pid."},
				{"events.jsonl", "The event log, one JSON object a line; events-<time>.jsonl are older parts of it. 'the-loop events' reads them."},
				{"items/HOST/OWNER/REPO/N.json", "The record of one issue or pull request. 'the-loop sessions' reads them."},
				{"logs/SESSION.log", "What the handlers of one session printed; SESSION.log.1 is the part before."},
			},
		},
		{title: "ENVIRONMENT", rows: [][2]string{
			{"THE_LOOP_CONFIG, THE_LOOP_STATE_ROOT, THE_LOOP_LOG_LEVEL, THE_LOOP_LOG_FORMAT", "The global options of the same names."},
			{"XDG_CONFIG_HOME, XDG_STATE_HOME, HOME", "Where the configuration and the state root are by default."},
			{"GH_TOKEN, GH_ENTERPRISE_TOKEN, GH_CONFIG_DIR", "Read by gh, which is run with the environment of the poller. A service needs one of them, or the HOME of a user who is logged in."},
			{"GH_HOST", "The host of repositories that are configured without one."},
			{"NO_COLOR", "Turns colours off when it is not empty."},
			{"NOTIFY_SOCKET, WATCHDOG_USEC", "Set by systemd: the poller tells it when it is ready, what it does and that it is alive."},
			{"THE_LOOP_EVENT, THE_LOOP_REF and others", "Set for handlers; docs/handlers.md lists them."},
		}},
		{title: "SEE ALSO", text: "gh(1), systemd.service(5)"},
	}
}
