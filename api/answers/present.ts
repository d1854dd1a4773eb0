/** Nullable fields become optional. */
export type Present<Fields> = {
  [Name in keyof Fields as null extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as null extends Fields[Name] ? Name : never]?: NonNullable<Fields[Name]>;
};

/** An unknown figure is absent from the response. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const known: Record<string, unknown> = {};
  // A loop: each token of a list passes here, and pairs would double its cost.
  for (const name in fields) if (fields[name] !== null) known[name] = fields[name];
  return known as Present<Fields>;
}
