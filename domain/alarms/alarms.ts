import type { Alarm } from './alarm.ts';
import { MARKET_ALARMS } from './rows/market.ts';
import { MONEY_ALARMS } from './rows/money.ts';
import { PART_ALARMS } from './rows/parts.ts';
import { PROMISE_ALARMS } from './rows/promises.ts';

const ROWS = { ...PART_ALARMS, ...PROMISE_ALARMS, ...MONEY_ALARMS, ...MARKET_ALARMS };

export type AlarmName = keyof typeof ROWS;

/**
 * The one list of what needs a person. From it follow the rules of Prometheus, the lines of `ops status` and of
 * `/readyz`, `ops alert` and the runbook's list.
 */
export const ALARMS: Readonly<Record<AlarmName, Alarm>> = ROWS;

export const ALARM_NAMES = Object.keys(ROWS).filter((name): name is AlarmName => name in ROWS);
