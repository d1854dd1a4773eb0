import type { ReactNode } from 'react';
import { ApiError, NoAnswerError } from '../../client/index.ts';
import type { Asked } from '../api/use-answer.ts';

export function plainError(error: Error): string {
  if (error instanceof NoAnswerError)
    return 'The platform does not answer right now. What you see may be old; this page keeps asking.';
  if (!(error instanceof ApiError)) return error.message;
  if (error.code === 'rate_limited') {
    return `Too many requests from your address. The page asks again in ${Math.max(1, error.retryAfter)} s by itself.`;
  }
  return error.message;
}

export function Notice({
  kind = 'info',
  children,
}: {
  readonly kind?: 'info' | 'good' | 'warn' | 'bad';
  readonly children: ReactNode;
}) {
  return (
    <div className={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

interface AnsweredProps<T> {
  readonly asked: Asked<T>;
  readonly children: (data: T) => ReactNode;
  /** Until the first response. */
  readonly waiting?: ReactNode;
}

export function Answered<T>({ asked, children, waiting }: AnsweredProps<T>) {
  const { data, error } = asked;
  return (
    <>
      {error && <Notice kind="warn">{plainError(error)}</Notice>}
      {data === undefined ? error === null && (waiting ?? <Waiting />) : children(data)}
    </>
  );
}

export function Waiting({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  );
}
