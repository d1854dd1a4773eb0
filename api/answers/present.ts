/** Nullable fields become optional. */
export type Present<Fields> = {
  [Name in keyof Fields as null extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as null extends Fields[Name] ? Name : never]?: NonNullable<Fields[Name]>;
};

/** An unknown figure is absent from the response. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Present<Fields>;
}
