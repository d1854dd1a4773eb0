/** Another stack runs in the same folder. */
export class StackRunsError extends Error {
  override readonly name = 'StackRunsError';
}
