/** Server 1.29.1 with UI: the newest CLI that `go install` can build. */
export const TEMPORAL_CLI_VERSION = '1.5.1';
