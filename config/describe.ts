import type { TObject } from 'typebox';

export interface VariableDescription {
  readonly name: string;
  readonly description: string;
  readonly format: string;
  /** Null if required, '' if optional. */
  readonly fallback: string | null;
  readonly secret: boolean;
}

export function describeVariables(schema: TObject): VariableDescription[] {
  const required = new Set<string>(schema.required);
  return Object.entries(schema.properties)
    .map(([name, property]) => describeVariable(name, property as Record<string, unknown>, required.has(name)))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

export function helpText(schema: TObject): string {
  return describeVariables(schema)
    .map(({ name, description, format, fallback }) => `${name}${fallbackText(fallback)}\n    ${description}; ${format}`)
    .join('\n');
}

function describeVariable(name: string, property: Record<string, unknown>, required: boolean): VariableDescription {
  const fallback = property['default'];
  return {
    name,
    description: textOf(property['description']),
    format: formatOf(property),
    fallback: fallback === undefined ? (required ? null : '') : textOf(fallback),
    secret: property['writeOnly'] === true,
  };
}

function formatOf(property: Record<string, unknown>): string {
  const { enum: values, minimum, maximum, title } = property;
  if (Array.isArray(values)) return values.join(', ');
  if (property['type'] === 'integer') return `whole number from ${textOf(minimum)} to ${textOf(maximum)}`;
  return title === undefined ? 'text' : textOf(title);
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function fallbackText(fallback: string | null): string {
  if (fallback === null) return ' (required)';
  return fallback ? ` (default ${fallback})` : '';
}
