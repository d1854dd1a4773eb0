/** A span as a collector got it. */
export interface ReceivedSpan {
  /** `service.name` of its process. */
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** As texts, whatever they are. */
  readonly fields: Readonly<Record<string, string>>;
  /** ns since 1970. */
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  readonly hasFailed: boolean;
}

/**
 * The spans of an ExportTraceServiceRequest in protocol buffers, by the field numbers of
 * https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto.
 */
export function spansOf(request: Buffer): ReceivedSpan[] {
  return messages(request, 1).flatMap((resourceSpans) => {
    const [resource = Buffer.alloc(0)] = messages(resourceSpans, 1);
    const service = fieldsOf(messages(resource, 1))['service.name'] ?? '';
    const spans = messages(resourceSpans, 2).flatMap((scopeSpans) => messages(scopeSpans, 2));
    return spans.map((span) => spanOf(service, span));
  });
}

const STATUS_ERROR = 2n;

function spanOf(service: string, span: Buffer): ReceivedSpan {
  const hex = (number: number) => messages(span, number)[0]?.toString('hex') ?? '';
  const [status = Buffer.alloc(0)] = messages(span, 15);
  return {
    service,
    traceId: hex(1),
    spanId: hex(2),
    parentSpanId: hex(4),
    name: messages(span, 5)[0]?.toString() ?? '',
    fields: fieldsOf(messages(span, 9)),
    startedAt: numbers(span, 7)[0] ?? 0n,
    endedAt: numbers(span, 8)[0] ?? 0n,
    hasFailed: numbers(status, 3)[0] === STATUS_ERROR,
  };
}

function fieldsOf(keyValues: readonly Buffer[]): Record<string, string> {
  return Object.fromEntries(
    keyValues.map((pair) => {
      const [key = Buffer.alloc(0), value = Buffer.alloc(0)] = [...messages(pair, 1), ...messages(pair, 2)];
      return [key.toString(), textOf(value)];
    }),
  );
}

/** Of an AnyValue: a text, or a truth or a whole number. */
function textOf(value: Buffer): string {
  return messages(value, 1)[0]?.toString() ?? String([...numbers(value, 2), ...numbers(value, 3)][0]);
}

interface WireField {
  readonly number: number;
  readonly value: bigint | Buffer;
}

function messages(message: Buffer, number: number): Buffer[] {
  return valuesOf(message, number).filter((value) => typeof value !== 'bigint');
}

function numbers(message: Buffer, number: number): bigint[] {
  return valuesOf(message, number).filter((value) => typeof value === 'bigint');
}

function valuesOf(message: Buffer, number: number): (bigint | Buffer)[] {
  return [...wireFields(message)].filter((field) => field.number === number).map(({ value }) => value);
}

/** https://protobuf.dev/programming-guides/encoding/ */
function* wireFields(message: Buffer): Generator<WireField> {
  for (let at = 0; at < message.length;) {
    const tag = varint(message, at);
    const number = Number(tag.value >> 3n);
    const { value, next } = valueAt(message, tag.next, Number(tag.value & 7n));
    yield { number, value };
    at = next;
  }
}

function valueAt(
  message: Buffer,
  at: number,
  type: number,
): { readonly value: bigint | Buffer; readonly next: number } {
  switch (type) {
    case 0:
      return varint(message, at);
    case 1:
      return { value: message.readBigUInt64LE(at), next: at + 8 };
    case 2: {
      const { value: length, next } = varint(message, at);
      return { value: message.subarray(next, next + Number(length)), next: next + Number(length) };
    }
    case 5:
      return { value: BigInt(message.readUInt32LE(at)), next: at + 4 };
    default:
      throw new RangeError(`wire type ${type} at byte ${at}`);
  }
}

function varint(message: Buffer, start: number): { readonly value: bigint; readonly next: number } {
  let value = 0n;
  for (let at = start, shift = 0n; ; at++, shift += 7n) {
    const byte = message.readUInt8(at);
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return { value, next: at + 1 };
  }
}
