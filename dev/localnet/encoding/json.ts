/** V8's; missing in the compiler's library. */
interface RawJson {
  rawJSON: (text: string) => unknown;
}

function hasRawJson(json: object): json is RawJson {
  return 'rawJSON' in json && typeof json.rawJSON === 'function';
}

const raw: RawJson['rawJSON'] = hasRawJson(JSON) ? JSON.rawJSON : Number;

function withExactIntegers(_key: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : raw(value.toString());
}

/** Encodes exactly: a u64 does not fit a double. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, withExactIntegers);
}
