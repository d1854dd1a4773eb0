import Type, { type Static, type TObject } from 'typebox';

export const eventVariables = {
  EVENTS_DAYS: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    default: 30,
    description: 'Days that events are kept; an older cursor is 404',
  }),
  WEBHOOK_LOOPBACK: Type.Enum(['0', '1'], {
    default: '0',
    description: '1 delivers webhooks to this machine too, also without https; refused in production',
  }),
};

type EventValues = Static<TObject<typeof eventVariables>>;

export interface EventsConfig {
  /** Days. */
  readonly keptDays: number;
  readonly webhookMs: number;
  /** Whether webhooks may go to this machine. */
  readonly webhookLoopback: boolean;
}

export function eventsConfig(values: EventValues): EventsConfig {
  return {
    keptDays: values.EVENTS_DAYS,
    webhookMs: 20_000,
    webhookLoopback: values.WEBHOOK_LOOPBACK === '1',
  };
}

export function eventsProductionProblems(values: EventValues): string[] {
  return values.WEBHOOK_LOOPBACK === '1' ? ['WEBHOOK_LOOPBACK=1 is refused in production'] : [];
}
