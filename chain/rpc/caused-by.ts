/** True if `holds` is true of an error, a cause, or an aggregated error. */
export function isCausedBy(error: unknown, holds: (error: unknown) => boolean): boolean {
  if (holds(error)) return true;
  if (error instanceof AggregateError) return error.errors.some((one) => isCausedBy(one, holds));
  return error instanceof Error && error.cause !== undefined && isCausedBy(error.cause, holds);
}
