import Type, { type Static } from 'typebox';
import { Parse } from 'typebox/value';
import { PrepareBodySchema } from '../../api/launch/prepare-body.ts';

const FieldSchema = Type.Object({
  description: Type.String(),
  enum: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Number()]))),
  default: Type.Optional(Type.Unknown()),
});
type Field = Static<typeof FieldSchema>;

/** Descriptions of fields that the schema describes as addresses alone. */
const ADDRESSES: Readonly<Record<string, string>> = {
  creatorWallet: 'Address that pays and signs',
  quoteMint: '`mint` of a pair with `launchable: true` in `GET /pairs`',
};

/** The fields of prepare as its schema describes them to OpenAPI. */
export function launchFieldsText(): string {
  const fields = Parse(Type.Record(Type.String(), FieldSchema), PrepareBodySchema.properties);
  const required = new Set<string>(PrepareBodySchema.required);
  return Object.entries(fields)
    .map(([name, field]) => {
      const isRequired = required.has(name) && field.default === undefined;
      return `- \`${name}\`${isRequired ? ' (required)' : ''}: ${valuesOf(field)}${ADDRESSES[name] ?? describe(field)}`;
    })
    .join('\n');
}

const valuesOf = ({ enum: values }: Field): string =>
  values === undefined ? '' : `${values.map((value) => `\`${value}\``).join(', ')}. `;

/** Spellings of an absent value are those of every endpoint. */
const describe = ({ description }: Field): string => description.replace(/; 0 is no value .*$/, '');
