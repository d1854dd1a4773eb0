/** Whether something holds of an error, of one that caused it, or of one that it gathers. */
export function isCausedBy(error: unknown, holds: (error: unknown) => boolean): boolean {
  if (holds(error)) return true;
  if (error instanceof AggregateError) return error.errors.some((one) => isCausedBy(one, holds));
  return error instanceof Error && error.cause !== undefined && isCausedBy(error.cause, holds);
}
