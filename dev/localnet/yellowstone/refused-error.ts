import type { status } from '@grpc/grpc-js';

export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}
