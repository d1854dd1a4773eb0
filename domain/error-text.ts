/** Returns the error's message, or a thrown value as text. An AggregateError without a message gives its parts'. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isMute = error instanceof AggregateError && error.message === '';
  return isMute ? error.errors.map(errorText).join('; ') : error.message;
}

/** Returns the message with causes that it lacks: `fetch` puts the reason there. */
export function errorTextWithCauses(error: unknown): string {
  const text = errorText(error);
  if (!(error instanceof Error) || error.cause === undefined) return text;
  const cause = errorTextWithCauses(error.cause);
  return text.includes(cause) ? text : `${text} (${cause})`;
}

/** Returns the error's stack, or its text. */
export function errorTrace(error: unknown): string {
  return error instanceof Error && error.stack !== undefined ? error.stack : errorText(error);
}

/** Returns the name without the message, which may contain sent data. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
