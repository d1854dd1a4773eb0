import { dereference } from './dereference.ts';
import { shapeOf } from './shape-of-schema.ts';
import { asObject, type Json, propertyName, typeOf } from './type-of-schema.ts';

interface OperationTypes {
  readonly name: string;
  readonly summary: string;
  readonly query: string;
  readonly body: string;
  readonly data: string;
  readonly shape: string;
}

const HEAD = `// Written from /openapi.full.json by \`vitest run test/client/generated.test.ts -u\`; not by hand.
import type { Shape } from '../http/shape.ts';
`;

export function typesOfDocument(document: Json): string {
  const operations = operationsOf(dereference(document));
  return [HEAD, operationsText(operations), shapesText(operations)].join('\n');
}

function operationsText(operations: readonly OperationTypes[]): string {
  const entries = operations.map(
    ({ name, summary, query, body, data }) =>
      `/** ${summary} */\n'${name}': { readonly query: ${query}; readonly body: ${body}; readonly data: ${data} };`,
  );
  return `/** What every operation takes, and \`data\` of its success. */\nexport interface Operations {\n${entries.join('\n')}\n}\n`;
}

function shapesText(operations: readonly OperationTypes[]): string {
  const entries = operations.map(({ name, shape }) => `'${name}': ${shape},`);
  return `/** The same of \`data\`, for a check at run time. */\nexport const SHAPES: { readonly [Name in keyof Operations]: Shape } = {\n${entries.join('\n')}\n};\n`;
}

function operationsOf(document: Json): OperationTypes[] {
  return Object.entries(asObject(document['paths'])).flatMap(([path, item]) =>
    Object.entries(asObject(item)).map(([method, operation]) =>
      operationOf(`${method.toUpperCase()} ${path}`, asObject(operation)),
    ),
  );
}

function operationOf(name: string, operation: Json): OperationTypes {
  const success = schemaOf(asObject(operation['responses'])['200']);
  const data = asObject(asObject(success['properties'])['data']);
  return {
    name,
    summary: String(operation['summary']),
    query: queryType(operation['parameters']),
    body: operation['requestBody'] === undefined ? 'undefined' : typeOf(schemaOf(operation['requestBody'])),
    data: typeOf(data),
    shape: JSON.stringify(shapeOf(data)),
  };
}

function schemaOf(holder: unknown): Json {
  return asObject(asObject(asObject(asObject(holder)['content'])['application/json'])['schema']);
}

function queryType(parameters: unknown): string {
  const list = Array.isArray(parameters) ? parameters.map(asObject) : [];
  const fields = list
    .filter((parameter) => parameter['in'] === 'query')
    .map((parameter) => {
      const name = propertyName(String(parameter['name']));
      return `readonly ${name}${parameter['required'] === true ? '' : '?'}: ${typeOf(asObject(parameter['schema']))};`;
    });
  return fields.length === 0 ? 'undefined' : `{ ${fields.join(' ')} }`;
}
