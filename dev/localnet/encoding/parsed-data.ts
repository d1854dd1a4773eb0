export interface ParsedData {
  readonly program: string;
  readonly parsed: { readonly type: string; readonly info?: unknown };
  readonly space: number;
}
