import type { ReactNode } from 'react';

export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className="figures">{children}</dl>;
}

export function Figure({
  name,
  hint,
  children,
}: {
  readonly name: string;
  readonly hint?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="figure" title={hint}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Percent. */
export function Change({ value, children }: { readonly value: number | undefined; readonly children: ReactNode }) {
  const kind = value === undefined || value === 0 ? 'even' : value > 0 ? 'up' : 'down';
  return <span className={kind}>{children}</span>;
}
