/** One line for a person: the message, and that of the cause where `fetch` and others hide the reason there. */
export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(errorMessage).join('; ');
  if (!(error instanceof Error)) return String(error);
  if (error.cause === undefined || error.message.includes(errorMessage(error.cause))) return error.message;
  return `${error.message} (${errorMessage(error.cause)})`;
}

/** Another stack runs in the same folder. */
export class StackRunsError extends Error {
  override readonly name = 'StackRunsError';
}
