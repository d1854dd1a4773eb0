/** Unnamed fields are allowed. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  | { readonly listOf: Shape }
  | { readonly oneOf: readonly Shape[] }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly optional: Readonly<Record<string, Shape>> };

/** Describes the first difference, such as `data.payment.lamports is no number`; null without one. */
export function differenceFrom(shape: Shape, value: unknown, at: string): string | null {
  if (typeof shape === 'string') return isOfType(shape, value) ? null : `${at} is no ${shape}`;
  if ('listOf' in shape) return listDifference(shape.listOf, value, at);
  if ('oneOf' in shape) {
    return shape.oneOf.some((each) => differenceFrom(each, value, at) === null) ? null : `${at} has no known shape`;
  }
  if (!isRecord(value)) return `${at} is no object`;
  return first([
    ...Object.entries(shape.fields).map(
      ([name, each]) =>
        () =>
          differenceFrom(each, value[name], `${at}.${name}`),
    ),
    ...Object.entries(shape.optional).map(
      ([name, each]) =>
        () =>
          value[name] === undefined ? null : differenceFrom(each, value[name], `${at}.${name}`),
    ),
  ]);
}

function isOfType(type: 'string' | 'number' | 'boolean' | 'null', value: unknown): boolean {
  return type === 'null' ? value === null : typeof value === type;
}

function listDifference(shape: Shape, value: unknown, at: string): string | null {
  if (!Array.isArray(value)) return `${at} is no list`;
  return first(value.map((entry: unknown, index) => () => differenceFrom(shape, entry, `${at}[${index}]`)));
}

function first(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const found = check();
    if (found !== null) return found;
  }
  return null;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
