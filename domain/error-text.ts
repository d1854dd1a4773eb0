/**
 * What an unknown error says: its message, or a thrown value as text. An AggregateError without a message, as of a
 * connection that every address refused, says what its parts say.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isMute = error instanceof AggregateError && error.message === '';
  return isMute ? error.errors.map(errorText).join('; ') : error.message;
}

/** The same with what its causes say, where the message does not: `fetch` and others hide the reason there. */
export function errorTextWithCauses(error: unknown): string {
  const text = errorText(error);
  if (!(error instanceof Error) || error.cause === undefined) return text;
  const cause = errorTextWithCauses(error.cause);
  return text.includes(cause) ? text : `${text} (${cause})`;
}

/** Where an unexpected error comes from, over several lines: its stack, or what it says where it has none. */
export function errorTrace(error: unknown): string {
  return error instanceof Error && error.stack !== undefined ? error.stack : errorText(error);
}

/** What kind of error it is, without anything that it says: messages can hold what was sent. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
