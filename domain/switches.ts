/** The platform's switches and the values each can take. */
export const SWITCH_VALUES = {
  launching: ['on', 'off'],
  claiming: ['on', 'off'],
  devBuys: ['on', 'off'],
  airdrops: ['on', 'off'],
  /** `admin`: reward launches need the admin password header. */
  rewardLaunches: ['open', 'admin', 'off'],
} as const;

export type SwitchName = keyof typeof SWITCH_VALUES;

/** The values of one switch, for instance `SwitchValue<'launching'>` is `'on' | 'off'`. */
export type SwitchValue<Name extends SwitchName = SwitchName> = (typeof SWITCH_VALUES)[Name][number];

/** All switches as they stand. */
export type Switches = { readonly [Name in SwitchName]: SwitchValue<Name> };

/** True when `name` is a switch. */
export function isSwitchName(name: string): name is SwitchName {
  return Object.hasOwn(SWITCH_VALUES, name);
}

/** True when the switch `name` can take `value`. */
export function isSwitchValue<Name extends SwitchName>(name: Name, value: string): value is SwitchValue<Name> {
  return (SWITCH_VALUES[name] as readonly string[]).includes(value);
}
