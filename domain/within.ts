/** What answers within so many ms, or rejects: by default with an error that names the time. The work itself is not ended. */
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
