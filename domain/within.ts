/**
 * Rejects if the work takes longer than `ms`, by default with an error that names the time. The work is not cancelled.
 */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  lateError: () => Error = () => new Error(`no answer within ${ms} ms`),
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(lateError()), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
