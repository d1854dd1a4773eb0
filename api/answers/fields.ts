import Type, { type TProperties, type TSchema } from 'typebox';
import { LAUNCH_MODES, REWARD_TAXES_BPS } from '../../domain/token-facts.ts';
import { NETWORKS } from '../../domain/network.ts';

/** An object of an answer: exactly these fields. */
export function record<Properties extends TProperties>(properties: Properties, description?: string) {
  return Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) });
}

/** A value or null. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** A JSON number: a figure that was exact until it was answered. */
export const figure = (description: string) => Type.Number({ description });

/** A figure that is left out while it is not known. */
export const optionalFigure = (description: string) => Type.Optional(figure(description));

/** A whole number from 0 up. */
export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** An exact amount in the smallest unit. */
export const raw = (description: string) =>
  Type.String({ pattern: '^\\d+$', description: `${description}, smallest units` });

/** A moment: ISO 8601, UTC, milliseconds. */
export const moment = (description: string) =>
  Type.String({ format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$', description });

/** An address in base58, as we answer it. */
export const address = (description: string) => Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$', description });

/** A transaction signature in base58, as we answer it. */
export const signature = (description: string) =>
  Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$', description });

export const text = (description: string) => Type.String({ description });

/** Fee model of a launch. */
export const ModeSchema = Type.Enum([...LAUNCH_MODES], { description: 'Fee model' });

/** The tax on every transfer of a reward token. */
export const TransferFeeSchema = record({
  bps: Type.Enum([...REWARD_TAXES_BPS], { description: 'Tax on every transfer, in bps' }),
});

/** The only venue that tokens are launched on. */
export const LAUNCHPAD = 'raydium';
export const LaunchpadSchema = Type.Literal(LAUNCHPAD, { description: 'Venue of the pool' });

/** The chain that everything is on. */
export const NetworkSchema = Type.Enum([...NETWORKS], {
  description: 'Cluster that everything is on',
});
