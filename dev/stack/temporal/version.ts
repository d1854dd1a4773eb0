/** The Temporal CLI that the stack runs (server 1.29.1 with its UI): the newest that `go install` can build, later ones have a replace directive. */
export const TEMPORAL_CLI_VERSION = '1.5.1';
