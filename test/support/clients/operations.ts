/** One operation of an OpenAPI document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

/** Every operation of a document (JSON). */
export function operationsOf(document: string): Operation[] {
  const { paths } = JSON.parse(document) as Document;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => ({ id: operationId, method, path })),
  );
}
