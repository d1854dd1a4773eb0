export class StackRunsError extends Error {
  override readonly name = 'StackRunsError';
}
