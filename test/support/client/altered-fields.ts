/** One field of an answer with something else in it. */
export interface Alteration {
  /** As `payment.items.0.lamports`. */
  readonly path: string;
  readonly to: unknown;
}

const STRANGER = 'BPFLoaderUpgradeab1e11111111111111111111111';

/** Something else of the same type and of others, also what a terminal or a person reads as something else. */
function othersThan(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return [value + 1, value - 1, value * 2, value / 2, 0, -value, 0.5, 1e300];
  if (typeof value === 'string') {
    const text = [`${value}0`, value.slice(0, -1), '', '0', '-1', STRANGER, `\u001b[2J${value}`, `${value}\u202e`];
    return [...text, '9999-01-01T00:00:00.000Z', 'top100', 'standard', 'launch', 'AAAA'];
  }
  if (value === null) return [{ bps: 100 }, { tokens: 1, tokensRaw: '1000000000', lamports: 1 }];
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return [[], [...list, ...list], [...list, { item: 'discount', lamports: -1 }]];
  }
  return [null, {}];
}

/** Every alteration of every field of an answer; a field that is left out is `undefined`. */
export function alterationsOf(answer: unknown, path: readonly string[] = []): Alteration[] {
  const own =
    path.length === 0
      ? []
      : [undefined, ...othersThan(answer)].filter((to) => to !== answer).map((to) => ({ path: path.join('.'), to }));
  if (typeof answer !== 'object' || answer === null) return own;
  const inside = Object.entries(answer).flatMap(([key, value]) => alterationsOf(value, [...path, key]));
  return [...own, ...inside];
}

/** A copy of an answer with an alteration made. */
export function altered(answer: unknown, { path, to }: Alteration): unknown {
  const [key = '', ...rest] = path.split('.');
  const next = { path: rest.join('.'), to };
  if (Array.isArray(answer)) {
    return answer.map((value: unknown, index) =>
      String(index) === key ? (rest.length === 0 ? to : altered(value, next)) : value,
    );
  }
  if (typeof answer !== 'object' || answer === null) return answer;
  const entries = Object.entries(answer).map(([name, value]: [string, unknown]) => {
    if (name !== key) return [name, value];
    return [name, rest.length === 0 ? to : altered(value, next)];
  });
  return Object.fromEntries(entries);
}
