import Type, { type TProperties, type TSchema } from 'typebox';
import { LAUNCH_MODES, REWARD_TAXES_BPS } from '../../domain/token-facts.ts';
import { NETWORKS } from '../../domain/network.ts';

/** An object with exactly these fields. A title names it in documents where its property's name does not. */
export function record<Properties extends TProperties>(properties: Properties, description?: string, title?: string) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(description !== undefined && { description }),
    ...(title !== undefined && { title }),
  });
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** A JSON number, rounded from an exact value. */
export const figure = (description: string) => Type.Number({ description });

/** A figure that is omitted while unknown. */
export const optionalFigure = (description: string) => Type.Optional(figure(description));

export const count = (description: string) => Type.Integer({ minimum: 0, description });

export const raw = (description: string) =>
  Type.String({ pattern: '^\\d+$', description: `${description}, smallest units` });

/** A time in ISO 8601, UTC, ms. */
export const moment = (description: string) =>
  Type.String({ format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$', description });

/** base58 */
export const address = (description: string) => Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$', description });

/** base58 */
export const signature = (description: string) =>
  Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$', description });

export const text = (description: string) => Type.String({ description });

export const ModeSchema = Type.Enum([...LAUNCH_MODES], { description: 'Fee model' });

export const TransferFeeSchema = record({
  bps: Type.Enum([...REWARD_TAXES_BPS], { description: 'Tax on every transfer, in bps' }),
});

export const LAUNCHPAD = 'raydium';
export const LaunchpadSchema = Type.Literal(LAUNCHPAD, { description: 'Venue of the pool' });

export const NetworkSchema = Type.Enum([...NETWORKS], {
  description: 'Cluster that everything is on',
});
