/** Account data a node can explain, in its `jsonParsed` form. */
export interface ParsedData {
  readonly program: string;
  readonly parsed: { readonly type: string; readonly info?: unknown };
  readonly space: number;
}
